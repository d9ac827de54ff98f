/* Values as tables: spec/wires/tdxml.md. */
#include "values.h"

#define HEAD(of) "<Env xmlns=\"urn:creo:tdxml\" of=\"creo.tests.sample." of "\">"
#define RT(rows) "<RT>\n" rows "</RT></Env>"
#define CT(rows) "<CT>\n" rows "</CT></Env>"

/* One of each kind, in the record scheme. */
static const char everything[] = HEAD("Everything") RT("[0]|a\\|b\\\\c\\n\\r\\a\\l\\g]]~\t\xC3\xA9\xF0\x9F\x98\x80 and more|-1.50|AAEC|#7\n"
                                                       "[0][0]|true|-1|2|233|-3|9007199254740993|1.5|NaN|2026-11-21T10:31:56.250Z|BLUE\n"
                                                       "[0][4]|1|-0|0.1|1e+21|INF|-INF\n"
                                                       "[0][5]|true|false\n"
                                                       "[0][6]||\\~x|y~\n"
                                                       "[0][7]|1970-01-01T00:00:00Z\n"
                                                       "[0][8]0|0.5|-7\n"
                                                       "[0][9]0|false|RED|0001-01-01T00:00:00Z\n"
                                                       "[0][10]0\n"
                                                       "[0][10]1\n"
                                                       "[0][11]0[0]|1|2\n"
                                                       "[0][11]1\n"
                                                       "[0][11]2[0]|3\n"
                                                       "[0][12]|a|~|\n"
                                                       "[0][13][0]0|b|2\n"
                                                       "[0][13][0]1|a|1\n"
                                                       "[0][14][0]0|GREEN\n"
                                                       "[0][14][0]0[1][0]|1|1\n"
                                                       "[0][15][0]0|-5\n"
                                                       "[0][15][0]0[1]\n"
                                                       "[0][16]|t\n"
                                                       "[0][16][1]0|c\n"
                                                       "[0][16][1]0[3]\n"
                                                       "[0][16][2]|n\n"
                                                       "[0][16][2][3]\n"
                                                       "[0][16][3][0]0|k\n"
                                                       "[0][16][3][0]0[1]|v\n"
                                                       "[0][16][3][0]0[1][3]\n"
                                                       "[0][17][0]|s\n"
                                                       "[0][18]|g|~|100\n");

/* The same in the aggregated scheme. */
static const char aggregated[] = HEAD("Everything") CT("[0][0][0]|true\n[0][0][1]|-1\n[0][0][2]|2\n[0][0][3]|233\n[0][0][4]|-3\n[0][0][5]|9007199254740993\n[0][0][6]|1.5\n"
                                                       "[0][0][7]|NaN\n[0][0][8]|2026-11-21T10:31:56.250Z\n[0][0][9]|BLUE\n"
                                                       "[0][1]|a\\|b\\\\c\\n\\r\\a\\l\\g]]~\t\xC3\xA9\xF0\x9F\x98\x80 and more\n[0][2]|-1.50\n[0][3]|AAEC\n"
                                                       "[0][4]0|1\n[0][4]1|-0\n[0][4]2|0.1\n[0][4]3|1e+21\n[0][4]4|INF\n[0][4]5|-INF\n"
                                                       "[0][5]0|true\n[0][5]1|false\n[0][6]0|\n[0][6]1|\\~x\n[0][6]2|y~\n[0][7]0|1970-01-01T00:00:00Z\n"
                                                       "[0][8]0[0]|0.5\n[0][8]0[1]|-7\n[0][9]0[0]|false\n[0][9]0[1]|RED\n[0][9]0[2]|0001-01-01T00:00:00Z\n[0][10]0\n[0][10]1\n"
                                                       "[0][11]0[0]0|1\n[0][11]0[0]1|2\n[0][11]1\n[0][11]2[0]0|3\n[0][12]0|a\n[0][12]1~\n[0][12]2|\n"
                                                       "[0][13][0]0[0]|b\n[0][13][0]0[1]|2\n[0][13][0]1[0]|a\n[0][13][0]1[1]|1\n"
                                                       "[0][14][0]0[0]|GREEN\n[0][14][0]0[1][0][0]|1\n[0][14][0]0[1][0][1]|1\n[0][15][0]0[0]|-5\n[0][15][0]0[1]\n"
                                                       "[0][16][0]|t\n[0][16][1]0[0]|c\n[0][16][1]0[3]\n[0][16][2][0]|n\n[0][16][2][3]\n"
                                                       "[0][16][3][0]0[0]|k\n[0][16][3][0]0[1][0]|v\n[0][16][3][0]0[1][3]\n[0][17][0]|s\n[0][18][0]|g\n[0][18][2]|100\n[0][19]|#7\n");

static const creo_tdxml_options by_record = {CREO_TDXML_RECORD, false};

