/*
 * Whatever the bytes are, the JSON reader reads none outside them, and either fails with an error that says where, or gives a value. That value can be written,
 * and what was written is read again and written the same. A problem document ends a call with an outcome whose parts are all set, or with a clean error.
 */
#include "fuzz_text.h"

#include "json/json_problem.h"

static void read_problem(const uint8_t *data, size_t size)
{
    const creo_text_method *method = &sample_sample_text.methods[0];
    creo_client client;
    creo_http_place place;
    creo_error error;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_client_init(&client, "h", 1, creo_allocator_libc());
    creo_error_clear(&error);
    memset(&place, 0, sizeof place);
    creo_http_body body = {NULL, 0, 0, false, false};
    creo_http_call call = {&client, &place, NULL, "m", creo_bytes_of(NULL, 0), &body, 0, &error, NULL, NULL, CREO_HTTP_START};
    call.host = "h";
    call.target = creo_text("/m");
    creo_http_answer answer;
    memset(&answer, 0, sizeof answer);
    answer.status = size % 2 == 0 ? 422 : 200;
    answer.content_type = creo_text("application/problem+json");
    answer.body = creo_bytes_of(data, size);
    sample_sample_everything_outcome *outcome = (sample_sample_everything_outcome *)malloc(sizeof *outcome);
    PROPERTY(outcome != NULL);
    if (creo_json_read_problem(&call, method, &answer, &arena, outcome)) {
        static const creo_text_root *const roots[] = {&sample_not_found_xml, &sample_refused_xml};
        creo_bytes json;
        PROPERTY(outcome->kind == SAMPLE_SAMPLE_EVERYTHING_NOT_FOUND || outcome->kind == SAMPLE_SAMPLE_EVERYTHING_REFUSED);
        PROPERTY(creo_json_to_bytes(roots[outcome->kind - 1], &outcome->as, &arena, &json, &error));
    } else {
        fuzz_check_error(&error);
        fuzz_check_details(&error);
    }
    free(outcome);
    creo_client_free(&client);
    creo_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t text_size = size - 1;
    uint8_t *text = fuzz_exact(data + 1, text_size);
    if ((data[0] & 0x40) != 0) {
        read_problem(text, text_size);
        free(text);
        return 0;
    }
    const fuzz_root *type = fuzz_choose_root(data[0] & 0x3F);
    creo_keep keep = (data[0] & 0x80) != 0 ? CREO_BORROW : CREO_COPY;
    void *value = malloc(type->size);
    creo_arena arena;
    creo_error error;
    PROPERTY(value != NULL);
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error_clear(&error);
    if (!creo_json_read(creo_bytes_of(text, text_size), keep, type->root, value, &arena, NULL, &error)) {
        fuzz_check_error(&error);
        PROPERTY(error.code == CREO_MALFORMED || error.code == CREO_TOO_LARGE);
        PROPERTY(error.place[0] == '$');
        PROPERTY(error.has_offset && error.offset <= text_size);
    } else {
        creo_bytes first;
        creo_bytes second;
        void *back = malloc(type->size);
        PROPERTY(back != NULL);
        PROPERTY(creo_json_to_bytes(type->root, value, &arena, &first, &error));
        PROPERTY(creo_json_from_bytes(type->root, first, &arena, back, &error));
        PROPERTY(creo_json_to_bytes(type->root, back, &arena, &second, &error));
        PROPERTY(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
        free(back);
    }
    fuzz_check_memory(&arena, text_size);
    free(value);
    free(text);
    creo_arena_free(&arena);
    return 0;
}
