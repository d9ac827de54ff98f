/* Streams that a client writes over HTTP: spec/transports/http.md, HTTP-33 and HTTP-37. */
#define _POSIX_C_SOURCE 200809L

#include "lines.h"

#include <errno.h>
#include <sys/socket.h>

#define SUMS {HEAR, "POST /feed/sum HTTP/1.1\r\n|Content-Type: application/x-ndjson\r\n|Transfer-Encoding: chunked\r\n", 0}
#define FIRST {EXPECT_TEXT, "3\r\n{}\n\r\n", 0}
#define FIVE "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n5"
#define OVERLOADED PROBLEM("503 Busy", "63", "{\"type\":\"urn:creo:error:overloaded\",\"status\":503,\"detail\":\"no\"}")

static void open_sum(fixture *f, creo_stream *stream)
{
    assert_ok(sample_feed_sum(f->client, stream, &f->error), &f->error);
}

static void write_number(fixture *f, creo_stream *stream, int32_t number)
{
    assert_ok(sample_feed_sum_write(stream, number, &f->error), &f->error);
}

static void assert_sum(fixture *f, creo_stream *stream, int64_t due)
{
    int64_t sum = 0;
    assert_ok(sample_feed_sum_finish(stream, &f->arena, &sum, &f->error), &f->error);
    assert_int_equal(sum, due);
}

static void assert_sum_fails(fixture *f, creo_stream *stream, creo_code code, const char *part)
{
    int64_t sum;
    assert_error_has(sample_feed_sum_finish(stream, &f->arena, &sum, &f->error), &f->error, code, part);
}

static void items_and_the_result(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 SUMS,
                                 FIRST,
                                 {EXPECT_TEXT, "16\r\n{\"item\":1}\n{\"item\":2}\n\r\n", 0},
                                 {EXPECT_TEXT, "18\r\n{\"item\":2}\n{\"end\":true}\n\r\n0\r\n\r\n", 0},
                                 {SAY, FIVE, 0},
                                 /* The same connection; no items. */
                                 SUMS,
                                 FIRST,
                                 {EXPECT_TEXT, "d\r\n{\"end\":true}\n\r\n0\r\n\r\n", 0},
                                 {SAY, "HTTP/1.1 102 Wait\r\n\r\n" FIVE, 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_sum(&f, &stream);
    write_number(&f, &stream, 1);
    assert_int_equal(creo_stream_ready(&stream), CREO_STREAM_WRITE);
    write_number(&f, &stream, 2);
    assert_true(creo_stream_flush(&stream, &f.error));
    write_number(&f, &stream, 2);
    assert_sum(&f, &stream, 5);
    assert_sum(&f, &stream, 5);
    assert_true(f.client->open);
    open_sum(&f, &stream);
    assert_true(creo_stream_end(&stream, &f.error));
    assert_error_has(sample_feed_sum_write(&stream, 1, &f.error), &f.error, CREO_INVALID_VALUE, "the stream was ended");
    assert_sum(&f, &stream, 5);
    finish(&f);
}

static void parameters_come_first(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {HEAR, "POST /feed/collect ", 0},
        {EXPECT_TEXT, "d\r\n{\"name\":\"n\"}\n\r\n", 0},
        {EXPECT_TEXT, "3c\r\n{\"item\":{\"name\":\"t\",\"children\":[],\"named\":{}}}\n{\"end\":true}\n\r\n0\r\n\r\n", 0},
        {SAY, PROBLEM("422 X", "78", "{\"type\":\"urn:creo:exception:creo.tests.sample.Refused\",\"value\":{\"reason\":\"r\"}}"), 0},
        CLOSES};
    fixture f;
    creo_stream stream;
    sample_tree tree;
    sample_feed_collect_outcome outcome;
    start(&f, script);
    memset(&tree, 0, sizeof tree);
    tree.name = creo_text("t");
    assert_ok(sample_feed_collect(f.client, creo_text("n"), &stream, &f.error), &f.error);
    assert_ok(sample_feed_collect_write(&stream, &tree, &f.error), &f.error);
    for (int i = 0; i < 2; i++) {
        assert_ok(sample_feed_collect_finish(&stream, &f.arena, &outcome, &f.error), &f.error);
        assert_int_equal(outcome.kind, SAMPLE_FEED_COLLECT_REFUSED);
        assert_true(creo_string_is(outcome.as.refused.reason, "r"));
    }
    finish(&f);
}

