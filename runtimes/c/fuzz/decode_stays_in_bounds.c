/*
 * Whatever the bytes are, decoding reads none outside them, and either fails with an error that says where, within the bytes,
 * or gives a value. Texts are copied or borrowed, as a bit of the input says.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const fuzz_type *type = fuzz_choose(data[0] & 0x7F);
    creo_keep keep = (data[0] & 0x80) != 0 ? CREO_BORROW : CREO_COPY;
    /* Exactly as large as the input, so that the sanitizer sees a read of one byte more. */
    size_t body_size = size - 1;
    uint8_t *body = (uint8_t *)malloc(body_size == 0 ? 1 : body_size);
    PROPERTY(body != NULL);
    memcpy(body, data + 1, body_size);
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error error;
    creo_error_clear(&error);
    creo_reader reader;
    creo_reader_init(&reader, creo_bytes_of(body, body_size), keep, &arena, NULL, &error);
    void *value = fuzz_value(type);
    if (!type->decode(&reader, value) || !creo_reader_finish(&reader)) {
        fuzz_check_error(&error);
        PROPERTY(error.code == CREO_MALFORMED || error.code == CREO_TOO_LARGE);
        PROPERTY(error.place[0] == '$');
        PROPERTY(error.has_offset && error.offset <= body_size);
    }
    free(value);
    free(body);
    creo_arena_free(&arena);
    return 0;
}
