/* The scenarios over JMS (conformance/scenarios.md). */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"
#include "matrix.text.h"
#include "xml.creo.h"
#include "xml.text.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define MATRIX "jms:queue:creo.matrix"
#define PARTNER "jms:queue:creo.partner"

static const creo_text_interface *const interfaces[DOORS] = {&matrix_echo_text, &matrix_trouble_text, &matrix_answer_text, &xml_partner_text, &matrix_streams_text};

static creo_jms_wire wire(const stage *on)
{
    return on->way == WAY_TDXML_JMS ? CREO_JMS_TDXML : on->way == WAY_BINARY_JMS ? CREO_JMS_BINARY : CREO_JMS_SOAP;
}

/* A client that speaks to an address of a broker. */
static bool open_address(const stage *on, uint16_t port, const char *address, door door, door_client *client, creo_error *error)
{
    memset(client, 0, sizeof *client);
    if (!creo_jms_init(&client->jms, on->host, port, address, wire(on), interfaces[door], creo_allocator_libc(), error))
        return false;
    if (on->way == WAY_TDXML_JMS)
        client->tdxml.options = on->tables.options;
    else if (on->way == WAY_TABLES)
        creo_soap_use_tables(&client->soap, on->tables.options);
    return true;
}

static creo_client *open_jms(const stage *on, door door, door_client *client)
{
    creo_error error;
    if (!open_address(on, on->port, door == PARTNER_DOOR ? PARTNER : MATRIX, door, client, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return &client->client;
}

static void compress(door_client *client, const creo_gzip *gzip)
{
    client->jms.gzip = gzip;
}

/* A call at an address. */
static bool add_at(stage *on, uint16_t port, const char *address, uint32_t milliseconds, int64_t *sum)
{
    door_client own;
    bool done = open_address(on, port, address, ECHO_DOOR, &own, &on->error);
    if (done && milliseconds != 0)
        own.client.deadline_ms = milliseconds;
    done = done && matrix_echo_add(&own.client, 1, 2, &on->arena, sum, &on->error);
    creo_client_free(&own.client);
    return done;
}

static const char *other_service(stage *on)
{
    door_client own;
    int64_t sum;
    if (!open_address(on, on->port, MATRIX, PARTNER_DOOR, &own, &on->error))
        return failed(on, "the address");
    bool done = xml_partner_sum(&own.client, 3, 4, &on->arena, &sum, &on->error);
    creo_client_free(&own.client);
    return failed_with(on, done, CREO_UNKNOWN_METHOD) ? NULL : failed(on, "the call");
}

static const char *target_service(stage *on)
{
    int64_t sum = 0;
    if (!add_at(on, on->port, MATRIX "?targetService=conformance.matrix.Echo", 0, &sum) || sum != 3)
        return failed(on, "Echo");
    bool done = add_at(on, on->port, MATRIX "?targetService=conformance.matrix.Trouble", 0, &sum);
    return failed_with(on, done, CREO_UNKNOWN_METHOD) ? NULL : failed(on, "Trouble");
}

static const char *address(stage *on)
{
    static const char *const wrong[] = {"jms:jndi:x", "jms:queue:q?priority=10", "jms:queue:q?jndiURL=x"};
    int64_t sum = 0;
    if (!add_at(on, on->port, MATRIX "?deliveryMode=NON_PERSISTENT&priority=9&timeToLive=60000&something=else", 0, &sum) || sum != 3)
        return failed(on, "the call");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (!failed_with(on, add_at(on, on->port, wrong[i], 0, &sum), CREO_INVALID_VALUE))
            return failed(on, wrong[i]);
    return NULL;
}

/* Ten calls of one client with a shared reply queue, in a separate thread. */
typedef struct sharer {
    pthread_t thread;
    stage *on;
    char address[200];
    int64_t more;
    const char *why;
} sharer;

static void *share(void *context)
{
    sharer *self = (sharer *)context;
    stage *on = self->on;
    door_client own;
    if (!open_address(on, on->port, self->address, ECHO_DOOR, &own, &on->error)) {
        self->why = failed(on, "the address");
        return NULL;
    }
    for (int64_t i = 0; i < 10 && self->why == NULL; i++) {
        int64_t sum = 0;
        if (!matrix_echo_add(&own.client, i, self->more, &on->arena, &sum, &on->error))
            self->why = failed(on, "add");
        else if (sum != i + self->more)
            self->why = "a call got another's answer";
    }
    creo_client_free(&own.client);
    return NULL;
}

static const char *shared_reply(stage *on)
{
    static const char *const wires[] = {"soap", "tdxml", "binary"};
    sharer two[2];
    const char *why = NULL;
    int started = 0;
    memset(two, 0, sizeof two);
    for (; started < 2; started++) {
        two[started].on = like(on);
        two[started].more = 1000 * (started + 1);
        snprintf(two[started].address, sizeof two[started].address, MATRIX "?replyToName=creo.replies.c.%s", wires[wire(on)]);
        if (two[started].on == NULL || pthread_create(&two[started].thread, NULL, share, &two[started]) != 0)
            break;
    }
    if (started < 2)
        why = "a thread cannot be started";
    for (int i = 0; i < started; i++) {
        pthread_join(two[i].thread, NULL);
        if (two[i].why != NULL && why == NULL) {
            snprintf(on->why, sizeof on->why, "%s", two[i].why);
            why = on->why;
        }
        end_stage(two[i].on);
    }
    return why;
}

static const char *no_consumer(stage *on)
{
    int64_t sum;
    bool done = add_at(on, on->port, "jms:queue:creo.nobody", 300, &sum);
    return failed_with(on, done, CREO_DEADLINE_EXCEEDED) ? NULL : failed(on, "the call");
}

/* Relays between one client and the broker until it is stopped. */
typedef struct relay {
    const stage *on;
    pthread_t thread;
    uint16_t port;
    int listener;
    int stop[2];
} relay;

static int connect_to_broker(const stage *on)
{
    struct sockaddr_in name;
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_port = htons(on->port);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (made >= 0 && inet_pton(AF_INET, on->host, &name.sin_addr) == 1 && connect(made, (struct sockaddr *)&name, sizeof name) == 0)
        return made;
    if (made >= 0)
        close(made);
    return -1;
}

/* Whether what has come was passed on. */
static bool pass(int from, int to)
{
    char room[65536];
    ssize_t size = recv(from, room, sizeof room, 0);
    for (ssize_t at = 0; at < size;) {
        ssize_t done = send(to, room + at, (size_t)(size - at), MSG_NOSIGNAL);
        if (done <= 0)
            return false;
        at += done;
    }
    return size > 0;
}

static void *run_relay(void *context)
{
    const relay *self = (const relay *)context;
    struct pollfd first[2] = {{self->listener, POLLIN, 0}, {self->stop[0], POLLIN, 0}};
    int near = poll(first, 2, -1) > 0 && first[1].revents == 0 ? accept(self->listener, NULL, NULL) : -1;
    int far = connect_to_broker(self->on);
    struct pollfd all[3] = {{near, POLLIN, 0}, {far, POLLIN, 0}, {self->stop[0], POLLIN, 0}};
    while (near >= 0 && far >= 0 && poll(all, 3, -1) > 0 && all[2].revents == 0)
        if ((all[0].revents != 0 && !pass(near, far)) || (all[1].revents != 0 && !pass(far, near)))
            break;
    close(self->listener);
    if (near >= 0)
        close(near);
    if (far >= 0)
        close(far);
    return NULL;
}

static bool adds(stage *on, door_client *client)
{
    int64_t sum = 0;
    return matrix_echo_add(&client->client, 1, 2, &on->arena, &sum, &on->error) && sum == 3;
}

/* The first place is the relay, the second the broker itself. */
static const char *second_broker(stage *on)
{
    relay relay = {.on = on};
    door_client own;
    creo_jms_place other = {on->host, on->port};
    const char *why = NULL;
    relay.listener = listen_somewhere(&relay.port);
    if (relay.listener < 0 || pipe(relay.stop) != 0 || pthread_create(&relay.thread, NULL, run_relay, &relay) != 0)
        return "no relay can be started";
    if (!open_address(on, relay.port, MATRIX, ECHO_DOOR, &own, &on->error))
        return failed(on, "the address");
    own.jms.others = &other;
    own.jms.other_count = 1;
    if (!adds(on, &own))
        why = failed(on, "by the relay");
    (void)!write(relay.stop[1], "x", 1);
    pthread_join(relay.thread, NULL);
    close(relay.stop[0]);
    close(relay.stop[1]);
    if (why == NULL && !adds(on, &own) && on->error.code != CREO_UNAVAILABLE)
        why = failed(on, "the next call");
    if (why == NULL && !adds(on, &own))
        why = failed(on, "by the broker itself");
    creo_client_free(&own.client);
    return why;
}

/* Tables within SOAP, in both schemes. */
static const char *soap_tables(stage *on)
{
    static scenario *const calls[] = {add_numbers, several_parameters, declared_exception, aggregated};
    stage *other = like(on);
    const char *why = NULL;
    if (other == NULL)
        return "no memory";
    other->way = WAY_TABLES;
    for (size_t i = 0; why == NULL && i < sizeof calls / sizeof calls[0]; i++)
        why = calls[i](other);
    if (why != NULL)
        snprintf(on->why, sizeof on->why, "%s", why);
    end_stage(other);
    return why == NULL ? NULL : on->why;
}

#define EVERY_WIRE                                                                                                                                               \
    EVERYWHERE, {"gzip", gzip}, {"partner", partner}, {"unknown-method", other_service}, {"target-service", target_service}, {"address", address},               \
        {"shared-reply", shared_reply}, {"no-consumer", no_consumer}, {"reconnect", reconnect}, {"second-broker", second_broker}, {"refused", refused}, {"wrong-protocol", wrong_protocol}

static const row soap_rows[] = {EVERY_WIRE, {"soap-12", soap_12}, {"mtom", mtom}, {"mtom-12", mtom_12}, {"partner-12", partner_12}, {"tables", soap_tables}};
static const row tdxml_rows[] = {EVERY_WIRE, {"aggregated", aggregated}, {"schema", with_schema}, {"packages", packages}};
static const row binary_rows[] = {EVERY_WIRE, {"streams", streams}, {"streams-talk", streams_talk}, {"streams-close", streams_close}, {"streams-deadline", streams_deadline},
                                  {"streams-metadata", streams_metadata}};

int peer_client_jms(const char *spoken, const char *host, const char *port, const char *vectors)
{
    static const struct {
        const char *wire;
        way way;
        const row *list;
        size_t count;
    } wires[] = {
        {"soap", WAY_SOAP_JMS, soap_rows, sizeof soap_rows / sizeof soap_rows[0]},
        {"tdxml", WAY_TDXML_JMS, tdxml_rows, sizeof tdxml_rows / sizeof tdxml_rows[0]},
        {"binary", WAY_BINARY_JMS, binary_rows, sizeof binary_rows / sizeof binary_rows[0]},
    };
    for (size_t i = 0; i < sizeof wires / sizeof wires[0]; i++) {
        if (strcmp(spoken, wires[i].wire) != 0)
            continue;
        stage *on = new_stage(wires[i].way, vectors);
        on->host = host;
        on->port = (uint16_t)strtoul(port, NULL, 10);
        on->open = open_jms;
        on->compress = compress;
        return run_rows(on, wires[i].list, wires[i].count);
    }
    return 2;
}
