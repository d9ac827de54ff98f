/* Calls over HTTP through a proxy (HTTP-21): the service of the tests plays both. */
#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "sample.text.h"

#include <errno.h>
#include <sys/socket.h>

#define NS "urn:creo:creo.tests.sample"
#define THREE "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><addResponse xmlns='" NS "'><result>3</result></addResponse></s:Body></s:Envelope>"
#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}
#define OPENED {SAY, "HTTP/1.0 200 Connection established\r\nX: y\r\n\r\n", 0}

typedef struct fixture {
    server service;
    creo_soap soap;
    creo_proxy proxy;
    creo_arena arena;
    creo_error error;
    int64_t sum;
    /* The arguments of the io, and how often it was opened. */
    char host[256];
    int opened;
    int socket;
} fixture;

static creo_io_state io_open(void *context, int socket, const char *host)
{
    fixture *f = (fixture *)context;
    snprintf(f->host, sizeof f->host, "%s", host);
    f->opened++;
    f->socket = socket;
    return CREO_IO_DONE;
}

static creo_io_state io_end(ssize_t count, creo_io_state wants, size_t *done)
{
    if (count > 0) {
        *done = (size_t)count;
        return CREO_IO_DONE;
    }
    return count == 0 ? CREO_IO_CLOSED : errno == EAGAIN ? wants : CREO_IO_FAILED;
}

static creo_io_state io_read(void *context, void *into, size_t size, size_t *done)
{
    return io_end(recv(((fixture *)context)->socket, into, size, 0), CREO_IO_WANT_READ, done);
}

static creo_io_state io_write(void *context, const void *from, size_t size, size_t *done)
{
    return io_end(send(((fixture *)context)->socket, from, size, MSG_NOSIGNAL), CREO_IO_WANT_WRITE, done);
}

static void io_close(void *context)
{
    ((fixture *)context)->socket = -1;
}

static void start(fixture *f, const act *script, const char *url)
{
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    assert_true(creo_soap_init(&f->soap, url, &sample_sample_text, creo_allocator_libc(), &f->error));
    creo_client_use_io(&f->soap.client, (creo_io){f, io_open, io_read, io_write, io_close, NULL});
    creo_arena_init(&f->arena, creo_allocator_libc());
    f->proxy = (creo_proxy){"127.0.0.1", f->service.port, NULL, NULL};
    f->soap.client.proxy = &f->proxy;
}

static void finish(fixture *f)
{
    creo_soap_free(&f->soap);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

static bool add(fixture *f)
{
    f->sum = 0;
    return sample_sample_add(&f->soap.client, 1, 2, &f->arena, &f->sum, &f->error);
}

static void assert_adds(fixture *f)
{
    if (!add(f))
        fail_msg("%s", f->error.message);
    assert_int_equal(f->sum, 3);
}

/* The credentials are `a` and `b:ß`. */
#define BASIC "\r\nProxy-Authorization: Basic YTpiOsOf\r\n"

static void absolute_form(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST http://service.example:81/Sample?x HTTP/1.1\r\nHost: service.example:81\r\n|" BASIC "|\r\nX-Api-Key: k\r\n", 0},
                                 {ANSWER, THREE, 0},
                                 {HEAR, "POST http://service.example:81/|" BASIC, 0},
                                 {ANSWER, THREE, 0},
                                 CLOSES};
    static const creo_pair headers[] = {{{"X-Api-Key", 9}, {"k", 1}}};
    fixture f;
    start(&f, script, "http://service.example:81/Sample?x");
    f.soap.client.headers = headers;
    f.soap.client.header_count = 1;
    f.proxy.user = "a";
    f.proxy.password = "b:\xC3\x9F";
    assert_adds(&f);
    assert_adds(&f);
    finish(&f);
}

static void without_credentials(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "POST http://[::1]/Sample HTTP/1.1\r\nHost: [::1]\r\n", 0}, {ANSWER, THREE, 0}, CLOSES};
    fixture f;
    start(&f, script, "http://[::1]/Sample");
    assert_adds(&f);
    assert_null(strstr(f.service.heard, "Proxy-"));
    finish(&f);
}

