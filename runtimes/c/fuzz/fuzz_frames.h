/* A client whose service sends the bytes of a fuzzer's input. */
#ifndef FUZZ_FRAMES_H
#define FUZZ_FRAMES_H

#include "fuzz.h"

/*
 * The first byte of the input says what the rest is: 0 the bytes of the service; 1 what follows its preamble; else descriptions of frames
 * (kind, flags, call id, length, bytes), from which well-formed heads are made, so that the fuzzer need not guess lengths. With UNASKED a
 * piece of them also comes before each request; with LITTLE_MEMORY the caller's arena is soon full; with LATE the service falls silent after
 * a few pieces, until the call's time is over and its memory is given back, and goes on in the next call.
 */
enum { RAW = 0, GREETED = 1, MODE = 0x1F, LATE = 0x20, LITTLE_MEMORY = 0x40, UNASKED = 0x80 };

static const uint8_t preamble[] = {'C', 'R', 'E', 'O', 1, 1, 0, 0};

static inline size_t put_frames(uint8_t *to, const uint8_t *at, const uint8_t *end)
{
    uint8_t *start = to;
    while (end - at >= 4) {
        size_t left = (size_t)(end - at - 4);
        size_t size = (size_t)at[3] * (at[3] >= 0xF0 ? 48 : 1);
        size = size < left ? size : left;
        creo_put_u32(to, (uint32_t)size + 6);
        to[4] = at[0] % 12;
        to[5] = at[1] % 8;
        creo_put_u32(to + 6, at[2] % 6u);
        memcpy(to + 10, at + 4, size);
        to += 10 + size;
        at += 4 + size;
    }
    return (size_t)(to - start);
}

/* The bytes of the service, on the heap. */
static inline uint8_t *make_bytes(const uint8_t *data, size_t size, size_t *made)
{
    uint8_t *bytes = (uint8_t *)malloc(sizeof preamble + 4 * size + 1);
    PROPERTY(bytes != NULL);
    *made = 0;
    if (size == 0)
        return bytes;
    if ((data[0] & MODE) != RAW) {
        memcpy(bytes, preamble, sizeof preamble);
        *made = sizeof preamble;
    }
    if ((data[0] & MODE) > GREETED) {
        *made += put_frames(bytes + *made, data + 1, data + size);
    } else {
        memcpy(bytes + *made, data + 1, size - 1);
        *made += size - 1;
    }
    return bytes;
}

typedef struct script {
    const uint8_t *at;
    const uint8_t *end;
    /* How many pieces come before something is written again. */
    size_t allowed;
    bool late;
} script;

static inline creo_io_state open_script(void *context, int socket, const char *host)
{
    (void)context;
    (void)socket;
    (void)host;
    return CREO_IO_DONE;
}

/* The size of each piece comes from the bytes themselves. */
static inline creo_io_state read_script(void *context, void *into, size_t size, size_t *done)
{
    script *from = (script *)context;
    size_t left = (size_t)(from->end - from->at);
    if (from->allowed == 0)
        return CREO_IO_WANT_READ;
    if (left == 0)
        return CREO_IO_CLOSED;
    from->allowed--;
    size_t piece = from->late ? (size_t)*from->at % 31 + 8 : *from->at % 2 == 0 ? (size_t)*from->at % 7 + 1 : left;
    piece = piece < left ? piece : left;
    piece = piece < size ? piece : size;
    memcpy(into, from->at, piece);
    from->at += piece;
    *done = piece;
    return CREO_IO_DONE;
}

static inline creo_io_state write_script(void *context, const void *from, size_t size, size_t *done)
{
    script *to = (script *)context;
    volatile uint8_t seen = ((const uint8_t *)from)[size - 1];
    (void)seen;
    to->allowed = to->late ? 3 : SIZE_MAX;
    *done = size;
    return CREO_IO_DONE;
}

static inline void close_script(void *context)
{
    (void)context;
}

/* A client that is connected to them, and how many there are. They are to be freed. */
static inline uint8_t *connect_script(const uint8_t *data, size_t size, size_t *sent, script *bytes, creo_client *client)
{
    uint8_t *service = make_bytes(data, size, sent);
    *bytes = (script){service, service + *sent, 0, size > 0 && (data[0] & LATE) != 0};
    creo_io io = {bytes, open_script, read_script, write_script, close_script, NULL};
    /* A broken connection is opened again, at a port on which nothing listens. */
    creo_client_init(client, "127.0.0.1", 1, creo_allocator_libc());
    creo_client_use_io(client, io);
    client->limits.max_message_size = 32768;
    client->limits.trusted_allocation = 64;
    if (bytes->late)
        client->deadline_ms = client->stream_deadline_ms = 1;
    /* A connection that stands already: its socket is never waited for, since the script always has bytes or an end. */
    client->frames.input = (uint8_t *)client->allocator.allocate(client->allocator.context, 16384);
    PROPERTY(client->frames.input != NULL);
    client->open = true;
    client->preamble_due = INT64_MAX;
    return service;
}

#endif
