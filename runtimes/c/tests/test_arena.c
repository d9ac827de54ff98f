#include "check.h"

/* An allocator that counts memory, and can refuse. */
typedef struct counter {
    size_t taken;
    size_t pieces;
    size_t most;
} counter;

static void *count_allocate(void *context, size_t size)
{
    counter *kept = (counter *)context;
    if (kept->taken + size > kept->most)
        return NULL;
    kept->taken += size;
    kept->pieces++;
    return malloc(size);
}

static void count_release(void *context, void *memory, size_t size)
{
    counter *kept = (counter *)context;
    kept->taken -= size;
    kept->pieces--;
    free(memory);
}

static creo_allocator counting(counter *kept)
{
    kept->taken = 0;
    kept->pieces = 0;
    kept->most = SIZE_MAX / 2;
    return (creo_allocator){count_allocate, count_release, kept};
}

static void pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    counter kept;
    creo_arena arena;
    creo_arena_init(&arena, counting(&kept));
    assert_int_equal(kept.pieces, 0);
    uint8_t *pieces[600];
    for (size_t i = 0; i < 600; i++) {
        size_t size = i % 97 + 1;
        pieces[i] = i % 3 == 0 ? creo_arena_bytes(&arena, size) : (uint8_t *)creo_arena_take(&arena, 1, size);
        assert_non_null(pieces[i]);
        if (i % 3 != 0 && size > 1)
            assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)(i & 0xFF), size);
    }
    for (size_t i = 0; i < 600; i++)
        for (size_t j = 0; j < i % 97 + 1; j++)
            assert_int_equal(pieces[i][j], i & 0xFF);
    assert_int_equal(arena.taken, kept.taken);
    creo_arena_free(&arena);
    assert_int_equal(kept.taken, 0);
    assert_int_equal(kept.pieces, 0);
}

static void sizes_do_not_overflow(void **state)
{
    (void)state;
    counter kept;
    creo_arena arena;
    creo_arena_init(&arena, counting(&kept));
    assert_null(creo_arena_take(&arena, SIZE_MAX, 2));
    assert_null(creo_arena_take(&arena, SIZE_MAX / 16 + 1, 16));
    assert_null(creo_arena_take(&arena, SIZE_MAX, 1));
    assert_null(creo_arena_take(&arena, SIZE_MAX - 8, 1));
    assert_null(creo_arena_take(&arena, 0, 8));
    assert_null(creo_arena_bytes(&arena, 0));
    assert_null(creo_arena_text(&arena, (creo_string){"", SIZE_MAX}));
    creo_arena_free(&arena);
}

static void fixed_memory_is_never_left(void **state)
{
    (void)state;
    uint8_t *memory = (uint8_t *)malloc(100);
    assert_non_null(memory);
    creo_arena arena;
    creo_arena_init_fixed(&arena, memory, 100);
    size_t count = 0;
    while (creo_arena_bytes(&arena, 7) != NULL)
        count++;
    assert_int_equal(count, 14);
    assert_null(creo_arena_take(&arena, 1, 16));
    creo_arena_reset(&arena);
    assert_non_null(creo_arena_bytes(&arena, 100));
    assert_null(creo_arena_bytes(&arena, 1));
    creo_arena_free(&arena);
    free(memory);
}

static void most_bounds_what_is_taken(void **state)
{
    (void)state;
    counter kept;
    creo_arena arena;
    creo_arena_init(&arena, counting(&kept));
    arena.most = 100000;
    size_t got = 0;
    while (creo_arena_take(&arena, 10, 100) != NULL)
        got += 1000;
    assert_in_range(got, 50000, 100000);
    assert_in_range(kept.taken, 1, 100000);
    assert_null(creo_arena_take(&arena, 1, 100001));
    creo_arena_free(&arena);
}

static void reset_keeps_the_largest_block(void **state)
{
    (void)state;
    counter kept;
    creo_arena arena;
    creo_arena_init(&arena, counting(&kept));
    for (int round = 0; round < 5; round++) {
        assert_non_null(creo_arena_take(&arena, 1, 100));
        assert_non_null(creo_arena_take(&arena, 1, 50000));
        assert_non_null(creo_arena_take(&arena, 1, 10000));
        creo_arena_reset(&arena);
        assert_int_equal(kept.pieces, 1);
        assert_in_range(kept.taken, 50000, 110000);
    }
    creo_arena_free(&arena);
    assert_int_equal(kept.taken, 0);
}

