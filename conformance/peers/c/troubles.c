/* Connections that are lost, refused, or somebody else's: the same on every way. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

const char *reconnect(stage *on)
{
    int64_t sum = 0;
    if (!matrix_echo_add(at(on, ECHO_DOOR), 1, 2, &on->arena, &sum, &on->error))
        return failed(on, "connect");
    shutdown(creo_client_socket(at(on, ECHO_DOOR)), SHUT_RDWR);
    if (!matrix_echo_add(at(on, ECHO_DOOR), 1, 2, &on->arena, &sum, &on->error) && on->error.code != CREO_UNAVAILABLE)
        return failed(on, "the next call");
    return still_works(on);
}

int listen_somewhere(uint16_t *port)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (made < 0)
        return -1;
    if (bind(made, (struct sockaddr *)&address, size) != 0 || listen(made, 1) != 0 || getsockname(made, (struct sockaddr *)&address, &size) != 0) {
        close(made);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return made;
}

/* Whether a call of the same way fails with that code and names the address, if the service seems to be at another local port. */
static bool fails_at(stage *on, uint16_t port, creo_code code, const char *part)
{
    char url[64];
    char place[40];
    int64_t sum;
    stage *other = like(on);
    if (other == NULL)
        return false;
    snprintf(place, sizeof place, "127.0.0.1:%u", (unsigned)port);
    snprintf(url, sizeof url, "http://%s", place);
    other->host = "127.0.0.1";
    other->port = port;
    other->url = on->url == NULL ? NULL : url;
    bool done = matrix_echo_add(at(other, ECHO_DOOR), 1, 2, &other->arena, &sum, &other->error);
    on->error = other->error;
    end_stage(other);
    return failed_with(on, done, code) && strcmp(on->error.peer, place) == 0 && strstr(on->error.message, part) != NULL;
}

const char *refused(stage *on)
{
    uint16_t port = 0;
    char due[40];
    int socket = listen_somewhere(&port);
    if (socket < 0)
        return "no port is free";
    close(socket);
    snprintf(due, sizeof due, "127.0.0.1:%u: ", (unsigned)port);
    return fails_at(on, port, CREO_UNAVAILABLE, due) && strstr(on->error.message, "refused") != NULL ? NULL : failed(on, "the call");
}

typedef struct stranger {
    int listener;
    const char *text;
} stranger;

static void *answer_otherwise(void *context)
{
    const stranger *self = (const stranger *)context;
    int accepted = accept(self->listener, NULL, NULL);
    if (accepted < 0)
        return NULL;
    char ignored[256];
    (void)!read(accepted, ignored, 1);
    (void)!write(accepted, self->text, strlen(self->text));
    shutdown(accepted, SHUT_WR);
    while (read(accepted, ignored, sizeof ignored) > 0)
        continue;
    close(accepted);
    return NULL;
}

const char *wrong_protocol(stage *on)
{
    uint16_t port = 0;
    pthread_t thread;
    /* Over HTTP, the error says that this is none; elsewhere, that it is. */
    stranger self = {listen_somewhere(&port), on->url == NULL ? "HTTP/1.1 400 Bad Request\r\n\r\n" : "SSH-2.0-nothing\r\n\r\n"};
    if (self.listener < 0 || pthread_create(&thread, NULL, answer_otherwise, &self) != 0)
        return "no server can be started";
    bool fine = fails_at(on, port, CREO_PROTOCOL_MISMATCH, "HTTP");
    pthread_join(thread, NULL);
    close(self.listener);
    return fine ? NULL : failed(on, "the call");
}
