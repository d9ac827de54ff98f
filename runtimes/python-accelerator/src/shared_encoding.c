/* Shared with the C runtime: the encodings of XML. */
#include "xml/xml_encoding.c"
