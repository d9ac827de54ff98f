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

/* A random number that nobody must rely on. */
CREO_PRIVATE uint64_t creo_client_random(creo_client *client);

/* Releases the addresses. */
CREO_PRIVATE void creo_client_free_targets(creo_client *client);

#endif
