/* What the runtime asks of the operating system: sockets and a clock, by POSIX or by winsock2. Not part of the API. */
#ifndef CREO_SRC_SYSTEM_H
#define CREO_SRC_SYSTEM_H

#include <creo/channel.h>

#include "../base/internal.h"

/* Includes with an indent are of one system, and stay where they are when files are joined. */
#ifdef _WIN32
#  ifndef WIN32_LEAN_AND_MEAN
#    define WIN32_LEAN_AND_MEAN
#  endif
/* Else there is a macro ERROR. */
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

/* Where a function gives a reason, it is NULL if nothing failed. */

/* Nanoseconds on a clock that never goes back. */
CREO_MODULE int64_t creo_now(void);

/* What `getaddrinfo` finds. */
CREO_PRIVATE const char *creo_system_look_up(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found);

/* Opens a socket that does not block, and begins to connect it. `made` is -1 or must be closed. If `pending`, wait until it can be written. */
CREO_PRIVATE const char *creo_system_connect(const struct addrinfo *address, int *made, bool *pending);

/* How a pending connect ended. */
CREO_PRIVATE const char *creo_system_connected(int opened);

/* Waits for so many milliseconds, or without an end if negative. Positive if the socket is ready, 0 if not yet, negative if that failed. */
CREO_PRIVATE int creo_system_wait(int opened, bool to_write, int milliseconds);

CREO_PRIVATE creo_io_state creo_system_read(int opened, void *into, size_t size, size_t *done);

/* Writes at least one byte of the pieces. */
CREO_PRIVATE creo_io_state creo_system_write(int opened, struct iovec *pieces, size_t count, size_t *done);

CREO_PRIVATE void creo_system_close(int opened);

#endif
