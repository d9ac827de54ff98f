/* A scripted broker: Proton's engine on the other side, messages by Proton's codec. */
#ifndef BROKER_H
#define BROKER_H

#include "check.h"

#include <proton/connection_driver.h>
#include <proton/engine.h>
#include <proton/message.h>

#include <pthread.h>

typedef struct broker broker;

/* Called for each request, which is `request`. */
typedef void respond(broker *broker);

struct broker {
    respond *respond;
    /* Called when the client grants credit for the queue of a call; NULL for nothing. */
    respond *granted;
    /* Settings of the test: credit for requests (0: 100), whether links are refused, the largest message, and bytes to send instead of AMQP. */
    int credit;
    bool no_credit;
    bool refuse;
    uint64_t most_message_size;
    uint32_t max_frame;
    const char *babble;
    /*
     * How the bytes of a connection are transported, if not directly over the socket: greets the client, receives and sends some (0 or less: it has
     * ended), returns whether bytes were already taken from the socket, and ends it.
     */
    const struct broker_io {
        bool (*greet)(broker *broker);
        ssize_t (*get)(broker *broker, void *into, size_t size);
        ssize_t (*put)(broker *broker, const void *from, size_t size);
        bool (*has_more)(broker *broker);
        void (*end)(broker *broker);
    } *io;
    void *secret;
    /* For the test's own use. */
    int step;
    pn_message_t *kept;

    uint16_t port;
    int connections;
    int requests;
    pn_message_t *request;
    /* The outcome of the request: PN_ACCEPTED by default; the name of a condition if it is refused. */
    uint64_t outcome;
    const char *condition;
    char problem[300];

    int listener;
    int stop[2];
    pthread_t thread;
    int socket;
    bool over;
    unsigned tags;
    pn_connection_driver_t driver;
    pn_link_t *answers;
    /* The queue of a call with a stream: named "items", while the client has it; how many were made, and deleted; the most credit at once. */
    bool refuse_queues;
    pn_link_t *items;
    int made;
    int deleted;
    int most_credit;
};

void broker_start(broker *broker);

/* Ends it; what went wrong within it fails the test. */
void broker_stop(broker *broker);

/* An answer to the request, with properties in pairs ending with NULL, and a body. */
pn_message_t *broker_answer(const char *const *properties, const void *body, size_t size);

/*
 * Sends it, to the request that was heard last or, with an id, to another; and frees it. It goes to the queue of a call with a stream while the client
 * has one, otherwise to that for all answers.
 */
void broker_send(broker *broker, pn_message_t *answer, const char *id);
void broker_send_raw(broker *broker, const void *bytes, size_t size);

/* A property of the request; empty if it has none. */
const char *broker_property(broker *broker, const char *name, char room[300]);

/* Is not there any more: ends the connection, and takes no others. */
void broker_leave(broker *broker);

/* Ends the connection: closes the socket, the link for answers, or the connection in order. */
void broker_drop(broker *broker);
void broker_detach(broker *broker, const char *condition);
void broker_close(broker *broker, const char *condition);

#endif
