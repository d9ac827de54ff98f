/* Calls over HTTP, whatever wire they speak. Not part of the API. */
#ifndef CREO_SRC_HTTP_CALL_H
#define CREO_SRC_HTTP_CALL_H

#include "../base/internal.h"
#include "../call/transport.h"
#include "http.h"

#include <creo/writer.h>

/* SOAP-21, TDX-53: byte strings from this size on become parts of a package, if the client is told to send one. */
#define CREO_PART_FROM 1024

/* Takes a URL apart, into the place and a client that is made for it. `transport` makes its calls: each wire over HTTP has one. */
CREO_PRIVATE bool creo_http_place_init(creo_http_place *place, creo_client *client, const char *url, const creo_text_interface *interface,
                                       creo_allocator allocator, const struct creo_transport *transport, creo_error *error);

/* Takes a slash off the end of the path, after which the names of methods come; a query cannot be there. */
CREO_PRIVATE bool creo_http_place_of_methods(creo_http_place *place, creo_error *error);

/* The method's descriptor, or NULL. */
CREO_PRIVATE const creo_text_method *creo_http_method(const creo_text_interface *interface, const creo_method *method);

/* Begins a call: finds the method, and empties the client's arena. */
CREO_MODULE bool creo_http_begin(creo_client *client, const creo_http_place *place, const creo_method *method, const creo_text_method **text, creo_error *error);

/* What is sent. */
typedef struct creo_http_body {
    creo_bytes *pieces;
    size_t piece_count;
    size_t size;
    bool compressed;
} creo_http_body;

/* Counts the pieces, which must keep LIM-1. */
CREO_MODULE bool creo_http_count_body(const creo_client *client, creo_http_body *body, creo_error *error);

/* Makes one gzip stream of them. */
CREO_MODULE bool creo_http_compress(creo_client *client, const creo_gzip *gzip, creo_http_body *body, creo_error *error);

/* Both, if compression is lent and they are worth it (HTTP-6). */
CREO_PRIVATE bool creo_http_finish_body(creo_client *client, const creo_gzip *gzip, creo_http_body *body, creo_error *error);

/* Whether the client's metadata may be sent (TCP-17, LIM-6). */
CREO_MODULE bool creo_http_check_metadata(const creo_client *client, creo_error *error);

/* Whether the headers that the user gave to the client may be sent (HTTP-24). */
CREO_PRIVATE bool creo_http_check_headers(const creo_client *client, creo_error *error);

/* A value of metadata, which is UTF-8, in printable ASCII (HTTP-8). */
CREO_MODULE bool creo_http_put_value(creo_writer *writer, creo_string value);

/* A line, or a part of one, of a head. */
CREO_MODULE bool creo_http_put(creo_writer *head, const char *text);

typedef struct creo_http_call {
    creo_client *client;
    const creo_http_place *place;
    const creo_gzip *gzip;
    /* What comes after the path: the method's name, or NULL. */
    const char *method;
    /* Lines of the head that the wire adds, each with its end. */
    creo_bytes lines;
    const creo_http_body *body;
    creo_instant deadline;
    creo_error *error;
} creo_http_call;

/* Sends the request and reads the answer, whose body lives in `arena`. Errors name the peer. */
CREO_PRIVATE bool creo_http_call_make(const creo_http_call *call, creo_arena *arena, creo_http_answer *answer);

/* Takes a host with or without a port apart. The port stays as it is if there is none. */
CREO_PRIVATE bool creo_http_authority(const char *at, size_t size, creo_string *host, uint16_t *port);

/* Whether the client's proxy is one. */
CREO_PRIVATE bool creo_http_check_proxy(const creo_client *client, creo_error *error);

/* Says in an error through which proxy the client did not connect. Returns false. */
CREO_PRIVATE bool creo_http_name_proxy(const creo_client *client, creo_error *error);

/* The line with the proxy's credentials, if it has ones. */
CREO_PRIVATE bool creo_http_put_proxy_authorization(creo_client *client, creo_writer *head);

/* Opens the tunnel that `https` needs, on a socket that is connected to the proxy. */
CREO_PRIVATE bool creo_http_tunnel(creo_client *client, const creo_http_place *place, creo_instant until, creo_error *error);

/* What an answer without a message means (HTTP-3). */
CREO_PRIVATE creo_code creo_http_code_of_status(int status);

/* What is shown of a text of a peer: its first characters, without white space around them (HTTP-22). */
CREO_PRIVATE creo_string creo_http_begin_of(creo_string text);

/* Fails as the status says (HTTP-3). `said`: what else the answer tells, or nothing. Returns false. */
CREO_PRIVATE bool creo_http_fail_status(const creo_http_call *call, const creo_http_answer *answer, creo_string said);

/* Gives an error, whose message is set, the code of a word of ERR-1. One that is not known is `internal`, and the message says it (ERR-2). */
CREO_PRIVATE void creo_http_set_code(creo_error *error, creo_string word);

/* ERR-5: says what was called. */
CREO_MODULE void creo_http_explain(const creo_method *method, creo_error *error);

/* Whether an answer is in UTF-8 by its media type. */
CREO_PRIVATE bool creo_http_is_utf8(creo_string content_type, creo_arena *arena);

/* Says in the outcome of a method that declares exceptions what it is: 0 for the result, else the exception's index and 1. */
static inline void creo_set_outcome(const creo_text_method *text, void *outcome, uint32_t kind)
{
    if (text->exception_count != 0)
        memcpy((uint8_t *)outcome + text->kind, &kind, sizeof kind);
}

#endif
