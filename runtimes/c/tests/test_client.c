/* Calls against scripts of bytes: spec/transports/tcp.md. */
#define _POSIX_C_SOURCE 200809L

#include "calls.h"

static void calls_use_one_connection(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, THREE("00000002"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_adds(&f);
    assert_adds(&f);
    finish(&f);
}

/* Milliseconds left, rounded up: the first bytes of the worked example in TCP section 4. */
static void the_deadline_is_sent(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "0000001e 01 00 00000001 " ANY8 "0000 .... 00000001 0000000000000002", 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 {EXPECT, "0000001e 01 00 00000002 " ANY8 "00000000 00000001 0000000000000002", 0},
                                 {SEND, THREE("00000002"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    f.client.deadline_ms = 5000;
    assert_adds(&f);
    f.client.deadline_ms = 0;
    assert_adds(&f);
    finish(&f);
}

static void answers_come_in_pieces_and_chains(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, "4352", 0},
                                 {PAUSE_MS, NULL, 20},
                                 {SEND, "454f 01 01 0000 000000", 0},
                                 {PAUSE_MS, NULL, 20},
                                 /* An empty first frame, a ping within the chain, an answer without a call. */
                                 {SEND, "06 02 01 00000001", 0},
                                 {SEND, "00000006 07 00 00000009", 0},
                                 {SEND, "00000009 05 01 00000001 000000", 0},
                                 {PAUSE_MS, NULL, 20},
                                 {SEND, "0000000a 05 01 00000001 00000000 00000007 05 00 00000001 03", 0},
                                 {EXPECT, "00000006 08 00 00000009", 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, "00000008 02 01 00000063 ffff 00000006 05 00 00000063", 0},
                                 {SEND, THREE("00000002"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_adds(&f);
    assert_adds(&f);
    finish(&f);
}

/* A cancel ends an unfinished chain; what was received is dropped (TCP-6). */
static void a_cancelled_answer_is_dropped(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "00000008 02 01 00000001 ffff 00000006 06 00 00000001", 0},
                                 {SEND, "00000010 04 00 00000001 08 07 746f6f2068 6f74 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, CREO_OVERLOADED, "overloaded: too hot");
    assert_true(f.error.from_peer);
    finish(&f);
}

static void errors_of_the_peer(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {EXPECT, PREAMBLE ADD("00000001"), 0},
        /* malformed, "no\n", place $.left, offset 3 */
        {SEND, HELLO "00000022 04 00 00000001 01 03 6e6f0a 02 05 706c616365 06 242e6c656674 06 6f6666736574 01 33", 0},
        {EXPECT, ADD("00000002"), 0},
        /* An unknown number. */
        {SEND, "00000009 04 00 00000002 63 00 00", 0},
        {EXPECT, ADD("00000003"), 0},
        /* An error that is no error. */
        {SEND, "00000008 04 00 00000003 01 05", 0},
        {EXPECT, ADD("00000004"), 0},
        {SEND, THREE("00000004"), 0},
        {UNTIL_CLOSED, NULL, 0},
        {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, CREO_MALFORMED, "malformed: no\\u000a (at $.left, byte 3)");
    assert_true(f.error.from_peer);
    assert_true(creo_string_is(creo_error_detail(&f.error, "offset"), "3"));
    assert_null(creo_error_detail(&f.error, "limit").data);
    assert_fails(&f, CREO_INTERNAL, "(error number 99 of the peer)");
    assert_fails(&f, CREO_MALFORMED, "malformed: the count is larger than the bytes that are left allow");
    assert_false(f.error.from_peer);
    assert_adds(&f);
    finish(&f);
}

/* ERR-5 */
static void unknown_methods_are_explained(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 /* "creo.tests.sample.Sample" offers 0123456789abcdef */
                                 {SEND,
                                  HELLO "00000033 04 00 00000001 04 00 01 18 6372656f2e74657374732e73616d706c652e53616d706c65 "
                                        "10 30313233343536373839616263646566",
                                  0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, CREO_UNKNOWN_METHOD, "the call was creo.tests.sample.Sample.add");
    assert_non_null(strstr(f.error.message, "with the fingerprint 0123456789abcdef: the two sides were generated from different descriptions"));
    finish(&f);
}

static void exceptions_are_typed(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE, 0},
                                 {SWALLOW, NULL, 10 + 12 + 78},
                                 {SEND, HELLO "0000000a 03 00 00000001 00 02 6e6f", 0},
                                 {SWALLOW, NULL, 10 + 12 + 78},
                                 {SEND, "00000011 03 00 00000002 01 00000006 0161 00000007", 0},
                                 {SWALLOW, NULL, 10 + 12 + 78},
                                 {SEND, "00000007 03 00 00000003 02", 0},
                                 {SWALLOW, NULL, 10 + 12 + 78},
                                 {SEND, "0000000a 03 00 00000004 00 02 6e6f 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    sample_everything all;
    sample_everything_init(&all);
    creo_bytes bytes;
    assert_true(sample_everything_to_bytes(&all, &f.arena, &bytes, &f.error));
    assert_int_equal(bytes.size, 78);
    sample_sample_everything_outcome outcome;
    assert_true(sample_sample_everything(&f.client, &all, &f.arena, &outcome, &f.error));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_NOT_FOUND);
    assert_true(creo_string_is(outcome.as.not_found.description, "no"));
    assert_true(sample_sample_everything(&f.client, &all, &f.arena, &outcome, &f.error));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_REFUSED);
    assert_int_equal(outcome.as.refused.retry_after, 7);
    assert_false(sample_sample_everything(&f.client, &all, &f.arena, &outcome, &f.error));
    assert_error(&f.error, "malformed: the method declares no exception of this index (at $exception, byte 0)");
    /* The frame is one byte shorter than its data: the remaining byte is then not a frame. */
    assert_true(sample_sample_everything(&f.client, &all, &f.arena, &outcome, &f.error));
    assert_false(sample_sample_everything(&f.client, NULL, &f.arena, &outcome, &f.error));
    assert_error(&f.error, "invalid-value: the pointer to the value is NULL (at $.value)");
    finish(&f);
}

static void results_name_their_place(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "0000000a 02 00 00000001 00000000", 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, "0000000f 02 00 00000002 000000000000000300", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, CREO_MALFORMED, "malformed: the bytes end within the value (at $result, byte 0)");
    assert_fails(&f, CREO_MALFORMED, "malformed: bytes are left after the last value (at $result, byte 8)");
    finish(&f);
}

static void wrong_frames_end_the_connection(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        const char *part;
    } wrong[] = {
        {"00000006 00 00 00000000", "a kind that a server does not send"},
        {"00000012 01 00 00000001 000000000000000000000000", "a kind that a server does not send"},
        {"00000006 0c 00 00000001", "a kind that a server does not send"},
        {"00000005 02 00 00000001", "wrong length"},
        {"80000006 02 00 00000001", "wrong length"},
        {"00000006 02 02 00000001", "compressed"},
        {"00000006 04 04 00000000", "flags that its kind does not have"},
        {"00000006 07 01 00000001", "flags or bytes"},
        {"00000007 06 00 00000001 00", "flags or bytes"},
        {"00000006 05 00 00000001", "data frame without a chain"},
        {"00000006 02 01 00000001 00000006 05 00 00000002", "data frame without a chain"},
        {"00000006 02 01 00000001 00000006 02 00 00000001", "within the chain of another"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const act script[] = {{ACCEPT, NULL, 0},
                              {EXPECT, PREAMBLE ADD("00000001"), 0},
                              {SEND, HELLO, 0},
                              {SEND, wrong[i].hex, 0},
                              {UNTIL_CLOSED, NULL, 0},
                              {CLOSE, NULL, 0},
                              {ACCEPT, NULL, 0},
                              {EXPECT, PREAMBLE ADD("00000002"), 0},
                              {SEND, HELLO THREE("00000002"), 0},
                              {UNTIL_CLOSED, NULL, 0},
                              {END, NULL, 0}};
        fixture f;
        start(&f, script);
        assert_fails(&f, CREO_MALFORMED, wrong[i].part);
        assert_adds(&f);
        finish(&f);
    }
}

/* TCP-2 */
static void other_protocols_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        creo_code code;
        const char *part;
    } wrong[] = {
        {"485454502f312e3120343030", CREO_PROTOCOL_MISMATCH, "speaks HTTP"},
        {"485454502f", CREO_PROTOCOL_MISMATCH, "speaks HTTP"},
        {"15030100020228", CREO_PROTOCOL_MISMATCH, "speaks TLS"},
        {"4352454f 02 00 0000", CREO_PROTOCOL_MISMATCH, "version 2 of the Creo protocol"},
        {"5353482d322e30", CREO_PROTOCOL_MISMATCH, "its first bytes are 53 53 48 2d 32 2e 30"},
        {"41", CREO_PROTOCOL_MISMATCH, "its first bytes are 41"},
        {"", CREO_UNAVAILABLE, "closed the connection before it said that it speaks Creo"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000001"), 0}, {SEND, wrong[i].hex, 0}, {END, NULL, 0}};
        fixture f;
        start(&f, script);
        assert_fails(&f, wrong[i].code, wrong[i].part);
        finish(&f);
    }
}

