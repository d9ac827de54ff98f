/* Calls over JMS whose result is a stream, with a scripted broker: spec/transports/jms.md, section 8. */
#define _POSIX_C_SOURCE 200809L

#include "feed.h"

#include <poll.h>

#include "../../src/tcp+streams/streaming.h"

/* Items and ends. */

static void three_numbers(broker *broker)
{
    char room[300];
    if (is_add(broker))
        return;
    broker->step += strcmp(pn_message_get_reply_to(broker->request), "items") == 0 && pn_message_get_ttl(broker->request) == 0 && pn_message_is_durable(broker->request) &&
                    strcmp(broker_property(broker, "Creo_timeout", room), "999999999") == 0 && strcmp(broker_property(broker, "SOAPJMS_contentType", room), BINARY) == 0 &&
                    strlen(broker_property(broker, "Creo_method", room)) == 16 && pn_message_get_correlation_id(broker->request).u.as_bytes.size == 32;
    say_numbers(broker, RUN, 0, 2);
    say_numbers(broker, RUN, 2, 0);
    say_numbers(broker, RUN, 2, 1);
    const char *const end[] = {"SOAPJMS_contentType", BINARY, "Creo_kind", "response", "Creo_run", RUN, "Creo_item", "3", "Creo_meta_x_2da", "%C3%A9", NULL};
    broker_send(broker, broker_answer(end, "", 0), NULL);
}

static void items_and_the_end(void **state)
{
    (void)state;
    fixture f = {0};
    f.broker.max_frame = 512;
    start(&f, three_numbers);
    for (int i = 1; i <= 3; i++) {
        assert_ok(&f, open_numbers(&f));
        for (int number = 0; number < 3; number++)
            assert_number(&f, number);
        assert_end(&f);
        const creo_answer *answer = creo_client_answer(&f.jms.client);
        assert_true(answer != NULL && answer->metadata_count == 1 && creo_string_is(answer->metadata[0].key, "x-a") && creo_string_is(answer->metadata[0].value, "\xC3\xA9"));
        creo_stream_close(&f.stream);
        assert_end(&f);
        assert_adds(&f);
        assert_true(f.broker.made == i && f.broker.deleted == i && f.broker.step == i);
    }
    assert_int_equal(f.broker.connections, 1);
    finish(&f);
}

static void no_items(broker *broker)
{
    if (!is_add(broker))
        say_end(broker, "0");
}

static void empty_streams(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, no_items);
    assert_ok(&f, open_numbers(&f));
    assert_int_equal(creo_stream_ready(&f.stream), CREO_STREAM_READ);
    assert_end(&f);
    assert_adds(&f);
    assert_int_equal(f.broker.deleted, 1);
    finish(&f);
}

static void ends_of_blocks(broker *broker)
{
    say(broker, "items", "0123456789ABCDEF", "0", "\1\x3f\xf0\0\0\0\0\0\0\0\7", 11);
    if (broker->requests == 1)
        say(broker, "exception", RUN, "1", "\0\1a", 3);
    else
        say(broker, "error", RUN, "1", "\x0a\2no\1\1a\1b", 9);
}

static void exceptions_and_errors_after_items(void **state)
{
    (void)state;
    fixture f = {0};
    sample_feed_blocks_outcome next;
    start(&f, ends_of_blocks);
    for (int call = 0; call < 2; call++) {
        assert_ok(&f, sample_feed_blocks(&f.jms.client, creo_text("x"), creo_bytes_of("y", 1), &f.stream, &f.error));
        assert_ok(&f, sample_feed_blocks_next(&f.stream, &f.arena, &next, &f.error));
        assert_true(next.kind == SAMPLE_FEED_BLOCKS_ITEM && next.as.item.d == 1.0 && next.as.item.s == 7);
        for (int i = 0; i < 2; i++) {
            bool done = sample_feed_blocks_next(&f.stream, &f.arena, &next, &f.error);
            assert_int_equal(done, call == 0);
            if (done) {
                assert_int_equal(next.kind, SAMPLE_FEED_BLOCKS_NOT_FOUND);
                assert_true(creo_string_is(next.as.not_found.description, "a"));
            } else {
                assert_failed(&f, done, CREO_PERMISSION_DENIED, "no");
                assert_true(f.error.from_peer && creo_string_is(creo_error_detail(&f.error, "a"), "b"));
            }
        }
    }
    finish(&f);
}

