/* Packages and compressed bodies: SOAP-20 to SOAP-22, HTTP-6. */
#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "sample.text.h"

#include "http/http.h"
#include "soap/soap.h"

#define NS "urn:creo:creo.tests.sample"
#define INCLUDE(href) "<xop:Include xmlns:xop='http://www.w3.org/2004/08/xop/include' href='" href "'/>"
#define TYPE "multipart/related; type=\"application/xop+xml\"; start=\"<r@x>\"; start-info=\"text/xml\"; boundary=\"b=\\\"1\""
#define ROOT "--b=\"1\r\nContent-Type: application/xop+xml; charset=utf-8; type=\"text/xml\"\r\nContent-ID: <r@x>\r\n\r\n<root/>"

static bool take(const char *body, size_t size, const char *type, creo_multipart *package, creo_arena *arena, creo_error *error)
{
    creo_limits limits = creo_limits_default();
    limits.max_parts = 4;
    return creo_multipart_read(creo_bytes_of(body, size), creo_text(type), &limits, arena, package, error);
}

static void packages_are_taken_apart(void **state)
{
    (void)state;
    static const char body[] = "preamble\r\n--b=\"10\r\n" ROOT "\r\n--b=\"1 \t\r\nContent-Id:<a@x>\r\ncontent-transfer-encoding: BINARY\r\n\r\n\r\n--b=\"\r\n--\r\n\0--b=\"1\r\n--b=\"1\r\nContent-ID: b\r\n\r\n"
                               "\r\n--b=\"1--\r\nepilogue";
    creo_arena arena;
    creo_error error;
    creo_multipart package;
    creo_arena_init(&arena, creo_allocator_libc());
    if (!take(body, sizeof body - 1, TYPE, &package, &arena, &error))
        fail_msg("%s", error.message);
    assert_int_equal(package.part_count, 3);
    assert_true(package.root.size == 7 && memcmp(package.root.data, "<root/>", 7) == 0);
    assert_true(creo_string_is(package.parts[1].id, "a@x"));
    assert_int_equal(package.parts[1].bytes.size, 20);
    assert_memory_equal(package.parts[1].bytes.data, "\r\n--b=\"\r\n--\r\n\0--b=\"1", 20);
    assert_true(creo_string_is(package.parts[2].id, "b") && package.parts[2].bytes.size == 0);
    creo_arena_free(&arena);
}

static void wrong_packages(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        const char *body;
        creo_code code;
        const char *part;
    } cases[] = {
        {"multipart/related", ROOT, CREO_MALFORMED, "no boundary"},
        {"multipart/related; boundary=", ROOT, CREO_MALFORMED, "no boundary"},
        {"multipart/related; boundary=x", ROOT, CREO_MALFORMED, "does not hold its boundary"},
        {TYPE, "", CREO_MALFORMED, "does not hold its boundary"},
        {TYPE, ROOT, CREO_MALFORMED, "ends within a part"},
        {TYPE, ROOT "\n--b=\"1--", CREO_MALFORMED, "ends within a part"},
        {TYPE, "--b=\"1--", CREO_MALFORMED, "no root"},
        {TYPE, "--b=\"1\r\nContent-ID: <o@x>\r\n\r\n\r\n--b=\"1--", CREO_MALFORMED, "no root"},
        {TYPE, ROOT "\r\n--b=\"1\r\nContent-ID: <r@x>\r\n\r\nx\r\n--b=\"1--", CREO_MALFORMED, "two parts of one content id"},
        {TYPE, ROOT "\r\n--b=\"1\r\nContent-ID: <a>\r\nContent-ID: <b>\r\n\r\nx\r\n--b=\"1--", CREO_MALFORMED, "header Content-ID twice"},
        {TYPE, "--b=\"1\r\nContent-ID: <r@x>\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b=\"1--", CREO_MALFORMED, "root of the package: a part is not base64"},
        {TYPE, "--b=\"1\r\nContent-ID: <r@x>\r\nContent-Transfer-Encoding: x\r\n\r\nx\r\n--b=\"1--", CREO_MALFORMED, "not known"},
        {TYPE, ROOT "\r\n--b=\"1\r\nContent-ID <a>\r\n\r\nx\r\n--b=\"1--", CREO_MALFORMED, "headers are wrong"},
        {TYPE, ROOT "\r\n--b=\"1\r\nContent-ID: <a>\r\n\r\n\r\n--b=\"1\r\nContent-ID: <b>\r\n\r\n\r\n--b=\"1\r\nContent-ID: <c>\r\n\r\n\r\n--b=\"1\r\nContent-ID: <d>\r\n\r\n\r\n--b=\"1--", CREO_TOO_LARGE, "maxParts allows 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        creo_arena arena;
        creo_error error;
        creo_multipart package;
        creo_arena_init(&arena, creo_allocator_libc());
        assert_false(take(cases[i].body, strlen(cases[i].body), cases[i].type, &package, &arena, &error));
        if (error.code != cases[i].code || strstr(error.message, cases[i].part) == NULL)
            fail_msg("%zu: %s; \"%s\" is due", i, error.message, cases[i].part);
        creo_arena_free(&arena);
    }
    char *body = (char *)malloc(20000);
    creo_arena arena;
    creo_error error;
    creo_multipart package;
    assert_non_null(body);
    creo_arena_init(&arena, creo_allocator_libc());
    int size = snprintf(body, 20000, ROOT "\r\n--b=\"1\r\nX: %017000d\r\n\r\n\r\n--b=\"1--", 0);
    assert_false(take(body, (size_t)size, TYPE, &package, &arena, &error));
    assert_int_equal(error.code, CREO_TOO_LARGE);
    creo_arena_free(&arena);
    free(body);
}

