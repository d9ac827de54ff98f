/*
 * What was decoded can be encoded, and what that gives decodes to what encodes to the same bytes: every part of a decoded value is
 * there, and none is left as the memory was found.
 */
#include "fuzz.h"

static bool decode(const fuzz_type *type, creo_bytes bytes, creo_arena *arena, void *value)
{
    creo_error error;
    creo_reader reader;
    creo_reader_init(&reader, bytes, CREO_COPY, arena, NULL, &error);
    return type->decode(&reader, value) && creo_reader_finish(&reader);
}

static creo_bytes encode(const fuzz_type *type, const void *value, creo_arena *arena)
{
    creo_error error;
    creo_writer writer;
    creo_writer_init(&writer, arena, NULL, &error);
    PROPERTY(type->encode(&writer, value));
    return creo_writer_bytes(&writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const fuzz_type *type = fuzz_choose(data[0]);
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    void *value = fuzz_value(type);
    memset(value, 0xA5, type->size);
    if (decode(type, creo_bytes_of(data + 1, size - 1), &arena, value)) {
        creo_bytes first = encode(type, value, &arena);
        memset(value, 0x5A, type->size);
        PROPERTY(decode(type, first, &arena, value));
        creo_bytes second = encode(type, value, &arena);
        PROPERTY(first.size == second.size && (first.size == 0 || memcmp(first.data, second.data, first.size) == 0));
    }
    free(value);
    creo_arena_free(&arena);
    return 0;
}
