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
    /**
     * Called when the socket is connected, and again after it wanted to read or write. `host` is the name to verify (TCP-3); after a redirect it is that
     * of another service (HTTP-42).
     */
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

/** What a client over HTTP does beyond one request and its answer: see `creo/http.h`. */
struct creo_http_options;

/** The cookies of one address. Private. */
struct creo_cookies;

/** The challenge of one address. Private. */
struct creo_digest;

/** Received bytes that are kept. Private. */
typedef struct creo_kept {
    uint8_t *data;
    size_t size;
    size_t room;
    /** Those before it are not needed any more. */
    size_t at;
} creo_kept;

/** What takes the items and the credit of a call with streams. Private. */
struct creo_items;

/** The state of the received frames. Private. */
typedef struct creo_frames {
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
    /** In a fragmented message. */
    bool in_chain;
    uint8_t kind;
    uint32_t chain_id;
    /** Metadata come before the body, within the first frame, which has so many bytes. */
    bool metadata;
    size_t first;
    /** The kept body of an answer. */
    creo_arena *arena;
    creo_kept body;
    /** Where the bytes of the frame, or of the chain, are kept; NULL: they are dropped. */
    creo_kept *into;
    /** Of the current call; NULL: it has no streams. */
    struct creo_items *items;
    /** A ping to be answered. */
    bool ping;
    uint32_t ping_id;
} creo_frames;

/** What came with an answer besides its outcome (CALL-4), as the peer sent it: escape it before it is printed. */
typedef struct creo_answer {
    /** The pairs that the service has set. */
    const creo_pair *metadata;
    size_t metadata_count;
    /** The status of HTTP; 0 on other transports. */
    int status;
    /** The header fields of HTTP in their order, names in small letters; none on other transports. */
    const creo_pair *headers;
    size_t header_count;
} creo_answer;

/** A call as interceptors see it when it begins. */
typedef struct creo_call {
    /** The full name of the interface, and the method's name as declared. */
    const char *interface;
    const char *method;
    /** What the client says of these. May be changed, for this call alone; what is put here must live until the end of the call. */
    uint32_t deadline_ms;
    const creo_pair *metadata;
    size_t metadata_count;
    const creo_pair *headers;
    size_t header_count;
} creo_call;

/** What came of a call (CALL-15). All of it lives until `end` returns. */
typedef struct creo_outcome {
    /** CREO_OK for a result and for a declared exception. */
    creo_code code;
    /** The `kind` of the outcome that the generated function reads: 0 for a result, else it says which exception. */
    uint32_t kind;
    /** NULL: none. */
    const creo_error *error;
    /** From the beginning to the end. */
    uint64_t nanoseconds;
    /** The address of the peer, without control characters; NULL: none was reached. */
    const char *peer;
    /** NULL: none arrived. */
    const creo_answer *answer;
} creo_outcome;

/** Sees each call of a client (CALL-10): to add metadata, to refuse calls, to log, to measure. It makes no calls on that client. */
typedef struct creo_interceptor {
    void *context;
    /**
     * Told before anything of the call is written, or a connection is opened. False refuses the call, which then ends with that error: it is empty, and
     * has room for code and message. NULL: nothing to do.
     */
    bool (*begin)(void *context, creo_call *call, creo_error *error);
    /** Told the end, once, of each call whose beginning it did not refuse. NULL: nothing to do. */
    void (*end)(void *context, const creo_call *call, const creo_outcome *outcome);
} creo_interceptor;

/** A message of a call as it was sent or came, with `***` for secrets (CALL-62). What it points to lives until the hook returns. */
typedef struct creo_raw_message {
    /** Else it came. */
    bool sent;
    /** Else it is a request. */
    bool answer;
    /** The full name of the interface, and the method's name as declared. */
    const char *interface;
    const char *method;
    /** The address of the service, without control characters; over JMS `jms:queue:NAME`. */
    const char *peer;
    /** Of an answer over HTTP; otherwise 0. */
    int status;
    /**
     * The fields, as the peer sent them: over HTTP those of its head; over JMS the properties; over TCP `wire`, `kind`, `timeout` in milliseconds if a
     * request has one, and the metadata.
     */
    const creo_pair *headers;
    size_t header_count;
    /** The first bytes of the body, without codings and frames; how many after them were left out; and its whole length, as it was sent or came. */
    creo_bytes body;
    size_t cut;
    size_t length;
    /** Why the body is not shown, though it has bytes; NULL if it is. */
    const char *hidden;
} creo_raw_message;

