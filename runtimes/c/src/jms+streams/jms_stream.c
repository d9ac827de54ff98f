/* Calls over JMS whose result is a stream (JMS-23 to JMS-27): a queue of their own, and the messages that come from it. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/codegen/read.h>
#include <creo/codegen/write.h>

#include "../call/body.h"
#include "../jms/jms_link.h"
#include "../tcp+streams/streaming.h"

#include <stdio.h>

/* The messages that the broker may send before this side has taken earlier ones: so many may exceed LIM-38 (JMS-24). */
#define CREDIT 2

/* A call, beside what every call with streams has. */
typedef struct jms_stream {
    creo_jms *jms;
    /* The run that the messages are of, unless none has come, and its items so far. */
    bool has_run;
    uint64_t run;
    uint64_t count;
    /* The answer has come; a message has ended the call with `failure`. */
    bool answered;
    bool broken;
} jms_stream;

static jms_stream *stream_of(const struct creo_streaming *on)
{
    return (jms_stream *)on->own;
}

static bool fail_late(const creo_client *client, creo_error *error)
{
    return creo_fail(error, CREO_DEADLINE_EXCEEDED, "the time for the call to %s was over before it was answered", client->peer);
}

/*
 * Messages.
 */

/* `Creo_run` and `Creo_item`. */
static bool read_numbers(const creo_jms_message *message, uint64_t *run, uint64_t *item, creo_error *error)
{
    *run = *item = 0;
    bool right = message->run.size == 16 && message->item.size >= 1 && message->item.size <= 19;
    for (size_t i = 0; right && i < 16; i++) {
        char c = message->run.data[i];
        char small = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
        right = (c >= '0' && c <= '9') || (small >= 'a' && small <= 'f');
        *run = *run << 4 | (uint64_t)(c <= '9' ? c - '0' : small - 'a' + 10);
    }
    for (size_t i = 0; right && i < message->item.size; i++) {
        char c = message->item.data[i];
        right = c >= '0' && c <= '9';
        *item = *item * 10 + (uint64_t)(c - '0');
    }
    return right || creo_fail(error, CREO_MALFORMED, "a message of the stream has no right Creo_run and Creo_item");
}

/* Whether a message continues what has come (JMS-26). One of another run begins anew if there are no items yet. The host of an error may not know how many the broker has taken. */
static bool continues(const struct creo_streaming *on, uint64_t run, uint64_t item, bool is_error, creo_error *error)
{
    jms_stream *stream = stream_of(on);
    if (stream->has_run && stream->run != run && stream->count != 0)
        return creo_fail(error, CREO_UNAVAILABLE, "the service was lost, and another one has begun the call again after %llu items", (unsigned long long)stream->count);
    stream->has_run = true;
    stream->run = run;
    if (is_error)
        return true;
    /* The broker drops what has expired. */
    if (item > stream->count && creo_now() >= on->until)
        return fail_late(on->client, error);
    return item == stream->count || creo_fail(error, CREO_MALFORMED, "a message of the stream begins with the item %llu, and %llu have come", (unsigned long long)item,
                                              (unsigned long long)stream->count);
}

/* Keeps the items of a message whose bytes are behind those that are kept. */
static bool keep_items(struct creo_streaming *on, creo_jms_message *message)
{
    jms_stream *stream = stream_of(on);
    creo_stream_items *items = &on->items;
    creo_reader reader;
    uint32_t count;
    if (message->encoding.size != 0)
        return creo_fail(&on->failure, CREO_MALFORMED, "items have an encoding");
    if (!creo_jms_open_answer(stream->jms, message, &on->client->arena, &on->failure) || !creo_jms_check_binary(message, &on->failure) ||
        !creo_reader_init(&reader, message->body, CREO_COPY, NULL, &on->client->limits, &on->failure))
        return false;
    reader.root = "$items";
    if (!creo_read_items(&reader, on->streams->min_size, on->streams->charge, &count))
        return false;
    if (count == 0)
        return creo_reader_finish(&reader);
    uint8_t *head = items->kept.data + items->kept.size;
    memmove(head + CREO_ITEMS_HEAD, message->body.data, message->body.size);
    creo_put_u32(head, (uint32_t)message->body.size);
    items->kept.size += CREO_ITEMS_HEAD + message->body.size;
    items->held += (int64_t)message->body.size;
    stream->count += count;
    return true;
}

