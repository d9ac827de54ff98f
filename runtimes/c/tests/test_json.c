/* Values as JSON: spec/wires/json.md, spec/values.md. */
#include "values.h"

/* One of each kind, as JSON-1 and JSON-2 have it. */
static const char everything[] =
    "{\"scalars\":{\"flag\":true,\"tiny\":-1,\"small\":2,\"letter\":\"\xC3\xA9\",\"number\":-3,\"big\":\"9007199254740992\",\"single\":1.5,\"real\":\"NaN\","
    "\"instant\":\"2026-11-21T10:31:56.250Z\",\"colour\":\"BLUE\"},\"text\":\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001f\x7F\xC3\xA9\xF0\x9F\x98\x80 and more\","
    "\"amount\":\"-1.50\",\"bytes\":\"AAEC\",\"doubles\":[1,-0,0.1,1e+21,\"Infinity\",\"-Infinity\"],\"flags\":[true,false],\"texts\":[\"\",\"x\"],"
    "\"instants\":[\"1970-01-01T00:00:00Z\"],\"blocks\":[{\"d\":0.5,\"s\":-7}],\"checked\":[{\"on\":false,\"colour\":\"RED\",\"since\":\"0001-01-01T00:00:00Z\"}],"
    "\"nothings\":[{},{}],\"matrix\":[[1,2],[],[3]],\"holes\":[\"a\",null,\"\"],\"counts\":{\"b\":2,\"a\":1},\"shapes\":{\"GREEN\":{\"block\":{\"d\":1,\"s\":1}}},"
    "\"numbers\":{\"-9223372036854775808\":{}},\"tree\":{\"name\":\"t\",\"children\":[{\"name\":\"c\",\"children\":[],\"named\":{}}],"
    "\"next\":{\"name\":\"n\",\"children\":[],\"named\":{}},\"named\":{\"k\":{\"name\":\"v\",\"children\":[],\"named\":{}}}},\"event\":{\"started\":\"s\"},"
    "\"growing\":{\"name\":\"g\",\"limit\":100,\"weights\":[]},\"level\":7}";

static bool read_value(fixture *f, const creo_text_root *root, const char *text, size_t size, creo_keep keep, const creo_limits *limits, void *value)
{
    creo_bytes json = exact(text, size);
    bool done = creo_json_read(json, keep, root, value, &f->arena, limits, &f->error);
    if (keep == CREO_COPY)
        release(json);
    return done;
}

/* The text is read, and written as another. */
static void reads_as(const creo_text_root *root, size_t size, const char *text, const char *due)
{
    fixture f;
    creo_bytes json;
    start(&f);
    void *value = malloc(size);
    assert_non_null(value);
    if (!read_value(&f, root, text, strlen(text), CREO_COPY, NULL, value))
        fail_msg("%s: %s", text, f.error.message);
    assert_true(creo_json_to_bytes(root, value, &f.arena, &json, &f.error));
    assert_text(json, due);
    free(value);
    finish(&f);
}

static void refused_by(const creo_text_root *root, size_t size, const char *text, size_t length, const creo_limits *limits, creo_code code, const char *part, const char *place,
                       size_t offset)
{
    fixture f;
    start(&f);
    void *value = malloc(size);
    assert_non_null(value);
    if (read_value(&f, root, text, length, CREO_COPY, limits, value))
        fail_msg("%.300s was read", text);
    assert_refused(&f.error, text, code, part, place);
    assert_true(f.error.has_offset && f.error.offset <= length);
    if (offset != SIZE_MAX && f.error.offset != offset)
        fail_msg("%.300s: byte %lu, %lu is due", text, (unsigned long)f.error.offset, (unsigned long)offset);
    free(value);
    finish(&f);
}

