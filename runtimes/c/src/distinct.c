#include "distinct.h"

/* Up to this many entries it is cheapest to compare each with each. */
#define FEW 8

static int compare_number(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

/* Any total order serves, since only equality matters. */
static int compare(const creo_entries *entries, size_t i, size_t j)
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

static bool ascending(const creo_entries *entries)
{
    for (size_t i = 1; i < entries->count; i++)
        if (compare(entries, i - 1, i) >= 0)
            return false;
    return true;
}

bool creo_entries_need_order(const creo_entries *entries)
{
    return entries->count > FEW && !ascending(entries);
}

/* By key, and by position among equal keys. */
static bool before(const creo_entries *entries, uint32_t i, uint32_t j)
{
    int order = compare(entries, i, j);
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

static void sort(const creo_entries *entries, uint32_t *order)
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

static size_t first_of_pairs(const creo_entries *entries)
{
    for (size_t j = 1; j < entries->count; j++)
        for (size_t i = 0; i < j; i++)
            if (compare(entries, i, j) == 0)
                return j;
    return entries->count;
}

size_t creo_entries_repeated(const creo_entries *entries, uint32_t *order)
{
    if (order == NULL)
        return entries->count > FEW && ascending(entries) ? entries->count : first_of_pairs(entries);
    sort(entries, order);
    size_t first = entries->count;
    for (size_t i = 1; i < entries->count; i++)
        if (order[i] < first && compare(entries, order[i - 1], order[i]) == 0)
            first = order[i];
    return first;
}
