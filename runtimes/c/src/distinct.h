/* Finds keys that occur twice. Not part of the API. */
#ifndef CREO_SRC_DISTINCT_H
#define CREO_SRC_DISTINCT_H

#include <creo/reader.h>

/* The entries of a map: each begins with its key. */
typedef struct creo_entries {
    const uint8_t *first;
    size_t count;
    size_t stride;
    creo_key key;
} creo_entries;

/*
 * Whether `creo_entries_repeated` needs memory. It needs none for few entries, nor if the keys stand in ascending order, as they
 * mostly do; those cases are found in time linear in the count.
 */
bool creo_entries_need_order(const creo_entries *entries);

/*
 * The position of the first entry whose key occurred before, or the count if the keys are distinct. `order` is memory for `count` numbers:
 * then the time is count * log(count) whatever the keys are, so that no peer can choose keys that are slow. With NULL every pair is compared.
 */
size_t creo_entries_repeated(const creo_entries *entries, uint32_t *order);

#endif
