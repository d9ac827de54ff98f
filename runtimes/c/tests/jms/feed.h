/* Shared by the tests of streams over JMS. */
#ifndef FEED_H
#define FEED_H

#include "broker.h"

#include <creo/jms.h>

#include "sample.text.h"

#define BINARY "application/vnd.creo.binary"
#define RUN "0123456789abcdef"
#define OTHER_RUN "fedcba9876543210"

typedef struct fixture {
    broker broker;
    creo_jms jms;
    creo_arena arena;
    creo_error error;
    creo_stream stream;
} fixture;

static inline void start_at(fixture *f, const char *address, creo_allocator allocator, respond *respond)
{
    f->broker.respond = respond;
    broker_start(&f->broker);
    creo_arena_init(&f->arena, creo_allocator_libc());
    assert_true(creo_jms_init(&f->jms, "127.0.0.1", f->broker.port, address, CREO_JMS_BINARY, NULL, allocator, &f->error));
}

static inline void start(fixture *f, respond *respond)
{
    start_at(f, "jms:queue:data", creo_allocator_libc(), respond);
}

static inline void finish(fixture *f)
{
    creo_jms_free(&f->jms);
    creo_arena_free(&f->arena);
    broker_stop(&f->broker);
}

static inline void assert_ok(fixture *f, bool done)
{
    char text[CREO_ERROR_TEXT];
    if (!done)
        fail_msg("%s", creo_error_format(&f->error, text, sizeof text));
}

static inline void assert_failed(fixture *f, bool done, creo_code code, const char *part)
{
    char text[CREO_ERROR_TEXT];
    assert_false(done);
    creo_error_format(&f->error, text, sizeof text);
    if (f->error.code != code || strstr(text, part) == NULL)
        fail_msg("%s: %s with \"%s\" is due", text, creo_code_name(code), part);
}

static inline bool open_numbers(fixture *f)
{
    return sample_feed_numbers(&f->jms.client, &f->stream, &f->error);
}

static inline bool next_number(fixture *f, sample_feed_numbers_outcome *next)
{
    creo_arena_reset(&f->arena);
    return sample_feed_numbers_next(&f->stream, &f->arena, next, &f->error);
}

static inline void assert_number(fixture *f, int64_t number)
{
    sample_feed_numbers_outcome next;
    assert_ok(f, next_number(f, &next));
    assert_int_equal(next.kind, SAMPLE_FEED_NUMBERS_ITEM);
    assert_int_equal(next.as.item, number);
}

/* The same end, as often as one reads on. */
static inline void assert_end(fixture *f)
{
    sample_feed_numbers_outcome next;
    for (int i = 0; i < 2; i++) {
        assert_ok(f, next_number(f, &next));
        assert_int_equal(next.kind, SAMPLE_FEED_NUMBERS_END);
    }
}

static inline void assert_failure(fixture *f, creo_code code, const char *part)
{
    sample_feed_numbers_outcome next;
    char peer[40];
    snprintf(peer, sizeof peer, "127.0.0.1:%u", (unsigned)f->broker.port);
    for (int i = 0; i < 2; i++) {
        assert_failed(f, next_number(f, &next), code, part);
        assert_string_equal(f->error.peer, peer);
    }
    assert_null(f->jms.client.streaming);
}

/* A call without a stream: when it is answered, the broker has seen all that came before. */
static inline void assert_adds(fixture *f)
{
    int64_t sum = 0;
    creo_stream stream = f->stream;
    assert_ok(f, sample_sample_add(&f->jms.client, 1, 2, &f->arena, &sum, &f->error));
    assert_int_equal(sum, 3);
    f->stream = stream;
}

/* What the broker sends. */

static inline bool is_add(broker *broker)
{
    static const char *const result[] = {"SOAPJMS_contentType", BINARY, "Creo_kind", "response", NULL};
    static const uint8_t three[8] = {0, 0, 0, 0, 0, 0, 0, 3};
    if (strcmp(pn_message_get_reply_to(broker->request), "answers") != 0)
        return false;
    broker_send(broker, broker_answer(result, three, sizeof three), NULL);
    return true;
}

static inline void say(broker *broker, const char *kind, const char *run, const char *item, const void *body, size_t size)
{
    const char *properties[] = {"SOAPJMS_contentType", BINARY, "Creo_kind", kind, "Creo_run", run, "Creo_item", item, NULL};
    broker_send(broker, broker_answer(properties, body, size), NULL);
}

/* So many numbers, which begin with `first`. */
static inline void say_numbers(broker *broker, const char *run, unsigned first, unsigned count)
{
    uint8_t body[2 + 8 * 200] = {0};
    char item[20];
    size_t size = 0;
    if (count > 0x7f)
        body[size++] = (uint8_t)(count | 0x80);
    body[size++] = (uint8_t)(count > 0x7f ? count >> 7 : count);
    for (unsigned i = first; i < first + count; i++, size += 8) {
        body[size + 6] = (uint8_t)(i >> 8);
        body[size + 7] = (uint8_t)i;
    }
    snprintf(item, sizeof item, "%u", first);
    say(broker, "items", run, item, body, size);
}

static inline void say_end(broker *broker, const char *item)
{
    say(broker, "response", RUN, item, "", 0);
}

#endif
