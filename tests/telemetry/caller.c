#include "traces.text.h"

#include <stdio.h>
#include <stdlib.h>

#include "trace_of_page.h"

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define SPAN "b7ad6b7169203331"

/* Prints what the service saw, and what was sent. */
static int show(creo_client *client)
{
    trace current = {"00-" TRACE "-" SPAN "-01", {{{NULL, 0}, {NULL, 0}}}};
    const creo_interceptor list[] = {{&current, trace_begin, NULL}};
    creo_arena arena;
    creo_error error;
    creo_string seen;
    int code = 0;
    creo_arena_init(&arena, creo_allocator_libc());
    client->interceptors = list;
    client->interceptor_count = 1;
    if (traces_traces_parent(client, &arena, &seen, &error)) {
        printf("%.*s %s %s\n", (int)seen.size, seen.data, TRACE, SPAN);
    } else {
        char text[CREO_ERROR_TEXT];
        fprintf(stderr, "%s\n", creo_error_format(&error, text, sizeof text));
        code = 1;
    }
    creo_arena_free(&arena);
    return code;
}

int main(int count, char **arguments)
{
    creo_client client;
    creo_json json;
    creo_error error;
    char url[64];
    int code;
    if (count != 2)
        return 2;
    creo_client_init(&client, "127.0.0.1", (uint16_t)atoi(arguments[1]), creo_allocator_libc());
    code = show(&client);
    creo_client_free(&client);
    snprintf(url, sizeof url, "http://127.0.0.1:%s/Traces", arguments[1]);
    if (!creo_json_init(&json, url, &traces_traces_text, creo_allocator_libc(), &error))
        return 1;
    code |= show(&json.client);
    creo_json_free(&json);
    return code;
}
