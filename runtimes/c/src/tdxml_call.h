/* Calls whose bodies are tables. Not part of the API. */
#ifndef CREO_SRC_TDXML_CALL_H
#define CREO_SRC_TDXML_CALL_H

#include "http_call.h"
#include "tdxml.h"

/* The request or the response of a method. */
creo_tdxml_root creo_tdxml_root_of_message(const creo_text_message *message);

/* Reads the response of a method into its outcome. */
bool creo_tdxml_read_response(creo_xml *xml, const creo_text_method *text, const creo_tdxml_document *document, void *outcome);

/* Reads the exception that a document is `of`, if the method declares it. `declared` says whether. */
bool creo_tdxml_read_exception(creo_xml *xml, const creo_text_method *text, const creo_tdxml_document *document, void *outcome, bool *declared);

#endif
