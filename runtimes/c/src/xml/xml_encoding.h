/* The encoding of an XML text (XML-40). Not part of the API. */
#ifndef CREO_SRC_XML_ENCODING_H
#define CREO_SRC_XML_ENCODING_H

#include "../base/internal.h"
#include "xml_reader.h"

/* The encoding with this name; false if it is not supported. */
CREO_PRIVATE bool creo_charset_named(creo_string name, creo_charset *charset);

/* The size of the byte order mark of a text. */
CREO_PRIVATE size_t creo_mark_size(creo_bytes text);

/*
 * Determines the encoding (XML-46), converts others to UTF-8, and reads the declaration. The reader is then after it, and its end is at the first
 * byte that XML does not allow.
 */
CREO_PRIVATE bool creo_xml_decode(creo_xml *xml, creo_charset charset);

#endif
