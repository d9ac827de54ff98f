/* Values as XML: spec/wires/xml.md. */
#include "check.h"

#include "sample.text.h"

#include "base/utf8.h"
#include "text/text_values.h"

#define NS " xmlns='urn:creo:creo.tests.sample'"

typedef struct fixture {
    creo_arena arena;
    creo_error error;
} fixture;

static void start(fixture *f)
{
    creo_arena_init(&f->arena, creo_allocator_libc());
    creo_error_clear(&f->error);
}

/* A text on the heap in exact size, for the sanitizer to detect overruns. */
static creo_bytes exact(const char *text, size_t size)
{
    uint8_t *copy = (uint8_t *)malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    memcpy(copy, text, size);
    return creo_bytes_of(copy, size);
}

static bool read_growing(fixture *f, const char *text, size_t size, sample_growing *value)
{
    creo_bytes xml = exact(text, size);
    bool done = sample_growing_from_xml(xml, &f->arena, value, &f->error);
    release(xml);
    return done;
}

/* The name of a Growing that is read. */
static void name_is(const char *text, const char *due)
{
    fixture f;
    sample_growing value;
    start(&f);
    if (!read_growing(&f, text, strlen(text), &value))
        fail_msg("%s: %s", text, f.error.message);
    if (!creo_string_is(value.name, due))
        fail_msg("%s: %.*s", text, (int)value.name.size, value.name.data);
    creo_arena_free(&f.arena);
}

static void refused_as(const char *text, size_t size, creo_code code, const char *part)
{
    fixture f;
    sample_growing value;
    char shown[CREO_ERROR_TEXT];
    start(&f);
    if (read_growing(&f, text, size, &value))
        fail_msg("%.200s was read", text);
    creo_error_format(&f.error, shown, sizeof shown);
    if (f.error.code != code || strstr(shown, part) == NULL || f.error.place[0] != '$' || !f.error.has_offset)
        fail_msg("%.200s: %s; \"%s\" is due", text, shown, part);
    creo_arena_free(&f.arena);
}

static void refused(const char *text, const char *part)
{
    refused_as(text, strlen(text), CREO_MALFORMED, part);
}

#define GROWING(inside) "<Growing" NS ">" inside "</Growing>"
#define NAME(text) GROWING("<name>" text "</name>")

static void texts(void **state)
{
    (void)state;
    name_is(NAME("a"), "a");
    name_is(NAME(""), "");
    name_is(GROWING("<name/>"), "");
    name_is(NAME(" a\tb\n"), " a\tb\n");
    name_is(NAME("&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#xe9;"), "<>&\"'A\xF0\x9F\x98\x80\xC3\xA9");
    name_is(NAME("a<!-- b -->c<![CDATA[<&]]d>]]>e"), "ac<&]]d>e");
    name_is(NAME("a\r\nb\rc&#13;"), "a\nb\nc\r");
    name_is(NAME("<![CDATA[a\r\nb]]>"), "a\nb");
    name_is(NAME("]] > ]>"), "]] > ]>");
    name_is("\xEF\xBB\xBF<?xml version=\"1.0\" encoding='UTF-8' standalone='no' ?>\n<!-- x -->" NAME("a") "\n<!-- y -->\n", "a");
    name_is("<n:Growing xmlns:n='urn:creo:creo.tests.sample' ><n:name >a</n:name\n></n:Growing >", "a");
    name_is(GROWING("<b:name xmlns:b='urn:creo:creo.tests.sample'>x</b:name>"), "x");
    /* An extensible struct: unknown elements are skipped. */
    name_is("<Growing" NS " x='1' y=\"a'b\"><q:r xmlns:q='urn:q' q:s='t'><u>&lt;</u><![CDATA[x]]></q:r><name>a</name></Growing>", "a");
}

