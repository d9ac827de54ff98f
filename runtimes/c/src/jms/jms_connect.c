/* Connections to a broker (JMS-14, JMS-16), and a message and its answer over one. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../call/body.h"
#include "../http/fresh.h"
#include "jms_link.h"

#include <proton/sasl.h>
#include <stdio.h>

/* The max frame size of this side. */
#define MAX_FRAME 131072
/* The max number of reads of unexpected input before a call continues. */
#define MAX_IDLE_READS 64

static bool jms_no_memory(creo_error *error)
{
    return creo_fail(error, CREO_TOO_LARGE, "there is no memory left for the connection");
}

/* Random hexadecimal digits and a terminating zero. */
static bool random_digits(char *into, size_t count, creo_error *error)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[CREO_JMS_ID / 2];
    if (!creo_random(bytes, count / 2, error))
        return false;
    for (size_t i = 0; i < count / 2; i++) {
        into[2 * i] = digits[bytes[i] >> 4];
        into[2 * i + 1] = digits[bytes[i] & 15];
    }
    into[count] = 0;
    return true;
}

static void put_selector(creo_jms_link *link, pn_terminus_t *source)
{
    char text[80];
    (void)snprintf(text, sizeof text, "JMSCorrelationID LIKE '%s%%'", link->prefix);
    static const char key[] = "selector";
    static const char name[] = "apache.org:selector-filter:string";
    pn_data_t *filter = pn_terminus_filter(source);
    pn_data_put_map(filter);
    pn_data_enter(filter);
    pn_data_put_symbol(filter, pn_bytes(sizeof key - 1, key));
    pn_data_put_described(filter);
    pn_data_enter(filter);
    pn_data_put_symbol(filter, pn_bytes(sizeof name - 1, name));
    pn_data_put_string(filter, pn_bytes(strlen(text), text));
    pn_data_exit(filter);
    pn_data_exit(filter);
}

void creo_jms_put_capability(pn_terminus_t *terminus, const char *name)
{
    pn_data_put_symbol(pn_terminus_capabilities(terminus), pn_bytes(strlen(name), name));
}

/* The first frames of this side: the user, and its two links. */
static void jms_greet(const creo_jms *jms, creo_jms_link *link)
{
    const creo_jms_address *address = &jms->address;
    pn_connection_t *connection = link->driver.connection;
    pn_transport_t *transport = link->driver.transport;
    char name[CREO_JMS_PREFIX + 16];
    (void)snprintf(name, sizeof name, "creo-%s", link->prefix);
    pn_connection_set_container(connection, name);
    pn_connection_set_hostname(connection, jms->client.host);
    pn_transport_set_max_frame(transport, MAX_FRAME);
    pn_sasl_t *sasl = pn_sasl(transport);
    /* TLS is below this engine, which does not see it. */
    pn_sasl_set_allow_insecure_mechs(sasl, true);
    pn_sasl_allowed_mechs(sasl, jms->user == NULL ? "ANONYMOUS" : "PLAIN");
    if (jms->user != NULL) {
        pn_connection_set_user(connection, jms->user);
        pn_connection_set_password(connection, jms->password == NULL ? "" : jms->password);
    }
    pn_connection_open(connection);
    link->session = pn_session(connection);
    pn_session_open(link->session);
    (void)snprintf(name, sizeof name, "answers-%s", link->prefix);
    link->receiver = pn_receiver(link->session, name);
    pn_terminus_t *source = pn_link_source(link->receiver);
    link->shared = address->reply_to != NULL;
    if (link->shared) {
        pn_terminus_set_address(source, address->reply_to);
        creo_jms_put_capability(source, "queue");
        /* JMS-14: on a shared queue, this side takes only its own answers. */
        put_selector(link, source);
    } else {
        pn_terminus_set_dynamic(source, true);
        creo_jms_put_capability(source, "temporary-queue");
    }
    pn_link_open(link->receiver);
    pn_link_flow(link->receiver, CREO_JMS_CREDIT);
    (void)snprintf(name, sizeof name, "calls-%s", link->prefix);
    link->sender = pn_sender(link->session, name);
    pn_terminus_set_address(pn_link_target(link->sender), address->name);
    creo_jms_put_capability(pn_link_target(link->sender), address->topic ? "topic" : "queue");
    pn_link_open(link->sender);
}

