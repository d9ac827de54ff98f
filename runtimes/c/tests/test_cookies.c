/* What a client keeps of `Set-Cookie`: spec/transports/http.md, HTTP-43 to HTTP-45. */
#include "check.h"

#include "http/http_call.h"
#include "http/http_cookies.h"

#define NOW 1000000000

typedef struct fixture {
    creo_client client;
    creo_arena arena;
    creo_error error;
    struct creo_cookies *cookies;
} fixture;

static void start(fixture *f, const char *host)
{
    memset(f, 0, sizeof *f);
    creo_client_init(&f->client, host, 80, creo_allocator_libc());
    creo_arena_init(&f->arena, creo_allocator_libc());
    f->cookies = creo_cookies_open(&f->client, &f->error);
    assert_non_null(f->cookies);
    assert_ptr_equal(creo_cookies_open(&f->client, &f->error), f->cookies);
}

static void finish(fixture *f)
{
    creo_http_forget(&f->client, NULL, 0);
    assert_null(f->client.cookies);
    creo_client_free(&f->client);
    creo_arena_free(&f->arena);
}

/* Takes a copy of exact size, for the sanitizer. */
static void take(fixture *f, const char *path, const char *line, bool tls, int64_t now)
{
    size_t size = strlen(line);
    char *copy = (char *)malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    memcpy(copy, line, size);
    creo_cookies_take(f->cookies, tls, creo_text(path), (creo_string){copy, size}, now);
    free(copy);
}

/* The line for a path, without its end. */
static const char *line_for(fixture *f, const char *path, int64_t now)
{
    creo_writer writer;
    creo_writer_init(&writer, &f->arena, NULL, &f->error);
    assert_true(creo_cookies_put(f->cookies, creo_text(path), now, &writer));
    creo_bytes bytes = creo_writer_bytes(&writer);
    if (bytes.size == 0)
        return "";
    assert_true(bytes.size > 2 && memcmp(bytes.data + bytes.size - 2, "\r\n", 2) == 0);
    return creo_arena_text(&f->arena, (creo_string){(const char *)bytes.data, bytes.size - 2});
}

