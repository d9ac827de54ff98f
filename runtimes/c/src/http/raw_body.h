/* Secrets in the bytes of a message. Not part of the API. */
#ifndef CREO_SRC_RAW_BODY_H
#define CREO_SRC_RAW_BODY_H

#include "http_call.h"

/*
 * Writes a body with `***` for its secrets (CALL-65). Returns why it cannot be followed; NULL: it was written. A writer without memory gives a reason,
 * too. `secrets`: names with a space between them, or NULL.
 */
CREO_PRIVATE const char *creo_raw_body(creo_writer *out, creo_bytes body, creo_string media_type, const char *secrets);

/* Whether a body that cannot be followed may have secrets (CALL-66). */
CREO_PRIVATE bool creo_raw_may_have_secrets(creo_bytes body, const char *secrets);

/* A message whose body has a media type: over HTTP or JMS. */
typedef struct creo_raw_typed {
    creo_raw_message message;
    const creo_method *method;
    /* The names of secrets, as for `creo_raw_body`; NULL: none. */
    const char *secrets;
    /* Undoes a coding; NULL: none can be. */
    const creo_gzip *gzip;
    creo_string media_type;
    creo_string coding;
    /* It is of the binary wire. */
    bool binary;
    /* The hook's own, as many as the message says. */
    creo_pair *fields;
} creo_raw_typed;

/* Shows it with this body to the client's hook; nothing, if the coding cannot be undone (CALL-61). */
CREO_MODULE void creo_raw_show_typed(creo_client *client, creo_raw_typed *typed, const creo_http_body *body);

#endif
