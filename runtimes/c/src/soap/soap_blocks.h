/* The protocol's own header blocks: WS-Addressing (SOAP-40 to SOAP-42) and user tokens (SOAP-50 to SOAP-52). Not part of the API. */
#ifndef CREO_SRC_SOAP_BLOCKS_H
#define CREO_SRC_SOAP_BLOCKS_H

#include "soap.h"

#define CREO_WSA "http://www.w3.org/2005/08/addressing"
#define CREO_NONCE_SIZE 16

/* A new id for a message (SOAP-41). */
CREO_PRIVATE bool creo_soap_new_id(char id[CREO_SOAP_ID_SIZE], creo_error *error);

/* The WS-Addressing blocks for a request with this id. */
CREO_PRIVATE bool creo_soap_put_addressing(creo_xml_out *out, const creo_http_place *place, const creo_text_method *text, const char *id);

/* Whether requests have the block `Security`. Invalid options are reported when the block is written. */
static inline bool creo_soap_is_secured(const creo_soap *soap)
{
    return soap->user != NULL || soap->password != NULL || soap->timestamp;
}

/* The block for the given time. With a digest, the nonce is written. */
CREO_PRIVATE bool creo_soap_put_security(creo_xml_out *out, const creo_soap *soap, creo_datetime now, const uint8_t nonce[CREO_NONCE_SIZE]);

/* The content of an answer's header. It counts only if the body is not a fault (SOAP-14). */
typedef struct creo_soap_seen {
    /* The first mustUnderstand block that is not understood. Without data: none. */
    creo_string unknown;
    creo_string unknown_uri;
    /* The id to which the answer replies, by the first such block; and whether one of them names the request. */
    creo_string replies_to;
    bool replies;
    /* What is wrong with a Timestamp, or NULL. */
    const char *problem;
    creo_code code;
} creo_soap_seen;

/* Reads a WS-Addressing block whose start tag was read. `due` may be NULL. */
CREO_PRIVATE bool creo_soap_read_addressing(creo_xml *xml, const creo_element *block, const creo_soap_due *due, creo_soap_seen *seen);

/* Whether the start tag just read is that of `Security`. */
CREO_PRIVATE bool creo_soap_is_security(const creo_xml *xml);

/* Reads such a block, and sets whether it is understood. */
CREO_PRIVATE bool creo_soap_read_security(creo_xml *xml, const creo_element *block, creo_datetime now, bool *understood, creo_soap_seen *seen);

#endif
