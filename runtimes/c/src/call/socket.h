/* Sockets with a deadline. Not part of the API. */
#ifndef CREO_SRC_SOCKET_H
#define CREO_SRC_SOCKET_H

#include <creo/channel.h>
#include <creo/codegen/path.h>

#include "system.h"

/* A point on the monotonic clock in nanoseconds. */
typedef int64_t creo_instant;
#define CREO_NEVER INT64_MAX

/* The time this many milliseconds after `from`; 0 is never. */
CREO_MODULE creo_instant creo_after(creo_instant from, uint32_t milliseconds);

static inline creo_instant creo_earlier(creo_instant a, creo_instant b)
{
    return a < b ? a : b;
}

/* Milliseconds left, rounded up, at least 0; also 0 for never. */
CREO_MODULE uint32_t creo_milliseconds_left(creo_instant until);

/* The result of an attempt. */
typedef enum creo_result {
    CREO_RESULT_DONE = 0,
    CREO_RESULT_TIMEOUT,
    CREO_RESULT_CLOSED,
    CREO_RESULT_FAILED
} creo_result;

/* Opens the client's socket and io. Errors contain the client's address and the failure (ERR-9). */
CREO_MODULE bool creo_socket_open(creo_client *client, creo_instant until, creo_error *error);

/* Closes it. */
CREO_PRIVATE void creo_socket_close(creo_client *client);

/* Waits until the socket is readable, writable, or one of both. */
CREO_PRIVATE creo_result creo_socket_wait(const creo_client *client, unsigned what, creo_instant until);

/* Reads at least one byte. `wait_first`: nothing is expected to be available yet. */
CREO_MODULE creo_result creo_socket_read(creo_client *client, uint8_t *into, size_t size, size_t *done, bool wait_first, creo_instant until);

/* Writes everything; sets the number of bytes written, even on failure. Changes the pieces. */
CREO_MODULE creo_result creo_socket_write(creo_client *client, struct iovec *pieces, size_t count, size_t *done, creo_instant until);

#endif
