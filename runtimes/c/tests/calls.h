/* Shared by the tests of the client: frames as text, and a client with a scripted service. */
#ifndef CALLS_H
#define CALLS_H

#include "server.h"

#include "sample.creo.h"

#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#define PREAMBLE "4352454f 01 02 0000 "
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

static inline void start(fixture *f, const act *script)
{
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    creo_client_init(&f->client, "127.0.0.1", f->service.port, creo_allocator_libc());
    creo_arena_init(&f->arena, creo_allocator_libc());
}

static inline void finish(fixture *f)
{
    creo_client_free(&f->client);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

static inline bool add(fixture *f)
{
    return sample_sample_add(&f->client, 1, 2, &f->arena, &f->sum, &f->error);
}

static inline void assert_adds(fixture *f)
{
    f->sum = 0;
    if (!add(f)) {
        char text[CREO_ERROR_TEXT];
        fail_msg("%s", creo_error_format(&f->error, text, sizeof text));
    }
    assert_int_equal(f->sum, 3);
}

static inline void assert_fails(fixture *f, creo_code code, const char *part)
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

/* Waits until this many bytes, or the end of the connection, are ready for the client. */
static inline void wait_for_input(const fixture *f, size_t count)
{
    static uint8_t seen[65536];
    for (int i = 0; i < 2000 && f->client.frames.input_end - f->client.frames.input_at < count; i++) {
        struct pollfd entry = {creo_client_socket(&f->client), POLLIN, 0};
        assert_int_equal(poll(&entry, 1, 20000), 1);
        ssize_t there = recv(entry.fd, seen, sizeof seen, MSG_PEEK);
        if (there <= 0 || (size_t)there + (f->client.frames.input_end - f->client.frames.input_at) >= count)
            return;
        struct timespec time = {0, 10000000};
        nanosleep(&time, NULL);
    }
}

#endif
