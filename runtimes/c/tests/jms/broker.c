#define _POSIX_C_SOURCE 200809L

#include "broker.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <proton/sasl.h>

static void complain(broker *broker, const char *what)
{
    if (broker->problem[0] == 0)
        snprintf(broker->problem, sizeof broker->problem, "%s: %s", what, strerror(errno));
    broker->over = true;
}

static void refuse_link(pn_link_t *link)
{
    /* A terminus of null, and a detach that says why: how brokers refuse. */
    pn_terminus_set_type(pn_link_source(link), PN_UNSPECIFIED);
    pn_terminus_set_type(pn_link_target(link), PN_UNSPECIFIED);
    pn_link_open(link);
    pn_condition_set_name(pn_link_condition(link), "amqp:unauthorized-access");
    pn_condition_set_description(pn_link_condition(link), "not here");
    pn_link_close(link);
}

static void attach(broker *broker, pn_link_t *link)
{
    if (broker->refuse || (broker->refuse_queues && broker->answers != NULL && pn_link_is_sender(link))) {
        refuse_link(link);
    } else if (pn_link_is_sender(link) && broker->answers != NULL) {
        if (!pn_terminus_is_dynamic(pn_link_remote_source(link)) || broker->items != NULL)
            complain(broker, "a second queue");
        pn_terminus_set_address(pn_link_source(link), "items");
        broker->items = link;
        broker->made++;
        pn_link_open(link);
    } else if (pn_link_is_sender(link)) {
        const char *asked = pn_terminus_get_address(pn_link_remote_source(link));
        pn_terminus_set_address(pn_link_source(link), pn_terminus_is_dynamic(pn_link_remote_source(link)) ? "answers" : asked);
        broker->answers = link;
        pn_link_open(link);
    } else {
        pn_terminus_set_address(pn_link_target(link), pn_terminus_get_address(pn_link_remote_target(link)));
        if (broker->most_message_size != 0)
            pn_link_set_max_message_size(link, broker->most_message_size);
        pn_link_open(link);
        if (!broker->no_credit)
            pn_link_flow(link, broker->credit == 0 ? 100 : broker->credit);
    }
}

static void hear(broker *broker, pn_delivery_t *delivery)
{
    pn_link_t *link = pn_delivery_link(delivery);
    if (pn_delivery_partial(delivery))
        return;
    size_t size = pn_delivery_pending(delivery);
    char *data = (char *)malloc(size == 0 ? 1 : size);
    ssize_t got = pn_link_recv(link, data, size);
    pn_link_advance(link);
    pn_message_clear(broker->request);
    if (got < 0 || pn_message_decode(broker->request, data, (size_t)got) != 0)
        complain(broker, "a request is no message");
    free(data);
    broker->requests++;
    broker->outcome = PN_ACCEPTED;
    broker->condition = NULL;
    broker->respond(broker);
    if (broker->over)
        return;
    if (broker->condition != NULL) {
        pn_condition_t *why = pn_disposition_condition(pn_delivery_local(delivery));
        pn_condition_set_name(why, broker->condition);
        pn_condition_set_description(why, "because");
        broker->outcome = PN_REJECTED;
    }
    pn_delivery_update(delivery, broker->outcome);
    pn_delivery_settle(delivery);
    pn_link_flow(link, 1);
}

static void handle(broker *broker, pn_event_t *event)
{
    switch (pn_event_type(event)) {
    case PN_CONNECTION_REMOTE_OPEN:
        pn_connection_open(pn_event_connection(event));
        break;
    case PN_SESSION_REMOTE_OPEN:
        pn_session_open(pn_event_session(event));
        break;
    case PN_LINK_REMOTE_OPEN:
        attach(broker, pn_event_link(event));
        break;
    case PN_LINK_FLOW:
        if (pn_event_link(event) != broker->items)
            break;
        /* What waits to be sent counts as sent. */
        if (pn_link_credit(broker->items) + pn_link_queued(broker->items) > broker->most_credit)
            broker->most_credit = pn_link_credit(broker->items) + pn_link_queued(broker->items);
        if (broker->granted != NULL)
            broker->granted(broker);
        break;
    case PN_LINK_REMOTE_CLOSE:
        if (pn_event_link(event) == broker->items) {
            broker->items = NULL;
            broker->deleted++;
            pn_link_close(pn_event_link(event));
            pn_link_free(pn_event_link(event));
        }
        break;
    case PN_CONNECTION_REMOTE_CLOSE:
        pn_connection_close(pn_event_connection(event));
        break;
    case PN_DELIVERY:
        if (pn_link_is_receiver(pn_event_link(event)))
            hear(broker, pn_event_delivery(event));
        else if (pn_delivery_updated(pn_event_delivery(event)))
            pn_delivery_settle(pn_event_delivery(event));
        break;
    default:
        break;
    }
}

