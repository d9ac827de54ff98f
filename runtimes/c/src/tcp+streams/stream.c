/* Calls with streams: from their opening to their end (CALL-40 to CALL-47). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/codegen/read.h>
#include <creo/codegen/write.h>

#include "../call/body.h"
#include "../call/repeat.h"
#include "streaming.h"

bool creo_streaming_fail(struct creo_streaming *on)
{
    creo_client *client = on->client;
    on->failed = true;
    if (client->open && client->frames.items != NULL)
        creo_tcp_give_up(client, on->id);
    return false;
}

struct creo_streaming *creo_streaming_of(const creo_stream *stream, creo_error *error)
{
    const creo_client *client = stream->client;
    if (client != NULL && client->streaming != NULL && client->streaming->number == stream->number)
        return client->streaming;
    (void)creo_fail(error, CREO_INVALID_VALUE, "the stream is not open: its call was not begun, or has ended");
    return NULL;
}

/* Items begin, which are those of the call under way. Bounds the bytes that wait for the program (TCP-32). */
static creo_step begin_items(creo_frames *frames, const creo_limits *limits, const char *peer, creo_error *error)
{
    creo_stream_items *items = (creo_stream_items *)frames->items;
    if (!items->receives || items->granted <= 0)
        return creo_frames_malformed(error, peer, items->receives ? "items for which it had no credit" : "items of a stream that the method does not have");
    if (frames->frame_left > creo_limits_body(limits)) {
        (void)creo_fail_body(error, limits);
        return CREO_STEP_BROKEN;
    }
    frames->into = &items->kept;
    /* Others may follow. */
    frames->frame_more = true;
    if (items->kept.room - items->kept.size < CREO_ITEMS_HEAD && !creo_frames_make_room(frames, frames->frame_left + CREO_ITEMS_HEAD, limits)) {
        frames->into = NULL;
        (void)creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the items");
        return CREO_STEP_FAILED;
    }
    creo_put_u32(items->kept.data + items->kept.size, (uint32_t)frames->frame_left);
    items->kept.size += CREO_ITEMS_HEAD;
    items->held += (int64_t)frames->frame_left;
    items->granted -= (int64_t)frames->frame_left;
    return CREO_STEP_MORE;
}

static creo_step take_credit(creo_frames *frames, uint32_t bytes, const char *peer, creo_error *error)
{
    creo_stream_items *items = (creo_stream_items *)frames->items;
    if (bytes == 0 || bytes > INT32_MAX || items->credit > (int64_t)INT32_MAX - bytes)
        return creo_frames_malformed(error, peer, "a wrong number of bytes as credit");
    items->credit += bytes;
    return CREO_STEP_STREAM;
}

