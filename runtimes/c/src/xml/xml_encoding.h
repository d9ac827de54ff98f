/* The encoding of an XML text (XML-40). Not part of the API. */
#ifndef CREO_SRC_XML_ENCODING_H
#define CREO_SRC_XML_ENCODING_H

#include "../base/internal.h"
#include "xml_reader.h"

/* The encoding of that name; false if it is not known. */
CREO_PRIVATE bool creo_charset_named(creo_string name, creo_charset *charset);

/* The size of the byte order mark of a text. */
CREO_PRIVATE size_t creo_mark_size(creo_bytes text);

/*
 * Finds out the encoding (XML-46), makes UTF-8 of others, and reads the declaration. The reader then is after it, and its end is where the first byte is that
 * XML does not allow.
 */
CREO_PRIVATE bool creo_xml_decode(creo_xml *xml, creo_charset charset);

#endif
