/* Credentials and cookies of a client: spec/transports/http.md, HTTP-43, HTTP-46, HTTP-47. */
#define _POSIX_C_SOURCE 200809L

#include "session.h"

#include "http/http_cookies.h"

#include <creo/addresses.h>

#include <unistd.h>

#define COOKIES(lines) "HTTP/1.1 200 OK\r\n" lines "Content-Type: application/json\r\nContent-Length: 1\r\n\r\n3"

static void credentials(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "\r\nAuthorization: Basic bWU6cMOkc3M=\r\n", 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, "\r\nAuthorization: Basic Og==\r\n", 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, "\r\nAuthorization: Bearer ab.c-_~+/==\r\n", 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, "POST", 0},
                                 {SAY, GOOD, 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    f.options.user = "me";
    f.options.password = "p\xC3\xA4ss";
    assert_adds(&f);
    f.options.user = f.options.password = "";
    assert_adds(&f);
    f.options.user = f.options.password = NULL;
    f.options.bearer = "ab.c-_~+/==";
    assert_adds(&f);
    f.client->http = NULL;
    assert_adds(&f);
    assert_null(strstr(f.service.heard, "Authorization"));
    finish(&f);
}

static void options_that_are_none(void **state)
{
    (void)state;
    static const act none[] = {{END, NULL, 0}};
    static char most[1025];
    static char more[1026];
    static char wide[2049];
    static char token[8194];
    memset(most, 'x', sizeof most - 1);
    memset(more, 'x', sizeof more - 1);
    for (size_t i = 0; i < sizeof wide - 1; i += 2)
        memcpy(wide + i, "\xC3\xA4", 2);
    memset(token, 'x', sizeof token - 1);
    const struct {
        creo_http_options options;
        const char *part;
    } cases[] = {
        {{21, false, NULL, NULL, NULL, false}, "at most 20 redirects, not 21"},
        {{0, false, "a:b", "hunter2", NULL, false}, "no control characters, and a user no colon"},
        {{0, false, "a", "hunter2\r\nX: y", NULL, false}, "no control characters"},
        {{0, false, "a", "hunter2\x7F", NULL, false}, "no control characters"},
        {{0, false, "a", "hunter2\xC2\x85", NULL, false}, "no control characters"},
        {{0, false, "a\xFF", "hunter2", NULL, false}, "no control characters"},
        {{0, false, more, "hunter2", NULL, false}, "at most 1024 characters"},
        {{0, false, "a", NULL, NULL, false}, "a user and a password"},
        {{0, false, NULL, "hunter2", NULL, false}, "a user and a password"},
        {{0, false, "a", "hunter2", "hunter2", false}, "not by both"},
        {{0, false, NULL, NULL, "", false}, "a bearer token is"},
        {{0, false, NULL, NULL, "hunter2 x", false}, "a bearer token is"},
        {{0, false, NULL, NULL, "hunter=2", false}, "a bearer token is"},
        {{0, false, NULL, NULL, "=", false}, "a bearer token is"},
        {{0, false, NULL, NULL, "hunter2\r\n", false}, "a bearer token is"},
        {{0, false, NULL, NULL, "hunter2\xC3\xA4", false}, "a bearer token is"},
        {{0, false, NULL, NULL, token, false}, "a bearer token is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        start(&f, none);
        f.options = cases[i].options;
        assert_fails(&f, CREO_INVALID_VALUE, cases[i].part);
        assert_null(strstr(f.error.message, "hunter"));
        assert_true(f.error.not_started);
        finish(&f);
    }
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "Authorization: Basic ", 0}, {SAY, GOOD, 0}, {HEAR, "Authorization: Bearer ", 0}, {SAY, GOOD, 0}, CLOSES};
    fixture f;
    start(&f, script);
    f.options.user = most;
    f.options.password = wide;
    assert_adds(&f);
    token[8192] = 0;
    f.options = (creo_http_options){20, true, NULL, NULL, token, false};
    assert_adds(&f);
    finish(&f);
}

