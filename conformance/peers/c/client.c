#include "scenarios.h"

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

int peer_client(const char *host, const char *port, const char *vectors)
{
    /* On the heap, so that the sanitizer guards it. */
    stage *on = (stage *)calloc(1, sizeof *on);
    if (on == NULL)
        return 1;
    on->host = host;
    on->port = (uint16_t)strtoul(port, NULL, 10);
    on->vectors = vectors;
    creo_client_init(&on->client, host, on->port, creo_allocator_libc());
    creo_arena_init(&on->arena, creo_allocator_libc());
    bool fine = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        creo_error_clear(&on->error);
        const char *why = rows[i].run(on);
        printf("{\"scenario\":\"%s\",\"ok\":%s", rows[i].name, why == NULL ? "true" : "false");
        if (why != NULL) {
            fputs(",\"why\":", stdout);
            peer_show_string(stdout, creo_text(why));
            fine = false;
        }
        fputs("}\n", stdout);
        fflush(stdout);
        creo_arena_free(&on->arena);
    }
    creo_client_free(&on->client);
    free(on);
    return fine ? 0 : 1;
}