static bool read_value(fixture *f, const creo_text_root *root, const char *text, size_t size, const creo_limits *limits, void *value)
{
    creo_bytes tdxml = exact(text, size);
    bool done = creo_tdxml_read(tdxml, CREO_COPY, root, value, &f->arena, limits, &f->error);
    release(tdxml);
    return done;
}

/* The text is read, and written as another. */
static void reads_as(const creo_text_root *root, size_t size, const char *text, const char *due, creo_tdxml_options options)
{
    fixture f;
    creo_bytes tdxml;
    start(&f);
    void *value = malloc(size);
    assert_non_null(value);
    if (!read_value(&f, root, text, strlen(text), NULL, value)) {
        char shown[CREO_ERROR_TEXT];
        fail_msg("%s: %s", text, creo_error_format(&f.error, shown, sizeof shown));
    }
    assert_true(creo_tdxml_to_bytes(root, value, options, &f.arena, &tdxml, &f.error));
    assert_text(tdxml, due);
    free(value);
    finish(&f);
}

static void refused_by(const creo_text_root *root, size_t size, const char *text, const creo_limits *limits, creo_code code, const char *part, const char *place)
{
    fixture f;
    start(&f);
    void *value = malloc(size);
    assert_non_null(value);
    if (read_value(&f, root, text, strlen(text), limits, value))
        fail_msg("%.300s was read", text);
    assert_refused(&f.error, text, code, part, place);
    free(value);
    finish(&f);
}

#define READS(type, text, due) reads_as(&sample_##type##_xml, sizeof(sample_##type), text, due, by_record)
#define REFUSED(type, text, part, place) refused_by(&sample_##type##_xml, sizeof(sample_##type), text, NULL, CREO_MALFORMED, part, place)

#define GROWING(rows) HEAD("Growing") RT(rows)
#define GROWING_CT(rows) HEAD("Growing") CT(rows)

static void one_of_each_kind(void **state)
{
    (void)state;
    const creo_tdxml_options by_column = {CREO_TDXML_AGGREGATED, false};
    READS(everything, everything, everything);
    READS(everything, aggregated, everything);
    reads_as(&sample_everything_xml, sizeof(sample_everything), everything, aggregated, by_column);
    reads_as(&sample_everything_xml, sizeof(sample_everything), aggregated, aggregated, by_column);
    /* Into memory of the caller's, which is just large enough, or too small. */
    fixture f;
    sample_everything value;
    start(&f);
    assert_true(sample_everything_from_tdxml(creo_bytes_of(everything, sizeof everything - 1), &f.arena, &value, &f.error));
    for (size_t size = 0; size < sizeof everything; size++) {
        uint8_t *memory = (uint8_t *)malloc(size == 0 ? 1 : size);
        creo_writer writer;
        assert_non_null(memory);
        creo_writer_init_fixed(&writer, memory, size, NULL, &f.error);
        bool done = creo_tdxml_write(&writer, &sample_everything_xml, &value, by_record);
        assert_int_equal(done, size >= sizeof everything - 1);
        if (done)
            assert_text(creo_writer_bytes(&writer), everything);
        free(memory);
    }
    finish(&f);
}

static void cut_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {everything, aggregated};
    for (size_t i = 0; i < 2; i++) {
        for (size_t size = 0; size < strlen(texts[i]); size++) {
            fixture f;
            sample_everything value;
            start(&f);
            assert_false(read_value(&f, &sample_everything_xml, texts[i], size, NULL, &value));
            if (f.error.code != CREO_MALFORMED)
                fail_msg("%lu bytes: %s", (unsigned long)size, f.error.message);
            finish(&f);
        }
    }
}

/* Pseudorandom numbers from a seed, the same in every run. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* TDX-13: in any order it is the same value. */
static void shuffled_rows(void **state)
{
    (void)state;
    static const char *const texts[] = {everything, aggregated};
    uint32_t seed = 1;
    for (int round = 0; round < 60; round++) {
        const char *text = texts[round % 2];
        const char *from = strstr(text, "T>\n") + 3;
        const char *to = strstr(text, "</RT>") != NULL ? strstr(text, "</RT>") : strstr(text, "</CT>");
        struct {
            const char *at;
            size_t size;
        } rows[200];
        size_t count = 0;
        for (const char *at = from; at < to; count++) {
            size_t size = (size_t)(strchr(at, '\n') - at);
            rows[count].at = at;
            rows[count].size = size;
            at += size + 1;
        }
        /* Reversed, two swapped, and all shuffled. */
        for (size_t i = 0; round < 2 && i < count / 2; i++) {
            const char *at = rows[i].at;
            size_t size = rows[i].size;
            rows[i] = rows[count - 1 - i];
            rows[count - 1 - i].at = at;
            rows[count - 1 - i].size = size;
        }
        size_t swaps = round < 2 ? 0 : round < 20 ? 1 : count * 3;
        for (size_t i = 0; i < swaps; i++) {
            size_t a = next_random(&seed) % count;
            size_t b = next_random(&seed) % count;
            const char *at = rows[a].at;
            size_t size = rows[a].size;
            rows[a] = rows[b];
            rows[b].at = at;
            rows[b].size = size;
        }
        char shuffled[sizeof aggregated + 400];
        size_t used = (size_t)(from - text);
        memcpy(shuffled, text, used);
        for (size_t i = 0; i < count; i++) {
            /* Spaces before an index, a carriage return after the row, and blank rows mean nothing. */
            used += (size_t)snprintf(shuffled + used, sizeof shuffled - used, "%s%.*s%s\n%s", i % 5 == 0 ? " \t" : "", (int)rows[i].size, rows[i].at, i % 7 == 0 ? "\r" : "",
                                     i % 11 == 0 ? " \n\n" : "");
        }
        strcpy(shuffled + used, to);
        READS(everything, shuffled, everything);
    }
}