void creo_jms_close(creo_client *client)
{
    /* The client is the first member of its creo_jms. */
    creo_jms *jms = (creo_jms *)(void *)client;
    creo_jms_link *link = jms->link;
    creo_error dropped;
    bool late = false;
    if (link == NULL)
        return;
    link->error = &dropped;
    link->arena = &client->arena;
    if (client->open && !link->failed) {
        /* Sent if there is room for it at once: the end is not awaited. */
        pn_connection_close(link->driver.connection);
        (void)creo_jms_flush(jms, creo_now(), &late);
    }
    creo_jms_forget(link);
    pn_connection_driver_destroy(&link->driver);
    client->allocator.release(client->allocator.context, link, sizeof *link);
    jms->link = NULL;
}

static bool start_link(creo_jms *jms, creo_error *error)
{
    creo_allocator allocator = jms->client.allocator;
    creo_jms_link *link = (creo_jms_link *)allocator.allocate(allocator.context, sizeof *link);
    if (link == NULL)
        return jms_no_memory(error);
    memset(link, 0, sizeof *link);
    link->arriving = CREO_NEVER;
    link->written = creo_now();
    if (!random_digits(link->prefix, CREO_JMS_PREFIX, error) || (pn_connection_driver_init(&link->driver, NULL, NULL) != 0 && !jms_no_memory(error))) {
        allocator.release(allocator.context, link, sizeof *link);
        return false;
    }
    jms->link = link;
    jms_greet(jms, link);
    return true;
}

/* Whether the existing connection is usable: handles input since the last call. */
static bool still_usable(creo_jms *jms)
{
    creo_jms_link *link = jms->link;
    creo_error dropped;
    bool late = false;
    link->error = &dropped;
    link->arena = &jms->client.arena;
    link->id[0] = 0;
    uint32_t silence = pn_transport_get_remote_idle_timeout(link->driver.transport);
    if (silence != 0 && creo_now() >= creo_after(link->written, silence))
        return false;
    for (int reads = 0; !late && reads < MAX_IDLE_READS; reads++)
        if (!creo_jms_fill(jms, creo_now(), false, &late))
            return false;
    return true;
}

/* Connects to the current broker. */
static bool connect_here(creo_jms *jms, creo_instant deadline, creo_error *error)
{
    creo_client *client = &jms->client;
    creo_instant timeout = creo_after(creo_now(), client->limits.connect_timeout_ms);
    creo_instant until = creo_earlier(deadline, timeout);
    creo_client_set_address(client, jms->place == 0 ? jms->host : jms->others[jms->place - 1].host, jms->place == 0 ? jms->port : jms->others[jms->place - 1].port);
    if (!creo_socket_open(client, until, error)) {
        if (deadline < timeout && creo_now() >= deadline)
            (void)creo_fail(error, CREO_DEADLINE_EXCEEDED, "the time for the call to %s was over before it was connected", client->peer);
        return false;
    }
    if (!start_link(jms, error))
        return false;
    jms->link->error = error;
    jms->link->arena = &client->arena;
    while (!jms->link->opened && creo_jms_step(jms, until))
        continue;
    if (jms->link->opened && !jms->link->failed)
        return true;
    if (!jms->link->failed)
        (void)creo_fail(error, creo_now() >= deadline ? CREO_DEADLINE_EXCEEDED : CREO_UNAVAILABLE, "the broker at %s did not open the connection in time", client->peer);
    jms->link->failed = true;
    return false;
}

bool creo_jms_connect(creo_jms *jms, creo_instant deadline, creo_error *error)
{
    if (jms->client.open && jms->link != NULL && still_usable(jms))
        return true;
    jms->place = jms->place > jms->other_count ? 0 : jms->place;
    for (size_t left = jms->other_count;; left--) {
        creo_client_disconnect(&jms->client);
        if (connect_here(jms, deadline, error))
            return true;
        creo_client_disconnect(&jms->client);
        bool over = error->code == CREO_DEADLINE_EXCEEDED;
        if (!over && error->code != CREO_UNAVAILABLE && error->code != CREO_PROTOCOL_MISMATCH && error->code != CREO_UNTRUSTED_PEER)
            return false;
        /* JMS-17: the next broker, for this call or, if its time is over, for the next one. */
        jms->place = jms->place == jms->other_count ? 0 : jms->place + 1;
        if (over || left == 0)
            return false;
    }
}

