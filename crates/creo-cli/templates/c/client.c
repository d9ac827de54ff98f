/* Calls every method of the service: client HOST PORT. */
#include <stdio.h>
#include <stdlib.h>

#include <@C@.creo.h>

static int failed(const char *what, const creo_error *error)
{
    fprintf(stderr, "%s: %s %s\n", what, error->message, error->place);
    return EXIT_FAILURE;
}

static void print_text(const char *before, creo_string text)
{
    printf("%s%.*s", before, (int)text.size, text.data);
}

static int run(creo_client *client, creo_arena *arena)
{
    static const double measured[] = {1.0, 2.5, 4.0};
    creo_error error;
    @C@_series series;
    @C@_series_store_get_outcome outcome;
    creo_string_array names;

    @C@_series_init(&series);
    series.name = creo_text("c");
    series.values.items = measured;
    series.values.count = sizeof measured / sizeof measured[0];
    if (!@C@_series_store_put(client, &series, arena, &error)) {
        return failed("put", &error);
    }

    if (!@C@_series_store_get(client, creo_text("c"), arena, &outcome, &error)) {
        return failed("get", &error);
    }
    if (outcome.kind == @C_UPPER@_SERIES_STORE_GET_RESULT) {
        print_text("", outcome.as.result.name);
        for (size_t i = 0; i < outcome.as.result.values.count; i++) {
            printf("%s%g", i == 0 ? ": " : ", ", outcome.as.result.values.items[i]);
        }
        printf("\n");
    }

    if (!@C@_series_store_names(client, arena, &names, &error)) {
        return failed("names", &error);
    }
    for (size_t i = 0; i < names.count; i++) {
        print_text(i == 0 ? "series: " : ", ", names.items[i]);
    }
    printf("\n");

    if (!@C@_series_store_get(client, creo_text("nothing"), arena, &outcome, &error)) {
        return failed("get", &error);
    }
    if (outcome.kind == @C_UPPER@_SERIES_STORE_GET_NOT_FOUND) {
        print_text("there is no series ", outcome.as.not_found.name);
        printf("\n");
    }
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    const char *host = count > 1 ? arguments[1] : "127.0.0.1";
    long port = count > 2 ? strtol(arguments[2], NULL, 10) : 7400;
    creo_client client;
    creo_arena arena;
    int status;

    creo_client_init(&client, host, (uint16_t)port, creo_allocator_libc());
    /* Everything that calls give back lives in the arena. */
    creo_arena_init(&arena, creo_allocator_libc());
    status = run(&client, &arena);
    creo_arena_free(&arena);
    creo_client_free(&client);
    return status;
}
