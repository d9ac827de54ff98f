/* Requests and answers of HTTP/1.1: spec/transports/http.md. Not part of the API. */
#ifndef CREO_SRC_HTTP_H
#define CREO_SRC_HTTP_H

#include <creo/http.h>

#include "../base/internal.h"
#include "../call/socket.h"

typedef struct creo_http_call creo_http_call;

typedef struct creo_http_request {
    /* The lines of the head with their line ends and the empty line; then the body. */
    creo_bytes head;
    creo_bytes *pieces;
    size_t piece_count;
    /* Expands compressed answers; NULL: they were not requested. */
    const creo_gzip *gzip;
    const creo_http_call *call;
} creo_http_request;

typedef struct creo_http_answer {
    int status;
    /* As in the head, empty if absent. */
    creo_string content_type;
    creo_string location;
    creo_string reason;
    /* The authentication challenges of 401 or 407. */
    creo_string challenge;
    /* All fields in their order, names in small letters. */
    creo_pair *headers;
    size_t header_count;
    creo_bytes body;
} creo_http_answer;

/*
 * Sends a request over the open connection, or a new one. If the connection breaks within it, the service may have answered all the same: then `*answered`,
 * and the connection is closed. The answer is as that of `creo_http_exchange`.
 */
CREO_PRIVATE bool creo_http_send(creo_client *client, const creo_http_request *request, creo_instant deadline, creo_arena *arena, creo_http_answer *answer,
                                 bool *answered, creo_error *error);

/*
 * Sends a request over the open connection, or a new one, and reads its answer. The head is in the client's arena, the body in `arena`. The
 * connection is kept if possible.
 */
CREO_PRIVATE bool creo_http_exchange(creo_client *client, const creo_http_request *request, creo_instant deadline, creo_arena *arena, creo_http_answer *answer,
                                     creo_error *error);

/* Sends a head to the connected proxy and reads the head of its answer, after which nothing may follow. */
CREO_PRIVATE bool creo_http_exchange_heads(creo_client *client, creo_bytes head, creo_instant until, creo_http_answer *answer, creo_error *error);

/* Whether a byte is allowed in a token. */
CREO_PRIVATE bool creo_http_is_token(uint8_t c);

/* Whether a media type with parameters is this type, ignoring case. */
CREO_MODULE bool creo_http_is_type(creo_string content_type, const char *type);

/* The unquoted value of a media type's parameter, in the arena or in place; an empty text with a NULL pointer if absent. False: the arena has no memory left. */
CREO_PRIVATE bool creo_http_parameter(creo_string content_type, const char *name, creo_arena *arena, creo_string *value, creo_error *error);

/* Whether two texts are equal, ignoring the case of ASCII letters. */
CREO_MODULE bool creo_http_same(creo_string text, const char *other);

/* A text without blanks around it. */
CREO_PRIVATE creo_string creo_http_trim(creo_string text);

/* Takes `name: value` from the lines at `*at`. False at the end of the lines, or for an invalid line: then `*wrong`. */
CREO_PRIVATE bool creo_http_header(const uint8_t **at, const uint8_t *end, creo_string *name, creo_string *value, bool *wrong);

/* The answer has arrived: the client has its status, its fields, its metadata (HTTP-25) and its cookies. */
CREO_PRIVATE bool creo_http_take_answer(const creo_http_call *call, const creo_http_answer *answer, creo_error *error);

/* Shows an answer to the client's hook for raw messages (CALL-61), if it has one. */
CREO_PRIVATE void creo_raw_show_answer(const creo_http_call *call, const creo_http_answer *answer);

/* Makes the letters of a name small. */
CREO_PRIVATE void creo_http_lower(uint8_t *at, size_t size);

/* Expands a gzip stream into the arena, at most `most` bytes. */
CREO_MODULE bool creo_http_expand(const creo_gzip *gzip, creo_bytes from, const creo_limits *limits, creo_arena *arena, creo_bytes *body, const char *peer,
                                  creo_error *error);

#endif
