#include "scenarios.h"

#include "matrix.text.h"
#include "xml.text.h"

#include <stdlib.h>

typedef struct row {
    const char *name;
    scenario *run;
} row;

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
    {"invalid-value", invalid_value},
    {"too-large", too_large},
    {"big-response", big_response},
    {"big-request", big_request},
    {"parallel", parallel},
    {"async", asynchronous},
    {"reconnect", reconnect},
    {"refused", refused},
    {"wrong-protocol", wrong_protocol},
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
    {"refused", soap_refused},
    {"wrong-protocol", soap_wrong_protocol},
};

creo_client *open_door(const stage *on, door door, creo_soap *client)
{
    static const struct {
        const char *path;
        const creo_text_interface *interface;
    } doors[DOORS] = {{"Echo", &matrix_echo_text}, {"Trouble", &matrix_trouble_text}, {"Answer", &matrix_answer_text}, {"Partner", &xml_partner_text}};
    memset(client, 0, sizeof *client);
    if (on->url == NULL) {
        creo_client_init(&client->client, on->host, on->port, creo_allocator_libc());
        return &client->client;
    }
    char url[300];
    creo_error error;
    snprintf(url, sizeof url, "%.200s/%s", on->url, doors[door].path);
    if (!creo_soap_init(client, url, doors[door].interface, creo_allocator_libc(), &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return &client->client;
}

creo_client *at(stage *on, door door)
{
    size_t number = on->url == NULL ? 0 : (size_t)door;
    if (!on->opened[number])
        open_door(on, door, &on->doors[number]);
    on->opened[number] = true;
    return &on->doors[number].client;
}

static int run(stage *on, const row *list, size_t count)
{
    creo_arena_init(&on->arena, creo_allocator_libc());
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
    for (size_t i = 0; i < DOORS; i++)
        if (on->opened[i])
            creo_client_free(&on->doors[i].client);
    free(on);
    return fine ? 0 : 1;
}

/* On the heap, so that the sanitizer guards it. */
static stage *new_stage(const char *vectors)
{
    stage *on = (stage *)calloc(1, sizeof *on);
    if (on == NULL)
        exit(1);
    on->vectors = vectors;
    return on;
}

int peer_client(const char *host, const char *port, const char *vectors)
{
    stage *on = new_stage(vectors);
    on->host = host;
    on->port = (uint16_t)strtoul(port, NULL, 10);
    return run(on, rows, sizeof rows / sizeof rows[0]);
}

int peer_client_soap(const char *url, const char *vectors)
{
    stage *on = new_stage(vectors);
    on->url = url;
    return run(on, soap_rows, sizeof soap_rows / sizeof soap_rows[0]);
}
