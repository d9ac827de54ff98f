#include "distinct.h"

#include "../base/utf8.h"

/* Up to this many entries, comparing all pairs is cheapest. */
#define DISTINCT_FEW 4

/* Up to this many, their table is on the stack. */
#define SOME 64

/* The table gives up after this many collisions per entry, which do not happen by chance. */
#define MAX_MEETINGS 8

static int compare_number(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

/* Any total order will do, since only equality matters. */
static int distinct_compare(const creo_entries *entries, size_t i, size_t j)
{
    const uint8_t *a = entries->first + i * entries->stride;
    const uint8_t *b = entries->first + j * entries->stride;
    switch (entries->key) {
    case CREO_KEY_8:
        return compare_number(*a, *b);
    case CREO_KEY_16: {
        uint16_t x;
        uint16_t y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return compare_number(x, y);
    }
    case CREO_KEY_32: {
        uint32_t x;
        uint32_t y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return compare_number(x, y);
    }
    case CREO_KEY_64: {
        uint64_t x;
        uint64_t y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return compare_number(x, y);
    }
    case CREO_KEY_STRING:
        break;
    }
    creo_string x;
    creo_string y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    size_t common = x.size < y.size ? x.size : y.size;
    int order = common == 0 ? 0 : memcmp(x.data, y.data, common);
    return order != 0 ? order : compare_number(x.size, y.size);
}

static creo_string text_at(const uint8_t *at)
{
    creo_string text;
    memcpy(&text, at, sizeof text);
    return text;
}

static bool equal(const creo_entries *entries, size_t i, size_t j)
{
    if (entries->key != CREO_KEY_STRING)
        return distinct_compare(entries, i, j) == 0;
    creo_string x = text_at(entries->first + i * entries->stride);
    creo_string y = text_at(entries->first + j * entries->stride);
    return x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
}

static uint64_t hash_text(creo_string text)
{
    const uint8_t *at = (const uint8_t *)text.data;
    size_t size = text.size;
    uint64_t all = size;
    if (size == 0 || at == NULL)
        return 0;
    if (size < 4)
        return creo_entries_mix(all << 32 | (uint64_t)at[0] << 16 | (uint64_t)at[size / 2] << 8 | at[size - 1]);
    if (size < 8)
        return creo_entries_mix((uint64_t)creo_load4(at) << 32 ^ creo_load4(at + size - 4) ^ all);
    for (; size > 8; at += 8, size -= 8)
        all = creo_entries_mix(all ^ creo_load8(at));
    /* The last eight bytes may overlap earlier ones. */
    return creo_entries_mix(all ^ creo_load8(at + size - 8));
}

static uint64_t hash(const creo_entries *entries, size_t i)
{
    const uint8_t *at = entries->first + i * entries->stride;
    uint64_t number = 0;
    switch (entries->key) {
    case CREO_KEY_8:
        return creo_entries_mix(*at);
    case CREO_KEY_16: {
        uint16_t narrow;
        memcpy(&narrow, at, sizeof narrow);
        return creo_entries_mix(narrow);
    }
    case CREO_KEY_32:
        return creo_entries_mix(creo_load4(at));
    case CREO_KEY_64:
        memcpy(&number, at, sizeof number);
        return creo_entries_mix(number);
    case CREO_KEY_STRING:
        break;
    }
    return hash_text(text_at(at));
}

static bool ascending(const creo_entries *entries)
{
    for (size_t i = 1; i < entries->count; i++)
        if (distinct_compare(entries, i - 1, i) >= 0)
            return false;
    return true;
}

/* A power of two, at least twice the number of entries. */
static size_t slots_for(size_t count)
{
    size_t slots = 2;
    while (slots / 2 < count)
        slots *= 2;
    return slots;
}

size_t creo_entries_room(const creo_entries *entries)
{
    return entries->count <= SOME || ascending(entries) ? 0 : slots_for(entries->count);
}

/* Puts each entry into the first free slot from its key's hash; false after too many collisions. */
static bool by_table(const creo_entries *entries, uint32_t *table, size_t *first)
{
    size_t slots = slots_for(entries->count);
    size_t meetings = entries->count * MAX_MEETINGS;
    memset(table, 0, slots * sizeof *table);
    for (size_t i = 0; i < entries->count; i++) {
        size_t slot = (size_t)(hash(entries, i) >> 32) & (slots - 1);
        for (; table[slot] != 0; slot = (slot + 1) & (slots - 1)) {
            if (equal(entries, table[slot] - 1, i)) {
                *first = i;
                return true;
            }
            if (meetings-- == 0)
                return false;
        }
        table[slot] = (uint32_t)i + 1;
    }
    *first = entries->count;
    return true;
}

/* By key, and by position among equal keys. */
static bool before(const creo_entries *entries, uint32_t i, uint32_t j)
{
    int order = distinct_compare(entries, i, j);
    return order != 0 ? order < 0 : i < j;
}

static void sift_down(const creo_entries *entries, uint32_t *order, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && before(entries, order[child], order[child + 1]))
            child++;
        if (!before(entries, order[root], order[child]))
            return;
        uint32_t moved = order[root];
        order[root] = order[child];
        order[child] = moved;
        root = child;
    }
}

static void distinct_sort(const creo_entries *entries, uint32_t *order)
{
    for (size_t i = 0; i < entries->count; i++)
        order[i] = (uint32_t)i;
    for (size_t root = entries->count / 2; root-- > 0;)
        sift_down(entries, order, root, entries->count);
    for (size_t last = entries->count; last-- > 1;) {
        uint32_t largest = order[0];
        order[0] = order[last];
        order[last] = largest;
        sift_down(entries, order, 0, last);
    }
}

static size_t by_order(const creo_entries *entries, uint32_t *order)
{
    distinct_sort(entries, order);
    size_t first = entries->count;
    for (size_t i = 1; i < entries->count; i++)
        if (order[i] < first && equal(entries, order[i - 1], order[i]))
            first = order[i];
    return first;
}

static size_t by_pairs(const creo_entries *entries)
{
    for (size_t j = 1; j < entries->count; j++)
        for (size_t i = 0; i < j; i++)
            if (equal(entries, i, j))
                return j;
    return entries->count;
}

size_t creo_entries_repeated(const creo_entries *entries, uint32_t *room)
{
    size_t first;
    if (entries->count <= DISTINCT_FEW)
        return by_pairs(entries);
    if (entries->count <= SOME) {
        uint32_t table[2 * SOME];
        return by_table(entries, table, &first) ? first : by_pairs(entries);
    }
    if (room == NULL)
        return ascending(entries) ? entries->count : by_pairs(entries);
    return by_table(entries, room, &first) ? first : by_order(entries, room);
}