/* TDX-1 to TDX-4 */
static void envelopes(void **state)
{
    (void)state;
    static const char due[] = GROWING("[0]|n|~|7\n");
    static const char *const fine[] = {
        due,
        "<Env xmlns=\"urn:creo:tdxml\"><RT>\n[0]|n|~|7\n</RT></Env>",
        "<Envelope xmlns=\"urn:creo:tdxml\"><RecordTable>[0]|n|~|7</RecordTable></Envelope>",
        "<t:Env xmlns:t='urn:creo:tdxml' xml:lang='de' t:x='y'><t:RT>\n[0]|n|~|7</t:RT></t:Env>",
        "<TDXML:Envelope><TDXML:RecordTable>\n[0]|n|~|7\n</TDXML:RecordTable></TDXML:Envelope>",
        "<TDXML:Env xmlns:TDXML='urn:creo:tdxml'><TDXML:RT>\n[0]|n|~|7\n</TDXML:RT></TDXML:Env>",
        "<?xml version='1.0'?>\n<!-- a --><Env xmlns='urn:creo:tdxml'> \n<!-- b --><RT>\n[0]|n<!-- c -->|~|7\n</RT>\n</Env>\n",
        "<Env xmlns='urn:creo:tdxml'><RT>\n<![CDATA[[0]|n|~|7\n]]></RT></Env>",
        "<Env xmlns='urn:creo:tdxml'><RT>&#10;&#91;0]&#124;n|~|&#55;</RT></Env>",
        "<Env xmlns='urn:creo:tdxml'><RT>\r\n[0]|n|~|7\r\n</RT></Env>",
        "<Env xmlns='urn:creo:tdxml'><CT>\n[0][0]|n\n[0][1]~\n[0][2]|7\n</CT></Env>",
        "<Env xmlns='urn:creo:tdxml'><ContentTable>\n[0]\n[0][0]|n\n[0][2]|7\n</ContentTable></Env>",
        "<Env xmlns='urn:creo:tdxml'><DataSchema>Growing ::= SEQUENCE {name[0]UTF8String(\"x\"),,colour [1] Enumerated OPTIONAL\n limit [2] Integer (\xE2\x80\x9C"
        "5\xE2\x80\x9D) weights [3] SET OF Real}</DataSchema><RT>\n[0]|n|~|7\n</RT></Env>",
    };
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++)
        READS(growing, fine[i], due);
    static const struct {
        const char *text;
        const char *part;
    } wrong[] = {
        {"<Env xmlns='urn:creo:tdxml' of='creo.tests.sample.Tree'><RT>\n[0]|n\n</RT></Env>", "not of creo.tests.sample.Growing"},
        {"<Env xmlns='urn:creo:tdxml' of='Growing'><RT>\n[0]|n\n</RT></Env>", "of Growing"},
        {"<Env xmlns='urn:creo:tdxml' x=''><RT>\n[0]|n\n</RT></Env>", "the attribute x"},
        {"<Env xmlns='urn:creo:tdxml'><RT x=''>\n[0]|n\n</RT></Env>", "no attributes"},
        {"<Env><RT>\n[0]|n\n</RT></Env>", "not Env"},
        {"<Env xmlns='urn:creo:tdxm'><RT>\n[0]|n\n</RT></Env>", "not Env"},
        {"<env xmlns='urn:creo:tdxml'><RT>\n[0]|n\n</RT></env>", "not Env"},
        {"<TDXML:Env xmlns:TDXML='x'><TDXML:RT>\n[0]|n\n</TDXML:RT></TDXML:Env>", "not Env"},
        {"<Env xmlns='urn:creo:tdxml'></Env>", "the table is missing"},
        {"<Env xmlns='urn:creo:tdxml'/>", "the table is missing"},
        {"<Env xmlns='urn:creo:tdxml'><DS></DS></Env>", "the table is missing"},
        {"<Env xmlns='urn:creo:tdxml'><RT>\n[0]|n\n</RT><RT></RT></Env>", "the element RT"},
        {"<Env xmlns='urn:creo:tdxml'><RT>\n[0]|n\n</RT><DS></DS></Env>", "the element DS"},
        {"<Env xmlns='urn:creo:tdxml'><XT>\n[0]|n\n</XT></Env>", "the element XT"},
        {"<Env xmlns='urn:creo:tdxml'><RT xmlns=''>\n[0]|n\n</RT></Env>", "the element RT"},
        {"<Env xmlns='urn:creo:tdxml'><UT>\n[0][0]|n\n</UT></Env>", "an update"},
        {"<Env xmlns='urn:creo:tdxml'>x<RT>\n[0]|n\n</RT></Env>", "a text stands"},
        {"<Env xmlns='urn:creo:tdxml'><RT>\n[0]|n\n<a/></RT></Env>", "an element stands"},
        {"<Env xmlns='urn:creo:tdxml'><RT>\n[0]|n\n</RT></Env><a/>", "behind the root"},
        {"<!DOCTYPE Env><Env xmlns='urn:creo:tdxml'><RT>\n[0]|n\n</RT></Env>", "document type"},
        {"<Env xmlns='urn:creo:tdxml'><RT>\n[0]|n\x01\n</RT></Env>", "does not allow"},
        {"<Env xmlns='urn:creo:tdxml'><RT>\n[0]|n&#1;\n</RT></Env>", "does not allow"},
        {"[0]|n\n", "an element is due"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        REFUSED(growing, wrong[i].text, wrong[i].part, "$");
}

/* TDX-10 to TDX-15 */
static void rows(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        const char *part;
    } wrong[] = {
        {"0|n", "row 1: 0|n"},
        {"[0|n", "row 1: [0|n"},
        {"[0]n", "row 1: [0]n"},
        {"[00]|n", "row 1: [00]|n"},
        {"[]|n", "row 1: []|n"},
        {"[-0]|n", "row 1: [-0]|n"},
        {"[ 0]|n", "row 1: [ 0]|n"},
        {"[0] |n", "row 1: [0] |n"},
        {"[2147483648]|n", "row 1: [2147483648]|n"},
        {"[99999999999]|n", "row 1"},
        {"[0]0|n", "row 1: [0]0|n; the index of the root"},
        {"[1]|n", "row 1: [1]|n; the index of the root"},
        {"(0)|n", "row 1: (0)|n"},
        {"[0](0|n", "row 1: [0](0|n"},
        {"[0](0)(1)|n", "row 1: [0](0)(1)|n"},
        {"[0](0)[1]|n", "row 1: [0](0)[1]|n"},
        {"[0]~x", "row 1: [0]~x"},
        {"[0]~|x", "row 1: [0]~|x"},
        {"[0]~", "row 1: [0]~; ~ stands for what is not optional"},
        {"[0]|n\n\n \t\n[0][3]|x", "row 4: [0][3]|x; a double"},
        {"[0]|n\n[1]|x", "row 2: [1]|x"},
        {"[0]|n\n[0]|n", "row 1: [0]|n; row 2: [0]|n; an index comes once"},
        {"[0][3]|1\n[0]|n\n\n[0][3]|1", "row 1: [0][3]|1; row 4: [0][3]|1; an index comes once"},
        {"[0]|n\\", "row 1: [0]|n\\; an escape"},
        {"[0]|\\x", "row 1: [0]|\\x; an escape"},
        {"[0]|n\\N", "an escape"},
        {"[0]|\\\\\\", "an escape"},
        {"[0]|~x", "does not begin with ~"},
        {"[0]|n|~|~x", "does not begin with ~"},
        {"[0]|n|~|7|\\x", "an escape"},
        {"[0]|n\n[0][9]|\\x", "an escape"},
        {"[0]|n\n[0][3]", "the items are missing"},
        {"[0]|n\n[0][3]~", "the items are missing"},
        {"[0]|n\n[0][3]0|1", "the columns of one row"},
        {"[0]|n\n[0][3]|~", "not optional"},
        {"[0]|n\n[0][0]|n", "a column of its struct's row"},
        {"[0]|~", "the element name is missing"},
        {"[0]", "the element name is missing"},
        {"", "the element name is missing"},
        {"[0]|n|RED|x", "row 1: [0]|n|RED|x; an int"},
        {"[0]|n|BLACK", "no constant BLACK"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, HEAD("Growing") "<RT>\n%s\n</RT></Env>", wrong[i].rows);
        REFUSED(growing, text, wrong[i].part, NULL);
    }
    /* The row is shown up to its 100th character. */
    char longer[600];
    char text[1000];
    memset(longer, 'x', 300);
    strcpy(longer + 300, "\\q");
    snprintf(text, sizeof text, HEAD("Growing") "<RT>\n[0]|%s\n</RT></Env>", longer);
    char shown[200] = "row 1: [0]|";
    memset(shown + strlen(shown), 'x', 96);
    strcpy(shown + 11 + 96, "; an escape");
    REFUSED(growing, text, shown, "$.name");
    /* The offset is that of the row or column if the table is not escaped. */
    fixture f;
    sample_growing value;
    start(&f);
    snprintf(text, sizeof text, "%s", HEAD("Growing") "<RT>\n[0]|n\n[0][3]|1|x\n</RT></Env>");
    assert_false(read_value(&f, &sample_growing_xml, text, strlen(text), NULL, &value));
    assert_true(f.error.has_offset && f.error.offset == (uint64_t)(strstr(text, "|x") - text) + 1);
    assert_string_equal(f.error.place, "$.weights[1]");
    snprintf(text, sizeof text, "%s", HEAD("Growing") "<RT>\n[0]|n&#33;\n[0][3]|1|x\n</RT></Env>");
    assert_false(read_value(&f, &sample_growing_xml, text, strlen(text), NULL, &value));
    assert_false(f.error.has_offset);
    finish(&f);
}