/* Keeps the answer, which stays where it was received. */
static bool keep_answer(struct creo_streaming *on, creo_jms_message *message, uint8_t kind)
{
    jms_stream *stream = stream_of(on);
    creo_jms_show_answer(stream->jms, on->method, NULL, message);
    if (!creo_jms_take_metadata(on->client, message, &on->failure) || !creo_jms_open_answer(stream->jms, message, &on->client->arena, &on->failure) ||
        (kind != CREO_ERROR && !creo_jms_check_binary(message, &on->failure)))
        return false;
    on->answer = (creo_answer_body){kind, message->body};
    stream->answered = true;
    return true;
}

/* Takes a message of this call. False: it has ended the call with `failure`. */
static bool take_message(struct creo_streaming *on, uint8_t *data, size_t size)
{
    jms_stream *stream = stream_of(on);
    creo_jms_message message;
    uint8_t kind = 0;
    uint64_t run;
    uint64_t item;
    if (!creo_jms_read_message(data, size, &on->client->limits, &message, &on->failure))
        return false;
    bool items = creo_string_is(message.kind, "items");
    if (!items && !creo_jms_read_kind(&message, &kind, &on->failure))
        return false;
    /* A host that has not begun the method has no run (JMS-25). */
    bool refusal = kind == CREO_ERROR && message.run.data == NULL && message.item.data == NULL;
    if (refusal && stream->count != 0)
        return creo_fail(&on->failure, CREO_UNAVAILABLE, "the service was lost, and another one has refused the call after %llu items", (unsigned long long)stream->count);
    if (!refusal && (!read_numbers(&message, &run, &item, &on->failure) || !continues(on, run, item, kind == CREO_ERROR, &on->failure)))
        return false;
    return items ? keep_items(on, &message) : keep_answer(on, &message, kind);
}

/* Ensures room for so many bytes behind those that are kept. What the program has read makes room first. */
static bool ensure_room(struct creo_streaming *on, size_t size)
{
    creo_kept *kept = &on->items.kept;
    if (kept->room - kept->size < size && kept->at != 0) {
        kept->size -= kept->at;
        memmove(kept->data, kept->data + kept->at, kept->size);
        kept->at = 0;
    }
    if (kept->room - kept->size >= size)
        return true;
    size_t doubled = kept->room > SIZE_MAX / 2 ? SIZE_MAX : kept->room * 2;
    size_t room = doubled - kept->size > size ? doubled : kept->size + size;
    uint8_t *grown = (uint8_t *)creo_arena_grow(&on->client->arena, kept->data, kept->room, kept->size, room);
    if (grown == NULL)
        return creo_fail(&on->failure, CREO_TOO_LARGE, "the allocator has no memory left for the items");
    kept->data = grown;
    kept->room = room;
    return true;
}

/* Takes a whole message, if it is of this call. */
static bool take_whole_message(struct creo_streaming *on, creo_jms_link *link, size_t size)
{
    creo_kept *kept = &on->items.kept;
    if (!ensure_room(on, CREO_ITEMS_HEAD + size))
        return false;
    uint8_t *data = kept->data + kept->size + CREO_ITEMS_HEAD;
    ssize_t got = size == 0 ? 0 : pn_link_recv(link->queue, (char *)data, size);
    creo_bytes bytes = creo_bytes_of(data, got < 0 ? 0 : (size_t)got);
    creo_string correlation = creo_jms_correlation(bytes);
    bool own = correlation.size == CREO_JMS_ID && memcmp(correlation.data, link->id, CREO_JMS_ID) == 0;
    return !own || take_message(on, data, bytes.size);
}

/* Lets the broker send as much as this side has room for. Whether that is more than before. */
static bool give_credit(struct creo_streaming *on, creo_jms_link *link)
{
    const creo_stream_items *items = &on->items;
    const jms_stream *stream = stream_of(on);
    int credit = pn_link_credit(link->queue);
    bool room = items->held == 0 || items->held < (int64_t)on->client->limits.stream_window;
    if (stream->answered || stream->broken || link->failed || !room || credit >= CREDIT)
        return false;
    pn_link_flow(link->queue, CREDIT - credit);
    return true;
}

