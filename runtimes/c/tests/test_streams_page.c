/* The code of docs/c.md for streams. */
#define _POSIX_C_SOURCE 200809L

#include "streams.h"

#include "probe.text.h"
#include "streams_of_page.h"

static void it_reads(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000017 01 00 00000001" ANY8 "00000000 04 726f6f66", 0},
                                 {SEND, HELLO "00000017 0a 00 00000001 01 " ONE "3ff0000000000000", 0},
                                 {SEND, "0000000a 03 00 00000001 00 02 6f6e", 0},
                                 {EXPECT, "00000017 01 00 00000002" ANY8 "00000000 04 726f6f66", 0},
                                 {SEND, DONE("00000002"), 0},
                                 {EXPECT, "00000017 01 00 00000003" ANY8 "00000000 04 726f6f66", 0},
                                 {SEND, "00000009 04 00 00000003 0a 00 00", 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    assert_ok(watch(&f.client, &f.arena, &f.error), &f.error);
    assert_ok(watch(&f.client, &f.arena, &f.error), &f.error);
    assert_error_has(watch(&f.client, &f.arena, &f.error), &f.error, CREO_PERMISSION_DENIED, "");
    finish(&f);
}

static void it_writes(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001") "00000027 0a 08 00000001 02 " ONE "3ff0000000000000" TWO "4000000000000000", 0},
                                 {SEND, HELLO "0000000e 02 00 00000001" TWO, 0},
                                 {EXPECT, OPENS("00000002") CANCEL("00000002"), 0},
                                 CLOSES};
    static const probe_reading readings[] = {{1, 1.0}, {2, 2.0}};
    fixture f;
    int64_t stored = 0;
    start(&f, script);
    assert_ok(store(&f.client, readings, 2, &f.arena, &stored, &f.error), &f.error);
    assert_int_equal(stored, 2);
    /* The limit is too small for an item: what was written is not taken for all. */
    f.client.limits.max_message_size = 16;
    assert_error_has(store(&f.client, readings, 2, &f.arena, &stored, &f.error), &f.error, CREO_TOO_LARGE, "maxMessageSize");
    finish(&f);
}

static void it_does_both(void **state)
{
    (void)state;
    /* 50,000 doubles, 8,191 in a frame: more than there is credit for. */
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SWALLOW, NULL, 4 * 65540},
                                 {SEND, HELLO "0000000f 0a 00 00000001 01 3ff0000000000000", 0},
                                 {SWALLOW, NULL, 65540},
                                 {SEND, "0000000a 0b 00 00000001 00100000", 0},
                                 {SWALLOW, NULL, 65540 + 6844},
                                 {SEND, "0000000f 0a 00 00000001 01 4000000000000000", 0},
                                 {SEND, DONE("00000001"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000002") "00000007 0a 08 00000002 00", 0},
                                 {SEND, HELLO DONE("00000002"), 0},
                                 CLOSES};
    static double values[50000];
    fixture f;
    double sum = 0;
    start(&f, script);
    assert_ok(smooth(&f.client, values, 50000, &f.arena, &sum, &f.error), &f.error);
    assert_true(sum == 3);
    creo_client_disconnect(&f.client);
    assert_ok(smooth(&f.client, values, 0, &f.arena, &sum, &f.error), &f.error);
    assert_true(sum == 0);
    finish(&f);
}

static void it_reads_over_http(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /Probe/watch |{\"place\":\"roof\"}", 0},
                                 {SAY, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 41\r\n\r\n", 0},
                                 {SAY, "{\"item\":{\"at\":1,\"value\":1}}\n{\"end\":true}\n", 0},
                                 CLOSES};
    fixture f;
    char url[60];
    start(&f, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Probe", (unsigned)f.service.port);
    assert_ok(watch_over_http(url, &f.arena, &f.error), &f.error);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_reads), cmocka_unit_test(it_writes), cmocka_unit_test(it_does_both), cmocka_unit_test(it_reads_over_http)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