static void utf_16(void **state)
{
    (void)state;
    static const char text[] = "<?xml version='1.0' encoding='utf-16'?>" NAME("\xC3\xA9\xF0\x9F\x98\x80");
    for (int big = 0; big < 2; big++) {
        char wide[1000];
        size_t size = 0;
        wide[size++] = big ? '\xFE' : '\xFF';
        wide[size++] = big ? '\xFF' : '\xFE';
        for (const char *at = text; *at != 0;) {
            uint32_t units[2] = {(uint8_t)*at, 0};
            size_t length = creo_utf8_sequence((const uint8_t *)at, 4);
            if (length == 2) {
                units[0] = 0xE9;
            } else if (length == 4) {
                units[0] = 0xD83D;
                units[1] = 0xDE00;
            }
            for (int i = 0; i < 2 && (i == 0 || units[1] != 0); i++) {
                wide[size++] = (char)(big ? units[i] >> 8 : units[i] & 0xFF);
                wide[size++] = (char)(big ? units[i] & 0xFF : units[i] >> 8);
            }
            at += length;
        }
        fixture f;
        sample_growing value;
        start(&f);
        if (!read_growing(&f, wide, size, &value))
            fail_msg("%s", f.error.message);
        assert_true(creo_string_is(value.name, "\xC3\xA9\xF0\x9F\x98\x80"));
        assert_false(read_growing(&f, wide, size - 1, &value));
        creo_arena_free(&f.arena);
    }
    refused_as("\xFF\xFE<\0\x00\xD8>\0", 8, CREO_MALFORMED, "");
    refused("<?xml version='1.0' encoding='utf-16'?>" NAME("a"), "encoding");
}

/* XML-40 to XML-42 */
static void what_is_no_xml(void **state)
{
    (void)state;
    refused("", "ends");
    refused("  ", "ends");
    refused("a", "element");
    refused("</a>", "element");
    refused("<!DOCTYPE a [<!ENTITY b 'c'>]>" NAME("a"), "document type");
    refused("<!DOCTYPE a SYSTEM 'http://127.0.0.1/'>" NAME("&b;"), "document type");
    refused("<?pi?>" NAME("a"), "processing instructions");
    refused(GROWING("<?pi x?><name/>"), "processing instructions");
    refused("<?xml version='1.1'?>" NAME("a"), "XML 1.0");
    refused("<?xml version='1.0' encoding='latin-1'?>" NAME("a"), "encoding");
    refused(" <?xml version='1.0'?>" NAME("a"), "processing instructions");
    refused(NAME("\xC0\xAF"), "UTF-8");
    refused(NAME("\xE0\x80\xAF"), "UTF-8");
    refused(NAME("\xED\xA0\x80"), "UTF-8");
    refused(NAME("\xF4\x90\x80\x80"), "UTF-8");
    refused(NAME("\xEF\xBF\xBE"), "U+FFFE");
    refused(NAME("\xC3"), "UTF-8");
    refused(NAME("\x01"), "character");
    refused_as(NAME("a"), sizeof(NAME("a")), CREO_MALFORMED, "character");
    refused(NAME("&#0;"), "reference");
    refused(NAME("&#xD800;"), "reference");
    refused(NAME("&#xFFFF;"), "reference");
    refused(NAME("&#x110000;"), "reference");
    refused(NAME("&#99999999999;"), "reference");
    refused(NAME("&#;"), "reference");
    refused(NAME("&#x;"), "reference");
    refused(NAME("&#X41;"), "reference");
    refused(NAME("&nbsp;"), "entity");
    refused(NAME("& b"), "entity");
    refused(NAME("a]]>b"), "]]>");
    refused(NAME("<!-- a -- b -->"), "--");
    refused(NAME("<!-- a --->"), "--");
    refused(NAME("<!-- a"), "ends");
    refused(NAME("<![CDATA[a"), "ends");
    refused("<Growing" NS "><name>a</nam></Growing>", "end tag of name");
    refused("<Growing" NS "><name>a</names></Growing>", "end tag of name");
    refused("<Growing" NS "><name>a</Growing></name>", "end tag of name");
    refused(NAME("a") "x", "after the root");
    refused(NAME("a") "<x/>", "after the root");
    refused("<n:Growing><n:name/></n:Growing>", "prefix n");
    refused("<Growing" NS "><name a:b='c'/></Growing>", "prefix a");
    refused("<Growing" NS " xmlns:a=''><name/></Growing>", "bound to nothing");
    refused("<Growing" NS " xmlns:xml='urn:x'><name/></Growing>", "xml and xmlns");
    refused("<Growing" NS " xmlns:xmlns='urn:x'><name/></Growing>", "xml and xmlns");
    refused("<Growing" NS " xmlns:a='http://www.w3.org/2000/xmlns/'><name/></Growing>", "xml and xmlns");
    refused("<Growing" NS " xmlns:a='http://www.w3.org/XML/1998/namespace'><name/></Growing>", "xml and xmlns");
    refused("<Growing" NS " a='1' a='2'><name/></Growing>", "twice");
    refused("<Growing" NS " xmlns:p='urn:p' xmlns:q='urn:p' p:a='1' q:a='2'><name/></Growing>", "twice");
    refused("<Growing" NS " a=1><name/></Growing>", "quotes");
    refused("<Growing" NS " a><name/></Growing>", "value");
    refused("<Growing" NS " a='<'><name/></Growing>", "no <");
    refused("<Growing" NS " a='&lt'><name/></Growing>", "entity");
    refused("<Growing" NS "a='1'><name/></Growing>", "white space");
    refused("<Growing" NS " -a='1'><name/></Growing>", "name");
    refused("<1Growing/>", "name");
    refused("<:a/>", "name");
    refused("<a:/>", "name");
    refused("<a:b:c xmlns:a='urn:a'/>", "");
    refused("<Growing" NS "/ >", "empty element");
}

