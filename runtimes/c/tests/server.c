#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* No step of a script waits longer for the client. */
#define PATIENCE_MS 20000

static bool problem(server *self, const char *text, const char *hex)
{
    if (self->problem[0] == 0)
        snprintf(self->problem, sizeof self->problem, "%s: %.300s", text, hex == NULL ? "" : hex);
    return false;
}

static bool ready(int socket)
{
    struct pollfd entry = {socket, POLLIN, 0};
    return poll(&entry, 1, PATIENCE_MS) > 0;
}

static bool read_byte(server *self, uint8_t *byte)
{
    return ready(self->connection) && recv(self->connection, byte, 1, 0) == 1;
}

static bool expect(server *self, const char *hex)
{
    for (const char *at = hex; *at != 0; at++) {
        if (*at == ' ')
            continue;
        uint8_t byte;
        if (!read_byte(self, &byte))
            return problem(self, "bytes did not come", at);
        char digits[3] = {at[0], at[1], 0};
        if (at[0] != '.' && byte != strtoul(digits, NULL, 16)) {
            char found[340];
            snprintf(found, sizeof found, "got %02x before %.100s of %.200s", (unsigned)byte, at, hex);
            return problem(self, "a wrong byte came", found);
        }
        at++;
    }
    return true;
}

static bool expect_text(server *self, const char *text)
{
    for (const char *at = text; *at != 0; at++) {
        uint8_t byte;
        if (!read_byte(self, &byte))
            return problem(self, "a text did not come", at);
        if (byte != (uint8_t)*at) {
            char found[340];
            snprintf(found, sizeof found, "got '%c' before %.100s of %.200s", (char)byte, at, text);
            return problem(self, "a wrong text came", found);
        }
    }
    return true;
}

static bool swallow(server *self, size_t count)
{
    static _Thread_local uint8_t buffer[65536];
    while (count > 0) {
        ssize_t got = ready(self->connection) ? recv(self->connection, buffer, count < sizeof buffer ? count : sizeof buffer, 0) : -1;
        if (got <= 0)
            return problem(self, "bytes did not come", "to swallow");
        count -= (size_t)got;
    }
    return true;
}

static bool until_closed(server *self)
{
    uint8_t buffer[4096];
    for (;;) {
        if (!ready(self->connection))
            return problem(self, "the client did not close the connection", "");
        if (recv(self->connection, buffer, sizeof buffer, 0) <= 0)
            return true;
    }
}

