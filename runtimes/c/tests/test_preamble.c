/* The first bytes of a service: its preamble, an error of the connection, or nothing (TCP-19, TCP-20). */
#define _POSIX_C_SOURCE 200809L

#include "calls.h"

/* TCP-19: nothing, or a beginning of a preamble, however it comes; the next call goes over another connection. */
static void a_preamble_that_does_not_come(void **state)
{
    (void)state;
    static const char *const begun[] = {"", "43", "4352454f", "4352454f 01 01 00"};
    for (size_t i = 0; i < sizeof begun / sizeof begun[0]; i++) {
        const act script[] = {{ACCEPT, NULL, 0},
                              {EXPECT, PREAMBLE ADD("00000001"), 0},
                              {SEND, begun[i], 0},
                              {UNTIL_CLOSED, NULL, 0},
                              {CLOSE, NULL, 0},
                              {ACCEPT, NULL, 0},
                              {EXPECT, PREAMBLE ADD("00000002"), 0},
                              {SEND, HELLO THREE("00000002"), 0},
                              {UNTIL_CLOSED, NULL, 0},
                              {END, NULL, 0}};
        fixture f;
        start(&f, script);
        f.client.limits.connect_timeout_ms = 50;
        assert_fails(&f, CREO_PROTOCOL_MISMATCH, "within 50 ms; perhaps the port speaks HTTP or TLS");
        f.client.limits.connect_timeout_ms = 10000;
        assert_adds(&f);
        finish(&f);
    }
}

/* A call whose deadline comes first ends by it; what its connection says later is still heard. */
static void the_deadline_may_come_before_the_preamble(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001") "00000006 06 00 00000001", 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, HELLO THREE("00000002"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    f.client.deadline_ms = 50;
    assert_fails(&f, CREO_DEADLINE_EXCEEDED, "127.0.0.1");
    f.client.deadline_ms = 20000;
    assert_adds(&f);
    finish(&f);
}

/* The time for the preamble passes while nothing is read: a preamble that came is seen, one that did not come ends the connection. */
static void the_time_for_the_preamble_passes_between_calls(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {SEND, HELLO, 0},
                                 {EXPECT, PREAMBLE "00000014 01 00 00000001" ANY8 ANY4 "01 78", 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, THREE("00000002"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000014 01 00 00000003" ANY8 ANY4 "01 78", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000004"), 0},
                                 {SEND, HELLO THREE("00000004"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    struct timespec time = {0, 60000000};
    f.client.limits.connect_timeout_ms = 50;
    assert_true(sample_sample_note(&f.client, creo_text("x"), &f.error));
    wait_for_input(&f, 8);
    nanosleep(&time, NULL);
    assert_adds(&f);
    creo_client_disconnect(&f.client);
    assert_true(sample_sample_note(&f.client, creo_text("x"), &f.error));
    nanosleep(&time, NULL);
    f.client.limits.connect_timeout_ms = 10000;
    assert_adds(&f);
    finish(&f);
}

/* TCP-20: said before anything was read, also while more is written than the service takes. */
static void refusals_at_connect_are_heard(void **state)
{
    (void)state;
    enum { SIZE = 8 << 20 };
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {SEND, HELLO "00000016 04 00 00000000 08 02 6e6f 01 05 6c696d6974 04 6d6f7374", 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {SEND, HELLO "0000000b 04 00 00000000 08 02 6e6f 00", 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {SEND, "485454502f312e3120343030", 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000004"), 0},
                                 {SEND, HELLO THREE("00000004") "0000000b 04 00 00000000 08 02 6e6f 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000005"), 0},
                                 {SEND, HELLO THREE("00000005"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, CREO_OVERLOADED, "no");
    assert_true(f.error.from_peer);
    assert_true(creo_string_is(creo_error_detail(&f.error, "limit"), "most"));
    uint8_t *data = (uint8_t *)calloc(SIZE, 1);
    assert_non_null(data);
    sample_block_array blocks;
    assert_false(sample_sample_find(&f.client, creo_text("x"), 7, NULL, creo_bytes_of(data, SIZE), &f.arena, &blocks, &f.error));
    assert_int_equal(f.error.code, CREO_OVERLOADED);
    assert_false(sample_sample_find(&f.client, creo_text("x"), 7, NULL, creo_bytes_of(data, SIZE), &f.arena, &blocks, &f.error));
    assert_int_equal(f.error.code, CREO_PROTOCOL_MISMATCH);
    free(data);
    assert_adds(&f);
    /* Sent while no call is running: the next call uses another connection. */
    wait_for_input(&f, 15);
    assert_adds(&f);
    finish(&f);
}

/* ERR-2: what only this side finds is a number that it does not know when it comes from the peer. */
static void a_code_that_is_never_sent(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "0000000b 04 00 00000001 0d 02 6d65 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, CREO_INTERNAL, "13");
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_preamble_that_does_not_come),
        cmocka_unit_test(the_deadline_may_come_before_the_preamble),
        cmocka_unit_test(the_time_for_the_preamble_passes_between_calls),
        cmocka_unit_test(refusals_at_connect_are_heard),
        cmocka_unit_test(a_code_that_is_never_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