static void lines(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *due;
    } cases[] = {
        {"a=b", "Cookie: a=b"},
        {" a\t= b c ; x", "Cookie: a=b c"},
        {"a=b=c", "Cookie: a=b=c"},
        {"a=", "Cookie: a="},
        {"", ""},
        {"=", ""},
        {"=b", ""},
        {"a", ""},
        {";", ""},
        {"; a=b", ""},
        {"a\x01=b", ""},
        {"a=\xC3\xA4", ""},
        {"a=b; Path=/\xC3\xA4", ""},
        {"a=b; Comment=\xC3\xA4", "Cookie: a=b"},
        {"a=b;;;=;=x;;", "Cookie: a=b"},
        {"a=b; Domain=example.org", "Cookie: a=b"},
        {"a=b; Domain=.EXAMPLE.org", "Cookie: a=b"},
        {"a=b; Domain=w.example.org", "Cookie: a=b"},
        {"a=b; Domain=org", "Cookie: a=b"},
        {"a=b; Domain=", "Cookie: a=b"},
        {"a=b; Domain", "Cookie: a=b"},
        {"a=b; Domain=.", "Cookie: a=b"},
        {"a=b; Domain=xample.org", ""},
        {"a=b; Domain=..example.org", ""},
        {"a=b; Domain=a.w.example.org", ""},
        {"a=b; Domain=evil.example", ""},
        {"a=b; Domain=example.org; domain=evil.example", ""},
        {"a=b; Secure", ""},
        {"a=b; sEcUrE=no", ""},
        {"a=b; Max-Age=1", "Cookie: a=b"},
        {"a=b; Max-Age=0", ""},
        {"a=b; Max-Age=-1", ""},
        {"a=b; Max-Age=-", "Cookie: a=b"},
        {"a=b; Max-Age=", "Cookie: a=b"},
        {"a=b; Max-Age=1x", "Cookie: a=b"},
        {"a=b; Max-Age=+1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", ""},
        {"a=b; Max-Age=0; Max-Age=5", "Cookie: a=b"},
        {"a=b; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "Cookie: a=b"},
        {"a=b; Max-Age=99999999999999999999999999999999", "Cookie: a=b"},
        {"a=b; Path=/p", "Cookie: a=b"},
        {"a=b; Path=/p/", "Cookie: a=b"},
        {"a=b; Path=/p/q", "Cookie: a=b"},
        {"a=b; Path=/p/q/", ""},
        {"a=b; Path=/P", ""},
        {"a=b; Path=/other", ""},
        {"a=b; Path=other", "Cookie: a=b"},
        {"a=b; Path=/other; Path=", "Cookie: a=b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        start(&f, "w.example.org");
        take(&f, "/p/q", cases[i].line, false, NOW);
        const char *line = line_for(&f, "/p/q", NOW);
        if (strcmp(line, cases[i].due) != 0)
            fail_msg("\"%s\" gives \"%s\"; \"%s\" is due", cases[i].line, line, cases[i].due);
        finish(&f);
    }
}

static void hosts_that_are_addresses(void **state)
{
    (void)state;
    static const char *const hosts[] = {"127.0.0.1", "::1"};
    for (size_t i = 0; i < 2; i++) {
        char line[60];
        fixture f;
        start(&f, hosts[i]);
        take(&f, "/", "a=b; Domain=0.0.1", false, NOW);
        take(&f, "/", "c=d; Domain=1", false, NOW);
        snprintf(line, sizeof line, "e=f; Domain=%s", hosts[i]);
        take(&f, "/", line, false, NOW);
        assert_string_equal(line_for(&f, "/", NOW), "Cookie: e=f");
        finish(&f);
    }
}

static void dates(void **state)
{
    (void)state;
    /* Each is compared with the second before it ends and with that. */
    static const struct {
        const char *text;
        int64_t end;
    } cases[] = {
        {"Sun, 06 Nov 2094 08:49:37 GMT", INT64_C(3939871777)},
        {"Sunday, 06-Nov-69 08:49:37 GMT", INT64_C(3150953377)},
        {"Sun Nov  6 08:49:37 2094", INT64_C(3939871777)},
        {"2094 november 6th 8:49:37x", INT64_C(3939871777)},
        {"6 2094 NOVxyz 08:49:37", INT64_C(3939871777)},
        {"29 Feb 2096 0:0:0", INT64_C(3981312000)},
        {"31 Dec 9999 23:59:59", INT64_C(253402300799)},
    };
    static const char *const wrong[] = {"",
                                        "never",
                                        "06 Nov 1994",
                                        "Nov 1994 08:49:37",
                                        "06 1994 08:49:37",
                                        "06 Nov 08:49:37",
                                        "06 Nov 1994 24:00:00",
                                        "06 Nov 1994 08:60:37",
                                        "06 Nov 1994 08:49:60",
                                        "06 Nov 1994 008:49:37",
                                        "06 Nov 1994 08:49",
                                        "00 Nov 1994 08:49:37",
                                        "31 Nov 1994 08:49:37",
                                        "29 Feb 1900 08:49:37",
                                        "32 Nov 1994 08:49:37",
                                        "06 Nov 1600 08:49:37",
                                        "06 Nov 19940 08:49:37",
                                        "006 Nov 1994 08:49:37",
                                        "06 Nx 1994 08:49:37"};
    char line[120];
    fixture f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        start(&f, "h");
        snprintf(line, sizeof line, "a=b; Expires=%s", cases[i].text);
        take(&f, "/", line, false, NOW);
        if (f.cookies->count != 1 || f.cookies->list[0].end != cases[i].end)
            fail_msg("%s: %lld", line, f.cookies->count == 0 ? 0 : (long long)f.cookies->list[0].end);
        assert_string_equal(line_for(&f, "/", cases[i].end - 1), "Cookie: a=b");
        assert_string_equal(line_for(&f, "/", cases[i].end), "");
        finish(&f);
    }
    /* What is no date is as if it were not there. */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        start(&f, "h");
        snprintf(line, sizeof line, "a=b; Expires=%s", wrong[i]);
        take(&f, "/", line, false, NOW);
        if (strcmp(line_for(&f, "/", NOW), "Cookie: a=b") != 0)
            fail_msg("%s", line);
        finish(&f);
    }
}

static void paths_and_order(void **state)
{
    (void)state;
    fixture f;
    start(&f, "h");
    take(&f, "/a/b/c", "default=1", false, NOW);
    take(&f, "/a", "root=2", false, NOW);
    take(&f, "/a/b/c", "long=3; Path=/a/b/c", false, NOW);
    take(&f, "/a/b/c", "second=4; Path=/a/b", false, NOW);
    take(&f, "/a/b/c", "root=5; Path=/a/b", false, NOW);
    assert_string_equal(line_for(&f, "/a/b/c", NOW), "Cookie: long=3; default=1; second=4; root=5; root=2");
    assert_string_equal(line_for(&f, "/a/bc", NOW), "Cookie: root=2");
    /* One that replaces another keeps its turn; one that has expired removes it. */
    take(&f, "/a/b/c", "default=a longer value", false, NOW);
    take(&f, "/a/b/c", "second=; Path=/a/b; Max-Age=0", false, NOW);
    take(&f, "/a/b/c", "none=; Max-Age=0", false, NOW);
    assert_string_equal(line_for(&f, "/a/b/c", NOW), "Cookie: long=3; default=a longer value; root=5; root=2");
    take(&f, "/a/b/c", "default=", false, NOW);
    assert_string_equal(line_for(&f, "/a/b/c", NOW), "Cookie: long=3; default=; root=5; root=2");
    finish(&f);
    /* Those for https alone go nowhere else: this client has no other requests. */
    start(&f, "h");
    take(&f, "/", "a=b; Secure", true, NOW);
    assert_string_equal(line_for(&f, "/", NOW), "Cookie: a=b");
    finish(&f);
}

