#include "scenarios.h"

#include "changed.text.h"
#include "matrix.text.h"
#include "xml.text.h"

#include <stdlib.h>

static const row rows[] = {
    {"echo", echo_vectors},
    {"several", several_parameters},
    {"add", add_numbers},
    {"maybe", maybe_text},
    {"declared-exception", declared_exception},
    {"hidden-failure", hidden_failure},
    {"own-error", own_error},
    {"after-errors", after_errors},
    {"unknown-method", unknown_method},
    {"deadline", deadline},
    {"cancel", cancel},
    {"oneway", oneway},
    {"second-service", second_service},
    {"metadata", metadata},
    {"answer-metadata", answer_metadata},
    {"interceptors", interceptors},
    {"invalid-value", invalid_value},
    {"too-large", too_large},
    {"big-response", big_response},
    {"big-request", big_request},
    {"parallel", parallel},
    {"async", asynchronous},
    {"reconnect", reconnect},
    {"refused", refused},
    {"wrong-protocol", wrong_protocol},
    {"streams", streams},
    {"streams-talk", streams_talk},
    {"streams-close", streams_close},
    {"streams-deadline", streams_deadline},
    {"streams-metadata", streams_metadata},
    {"streams-source", streams_source},
};

const char *failed(stage *on, const char *what)
{
    char text[CREO_ERROR_TEXT];
    snprintf(on->why, sizeof on->why, "%s: %s", what, creo_error_format(&on->error, text, sizeof text));
    return on->why;
}

bool failed_with(const stage *on, bool done, creo_code code)
{
    return !done && on->error.code == code;
}

/* What runs over SOAP (conformance/scenarios.md). */
static const row soap_rows[] = {
    {"echo", echo_vectors},
    {"several", several_parameters},
    {"add", add_numbers},
    {"maybe", maybe_text},
    {"declared-exception", declared_exception},
    {"hidden-failure", hidden_failure},
    {"own-error", own_error},
    {"after-errors", after_errors},
    {"oneway", oneway},
    {"second-service", second_service},
    {"metadata", metadata},
    {"answer-metadata", answer_metadata},
    {"interceptors", interceptors},
    {"invalid-value", invalid_value},
    {"big-response", big_response},
    {"big-request", big_request},
    {"async", asynchronous},
    {"deadline", deadline},
    {"cancel", cancel},
    {"too-large", too_large},
    {"parallel", parallel},
    {"soap-12", soap_12},
    {"gzip", gzip},
    {"mtom", mtom},
    {"mtom-12", mtom_12},
    {"partner", partner},
    {"partner-12", partner_12},
    {"unknown-method", wrong_door},
    {"wrong-path", wrong_path},
    {"refused", refused},
    {"wrong-protocol", wrong_protocol},
};

#define OVER_HTTP {"unknown-method", wrong_door}, {"wrong-path", wrong_path}, {"refused", refused}, {"wrong-protocol", wrong_protocol}

static const row json_rows[] = {EVERYWHERE,
                                {"gzip", gzip},
                                {"partner", partner},
                                {"streams", streams},
                                {"streams-talk", streams_talk},
                                {"streams-close", streams_close},
                                {"streams-deadline", streams_deadline},
                                {"streams-metadata", streams_metadata},
                                {"streams-source", streams_source},
                                OVER_HTTP};

static const row tables_rows[] = {EVERYWHERE,         {"aggregated", aggregated}, {"schema", with_schema}, {"soap-12", soap_12}, {"gzip", gzip}, {"mtom", mtom},
                                  {"partner", partner}, OVER_HTTP};

static const row tdxml_rows[] = {EVERYWHERE, {"aggregated", aggregated}, {"schema", with_schema}, {"gzip", gzip}, {"partner", partner}, {"packages", packages}, OVER_HTTP};

static const row tdxml_tcp_rows[] = {EVERYWHERE,
                                     {"unknown-method", unknown_method},
                                     {"reconnect", reconnect},
                                     {"refused", refused},
                                     {"wrong-protocol", wrong_protocol},
                                     {"aggregated", aggregated},
                                     {"schema", with_schema}};

static const creo_text_interface *const interfaces[] = {&matrix_echo_text, &matrix_trouble_text, &matrix_answer_text, &xml_partner_text, &matrix_streams_text, &changed_answer_text};

static bool over_http(const stage *on)
{
    return on->url != NULL;
}

bool open_url(const stage *on, const char *url, door door, door_client *client, creo_error *error)
{
    memset(client, 0, sizeof *client);
    if (on->way == WAY_JSON)
        return creo_json_init(&client->json, url, interfaces[door], creo_allocator_libc(), error);
    if (on->way == WAY_TDXML) {
        if (!creo_tdxml_init(&client->tdxml, url, interfaces[door], creo_allocator_libc(), error))
            return false;
        client->tdxml.options = on->tables.options;
        return true;
    }
    if (!creo_soap_init(&client->soap, url, interfaces[door], creo_allocator_libc(), error))
        return false;
    if (on->way == WAY_TABLES)
        creo_soap_use_tables(&client->soap, on->tables.options);
    return true;
}

