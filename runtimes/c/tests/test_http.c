/* Connections and the framing of answers: spec/transports/http.md. */
#define _POSIX_C_SOURCE 200809L

#include "lines.h"

#include <creo/retries.h>

static void start_sample(fixture *f, const act *script)
{
    start_at(f, script, &sample_sample_text, "Sample");
}

static bool add(fixture *f)
{
    int64_t sum = 0;
    return sample_sample_add(f->client, 1, 2, &f->arena, &sum, &f->error) && sum == 3;
}

static void assert_adds(fixture *f)
{
    assert_ok(add(f), &f->error);
}

#define OK "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
#define THREE OK "Content-Length: 1\r\n\r\n3"

/* What a service says while a request is being sent is the call's error, and nothing is sent again (HTTP-5). */
static void what_is_said_during_a_request(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        creo_code code;
        const char *part;
    } cases[] = {
        {"SSH-2.0-x\r\n", CREO_PROTOCOL_MISMATCH, "does not speak HTTP: its first bytes are 53 53"},
        {"\x15\x03\x01", CREO_PROTOCOL_MISMATCH, "does not speak HTTP"},
        {"HTTP/1.1 200 OK\r\nCreo-", CREO_UNAVAILABLE, "127.0.0.1:"},
        {OK "Creo-Meta-a: %zz\r\nContent-Length: 1\r\n\r\n3", CREO_MALFORMED, "the metadata of the answer"},
    };
    static const creo_retry retry = {3, 1, 1};
    /* More than any socket holds. */
    size_t size = 32000000;
    char *text = (char *)malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        bool kept = i % 2 != 0;
        const act fresh[] = {{ACCEPT, NULL, 0}, {SWALLOW, NULL, 100}, {SAY, cases[i / 2].said, 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
        const act again[] = {{ACCEPT, NULL, 0}, {HEAR, "/add", 0}, {SAY, THREE, 0}, {SWALLOW, NULL, 100}, {SAY, cases[i / 2].said, 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
        fixture f;
        start_sample(&f, kept ? again : fresh);
        creo_client_set_retry(f.client, &retry);
        if (kept)
            assert_adds(&f);
        bool noted = sample_sample_note(f.client, (creo_string){text, size}, &f.error);
        assert_error_has(noted, &f.error, cases[i / 2].code, cases[i / 2].part);
        /* The port refuses connections now: there was no other. */
        assert_null(strstr(f.error.message, "cannot connect"));
        assert_int_equal(f.error.attempts, 1);
        assert_false(f.client->open);
        finish(&f);
    }
    free(text);
}

#define CHUNKS OK "Transfer-Encoding: chunked\r\n\r\n"

static void assert_framed(const char *said, bool keeps)
{
    const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "/add", 0}, {SAY, said, 0}, CLOSES};
    fixture f;
    start_sample(&f, script);
    if (!add(&f))
        fail_msg("%.200s: %s", said, f.error.message);
    if (f.client->open != keeps)
        fail_msg("%.200s: the connection is %s", said, keeps ? "closed" : "kept");
    finish(&f);
}

/* The service leaves the connection open: nothing more is waited for. */
static void assert_misframed(const char *said)
{
    const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "/add", 0}, {SAY, said, 0}, CLOSES};
    fixture f;
    start_sample(&f, script);
    if (add(&f) || f.error.code != CREO_PROTOCOL_MISMATCH)
        fail_msg("%.200s: %s", said, f.error.message);
    assert_false(f.client->open);
    finish(&f);
}

/* HTTP-19: what a client reads, and whether it keeps the connection. */
static void framing(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        bool keeps;
    } cases[] = {
        {OK "Content-Length: 1, 1\r\n\r\n3", true},
        {OK "Content-Length: 1 ,\t1\r\nX: a\r\n b\r\nContent-Length: 1\r\n\r\n3", true},
        {CHUNKS "0000000000000001\r\n3\r\n00000000000000000\r\n\r\n", true},
        {CHUNKS "1;a;b = c ; d=\"e\\\"\\\\;\";\tf\r\n3\r\n0;g\r\nX: y\r\nZ:\r\n\r\n", true},
        {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n3", true},
        {"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n3", false},
        {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n3\r\n0\r\n\r\n", false},
        {OK "Connection: close\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n3", false},
        {OK "Connection: keep-alive, close\r\nContent-Length: 1\r\n\r\n3", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_framed(cases[i].said, cases[i].keeps);
}

static void wrong_framing(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "HTTP/1.1 101 Switching Protocols\r\n",
        "HTTP/1.1 200 OK\n",
        "HTTP/1.1 200 O\1K\r\n",
        "HTTP/1.1 200 O\rK\r\n",
        "HTTP/1.1 200\r\nX: y\n",
        OK "\n",
        OK "Content-Length: 1,\r\n\r\n3",
        OK "Content-Length: ,1\r\n\r\n3",
        OK "Content-Length: 1, 2\r\n\r\n3",
        OK "Content-Length: 1\r\n 2\r\n\r\n3",
    };
    static const char *const chunks[] = {"1\n", "1 \r\n", "1 garbage\r\n", "1;\r\n", "1; \r\n", "1;=a\r\n", "1;a=\r\n", "1;a= ;b\r\n", "1;a \r\n", "1;a b\r\n",
                                         "1;a=b c\r\n", "1;a=\"b\r\n", "1;a=\"b\\\r\n", "1;a=\"b\\\"\r\n", "1;a=\"b\"c\r\n", ";a\r\n", "\r\n", "8000000000000000\r\n", "1\r\n3\n",
                                         "1\r\n3\rX", "0\r\ngarbage\r\n", "0\r\nX : y\r\n", "0\r\nX: y\n", "0\r\nX: \1\r\n", "0\r\n X: y\r\n", "0\r\n\n"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        assert_misframed(heads[i]);
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        char said[300];
        snprintf(said, sizeof said, "%s%s", CHUNKS, chunks[i]);
        assert_misframed(said);
    }
}

/* HTTP-16: 4,096 bytes of all extensions of a body, and no more. */
static void extensions_are_bounded(void **state)
{
    (void)state;
    char said[5000];
    snprintf(said, sizeof said, "%s1;a%04092d\r\n3\r\n%018d\r\n\r\n", CHUNKS, 0, 0);
    assert_framed(said, true);
    snprintf(said, sizeof said, "%s1;a%04092d\r\n3\r\n%019d\r\n", CHUNKS, 0, 0);
    assert_misframed(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_during_a_request),
        cmocka_unit_test(framing),
        cmocka_unit_test(wrong_framing),
        cmocka_unit_test(extensions_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
