/* Readers and writers against the clauses of spec/wires/binary.md. */
#include "check.h"

#include "sample.creo.h"

typedef struct fixture {
    creo_arena arena;
    creo_error error;
    creo_writer writer;
    creo_reader reader;
    creo_bytes input;
} fixture;

static int set_up(void **state)
{
    fixture *f = (fixture *)calloc(1, sizeof *f);
    creo_arena_init(&f->arena, creo_allocator_libc());
    creo_error_clear(&f->error);
    creo_writer_init(&f->writer, &f->arena, NULL, &f->error);
    f->input = bytes_of("");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = (fixture *)*state;
    creo_arena_free(&f->arena);
    release(f->input);
    free(f);
    return 0;
}

static creo_reader *reading(fixture *f, const char *hex)
{
    release(f->input);
    f->input = bytes_of(hex);
    creo_reader_init(&f->reader, f->input, CREO_COPY, &f->arena, NULL, &f->error);
    return &f->reader;
}

static void scalars_are_big_endian(void **state)
{
    fixture *f = (fixture *)*state;
    creo_writer *w = &f->writer;
    assert_true(creo_write_boolean(w, true) && creo_write_byte(w, -2) && creo_write_short(w, -2) && creo_write_char(w, 0xD800) &&
                creo_write_int(w, -2) && creo_write_long(w, INT64_MIN) && creo_write_float(w, 1.0f) && creo_write_double(w, -2.5));
    assert_bytes(creo_writer_bytes(w), "01 fe fffe d800 fffffffe 8000000000000000 3f800000 c004000000000000");
    creo_reader *r = reading(f, "01 fe fffe d800 fffffffe 8000000000000000 3f800000 c004000000000000");
    bool flag;
    int8_t tiny;
    int16_t small;
    uint16_t letter;
    int32_t number;
    int64_t big;
    float single;
    double real;
    assert_true(creo_read_boolean(r, &flag) && creo_read_byte(r, &tiny) && creo_read_short(r, &small) && creo_read_char(r, &letter) &&
                creo_read_int(r, &number) && creo_read_long(r, &big) && creo_read_float(r, &single) && creo_read_double(r, &real));
    assert_true(creo_reader_finish(r));
    assert_true(flag && tiny == -2 && small == -2 && letter == 0xD800 && number == -2 && big == INT64_MIN && single == 1.0f && real == -2.5);
    assert_false(creo_read_byte(r, &tiny));
    assert_error(&f->error, "malformed: the bytes end within the value (at $, byte 30)");
}

static void counts_are_shortest(void **state)
{
    fixture *f = (fixture *)*state;
    static const struct {
        uint32_t count;
        const char *hex;
    } good[] = {{0, "00"}, {127, "7f"}, {128, "8001"}, {300, "ac02"}, {16383, "ff7f"}, {16384, "808001"}, {2147483647, "ffffffff07"}};
    static const char *const bad[] = {"", "80", "8000", "808000", "8080808000", "ffffffff08", "ffffffff0f", "8080808080", "808080808001", "ffffffffff01"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        creo_writer_reset(&f->writer);
        assert_true(creo_write_count(&f->writer, good[i].count));
        assert_bytes(creo_writer_bytes(&f->writer), good[i].hex);
        uint32_t count;
        assert_true(creo_read_count(reading(f, good[i].hex), &count));
        assert_int_equal(count, good[i].count);
        assert_true(creo_reader_finish(&f->reader));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t count;
        assert_false(creo_read_count(reading(f, bad[i]), &count));
        assert_int_equal(f->error.code, CREO_MALFORMED);
    }
    assert_false(creo_write_count(&f->writer, (size_t)INT32_MAX + 1));
    assert_error(&f->error, "invalid-value: a count is below 2^31 (at $)");
}