static void credentials_that_could_be_read(void **state)
{
    (void)state;
    static const char *const hosts[] = {"10.0.0.1", "127.0.0.1.example.com", "127.0.0", "127.0.0.1000", "127.0.0.x", "127.0.0.1.", "localhost.example", "[::2]", "128.0.0.1"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        char url[80];
        creo_json json;
        creo_arena arena;
        creo_error error;
        int64_t sum;
        creo_http_options options = {0, false, "me", "hunter2", NULL, false};
        snprintf(url, sizeof url, "http://%s:1/", hosts[i]);
        assert_true(creo_json_init(&json, url, &sample_sample_text, creo_allocator_libc(), &error));
        creo_arena_init(&arena, creo_allocator_libc());
        json.client.http = &options;
        for (int bearer = 0; bearer < 2; bearer++) {
            assert_false(sample_sample_add(&json.client, 1, 2, &arena, &sum, &error));
            assert_int_equal(error.code, CREO_INVALID_VALUE);
            assert_non_null(strstr(error.message, "credentials go to https:// or to the own host only"));
            options = (creo_http_options){0, false, NULL, NULL, "x", false};
        }
        creo_json_free(&json);
        creo_arena_free(&arena);
    }
    /* Of these, none could: the port refuses. */
    static const char *const own[] = {"LOCALHOST", "127.9.9.9", "[::1]"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char url[80];
        creo_json json;
        creo_arena arena;
        creo_error error;
        int64_t sum;
        const creo_http_options options = {0, false, "me", "hunter2", NULL, false};
        snprintf(url, sizeof url, "http://%s:1/", own[i]);
        assert_true(creo_json_init(&json, url, &sample_sample_text, creo_allocator_libc(), &error));
        creo_arena_init(&arena, creo_allocator_libc());
        json.client.http = &options;
        assert_false(sample_sample_add(&json.client, 1, 2, &arena, &sum, &error));
        assert_int_equal(error.code, CREO_UNAVAILABLE);
        creo_json_free(&json);
        creo_arena_free(&arena);
    }
}

static void the_program_does_not_set_what_the_options_set(void **state)
{
    (void)state;
    static const act none[] = {{END, NULL, 0}};
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "\r\nCookie: x\r\n|" BASIC "|\r\nCreo-Meta-cookie: x\r\n", 0}, {SAY, GOOD, 0}, CLOSES};
    static const creo_pair authorization = {{"AUTHORIZATION", 13}, {"hunter2", 7}};
    static const creo_pair meta = {{"authorization", 13}, {"hunter2", 7}};
    static const creo_pair cookie = {{"cOOKIE", 6}, {"x", 1}};
    static const creo_pair cookie_header = {{"Cookie", 6}, {"x", 1}};
    static const creo_pair cookie_meta = {{"cookie", 6}, {"x", 1}};
    static const creo_http_options basic = {0, false, "me", "hunter2", NULL, false};
    static const creo_http_options bearer = {0, false, NULL, NULL, "hunter2", false};
    static const creo_http_options cookies = {0, true, NULL, NULL, NULL, false};
    const struct {
        const creo_http_options *options;
        const creo_pair *header;
        const creo_pair *metadata;
    } cases[] = {{&basic, &authorization, NULL}, {&basic, NULL, &meta}, {&bearer, &authorization, NULL}, {&bearer, NULL, &meta}, {&cookies, &cookie, NULL}};
    fixture f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        start(&f, none);
        f.client->http = cases[i].options;
        f.client->headers = cases[i].header;
        f.client->header_count = cases[i].header != NULL;
        f.client->metadata = cases[i].metadata;
        f.client->metadata_count = cases[i].metadata != NULL;
        assert_fails(&f, CREO_INVALID_VALUE, ", which the options of the client set");
        assert_null(strstr(f.error.message, "hunter2"));
        finish(&f);
    }
    /* What one option does not set, the program may. */
    start(&f, script);
    f.client->http = &basic;
    f.client->headers = &cookie_header;
    f.client->metadata = &cookie_meta;
    f.client->header_count = f.client->metadata_count = 1;
    assert_adds(&f);
    finish(&f);
}

