/* The metadata of requests and answers (TCP-17). Not part of the API. */
#ifndef CREO_SRC_METADATA_H
#define CREO_SRC_METADATA_H

#include <creo/channel.h>

#include "../base/internal.h"

#define CREO_MAX_METADATA_PAIRS 64

/* Whether a text may be a metadata key. */
CREO_PRIVATE bool creo_metadata_key_valid(creo_string key);

/* The pairs of an answer, while they are taken from its bytes into the client's arena. */
typedef struct creo_metadata {
    creo_client *client;
    creo_error *error;
    creo_pair *pairs;
    size_t room;
    size_t count;
    /* Their bytes in a frame, which LIM-6 bounds on every transport. */
    size_t size;
} creo_metadata;

/* Begins to take so many pairs. An answer that breaks a rule ends the call (CALL-5): all functions return false. */
CREO_MODULE bool creo_metadata_begin(creo_metadata *in, creo_client *client, size_t count, creo_error *error);

/* Takes a copy of a pair. `escaped`: the value has `%XX` (HTTP-8). */
CREO_MODULE bool creo_metadata_add(creo_metadata *in, creo_string key, creo_string value, bool escaped);

/* Gives the pairs to the client: its answer has arrived. */
CREO_MODULE void creo_metadata_finish(const creo_metadata *in);

/* All of that with pairs as frames have them, at the start of some bytes; says how many bytes they take. */
CREO_PRIVATE bool creo_metadata_read(creo_client *client, creo_bytes bytes, size_t *size, creo_error *error);

#endif
