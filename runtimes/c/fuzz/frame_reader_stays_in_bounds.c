/*
 * A client survives any bytes of a service, in pieces of any size: every call ends, with an outcome or an error whose text shows no control
 * characters, and takes memory in proportion to what arrived.
 */
#include "fuzz_frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t sent;
    script bytes;
    creo_client client;
    uint8_t *service = connect_script(data, size, &sent, &bytes, &client);

    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    if (size > 0 && (data[0] & LITTLE_MEMORY) != 0)
        arena.most = 4200;
    for (int calls = 0; calls < 6 && client.open; calls++) {
        creo_error error;
        creo_error_clear(&error);
        bool done;
        bytes.allowed = size > 0 && (data[0] & UNASKED) != 0 ? 1 : 0;
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
        PROPERTY(arena.taken <= (size_t)65536 * 64 + sent * 4 * sizeof(sample_everything));
        /* Given back, not kept: a write into memory of an earlier call is then an error that the sanitizer sees. */
        creo_arena_free(&arena);
        fuzz_check_answer(creo_client_answer(&client));
    }
    creo_client_free(&client);
    creo_arena_free(&arena);
    free(service);
    return 0;
}