#define READS(type, text, due) reads_as(&sample_##type##_xml, sizeof(sample_##type), text, due)
#define REFUSED(type, text, part, place) refused_by(&sample_##type##_xml, sizeof(sample_##type), text, strlen(text), NULL, CREO_MALFORMED, part, place, SIZE_MAX)
#define REFUSED_AT(type, text, part, place, offset)                                                                                                  \
    refused_by(&sample_##type##_xml, sizeof(sample_##type), text, strlen(text), NULL, CREO_MALFORMED, part, place, offset)

static void one_of_each_kind(void **state)
{
    (void)state;
    READS(everything, everything, everything);
    /* Into memory of the caller's, which is just large enough, or a byte too small at any place. */
    fixture f;
    sample_everything value;
    start(&f);
    assert_true(sample_everything_from_json(creo_bytes_of(everything, sizeof everything - 1), &f.arena, &value, &f.error));
    for (size_t size = 0; size < sizeof everything; size++) {
        uint8_t *memory = (uint8_t *)malloc(size == 0 ? 1 : size);
        creo_writer writer;
        assert_non_null(memory);
        creo_writer_init_fixed(&writer, memory, size, NULL, &f.error);
        bool done = creo_json_write(&writer, &sample_everything_xml, &value);
        assert_int_equal(done, size >= sizeof everything - 1);
        if (done)
            assert_text(creo_writer_bytes(&writer), everything);
        else
            assert_int_equal(f.error.code, CREO_TOO_LARGE);
        free(memory);
    }
    finish(&f);
}

/* JSON-10: cut anywhere, it is malformed, and says so at its end. */
static void cut_texts(void **state)
{
    (void)state;
    for (size_t size = 0; size + 1 < sizeof everything; size++) {
        fixture f;
        sample_everything value;
        start(&f);
        assert_false(read_value(&f, &sample_everything_xml, everything, size, CREO_COPY, NULL, &value));
        if (f.error.code != CREO_MALFORMED || f.error.offset > size || f.error.offset + 4 < size)
            fail_msg("%lu bytes: byte %lu: %s", (unsigned long)size, (unsigned long)f.error.offset, f.error.message);
        finish(&f);
    }
}

/* Texts may stay where they are: those without escapes. */
static void borrowed_texts(void **state)
{
    (void)state;
    static const char text[] = "{\"name\":\"plain\",\"colour\":null,\"weights\":[1]}";
    fixture f;
    sample_growing value;
    start(&f);
    assert_true(creo_json_read(creo_bytes_of(text, sizeof text - 1), CREO_BORROW, &sample_growing_xml, &value, &f.arena, NULL, &f.error));
    assert_ptr_equal(value.name.data, text + 9);
    assert_true(!value.has_colour && value.limit == 100 && value.weights.count == 1);
    assert_true(creo_json_read(creo_bytes_of(text, sizeof text - 1), CREO_COPY, &sample_growing_xml, &value, &f.arena, NULL, &f.error));
    assert_ptr_not_equal(value.name.data, text + 9);
    assert_true(creo_string_is(value.name, "plain"));
    finish(&f);
}

/* JSON-10 */
static void syntax(void **state)
{
    (void)state;
    READS(block, "\xEF\xBB\xBF \t\r\n{ \"s\" : 1 ,\n\"d\":\t2 } \r\n", "{\"d\":2,\"s\":1}");
    static const struct {
        const char *text;
        size_t offset;
    } wrong[] = {
        {"", 0},
        {" ", 1},
        {"\xEF\xBB\xBF", 3},
        {"\xEF\xBB\xBF\xEF\xBB\xBF{\"d\":1,\"s\":1}", 3},
        {"x", 0},
        {"{\"d\":1,\"s\":1}x", 13},
        {"{\"d\":1,\"s\":1}{}", 13},
        {"{\"d\":1,\"s\":1}\x0B", 13},
        {"{\"d\":1,\"s\":1}\xC2\xA0", 13},
        {"{\"d\":1,\"s\":1,}", 13},
        {"{,\"d\":1,\"s\":1}", 1},
        {"{\"d\":1;\"s\":1}", 6},
        {"{\"d\":1 \"s\":1}", 7},
        {"{\"d\" 1,\"s\":1}", 5},
        {"{\"d\"=1,\"s\":1}", 4},
        {"{'d':1,\"s\":1}", 1},
        {"{d:1,\"s\":1}", 1},
        {"{\"d\":1,\"s\":1]", 12},
        {"{\"d\":1,/**/\"s\":1}", 7},
        {"{\"d\":1,\"s\":1}//", 13},
        {"[]", 0},
        {"\"x\"", 0},
        {"null", 0},
        {"true", 0},
        {"1", 0},
        {"{\"d\":1,\"s\":1\xFF}", 12},
        {"{\"d\":\xFF", 5},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        REFUSED_AT(block, wrong[i].text, "", NULL, wrong[i].offset);
    for (int byte = 0; byte < 256; byte++) {
        char text[] = "{\"d\":1,?\"s\":1}";
        text[7] = (char)byte;
        bool space = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
        fixture f;
        sample_block value;
        start(&f);
        assert_int_equal(read_value(&f, &sample_block_xml, text, sizeof text - 1, CREO_COPY, NULL, &value), space);
        assert_true(space || (f.error.code == CREO_MALFORMED && f.error.offset == 7));
        finish(&f);
    }
}

/* JSON-11 */
static void members(void **state)
{
    (void)state;
    READS(growing, "{\"weights\":[],\"limit\":1,\"colour\":\"RED\",\"name\":\"x\"}", "{\"name\":\"x\",\"colour\":\"RED\",\"limit\":1,\"weights\":[]}");
    READS(growing, "{\"n\\u0061me\":\"x\"}", "{\"name\":\"x\",\"limit\":100,\"weights\":[]}");
    READS(growing, "{\"a\":{\"b\":[1,-0.5e-7,true,false,null,\"\\ud83d\\ude00\",{},[]]},\"name\":\"x\",\"z\":\"\"}", "{\"name\":\"x\",\"limit\":100,\"weights\":[]}");
    READS(growing, "{\"name\":\"x\",\"colour\":null}", "{\"name\":\"x\",\"limit\":100,\"weights\":[]}");
    REFUSED_AT(growing, "{\"name\":\"x\",\"name\":\"x\"}", "the member name was there before", "$", 12);
    REFUSED_AT(growing, "{\"name\":\"x\",\"\\u006eame\":\"x\"}", "the member name was there before", "$", 12);
    REFUSED(growing, "{\"colour\":null,\"colour\":\"RED\",\"name\":\"x\"}", "before", "$");
    REFUSED_AT(growing, "{\"limit\":1}", "the member name is missing", "$", 10);
    REFUSED(block, "{\"d\":1,\"s\":1,\"x\":1}", "the member x is not declared here", "$");
    REFUSED(block, "{\"d\":1}", "the member s is missing", "$");
    REFUSED(block, "{\"D\":1,\"s\":1}", "the member D is not declared here", "$");
    REFUSED(block, "{\"d\":null,\"s\":1}", "null", "$.d");
    REFUSED(growing, "{\"name\":null}", "null", "$.name");
    REFUSED(growing, "{\"name\":\"x\",\"limit\":null}", "null", "$.limit");
    REFUSED(growing, "{\"name\":\"x\",\"weights\":null}", "null", "$.weights");
    REFUSED(growing, "{\"name\":\"x\",\"weights\":[1,null]}", "null", "$.weights[1]");
    /* An array must be there, unlike in XML. */
    REFUSED(tree, "{\"name\":\"x\",\"named\":{}}", "the member children is missing", "$");
    /* Skipped text must still be JSON. */
    static const char *const skipped[] = {"{\"a\":01,\"name\":\"x\"}",        "{\"a\":[1,],\"name\":\"x\"}",       "{\"a\":{\"b\"},\"name\":\"x\"}", "{\"a\":nul,\"name\":\"x\"}",
                                          "{\"a\":\"\\ud800\",\"name\":\"x\"}", "{\"a\":\"\\x\",\"name\":\"x\"}", "{\"a\":1.,\"name\":\"x\"}",      "{\"a\":-,\"name\":\"x\"}",
                                          "{\"a\":\"\n\",\"name\":\"x\"}",      "{\"a\":[}],\"name\":\"x\"}",     "{\"a\":+1,\"name\":\"x\"}",      "{\"a\":,\"name\":\"x\"}"};
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++)
        REFUSED(growing, skipped[i], "", "$");
    /* An error within a value has its path. */
    REFUSED(everything, "{\"scalars\":{\"flag\":1", "true or false", "$.scalars.flag");
    REFUSED(tree, "{\"name\":\"x\",\"children\":[{\"name\":1", "a string", "$.children[0].name");
    REFUSED(tree, "{\"name\":\"x\",\"named\":{\"a\":{\"name\":\"\",\"children\":[],\"named\":{}},\"b\":2", "an object", "$.named{1}.value");
}

static void integers(void **state)
{
    (void)state;
#define NUMBER(text) "{\"d\":1,\"s\":" text "}"
    READS(block, NUMBER("-0"), NUMBER("0"));
    READS(block, NUMBER("-32768"), NUMBER("-32768"));
    READS(block, NUMBER("32767"), NUMBER("32767"));
    static const char *const wrong[] = {"32768", "-32769", "1.0", "1e0", "1E1", "01", "-01", "00", "+1", ".5", "1.", "1.e1", "1e", "1e+", "-", "--1", "0x1", "1a", "\"1\"", "true", "[]", "{}",
                                        "99999999999999999999", "-99999999999999999999", "Infinity", "NaN", " ", "1 2", "\xD9\xA1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "{\"d\":1,\"s\":%s}", wrong[i]);
        REFUSED(block, text, "", NULL);
    }
    READS(scalars,
          "{\"flag\":false,\"tiny\":-128,\"small\":0,\"letter\":65,\"number\":2147483647,\"big\":-9007199254740991,\"single\":0,\"real\":0,\"instant\":\"2026-01-01T01:00:00+01:00\","
          "\"colour\":5}",
          "{\"flag\":false,\"tiny\":-128,\"small\":0,\"letter\":\"A\",\"number\":2147483647,\"big\":-9007199254740991,\"single\":0,\"real\":0,\"instant\":\"2026-01-01T00:00:00Z\","
          "\"colour\":\"GREEN\"}");
#undef NUMBER
}

/* One member of a Scalars. */
static void scalar(const char *name, const char *text, const char *due)
{
    static const char *const members[][2] = {{"flag", "true"}, {"tiny", "1"}, {"small", "1"}, {"letter", "\"a\""}, {"number", "1"}, {"big", "1"}, {"single", "1"}, {"real", "1"},
                                             {"instant", "\"2026-01-01T00:00:00Z\""}, {"colour", "\"RED\""}};
    char from[1500] = "";
    char to[1500] = "";
    for (size_t i = 0; i < 10; i++) {
        bool own = strcmp(members[i][0], name) == 0;
        size_t used = strlen(from);
        snprintf(from + used, sizeof from - used, "%c\"%s\":%s", i == 0 ? '{' : ',', members[i][0], own ? text : members[i][1]);
        used = strlen(to);
        snprintf(to + used, sizeof to - used, "%c\"%s\":%s", i == 0 ? '{' : ',', members[i][0], own && due != NULL ? due : members[i][1]);
    }
    strcat(from, "}");
    strcat(to, "}");
    char place[40];
    snprintf(place, sizeof place, "$.%s", name);
    if (due != NULL)
        READS(scalars, from, to);
    else
        REFUSED(scalars, from, "", place);
}

static void scalars(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"big", "\"9223372036854775807\"", "\"9223372036854775807\""},
        {"big", "9223372036854775807", "\"9223372036854775807\""},
        {"big", "\"-9223372036854775808\"", "\"-9223372036854775808\""},
        {"big", "\"12\"", "12"},
        {"big", "9007199254740991", "9007199254740991"},
        {"big", "\"-0\"", "0"},
        {"big", "\"9223372036854775808\"", NULL},
        {"big", "9223372036854775808", NULL},
        {"big", "\"01\"", NULL},
        {"big", "\"+1\"", NULL},
        {"big", "\" 1\"", NULL},
        {"big", "\"1.0\"", NULL},
        {"big", "\"\"", NULL},
        {"big", "1e3", NULL},
        {"real", "-0.0", "-0"},
        {"real", "1E400", NULL},
        {"real", "-1e309", NULL},
        {"real", "1e-400", "0"},
        {"real", "123456789012345678901234567890", "1.2345678901234568e+29"},
        {"real", "0.1e1", "1"},
        {"real", "\"Infinity\"", "\"Infinity\""},
        {"real", "\"-Infinity\"", "\"-Infinity\""},
        {"real", "\"INF\"", NULL},
        {"real", "\"1\"", NULL},
        {"real", "\"+Infinity\"", NULL},
        {"real", "NaN", NULL},
        {"real", "01", NULL},
        {"real", "1.", NULL},
        {"real", ".1", NULL},
        {"single", "3.4028235e38", "3.4028235e+38"},
        {"single", "3.5e38", NULL},
        {"single", "0.1", "0.1"},
        {"letter", "\"\\ud800\"", "55296"},
        {"letter", "\"\\uDFFF\"", "57343"},
        {"letter", "55296", "55296"},
        {"letter", "\"\\u0000\"", "\"\\u0000\""},
        {"letter", "\"\xEF\xBF\xBF\"", "\"\xEF\xBF\xBF\""},
        {"letter", "65536", NULL},
        {"letter", "-1", NULL},
        {"letter", "\"\"", NULL},
        {"letter", "\"ab\"", NULL},
        {"letter", "\"\xF0\x9F\x98\x80\"", NULL},
        {"letter", "\"\\ud83d\\ude00\"", NULL},
        {"letter", "\"\\ud800\\ud800\"", NULL},
        {"letter", "\"\\ud800a\"", NULL},
        {"letter", "\"a\\ud800\"", NULL},
        {"instant", "\"2026-11-21T10:31:56.123456789Z\"", "\"2026-11-21T10:31:56.123456789Z\""},
        {"instant", "\"2026-11-21T10:31:56.1000Z\"", "\"2026-11-21T10:31:56.100Z\""},
        {"instant", "\"2026-11-21T10:31:56-05:30\"", "\"2026-11-21T16:01:56Z\""},
        {"instant", "\"2026-11-21T10:31:56\"", NULL},
        {"instant", "\"2026-11-21T24:00:00Z\"", NULL},
        {"instant", "\"2026-11-21T10:31:56.Z\"", NULL},
        {"instant", "\"2026-11-21T10:31:56.1234567890Z\"", NULL},
        {"instant", "\"2026-02-29T00:00:00Z\"", NULL},
        {"instant", "\"2026-11-21 10:31:56Z\"", NULL},
        {"instant", "\" 2026-11-21T10:31:56Z\"", NULL},
        {"instant", "1", NULL},
        {"colour", "\"GREEN\"", "\"GREEN\""},
        {"colour", "0", "\"RED\""},
        {"colour", "7", NULL},
        {"colour", "\"5\"", NULL},
        {"colour", "\"red\"", NULL},
        {"colour", "-1", NULL},
        {"flag", "\"true\"", NULL},
        {"flag", "1", NULL},
        {"flag", "tru", NULL},
        {"flag", "True", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        scalar(cases[i][0], cases[i][1], cases[i][2]);
    READS(level, "\"HIGH\"", "\"HIGH\"");
    READS(level, "300", "\"HIGH\"");
    READS(level, "2147483647", "2147483647");
    REFUSED(level, "2147483648", "", "$");
    REFUSED(level, "\"#7\"", "", "$");
    REFUSED(level, "\"7\"", "", "$");
}

static void decimals(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"\"-1.50\"", "-1.50"}, {"1.50", "1.50"}, {"-0", "0"}, {"-0.00", "0.00"}, {"0", "0"}, {"-12", "-12"}, {"\"0.0\"", "0.0"},
                                           {"\"-0\"", NULL}, {"\"1.\"", NULL}, {"\"01\"", NULL}, {"\" 1\"", NULL}, {"1e5", NULL}, {"1E5", NULL}, {"\"\"", NULL}, {"null", NULL}, {"true", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char from[100];
        char to[100];
        snprintf(from, sizeof from, "{\"amount\":%s}", cases[i][0]);
        snprintf(to, sizeof to, "{\"amount\":\"%s\"}", cases[i][1] == NULL ? "" : cases[i][1]);
        if (cases[i][1] != NULL)
            READS(shape, from, to);
        else
            REFUSED(shape, from, "", "$.amount");
    }
    char digits[1100];
    for (size_t count = 1000; count <= 1001; count++) {
        digits[0] = 0;
        strcat(digits, "{\"amount\":");
        size_t used = strlen(digits);
        memset(digits + used, '9', count);
        memcpy(digits + used + count, "}", 2);
        fixture f;
        sample_shape value;
        start(&f);
        assert_int_equal(sample_shape_from_json(creo_bytes_of(digits, strlen(digits)), &f.arena, &value, &f.error), count == 1000);
        finish(&f);
    }
}

