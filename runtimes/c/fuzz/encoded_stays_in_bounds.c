/*
 * Whatever an answer of SOAP encoding refers to, reading it gives an outcome whose parts are all set, or an error without an offset whose texts are clean; and it
 * takes no more memory than its limits allow.
 */
#include "fuzz_text.h"

#include "encoded.text.h"
#include "soap/soap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const creo_text_method *method = &encoded_encoded_text.methods[(data[0] & 0x0F) % encoded_encoded_text.method_count];
    creo_charset charset = (creo_charset)(data[0] / 64 % 3);
    size_t text_size = size - 1;
    uint8_t *text = fuzz_exact(data + 1, text_size);
    creo_limits limits = creo_limits_default();
    limits.max_message_size = 65536;
    limits.max_empty_items = 100;
    union {
        encoded_encoded_find_outcome find;
        encoded_string_optional_array_optional texts;
        encoded_link link;
        creo_string raw;
    } outcome;
    creo_arena arena;
    creo_error error;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error_clear(&error);
    creo_soap_end end = creo_soap_read(method, creo_bytes_of(text, text_size), charset, NULL, 0, 0, NULL, NULL, &arena, &limits, &outcome, &error);
    if (end == CREO_SOAP_OUTCOME) {
        creo_bytes xml;
        if (method == &encoded_encoded_text.methods[1]) {
            PROPERTY(outcome.find.kind <= ENCODED_ENCODED_FIND_UNKNOWN);
            const creo_text_root *root = outcome.find.kind == ENCODED_ENCODED_FIND_RESULT ? &encoded_shape_xml : &encoded_unknown_xml;
            PROPERTY(creo_xml_to_bytes(root, &outcome.find.as, &arena, &xml, &error));
        } else if (method == &encoded_encoded_text.methods[2]) {
            for (size_t i = 0; outcome.texts.has && i < outcome.texts.value.count; i++)
                if (outcome.texts.value.items[i].has)
                    PROPERTY(creo_utf8_valid(outcome.texts.value.items[i].value.data, outcome.texts.value.items[i].value.size));
        } else if (method == &encoded_encoded_text.methods[3]) {
            PROPERTY(creo_xml_to_bytes(&encoded_link_xml, &outcome.link, &arena, &xml, &error));
        } else if (method == &encoded_encoded_text.methods[4]) {
            PROPERTY(creo_utf8_valid(outcome.raw.data, outcome.raw.size));
        }
    } else {
        fuzz_check_error(&error);
        fuzz_check_details(&error);
        PROPERTY(error.from_peer == (end == CREO_SOAP_FAULT) && !error.has_offset);
    }
    PROPERTY(arena.taken <= 8000000);
    free(text);
    creo_arena_free(&arena);
    return 0;
}
