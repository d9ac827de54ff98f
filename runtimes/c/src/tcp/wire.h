/* Wires over TCP. Not part of the API. */
#ifndef CREO_SRC_WIRE_H
#define CREO_SRC_WIRE_H

#include <creo/client.h>

#include "../base/internal.h"
#include "../call/answer.h"

/* Another wire than the binary one (TCP-1). Errors are as they are on that (ERR-3). */
struct creo_wire {
    uint8_t number;
    bool (*encode)(const creo_client *client, creo_writer *writer, const creo_method *method, const void *arguments);
    /* Reads a response or an exception. The body must outlive what was read. */
    bool (*read)(const creo_client *client, const creo_method *method, const creo_answer_body *answer, creo_arena *arena, void *outcome, creo_error *error);
};

/* The bodies of a client over TCP are of that wire. Before the first call; both must live as long as the client. */
CREO_PRIVATE void creo_client_use_wire(creo_client *client, const struct creo_wire *wire, const void *context);

#endif
