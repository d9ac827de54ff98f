/* Streams that a client reads: spec/transports/tcp.md section 4, spec/calls.md section 5. */
#define _POSIX_C_SOURCE 200809L

#include "streams.h"

#include "sample.text.h"

static void items_and_the_end(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 /* Also a frame without items, and credit that nobody needs. */
                                 {SEND, HELLO "00000017 0a 00 00000001 02 " ONE TWO "00000007 0a 00 00000001 00 0000000a 0b 00 00000001 00000001", 0},
                                 {SEND, NUMBER("00000001", "0000000000000003") DONE("00000001"), 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, THREE("00000002"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_numbers(&f, &stream);
    for (int64_t i = 1; i <= 3; i++)
        assert_number(&f, &stream, i);
    /* The same end, as often as one reads on. */
    assert_end(&f, &stream);
    assert_end(&f, &stream);
    creo_stream_close(&stream);
    assert_end(&f, &stream);
    assert_adds(&f);
    assert_numbers_fail(&f, &stream, CREO_INVALID_VALUE, "the stream is not open: its call was not begun, or has ended");
    creo_stream_close(&stream);
    finish(&f);
}

static void exceptions_and_errors_after_items(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000017 01 00 00000001" ANY8 "00000000 0178 02abcd", 0},
                                 {SEND, HELLO "00000011 0a 00 00000001 01 3ff0000000000000 0007 00000009 03 00 00000001 00 0161", 0},
                                 {EXPECT, OPENS("00000002"), 0},
                                 {SEND, NUMBER("00000002", ONE) "0000000f 04 00 00000002 0a 02 6e6f 01 0161 0162", 0},
                                 {EXPECT, ADD("00000003"), 0},
                                 {SEND, THREE("00000003"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    sample_feed_blocks_outcome next;
    start(&f, script);
    assert_ok(sample_feed_blocks(&f.client, creo_text("x"), creo_bytes_of("\xab\xcd", 2), &stream, &f.error), &f.error);
    assert_ok(sample_feed_blocks_next(&stream, &f.arena, &next, &f.error), &f.error);
    assert_int_equal(next.kind, SAMPLE_FEED_BLOCKS_ITEM);
    assert_true(next.as.item.d == 1.0 && next.as.item.s == 7);
    for (int i = 0; i < 2; i++) {
        assert_ok(sample_feed_blocks_next(&stream, &f.arena, &next, &f.error), &f.error);
        assert_int_equal(next.kind, SAMPLE_FEED_BLOCKS_NOT_FOUND);
        assert_true(creo_string_is(next.as.not_found.description, "a"));
    }
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    for (int i = 0; i < 2; i++) {
        assert_numbers_fail(&f, &stream, CREO_PERMISSION_DENIED, "no");
        assert_true(f.error.from_peer && creo_string_is(creo_error_detail(&f.error, "a"), "b") && f.error.attempts == 1 && !f.error.not_started);
    }
    assert_adds(&f);
    finish(&f);
}

static void one_call_at_a_time(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001") CANCEL("00000001") ADD("00000002"), 0},
                                 /* What comes of a call that has ended is ignored, be it right or wrong. */
                                 {SEND, HELLO NUMBER("00000001", ONE) "00000007 0a 00 00000001 55 0000000a 0b 00 00000001 00000000", 0},
                                 {SEND, "00000009 04 00 00000001 06 00 00" THREE("00000002"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream, other;
    creo_address address = {"127.0.0.1", 1};
    start(&f, script);
    open_numbers(&f, &stream);
    assert_error_has(add(&f), &f.error, CREO_INVALID_VALUE, "a stream of this client is open, and a client makes one call at a time");
    assert_error_has(sample_feed_numbers(&f.client, &other, &f.error), &f.error, CREO_INVALID_VALUE, "creo_stream_close");
    assert_error_has(creo_client_connect(&f.client, &f.error), &f.error, CREO_INVALID_VALUE, "creo_stream_close");
    assert_error_has(creo_client_set_addresses(&f.client, &address, 1, &f.error), &f.error, CREO_INVALID_VALUE, "creo_stream_close");
    creo_stream_close(&other);
    creo_stream_close(&stream);
    creo_stream_close(&stream);
    assert_numbers_fail(&f, &stream, CREO_CANCELLED, "the program closed the stream before its end");
    assert_adds(&f);
    finish(&f);
}

static void the_deadline_covers_the_whole_call(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000012 01 00 00000001" ANY8 ANY4, 0},
                                 {SEND, HELLO NUMBER("00000001", ONE), 0},
                                 {EXPECT, CANCEL("00000001") ADD("00000002"), 0},
                                 {SEND, NUMBER("00000001", TWO) THREE("00000002"), 0},
                                 {EXPECT, OPENS("00000003"), 0},
                                 {SEND, DONE("00000003"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    f.client.stream_deadline_ms = 100;
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_numbers_fail(&f, &stream, CREO_DEADLINE_EXCEEDED, "the time for the call to 127.0.0.1");
    assert_numbers_fail(&f, &stream, CREO_DEADLINE_EXCEEDED, "the time for the call to 127.0.0.1");
    assert_adds(&f);
    /* There is none unless the program sets one: that of other calls does not hold. */
    f.client.stream_deadline_ms = 0;
    open_numbers(&f, &stream);
    assert_end(&f, &stream);
    finish(&f);
}

/* Frames of 8,191 numbers, all 0: with their head 65,540 bytes. */
#define FULL "00010000 0a 00 00000001 ff3f "
#define FULL_ZEROS ((size_t)65528)
#define FULL_NUMBERS 8191

static void credit_follows_the_program(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SEND, HELLO FULL, 0},
                                 {SEND_ZEROS, NULL, FULL_ZEROS},
                                 {SEND, FULL, 0},
                                 {SEND_ZEROS, NULL, FULL_ZEROS},
                                 {SEND, FULL, 0},
                                 {SEND_ZEROS, NULL, FULL_ZEROS},
                                 /* Up to a window of 1 MiB: 65,554 of the first 262,144 bytes are left. */
                                 {EXPECT, "0000000a 0b 00 00000001 000effee", 0},
                                 {SEND, DONE("00000001"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_numbers(&f, &stream);
    for (int i = 0; i < 3 * FULL_NUMBERS; i++)
        assert_number(&f, &stream, 0);
    assert_end(&f, &stream);
    finish(&f);
}

static void memory_does_not_grow_with_the_stream(void **state)
{
    (void)state;
    enum { ROUNDS = 20 };
    act script[3 + 7 * ROUNDS + 3] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE OPENS("00000001"), 0}, {SEND, HELLO, 0}};
    act *at = script + 3;
    for (int i = 0; i < ROUNDS; i++) {
        for (int frame = 0; frame < 3; frame++) {
            *at++ = (act){SEND, FULL, 0};
            *at++ = (act){SEND_ZEROS, NULL, FULL_ZEROS};
        }
        /* Half of the window is free with the third frame. */
        *at++ = (act){EXPECT, "0000000a 0b 00 00000001 0002ffee", 0};
    }
    *at++ = (act){SEND, DONE("00000001"), 0};
    *at++ = (act){UNTIL_CLOSED, NULL, 0};
    fixture f;
    creo_stream stream;
    start(&f, script);
    f.client.limits.stream_window = 1;
    open_numbers(&f, &stream);
    for (int i = 0; i < 3 * ROUNDS * FULL_NUMBERS; i++)
        assert_number(&f, &stream, 0);
    assert_end(&f, &stream);
    assert_true(f.client.arena.taken < 262144);
    assert_true(f.arena.taken < 8192);
    finish(&f);
}

/* The service breaks a rule of frames: the call ends, and with it the connection (TCP-33). */
static void rules_of_frames(void **state)
{
    (void)state;
    static const struct {
        const char *sent;
        const char *due;
    } cases[] = {
        {"00000006 0a 00 00000001", "a frame of items or credit with flags, or of a wrong length"},
        {"00000007 0a 08 00000001 00", "a frame of items or credit with flags"},
        {"00000007 0a 01 00000001 00", "a frame of items or credit with flags"},
        {"00000009 0b 00 00000001 000001", "a frame of items or credit with flags, or of a wrong length"},
        {"0000000b 0b 00 00000001 0000000100", "a frame of items or credit with flags, or of a wrong length"},
        {"0000000a 0b 00 00000001 00000000", "a wrong number of bytes as credit"},
        {"0000000a 0b 00 00000001 80000000", "a wrong number of bytes as credit"},
        {"0000000a 0b 00 00000001 7fffffff", "a wrong number of bytes as credit"},
        {"00000007 02 01 00000001 00 00000007 0a 00 00000001 00", "items or credit within the chain of an answer"},
        {"00000006 0c 00 00000001", "a frame of a kind that a server does not send"},
        {"00000012 01 00 00000001" ONE "00000000", "a frame of a kind that a server does not send"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE OPENS("00000001"), 0}, {SEND, HELLO NUMBER("00000001", ONE), 0}, {SEND, cases[i].sent, 0}, CLOSES};
        fixture f;
        creo_stream stream;
        start(&f, script);
        open_numbers(&f, &stream);
        assert_number(&f, &stream, 1);
        assert_numbers_fail(&f, &stream, CREO_MALFORMED, cases[i].due);
        assert_int_equal(creo_client_socket(&f.client), -1);
        finish(&f);
    }
}

static void items_that_nobody_asked_for(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "00000007 0a 00 00000001 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000002"), 0},
                                 {SEND, HELLO "00000007 0a 00 00000002 00", 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    assert_fails(&f, CREO_MALFORMED, "items of a stream that the method does not have");
    assert_ok(sample_feed_sum(&f.client, &stream, &f.error), &f.error);
    assert_error_has(sample_feed_sum_finish(&stream, &f.arena, &f.sum, &f.error), &f.error, CREO_MALFORMED, "items of a stream that the method does not have");
    finish(&f);
}

/* Items that are none end the call, and the connection stays (TCP-34). */
static void broken_items(void **state)
{
    (void)state;
    static const struct {
        const char *sent;
        int whole;
        const char *due;
    } cases[] = {
        {"00000010 0a 00 00000001 01" ONE "ff", 1, "bytes are left after the last value (at $items, byte 9)"},
        {"00000011 0a 00 00000001 02" ONE "ffff", 0, "the count is larger than the bytes that are left allow (at $items, byte 0)"},
        {"00000008 0a 00 00000001 8000", 0, "(at $items, byte"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const act script[] = {{ACCEPT, NULL, 0},
                              {EXPECT, PREAMBLE OPENS("00000001"), 0},
                              {SEND, HELLO NUMBER("00000001", ONE), 0},
                              {SEND, cases[i].sent, 0},
                              {EXPECT, CANCEL("00000001") ADD("00000002"), 0},
                              {SEND, NUMBER("00000001", ONE) THREE("00000002"), 0},
                              CLOSES};
        fixture f;
        creo_stream stream;
        start(&f, script);
        open_numbers(&f, &stream);
        for (int k = 0; k < 1 + cases[i].whole; k++)
            assert_number(&f, &stream, 1);
        assert_numbers_fail(&f, &stream, CREO_MALFORMED, cases[i].due);
        assert_numbers_fail(&f, &stream, CREO_MALFORMED, cases[i].due);
        assert_adds(&f);
        finish(&f);
    }
}

static void an_item_within_a_frame_is_named(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 /* Optional strings would be fine; these are everything, cut after the first byte. */
                                 {SEND, HELLO "00000009 0a 00 00000001 ff ff 01", 0},
                                 {EXPECT, CANCEL("00000001"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    sample_feed_talk_outcome next;
    start(&f, script);
    assert_ok(sample_feed_talk(&f.client, &stream, &f.error), &f.error);
    assert_error_has(sample_feed_talk_next(&stream, &f.arena, &next, &f.error), &f.error, CREO_MALFORMED, "$items");
    finish(&f);
}

/* Each frame has the limits of a message. */
static void limits_hold_for_each_frame(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SEND, HELLO "00000017 0a 00 00000001 02 " ONE TWO "00000017 0a 00 00000001 02 " ONE TWO "00000018", 0},
                                 {SEND, "0a 00 00000001", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000002"), 0},
                                 /* Items without bytes. */
                                 {SEND, HELLO "00000007 0a 00 00000002 04 00000007 0a 00 00000002 04 00000007 0a 00 00000002 05", 0},
                                 {EXPECT, CANCEL("00000002"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    sample_feed_nothings_outcome next;
    start(&f, script);
    f.client.limits.max_message_size = 17;
    open_numbers(&f, &stream);
    for (int i = 0; i < 4; i++)
        assert_number(&f, &stream, 1 + i % 2);
    assert_numbers_fail(&f, &stream, CREO_TOO_LARGE, "maxMessageSize");
    f.client.limits.max_message_size = 1000;
    f.client.limits.max_empty_items = 4;
    assert_ok(sample_feed_nothings(&f.client, &stream, &f.error), &f.error);
    for (int i = 0; i < 8; i++) {
        assert_ok(sample_feed_nothings_next(&stream, &f.arena, &next, &f.error), &f.error);
        assert_int_equal(next.kind, SAMPLE_FEED_NOTHINGS_ITEM);
    }
    assert_error_has(sample_feed_nothings_next(&stream, &f.arena, &next, &f.error), &f.error, CREO_TOO_LARGE, "maxEmptyItems");
    finish(&f);
}

static void lost_connections(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SEND, HELLO NUMBER("00000001", ONE) NUMBER("00000001", TWO) "0000000f 0a 00 00000001", 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000002"), 0},
                                 {SEND, HELLO NUMBER("00000002", ONE) "00000009 04 00 00000000 08 00 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000003"), 0},
                                 /* The service drains, but ends what it has begun. */
                                 {SEND, HELLO "00000006 09 00 00000000" NUMBER("00000003", ONE) DONE("00000003"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000004"), 0},
                                 {SEND, HELLO, 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000005"), 0},
                                 {SEND, HELLO "00000012 0a 00 00000005 02" ONE, 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_number(&f, &stream, 2);
    assert_numbers_fail(&f, &stream, CREO_UNAVAILABLE, "closed the connection while the call was under way");
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_numbers_fail(&f, &stream, CREO_OVERLOADED, "");
    assert_int_equal(creo_client_socket(&f.client), -1);
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_end(&f, &stream);
    open_numbers(&f, &stream);
    creo_client_disconnect(&f.client);
    assert_numbers_fail(&f, &stream, CREO_UNAVAILABLE, "was lost while the call was under way");
    /* A frame that does not go on. */
    f.client.limits.frame_timeout_ms = 50;
    open_numbers(&f, &stream);
    assert_numbers_fail(&f, &stream, CREO_UNAVAILABLE, "was too slow with its answer");
    finish(&f);
}

static void pings_are_answered(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SEND, HELLO "00000006 07 00 00000009", 0},
                                 {EXPECT, "00000006 08 00 00000009", 0},
                                 {SEND, NUMBER("00000001", ONE) "00000006 07 00 0000000a", 0},
                                 {EXPECT, "00000006 08 00 0000000a", 0},
                                 {SEND, DONE("00000001"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_end(&f, &stream);
    finish(&f);
}

/* Items of any size come in pieces of any size. */
static void large_frames(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 /* A million numbers in one frame; the credit becomes negative, and is made up for. */
                                 {SEND, HELLO "007a1209 0a 00 00000001 c0843d ", 0},
                                 {SEND_ZEROS, NULL, 8000000},
                                 {EXPECT, "0000000a 0b 00 00000001 00861203", 0},
                                 {SEND, DONE("00000001"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    f.client.limits.trusted_allocation = 64;
    open_numbers(&f, &stream);
    for (int i = 0; i < 1000000; i++)
        assert_number(&f, &stream, 0);
    assert_end(&f, &stream);
    finish(&f);
}

/* Only the binary wire carries streams; nothing is sent (CALL-47). */
static void other_wires_refuse(void **state)
{
    (void)state;
    static const act script[] = {{END, NULL, 0}};
    static const creo_text_interface *const interfaces[] = {&sample_feed_text};
    static const creo_tables tables = {{CREO_TDXML_RECORD, false}, interfaces, 1};
    static const char due[] = "creo.tests.sample.Feed.numbers has streams, which the binary wire carries over TCP";
    fixture f;
    creo_stream stream;
    creo_soap soap;
    start(&f, script);
    creo_client_use_tables(&f.client, &tables);
    assert_error_has(sample_feed_numbers(&f.client, &stream, &f.error), &f.error, CREO_UNKNOWN_METHOD, due);
    assert_true(f.error.not_started);
    assert_int_equal(creo_client_socket(&f.client), -1);
    assert_true(creo_soap_init(&soap, "http://127.0.0.1:1/Feed", &sample_feed_text, creo_allocator_libc(), &f.error));
    assert_error_has(sample_feed_numbers(&soap.client, &stream, &f.error), &f.error, CREO_UNKNOWN_METHOD, due);
    assert_numbers_fail(&f, &stream, CREO_INVALID_VALUE, "the stream is not open");
    creo_soap_free(&soap);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_and_the_end),
        cmocka_unit_test(exceptions_and_errors_after_items),
        cmocka_unit_test(one_call_at_a_time),
        cmocka_unit_test(the_deadline_covers_the_whole_call),
        cmocka_unit_test(credit_follows_the_program),
        cmocka_unit_test(memory_does_not_grow_with_the_stream),
        cmocka_unit_test(rules_of_frames),
        cmocka_unit_test(items_that_nobody_asked_for),
        cmocka_unit_test(broken_items),
        cmocka_unit_test(an_item_within_a_frame_is_named),
        cmocka_unit_test(limits_hold_for_each_frame),
        cmocka_unit_test(lost_connections),
        cmocka_unit_test(pings_are_answered),
        cmocka_unit_test(large_frames),
        cmocka_unit_test(other_wires_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
