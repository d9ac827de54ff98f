/* Finds duplicate keys. Not part of the API. */
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

/* The hash of a numeric key: the upper half contains all of it. It is here for tests, which choose colliding keys. */
static inline uint64_t creo_entries_mix(uint64_t value)
{
    value *= UINT64_C(0x9E3779B97F4A7C15);
    value ^= value >> 32;
    return value * UINT64_C(0xD6E8FEB86659FD93);
}

/*
 * How many numbers of memory `creo_entries_repeated` needs. None if there are few entries, or the keys ascend: this is checked in linear time.
 */
CREO_PRIVATE size_t creo_entries_room(const creo_entries *entries);

/*
 * The position of the first entry with an earlier key, or the count if the keys are distinct. `room` is that memory: the time is then linear for keys
 * that were not chosen to be slow, and count * log(count) for any keys, so a peer cannot choose slow ones. With NULL, all pairs of many keys are
 * compared.
 */
CREO_PRIVATE size_t creo_entries_repeated(const creo_entries *entries, uint32_t *room);

#endif
