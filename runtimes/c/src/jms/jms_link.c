/* The broker's events, and the bytes in both directions: Proton's engine over the client's socket. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "jms_link.h"

#include "../base/utf8.h"
#include "../call/body.h"

#include <stdlib.h>

/* The kept part of an answer that is too large, which identifies its call. */
#define KEPT 65536

/*
 * Events of the broker.
 */

/* JMS-18. */
static creo_code code_of(const char *condition)
{
    static const struct {
        const char *name;
        creo_code code;
    } codes[] = {
        {"amqp:unauthorized-access", CREO_PERMISSION_DENIED},
        {"amqp:resource-limit-exceeded", CREO_OVERLOADED},
        {"amqp:link:message-size-exceeded", CREO_TOO_LARGE},
        {"amqp:decode-error", CREO_PROTOCOL_MISMATCH},
        {"amqp:frame-size-too-small", CREO_PROTOCOL_MISMATCH},
        {"amqp:invalid-field", CREO_PROTOCOL_MISMATCH},
        {"amqp:illegal-state", CREO_PROTOCOL_MISMATCH},
        {"amqp:not-allowed", CREO_PROTOCOL_MISMATCH},
        {"amqp:not-implemented", CREO_PROTOCOL_MISMATCH},
        {"amqp:connection:framing-error", CREO_PROTOCOL_MISMATCH},
    };
    for (size_t i = 0; condition != NULL && i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(condition, codes[i].name) == 0)
            return codes[i].code;
    return CREO_UNAVAILABLE;
}

static void show(char *into, size_t size, const char *text)
{
    creo_text_show(into, size, creo_text(text == NULL ? "" : text));
}

/* Sets the error of the call from a condition, if there is one. */
static void tell(creo_jms_link *link, pn_condition_t *condition, const char *otherwise)
{
    if (condition == NULL || !pn_condition_is_set(condition)) {
        (void)creo_fail(link->error, CREO_UNAVAILABLE, "%s", otherwise);
        return;
    }
    char name[100];
    char description[500];
    show(name, sizeof name, pn_condition_get_name(condition));
    show(description, sizeof description, pn_condition_get_description(condition));
    (void)creo_fail(link->error, code_of(pn_condition_get_name(condition)), "%s: %s (%s)", otherwise, description, name);
    if (link->error != NULL)
        link->error->from_peer = true;
}

void creo_jms_link_fail(creo_jms_link *link, pn_condition_t *condition, const char *otherwise)
{
    if (!link->failed)
        tell(link, condition, otherwise);
    link->failed = true;
}

static void fail_transport(creo_jms_link *link, pn_condition_t *condition)
{
    const char *name = pn_condition_is_set(condition) ? pn_condition_get_name(condition) : NULL;
    bool login = name != NULL && strcmp(name, "amqp:unauthorized-access") == 0;
    bool first = !link->failed;
    creo_jms_link_fail(link, condition, login ? "the broker takes no such user" : "the connection to the broker was lost");
    if (first && login && link->error != NULL)
        link->error->code = CREO_UNAUTHENTICATED;
}

/* Whether the broker has opened a link for answers. One that it refuses has no source; a detach with the reason follows. */
static bool gives_queue(creo_jms_link *link, pn_link_t *receiver)
{
    pn_terminus_t *source = pn_link_remote_source(receiver);
    if (pn_terminus_get_type(source) == PN_UNSPECIFIED)
        return false;
    const char *address = pn_terminus_get_address(source);
    if (address != NULL && *address != 0)
        return true;
    creo_jms_link_fail(link, NULL, "the broker gave no queue for answers");
    return false;
}

static void link_opened(creo_jms_link *link, pn_link_t *opened)
{
    if (opened == link->queue) {
        link->queue_opened = gives_queue(link, opened);
        return;
    }
    if (!link->opened && pn_terminus_get_type(pn_link_remote_target(link->sender)) != PN_UNSPECIFIED)
        link->opened = gives_queue(link, link->receiver);
}

/* What still comes for a stream whose call has ended is dropped. */
static void drop_all(pn_link_t *receiver)
{
    char room[4096];
    pn_delivery_t *delivery;
    while ((delivery = pn_link_current(receiver)) != NULL) {
        while (pn_link_recv(receiver, room, sizeof room) > 0)
            continue;
        if (pn_delivery_partial(delivery) && !pn_delivery_aborted(delivery))
            break;
        pn_delivery_settle(delivery);
    }
}

/* The broker has accepted a message, or refused it. For earlier calls, this is only noted. */
static void message_taken(creo_jms_link *link, pn_delivery_t *delivery)
{
    uint64_t state = pn_delivery_remote_state(delivery);
    if (state == 0 && !pn_delivery_settled(delivery))
        return;
    pn_delivery_tag_t tag = pn_delivery_tag(delivery);
    if (tag.size == CREO_JMS_ID && memcmp(tag.start, link->id, CREO_JMS_ID) == 0) {
        link->refused = state != PN_ACCEPTED;
        link->taken = true;
        if (state == PN_REJECTED)
            tell(link, pn_disposition_condition(pn_delivery_remote(delivery)), "the broker refused the message");
        else if (link->refused)
            tell(link, NULL, "the broker gave the message back");
    }
    pn_delivery_settle(delivery);
}

