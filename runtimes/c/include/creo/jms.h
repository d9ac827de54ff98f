/**
 * Calls over JMS: a service's queue at a broker that speaks AMQP 1.0, `spec/transports/jms.md`. Optional: needs libqpid-proton, which nothing else of this
 * runtime needs, and which takes its memory from malloc.
 *
 * The generated functions are those of the binary wire: hand them `&jms.client`. As there, a client holds one connection, makes one call at a time, and ends
 * every call at its deadline.
 */
#ifndef CREO_JMS_H
#define CREO_JMS_H

#include <creo/creo.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum creo_jms_wire {
    CREO_JMS_SOAP = 0,
    CREO_JMS_TDXML = 1,
    CREO_JMS_BINARY = 2
} creo_jms_wire;

/** Room for the texts of an address, which has at most so many characters (JMS-1). */
#define CREO_JMS_ADDRESS_SIZE 4096

/** What an address says. Private. */
typedef struct creo_jms_address {
    bool topic;
    bool persistent;
    uint8_t priority;
    /** Milliseconds; 0: none. */
    uint32_t time_to_live;
    const char *name;
    /** What a request says of it: without what is the client's own affair. */
    const char *uri;
    /** NULL: none. */
    const char *reply_to;
    const char *target_service;
    char texts[2 * (CREO_JMS_ADDRESS_SIZE + 2)];
} creo_jms_address;

/** Where a broker listens. */
typedef struct creo_jms_place {
    const char *host;
    uint16_t port;
} creo_jms_place;

/** Private. */
struct creo_jms_link;

typedef struct creo_jms {
    /**
     * The client, with what its wire may be told: for CREO_JMS_SOAP `soap.version`, `soap.mtom`, the token and timestamp of `soap`, and `creo_soap_use_tables(&jms.soap, ..)`, for CREO_JMS_TDXML
     * `tdxml.options` and `tdxml.mtom`. Limits, deadline, metadata and io may be set between calls, as with every client; what else they have is not looked at.
     */
    union {
        /** What generated functions take. */
        creo_client client;
        creo_soap soap;
        creo_tdxml tdxml;
    };
    /** Lent functions: then requests are compressed, and, by that, answers. NULL: neither. */
    const creo_gzip *gzip;
    /** The broker's user: NULL for none (`ANONYMOUS`). The password goes over the connection as it is: only an io with TLS hides it. Lent; before the first call. */
    const char *user;
    const char *password;
    /**
     * Lent; before the first call: more places to try where those before them do not answer (JMS-17), such as that of the backup of a live broker. An io with
     * TLS is asked to verify the name of each.
     */
    const creo_jms_place *others;
    size_t other_count;

    /** Private. */
    creo_jms_wire wire;
    creo_jms_address address;
    char host[256];
    uint16_t port;
    /** Which of the places is the present one: 0 is the first, 1 the first of the others. */
    size_t place;
    struct creo_jms_link *link;
} creo_jms;

/**
 * A client of the interface that is served at an address, such as `jms:queue:data?deliveryMode=NON_PERSISTENT`, of the broker at `host` and `port`. `interface` is
 * its descriptor from the generated `.text.h`; the binary wire needs none. Memory for sending comes from the allocator. Does not connect yet. Fails if the address
 * is none.
 */
bool creo_jms_init(creo_jms *jms, const char *host, uint16_t port, const char *address, creo_jms_wire wire, const creo_text_interface *interface,
                   creo_allocator allocator, creo_error *error);

/** Closes the connection and gives all memory back. */
void creo_jms_free(creo_jms *jms);

#ifdef __cplusplus
}
#endif

#endif