/* TDX-26: unknown fields of an extensible struct are skipped. */
static void extensible(void **state)
{
    (void)state;
    static const char due[] = GROWING("[0]|n|~|100\n[0][3]|1\n");
    READS(growing, GROWING("[0]|n|~|~|~|more\n[0](3)|x\n[0][3]|1\n[0][4]|x\n[0][4][0]|x\n[0][7]0|x\n[0][7]1[3](2)|x\n[0][8]~\n[0][9]\n"), due);
    READS(growing, GROWING("[0][9]|x\n[0][7]1|x\n[0][7]0|x\n[0]|n\n[0][3]|1\n[0](3)|x\n"), due);
    READS(growing, GROWING_CT("[0](0)|x\n[0][0]|n\n[0][3]0|1\n[0][4]|x|y\n"), due);
    REFUSED(growing, GROWING("[0]|n\n[0][9]|x\n[0][9]|x\n"), "row 2: [0][9]|x; row 3: [0][9]|x", NULL);
    REFUSED(growing, GROWING("[0]|n\n[0][9][1]|x\n[0][9]\n[0][9][1]|x\n"), "row 2: [0][9][1]|x; row 4: [0][9][1]|x", NULL);
    REFUSED(block, HEAD("Block") RT("[0]|1|2|3\n"), "row 1: [0]|1|2|3; the row has more columns", "$");
    REFUSED(block, HEAD("Block") RT("[0]|1|2\n[0][2]|x\n"), "row 2: [0][2]|x", "$");
    REFUSED(block, HEAD("Block") RT("[0]|1|2\n[0](0)|x\n"), "row 2: [0](0)|x", "$");
    REFUSED(block, HEAD("Block") CT("[0][0]|1\n[0][1]|2\n[0][2]|x\n"), "row 3: [0][2]|x", "$");
    REFUSED(block, HEAD("Block") CT("[0][0]0|1\n[0][1]|2\n"), "where nothing repeats", "$.d");
    REFUSED(block, HEAD("Block") CT("[0][0]|1|2\n[0][1]|2\n"), "one column", "$.d");
    REFUSED(block, HEAD("Block") CT("[0][0]\n[0][1]|2\n"), "the value is missing", "$.d");
    REFUSED(block, HEAD("Block") CT("[0][0]|~\n[0][1]|2\n"), "does not begin with ~", "$.d");
    REFUSED(block, HEAD("Block") CT("[0][0]~\n[0][1]|2\n"), "not optional", "$.d");
    REFUSED(block, HEAD("Block") CT("[0][0]|1\n[0][0][1]|1\n[0][1]|2\n"), "row 2", "$");
    REFUSED(block, HEAD("Block") CT("[0]|1\n[0][0]|1\n[0][1]|2\n"), "no text of its own", "$");
}

