/**
 * Calls over SOAP 1.1 and 1.2: `spec/wires/soap.md`, `spec/transports/http.md`.
 *
 * The generated functions are those of the binary wire: hand them `&soap.client`. As there, a client holds one connection, makes one call at a time, and ends
 * every call at its deadline.
 */
#ifndef CREO_SOAP_H
#define CREO_SOAP_H

#include <creo/client.h>
#include <creo/xml.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum creo_soap_version {
    CREO_SOAP_1_1 = 0,
    CREO_SOAP_1_2 = 1
} creo_soap_version;

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
    /** The most bytes that so many bytes take as a gzip stream. */
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

typedef struct creo_soap {
    /** What generated functions take. Its limits, deadline, metadata and io may be set between calls, as with every client. */
    creo_client client;
    /** May be set between calls. */
    creo_soap_version version;
    /** Byte strings of at least 1,024 bytes travel as attachments (SOAP-21). Answers may have attachments always. */
    bool mtom;
    /** Lent functions: then bodies of at least 1,024 bytes are sent compressed, and compressed answers are asked for. NULL: neither. */
    const creo_gzip *gzip;

    /** Private. */
    const creo_text_interface *interface;
    bool tls;
    char path[1024];
    char host_header[280];
} creo_soap;

/**
 * A client of the service at `http://host:port/path`, by the descriptor of its interface from the generated `.text.h`. For `https://` lend an io
 * (`creo_client_use_io`) before the first call. Memory for sending comes from the allocator. Does not connect yet. Fails if the URL is none.
 */
bool creo_soap_init(creo_soap *soap, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error);

/** Closes the connection and gives all memory back. */
void creo_soap_free(creo_soap *soap);

#ifdef __cplusplus
}
#endif

#endif
