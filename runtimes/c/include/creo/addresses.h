/**
 * Several addresses for one client (CALL-32 to CALL-38). A copied runtime has them with `--with balance`.
 */
#ifndef CREO_ADDRESSES_H
#define CREO_ADDRESSES_H

#include <creo/channel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The address of a host. */
typedef struct creo_address {
    /** A name or an IP address. */
    const char *host;
    uint16_t port;
} creo_address;

/**
 * Sets the addresses of hosts that serve the same, instead of the one address that the client was made with: between calls, and again whenever they change
 * (CALL-37). They are copied. Each new connection takes the next one, beginning with a random one; a call that one of them did not start, being unavailable,
 * is made at the next one. A connection to one that is no longer named is closed. Over HTTP, the URL keeps its scheme and its path, and TLS verifies the host
 * of the address. Fails if there is none, if a host is none or a port is 0, if memory runs out, and over JMS, where `others` names further brokers.
 */
bool creo_client_set_addresses(creo_client *client, const creo_address *addresses, size_t count, creo_error *error);

#ifdef __cplusplus
}
#endif

#endif
