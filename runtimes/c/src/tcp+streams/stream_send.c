/* The items that a client sends, and the credit that it gives (TCP-30 to TCP-32). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/codegen/write.h>

#include "../call/body.h"
#include "streaming.h"

#include <stdio.h>

/* The max number of items in a frame: those without bytes count, too. */
#define FULL_COUNT 16384

/* How long the client waits for what a service has sent that takes no more items. */
#define PATIENCE_MILLIS 1000

/* The call's time is over while a frame is sent only in part: the connection is lost. */
static bool fail_late(struct creo_streaming *on)
{
    (void)creo_client_fail_deadline(on->client, "while its items were sent", &on->failure);
    creo_client_disconnect(on->client);
    return creo_streaming_fail(on);
}

/* The frame cannot be sent. What the peer has sent before it closed the connection says more than that. */
static bool hear_out(struct creo_streaming *on)
{
    creo_instant until = on->until;
    on->until = creo_earlier(until, creo_after(creo_now(), PATIENCE_MILLIS));
    while (!on->answered && creo_frames_receive(on, true))
        continue;
    if (on->failed && on->failure.code == CREO_DEADLINE_EXCEEDED && creo_now() < until)
        (void)creo_tcp_fail_lost(on->client, CREO_RESULT_FAILED, &on->failure);
    on->until = until;
    creo_client_disconnect(on->client);
    return on->answered;
}

/* Sends a whole frame. Meanwhile takes what the peer sends, so that neither waits for the other. */
static bool send_frame(struct creo_streaming *on, uint8_t *bytes, size_t size)
{
    creo_client *client = on->client;
    for (size_t sent = 0;;) {
        struct iovec piece = {bytes + sent, size - sent};
        size_t done = 0;
        creo_result result = client->open ? creo_socket_write(client, &piece, 1, &done, creo_now()) : CREO_RESULT_CLOSED;
        sent += done;
        on->half = sent > 0 && result != CREO_RESULT_DONE;
        if (result == CREO_RESULT_DONE)
            return true;
        if (result == CREO_RESULT_TIMEOUT && creo_now() >= on->until)
            return fail_late(on);
        if (result == CREO_RESULT_TIMEOUT) {
            if (!on->answered && !creo_frames_receive(on, false))
                return false;
            (void)creo_socket_wait(client, on->answered ? CREO_WRITABLE : CREO_READABLE | CREO_WRITABLE, on->until);
            continue;
        }
        return hear_out(on);
    }
}

bool creo_frames_grant(struct creo_streaming *on)
{
    creo_stream_items *items = &on->items;
    int64_t window = on->client->limits.stream_window;
    window = window < CREO_FIRST_CREDIT ? CREO_FIRST_CREDIT : window > INT32_MAX ? INT32_MAX : window;
    int64_t bytes = window - items->held - items->granted;
    /* Short streams need no more than the first credit. */
    bool first = items->granted > CREO_FIRST_CREDIT / 2 && !items->gave;
    if (bytes < window / 2 || first || on->answered || on->failed)
        return true;
    if (bytes > INT32_MAX)
        bytes = INT32_MAX;
    uint8_t frame[CREO_FRAME_SIZE + 4];
    creo_put_u32(frame, CREO_FRAME_SIZE);
    frame[4] = CREO_CREDIT;
    frame[5] = 0;
    creo_put_u32(frame + 6, on->id);
    creo_put_u32(frame + CREO_FRAME_SIZE, (uint32_t)bytes);
    items->granted += bytes;
    items->gave = true;
    return send_frame(on, frame, sizeof frame);
}

/* Sends the first `size` bytes of the written items, `count` of them. There is credit. */
static bool send_items(struct creo_streaming *on, size_t size, uint32_t count)
{
    uint8_t bytes[5];
    size_t length = 0;
    for (uint32_t left = count; left >= 0x80; left >>= 7)
        bytes[length++] = (uint8_t)(left | 0x80);
    bytes[length] = (uint8_t)(count >> 7 * length);
    length++;
    uint8_t *at = on->writer.start + CREO_STREAM_HEAD - length;
    memcpy(at, bytes, length);
    at -= CREO_FRAME_SIZE;
    creo_put_u32(at, (uint32_t)(CREO_FRAME_SIZE - 4 + length + size));
    at[4] = CREO_ITEMS;
    at[5] = on->ended ? CREO_END : 0;
    creo_put_u32(at + 6, on->id);
    on->items.credit -= (int64_t)(length + size);
    /* The answer may have come: then the rest is not worth sending. */
    if (!send_frame(on, at, CREO_FRAME_SIZE + length + size))
        return false;
    if (!on->answered && !creo_frames_receive(on, false))
        return false;
    return !on->client->frames.ping || creo_tcp_answer_ping(on->client, on->until, &on->failure) || creo_streaming_fail(on);
}

/* The max size of several items in a frame. */
static size_t full_size(const struct creo_streaming *on)
{
    size_t most = on->client->limits.max_message_size;
    return most <= 5 ? 0 : most < CREO_STREAM_FULL ? most - 5 : CREO_STREAM_FULL - 5;
}

bool creo_frames_full(const struct creo_streaming *on)
{
    if (on->written == 0)
        return false;
    return creo_writer_size(&on->writer) - CREO_STREAM_HEAD >= full_size(on) || on->written >= FULL_COUNT;
}

bool creo_frames_send(struct creo_streaming *on, bool all, bool wait)
{
    creo_writer *writer = &on->writer;
    while (!on->failed && !on->answered && (creo_frames_full(on) || (all && (on->written > 0 || (on->ending && !on->ended))))) {
        if (on->items.credit <= 0 && !wait)
            return true;
        if (on->items.credit <= 0) {
            (void)creo_frames_receive(on, true);
            continue;
        }
        size_t total = creo_writer_size(writer);
        size_t end = total;
        uint32_t count = on->written;
        /* The last item makes it too large: it goes into the next frame. */
        if (total - CREO_STREAM_HEAD > full_size(on) && count > 1) {
            end = on->last;
            count--;
        }
        on->written -= count;
        on->ended = on->ending && end == total;
        bool sent = send_items(on, end - CREO_STREAM_HEAD, count);
        memmove(writer->start + CREO_STREAM_HEAD, writer->start + end, total - end);
        writer->at = writer->start + CREO_STREAM_HEAD + (total - end);
        if (!sent)
            return false;
    }
    return !on->failed;
}

bool creo_frames_put(struct creo_streaming *on, const void *item)
{
    creo_writer *writer = &on->writer;
    if (creo_frames_full(on) && (!creo_frames_send(on, false, true) || on->answered))
        return !on->failed;
    size_t before = creo_writer_size(writer);
    writer->error = &on->failure;
    writer->depth_left = writer->max_depth;
    bool done = on->streams->encode_item(writer, item);
    bool too_large = done && creo_writer_size(writer) - before >= on->client->limits.max_message_size;
    if (!done || too_large) {
        char root[24];
        (void)snprintf(root, sizeof root, "$items[%lu]", (unsigned long)on->written);
        return creo_streaming_refuse(on, too_large, root);
    }
    on->last = before;
    on->written++;
    return creo_frames_send(on, false, false);
}
