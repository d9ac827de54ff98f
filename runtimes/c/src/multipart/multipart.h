/* Messages with byte parts: spec/wires/soap.md, section 3. Not part of the API. */
#ifndef CREO_SRC_MULTIPART_H
#define CREO_SRC_MULTIPART_H

#include "../base/internal.h"
#include "../http/http_call.h"
#include "../xml/xml_reader.h"

/* A parsed multipart (SOAP-20). */
typedef struct creo_multipart {
    creo_bytes root;
    creo_string root_type;
    creo_xml_part *parts;
    size_t part_count;
} creo_multipart;

CREO_PRIVATE bool creo_multipart_read(creo_bytes body, creo_string content_type, const creo_limits *limits, creo_arena *arena, creo_multipart *package,
                                    creo_error *error);

/*
 * Puts bytes in the place of those that are written in a transfer encoding (SOAP-22), in the arena if they differ. Returns NULL, or why it cannot.
 */
CREO_PRIVATE const char *creo_transfer_decode(creo_string encoding, creo_arena *arena, creo_bytes *bytes);

/*
 * Makes the body from a root with media type `root_type` and its parts; without a type, from the root alone. `boundary` receives the chosen one.
 */
#define CREO_BOUNDARY_SIZE 40
CREO_PRIVATE bool creo_multipart_make(creo_bytes root, const char *root_type, const creo_bytes *parts, size_t count, creo_arena *arena, creo_http_body *body,
                                    char boundary[CREO_BOUNDARY_SIZE], creo_error *error);

/* The encoding in a media type; fails if it is not supported. */
CREO_PRIVATE bool creo_multipart_charset(creo_string content_type, creo_bytes text, creo_arena *arena, creo_charset *charset, creo_error *error);

#endif