/* TDX-22 to TDX-24 */
static void arrays_maps_and_unions(void **state)
{
    (void)state;
#define TREE(rows) HEAD("Tree") RT("[0]|t\n" rows)
    READS(tree, TREE("[0][3]\n"), TREE("[0][3]\n"));
    REFUSED(tree, TREE(""), "the element named is missing", "$");
    REFUSED(tree, TREE("[0][1]1|c\n[0][1]1[3]\n[0][3]\n"), "row 2: [0][1]1|c; the occurrence 0", "$.children");
    REFUSED(tree, TREE("[0][1]0|c\n[0][1]0[3]\n[0][1]2|c\n[0][1]2[3]\n[0][3]\n"), "row 4: [0][1]2|c; the occurrence 1", "$.children");
    REFUSED(tree, TREE("[0][1]|c\n[0][1][3]\n[0][3]\n"), "row 2: [0][1]|c; the occurrence 0", "$.children");
    REFUSED(tree, TREE("[0][1]0~\n[0][3]\n"), "not optional", "$.children[0]");
    REFUSED(tree, TREE("[0][3]|x\n"), "no text of its own", "$.named");
    REFUSED(tree, TREE("[0][3][1]|x\n"), "row 2: [0][3][1]|x", "$.named");
    REFUSED(tree, TREE("[0][3][0]|x\n"), "the occurrence 0", "$.named");
    REFUSED(tree, TREE("[0][3][0]0\n[0][3][0]0[1]|v\n[0][3][0]0[1][3]\n"), "the key of an entry is missing", "$.named");
    REFUSED(tree, TREE("[0][3][0]0|k|v\n"), "more columns", "$.named");
    REFUSED(tree, TREE("[0][3][0]0|k\n[0][3][0]0[2]|v\n"), "row 3", "$.named");
    REFUSED(tree, TREE("[0][3][0]0|k\n[0][3][0]0[1]|v\n[0][3][0]0[1][3]\n[0][3][0]1|k\n[0][3][0]1[1]|v\n[0][3][0]1[1][3]\n"), "twice", "$.named");
    REFUSED(tree, TREE("[0][2]~\n[0][2][0]|x\n[0][3]\n"), "", "$");
    READS(tree, TREE("[0][2]~\n[0][3]\n"), TREE("[0][3]\n"));
    READS(tree, HEAD("Tree") CT("[0]\n[0][0]|t\n[0][1]0\n[0][1]0[0]|c\n[0][1]0[3]\n[0][3]\n"), TREE("[0][1]0|c\n[0][1]0[3]\n[0][3]\n"));
#define SHAPE(rows) HEAD("Shape") RT(rows)
    READS(shape, SHAPE("[0][3]|1.0\n"), SHAPE("[0][3]|1.0\n"));
    READS(shape, SHAPE("[0]\n[0][3]|1.0\n"), SHAPE("[0][3]|1.0\n"));
    READS(shape, SHAPE("[0][2]\n"), SHAPE("[0][2]\n"));
    READS(shape, SHAPE("[0][2][0]0[3]|1\n[0][2][0]1[0]|1|2\n"), SHAPE("[0][2][0]0[3]|1\n[0][2][0]1[0]|1|2\n"));
    REFUSED(shape, SHAPE("[0]\n"), "member is missing", "$");
    REFUSED(shape, SHAPE(""), "the table is empty", "$");
    REFUSED(shape, SHAPE("[0]|x\n"), "no text of its own", "$");
    REFUSED(shape, SHAPE("[0][4]|x\n"), "row 1: [0][4]|x", "$");
    REFUSED(shape, SHAPE("[0](0)|x\n"), "row 1: [0](0)|x", "$");
    REFUSED(shape, SHAPE("[0][3]0|1\n"), "where nothing repeats", "$");
    REFUSED(shape, SHAPE("[0][3]~\n"), "not optional", "$.amount");
    REFUSED(shape, SHAPE("[0][3]|1\n[0][3][0]|1\n"), "row 2", "$");
    REFUSED(shape, SHAPE("[0][0]|1|2\n[0][3]|1\n"), "row 2: [0][3]|1", "$");
    READS(level, HEAD("Level") RT("[0]|#5\n"), HEAD("Level") RT("[0]|#5\n"));
    READS(level, HEAD("Level") CT("[0]| HIGH \n"), HEAD("Level") RT("[0]|HIGH\n"));
    REFUSED(level, HEAD("Level") RT(""), "the table is empty", "$");
    REFUSED(level, HEAD("Level") RT("[0]|LOW|LOW\n"), "one column", "$");
    REFUSED(level, HEAD("Level") RT("[0][0]|LOW\n"), "row 1", "$");
}