const char *creo_jms_reply_to(const creo_jms *jms)
{
    return pn_terminus_get_address(pn_link_remote_source(jms->link->receiver));
}

bool creo_jms_new_id(const creo_jms *jms, char id[CREO_JMS_ID + 1], creo_error *error)
{
    memcpy(id, jms->link->prefix, CREO_JMS_PREFIX);
    return random_digits(id + CREO_JMS_PREFIX, CREO_JMS_ID - CREO_JMS_PREFIX, error);
}

static bool send_message(creo_client *client, creo_jms_link *link, creo_bytes head, const creo_http_body *body, creo_error *error)
{
    uint64_t allowed = pn_link_remote_max_message_size(link->sender);
    if (allowed != 0 && head.size + body->size > allowed)
        return creo_fail_limit(error, "maxMessageSize", allowed);
    if (pn_delivery(link->sender, pn_dtag(link->id, CREO_JMS_ID)) == NULL)
        return jms_no_memory(error);
    client->sent = true;
    bool done = pn_link_send(link->sender, (const char *)head.data, head.size) == (ssize_t)head.size;
    for (size_t i = 0; done && i < body->piece_count; i++)
        if (body->pieces[i].size != 0)
            done = pn_link_send(link->sender, (const char *)body->pieces[i].data, body->pieces[i].size) == (ssize_t)body->pieces[i].size;
    if (!done) {
        link->failed = true;
        return jms_no_memory(error);
    }
    pn_link_advance(link->sender);
    return true;
}

bool creo_jms_all_written(creo_jms_link *link)
{
    return pn_session_outgoing_bytes(link->session) == 0 && pn_connection_driver_write_buffer(&link->driver).size == 0;
}

bool creo_jms_send(creo_jms *jms, const char *id, creo_bytes head, const creo_http_body *body, creo_instant deadline, creo_error *error)
{
    creo_jms_link *link = jms->link;
    while (pn_link_credit(link->sender) <= 0)
        if (!creo_jms_step(jms, deadline))
            return false;
    memcpy(link->id, id, sizeof link->id);
    return send_message(&jms->client, link, head, body, error);
}

static bool wait_for_end(creo_jms *jms, const char *id, creo_bytes head, const creo_http_body *body, bool oneway, creo_instant deadline, creo_error *error)
{
    creo_jms_link *link = jms->link;
    if (!creo_jms_send(jms, id, head, body, deadline, error))
        return false;
    for (;;) {
        bool ended = link->answer.data != NULL || link->too_large || link->refused || (oneway && link->taken);
        if (ended)
            return true;
        if (!creo_jms_step(jms, deadline))
            return link->answer.data != NULL;
    }
}

bool creo_jms_exchange(creo_jms *jms, const char *id, creo_bytes head, const creo_http_body *body, bool oneway, creo_instant deadline, creo_arena *arena,
                       creo_jms_answer *answer, creo_error *error)
{
    creo_jms_link *link = jms->link;
    link->error = error;
    link->arena = arena;
    link->taken = link->refused = link->too_large = false;
    link->answer = (creo_jms_answer){NULL, 0};
    creo_error_clear(error);
    bool done = wait_for_end(jms, id, head, body, oneway, deadline, error);
    *answer = link->answer;
    link->answer = (creo_jms_answer){NULL, 0};
    link->id[0] = 0;
    if (link->too_large)
        done = creo_fail_body(error, &jms->client.limits);
    else if (done)
        done = !link->refused;
    else if (!link->failed && error->code == CREO_OK)
        (void)creo_fail(error, CREO_DEADLINE_EXCEEDED, "the time for the call to %s was over before it was answered", jms->client.peer);
    /* A partly sent message, or an answer being received, would disturb the next call. */
    if (link->failed || (!done && error->code == CREO_DEADLINE_EXCEEDED && (!creo_jms_all_written(link) || link->arriving != CREO_NEVER)))
        creo_client_disconnect(&jms->client);
    return done;
}