/* The end of a call by the program, and slow programs. */

#define MANY 60

static void many_numbers(broker *broker)
{
    if (is_add(broker))
        return;
    for (unsigned i = 0; i < MANY; i++)
        say_numbers(broker, RUN, 200 * i, 200);
    say_end(broker, "12000");
}

static void closed_before_the_end(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, many_numbers);
    for (int call = 1; call <= 3; call++) {
        assert_ok(&f, open_numbers(&f));
        for (int i = 0; i < 100 * call; i++)
            assert_number(&f, i);
        creo_stream_close(&f.stream);
        creo_stream_close(&f.stream);
        assert_failure(&f, CREO_CANCELLED, "the program closed the stream before its end");
        assert_adds(&f);
        assert_int_equal(f.broker.deleted, call);
    }
    assert_int_equal(f.broker.connections, 1);
    finish(&f);
}

/* The window has room for three messages of 200 numbers. */
#define WINDOW 4000

static volatile unsigned taken;

static void assert_bounded(broker *broker)
{
    /* The first grant comes before the request. */
    int granted = (broker->requests == 0 ? 0 : MANY + 1) + pn_link_credit(broker->items);
    broker->step++;
    if (granted > (int)taken / 200 + 3 + 2)
        snprintf(broker->problem, sizeof broker->problem, "%d messages were granted when %u items were taken", granted, taken);
}

static void credit_follows_the_program(void **state)
{
    (void)state;
    fixture f = {0};
    f.broker.granted = assert_bounded;
    taken = 0;
    start(&f, many_numbers);
    f.jms.client.limits.stream_window = WINDOW;
    assert_ok(&f, open_numbers(&f));
    for (int i = 0; i < 200 * MANY; i++) {
        assert_number(&f, i);
        taken++;
        /* What waits is taken in, as far as there is room. */
        if (i % 50 == 0)
            (void)creo_stream_ready(&f.stream);
    }
    assert_end(&f);
    assert_adds(&f);
    assert_true(f.broker.step > 10 && f.broker.most_credit == 2);
    /* Memory follows the window, and not the stream. */
    assert_true(f.jms.client.arena.taken < 200000);
    finish(&f);
}