static void structure(void **state)
{
    (void)state;
    refused("<Other" NS "/>", "the root is Other");
    refused("<Growing/>", "the root is Growing of the namespace \"\"");
    refused("<Growing" NS "/>", "the element name is missing (at $, byte");
    refused(GROWING("<name/><name/>"), "was there before");
    refused(GROWING("<name/>text"), "text where");
    refused(GROWING("<name/><limit/>"), "(at $.limit, byte");
    refused(GROWING("<name><b/></name>"), "(at $.name, byte");
    refused(GROWING("<name a='1'/>"), "attribute a");
    refused(GROWING("<name/><weights>1</weights><weights>x</weights>"), "(at $.weights[1], byte");
    refused(GROWING("<name/><colour>PINK</colour>"), "PINK");
    refused(GROWING("<name xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/>"), "not optional");
    refused(GROWING("<name/><colour xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='maybe'/>"), "xsi:nil");
    refused(GROWING("<name/><colour xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'>RED</colour>"), "empty");
    fixture f;
    sample_growing value;
    start(&f);
    static const char nil[] = GROWING("<colour xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='1'/><weights> 1 </weights><weights>-INF</weights><name/>");
    assert_true(read_growing(&f, nil, sizeof nil - 1, &value));
    assert_false(value.has_colour);
    assert_true(value.limit == 100 && value.weights.count == 2 && value.weights.items[0] == 1);
    creo_arena_free(&f.arena);
}

/* Values of attributes are looked at eight bytes at a time: each byte that is more than itself is seen at each place. */
static void values_of_attributes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *refused; /* NULL: it is read */
    } parts[] = {{"a", NULL}, {"\"", NULL}, {"&amp;", NULL}, {"\t", NULL}, {"\xC3\xA9", NULL}, {"<", "holds no <"}, {"&", "an entity"}, {"'", "white space"}};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        for (int before = 1; before < 20; before++) {
            for (int behind = 1; behind < 10; behind++) {
                char xml[200];
                (void)snprintf(xml, sizeof xml, "<Growing" NS " xmlns:p='%.*s%s%.*s'><name>x</name></Growing>", before, "abcdefghijklmnopqrst", parts[k].text, behind,
                    "abcdefghijklmnopqrst");
                if (parts[k].refused == NULL)
                    name_is(xml, "x");
                else
                    refused(xml, parts[k].refused);
            }
        }
    }
}

