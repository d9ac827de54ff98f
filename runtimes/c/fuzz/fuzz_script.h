/* A service that sends the bytes of an input to a client over HTTP. */
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include "fuzz.h"

typedef struct script {
    const uint8_t *at;
    const uint8_t *end;
    /* How many pieces come before something is written again. */
    size_t allowed;
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
    size_t piece = *from->at % 2 == 0 ? (size_t)*from->at % 7 + 1 : left;
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
    to->allowed = SIZE_MAX;
    *done = size;
    return CREO_IO_DONE;
}

static inline void close_script(void *context)
{
    (void)context;
}

/* A connection that stands already: its socket is never waited for, since the script always has bytes or an end. */
static inline void connect_script(creo_client *client)
{
    client->frames.input = (uint8_t *)client->allocator.allocate(client->allocator.context, 16384);
    PROPERTY(client->frames.input != NULL);
    client->open = true;
}

#endif