static void at_most_fifty(void **state)
{
    (void)state;
    char line[60];
    fixture f;
    start(&f, "h");
    for (int i = 0; i < 50; i++) {
        snprintf(line, sizeof line, "c%02d=x%s", i, i == 7 ? "; Max-Age=10" : "");
        take(&f, "/", line, false, NOW);
    }
    assert_int_equal(f.cookies->count, 50);
    /* The one that has expired makes room first. */
    take(&f, "/", "new=1", false, NOW + 10);
    assert_int_equal(f.cookies->count, 50);
    assert_non_null(strstr(line_for(&f, "/", NOW + 10), "Cookie: c00=x; c01=x; c02=x; c03=x; c04=x; c05=x; c06=x; c08=x; "));
    /* Then the first; one that was set again is still that. */
    take(&f, "/", "c00=again", false, NOW + 10);
    take(&f, "/", "newer=2", false, NOW + 10);
    assert_int_equal(f.cookies->count, 50);
    const char *all = line_for(&f, "/", NOW + 10);
    assert_int_equal(strncmp(all, "Cookie: c01=x; c02=x", 20), 0);
    assert_non_null(strstr(all, "; new=1; newer=2"));
    finish(&f);
}

static void at_most_16_kibibytes(void **state)
{
    (void)state;
    /* With name and path 4,096 bytes. */
    char *line = (char *)malloc(5000);
    assert_non_null(line);
    fixture f;
    start(&f, "h");
    for (int i = 0; i < 6; i++) {
        memset(line, 'x', 5000);
        line[0] = (char)('a' + i);
        line[1] = '=';
        line[2 + 4094] = 0;
        take(&f, "/", line, false, NOW);
        assert_int_equal(f.cookies->count, i < 4 ? i + 1 : 4);
        assert_int_equal(f.cookies->size, 4096 * f.cookies->count);
    }
    assert_int_equal(f.cookies->texts[0], 'c');
    /* One byte more. */
    line[2 + 4094] = 'x';
    line[2 + 4095] = 0;
    line[0] = 'z';
    take(&f, "/", line, false, NOW);
    assert_int_equal(f.cookies->count, 4);
    assert_int_equal(f.cookies->texts[0], 'c');
    /* All but one are small again. */
    take(&f, "/", "c=1", false, NOW);
    take(&f, "/", "d=2", false, NOW);
    take(&f, "/", "e=3", false, NOW);
    assert_int_equal(f.cookies->size, 9 + 4096);
    assert_int_equal(strncmp(line_for(&f, "/", NOW), "Cookie: c=1; d=2; e=3; f=xxx", 28), 0);
    /* The first one grows, and is the first to make room. */
    for (int i = 0; i < 3; i++) {
        snprintf(line, 5000, "g%d=%04000d", i, 0);
        take(&f, "/", line, false, NOW);
    }
    assert_int_equal(f.cookies->count, 7);
    memset(line, 'x', 5000);
    memcpy(line, "c=", 2);
    line[2 + 4000] = 0;
    take(&f, "/", line, false, NOW);
    assert_int_equal(f.cookies->count, 6);
    assert_int_equal(strncmp(line_for(&f, "/", NOW), "Cookie: d=2; e=3; f=x", 21), 0);
    free(line);
    finish(&f);
}

static void lines_of_a_hostile_service(void **state)
{
    (void)state;
    size_t size = 200000;
    char *line = (char *)malloc(size + 10);
    assert_non_null(line);
    fixture f;
    start(&f, "h");
    static const char *const fillings[] = {";", "=", ";=", "a", " ", "; Path", "a=b;", "; Expires=1:1:1 1 jan 2099", "\x80"};
    for (size_t i = 0; i < sizeof fillings / sizeof *fillings; i++) {
        size_t each = strlen(fillings[i]);
        for (size_t at = 0; at < size; at++)
            line[at] = fillings[i][at % each];
        line[size] = 0;
        take(&f, "/", line, false, NOW);
        memcpy(line, "c=2;", 4);
        take(&f, "/", line, false, NOW);
    }
    assert_string_equal(line_for(&f, "/", NOW), "Cookie: c=2; a=b");
    free(line);
    finish(&f);
}

static void each_address_has_its_own(void **state)
{
    (void)state;
    fixture f;
    start(&f, "a");
    f.client.port = 81;
    struct creo_cookies *other = creo_cookies_open(&f.client, &f.error);
    assert_ptr_not_equal(other, f.cookies);
    creo_http_forget(&f.client, "a", 80);
    assert_ptr_equal(f.client.cookies, other);
    assert_ptr_equal(creo_cookies_open(&f.client, &f.error), other);
    creo_http_forget(&f.client, "b", 81);
    assert_ptr_equal(f.client.cookies, other);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),         cmocka_unit_test(hosts_that_are_addresses), cmocka_unit_test(dates),
        cmocka_unit_test(paths_and_order), cmocka_unit_test(at_most_fifty),          cmocka_unit_test(at_most_16_kibibytes),
        cmocka_unit_test(lines_of_a_hostile_service), cmocka_unit_test(each_address_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