/* Sends the request, at one address. */
static bool open_streams(creo_client *client, const void *arguments, creo_error *error)
{
    struct creo_streaming *on = client->streaming;
    if (!client->transport->streams || client->wire != NULL)
        return creo_fail(error, CREO_UNKNOWN_METHOD, "%s.%s has streams, which only the binary wire over TCP carries: call it with a client of creo_client_init",
                         on->method->interface->name, on->method->name);
    on->id = creo_tcp_next_id(client);
    if (on->request.own.data == NULL && !creo_request_make(client, on->method, arguments, on->id, &on->request, error))
        return false;
    on->request.id = on->id;
    bool refused;
    if (!creo_tcp_send(client, &on->request, on->until, &client->arena, &refused, error))
        return creo_client_name_peer(client, error);
    creo_stream_items *items = &on->items;
    items->takes = (struct creo_items){begin_items, take_credit};
    items->receives = on->streams->decode_item != NULL;
    items->granted = items->credit = CREO_FIRST_CREDIT;
    if (!refused) {
        creo_frames_expect(&client->frames, &client->arena, &items->takes);
        return true;
    }
    creo_answer_body answer;
    if (creo_tcp_take_answer(client, &answer, error))
        (void)creo_answer_read(on->method, &answer, client->peer, &client->limits, &client->arena, NULL, error);
    creo_client_disconnect(client);
    return creo_client_name_peer(client, error);
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
    bool done = creo_client_begin(client, &on->call, &on->begun, error);
    on->until = creo_after(start, on->call.deadline_ms);
    const creo_invocation made = {method, arguments, NULL, NULL, on->until, open_streams};
    bool attempted = done;
    done = done && creo_client_make(client, &on->call, &made, error);
    creo_writer_init(&on->writer, &client->arena, &client->limits, &on->failure);
    size_t most = client->limits.max_message_size;
    on->writer.most = most > SIZE_MAX / 2 ? most : most + CREO_STREAM_ROOM;
    if (done && streams->encode_item != NULL && creo_write_block(&on->writer, CREO_STREAM_HEAD) == NULL) {
        *error = on->failure;
        creo_tcp_give_up(client, on->id);
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

/* The service refused the call before it did anything: another address may take it (CALL-45). */
static bool moves(struct creo_streaming *on)
{
    creo_client *client = on->client;
    if (client->balance == NULL || on->answer.kind != CREO_ERROR || on->wrote || on->items.granted != CREO_FIRST_CREDIT)
        return false;
    const creo_invocation made = {on->method, NULL, NULL, NULL, on->until, open_streams};
    creo_error_clear(&on->failure);
    (void)creo_answer_read(on->method, &on->answer, client->peer, &client->limits, &client->arena, NULL, &on->failure);
    if (client->balance->place_again(client, &made, &on->failure))
        return true;
    on->failed = true;
    return false;
}

bool creo_streaming_receive(struct creo_streaming *on, bool wait)
{
    creo_client *client = on->client;
    while (!on->failed && !on->answered) {
        if (!client->open) {
            (void)creo_tcp_fail_lost(client, CREO_RESULT_FAILED, &on->failure);
            return creo_streaming_fail(on);
        }
        /* Without waiting, a frame may be half sent: then nothing may be written, not even that the time is over. */
        creo_step step = creo_tcp_receive(client, on->id, wait ? on->until : CREO_NEVER, wait, &on->failure);
        if (step == CREO_STEP_FAILED)
            return creo_streaming_fail(on);
        if (step == CREO_STEP_MORE || (step == CREO_STEP_STREAM && wait))
            return true;
        if (step == CREO_STEP_STREAM)
            continue;
        bool last = client->frames.goodbye;
        if (!creo_tcp_take_answer(client, &on->answer, &on->failure))
            on->failed = true;
        client->frames.items = NULL;
        if (last)
            creo_client_disconnect(client);
        on->answered = !on->failed && !moves(on) && !on->failed;
    }
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
        creo_answer_body answer = on->answer;
        uint8_t *copy = answer.body.size == 0 ? NULL : (uint8_t *)creo_arena_take(arena, answer.body.size, 1);
        if (answer.body.size != 0 && copy == NULL) {
            done = creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
        } else {
            if (copy != NULL)
                memcpy(copy, answer.body.data, answer.body.size);
            answer.body.data = copy;
            done = creo_answer_read(on->method, &answer, client->peer, &client->limits, arena, outcome, error);
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

/* Ends the call with an error of its items (TCP-34), which is in `failure`. Always true: what follows is the end. */
static bool break_off(struct creo_streaming *on)
{
    on->items.kept.at = on->items.kept.size;
    on->in_frame = false;
    on->left = 0;
    on->answered = false;
    (void)creo_streaming_fail(on);
    return true;
}

bool creo_streaming_has_frame(const struct creo_streaming *on)
{
    const creo_stream_items *items = &on->items;
    size_t there = items->kept.size - items->kept.at;
    return there >= CREO_ITEMS_HEAD && there - CREO_ITEMS_HEAD >= creo_get_u32(items->kept.data + items->kept.at);
}

/* The first whole frame that waits; false if there is none. */
static bool begin_frame(struct creo_streaming *on)
{
    creo_stream_items *items = &on->items;
    if (!creo_streaming_has_frame(on))
        return false;
    const uint8_t *head = items->kept.data + items->kept.at;
    creo_bytes body = creo_bytes_of(head + CREO_ITEMS_HEAD, creo_get_u32(head));
    bool done = creo_reader_init(&on->reader, body, CREO_COPY, NULL, &on->client->limits, &on->failure);
    on->reader.root = "$items";
    on->index = 0;
    on->in_frame = true;
    return (done && creo_read_items(&on->reader, on->streams->min_size, on->streams->charge, &on->left)) || break_off(on);
}

/* The frame was read: its bytes are free, and the peer may send more. */
static void end_frame(struct creo_streaming *on)
{
    creo_stream_items *items = &on->items;
    size_t size = (size_t)(on->reader.end - on->reader.start);
    if (!creo_reader_finish(&on->reader)) {
        (void)break_off(on);
        return;
    }
    on->in_frame = false;
    items->kept.at += CREO_ITEMS_HEAD + size;
    items->held -= (int64_t)size;
    if (items->kept.at == items->kept.size)
        items->kept.at = items->kept.size = 0;
    (void)creo_streaming_grant(on);
}

/* Reads the next item of the frame. The frames may have moved since the last one. */
static bool read_item(struct creo_streaming *on, creo_arena *arena, void *outcome)
{
    creo_reader *reader = &on->reader;
    const uint8_t *start = on->items.kept.data + on->items.kept.at + CREO_ITEMS_HEAD;
    reader->at = start + (reader->at - reader->start);
    reader->end = start + (reader->end - reader->start);
    reader->start = start;
    reader->arena = arena;
    reader->depth_left = reader->max_depth;
    if (!on->streams->decode_item(reader, outcome)) {
        (void)creo_at_index(&on->failure, on->index);
        return !break_off(on);
    }
    on->index++;
    if (--on->left == 0 && reader->at == reader->end)
        end_frame(on);
    return true;
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
        if (on->left > 0 && read_item(on, arena, outcome))
            return true;
        if (on->in_frame)
            end_frame(on);
        else if (on->streams->decode_item == NULL || !begin_frame(on)) {
            if (on->answered || on->failed)
                break;
            /* What was sent may have been answered at once, and frames have come with credit. */
            if (creo_streaming_send(on, true, false) && !creo_streaming_has_frame(on))
                (void)creo_streaming_receive(on, true);
        }
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
    bool sent = on->over || creo_streaming_send(on, true, true);
    while (sent && !on->over && !on->answered && !on->failed)
        (void)creo_streaming_receive(on, true);
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