/* BIN-5: a count is believed only if the bytes could hold it. */
static void counts_are_compared_with_what_is_there(void **state)
{
    fixture *f = (fixture *)*state;
    creo_double_array doubles;
    size_t before = f->arena.taken;
    assert_false(creo_read_double_array(reading(f, "ffffffff07 0000000000000000"), &doubles));
    assert_error(&f->error, "malformed: the count is larger than the bytes that are left allow (at $, byte 0)");
    assert_int_equal(f->arena.taken, before);
    creo_string_array texts;
    assert_false(creo_read_string_array(reading(f, "03 00 00"), &texts));
    assert_int_equal(f->arena.taken, before);
    creo_string text;
    assert_false(creo_read_string(reading(f, "04 616263"), &text));
    sample_block_array blocks;
    assert_false(sample_block_array_decode(reading(f, "02 00000000000000000000 000000000000000000"), &blocks));
    assert_int_equal(f->arena.taken, before);
}

/* BIN-6, LIM-5 */
static void items_of_no_size_have_a_budget(void **state)
{
    fixture *f = (fixture *)*state;
    sample_nothing_array nothings;
    assert_true(sample_nothing_array_decode(reading(f, "808004"), &nothings));
    assert_int_equal(nothings.count, 65536);
    assert_false(sample_nothing_array_decode(reading(f, "818004"), &nothings));
    assert_error(&f->error, "too-large: the limit maxEmptyItems allows 65536 (at $, byte 0)");
    assert_string_equal(f->error.limit, "maxEmptyItems");
    creo_limits limits = creo_limits_default();
    limits.max_empty_items = 3;
    release(f->input);
    f->input = bytes_of("02 02");
    creo_reader_init(&f->reader, f->input, CREO_COPY, &f->arena, &limits, &f->error);
    assert_true(sample_nothing_array_decode(&f->reader, &nothings));
    assert_false(sample_nothing_array_decode(&f->reader, &nothings));
}

static void texts_are_kept_or_borrowed(void **state)
{
    fixture *f = (fixture *)*state;
    creo_string text;
    creo_bytes bytes;
    creo_reader *r = reading(f, "03 436f32 02 fffe 00");
    assert_true(creo_read_string(r, &text) && creo_read_bytes(r, &bytes));
    memset((void *)(uintptr_t)f->input.data, 0, f->input.size);
    assert_true(creo_string_is(text, "Co2"));
    assert_int_equal(bytes.data[1], 0xFE);
    r = reading(f, "03 436f32 02 fffe");
    r->keep = CREO_BORROW;
    assert_true(creo_read_string(r, &text) && creo_read_bytes(r, &bytes));
    assert_ptr_equal(text.data, f->input.data + 1);
    assert_ptr_equal(bytes.data, f->input.data + 5);
    creo_string_array texts;
    for (int keep = CREO_COPY; keep <= CREO_BORROW; keep++) {
        r = reading(f, "03 0161 00 03c3a962");
        r->keep = (creo_keep)keep;
        assert_true(creo_read_string_array(r, &texts));
        assert_true(texts.count == 3 && creo_string_is(texts.items[0], "a") && texts.items[1].size == 0 && creo_string_is(texts.items[2], "\xC3\xA9"
                                                                                                                                         "b"));
    }
    assert_false(creo_read_string_array(reading(f, "02 0161 02c328"), &texts));
    assert_error(&f->error, "malformed: a string is well-formed UTF-8 (at $[1], byte 4)");
}

