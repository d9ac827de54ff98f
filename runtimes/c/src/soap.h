/* Envelopes, faults and packages: spec/wires/soap.md. Not part of the API. */
#ifndef CREO_SRC_SOAP_H
#define CREO_SRC_SOAP_H

#include <creo/soap.h>

#include "http.h"
#include "xml_reader.h"

#define CREO_SOAP_11 "http://schemas.xmlsoap.org/soap/envelope/"
#define CREO_SOAP_12 "http://www.w3.org/2003/05/soap-envelope"

/* The method's descriptor, or NULL. */
const creo_text_method *creo_soap_method(const creo_text_interface *interface, const creo_method *method);

/* What an answer came to. */
typedef enum creo_soap_end {
    /* An error was set. */
    CREO_SOAP_FAILED = 0,
    /* The result, or a declared exception, is in the outcome. */
    CREO_SOAP_OUTCOME,
    /* A fault was an error, which was set. */
    CREO_SOAP_FAULT
} creo_soap_end;

/*
 * Reads an envelope. `parts` is NULL if it did not come in a package. Whatever the outcome points to lies in the text, which must outlive it, or in the arena.
 * `text` may be that of a oneway method: then only a fault is of interest.
 */
creo_soap_end creo_soap_read(const creo_text_method *text, creo_bytes envelope, creo_charset charset, creo_xml_part *parts, size_t part_count, creo_arena *arena,
                             const creo_limits *limits, void *outcome, creo_error *error);

/* Reads the fault whose start tag was read (SOAP-13). */
creo_soap_end creo_soap_read_fault(creo_xml *xml, const creo_text_method *text, const creo_element *fault, void *outcome);

/* A package taken apart (SOAP-20). */
typedef struct creo_package {
    creo_bytes root;
    creo_string root_type;
    creo_xml_part *parts;
    size_t part_count;
} creo_package;

bool creo_package_read(creo_bytes body, creo_string content_type, const creo_limits *limits, creo_arena *arena, creo_package *package, creo_error *error);

/* Whether each part was referred to; otherwise `malformed`. */
bool creo_package_used(const creo_xml_part *parts, size_t count, creo_error *error);

/*
 * Makes a package: the pieces that stand around and between the envelope and the parts, in the arena. `boundary` takes the one that was chosen; `pieces` has room
 * for 2 * count + 3.
 */
#define CREO_BOUNDARY_SIZE 40
bool creo_package_write(creo_bytes envelope, creo_soap_version version, const creo_bytes *parts, size_t count, creo_arena *arena, creo_bytes *pieces,
                        size_t *piece_count, char boundary[CREO_BOUNDARY_SIZE], creo_error *error);

#endif
