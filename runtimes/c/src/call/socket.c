#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "socket.h"

#include "transport.h"

#include <stdio.h>

creo_instant creo_after(creo_instant from, uint32_t milliseconds)
{
    return milliseconds == 0 ? CREO_NEVER : from + (creo_instant)milliseconds * 1000000;
}

/* Converts nanoseconds to milliseconds, rounding up. */
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

creo_result creo_socket_wait(const creo_client *client, unsigned what, creo_instant until)
{
    for (;;) {
        int timeout = -1;
        if (until != CREO_NEVER) {
            int64_t left = milliseconds(until - creo_now());
            timeout = left > 1000000 ? 1000000 : (int)left;
        }
        int ready = creo_system_wait(client->socket, what, timeout);
        if (ready != 0)
            return ready > 0 ? CREO_RESULT_DONE : CREO_RESULT_FAILED;
        if (until != CREO_NEVER && creo_now() >= until)
            return CREO_RESULT_TIMEOUT;
    }
}

creo_result creo_socket_read(creo_client *client, uint8_t *into, size_t size, size_t *done, bool wait_first, creo_instant until)
{
    /* An io may hold bytes that the socket no longer has, so the attempt comes first. */
    if (wait_first && !client->has_io) {
        creo_result waited = creo_socket_wait(client, CREO_READABLE, until);
        if (waited != CREO_RESULT_DONE)
            return waited;
    }
    for (;;) {
        creo_io_state state = client->has_io ? client->io.read(client->io.context, into, size, done)
                                             : creo_system_read(client->socket, into, size, done);
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
        creo_result waited = creo_socket_wait(client, state == CREO_IO_WANT_WRITE ? CREO_WRITABLE : CREO_READABLE, until);
        if (waited != CREO_RESULT_DONE)
            return waited;
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
                                             : creo_system_write(client->socket, pieces, count, &step);
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
        creo_result waited = creo_socket_wait(client, state == CREO_IO_WANT_WRITE ? CREO_WRITABLE : CREO_READABLE, until);
        if (waited != CREO_RESULT_DONE)
            return waited;
    }
    return CREO_RESULT_DONE;
}

/* NULL, or the reason for the failure. */
static const char *connect_to(creo_client *client, const struct addrinfo *address, creo_instant until)
{
    bool pending;
    const char *failed = creo_system_connect(address, &client->socket, &pending);
    if (!pending)
        return failed;
    creo_result waited = creo_socket_wait(client, CREO_WRITABLE, until);
    if (waited == CREO_RESULT_TIMEOUT)
        return "timed out";
    return waited == CREO_RESULT_DONE ? creo_system_connected(client->socket) : "the system refused";
}

static void close_socket(creo_client *client)
{
    if (client->socket >= 0)
        creo_system_close(client->socket);
    client->socket = -1;
}

/* Starts the io: for TLS, the handshake. */
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
            waited = creo_socket_wait(client, state == CREO_IO_WANT_WRITE ? CREO_WRITABLE : CREO_READABLE, until);
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
    client->reached = false;
    const creo_proxy *proxy = creo_client_proxy(client);
    char port[8];
    (void)snprintf(port, sizeof port, "%u", (unsigned)(proxy == NULL ? client->port : proxy->port));
    struct addrinfo hints;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    struct addrinfo *addresses = NULL;
    const char *failed = creo_system_look_up(proxy == NULL ? client->host : proxy->host, port, &hints, &addresses);
    if (failed != NULL)
        return creo_fail(error, CREO_UNAVAILABLE, "cannot connect to %s: name lookup failed: %s", client->peer, failed);

    failed = "the system refused";
    for (const struct addrinfo *address = addresses; address != NULL; address = address->ai_next) {
        failed = connect_to(client, address, until);
        if (failed == NULL)
            break;
        close_socket(client);
        if (creo_now() >= until)
            break;
    }
    freeaddrinfo(addresses);
    if (failed != NULL)
        return creo_fail(error, CREO_UNAVAILABLE, "cannot connect to %s: %s", client->peer, failed);
    if ((proxy != NULL && !client->transport->tunnel(client, until, error)) || (client->has_io && !open_io(client, until, error))) {
        close_socket(client);
        return false;
    }
    client->through = proxy;
    client->open = client->reached = true;
    return true;
}

void creo_socket_close(creo_client *client)
{
    if (client->open && client->has_io)
        client->io.close(client->io.context);
    close_socket(client);
    client->open = false;
}
