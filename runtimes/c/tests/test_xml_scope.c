/* Prefixes of namespaces: what they are bound to, that many of them cost no more than few, and what elements that are kept as XML get of them (XML-36, XML-45). */
#include "check.h"

#include "xml/xml_reader.h"

typedef struct fixture {
    creo_arena arena;
    creo_error error;
    creo_xml xml;
    creo_limits limits;
    char *text;
    size_t size;
} fixture;

static void start(fixture *f)
{
    creo_arena_init(&f->arena, creo_allocator_libc());
    creo_error_clear(&f->error);
    f->limits = creo_limits_default();
    f->text = (char *)calloc(1, 4 << 20);
    assert_non_null(f->text);
    f->size = 0;
}

static void end(fixture *f)
{
    creo_arena_free(&f->arena);
    free(f->text);
}

CREO_PRINTF(2, 3)
static void add(fixture *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    f->size += (size_t)vsnprintf(f->text + f->size, 4096, format, arguments);
    va_end(arguments);
}

/* Nested elements that bind this many prefixes. */
static void add_bindings(fixture *f, int prefixes)
{
    for (int i = 0; i < prefixes; i++)
        add(f, "%s xmlns:p%d='urn:%d'%s", i % 200 == 0 ? "<e" : "", i, i, i % 200 == 199 || i == prefixes - 1 ? ">" : "");
}

static void add_end(fixture *f, int prefixes)
{
    for (int i = 0; i < prefixes; i += 200)
        add(f, "</e>");
}

static void begin(fixture *f)
{
    if (!creo_xml_begin(&f->xml, creo_bytes_of(f->text, f->size), CREO_CHARSET_UTF8, CREO_COPY, &f->arena, &f->limits, &f->error))
        fail_msg("%s", f->error.message);
}