/* BIN-2: around the sizes at which a count takes a byte more; alone and in arrays, whole and cut short. */
static void texts_of_all_sizes_go_there_and_back(void **state)
{
    fixture *f = (fixture *)*state;
    static const size_t sizes[] = {0, 1, 3, 16, 17, 32, 33, 64, 127, 128, 129, 255, 256, 257, 16383, 16384, 16385};
    enum { SIZES = sizeof sizes / sizeof sizes[0], LONGEST = 16385 };
    char *text = (char *)malloc(LONGEST);
    assert_non_null(text);
    memset(text, 'a', LONGEST);
    for (size_t i = 0; i < SIZES; i++) {
        creo_string items[3] = {{text, sizes[i]}, {text, 1}, {text, sizes[i]}};
        creo_writer_reset(&f->writer);
        assert_true(creo_write_string_array(&f->writer, (creo_string_array){items, 3}) && creo_write_string(&f->writer, items[0]));
        creo_bytes made = creo_writer_bytes(&f->writer);
        size_t head = sizes[i] < 128 ? 1 : sizes[i] < 16384 ? 2 : 3;
        assert_int_equal(made.size, 3 + 3 * (head + sizes[i]));
        assert_int_equal(made.data[1] & 0x7F, sizes[i] & 0x7F);
        for (int keep = CREO_COPY; keep <= CREO_BORROW; keep++) {
            creo_string_array read;
            creo_string alone;
            uint8_t *copy = (uint8_t *)malloc(made.size);
            assert_non_null(copy);
            memcpy(copy, made.data, made.size);
            creo_reader_init(&f->reader, creo_bytes_of(copy, made.size), (creo_keep)keep, &f->arena, NULL, &f->error);
            assert_true(creo_read_string_array(&f->reader, &read) && creo_read_string(&f->reader, &alone) && creo_reader_finish(&f->reader));
            assert_int_equal(read.count, 3);
            for (size_t k = 0; k < 3; k++)
                assert_true(creo_string_equal(read.items[k], items[k]));
            assert_true(creo_string_equal(alone, items[0]));
            /* Cut-off bytes are missing, wherever the cut is. */
            size_t all = made.size - head - sizes[i];
            for (size_t cut = 1; cut < all; cut = cut < 8 || cut + 8 > all ? cut + 1 : cut + 97) {
                uint8_t *part = (uint8_t *)malloc(cut);
                assert_non_null(part);
                memcpy(part, made.data, cut);
                creo_reader_init(&f->reader, creo_bytes_of(part, cut), (creo_keep)keep, &f->arena, NULL, &f->error);
                assert_false(creo_read_string_array(&f->reader, &read));
                free(part);
            }
            free(copy);
        }
    }
    free(text);
    creo_string_array texts;
    assert_false(creo_read_string_array(reading(f, "02 0161 8000"), &texts));
    assert_int_equal(f->error.code, CREO_MALFORMED);
    assert_false(creo_read_string_array(reading(f, "02 0161 810061"), &texts));
    assert_int_equal(f->error.code, CREO_MALFORMED);
}

static void the_worked_examples(void **state)
{
    fixture *f = (fixture *)*state;
    creo_string text = creo_text("-1.50");
    assert_true(creo_write_decimal(&f->writer, text) && creo_write_datetime(&f->writer, (creo_datetime){-1, 500000000}));
    assert_bytes(creo_writer_bytes(&f->writer), "05 2d312e3530 ffffffffffffffff 1dcd6500");

    sample_growing growing;
    sample_growing_init(&growing);
    assert_int_equal(growing.limit, 100);
    growing.name = creo_text("\xC3\xA9");
    growing.has_colour = true;
    growing.colour = SAMPLE_COLOUR_BLUE;
    creo_bytes bytes;
    assert_true(sample_growing_to_bytes(&growing, &f->arena, &bytes, &f->error));
    assert_bytes(bytes, "0000000a 02c3a9 0106 00000064 00");

    sample_string_int_map_entry entries[] = {{{"a", 1}, 1}, {{"b", 1}, -1}};
    sample_string_int_map map = {entries, 2};
    creo_writer_reset(&f->writer);
    assert_true(sample_string_int_map_encode(&f->writer, &map));
    assert_bytes(creo_writer_bytes(&f->writer), "02 0161 00000001 0162 ffffffff");
}

