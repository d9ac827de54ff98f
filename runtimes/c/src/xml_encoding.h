/* The encoding of an XML text (XML-40). Not part of the API. */
#ifndef CREO_SRC_XML_ENCODING_H
#define CREO_SRC_XML_ENCODING_H

#include "xml_reader.h"

/*
 * Finds out the encoding, makes UTF-8 of UTF-16, and reads the declaration. The reader then stands behind it, and its end is where the first byte stands that
 * XML does not allow.
 */
bool creo_xml_decode(creo_xml *xml, creo_charset charset);

#endif
