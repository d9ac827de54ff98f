/* Finds keys that occur twice. Not part of the API. */
#ifndef CREO_SRC_DISTINCT_H
#define CREO_SRC_DISTINCT_H

#include <creo/types.h>

#include "../base/internal.h"

/* The entries of a map: each begins with its key. */
typedef struct creo_entries {
    const uint8_t *first;
    size_t count;
    size_t stride;
    creo_key key;
} creo_entries;

/* The hash of a number as a key: all of it is in the upper half. Here, so that tests can choose keys that meet. */
static inline uint64_t creo_entries_mix(uint64_t value)
{
    value *= UINT64_C(0x9E3779B97F4A7C15);
    value ^= value >> 32;
    return value * UINT64_C(0xD6E8FEB86659FD93);
}

/*
 * How many numbers of memory `creo_entries_repeated` needs. None, if there are few entries, or the keys ascend: that is seen in time linear in
 * the count.
 */
CREO_PRIVATE size_t creo_entries_room(const creo_entries *entries);

/*
 * The position of the first entry whose key occurred before, or the count if the keys are distinct. `room` is that memory: then the time is linear in the count
 * for keys that were not chosen for it, and count * log(count) whatever the keys are, so that no peer can choose keys that are slow. With NULL, every pair of many keys
 * is compared.
 */
CREO_PRIVATE size_t creo_entries_repeated(const creo_entries *entries, uint32_t *room);

#endif