/* False: the client has gone away, which is part of some scripts. */
static bool send_all(server *self, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(self->connection, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

static void say_times(server *self, const char *text, size_t count)
{
    while (count > 0 && send_all(self, (const uint8_t *)text, strlen(text)))
        count--;
}

static void send_zeros(server *self, size_t count)
{
    static const uint8_t zeros[65536];
    for (; count > 0; count -= count < sizeof zeros ? count : sizeof zeros)
        send_all(self, zeros, count < sizeof zeros ? count : sizeof zeros);
}

/* The head up to the empty line, and as many bytes as it says. */
static bool hear(server *self, const char *parts)
{
    size_t size = 0;
    size_t end = SIZE_MAX;
    while (size < end) {
        uint8_t byte;
        if (size + 1 >= sizeof self->heard || !read_byte(self, &byte))
            return problem(self, "a request did not come", parts);
        self->heard[size++] = (char)byte;
        self->heard[size] = 0;
        if (end == SIZE_MAX && size >= 4 && memcmp(self->heard + size - 4, "\r\n\r\n", 4) == 0) {
            const char *length = strstr(self->heard, "Content-Length: ");
            end = size + (length == NULL ? 0 : strtoul(length + 16, NULL, 10));
        }
    }
    while (*parts != 0) {
        size_t length = strcspn(parts, "|");
        char part[2000];
        snprintf(part, sizeof part, "%.*s", (int)length, parts);
        if (strstr(self->heard, part) == NULL) {
            char found[340];
            snprintf(found, sizeof found, "%.100s in %.230s", part, strstr(self->heard, "<soap:") == NULL ? self->heard : strstr(self->heard, "<soap:"));
            return problem(self, "a request lacks", found);
        }
        parts += length + (parts[length] == '|' ? 1 : 0);
    }
    return true;
}

static void answer(server *self, const char *text, size_t status)
{
    char head[200];
    snprintf(head, sizeof head, "HTTP/1.1 %zu X\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: %zu\r\n\r\n", status == 0 ? 200 : status, strlen(text));
    send_all(self, (const uint8_t *)head, strlen(head));
    send_all(self, (const uint8_t *)text, strlen(text));
}

static bool reply(server *self, const char *text, size_t status)
{
    char whole[4000];
    const char *begin = strstr(self->heard, "<wsa:MessageID");
    begin = begin == NULL ? NULL : strchr(begin, '>');
    const char *place = strstr(text, "$id");
    if (begin == NULL || place == NULL)
        return problem(self, "a request lacks", "MessageID");
    snprintf(whole, sizeof whole, "%.*s%.*s%s", (int)(place - text), text, (int)strcspn(begin + 1, "<"), begin + 1, place + 3);
    answer(self, whole, status);
    return true;
}

static bool step(server *self, const act *next)
{
    switch (next->what) {
    case ACCEPT:
        self->connection = ready(self->listener) ? accept(self->listener, NULL, NULL) : -1;
        return self->connection >= 0 || problem(self, "no connection came", "");
    case EXPECT:
        return expect(self, next->hex);
    case EXPECT_TEXT:
        return expect_text(self, next->hex);
    case SWALLOW:
        return swallow(self, next->count);
    case SEND: {
        creo_bytes bytes = bytes_of(next->hex);
        send_all(self, bytes.data, bytes.size);
        release(bytes);
        return true;
    }
    case HEAR:
        return hear(self, next->hex);
    case SAY:
        say_times(self, next->hex, 1);
        return true;
    case SAY_TIMES:
        say_times(self, next->hex, next->count);
        return true;
    case ANSWER:
        answer(self, next->hex, next->count);
        return true;
    case REPLY:
        return reply(self, next->hex, next->count);
    case SEND_ZEROS:
        send_zeros(self, next->count);
        return true;
    case RESET: {
        struct linger now = {1, 0};
        setsockopt(self->connection, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close(self->connection);
        self->connection = -1;
        return true;
    }
    case CLOSE:
        close(self->connection);
        self->connection = -1;
        return true;
    case PAUSE_MS: {
        struct timespec time = {(time_t)(next->count / 1000), (long)(next->count % 1000) * 1000000};
        nanosleep(&time, NULL);
        return true;
    }
    case AWAIT: {
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec += PATIENCE_MS / 1000;
        return sem_timedwait(&self->go_on, &end) == 0 || problem(self, "the test did not let the script go on", "");
    }
    case UNTIL_CLOSED:
        return until_closed(self);
    case END:
        break;
    }
    return false;
}

static void *run(void *context)
{
    server *self = (server *)context;
    for (const act *next = self->script; next->what != END && step(self, next);)
        next++;
    if (self->connection >= 0)
        close(self->connection);
    close(self->listener);
    return NULL;
}

/* A socket at a free port of this machine. */
static int bound(uint16_t *port)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(made >= 0);
    assert_int_equal(bind(made, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(made, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return made;
}

uint16_t dead_port(void)
{
    uint16_t port;
    (void)bound(&port);
    return port;
}

void server_start(server *started, const act *script)
{
    memset(started, 0, sizeof *started);
    started->script = script;
    started->connection = -1;
    started->listener = bound(&started->port);
    assert_int_equal(listen(started->listener, 8), 0);
    assert_int_equal(sem_init(&started->go_on, 0, 0), 0);
    assert_int_equal(pthread_create(&started->thread, NULL, run, started), 0);
}

void server_go_on(server *started)
{
    assert_int_equal(sem_post(&started->go_on), 0);
}

void server_join(server *started)
{
    pthread_join(started->thread, NULL);
    sem_destroy(&started->go_on);
    assert_string_equal(started->problem, "");
}