/* The wires share the layers below. */
static void other_wires(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST http://service.example/Sample/add HTTP/1.1\r\n|" BASIC, 0},
                                 {SAY, "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n3", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {HEAR, "CONNECT service.example:443 HTTP/1.1\r\n|" BASIC, 0},
                                 OPENED,
                                 {HEAR, "POST /Sample/add HTTP/1.1\r\n|application/vnd.creo.tdxml", 0},
                                 {SAY, "HTTP/1.1 200 X\r\nContent-Type: application/vnd.creo.tdxml\r\nContent-Length: 50\r\n\r\n<Env xmlns=\"urn:creo:tdxml\"><RT>\n[0]|3\n</RT></Env>", 0},
                                 CLOSES};
    fixture f;
    creo_json json;
    creo_tdxml tables;
    start(&f, script, "http://service.example/");
    f.proxy.user = "a";
    f.proxy.password = "b:\xC3\x9F";
    assert_true(creo_json_init(&json, "http://service.example/Sample", &sample_sample_text, creo_allocator_libc(), &f.error));
    json.client.proxy = &f.proxy;
    assert_true(sample_sample_add(&json.client, 1, 2, &f.arena, &f.sum, &f.error));
    assert_int_equal(f.sum, 3);
    creo_json_free(&json);
    f.sum = 0;
    assert_true(creo_tdxml_init(&tables, "https://service.example/Sample", &sample_sample_text, creo_allocator_libc(), &f.error));
    tables.client.proxy = &f.proxy;
    creo_client_use_io(&tables.client, (creo_io){&f, io_open, io_read, io_write, io_close, NULL});
    if (!sample_sample_add(&tables.client, 1, 2, &f.arena, &f.sum, &f.error))
        fail_msg("%s", f.error.message);
    assert_int_equal(f.sum, 3);
    creo_tdxml_free(&tables);
    finish(&f);
}

static void tunnel(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "CONNECT service.example:443 HTTP/1.1\r\nHost: service.example:443" BASIC "\r\n", 0},
                                 OPENED,
                                 {HEAR, "POST /Sample HTTP/1.1\r\nHost: service.example\r\n|\r\nX-Api-Key: k\r\n", 0},
                                 {ANSWER, THREE, 0},
                                 {HEAR, "POST /Sample HTTP/1.1\r\n", 0},
                                 {ANSWER, THREE, 0},
                                 CLOSES};
    static const creo_pair headers[] = {{{"X-Api-Key", 9}, {"k", 1}}};
    fixture f;
    start(&f, script, "https://service.example/Sample");
    f.soap.client.headers = headers;
    f.soap.client.header_count = 1;
    f.proxy.user = "a";
    f.proxy.password = "b:\xC3\x9F";
    assert_adds(&f);
    /* Headers for the proxy are not sent to the service. */
    assert_null(strstr(f.service.heard, "Proxy-"));
    assert_adds(&f);
    assert_string_equal(f.host, "service.example");
    assert_int_equal(f.opened, 1);
    finish(&f);
}

static void tunnels_that_are_not_opened(void **state)
{
    (void)state;
    static char long_head[80000];
    memset(long_head, 'x', sizeof long_head - 1);
    memcpy(long_head, "HTTP/1.1 200 OK\r\nX: ", 20);
    static const struct {
        const char *says;
        creo_code code;
        const char *part;
    } cases[] = {
        {"HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n", CREO_UNAUTHENTICATED,
         "no tunnel to [2001:db8::1]:8443 was opened: status 407 Who are you; Proxy-Authenticate: Basic realm=\"p\" (through the proxy 127.0.0.1, port "},
        {"HTTP/1.1 403\r\n\r\n", CREO_PERMISSION_DENIED, "status 403 (through"},
        {"HTTP/1.1 502 x\xC2\x9B[0m\r\n\r\n", CREO_UNAVAILABLE, "status 502 x\\u009b[0m"},
        {"HTTP/1.1 502 x\x1B[0m\r\n\r\n", CREO_PROTOCOL_MISMATCH, "has a control character"},
        {"HTTP/1.1 302 Found\r\nLocation: http://x/\r\n\r\n", CREO_UNAVAILABLE, "status 302"},
        {"HTTP/1.1 405 No\r\n\r\n", CREO_PROTOCOL_MISMATCH, "status 405"},
        {"HTTP/1.1 200 OK\r\n\r\nmore", CREO_PROTOCOL_MISMATCH, "sent something that was not asked for"},
        {"SSH-2.0-OpenSSH\r\n", CREO_PROTOCOL_MISMATCH, "does not speak HTTP"},
        {"HTTP/1.1 200 OK\r\nX\r\n\r\n", CREO_PROTOCOL_MISMATCH, "a header line that is none"},
        {"HTTP/1.1 200 OK\r\n", CREO_UNAVAILABLE, "closed the connection"},
        {"", CREO_UNAVAILABLE, "closed the connection"},
        {long_head, CREO_TOO_LARGE, "maxHeaderSize"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "CONNECT [2001:db8::1]:8443 HTTP/1.1\r\n", 0}, {SAY, cases[i].says, 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
        fixture f;
        start(&f, script, "https://[2001:db8::1]:8443/");
        assert_false(add(&f));
        if (f.error.code != cases[i].code || strstr(f.error.message, cases[i].part) == NULL)
            fail_msg("%zu: %s: %s; \"%s\" is due", i, creo_code_name(f.error.code), f.error.message, cases[i].part);
        assert_int_equal(f.opened, 0);
        assert_string_equal(f.error.peer, "[2001:db8::1]:8443");
        finish(&f);
    }
}

static void slow_and_missing_proxies(void **state)
{
    (void)state;
    static const act silent[] = {{ACCEPT, NULL, 0}, {HEAR, "CONNECT", 0}, CLOSES};
    fixture f;
    start(&f, silent, "https://service.example/");
    f.soap.client.limits.connect_timeout_ms = 50;
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    assert_non_null(strstr(f.error.message, "cannot connect to service.example:443: timed out (through the proxy"));
    finish(&f);
    start(&f, silent, "https://service.example/");
    f.soap.client.deadline_ms = 50;
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_DEADLINE_EXCEEDED);
    finish(&f);
    static const act none[] = {{END, NULL, 0}};
    start(&f, none, "http://service.example/");
    f.proxy.port = 1;
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    assert_non_null(strstr(f.error.message, "cannot connect to service.example:80: refused (through the proxy 127.0.0.1, port 1)"));
    finish(&f);
}

