/**
 * Values as JSON, and calls with it over HTTP: `spec/wires/json.md`.
 *
 * The reader accepts exactly RFC 8259; it builds no tree and allocates only for the value. The writer checks everything that it writes.
 */
#ifndef CREO_JSON_H
#define CREO_JSON_H

#include <creo/codegen/descriptor.h>
#include <creo/http.h>
#include <creo/writer.h>

/** This runtime supports JSON. One copied for other wires does not. */
#define CREO_HAS_JSON 1

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a value. `root` is the same as for XML. */
bool creo_json_write(creo_writer *writer, const creo_text_root *root, const void *value);

/**
 * Reads a value, which only white space may follow. Texts are in the arena or, if possible and allowed by `keep`, in the input bytes. `limits` may be
 * NULL for the defaults, `error` may be NULL.
 */
bool creo_json_read(creo_bytes json, creo_keep keep, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits, creo_error *error);

/** The value as JSON, in the arena; and back, with the value's data in the arena. */
bool creo_json_to_bytes(const creo_text_root *root, const void *value, creo_arena *arena, creo_bytes *json, creo_error *error);
bool creo_json_from_bytes(const creo_text_root *root, creo_bytes json, creo_arena *arena, void *value, creo_error *error);

/** A client for plain JSON over HTTP (JSON-20). As over TCP, it has one connection, makes one call at a time, and ends every call at its deadline. */
typedef struct creo_json {
    /** The argument for generated functions. Its limits, deadline, metadata and io may be changed between calls, as for every client. */
    creo_client client;
    /** The caller's functions: if set, bodies of at least 1,024 bytes are compressed, and compressed answers are requested. NULL for neither. */
    const creo_gzip *gzip;

    /** Private. */
    creo_http_place place;
} creo_json;

/**
 * A client of the interface at `http://host:port/path`, by its descriptor from the generated `.text.h`. For `https://` set an io
 * (`creo_client_use_io`) before the first call. Memory for sending comes from the allocator. It does not connect yet. Fails if the URL is invalid.
 */
bool creo_json_init(creo_json *json, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error);

/** Closes the connection and releases all memory. */
void creo_json_free(creo_json *json);

#ifdef __cplusplus
}
#endif

#endif
