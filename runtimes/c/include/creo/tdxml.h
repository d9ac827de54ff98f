/**
 * Values as tables, and calls with them: `spec/wires/tdxml.md`. A table is XML whose elements are rows, by number instead of by name.
 *
 * Tables are sent in SOAP (`creo_soap_use_tables`), over HTTP without SOAP (`creo_tdxml_init`), and over TCP (`creo_client_use_tables`). The reader
 * always accepts both schemes, rows in any order, and a data schema, which must match this side's description.
 */
#ifndef CREO_TDXML_H
#define CREO_TDXML_H

#include <creo/client.h>
#include <creo/codegen/descriptor.h>
#include <creo/http.h>
#include <creo/writer.h>

/** This runtime supports tables. One copied for other wires does not. */
#define CREO_HAS_TDXML 1

#ifdef __cplusplus
extern "C" {
#endif

typedef enum creo_tdxml_scheme {
    /** A row for each struct: its scalar fields are columns. */
    CREO_TDXML_RECORD = 0,
    /** A row for each scalar: the scheme of the paper. */
    CREO_TDXML_AGGREGATED = 1
} creo_tdxml_scheme;

/** How tables are written. All zeros are the defaults. */
typedef struct creo_tdxml_options {
    creo_tdxml_scheme scheme;
    /** Names and types come before the table (TDX-40). */
    bool schema;
} creo_tdxml_options;

/** Writes a standalone value as a whole document. `root` is the same as for XML. */
bool creo_tdxml_write(creo_writer *writer, const creo_text_root *root, const void *value, creo_tdxml_options options);

/**
 * Reads a standalone value. Texts are in the arena or, if possible and allowed by `keep`, in the input bytes. `limits` may be NULL for the defaults,
 * `error` may be NULL.
 */
bool creo_tdxml_read(creo_bytes tdxml, creo_keep keep, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits,
                     creo_error *error);

/** The value as a table, in the arena; and back, with the value's data in the arena. */
bool creo_tdxml_to_bytes(const creo_text_root *root, const void *value, creo_tdxml_options options, creo_arena *arena, creo_bytes *tdxml, creo_error *error);
bool creo_tdxml_from_bytes(const creo_text_root *root, creo_bytes tdxml, creo_arena *arena, void *value, creo_error *error);

/**
 * A client for tables over HTTP without SOAP (TDX-51). As over TCP, it has one connection, makes one call at a time, and ends every call at its
 * deadline.
 */
typedef struct creo_tdxml {
    /** The argument for generated functions. Its limits, deadline, metadata and io may be changed between calls, as for every client. */
    creo_client client;
    /** May be changed between calls. */
    creo_tdxml_options options;
    /** Byte strings of at least 1,024 bytes are sent as attachments (TDX-53). Answers may always have attachments. */
    bool mtom;
    /** The caller's functions: if set, bodies of at least 1,024 bytes are compressed, and compressed answers are requested. NULL for neither. */
    const creo_gzip *gzip;

    /** Private. */
    creo_http_place place;
} creo_tdxml;

/**
 * A client of the interface at `http://host:port/path`, by its descriptor from the generated `.text.h`. For `https://` set an io
 * (`creo_client_use_io`) before the first call. Memory for sending comes from the allocator. It does not connect yet. Fails if the URL is invalid.
 */
bool creo_tdxml_init(creo_tdxml *tdxml, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error);

/** Closes the connection and releases all memory. */
void creo_tdxml_free(creo_tdxml *tdxml);

/** What a TCP client needs for tables. */
typedef struct creo_tables {
    creo_tdxml_options options;
    /** The called interfaces. */
    const creo_text_interface *const *interfaces;
    size_t interface_count;
} creo_tables;

/** Makes the bodies of a TCP client tables (TDX-52). Before the first call; `tables` must live as long as the client. */
void creo_client_use_tables(creo_client *client, const creo_tables *tables);

#ifdef __cplusplus
}
#endif

#endif
