#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "socket.h"

#include "transport.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A write to a closed connection must not raise SIGPIPE: by a flag, or by an option where the system has no flag. */
#ifdef MSG_NOSIGNAL
#define SEND_FLAGS MSG_NOSIGNAL
#else
#define SEND_FLAGS 0
#endif

creo_instant creo_now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return (creo_instant)time.tv_sec * 1000000000 + time.tv_nsec;
}

creo_instant creo_after(creo_instant from, uint32_t milliseconds)
{
    return milliseconds == 0 ? CREO_NEVER : from + (creo_instant)milliseconds * 1000000;
}

/* Nanoseconds in milliseconds, rounded up. */
static int64_t milliseconds(int64_t left)
{
    return left <= 0 ? 0 : (left + 999999) / 1000000;
}

uint32_t creo_milliseconds_left(creo_instant until)
{
    if (until == CREO_NEVER)
        return 0;
    int64_t left = milliseconds(until - creo_now());
    return left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
}

creo_result creo_socket_wait(const creo_client *client, bool to_write, creo_instant until)
{
    struct pollfd entry = {client->socket, to_write ? POLLOUT : POLLIN, 0};
    for (;;) {
        int timeout = -1;
        if (until != CREO_NEVER) {
            int64_t left = milliseconds(until - creo_now());
            timeout = left > 1000000 ? 1000000 : (int)left;
        }
        int ready = poll(&entry, 1, timeout);
        if (ready > 0)
            return CREO_RESULT_DONE;
        if (ready < 0 && errno != EINTR)
            return CREO_RESULT_FAILED;
        if (until != CREO_NEVER && creo_now() >= until)
            return CREO_RESULT_TIMEOUT;
    }
}

static bool would_block(int number)
{
#if EAGAIN != EWOULDBLOCK
    if (number == EWOULDBLOCK)
        return true;
#endif
    return number == EAGAIN;
}