/* A mandatory struct without any row (TDX-22), and rows that are taken away since nothing is in them. */
static void structs_without_rows(void **state)
{
    (void)state;
    char text[sizeof everything + 10];
    const char *at = strstr(everything, "[0][15][0]0[1]\n");
    /* The value of an entry. */
    snprintf(text, sizeof text, "%.*s%s", (int)(at - everything), everything, at + 15);
    READS(everything, text, everything);
    /* One that has fields which must be there. */
    at = strstr(everything, "[0][0]|true");
    snprintf(text, sizeof text, "%.*s%s", (int)(at - everything), everything, strchr(at, '\n') + 1);
    REFUSED(everything, text, "the element flag is missing", "$.scalars");
    READS(refused, HEAD("Refused") RT("[0]|x|~\n"), HEAD("Refused") RT("[0]|x|0\n"));
}

/* TDX-41 to TDX-43 */
static const char shape_schema[] = "Shape [0] ::= CHOICE {block [0] Block, tree [1] Tree, shapes [2] SEQUENCE OF {item [0] SET OF Shape}, amount [3] Decimal}\n"
                                   "Block [0] ::= SEQUENCE OF {d [0] Real, s [1] Integer}\n"
                                   "Tree [1] ::= SEQUENCE OF {name [0] UTF8String, children [1] SET OF Tree, next [2] Tree OPTIONAL, "
                                   "named [3] SEQUENCE OF {entry [0] SET OF SEQUENCE OF {key [0] UTF8String, value [1] Tree}}}\n";

