/* The memory of a message is counted and limited (LIM-18). */
#include "values.h"

#include "call/body.h"
#include "soap/soap.h"
#include "tdxml/tdxml_call.h"

typedef bool (*reading)(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error);

/* It takes so much memory, and not a byte less; `place`: where the error then is, or NULL for any. Leaves the error of the second reading. */
static void takes_bytes(const char *what, uint64_t memory, creo_bytes bytes, reading read, const char *place, fixture *f)
{
    creo_limits limits = creo_limits_default();
    limits.max_memory = memory;
    if (!read(bytes, &limits, &f->arena, &f->error))
        fail_msg("%.300s takes %llu: %s (at %s)", what, (unsigned long long)memory, f->error.message, f->error.place);
    limits.max_memory = memory - 1;
    if (read(bytes, &limits, &f->arena, &f->error))
        fail_msg("%.300s takes less than %llu", what, (unsigned long long)memory);
    assert_refused(&f->error, what, CREO_TOO_LARGE, "maxMemory", place);
    assert_string_equal(f->error.limit, "maxMemory");
    assert_int_equal(f->error.allowed, memory - 1);
}

static void the_limit_follows_that_of_messages(void **state)
{
    (void)state;
    creo_limits limits = creo_limits_default();
    assert_int_equal(creo_limits_memory(&limits), 536870912);
    assert_int_equal(creo_limits_body(&limits), 134217728);
    limits.max_message_size = 1000;
    assert_int_equal(creo_limits_memory(&limits), 4000);
    limits.max_memory = 7;
    assert_int_equal(creo_limits_memory(&limits), 7);
    assert_int_equal(creo_limits_body(&limits), 7);
    limits.max_memory = UINT64_MAX;
    assert_int_equal(creo_limits_body(&limits), 1000);
    limits.max_memory = 0;
    limits.max_message_size = SIZE_MAX;
    assert_true(creo_limits_memory(&limits) >= SIZE_MAX);
    assert_true(creo_limits_body(&limits) == SIZE_MAX);
}

/*
 * The binary wire.
 */

#define READING(name, type, call)                                                                                                                    \
    static bool read_##name(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)                                       \
    {                                                                                                                                                \
        creo_reader reader;                                                                                                                          \
        type value;                                                                                                                                  \
        return creo_reader_init(&reader, bytes, CREO_COPY, arena, limits, error) && call(&reader, &value) && creo_reader_finish(&reader);            \
    }

READING(string, creo_string, creo_read_string)
READING(bytes, creo_bytes, creo_read_bytes)
READING(booleans, creo_boolean_array, creo_read_boolean_array)
READING(ints, creo_int_array, creo_read_int_array)
READING(doubles, creo_double_array, creo_read_double_array)
READING(strings, creo_string_array, creo_read_string_array)
READING(decimals, creo_decimal_array, creo_read_decimal_array)
READING(instants, creo_datetime_array, creo_read_datetime_array)
READING(byte_strings, creo_bytes_array, creo_read_bytes_array)
READING(tree, sample_tree, sample_tree_decode)
READING(shape, sample_shape, sample_shape_decode)
READING(event, sample_event, sample_event_decode)
READING(growing, sample_growing, sample_growing_decode)

