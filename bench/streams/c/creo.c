/* Creo's streams over TCP, at the client's defaults. */
#include "streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <streams.creo.h>

struct client {
    creo_client creo;
    creo_arena arena;
};

static void *connect_creo(uint16_t port)
{
    struct client *client = must(calloc(1, sizeof *client));
    creo_client_init(&client->creo, "127.0.0.1", port, creo_allocator_libc());
    creo_arena_init(&client->arena, creo_allocator_libc());
    return client;
}

static bool ended(const creo_error *error, bool done, char *why)
{
    if (!done) {
        char text[CREO_ERROR_TEXT];
        snprintf(why, WHY, "%s", creo_error_format(error, text, sizeof text));
    }
    return done;
}

static bool read_blocks(void *opaque, int64_t count, int32_t length, uint64_t *sum, char *why)
{
    struct client *client = opaque;
    creo_stream stream;
    creo_error error;
    streams_streaming_blocks_outcome next;
    uint64_t total = 0;
    bool done = streams_streaming_blocks(&client->creo, count, length, &stream, &error);
    while (done) {
        creo_arena_reset(&client->arena);
        done = streams_streaming_blocks_next(&stream, &client->arena, &next, &error);
        if (!done || next.kind != STREAMS_STREAMING_BLOCKS_ITEM)
            break;
        for (size_t i = 0; i < next.as.item.count; i++) {
            uint64_t bits;
            memcpy(&bits, &next.as.item.items[i], sizeof bits);
            total += bits;
        }
    }
    *sum = total;
    return ended(&error, done, why);
}

static bool write_blocks(void *opaque, int64_t count, int32_t length, uint64_t *sum, char *why)
{
    struct client *client = opaque;
    creo_stream stream;
    creo_error error;
    int64_t result = 0;
    double *items = must(malloc((size_t)length * sizeof *items));
    for (int32_t i = 0; i < length; i++)
        items[i] = block_value((size_t)i);
    bool done = streams_streaming_put_blocks(&client->creo, &stream, &error);
    if (done) {
        for (int64_t i = 0; i < count; i++)
            if (!streams_streaming_put_blocks_write(&stream, (creo_double_array){items, (size_t)length}, &error))
                break;
        creo_arena_reset(&client->arena);
        done = streams_streaming_put_blocks_finish(&stream, &client->arena, &result, &error);
    }
    free(items);
    *sum = (uint64_t)result;
    return ended(&error, done, why);
}

static bool read_readings(void *opaque, int64_t count, uint64_t *sum, char *why)
{
    struct client *client = opaque;
    creo_stream stream;
    creo_error error;
    streams_streaming_readings_outcome next;
    uint64_t whole = 0;
    double values = 0;
    bool done = streams_streaming_readings(&client->creo, count, &stream, &error);
    while (done) {
        creo_arena_reset(&client->arena);
        done = streams_streaming_readings_next(&stream, &client->arena, &next, &error);
        if (!done || next.kind != STREAMS_STREAMING_READINGS_ITEM)
            break;
        whole += (uint64_t)next.as.item.time + (uint64_t)(int64_t)next.as.item.flags;
        values += next.as.item.value;
    }
    *sum = whole + (uint64_t)(int64_t)(2 * values);
    return ended(&error, done, why);
}

static bool write_readings(void *opaque, int64_t count, uint64_t *sum, char *why)
{
    struct client *client = opaque;
    creo_stream stream;
    creo_error error;
    int64_t result = 0;
    bool done = streams_streaming_put_readings(&client->creo, &stream, &error);
    if (done) {
        for (int64_t i = 0; i < count; i++) {
            streams_reading reading = {reading_time(i), reading_value(i), reading_flags(i)};
            if (!streams_streaming_put_readings_write(&stream, &reading, &error))
                break;
        }
        creo_arena_reset(&client->arena);
        done = streams_streaming_put_readings_finish(&stream, &client->arena, &result, &error);
    }
    *sum = (uint64_t)result;
    return ended(&error, done, why);
}

const struct peer creo_peer = {"creo", connect_creo, read_blocks, write_blocks, read_readings, write_readings};