static void schema_case(const char *schema, const char *part)
{
    char text[2000];
    fixture f;
    sample_shape value;
    start(&f);
    snprintf(text, sizeof text, HEAD("Shape") "<DS>%s</DS><RT>\n[0][3]|1\n</RT></Env>", schema);
    bool done = read_value(&f, &sample_shape_xml, text, strlen(text), NULL, &value);
    if (done != (part == NULL))
        fail_msg("%s: %s", schema, done ? "read" : f.error.message);
    if (!done)
        assert_refused(&f.error, schema, CREO_PROTOCOL_MISMATCH, part, "$");
    finish(&f);
}

static void schemas(void **state)
{
    (void)state;
    const creo_tdxml_options with = {CREO_TDXML_RECORD, true};
    char due[2000];
    char text[2000];
    snprintf(due, sizeof due, HEAD("Shape") "<DS>\n%s</DS><RT>\n[0][3]|1\n</RT></Env>", shape_schema);
    reads_as(&sample_shape_xml, sizeof(sample_shape), HEAD("Shape") RT("[0][3]|1\n"), due, with);
    reads_as(&sample_shape_xml, sizeof(sample_shape), due, due, with);
    reads_as(&sample_level_xml, sizeof(sample_level), HEAD("Level") RT("[0]|LOW\n"), HEAD("Level") "<DS>\nLevel [0] ::= Enumerated\n</DS>" RT("[0]|LOW\n"), with);
    /* Spaces, commas, defaults, the number after a name and the OF of a sequence make no difference. */
    schema_case("Shape::=CHOICE{block[0]Block,tree[1]Tree shapes[2]SEQUENCE{item[0]SET OF Shape}amount[3]Decimal (\"1\")}\r\nBlock[0]::=SEQUENCE{d[0]Real('x'),s[1]Integer}"
                "Tree [1] ::= SEQUENCE OF {name [0] UTF8String ( \xE2\x80\x9Cx (\xE2\x80\x9D ), children [1] SET OF Tree, next [2] Tree OPTIONAL, "
                "named [3] SEQUENCE OF {entry [0] SET OF SEQUENCE OF {key [0] UTF8String, value [1] Tree}}}",
                NULL);
    /* Each token counts, but the numbers of definitions. */
    for (const char *at = shape_schema; *at != 0; at++) {
        if (strchr(" ,\n", *at) != NULL)
            continue;
        bool number = strncmp(at + 1, "] ::=", 5) == 0;
        snprintf(text, sizeof text, "%.*s%c%s", (int)(at - shape_schema), shape_schema, *at == 'x' ? 'y' : number ? '7' : 'x', at + 1);
        schema_case(text, number ? NULL : "the data schema");
    }
    schema_case("", "Shape [0]");
    snprintf(text, sizeof text, "%sMore [0] ::= Real\n", shape_schema);
    schema_case(text, "More [0]");
    snprintf(text, sizeof text, "%s", shape_schema);
    memcpy(strstr(text, "Real"), "Text", 4);
    schema_case(text, "it says \"Block [0] ::= SEQUENCE OF {d [0] Text, s [1] Integer}\" where this side has \"Block [0] ::= SEQUENCE OF {d [0] Real, s [1] Integer}\"");
    schema_case("(\"", "");
    schema_case("(\xE2\x80\x9C", "");
    schema_case("::=", "");
    schema_case("Shape [", "");
}

static void limits(void **state)
{
    (void)state;
    creo_limits few = creo_limits_default();
    fixture f;
    sample_growing value;
    static const char text[] = GROWING("[0]|n\n[0][9][9][9][9]|x\n");
    for (uint32_t depth = 3; depth < 8; depth++) {
        few.max_xml_depth = depth;
        start(&f);
        bool done = read_value(&f, &sample_growing_xml, text, sizeof text - 1, &few, &value);
        assert_int_equal(done, depth >= 5);
        assert_true(done || strcmp(f.error.limit, "maxXmlDepth") == 0);
        finish(&f);
    }
    few = creo_limits_default();
    few.max_depth = 2;
    sample_shape shape;
    start(&f);
    static const char deep[] = SHAPE("[0][2][0]0[2][0]0[3]|1\n");
    assert_false(read_value(&f, &sample_shape_xml, deep, sizeof deep - 1, &few, &shape));
    assert_true(strcmp(f.error.limit, "maxDepth") == 0);
    assert_string_equal(f.error.place, "$.shapes[0].shapes[0]");
    few.max_depth = 3;
    assert_true(read_value(&f, &sample_shape_xml, deep, sizeof deep - 1, &few, &shape));
    few = creo_limits_default();
    few.max_xml_text = 10;
    assert_false(read_value(&f, &sample_growing_xml, text, sizeof text - 1, &few, &value));
    assert_true(strcmp(f.error.limit, "maxXmlText") == 0);
    finish(&f);
    /* An arena that is too small, also for sorting. */
    uint8_t memory[600];
    for (size_t size = 0; size < sizeof memory; size++) {
        creo_arena_init_fixed(&f.arena, memory, size);
        sample_tree tree;
        static const char shuffled[] = HEAD("Tree") RT("[0][3][0]0[1]|v\n[0][1]0|c\\n\n[0][3][0]0|k\n[0][1]0[3]\n[0]|t\n[0][3][0]0[1][3]\n");
        if (!creo_tdxml_from_bytes(&sample_tree_xml, creo_bytes_of(shuffled, sizeof shuffled - 1), &f.arena, &tree, &f.error))
            assert_int_equal(f.error.code, CREO_TOO_LARGE);
    }
}