/* LIM-20 to LIM-24, and LIM-4 */
static void limits(void **state)
{
    (void)state;
    static const char text[] = GROWING("<name>abcdef</name><x><x><x/></x></x><y a='1' b='2' xmlns:c='urn:c'/>");
    for (int i = 0; i < 5; i++) {
        fixture f;
        sample_growing value;
        creo_limits limits = creo_limits_default();
        static const char *const names[] = {"maxXmlDepth", "maxXmlAttributes", "maxXmlName", "maxXmlNamespaces", "maxXmlText"};
        limits.max_xml_depth = i == 0 ? 3 : 4;
        limits.max_xml_attributes = i == 1 ? 2 : 3;
        limits.max_xml_name = i == 2 ? 6 : 7;
        limits.max_xml_namespaces = i == 3 ? 1 : 2;
        limits.max_xml_text = i == 4 ? 5 : 100;
        start(&f);
        assert_false(creo_xml_read(creo_bytes_of(text, sizeof text - 1), CREO_COPY, &sample_growing_xml, &value, &f.arena, &limits, &f.error));
        assert_int_equal(f.error.code, CREO_TOO_LARGE);
        assert_string_equal(f.error.limit, names[i]);
        creo_arena_free(&f.arena);
    }
    char deep[8000] = "<Tree" NS ">";
    for (int i = 0; i < 100; i++)
        strcat(deep, "<name/><named/><next>");
    fixture f;
    sample_tree tree;
    start(&f);
    assert_false(sample_tree_from_xml(creo_bytes_of(deep, strlen(deep)), &f.arena, &tree, &f.error));
    assert_int_equal(f.error.code, CREO_TOO_LARGE);
    assert_string_equal(f.error.limit, "maxDepth");
    creo_arena_free(&f.arena);
}

/* Memory is proportional to the received bytes. */
static void memory_is_bounded(void **state)
{
    (void)state;
    fixture f;
    sample_growing value;
    start(&f);
    f.arena.most = 100;
    assert_false(sample_growing_from_xml(creo_bytes_of(NAME("a"), sizeof(NAME("a")) - 1), &f.arena, &value, &f.error));
    assert_int_equal(f.error.code, CREO_TOO_LARGE);
    creo_arena_free(&f.arena);
}

