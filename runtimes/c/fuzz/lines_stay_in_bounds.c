/*
 * A client of streams over HTTP survives any bytes of a service, in pieces of any size: every call ends, with its end or an error whose texts are clean, and takes
 * memory in proportion to what arrived.
 */
#include "fuzz_script.h"
#include "fuzz_text.h"

/* Reads a stream to its end. */
static bool read_all(creo_client *client, creo_arena *arena, size_t sent, creo_error *error)
{
    creo_stream stream;
    sample_feed_blocks_outcome next;
    if (!sample_feed_blocks(client, creo_text("t"), creo_bytes_of("d", 1), &stream, error))
        return false;
    do {
        fuzz_check_memory(arena, sent);
        creo_arena_reset(arena);
        if (!sample_feed_blocks_next(&stream, arena, &next, error))
            return false;
    } while (next.kind == SAMPLE_FEED_BLOCKS_ITEM);
    PROPERTY(next.kind == SAMPLE_FEED_BLOCKS_END || next.kind == SAMPLE_FEED_BLOCKS_NOT_FOUND);
    return true;
}

/* Writes a stream until it is answered. */
static bool write_some(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_stream stream;
    sample_tree tree;
    sample_feed_collect_outcome outcome;
    memset(&tree, 0, sizeof tree);
    if (!sample_feed_collect(client, creo_text("t"), &stream, error))
        return false;
    for (int i = 0; i < 3; i++)
        if (!sample_feed_collect_write(&stream, &tree, error) || !creo_stream_flush(&stream, error))
            break;
    if (!sample_feed_collect_finish(&stream, arena, &outcome, error))
        return false;
    PROPERTY(outcome.kind <= SAMPLE_FEED_COLLECT_REFUSED);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    creo_json json;
    creo_error error;
    size_t sent = size == 0 ? 0 : size - 1;
    uint8_t *service = fuzz_exact(size == 0 ? data : data + 1, sent);
    script bytes = {service, service + sent, 0};
    creo_io io = {&bytes, open_script, read_script, write_script, close_script, NULL};
    /* A broken connection is opened again, at a port on which nothing listens. */
    PROPERTY(creo_json_init(&json, "http://127.0.0.1:1/Feed", &sample_feed_text, creo_allocator_libc(), &error));
    creo_client *client = &json.client;
    creo_client_use_io(client, io);
    client->limits.max_message_size = 32768;
    client->limits.trusted_allocation = 64;
    connect_script(client);

    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    if (size > 0 && (data[0] & 4) != 0)
        arena.most = 4200;
    for (int calls = 0; calls < 4 && client->open; calls++) {
        bytes.allowed = 0;
        creo_error_clear(&error);
        bool reads = ((unsigned)calls + (size == 0 ? 0U : data[0] & 1U)) % 2 == 0;
        if (!(reads ? read_all(client, &arena, sent, &error) : write_some(client, &arena, &error))) {
            fuzz_check_error(&error);
            fuzz_check_details(&error);
        }
        fuzz_check_memory(&arena, sent);
        creo_arena_free(&arena);
        fuzz_check_answer(creo_client_answer(client));
    }
    creo_json_free(&json);
    creo_arena_free(&arena);
    free(service);
    return 0;
}