static void handle_all(broker *broker)
{
    pn_event_t *event;
    while (!broker->over && (event = pn_connection_driver_next_event(&broker->driver)) != NULL)
        handle(broker, event);
}

static ssize_t get(broker *broker, void *into, size_t size)
{
    return broker->io != NULL ? broker->io->get(broker, into, size) : recv(broker->socket, into, size, 0);
}

static ssize_t put(broker *broker, const void *from, size_t size)
{
    return broker->io != NULL ? broker->io->put(broker, from, size) : send(broker->socket, from, size, MSG_NOSIGNAL);
}

static void flush(broker *broker)
{
    for (;;) {
        handle_all(broker);
        if (broker->over)
            return;
        pn_bytes_t out = pn_connection_driver_write_buffer(&broker->driver);
        if (out.size == 0)
            return;
        ssize_t done = put(broker, out.start, out.size);
        if (done <= 0)
            broker->over = true;
        else
            pn_connection_driver_write_done(&broker->driver, (size_t)done);
    }
}

/* Whether there is something on the socket; false if the test is over. */
static bool wait(broker *broker, int socket)
{
    struct pollfd both[2] = {{socket, POLLIN, 0}, {broker->stop[0], POLLIN, 0}};
    return poll(both, 2, -1) > 0 && both[1].revents == 0;
}

static void speak(broker *broker)
{
    broker->over = false;
    broker->answers = NULL;
    broker->items = NULL;
    if (pn_connection_driver_init(&broker->driver, NULL, NULL) != 0) {
        complain(broker, "no engine");
        return;
    }
    pn_transport_set_server(broker->driver.transport);
    pn_sasl_allowed_mechs(pn_sasl(broker->driver.transport), "ANONYMOUS");
    if (broker->max_frame != 0)
        pn_transport_set_max_frame(broker->driver.transport, broker->max_frame);
    while (!broker->over) {
        flush(broker);
        pn_rwbytes_t in = pn_connection_driver_read_buffer(&broker->driver);
        bool there = broker->io != NULL && broker->io->has_more(broker);
        if (broker->over || in.size == 0 || !(there || wait(broker, broker->socket)))
            break;
        ssize_t got = get(broker, in.start, in.size);
        if (got <= 0)
            break;
        pn_connection_driver_read_done(&broker->driver, (size_t)got);
    }
    pn_connection_driver_destroy(&broker->driver);
}

static void babble(broker *broker)
{
    char heard[100];
    (void)!recv(broker->socket, heard, sizeof heard, 0);
    (void)send(broker->socket, broker->babble, strlen(broker->babble), MSG_NOSIGNAL);
    shutdown(broker->socket, SHUT_WR);
    while (wait(broker, broker->socket) && recv(broker->socket, heard, sizeof heard, 0) > 0)
        continue;
}

static void *serve(void *context)
{
    broker *self = (broker *)context;
    while (wait(self, self->listener)) {
        self->socket = accept(self->listener, NULL, NULL);
        if (self->socket < 0) {
            complain(self, "accept");
            break;
        }
        self->connections++;
        if (self->babble != NULL)
            babble(self);
        else if (self->io == NULL || self->io->greet(self))
            speak(self);
        if (self->io != NULL)
            self->io->end(self);
        if (self->socket >= 0)
            close(self->socket);
    }
    return NULL;
}

