/* What a client receives of streams over TCP (TCP-30 to TCP-34). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/codegen/read.h>
#include <creo/codegen/write.h>

#include "../call/body.h"
#include "streaming.h"

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

bool creo_frames_open(creo_client *client, const void *arguments, creo_error *error)
{
    struct creo_streaming *on = client->streaming;
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
    if (creo_tcp_take_answer(client, on->method, &answer, error))
        (void)creo_answer_read(on->method, &answer, client->peer, &client->limits, &client->arena, NULL, error);
    creo_client_disconnect(client);
    return creo_client_name_peer(client, error);
}

void creo_frames_give_up(struct creo_streaming *on)
{
    if (on->half)
        creo_client_disconnect(on->client);
    else if (on->client->open && on->client->frames.items != NULL)
        creo_tcp_give_up(on->client, on->id);
}

/* Whether another address has taken a call that the service refused. */
static bool moves_on(struct creo_streaming *on)
{
    creo_client *client = on->client;
    if (client->balance == NULL || on->answer.kind != CREO_ERROR || on->wrote || on->half || on->items.granted != CREO_FIRST_CREDIT)
        return false;
    creo_error_clear(&on->failure);
    (void)creo_answer_read(on->method, &on->answer, client->peer, &client->limits, &client->arena, NULL, &on->failure);
    return creo_streaming_moves(on);
}

bool creo_frames_receive(struct creo_streaming *on, bool wait)
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
        if (!creo_tcp_take_answer(client, on->method, &on->answer, &on->failure))
            on->failed = true;
        client->frames.items = NULL;
        if (last || (on->failed && on->half))
            creo_client_disconnect(client);
        on->answered = !on->failed && !moves_on(on) && !on->failed;
    }
    return !on->failed;
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

bool creo_frames_has_items(const struct creo_streaming *on)
{
    const creo_stream_items *items = &on->items;
    size_t there = items->kept.size - items->kept.at;
    return there >= CREO_ITEMS_HEAD && there - CREO_ITEMS_HEAD >= creo_get_u32(items->kept.data + items->kept.at);
}

/* The first whole frame that waits; false if there is none. */
static bool begin_frame(struct creo_streaming *on)
{
    creo_stream_items *items = &on->items;
    if (!creo_frames_has_items(on))
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
    (void)on->carrier->grant(on);
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

bool creo_frames_take(struct creo_streaming *on, creo_arena *arena, void *outcome)
{
    do {
        if (on->left > 0 && read_item(on, arena, outcome))
            return true;
        if (on->in_frame)
            end_frame(on);
    } while (!on->in_frame && on->streams->decode_item != NULL && begin_frame(on));
    return false;
}
