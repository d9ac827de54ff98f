#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../base/utf8.h"
#include "transport.h"

#include <stdio.h>

void creo_client_prepare(creo_client *client, const char *host, uint16_t port, creo_allocator allocator, const struct creo_transport *transport)
{
    memset(client, 0, sizeof *client);
    client->limits = creo_limits_default();
    client->deadline_ms = 60000;
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
    const char *form = strchr(host, ':') == NULL ? "%.100s:%u" : "[%.100s]:%u";
    char raw[CREO_PEER_SIZE];
    (void)snprintf(raw, sizeof raw, form, host, (unsigned)port);
    creo_text_show(client->peer, sizeof client->peer, creo_text(raw));
}

void creo_client_use_io(creo_client *client, creo_io io)
{
    client->io = io;
    client->has_io = true;
}

/* Prepares for a new connection. Keeps the input's memory. */
static void reset_stream(creo_client *client)
{
    uint8_t *input = client->stream.input;
    memset(&client->stream, 0, sizeof client->stream);
    client->stream.input = input;
    client->preamble_sent = false;
}

void creo_client_disconnect(creo_client *client)
{
    if (client->transport != NULL && client->transport->close != NULL)
        client->transport->close(client);
    creo_socket_close(client);
    reset_stream(client);
}

void creo_client_free(creo_client *client)
{
    creo_client_disconnect(client);
    if (client->stream.input != NULL)
        client->allocator.release(client->allocator.context, client->stream.input, CREO_INPUT_SIZE);
    client->stream.input = NULL;
    creo_arena_free(&client->arena);
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
    if (client->stream.input == NULL)
        client->stream.input = (uint8_t *)client->allocator.allocate(client->allocator.context, CREO_INPUT_SIZE);
    return client->stream.input != NULL || creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the connection");
}

bool creo_client_open(creo_client *client, creo_instant deadline, creo_error *error)
{
    if (!creo_client_take_input(client, error))
        return false;
    reset_stream(client);
    client->preamble_due = CREO_NEVER;
    creo_instant timeout = creo_after(creo_now(), client->limits.connect_timeout_ms);
    if (creo_socket_open(client, creo_earlier(deadline, timeout), error))
        return true;
    return deadline < timeout && creo_now() >= deadline ? creo_client_fail_deadline(client, "before it was connected", error) : false;
}

bool creo_client_connect(creo_client *client, creo_error *error)
{
    if (client->open && client->transport->check != NULL)
        client->transport->check(client);
    return client->open || creo_client_open(client, creo_after(creo_now(), client->deadline_ms), error) || creo_client_name_peer(client, error);
}

bool creo_client_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    return client->transport->call(client, method, arguments, arena, outcome, error);
}