static void readers_of_the_binary_wire_charge(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        reading read;
        uint64_t memory;
        const char *place;
        uint64_t offset;
    } cases[] = {
        {"03 616263", read_string, 4, "$", 0},
        {"02 0102", read_bytes, 3, "$", 0},
        {"02 0001", read_booleans, 3, "$", 0},
        {"01 00000007", read_ints, 5, "$", 0},
        {"01 0000000000000000", read_doubles, 9, "$", 0},
        {"02 00 00", read_strings, 3 + 2 * 40, "$", 0},
        {"02 0130 0131", read_decimals, 5 + 2 * 72, "$", 0},
        {"01 0000000000000000 00000000", read_instants, 13 + 40, "$", 0},
        {"02 00 0109", read_byte_strings, 4 + 2 * 40, "$", 0},
        /* An item, an optional by pointer, an entry of a map: a tree weighs 264. */
        {"00 01 00000000 00 00", read_tree, 8 + 8 + 264, "$.children", 1},
        {"00 00 01 00000000 00", read_tree, 8 + 264, "$.next", 2},
        {"00 00 00 01 00 00000000", read_tree, 9 + 64 + 32 + 264, "$.named", 3},
        {"00 01 00 00 01 00000000 00 00 00", read_tree, 12 + 272 + 264, "$.children[0].next", 4},
        /* Members of a union; the second is held by pointer. */
        {"00 00000000000000000000", read_shape, 11 + 26, "$", 0},
        {"01 00000000", read_shape, 5 + 264, "$", 0},
        {"02 01 03 0130", read_shape, 5 + 64 + 40 + 64, "$.shapes[0]", 2},
        {"03 0130", read_shape, 3 + 64, "$", 0},
        /* Of an extensible one, known and not. */
        {"00 00000001 00", read_event, 6 + 32, "$", 0},
        {"07 00000002 0909", read_event, 7 + 32, "$", 0},
        /* An optional beside a flag. */
        {"00000008 00 01 05 00000000 00", read_growing, 12 + 16, "$.colour", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        start(&f);
        creo_bytes bytes = bytes_of(cases[i].hex);
        takes_bytes(cases[i].hex, cases[i].memory, bytes, cases[i].read, cases[i].place, &f);
        assert_true(f.error.has_offset);
        assert_int_equal(f.error.offset, cases[i].offset);
        release(bytes);
        finish(&f);
    }
    /* A count is checked against the bytes first (BIN-5). */
    fixture f;
    start(&f);
    creo_bytes bytes = bytes_of("ffffffff07");
    creo_limits limits = creo_limits_default();
    limits.max_memory = 5;
    assert_false(read_strings(bytes, &limits, &f.arena, &f.error));
    assert_int_equal(f.error.code, CREO_MALFORMED);
    release(bytes);
    finish(&f);
}

/* Millions of small items are refused when their count is read: nothing was taken. */
static void millions_of_small_items_are_refused(void **state)
{
    (void)state;
    static const uint8_t count[] = {0x00, 0x80, 0xA4, 0xE8, 0x03};
    size_t size = sizeof count + 4 * (size_t)8000000 + 2;
    uint8_t *body = (uint8_t *)calloc(size, 1);
    assert_non_null(body);
    memcpy(body, count, sizeof count);
    fixture f;
    start(&f);
    assert_false(read_tree(creo_bytes_of(body, size), NULL, &f.arena, &f.error));
    assert_refused(&f.error, "millions of trees", CREO_TOO_LARGE, "the limit maxMemory allows 536870912", "$.children");
    assert_int_equal(f.arena.taken, 0);
    free(body);
    finish(&f);
}

/*
 * Text wires.
 */

static bool tree_from_xml(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_tree value;
    return creo_xml_read(bytes, CREO_COPY, &sample_tree_xml, &value, arena, limits, error);
}

static bool tree_from_json(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_tree value;
    return creo_json_read(bytes, CREO_COPY, &sample_tree_xml, &value, arena, limits, error);
}

static bool tree_from_tdxml(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_tree value;
    return creo_tdxml_read(bytes, CREO_COPY, &sample_tree_xml, &value, arena, limits, error);
}

static bool growing_from_xml(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_growing value;
    return creo_xml_read(bytes, CREO_COPY, &sample_growing_xml, &value, arena, limits, error);
}

static bool growing_from_json(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_growing value;
    return creo_json_read(bytes, CREO_COPY, &sample_growing_xml, &value, arena, limits, error);
}

static bool growing_from_tdxml(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_growing value;
    return creo_tdxml_read(bytes, CREO_COPY, &sample_growing_xml, &value, arena, limits, error);
}

static bool shape_from_xml(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_shape value;
    return creo_xml_read(bytes, CREO_COPY, &sample_shape_xml, &value, arena, limits, error);
}

static bool shape_from_json(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_shape value;
    return creo_json_read(bytes, CREO_COPY, &sample_shape_xml, &value, arena, limits, error);
}