/* MODEL-11, BIN-8 */
static void older_and_newer_writers(void **state)
{
    fixture *f = (fixture *)*state;
    sample_growing growing;
    assert_true(sample_growing_decode(reading(f, "00000002 0161"), &growing) && creo_reader_finish(&f->reader));
    assert_true(!growing.has_colour && growing.limit == 100 && growing.weights.count == 0);
    assert_true(sample_growing_decode(reading(f, "0000000c 0161 00 00000007 00 ffffffff"), &growing) && creo_reader_finish(&f->reader));
    assert_int_equal(growing.limit, 7);
    assert_false(sample_growing_decode(reading(f, "00000005 0161 00 0000 0000"), &growing));
    assert_error(&f->error, "malformed: the bytes end within the value (at $.limit, byte 7)");
    assert_false(sample_growing_decode(reading(f, "00000009 0161"), &growing));
    assert_error(&f->error, "malformed: the size is larger than the bytes that are left (at $, byte 0)");
    /* MODEL-13: an unknown member is kept as its bytes. */
    sample_event event;
    assert_true(sample_event_decode(reading(f, "09 00000003 010203"), &event) && creo_reader_finish(&f->reader));
    assert_int_equal(event.kind, 9);
    assert_bytes(event.as.unknown, "010203");
    creo_bytes bytes;
    assert_true(sample_event_to_bytes(&event, &f->arena, &bytes, &f->error));
    assert_bytes(bytes, "09 00000003 010203");
    assert_false(sample_event_decode(reading(f, "00 00000003 016100"), &event));
    assert_error(&f->error, "malformed: the value does not fill its size (at $.started, byte 7)");
    sample_level level;
    assert_true(sample_level_decode(reading(f, "ffffffff07"), &level));
    assert_int_equal(level, INT32_MAX);
}

static void places_name_the_value(void **state)
{
    fixture *f = (fixture *)*state;
    sample_tree tree;
    assert_false(sample_tree_decode(reading(f, "0172 01 0163 00 01 0164 01 0165 02"), &tree));
    assert_error(&f->error, "malformed: the count is larger than the bytes that are left allow (at $.children[0].next.children, byte 9)");
    sample_everything all;
    assert_false(sample_everything_decode(reading(f, "00 01"), &all));
    assert_error(&f->error, "malformed: the bytes end within the value (at $.scalars.small, byte 2)");
}

static void blocks_name_the_part(void **state)
{
    fixture *f = (fixture *)*state;
    sample_checked_array checked;
    assert_false(sample_checked_array_decode(reading(f, "01 01 03 0000000000000000 00000000"), &checked));
    assert_error(&f->error, "malformed: the enum has no constant of this number (at $[0].colour, byte 2)");
    assert_false(sample_checked_array_decode(reading(f, "01 01 05 0000000000000000 3b9aca00"), &checked));
    assert_int_equal(f->error.offset, 3);
    assert_string_equal(f->error.place, "$[0].since");
    sample_block block;
    assert_false(sample_block_decode(reading(f, "0000000000000000 00"), &block));
    assert_error(&f->error, "malformed: the bytes end within the value (at $.s, byte 8)");
}

/* BIN-13, LIM-4 */
static void depth_has_a_limit(void **state)
{
    fixture *f = (fixture *)*state;
    sample_tree trees[101];
    for (size_t i = 0; i < 101; i++) {
        sample_tree_init(&trees[i]);
        trees[i].next = i == 0 ? NULL : &trees[i - 1];
    }
    creo_bytes bytes;
    assert_true(sample_tree_to_bytes(&trees[99], &f->arena, &bytes, &f->error));
    sample_tree read;
    assert_true(sample_tree_from_bytes(bytes, &f->arena, &read, &f->error));
    assert_false(sample_tree_to_bytes(&trees[100], &f->arena, &bytes, &f->error));
    assert_int_equal(f->error.code, CREO_TOO_LARGE);
    assert_string_equal(f->error.limit, "maxDepth");
    char deep[101 * 6 + 1] = "";
    for (int i = 0; i < 101; i++)
        strcat(deep, i < 100 ? "000001" : "000000");
    assert_false(sample_tree_decode(reading(f, deep), &read));
    assert_string_equal(f->error.limit, "maxDepth");
    assert_true(strncmp(f->error.place, "$.next.next", 11) == 0);
}

