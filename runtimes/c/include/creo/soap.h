/**
 * Calls over SOAP 1.1 and 1.2: `spec/wires/soap.md`, `spec/transports/http.md`.
 *
 * The generated functions are those of the binary wire: hand them `&soap.client`. As there, a client holds one connection, makes one call at a time, and ends
 * every call at its deadline.
 */
#ifndef CREO_SOAP_H
#define CREO_SOAP_H

#include <creo/http.h>
#include <creo/xml.h>

/** This runtime speaks SOAP. One that was copied for other wires does not. */
#define CREO_HAS_SOAP 1

#ifdef __cplusplus
extern "C" {
#endif

typedef enum creo_soap_version {
    CREO_SOAP_1_1 = 0,
    CREO_SOAP_1_2 = 1
} creo_soap_version;

/** Whether requests have blocks of WS-Addressing (SOAP-40). */
typedef enum creo_soap_addressing {
    /** As the description says. */
    CREO_SOAP_ADDRESSING_DESCRIBED = 0,
    CREO_SOAP_ADDRESSING_ON,
    CREO_SOAP_ADDRESSING_OFF
} creo_soap_addressing;

/** Room for the id of a message, with its terminating zero. */
#define CREO_SOAP_ID_SIZE 46

/** How tables come into the body: set by `creo_soap_use_tables`. Private. */
struct creo_soap_tables;

typedef struct creo_soap {
    /** What generated functions take. Its limits, deadline, metadata and io may be set between calls, as with every client. */
    creo_client client;
    /** The version that the description says (SOAP-24). May be set between calls. Encoded messages are SOAP 1.1 whatever it says (SOAP-30). */
    creo_soap_version version;
    /** Byte strings of at least 1,024 bytes travel as attachments (SOAP-21). Answers may have attachments always. */
    bool mtom;
    /** Lent functions: then bodies of at least 1,024 bytes are sent compressed, and compressed answers are asked for. NULL: neither. */
    const creo_gzip *gzip;
    /** May be set between calls, as all that follows. Calls over JMS have no such blocks. */
    creo_soap_addressing addressing;
    /**
     * Lent: each request says who calls, by a UsernameToken (SOAP-50). NULL, both: nobody. The password goes into the request as it is, which only an io with
     * TLS hides, or, with `digest`, as a digest. No copy of it stays in memory that is given back.
     */
    const char *user;
    const char *password;
    bool digest;
    /** Each request says when it was made, and that it expires five minutes later. */
    bool timestamp;
    /**
     * Answers that do not follow the description are read where that does no harm: what is not declared is skipped, and what cannot be a value is missing
     * (XML-51). For a partner who does not mend his service.
     */
    bool lenient;

    /** Private. */
    creo_http_place place;
    const struct creo_soap_tables *tables;
    /** Of the request under way; empty if it has none. */
    char message_id[CREO_SOAP_ID_SIZE];
} creo_soap;

/**
 * A client of the service at `http://host:port/path`, by the descriptor of its interface from the generated `.text.h`. For `https://` lend an io
 * (`creo_client_use_io`) before the first call. Memory for sending comes from the allocator. Does not connect yet. Fails if the URL is none.
 */
bool creo_soap_init(creo_soap *soap, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error);

/** Closes the connection and gives all memory back. */
void creo_soap_free(creo_soap *soap);

#ifdef __cplusplus
}
#endif

#endif