static void large_items(broker *broker)
{
    size_t count = broker->requests == 3 ? 37500 : 12500;
    size_t size = 0;
    uint8_t *body = (uint8_t *)calloc(1, 3 + 8 * count);
    for (size_t left = count; left != 0; left >>= 7)
        body[size++] = (uint8_t)((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    say(broker, "items", RUN, "0", body, size + 8 * count);
    free(body);
    say_end(broker, "12500");
}

static void messages_over_the_window_and_over_the_limit(void **state)
{
    (void)state;
    for (int memory = 0; memory < 2; memory++) {
        const char *limit = memory ? "maxMemory" : "maxMessageSize";
        fixture f = {0};
        f.broker.max_frame = 1024;
        start(&f, large_items);
        f.jms.client.limits.stream_window = 10;
        assert_ok(&f, open_numbers(&f));
        for (int i = 0; i < 12500; i++)
            assert_number(&f, 0);
        assert_end(&f);
        if (memory)
            f.jms.client.limits.max_memory = 90000;
        else
            f.jms.client.limits.max_message_size = 90000;
        for (int i = 0; i < 2; i++) {
            assert_ok(&f, open_numbers(&f));
            assert_failure(&f, CREO_TOO_LARGE, limit);
        }
        assert_int_equal(f.broker.connections, 1);
        finish(&f);
    }
}

/* Connections and deadlines. */

static void make_trouble(broker *broker)
{
    if (is_add(broker))
        return;
    say_numbers(broker, RUN, 0, 2);
    broker->kept = broker->kept == NULL ? pn_message() : broker->kept;
}

/* When the client has taken the items, the broker is gone. */
static void leave_then(broker *broker)
{
    if (broker->requests == 0 || pn_link_queued(broker->items) != 0 || broker->kept == NULL)
        return;
    pn_message_free(broker->kept);
    broker->kept = NULL;
    switch (broker->step++) {
    case 0:
        broker_drop(broker);
        break;
    case 1:
        broker_detach(broker, "amqp:resource-deleted");
        break;
    case 2:
        broker_close(broker, "amqp:connection:forced");
        break;
    default:
        broker_close(broker, "amqp:unauthorized-access");
        break;
    }
}

static void lost_connections(void **state)
{
    (void)state;
    fixture f = {0};
    f.broker.granted = leave_then;
    start(&f, make_trouble);
    for (int i = 0; i < 4; i++) {
        assert_ok(&f, open_numbers(&f));
        assert_number(&f, 0);
        assert_number(&f, 1);
        assert_failure(&f, i < 3 ? CREO_UNAVAILABLE : CREO_PERMISSION_DENIED, "the broker");
        assert_adds(&f);
    }
    assert_int_equal(f.broker.connections, 5);
    /* The program's own end of the connection. */
    f.broker.granted = NULL;
    assert_ok(&f, open_numbers(&f));
    assert_number(&f, 0);
    creo_client_disconnect(&f.jms.client);
    assert_number(&f, 1);
    assert_failure(&f, CREO_UNAVAILABLE, "was lost");
    assert_adds(&f);
    finish(&f);
}

static void no_end(broker *broker)
{
    char room[300];
    if (is_add(broker))
        return;
    broker->step = atoi(broker_property(broker, "Creo_timeout", room)) <= 200 && pn_message_get_ttl(broker->request) <= 200 && pn_message_get_ttl(broker->request) > 0;
    say_numbers(broker, RUN, 0, 1);
}

static void deadlines(void **state)
{
    (void)state;
    for (int lives = 0; lives < 2; lives++) {
        fixture f = {0};
        start_at(&f, lives ? "jms:queue:data?timeToLive=200" : "jms:queue:data", creo_allocator_libc(), no_end);
        f.jms.client.stream_deadline_ms = lives ? 0 : 200;
        assert_adds(&f);
        assert_ok(&f, open_numbers(&f));
        assert_number(&f, 0);
        assert_failure(&f, CREO_DEADLINE_EXCEEDED, "was over before it was answered");
        assert_true(f.broker.step);
        assert_adds(&f);
        assert_true(f.broker.connections == 1 && f.broker.deleted == 1);
        finish(&f);
    }
}

static void say_with_gap(broker *broker)
{
    if (is_add(broker))
        return;
    say_numbers(broker, RUN, 0, 1);
    say_numbers(broker, RUN, 3, 1);
}

/* The broker drops what has expired: a gap is malformed only if the call's time is not over. */
static void items_that_have_expired(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        fixture f = {0};
        start(&f, say_with_gap);
        assert_ok(&f, open_numbers(&f));
        if (late) {
            f.jms.client.streaming->until = creo_now();
            struct pollfd readable = {creo_client_socket(&f.jms.client), POLLIN, 0};
            assert_int_equal(poll(&readable, 1, -1), 1);
            (void)creo_stream_ready(&f.stream);
        }
        assert_number(&f, 0);
        assert_failure(&f, late ? CREO_DEADLINE_EXCEEDED : CREO_MALFORMED, late ? "was over" : "begins with the item 3");
        assert_adds(&f);
        finish(&f);
    }
}

static void one_call_at_a_time(void **state)
{
    (void)state;
    fixture f = {0};
    creo_stream other;
    int64_t sum;
    start(&f, three_numbers);
    assert_ok(&f, open_numbers(&f));
    assert_failed(&f, sample_sample_add(&f.jms.client, 1, 2, &f.arena, &sum, &f.error), CREO_INVALID_VALUE, "a client makes one call at a time");
    assert_failed(&f, sample_feed_numbers(&f.jms.client, &other, &f.error), CREO_INVALID_VALUE, "creo_stream_close");
    for (int number = 0; number < 3; number++)
        assert_number(&f, number);
    assert_end(&f);
    finish(&f);
}

/* Refusals. */

static void refuse(broker *broker)
{
    if (!is_add(broker))
        broker->condition = "amqp:resource-limit-exceeded";
}

static void refusals_of_the_broker(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, refuse);
    assert_ok(&f, open_numbers(&f));
    assert_failure(&f, CREO_OVERLOADED, "the broker refused the message");
    assert_adds(&f);
    assert_true(f.broker.connections == 1 && f.broker.deleted == 1);
    f.broker.refuse_queues = true;
    assert_failed(&f, open_numbers(&f), CREO_PERMISSION_DENIED, "not here");
    assert_null(f.jms.client.streaming);
    finish(&f);
}