static bool shape_from_tdxml(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    sample_shape value;
    return creo_tdxml_read(bytes, CREO_COPY, &sample_shape_xml, &value, arena, limits, error);
}

/* The value on each text wire: its bytes, plus this much for its content. The error is at it, or below. */
static void takes_on_text_wires(const creo_text_root *root, const void *value, uint64_t own, reading xml, reading json, reading tdxml, const char *place)
{
    fixture f;
    creo_bytes bytes;
    creo_tdxml_options aggregated = {CREO_TDXML_AGGREGATED, false};
    creo_tdxml_options records = {CREO_TDXML_RECORD, false};
    start(&f);
    assert_true(creo_xml_to_bytes(root, value, &f.arena, &bytes, &f.error));
    takes_bytes("XML", bytes.size + own, bytes, xml, place, &f);
    assert_true(creo_json_to_bytes(root, value, &f.arena, &bytes, &f.error));
    takes_bytes("JSON", bytes.size + own, bytes, json, place, &f);
    assert_true(creo_tdxml_to_bytes(root, value, records, &f.arena, &bytes, &f.error));
    takes_bytes("a table", bytes.size + own, bytes, tdxml, place, &f);
    assert_true(creo_tdxml_to_bytes(root, value, aggregated, &f.arena, &bytes, &f.error));
    takes_bytes("a table with aggregates", bytes.size + own, bytes, tdxml, place, &f);
    finish(&f);
}

static void readers_of_text_wires_charge(void **state)
{
    (void)state;
    sample_tree leaf;
    sample_tree children[2];
    sample_tree tree;
    sample_tree_init(&leaf);
    sample_tree_init(&tree);
    children[0] = leaf;
    children[1] = leaf;
    tree.children.items = children;
    tree.children.count = 2;
    takes_on_text_wires(&sample_tree_xml, &tree, 2 * (8 + 264), tree_from_xml, tree_from_json, tree_from_tdxml, "$.children");
    tree.children.count = 0;
    tree.next = &leaf;
    takes_on_text_wires(&sample_tree_xml, &tree, 264, tree_from_xml, tree_from_json, tree_from_tdxml, "$.next");
    sample_string_tree_map_entry entry = {creo_text("k"), leaf};
    tree.next = NULL;
    tree.named.entries = &entry;
    tree.named.count = 1;
    takes_on_text_wires(&sample_tree_xml, &tree, 64 + 32 + 264, tree_from_xml, tree_from_json, tree_from_tdxml, "$.named");

    /* Numbers take what they take on the binary wire. */
    static const double weights[] = {1.5, 2};
    sample_growing growing;
    sample_growing_init(&growing);
    growing.has_colour = true;
    takes_on_text_wires(&sample_growing_xml, &growing, 16, growing_from_xml, growing_from_json, growing_from_tdxml, "$.colour");
    growing.has_colour = false;
    growing.weights.items = weights;
    growing.weights.count = 2;
    takes_on_text_wires(&sample_growing_xml, &growing, 2 * 8, growing_from_xml, growing_from_json, growing_from_tdxml, "$.weights");

    /* Unions: by value, by pointer, and in an array. */
    sample_shape shape;
    sample_shape_init(&shape);
    takes_on_text_wires(&sample_shape_xml, &shape, 26, shape_from_xml, shape_from_json, shape_from_tdxml, "$");
    shape.kind = SAMPLE_SHAPE_TREE;
    shape.as.tree = leaf;
    takes_on_text_wires(&sample_shape_xml, &shape, 264, shape_from_xml, shape_from_json, shape_from_tdxml, "$");
    sample_shape amount;
    sample_shape_init(&amount);
    amount.kind = SAMPLE_SHAPE_AMOUNT;
    amount.as.amount = creo_text("0");
    shape.kind = SAMPLE_SHAPE_SHAPES;
    shape.as.shapes.items = &amount;
    shape.as.shapes.count = 1;
    takes_on_text_wires(&sample_shape_xml, &shape, 64 + 8 + 32 + 64, shape_from_xml, shape_from_json, shape_from_tdxml, "$.shapes[0]");
}

