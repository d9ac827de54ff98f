/**
 * Calls over SOAP 1.1 and 1.2: `spec/wires/soap.md`, `spec/transports/http.md`.
 *
 * The generated functions are those of the binary wire, with `&soap.client`. As there, a client has one connection, makes one call at a time, and
 * ends every call at its deadline.
 */
#ifndef CREO_SOAP_H
#define CREO_SOAP_H

#include <creo/http.h>
#include <creo/xml.h>

/** This runtime supports SOAP. One copied for other wires does not. */
#define CREO_HAS_SOAP 1

#ifdef __cplusplus
extern "C" {
#endif

typedef enum creo_soap_version {
    CREO_SOAP_1_1 = 0,
    CREO_SOAP_1_2 = 1
} creo_soap_version;

/** Whether requests have WS-Addressing blocks (SOAP-40). */
typedef enum creo_soap_addressing {
    /** According to the description. */
    CREO_SOAP_ADDRESSING_DESCRIBED = 0,
    CREO_SOAP_ADDRESSING_ON,
    CREO_SOAP_ADDRESSING_OFF
} creo_soap_addressing;

/** Room for the id of a message, with its terminating zero. */
#define CREO_SOAP_ID_SIZE 46

/**
 * The security of a client's messages, such as signatures (SOAP-80): it changes requests before they are sent, and checks answers before they are read.
 * `creo/wss.h` has one. Both functions are called with `context`, and put what they set into the arena of the call. Clients of several threads may share
 * one only if its functions allow that.
 */
typedef struct creo_soap_security {
    void *context;
    /** Secures a request, an envelope in UTF-8, and sets the one that is sent, in UTF-8. */
    bool (*send)(void *context, creo_bytes request, creo_arena *arena, creo_bytes *sent, creo_error *error);
    /**
     * Checks an answer, and sets the envelope that is read, in UTF-8; nothing else of the answer is. `answer` is as it was received, and empty for an
     * empty answer with a status 2xx. `charset` is the one that HTTP names, or empty. An error with CREO_MALFORMED says that the bytes are no envelope.
     */
    bool (*receive)(void *context, creo_bytes answer, creo_string charset, creo_arena *arena, creo_bytes *envelope, creo_error *error);
} creo_soap_security;

/** Writes tables in the body: set by `creo_soap_use_tables`. Private. */
struct creo_soap_tables;

typedef struct creo_soap {
    /** The argument for generated functions. Its limits, deadline, metadata and io may be changed between calls, as for every client. */
    creo_client client;
    /** The description's version by default (SOAP-24). May be changed between calls. Encoded messages always use SOAP 1.1 (SOAP-30). */
    creo_soap_version version;
    /** Byte strings of at least 1,024 bytes are sent as attachments (SOAP-21). Answers may always have attachments. */
    bool mtom;
    /** The caller's functions: if set, bodies of at least 1,024 bytes are compressed, and compressed answers are requested. NULL for neither. */
    const creo_gzip *gzip;
    /** May be changed between calls, as may all that follows. Calls over JMS have no such blocks. */
    creo_soap_addressing addressing;
    /**
     * Each request identifies the caller by a UsernameToken (SOAP-50). NULL, both: none. The password is sent unencrypted, so only an io with TLS
     * hides it, or, with `digest`, as a digest. Released memory contains no copy of it, unless a `security` makes some. The texts stay the caller's.
     */
    const char *user;
    const char *password;
    bool digest;
    /** Each request has the time at which it was made, and expires five minutes later. */
    bool timestamp;
    /**
     * Answers that do not follow the description are read where that does no harm: what is not declared is skipped, and what cannot be a value is missing
     * (XML-51). For a partner who does not mend his service.
     */
    bool lenient;
    /**
     * The names of header elements that are skipped in answers although they must be understood (SOAP-25), each as `{namespace}name`, or `name` without
     * a namespace; then NULL. NULL for no names. The array and the texts stay the caller's.
     */
    const char *const *understood;
    /** Secures requests and checks answers, over JMS too; then `mtom` has no effect, and multipart answers are refused (SOAP-81). NULL for none. */
    const creo_soap_security *security;

    /** Private. */
    creo_http_place place;
    const struct creo_soap_tables *tables;
    /** The id of the current request; empty for none. */
    char message_id[CREO_SOAP_ID_SIZE];
} creo_soap;

/**
 * A client of the service at `http://host:port/path`, by the descriptor of its interface from the generated `.text.h`. For `https://` set an io
 * (`creo_client_use_io`) before the first call. Memory for sending comes from the allocator. It does not connect yet. Fails if the URL is invalid.
 */
bool creo_soap_init(creo_soap *soap, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error);

/** Closes the connection and releases all memory. */
void creo_soap_free(creo_soap *soap);

#ifdef __cplusplus
}
#endif

#endif
