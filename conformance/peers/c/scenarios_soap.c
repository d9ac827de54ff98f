/* What only HTTP has, and SOAP. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"
#include "xml.creo.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

const char *soap_12(stage *on)
{
    door_client echo;
    door_client trouble;
    const char *why = NULL;
    int64_t sum = 0;
    matrix_trouble_fail_outcome outcome;
    open_door(on, ECHO_DOOR, &echo);
    open_door(on, TROUBLE_DOOR, &trouble);
    echo.soap.version = CREO_SOAP_1_2;
    trouble.soap.version = CREO_SOAP_1_2;
    if (!matrix_echo_add(&echo.client, 1, 2, &on->arena, &sum, &on->error) || sum != 3)
        why = failed(on, "add");
    else if (!failed_with(on, matrix_trouble_fail(&trouble.client, creo_text("internal"), &on->arena, &outcome, &on->error), CREO_INTERNAL))
        why = failed(on, "internal");
    else if (!failed_with(on, matrix_trouble_fail(&trouble.client, creo_text("denied"), &on->arena, &outcome, &on->error), CREO_PERMISSION_DENIED) ||
             strcmp(on->error.message, "not you") != 0)
        why = failed(on, "denied");
    else if (!matrix_trouble_fail(&trouble.client, creo_text("not-found"), &on->arena, &outcome, &on->error) || outcome.kind != MATRIX_TROUBLE_FAIL_NOT_FOUND ||
             !creo_string_is(outcome.as.not_found.description, "not-found"))
        why = failed(on, "not-found");
    creo_client_free(&echo.client);
    creo_client_free(&trouble.client);
    return why;
}

/* 100,000 bytes there, and as many back. */
static const char *big(stage *on, creo_soap_version version, bool attached, const creo_gzip *compression)
{
    enum { SIZE = 100000 };
    door_client trouble;
    creo_bytes bytes;
    const char *why = NULL;
    int64_t sum = 0;
    int64_t due = 0;
    uint8_t *data = (uint8_t *)malloc(SIZE);
    if (data == NULL)
        return "no memory";
    for (size_t i = 0; i < SIZE; i++) {
        data[i] = (uint8_t)(i & 0xFF);
        due += data[i];
    }
    open_door(on, TROUBLE_DOOR, &trouble);
    if (on->compress != NULL) {
        on->compress(&trouble, compression);
        if (on->way == WAY_SOAP_JMS) {
            trouble.soap.version = version;
            trouble.soap.mtom = attached;
        } else if (on->way == WAY_TDXML_JMS) {
            trouble.tdxml.mtom = attached;
        }
    } else if (on->way == WAY_JSON) {
        trouble.json.gzip = compression;
    } else if (on->way == WAY_TDXML) {
        trouble.tdxml.mtom = attached;
        trouble.tdxml.gzip = compression;
    } else {
        trouble.soap.version = version;
        trouble.soap.mtom = attached;
        trouble.soap.gzip = compression;
    }
    if (!matrix_trouble_sum(&trouble.client, creo_bytes_of(data, SIZE), &on->arena, &sum, &on->error))
        why = failed(on, "sum");
    else if (sum != due)
        why = "the sum is wrong";
    else if (!matrix_trouble_bytes(&trouble.client, SIZE, &on->arena, &bytes, &on->error))
        why = failed(on, "bytes");
    else if (bytes.size != SIZE || memcmp(bytes.data, data, SIZE) != 0)
        why = "other bytes came back";
    creo_client_free(&trouble.client);
    free(data);
    return why;
}

const char *gzip(stage *on)
{
    peer_gzip state;
    creo_gzip lent = peer_gzip_lend(&state);
    return big(on, CREO_SOAP_1_1, false, &lent);
}

const char *mtom(stage *on)
{
    return big(on, CREO_SOAP_1_1, true, NULL);
}

const char *packages(stage *on)
{
    return mtom(on);
}

const char *mtom_12(stage *on)
{
    peer_gzip state;
    creo_gzip lent = peer_gzip_lend(&state);
    return big(on, CREO_SOAP_1_2, true, &lent);
}

static const char *quote(stage *on, creo_client *client, const char *first, const creo_string *kind, xml_partner_quote_outcome *outcome)
{
    xml_named request;
    xml_named_init(&request);
    request.first = creo_text(first);
    request.second = creo_text("b");
    request.third = creo_text("c");
    request.id = 5;
    request.has_kind = kind != NULL;
    if (kind != NULL)
        request.kind = *kind;
    else
        request.has_language = true;
    request.language = creo_text("en");
    return xml_partner_quote(client, &request, &on->arena, outcome, &on->error) ? NULL : failed(on, first);
}

static const char *greet(stage *on, creo_client *client, const creo_string *hint, const char *due)
{
    creo_string text;
    if (!xml_partner_greet(client, creo_text("s"), creo_text("n"), hint, &on->arena, &text, &on->error))
        return failed(on, "greet");
    return creo_string_is(text, due) ? NULL : "the greeting is wrong";
}

