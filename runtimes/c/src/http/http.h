/* Requests and answers of HTTP/1.1: spec/transports/http.md. Not part of the API. */
#ifndef CREO_SRC_HTTP_H
#define CREO_SRC_HTTP_H

#include <creo/http.h>

#include "../base/internal.h"
#include "../call/socket.h"

typedef struct creo_http_request {
    /* The lines of the head, each with its line end, and the empty line; then the body. */
    creo_bytes head;
    creo_bytes *pieces;
    size_t piece_count;
    /* How compressed answers are expanded; NULL: they were not asked for. */
    const creo_gzip *gzip;
} creo_http_request;

typedef struct creo_http_answer {
    int status;
    /* As they are in the head, empty if they are not there. */
    creo_string content_type;
    creo_string location;
    creo_string reason;
    /* The fields that say how to authenticate: of 401, or of 407. */
    creo_string challenge;
    /* All fields in their order, names in small letters. */
    creo_pair *headers;
    size_t header_count;
    creo_bytes body;
} creo_http_answer;

/*
 * Sends a request over the connection that is open, or a new one, and reads its answer. The head lives in the client's arena, the body in `arena`. The
 * connection is kept if that is possible.
 */
CREO_PRIVATE bool creo_http_exchange(creo_client *client, const creo_http_request *request, creo_instant deadline, creo_arena *arena, creo_http_answer *answer,
                                     creo_error *error);

/* Sends a head to the proxy to which the client's socket is connected, and reads the head of its answer, behind which nothing may come. */
CREO_PRIVATE bool creo_http_exchange_heads(creo_client *client, creo_bytes head, creo_instant until, creo_http_answer *answer, creo_error *error);

/* Whether a byte may stand in a token. */
CREO_PRIVATE bool creo_http_is_token(uint8_t c);

/* Whether a media type with parameters is that type, in any case of letters. */
CREO_MODULE bool creo_http_is_type(creo_string content_type, const char *type);

/* The value of a parameter of a media type, unquoted, in the arena or in place; an empty text with a NULL pointer if there is none. */
CREO_PRIVATE creo_string creo_http_parameter(creo_string content_type, const char *name, creo_arena *arena);

/* Whether two texts are the same but for the case of ASCII letters. */
CREO_MODULE bool creo_http_same(creo_string text, const char *other);

/* A text without blanks around it. */
CREO_PRIVATE creo_string creo_http_trim(creo_string text);

/* Takes `name: value` off the lines at `*at`. False at the end of the lines, or if a line is wrong: then `*wrong`. */
CREO_PRIVATE bool creo_http_header(const uint8_t **at, const uint8_t *end, creo_string *name, creo_string *value, bool *wrong);

/* The answer has arrived: the client has its status, its fields and its metadata (HTTP-25). */
CREO_PRIVATE bool creo_http_take_answer(creo_client *client, const creo_http_answer *answer, creo_error *error);

/* Makes the letters of a name small. */
CREO_PRIVATE void creo_http_lower(uint8_t *at, size_t size);

/* Expands a gzip stream into the arena, at most `most` bytes. */
CREO_MODULE bool creo_http_expand(const creo_gzip *gzip, creo_bytes from, const creo_limits *limits, creo_arena *arena, creo_bytes *body, const char *peer,
                                  creo_error *error);

#endif