static void strings(void **state)
{
    (void)state;
#define EVENT(text) "{\"started\":\"" text "\"}"
    READS(event, EVENT("\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\uD83D\\uDE00"), EVENT("\\\"\\\\/\\b\\f\\n\\r\\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"));
    READS(event, EVENT("\\u0000\\u001F\\u007f"), EVENT("\\u0000\\u001f\x7F"));
    static const char *const wrong[] = {"\\x", "\\u", "\\u123", "\\u12g4", "\\U0041", "\\'", "\\ud800", "\\udc00", "\\ud800x", "\\ud800\\n", "\\ud800\\u0041", "\\ud800\\ud800\\udc00", "\n", "\t",
                                        "\x01", "\x1F"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "{\"started\":\"0123456%s\"}", wrong[i]);
        REFUSED_AT(event, text, "", "$.started", strstr(wrong[i], "\\ud800\\ud800") == wrong[i] ? 19 : 19);
    }
    /* Invalid UTF-8. */
    static const char *const bytes[] = {"\x80", "\xC0\x80", "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xFE"};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "{\"started\":\"01234567%s\"}", bytes[i]);
        REFUSED_AT(event, text, "UTF-8", "$.started", 20);
    }
#undef EVENT
}

static void bytes(void **state)
{
    (void)state;
    static const char *const wrong[] = {"A", "AA", "AAA", "AA=", "A===", "AA==AAAA", "AA AA", "AAAA\\n", "AAA-", "AA_A", "AB==", "AAB=", "====", "A=AA"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[sizeof everything + 100];
        const char *at = strstr(everything, "AAEC");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - everything), everything, wrong[i], at + 4);
        REFUSED(everything, text, "", "$.bytes");
    }
}

