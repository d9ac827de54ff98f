/* Calls over HTTP on any wire. Not part of the API. */
#ifndef CREO_SRC_HTTP_CALL_H
#define CREO_SRC_HTTP_CALL_H

#include "../base/internal.h"
#include "../call/transport.h"
#include "http.h"

#include <creo/writer.h>

/* SOAP-21, TDX-53: byte strings of at least this size become MIME parts, if the client sends them. */
#define CREO_PART_FROM 1024

/* Parses a URL into the place and prepares the client. `transport` makes its calls: each wire over HTTP has one. */
CREO_PRIVATE bool creo_http_place_init(creo_http_place *place, creo_client *client, const char *url, const creo_text_interface *interface,
                                       creo_allocator allocator, const struct creo_transport *transport, creo_error *error);

/* Removes a final slash of the path, which the names of methods follow; a query is not allowed. */
CREO_PRIVATE bool creo_http_place_of_methods(creo_http_place *place, creo_error *error);

/* The method's descriptor, or NULL. */
CREO_PRIVATE const creo_text_method *creo_http_method(const creo_text_interface *interface, const creo_method *method);

/* Prepares an attempt of a call: finds the method, and sets the place's host to the current address. */
CREO_PRIVATE bool creo_http_prepare(creo_client *client, creo_http_place *place, const creo_method *method, const creo_text_method **text, creo_error *error);

/* Begins a call: the same, and resets the client's arena. */
CREO_MODULE bool creo_http_begin(creo_client *client, creo_http_place *place, const creo_method *method, const creo_text_method **text, creo_error *error);

/* The body to send. */
typedef struct creo_http_body {
    creo_bytes *pieces;
    size_t piece_count;
    size_t size;
    bool compressed;
    /* Chunks follow, of which the pieces are the content of the first one. */
    bool chunked;
} creo_http_body;

/* Counts the pieces and checks LIM-1. */
CREO_MODULE bool creo_http_count_body(const creo_client *client, creo_http_body *body, creo_error *error);

/* Makes one gzip stream of them. */
CREO_MODULE bool creo_http_compress(creo_client *client, const creo_gzip *gzip, creo_http_body *body, creo_error *error);

/* Both, if compression is available and worthwhile (HTTP-6). */
CREO_PRIVATE bool creo_http_finish_body(creo_client *client, const creo_gzip *gzip, creo_http_body *body, creo_error *error);

/* Whether the client's metadata may be sent (TCP-17, LIM-6). */
CREO_MODULE bool creo_http_check_metadata(const creo_client *client, creo_error *error);

/* Whether the user's headers may be sent (HTTP-24). */
CREO_PRIVATE bool creo_http_check_headers(const creo_client *client, creo_error *error);

/* Writes a metadata value, which is UTF-8, as printable ASCII (HTTP-8). */
CREO_MODULE bool creo_http_put_value(creo_writer *writer, creo_string value);

/* Writes a line of a head, or a part of one. */
CREO_MODULE bool creo_http_put(creo_writer *head, const char *text);

struct creo_http_call {
    creo_client *client;
    const creo_http_place *place;
    const creo_gzip *gzip;
    /* The method's name after the path, or NULL. */
    const char *method;
    /* The wire's lines of the head, with their ends. */
    creo_bytes lines;
    const creo_http_body *body;
    creo_instant deadline;
    creo_error *error;
    /* What is called. */
    const creo_method *called;
    const creo_text_method *text;
    /* Whether the message says who calls, so that it stays at its origin (HTTP-42). */
    bool bound;
    /* Where it goes: host and port as in a URL, and path and query. NULL: not decided. */
    const char *host;
    creo_string target;
    /* It has been at another origin: nothing of the client's own goes with it. */
    bool left;
    /* NULL: it is not redirected. */
    struct creo_http_trip *trip;
    /* What is kept for digest authentication; NULL: it has none. */
    struct creo_digest *digest;
};

/* The last members of a call that has not begun. */
#define CREO_HTTP_START false, NULL, {NULL, 0}, false, NULL, NULL

/* Begins an attempt of a call, directed to the client's place. */
CREO_PRIVATE bool creo_http_aim(creo_http_call *call);

