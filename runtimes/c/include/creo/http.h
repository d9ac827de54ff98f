/** Shared by calls over HTTP on any wire: `spec/transports/http.md`. */
#ifndef CREO_HTTP_H
#define CREO_HTTP_H

#include <creo/channel.h>
#include <creo/codegen/descriptor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a step of `creo_gzip.expand`. */
typedef enum creo_gzip_state {
    /** It needs more bytes, or more room. */
    CREO_GZIP_MORE = 0,
    /** The stream ended, and its checksum is correct. */
    CREO_GZIP_DONE,
    CREO_GZIP_FAILED
} creo_gzip_state;

/** Compression functions of the caller, since libc has none (HTTP-6). All are called with `context`. */
typedef struct creo_gzip {
    void *context;
    /** The max size of a gzip stream for `size` bytes. */
    size_t (*bound)(void *context, size_t size);
    /** Makes a gzip stream of all the bytes; returns its size, 0 if it failed. */
    size_t (*compress)(void *context, const void *from, size_t size, void *into, size_t room);
    /** Begins to expand a stream. */
    bool (*begin)(void *context);
    /** Expands bytes from `*from` to `end` into the room from `*into` to `room_end`, and advances both pointers. */
    creo_gzip_state (*expand)(void *context, const uint8_t **from, const uint8_t *end, uint8_t **into, uint8_t *room_end);
    /** Called once for each successful `begin`. */
    void (*finish)(void *context);
} creo_gzip;

/** HTTP-40 */
#define CREO_MAX_REDIRECTS 20

/**
 * What a client over HTTP does beyond one request and its answer (HTTP-40 to HTTP-51): `client.http` points to it. All of it is off in
 * `creo_http_options options = {0}`. With options that are not valid, calls end with CREO_INVALID_VALUE, and nothing is sent. The texts must live as
 * long as calls are made. No error contains the password or the token, and released memory contains no copy of them.
 */
typedef struct creo_http_options {
    /**
     * The max number of redirects with 307 and 308 in a call that are followed, at most CREO_MAX_REDIRECTS; 0: none. To another host or port go the
     * message and the fields of its wire, and neither credentials, headers, metadata nor cookies. A client of `http` follows none to `https`, since its
     * `creo_io` serves all of its connections. Calls with streams are not redirected.
     */
    unsigned redirects;
    /** Keeps the cookies of the service, at most 50 of together 16,384 bytes, in memory of the client's allocator, and sends them with later calls. */
    bool cookies;
    /** Identifies the caller by basic authentication, in UTF-8; NULL, both: by none. Needs `https`, or a service on the own host. */
    const char *user;
    const char *password;
    /** Identifies the caller by a bearer token, in place of a user; NULL: by none. Needs the same. */
    const char *bearer;
    /** Shows the service that the caller knows the user's password, by digest authentication in place of basic; this needs no `https`. */
    bool digest;
} creo_http_options;

/**
 * The proxy for a URL in the environment: `http_proxy`, or for `https` `https_proxy` or `HTTPS_PROXY`, such as `http://user:password@proxy:3128`,
 * unless `no_proxy` or `NO_PROXY` lists the host. `proxy->host` is NULL for none. The texts are in the arena. Clients do not read it themselves.
 */
bool creo_proxy_from_environment(creo_proxy *proxy, const char *url, creo_arena *arena, creo_error *error);

/** A raw message as text of several lines (CALL-68), in the arena. `indented`: XML and JSON get line breaks. False: there is no memory for it. */
bool creo_raw_text(const creo_raw_message *message, bool indented, creo_arena *arena, creo_string *text);

/** The address of a served interface. Private. */
typedef struct creo_http_place {
    const creo_text_interface *interface;
    bool tls;
    char path[1024];
    char host_header[280];
} creo_http_place;

#ifdef __cplusplus
}
#endif

#endif
