/*
 * Decoding takes memory in proportion to the bytes that are there, never to what they claim (BIN-5, LIM-3): at most so many times their
 * number, and what the budget of items without size allows.
 */
#include "fuzz.h"

/* The largest struct of the sample stands for one byte of the wire at the least. */
#define MAX_FOR_ONE_BYTE (4 * sizeof(sample_everything))
#define MAX_AT_ALL ((size_t)65536 * 64)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const fuzz_type *type = fuzz_choose(data[0]);
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error error;
    creo_reader reader;
    creo_reader_init(&reader, creo_bytes_of(data + 1, size - 1), CREO_COPY, &arena, NULL, &error);
    void *value = fuzz_value(type);
    (void)type->decode(&reader, value);
    PROPERTY(arena.taken <= MAX_AT_ALL + size * MAX_FOR_ONE_BYTE);

    /* And never more than the arena may. */
    creo_arena_free(&arena);
    arena.most = 2048;
    creo_reader_init(&reader, creo_bytes_of(data + 1, size - 1), CREO_COPY, &arena, NULL, &error);
    (void)type->decode(&reader, value);
    PROPERTY(arena.taken <= 2048);
    free(value);
    creo_arena_free(&arena);
    return 0;
}