void broker_start(broker *broker)
{
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    broker->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(broker->listener >= 0);
    assert_int_equal(bind(broker->listener, (struct sockaddr *)&name, size), 0);
    assert_int_equal(listen(broker->listener, 8), 0);
    assert_int_equal(getsockname(broker->listener, (struct sockaddr *)&name, &size), 0);
    broker->port = ntohs(name.sin_port);
    broker->request = pn_message();
    assert_int_equal(pipe(broker->stop), 0);
    assert_int_equal(pthread_create(&broker->thread, NULL, serve, broker), 0);
}

void broker_stop(broker *broker)
{
    assert_int_equal(write(broker->stop[1], "x", 1), 1);
    pthread_join(broker->thread, NULL);
    if (broker->listener >= 0)
        close(broker->listener);
    close(broker->stop[0]);
    close(broker->stop[1]);
    pn_message_free(broker->request);
    if (broker->kept != NULL)
        pn_message_free(broker->kept);
    if (broker->problem[0] != 0)
        fail_msg("%s", broker->problem);
}

static pn_bytes_t text(const char *from)
{
    return pn_bytes(strlen(from), from);
}

pn_message_t *broker_answer(const char *const *properties, const void *body, size_t size)
{
    pn_message_t *made = pn_message();
    pn_data_t *map = pn_message_properties(made);
    pn_data_put_map(map);
    pn_data_enter(map);
    for (; *properties != NULL; properties += 2) {
        pn_data_put_string(map, text(properties[0]));
        pn_data_put_string(map, text(properties[1]));
    }
    pn_data_exit(map);
    pn_message_set_inferred(made, true);
    pn_data_put_binary(pn_message_body(made), pn_bytes(size, (const char *)body));
    return made;
}

void broker_send_raw(broker *broker, const void *bytes, size_t size)
{
    char tag[20];
    pn_link_t *link = broker->items != NULL ? broker->items : broker->answers;
    if (link == NULL) {
        complain(broker, "nobody waits for answers");
        return;
    }
    snprintf(tag, sizeof tag, "%u", broker->tags++);
    pn_delivery(link, pn_dtag(tag, strlen(tag)));
    pn_link_send(link, (const char *)bytes, size);
    pn_link_advance(link);
}

void broker_send(broker *broker, pn_message_t *answer, const char *id)
{
    size_t room = 20 * 1024 * 1024;
    size_t size = room;
    char *bytes = (char *)malloc(room);
    pn_msgid_t correlation = pn_message_get_correlation_id(broker->request);
    if (id != NULL) {
        correlation.type = PN_STRING;
        correlation.u.as_bytes = text(id);
    }
    (void)pn_message_set_correlation_id(answer, correlation);
    if (bytes == NULL || pn_message_encode(answer, bytes, &size) != 0)
        complain(broker, "an answer cannot be written");
    else
        broker_send_raw(broker, bytes, size);
    free(bytes);
    pn_message_free(answer);
}

const char *broker_property(broker *broker, const char *name, char room[300])
{
    pn_data_t *map = pn_message_properties(broker->request);
    room[0] = 0;
    pn_data_rewind(map);
    pn_data_next(map);
    pn_data_enter(map);
    while (pn_data_next(map)) {
        pn_bytes_t found = pn_data_get_string(map);
        if (!pn_data_next(map))
            return room;
        pn_bytes_t value = pn_data_get_string(map);
        if (found.size == strlen(name) && memcmp(found.start, name, found.size) == 0) {
            snprintf(room, 300, "%.*s", (int)value.size, value.start);
            return room;
        }
    }
    return room;
}

void broker_drop(broker *broker)
{
    close(broker->socket);
    broker->socket = -1;
    broker->over = true;
}

void broker_leave(broker *broker)
{
    close(broker->listener);
    broker->listener = -1;
    broker_drop(broker);
}

void broker_detach(broker *broker, const char *condition)
{
    pn_link_t *link = broker->items != NULL ? broker->items : broker->answers;
    pn_condition_set_name(pn_link_condition(link), condition);
    pn_link_close(link);
}

void broker_close(broker *broker, const char *condition)
{
    pn_condition_set_name(pn_connection_condition(broker->driver.connection), condition);
    pn_connection_close(broker->driver.connection);
}
