/* Shared by the tests of redirects, cookies and credentials. */
#ifndef SESSION_H
#define SESSION_H

#include "server.h"

#include "sample.text.h"

#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}
#define GOOD "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n3"
#define REDIRECT(place) "HTTP/1.1 307 Moved\r\nLocation: " place "\r\nContent-Length: 5\r\n\r\nmoved"
/* The credentials are `me` and `hunter2`. */
#define BASIC "\r\nAuthorization: Basic bWU6aHVudGVyMg==\r\n"

typedef struct fixture {
    server service;
    creo_json json;
    creo_client *client;
    creo_http_options options;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

/* A client whose URL is that of a service which follows the script. */
static inline void start(fixture *f, const act *script)
{
    char url[60];
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    assert_true(creo_json_init(&f->json, url, &sample_sample_text, creo_allocator_libc(), &f->error));
    f->client = &f->json.client;
    f->client->http = &f->options;
    creo_arena_init(&f->arena, creo_allocator_libc());
}

static inline void finish(fixture *f)
{
    creo_json_free(&f->json);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

static inline void assert_adds(fixture *f)
{
    char text[CREO_ERROR_TEXT];
    f->sum = 0;
    if (!sample_sample_add(f->client, 1, 2, &f->arena, &f->sum, &f->error))
        fail_msg("%s", creo_error_format(&f->error, text, sizeof text));
    assert_int_equal(f->sum, 3);
}

static inline void assert_fails(fixture *f, creo_code code, const char *part)
{
    char text[CREO_ERROR_TEXT];
    assert_false(sample_sample_add(f->client, 1, 2, &f->arena, &f->sum, &f->error));
    creo_error_format(&f->error, text, sizeof text);
    if (f->error.code != code || strstr(text, part) == NULL)
        fail_msg("%s: %s with \"%s\" is due", text, creo_code_name(code), part);
}

/* The error is from or about the peer at this port. */
static inline void assert_peer(const fixture *f, unsigned port)
{
    char peer[40];
    snprintf(peer, sizeof peer, "127.0.0.1:%u", port);
    assert_string_equal(f->error.peer, peer);
}

#endif
