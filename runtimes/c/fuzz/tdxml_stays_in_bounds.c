/*
 * Whatever the bytes are, the table reader reads none outside them, and either fails with an error that says where, or gives a value. That value can be written
 * in both schemes, with a data schema, and what was written is read again and written the same.
 */
#include "fuzz_text.h"

static void check_written(const fuzz_root *type, const void *value, creo_arena *arena)
{
    creo_bytes record = {NULL, 0};
    for (int form = 0; form < 4; form++) {
        creo_tdxml_options options = {form % 2 == 0 ? CREO_TDXML_RECORD : CREO_TDXML_AGGREGATED, form >= 2};
        const creo_tdxml_options plain = {CREO_TDXML_RECORD, false};
        creo_error error;
        creo_bytes first;
        creo_bytes second;
        void *back = malloc(type->size);
        PROPERTY(back != NULL);
        PROPERTY(creo_tdxml_to_bytes(type->root, value, options, arena, &first, &error));
        PROPERTY(creo_tdxml_from_bytes(type->root, first, arena, back, &error));
        PROPERTY(creo_tdxml_to_bytes(type->root, back, plain, arena, &second, &error));
        if (form == 0)
            record = first;
        PROPERTY(record.size == second.size && memcmp(record.data, second.data, record.size) == 0);
        free(back);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const fuzz_root *type = fuzz_choose_root(data[0] & 0x3F);
    creo_keep keep = (data[0] & 0x80) != 0 ? CREO_BORROW : CREO_COPY;
    /* The rows alone, most of the time: then the fuzzer need not find the tags. */
    bool whole = (data[0] & 0x40) != 0;
    size_t text_size = size - 1;
    uint8_t *text;
    if (whole) {
        text = fuzz_exact(data + 1, text_size);
    } else {
        static const char heads[2][40] = {"<Env xmlns=\"urn:creo:tdxml\"><RT>\n", "<Env xmlns=\"urn:creo:tdxml\"><CT>\n"};
        static const char tails[2][16] = {"</RT></Env>", "</CT></Env>"};
        size_t scheme = size % 2;
        size_t head = strlen(heads[scheme]);
        size_t tail = strlen(tails[scheme]);
        uint8_t *all = (uint8_t *)malloc(head + text_size + tail);
        PROPERTY(all != NULL);
        memcpy(all, heads[scheme], head);
        memcpy(all + head, data + 1, text_size);
        memcpy(all + head + text_size, tails[scheme], tail);
        text_size += head + tail;
        text = fuzz_exact(all, text_size);
        free(all);
    }
    void *value = malloc(type->size);
    creo_arena arena;
    creo_error error;
    PROPERTY(value != NULL);
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error_clear(&error);
    if (!creo_tdxml_read(creo_bytes_of(text, text_size), keep, type->root, value, &arena, NULL, &error)) {
        fuzz_check_error(&error);
        PROPERTY(error.code == CREO_MALFORMED || error.code == CREO_TOO_LARGE || error.code == CREO_PROTOCOL_MISMATCH);
        PROPERTY(error.place[0] == '$');
        /* UTF-16 has at most three bytes of UTF-8 for two of its own. */
        PROPERTY(!error.has_offset || error.offset <= text_size * 3 / 2 + 1);
        fuzz_check_memory(&arena, text_size);
    } else {
        fuzz_check_memory(&arena, text_size);
        check_written(type, value, &arena);
    }
    free(value);
    free(text);
    creo_arena_free(&arena);
    return 0;
}
