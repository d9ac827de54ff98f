/* The types of the sample, for the fuzz targets of the text wires. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include "fuzz.h"

#include "sample.text.h"

/* A type of the sample. */
typedef struct fuzz_root {
    size_t size;
    const creo_text_root *root;
} fuzz_root;

/* The type that the input's first byte chooses. */
static inline const fuzz_root *fuzz_choose_root(uint8_t byte)
{
    static const fuzz_root roots[] = {
        {sizeof(sample_everything), &sample_everything_xml}, {sizeof(sample_scalars), &sample_scalars_xml}, {sizeof(sample_shape), &sample_shape_xml},
        {sizeof(sample_event), &sample_event_xml},           {sizeof(sample_growing), &sample_growing_xml}, {sizeof(sample_tree), &sample_tree_xml},
        {sizeof(sample_refused), &sample_refused_xml},       {sizeof(sample_level), &sample_level_xml},
    };
    return &roots[byte % (sizeof roots / sizeof roots[0])];
}

/* Bytes on the heap and exactly as large, so that the sanitizer sees a read of one byte more. */
static inline uint8_t *fuzz_exact(const uint8_t *data, size_t size)
{
    uint8_t *copy = (uint8_t *)malloc(size == 0 ? 1 : size);
    PROPERTY(copy != NULL);
    if (size != 0)
        memcpy(copy, data, size);
    return copy;
}

/* Memory is taken in proportion to the bytes that are there: an item of each type costs some. */
static inline void fuzz_check_memory(const creo_arena *arena, size_t size)
{
    PROPERTY(arena->taken <= (size_t)131072 + (size + 1) * 4 * sizeof(sample_everything));
}

static inline void fuzz_check_details(const creo_error *error)
{
    for (size_t i = 0; i < error->detail_count; i++) {
        PROPERTY(creo_utf8_valid(error->details[i].key.data, error->details[i].key.size));
        PROPERTY(creo_utf8_valid(error->details[i].value.data, error->details[i].value.size));
    }
}

#endif
