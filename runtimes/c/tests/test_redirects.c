/* Redirects: spec/transports/http.md, HTTP-40 to HTTP-42. */
#define _POSIX_C_SOURCE 200809L

#include "session.h"

#include "http/http_session.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static void the_same_request_goes_elsewhere(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /Sample/add HTTP/1.1\r\n|\"left\":1", 0},
                                 {SAY, REDIRECT("/other/add?x=1#part"), 0},
                                 {HEAR, "POST /other/add?x=1 HTTP/1.1\r\nHost: 127.0.0.1:|Content-Type: application/json\r\n|\r\nX-Api-Key: k\r\n|\r\nCreo-Meta-m: v\r\n|\r\nCreo-Timeout: |\"left\":1", 0},
                                 {SAY, "HTTP/1.1 308 Moved\r\nLocation: ../b/./c/../d\r\nContent-Length: 0\r\n\r\n", 0},
                                 {HEAR, "POST /b/d HTTP/1.1\r\n|\"right\":2", 0},
                                 {SAY, GOOD, 0},
                                 /* Nothing is remembered, and the connection is the same. */
                                 {HEAR, "POST /Sample/add HTTP/1.1\r\n", 0},
                                 {SAY, GOOD, 0},
                                 CLOSES};
    static const creo_pair header = {{"X-Api-Key", 9}, {"k", 1}};
    static const creo_pair metadata = {{"m", 1}, {"v", 1}};
    fixture f;
    start(&f, script);
    f.options.redirects = 2;
    f.client->headers = &header;
    f.client->metadata = &metadata;
    f.client->header_count = f.client->metadata_count = 1;
    assert_adds(&f);
    assert_int_equal(creo_client_answer(f.client)->status, 200);
    assert_adds(&f);
    finish(&f);
}

/* Peers that the hook for raw messages and an interceptor are told. */
typedef struct told {
    char peers[400];
    char last[CREO_PEER_SIZE];
} told;

static void tell_message(void *context, const creo_raw_message *message)
{
    char *peers = ((told *)context)->peers;
    size_t used = strlen(peers);
    snprintf(peers + used, sizeof ((told *)context)->peers - used, "%s%s ", message->answer ? "<" : ">", message->peer);
    for (size_t i = 0; i < message->header_count; i++)
        assert_true(!creo_http_same(message->headers[i].key, "cookie") || creo_string_is(message->headers[i].value, "***"));
}

static void tell_end(void *context, const creo_call *call, const creo_outcome *outcome)
{
    (void)call;
    snprintf(((told *)context)->last, CREO_PEER_SIZE, "%s", outcome->peer == NULL ? "none" : outcome->peer);
}