/* Takes what has come from the queue. */
static void take_messages(creo_jms_link *link)
{
    struct creo_streaming *on = (struct creo_streaming *)link->taker;
    jms_stream *stream = stream_of(on);
    const creo_limits *limits = &on->client->limits;
    pn_delivery_t *delivery;
    while (!stream->answered && !stream->broken && !link->failed && (delivery = pn_link_current(link->queue)) != NULL) {
        size_t size = pn_delivery_pending(delivery);
        if (pn_link_credit(link->queue) <= 0) {
            creo_jms_link_fail(link, NULL, "the broker sent a message for which it had no credit");
        } else if (pn_delivery_aborted(delivery)) {
            pn_delivery_settle(delivery);
            link->arriving = CREO_NEVER;
        } else if (size > creo_jms_most(limits)) {
            stream->broken = !creo_fail_body(&on->failure, limits);
        } else if (pn_delivery_partial(delivery)) {
            if (link->arriving == CREO_NEVER)
                link->arriving = creo_now();
            break;
        } else {
            link->arriving = CREO_NEVER;
            stream->broken = !take_whole_message(on, link, size);
            pn_link_advance(link->queue);
            pn_delivery_update(delivery, PN_ACCEPTED);
            pn_delivery_settle(delivery);
        }
    }
    /* The first failure counts. */
    if (stream->broken)
        link->error = NULL;
    (void)give_credit(on, link);
}

/*
 * The call.
 */

/* Deletes the queue (JMS-27), as soon as the broker takes that. */
static void delete_queue(creo_jms *jms)
{
    creo_jms_link *link = jms->link;
    bool late = false;
    if (link == NULL || link->queue == NULL)
        return;
    pn_link_close(link->queue);
    link->queue = NULL;
    link->queue_opened = false;
    link->take = NULL;
    link->taker = NULL;
    link->id[0] = 0;
    link->arriving = CREO_NEVER;
    link->error = NULL;
    if (link->failed || (!creo_jms_flush(jms, creo_now(), &late) && !late))
        creo_client_disconnect(&jms->client);
}

/* Makes the queue, whose name the request has. */
static void make_queue(struct creo_streaming *on, creo_jms_link *link)
{
    char name[CREO_JMS_PREFIX + 32];
    (void)snprintf(name, sizeof name, "items-%s-%lu", link->prefix, (unsigned long)on->number);
    link->queue = pn_receiver(link->session, name);
    link->queue_opened = false;
    link->take = take_messages;
    link->taker = on;
    pn_terminus_set_dynamic(pn_link_source(link->queue), true);
    creo_jms_put_capability(pn_link_source(link->queue), "temporary-queue");
    pn_link_open(link->queue);
    (void)give_credit(on, link);
}

/* Sends the request over an open connection. */
static bool send_request(struct creo_streaming *on, creo_jms_request *made, creo_error *error)
{
    creo_jms *jms = stream_of(on)->jms;
    creo_jms_link *link = jms->link;
    char id[CREO_JMS_ID + 1];
    creo_bytes head;
    make_queue(on, link);
    while (!link->queue_opened)
        if (!creo_jms_step(jms, on->until))
            return false;
    if (!creo_jms_new_id(jms, id, error) ||
        !creo_jms_make_head(jms, made, pn_terminus_get_address(pn_link_remote_source(link->queue)), id, on->until, &head, error) ||
        !creo_jms_send(jms, id, head, &made->body, on->until, error))
        return false;
    bool late = false;
    for (;;) {
        if (!creo_jms_flush(jms, on->until, &late))
            return false;
        if (link->refused || creo_jms_all_written(link))
            return !link->refused;
        /* The broker takes no more at present. */
        if (!creo_jms_step(jms, on->until))
            return false;
    }
}

