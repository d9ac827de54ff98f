/* What a transport offers, and what all transports use. Not part of the API. */
#ifndef CREO_SRC_TRANSPORT_H
#define CREO_SRC_TRANSPORT_H

#include "../base/internal.h"
#include "socket.h"

/* The memory for bytes that were received and not yet used. */
#define CREO_INPUT_SIZE ((size_t)16384)

struct creo_transport {
    bool (*call)(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);
    /* Checks a connection on which no call is under way, and closes it if it is of no more use. NULL: the next call does that. */
    void (*check)(creo_client *client);
    /* Ends what the transport keeps on the socket, before that is closed. NULL: nothing. */
    void (*close)(creo_client *client);
    /* Goes on from the proxy to which the socket is connected, before the io begins. NULL: the transport uses no proxies. */
    bool (*tunnel)(creo_client *client, creo_instant until, creo_error *error);
};

/* The proxy that the next connection goes through, or NULL. */
static inline const creo_proxy *creo_client_proxy(const creo_client *client)
{
    bool none = client->transport->tunnel == NULL || client->proxy == NULL || client->proxy->host == NULL;
    return none ? NULL : client->proxy;
}

/* A client that makes its calls by that transport. Does not connect yet. */
CREO_MODULE void creo_client_prepare(creo_client *client, const char *host, uint16_t port, creo_allocator allocator, const struct creo_transport *transport);

/* Sets the address to which a client that is not connected connects next. */
CREO_MODULE void creo_client_set_address(creo_client *client, const char *host, uint16_t port);

/* Has memory for input. False, with an error, if there is none. */
CREO_PRIVATE bool creo_client_take_input(creo_client *client, creo_error *error);

/* Opens a connection. */
CREO_PRIVATE bool creo_client_open(creo_client *client, creo_instant deadline, creo_error *error);

/* Gives the error the peer's address. Returns false. */
CREO_MODULE bool creo_client_name_peer(const creo_client *client, creo_error *error);

/* The call's time is over. `when`: "before it answered". Returns false. */
CREO_PRIVATE bool creo_client_fail_deadline(const creo_client *client, const char *when, creo_error *error);

#endif