/* TCP-12: the call ends, a cancel is sent, and a late answer does no harm. */
static void a_deadline_ends_the_call(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO, 0},
                                 {EXPECT, "00000006 06 00 00000001", 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, THREE("00000001") THREE("00000002"), 0},
                                 /* Within a body: the rest is dropped by the next call. */
                                 {EXPECT, ADD("00000003"), 0},
                                 {SEND, "0000000e 02 00 00000003 0000", 0},
                                 {EXPECT, "00000006 06 00 00000003", 0},
                                 {SEND, "000000000003", 0},
                                 {EXPECT, ADD("00000004"), 0},
                                 {SEND, THREE("00000004"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    f.client.deadline_ms = 100;
    assert_fails(&f, CREO_DEADLINE_EXCEEDED, "was over before it answered");
    f.client.deadline_ms = 20000;
    assert_adds(&f);
    f.client.deadline_ms = 100;
    assert_fails(&f, CREO_DEADLINE_EXCEEDED, "was over before it answered");
    f.client.deadline_ms = 20000;
    assert_adds(&f);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_use_one_connection),
        cmocka_unit_test(the_deadline_is_sent),
        cmocka_unit_test(answers_come_in_pieces_and_chains),
        cmocka_unit_test(a_cancelled_answer_is_dropped),
        cmocka_unit_test(errors_of_the_peer),
        cmocka_unit_test(unknown_methods_are_explained),
        cmocka_unit_test(exceptions_are_typed),
        cmocka_unit_test(results_name_their_place),
        cmocka_unit_test(wrong_frames_end_the_connection),
        cmocka_unit_test(other_protocols_are_named),
        cmocka_unit_test(a_deadline_ends_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
