/**
 * Values as JSON, and calls with it over HTTP: `spec/wires/json.md`.
 *
 * The reader takes JSON as RFC 8259 has it and nothing more; it builds no tree and takes memory only for the value. The writer checks all that it writes.
 */
#ifndef CREO_JSON_H
#define CREO_JSON_H

#include <creo/codegen/descriptor.h>
#include <creo/http.h>
#include <creo/writer.h>

/** This runtime speaks JSON. One that was copied for other wires does not. */
#define CREO_HAS_JSON 1

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a value. `root` is the one that serves for XML, too. */
bool creo_json_write(creo_writer *writer, const creo_text_root *root, const void *value);

/**
 * Reads a value, after which only white space may come. Texts live in the arena, or, where that is possible and `keep` says so, in the bytes that are read.
 * `limits` may be NULL for the defaults, `error` may be NULL.
 */
bool creo_json_read(creo_bytes json, creo_keep keep, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits, creo_error *error);

/** The value as JSON, which lives in the arena; and back: what the value points to lives in the arena. */
bool creo_json_to_bytes(const creo_text_root *root, const void *value, creo_arena *arena, creo_bytes *json, creo_error *error);
bool creo_json_from_bytes(const creo_text_root *root, creo_bytes json, creo_arena *arena, void *value, creo_error *error);

/** A client whose calls are plain JSON over HTTP (JSON-20). As over TCP, it holds one connection, makes one call at a time, and ends every call at its deadline. */
typedef struct creo_json {
    /** What generated functions take. Its limits, deadline, metadata and io may be set between calls, as with every client. */
    creo_client client;
    /** Lent functions: then bodies of at least 1,024 bytes are sent compressed, and compressed answers are asked for. NULL: neither. */
    const creo_gzip *gzip;

    /** Private. */
    creo_http_place place;
} creo_json;

/**
 * A client of the interface that is served at `http://host:port/path`, by its descriptor from the generated `.text.h`. For `https://` lend an io
 * (`creo_client_use_io`) before the first call. Memory for sending comes from the allocator. Does not connect yet. Fails if the URL is none.
 */
bool creo_json_init(creo_json *json, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error);

/** Closes the connection and gives all memory back. */
void creo_json_free(creo_json *json);

#ifdef __cplusplus
}
#endif

#endif
