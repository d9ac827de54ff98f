/* Bytes and numbers moved in bulk, at every distance of two addresses that matters. */
#include "check.h"

#include "binary/bulk.h"
#include "buffer/copy.h"

#define ROOM ((size_t)3 * 4096)

/* Starts of pages, so only the last bits of addresses differ. */
static uint8_t source[ROOM];
static uint8_t target[ROOM];

static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 31 + i / 256 + 1);
}

static uint8_t *page_of(uint8_t *room)
{
    return room + (4096 - ((uintptr_t)room & 0xFFF)) % 4096;
}

/* The bytes before and after are unchanged. */
static void assert_alone(const uint8_t *to, size_t size)
{
    for (const uint8_t *at = target; at < target + ROOM; at++)
        if ((at < to || at >= to + size) && *at != 0xEE)
            fail_msg("a byte %td from the start was written", at - to);
}

static void copies_are_whole(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {0, 1, 31, 1023, 1024, 1025, 2047, 2048, 2049, 4000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t behind = 0; behind < 70; behind++) {
            uint8_t *to = page_of(target) + behind;
            uint8_t *from = page_of(source);
            for (size_t i = 0; i < sizes[s]; i++)
                from[i] = byte_at(i);
            memset(target, 0xEE, sizeof target);
            creo_copy(to, from, sizes[s]);
            assert_memory_equal(to, from, sizes[s]);
            assert_alone(to, sizes[s]);
        }
    }
}

static void numbers_are_swapped(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {2, 4, 8};
    static void (*const swaps[])(uint8_t *, const uint8_t *, size_t) = {creo_swap2, creo_swap4, creo_swap8};
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    for (size_t k = 0; k < 3; k++) {
        size_t size = sizes[k];
        for (size_t count = 0; count <= 70; count++) {
            for (size_t shift = 0; shift < 3; shift++) {
                uint8_t *to = target + 100 + shift;
                uint8_t *from = source + 7 * shift;
                for (size_t i = 0; i < size * count; i++)
                    from[i] = byte_at(i);
                memset(target, 0xEE, sizeof target);
                swaps[k](to, from, count);
                for (size_t i = 0; i < size * count; i++)
                    assert_int_equal(to[i], byte_at(first == 0 ? i : i / size * size + size - 1 - i % size));
                assert_alone(to, size * count);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_are_whole), cmocka_unit_test(numbers_are_swapped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