static void another_origin_gets_the_message_alone(void **state)
{
    (void)state;
    static char to_other[200];
    static char back[200];
    static const act other_script[] = {{ACCEPT, NULL, 0},
                                       {HEAR, "POST /y HTTP/1.1\r\nHost: 127.0.0.1:|\r\nContent-Type: application/json\r\n|\r\nCreo-Timeout: |\"left\":1", 0},
                                       {SAY, back, 0},
                                       /* The connection was for one request. */
                                       {UNTIL_CLOSED, NULL, 0},
                                       {ACCEPT, NULL, 0},
                                       {HEAR, "POST /y HTTP/1.1\r\n", 0},
                                       {SAY, GOOD, 0},
                                       CLOSES};
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /Sample/add HTTP/1.1\r\n|" BASIC "|\r\nX-Api-Key: hunter2\r\n|\r\nCreo-Meta-m: hunter2\r\n|\r\ntraceparent: hunter2\r\n", 0},
                                 {SAY, to_other, 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {HEAR, "POST /z HTTP/1.1\r\n", 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, "POST /Sample/add HTTP/1.1\r\n|" BASIC "|\r\nCookie: a=hunter2\r\n|\r\nX-Api-Key: hunter2\r\n", 0},
                                 {SAY, to_other, 0},
                                 CLOSES};
    static const creo_pair header = {{"X-Api-Key", 9}, {"hunter2", 7}};
    static const creo_pair metadata[] = {{{"m", 1}, {"hunter2", 7}}, {{"traceparent", 11}, {"hunter2", 7}}};
    told seen;
    const creo_raw_messages raw = {&seen, tell_message, 100};
    const creo_interceptor last = {&seen, NULL, tell_end};
    char due[400];
    server other;
    fixture f;
    memset(&seen, 0, sizeof seen);
    server_start(&other, other_script);
    start(&f, script);
    snprintf(to_other, sizeof to_other, "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:%u/y\r\nSet-Cookie: a=hunter2\r\nContent-Length: 0\r\n\r\n", (unsigned)other.port);
    snprintf(back, sizeof back, "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:%u/z\r\nSet-Cookie: evil=1\r\nContent-Length: 0\r\n\r\n", (unsigned)f.service.port);
    f.options = (creo_http_options){2, true, "me", "hunter2", NULL, false};
    f.client->headers = &header;
    f.client->header_count = 1;
    f.client->metadata = metadata;
    f.client->metadata_count = 2;
    f.client->raw_messages = &raw;
    f.client->interceptors = &last;
    f.client->interceptor_count = 1;
    assert_adds(&f);
    /* Led back, it is still without them. */
    assert_null(strstr(f.service.heard, "hunter2"));
    assert_null(strstr(f.service.heard, "Authorization"));
    assert_null(strstr(f.service.heard, "Cookie"));
    assert_null(strstr(other.heard, "hunter2"));
    assert_null(strstr(other.heard, "Authorization"));
    assert_null(strstr(other.heard, "Cookie"));
    unsigned own = f.service.port;
    unsigned away = other.port;
    snprintf(due, sizeof due, ">127.0.0.1:%u <127.0.0.1:%u >127.0.0.1:%u <127.0.0.1:%u >127.0.0.1:%u <127.0.0.1:%u ", own, own, away, away, own, own);
    assert_string_equal(seen.peers, due);
    snprintf(due, sizeof due, "127.0.0.1:%u", own);
    assert_string_equal(seen.last, due);
    assert_adds(&f);
    assert_null(strstr(other.heard, "hunter2"));
    snprintf(due, sizeof due, "127.0.0.1:%u", away);
    assert_string_equal(seen.last, due);
    assert_int_equal(f.client->port, own);
    server_join(&other);
    finish(&f);
}

/* The request that was answered was not executed. */
static void errors_after_a_redirect(void **state)
{
    (void)state;
    static char place[200];
    static const act gone[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /x", 0}, {SAY, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", 0}, CLOSES};
    static const act lost[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /x", 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    static const act silent[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /x", 0}, CLOSES};
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add", 0}, {SAY, place, 0}, CLOSES};
    char url[60];
    server other;
    fixture f;
    const act *const others[] = {gone, lost, silent};
    static const struct {
        creo_code code;
        const char *part;
    } due[] = {{CREO_UNAVAILABLE, "/x answered with status 404 No"}, {CREO_UNAVAILABLE, "closed the connection"}, {CREO_DEADLINE_EXCEEDED, "the time for the call"}};
    for (size_t i = 0; i < 3; i++) {
        server_start(&other, others[i]);
        start(&f, script);
        snprintf(place, sizeof place, "HTTP/1.1 307 X\r\nLocation: //127.0.0.1:%u/x\r\nContent-Length: 0\r\n\r\n", (unsigned)other.port);
        f.options.redirects = 1;
        f.client->deadline_ms = i == 2 ? 300 : 20000;
        assert_fails(&f, due[i].code, due[i].part);
        assert_peer(&f, other.port);
        assert_false(f.error.not_started);
        snprintf(url, sizeof url, "http://127.0.0.1:%u/x answered", (unsigned)other.port);
        assert_true(i != 0 || strstr(f.error.message, url) != NULL);
        assert_true((creo_client_answer(f.client) != NULL) == (i == 0));
        /* The next call, which is refused before anything is sent, is about the client's own address. */
        f.options.redirects = 21;
        assert_fails(&f, CREO_INVALID_VALUE, "at most 20 redirects");
        assert_string_not_equal(f.client->peer, f.error.peer);
        server_join(&other);
        finish(&f);
    }
    start(&f, script);
    unsigned port = dead_port();
    snprintf(place, sizeof place, "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:%u\r\nContent-Length: 0\r\n\r\n", port);
    f.options.redirects = 1;
    assert_fails(&f, CREO_UNAVAILABLE, "refused");
    assert_peer(&f, port);
    assert_true(f.error.not_started);
    assert_null(creo_client_answer(f.client));
    finish(&f);
}