/* Shows the request to the client's hook for raw messages (CALL-61), if it has one. */
CREO_PRIVATE void creo_raw_show_request(const creo_http_call *call, creo_bytes head);

/* Makes the request of a call that was directed, and shows it to the client's hook for raw messages. */
CREO_PRIVATE bool creo_http_call_request(const creo_http_call *call, creo_http_request *request);

/* Sends the request, follows redirects, and reads the answer, whose body is in `arena`. Errors contain the peer. */
CREO_PRIVATE bool creo_http_call_make(creo_http_call *call, creo_arena *arena, creo_http_answer *answer);

/* Whether an answer, whose head has come, asks for a digest, so that the request is sent again (HTTP-51). Then its body is of no use. */
CREO_PRIVATE bool creo_digest_asks(const creo_http_call *call, const creo_http_answer *answer);

/* Whether the request is now to be made and sent again; the call has no answer yet. */
CREO_PRIVATE bool creo_digest_repeats(const creo_http_call *call);

/* Why the answer asks for a digest that is not made, or NULL. */
CREO_PRIVATE const char *creo_digest_problem(const creo_http_call *call);

/* Releases the cookies and challenges of an address; of all with NULL. */
CREO_PRIVATE void creo_http_forget(creo_client *client, const char *host, uint16_t port);

/* Splits a host and an optional port. The port is not changed if it is absent. */
CREO_PRIVATE bool creo_http_authority(const char *at, size_t size, creo_string *host, uint16_t *port);

/* Whether the client's proxy is valid. */
CREO_PRIVATE bool creo_http_check_proxy(const creo_client *client, creo_error *error);

/* Names the proxy of a failed connection in an error. Returns false. */
CREO_PRIVATE bool creo_http_name_proxy(const creo_client *client, creo_error *error);

/* The line with credentials for basic authentication in a header of this name. The head then contains a secret. */
CREO_PRIVATE bool creo_http_put_basic(creo_client *client, creo_writer *head, const char *name, const char *user, const char *password);

/* The line with the proxy's credentials, if it has any. */
CREO_PRIVATE bool creo_http_put_proxy_authorization(creo_client *client, creo_writer *head);

/* Closes a kept connection that is no longer usable. */
CREO_PRIVATE void creo_http_check(creo_client *client);

/* Room for the host and port of a URL. */
#define CREO_HTTP_HOST_SIZE 280

/* The client's address as in a URL. */
CREO_PRIVATE void creo_http_host(const creo_client *client, char into[CREO_HTTP_HOST_SIZE]);

/* Opens a tunnel for `https` on a socket that is connected to the proxy. */
CREO_PRIVATE bool creo_http_tunnel(creo_client *client, const creo_http_place *place, creo_instant until, creo_error *error);

/* The code for an answer without a message (HTTP-3). */
CREO_PRIVATE creo_code creo_http_code_of_status(int status);

/* The excerpt of a peer's text: its first characters, without surrounding white space (HTTP-22). */
CREO_PRIVATE creo_string creo_http_begin_of(creo_string text);

/* Fails according to the status (HTTP-3). `said`: the other text of the answer, or empty. Returns false. */
CREO_PRIVATE bool creo_http_fail_status(const creo_http_call *call, const creo_http_answer *answer, creo_string said);

/* Sets the code of an error with a message by a word of ERR-1. An unknown word becomes `internal`, and the message contains it (ERR-2). */
CREO_PRIVATE void creo_http_set_code(creo_error *error, creo_string word);

/* ERR-5: adds what was called. */
CREO_MODULE void creo_http_explain(const creo_method *method, creo_error *error);

/* Whether an answer is UTF-8 by its media type. */
CREO_PRIVATE bool creo_http_is_utf8(creo_string content_type);

/* Sets the kind in the outcome of a method with exceptions: 0 for the result, else the exception's index plus 1. */
static inline void creo_set_outcome(const creo_text_method *text, void *outcome, uint32_t kind)
{
    if (text->exception_count != 0)
        memcpy((uint8_t *)outcome + text->kind, &kind, sizeof kind);
}

#endif
