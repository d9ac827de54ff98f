/**
 * Calls over JMS: a service's queue on a broker that speaks AMQP 1.0, `spec/transports/jms.md`. Optional: needs libqpid-proton, which allocates with
 * malloc and which no other part of this runtime needs.
 *
 * The generated functions are those of the binary wire, with `&jms.client`. As there, a client has one connection, makes one call at a time, and ends
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

/** Room for the texts of an address, and the max number of its characters (JMS-1). */
#define CREO_JMS_ADDRESS_SIZE 4096

/** The content of an address. Private. */
typedef struct creo_jms_address {
    bool topic;
    bool persistent;
    uint8_t priority;
    /** In milliseconds; 0 for none. */
    uint32_t time_to_live;
    const char *name;
    /** The address in a request, without the parameters for the client itself. */
    const char *uri;
    /** NULL for none. */
    const char *reply_to;
    const char *target_service;
    char texts[2 * (CREO_JMS_ADDRESS_SIZE + 2)];
} creo_jms_address;

/** The address of a broker. */
typedef struct creo_jms_place {
    const char *host;
    uint16_t port;
} creo_jms_place;

/** Private. */
struct creo_jms_link;

typedef struct creo_jms {
    /**
     * The client with its wire's options: for CREO_JMS_SOAP `soap.version`, `soap.mtom`, `soap.security`, the token and timestamp, and
     * `creo_soap_use_tables(&jms.soap, ..)`; for CREO_JMS_TDXML `tdxml.options` and `tdxml.mtom`. Limits, deadline, metadata and io may change
     * between calls; other members are ignored.
     */
    union {
        /** The argument for generated functions. */
        creo_client client;
        creo_soap soap;
        creo_tdxml tdxml;
    };
    /** The caller's functions: if set, requests and thereby answers are compressed. NULL for neither. */
    const creo_gzip *gzip;
    /** The broker's user: NULL for none (`ANONYMOUS`). The password is sent unencrypted, unless an io has TLS. Texts stay the caller's; set before
     * the first call. */
    const char *user;
    const char *password;
    /**
     * More addresses to try if earlier ones do not answer (JMS-17), such as the backup of a live broker. An io with TLS must verify the name of each.
     * They stay the caller's; set before the first call.
     */
    const creo_jms_place *others;
    size_t other_count;

    /** Private. */
    creo_jms_wire wire;
    creo_jms_address address;
    char host[256];
    uint16_t port;
    /** The current broker: 0 is the first, 1 the first of the others. */
    size_t place;
    struct creo_jms_link *link;
} creo_jms;

/**
 * A client of the interface at an address, such as `jms:queue:data?deliveryMode=NON_PERSISTENT`, of the broker at `host` and `port`. `interface` is
 * its descriptor from the generated `.text.h`; the binary wire needs none. Memory for sending comes from the allocator. It does not connect yet.
 * Fails if the address is invalid.
 */
bool creo_jms_init(creo_jms *jms, const char *host, uint16_t port, const char *address, creo_jms_wire wire, const creo_text_interface *interface,
                   creo_allocator allocator, creo_error *error);

/** Closes the connection and releases all memory. */
void creo_jms_free(creo_jms *jms);

#ifdef __cplusplus
}
#endif

#endif
