/* Calls whose bodies are tables. Not part of the API. */
#ifndef CREO_SRC_TDXML_CALL_H
#define CREO_SRC_TDXML_CALL_H

#include "../base/internal.h"
#include "../http/http_call.h"
#include "../multipart/multipart.h"
#include "tdxml.h"

#define CREO_TDXML_MEDIA "application/vnd.creo.tdxml"

/* The request or the response of a method. */
CREO_PRIVATE creo_tdxml_root creo_tdxml_root_of_message(const creo_text_message *message);

/* The message to send, in a multipart or not. */
typedef struct creo_tdxml_message {
    creo_http_body body;
    char boundary[CREO_BOUNDARY_SIZE];
} creo_tdxml_message;

/* Makes a request's message for any transport. Its pieces are not counted yet. */
CREO_MODULE bool creo_tdxml_make(creo_tdxml *tdxml, const creo_text_method *text, const void *arguments, creo_tdxml_message *sent, creo_error *error);

/* Its media type. */
CREO_MODULE bool creo_tdxml_put_type(creo_writer *head, const creo_tdxml *tdxml, const creo_tdxml_message *sent);

/* Whether an answer with this media type may contain a document. */
CREO_MODULE bool creo_tdxml_is_answer(creo_string content_type);

/* Begins to read the document of an answer, in a multipart or not, from any transport. */
CREO_MODULE bool creo_tdxml_open(const creo_client *client, creo_string content_type, creo_bytes body, creo_arena *arena, creo_multipart *package,
                                 creo_xml *xml, creo_error *error);

/* Reads the response of a method into its outcome. */
CREO_MODULE bool creo_tdxml_read_response(creo_xml *xml, const creo_text_method *text, const creo_tdxml_document *document, void *outcome);

/* Reads the exception named by a document's `of`, if the method declares it. `declared` says whether. */
CREO_MODULE bool creo_tdxml_read_exception(creo_xml *xml, const creo_text_method *text, const creo_tdxml_document *document, void *outcome, bool *declared);

#endif