static void values(void **state)
{
    (void)state;
    bool flag;
    creo_datetime instant;
    creo_decimal decimal;
    creo_bytes bytes;
    char room[1024];
    uint8_t data[64];
    assert_null(creo_parse_boolean(creo_text("1"), &flag));
    assert_non_null(creo_parse_boolean(creo_text("TRUE"), &flag));
    static const char *const bad_instants[] = {"", "2026-11-21", "2026-11-21T10:31", "2026-11-21T10:31:56+15:00", "2026-11-21T10:31:56+14:01", "2026-11-21t10:31:56Z", "2026-11-21T10:31:60Z",
                                               "2026-11-21T24:00:01Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
                                               "-0001-01-01T00:00:00Z", "2026-11-21T10:31:56.Z", "2026-11-21T10:31:56.1234567891Z", "2026-11-21T10:31:56Zx", "9999-12-31T24:00:00Z", "9999-12-31T24:00:00-01:00"};
    for (size_t i = 0; i < sizeof bad_instants / sizeof bad_instants[0]; i++)
        assert_non_null(creo_parse_datetime(creo_text(bad_instants[i]), &instant));
    assert_null(creo_parse_datetime(creo_text("0001-01-01T00:00:00.5+00:01"), &instant));
    assert_true(instant.seconds == INT64_C(-62135596800) && instant.nanoseconds == 0);
    assert_null(creo_parse_datetime(creo_text("9999-12-31T23:59:59-00:01"), &instant));
    assert_true(instant.seconds == INT64_C(253402300799) && instant.nanoseconds == 999999999);
    assert_null(creo_parse_datetime(creo_text("1970-01-01T00:00:00.0000000010000"), &instant));
    assert_true(instant.seconds == 0 && instant.nanoseconds == 1);
    assert_null(creo_parse_datetime(creo_text("2000-02-29T24:00:00-01:30"), &instant));
    assert_int_equal(instant.seconds, 951868800 + 5400);
    static const char *const decimals[][2] = {{"+01.50", "1.50"}, {".5", "0.5"}, {"5.", "5"}, {"-0.00", "0.00"}, {"-0", "0"}, {"000", "0"}, {"-001", "-1"}, {"12.30", "12.30"}, {"-.5", "-0.5"}};
    for (size_t i = 0; i < sizeof decimals / sizeof decimals[0]; i++) {
        assert_null(creo_parse_decimal(creo_text(decimals[i][0]), room, &decimal));
        assert_true(creo_string_is(decimal, decimals[i][1]));
    }
    static const char *const bad_decimals[] = {"", ".", "+", "1e1", "1.2.3", "--1", "0x1", "INF"};
    for (size_t i = 0; i < sizeof bad_decimals / sizeof bad_decimals[0]; i++)
        assert_non_null(creo_parse_decimal(creo_text(bad_decimals[i]), room, &decimal));
    char many[1202];
    memset(many, '1', sizeof many);
    assert_null(creo_parse_decimal((creo_string){many, 1000}, room, &decimal));
    assert_non_null(creo_parse_decimal((creo_string){many, 1001}, room, &decimal));
    assert_null(creo_parse_base64(creo_text(" A H8 =\n"), data, &bytes));
    assert_true(bytes.size == 2 && bytes.data[0] == 0 && bytes.data[1] == 0x7F);
    static const char *const bad_base64[] = {"A", "AA", "AAA", "A===", "AB==", "AAB=", "AA==AA==", "AA=A", "====", "-_-_", "AAAA="};
    for (size_t i = 0; i < sizeof bad_base64 / sizeof bad_base64[0]; i++)
        assert_non_null(creo_parse_base64(creo_text(bad_base64[i]), data, &bytes));
    for (size_t size = 0; size < 20; size++) {
        uint8_t from[20];
        char text[40];
        for (size_t i = 0; i < size; i++)
            from[i] = (uint8_t)(i * 37 + 200);
        size_t length = (size_t)(creo_put_base64(text, creo_bytes_of(from, size)) - text);
        assert_null(creo_parse_base64((creo_string){text, length}, data, &bytes));
        assert_true(bytes.size == size && memcmp(bytes.data, from, size) == 0);
        length = (size_t)(creo_put_hex(text, creo_bytes_of(from, size)) - text);
        assert_null(creo_parse_hex((creo_string){text, length}, data, &bytes));
        assert_true(bytes.size == size && memcmp(bytes.data, from, size) == 0);
    }
    assert_non_null(creo_parse_hex(creo_text("0"), data, &bytes));
    assert_non_null(creo_parse_hex(creo_text("0g"), data, &bytes));
}