static void small_items_are_sent_together(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    /* Three full chunks and one with the rest: sizes of four digits, and the ends of chunks, of the lines and of the body. */
    static const act script[] = {{ACCEPT, NULL, 0}, SUMS, FIRST, {AWAIT, NULL, 0}, {SWALLOW, NULL, (size_t)COUNT * 11 + 4 * 8 + 13 + 5}, {SAY, FIVE, 0}, CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_sum(&f, &stream);
    for (int i = 0; i < COUNT; i++) {
        write_number(&f, &stream, 1);
        if (i == COUNT / 2)
            server_go_on(&f.service);
    }
    assert_sum(&f, &stream, 5);
    assert_true(f.client->arena.taken < 524288);
    finish(&f);
}

/* Writes until that fails, because the call has ended. */
static void write_on(fixture *f, creo_stream *stream)
{
    for (long i = 0; i < 100000000; i++)
        if (!sample_feed_sum_write(stream, 1, &f->error))
            return;
    fail_msg("all items were taken");
}

static void early_answers(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 SUMS,
                                 /* An interim answer changes nothing. */
                                 {SAY, "HTTP/1.1 100 Continue\r\n\r\n", 0},
                                 {SWALLOW, NULL, 1000000},
                                 {SAY, OVERLOADED, 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 /* A result, too, ends the call; and the host may close the connection at once. */
                                 {ACCEPT, NULL, 0},
                                 SUMS,
                                 {SAY, FIVE, 0},
                                 {AWAIT, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 SUMS,
                                 {SWALLOW, NULL, 1000000},
                                 {SAY, "SSH-2.0-x\r\n", 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 SUMS,
                                 {SWALLOW, NULL, 1000000},
                                 {RESET, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_sum(&f, &stream);
    write_on(&f, &stream);
    assert_true(f.error.code == CREO_CANCELLED && strstr(f.error.message, "sum has answered before all items were written") != NULL);
    assert_false(f.client->open);
    for (int i = 0; i < 2; i++) {
        assert_sum_fails(&f, &stream, CREO_OVERLOADED, "no");
        assert_true(f.error.from_peer);
    }
    open_sum(&f, &stream);
    write_on(&f, &stream);
    assert_int_equal(f.error.code, CREO_CANCELLED);
    assert_false(f.client->open);
    assert_sum(&f, &stream, 5);
    server_go_on(&f.service);
    open_sum(&f, &stream);
    write_on(&f, &stream);
    assert_sum_fails(&f, &stream, CREO_PROTOCOL_MISMATCH, "does not speak HTTP");
    open_sum(&f, &stream);
    write_on(&f, &stream);
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    for (int i = 0; i < 2; i++)
        assert_sum_fails(&f, &stream, CREO_UNAVAILABLE, "127.0.0.1:");
    assert_int_equal(f.error.attempts, 1);
    finish(&f);
}

/* A service that reads nothing holds back the program, within a bounded memory, up to its deadline. */
static void services_that_do_not_read(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {AWAIT, NULL, 0}, {UNTIL_CLOSED, NULL, 0}, {CLOSE, NULL, 0}, {ACCEPT, NULL, 0}, SUMS, FIRST,
                                 {EXPECT_TEXT, "d\r\n{\"end\":true}\n\r\n0\r\n\r\n", 0}, {AWAIT, NULL, 0}, CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    f.client->stream_deadline_ms = 200;
    open_sum(&f, &stream);
    write_on(&f, &stream);
    assert_int_equal(f.error.code, CREO_DEADLINE_EXCEEDED);
    for (int i = 0; i < 2; i++)
        assert_sum_fails(&f, &stream, CREO_DEADLINE_EXCEEDED, "while its items were sent");
    assert_true(f.client->arena.taken < 524288);
    server_go_on(&f.service);
    /* Nor does one that has all items, and does not answer. */
    open_sum(&f, &stream);
    assert_sum_fails(&f, &stream, CREO_DEADLINE_EXCEEDED, "before it answered");
    server_go_on(&f.service);
    finish(&f);
}

static void closed_streams(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, SUMS, {UNTIL_CLOSED, NULL, 0}, {CLOSE, NULL, 0},
                                 /* So is one with an item that cannot be written, is too deep, or too large. */
                                 {ACCEPT, NULL, 0}, {HEAR, "POST /feed/collect ", 0}, {UNTIL_CLOSED, NULL, 0}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST /feed/collect ", 0}, {UNTIL_CLOSED, NULL, 0}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST /feed/collect ", 0}, {UNTIL_CLOSED, NULL, 0}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST /feed/collect ", 0}, {UNTIL_CLOSED, NULL, 0}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST /feed/collect ", 0}, CLOSES};
    static char large[2000];
    static char larger[200000];
    static const struct {
        creo_code code;
        const char *part;
    } cases[] = {{CREO_INVALID_VALUE, "UTF-8 (at $items.name)"}, {CREO_INVALID_VALUE, "an item is not NULL (at $items)"}, {CREO_TOO_LARGE, "maxDepth allows 100 (at $items.next.next"},
                 {CREO_TOO_LARGE, "maxMessageSize allows 1000 (at $items)"}, {CREO_TOO_LARGE, "maxMessageSize allows 1000 (at $items)"}};
    fixture f;
    creo_stream stream;
    sample_tree trees[5];
    sample_tree deep[100];
    start(&f, script);
    open_sum(&f, &stream);
    write_number(&f, &stream, 1);
    creo_stream_close(&stream);
    assert_sum_fails(&f, &stream, CREO_CANCELLED, "the program closed the stream before its end");
    memset(trees, 0, sizeof trees);
    memset(deep, 0, sizeof deep);
    memset(large, 'x', sizeof large);
    memset(larger, 'x', sizeof larger);
    for (int i = 1; i < 100; i++)
        deep[i].next = &deep[i - 1];
    trees[0].name = (creo_string){"\xff", 1};
    trees[2].next = &deep[99];
    trees[3].name = (creo_string){large, sizeof large};
    trees[4].name = (creo_string){larger, sizeof larger};
    for (int i = 0; i < 5; i++) {
        assert_ok(sample_feed_collect(f.client, creo_text("n"), &stream, &f.error), &f.error);
        assert_error_has(sample_feed_collect_write(&stream, i == 1 ? NULL : &trees[i], &f.error), &f.error, cases[i].code, cases[i].part);
        assert_false(f.client->open);
        f.client->limits.max_message_size = 1000;
        creo_stream_close(&stream);
    }
    finish(&f);
}

#define REFUSED PROBLEM("503 X", "92", "{\"type\":\"urn:creo:error:unavailable\",\"status\":503,\"detail\":\"bye\",\"details\":{\"started\":\"no\"}}")

/* CALL-45: another address is tried before an item was taken. */
static void other_addresses(void **state)
{
    (void)state;
    static const act refuses[] = {{ACCEPT, NULL, 0}, SUMS, FIRST, {SAY, REFUSED, 0}, CLOSES};
    static const act takes[] = {{ACCEPT, NULL, 0}, SUMS, FIRST, {EXPECT_TEXT, "d\r\n{\"end\":true}\n\r\n0\r\n\r\n", 0}, {SAY, FIVE, 0}, CLOSES};
    static const act refuses_late[] = {{ACCEPT, NULL, 0}, SUMS, {SWALLOW, NULL, 1000000}, {SAY, REFUSED, 0}, CLOSES};
    static const act none[] = {{END, NULL, 0}};
    for (int i = 0; i < 2; i++) {
        fixture f;
        server other;
        creo_stream stream;
        start(&f, i == 0 ? refuses : refuses_late);
        server_start(&other, i == 0 ? takes : none);
        assert_ok(creo_client_connect(f.client, &f.error), &f.error);
        const creo_address both[] = {{"127.0.0.1", f.service.port}, {"127.0.0.1", other.port}};
        assert_ok(creo_client_set_addresses(f.client, both, 2, &f.error), &f.error);
        open_sum(&f, &stream);
        if (i == 0) {
            assert_sum(&f, &stream, 5);
        } else {
            write_on(&f, &stream);
            assert_sum_fails(&f, &stream, CREO_UNAVAILABLE, "bye");
        }
        finish(&f);
        server_join(&other);
    }
}

/* HTTP-21 */
static void proxies_carry_lines(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST http://far:80/feed/sum HTTP/1.1\r\n|Proxy-Authorization: Basic ", 0},
                                 {EXPECT_TEXT, "3\r\n{}\n\r\nd\r\n{\"end\":true}\n\r\n0\r\n\r\n", 0},
                                 {SAY, FIVE, 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    creo_proxy proxy = {"127.0.0.1", f.service.port, "u", "p"};
    creo_json_free(&f.json);
    assert_true(creo_json_init(&f.json, "http://far:80/feed", &sample_feed_text, creo_allocator_libc(), &f.error));
    f.client->proxy = &proxy;
    open_sum(&f, &stream);
    assert_sum(&f, &stream, 5);
    finish(&f);
}

/* A layer as that of TLS, which changes nothing. */
static creo_io_state layer_open(void *context, int socket, const char *host)
{
    assert_string_equal(host, "127.0.0.1");
    *(int *)context = socket;
    return CREO_IO_DONE;
}

static creo_io_state layer_state(ssize_t count, creo_io_state wants, size_t *done)
{
    *done = count > 0 ? (size_t)count : 0;
    return count > 0 ? CREO_IO_DONE : count == 0 ? CREO_IO_CLOSED : errno == EAGAIN ? wants : CREO_IO_FAILED;
}

static creo_io_state layer_read(void *context, void *into, size_t size, size_t *done)
{
    return layer_state(recv(*(int *)context, into, size < 5 ? size : 5, MSG_DONTWAIT), CREO_IO_WANT_READ, done);
}

static creo_io_state layer_write(void *context, const void *from, size_t size, size_t *done)
{
    return layer_state(send(*(int *)context, from, size < 1000 ? size : 1000, MSG_DONTWAIT | MSG_NOSIGNAL), CREO_IO_WANT_WRITE, done);
}

static void layer_close(void *context)
{
    *(int *)context = -1;
}

static void layers_carry_lines(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, SUMS, FIRST, {SWALLOW, NULL, (size_t)6000 * 11 + 8 + 13 + 12}, {SAY, FIVE, 0},
                                 OPENS, {SAY, HEAD ITEM("1") ITEM("2"), 0}, {AWAIT, NULL, 0}, {SAY, LAST, 0}, CLOSES};
    fixture f;
    creo_stream stream;
    char url[60];
    int socket = -1;
    creo_io io = {&socket, layer_open, layer_read, layer_write, layer_close, NULL};
    start(&f, script);
    creo_json_free(&f.json);
    snprintf(url, sizeof url, "https://127.0.0.1:%u/feed", (unsigned)f.service.port);
    assert_true(creo_json_init(&f.json, url, &sample_feed_text, creo_allocator_libc(), &f.error));
    creo_client_use_io(f.client, io);
    open_sum(&f, &stream);
    for (int i = 0; i < 6000; i++)
        write_number(&f, &stream, 1);
    assert_sum(&f, &stream, 5);
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_number(&f, &stream, 2);
    server_go_on(&f.service);
    assert_end(&f, &stream);
    finish(&f);
    assert_int_equal(socket, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_and_the_result),
        cmocka_unit_test(parameters_come_first),
        cmocka_unit_test(small_items_are_sent_together),
        cmocka_unit_test(early_answers),
        cmocka_unit_test(services_that_do_not_read),
        cmocka_unit_test(closed_streams),
        cmocka_unit_test(other_addresses),
        cmocka_unit_test(proxies_carry_lines),
        cmocka_unit_test(layers_carry_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