/** Sees each message of calls (CALL-60); `creo_raw_text` of `creo/http.h` makes it fit for a log. It makes no calls on that client. */
typedef struct creo_raw_messages {
    void *context;
    void (*message)(void *context, const creo_raw_message *message);
    /** The max bytes of a body that are shown, at most 16,777,216. Usually `CREO_RAW_MAX_BODY`. */
    size_t max_body;
} creo_raw_messages;

#define CREO_RAW_MAX_BODY 65536

typedef struct creo_client creo_client;

/** One of several addresses, and how calls to it ended; and what is done with them. Private. */
struct creo_target;
struct creo_balance;

/** A call, however often it is attempted, and the policy of that. Private. */
struct creo_invocation;
struct creo_retry;

/** A call with streams. Private. */
struct creo_streaming;

/** How calls are made. Private. */
struct creo_transport;

/** How bodies are written and read over TCP, unless in binary. Private. */
struct creo_wire;

struct creo_client {
    /** May be changed between calls. */
    creo_limits limits;
    /** LIM-12: milliseconds for each call, including connecting; 0 for none. */
    uint32_t deadline_ms;
    /** The same for calls with streams, each up to its end (CALL-44); 0, the default, for none. */
    uint32_t stream_deadline_ms;
    /** Sent with each call (TCP-17); must live as long as calls are made. */
    const creo_pair *metadata;
    size_t metadata_count;
    /** HTTP headers sent with each call (HTTP-24); must live as long as calls are made. Other transports do not send them. */
    const creo_pair *headers;
    size_t header_count;
    /** The proxy for calls over HTTP, a tunnel for `https`; NULL for none. Must live as long as calls are made. Other transports use none. */
    const creo_proxy *proxy;
    /** For calls over HTTP: redirects, cookies, and who calls; NULL for none of that. Must live as long as calls are made. Other transports ignore it. */
    const struct creo_http_options *http;
    /** See each call: beginnings in this order, ends in the reverse order. Must live while calls are made. */
    const creo_interceptor *interceptors;
    size_t interceptor_count;
    /** Sees the messages of calls; NULL for none. Must live as long as calls are made. */
    const creo_raw_messages *raw_messages;
    /**
     * Of several addresses, one that fails is left out for so many milliseconds, by default 1,000; each further time before a call has succeeded lasts twice
     * as long, at most `max_ejection_ms`, by default 60,000 (CALL-33).
     */
    uint32_t ejection_ms;
    uint32_t max_ejection_ms;

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
    /** A call with streams that is under way, and the last one while its memory lasts; NULL: none. */
    struct creo_streaming *streaming;
    struct creo_streaming *streamed;
    creo_frames frames;
    char peer[CREO_PEER_SIZE];
    const struct creo_transport *transport;
    const struct creo_wire *wire;
    const void *wire_context;
    /** The cookies of each address that has set some; NULL: none. */
    struct creo_cookies *cookies;
    /** The challenges of each address for digest authentication; NULL: none. */
    struct creo_digest *digests;
    /** Redirects have led the last call to another address, which is still the peer. */
    bool redirected;
    /** Since the call began, a connection was there. */
    bool reached;
    /** In this attempt, a byte of the request was written, and an answer has arrived. */
    bool sent;
    bool answered;
    creo_answer answer;
    /** The policy of repetitions, and what follows it; NULL: calls are not repeated. */
    const struct creo_retry *retry;
    bool (*repeat)(creo_client *client, const struct creo_invocation *call, creo_error *error);
    /** What repetitions may still cost (CALL-25). */
    uint32_t budget;
    /** The state of random numbers; 0: not begun. */
    uint64_t random;
    /** Several addresses, and which of them is the current one. NULL: `host` and `port` are the only address. */
    const struct creo_balance *balance;
    struct creo_target *targets;
    size_t target_count;
    size_t target_room;
    size_t target;
};

/** Sets the layer between the client and its sockets; before the first call. */
void creo_client_use_io(creo_client *client, creo_io io);

/** Connects if there is no connection. Calls do this themselves. */
bool creo_client_connect(creo_client *client, creo_error *error);

/** The connection's socket, or -1. Shutting it down from another thread ends the attempt in progress as `unavailable`, but no wait between attempts. */
static inline int creo_client_socket(const creo_client *client)
{
    return client->open ? client->socket : -1;
}

/** What came with the answer of the last call, also if that was an exception or an error; NULL if none arrived. Lives until the next call. */
static inline const creo_answer *creo_client_answer(const creo_client *client)
{
    return client->answered ? &client->answer : NULL;
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
