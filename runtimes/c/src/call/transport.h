/* The interface of a transport, and the functions that all transports use. Not part of the API. */
#ifndef CREO_SRC_TRANSPORT_H
#define CREO_SRC_TRANSPORT_H

#include "../base/internal.h"
#include "socket.h"

/* The size of the input buffer. */
#define CREO_INPUT_SIZE ((size_t)16384)

struct creo_transport {
    /* Makes one attempt; the error is not NULL. */
    bool (*call)(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);
    /* Whether it is TCP, whose frames carry streams; and what else carries those of a client: NULL, or its result is, if nothing does (CALL-47). */
    bool streams;
    const struct creo_carrier *(*carrier)(const creo_client *client);
    /* Checks a connection without a call, and closes it if it is no longer usable. NULL: the next call does that, so there is only one address. */
    void (*check)(creo_client *client);
    /* Releases what the transport keeps for the socket before it is closed. NULL for nothing. */
    void (*close)(creo_client *client);
    /* Opens a tunnel through the connected proxy before the io begins. NULL: the transport uses no proxies. */
    bool (*tunnel)(creo_client *client, creo_instant until, creo_error *error);
    /* Releases what the transport keeps for an address, or for all if `host` is NULL. NULL for nothing. */
    void (*forget)(creo_client *client, const char *host, uint16_t port);
};

/* The proxy for the next connection, or NULL. */
static inline const creo_proxy *creo_client_proxy(const creo_client *client)
{
    bool none = client->transport->tunnel == NULL || client->proxy == NULL || client->proxy->host == NULL;
    return none ? NULL : client->proxy;
}

/* A client that uses this transport. It does not connect yet. */
CREO_MODULE void creo_client_prepare(creo_client *client, const char *host, uint16_t port, creo_allocator allocator, const struct creo_transport *transport);

/* Sets the next address of a client that is not connected. */
CREO_MODULE void creo_client_set_address(creo_client *client, const char *host, uint16_t port);

/* Sets the peer to the client's address. */
CREO_PRIVATE void creo_client_set_peer(creo_client *client);

/* Room for the host of an address. */
#define CREO_HOST_SIZE 256

/* Whether a text may be the host of an address: printable ASCII, nothing of a URL around it. */
CREO_PRIVATE bool creo_host_valid(const char *host);

/* Allocates memory for input. False, with an error, if there is none. */
CREO_PRIVATE bool creo_client_take_input(creo_client *client, creo_error *error);

/* Opens a connection. */
CREO_PRIVATE bool creo_client_open(creo_client *client, creo_instant deadline, creo_error *error);

/* Whether no streams are open; otherwise the error says what to do. */
CREO_PRIVATE bool creo_client_is_free(const creo_client *client, creo_error *error);

/* Sets the peer's address in the error. Returns false. */
CREO_MODULE bool creo_client_name_peer(const creo_client *client, creo_error *error);

/* The error for a call whose deadline has passed. `when`: "before it answered". Returns false. */
CREO_PRIVATE bool creo_client_fail_deadline(const creo_client *client, const char *when, creo_error *error);

#endif
