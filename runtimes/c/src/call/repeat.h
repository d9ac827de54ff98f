/* Attempts of a call: at one of several addresses, and again after a wait. Not part of the API. */
#ifndef CREO_SRC_REPEAT_H
#define CREO_SRC_REPEAT_H

#include "transport.h"

#define CREO_MAX_BUDGET 500

/* A call, however often it is attempted. */
typedef struct creo_invocation {
    /* NULL: a connection is opened, and no call is made. */
    const creo_method *method;
    const void *arguments;
    creo_arena *arena;
    void *outcome;
    creo_instant until;
    /* Sends the request of a call with streams, once; the error is not NULL. NULL: an ordinary call. */
    bool (*open)(creo_client *client, const void *arguments, creo_error *error);
} creo_invocation;

/* What a client with several addresses does (CALL-32 to CALL-38). */
struct creo_balance {
    /* Makes one attempt of a call: at the current address and, if that did not start the call, at the others. */
    bool (*place)(creo_client *client, const creo_invocation *call, creo_error *error);
    /*
     * The same for streams that are open, after an error that the peer has sent: false unless they are open at another address. The error is that of the
     * last attempt.
     */
    bool (*place_again)(creo_client *client, const creo_invocation *call, creo_error *error);
    /* A call with streams has ended (CALL-43): what that says of its address. `error` is NULL if the method has answered. */
    void (*settle)(creo_client *client, const creo_error *error);
    /* Releases the addresses. */
    void (*release)(creo_client *client);
};

/* Makes the call, as often as the client's retry policy says if there is one. The error is not NULL. */
CREO_PRIVATE bool creo_client_repeat(creo_client *client, const creo_invocation *call, creo_error *error);

/* Makes one attempt of it: at the current address or, if there are several, as `creo_balance` does. */
CREO_PRIVATE bool creo_client_place(creo_client *client, const creo_invocation *call, creo_error *error);

/* One attempt at the current address. */
CREO_PRIVATE bool creo_client_attempt(creo_client *client, const creo_invocation *call, creo_error *error);

/* Completes the error of an attempt by what it says of the call (CALL-21, CALL-24). */
CREO_PRIVATE void creo_client_take_advice(const creo_client *client, creo_error *error);

/* The beginnings of the interceptors: `begun` of them let the call continue. */
CREO_PRIVATE bool creo_client_begin(creo_client *client, creo_call *call, size_t *begun, creo_error *error);

/* Sends a call by the options that the interceptors have left: as `creo_client_repeat`, or `creo_client_place` for streams. */
CREO_PRIVATE bool creo_client_make(creo_client *client, const creo_call *call, const creo_invocation *made, creo_error *error);

/* Their ends; `error` is NULL if the method has answered. */
CREO_PRIVATE void creo_client_ended(const creo_client *client, const creo_call *call, size_t begun, creo_instant start, uint32_t kind, const creo_error *error);

#endif