static bool is_mine(const creo_jms_link *link, creo_string correlation)
{
    return correlation.size == CREO_JMS_ID && link->id[0] != 0 && link->queue == NULL && memcmp(correlation.data, link->id, CREO_JMS_ID) == 0;
}

/* Drops the received part of an answer that is too large. */
static bool drop(creo_jms_link *link, pn_delivery_t *delivery)
{
    uint8_t room[4096];
    if (link->kept == NULL) {
        link->kept = (uint8_t *)malloc(KEPT);
        if (link->kept == NULL)
            return false;
        ssize_t size = pn_link_recv(link->receiver, (char *)link->kept, KEPT);
        link->kept_size = size < 0 ? 0 : (size_t)size;
        link->dropped = link->kept_size;
    }
    while (pn_delivery_pending(delivery) > 0) {
        ssize_t size = pn_link_recv(link->receiver, (char *)room, sizeof room);
        if (size <= 0)
            break;
        link->dropped += (size_t)size;
    }
    return true;
}

void creo_jms_forget(creo_jms_link *link)
{
    free(link->kept);
    link->kept = NULL;
    link->kept_size = 0;
    link->dropped = 0;
}

/* A complete answer. One that is not awaited is dropped (JMS-6, JMS-14). */
static void take_whole(creo_jms_link *link, pn_delivery_t *delivery)
{
    creo_string correlation = {NULL, 0};
    creo_jms_answer answer = {NULL, 0};
    creo_mark mark = creo_arena_mark(link->arena);
    bool large = link->kept != NULL;
    if (large) {
        correlation = creo_jms_correlation(creo_bytes_of(link->kept, link->kept_size));
    } else {
        size_t size = pn_delivery_pending(delivery);
        answer.data = creo_arena_bytes(link->arena, size == 0 ? 1 : size);
        if (answer.data == NULL) {
            (void)creo_fail(link->error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
            link->failed = true;
            return;
        }
        ssize_t got = size == 0 ? 0 : pn_link_recv(link->receiver, (char *)answer.data, size);
        answer.size = got < 0 ? 0 : (size_t)got;
        correlation = creo_jms_correlation(creo_bytes_of(answer.data, answer.size));
    }
    bool mine = is_mine(link, correlation) && link->answer.data == NULL && !link->too_large;
    /* A broker without selectors: another client waits for this answer. */
    bool foreign = link->shared && (correlation.size < CREO_JMS_PREFIX || memcmp(correlation.data, link->prefix, CREO_JMS_PREFIX) != 0);
    pn_link_advance(link->receiver);
    pn_delivery_update(delivery, foreign ? PN_RELEASED : PN_ACCEPTED);
    pn_delivery_settle(delivery);
    if (mine && large)
        link->too_large = true;
    else if (mine)
        link->answer = answer;
    else
        creo_arena_rewind(link->arena, mark);
    creo_jms_forget(link);
    link->arriving = CREO_NEVER;
}

size_t creo_jms_most(const creo_limits *limits)
{
    size_t body = creo_limits_body(limits);
    return body > SIZE_MAX / 2 - limits->max_header_size ? SIZE_MAX / 2 : body + limits->max_header_size;
}

static void take_answers(creo_jms_link *link, const creo_limits *limits)
{
    for (;;) {
        pn_delivery_t *delivery = pn_link_current(link->receiver);
        if (delivery == NULL || link->failed)
            break;
        if (pn_delivery_aborted(delivery)) {
            pn_delivery_settle(delivery);
            creo_jms_forget(link);
            link->arriving = CREO_NEVER;
            continue;
        }
        size_t body = creo_limits_body(limits);
        size_t most = creo_jms_most(limits);
        if ((link->kept != NULL || pn_delivery_pending(delivery) > most) && !drop(link, delivery)) {
            (void)creo_fail(link->error, CREO_TOO_LARGE, "there is no memory left for the answer");
            link->failed = true;
            break;
        }
        if (link->dropped > most && link->dropped - most > body) {
            /* The rest is not read. */
            link->too_large = true;
            link->failed = true;
            (void)creo_fail_body(link->error, limits);
            break;
        }
        if (pn_delivery_partial(delivery)) {
            if (link->arriving == CREO_NEVER)
                link->arriving = creo_now();
            break;
        }
        take_whole(link, delivery);
    }
    if (!link->failed && pn_link_credit(link->receiver) < CREO_JMS_CREDIT / 2)
        pn_link_flow(link->receiver, CREO_JMS_CREDIT - pn_link_credit(link->receiver));
}

static void handle(creo_jms_link *link, pn_event_t *event, const creo_limits *limits)
{
    static const char closed[] = "the broker closed the connection";
    pn_link_t *on = pn_event_link(event);
    switch (pn_event_type(event)) {
    case PN_LINK_REMOTE_OPEN:
        link_opened(link, on);
        break;
    case PN_DELIVERY:
        if (on == link->sender)
            message_taken(link, pn_event_delivery(event));
        else if (on == link->receiver)
            take_answers(link, limits);
        else if (on == link->queue)
            link->take(link);
        else
            drop_all(on);
        break;
    case PN_CONNECTION_REMOTE_CLOSE:
        creo_jms_link_fail(link, pn_connection_remote_condition(pn_event_connection(event)), closed);
        break;
    case PN_SESSION_REMOTE_CLOSE:
        creo_jms_link_fail(link, pn_session_remote_condition(pn_event_session(event)), closed);
        break;
    case PN_LINK_REMOTE_CLOSE:
    case PN_LINK_REMOTE_DETACH:
        if ((pn_link_state(on) & PN_LOCAL_CLOSED) != 0)
            /* The queue of a stream whose call has ended. */
            pn_link_free(on);
        else
            creo_jms_link_fail(link, pn_link_remote_condition(on), closed);
        break;
    case PN_TRANSPORT_ERROR:
        fail_transport(link, pn_transport_condition(pn_event_transport(event)));
        break;
    case PN_TRANSPORT_TAIL_CLOSED:
        creo_jms_link_fail(link, NULL, closed);
        break;
    default:
        break;
    }
}

static void handle_all(creo_jms *jms)
{
    creo_jms_link *link = jms->link;
    pn_event_t *event;
    while (!link->failed && (event = pn_connection_driver_next_event(&link->driver)) != NULL)
        handle(link, event, &jms->client.limits);
}

/*
 * Bytes.
 */

static void fail_lost(creo_jms_link *link)
{
    creo_jms_link_fail(link, NULL, "the connection to the broker was lost");
}

bool creo_jms_flush(creo_jms *jms, creo_instant until, bool *late)
{
    creo_jms_link *link = jms->link;
    for (;;) {
        handle_all(jms);
        if (link->failed)
            return false;
        pn_bytes_t out = pn_connection_driver_write_buffer(&link->driver);
        if (out.size == 0) {
            handle_all(jms);
            return !link->failed;
        }
        /* The system's type has no const; the bytes are only read. */
        union {
            const char *from;
            void *to;
        } pointer = {out.start};
        struct iovec piece = {pointer.to, out.size};
        size_t done = 0;
        creo_result result = creo_socket_write(&jms->client, &piece, 1, &done, until);
        if (done != 0) {
            pn_connection_driver_write_done(&link->driver, done);
            link->written = creo_now();
        }
        if (result == CREO_RESULT_TIMEOUT) {
            *late = true;
            return false;
        }
        if (result != CREO_RESULT_DONE) {
            fail_lost(link);
            return false;
        }
    }
}

bool creo_jms_fill(creo_jms *jms, creo_instant until, bool wait, bool *late)
{
    creo_jms_link *link = jms->link;
    pn_rwbytes_t in = pn_connection_driver_read_buffer(&link->driver);
    size_t done = 0;
    if (in.size == 0) {
        fail_lost(link);
        return false;
    }
    /* The clock is checked each time: a broker that never stops sending must not hold the call beyond its deadline. */
    creo_result result = wait && creo_now() >= until ? CREO_RESULT_TIMEOUT : creo_socket_read(&jms->client, (uint8_t *)in.start, in.size, &done, wait, until);
    if (result == CREO_RESULT_DONE) {
        pn_connection_driver_read_done(&link->driver, done);
    } else if (result == CREO_RESULT_TIMEOUT) {
        *late = true;
        return true;
    } else if (result == CREO_RESULT_CLOSED) {
        pn_connection_driver_read_close(&link->driver);
        handle_all(jms);
        creo_jms_link_fail(link, NULL, "the broker closed the connection");
    } else {
        fail_lost(link);
    }
    handle_all(jms);
    return !link->failed;
}

bool creo_jms_step(creo_jms *jms, creo_instant until)
{
    creo_jms_link *link = jms->link;
    bool late = false;
    if (!creo_jms_flush(jms, until, &late))
        return false;
    int64_t due = pn_transport_tick(link->driver.transport, creo_now() / 1000000);
    creo_instant wake = due == 0 ? CREO_NEVER : due * 1000000;
    creo_instant last = link->arriving == CREO_NEVER ? CREO_NEVER : creo_after(link->arriving, jms->client.limits.frame_timeout_ms);
    if (!creo_jms_flush(jms, until, &late) || !creo_jms_fill(jms, creo_earlier(until, creo_earlier(wake, last)), true, &late))
        return false;
    if (!late)
        return true;
    if (creo_now() >= last) {
        creo_jms_link_fail(link, NULL, "the broker was too slow with an answer");
        return false;
    }
    return creo_now() < until;
}