static const char *partner_calls(stage *on, creo_client *client)
{
    int64_t sum = 0;
    xml_partner_quote_outcome outcome;
    creo_string kind = creo_text("k");
    creo_string hint = creo_text("h");
    const char *why;
    if (!xml_partner_sum(client, 3, 4, &on->arena, &sum, &on->error) || sum != 7)
        return failed(on, "sum");
    if ((why = quote(on, client, "first", NULL, &outcome)) != NULL)
        return why;
    if (outcome.kind != XML_PARTNER_QUOTE_RESULT || !creo_string_is(outcome.as.result.currency, "first") || !creo_string_is(outcome.as.result.amount, "5"))
        return "the quote is wrong";
    if ((why = quote(on, client, "missing", &kind, &outcome)) != NULL)
        return why;
    if (outcome.kind != XML_PARTNER_QUOTE_MISSING || outcome.as.missing.code != 5 || !creo_string_is(outcome.as.missing.what, "missing"))
        return "Missing did not come as it should";
    if ((why = quote(on, client, "told", &kind, &outcome)) != NULL)
        return why;
    if (outcome.kind != XML_PARTNER_QUOTE_TOLD || !creo_string_is(outcome.as.told.text, "told"))
        return "Told did not come as it should";
    if ((why = greet(on, client, NULL, "s n -")) != NULL || (why = greet(on, client, &hint, "s n h")) != NULL)
        return why;
    if (!xml_partner_ping(client, &on->arena, &on->error))
        return failed(on, "ping");
    if (!xml_partner_notice(client, creo_text("a text"), &on->error))
        return failed(on, "notice");
    return NULL;
}

static const char *partner_with(stage *on, creo_soap_version version)
{
    door_client own;
    open_door(on, PARTNER_DOOR, &own);
    if (on->way == WAY_SOAP || on->way == WAY_TABLES || on->way == WAY_SOAP_JMS)
        own.soap.version = version;
    const char *why = partner_calls(on, &own.client);
    creo_client_free(&own.client);
    return why;
}

const char *partner(stage *on)
{
    return partner_with(on, CREO_SOAP_1_1);
}

const char *partner_12(stage *on)
{
    return partner_with(on, CREO_SOAP_1_2);
}

/* A client of one interface at another's path, or at none. */
static bool add_at(stage *on, const char *url)
{
    door_client own;
    int64_t sum;
    bool done = open_url(on, url, ECHO_DOOR, &own, &on->error) && matrix_echo_add(&own.client, 1, 2, &on->arena, &sum, &on->error);
    creo_client_free(&own.client);
    return done;
}

static bool add_at_path(stage *on, const char *path)
{
    char url[300];
    snprintf(url, sizeof url, "%.200s/%s", on->url, path);
    return add_at(on, url);
}

const char *wrong_door(stage *on)
{
    if (!failed_with(on, add_at_path(on, "Trouble"), CREO_UNKNOWN_METHOD) || strstr(on->error.message, "add") == NULL)
        return failed(on, "the call");
    return NULL;
}

const char *wrong_path(stage *on)
{
    bool done = add_at_path(on, "Nowhere");
    /* Without SOAP, the service may say in its own words that there is no such method. */
    bool code = failed_with(on, done, CREO_UNAVAILABLE) || ((on->way == WAY_JSON || on->way == WAY_TDXML) && failed_with(on, done, CREO_UNKNOWN_METHOD));
    if (!code || (strstr(on->error.message, "404") == NULL && strstr(on->error.message, "Nowhere") == NULL))
        return failed(on, "the call");
    return NULL;
}

/* A socket that listens on a free port; -1 if there is none. */
static int listen_somewhere(char url[64])
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
    snprintf(url, 64, "http://127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    return made;
}

const char *soap_refused(stage *on)
{
    char url[64];
    int socket = listen_somewhere(url);
    if (socket < 0)
        return "no port is free";
    close(socket);
    if (!failed_with(on, add_at(on, url), CREO_UNAVAILABLE) || strstr(on->error.message, url + strlen("http://")) == NULL)
        return failed(on, "the call");
    return NULL;
}

static void *answer_otherwise(void *context)
{
    static const char text[] = "SSH-2.0-nothing\r\n\r\n";
    int accepted = accept(*(const int *)context, NULL, NULL);
    if (accepted < 0)
        return NULL;
    char ignored[256];
    (void)!read(accepted, ignored, 1);
    (void)!write(accepted, text, sizeof text - 1);
    shutdown(accepted, SHUT_WR);
    while (read(accepted, ignored, sizeof ignored) > 0)
        continue;
    close(accepted);
    return NULL;
}

const char *soap_wrong_protocol(stage *on)
{
    char url[64];
    pthread_t thread;
    int socket = listen_somewhere(url);
    if (socket < 0 || pthread_create(&thread, NULL, answer_otherwise, &socket) != 0)
        return "no server can be started";
    bool done = add_at(on, url);
    pthread_join(thread, NULL);
    close(socket);
    return failed_with(on, done, CREO_PROTOCOL_MISMATCH) && strstr(on->error.message, "HTTP") != NULL ? NULL : failed(on, "the call");
}