static bool jms_stream_open(creo_client *client, const void *arguments, creo_error *error)
{
    /* The client is the first member of its creo_jms. */
    creo_jms *jms = (creo_jms *)(void *)client;
    struct creo_streaming *on = client->streaming;
    creo_jms_request made;
    jms_stream *stream = (jms_stream *)creo_arena_take_zeroed(&client->arena, 1, sizeof *stream);
    if (stream == NULL)
        return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the call");
    stream->jms = jms;
    on->own = stream;
    client->last_id = on->number;
    /* No answer comes after the request has expired (JMS-10). */
    on->until = creo_earlier(on->until, creo_after(creo_now(), jms->address.time_to_live));
    if (!creo_jms_make_request(jms, on->method, arguments, &made, error) || !creo_jms_connect(jms, on->until, error))
        return false;
    creo_jms_link *link = jms->link;
    link->error = error;
    link->arena = &client->arena;
    link->taken = link->refused = link->too_large = false;
    creo_error_clear(error);
    if (send_request(on, &made, error)) {
        link->error = stream->broken ? NULL : &on->failure;
        return true;
    }
    if (stream->broken)
        *error = on->failure;
    if (!link->failed && error->code == CREO_OK)
        (void)fail_late(client, error);
    /* A partly sent message would disturb the next call. */
    if (link->failed || !creo_jms_all_written(link))
        creo_client_disconnect(client);
    else
        delete_queue(jms);
    return false;
}

static void jms_stream_give_up(struct creo_streaming *on)
{
    delete_queue(stream_of(on)->jms);
}

/* What has come decides how the call goes on. `in_time`: the connection is usable, and the time is not over. */
static bool follow(struct creo_streaming *on, creo_jms_link *link, bool in_time)
{
    const jms_stream *stream = stream_of(on);
    if (stream->answered) {
        on->answered = true;
        delete_queue(stream->jms);
        return true;
    }
    if (in_time && !stream->broken && !link->refused)
        return true;
    if (!stream->broken && !link->refused && !link->failed)
        (void)fail_late(on->client, &on->failure);
    return creo_streaming_fail(on);
}

static unsigned jms_stream_ready(const struct creo_streaming *on)
{
    return on->answered || on->failed || on->in_frame || creo_frames_has_items(on) ? CREO_STREAM_READ : 0;
}

static bool jms_stream_receive(struct creo_streaming *on, bool wait)
{
    const jms_stream *stream = stream_of(on);
    creo_jms *jms = stream->jms;
    creo_jms_link *link = jms->link;
    bool late = false;
    if (on->failed || on->answered)
        return !on->failed;
    if (link == NULL || link->queue == NULL) {
        (void)creo_fail(&on->failure, CREO_UNAVAILABLE, "the connection to the broker was lost");
        return creo_streaming_fail(on);
    }
    /* The time in which the program did not read does not count for a message that is under way. */
    if (link->arriving != CREO_NEVER)
        link->arriving = creo_now();
    bool usable = !link->failed;
    if (usable && !wait)
        usable = creo_jms_fill(jms, creo_now(), false, &late);
    while (usable && wait && !stream->answered && !stream->broken && !link->refused && !creo_frames_has_items(on))
        usable = creo_jms_step(jms, on->until);
    /* The broker learns at once that it may send more. */
    if (usable)
        usable = creo_jms_flush(jms, creo_now(), &late) || late;
    return follow(on, link, usable);
}

/* Nothing but the request is sent. */
static bool jms_stream_send(struct creo_streaming *on, bool all, bool wait)
{
    (void)all;
    (void)wait;
    return !on->failed;
}

static bool jms_stream_grant(struct creo_streaming *on)
{
    creo_jms *jms = stream_of(on)->jms;
    creo_jms_link *link = jms->link;
    bool late = false;
    /* What fails here, the next message finds. */
    if (link != NULL && link->queue != NULL && give_credit(on, link))
        (void)creo_jms_flush(jms, creo_now(), &late);
    return true;
}

const struct creo_carrier *creo_jms_stream_carrier(const creo_client *client)
{
    static const struct creo_carrier carrier = {jms_stream_open, jms_stream_give_up, jms_stream_receive, jms_stream_send, NULL, jms_stream_ready,
                                                creo_frames_take, creo_frames_read, jms_stream_grant};
    /* The client is the first member of its creo_jms. */
    const creo_jms *jms = (const creo_jms *)(const void *)client;
    return jms->wire == CREO_JMS_BINARY && client->streaming->streams->encode_item == NULL ? &carrier : NULL;
}
