/* The cookies of one address: HTTP-43 to HTTP-45. Not part of the API. */
#ifndef CREO_SRC_HTTP_COOKIES_H
#define CREO_SRC_HTTP_COOKIES_H

#include "../call/transport.h"

#include <creo/writer.h>

#define CREO_MAX_COOKIES 50
#define CREO_MAX_COOKIES_SIZE 16384
#define CREO_MAX_COOKIE_SIZE 4096

typedef struct creo_cookie {
    /* The sizes of its texts, which follow each other in those of all. */
    uint16_t name;
    uint16_t value;
    uint16_t path;
    /* The second since 1970 in which it expires. */
    int64_t end;
} creo_cookie;

struct creo_cookies {
    struct creo_cookies *next;
    char host[CREO_HOST_SIZE];
    uint16_t port;
    /* In the order in which they were first set. There is room for one more, until others make room for it. */
    creo_cookie list[CREO_MAX_COOKIES + 1];
    size_t count;
    char texts[CREO_MAX_COOKIES_SIZE + CREO_MAX_COOKIE_SIZE];
    size_t size;
};

/* The cookies of the client's address, in memory of its allocator. NULL, with an error, if there is none. */
CREO_PRIVATE struct creo_cookies *creo_cookies_open(creo_client *client, creo_error *error);

/* Takes a `Set-Cookie` of an answer to a request with this path. `now`: seconds since 1970. What is no cookie for this client is ignored. */
CREO_PRIVATE void creo_cookies_take(struct creo_cookies *cookies, bool tls, creo_string path, creo_string line, int64_t now);

/* Writes the line `Cookie` for a request with this path, if there are any for it. */
CREO_PRIVATE bool creo_cookies_put(struct creo_cookies *cookies, creo_string path, int64_t now, creo_writer *head);

#endif
