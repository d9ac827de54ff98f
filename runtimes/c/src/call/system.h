/* The interface to the operating system: sockets and a clock, by POSIX or winsock2. Not part of the API. */
#ifndef CREO_SRC_SYSTEM_H
#define CREO_SRC_SYSTEM_H

#include <creo/channel.h>

#include "../base/internal.h"

/* Indented includes belong to one system; an amalgamation leaves them in place. */
#ifdef _WIN32
#  ifndef WIN32_LEAN_AND_MEAN
#    define WIN32_LEAN_AND_MEAN
#  endif
/* Otherwise there is a macro ERROR. */
#  ifndef NOGDI
#    define NOGDI
#  endif
#  include <winsock2.h>
#  include <ws2tcpip.h>
struct iovec {
    void *iov_base;
    size_t iov_len;
};
#else
#  include <netdb.h>
#  include <sys/socket.h>
#  include <sys/uio.h>
struct addrinfo;
#endif

/* If a function returns a reason, it is NULL on success. */

/* Nanoseconds on a monotonic clock. */
CREO_MODULE int64_t creo_now(void);

/* The result of `getaddrinfo`. */
CREO_PRIVATE const char *creo_system_look_up(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found);

/* Opens a non-blocking socket and begins to connect it. `made` is -1 or must be closed. If `pending`, wait until it is writable. */
CREO_PRIVATE const char *creo_system_connect(const struct addrinfo *address, int *made, bool *pending);

/* The result of a pending connect. */
CREO_PRIVATE const char *creo_system_connected(int opened);

/* What a socket is waited for: one of them or both. */
enum { CREO_READABLE = 1, CREO_WRITABLE = 2 };

/*
 * Waits for this many milliseconds, or forever if negative. Positive if the socket is ready, 0 if not, negative on failure. Without a socket (-1, for
 * nothing, 0) it waits for the time alone.
 */
CREO_PRIVATE int creo_system_wait(int opened, unsigned what, int milliseconds);

CREO_PRIVATE creo_io_state creo_system_read(int opened, void *into, size_t size, size_t *done);

/* Writes at least one byte of the pieces. */
CREO_PRIVATE creo_io_state creo_system_write(int opened, struct iovec *pieces, size_t count, size_t *done);

CREO_PRIVATE void creo_system_close(int opened);

#endif