/* Written text can be read, and is the same when written again. */
static void everything_comes_back(void **state)
{
    (void)state;
    fixture f;
    sample_everything value;
    sample_everything back;
    creo_bytes first;
    creo_bytes second;
    start(&f);
    sample_everything_init(&value);
    static const double doubles[] = {1.5, -0.0, 1e300};
    static const creo_string texts[] = {{"a<b", 3}, {"", 0}, {" \r\n\t]]>", 7}};
    static const sample_string_optional holes[] = {{true, {"x", 1}}, {false, {NULL, 0}}};
    static const sample_string_int_map_entry counts[] = {{{"k", 1}, 1}, {{"\xC3\xA9", 2}, -2}};
    value.text = creo_text("\xF0\x9F\x98\x80&\"'");
    value.bytes = creo_bytes_of("\0\xFF", 2);
    value.doubles = (creo_double_array){doubles, 3};
    value.texts = (creo_string_array){texts, 3};
    value.holes = (sample_string_optional_array){holes, 2};
    value.counts = (sample_string_int_map){counts, 2};
    value.scalars.real = 0.1;
    value.scalars.colour = SAMPLE_COLOUR_BLUE;
    value.amount = creo_text("-1.50");
    value.level = 77;
    assert_true(sample_everything_to_xml(&value, &f.arena, &first, &f.error));
    assert_true(sample_everything_from_xml(first, &f.arena, &back, &f.error));
    assert_true(sample_everything_to_xml(&back, &f.arena, &second, &f.error));
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    assert_true(creo_string_equal(back.texts.items[2], texts[2]));
    static const char part[] = "<n1:text>\xF0\x9F\x98\x80&amp;\"'</n1:text><n1:amount>-1.50</n1:amount><n1:bytes>AP8=</n1:bytes><n1:doubles>1.5</n1:doubles><n1:doubles>-0</n1:doubles>"
                               "<n1:doubles>1e+300</n1:doubles><n1:texts>a&lt;b</n1:texts><n1:texts></n1:texts><n1:texts> &#13;\n\t]]&gt;</n1:texts>";
    bool found = false;
    for (size_t i = 0; i + sizeof part - 1 <= first.size; i++)
        found = found || memcmp(first.data + i, part, sizeof part - 1) == 0;
    assert_true(found);
    /* Cut anywhere, it is refused. */
    for (size_t cut = 0; cut < first.size; cut++) {
        creo_bytes xml = exact((const char *)first.data, cut);
        creo_arena arena;
        creo_arena_init(&arena, creo_allocator_libc());
        assert_false(sample_everything_from_xml(xml, &arena, &back, &f.error));
        assert_int_equal(f.error.code, CREO_MALFORMED);
        creo_arena_free(&arena);
        release(xml);
    }
    creo_arena_free(&f.arena);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    fixture f;
    sample_growing value;
    creo_bytes xml;
    start(&f);
    sample_growing_init(&value);
    value.name = creo_text("\xEF\xBF\xBF");
    assert_false(sample_growing_to_xml(&value, &f.arena, &xml, &f.error));
    assert_error(&f.error, "invalid-value: a text holds a character that XML does not allow (at $.name)");
    value.name = creo_text("long enough to go by words\x7F\x1F");
    assert_false(sample_growing_to_xml(&value, &f.arena, &xml, &f.error));
    value.name = creo_text("\xC3(");
    assert_false(sample_growing_to_xml(&value, &f.arena, &xml, &f.error));
    assert_error(&f.error, "invalid-value: a string is well-formed UTF-8 (at $.name)");
    value.name = creo_text("a");
    value.has_colour = true;
    value.colour = (sample_colour)4;
    assert_false(sample_growing_to_xml(&value, &f.arena, &xml, &f.error));
    assert_error(&f.error, "invalid-value: the enum has no constant of this number (at $.colour)");
    sample_event event;
    sample_event_init(&event);
    event.kind = 7;
    assert_false(sample_event_to_xml(&event, &f.arena, &xml, &f.error));
    assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    creo_arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),  cmocka_unit_test(utf_16),            cmocka_unit_test(what_is_no_xml), cmocka_unit_test(structure),
        cmocka_unit_test(limits), cmocka_unit_test(memory_is_bounded), cmocka_unit_test(values),         cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(wrong_values_are_refused), cmocka_unit_test(values_of_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