/* A connection is not used again where another proxy is due, or none. */
static void another_proxy(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "POST http://|" BASIC, 0}, {ANSWER, THREE, 0}, {UNTIL_CLOSED, NULL, 0}, {ACCEPT, NULL, 0}, {HEAR, "POST /Sample HTTP/1.1\r\n", 0},
                                 {ANSWER, THREE, 0}, CLOSES};
    char url[64];
    fixture f;
    memset(&f, 0, sizeof f);
    server_start(&f.service, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f.service.port);
    assert_true(creo_soap_init(&f.soap, url, &sample_sample_text, creo_allocator_libc(), &f.error));
    creo_arena_init(&f.arena, creo_allocator_libc());
    f.proxy = (creo_proxy){"127.0.0.1", f.service.port, "a", "b:\xC3\x9F"};
    f.soap.client.proxy = &f.proxy;
    assert_adds(&f);
    f.proxy.host = NULL;
    assert_adds(&f);
    assert_null(strstr(f.service.heard, "Proxy-"));
    finish(&f);
}

static void proxies_that_are_none(void **state)
{
    (void)state;
    char longest[1026];
    char host[257];
    memset(longest, 'x', 1025);
    longest[1025] = 0;
    memset(host, 'x', 256);
    host[256] = 0;
    const creo_proxy wrong[] = {
        {"", 1, NULL, NULL},        {"a b", 1, NULL, NULL}, {"a\r\nb", 1, NULL, NULL}, {"http://a", 1, NULL, NULL}, {"u@a", 1, NULL, NULL}, {host, 1, NULL, NULL},
        {"a\xC3\xA9", 1, NULL, NULL}, {"a", 0, NULL, NULL},   {"a", 1, "u:v", "hush"},   {"a", 1, "u", NULL},         {"a", 1, NULL, "hush"}, {"a", 1, "u\r\n", "hush"},
        {"a", 1, "u", "hush\n"},    {"a", 1, "u", "hush\x7F"}, {"a", 1, "u\xFF", "hush"}, {"a", 1, longest, "hush"},
    };
    static const act none[] = {{END, NULL, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fixture f;
        start(&f, none, i % 2 == 0 ? "http://service.example/" : "https://service.example/");
        f.soap.client.proxy = &wrong[i];
        assert_false(add(&f));
        assert_int_equal(f.error.code, CREO_INVALID_VALUE);
        assert_null(strstr(f.error.message, "hush"));
        finish(&f);
    }
}

/* The binary wire has no proxies. */
static void other_transports(void **state)
{
    (void)state;
    creo_proxy proxy = {"proxy.invalid", 1, NULL, NULL};
    creo_client client;
    creo_arena arena;
    creo_error error;
    int64_t sum;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_client_init(&client, "127.0.0.1", 1, creo_allocator_libc());
    client.proxy = &proxy;
    assert_false(sample_sample_add(&client, 1, 2, &arena, &sum, &error));
    assert_string_equal(error.message, "cannot connect to 127.0.0.1:1: refused");
    creo_client_free(&client);
    creo_arena_free(&arena);
}

static void proxies_of_the_environment(void **state)
{
    (void)state;
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"};
    static const struct {
        const char *url;
        /* In the order of the names. */
        const char *values[6];
        const char *due;
    } cases[] = {
        {"http://a.example/x", {NULL, NULL, NULL, NULL, NULL, NULL}, "none"},
        {"http://a.example/x", {"http://p:3128/", NULL, NULL, NULL, NULL, NULL}, "p 3128 - -"},
        {"http://a.example/x", {"p", NULL, NULL, NULL, NULL, NULL}, "p 80 - -"},
        {"http://a.example/x", {"http://u%3c:p%c3%9f%3A@[::1]:81", NULL, NULL, NULL, NULL, NULL}, "::1 81 u< p\xC3\x9F:"},
        {"http://a.example/x", {"http://u@v@p", NULL, NULL, NULL, NULL, NULL}, "p 80 u@v "},
        {"http://a.example/x", {"", NULL, NULL, NULL, NULL, NULL}, "none"},
        /* A gateway puts a header of a request there. */
        {"http://a.example/x", {NULL, NULL, "http://p", NULL, NULL, NULL}, "none"},
        {"http://a.example/x", {NULL, "http://p", NULL, NULL, NULL, NULL}, "none"},
        {"https://a.example/x", {"http://q", "http://p", NULL, "http://r", NULL, NULL}, "p 80 - -"},
        {"https://a.example/x", {"http://q", NULL, NULL, "http://r", NULL, NULL}, "r 80 - -"},
        {"http://a.example/x", {"http://p", NULL, NULL, NULL, "b.example, *", NULL}, "none"},
        {"http://a.example/x", {"http://p", NULL, NULL, NULL, "A.Example", NULL}, "none"},
        {"http://a.example/x", {"http://p", NULL, NULL, NULL, NULL, ".example"}, "none"},
        {"http://a.example:81/x", {"http://p", NULL, NULL, NULL, "b,a.example:81", NULL}, "none"},
        {"http://[::1]:81/x", {"http://p", NULL, NULL, NULL, "[::1]", NULL}, "none"},
        {"http://a.example/x", {"http://p", NULL, NULL, NULL, "xample,a.example:81,b.a.example,,.", NULL}, "p 80 - -"},
        {"http://a.example/x", {"https://p", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"socks5://hush@p", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"http://u:hush%4@p", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"http://u:hush%00@p", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"http://u:hush%0a@p", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"http://u%3a:hush@p", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"http://p/path", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"http://p:0", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"http://a.example/x", {"http://", NULL, NULL, NULL, NULL, NULL}, "http_proxy of the environment"},
        {"https://a.example/x", {NULL, "http://p q", NULL, NULL, NULL, NULL}, "https_proxy of the environment"},
        {"a.example", {"http://p", NULL, NULL, NULL, NULL, NULL}, "this is no URL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        creo_arena arena;
        creo_proxy proxy;
        creo_error error;
        char got[CREO_ERROR_TEXT];
        creo_arena_init(&arena, creo_allocator_libc());
        for (size_t j = 0; j < 6; j++)
            assert_int_equal(cases[i].values[j] == NULL ? unsetenv(names[j]) : setenv(names[j], cases[i].values[j], 1), 0);
        if (!creo_proxy_from_environment(&proxy, cases[i].url, &arena, &error)) {
            assert_null(strstr(error.message, "hush"));
            assert_null(proxy.host);
            snprintf(got, sizeof got, "%.*s", (int)strlen(cases[i].due), error.message);
        } else if (proxy.host == NULL) {
            snprintf(got, sizeof got, "none");
        } else {
            snprintf(got, sizeof got, "%s %u %s %s", proxy.host, (unsigned)proxy.port, proxy.user == NULL ? "-" : proxy.user, proxy.password == NULL ? "-" : proxy.password);
        }
        if (strcmp(got, cases[i].due) != 0)
            fail_msg("%zu: %s; %s is due", i, got, cases[i].due);
        creo_arena_free(&arena);
    }
}

/* This page defines its own. */
#undef fail

static int fail(const creo_error *error)
{
    print_error("%s\n", error->message);
    return 1;
}

/* The example of docs/c.md. */
static int take_proxy(const char *url)
{
    creo_soap soap;
    creo_arena arena;
    creo_error error;
    memset(&soap, 0, sizeof soap);
    creo_arena_init(&arena, creo_allocator_libc());
#include "proxies_of_page.h"
    assert_string_equal(soap.client.proxy->host, "proxy.example");
    assert_int_equal(soap.client.proxy->port, 3128);
    creo_arena_free(&arena);
    return 0;
}

static void proxy_of_the_page(void **state)
{
    (void)state;
    assert_int_equal(unsetenv("http_proxy"), 0);
    assert_int_equal(take_proxy("http://a.example/"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absolute_form),         cmocka_unit_test(without_credentials), cmocka_unit_test(tunnel),
        cmocka_unit_test(other_wires),
        cmocka_unit_test(tunnels_that_are_not_opened), cmocka_unit_test(slow_and_missing_proxies), cmocka_unit_test(another_proxy),
        cmocka_unit_test(proxies_that_are_none), cmocka_unit_test(other_transports),    cmocka_unit_test(proxies_of_the_environment),
        cmocka_unit_test(proxy_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