/* BIN-10 */
static void keys_are_distinct(void **state)
{
    fixture *f = (fixture *)*state;
    sample_string_int_map map;
    assert_false(sample_string_int_map_decode(reading(f, "03 0161 00000001 0162 00000002 0161 00000003"), &map));
    assert_error(&f->error, "malformed: a key occurs twice in a map (at ${2}.key, byte 0)");
    /* Many keys in no order: with one that occurs again, and without. */
    enum { MANY = 5000 };
    sample_string_int_map_entry *entries = (sample_string_int_map_entry *)calloc(MANY, sizeof *entries);
    char(*names)[16] = calloc(MANY, sizeof *names);
    assert_true(entries != NULL && names != NULL);
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "%d", i * 7919 % MANY);
        entries[i].key = creo_text(names[i]);
    }
    creo_bytes bytes;
    map = (sample_string_int_map){entries, MANY};
    creo_writer_reset(&f->writer);
    assert_true(sample_string_int_map_encode(&f->writer, &map));
    bytes = creo_writer_bytes(&f->writer);
    sample_string_int_map read;
    creo_reader_init(&f->reader, bytes, CREO_BORROW, &f->arena, NULL, &f->error);
    assert_true(sample_string_int_map_decode(&f->reader, &read));
    assert_int_equal(read.count, MANY);
    entries[4000].key = entries[17].key;
    entries[4500].key = entries[16].key;
    creo_writer_reset(&f->writer);
    assert_false(sample_string_int_map_encode(&f->writer, &map));
    assert_error(&f->error, "invalid-value: a key occurs twice in a map (at ${4000}.key)");
    free(entries);
    free(names);
}

static void wrong_values_are_not_written(void **state)
{
    fixture *f = (fixture *)*state;
    sample_everything all;
    creo_bytes bytes;
    sample_everything_init(&all);
    assert_true(sample_everything_to_bytes(&all, &f->arena, &bytes, &f->error));
    all.text = (creo_string){"\xED\xA0\x80", 3};
    assert_false(sample_everything_to_bytes(&all, &f->arena, &bytes, &f->error));
    assert_error(&f->error, "invalid-value: a string is well-formed UTF-8 (at $.text)");
    sample_everything_init(&all);
    all.scalars.colour = (sample_colour)3;
    assert_false(sample_everything_to_bytes(&all, &f->arena, &bytes, &f->error));
    assert_error(&f->error, "invalid-value: the enum has no constant of this number (at $.scalars.colour)");
    sample_everything_init(&all);
    all.blocks.count = 1;
    assert_false(sample_everything_to_bytes(&all, &f->arena, &bytes, &f->error));
    assert_error(&f->error, "invalid-value: the pointer to the items is NULL (at $.blocks)");
    sample_everything_init(&all);
    all.event.kind = SAMPLE_EVENT_TREE;
    assert_false(sample_everything_to_bytes(&all, &f->arena, &bytes, &f->error) && all.event.as.tree.name.size > 0);
    sample_checked wrong;
    sample_checked_init(&wrong);
    wrong.since.nanoseconds = 1000000000;
    sample_everything_init(&all);
    all.checked = (sample_checked_array){&wrong, 1};
    assert_false(sample_everything_to_bytes(&all, &f->arena, &bytes, &f->error));
    assert_string_equal(f->error.place, "$.checked[0].since");
}