static void many_prefixes_cost_an_element_no_more_than_few(void **state)
{
    (void)state;
    const int counts[] = {8, 9, 100, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        for (int elements = 2000; elements <= 4000; elements += 2000) {
            fixture f;
            creo_element element;
            start(&f);
            add_bindings(&f, counts[k]);
            for (int i = 0; i < elements; i++)
                add(&f, "<p%d:a q=''/>", i * 7 % counts[k]);
            add_end(&f, counts[k]);
            begin(&f);
            assert_true(creo_xml_open(&f.xml, &element) && creo_xml_skip(&f.xml, &element) && creo_xml_finish(&f.xml));
            assert_true(f.xml.compared >= (uint64_t)elements);
            assert_in_range(f.xml.compared, elements, 8 * (elements + counts[k]));
            end(&f);
        }
}

static void elements_that_are_kept_cost_what_they_hold(void **state)
{
    (void)state;
    for (int elements = 1000; elements <= 2000; elements += 1000) {
        fixture f;
        creo_element open[5];
        start(&f);
        add_bindings(&f, 1000);
        for (int i = 0; i < elements; i++)
            add(&f, "<p%d:a t='12:30:45'/>", i % 1000);
        add_end(&f, 1000);
        begin(&f);
        for (int i = 0; i < 5; i++) {
            bool closed = false;
            assert_true(i == 0 || creo_xml_next(&f.xml, &open[i - 1], &closed));
            assert_true(!closed && creo_xml_open(&f.xml, &open[i]));
        }
        int count = 0;
        for (bool closed = false; creo_xml_next(&f.xml, &open[4], &closed) && !closed; count++) {
            char due[100];
            creo_string text;
            snprintf(due, sizeof due, "<p%d:a xmlns:p%d=\"urn:%d\" t='12:30:45'/>", count % 1000, count % 1000, count % 1000);
            assert_true(creo_xml_raw(&f.xml, NULL, &text));
            assert_true(creo_string_is(text, due));
        }
        assert_int_equal(count, elements);
        assert_in_range(f.xml.compared, elements, 8 * (5 * elements + 1000));
        end(&f);
    }
}

static void declarations_of_elements_that_are_kept_are_limited(void **state)
{
    (void)state;
    char uri[1001];
    memset(uri, 'u', sizeof uri - 1);
    uri[sizeof uri - 1] = 0;
    for (uint64_t allowed = 20000; allowed <= 200000; allowed *= 10) {
        fixture f;
        creo_element element;
        creo_string text;
        start(&f);
        f.limits.max_xml_text = allowed;
        add(&f, "<e xmlns='%s'>", uri);
        for (int i = 0; i < 1000; i++)
            add(&f, "<a/>");
        add(&f, "</e>");
        begin(&f);
        assert_true(creo_xml_open(&f.xml, &element));
        uint64_t kept = 0;
        for (bool closed = false; creo_xml_next(&f.xml, &element, &closed) && !closed && creo_xml_raw(&f.xml, NULL, &text);)
            kept++;
        assert_int_equal(kept, allowed / (1000 + strlen(" xmlns=\"\"")));
        assert_int_equal(f.error.code, CREO_TOO_LARGE);
        end(&f);
    }
}

static void an_element_gets_what_it_names(void **state)
{
    (void)state;
    static const struct {
        const char *around;
        const char *element;
        const char *due;
    } cases[] = {
        {"xmlns:a='urn:a' xmlns:b='urn:b'", "<a:x/>", "<a:x xmlns:a=\"urn:a\"/>"},
        {"xmlns:b='urn:b' xmlns:a='urn:a'", "<a:x>b:y</a:x>", "<a:x xmlns:a=\"urn:a\" xmlns:b=\"urn:b\">b:y</a:x>"},
        {"xmlns:b='urn:b' xmlns:a='urn:a'", "<a:x>b::y</a:x>", "<a:x xmlns:a=\"urn:a\" xmlns:b=\"urn:b\">b::y</a:x>"},
        {"xmlns:b='urn:b' xmlns:a='urn:a'", "<a:x>ab:y -b:y .b: \xC3\xA9" "b: :b: b</a:x>", "<a:x xmlns:a=\"urn:a\">ab:y -b:y .b: \xC3\xA9" "b: :b: b</a:x>"},
        {"xmlns:b='urn:b' xmlns:a='urn:a'", "<x xmlns:a='urn:c'>a:y</x>", "<x xmlns:a='urn:c'>a:y</x>"},
        {"xmlns='urn:d' xmlns:a='urn:a'", "<x/>", "<x xmlns=\"urn:d\"/>"},
        {"xmlns='urn:d'", "<x xmlns=''/>", "<x xmlns=''/>"},
        {"xmlns='urn:d'", "<x><y xmlns:a='urn:a'>a:z</y></x>", "<x xmlns=\"urn:d\"><y xmlns:a='urn:a'>a:z</y></x>"},
        {"xmlns:xml='http://www.w3.org/XML/1998/namespace'", "<x xml:lang='en'/>", "<x xml:lang='en'/>"},
        {"xmlns:a='&amp;&lt;&quot;&#10;'", "<x>(a:b)</x>", "<x xmlns:a=\"&amp;&lt;&quot;&#10;\">(a:b)</x>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        creo_element element;
        creo_string text;
        bool closed = true;
        start(&f);
        add(&f, "<e %s>%s</e>", cases[i].around, cases[i].element);
        begin(&f);
        assert_true(creo_xml_open(&f.xml, &element) && creo_xml_next(&f.xml, &element, &closed) && !closed && creo_xml_raw(&f.xml, NULL, &text));
        if (!creo_string_is(text, cases[i].due))
            fail_msg("%.*s instead of %s", (int)text.size, text.data, cases[i].due);
        assert_true(creo_xml_next(&f.xml, &element, &closed) && closed && creo_xml_finish(&f.xml));
        end(&f);
    }
}

/* Against a list that is searched from its end. */
static void the_innermost_binding_is_found(void **state)
{
    (void)state;
    fixture f;
    char names[300][24];
    int bound[500];
    uint32_t count = 0;
    start(&f);
    add(&f, "<e/>");
    begin(&f);
    for (int i = 0; i < 300; i++)
        snprintf(names[i], sizeof names[i], "%s%d", i < 40 ? "p" : "prefix", i);
    uint32_t seed = 1;
    for (int turn = 0; turn < 20000; turn++) {
        seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
        uint32_t random = seed >> 8;
        if (random % 20 == 0) {
            uint32_t to = random / 20 % (count + 1);
            creo_xml_go_to_scope(&f.xml, to);
            /* A text that is read once more: what was bound there is still known. */
            if ((random & 1024) != 0)
                creo_xml_go_to_scope(&f.xml, count);
            else
                count = to;
        } else if (count < 500) {
            bound[count++] = (int)(random % 300);
            assert_true(creo_xml_bind(&f.xml, creo_text(names[random % 300]), creo_text("urn:x")));
        }
        int name = (int)(random / 300 % 300);
        const creo_binding *due = NULL;
        for (uint32_t i = 0; i < count; i++)
            if (bound[i] == name)
                due = &f.xml.bindings[i];
        assert_ptr_equal(creo_xml_find_prefix(&f.xml, creo_text(names[name])), due);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_prefixes_cost_an_element_no_more_than_few),
        cmocka_unit_test(elements_that_are_kept_cost_what_they_hold),
        cmocka_unit_test(declarations_of_elements_that_are_kept_are_limited),
        cmocka_unit_test(an_element_gets_what_it_names),
        cmocka_unit_test(the_innermost_binding_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
