/* Digest authentication: HTTP-48 to HTTP-51. Not part of the API. */
#ifndef CREO_SRC_HTTP_DIGEST_H
#define CREO_SRC_HTTP_DIGEST_H

#include "http_call.h"

#define CREO_MAX_CHALLENGE 1024

/* The challenge of one address, and what the current attempt of a call has shown it. */
struct creo_digest {
    struct creo_digest *next;
    char host[CREO_HOST_SIZE];
    uint16_t port;
    /* Requests answer the challenge. */
    bool known;
    bool sha256;
    bool session;
    bool qop;
    bool userhash;
    bool has_opaque;
    char realm[CREO_MAX_CHALLENGE + 1];
    char nonce[CREO_MAX_CHALLENGE + 1];
    char opaque[CREO_MAX_CHALLENGE + 1];
    /* As it came; empty if it did not. */
    char algorithm[16];
    /* Empty: not made yet. */
    char cnonce[49];
    /* The requests that were begun with the nonce. */
    uint32_t count;

    /* The last request had credentials. */
    bool shown;
    /* A request without, and one with them, was refused. */
    bool asked;
    bool refused;
    /* The request must not be sent twice. */
    bool once;
    /* The last answer leads to another request. */
    bool again;
    /* Why the last answer cannot be answered, or NULL. */
    const char *why;
};

/* Begins an attempt: the call has what is kept of its address, in memory of the client's allocator, if the client's options say so. */
CREO_PRIVATE bool creo_digest_begin(creo_http_call *call);

/* Releases what is kept of an address; of all with NULL. */
CREO_PRIVATE void creo_digest_forget(creo_client *client, const char *host, uint16_t port);

/* Takes the values of `WWW-Authenticate`, joined by commas, and changes the text. Returns whether to send another request (HTTP-51); sets `why`. */
CREO_PRIVATE bool creo_digest_take(struct creo_digest *digest, char *text, size_t size, creo_arena *arena);

/* Writes the line `Authorization` of a request, if a challenge is known. */
CREO_PRIVATE bool creo_digest_put(struct creo_digest *digest, const char *method, const char *user, const char *password, creo_string target,
                                  creo_writer *head);

#endif
