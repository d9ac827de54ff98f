/* Streams that a client reads over HTTP: spec/transports/http.md, HTTP-30 to HTTP-38. */
#define _POSIX_C_SOURCE 200809L

#include "lines.h"
#include "shown.h"

static void items_and_the_end(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 OPENS,
                                 {SAY, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson; charset=utf-8\r\nX-Own: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 0},
                                 /* A line in two chunks, two lines in one, and forms that writers of Creo do not use. */
                                 {SAY, "7\r\n{\"item\"\r\n4\r\n:1}\n\r\n16\r\n{\"item\":2}\n{\"item\":3}\n\r\n", 0},
                                 {SAY, "1a\r\n \t\r\n\n { \"item\"\t: \"4\" , }\r\n\r\n", 0},
                                 CLOSES};
    static const act good[] = {{ACCEPT, NULL, 0},
                               OPENS,
                               {SAY, HEAD "7\r\n{\"item\"\r\n4\r\n:1}\n\r\n16\r\n{\"item\":2}\n{\"item\":3}\n\r\n", 0},
                               {SAY, "1a\r\n \t\r\n\n { \"item\"\t: \"4\"  }\t\r\n\r\n" LAST, 0},
                               /* The connection is kept after a whole end. */
                               OPENS,
                               {SAY, HEAD ITEM("5") LAST, 0},
                               CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, good);
    for (int round = 0; round < 2; round++) {
        open_numbers(&f, &stream);
        assert_null(creo_client_answer(f.client));
        for (int64_t i = round == 0 ? 1 : 5; i <= (round == 0 ? 4 : 5); i++) {
            assert_number(&f, &stream, i);
            /* What came with the head is there with the first item. */
            assert_int_equal(creo_client_answer(f.client)->status, 200);
        }
        assert_end(&f, &stream);
        assert_end(&f, &stream);
        creo_stream_close(&stream);
        assert_end(&f, &stream);
    }
    finish(&f);
    start(&f, script);
    open_numbers(&f, &stream);
    for (int64_t i = 1; i <= 3; i++)
        assert_number(&f, &stream, i);
    assert_true(creo_string_is(creo_pairs_find(creo_client_answer(f.client)->headers, creo_client_answer(f.client)->header_count, "x-own"), "1"));
    assert_numbers_fail(&f, &stream, CREO_MALFORMED, "unexpected text after the value");
    finish(&f);
}