/* VAL-11, JSON-3 */
static void unions(void **state)
{
    (void)state;
    READS(shape, "{\"shapes\":[{\"amount\":\"1\"},{\"block\":{\"d\":1,\"s\":2}}]}", "{\"shapes\":[{\"amount\":\"1\"},{\"block\":{\"d\":1,\"s\":2}}]}");
    READS(shape, "{\"am\\u006funt\":\"1\"}", "{\"amount\":\"1\"}");
    REFUSED(shape, "{}", "missing", "$");
    REFUSED(shape, "{\"amount\":\"1\",\"amount\":\"1\"}", "one member", "$");
    REFUSED(shape, "{\"amount\":null}", "null", "$.amount");
    REFUSED(shape, "{\"other\":1}", "other", "$");
    REFUSED(shape, "\"amount\"", "an object", "$");
    REFUSED(event, "{\"#7\":\"AAEC\"}", "#7", "$");
    REFUSED(shape, "{\"shapes\":[{\"amount\":\"1\"},{\"amount\":\"x\"}]}", "", "$.shapes[1].amount");
    fixture f;
    sample_event value;
    creo_bytes json;
    start(&f);
    memset(&value, 0, sizeof value);
    value.kind = (sample_event_kind)7;
    assert_false(sample_event_to_json(&value, &f.arena, &json, &f.error));
    assert_error(&f.error, "invalid-value: a member that is not known here cannot be written as text (at $)");
    finish(&f);
}

