/**
 * Values as XML: `spec/wires/xml.md`.
 *
 * The reader accepts only well-formed XML without a document type, in UTF-8 or UTF-16; it builds no tree and allocates only for the value. The writer
 * checks everything that it writes: no peer receives XML that it must refuse.
 */
#ifndef CREO_XML_H
#define CREO_XML_H

#include <creo/codegen/descriptor.h>
#include <creo/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a standalone value (XML-3). */
bool creo_xml_write(creo_writer *writer, const creo_text_root *root, const void *value);

/**
 * Reads a standalone value. Texts are in the arena or, if possible and allowed by `keep`, in the input bytes. `limits` may be NULL for the defaults,
 * `error` may be NULL.
 */
bool creo_xml_read(creo_bytes xml, creo_keep keep, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits,
                   creo_error *error);

/** The value as XML, in the arena; and back, with the value's data in the arena. */
bool creo_xml_to_bytes(const creo_text_root *root, const void *value, creo_arena *arena, creo_bytes *xml, creo_error *error);
bool creo_xml_from_bytes(const creo_text_root *root, creo_bytes xml, creo_arena *arena, void *value, creo_error *error);

#ifdef __cplusplus
}
#endif

#endif
