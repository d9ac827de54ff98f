/* Envelopes and faults: spec/wires/soap.md. Not part of the API. */
#ifndef CREO_SRC_SOAP_H
#define CREO_SRC_SOAP_H

#include <creo/soap.h>

#include "../base/internal.h"
#include "../multipart/multipart.h"
#include "../xml/xml_writer.h"

#define CREO_SOAP_11 "http://schemas.xmlsoap.org/soap/envelope/"
#define CREO_SOAP_ENCODING "http://schemas.xmlsoap.org/soap/encoding/"
#define CREO_SOAP_12 "http://www.w3.org/2003/05/soap-envelope"

/* Whether the messages of a method are rpc/encoded (SOAP-30). */
static inline bool creo_soap_is_encoded(const creo_text_method *text)
{
    return (text->request.record.flags & CREO_RECORD_ENCODED) != 0;
}

/* Writes the encoding style on the element of an encoded request, and the types on those of its values (SOAP-31). */
CREO_PRIVATE bool creo_soap_put_style(creo_xml_out *out);
CREO_PRIVATE bool creo_soap_put_value_type(creo_xml_out *out, const creo_text_field *field, const void *value);

/*
 * Converts an encoded answer to literal form (SOAP-32) in UTF-8, in the arena. Input without an envelope and body is left unchanged: the reader finds
 * the error. Errors have no offset. `around`: the charged bytes around the envelope; then all bytes charged before the form.
 */
CREO_PRIVATE bool creo_soap_make_literal(const creo_text_method *text, creo_bytes *envelope, creo_charset *charset, size_t *around, bool lenient, creo_arena *arena,
                                         const creo_limits *limits, creo_error *error);

/* Writes and reads tables in the body of an envelope (TDX-50). */
struct creo_soap_tables {
    bool (*write)(creo_xml_out *out, const creo_text_message *request, const void *arguments, const void *options);
    /* Called before the start tag of the envelope is read. */
    bool (*prepare)(creo_xml *xml);
    /* Whether the start tag just read is that of a table. */
    bool (*is)(creo_xml *xml);
    /* Reads the response within the element whose start tag was read. */
    bool (*read)(creo_xml *xml, const creo_text_method *text, void *outcome, const creo_element *element);
    /* The argument for `write`. */
    const void *options;
};

/* What is expected of an answer's header. */
typedef struct creo_soap_due {
    /* The id of the request (SOAP-42); NULL for none. */
    const char *message_id;
    /* The client writes `Security` and therefore understands that block (SOAP-52), at the current time. */
    bool secured;
    creo_datetime now;
    /* The answer is read leniently (XML-50). */
    bool lenient;
    /* The names of header elements that need not be understood (SOAP-25), then NULL; or NULL. */
    const char *const *understood;
} creo_soap_due;

/* The result of reading an answer. */
typedef enum creo_soap_end {
    /* An error was set. */
    CREO_SOAP_FAILED = 0,
    /* The result, or a declared exception, is in the outcome. */
    CREO_SOAP_OUTCOME,
    /* The fault was an error, which was set. */
    CREO_SOAP_FAULT,
    /* The input is not an envelope; an error was set. */
    CREO_SOAP_NO_ENVELOPE,
    /* The client's security refused the answer; an error was set, which the status of HTTP does not replace (SOAP-80). */
    CREO_SOAP_REFUSED
} creo_soap_end;

/*
 * Reads an envelope. `parts` is NULL unless it came in a multipart, `around` the other bytes of the multipart; `tables` is NULL if it cannot contain
 * a table, `due` if the request had none of the protocol's own blocks. The outcome's data is in the text, which must outlive it, or in the arena.
 * `text` may be that of a oneway method: only a fault then matters.
 */
CREO_PRIVATE creo_soap_end creo_soap_read(const creo_text_method *text, creo_bytes envelope, creo_charset charset, creo_xml_part *parts, size_t part_count,
                                          size_t around, const struct creo_soap_tables *tables, const creo_soap_due *due, creo_arena *arena, const creo_limits *limits,
                                          void *outcome, creo_error *error);

/* Says that an outcome is the result, and not an exception. */
CREO_PRIVATE void creo_soap_set_result(const creo_text_method *text, void *outcome);

/* The message to send, in a multipart or not. */
typedef struct creo_soap_message {
    creo_http_body body;
    creo_soap_version version;
    bool package;
    char boundary[CREO_BOUNDARY_SIZE];
} creo_soap_message;

/* Makes a request's message for any transport. Its pieces are not counted yet. */
CREO_MODULE bool creo_soap_make(creo_soap *soap, const creo_text_method *text, const void *arguments, creo_soap_message *sent, creo_error *error);

/* Its media type (HTTP-2, HTTP-4, SOAP-20). */
CREO_MODULE bool creo_soap_put_type(creo_writer *head, const creo_soap_message *sent, const char *action);

/* Whether an answer with this media type may contain an envelope. */
CREO_MODULE bool creo_soap_is_answer(creo_string content_type);

/* Reads the body of an answer, in a multipart or not, from any transport. */
CREO_MODULE creo_soap_end creo_soap_read_message(const creo_soap *soap, const creo_text_method *text, creo_string content_type, creo_bytes body,
                                                 creo_arena *arena, void *outcome, creo_error *error);

/* Reads only the fault whose start tag was read (SOAP-13, SOAP-14). */
CREO_PRIVATE creo_soap_end creo_soap_read_fault(creo_xml *xml, const creo_text_method *text, const creo_element *fault, void *outcome);

#endif