static void memory_may_be_the_callers(void **state)
{
    fixture *f = (fixture *)*state;
    uint8_t memory[12];
    creo_writer w;
    creo_writer_init_fixed(&w, memory, 12, NULL, &f->error);
    assert_true(creo_write_long(&w, 1) && creo_write_int(&w, 1));
    assert_int_equal(creo_writer_size(&w), 12);
    assert_false(creo_write_byte(&w, 1));
    assert_int_equal(f->error.code, CREO_TOO_LARGE);
    creo_limits limits = creo_limits_default();
    limits.max_message_size = 10;
    creo_writer_init(&w, &f->arena, &limits, &f->error);
    assert_true(creo_write_long(&w, 1) && creo_write_short(&w, 1));
    assert_false(creo_write_byte(&w, 1));
    assert_error(&f->error, "too-large: the limit maxMessageSize allows 10 (at $)");
}

static void large_bytes_are_borrowed(void **state)
{
    fixture *f = (fixture *)*state;
    static const uint8_t large[100] = {1};
    creo_limits limits = creo_limits_default();
    limits.max_message_size = 310;
    creo_writer w;
    creo_writer_init(&w, &f->arena, &limits, &f->error);
    w.borrow_from = 50;
    creo_region region;
    assert_true(creo_write_region(&w, &region));
    assert_true(creo_write_bytes(&w, creo_bytes_of(large, 100)) && creo_write_byte(&w, 7) && creo_write_bytes(&w, creo_bytes_of(large, 10)));
    assert_true(creo_write_bytes(&w, creo_bytes_of(large, 99)) && creo_write_region_end(&w, region));
    assert_int_equal(w.piece_count, 2);
    assert_int_equal(creo_writer_size(&w), 4 + 101 + 1 + 11 + 100);
    assert_bytes(creo_writer_bytes(&w), "000000d5 64 07 0a 01000000000000000000 63");
    assert_int_equal(w.pieces[0].offset, 5);
    assert_int_equal(w.pieces[1].offset, 18);
    assert_false(creo_write_bytes(&w, creo_bytes_of(large, 93)));
    assert_error(&f->error, "too-large: the limit maxMessageSize allows 310 (at $)");
}

static void everything_goes_there_and_back(void **state)
{
    fixture *f = (fixture *)*state;
    static const double doubles[] = {1, -2};
    static const bool flags[] = {true, false};
    static const creo_datetime instants[] = {{5, 6}};
    static const int32_t row[] = {1, 2, 3};
    creo_string texts[] = {creo_text("x"), creo_text("")};
    sample_block blocks[] = {{1.5, -3}, {2.5, 4}};
    sample_checked checked[] = {{true, SAMPLE_COLOUR_GREEN, {1, 2}}};
    sample_nothing nothing = {0};
    creo_int_array rows[] = {{row, 3}, {NULL, 0}};
    sample_string_optional holes[] = {{true, {"h", 1}}, {false, {NULL, 0}}};
    sample_string_int_map_entry counts[] = {{{"k", 1}, 9}};
    sample_tree leaf;
    sample_tree tree;
    sample_tree_init(&leaf);
    leaf.name = creo_text("leaf");
    sample_tree_init(&tree);
    tree.children = (sample_tree_array){&leaf, 1};
    tree.next = &leaf;
    sample_colour_shape_map_entry shapes[2];
    shapes[0].key = SAMPLE_COLOUR_RED;
    shapes[0].value.kind = SAMPLE_SHAPE_TREE;
    shapes[0].value.as.tree = tree;
    shapes[1].key = SAMPLE_COLOUR_BLUE;
    shapes[1].value.kind = SAMPLE_SHAPE_AMOUNT;
    shapes[1].value.as.amount = creo_text("1.25");
    sample_everything all;
    sample_everything_init(&all);
    all.doubles = (creo_double_array){doubles, 2};
    all.flags = (creo_boolean_array){flags, 2};
    all.texts = (creo_string_array){texts, 2};
    all.instants = (creo_datetime_array){instants, 1};
    all.blocks = (sample_block_array){blocks, 2};
    all.checked = (sample_checked_array){checked, 1};
    all.nothings = (sample_nothing_array){&nothing, 1};
    all.matrix = (sample_int_array_array){rows, 2};
    all.holes = (sample_string_optional_array){holes, 2};
    all.counts = (sample_string_int_map){counts, 1};
    all.shapes = (sample_colour_shape_map){shapes, 2};
    all.has_tree = true;
    all.tree = tree;
    all.event.kind = SAMPLE_EVENT_GROWN;
    sample_growing_init(&all.event.as.grown);
    all.level = 77;
    creo_bytes first;
    creo_bytes second;
    sample_everything read;
    assert_true(sample_everything_to_bytes(&all, &f->arena, &first, &f->error));
    assert_true(sample_everything_from_bytes(first, &f->arena, &read, &f->error));
    assert_true(read.blocks.count == 2 && read.blocks.items[1].d == 2.5 && read.shapes.entries[0].value.as.tree.next->name.size == 4);
    assert_true(sample_everything_to_bytes(&read, &f->arena, &second, &f->error));
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    /* Every prefix is refused, and no byte after it is read. */
    for (size_t size = 0; size < first.size; size++) {
        uint8_t *part = (uint8_t *)malloc(size == 0 ? 1 : size);
        assert_non_null(part);
        memcpy(part, first.data, size);
        assert_false(sample_everything_from_bytes(creo_bytes_of(part, size), &f->arena, &read, &f->error));
        assert_int_equal(f->error.code, CREO_MALFORMED);
        assert_int_equal(f->error.place[0], '$');
        free(part);
    }
}