static void headers_of_parts(void **state)
{
    (void)state;
    static const struct {
        int size;
        bool fits;
    } cases[] = {{16381, true}, {16382, false}};
    for (size_t i = 0; i < 2; i++) {
        char body[17000];
        creo_arena arena;
        creo_error error;
        creo_multipart package;
        creo_arena_init(&arena, creo_allocator_libc());
        int size = snprintf(body, sizeof body, "--b\r\nX: %0*d\r\n\r\nroot\r\n--b--", cases[i].size, 0);
        assert_int_equal(take(body, (size_t)size, "multipart/related; boundary=b", &package, &arena, &error), cases[i].fits);
        creo_arena_free(&arena);
    }
    /* Many lines of a value take no more memory than they have bytes. */
    char folded[16000];
    size_t used = (size_t)snprintf(folded, sizeof folded, "--b\r\nContent-ID:");
    while (used < 15000)
        used += (size_t)snprintf(folded + used, sizeof folded - used, "\r\n\ta");
    used += (size_t)snprintf(folded + used, sizeof folded - used, "\r\n\r\nroot\r\n--b--");
    creo_arena arena;
    creo_error error;
    creo_multipart package;
    creo_arena_init(&arena, creo_allocator_libc());
    assert_true(take(folded, used, "multipart/related; boundary=b", &package, &arena, &error));
    assert_true(package.parts[0].id.size > 10000 && package.parts[0].id.data[0] == 'a');
    assert_true(arena.taken < (size_t)64 * 1024);
    creo_arena_free(&arena);
}

