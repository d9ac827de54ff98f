#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "system.h"

#ifndef _WIN32
#  include <errno.h>
#  include <fcntl.h>
#  include <netinet/in.h>
#  include <netinet/tcp.h>
#  include <poll.h>
#  include <time.h>
#  include <unistd.h>

/* A write to a closed connection must not raise SIGPIPE: by a flag, or by an option if the system has no flag. */
#ifdef MSG_NOSIGNAL
#define SEND_FLAGS MSG_NOSIGNAL
#else
#define SEND_FLAGS 0
#endif

int64_t creo_now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

const char *creo_system_look_up(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found)
{
    int failed = getaddrinfo(host, port, hints, found);
    return failed == 0 ? NULL : gai_strerror(failed);
}

static const char *what_failed(int number)
{
    switch (number) {
    case 0:
        return NULL;
    case ECONNREFUSED:
        return "refused";
    case ETIMEDOUT:
        return "timed out";
    case EHOSTUNREACH:
    case ENETUNREACH:
        return "no route to the host";
    case EACCES:
    case EPERM:
        return "not permitted";
    case EMFILE:
    case ENFILE:
        return "too many open files";
    default:
        return "the system refused";
    }
}

const char *creo_system_connect(const struct addrinfo *address, int *made, bool *pending)
{
    *pending = false;
    *made = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (*made < 0)
        return what_failed(errno);
    int on = 1;
    int flags = fcntl(*made, F_GETFL);
    if (flags < 0 || fcntl(*made, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(*made, F_SETFD, FD_CLOEXEC) < 0)
        return what_failed(errno);
    (void)setsockopt(*made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
    (void)setsockopt(*made, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    if (connect(*made, address->ai_addr, address->ai_addrlen) == 0)
        return NULL;
    *pending = errno == EINPROGRESS || errno == EINTR;
    return *pending ? NULL : what_failed(errno);
}

const char *creo_system_connected(int opened)
{
    int failed = 0;
    socklen_t size = sizeof failed;
    return what_failed(getsockopt(opened, SOL_SOCKET, SO_ERROR, &failed, &size) != 0 ? EIO : failed);
}

int creo_system_wait(int opened, unsigned what, int milliseconds)
{
    struct pollfd entry = {opened, (short)(((what & CREO_READABLE) != 0 ? POLLIN : 0) | ((what & CREO_WRITABLE) != 0 ? POLLOUT : 0)), 0};
    int ready = poll(&entry, 1, milliseconds);
    return ready < 0 && errno == EINTR ? 0 : ready;
}

static bool would_block(int number)
{
#if EAGAIN != EWOULDBLOCK
    if (number == EWOULDBLOCK)
        return true;
#endif
    return number == EAGAIN;
}

creo_io_state creo_system_read(int opened, void *into, size_t size, size_t *done)
{
    for (;;) {
        ssize_t count = recv(opened, into, size, 0);
        if (count > 0) {
            *done = (size_t)count;
            return CREO_IO_DONE;
        }
        if (count == 0)
            return CREO_IO_CLOSED;
        if (would_block(errno))
            return CREO_IO_WANT_READ;
        if (errno != EINTR)
            return errno == ECONNRESET ? CREO_IO_CLOSED : CREO_IO_FAILED;
    }
}

creo_io_state creo_system_write(int opened, struct iovec *pieces, size_t count, size_t *done)
{
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = pieces;
    message.msg_iovlen = (__typeof__(message.msg_iovlen))count;
    for (;;) {
        ssize_t sent = sendmsg(opened, &message, SEND_FLAGS);
        if (sent >= 0) {
            *done = (size_t)sent;
            return CREO_IO_DONE;
        }
        if (would_block(errno))
            return CREO_IO_WANT_WRITE;
        if (errno != EINTR)
            return errno == EPIPE || errno == ECONNRESET ? CREO_IO_CLOSED : CREO_IO_FAILED;
    }
}

void creo_system_close(int opened)
{
    (void)close(opened);
}
#endif
