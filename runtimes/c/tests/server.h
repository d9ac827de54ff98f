/* A service that follows a script, for the tests of the client. */
#ifndef SERVER_H
#define SERVER_H

#include "check.h"

#include <pthread.h>
#include <semaphore.h>

typedef enum what {
    END = 0,
    /* Waits for the next connection. */
    ACCEPT,
    /* Reads bytes, which must be these; `..` is any byte. */
    EXPECT,
    /* Reads bytes, which must be this text. */
    EXPECT_TEXT,
    /* Reads that many bytes of any kind. */
    SWALLOW,
    SEND,
    /* Sends that many zero bytes. */
    SEND_ZEROS,
    CLOSE,
    /* Ends the connection with a reset. */
    RESET,
    PAUSE_MS,
    /* Waits until the test calls `server_go_on`. */
    AWAIT,
    /* Reads until the client closes the connection. */
    UNTIL_CLOSED,
    /* Reads a request of HTTP, which must hold each of these texts, parted by `|`. */
    HEAR,
    /* Sends this text. */
    SAY,
    /* Sends it that many times, or until the client has gone. */
    SAY_TIMES,
    /* Sends this text as the body of an answer with status 200, or `count`, and the media type text/xml. */
    ANSWER,
    /* The same, with the MessageID of the request that was heard in the place of `$id`. */
    REPLY
} what;

typedef struct act {
    what what;
    const char *hex;
    size_t count;
} act;

typedef struct server {
    uint16_t port;
    int listener;
    int connection;
    const act *script;
    pthread_t thread;
    sem_t go_on;
    char problem[400];
    /* The request that was heard last. */
    char heard[65536];
} server;

void server_start(server *started, const act *script);

/* Lets the script pass its next AWAIT. */
void server_go_on(server *started);

/* Waits for the end of the script, which must have been followed. */
void server_join(server *started);

/* A port that refuses connections. It stays bound until the program ends, so that no other program gets it, but nothing listens. */
uint16_t dead_port(void);

#endif
