/* Calls with streams: from their opening to their end (CALL-40 to CALL-47), whatever carries them. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/codegen/write.h>

#include "../call/repeat.h"
#include "streaming.h"

#include <stdio.h>

/* What can be done over TCP. */
static unsigned frames_ready(const struct creo_streaming *on)
{
    bool ended = on->answered || on->failed;
    unsigned ready = ended || on->in_frame || creo_frames_has_items(on) ? CREO_STREAM_READ : 0;
    bool writes = on->streams->encode_item != NULL && !ended && !on->ending;
    return ready | (writes && (on->items.credit > 0 || !creo_frames_full(on)) ? CREO_STREAM_WRITE : 0);
}

bool creo_frames_read(struct creo_streaming *on, creo_bytes body, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_answer_body answer = {on->answer.kind, body};
    return creo_answer_read(on->method, &answer, on->client->peer, &on->client->limits, arena, outcome, error);
}

/* Of a client whose wire or transport carries no streams (CALL-47). */
static bool refuse_streams(creo_client *client, const void *arguments, creo_error *error)
{
    const creo_method *method = client->streaming->method;
    (void)arguments;
    return creo_fail(error, CREO_UNKNOWN_METHOD, "%s.%s has streams, which the binary wire carries over TCP, those that are results also over JMS, and the json wire over HTTP if the method has one: call it with another client",
                     method->interface->name, method->name);
}

