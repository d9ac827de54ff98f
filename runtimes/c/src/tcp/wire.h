/* Wires over TCP. Not part of the API. */
#ifndef CREO_SRC_WIRE_H
#define CREO_SRC_WIRE_H

#include <creo/client.h>

#include "../base/internal.h"
#include "../call/answer.h"

/* A wire other than the binary one (TCP-1). Errors have the binary form (ERR-3). */
struct creo_wire {
    uint8_t number;
    const char *name;
    bool (*encode)(const creo_client *client, creo_writer *writer, const creo_method *method, const void *arguments);
    /* Reads a response or an exception. The body must outlive the result. */
    bool (*read)(const creo_client *client, const creo_method *method, const creo_answer_body *answer, creo_arena *arena, void *outcome, creo_error *error);
};

/* Makes the bodies of a TCP client use this wire. Before the first call; both must live as long as the client. */
CREO_PRIVATE void creo_client_use_wire(creo_client *client, const struct creo_wire *wire, const void *context);

#endif
