/*
 * A client survives any bytes of a service, in pieces of any size: every call ends, with an outcome or an error whose text shows no control
 * characters, and takes memory in proportion to what arrived.
 */
#include "fuzz.h"

typedef struct script {
    const uint8_t *at;
    const uint8_t *end;
    size_t written;
} script;

static creo_io_state open_script(void *context, int socket, const char *host)
{
    (void)context;
    (void)socket;
    (void)host;
    return CREO_IO_DONE;
}

/* The size of each piece comes from the bytes themselves. */
static creo_io_state read_script(void *context, void *into, size_t size, size_t *done)
{
    script *from = (script *)context;
    size_t left = (size_t)(from->end - from->at);
    if (left == 0)
        return CREO_IO_CLOSED;
    size_t piece = *from->at % 2 == 0 ? (size_t)*from->at % 7 + 1 : left;
    piece = piece < left ? piece : left;
    piece = piece < size ? piece : size;
    memcpy(into, from->at, piece);
    from->at += piece;
    *done = piece;
    return CREO_IO_DONE;
}

static creo_io_state write_script(void *context, const void *from, size_t size, size_t *done)
{
    script *to = (script *)context;
    volatile uint8_t seen = ((const uint8_t *)from)[size - 1];
    (void)seen;
    to->written += size;
    *done = size;
    return CREO_IO_DONE;
}

static void close_script(void *context)
{
    (void)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    script bytes = {data, data + size, 0};
    creo_io io = {&bytes, open_script, read_script, write_script, close_script, NULL};
    creo_client client;
    /* A broken connection is opened again, at a port on which nothing listens. */
    creo_client_init(&client, "127.0.0.1", 1, creo_allocator_libc());
    creo_client_use_io(&client, io);
    client.limits.max_message_size = 4096;
    client.limits.trusted_allocation = 64;
    /* A connection that stands already: its socket is never waited for, since the script always has bytes or an end. */
    client.stream.input = (uint8_t *)client.allocator.allocate(client.allocator.context, 16384);
    PROPERTY(client.stream.input != NULL);
    client.open = true;

    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    for (int calls = 0; calls < 4 && client.open; calls++) {
        creo_error error;
        creo_error_clear(&error);
        bool done;
        if (calls % 2 == 0) {
            int64_t sum;
            done = sample_sample_add(&client, 1, 2, &arena, &sum, &error);
        } else {
            sample_everything value;
            sample_everything_init(&value);
            sample_sample_everything_outcome outcome;
            done = sample_sample_everything(&client, &value, &arena, &outcome, &error);
        }
        if (!done) {
            fuzz_check_error(&error);
            for (size_t i = 0; i < error.detail_count; i++)
                PROPERTY(creo_utf8_valid(error.details[i].key.data, error.details[i].key.size));
        }
        PROPERTY(arena.taken <= (size_t)65536 * 64 + size * 4 * sizeof(sample_everything));
        creo_arena_reset(&arena);
    }
    creo_client_free(&client);
    creo_arena_free(&arena);
    return 0;
}