/* VAL-12 */
static void keys(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *part;
        const char *place;
    } wrong[] = {
        {"\"numbers\":{\"1\":{},\"1\":{}}", "twice", "$.numbers"},         {"\"numbers\":{\"1\":{},\"\\u0031\":{}}", "twice", "$.numbers"},
        {"\"numbers\":{\"01\":{}}", "a key", "$.numbers{0}.key"},           {"\"numbers\":{\"+1\":{}}", "a key", "$.numbers{0}.key"},
        {"\"numbers\":{\"\":{}}", "a key", "$.numbers{0}.key"},             {"\"numbers\":{\"9223372036854775808\":{}}", "a key", "$.numbers{0}.key"},
        {"\"numbers\":{1:{}}", "a string", "$.numbers{0}.key"},             {"\"numbers\":{\"1\":1}", "an object", "$.numbers{0}.value"},
        {"\"numbers\":[]", "an object", "$.numbers"},                       {"\"numbers\":{\"0\":{},\"-0\":{}}", "twice", "$.numbers"},
        {"\"counts\":{\"a\":1,\"\\u0061\":2}", "twice", "$.counts"},        {"\"counts\":{\"\\ud800\":1}", "surrogate", "$.counts{0}.key"},
        {"\"shapes\":{\"5\":{\"amount\":\"1\"},\"GREEN\":{\"amount\":\"1\"}}", "twice", "$.shapes"}, {"\"shapes\":{\"7\":{\"amount\":\"1\"}}", "a key", "$.shapes{0}.key"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "{%s}", wrong[i].text);
        REFUSED(everything, text, wrong[i].part, wrong[i].place);
    }
}

