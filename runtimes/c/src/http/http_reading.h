/* Reading an answer of HTTP, step by step. Not part of the API. */
#ifndef CREO_SRC_HTTP_READING_H
#define CREO_SRC_HTTP_READING_H

#include "http.h"

/* The state of reading an answer. */
typedef struct creo_http_reading {
    creo_client *client;
    creo_instant deadline;
    /* LIM-15, from the first byte. */
    creo_instant until;
    bool any;
    creo_error *error;
    /* The head. */
    uint8_t *head;
    size_t head_size;
    size_t head_room;
    bool at_status;
    bool keep;
    bool closes;
    bool chunked;
    bool sized;
    bool compressed;
    bool bare;
    size_t size;
    /* Bytes of chunk extensions (HTTP-16). */
    size_t extensions;
    /* The body. */
    creo_arena *arena;
    uint8_t *body;
    size_t body_size;
    size_t body_room;
} creo_http_reading;

/* Begins to read an answer, of which some bytes may have come. Its body goes into the arena. */
CREO_PRIVATE void creo_http_read_begin(creo_http_reading *in, creo_client *client, creo_instant deadline, creo_arena *arena, creo_error *error);

/* The head of an answer; interim answers, such as 100, are skipped. */
CREO_PRIVATE bool creo_http_read_head(creo_http_reading *in, creo_http_answer *answer);

/* The body after the head, up to its end. */
CREO_PRIVATE bool creo_http_read_body(creo_http_reading *in);

/* The same, and all that is to be done with a whole answer. The connection is kept if possible. */
CREO_PRIVATE bool creo_http_read_rest(creo_http_reading *in, const creo_http_request *request, creo_http_answer *answer);

/* The same, for an answer whose body is of no use. */
CREO_PRIVATE bool creo_http_drop_rest(creo_http_reading *in, const creo_http_request *request, creo_http_answer *answer);

/* Later lines of the body must not move the texts of the head. */
CREO_PRIVATE void creo_http_leave_head(creo_http_reading *in);

/* The size of the next chunk; after the last one, whose size is 0, come the trailers, which are ignored. */
CREO_PRIVATE bool creo_http_read_chunk_size(creo_http_reading *in, size_t *size);
CREO_PRIVATE bool creo_http_read_chunk_end(creo_http_reading *in);
CREO_PRIVATE bool creo_http_read_trailers(creo_http_reading *in);

/* Reads more input, none of which is left. At the end of the connection it returns false and sets `closed`. */
CREO_PRIVATE bool creo_http_fill(creo_http_reading *in, bool *closed);

/* The error for a read that failed. Returns false. */
CREO_PRIVATE bool creo_http_fail_read(creo_http_reading *in, creo_result result);

/* The answer breaks a rule: `what` was sent. Returns false. */
CREO_PRIVATE bool creo_http_mismatch(creo_http_reading *in, const char *what);

#endif
