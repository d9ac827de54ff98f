/* Attempts of a call: at several addresses, and again after a wait. Not part of the API. */
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

struct creo_target {
    char host[CREO_HOST_SIZE];
    uint16_t port;
    /* For the call that is being placed. */
    bool tried;
    /* It was ejected, and has not answered since (CALL-34). */
    bool probe;
    /* The calls in succession that were sent and ended without an answer. */
    uint8_t lost;
    /* The length of the last ejection since a call has succeeded; 0: none. */
    uint32_t ejection_ms;
    /* The end of the ejection. */
    creo_instant until;
};

/* Makes the call by the client's retry policy (CALL-20 to CALL-27). The error is not NULL. */
CREO_PRIVATE bool creo_client_repeat(creo_client *client, const creo_invocation *call, creo_error *error);

/* Makes one attempt of it: at the current address and, if that did not start the call, at the others (CALL-32). */
CREO_PRIVATE bool creo_client_place(creo_client *client, const creo_invocation *call, creo_error *error);

/*
 * The same for streams that are open, after an error that the peer has sent: false unless they are open at another address. The error is that of the last
 * attempt.
 */
CREO_PRIVATE bool creo_client_place_again(creo_client *client, const creo_invocation *call, creo_error *error);

/* A call with streams has ended (CALL-43): what that says of its address. `error` is NULL if the method has answered, else completed. */
CREO_PRIVATE void creo_client_settle(creo_client *client, creo_error *error);

/* The beginnings of the interceptors: `begun` of them let the call continue. */
CREO_PRIVATE bool creo_client_begin(creo_client *client, creo_call *call, size_t *begun, creo_error *error);

/* Sends a call by the options that the interceptors have left: as `creo_client_repeat`, or `creo_client_place` for streams. */
CREO_PRIVATE bool creo_client_make(creo_client *client, const creo_call *call, const creo_invocation *made, creo_error *error);

/* Their ends; `error` is NULL if the method has answered. */
CREO_PRIVATE void creo_client_ended(const creo_client *client, const creo_call *call, size_t begun, creo_instant start, uint32_t kind, const creo_error *error);

/* A random number that nobody must rely on. */
CREO_PRIVATE uint64_t creo_client_random(creo_client *client);

/* Releases the addresses. */
CREO_PRIVATE void creo_client_free_targets(creo_client *client);

#endif