static void memory_that_runs_out_is_an_error(void **state)
{
    fixture *f = (fixture *)*state;
    uint8_t memory[64];
    creo_arena small;
    creo_arena_init_fixed(&small, memory, sizeof memory);
    creo_double_array doubles;
    creo_string text;
    creo_reader *r = reading(f, "09 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 "
                                "0000000000000000 0000000000000000 0000000000000000");
    r->arena = &small;
    assert_false(creo_read_double_array(r, &doubles));
    assert_error(&f->error, "too-large: the arena has no memory left for the value (at $, byte 1)");
    r = reading(f, "0161");
    creo_arena_init_fixed(&small, NULL, 0);
    r->arena = &small;
    assert_false(creo_read_string(r, &text));
    /* An error is not written if the caller passes no place for it. */
    r = reading(f, "02");
    r->error = NULL;
    bool flag;
    assert_false(creo_read_boolean(r, &flag));
    assert_false(creo_at_field(NULL, "x"));
}

static void long_places_are_cut_at_the_inner_end(void **state)
{
    (void)state;
    creo_error error;
    (void)creo_fail_value(&error, "wrong");
    for (int i = 0; i < 100; i++)
        (void)creo_at_field(&error, "step");
    (void)creo_at_index(&error, 7);
    (void)creo_at_field(&error, "outermost");
    assert_int_equal(strlen(error.place), CREO_PLACE_SIZE - 1);
    assert_true(strncmp(error.place, "$.outermost[7].step.step", 24) == 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(scalars_are_big_endian),
        TEST(counts_are_shortest),
        TEST(counts_are_compared_with_what_is_there),
        TEST(items_of_no_size_have_a_budget),
        TEST(texts_are_kept_or_borrowed),
        TEST(texts_of_all_sizes_go_there_and_back),
        TEST(the_worked_examples),
        TEST(older_and_newer_writers),
        TEST(places_name_the_value),
        TEST(blocks_name_the_part),
        TEST(depth_has_a_limit),
        TEST(keys_are_distinct),
        TEST(wrong_values_are_not_written),
        TEST(memory_may_be_the_callers),
        TEST(large_bytes_are_borrowed),
        TEST(everything_goes_there_and_back),
        TEST(memory_that_runs_out_is_an_error),
        TEST(long_places_are_cut_at_the_inner_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