creo_client *open_door(const stage *on, door door, door_client *client)
{
    static const char *const paths[DOORS] = {"Echo", "Trouble", "Answer", "Partner", "Streams"};
    if (on->open != NULL)
        return on->open(on, door, client);
    if (!over_http(on)) {
        memset(client, 0, sizeof *client);
        creo_client_init(&client->client, on->host, on->port, creo_allocator_libc());
        if (on->way == WAY_TDXML_TCP)
            creo_client_use_tables(&client->client, &on->tables);
        return &client->client;
    }
    char url[300];
    creo_error error;
    snprintf(url, sizeof url, "%.200s/%s", on->url, paths[door]);
    if (!open_url(on, url, door, client, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return &client->client;
}

creo_client *at(stage *on, door door)
{
    size_t number = over_http(on) || on->open != NULL ? (size_t)door : 0;
    if (!on->opened[number])
        open_door(on, door, &on->doors[number]);
    on->opened[number] = true;
    return &on->doors[number].client;
}

peer_wire wire_of(const stage *on)
{
    static const peer_wire wires[] = {PEER_BINARY, PEER_XML, PEER_JSON, PEER_TDXML, PEER_TDXML, PEER_TDXML, PEER_XML, PEER_TDXML, PEER_BINARY};
    return wires[on->way];
}

stage *like(const stage *on)
{
    stage *made = (stage *)calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->way = on->way;
    made->open = on->open;
    made->compress = on->compress;
    made->host = on->host;
    made->port = on->port;
    made->url = on->url;
    made->vectors = on->vectors;
    made->tables = on->tables;
    creo_arena_init(&made->arena, creo_allocator_libc());
    return made;
}

void end_stage(stage *on)
{
    for (size_t i = 0; i < DOORS; i++)
        if (on->opened[i])
            creo_client_free(&on->doors[i].client);
    creo_arena_free(&on->arena);
    free(on);
}

int run_rows(stage *on, const row *list, size_t count)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        creo_error_clear(&on->error);
        const char *why = list[i].run(on);
        printf("{\"scenario\":\"%s\",\"ok\":%s", list[i].name, why == NULL ? "true" : "false");
        if (why != NULL) {
            fputs(",\"why\":", stdout);
            peer_show_string(stdout, creo_text(why));
            fine = false;
        }
        fputs("}\n", stdout);
        fflush(stdout);
        creo_arena_free(&on->arena);
    }
    end_stage(on);
    return fine ? 0 : 1;
}

stage *new_stage(way way, const char *vectors)
{
    stage first;
    memset(&first, 0, sizeof first);
    first.way = way;
    first.vectors = vectors;
    first.tables.interfaces = interfaces;
    first.tables.interface_count = sizeof interfaces / sizeof interfaces[0];
    stage *on = like(&first);
    if (on == NULL)
        exit(1);
    return on;
}

static int over_tcp(way way, const char *host, const char *port, const char *vectors, const row *list, size_t count)
{
    stage *on = new_stage(way, vectors);
    on->host = host;
    on->port = (uint16_t)strtoul(port, NULL, 10);
    return run_rows(on, list, count);
}

int peer_client(const char *host, const char *port, const char *vectors)
{
    return over_tcp(WAY_TCP, host, port, vectors, rows, sizeof rows / sizeof rows[0]);
}

int peer_client_tdxml_tcp(const char *host, const char *port, const char *vectors)
{
    return over_tcp(WAY_TDXML_TCP, host, port, vectors, tdxml_tcp_rows, sizeof tdxml_tcp_rows / sizeof tdxml_tcp_rows[0]);
}

int peer_client_http(const char *mode, const char *url, const char *vectors)
{
    static const struct {
        const char *mode;
        way way;
        const row *list;
        size_t count;
    } modes[] = {
        {"client-soap", WAY_SOAP, soap_rows, sizeof soap_rows / sizeof soap_rows[0]},
        {"client-json", WAY_JSON, json_rows, sizeof json_rows / sizeof json_rows[0]},
        {"client-tables", WAY_TABLES, tables_rows, sizeof tables_rows / sizeof tables_rows[0]},
        {"client-tdxml", WAY_TDXML, tdxml_rows, sizeof tdxml_rows / sizeof tdxml_rows[0]},
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(mode, modes[i].mode) != 0)
            continue;
        stage *on = new_stage(modes[i].way, vectors);
        on->url = url;
        return run_rows(on, modes[i].list, modes[i].count);
    }
    return 2;
}