static void transfer_encodings(void **state)
{
    (void)state;
    static const struct {
        const char *encoding;
        const char *text;
        /* NULL: it cannot be read. */
        const char *read;
    } cases[] = {
        {"", "a=3D \r\n", "a=3D \r\n"},
        {"7Bit", "=", "="},
        {"BASE64", " YWJ\r\n\tj ", "abc"},
        {"base64", "", ""},
        {"base64", "YWJ", NULL},
        {"base64", "YWI-", NULL},
        {"base64", "YWJ=", NULL},
        {"quoted-printable", "a=3Db=0d=0A", "a=b\r\n"},
        {"Quoted-Printable", "1 \t\r\n2=\r\n 3=20\n4= \t\n5\r6\xe9 ", "1\r\n2 3 \n45\r6\xe9"},
        {"quoted-printable", "end=", "end"},
        {"quoted-printable", "=\r\n=", ""},
        {"quoted-printable", "a=3", NULL},
        {"quoted-printable", "=3G", NULL},
        {"quoted-printable", "a==\r\n", NULL},
        {"quoted-printable", "=3=\nD", NULL},
        {"x-other", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        creo_arena arena;
        creo_arena_init(&arena, creo_allocator_libc());
        creo_bytes bytes = creo_bytes_of(cases[i].text, strlen(cases[i].text));
        const char *wrong = creo_transfer_decode(creo_text(cases[i].encoding), &arena, &bytes);
        if ((wrong == NULL) != (cases[i].read != NULL))
            fail_msg("%s, \"%s\": %s", cases[i].encoding, cases[i].text, wrong == NULL ? "read" : wrong);
        if (wrong == NULL) {
            assert_int_equal(bytes.size, strlen(cases[i].read));
            assert_memory_equal(bytes.data, cases[i].read, bytes.size);
        }
        creo_arena_free(&arena);
    }
}

/* Whether the element of a byte string takes a part: `find` has one. */
static bool read_echo(const char *bytes_element, creo_xml_part *parts, size_t count, creo_arena *arena, sample_sample_everything_outcome *outcome, creo_error *error)
{
    char text[4000];
    sample_everything value;
    creo_bytes xml;
    sample_everything_init(&value);
    assert_true(sample_everything_to_xml(&value, arena, &xml, error));
    /* The value as the content of `result`, with its bytes replaced. */
    char plain[3000];
    snprintf(plain, sizeof plain, "%.*s", (int)xml.size, (const char *)xml.data);
    char *content = strchr(plain, '>') + 1;
    char *end = strstr(plain, "</n1:Everything>");
    char *bytes = strstr(content, "<n1:bytes></n1:bytes>");
    snprintf(text, sizeof text,
             "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:n1='" NS "'><s:Body><n1:everythingResponse><n1:result>%.*s%s%.*s</n1:result></n1:everythingResponse></s:Body></s:Envelope>",
             (int)(bytes - content), content, bytes_element, (int)(end - bytes - 21), bytes + 21);
    creo_bytes envelope = creo_bytes_of(creo_arena_text(arena, creo_text(text)), strlen(text));
    return creo_soap_read(&sample_sample_text.methods[0], envelope, CREO_CHARSET_UTF8, parts, count, 0, NULL, NULL, arena, NULL, outcome, error) == CREO_SOAP_OUTCOME;
}

static void includes(void **state)
{
    (void)state;
    static const struct {
        const char *element;
        const char *part;
        bool text;
    } cases[] = {
        {"<n1:bytes>" INCLUDE("cid:a%40x") "</n1:bytes>", NULL, false},
        {"<n1:bytes>\n " INCLUDE("cid:a@x") " <!-- --></n1:bytes>", NULL, false},
        {"<n1:bytes><!-- a --> <!--<b/>-->" INCLUDE("cid:a@x") "</n1:bytes>", NULL, false},
        {"<n1:bytes> <!-- a --> AA<!-- b -->A=</n1:bytes>", NULL, true},
        {"<n1:bytes> <![CDATA[AAA=]]></n1:bytes>", NULL, true},
        {"<n1:bytes><!-- a --><![CDATA[AAA=]]></n1:bytes>", NULL, true},
        {"<n1:bytes><!-- a -- >" INCLUDE("cid:a@x") "</n1:bytes>", "a comment holds no --", false},
        {"<n1:bytes><!-- a --><?b?>" INCLUDE("cid:a@x") "</n1:bytes>", "processing instruction", false},
        {"<n1:bytes>" INCLUDE("cid:b@x") "</n1:bytes>", "no part", false},
        {"<n1:bytes>" INCLUDE("http://x/") "</n1:bytes>", "cid:", false},
        {"<n1:bytes>" INCLUDE("cid:a@x") INCLUDE("cid:a@x") "</n1:bytes>", "element", false},
        {"<n1:bytes>" INCLUDE("cid:a@x") "AAAA</n1:bytes>", "text", false},
        {"<n1:bytes>AAAA" INCLUDE("cid:a@x") "</n1:bytes>", "element", false},
        {"<n1:bytes><Include/></n1:bytes>", "element", false},
        {"<n1:bytes><xop:Include xmlns:xop='http://www.w3.org/2004/08/xop/include'/></n1:bytes>", "cid:", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        creo_xml_part parts[2] = {{{"r@x", 3}, {NULL, 0}, NULL, true}, {{"a@x", 3}, {(const uint8_t *)"\0\1", 2}, NULL, false}};
        creo_arena arena;
        creo_error error;
        sample_sample_everything_outcome outcome;
        creo_arena_init(&arena, creo_allocator_libc());
        bool done = read_echo(cases[i].element, parts, 2, &arena, &outcome, &error);
        if (done != (cases[i].part == NULL) || (!done && strstr(error.message, cases[i].part) == NULL))
            fail_msg("%s: %s", cases[i].element, error.message);
        if (done) {
            assert_true(outcome.as.result.bytes.size == 2 && parts[1].used != cases[i].text);
        } else {
            assert_string_equal(error.place, "$result.bytes");
        }
        creo_arena_free(&arena);
    }
}

typedef struct fixture {
    server service;
    creo_soap soap;
    creo_arena arena;
    creo_error error;
} fixture;

static void start(fixture *f, const act *script)
{
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    assert_true(creo_soap_init(&f->soap, url, &sample_sample_text, creo_allocator_libc(), &f->error));
    creo_arena_init(&f->arena, creo_allocator_libc());
}

static void finish(fixture *f)
{
    creo_soap_free(&f->soap);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

#define BLOCKS "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><findResponse xmlns='" NS "'><result><d>1</d><s>2</s></result></findResponse></s:Body></s:Envelope>"

/* A large byte string travels as a part; the boundary is none that it holds. */
static void large_bytes_are_parts(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {HEAR, "Content-Type: multipart/related; type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"text/xml\"; boundary=\"creo-part-1\"\r\n|"
               "--creo-part-1\r\nContent-Type: application/xop+xml; charset=utf-8; type=\"text/xml\"\r\n|Content-ID: <root@creo>\r\n\r\n<soap:Envelope|"
               "<n1:data><xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:0@creo\"></xop:Include></n1:data>|"
               "\r\n--creo-part-1\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <0@creo>\r\n\r\ncreo-part-0xx|xx\r\n--creo-part-1--\r\n",
         0},
        {SAY, "HTTP/1.1 200 OK\r\nContent-Type: multipart/related; boundary=B\r\nConnection: close\r\n\r\n--B\r\nContent-Type: application/xop+xml\r\n\r\n" BLOCKS "\r\n--B--", 0},
        {CLOSE, NULL, 0},
        {ACCEPT, NULL, 0},
        {HEAR, "Content-Type: multipart/related|action=\"" NS ":Sample/find\"|<n1:data>eHg=</n1:data>", 0},
        {SAY, "HTTP/1.1 200 OK\r\nContent-Type: multipart/related; boundary=B\r\nConnection: close\r\n\r\n--B\r\n\r\n" BLOCKS "\r\n--B\r\nContent-ID: <a>\r\n\r\n\r\n--B--", 0},
        {CLOSE, NULL, 0},
        {END, NULL, 0}};
    char data[1024];
    memset(data, 'x', sizeof data);
    memcpy(data, "creo-part-0", 11);
    fixture f;
    sample_block_array found;
    start(&f, script);
    f.soap.mtom = true;
    if (!sample_sample_find(&f.soap.client, creo_text("t"), 1, NULL, creo_bytes_of(data, sizeof data), &f.arena, &found, &f.error))
        fail_msg("%s", f.error.message);
    assert_true(found.count == 1 && found.items[0].d == 1 && found.items[0].s == 2);
    f.soap.version = CREO_SOAP_1_2;
    /* A part that nothing refers to is skipped. */
    assert_true(sample_sample_find(&f.soap.client, creo_text("t"), 1, NULL, creo_bytes_of("xx", 2), &f.arena, &found, &f.error));
    assert_int_equal(found.count, 1);
    finish(&f);
}

/* A media type takes no memory for parameters that are not asked for, and one that does not fit is not taken for absent. */
static void parameters_of_media_types(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        const char *value;
    } cases[] = {{"text/xml; charset=utf-16 ;a=b", "utf-16"},
                 {"text/xml;Charset = \"utf-16\" x;charset=b", "utf-16"},
                 {"text/xml;a=\"\\\";charset=x\";charset=\"\\u\\t\\\\f\\\"-16\"", "ut\\f\"-16"},
                 {"text/xml; charset=\"utf-16", "utf-16"},
                 {"text/xml; charset=\"utf\\", "utf\\"},
                 {"text/xml; charset=\"\"", ""},
                 {"text/xml; charset=", ""},
                 {"text/xml; charset; a=\"charset=b\"", NULL},
                 {"text/xml", NULL}};
    creo_arena arena;
    creo_error error;
    creo_string value;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        creo_arena_init(&arena, creo_allocator_libc());
        assert_true(creo_http_parameter(creo_text(cases[i].type), "charset", &arena, &value, &error));
        if (cases[i].value == NULL ? value.data != NULL : value.data == NULL || !creo_string_is(value, cases[i].value))
            fail_msg("%s: %.*s", cases[i].type, (int)value.size, value.data == NULL ? "" : value.data);
        creo_arena_free(&arena);
    }
    static char type[60000];
    size_t used = (size_t)snprintf(type, sizeof type, "text/xml");
    for (int i = 0; i < 10000; i++)
        used += (size_t)snprintf(type + used, sizeof type - used, ";a=\"\"");
    (void)snprintf(type + used, sizeof type - used, ";charset=\"\\utf-16\"");
    creo_charset charset;
    creo_arena_init(&arena, creo_allocator_libc());
    arena.most = 1048576;
    assert_true(creo_multipart_charset(creo_text(type), creo_bytes_of(NULL, 0), &arena, &charset, &error));
    assert_int_equal(charset, CREO_CHARSET_UTF16);
    assert_true(arena.taken < 20000);
    creo_arena_free(&arena);
    creo_arena_init_fixed(&arena, NULL, 0);
    assert_false(creo_multipart_charset(creo_text(type), creo_bytes_of(NULL, 0), &arena, &charset, &error));
    assert_int_equal(error.code, CREO_TOO_LARGE);
    creo_multipart package;
    assert_false(take(ROOT, sizeof ROOT - 1, TYPE, &package, &arena, &error));
    assert_int_equal(error.code, CREO_TOO_LARGE);
}

