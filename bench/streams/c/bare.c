/* A bare socket, as BarePeer.java has it: bytes that are ready are written, and what is read is added up where it is. */
#include "streams.h"

#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST = 13 };

static void *connect_bare(uint16_t port)
{
    int *client = must(malloc(sizeof *client));
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct sockaddr *to = (const struct sockaddr *)&address;
    int on = 1;
    *client = socket(AF_INET, SOCK_STREAM, 0);
    if (*client >= 0 && connect(*client, to, sizeof address) == 0 && setsockopt(*client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0)
        return client;
    perror("connect");
    free(client);
    return NULL;
}

static bool filled(int from, void *into, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = recv(from, (char *)into + at, size - at, 0);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

static bool sent(int to, const void *from, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t put = send(to, (const char *)from + at, size - at, MSG_NOSIGNAL);
        if (put <= 0)
            return false;
        at += (size_t)put;
    }
    return true;
}

static bool asked(int to, char what, int64_t count, int32_t length)
{
    unsigned char request[REQUEST] = {(unsigned char)what};
    uint64_t blocks = htobe64((uint64_t)count);
    uint32_t items = htobe32((uint32_t)length);
    memcpy(request + 1, &blocks, sizeof blocks);
    memcpy(request + 9, &items, sizeof items);
    return sent(to, request, sizeof request);
}

static bool read_blocks(void *opaque, int64_t count, int32_t length, uint64_t *sum, char *why)
{
    int client = *(int *)opaque;
    size_t items = (size_t)length;
    uint64_t *block = must(malloc(items * sizeof *block));
    uint64_t total = 0;
    bool done = asked(client, 'r', count, length);
    for (int64_t i = 0; done && i < count; i++) {
        done = filled(client, block, items * sizeof *block);
        for (size_t at = 0; done && at < items; at++)
            total += be64toh(block[at]);
    }
    free(block);
    *sum = total;
    if (!done)
        snprintf(why, WHY, "the connection has ended");
    return done;
}

static bool write_blocks(void *opaque, int64_t count, int32_t length, uint64_t *sum, char *why)
{
    int client = *(int *)opaque;
    size_t items = (size_t)length;
    uint64_t *block = must(malloc(items * sizeof *block));
    for (size_t i = 0; i < items; i++) {
        double value = block_value(i);
        memcpy(&block[i], &value, sizeof value);
        block[i] = htobe64(block[i]);
    }
    bool done = asked(client, 'w', count, length);
    for (int64_t i = 0; done && i < count; i++)
        done = sent(client, block, items * sizeof *block);
    uint64_t answer = 0;
    done = done && filled(client, &answer, sizeof answer);
    free(block);
    *sum = be64toh(answer);
    if (!done)
        snprintf(why, WHY, "the connection has ended");
    return done;
}

const struct peer bare_peer = {"bare", connect_bare, read_blocks, write_blocks, NULL, NULL};
