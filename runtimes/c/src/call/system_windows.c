#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "system.h"

#ifdef _WIN32
/* The max buffers of one write. */
#define MAX_BUFFERS 16
/* The max bytes of one buffer: the system counts in 32 bits. */
#define MAX_BUFFER 0x40000000

int64_t creo_now(void)
{
    LARGE_INTEGER count, rate;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&rate);
    /* In two steps, since the product would soon overflow. */
    return count.QuadPart / rate.QuadPart * 1000000000 + count.QuadPart % rate.QuadPart * 1000000000 / rate.QuadPart;
}

static BOOL CALLBACK start_winsock(PINIT_ONCE once, PVOID parameter, PVOID *context)
{
    (void)once, (void)parameter, (void)context;
    WSADATA data;
    return WSAStartup(MAKEWORD(2, 2), &data) == 0;
}

const char *creo_system_look_up(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found)
{
    static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
    if (!InitOnceExecuteOnce(&once, start_winsock, NULL, NULL))
        return "there is no winsock 2.2";
    switch (getaddrinfo(host, port, hints, found)) {
    case 0:
        return NULL;
    case WSAHOST_NOT_FOUND:
    case WSANO_DATA:
        return "Name or service not known";
    case WSATRY_AGAIN:
        return "Temporary failure in name resolution";
    default:
        return "the system refused";
    }
}

static const char *what_failed(int number)
{
    switch (number) {
    case 0:
        return NULL;
    case WSAECONNREFUSED:
        return "refused";
    case WSAETIMEDOUT:
        return "timed out";
    case WSAEHOSTUNREACH:
    case WSAENETUNREACH:
        return "no route to the host";
    case WSAEACCES:
        return "not permitted";
    case WSAEMFILE:
        return "too many open files";
    default:
        return "the system refused";
    }
}

const char *creo_system_connect(const struct addrinfo *address, int *made, bool *pending)
{
    *made = -1;
    *pending = false;
    SOCKET opened =
        WSASocketW(address->ai_family, address->ai_socktype, address->ai_protocol, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (opened == INVALID_SOCKET)
        return what_failed(WSAGetLastError());
    /* Only 32 bits of a handle are significant. */
    *made = (int)opened;
    u_long on = 1;
    BOOL no_delay = TRUE;
    if (ioctlsocket(opened, (long)FIONBIO, &on) != 0)
        return what_failed(WSAGetLastError());
    (void)setsockopt(opened, IPPROTO_TCP, TCP_NODELAY, (const char *)&no_delay, sizeof no_delay);
    if (connect(opened, address->ai_addr, (int)address->ai_addrlen) == 0)
        return NULL;
    int failed = WSAGetLastError();
    *pending = failed == WSAEWOULDBLOCK;
    return *pending ? NULL : what_failed(failed);
}

const char *creo_system_connected(int opened)
{
    int failed = 0;
    int size = sizeof failed;
    return what_failed(getsockopt((SOCKET)opened, SOL_SOCKET, SO_ERROR, (char *)&failed, &size) != 0 ? WSAGetLastError() : failed);
}

int creo_system_wait(int opened, unsigned what, int milliseconds)
{
    if (what == 0) {
        Sleep((DWORD)milliseconds);
        return 0;
    }
    fd_set readable, writable, broken;
    FD_ZERO(&readable);
    FD_ZERO(&writable);
    FD_ZERO(&broken);
    if ((what & CREO_READABLE) != 0)
        FD_SET((SOCKET)opened, &readable);
    if ((what & CREO_WRITABLE) != 0)
        FD_SET((SOCKET)opened, &writable);
    /* A failed connect is reported here, and by WSAPoll only since Windows 10. */
    FD_SET((SOCKET)opened, &broken);
    struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
    return select(0, &readable, &writable, &broken, milliseconds < 0 ? NULL : &time);
}

static creo_io_state io_failed(creo_io_state again)
{
    switch (WSAGetLastError()) {
    case WSAEWOULDBLOCK:
        return again;
    case WSAECONNRESET:
    case WSAECONNABORTED:
    case WSAESHUTDOWN:
        return CREO_IO_CLOSED;
    default:
        return CREO_IO_FAILED;
    }
}

creo_io_state creo_system_read(int opened, void *into, size_t size, size_t *done)
{
    int count = recv((SOCKET)opened, into, size > MAX_BUFFER ? MAX_BUFFER : (int)size, 0);
    if (count < 0)
        return io_failed(CREO_IO_WANT_READ);
    *done = (size_t)count;
    return count == 0 ? CREO_IO_CLOSED : CREO_IO_DONE;
}

creo_io_state creo_system_write(int opened, struct iovec *pieces, size_t count, size_t *done)
{
    WSABUF buffers[MAX_BUFFERS];
    DWORD used = 0, sent = 0;
    bool whole = true;
    for (; whole && used < count && used < MAX_BUFFERS; used++) {
        whole = pieces[used].iov_len <= MAX_BUFFER;
        buffers[used].buf = pieces[used].iov_base;
        buffers[used].len = whole ? (ULONG)pieces[used].iov_len : MAX_BUFFER;
    }
    if (WSASend((SOCKET)opened, buffers, used, &sent, 0, NULL, NULL) != 0)
        return io_failed(CREO_IO_WANT_WRITE);
    *done = sent;
    return CREO_IO_DONE;
}

void creo_system_close(int opened)
{
    (void)closesocket((SOCKET)opened);
}
#endif
