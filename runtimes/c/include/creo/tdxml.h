/**
 * Values as tables, and calls with them: `spec/wires/tdxml.md`. A table is XML whose elements are rows, by number instead of by name.
 *
 * Tables travel within SOAP (`creo_soap_use_tables`), over HTTP without SOAP (`creo_tdxml_init`), and over TCP (`creo_client_use_tables`). The reader takes both
 * schemes always, rows in any order, and a data schema, which must be that of this side's description.
 */
#ifndef CREO_TDXML_H
#define CREO_TDXML_H

#include <creo/client.h>
#include <creo/codegen/descriptor.h>
#include <creo/http.h>
#include <creo/writer.h>

/** This runtime speaks tables. One that was copied for other wires does not. */
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

/** Writes a value alone, as a whole document. `root` is the one that serves for XML, too. */
bool creo_tdxml_write(creo_writer *writer, const creo_text_root *root, const void *value, creo_tdxml_options options);

/**
 * Reads a value alone. Texts live in the arena, or, where that is possible and `keep` says so, in the bytes that are read. `limits` may be NULL for the
 * defaults, `error` may be NULL.
 */
bool creo_tdxml_read(creo_bytes tdxml, creo_keep keep, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits,
                     creo_error *error);

/** The value as a table, which lives in the arena; and back: what the value points to lives in the arena. */
bool creo_tdxml_to_bytes(const creo_text_root *root, const void *value, creo_tdxml_options options, creo_arena *arena, creo_bytes *tdxml, creo_error *error);
bool creo_tdxml_from_bytes(const creo_text_root *root, creo_bytes tdxml, creo_arena *arena, void *value, creo_error *error);

/**
 * A client whose calls are tables over HTTP, without SOAP (TDX-51). As over TCP, it holds one connection, makes one call at a time, and ends every call at its
 * deadline.
 */
typedef struct creo_tdxml {
    /** What generated functions take. Its limits, deadline, metadata and io may be set between calls, as with every client. */
    creo_client client;
    /** May be set between calls. */
    creo_tdxml_options options;
    /** Byte strings of at least 1,024 bytes travel as attachments (TDX-53). Answers may have attachments always. */
    bool mtom;
    /** Lent functions: then bodies of at least 1,024 bytes are sent compressed, and compressed answers are asked for. NULL: neither. */
    const creo_gzip *gzip;

    /** Private. */
    creo_http_place place;
} creo_tdxml;

/**
 * A client of the interface that is served at `http://host:port/path`, by its descriptor from the generated `.text.h`. For `https://` lend an io
 * (`creo_client_use_io`) before the first call. Memory for sending comes from the allocator. Does not connect yet. Fails if the URL is none.
 */
bool creo_tdxml_init(creo_tdxml *tdxml, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error);

/** Closes the connection and gives all memory back. */
void creo_tdxml_free(creo_tdxml *tdxml);

/** What a client over TCP needs to send tables. */
typedef struct creo_tables {
    creo_tdxml_options options;
    /** The interfaces that are called. */
    const creo_text_interface *const *interfaces;
    size_t interface_count;
} creo_tables;

/** The bodies of a client over TCP are tables (TDX-52). Before the first call; `tables` must live as long as the client. */
void creo_client_use_tables(creo_client *client, const creo_tables *tables);

#ifdef __cplusplus
}
#endif

#endif