/* JSON-13 */
static void limits(void **state)
{
    (void)state;
    creo_limits few = creo_limits_default();
    fixture f;
    sample_growing value;
    static const char nested[] = "{\"name\":\"x\",\"y\":[[[{}]]]}";
    for (uint32_t depth = 1; depth < 7; depth++) {
        few.max_xml_depth = depth;
        start(&f);
        bool done = read_value(&f, &sample_growing_xml, nested, sizeof nested - 1, CREO_COPY, &few, &value);
        assert_int_equal(done, depth >= 5);
        assert_true(done || strcmp(f.error.limit, "maxXmlDepth") == 0);
        finish(&f);
    }
    few = creo_limits_default();
    few.max_xml_name = 4;
    start(&f);
    assert_true(read_value(&f, &sample_growing_xml, "{\"name\":\"x\",\"weights\":[],\"four\":1}", 34, CREO_COPY, &few, &value));
    assert_false(read_value(&f, &sample_growing_xml, "{\"name\":\"x\",\"fives\":1}", 22, CREO_COPY, &few, &value));
    assert_true(strcmp(f.error.limit, "maxXmlName") == 0 && f.error.allowed == 4 && f.error.offset == 12);
    few = creo_limits_default();
    few.max_xml_text = 7;
    assert_true(read_value(&f, &sample_growing_xml, "{\"name\":\"1234567\"}", 18, CREO_COPY, &few, &value));
    assert_false(read_value(&f, &sample_growing_xml, "{\"name\":\"12345678\"}", 19, CREO_COPY, &few, &value));
    assert_true(strcmp(f.error.limit, "maxXmlText") == 0);
    assert_false(read_value(&f, &sample_growing_xml, "{\"name\":\"123456\\u20ac\"}", 23, CREO_COPY, &few, &value));
    assert_true(strcmp(f.error.limit, "maxXmlText") == 0);
    /* LIM-4 */
    few = creo_limits_default();
    few.max_depth = 2;
    sample_shape shape;
    assert_true(read_value(&f, &sample_shape_xml, "{\"shapes\":[{\"amount\":\"1\"}]}", 27, CREO_COPY, &few, &shape));
    assert_false(read_value(&f, &sample_shape_xml, "{\"shapes\":[{\"shapes\":[{\"amount\":\"1\"}]}]}", 41, CREO_COPY, &few, &shape));
    assert_true(strcmp(f.error.limit, "maxDepth") == 0);
    assert_string_equal(f.error.place, "$.shapes[0].shapes[0]");
    finish(&f);
    /* An arena that is too small. */
    uint8_t memory[400];
    for (size_t size = 0; size < sizeof memory; size++) {
        creo_arena_init_fixed(&f.arena, memory, size);
        sample_tree tree;
        static const char text[] = "{\"name\":\"a\\nb\",\"children\":[{\"name\":\"c\",\"children\":[],\"named\":{}}],\"named\":{\"k\":{\"name\":\"v\",\"children\":[],\"named\":{}}}}";
        if (!creo_json_from_bytes(&sample_tree_xml, creo_bytes_of(text, sizeof text - 1), &f.arena, &tree, &f.error))
            assert_int_equal(f.error.code, CREO_TOO_LARGE);
    }
}