static creo_io_state plain_read(const creo_client *client, void *into, size_t size, size_t *done)
{
    for (;;) {
        ssize_t count = recv(client->socket, into, size, 0);
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

creo_result creo_socket_read(creo_client *client, uint8_t *into, size_t size, size_t *done, bool wait_first, creo_instant until)
{
    /* An io may hold bytes that the socket no longer has, so there the attempt comes first. */
    if (wait_first && !client->has_io) {
        creo_result waited = creo_socket_wait(client, false, until);
        if (waited != CREO_RESULT_DONE)
            return waited;
    }
    for (;;) {
        creo_io_state state = client->has_io ? client->io.read(client->io.context, into, size, done) : plain_read(client, into, size, done);
        switch (state) {
        case CREO_IO_DONE:
            return *done <= size && *done > 0 ? CREO_RESULT_DONE : CREO_RESULT_FAILED;
        case CREO_IO_CLOSED:
            return CREO_RESULT_CLOSED;
        case CREO_IO_FAILED:
        case CREO_IO_UNTRUSTED:
            return CREO_RESULT_FAILED;
        case CREO_IO_WANT_READ:
        case CREO_IO_WANT_WRITE:
            break;
        }
        creo_result waited = creo_socket_wait(client, state == CREO_IO_WANT_WRITE, until);
        if (waited != CREO_RESULT_DONE)
            return waited;
    }
}

static creo_io_state plain_write(const creo_client *client, struct iovec *pieces, size_t count, size_t *done)
{
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = pieces;
    message.msg_iovlen = (__typeof__(message.msg_iovlen))count;
    for (;;) {
        ssize_t sent = sendmsg(client->socket, &message, SEND_FLAGS);
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

creo_result creo_socket_write(creo_client *client, struct iovec *pieces, size_t count, size_t *done, creo_instant until)
{
    *done = 0;
    while (count > 0) {
        if (pieces->iov_len == 0) {
            pieces++;
            count--;
            continue;
        }
        size_t step = 0;
        creo_io_state state = client->has_io ? client->io.write(client->io.context, pieces->iov_base, pieces->iov_len, &step)
                                             : plain_write(client, pieces, count, &step);
        switch (state) {
        case CREO_IO_DONE:
            *done += step;
            while (count > 0 && step >= pieces->iov_len) {
                step -= pieces->iov_len;
                pieces++;
                count--;
            }
            if (step > 0 && count == 0)
                return CREO_RESULT_FAILED;
            if (step > 0) {
                pieces->iov_base = (uint8_t *)pieces->iov_base + step;
                pieces->iov_len -= step;
            }
            continue;
        case CREO_IO_CLOSED:
            return CREO_RESULT_CLOSED;
        case CREO_IO_FAILED:
        case CREO_IO_UNTRUSTED:
            return CREO_RESULT_FAILED;
        case CREO_IO_WANT_READ:
        case CREO_IO_WANT_WRITE:
            break;
        }
        creo_result waited = creo_socket_wait(client, state == CREO_IO_WANT_WRITE, until);
        if (waited != CREO_RESULT_DONE)
            return waited;
    }
    return CREO_RESULT_DONE;
}

static const char *what_failed(int number)
{
    switch (number) {
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

static int new_socket(const struct addrinfo *address)
{
    int made = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (made < 0)
        return -1;
    int on = 1;
    int flags = fcntl(made, F_GETFL);
    if (flags < 0 || fcntl(made, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(made, F_SETFD, FD_CLOEXEC) < 0) {
        (void)close(made);
        return -1;
    }
    (void)setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
    (void)setsockopt(made, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    return made;
}

/* 0, or the number of what failed. */
static int connect_to(creo_client *client, const struct addrinfo *address, creo_instant until)
{
    client->socket = new_socket(address);
    if (client->socket < 0)
        return errno == 0 ? EIO : errno;
    if (connect(client->socket, address->ai_addr, address->ai_addrlen) == 0)
        return 0;
    if (errno != EINPROGRESS && errno != EINTR)
        return errno;
    creo_result waited = creo_socket_wait(client, true, until);
    if (waited == CREO_RESULT_TIMEOUT)
        return ETIMEDOUT;
    int failed = 0;
    socklen_t size = sizeof failed;
    if (waited != CREO_RESULT_DONE || getsockopt(client->socket, SOL_SOCKET, SO_ERROR, &failed, &size) != 0)
        return EIO;
    return failed;
}

static void close_socket(creo_client *client)
{
    if (client->socket >= 0)
        (void)close(client->socket);
    client->socket = -1;
}

/* Lets the io begin: for TLS, the handshake. */
static bool open_io(creo_client *client, creo_instant until, creo_error *error)
{
    for (;;) {
        creo_io_state state = client->io.open(client->io.context, client->socket, client->host);
        creo_result waited = CREO_RESULT_DONE;
        switch (state) {
        case CREO_IO_DONE:
            return true;
        case CREO_IO_WANT_READ:
        case CREO_IO_WANT_WRITE:
            waited = creo_socket_wait(client, state == CREO_IO_WANT_WRITE, until);
            if (waited == CREO_RESULT_DONE)
                continue;
            break;
        case CREO_IO_CLOSED:
        case CREO_IO_FAILED:
        case CREO_IO_UNTRUSTED:
            break;
        }
        const char *reason = waited == CREO_RESULT_TIMEOUT    ? "timed out"
                             : client->io.reason != NULL      ? client->io.reason(client->io.context)
                             : state == CREO_IO_CLOSED        ? "the peer closed the connection"
                                                              : "the handshake failed";
        client->io.close(client->io.context);
        if (state == CREO_IO_UNTRUSTED)
            return creo_fail(error, CREO_UNTRUSTED_PEER, "cannot connect to %s: the certificate is not accepted: %s", client->peer,
                             reason == NULL ? "it is not trusted" : reason);
        return creo_fail(error, CREO_UNAVAILABLE, "cannot connect to %s: %s", client->peer, reason == NULL ? "the handshake failed" : reason);
    }
}

bool creo_socket_open(creo_client *client, creo_instant until, creo_error *error)
{
    const creo_proxy *proxy = creo_client_proxy(client);
    char port[8];
    (void)snprintf(port, sizeof port, "%u", (unsigned)(proxy == NULL ? client->port : proxy->port));
    struct addrinfo hints;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    struct addrinfo *addresses = NULL;
    int looked_up = getaddrinfo(proxy == NULL ? client->host : proxy->host, port, &hints, &addresses);
    if (looked_up != 0)
        return creo_fail(error, CREO_UNAVAILABLE, "cannot connect to %s: name lookup failed: %s", client->peer, gai_strerror(looked_up));

    int failed = EIO;
    for (const struct addrinfo *address = addresses; address != NULL; address = address->ai_next) {
        failed = connect_to(client, address, until);
        if (failed == 0)
            break;
        close_socket(client);
        if (creo_now() >= until)
            break;
    }
    freeaddrinfo(addresses);
    if (failed != 0)
        return creo_fail(error, CREO_UNAVAILABLE, "cannot connect to %s: %s", client->peer, what_failed(failed));
    if ((proxy != NULL && !client->transport->tunnel(client, until, error)) || (client->has_io && !open_io(client, until, error))) {
        close_socket(client);
        return false;
    }
    client->through = proxy;
    client->open = true;
    return true;
}

void creo_socket_close(creo_client *client)
{
    if (client->open && client->has_io)
        client->io.close(client->io.context);
    close_socket(client);
    client->open = false;
}