/* A value nested as deep as it may be is written, and read again. */
static void deep_values(void **state)
{
    (void)state;
    fixture f;
    sample_tree trees[101];
    sample_tree back;
    creo_bytes tdxml;
    start(&f);
    memset(trees, 0, sizeof trees);
    for (size_t i = 0; i < 101; i++) {
        trees[i].name = creo_text("~");
        trees[i].next = i + 1 < 101 ? &trees[i + 1] : NULL;
    }
    const creo_tdxml_options by_column = {CREO_TDXML_AGGREGATED, false};
    assert_true(sample_tree_to_tdxml(&trees[1], by_column, &f.arena, &tdxml, &f.error));
    assert_true(sample_tree_from_tdxml(tdxml, &f.arena, &back, &f.error));
    const sample_tree *at = &back;
    for (size_t i = 0; i < 99; i++)
        at = at->next;
    assert_true(creo_string_is(at->name, "~") && at->next == NULL);
    assert_false(sample_tree_to_tdxml(trees, by_column, &f.arena, &tdxml, &f.error));
    assert_string_equal(f.error.limit, "maxDepth");
    finish(&f);
}

static void values_that_are_none(void **state)
{
    (void)state;
    fixture f;
    sample_growing value;
    creo_bytes tdxml;
    start(&f);
    sample_growing_init(&value);
    static const char *const names[] = {"\xFF", "\x01", "12345678\x0B", "\xEF\xBF\xBF", "\xED\xA0\x80"};
    for (size_t i = 0; i < 5; i++) {
        value.name = creo_text(names[i]);
        assert_false(sample_growing_to_tdxml(&value, by_record, &f.arena, &tdxml, &f.error));
        assert_true(f.error.code == CREO_INVALID_VALUE);
        assert_string_equal(f.error.place, "$.name");
    }
    sample_event event;
    memset(&event, 0, sizeof event);
    event.kind = (sample_event_kind)7;
    assert_false(sample_event_to_tdxml(&event, by_record, &f.arena, &tdxml, &f.error));
    assert_error(&f.error, "invalid-value: a member that is not known here cannot be written as text (at $)");
    finish(&f);
}

/* Texts stay where they are if they may, and have no escapes. */
static void borrowed_texts(void **state)
{
    (void)state;
    static const char text[] = GROWING("[0]|plain\n");
    fixture f;
    sample_growing value;
    start(&f);
    assert_true(creo_tdxml_read(creo_bytes_of(text, sizeof text - 1), CREO_BORROW, &sample_growing_xml, &value, &f.arena, NULL, &f.error));
    assert_ptr_equal(value.name.data, strstr(text, "plain"));
    assert_true(creo_tdxml_read(creo_bytes_of(text, sizeof text - 1), CREO_COPY, &sample_growing_xml, &value, &f.arena, NULL, NULL));
    assert_ptr_not_equal(value.name.data, strstr(text, "plain"));
    static const char other[] = GROWING("[0][3]|1\n[0]|plain\n");
    assert_true(creo_tdxml_read(creo_bytes_of(other, sizeof other - 1), CREO_COPY, &sample_growing_xml, &value, &f.arena, NULL, NULL));
    assert_false(creo_tdxml_read(creo_bytes_of(other, sizeof other - 2), CREO_COPY, &sample_growing_xml, &value, &f.arena, NULL, NULL));
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_each_kind),     cmocka_unit_test(cut_texts),  cmocka_unit_test(shuffled_rows),          cmocka_unit_test(envelopes),
        cmocka_unit_test(rows),                 cmocka_unit_test(extensible), cmocka_unit_test(arrays_maps_and_unions), cmocka_unit_test(structs_without_rows),
        cmocka_unit_test(schemas),              cmocka_unit_test(limits),     cmocka_unit_test(deep_values),            cmocka_unit_test(values_that_are_none),
        cmocka_unit_test(borrowed_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
