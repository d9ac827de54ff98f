/* Connections that are slow, lost, large or odd: spec/transports/tcp.md. */
#define _POSIX_C_SOURCE 200809L

#include "calls.h"

#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void a_silent_peer_is_given_up(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {UNTIL_CLOSED, NULL, 0},  {CLOSE, NULL, 0}, {ACCEPT, NULL, 0},
                                 {SEND, HELLO "0000000e 02 00 00000002 0000", 0}, {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, script);
    f.client.limits.connect_timeout_ms = 50;
    assert_fails(&f, CREO_PROTOCOL_MISMATCH, "did not answer with the preamble of Creo within 50 ms");
    f.client.limits.connect_timeout_ms = 10000;
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

/* The rest of an answer comes when its call has ended, and the caller's memory is gone. */
static void the_rest_of_a_late_answer_is_dropped(void **state)
{
    (void)state;
    static const struct {
        const char *half;
        const char *rest;
        size_t size;
    } answers[] = {
        {HELLO "0000000e 02 00 00000001 000000", "0000000007", 5},
        {HELLO "0000000a 02 01 00000001 00000000", "0000000a 05 00 00000001 00000007", 14},
    };
    for (size_t i = 0; i < 2; i++) {
        const act script[] = {
            {ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000001"), 0}, {SEND, answers[i].half, 0}, {EXPECT, "00000006 06 00 00000001", 0},
            {SEND, answers[i].rest, 0}, {EXPECT, ADD("00000002"), 0}, {SEND, THREE("00000002"), 0}, {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0},
        };
        fixture f;
        start(&f, script);
        f.client.deadline_ms = 100;
        assert_false(add(&f));
        assert_int_equal(f.error.code, CREO_DEADLINE_EXCEEDED);
        creo_arena_free(&f.arena);
        wait_for_input(&f, answers[i].size);
        f.client.deadline_ms = 20000;
        assert_true(add(&f));
        assert_int_equal(f.sum, 3);
        finish(&f);
    }
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

/* LIM-1, LIM-18, TCP-7 */
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
    /* LIM-18 bounds what arrives, too, and nothing that is sent. */
    start(&f, script);
    f.client.limits.max_memory = 100;
    assert_fails(&f, CREO_TOO_LARGE, "the limit maxMemory allows 100");
    assert_string_equal(f.error.limit, "maxMemory");
    assert_adds(&f);
    assert_fails(&f, CREO_TOO_LARGE, "the limit maxMemory allows 100");
    assert_adds(&f);
    finish(&f);
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

/* A layer between client and socket: every byte is changed on its way, in pieces of three, and nothing is ready at first. */
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

static creo_io_state distrust(void *context, int socket, const char *host)
{
    (void)context;
    (void)socket;
    (void)host;
    return CREO_IO_UNTRUSTED;
}

static const char *distrust_reason(void *context)
{
    (void)context;
    return "it is for another name";
}

static void a_peer_may_be_untrusted(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, script);
    mask between = {-1, 0, 0, true};
    creo_io io = {&between, distrust, mask_read, mask_write, mask_close, distrust_reason};
    creo_client_use_io(&f.client, io);
    assert_fails(&f, CREO_UNTRUSTED_PEER, "untrusted-peer: cannot connect to 127.0.0.1:");
    assert_non_null(strstr(f.error.message, "it is for another name"));
    assert_int_equal(between.closed, 1);
    finish(&f);
}

static void something_may_stand_between(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {EXPECT, "19081f15 5b 58 5a5a 5a5a5a44 5b 5a 5a5a5a5b " ANY8 ANY4 "5a5a5a5b 5a5a5a5a5a5a5a58", 0},
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
        cmocka_unit_test(a_silent_peer_is_given_up),
        cmocka_unit_test(a_peer_may_be_untrusted),
        cmocka_unit_test(lost_connections),
        cmocka_unit_test(large_requests_go_as_a_chain),
        cmocka_unit_test(early_refusals_are_heard),
        cmocka_unit_test(a_request_that_is_not_read_ends_at_its_deadline),
        cmocka_unit_test(the_rest_of_a_late_answer_is_dropped),
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
