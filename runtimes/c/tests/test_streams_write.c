/* Streams that a client writes, and what the rest of a client makes of calls with streams: spec/calls.md section 5. */
#define _POSIX_C_SOURCE 200809L

#include "retries.h"
#include "streams.h"

/* Frames of 16,382 numbers: with their head 65,540 bytes. */
#define FULL_FRAME ((size_t)65540)
#define FULL_NUMBERS 16382

static void open_sum(fixture *f, creo_stream *stream)
{
    assert_ok(sample_feed_sum(&f->client, stream, &f->error), &f->error);
}

static void write_number(fixture *f, creo_stream *stream, int32_t number)
{
    assert_ok(sample_feed_sum_write(stream, number, &f->error), &f->error);
}

static void assert_sum(fixture *f, creo_stream *stream)
{
    f->sum = 0;
    assert_ok(sample_feed_sum_finish(stream, &f->arena, &f->sum, &f->error), &f->error);
    assert_int_equal(f->sum, 3);
}

static void items_go_together_or_at_once(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001") "0000000f 0a 08 00000001 02 00000001 00000002", 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 {EXPECT, OPENS("00000002") "0000000b 0a 00 00000002 01 00000001", 0},
                                 {EXPECT, "0000000b 0a 08 00000002 01 00000002", 0},
                                 {SEND, THREE("00000002"), 0},
                                 {EXPECT, OPENS("00000003") "00000007 0a 08 00000003 00", 0},
                                 {SEND, THREE("00000003"), 0},
                                 {EXPECT, OPENS("00000004") "0000000b 0a 08 00000004 01 00000001", 0},
                                 {SEND, THREE("00000004"), 0},
                                 {EXPECT, ADD("00000005"), 0},
                                 {SEND, THREE("00000005"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_sum(&f, &stream);
    assert_ok(creo_stream_flush(&stream, &f.error), &f.error);
    write_number(&f, &stream, 1);
    write_number(&f, &stream, 2);
    assert_sum(&f, &stream);
    /* The end as often as it is asked for. */
    assert_sum(&f, &stream);
    open_sum(&f, &stream);
    write_number(&f, &stream, 1);
    assert_ok(creo_stream_flush(&stream, &f.error), &f.error);
    assert_ok(creo_stream_flush(&stream, &f.error), &f.error);
    write_number(&f, &stream, 2);
    assert_sum(&f, &stream);
    open_sum(&f, &stream);
    assert_sum(&f, &stream);
    open_sum(&f, &stream);
    write_number(&f, &stream, 1);
    assert_ok(creo_stream_end(&stream, &f.error), &f.error);
    assert_error_has(sample_feed_sum_write(&stream, 1, &f.error), &f.error, CREO_INVALID_VALUE, "the stream was ended with creo_stream_end");
    assert_sum(&f, &stream);
    assert_error_has(sample_feed_sum_write(&stream, 1, &f.error), &f.error, CREO_INVALID_VALUE, "the stream is not open");
    assert_error_has(creo_stream_flush(&stream, &f.error), &f.error, CREO_INVALID_VALUE, "the stream is not open");
    assert_adds(&f);
    finish(&f);
}

static void credit_is_waited_for(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001") "00010000 0a 00 00000001 fe7f 00000000 00000001", 0},
                                 /* Five frames, of which the last uses more than there is: 262,144 - 5 * 65,530 = -65,506. */
                                 {SWALLOW, NULL, 5 * FULL_FRAME - 20},
                                 {SEND, HELLO "0000000a 0b 00 00000001 0000ffe2", 0},
                                 {SEND, "0000000a 0b 00 00000001 00000001", 0},
                                 {SWALLOW, NULL, FULL_FRAME},
                                 {SEND, "0000000a 0b 00 00000001 00010000", 0},
                                 {EXPECT, "0000000b 0a 08 00000001 01 00017ff4", 0},
                                 {SEND, THREE("00000001"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_sum(&f, &stream);
    for (int32_t i = 0; i <= 6 * FULL_NUMBERS; i++)
        write_number(&f, &stream, i);
    assert_sum(&f, &stream);
    finish(&f);
}

static void the_method_answers_first(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SWALLOW, NULL, 4 * FULL_FRAME},
                                 {AWAIT, NULL, 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 {SWALLOW, NULL, FULL_FRAME},
                                 {EXPECT, "00000013 01 00 00000002" ANY8 "00000000 00", 0},
                                 {SEND, "00000009 03 00 00000002 00 0161", 0},
                                 {EXPECT, ADD("00000003"), 0},
                                 {SEND, THREE("00000003"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    int32_t number = 0;
    start(&f, script);
    open_sum(&f, &stream);
    /* All that there is credit for, and then no more. */
    while (number <= 4 * FULL_NUMBERS)
        write_number(&f, &stream, number++);
    server_go_on(&f.service);
    wait_for_input(&f, 22);
    while (sample_feed_sum_write(&stream, number, &f.error))
        number++;
    assert_int_equal(number, 5 * FULL_NUMBERS);
    assert_error_has(false, &f.error, CREO_CANCELLED, "sum has answered before all items were written");
    assert_error_has(sample_feed_sum_write(&stream, 1, &f.error), &f.error, CREO_CANCELLED, "sum has answered");
    assert_sum(&f, &stream);

    sample_feed_collect_outcome outcome;
    sample_tree tree;
    sample_tree_init(&tree);
    assert_ok(sample_feed_collect(&f.client, creo_text(""), &stream, &f.error), &f.error);
    wait_for_input(&f, 13);
    assert_int_equal(creo_stream_ready(&stream), CREO_STREAM_READ);
    assert_error_has(sample_feed_collect_write(&stream, &tree, &f.error), &f.error, CREO_CANCELLED, "collect has answered");
    assert_ok(sample_feed_collect_finish(&stream, &f.arena, &outcome, &f.error), &f.error);
    assert_int_equal(outcome.kind, SAMPLE_FEED_COLLECT_NOT_FOUND);
    assert_true(creo_string_is(outcome.as.not_found.description, "a"));
    assert_adds(&f);
    finish(&f);
}

/* An item that cannot be written ends the call, so that nobody takes the items before it for all. */
static void broken_items_end_the_call(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000014 01 00 00000001" ANY8 "00000000 0178", 0},
                                 {EXPECT, CANCEL("00000001") "00000013 01 00 00000002" ANY8 "00000000 00" CANCEL("00000002"), 0},
                                 {EXPECT, OPENS("00000003") CANCEL("00000003"), 0},
                                 {EXPECT, "00000013 01 00 00000004" ANY8 "00000000 00" CANCEL("00000004") "00000013 01 00 00000005" ANY8 "00000000 00" CANCEL("00000005"), 0},
                                 {EXPECT, ADD("00000006"), 0},
                                 {SEND, HELLO THREE("00000006"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    sample_feed_collect_outcome outcome;
    sample_tree tree;
    sample_tree deep[101];
    start(&f, script);
    sample_tree_init(&tree);
    assert_ok(sample_feed_collect(&f.client, creo_text("x"), &stream, &f.error), &f.error);
    tree.name = creo_text("fine");
    assert_ok(sample_feed_collect_write(&stream, &tree, &f.error), &f.error);
    tree.name = creo_text("\xff");
    for (int i = 0; i < 2; i++)
        assert_error_has(sample_feed_collect_write(&stream, &tree, &f.error), &f.error, CREO_INVALID_VALUE, "UTF-8 (at $items[1].name)");
    for (int i = 0; i < 2; i++)
        assert_error_has(sample_feed_collect_finish(&stream, &f.arena, &outcome, &f.error), &f.error, CREO_INVALID_VALUE, "UTF-8 (at $items[1].name)");
    assert_ok(sample_feed_collect(&f.client, creo_text(""), &stream, &f.error), &f.error);
    assert_error_has(sample_feed_collect_write(&stream, NULL, &f.error), &f.error, CREO_INVALID_VALUE, "an item is not NULL (at $items[0])");
    creo_stream_close(&stream);
    f.client.limits.max_message_size = 100;
    static const double many[20] = {0};
    assert_ok(sample_feed_drop(&f.client, &stream, &f.error), &f.error);
    assert_error_has(sample_feed_drop_write(&stream, (creo_double_array){many, 20}, &f.error), &f.error, CREO_TOO_LARGE, "maxMessageSize allows 100 (at $items[0])");
    creo_stream_close(&stream);
    static char text[200000];
    memset(text, 'x', sizeof text);
    tree.name = (creo_string){text, sizeof text};
    assert_ok(sample_feed_collect(&f.client, creo_text(""), &stream, &f.error), &f.error);
    assert_error_has(sample_feed_collect_write(&stream, &tree, &f.error), &f.error, CREO_TOO_LARGE, "maxMessageSize allows 100 (at $items[0])");
    creo_stream_close(&stream);
    f.client.limits = creo_limits_default();
    for (int i = 0; i < 101; i++) {
        sample_tree_init(&deep[i]);
        deep[i].next = i == 0 ? NULL : &deep[i - 1];
    }
    assert_ok(sample_feed_collect(&f.client, creo_text(""), &stream, &f.error), &f.error);
    assert_error_has(sample_feed_collect_write(&stream, &deep[100], &f.error), &f.error, CREO_TOO_LARGE, "maxDepth allows 100 (at $items[0].next.next");
    assert_string_equal(f.error.limit, "maxDepth");
    creo_stream_close(&stream);
    assert_adds(&f);
    finish(&f);
}

/* An item that is larger than a frame should be has one of its own. */
static void large_items(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001") "00000010 0a 00 00000001 01 01 0000000000000000", 0},
                                 {EXPECT, "000c350a 0a 00 00000001 01 a08d06", 0},
                                 {SWALLOW, NULL, 800000},
                                 {SEND, HELLO "0000000a 0b 00 00000001 00100000", 0},
                                 {EXPECT, "00000010 0a 08 00000001 01 01 0000000000000000", 0},
                                 {SEND, DONE("00000001"), 0},
                                 CLOSES};
    static const double zeros[100000] = {0};
    const creo_double_array small = {zeros, 1};
    const creo_double_array large = {zeros, 100000};
    fixture f;
    creo_stream stream;
    start(&f, script);
    assert_ok(sample_feed_drop(&f.client, &stream, &f.error), &f.error);
    assert_ok(sample_feed_drop_write(&stream, small, &f.error), &f.error);
    assert_ok(sample_feed_drop_write(&stream, large, &f.error), &f.error);
    assert_ok(sample_feed_drop_write(&stream, small, &f.error), &f.error);
    assert_ok(sample_feed_drop_finish(&stream, &f.arena, &f.error), &f.error);
    finish(&f);
}

static void talk_in_lockstep(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {EXPECT, "00000008 0a 00 00000001 01 05", 0},
                                 {SEND, HELLO "00000007 0a 00 00000001 01", 0},
                                 {EXPECT, "00000008 0a 00 00000001 01 06", 0},
                                 {SEND, "00000007 0a 00 00000001 02", 0},
                                 {EXPECT, "00000007 0a 08 00000001 00", 0},
                                 {SEND, DONE("00000001"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    sample_feed_nothings_outcome next;
    start(&f, script);
    assert_ok(sample_feed_nothings(&f.client, &stream, &f.error), &f.error);
    assert_int_equal(creo_stream_ready(&stream), CREO_STREAM_WRITE);
    for (int8_t i = 5; i < 7; i++) {
        assert_ok(sample_feed_nothings_write(&stream, i, &f.error), &f.error);
        assert_ok(sample_feed_nothings_next(&stream, &f.arena, &next, &f.error), &f.error);
        assert_int_equal(next.kind, SAMPLE_FEED_NOTHINGS_ITEM);
    }
    assert_int_equal(creo_stream_ready(&stream), CREO_STREAM_READ | CREO_STREAM_WRITE);
    assert_ok(sample_feed_nothings_next(&stream, &f.arena, &next, &f.error), &f.error);
    assert_ok(creo_stream_end(&stream, &f.error), &f.error);
    assert_ok(sample_feed_nothings_next(&stream, &f.arena, &next, &f.error), &f.error);
    assert_int_equal(next.kind, SAMPLE_FEED_NOTHINGS_END);
    assert_int_equal(creo_stream_ready(&stream), CREO_STREAM_READ);
    finish(&f);
}

/* While the client waits for credit it takes what comes, at most as much as it gave credit for (TCP-32, TCP-33). */
static void items_wait_while_the_client_writes(void **state)
{
    (void)state;
    static const act fine[] = {{ACCEPT, NULL, 0},
                               {EXPECT, PREAMBLE OPENS("00000001"), 0},
                               {SEND, HELLO "00000007 0a 00 00000001 02 00000007 0a 00 00000001 01", 0},
                               {SWALLOW, NULL, 16000},
                               {SEND, "0000000a 0b 00 00000001 00100000", 0},
                               {UNTIL_CLOSED, NULL, 0},
                               {END, NULL, 0}};
    static const act overrun[] = {{ACCEPT, NULL, 0},
                                  {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                  {SEND, HELLO "0003ffff 0a 00 00000001 00", 0},
                                  {SEND_ZEROS, NULL, 262136},
                                  {SEND, "0001000f 0a 00 00000001 00", 0},
                                  {SEND_ZEROS, NULL, 65544},
                                  {SEND, "00000007 0a 00 00000001 00", 0},
                                  CLOSES};
    fixture f;
    creo_stream stream;
    sample_feed_nothings_outcome next;
    start(&f, fine);
    assert_ok(sample_feed_nothings(&f.client, &stream, &f.error), &f.error);
    for (int i = 0; i < 300000; i++)
        assert_ok(sample_feed_nothings_write(&stream, 1, &f.error), &f.error);
    for (int i = 0; i < 3; i++) {
        assert_ok(sample_feed_nothings_next(&stream, &f.arena, &next, &f.error), &f.error);
        assert_int_equal(next.kind, SAMPLE_FEED_NOTHINGS_ITEM);
    }
    creo_stream_close(&stream);
    finish(&f);

    start(&f, overrun);
    assert_ok(sample_feed_nothings(&f.client, &stream, &f.error), &f.error);
    bool done = true;
    for (int i = 0; i < 400000 && done; i++)
        done = sample_feed_nothings_write(&stream, 1, &f.error);
    assert_error_has(done, &f.error, CREO_MALFORMED, "items for which it had no credit");
    assert_true(f.client.arena.taken < 1048576);
    assert_int_equal(creo_client_socket(&f.client), -1);
    creo_stream_close(&stream);
    finish(&f);
}

static void the_peer_dies(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SEND, HELLO, 0},
                                 {SWALLOW, NULL, FULL_FRAME},
                                 {RESET, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000002"), 0},
                                 /* What it said before it closed the connection is the reason. */
                                 {SEND, HELLO "0000000a 04 00 00000000 08 01 78 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000012 01 00 00000003" ANY8 ANY4, 0},
                                 /* It reads nothing; the deadline ends that, within a frame, too. */
                                 {SEND, HELLO "0000000a 0b 00 00000003 7f000000", 0},
                                 {PAUSE_MS, NULL, 300},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    creo_stream stream;
    start(&f, script);
    open_sum(&f, &stream);
    while (sample_feed_sum_write(&stream, 1, &f.error))
        continue;
    assert_error_has(false, &f.error, CREO_UNAVAILABLE, "127.0.0.1");
    assert_error_has(sample_feed_sum_finish(&stream, &f.arena, &f.sum, &f.error), &f.error, CREO_UNAVAILABLE, "127.0.0.1");
    assert_false(f.error.not_started);
    open_sum(&f, &stream);
    while (sample_feed_sum_write(&stream, 1, &f.error))
        continue;
    assert_error_has(sample_feed_sum_finish(&stream, &f.arena, &f.sum, &f.error), &f.error, CREO_OVERLOADED, "x");
    f.client.stream_deadline_ms = 200;
    open_sum(&f, &stream);
    while (sample_feed_sum_write(&stream, 1, &f.error))
        continue;
    assert_error_has(sample_feed_sum_finish(&stream, &f.arena, &f.sum, &f.error), &f.error, CREO_DEADLINE_EXCEEDED, "was over");
    finish(&f);
}

/* After a frame that was sent in part, no other call may use the connection, whatever ended this one. */
static void no_call_follows_half_a_frame(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001") "01e8480b 0a 00 00000001 01 8092f401", 0},
                                 /* A response whose metadata have a key twice. */
                                 {SEND, HELLO "0000000f 02 04 00000001 02 0161 0162 0161 0162", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000002"), 0},
                                 {SEND, HELLO THREE("00000002"), 0},
                                 CLOSES};
    /* More than any socket holds. */
    static const double zeros[4000000] = {0};
    fixture f;
    creo_stream stream;
    start(&f, script);
    assert_ok(sample_feed_drop(&f.client, &stream, &f.error), &f.error);
    assert_error_has(sample_feed_drop_write(&stream, (creo_double_array){zeros, 4000000}, &f.error), &f.error, CREO_MALFORMED, "the metadata of the answer");
    assert_false(f.client.open);
    assert_error_has(sample_feed_drop_finish(&stream, &f.arena, &f.error), &f.error, CREO_MALFORMED, "the metadata of the answer");
    assert_adds(&f);
    finish(&f);
}

/* What an interceptor was told. */
typedef struct told {
    char text[400];
    bool refuses;
} told;

static bool told_begin(void *context, creo_call *call, creo_error *error)
{
    told *self = (told *)context;
    size_t used = strlen(self->text);
    snprintf(self->text + used, sizeof self->text - used, "+%s/%lu ", call->method, (unsigned long)call->deadline_ms);
    return !self->refuses || creo_fail(error, CREO_PERMISSION_DENIED, "not now");
}

static void told_end(void *context, const creo_call *call, const creo_outcome *outcome)
{
    told *self = (told *)context;
    size_t used = strlen(self->text);
    snprintf(self->text + used, sizeof self->text - used, "-%s:%s:%lu:%s ", call->method, creo_code_name(outcome->code), (unsigned long)outcome->kind,
             outcome->answer == NULL ? "none" : outcome->answer->metadata_count == 1 ? "pair" : "answer");
}

static void assert_told(told *self, const char *due)
{
    assert_string_equal(self->text, due);
    self->text[0] = 0;
}

static void interceptors_see_one_call(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE OPENS("00000001"), 0},
                                 {SEND, HELLO NUMBER("00000001", ONE) "0000000b 02 04 00000001 01 0161 0162", 0},
                                 {EXPECT, "00000013 01 00 00000002" ANY8 "00000000 00", 0},
                                 {EXPECT, "00000007 0a 08 00000002 00", 0},
                                 {SEND, "00000009 03 00 00000002 00 0161", 0},
                                 {EXPECT, OPENS("00000003"), 0},
                                 {SEND, NUMBER("00000003", ONE) DONE("00000003"), 0},
                                 CLOSES};
    fixture f;
    creo_stream stream;
    told self = {"", false};
    const creo_interceptor list[] = {{&self, told_begin, told_end}};
    sample_feed_collect_outcome outcome;
    start(&f, script);
    f.client.interceptors = list;
    f.client.interceptor_count = 1;
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_told(&self, "+numbers/0 ");
    assert_end(&f, &stream);
    assert_told(&self, "-numbers:ok:0:pair ");
    const creo_answer *answer = creo_client_answer(&f.client);
    assert_true(creo_string_is(creo_pairs_find(answer->metadata, answer->metadata_count, "a"), "b"));
    assert_end(&f, &stream);
    assert_told(&self, "");
    assert_ok(sample_feed_collect(&f.client, creo_text(""), &stream, &f.error), &f.error);
    assert_ok(sample_feed_collect_finish(&stream, &f.arena, &outcome, &f.error) && outcome.kind == SAMPLE_FEED_COLLECT_NOT_FOUND, &f.error);
    assert_told(&self, "+collect/0 -collect:ok:1:answer ");
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    creo_stream_close(&stream);
    creo_stream_close(&stream);
    assert_told(&self, "+numbers/0 -numbers:cancelled:0:none ");
    self.refuses = true;
    f.client.stream_deadline_ms = 5;
    assert_error_has(sample_feed_numbers(&f.client, &stream, &f.error), &f.error, CREO_PERMISSION_DENIED, "not now");
    assert_told(&self, "+numbers/5 ");
    finish(&f);
}

/* Neither a policy nor another address repeats what has begun; another address takes what was refused before any item (CALL-45). */
static void repetitions_and_addresses(void **state)
{
    (void)state;
    static const act busy[] = {{ACCEPT, NULL, 0},
                               {EXPECT, PREAMBLE OPENS("00000001"), 0},
                               {SEND, HELLO NOT_STARTED("00000001", OVERLOADED), 0},
                               {EXPECT, OPENS("00000002") "0000000b 0a 08 00000002 01 00000001", 0},
                               {SEND, NOT_STARTED("00000002", UNAVAILABLE), 0},
                               CLOSES};
    static const act draining[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE OPENS("00000001"), 0}, {SEND, HELLO NOT_STARTED("00000001", UNAVAILABLE), 0}, CLOSES};
    static const act working[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE OPENS("........"), 0}, {SEND, HELLO NUMBER("00000002", ONE) DONE("00000002"), 0}, CLOSES};
    static const creo_retry retry = {3, 1, 1};
    fixture f;
    creo_stream stream;
    start(&f, busy);
    creo_client_set_retry(&f.client, &retry);
    open_numbers(&f, &stream);
    assert_numbers_fail(&f, &stream, CREO_OVERLOADED, "");
    assert_true(f.error.not_started && f.error.attempts == 1);
    assert_numbers_fail(&f, &stream, CREO_OVERLOADED, "");
    assert_true(f.error.not_started && f.error.attempts == 1);
    creo_address both[] = {{"127.0.0.1", f.service.port}, {"127.0.0.1", dead_port()}};
    assert_ok(creo_client_set_addresses(&f.client, both, 2, &f.error), &f.error);
    open_sum(&f, &stream);
    write_number(&f, &stream, 1);
    assert_error_has(sample_feed_sum_finish(&stream, &f.arena, &f.sum, &f.error), &f.error, CREO_UNAVAILABLE, "");
    finish(&f);

    server other;
    start(&f, draining);
    server_start(&other, working);
    creo_address two[] = {{"127.0.0.1", f.service.port}, {"127.0.0.1", other.port}};
    assert_ok(creo_client_connect(&f.client, &f.error), &f.error);
    assert_ok(creo_client_set_addresses(&f.client, two, 2, &f.error), &f.error);
    open_numbers(&f, &stream);
    assert_number(&f, &stream, 1);
    assert_end(&f, &stream);
    assert_end(&f, &stream);
    assert_true(f.client.port == other.port);
    finish(&f);
    server_join(&other);

    /* An address at which nobody listens is left out before anything of the stream is sent. */
    static const act only[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE OPENS("........"), 0}, {SEND, HELLO, 0}, CLOSES};
    start(&f, only);
    creo_address one_dead[] = {{"127.0.0.1", dead_port()}, {"127.0.0.1", f.service.port}};
    assert_ok(creo_client_set_addresses(&f.client, one_dead, 2, &f.error), &f.error);
    open_numbers(&f, &stream);
    creo_stream_close(&stream);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_go_together_or_at_once),
        cmocka_unit_test(credit_is_waited_for),
        cmocka_unit_test(the_method_answers_first),
        cmocka_unit_test(broken_items_end_the_call),
        cmocka_unit_test(large_items),
        cmocka_unit_test(talk_in_lockstep),
        cmocka_unit_test(items_wait_while_the_client_writes),
        cmocka_unit_test(the_peer_dies),
        cmocka_unit_test(no_call_follows_half_a_frame),
        cmocka_unit_test(interceptors_see_one_call),
        cmocka_unit_test(repetitions_and_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