/*
 * A compression of the tests' own: `Z`, four bytes of size, the bytes, `z`.
 */

static size_t bound(void *context, size_t size)
{
    (void)context;
    return size + 6;
}

static size_t squeeze(void *context, const void *from, size_t size, void *into, size_t room)
{
    (void)context;
    (void)room;
    uint8_t *to = (uint8_t *)into;
    to[0] = 'Z';
    creo_put_u32(to + 1, (uint32_t)size);
    memcpy(to + 5, from, size);
    to[5 + size] = 'z';
    return size + 6;
}

static bool begin(void *context)
{
    *(size_t *)context = SIZE_MAX;
    return true;
}

/* `B` instead of `Z` is a bomb: this many bytes `x`. */
static creo_gzip_state expand(void *context, const uint8_t **from, const uint8_t *end, uint8_t **into, uint8_t *room_end)
{
    static bool bomb;
    size_t *left = (size_t *)context;
    if (*left == SIZE_MAX) {
        if (end - *from < 5 || (**from != 'Z' && **from != 'B'))
            return CREO_GZIP_FAILED;
        bomb = **from == 'B';
        *left = creo_get_u32(*from + 1);
        *from += 5;
    }
    for (; *left > 0 && *into < room_end && (bomb || *from < end); (*left)--)
        *(*into)++ = bomb ? 'x' : *(*from)++;
    if (*left > 0)
        return CREO_GZIP_MORE;
    if (*from == end)
        return CREO_GZIP_MORE;
    return *(*from)++ == 'z' ? CREO_GZIP_DONE : CREO_GZIP_FAILED;
}

