/*
 * Whatever a package is, taking it apart gives parts that lie within it or are no longer than it, each with an id of its own, or fails; what the envelope refers to is read, or refused.
 * The input is the media type's parameters, a line end, and the body.
 */
#include "fuzz_text.h"

#include "soap/soap.h"

/* Those in base64 or quoted-printable are elsewhere, and fewer than what they were written as. */
static void check_bytes(creo_bytes bytes, size_t body_size)
{
    volatile uint8_t sum = 0;
    PROPERTY(bytes.size <= body_size);
    for (size_t i = 0; i < bytes.size; i++)
        sum ^= bytes.data[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *line = size == 0 ? NULL : (const uint8_t *)memchr(data, '\n', size);
    if (line == NULL)
        return 0;
    char type[256];
    int type_size = line - data > 150 ? 150 : (int)(line - data);
    (void)snprintf(type, sizeof type, "multipart/related;%.*s", type_size, (const char *)data);
    size_t body_size = size - (size_t)(line - data) - 1;
    uint8_t *body = fuzz_exact(line + 1, body_size);
    creo_limits limits = creo_limits_default();
    creo_arena arena;
    creo_error error;
    creo_multipart package;
    limits.max_parts = 20;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error_clear(&error);
    if (!creo_multipart_read(creo_bytes_of(body, body_size), creo_text(type), &limits, &arena, &package, &error)) {
        fuzz_check_error(&error);
    } else {
        PROPERTY(package.part_count >= 1 && package.part_count <= 20);
        check_bytes(package.root, body_size);
        for (size_t i = 0; i < package.part_count; i++) {
            const creo_xml_part *part = &package.parts[i];
            check_bytes(part->bytes, body_size);
            for (size_t j = 0; j < i; j++)
                PROPERTY(part->id.data == NULL || package.parts[j].id.data == NULL || !creo_string_equal(part->id, package.parts[j].id));
        }
        sample_sample_everything_outcome *outcome = (sample_sample_everything_outcome *)malloc(sizeof *outcome);
        PROPERTY(outcome != NULL);
        creo_soap_end end = creo_soap_read(&sample_sample_text.methods[0], package.root, CREO_CHARSET_NONE, package.parts, package.part_count, body_size - package.root.size, NULL, NULL, &arena, &limits, outcome, &error);
        if (end != CREO_SOAP_OUTCOME)
            fuzz_check_error(&error);
        free(outcome);
    }
    fuzz_check_memory(&arena, size);
    free(body);
    creo_arena_free(&arena);
    return 0;
}