static void redirects_that_are_not_followed(void **state)
{
    (void)state;
    static const struct {
        unsigned redirects;
        const char *answer;
        const char *part;
    } cases[] = {
        {0, REDIRECT("/a"), "; redirects are not followed; it names the place /a: moved"},
        {1, "HTTP/1.1 301 X\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n", "; redirects with 301 are not followed, since they keep neither method nor body; it names the place /a"},
        {1, "HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n", "redirects with 302 are not followed"},
        {1, "HTTP/1.1 303 X\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n", "redirects with 303 are not followed"},
        {1, "HTTP/1.1 305 X\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n", "; redirects are not followed"},
        {1, "HTTP/1.1 307 X\r\nContent-Length: 0\r\n\r\n", "the redirect is not followed, since Location is not there once"},
        {1, "HTTP/1.1 307 X\r\nLocation: /a\r\nlocation: /a\r\nContent-Length: 0\r\n\r\n", "since Location is not there once"},
        {1, "HTTP/1.1 307 X\r\nLocation: /a\r\n b\r\nContent-Length: 0\r\n\r\n", "since Location is no URL"},
        {1, REDIRECT("https://127.0.0.1/"), "since it leads to https, and the client's creo_io is for http"},
        {1, REDIRECT("http://u@127.0.0.1/"), "since Location is no URL of HTTP, or has a user"},
        {1, "HTTP/1.1 307 X\r\nLocation: /a\r\nContent-Type: application/problem+json\r\nContent-Length: 0\r\nlocation: /b\r\n\r\n", "since Location is not there once"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add", 0}, {SAY, cases[i].answer, 0}, {HEAR, "POST /Sample/add", 0}, {SAY, GOOD, 0}, CLOSES};
        fixture f;
        start(&f, script);
        f.options.redirects = cases[i].redirects;
        assert_fails(&f, CREO_UNAVAILABLE, cases[i].part);
        assert_peer(&f, f.service.port);
        assert_non_null(creo_client_answer(f.client));
        assert_adds(&f);
        finish(&f);
    }
}

static void too_many_and_circles(void **state)
{
    (void)state;
    static const act circle[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add ", 0}, {SAY, REDIRECT("/a"), 0}, {HEAR, "POST /a ", 0}, {SAY, REDIRECT("/Sample/add"), 0},
                                 {HEAR, "POST /Sample/add ", 0}, {SAY, REDIRECT("/a"), 0}, CLOSES};
    static const act line[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add ", 0}, {SAY, REDIRECT("/a"), 0}, {HEAR, "POST /a ", 0}, {SAY, REDIRECT("/b"), 0}, CLOSES};
    fixture f;
    start(&f, circle);
    f.options.redirects = 2;
    assert_fails(&f, CREO_UNAVAILABLE, "since 2 of this call were followed, and it has been there before; it names the place /a");
    finish(&f);
    start(&f, line);
    f.options.redirects = 1;
    assert_fails(&f, CREO_UNAVAILABLE, "since 1 of this call were followed; it names the place /b");
    finish(&f);
    /* As many as there may be, to itself. */
    act many[46] = {{ACCEPT, NULL, 0}};
    for (size_t i = 0; i <= 20; i++) {
        many[1 + 2 * i] = (act){HEAR, "POST /Sample/add ", 0};
        many[2 + 2 * i] = (act){SAY, REDIRECT(""), 0};
    }
    many[43] = (act){UNTIL_CLOSED, NULL, 0};
    start(&f, many);
    f.options.redirects = 20;
    assert_fails(&f, CREO_UNAVAILABLE, "since 20 of this call were followed, and it has been there before");
    finish(&f);
}

/* The body of a redirect is dropped, and bounded as that of an answer. */
static void bodies_of_redirects(void **state)
{
    (void)state;
    static char large[9000];
    static char memory[600];
    memset(large, 'x', sizeof large - 1);
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /Sample/add ", 0},
                                 {SAY, "HTTP/1.1 307 X\r\nLocation: /a\r\nContent-Length: 8999\r\n\r\n", 0},
                                 {SAY, large, 0},
                                 {HEAR, "POST /a ", 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, "POST /Sample/add ", 0},
                                 {SAY, "HTTP/1.1 307 X\r\nLocation: /a\r\nContent-Length: 8999\r\n\r\n", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {HEAR, "POST /Sample/note ", 0},
                                 {SAY, "HTTP/1.1 307 X\r\nLocation: /b\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nmoved\r\n0\r\n\r\n", 0},
                                 {HEAR, "POST /b ", 0},
                                 {SAY, "HTTP/1.1 202 X\r\nContent-Length: 0\r\n\r\n", 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    f.options.redirects = 1;
    creo_arena_init_fixed(&f.arena, memory, sizeof memory);
    assert_adds(&f);
    f.client->limits.max_message_size = 8998;
    assert_fails(&f, CREO_TOO_LARGE, "maxMessageSize");
    assert_true(sample_sample_note(f.client, creo_text("x"), &f.error));
    finish(&f);
}

static void where_locations_lead(void **state)
{
    (void)state;
    static const struct {
        const char *location;
        /* `host port target`, or why it is not followed. */
        const char *due;
    } cases[] = {
        {"/a", "h 80 /a"},
        {"", "h 80 /p/q?r"},
        {"#x", "h 80 /p/q?r"},
        {"?", "h 80 /p/q?"},
        {"?x=/../?y", "h 80 /p/q?x=/../?y"},
        {"a", "h 80 /p/a"},
        {"./a/", "h 80 /p/a/"},
        {".", "h 80 /p/"},
        {"..", "h 80 /"},
        {"../../../a", "h 80 /a"},
        {"/a/b/../..", "h 80 /"},
        {"/a/./b/..", "h 80 /a/"},
        {"/...", "h 80 /..."},
        {"/a//../b", "h 80 /a/b"},
        {"/%2e%2E/a", "h 80 /%2e%2E/a"},
        {"/a:b@c;d,e!$&'()*+=~", "h 80 /a:b@c;d,e!$&'()*+=~"},
        {"./a:b", "h 80 /p/a:b"},
        {"http://x", "x 80 /"},
        {"HTTP://X:81/../a", "X 81 /a"},
        {"http://x:/a", "x 80 /a"},
        {"http://x?y", "x 80 /?y"},
        {"http://x#y", "x 80 /"},
        {"http://h:80/p/q?r", "h 80 /p/q?r"},
        {"//x/a", "x 80 /a"},
        {"//x:65535", "x 65535 /"},
        {"http://[::1]:1/a", "::1 1 /a"},
        {"//[::ffff:1.2.3.4]", "::ffff:1.2.3.4 80 /"},
        {"https://h/", "it leads to https"},
        {"ftp://h/", "no URL of HTTP"},
        {"javascript:alert(1)", "no URL of HTTP"},
        {"http:a", "no URL of HTTP"},
        {"http:/a", "no URL of HTTP"},
        {"http://", "or has a user"},
        {"http:///a", "or has a user"},
        {"//", "or has a user"},
        {"///a", "or has a user"},
        {"http://u:p@h/", "or has a user"},
        {"http://@h/", "or has a user"},
        {"//u@h/", "or has a user"},
        {"http://h:0/", "or has a user"},
        {"http://h:65536/", "or has a user"},
        {"http://h:99999999999999999999/", "or has a user"},
        {"http://h:8x/", "or has a user"},
        {"http://h::/", "or has a user"},
        {"http://:80/", "or has a user"},
        {"http://::1/", "or has a user"},
        {"http://[::1/", "or has a user"},
        {"http://[::1]x/", "or has a user"},
        {"http://[fe80::1%25eth0]/", "or has a user"},
        {"http://[v1.x]/", "or has a user"},
        {"http://[]/", "or has a user"},
        {"http://a]/", "or has a user"},
        {"1:a", "is no URL"},
        {":a", "is no URL"},
        {"a b", "is no URL"},
        {"/a\tb", "is no URL"},
        {"/\xC3\xA4", "is no URL"},
        {"/%zz", "is no URL"},
        {"/%4", "is no URL"},
        {"/%", "is no URL"},
        {"/a#b#c", "is no URL"},
        {"/a#%", "is no URL"},
        {"/[a]", "is no URL"},
        {"/a?[", "is no URL"},
        {"\\\\h", "is no URL"},
        {"/\"", "is no URL"},
        {"/<", "is no URL"},
        {"/a\x7F", "is no URL"},
    };
    creo_http_options options = {5, false, NULL, NULL, NULL, false};
    creo_http_place place;
    creo_client client;
    memset(&place, 0, sizeof place);
    creo_client_init(&client, "h", 80, creo_allocator_libc());
    client.http = &options;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct creo_http_trip trip;
        creo_http_call call = {&client, &place, NULL, NULL, creo_bytes_of(NULL, 0), NULL, 0, NULL, NULL, NULL, CREO_HTTP_START};
        creo_http_answer answer;
        char got[200];
        size_t size = strlen(cases[i].location);
        /* In exact size, for the sanitizer. */
        char *text = (char *)malloc(size == 0 ? 1 : size);
        assert_non_null(text);
        memcpy(text, cases[i].location, size);
        creo_pair header = {{"location", 8}, {text, size}};
        memset(&answer, 0, sizeof answer);
        answer.status = 307;
        answer.location = header.value;
        answer.headers = &header;
        answer.header_count = 1;
        memset(&trip, 0, sizeof trip);
        memcpy(trip.host, "h", 2);
        trip.port = 80;
        trip.redirects = 1;
        trip.stops[0] = (creo_http_stop){trip.host, 80, creo_text("/p/q?r")};
        trip.count = 1;
        call.trip = &trip;
        if (creo_http_is_followed(&call, &answer))
            snprintf(got, sizeof got, "%s %u %.*s", trip.next.host, (unsigned)trip.next.port, (int)trip.next.target.size, trip.next.target.data);
        else
            snprintf(got, sizeof got, "%s", trip.refusal);
        if (trip.follows ? strcmp(got, cases[i].due) != 0 : strstr(got, cases[i].due) == NULL)
            fail_msg("%s: %s; %s is due", cases[i].location, got, cases[i].due);
        free(text);
    }
    creo_client_free(&client);
}

/* Hosts and paths of any length are refused or kept whole. */
static void long_locations(void **state)
{
    (void)state;
    static const char head[] = "HTTP/1.1 307 X\r\nContent-Length: 0\r\nLocation: /";
    static char path[60000];
    static char host[400];
    memset(path, 'x', sizeof path - 1);
    memcpy(path, head, sizeof head - 1);
    memcpy(path + sizeof path - 5, "\r\n\r\n", 4);
    snprintf(host, sizeof host, "%s/%.256s/a\r\n\r\n", head, path + sizeof head);
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add ", 0}, {SAY, path, 0}, {HEAR, "POST /xxxxxxxx", 0}, {SAY, host, 0}, CLOSES};
    fixture f;
    start(&f, script);
    f.options.redirects = 5;
    assert_fails(&f, CREO_UNAVAILABLE, "since Location is no URL of HTTP");
    assert_true(strncmp(f.service.heard + 59900, "xxxxxxxx", 8) == 0);
    finish(&f);
}

/*
 * TLS: what the io is asked, over a connection without it.
 */

typedef struct plain {
    char hosts[400];
    int socket;
} plain;

static creo_io_state plain_open(void *context, int socket, const char *host)
{
    plain *io = (plain *)context;
    size_t used = strlen(io->hosts);
    snprintf(io->hosts + used, sizeof io->hosts - used, "%s ", host);
    io->socket = socket;
    return strcmp(host, "127.0.0.2") == 0 ? CREO_IO_UNTRUSTED : CREO_IO_DONE;
}

static creo_io_state plain_end(ssize_t count, creo_io_state wants, size_t *done)
{
    *done = count > 0 ? (size_t)count : 0;
    return count > 0 ? CREO_IO_DONE : count == 0 ? CREO_IO_CLOSED : errno == EAGAIN ? wants : CREO_IO_FAILED;
}

static creo_io_state plain_read(void *context, void *into, size_t size, size_t *done)
{
    return plain_end(recv(((plain *)context)->socket, into, size, 0), CREO_IO_WANT_READ, done);
}

static creo_io_state plain_write(void *context, const void *from, size_t size, size_t *done)
{
    return plain_end(send(((plain *)context)->socket, from, size, MSG_NOSIGNAL), CREO_IO_WANT_WRITE, done);
}

static void plain_close(void *context)
{
    ((plain *)context)->socket = -1;
}

static void start_tls(fixture *f, plain *io, const act *script)
{
    char url[60];
    memset(io, 0, sizeof *io);
    start(f, script);
    creo_json_free(&f->json);
    snprintf(url, sizeof url, "https://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    assert_true(creo_json_init(&f->json, url, &sample_sample_text, creo_allocator_libc(), &f->error));
    f->client->http = &f->options;
    creo_client_use_io(f->client, (creo_io){io, plain_open, plain_read, plain_write, plain_close, NULL});
}

static void the_io_is_asked_for_the_new_host(void **state)
{
    (void)state;
    static char place[200];
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add ", 0}, {SAY, place, 0}, {UNTIL_CLOSED, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST /x HTTP/1.1\r\nHost: localhost:", 0}, {SAY, GOOD, 0}, {UNTIL_CLOSED, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add ", 0}, {SAY, GOOD, 0}, CLOSES};
    static const act refused[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample/add ", 0}, {SAY, REDIRECT("http://127.0.0.1/x"), 0}, CLOSES};
    fixture f;
    plain io;
    start_tls(&f, &io, script);
    f.options.redirects = 1;
    snprintf(place, sizeof place, "HTTP/1.1 307 X\r\nLocation: https://localhost:%u/x\r\nContent-Length: 0\r\n\r\n", (unsigned)f.service.port);
    assert_adds(&f);
    assert_adds(&f);
    assert_string_equal(io.hosts, "127.0.0.1 localhost 127.0.0.1 ");
    finish(&f);
    start_tls(&f, &io, refused);
    f.options.redirects = 1;
    assert_fails(&f, CREO_UNAVAILABLE, "since it leads from https to http");
    finish(&f);
}

/* A proxy is asked for a tunnel to each place, and gets its own credentials alone. */
static void places_beyond_a_proxy(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "CONNECT service.example:443 HTTP/1.1\r\n", 0},
                                 {SAY, "HTTP/1.1 200 X\r\nSet-Cookie: evil=1\r\n\r\n", 0},
                                 {HEAR, "POST /Sample/add HTTP/1.1\r\nHost: service.example\r\n|" BASIC, 0},
                                 {SAY, REDIRECT("https://other.example:8443/x"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {HEAR, "CONNECT other.example:8443 HTTP/1.1\r\n|\r\nProxy-Authorization: Basic ", 0},
                                 {SAY, "HTTP/1.1 200 X\r\n\r\n", 0},
                                 {HEAR, "POST /x HTTP/1.1\r\nHost: other.example:8443\r\n", 0},
                                 {SAY, GOOD, 0},
                                 CLOSES};
    static const act plain_script[] = {{ACCEPT, NULL, 0},
                                       {HEAR, "POST http://service.example/Sample/add HTTP/1.1\r\n", 0},
                                       {SAY, REDIRECT("http://other.example/x"), 0},
                                       {UNTIL_CLOSED, NULL, 0},
                                       {ACCEPT, NULL, 0},
                                       {HEAR, "POST http://other.example/x HTTP/1.1\r\nHost: other.example\r\nProxy-Authorization: Basic ", 0},
                                       {SAY, GOOD, 0},
                                       CLOSES};
    fixture f;
    plain io;
    start_tls(&f, &io, script);
    creo_proxy proxy = {"127.0.0.1", f.service.port, "p", "p"};
    creo_json_free(&f.json);
    assert_true(creo_json_init(&f.json, "https://service.example/Sample", &sample_sample_text, creo_allocator_libc(), &f.error));
    creo_client_use_io(f.client, (creo_io){&io, plain_open, plain_read, plain_write, plain_close, NULL});
    f.options = (creo_http_options){1, true, "me", "hunter2", NULL, false};
    f.client->http = &f.options;
    f.client->proxy = &proxy;
    assert_adds(&f);
    assert_string_equal(io.hosts, "service.example other.example ");
    assert_null(strstr(f.service.heard, "uthorization"));
    assert_null(strstr(f.service.heard, "Cookie"));
    finish(&f);
    start(&f, plain_script);
    proxy.port = f.service.port;
    creo_json_free(&f.json);
    assert_true(creo_json_init(&f.json, "http://service.example/Sample", &sample_sample_text, creo_allocator_libc(), &f.error));
    f.options = (creo_http_options){1, false, NULL, NULL, NULL, false};
    f.client->http = &f.options;
    f.client->proxy = &proxy;
    assert_adds(&f);
    finish(&f);
}

/* A security that leaves messages as they are. */
static bool no_security(void *context, creo_bytes request, creo_arena *arena, creo_bytes *sent, creo_error *error)
{
    (void)context;
    (void)arena;
    (void)error;
    *sent = request;
    return true;
}

static void a_message_that_says_who_calls_stays(void **state)
{
    (void)state;
    static const act away[] = {{ACCEPT, NULL, 0}, {HEAR, "<wsse:Security", 0}, {SAY, REDIRECT("http://localhost:1/x"), 0}, CLOSES};
    static const act near[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample ", 0}, {SAY, REDIRECT("/y"), 0}, {HEAR, "POST /y |<wsse:Security", 0},
                               {SAY, "HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n", 0}, CLOSES};
    static const act secured[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /Sample ", 0}, {SAY, REDIRECT("//localhost:1/x"), 0}, CLOSES};
    const creo_soap_security security = {NULL, no_security, NULL};
    const act *const scripts[] = {away, away, secured, near};
    for (int i = 0; i < 4; i++) {
        char url[60];
        creo_soap soap;
        fixture f;
        start(&f, scripts[i]);
        snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f.service.port);
        assert_true(creo_soap_init(&soap, url, &sample_sample_text, creo_allocator_libc(), &f.error));
        f.options.redirects = 1;
        soap.client.http = &f.options;
        soap.timestamp = i == 0;
        soap.user = i % 2 == 0 ? NULL : "anna";
        soap.password = i % 2 == 0 ? NULL : "secret";
        soap.security = i == 2 ? &security : NULL;
        assert_false(sample_sample_add(&soap.client, 1, 2, &f.arena, &f.sum, &f.error));
        assert_int_equal(f.error.code, CREO_UNAVAILABLE);
        assert_non_null(strstr(f.error.message, i < 3 ? "since a request with a block of WS-Security stays at its origin" : "/y answered with status 404"));
        creo_soap_free(&soap);
        finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_request_goes_elsewhere),
        cmocka_unit_test(another_origin_gets_the_message_alone),
        cmocka_unit_test(errors_after_a_redirect),
        cmocka_unit_test(redirects_that_are_not_followed),
        cmocka_unit_test(too_many_and_circles),
        cmocka_unit_test(bodies_of_redirects),
        cmocka_unit_test(where_locations_lead),
        cmocka_unit_test(long_locations),
        cmocka_unit_test(the_io_is_asked_for_the_new_host),
        cmocka_unit_test(places_beyond_a_proxy),
        cmocka_unit_test(a_message_that_says_who_calls_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