static void end(void *context)
{
    *(size_t *)context = 0;
}

static void streams_are_expanded(void **state)
{
    (void)state;
    static const struct {
        const char *stream;
        size_t size;
        creo_code code;
    } cases[] = {{"Z\0\0\0\3abcz", 9, CREO_OK},          {"Z\0\0\0\0z", 6, CREO_OK},           {"B\0\0\x03\xE8z", 6, CREO_OK},     {"B\0\0\x03\xE9z", 6, CREO_TOO_LARGE}, {"B\xFF\xFF\xFF\xFEz", 6, CREO_TOO_LARGE},
                 {"", 0, CREO_MALFORMED},                  {"Z\0\0\0\3ab", 7, CREO_MALFORMED},   {"Z\0\0\0\3abc", 8, CREO_MALFORMED}, {"Z\0\0\0\3abczx", 10, CREO_MALFORMED}, {"Q", 1, CREO_MALFORMED},
                 {"Z\0\0\0\3abcy", 9, CREO_MALFORMED}};
    creo_limits limits = creo_limits_default();
    limits.max_message_size = 1000;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t left = 0;
        creo_gzip gzip = {&left, bound, squeeze, begin, expand, end};
        creo_arena arena;
        creo_error error;
        creo_bytes body;
        creo_error_clear(&error);
        creo_arena_init(&arena, creo_allocator_libc());
        bool done = creo_http_expand(&gzip, creo_bytes_of(cases[i].stream, cases[i].size), &limits, &arena, &body, "peer", &error);
        if (done != (cases[i].code == CREO_OK) || error.code != cases[i].code)
            fail_msg("%zu: %s", i, error.message);
        assert_int_equal(left, 0);
        assert_true(arena.taken < 20000);
        creo_arena_free(&arena);
    }
    /* No further than LIM-18 allows: a thousand bytes are one too many. */
    size_t left = 0;
    creo_gzip gzip = {&left, bound, squeeze, begin, expand, end};
    creo_arena arena;
    creo_error error;
    creo_bytes body;
    limits.max_memory = 999;
    creo_error_clear(&error);
    creo_arena_init(&arena, creo_allocator_libc());
    assert_false(creo_http_expand(&gzip, creo_bytes_of("B\0\0\x03\xE8z", 6), &limits, &arena, &body, "peer", &error));
    assert_error(&error, "too-large: the limit maxMemory allows 999");
    limits.max_memory = 1000;
    assert_true(creo_http_expand(&gzip, creo_bytes_of("B\0\0\x03\xE8z", 6), &limits, &arena, &body, "peer", &error));
    assert_int_equal(body.size, 1000);
    creo_arena_free(&arena);
}