/* Bytes count as they arrive, not as decoded. */
static void utf_16_is_charged_by_its_bytes(void **state)
{
    (void)state;
    sample_growing growing;
    sample_growing_init(&growing);
    growing.name = creo_text("abc");
    fixture f;
    creo_bytes bytes;
    start(&f);
    assert_true(creo_xml_to_bytes(&sample_growing_xml, &growing, &f.arena, &bytes, &f.error));
    uint8_t *wide = (uint8_t *)calloc(bytes.size + 1, 2);
    assert_non_null(wide);
    wide[0] = 0xFF;
    wide[1] = 0xFE;
    for (size_t i = 0; i < bytes.size; i++)
        wide[2 * i + 2] = bytes.data[i];
    takes_bytes("UTF-16", 2 * bytes.size + 2, creo_bytes_of(wide, 2 * bytes.size + 2), growing_from_xml, "$", &f);
    free(wide);
    finish(&f);
}

/* Rows in another order are read twice, and charged once. */
static void sorted_rows_are_charged_once(void **state)
{
    (void)state;
    static const char table[] = "<Env xmlns='urn:creo:tdxml'><CT>\n[0][3]1|2\n[0][3]0|1.5\n[0][2]|7\n[0][0]|abc\n</CT></Env>";
    fixture f;
    start(&f);
    creo_bytes bytes = exact(table, sizeof table - 1);
    takes_bytes(table, bytes.size + 2 * 8, bytes, growing_from_tdxml, NULL, &f);
    release(bytes);
    finish(&f);
}

/*
 * Answers.
 */

#define SOAP_BODY                                                                                                                                    \
    "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><addResponse xmlns='urn:creo:creo.tests.sample'><result>3</result>"   \
    "</addResponse></s:Body></s:Envelope>"
#define PACKAGE(type, root) "--b\r\nContent-Type: " type "\r\nContent-ID: <r@x>\r\n\r\n" root "\r\n--b--\r\n"

static bool read_soap(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    creo_soap soap;
    memset(&soap, 0, sizeof soap);
    soap.client.limits = *limits;
    int64_t sum = 0;
    bool package = bytes.data[0] == '-';
    creo_string type = creo_text(package ? "multipart/related; boundary=b" : "text/xml");
    return creo_soap_read_message(&soap, &sample_sample_text.methods[2], type, bytes, arena, &sum, error) == CREO_SOAP_OUTCOME && sum == 3;
}

static bool read_table(creo_bytes bytes, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    creo_client client;
    creo_multipart package;
    creo_xml xml;
    creo_tdxml_document document;
    int64_t sum = 0;
    memset(&client, 0, sizeof client);
    client.limits = *limits;
    return creo_tdxml_open(&client, creo_text("multipart/related; boundary=b"), bytes, arena, &package, &xml, error) &&
           creo_tdxml_read_whole(&xml, &document) && creo_tdxml_read_response(&xml, &sample_sample_text.methods[2], &document, &sum) && sum == 3;
}

/* A package is charged completely: its parts, and what separates them. */
static void packages_are_charged_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        reading read;
    } cases[] = {{SOAP_BODY, read_soap},
                 {PACKAGE("text/xml", SOAP_BODY), read_soap},
                 {PACKAGE("application/tdxml+xml", "<Env xmlns='urn:creo:tdxml'><CT>\n[0][0]|3\n</CT></Env>"), read_table}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        start(&f);
        creo_bytes bytes = exact(cases[i].text, strlen(cases[i].text));
        takes_bytes(cases[i].text, bytes.size, bytes, cases[i].read, "$", &f);
        release(bytes);
        finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_follows_that_of_messages),
        cmocka_unit_test(readers_of_the_binary_wire_charge),
        cmocka_unit_test(millions_of_small_items_are_refused),
        cmocka_unit_test(readers_of_text_wires_charge),
        cmocka_unit_test(utf_16_is_charged_by_its_bytes),
        cmocka_unit_test(sorted_rows_are_charged_once),
        cmocka_unit_test(packages_are_charged_whole),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