static const struct creo_carrier *carrier_of(const creo_client *client)
{
    static const struct creo_carrier frames = {creo_frames_open, creo_frames_give_up, creo_frames_receive, creo_frames_send, creo_frames_put, frames_ready, creo_frames_take, creo_frames_read, creo_frames_grant};
    static const struct creo_carrier none = {refuse_streams, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    const struct creo_carrier *own = client->transport->carrier == NULL ? NULL : client->transport->carrier(client);
    return own != NULL ? own : client->transport->streams && client->wire == NULL ? &frames : &none;
}

bool creo_streaming_fail(struct creo_streaming *on)
{
    on->failed = true;
    on->carrier->give_up(on);
    return false;
}

bool creo_streaming_refuse(struct creo_streaming *on, bool too_large, const char *root)
{
    creo_error *failure = &on->failure;
    char within[CREO_PLACE_SIZE] = "";
    /* The writer has room for more than one item: its limit is not that of a message. */
    if (too_large || (failure->limit != NULL && strcmp(failure->limit, "maxMessageSize") == 0))
        (void)creo_fail_limit(failure, "maxMessageSize", on->client->limits.max_message_size);
    else if (failure->place[0] != 0)
        memcpy(within, failure->place + 1, sizeof within - 1);
    (void)snprintf(failure->place, sizeof failure->place, "%s%s", root, within);
    return creo_streaming_fail(on);
}

struct creo_streaming *creo_streaming_of(const creo_stream *stream, creo_error *error)
{
    const creo_client *client = stream->client;
    if (client != NULL && client->streaming != NULL && client->streaming->number == stream->number)
        return client->streaming;
    (void)creo_fail(error, CREO_INVALID_VALUE, "the stream is not open: its call was not begun, or has ended");
    return NULL;
}

bool creo_stream_open(creo_stream *stream, creo_client *client, const creo_method *method, const creo_streams *streams, const void *arguments, creo_error *error)
{
    creo_instant start = creo_now();
    creo_error own;
    if (error == NULL)
        error = &own;
    memset(stream, 0, sizeof *stream);
    if (!creo_client_is_free(client, error))
        return false;
    client->streamed = NULL;
    client->answered = false;
    creo_arena_reset(&client->arena);
    struct creo_streaming *on = (struct creo_streaming *)creo_arena_take_zeroed(&client->arena, 1, sizeof *on);
    if (on == NULL)
        return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the call");
    const creo_call call = {method->interface->name, method->name, client->stream_deadline_ms, client->metadata, client->metadata_count, client->headers, client->header_count};
    on->client = client;
    /* The call id, unless another address takes the call. */
    on->number = client->last_id == UINT32_MAX ? 1 : client->last_id + 1;
    on->method = method;
    on->streams = streams;
    on->call = call;
    on->start = start;
    client->streaming = on;
    on->carrier = carrier_of(client);
    bool done = creo_client_begin(client, &on->call, &on->begun, error);
    on->until = creo_after(start, on->call.deadline_ms);
    const creo_invocation made = {method, arguments, NULL, NULL, on->until, on->carrier->open};
    bool attempted = done;
    done = done && creo_client_make(client, &on->call, &made, error);
    creo_writer_init(&on->writer, &client->arena, &client->limits, &on->failure);
    size_t most = client->limits.max_message_size;
    on->writer.most = most > SIZE_MAX / 2 ? most : most + CREO_STREAM_ROOM;
    if (done && streams->encode_item != NULL && creo_write_block(&on->writer, CREO_STREAM_HEAD) == NULL) {
        *error = on->failure;
        on->carrier->give_up(on);
        done = false;
    }
    if (done) {
        *stream = (creo_stream){client, on->number};
        return true;
    }
    error->attempts = attempted ? 1 : 0;
    client->streaming = NULL;
    creo_client_ended(client, &on->call, on->begun, start, 0, error);
    return attempted ? creo_client_name_peer(client, error) : false;
}

bool creo_streaming_moves(struct creo_streaming *on)
{
    creo_client *client = on->client;
    const creo_invocation made = {on->method, NULL, NULL, NULL, on->until, on->carrier->open};
    on->failed = !client->balance->place_again(client, &made, &on->failure);
    /* The other address does not know yet that there are no items. */
    on->ended = false;
    return !on->failed;
}

/* The program learns the end now, and so do the interceptors, once. `error` is NULL if the method has answered. */
static void tell(struct creo_streaming *on, uint32_t kind, creo_error *error)
{
    creo_client *client = on->client;
    if (on->over)
        return;
    on->over = true;
    client->streaming = NULL;
    client->streamed = on;
    client->frames.items = NULL;
    creo_client_ended(client, &on->call, on->begun, on->start, kind, error);
}

/* Reads the end of the call. */
static bool read_end(struct creo_streaming *on, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_client *client = on->client;
    uint32_t kind = 0;
    bool done = on->answered;
    if (done) {
        /* The answer is in memory of the client, which its next call uses again. */
        size_t size = on->answer.body.size;
        uint8_t *copy = size == 0 ? NULL : (uint8_t *)creo_arena_take(arena, size, 1);
        if (size != 0 && copy == NULL) {
            done = creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
        } else {
            if (copy != NULL)
                memcpy(copy, on->answer.body.data, size);
            done = on->carrier->read(on, creo_bytes_of(copy, size), arena, outcome, error);
        }
    } else {
        *error = on->failure;
    }
    if (done && on->method->exception_count != 0 && outcome != NULL)
        memcpy(&kind, outcome, sizeof kind);
    if (!on->over && !done)
        creo_client_take_advice(client, error);
    if (!on->over && client->balance != NULL)
        client->balance->settle(client, done ? NULL : error);
    if (!done && !on->over) {
        on->failure.not_started = error->not_started;
        on->failure.retry_after_ms = error->retry_after_ms;
    }
    if (!done) {
        error->not_started = on->failure.not_started;
        error->retry_after_ms = on->failure.retry_after_ms;
        error->attempts = 1;
        (void)creo_client_name_peer(client, error);
    }
    tell(on, kind, done ? NULL : error);
    return done;
}

/* The same, also if the call has ended, and its client has made no other since. */
static struct creo_streaming *call_of(const creo_stream *stream, creo_error *error)
{
    const creo_client *client = stream->client;
    if (client != NULL && client->streaming == NULL && client->streamed != NULL && client->streamed->number == stream->number)
        return client->streamed;
    return creo_streaming_of(stream, error);
}

bool creo_stream_next(creo_stream *stream, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_error own;
    if (error == NULL)
        error = &own;
    struct creo_streaming *on = call_of(stream, error);
    if (on == NULL)
        return false;
    while (!on->over) {
        if (on->carrier->take(on, arena, outcome))
            return true;
        if (on->answered || on->failed)
            break;
        /* What was sent may have been answered at once, and items have come with credit. */
        if (on->carrier->send(on, true, false) && (on->carrier->ready(on) & CREO_STREAM_READ) == 0)
            (void)on->carrier->receive(on, true);
    }
    return read_end(on, arena, outcome, error);
}

bool creo_stream_finish(creo_stream *stream, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_error own;
    if (error == NULL)
        error = &own;
    struct creo_streaming *on = call_of(stream, error);
    if (on == NULL)
        return false;
    on->ending = on->streams->encode_item != NULL;
    while (!on->over && !on->answered && !on->failed)
        if (on->carrier->send(on, true, true))
            (void)on->carrier->receive(on, true);
    return read_end(on, arena, outcome, error);
}

void creo_stream_close(creo_stream *stream)
{
    struct creo_streaming *on = creo_streaming_of(stream, NULL);
    if (on == NULL)
        return;
    on->answered = false;
    (void)creo_fail(&on->failure, CREO_CANCELLED, "the program closed the stream before its end");
    (void)creo_client_name_peer(on->client, &on->failure);
    on->failure.attempts = 1;
    (void)creo_streaming_fail(on);
    tell(on, 0, &on->failure);
}

unsigned creo_stream_ready(creo_stream *stream)
{
    struct creo_streaming *on = creo_streaming_of(stream, NULL);
    while (on != NULL) {
        (void)on->carrier->receive(on, false);
        unsigned ready = on->carrier->ready(on);
        if (ready != 0)
            return ready;
        (void)on->carrier->send(on, true, false);
        (void)on->carrier->receive(on, true);
    }
    return CREO_STREAM_READ;
}

/* The error of the call, which its end will say again. */
static bool fail_with(const struct creo_streaming *on, creo_error *error)
{
    if (error != NULL)
        *error = on->failure;
    return creo_client_name_peer(on->client, error);
}

bool creo_stream_write(creo_stream *stream, const void *item, creo_error *error)
{
    struct creo_streaming *on = creo_streaming_of(stream, error);
    if (on == NULL)
        return false;
    if (on->streams->encode_item == NULL)
        return creo_fail(error, CREO_INVALID_VALUE, "%s has no stream that its caller writes", on->method->name);
    if (on->ending)
        return creo_fail(error, CREO_INVALID_VALUE, "the stream was ended with creo_stream_end: nothing can be written after that");
    on->wrote = true;
    if (!on->failed && !on->answered && on->carrier->put(on, item) && !on->answered)
        return true;
    if (on->failed)
        return fail_with(on, error);
    return creo_fail(error, CREO_CANCELLED, "%s has answered before all items were written: read its result, or the next item", on->method->name);
}

bool creo_stream_flush(creo_stream *stream, creo_error *error)
{
    struct creo_streaming *on = creo_streaming_of(stream, error);
    if (on == NULL)
        return false;
    return on->carrier->send(on, true, false) || fail_with(on, error);
}

bool creo_stream_end(creo_stream *stream, creo_error *error)
{
    struct creo_streaming *on = creo_streaming_of(stream, error);
    if (on != NULL)
        on->ending = on->streams->encode_item != NULL;
    return on != NULL && creo_stream_flush(stream, error);
}