static void forms_of_bodies(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 OPENS,
                                 {SAY, "HTTP/1.1 200 OK\r\ncontent-type: Application/X-NDJSON\r\nContent-Length: 24\r\n\r\n{\"item\":1}\n{\"end\":true}\n", 0},
                                 OPENS,
                                 {SAY, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{\"item\":2}\n{\"end\":true}\n", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 OPENS,
                                 /* Something follows the last line: it is not read, and the connection not used again. */
                                 {SAY, HEAD "18\r\n{\"item\":3}\n{\"end\":true}\n\r\n" ITEM("4") "0\r\n\r\n", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 OPENS,
                                 {SAY, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n" ITEM("4") LAST, 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    for (int64_t i = 1; i <= 4; i++) {
        open_numbers(&f, &stream);
        assert_number(&f, &stream, i);
        assert_end(&f, &stream);
    }
    finish(&f);
}

#define NOT_FOUND "{\"type\":\"urn:creo:exception:creo.tests.sample.NotFound\",\"status\":422,\"value\":{\"description\":\"a\"}}"
#define DENIED "{\"type\":\"urn:creo:error:permission-denied\",\"title\":\"t\",\"status\":403,\"detail\":\"no\",\"details\":{\"a\":\"b\"}}"

static void exceptions_and_errors(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /feed/blocks |\r\n\r\n{\"text\":\"x\",\"data\":\"q80=\"}", 0},
                                 {SAY, HEAD "1c\r\n{\"item\":{\"d\":1,\"s\":7}}\n{\"err\r\n67\r\nor\":" NOT_FOUND "}\n\r\n0\r\n\r\n", 0},
                                 /* Before the first item they have their own status. */
                                 {HEAR, "POST /feed/blocks ", 0},
                                 {SAY, PROBLEM("422 Unprocessable", "97", NOT_FOUND), 0},
                                 OPENS,
                                 {SAY, PROBLEM("403 Forbidden", "102", DENIED), 0},
                                 OPENS,
                                 {SAY, HEAD ITEM("1") "71\r\n{\"error\":" DENIED "}\n\r\n0\r\n\r\n", 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    sample_feed_blocks_outcome next;
    start(&f, script);
    for (int round = 0; round < 2; round++) {
        assert_ok(sample_feed_blocks(f.client, creo_text("x"), creo_bytes_of("\xab\xcd", 2), &stream, &f.error), &f.error);
        if (round == 0) {
            assert_ok(sample_feed_blocks_next(&stream, &f.arena, &next, &f.error), &f.error);
            assert_int_equal(next.kind, SAMPLE_FEED_BLOCKS_ITEM);
            assert_true(next.as.item.d == 1.0 && next.as.item.s == 7);
        }
        for (int i = 0; i < 2; i++) {
            assert_ok(sample_feed_blocks_next(&stream, &f.arena, &next, &f.error), &f.error);
            assert_int_equal(next.kind, SAMPLE_FEED_BLOCKS_NOT_FOUND);
            assert_true(creo_string_is(next.as.not_found.description, "a"));
        }
    }
    for (int round = 0; round < 2; round++) {
        open_numbers(&f, &stream);
        if (round == 1)
            assert_number(&f, &stream, 1);
        for (int i = 0; i < 2; i++) {
            assert_numbers_fail(&f, &stream, CREO_PERMISSION_DENIED, "no");
            assert_true(f.error.from_peer && creo_string_is(creo_error_detail(&f.error, "a"), "b") && f.error.attempts == 1 && !f.error.not_started);
        }
        assert_int_equal(creo_client_answer(f.client)->status, round == 0 ? 403 : 200);
    }
    finish(&f);
}

/* An answer with one item, and then what is wrong: the item comes first, then the error, and the connection is closed. */
static void assert_breaks(const char *rest, size_t times, bool closes, size_t max_message, creo_code code, const char *part)
{
    const act script[] = {{ACCEPT, NULL, 0}, OPENS, {SAY, HEAD ITEM("1"), 0}, {SAY_TIMES, rest, times}, {closes ? CLOSE : UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}};
    fixture f;
    creo_stream stream;
    start(&f, script);
    if (max_message != 0)
        f.client->limits.max_message_size = max_message;
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    for (int i = 0; i < 2; i++)
        assert_numbers_fail(&f, &stream, code, part);
    assert_false(f.client->open);
    finish(&f);
}

static void cut_answers(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "closed the connection within its answer"},
        {"b\r\n{\"item\"", "closed the connection within its answer"},
        {"0\r\n\r\n", "was cut: it has no last line"},
        {"c\r\n{\"end\":true}\r\n0\r\n\r\n", "was cut: it has no last line"},
        {"a\r\n{\"item\":2}\r\n0\r\n\r\n", "was cut: it has no last line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_breaks(cases[i][0], 1, true, 0, CREO_UNAVAILABLE, cases[i][1]);
}

static void wrong_lines(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "1",          "[]",         "{",          "}",           "{}",           "{\"item\"}", "{\"item\":}",        "{\"end\":false}",   "{\"end\":true,\"item\":1}",
        "{\"x\":1}", "{item:1}",   "{\"end\":1}", "{\"error\":}", "{\"item\":1}}", "x{\"end\":true}", "{\"item\":\"x\"}", "{\"item\":1.5}", "{\"item\":null}",
        "{\"item\":\xEF\xBB\xBF" "1}", "{\"item\":1,\"item\":2}", "{\"\\u0069tem\":1}", "{\"item\":\"\xFF\"}", "{\"item\":9223372036854775808}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char chunk[100];
        snprintf(chunk, sizeof chunk, "%zx\r\n%s\n\r\n", strlen(lines[i]) + 1, lines[i]);
        assert_breaks(chunk, 1, false, 0, CREO_MALFORMED, strstr(lines[i], "\"item\":") == NULL ? "a line that is neither an item, an end nor an error" : "$items");
    }
    /* The document of an error. */
    assert_breaks("d\r\n{\"error\":{]}\n\r\n", 1, false, 0, CREO_MALFORMED, "");
    /* What breaks HTTP. */
    assert_breaks("x\r\n", 1, false, 0, CREO_PROTOCOL_MISMATCH, "a chunk of a wrong size");
    assert_breaks("1\r\n\nxx", 1, false, 0, CREO_PROTOCOL_MISMATCH, "a chunk that does not end where it should");
}

static void sizes_of_lines(void **state)
{
    (void)state;
    /* Whole lines, and one that never ends. */
    assert_breaks("15\r\n{\"item\":          2}\n\r\n", 1, false, 19, CREO_TOO_LARGE, "maxMessageSize");
    assert_breaks("8\r\n        \r\n", 1000000, false, 19, CREO_TOO_LARGE, "maxMessageSize");
    assert_breaks("8\r\n        \r\n", 10000000, false, 1000000, CREO_TOO_LARGE, "maxMessageSize");
    /* The limit is that of a line, not of the body. */
    static const act script[] = {{ACCEPT, NULL, 0}, OPENS, {SAY, HEAD, 0}, {SAY_TIMES, ITEM("7"), 100000}, {SAY, LAST, 0}, CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    f.client->limits.max_message_size = 12;
    open_numbers(&f, &stream);
    for (int i = 0; i < 100000; i++)
        assert_number(&f, &stream, 7);
    assert_end(&f, &stream);
    /* Memory does not grow with the stream. */
    assert_true(f.client->arena.taken < 131072);
    assert_true(f.arena.taken < 8192);
    finish(&f);
}

static void other_answers(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        creo_code code;
        const char *part;
    } cases[] = {
        {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]", CREO_PROTOCOL_MISMATCH, "answered with status 200 OK and the media type application/json"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "no media type"},
        {"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson; charset=latin1\r\nContent-Length: 0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "charset=latin1"},
        {"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "a compressed answer"},
        {"HTTP/1.1 206 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "status 206"},
        {"HTTP/1.1 502 Bad\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\ngone", CREO_UNAVAILABLE, "status 502 Bad and the media type text/html: gone"},
        {"HTTP/1.1 301 Moved\r\nLocation: http://a/\r\nContent-Length: 0\r\n\r\n", CREO_UNAVAILABLE, "http://a/"},
        {PROBLEM("404 Not Found", "67", "{\"type\":\"urn:creo:error:unknown-method\",\"status\":404,\"detail\":\"no\"}"), CREO_UNKNOWN_METHOD, "the call was creo.tests.sample.Feed.numbers"},
        {"SSH-2.0", CREO_PROTOCOL_MISMATCH, "does not speak HTTP"},
        {"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nCreo-Meta-A: %\r\n\r\n", CREO_MALFORMED, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const act script[] = {{ACCEPT, NULL, 0}, OPENS, {SAY, cases[i].answer, 0}, CLOSES};
        fixture f;
        creo_stream stream;
        start(&f, script);
        open_numbers(&f, &stream);
        for (int round = 0; round < 2; round++)
            assert_numbers_fail(&f, &stream, cases[i].code, cases[i].part);
        finish(&f);
    }
}

static void streams_that_never_end(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, OPENS, {SAY, HEAD, 0}, {SAY_TIMES, ITEM("1"), SIZE_MAX}, {CLOSE, NULL, 0}, {ACCEPT, NULL, 0}, OPENS, {SAY, HEAD LAST, 0}, CLOSES};
    fixture f;
    creo_stream stream;
    creo_stream other;
    start(&f, script);
    open_numbers(&f, &stream);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(creo_stream_ready(&stream), CREO_STREAM_READ);
        assert_number(&f, &stream, 1);
    }
    /* A client makes one call at a time. */
    assert_error_has(sample_feed_numbers(f.client, &other, &f.error), &f.error, CREO_INVALID_VALUE, "creo_stream_close");
    creo_stream_close(&stream);
    creo_stream_close(&stream);
    assert_false(f.client->open);
    assert_numbers_fail(&f, &stream, CREO_CANCELLED, "the program closed the stream before its end");
    assert_true(f.client->arena.taken < 131072);
    open_numbers(&f, &other);
    creo_stream_close(&stream);
    assert_numbers_fail(&f, &stream, CREO_INVALID_VALUE, "the stream is not open: its call was not begun, or has ended");
    assert_end(&f, &other);
    finish(&f);
}

static void the_deadline_covers_the_whole_call(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, OPENS, {SAY, HEAD ITEM("1"), 0}, {UNTIL_CLOSED, NULL, 0}, {CLOSE, NULL, 0}, {ACCEPT, NULL, 0},
                                 {HEAR, "Creo-Timeout: 999999999\r\n", 0}, {SAY, HEAD LAST, 0}, CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    f.client->stream_deadline_ms = 100;
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    for (int i = 0; i < 2; i++)
        assert_numbers_fail(&f, &stream, CREO_DEADLINE_EXCEEDED, "the time for the call to 127.0.0.1");
    /* There is none unless the program sets one: that of other calls does not hold. */
    f.client->stream_deadline_ms = 0;
    open_numbers(&f, &stream);
    assert_end(&f, &stream);
    finish(&f);
}

/* CALL-47 */
static void what_is_not_carried(void **state)
{
    (void)state;
    fixture f;
    creo_stream stream;
    creo_soap soap;
    static const act none[] = {{END, NULL, 0}};
    start(&f, none);
    assert_error_has(sample_feed_talk(f.client, &stream, &f.error), &f.error, CREO_UNKNOWN_METHOD, "creo.tests.sample.Feed.talk has two streams, which the binary wire over TCP carries");
    assert_true(creo_soap_init(&soap, "http://127.0.0.1:1/feed", &sample_feed_text, creo_allocator_libc(), &f.error));
    assert_error_has(sample_feed_numbers(&soap.client, &stream, &f.error), &f.error, CREO_UNKNOWN_METHOD, "creo.tests.sample.Feed.numbers has streams, which");
    creo_soap_free(&soap);
    finish(&f);
}

/* CALL-15, CALL-43 */
typedef struct seen {
    int begun;
    int ended;
    creo_code code;
    int status;
} seen;

static bool see_begin(void *context, creo_call *call, creo_error *error)
{
    (void)error;
    assert_string_equal(call->method, "numbers");
    ((seen *)context)->begun++;
    return true;
}

static void see_end(void *context, const creo_call *call, const creo_outcome *outcome)
{
    seen *all = (seen *)context;
    (void)call;
    all->ended++;
    all->code = outcome->code;
    all->status = outcome->answer == NULL ? 0 : outcome->answer->status;
}

static void interceptors_see_the_end(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, OPENS, {SAY, HEAD ITEM("1") LAST, 0}, OPENS, {SAY, HEAD ITEM("1"), 0}, CLOSES};
    fixture f;
    creo_stream stream;
    seen all = {0, 0, CREO_OK, 0};
    creo_interceptor sees = {&all, see_begin, see_end};
    start(&f, script);
    f.client->interceptors = &sees;
    f.client->interceptor_count = 1;
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_true(all.begun == 1 && all.ended == 0);
    assert_end(&f, &stream);
    assert_end(&f, &stream);
    assert_true(all.ended == 1 && all.code == CREO_OK && all.status == 200);
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    creo_stream_close(&stream);
    assert_true(all.begun == 2 && all.ended == 2 && all.code == CREO_CANCELLED);
    finish(&f);
}

/* CALL-61 */
static void raw_messages(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 OPENS,
                                 {SAY, HEAD ITEM("1") LAST, 0},
                                 {HEAR, "POST /feed/sum ", 0},
                                 {EXPECT_TEXT, "3\r\n{}\n\r\n18\r\n{\"item\":5}\n{\"end\":true}\n\r\n0\r\n\r\n", 0},
                                 {SAY, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n5", 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    shown all;
    int64_t sum;
    start(&f, script);
    shown_start(&all, f.client);
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_end(&f, &stream);
    assert_non_null(strstr(all.text, "{}"));
    assert_non_null(strstr(all.text, "| content-type: application/x-ndjson"));
    assert_null(strstr(all.text, "item"));
    shown_clear(&all);
    assert_ok(sample_feed_sum(f.client, &stream, &f.error), &f.error);
    assert_ok(sample_feed_sum_write(&stream, 5, &f.error), &f.error);
    assert_ok(sample_feed_sum_finish(&stream, &f.arena, &sum, &f.error), &f.error);
    assert_int_equal(sum, 5);
    assert_non_null(strstr(all.text, "| Content-Type: application/x-ndjson"));
    assert_non_null(strstr(all.text, "{}"));
    assert_null(strstr(all.text, "item"));
    creo_arena_free(&all.arena);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_and_the_end),
        cmocka_unit_test(forms_of_bodies),
        cmocka_unit_test(exceptions_and_errors),
        cmocka_unit_test(cut_answers),
        cmocka_unit_test(wrong_lines),
        cmocka_unit_test(sizes_of_lines),
        cmocka_unit_test(other_answers),
        cmocka_unit_test(streams_that_never_end),
        cmocka_unit_test(the_deadline_covers_the_whole_call),
        cmocka_unit_test(what_is_not_carried),
        cmocka_unit_test(interceptors_see_the_end),
        cmocka_unit_test(raw_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
