/* Shared by the tests of streams. */
#ifndef STREAMS_H
#define STREAMS_H

#include "calls.h"

#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}
/* Requests without parameters; items that are one number; responses without a body. */
#define OPENS(id) "00000012 01 00 " id ANY8 "00000000 "
#define NUMBER(id, number) "0000000f 0a 00 " id " 01 " number " "
#define ONE "0000000000000001"
#define TWO "0000000000000002"
#define DONE(id) "00000006 02 00 " id " "
#define CANCEL(id) "00000006 06 00 " id " "

static inline void assert_ok(bool done, const creo_error *error)
{
    char text[CREO_ERROR_TEXT];
    if (!done)
        fail_msg("%s", creo_error_format(error, text, sizeof text));
}

static inline void assert_error_has(bool done, const creo_error *error, creo_code code, const char *part)
{
    char text[CREO_ERROR_TEXT];
    assert_false(done);
    creo_error_format(error, text, sizeof text);
    if (error->code != code || strstr(text, part) == NULL)
        fail_msg("%s: %s with \"%s\" is due", text, creo_code_name(code), part);
}

static inline void open_numbers(fixture *f, creo_stream *stream)
{
    assert_ok(sample_feed_numbers(&f->client, stream, &f->error), &f->error);
}

static inline bool next_number(fixture *f, creo_stream *stream, sample_feed_numbers_outcome *next)
{
    creo_arena_reset(&f->arena);
    return sample_feed_numbers_next(stream, &f->arena, next, &f->error);
}

static inline void assert_number(fixture *f, creo_stream *stream, int64_t number)
{
    sample_feed_numbers_outcome next;
    assert_ok(next_number(f, stream, &next), &f->error);
    assert_int_equal(next.kind, SAMPLE_FEED_NUMBERS_ITEM);
    assert_int_equal(next.as.item, number);
}

static inline void assert_end(fixture *f, creo_stream *stream)
{
    sample_feed_numbers_outcome next;
    assert_ok(next_number(f, stream, &next), &f->error);
    assert_int_equal(next.kind, SAMPLE_FEED_NUMBERS_END);
}

static inline void assert_numbers_fail(fixture *f, creo_stream *stream, creo_code code, const char *part)
{
    sample_feed_numbers_outcome next;
    assert_error_has(next_number(f, stream, &next), &f->error, code, part);
}

#endif