static void growing_moves_and_gives_back(void **state)
{
    (void)state;
    counter kept;
    creo_arena arena;
    creo_arena_init(&arena, counting(&kept));
    assert_non_null(creo_arena_take(&arena, 1, 64));
    uint8_t *piece = (uint8_t *)creo_arena_grow(&arena, NULL, 0, 0, 100);
    size_t size = 100;
    memset(piece, 7, size);
    /* Small growth stays in place. */
    assert_ptr_equal(creo_arena_grow(&arena, piece, size, size, 200), piece);
    size = 200;
    while (size < 4000000) {
        uint8_t *larger = (uint8_t *)creo_arena_grow(&arena, piece, size, 100, size * 2);
        assert_non_null(larger);
        for (size_t i = 0; i < 100; i++)
            assert_int_equal(larger[i], 7);
        piece = larger;
        size *= 2;
        memset(piece + 100, 1, size - 100);
    }
    /* The blocks that were grown out of were given back. */
    assert_in_range(kept.taken, size, size + 200000);
    kept.most = kept.taken;
    assert_null(creo_arena_grow(&arena, piece, size, 100, size * 2));
    assert_int_equal(piece[0], 7);
    creo_arena_free(&arena);
    assert_int_equal(kept.taken, 0);
}

static void rewinding_frees_what_came_later(void **state)
{
    (void)state;
    counter kept;
    creo_arena arena;
    creo_arena_init(&arena, counting(&kept));
    creo_mark empty = creo_arena_mark(&arena);
    assert_non_null(creo_arena_take(&arena, 1, 10000));
    creo_arena_rewind(&arena, empty);
    assert_int_equal(kept.taken, 0);
    void *first = creo_arena_take(&arena, 1, 16);
    creo_mark mark = creo_arena_mark(&arena);
    void *second = creo_arena_take(&arena, 1, 16);
    for (int i = 0; i < 100; i++)
        assert_non_null(creo_arena_take(&arena, 1, 1000));
    creo_arena_rewind(&arena, mark);
    assert_ptr_equal(creo_arena_take(&arena, 1, 16), second);
    assert_ptr_not_equal(first, second);
    /* Large pieces have separate blocks, too. */
    assert_non_null(creo_arena_take(&arena, 1, 1 << 20));
    size_t before = kept.taken;
    mark = creo_arena_mark(&arena);
    assert_non_null(creo_arena_take(&arena, 1, 1 << 20));
    assert_non_null(creo_arena_take(&arena, 1, 2 << 20));
    creo_arena_rewind(&arena, mark);
    assert_int_equal(kept.taken, before);
    creo_arena_free(&arena);
    assert_int_equal(kept.taken, 0);
}

static void seeded_memory_comes_first(void **state)
{
    (void)state;
    counter kept;
    uint8_t memory[256];
    creo_arena arena;
    creo_arena_init_seeded(&arena, memory, sizeof memory, counting(&kept));
    uint8_t *first = creo_arena_bytes(&arena, 200);
    assert_true(first >= memory && first < memory + sizeof memory);
    assert_int_equal(kept.pieces, 0);
    assert_non_null(creo_arena_bytes(&arena, 200));
    assert_int_equal(kept.pieces, 1);
    char *text = creo_arena_text(&arena, creo_text("text"));
    assert_string_equal(text, "text");
    creo_arena_free(&arena);
    assert_int_equal(kept.pieces, 0);
    assert_ptr_equal(creo_arena_bytes(&arena, 1), memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_apart),  cmocka_unit_test(sizes_do_not_overflow),
        cmocka_unit_test(fixed_memory_is_never_left),    cmocka_unit_test(most_bounds_what_is_taken),
        cmocka_unit_test(reset_keeps_the_largest_block), cmocka_unit_test(growing_moves_and_gives_back),
        cmocka_unit_test(rewinding_frees_what_came_later), cmocka_unit_test(seeded_memory_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
