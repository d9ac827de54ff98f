/* A request: made in memory, then sent as frames. Not part of the API. */
#ifndef CREO_SRC_REQUEST_H
#define CREO_SRC_REQUEST_H

#include "../base/internal.h"
#include "../call/socket.h"

typedef struct creo_request {
    uint32_t id;
    const creo_method *method;
    /* The metadata with its count, if there is any. */
    creo_bytes metadata;
    /* The body: its own bytes and the caller's pieces between them. */
    creo_bytes own;
    const creo_piece *pieces;
    size_t piece_count;
    size_t size;
} creo_request;

/* Encodes a request in the client's arena. Large byte strings stay in the caller's memory. */
CREO_PRIVATE bool creo_request_make(creo_client *client, const creo_method *method, const void *arguments, uint32_t id, creo_request *request, creo_error *error);

/* Sends it, with the preamble if the connection is new. Sets whether any byte of it was written. */
CREO_PRIVATE creo_result creo_request_send(creo_client *client, const creo_request *request, creo_instant deadline, bool *began);

#endif