static void streams_that_jms_does_not_carry(void **state)
{
    (void)state;
    static const char due[] = "has streams, which the binary wire carries over TCP, those that are results also over JMS";
    fixture f = {0};
    start(&f, three_numbers);
    assert_failed(&f, sample_feed_talk(&f.jms.client, &f.stream, &f.error), CREO_UNKNOWN_METHOD, due);
    assert_failed(&f, sample_feed_sum(&f.jms.client, &f.stream, &f.error), CREO_UNKNOWN_METHOD, due);
    creo_jms_free(&f.jms);
    for (int wire = CREO_JMS_SOAP; wire <= CREO_JMS_TDXML; wire++) {
        assert_true(creo_jms_init(&f.jms, "127.0.0.1", f.broker.port, "jms:queue:data", (creo_jms_wire)wire, &sample_feed_text, creo_allocator_libc(), &f.error));
        assert_failed(&f, open_numbers(&f), CREO_UNKNOWN_METHOD, due);
        creo_jms_free(&f.jms);
    }
    broker_stop(&f.broker);
    creo_arena_free(&f.arena);
    assert_int_equal(f.broker.connections, 0);
}

/* Memory. */

static int allocations_left;

static void *allocate(void *context, size_t size)
{
    (void)context;
    return allocations_left-- > 0 ? malloc(size) : NULL;
}

static void release_piece(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

static void little_memory(void **state)
{
    (void)state;
    creo_allocator allocator = {allocate, release_piece, NULL};
    fixture f = {0};
    bool whole = false;
    start_at(&f, "jms:queue:data", allocator, many_numbers);
    f.jms.client.limits.stream_window = 100000;
    for (int allowed = 0; !whole; allowed++) {
        sample_feed_numbers_outcome next = {0};
        int count = 0;
        bool done;
        assert_true(allowed < 100);
        creo_client_disconnect(&f.jms.client);
        creo_arena_free(&f.jms.client.arena);
        allocations_left = allowed;
        done = open_numbers(&f);
        while (done && (done = next_number(&f, &next)) && next.kind == SAMPLE_FEED_NUMBERS_ITEM)
            assert_int_equal(next.as.item, count++);
        whole = done && next.kind == SAMPLE_FEED_NUMBERS_END;
        if (whole)
            assert_int_equal(count, 12000);
        else
            assert_int_equal(f.error.code, CREO_TOO_LARGE);
        assert_null(f.jms.client.streaming);
    }
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_and_the_end), cmocka_unit_test(empty_streams), cmocka_unit_test(exceptions_and_errors_after_items),
        cmocka_unit_test(closed_before_the_end), cmocka_unit_test(credit_follows_the_program),
        cmocka_unit_test(messages_over_the_window_and_over_the_limit), cmocka_unit_test(lost_connections), cmocka_unit_test(deadlines), cmocka_unit_test(items_that_have_expired),
        cmocka_unit_test(one_call_at_a_time), cmocka_unit_test(refusals_of_the_broker), cmocka_unit_test(streams_that_jms_does_not_carry),
        cmocka_unit_test(little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
