/* Uses packages of three services: both PORT TWIN-PORT. R(lab, x) is what the runtime in the package of lab calls x. */
#include <stdio.h>
#include <stdlib.h>

#include <lab.creo.h>
#include <stock.creo.h>
#include <twin.creo.h>

#ifdef SHARED_RUNTIME
#define R(package, name) creo_##name
#else
#define R(package, name) R_##package(name)
#define R_lab(name) lab_creo_##name
/* The description has a type Creo, whose names begin as the runtime's would. */
#define R_stock(name) stock_creo2_##name
#define R_twin(name) twin_creo_##name
#endif

static int failed(const char *what, const char *message)
{
    fprintf(stderr, "%s: %s\n", what, message);
    return EXIT_FAILURE;
}

static int lab(uint16_t port)
{
    R(lab, client) client;
    R(lab, arena) arena;
    R(lab, error) error;
    lab_sample sample;
    lab_lab_get_outcome outcome;
    int status = EXIT_FAILURE;

    R(lab, client_init)(&client, "127.0.0.1", port, R(lab, allocator_libc)());
    R(lab, arena_init)(&arena, R(lab, allocator_libc)());
    lab_sample_init(&sample);
    sample.at.x = 1;
    sample.at.y = 2;
    sample.value = 3.5;
    if (!lab_lab_put(&client, R(lab, text)("c"), &sample, &arena, &error) || !lab_lab_get(&client, R(lab, text)("c"), &arena, &outcome, &error)) {
        status = failed("lab", error.message);
    } else if (outcome.kind == LAB_LAB_GET_RESULT) {
        R(lab, string) note = outcome.as.result.note;
        printf("%.1f %.1f %.1f %.*s\n", outcome.as.result.at.x, outcome.as.result.at.y, outcome.as.result.value, (int)note.size, note.data);
        if (lab_lab_get(&client, R(lab, text)("nothing"), &arena, &outcome, &error) && outcome.kind == LAB_LAB_GET_NOT_FOUND) {
            printf("no %.*s\n", (int)outcome.as.not_found.name.size, outcome.as.not_found.name.data);
            status = EXIT_SUCCESS;
        }
    }
    R(lab, arena_free)(&arena);
    R(lab, client_free)(&client);
    return status;
}

static int stock(uint16_t port)
{
    R(stock, client) client;
    R(stock, arena) arena;
    R(stock, error) error;
    stock_common_point at = {4, 5};
    stock_item item;
    int status = EXIT_SUCCESS;

    R(stock, client_init)(&client, "127.0.0.1", port, R(stock, allocator_libc)());
    R(stock, arena_init)(&arena, R(stock, allocator_libc)());
    if (stock_stock_find(&client, R(stock, text)("bolt"), &at, &arena, &item, &error)) {
        printf("%.*s %.1f %.1f %d\n", (int)item.name.size, item.name.data, item.at.x, item.at.y, (int)item.count);
    } else {
        status = failed("stock", error.message);
    }
    R(stock, arena_free)(&arena);
    R(stock, client_free)(&client);
    return status;
}

static int twin(uint16_t port)
{
    static const int64_t values[] = {21};
    R(twin, client) client;
    R(twin, arena) arena;
    R(twin, error) error;
    twin_sample sample = {{values, 1}};
    int status = EXIT_SUCCESS;

    R(twin, client_init)(&client, "127.0.0.1", port, R(twin, allocator_libc)());
    R(twin, arena_init)(&arena, R(twin, allocator_libc)());
    if (twin_lab2_twice(&client, &sample, &arena, &sample, &error)) {
        printf("%d\n", (int)sample.values.items[0]);
    } else {
        status = failed("twin", error.message);
    }
    R(twin, arena_free)(&arena);
    R(twin, client_free)(&client);
    return status;
}

int main(int count, char **arguments)
{
    uint16_t port = (uint16_t)strtol(arguments[1], NULL, 10);

    return count == 3 ? lab(port) | stock(port) | twin((uint16_t)strtol(arguments[2], NULL, 10)) : EXIT_FAILURE;
}
