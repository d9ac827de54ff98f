/* What the fuzz targets share. Each target is named by the property that it checks: see docs/security.md. */
#ifndef FUZZ_H
#define FUZZ_H

#include <creo/creo.h>

#include "sample.creo.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken property ends the program, which the fuzzer reports with the input. */
#define PROPERTY(holds)                                                                                                                              \
    do {                                                                                                                                             \
        if (!(holds)) {                                                                                                                              \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #holds);                                                                \
            abort();                                                                                                                                 \
        }                                                                                                                                            \
    } while (0)

/* A type of the sample. */
typedef struct fuzz_type {
    size_t size;
    bool (*decode)(creo_reader *reader, void *value);
    bool (*encode)(creo_writer *writer, const void *value);
} fuzz_type;

#define FUZZ_TYPE(name)                                                                                                                              \
    static inline bool decode_##name(creo_reader *reader, void *value)                                                                               \
    {                                                                                                                                                \
        return name##_decode(reader, (name *)value);                                                                                                 \
    }                                                                                                                                                \
    static inline bool encode_##name(creo_writer *writer, const void *value)                                                                         \
    {                                                                                                                                                \
        return name##_encode(writer, (const name *)value);                                                                                           \
    }

FUZZ_TYPE(sample_everything)
FUZZ_TYPE(sample_scalars)
FUZZ_TYPE(sample_shape)
FUZZ_TYPE(sample_event)
FUZZ_TYPE(sample_growing)
FUZZ_TYPE(sample_tree)
FUZZ_TYPE(sample_refused)
FUZZ_TYPE(sample_block_array)
FUZZ_TYPE(sample_checked_array)
FUZZ_TYPE(sample_nothing_array)
FUZZ_TYPE(sample_string_int_map)
FUZZ_TYPE(sample_colour_shape_map)
FUZZ_TYPE(sample_string_optional_array)

/* The type that the input's first byte chooses. */
static inline const fuzz_type *fuzz_choose(uint8_t byte)
{
    static const fuzz_type types[] = {
        {sizeof(sample_everything), decode_sample_everything, encode_sample_everything},
        {sizeof(sample_scalars), decode_sample_scalars, encode_sample_scalars},
        {sizeof(sample_shape), decode_sample_shape, encode_sample_shape},
        {sizeof(sample_event), decode_sample_event, encode_sample_event},
        {sizeof(sample_growing), decode_sample_growing, encode_sample_growing},
        {sizeof(sample_tree), decode_sample_tree, encode_sample_tree},
        {sizeof(sample_refused), decode_sample_refused, encode_sample_refused},
        {sizeof(sample_block_array), decode_sample_block_array, encode_sample_block_array},
        {sizeof(sample_checked_array), decode_sample_checked_array, encode_sample_checked_array},
        {sizeof(sample_nothing_array), decode_sample_nothing_array, encode_sample_nothing_array},
        {sizeof(sample_string_int_map), decode_sample_string_int_map, encode_sample_string_int_map},
        {sizeof(sample_colour_shape_map), decode_sample_colour_shape_map, encode_sample_colour_shape_map},
        {sizeof(sample_string_optional_array), decode_sample_string_optional_array, encode_sample_string_optional_array},
    };
    return &types[byte % (sizeof types / sizeof types[0])];
}

/* Memory for a value, not cleared, on the heap so that the sanitizer guards its ends. */
static inline void *fuzz_value(const fuzz_type *type)
{
    void *value = malloc(type->size);
    PROPERTY(value != NULL);
    return value;
}

/* What every error promises: a code, a place that begins with $ if it has one, and no control characters. */
static inline void fuzz_check_error(const creo_error *error)
{
    PROPERTY(error->code >= CREO_MALFORMED && error->code <= CREO_INTERNAL);
    for (const char *at = error->message; *at != 0; at++)
        PROPERTY((unsigned char)*at >= 0x20 && *at != 0x7F);
    for (const char *at = error->place; *at != 0; at++)
        PROPERTY((unsigned char)*at >= 0x20 && *at != 0x7F);
    PROPERTY(creo_utf8_valid(error->message, strlen(error->message)));
    char text[CREO_ERROR_TEXT];
    PROPERTY(strlen(creo_error_format(error, text, sizeof text)) < sizeof text);
}

/* What came with an answer is all there, without the memory of the caller, and its metadata are what TCP-17 allows. */
static inline void fuzz_check_answer(const creo_answer *answer)
{
    if (answer == NULL)
        return;
    PROPERTY(answer->metadata_count <= 64);
    for (size_t i = 0; i < answer->metadata_count; i++) {
        creo_pair pair = answer->metadata[i];
        PROPERTY(pair.key.size >= 1 && pair.key.size <= 64 && pair.value.size <= 16384);
        PROPERTY(creo_utf8_valid(pair.key.data, pair.key.size) && creo_utf8_valid(pair.value.data, pair.value.size));
        for (size_t j = 0; j < i; j++)
            PROPERTY(!creo_string_equal(answer->metadata[j].key, pair.key));
    }
    for (size_t i = 0; i < answer->header_count; i++) {
        creo_pair pair = answer->headers[i];
        for (size_t j = 0; j < pair.key.size; j++)
            PROPERTY(pair.key.data[j] > ' ' && !(pair.key.data[j] >= 'A' && pair.key.data[j] <= 'Z'));
        for (size_t j = 0; j < pair.value.size; j++)
            PROPERTY(pair.value.data[j] != '\r' && pair.value.data[j] != '\n');
    }
}

#endif
