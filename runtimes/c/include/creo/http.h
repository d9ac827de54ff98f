/** What calls over HTTP share, whatever wire they speak: `spec/transports/http.md`. */
#ifndef CREO_HTTP_H
#define CREO_HTTP_H

#include <creo/channel.h>
#include <creo/codegen/descriptor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a step of `creo_gzip.expand` came to. */
typedef enum creo_gzip_state {
    /** It wants more bytes, or more room. */
    CREO_GZIP_MORE = 0,
    /** The stream ended, and its checksum is right. */
    CREO_GZIP_DONE,
    CREO_GZIP_FAILED
} creo_gzip_state;

/** Compression that the caller lends, since libc has none (HTTP-6). All functions are called with `context`. */
typedef struct creo_gzip {
    void *context;
    /** The max size of a gzip stream of so many bytes. */
    size_t (*bound)(void *context, size_t size);
    /** Makes a gzip stream of all the bytes; returns how many it has, 0 if it failed. */
    size_t (*compress)(void *context, const void *from, size_t size, void *into, size_t room);
    /** Begins to expand a stream. */
    bool (*begin)(void *context);
    /** Expands what it can of the bytes from `*from` to `end` into the room from `*into` to `room_end`, and moves both pointers. */
    creo_gzip_state (*expand)(void *context, const uint8_t **from, const uint8_t *end, uint8_t **into, uint8_t *room_end);
    /** Called once for each `begin` that succeeded. */
    void (*finish)(void *context);
} creo_gzip;

/**
 * The proxy that the environment says for a URL: `http_proxy`, or for `https` `https_proxy` or `HTTPS_PROXY`, such as `http://user:password@proxy.example:3128`,
 * unless `no_proxy` or `NO_PROXY` lists the host. `proxy->host` is NULL if it says none. The texts live in the arena. No client looks at the environment by itself.
 */
bool creo_proxy_from_environment(creo_proxy *proxy, const char *url, creo_arena *arena, creo_error *error);

/** Where an interface is served. Private. */
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
