/**
 * The client, on any transport.
 *
 * A client has one connection and makes one call at a time: use one client per thread. It connects at its first call, and again after the connection
 * was closed or lost. Every call ends at its deadline, regardless of the service. No signal is raised.
 */
#ifndef CREO_CHANNEL_H
#define CREO_CHANNEL_H

#include <creo/arena.h>
#include <creo/codegen/method.h>
#include <creo/error.h>
#include <creo/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a step of a `creo_io`. */
typedef enum creo_io_state {
    CREO_IO_DONE = 0,
    /** Nothing was done: try again when the socket is readable, or writable. */
    CREO_IO_WANT_READ,
    CREO_IO_WANT_WRITE,
    /** The peer closed the connection. */
    CREO_IO_CLOSED,
    CREO_IO_FAILED,
    /** Of `open`: the peer's certificate is not trusted, or is not for the host. The call ends as `untrusted-peer`. */
    CREO_IO_UNTRUSTED
} creo_io_state;

/**
 * A layer between a client and its socket, for TLS. The functions must not block; the socket is in non-blocking mode. The client opens and closes the
 * socket itself.
 */
typedef struct creo_io {
    void *context;
    /** Called when the socket is connected, and again after it wanted to read or write. `host` is the name to verify (TCP-3). */
    creo_io_state (*open)(void *context, int socket, const char *host);
    /** Reads from one to `size` bytes, and sets their number. */
    creo_io_state (*read)(void *context, void *into, size_t size, size_t *done);
    /** Writes from one to `size` bytes, and sets their number. */
    creo_io_state (*write)(void *context, const void *from, size_t size, size_t *done);
    /** Called before the socket is closed, even after a failed `open`. */
    void (*close)(void *context);
    /** Why the last function failed, for the error's message; may be NULL. */
    const char *(*reason)(void *context);
} creo_io;

/** A proxy for calls over HTTP (HTTP-21). The texts must live as long as calls are made. */
typedef struct creo_proxy {
    /** NULL for none. */
    const char *host;
    uint16_t port;
    /** Sent only to the proxy, by the Basic scheme, unencrypted. NULL, both: none. The user must not contain a colon. */
    const char *user;
    const char *password;
} creo_proxy;

/** The state of the received frames. Private. */
typedef struct creo_stream {
    /** Received bytes that were not parsed yet. */
    uint8_t *input;
    size_t input_at;
    size_t input_end;
    /** The peer's preamble was seen. */
    bool greeted;
    bool goodbye;
    /** In a frame with a body, of which `frame_left` bytes are still to come. */
    bool in_frame;
    bool frame_more;
    size_t frame_left;
    /** In a fragmented message, which is kept if it answers the current call. */
    bool in_chain;
    bool keep;
    uint8_t kind;
    uint32_t chain_id;
    /** The kept body. */
    creo_arena *arena;
    uint8_t *body;
    size_t size;
    size_t room;
    /** Pings to be answered. */
    bool ping;
    uint32_t ping_id;
} creo_stream;

typedef struct creo_client creo_client;

/** How calls are made. Private. */
struct creo_transport;

/** How bodies are written and read over TCP, unless in binary. Private. */
struct creo_wire;

struct creo_client {
    /** May be changed between calls. */
    creo_limits limits;
    /** LIM-12: milliseconds for each call, including connecting; 0 for none. */
    uint32_t deadline_ms;
    /** Sent with each call (TCP-17); must live as long as calls are made. */
    const creo_pair *metadata;
    size_t metadata_count;
    /** HTTP headers sent with each call (HTTP-24); must live as long as calls are made. Other transports do not send them. */
    const creo_pair *headers;
    size_t header_count;
    /** The proxy for calls over HTTP, a tunnel for `https`; NULL for none. Must live as long as calls are made. Other transports use none. */
    const creo_proxy *proxy;

    /** Private. */
    char host[256];
    uint16_t port;
    creo_io io;
    bool has_io;
    creo_allocator allocator;
    creo_arena arena;
    int socket;
    bool open;
    /** The proxy of the connection; NULL for none. */
    const creo_proxy *through;
    bool preamble_sent;
    /** When the service's preamble is due (TCP-19), by the monotonic clock in nanoseconds. */
    int64_t preamble_due;
    uint32_t last_id;
    creo_stream stream;
    char peer[CREO_PEER_SIZE];
    const struct creo_transport *transport;
    const struct creo_wire *wire;
    const void *wire_context;
};

/** Sets the layer between the client and its sockets; before the first call. */
void creo_client_use_io(creo_client *client, creo_io io);

/** Connects if there is no connection. Calls do this themselves. */
bool creo_client_connect(creo_client *client, creo_error *error);

/** The connection's socket, or -1. Shutting it down from another thread ends a call in progress as `unavailable`. */
static inline int creo_client_socket(const creo_client *client)
{
    return client->open ? client->socket : -1;
}

/** Closes the connection; the next call opens a new one. */
void creo_client_disconnect(creo_client *client);

/** Closes the connection and releases all memory. */
void creo_client_free(creo_client *client);

/**
 * Calls a method. The answer, the details of an error and data of the outcome are in `arena`. True if the method answered with its result or a
 * declared exception; generated code says which in the outcome. With a NULL arena (oneway methods) the details of an error live until the next call.
 */
bool creo_client_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);

#ifdef __cplusplus
}
#endif

#endif
