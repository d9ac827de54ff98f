/* The lines that a client sends: a chunk for items that were written together (HTTP-33). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "lines.h"

#include "../json/json.h"

#include <stdio.h>

/* The max bytes around the items of a chunk: the last line, and the ends of chunk and body. */
#define AROUND 32

/* How long the client waits for what a service has sent that takes no more items. */
#define LAST_ANSWER_MS 1000

/* The call's time is over while a chunk is sent only in part. */
static bool lines_fail_late(struct creo_streaming *on)
{
    (void)creo_client_fail_deadline(on->client, "while its items were sent", &on->failure);
    return creo_streaming_fail(on);
}

/* The chunk cannot be sent. A service may have answered before it closed the connection. */
static bool lines_hear_out(struct creo_streaming *on)
{
    creo_client *client = on->client;
    creo_error *failure = &on->failure;
    if (client->open && creo_lines_read_answer(on, creo_earlier(on->until, creo_after(creo_now(), LAST_ANSWER_MS))))
        return true;
    if (failure->code == CREO_DEADLINE_EXCEEDED ? creo_now() >= on->until : on->failed && creo_lines_of(on)->in.any)
        return false;
    return creo_fail(failure, CREO_UNAVAILABLE, "the connection to %s was lost while its items were sent", client->peer) || creo_streaming_fail(on);
}

/* Sends what is left of the chunk, without waiting for the service unless `wait`. False: the call has failed. */
static bool lines_push(struct creo_streaming *on, creo_lines *lines, bool wait)
{
    creo_client *client = on->client;
    while (!on->answered && creo_lines_pending(lines)) {
        struct iovec piece = {lines->out.start + lines->sent, creo_writer_size(&lines->out) - lines->sent};
        size_t done = 0;
        creo_result result = client->open ? creo_socket_write(client, &piece, 1, &done, creo_now()) : CREO_RESULT_CLOSED;
        lines->sent += done;
        if (result == CREO_RESULT_CLOSED || result == CREO_RESULT_FAILED)
            return lines_hear_out(on);
        if (result == CREO_RESULT_TIMEOUT && creo_now() >= on->until)
            return lines_fail_late(on);
        if (!creo_lines_receive(on, false))
            return false;
        if (result == CREO_RESULT_TIMEOUT && !wait)
            return true;
        if (result == CREO_RESULT_TIMEOUT && !on->answered)
            (void)creo_socket_wait(client, CREO_READABLE | CREO_WRITABLE, on->until);
    }
    return true;
}

/* Makes a chunk of the items that were written, and of the last line if there will be no more. */
static bool make_chunk(struct creo_streaming *on, creo_lines *lines)
{
    creo_writer *writer = &on->writer;
    char head[24];
    if (lines->out.start == NULL) {
        creo_writer_init(&lines->out, &on->client->arena, NULL, &on->failure);
        lines->out.most = writer->most;
        if (creo_write_block(&lines->out, CREO_STREAM_HEAD) == NULL)
            return false;
    }
    writer->error = &on->failure;
    /* The limits are those of each line. */
    writer->most += AROUND;
    bool done = !on->ending || creo_http_put(writer, "{\"end\":true}\n");
    size_t size = creo_writer_size(writer) - CREO_STREAM_HEAD;
    done = done && creo_http_put(writer, on->ending ? "\r\n0\r\n\r\n" : "\r\n");
    writer->most -= AROUND;
    if (!done)
        return false;
    size_t length = (size_t)snprintf(head, sizeof head, "%zx\r\n", size);
    lines->sent = CREO_STREAM_HEAD - length;
    memcpy(writer->start + lines->sent, head, length);
    creo_writer chunk = *writer;
    *writer = lines->out;
    writer->at = writer->start + CREO_STREAM_HEAD;
    lines->out = chunk;
    on->written = 0;
    on->ended = on->ending;
    return true;
}

bool creo_lines_send(struct creo_streaming *on, bool all, bool wait)
{
    creo_lines *lines = creo_lines_of(on);
    while (!on->failed && !on->answered) {
        if (!lines_push(on, lines, wait) || on->answered || creo_lines_pending(lines))
            break;
        if (on->streams->encode_item == NULL || !(creo_lines_full(on) || (all && (on->written > 0 || (on->ending && !on->ended)))))
            break;
        if (!make_chunk(on, lines))
            return creo_streaming_fail(on);
    }
    return !on->failed;
}

bool creo_lines_put(struct creo_streaming *on, const void *item)
{
    creo_writer *writer = &on->writer;
    if (creo_lines_full(on) && (!creo_lines_send(on, false, true) || on->answered))
        return !on->failed;
    size_t before = creo_writer_size(writer);
    writer->error = &on->failure;
    writer->depth_left = writer->max_depth;
    bool done = item != NULL || creo_fail_value(&on->failure, "an item is not NULL");
    done = done && creo_http_put(writer, "{\"item\":") && creo_json_write_value(writer, creo_lines_of(on)->call.text->item, item) && creo_http_put(writer, "}\n");
    /* Without the end of the line. */
    bool too_large = done && creo_writer_size(writer) - before - 1 > on->client->limits.max_message_size;
    if (!done || too_large)
        return creo_streaming_refuse(on, too_large, "$items");
    on->written++;
    return creo_lines_send(on, false, false);
}
