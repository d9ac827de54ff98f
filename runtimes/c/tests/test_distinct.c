/* Keys that occur twice, held against comparing all pairs. */
#include "check.h"

#include "buffer/distinct.h"

enum { MOST = 700 };

typedef struct entry {
    union {
        uint8_t narrow;
        uint16_t half;
        uint32_t whole;
        uint64_t wide;
        creo_string text;
    } key;
    int32_t value;
} entry;

typedef struct map {
    creo_entries list;
    entry entries[MOST];
    char texts[MOST][40];
} map;

static uint32_t state = 1;

static uint32_t chance(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)state * below >> 32);
}

/* Gives an entry the key of that number; strings of all lengths, many with the same beginning. */
static void set(map *of, size_t i, uint32_t number)
{
    entry *to = &of->entries[i];
    memset(to, 0xA5, sizeof *to);
    switch (of->list.key) {
    case CREO_KEY_8:
        to->key.narrow = (uint8_t)number;
        return;
    case CREO_KEY_16:
        to->key.half = (uint16_t)number;
        return;
    case CREO_KEY_32:
        to->key.whole = number;
        return;
    case CREO_KEY_64:
        to->key.wide = (uint64_t)number << 32;
        return;
    case CREO_KEY_STRING:
        break;
    }
    int size = snprintf(of->texts[i], sizeof of->texts[i], "%.*s%u", (int)(number % 24), "the same beginning of all", number);
    to->key.text = (creo_string){number == 0 ? NULL : of->texts[i], number == 0 ? 0 : (size_t)size};
}

static bool same(const map *of, size_t i, size_t j)
{
    const entry *a = &of->entries[i];
    const entry *b = &of->entries[j];
    switch (of->list.key) {
    case CREO_KEY_8:
        return a->key.narrow == b->key.narrow;
    case CREO_KEY_16:
        return a->key.half == b->key.half;
    case CREO_KEY_32:
        return a->key.whole == b->key.whole;
    case CREO_KEY_64:
        return a->key.wide == b->key.wide;
    case CREO_KEY_STRING:
        break;
    }
    return creo_string_equal(a->key.text, b->key.text);
}

static size_t due(const map *of)
{
    for (size_t j = 1; j < of->list.count; j++)
        for (size_t i = 0; i < j; i++)
            if (same(of, i, j))
                return j;
    return of->list.count;
}

static void check(const map *of)
{
    size_t room = creo_entries_room(&of->list);
    /* In exact size, for the sanitizer to detect overruns. */
    uint32_t *memory = (uint32_t *)calloc(room == 0 ? 1 : room, sizeof *memory);
    assert_non_null(memory);
    size_t found = due(of);
    assert_int_equal(creo_entries_repeated(&of->list, room == 0 ? NULL : memory), found);
    assert_int_equal(creo_entries_repeated(&of->list, NULL), found);
    free(memory);
}

static const creo_key keys[] = {CREO_KEY_8, CREO_KEY_16, CREO_KEY_32, CREO_KEY_64, CREO_KEY_STRING};
static const size_t counts[] = {0, 1, 2, 4, 5, 9, 63, 64, 65, 128, 129, MOST};

static map *make(creo_key key, size_t count)
{
    map *made = (map *)malloc(sizeof *made);
    assert_non_null(made);
    made->list = (creo_entries){(const uint8_t *)made->entries, count, sizeof(entry), key};
    return made;
}

static void the_first_key_that_occurs_again_is_found(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            map *of = make(keys[k], counts[c]);
            /* In order, in none, and with a key or some that occur again. */
            for (size_t i = 0; i < counts[c]; i++)
                set(of, i, (uint32_t)i);
            check(of);
            for (size_t i = 0; i < counts[c]; i++)
                set(of, i, (uint32_t)(i * 7919 % 65521));
            check(of);
            for (int again = 0; again < 3 && counts[c] > 1; again++) {
                size_t to = chance((uint32_t)counts[c]);
                size_t from = chance((uint32_t)counts[c]);
                set(of, to, (uint32_t)(from * 7919 % 65521));
                check(of);
            }
            free(of);
        }
    }
}

/* Keys whose slots are all the same: the table gives up, and another way says the same. */
static void keys_that_meet_are_told_apart(void **unused)
{
    (void)unused;
    static const size_t many[] = {40, 64, 65, 300};
    for (size_t c = 0; c < sizeof many / sizeof many[0]; c++) {
        map *of = make(CREO_KEY_32, many[c]);
        uint32_t number = UINT32_MAX;
        for (size_t i = 0; i < many[c]; i++) {
            while ((creo_entries_mix(number) >> 32 & 1023) != 77)
                number--;
            set(of, i, number--);
        }
        check(of);
        assert_int_equal(due(of), many[c]);
        of->entries[many[c] - 2].key.whole = of->entries[1].key.whole;
        check(of);
        assert_int_equal(due(of), many[c] - 2);
        free(of);
    }
}

/* LIM-3: the table's size is proportional to the entries. */
static void room_follows_the_count(void **unused)
{
    (void)unused;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        map *of = make(CREO_KEY_64, counts[c]);
        for (size_t i = 0; i < counts[c]; i++)
            set(of, i, (uint32_t)(counts[c] - i));
        assert_true(creo_entries_room(&of->list) <= 4 * counts[c]);
        assert_true(counts[c] <= 64 || creo_entries_room(&of->list) > counts[c]);
        free(of);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_key_that_occurs_again_is_found),
        cmocka_unit_test(keys_that_meet_are_told_apart),
        cmocka_unit_test(room_follows_the_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
