/* Shared by the tests of JSON over HTTP. */
#ifndef LINES_H
#define LINES_H

#include "server.h"

#include "sample.text.h"

#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}
#define OPENS {HEAR, "POST /feed/numbers HTTP/1.1\r\n|Content-Type: application/json\r\n|Content-Length: 2\r\n|\r\n\r\n{}", 0}
#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
#define ITEM(digit) "b\r\n{\"item\":" digit "}\n\r\n"
#define LAST "d\r\n{\"end\":true}\n\r\n0\r\n\r\n"
#define PROBLEM(status, size, document) "HTTP/1.1 " status "\r\nContent-Type: application/problem+json\r\nContent-Length: " size "\r\n\r\n" document

typedef struct fixture {
    server service;
    creo_json json;
    creo_client *client;
    creo_arena arena;
    creo_error error;
} fixture;

static inline void start_at(fixture *f, const act *script, const creo_text_interface *interface, const char *path)
{
    char url[64];
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/%s", (unsigned)f->service.port, path);
    assert_true(creo_json_init(&f->json, url, interface, creo_allocator_libc(), &f->error));
    f->client = &f->json.client;
    creo_arena_init(&f->arena, creo_allocator_libc());
}

static inline void start(fixture *f, const act *script)
{
    start_at(f, script, &sample_feed_text, "feed");
}

static inline void finish(fixture *f)
{
    creo_json_free(&f->json);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

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
    assert_ok(sample_feed_numbers(f->client, stream, &f->error), &f->error);
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
