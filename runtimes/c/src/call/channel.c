#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../base/utf8.h"
#include "repeat.h"

#include <stdio.h>

void creo_client_prepare(creo_client *client, const char *host, uint16_t port, creo_allocator allocator, const struct creo_transport *transport)
{
    memset(client, 0, sizeof *client);
    client->limits = creo_limits_default();
    client->deadline_ms = 60000;
    client->ejection_ms = 1000;
    client->max_ejection_ms = 60000;
    client->budget = CREO_MAX_BUDGET;
    client->allocator = allocator;
    creo_arena_init(&client->arena, allocator);
    client->socket = -1;
    client->transport = transport;
    creo_client_set_address(client, host, port);
}

void creo_client_set_address(creo_client *client, const char *host, uint16_t port)
{
    client->port = port;
    /* A name that is too long for the name service is truncated, and not found. */
    (void)snprintf(client->host, sizeof client->host, "%s", host);
    creo_client_set_peer(client);
}

void creo_client_set_peer(creo_client *client)
{
    const char *form = strchr(client->host, ':') == NULL ? "%.100s:%u" : "[%.100s]:%u";
    char raw[CREO_PEER_SIZE];
    (void)snprintf(raw, sizeof raw, form, client->host, (unsigned)client->port);
    creo_text_show(client->peer, sizeof client->peer, creo_text(raw));
    client->redirected = false;
}

bool creo_host_valid(const char *host)
{
    for (const char *at = host; *at != 0; at++)
        if (*at <= ' ' || *at >= 0x7F)
            return false;
    return *host != 0 && strlen(host) < CREO_HOST_SIZE && strpbrk(host, "/@?#[]") == NULL;
}

void creo_client_use_io(creo_client *client, creo_io io)
{
    client->io = io;
    client->has_io = true;
}

/* Prepares for a new connection. Keeps the input's memory. */
static void reset_frames(creo_client *client)
{
    uint8_t *input = client->frames.input;
    memset(&client->frames, 0, sizeof client->frames);
    client->frames.input = input;
    client->preamble_sent = false;
}

void creo_client_disconnect(creo_client *client)
{
    if (client->transport != NULL && client->transport->close != NULL)
        client->transport->close(client);
    creo_socket_close(client);
    reset_frames(client);
}

void creo_client_free(creo_client *client)
{
    creo_client_disconnect(client);
    if (client->frames.input != NULL)
        client->allocator.release(client->allocator.context, client->frames.input, CREO_INPUT_SIZE);
    client->frames.input = NULL;
    if (client->balance != NULL)
        client->balance->release(client);
    if (client->transport != NULL && client->transport->forget != NULL)
        client->transport->forget(client, NULL, 0);
    creo_arena_free(&client->arena);
    client->answered = false;
    client->streaming = client->streamed = NULL;
}

bool creo_client_name_peer(const creo_client *client, creo_error *error)
{
    if (error != NULL)
        memcpy(error->peer, client->peer, sizeof error->peer);
    return false;
}

bool creo_client_fail_deadline(const creo_client *client, const char *when, creo_error *error)
{
    return creo_fail(error, CREO_DEADLINE_EXCEEDED, "the time for the call to %s was over %s", client->peer, when);
}

bool creo_client_take_input(creo_client *client, creo_error *error)
{
    if (client->frames.input == NULL)
        client->frames.input = (uint8_t *)client->allocator.allocate(client->allocator.context, CREO_INPUT_SIZE);
    return client->frames.input != NULL || creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the connection");
}

bool creo_client_open(creo_client *client, creo_instant deadline, creo_error *error)
{
    if (!creo_client_take_input(client, error))
        return false;
    reset_frames(client);
    client->preamble_due = CREO_NEVER;
    creo_instant timeout = creo_after(creo_now(), client->limits.connect_timeout_ms);
    if (creo_socket_open(client, creo_earlier(deadline, timeout), error))
        return true;
    return deadline < timeout && creo_now() >= deadline ? creo_client_fail_deadline(client, "before it was connected", error) : false;
}

