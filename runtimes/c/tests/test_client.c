/* The client against scripts of bytes: spec/transports/tcp.md. */
#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "sample.creo.h"

#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PREAMBLE "4352454f 01 00 0000 "
#define HELLO "4352454f 01 01 0000 "
#define ANY8 "........ ........ "
#define ANY4 "........ "
/* A request `add(1, 2)` of a call id, and its answer 3. */
#define ADD(id) "0000001e 01 00 " id ANY8 ANY4 "00000001 0000000000000002 "
#define THREE(id) "0000000e 02 00 " id "0000000000000003 "

typedef struct fixture {
    server service;
    creo_client client;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

static void start(fixture *f, const act *script)
{
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    creo_client_init(&f->client, "127.0.0.1", f->service.port, creo_allocator_libc());
    creo_arena_init(&f->arena, creo_allocator_libc());
}

static void finish(fixture *f)
{
    creo_client_free(&f->client);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

static bool add(fixture *f)
{
    return sample_sample_add(&f->client, 1, 2, &f->arena, &f->sum, &f->error);
}

static void assert_adds(fixture *f)
{
    f->sum = 0;
    if (!add(f)) {
        char text[CREO_ERROR_TEXT];
        fail_msg("%s", creo_error_format(&f->error, text, sizeof text));
    }
    assert_int_equal(f->sum, 3);
}

static void assert_fails(fixture *f, creo_code code, const char *part)
{
    assert_false(add(f));
    char text[CREO_ERROR_TEXT];
    creo_error_format(&f->error, text, sizeof text);
    if (f->error.code != code || strstr(text, part) == NULL)
        fail_msg("%s: %s with \"%s\" is due", text, creo_code_name(code), part);
    char peer[40];
    snprintf(peer, sizeof peer, "127.0.0.1:%u", (unsigned)f->service.port);
    assert_string_equal(f->error.peer, peer);
}

/* Waits until so many bytes, or the end of the connection, wait for the client to be looked at. */
static void wait_for_input(const fixture *f, size_t count)
{
    static uint8_t seen[65536];
    for (int i = 0; i < 2000 && f->client.stream.input_end - f->client.stream.input_at < count; i++) {
        struct pollfd entry = {creo_client_socket(&f->client), POLLIN, 0};
        assert_int_equal(poll(&entry, 1, 20000), 1);
        ssize_t there = recv(entry.fd, seen, sizeof seen, MSG_PEEK);
        if (there <= 0 || (size_t)there + (f->client.stream.input_end - f->client.stream.input_at) >= count)
            return;
        struct timespec time = {0, 10000000};
        nanosleep(&time, NULL);
    }
}

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
                                 /* An empty first frame, a ping within the chain, an answer that nobody waits for. */
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
        /* A number that nobody knows. */
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
    /* The frame is one byte shorter than what is sent: what remains is then no frame. */
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
        {"00000006 0a 00 00000001", "a kind that a server does not send"},
        {"00000005 02 00 00000001", "wrong length"},
        {"80000006 02 00 00000001", "wrong length"},
        {"00000006 02 02 00000001", "compressed"},
        {"00000006 02 04 00000001", "flags that its kind does not have"},
        {"00000006 07 01 00000001", "flags or bytes"},
        {"00000007 06 00 00000001 00", "flags or bytes"},
        {"00000006 09 00 00000001", "goodbye with a call id"},
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

/* TCP-12: the call ends, a cancel goes out, a late answer disturbs nobody. */
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

static void a_silent_peer_is_given_up(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {UNTIL_CLOSED, NULL, 0},  {CLOSE, NULL, 0}, {ACCEPT, NULL, 0},
                                 {SEND, HELLO "0000000e 02 00 00000002 0000", 0}, {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, script);
    f.client.limits.preamble_timeout_ms = 50;
    assert_fails(&f, CREO_UNAVAILABLE, "did not say that it speaks Creo");
    f.client.limits.preamble_timeout_ms = 10000;
    f.client.limits.frame_timeout_ms = 50;
    assert_fails(&f, CREO_UNAVAILABLE, "was too slow with its answer");
    finish(&f);
}

static void lost_connections(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000002"), 0},
                                 {SEND, HELLO THREE("00000002"), 0},
                                 /* Closed between calls: the next call finds that out before it writes. */
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000003"), 0},
                                 {SEND, HELLO THREE("00000003"), 0},
                                 /* Goodbye (TCP-15). */
                                 {SEND, "00000006 09 00 00000000", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000004"), 0},
                                 {SEND, HELLO "00000006 09 00 00000000" THREE("00000004"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000005"), 0},
                                 /* An error of the whole connection. */
                                 {SEND, HELLO "00000009 04 00 00000000 01 00 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, CREO_UNAVAILABLE, "closed the connection while the call was under way");
    assert_adds(&f);
    wait_for_input(&f, 1);
    assert_adds(&f);
    wait_for_input(&f, 1);
    assert_adds(&f);
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_MALFORMED);
    assert_int_equal(creo_client_socket(&f.client), -1);
    finish(&f);
    assert_fails(&f, CREO_UNAVAILABLE, "refused");
    creo_client_free(&f.client);
}

/* Big byte strings go from the caller's memory, in frames of one MiB. */
static void large_requests_go_as_a_chain(void **state)
{
    (void)state;
    enum { SIZE = 3 << 20 };
    /* find("x", 7, nothing, data): 2 + 4 + 1 + 4 bytes before the data, of which the first three take a MiB each. */
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00100012 01 01 00000001 " ANY8 ANY4 "0178 00000007 00 8080c001 0100", 0},
                                 {SWALLOW, NULL, (1 << 20) - 13},
                                 {EXPECT, "00100006 05 01 00000001", 0},
                                 {SWALLOW, NULL, 1 << 20},
                                 {PAUSE_MS, NULL, 50},
                                 {EXPECT, "00100006 05 01 00000001", 0},
                                 {SWALLOW, NULL, 1 << 20},
                                 {EXPECT, "00000011 05 00 00000001", 0},
                                 {SWALLOW, NULL, 10},
                                 {EXPECT, "02", 0},
                                 {SEND, HELLO "00000007 02 00 00000001 00", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    uint8_t *data = (uint8_t *)calloc(SIZE, 1);
    assert_non_null(data);
    data[0] = 1;
    data[SIZE - 1] = 2;
    sample_block_array blocks;
    assert_true(sample_sample_find(&f.client, creo_text("x"), 7, NULL, creo_bytes_of(data, SIZE), &f.arena, &blocks, &f.error));
    assert_int_equal(blocks.count, 0);
    free(data);
    finish(&f);
}

/* A service that refuses a request while it is still being sent, and stops reading: what it said counts. */
static void early_refusals_are_heard(void **state)
{
    (void)state;
    enum { SIZE = 64 << 20 };
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {SWALLOW, NULL, 100},
                                 {SEND, HELLO "0000000b 04 00 00000001 08 02 6e6f 00", 0},
                                 {PAUSE_MS, NULL, 100},
                                 {RESET, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    uint8_t *data = (uint8_t *)calloc(SIZE, 1);
    assert_non_null(data);
    sample_block_array blocks;
    assert_false(sample_sample_find(&f.client, creo_text("x"), 7, NULL, creo_bytes_of(data, SIZE), &f.arena, &blocks, &f.error));
    /* A reset may throw away what was not yet read: then the connection was lost. */
    assert_true(f.error.code == CREO_OVERLOADED || f.error.code == CREO_UNAVAILABLE);
    free(data);
    finish(&f);
}

static void a_request_that_is_not_read_ends_at_its_deadline(void **state)
{
    (void)state;
    enum { SIZE = 64 << 20 };
    static const act script[] = {{ACCEPT, NULL, 0}, {SWALLOW, NULL, 10}, {PAUSE_MS, NULL, 400}, {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, script);
    uint8_t *data = (uint8_t *)calloc(SIZE, 1);
    assert_non_null(data);
    sample_block_array blocks;
    f.client.deadline_ms = 100;
    assert_false(sample_sample_find(&f.client, creo_text("x"), 7, NULL, creo_bytes_of(data, SIZE), &f.arena, &blocks, &f.error));
    assert_int_equal(f.error.code, CREO_DEADLINE_EXCEEDED);
    free(data);
    finish(&f);
}

static void large_answers_arrive(void **state)
{
    (void)state;
    /* 10 bytes of a block times 1,000,000, in two frames. */
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE, 0},
                                 {SWALLOW, NULL, 22 + 8},
                                 {SEND, HELLO "004c4b49 02 01 00000001 c0843d", 0},
                                 {SEND_ZEROS, NULL, 5000000},
                                 {SEND, "004c4b46 05 00 00000001", 0},
                                 {SEND_ZEROS, NULL, 4999998},
                                 {SEND, "0007", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    sample_block_array blocks;
    bool done = sample_sample_find(&f.client, creo_text("x"), 7, NULL, creo_bytes_of(NULL, 0), &f.arena, &blocks, &f.error);
    char text[CREO_ERROR_TEXT];
    if (!done)
        fail_msg("%s", creo_error_format(&f.error, text, sizeof text));
    assert_int_equal(blocks.count, 1000000);
    assert_int_equal(blocks.items[999999].s, 7);
    finish(&f);
}

/* LIM-3: a frame that claims a hundred megabytes and brings little costs little. */
static void memory_follows_what_arrives(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "06000000 02 00 00000001", 0},
                                 {SEND_ZEROS, NULL, 3000000},
                                 {CLOSE, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    assert_in_range(f.arena.taken, 1, 1048576 + 4 * 3000000 + 65536);
    finish(&f);
}

/* LIM-1, TCP-7 */
static void answers_that_are_too_large_are_refused(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "00000040 02 01 00000001", 0},
                                 {SEND_ZEROS, NULL, 58},
                                 {SEND, "00000050 05 01 00000001", 0},
                                 {SEND_ZEROS, NULL, 74},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000002"), 0},
                                 {SEND, HELLO THREE("00000002"), 0},
                                 {EXPECT, ADD("00000003"), 0},
                                 {SEND, "7fffffff 02 01 00000003", 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000004"), 0},
                                 {SEND, HELLO THREE("00000004"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    f.client.limits.max_message_size = 100;
    assert_fails(&f, CREO_TOO_LARGE, "the limit maxMessageSize allows 100");
    assert_string_equal(f.error.limit, "maxMessageSize");
    assert_adds(&f);
    assert_fails(&f, CREO_TOO_LARGE, "the limit maxMessageSize allows 100");
    assert_adds(&f);
    sample_block_array blocks;
    static const uint8_t data[200];
    assert_false(sample_sample_find(&f.client, creo_text("x"), 7, NULL, creo_bytes_of(data, 200), &f.arena, &blocks, &f.error));
    assert_error(&f.error, "too-large: the limit maxMessageSize allows 100 (at $.data)");
    finish(&f);
}

/* TCP-17 */
static void metadata_goes_along(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000025 01 04 00000001 " ANY8 ANY4 "01 01 6b 03 c3a976 00000001 0000000000000002", 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    creo_pair pairs[65] = {{{"k", 1}, {"\xC3\xA9v", 3}}};
    f.client.metadata = pairs;
    f.client.metadata_count = 1;
    assert_adds(&f);
    static const char *const wrong[] = {"", "K", "a b", "creo-x", "0123456789012345678901234567890123456789012345678901234567890123x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        pairs[0].key = creo_text(wrong[i]);
        assert_false(add(&f));
        assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    }
    pairs[0].key = creo_text("k");
    pairs[1] = pairs[0];
    f.client.metadata_count = 2;
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    f.client.metadata_count = 65;
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_TOO_LARGE);
    char *large = (char *)malloc(20000);
    assert_non_null(large);
    memset(large, 'x', 20000);
    pairs[0].value = (creo_string){large, 20000};
    f.client.metadata_count = 1;
    assert_false(add(&f));
    assert_string_equal(f.error.limit, "maxMetadataSize");
    free(large);
    finish(&f);
}

static void oneway_calls_do_not_wait(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "00000014 01 00 00000001 " ANY8 ANY4 "0161", 0},
                                 {EXPECT, "00000014 01 00 00000002 " ANY8 ANY4 "0162", 0},
                                 {SEND, HELLO, 0},
                                 {UNTIL_CLOSED, NULL, 0},
                                 {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_true(sample_sample_note(&f.client, creo_text("a"), &f.error));
    assert_true(sample_sample_note(&f.client, creo_text("b"), &f.error));
    finish(&f);
}

static void names_that_are_not_found(void **state)
{
    (void)state;
    fixture f;
    memset(&f, 0, sizeof f);
    creo_client_init(&f.client, "no-such-host.invalid", 1, creo_allocator_libc());
    creo_arena_init(&f.arena, creo_allocator_libc());
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    assert_non_null(strstr(f.error.message, "no-such-host.invalid:1: name lookup failed"));
    creo_client_free(&f.client);
}

/* What stands between client and socket: here every byte is changed on its way, in pieces of three, and nothing is there at the first try. */
typedef struct mask {
    int socket;
    int opened;
    int closed;
    bool ready;
} mask;

static creo_io_state mask_open(void *context, int socket, const char *host)
{
    mask *self = (mask *)context;
    assert_string_equal(host, "127.0.0.1");
    self->socket = socket;
    return self->opened++ == 0 ? CREO_IO_WANT_WRITE : CREO_IO_DONE;
}

static creo_io_state mask_read(void *context, void *into, size_t size, size_t *done)
{
    mask *self = (mask *)context;
    self->ready = !self->ready;
    if (!self->ready)
        return CREO_IO_WANT_READ;
    ssize_t count = recv(self->socket, into, size < 3 ? size : 3, 0);
    if (count <= 0)
        return count == 0 ? CREO_IO_CLOSED : CREO_IO_WANT_READ;
    for (ssize_t i = 0; i < count; i++)
        ((uint8_t *)into)[i] ^= 0x5A;
    *done = (size_t)count;
    return CREO_IO_DONE;
}

static creo_io_state mask_write(void *context, const void *from, size_t size, size_t *done)
{
    mask *self = (mask *)context;
    uint8_t byte = ((const uint8_t *)from)[0] ^ 0x5A;
    if (size == 0 || send(self->socket, &byte, 1, 0) != 1)
        return CREO_IO_FAILED;
    *done = 1;
    return CREO_IO_DONE;
}

static void mask_close(void *context)
{
    ((mask *)context)->closed++;
}

static void something_may_stand_between(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {EXPECT, "19081f15 5b 5a 5a5a 5a5a5a44 5b 5a 5a5a5a5b " ANY8 ANY4 "5a5a5a5b 5a5a5a5a5a5a5a58", 0},
        {SEND, "19081f15 5b 5b 5a5a 5a5a5a54 58 5a 5a5a5a5b 5a5a5a5a5a5a5a59", 0},
        {UNTIL_CLOSED, NULL, 0},
        {END, NULL, 0}};
    fixture f;
    start(&f, script);
    mask between = {-1, 0, 0, true};
    creo_io io = {&between, mask_open, mask_read, mask_write, mask_close, NULL};
    creo_client_use_io(&f.client, io);
    assert_adds(&f);
    creo_client_disconnect(&f.client);
    assert_int_equal(between.opened, 2);
    assert_int_equal(between.closed, 1);
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
        cmocka_unit_test(a_silent_peer_is_given_up),
        cmocka_unit_test(lost_connections),
        cmocka_unit_test(large_requests_go_as_a_chain),
        cmocka_unit_test(early_refusals_are_heard),
        cmocka_unit_test(a_request_that_is_not_read_ends_at_its_deadline),
        cmocka_unit_test(large_answers_arrive),
        cmocka_unit_test(memory_follows_what_arrives),
        cmocka_unit_test(answers_that_are_too_large_are_refused),
        cmocka_unit_test(metadata_goes_along),
        cmocka_unit_test(oneway_calls_do_not_wait),
        cmocka_unit_test(names_that_are_not_found),
        cmocka_unit_test(something_may_stand_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