static void cookies_of_calls(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST", 0},
                                 {SAY, COOKIES("Set-Cookie: a=1\r\nset-cookie: b=2; Path=/\r\nSET-COOKIE: c=3; Secure\r\n"), 0},
                                 {HEAR, "\r\nCookie: a=1; b=2\r\n", 0},
                                 /* An error has cookies, too, and a redirect, for the request that follows. */
                                 {SAY, "HTTP/1.1 503 X\r\nSet-Cookie: a=4\r\nContent-Length: 0\r\n\r\n", 0},
                                 {HEAR, "\r\nCookie: a=4; b=2\r\n", 0},
                                 {SAY, "HTTP/1.1 307 X\r\nLocation: /x\r\nSet-Cookie: b=5; Path=/\r\nContent-Length: 0\r\n\r\n", 0},
                                 {HEAR, "POST /x |\r\nCookie: b=5\r\n", 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, "POST", 0},
                                 {SAY, COOKIES("Set-Cookie: d=6\r\n"), 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    f.options.cookies = true;
    f.options.redirects = 1;
    assert_adds(&f);
    assert_null(strstr(f.service.heard, "Cookie"));
    assert_fails(&f, CREO_UNAVAILABLE, "status 503");
    assert_adds(&f);
    f.options.cookies = false;
    assert_adds(&f);
    assert_null(strstr(f.service.heard, "Cookie"));
    finish(&f);
}

/* Each address keeps its own; those of one that is used no more are gone. */
static void cookies_of_several_addresses(void **state)
{
    (void)state;
    static const act first[] = {{ACCEPT, NULL, 0}, {HEAR, "POST", 0}, {SAY, COOKIES("Set-Cookie: one=1\r\n"), 0}, {UNTIL_CLOSED, NULL, 0},
                                {ACCEPT, NULL, 0}, {HEAR, "\r\nCookie: one=1\r\n", 0}, {SAY, GOOD, 0}, CLOSES};
    static const act second[] = {{ACCEPT, NULL, 0}, {HEAR, "POST", 0}, {SAY, COOKIES("Set-Cookie: two=2\r\n"), 0}, {UNTIL_CLOSED, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST", 0}, {SAY, GOOD, 0}, CLOSES};
    server other;
    fixture f;
    server_start(&other, second);
    start(&f, first);
    creo_address addresses[2] = {{"127.0.0.1", f.service.port}, {"127.0.0.1", other.port}};
    f.options.cookies = true;
    assert_true(creo_client_set_addresses(f.client, addresses, 1, &f.error));
    assert_adds(&f);
    assert_true(creo_client_set_addresses(f.client, addresses, 2, &f.error));
    creo_client_disconnect(f.client);
    f.client->target = 0;
    assert_adds(&f);
    assert_null(strstr(other.heard, "Cookie"));
    assert_non_null(f.client->cookies->next);
    creo_client_disconnect(f.client);
    assert_adds(&f);
    /* Without the second one, and with it again. */
    assert_true(creo_client_set_addresses(f.client, addresses, 1, &f.error));
    assert_null(f.client->cookies->next);
    assert_true(creo_client_set_addresses(f.client, addresses + 1, 1, &f.error));
    assert_null(f.client->cookies);
    assert_adds(&f);
    assert_null(strstr(other.heard, "Cookie"));
    finish(&f);
    server_join(&other);
}

/* A stream has cookies and credentials, but is not redirected. */
static void streams(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /feed/numbers HTTP/1.1\r\n|" BASIC, 0},
                                 {SAY, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nSet-Cookie: a=b\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{\"end\":true}\n\r\n0\r\n\r\n", 0},
                                 {HEAR, BASIC "|\r\nCookie: a=b\r\n", 0},
                                 {SAY, REDIRECT("/y"), 0},
                                 CLOSES};
    char url[60];
    fixture f;
    creo_stream stream;
    sample_feed_numbers_outcome next;
    start(&f, script);
    creo_json_free(&f.json);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/feed", (unsigned)f.service.port);
    assert_true(creo_json_init(&f.json, url, &sample_feed_text, creo_allocator_libc(), &f.error));
    f.options = (creo_http_options){5, true, "me", "hunter2", NULL, false};
    f.client->http = &f.options;
    assert_true(sample_feed_numbers(f.client, &stream, &f.error));
    assert_true(sample_feed_numbers_next(&stream, &f.arena, &next, &f.error));
    assert_int_equal(next.kind, SAMPLE_FEED_NUMBERS_END);
    creo_stream_close(&stream);
    assert_true(sample_feed_numbers(f.client, &stream, &f.error));
    assert_false(sample_feed_numbers_next(&stream, &f.arena, &next, &f.error));
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    assert_non_null(strstr(f.error.message, "redirects are not followed; it names the place /y"));
    creo_stream_close(&stream);
    finish(&f);
}

/*
 * Memory.
 */

typedef struct bounded {
    size_t left;
} bounded;

static void *bounded_allocate(void *context, size_t size)
{
    bounded *memory = (bounded *)context;
    if (size > memory->left)
        return NULL;
    return malloc(size);
}

/* Memory that is given back holds no secret. */
static void bounded_release(void *context, void *memory, size_t size)
{
    static const char *const secrets[] = {"hunter2", "bWU6aHVudGVyMg", "Geheimnis"};
    (void)context;
    /* What the client received is the input's memory and the arena of the head. */
    for (size_t each = 0; size != 16384 && each < 3; each++)
        for (size_t i = 0; i + strlen(secrets[each]) <= size; i++)
            if (memcmp((const uint8_t *)memory + i, secrets[each], strlen(secrets[each])) == 0)
                fail_msg("a block of %zu bytes holds %s", size, secrets[each]);
    free(memory);
}

static void start_bounded(fixture *f, bounded *memory, const act *script)
{
    char url[60];
    start(f, script);
    creo_json_free(&f->json);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    assert_true(creo_json_init(&f->json, url, &sample_sample_text, (creo_allocator){bounded_allocate, bounded_release, memory}, &f->error));
    f->client->http = &f->options;
}

static void secrets_do_not_stay_in_memory(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, BASIC, 0}, {SAY, COOKIES("Set-Cookie: s=Geheimnis\r\n"), 0}, {HEAR, "Cookie: s=Geheimnis", 0}, {SAY, GOOD, 0},
                                 {HEAR, "Bearer hunter2", 0}, {SAY, GOOD, 0}, CLOSES};
    bounded memory = {SIZE_MAX};
    fixture f;
    start_bounded(&f, &memory, script);
    f.options = (creo_http_options){0, true, "me", "hunter2", NULL, false};
    assert_adds(&f);
    assert_adds(&f);
    f.options = (creo_http_options){0, false, NULL, NULL, "hunter2", false};
    assert_adds(&f);
    finish(&f);
}

static void no_memory_for_cookies(void **state)
{
    (void)state;
    static const act none[] = {{END, NULL, 0}};
    bounded memory = {20000};
    fixture f;
    start_bounded(&f, &memory, none);
    f.options.cookies = true;
    assert_fails(&f, CREO_TOO_LARGE, "the allocator has no memory left for the cookies");
    assert_true(f.error.not_started);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credentials),
        cmocka_unit_test(options_that_are_none),
        cmocka_unit_test(credentials_that_could_be_read),
        cmocka_unit_test(the_program_does_not_set_what_the_options_set),
        cmocka_unit_test(cookies_of_calls),
        cmocka_unit_test(cookies_of_several_addresses),
        cmocka_unit_test(streams),
        cmocka_unit_test(secrets_do_not_stay_in_memory),
        cmocka_unit_test(no_memory_for_cookies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