bool creo_client_connect(creo_client *client, creo_error *error)
{
    const creo_invocation connection = {NULL, NULL, NULL, NULL, creo_after(creo_now(), client->deadline_ms), NULL};
    creo_error own;
    if (error == NULL)
        error = &own;
    if (!creo_client_is_free(client, error))
        return false;
    if (client->open && client->transport->check != NULL)
        client->transport->check(client);
    return client->open || creo_client_place(client, &connection, error) || creo_client_name_peer(client, error);
}

/* Runs the ends of the first `count` interceptors, the last one first. */
static void run_ends(const creo_client *client, size_t count, const creo_call *call, const creo_outcome *outcome)
{
    while (count-- > 0)
        if (client->interceptors[count].end != NULL)
            client->interceptors[count].end(client->interceptors[count].context, call, outcome);
}

bool creo_client_begin(creo_client *client, creo_call *call, size_t *begun, creo_error *error)
{
    client->reached = client->open;
    for (*begun = 0; *begun < client->interceptor_count; ++*begun) {
        const creo_interceptor *next = &client->interceptors[*begun];
        creo_error refusal;
        creo_error_clear(&refusal);
        if (next->begin == NULL || next->begin(next->context, call, &refusal))
            continue;
        if (refusal.code == CREO_OK)
            (void)creo_fail(&refusal, CREO_INTERNAL, "an interceptor refused the call");
        refusal.not_started = true;
        *error = refusal;
        client->reached = false;
        return false;
    }
    return true;
}

bool creo_client_make(creo_client *client, const creo_call *call, const creo_invocation *made, creo_error *error)
{
    const creo_call before = {NULL, NULL, 0, client->metadata, client->metadata_count, client->headers, client->header_count};
    client->metadata = call->metadata;
    client->metadata_count = call->metadata_count;
    client->headers = call->headers;
    client->header_count = call->header_count;
    bool done = made->open == NULL ? creo_client_repeat(client, made, error) : creo_client_place(client, made, error);
    client->metadata = before.metadata;
    client->metadata_count = before.metadata_count;
    client->headers = before.headers;
    client->header_count = before.header_count;
    return done;
}

void creo_client_ended(const creo_client *client, const creo_call *call, size_t begun, creo_instant start, uint32_t kind, const creo_error *error)
{
    creo_outcome end;
    memset(&end, 0, sizeof end);
    end.code = error == NULL ? CREO_OK : error->code;
    end.kind = kind;
    end.error = error;
    end.nanoseconds = (uint64_t)(creo_now() - start);
    end.peer = client->reached ? client->peer : NULL;
    end.answer = creo_client_answer(client);
    run_ends(client, begun, call, &end);
}

/* The time that the interceptors took is part of the call's time (CALL-11). */
static bool call_intercepted(creo_client *client, creo_invocation *made, creo_instant start, creo_error *error)
{
    const creo_method *method = made->method;
    creo_call call = {method->interface->name, method->name, client->deadline_ms, client->metadata, client->metadata_count, client->headers, client->header_count};
    size_t begun;
    uint32_t kind = 0;
    bool done = creo_client_begin(client, &call, &begun, error);
    made->until = creo_after(start, call.deadline_ms);
    done = done && creo_client_make(client, &call, made, error);
    if (done && method->exception_count != 0 && made->outcome != NULL)
        memcpy(&kind, made->outcome, sizeof kind);
    creo_client_ended(client, &call, begun, start, kind, done ? NULL : error);
    return done;
}

bool creo_client_is_free(const creo_client *client, creo_error *error)
{
    if (client->streaming == NULL)
        return true;
    return creo_fail(error, CREO_INVALID_VALUE, "a stream of this client is open, and a client makes one call at a time: read it to its end or close it with creo_stream_close first, or use another client");
}

bool creo_client_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_instant start = creo_now();
    creo_invocation made = {method, arguments, arena, outcome, creo_after(start, client->deadline_ms), NULL};
    creo_error own;
    if (error == NULL)
        error = &own;
    if (!creo_client_is_free(client, error))
        return false;
    client->answered = false;
    client->streamed = NULL;
    return client->interceptor_count != 0 ? call_intercepted(client, &made, start, error) : creo_client_repeat(client, &made, error);
}
