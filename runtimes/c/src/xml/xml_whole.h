/* Texts for modules that read them by another reader. Not part of the API. */
#ifndef CREO_SRC_XML_WHOLE_H
#define CREO_SRC_XML_WHOLE_H

#include "../base/internal.h"
#include "xml_reader.h"

/*
 * The root of a whole text, in UTF-8: in the arena, or in the text. It was read by this runtime's reader, with the default limits on depth, attributes,
 * names and namespaces, and has no document type, so that another reader has no surprises. `charset` is named by the transport, or empty.
 */
CREO_MODULE bool creo_xml_whole(creo_bytes text, creo_string charset, creo_arena *arena, creo_bytes *root, creo_error *error);

#endif
