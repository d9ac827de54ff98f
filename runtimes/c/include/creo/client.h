/**
 * Calls over TCP: `spec/transports/tcp.md`.
 */
#ifndef CREO_CLIENT_H
#define CREO_CLIENT_H

#include <creo/channel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A client of the service at `host` and `port`. Memory for sending and receiving comes from the allocator. It does not connect yet. */
void creo_client_init(creo_client *client, const char *host, uint16_t port, creo_allocator allocator);

#ifdef __cplusplus
}
#endif

#endif