/* Arrays that are written and read in one go, also where memory is nearly full. */
static void numbers(void **state)
{
    (void)state;
    fixture f;
    sample_growing value;
    sample_growing back;
    creo_bytes json;
    double many[1000];
    start(&f);
    for (size_t i = 0; i < 1000; i++)
        many[i] = i % 7 == 0 ? creo_double_of(UINT64_C(0x7FF0000000000000)) : (double)i / 3;
    sample_growing_init(&value);
    value.name = creo_text("n");
    value.weights = (creo_double_array){many, 1000};
    assert_true(sample_growing_to_json(&value, &f.arena, &json, &f.error));
    assert_true(sample_growing_from_json(json, &f.arena, &back, &f.error));
    assert_int_equal(back.weights.count, 1000);
    assert_memory_equal(back.weights.items, many, sizeof many);
    finish(&f);
}

/* What cannot be written. */
static void values_that_are_none(void **state)
{
    (void)state;
    fixture f;
    sample_growing value;
    creo_bytes json;
    start(&f);
    sample_growing_init(&value);
    value.name = creo_text("\xFF");
    assert_false(sample_growing_to_json(&value, &f.arena, &json, &f.error));
    assert_error(&f.error, "invalid-value: a string is well-formed UTF-8 (at $.name)");
    value.name = creo_text("");
    value.has_colour = true;
    value.colour = (sample_colour)9;
    assert_false(sample_growing_to_json(&value, &f.arena, &json, &f.error));
    assert_error(&f.error, "invalid-value: the enum has no constant of this number (at $.colour)");
    value.has_colour = false;
    value.weights.count = 1;
    assert_false(sample_growing_to_json(&value, &f.arena, &json, &f.error));
    assert_error(&f.error, "invalid-value: the pointer to the items is NULL (at $.weights)");
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_each_kind), cmocka_unit_test(cut_texts), cmocka_unit_test(borrowed_texts), cmocka_unit_test(syntax),  cmocka_unit_test(members),
        cmocka_unit_test(integers),         cmocka_unit_test(scalars),   cmocka_unit_test(decimals),       cmocka_unit_test(strings), cmocka_unit_test(bytes),
        cmocka_unit_test(unions),           cmocka_unit_test(keys),      cmocka_unit_test(limits),         cmocka_unit_test(numbers), cmocka_unit_test(values_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