static void bodies_are_compressed(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "Content-Encoding: gzip\r\nAccept-Encoding: gzip\r\n|\r\n\r\nZ", 0},
                                 {SAY, "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n", 0},
                                 {SEND, "5a", 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {HEAR, "Accept-Encoding: gzip\r\n|\r\n\r\n<soap:Envelope", 0},
                                 {ANSWER, BLOCKS, 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    char text[2000];
    memset(text, 'a', sizeof text);
    size_t left = 0;
    creo_gzip gzip = {&left, bound, squeeze, begin, expand, end};
    fixture f;
    sample_block_array found;
    start(&f, script);
    f.soap.gzip = &gzip;
    assert_false(sample_sample_find(&f.soap.client, (creo_string){text, sizeof text}, 1, NULL, creo_bytes_of(NULL, 0), &f.arena, &found, &f.error));
    assert_int_equal(f.error.code, CREO_MALFORMED);
    assert_true(sample_sample_find(&f.soap.client, creo_text("a"), 1, NULL, creo_bytes_of(NULL, 0), &f.arena, &found, &f.error));
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packages_are_taken_apart), cmocka_unit_test(wrong_packages),        cmocka_unit_test(headers_of_parts),
        cmocka_unit_test(transfer_encodings),       cmocka_unit_test(includes),              cmocka_unit_test(large_bytes_are_parts),
        cmocka_unit_test(parameters_of_media_types),
        cmocka_unit_test(streams_are_expanded),     cmocka_unit_test(bodies_are_compressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
