#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../call/transport.h"
#include "http_reading.h"
#include "http_session.h"

/* The max number of pieces per write. */
#define BATCH 32

/* How long to read from a service that closes the connection while a request is being sent. */
#define LAST_WORDS_MS 1000

bool creo_http_read_rest(creo_http_reading *in, const creo_http_request *request, creo_http_answer *answer)
{
    creo_client *client = in->client;
    if (!creo_http_read_body(in)) {
        creo_socket_close(client);
        return false;
    }
    answer->body = creo_bytes_of(in->body, in->body_size);
    /* Unexpected input makes the connection useless (HTTP-5). */
    if (!in->keep || client->frames.input_at != client->frames.input_end)
        creo_socket_close(client);
    creo_raw_show_answer(request->call, answer);
    if (!creo_http_take_answer(request->call, answer, in->error))
        return false;
    if (!in->compressed)
        return true;
    if (request->gzip == NULL)
        return creo_fail(in->error, CREO_PROTOCOL_MISMATCH, "%s sent a compressed answer, which was not asked for", client->peer);
    return creo_http_expand(request->gzip, answer->body, &client->limits, in->arena, &answer->body, client->peer, in->error);
}

bool creo_http_drop_rest(creo_http_reading *in, const creo_http_request *request, creo_http_answer *answer)
{
    creo_arena dropped;
    creo_arena_init(&dropped, in->client->allocator);
    in->arena = &dropped;
    bool done = creo_http_read_rest(in, request, answer);
    creo_arena_free(&dropped);
    answer->body = creo_bytes_of(NULL, 0);
    return done;
}

static bool http_read_answer(creo_http_reading *in, const creo_http_request *request, creo_http_answer *answer)
{
    if (!creo_http_read_head(in, answer)) {
        creo_socket_close(in->client);
        return false;
    }
    bool followed = request->call->trip != NULL && creo_http_is_followed(request->call, answer);
    return followed || creo_digest_asks(request->call, answer) ? creo_http_drop_rest(in, request, answer) : creo_http_read_rest(in, request, answer);
}

/* A kept connection that has received something, or was closed, is useless. */
void creo_http_check(creo_client *client)
{
    size_t done = 0;
    if (creo_socket_read(client, client->frames.input, CREO_INPUT_SIZE, &done, false, creo_now()) != CREO_RESULT_TIMEOUT)
        creo_socket_close(client);
}

static struct iovec http_piece_of(creo_bytes bytes)
{
    /* The system's type has no const; the bytes are only read. */
    union {
        const uint8_t *from;
        void *to;
    } pointer = {bytes.data};
    return (struct iovec){pointer.to, bytes.size};
}

static creo_result send_all(creo_client *client, const creo_http_request *request, creo_instant deadline)
{
    size_t next = 0;
    if (creo_now() >= deadline)
        return CREO_RESULT_TIMEOUT;
    bool first = true;
    while (first || next < request->piece_count) {
        struct iovec pieces[BATCH];
        size_t count = 0;
        if (first)
            pieces[count++] = http_piece_of(request->head);
        first = false;
        while (count < BATCH && next < request->piece_count)
            pieces[count++] = http_piece_of(request->pieces[next++]);
        size_t done;
        creo_result result = creo_socket_write(client, pieces, count, &done, deadline);
        client->sent = client->sent || done > 0;
        if (result != CREO_RESULT_DONE)
            return result;
    }
    return CREO_RESULT_DONE;
}

bool creo_http_exchange_heads(creo_client *client, creo_bytes head, creo_instant until, creo_http_answer *answer, creo_error *error)
{
    struct iovec piece = http_piece_of(head);
    size_t sent;
    creo_error own;
    creo_http_reading in;
    creo_http_read_begin(&in, client, until, NULL, error == NULL ? &own : error);
    bool done = creo_socket_write(client, &piece, 1, &sent, until) == CREO_RESULT_DONE;
    if (!done)
        return creo_fail(in.error, CREO_UNAVAILABLE, "cannot connect to %s: the connection was lost", client->peer);
    done = creo_http_read_head(&in, answer);
    /* The deadline is that for connecting. */
    if (!done && in.error->code == CREO_DEADLINE_EXCEEDED)
        return creo_fail(in.error, CREO_UNAVAILABLE, "cannot connect to %s: timed out", client->peer);
    if (done && answer->status >= 200 && answer->status < 300 && client->frames.input_at != client->frames.input_end)
        return creo_http_mismatch(&in, "something that was not asked for");
    return done;
}

bool creo_http_send(creo_client *client, const creo_http_request *request, creo_instant deadline, creo_arena *arena, creo_http_answer *answer, bool *answered,
                    creo_error *error)
{
    *answered = false;
    for (;;) {
        if (client->open)
            creo_http_check(client);
        bool reused = client->open;
        if (!client->open && !creo_client_open(client, deadline, error))
            return creo_http_name_proxy(client, error);
        creo_result result = send_all(client, request, deadline);
        if (result == CREO_RESULT_DONE)
            return true;
        if (result == CREO_RESULT_TIMEOUT) {
            creo_socket_close(client);
            return creo_client_fail_deadline(client, "before it was sent", error);
        }
        /* A service may refuse a request before it has read all of it; its answer is better than a closed connection. */
        creo_http_reading in;
        creo_http_read_begin(&in, client, creo_earlier(deadline, creo_after(creo_now(), LAST_WORDS_MS)), arena, error);
        *answered = http_read_answer(&in, request, answer);
        creo_socket_close(client);
        if (*answered)
            return true;
        /* The request was not sent completely, and the service has said nothing: it cannot have started the call (HTTP-5). */
        if (reused && !in.any)
            continue;
        bool hasty = error->code == CREO_DEADLINE_EXCEEDED && creo_now() < deadline;
        return (in.any && !hasty) ? false : creo_fail(error, CREO_UNAVAILABLE, "the connection to %s was lost while the call was sent", client->peer);
    }
}

bool creo_http_exchange(creo_client *client, const creo_http_request *request, creo_instant deadline, creo_arena *arena, creo_http_answer *answer, creo_error *error)
{
    bool answered;
    creo_http_reading in;
    if (!creo_http_send(client, request, deadline, arena, answer, &answered, error) || answered)
        return answered;
    creo_http_read_begin(&in, client, deadline, arena, error);
    return http_read_answer(&in, request, answer);
}
