/* The scenarios over JMS (conformance/scenarios.md). */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"
#include "matrix.text.h"
#include "xml.creo.h"
#include "xml.text.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define MATRIX "jms:queue:creo.matrix"
#define PARTNER "jms:queue:creo.partner"

static const creo_text_interface *const interfaces[DOORS] = {&matrix_echo_text, &matrix_trouble_text, &matrix_answer_text, &xml_partner_text};

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

/* Ten calls of one client of a shared reply queue, in a thread of its own. */
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

/* A socket that listens on a free port; -1 if there is none. */
static int listen_somewhere(uint16_t *port)
{
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (made < 0)
        return -1;
    if (bind(made, (struct sockaddr *)&name, size) != 0 || listen(made, 1) != 0 || getsockname(made, (struct sockaddr *)&name, &size) != 0) {
        close(made);
        return -1;
    }
    *port = ntohs(name.sin_port);
    return made;
}

static bool names_port(const stage *on, uint16_t port)
{
    char due[40];
    snprintf(due, sizeof due, "127.0.0.1:%u", (unsigned)port);
    return strcmp(on->error.peer, due) == 0;
}

static const char *jms_refused(stage *on)
{
    uint16_t port = 0;
    int64_t sum;
    int listener = listen_somewhere(&port);
    if (listener < 0)
        return "no port is free";
    close(listener);
    return failed_with(on, add_at(on, port, MATRIX, 0, &sum), CREO_UNAVAILABLE) && names_port(on, port) ? NULL : failed(on, "the call");
}

static void *answer_http(void *context)
{
    static const char text[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    int accepted = accept(*(const int *)context, NULL, NULL);
    if (accepted < 0)
        return NULL;
    char ignored[256];
    (void)!read(accepted, ignored, sizeof ignored);
    (void)!write(accepted, text, sizeof text - 1);
    shutdown(accepted, SHUT_WR);
    while (read(accepted, ignored, sizeof ignored) > 0)
        continue;
    close(accepted);
    return NULL;
}

static const char *jms_wrong_protocol(stage *on)
{
    uint16_t port = 0;
    int64_t sum;
    int listener = listen_somewhere(&port);
    pthread_t thread;
    if (listener < 0 || pthread_create(&thread, NULL, answer_http, &listener) != 0)
        return "no server can be started";
    bool done = add_at(on, port, MATRIX, 0, &sum);
    pthread_join(thread, NULL);
    close(listener);
    return (failed_with(on, done, CREO_PROTOCOL_MISMATCH) || failed_with(on, done, CREO_UNAVAILABLE)) && names_port(on, port) ? NULL : failed(on, "the call");
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
        {"shared-reply", shared_reply}, {"no-consumer", no_consumer}, {"reconnect", reconnect}, {"refused", jms_refused}, {"wrong-protocol", jms_wrong_protocol}

static const row soap_rows[] = {EVERY_WIRE, {"soap-12", soap_12}, {"mtom", mtom}, {"mtom-12", mtom_12}, {"partner-12", partner_12}, {"tables", soap_tables}};
static const row tdxml_rows[] = {EVERY_WIRE, {"aggregated", aggregated}, {"schema", with_schema}, {"packages", packages}};
static const row binary_rows[] = {EVERY_WIRE};

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
