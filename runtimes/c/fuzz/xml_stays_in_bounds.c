/*
 * Whatever the bytes are, the XML reader reads none outside them, and either fails with an error that says where, or gives a value. That value can be written,
 * and what was written is read again and written the same.
 */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const fuzz_root *type = fuzz_choose_root(data[0] & 0x7F);
    creo_keep keep = (data[0] & 0x80) != 0 ? CREO_BORROW : CREO_COPY;
    size_t text_size = size - 1;
    uint8_t *text = fuzz_exact(data + 1, text_size);
    void *value = malloc(type->size);
    creo_arena arena;
    creo_error error;
    PROPERTY(value != NULL);
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error_clear(&error);
    if (!creo_xml_read(creo_bytes_of(text, text_size), keep, type->root, value, &arena, NULL, &error)) {
        fuzz_check_error(&error);
        PROPERTY(error.code == CREO_MALFORMED || error.code == CREO_TOO_LARGE);
        PROPERTY(error.place[0] == '$');
        /* UTF-16 has at most three bytes of UTF-8 for two of its own. */
        PROPERTY(error.has_offset && error.offset <= text_size * 3 / 2 + 1);
    } else {
        creo_bytes first;
        creo_bytes second;
        void *back = malloc(type->size);
        PROPERTY(back != NULL);
        PROPERTY(creo_xml_to_bytes(type->root, value, &arena, &first, &error));
        PROPERTY(creo_xml_from_bytes(type->root, first, &arena, back, &error));
        PROPERTY(creo_xml_to_bytes(type->root, back, &arena, &second, &error));
        PROPERTY(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
        free(back);
    }
    fuzz_check_memory(&arena, text_size);
    free(value);
    free(text);
    creo_arena_free(&arena);
    return 0;
}
