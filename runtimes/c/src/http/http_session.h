/* Redirects, cookies and credentials of a client: HTTP-40 to HTTP-47. Not part of the API. */
#ifndef CREO_SRC_HTTP_SESSION_H
#define CREO_SRC_HTTP_SESSION_H

#include "http_call.h"

/* Whether the client's options are valid for its address. */
CREO_PRIVATE bool creo_http_check_options(const creo_client *client, bool tls, creo_error *error);

/* Whether they set a header of this name, so that the program may not. */
CREO_PRIVATE bool creo_http_is_option(const creo_client *client, creo_string name);

/* Writes the lines with credentials and cookies. The head then contains a secret. */
CREO_PRIVATE bool creo_http_put_session(const creo_http_call *call, creo_writer *head);

/* Takes the cookies of an answer. */
CREO_PRIVATE void creo_http_take_cookies(const creo_http_call *call, const creo_http_answer *answer);

/* A place that a request goes to. */
typedef struct creo_http_stop {
    const char *host;
    uint16_t port;
    /* Path and query. */
    creo_string target;
} creo_http_stop;

/* A call that may be redirected. */
struct creo_http_trip {
    /* The client's own address. */
    char host[CREO_HOST_SIZE];
    uint16_t port;
    /* How many redirects are followed. */
    unsigned redirects;
    /* Where the call has been, and is. */
    creo_http_stop stops[CREO_MAX_REDIRECTS + 1];
    size_t count;
    /* Where the answer leads, if that is followed; else why it is not, or empty if it is no redirect. */
    creo_http_stop next;
    bool follows;
    char refusal[100];
};

/* Whether an answer, whose head has come, is a redirect that is followed. Then its body is of no use. */
CREO_PRIVATE bool creo_http_is_followed(const creo_http_call *call, const creo_http_answer *answer);

#endif
