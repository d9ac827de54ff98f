/* Calls the service of LabService.java on every wire, over the system's sockets: `calls PORT`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.creo.h"
#include "lab.text.h"

/* A request of many writes and an answer of many reads. */
#define LARGE 500000

static char name[LARGE];

static void tell(const char *what, bool answered, const lab_sample *found, const creo_error *error)
{
    if (answered)
        printf("%s: %u values\n", what, (unsigned)found->values.count);
    else
        printf("%s: %s\n", what, creo_code_name(error->code));
}

static void call(const char *wire, creo_client *client)
{
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    const size_t sizes[] = {3, LARGE, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lab_sample found;
        creo_error error;
        creo_string text = {name, sizes[i]};
        bool answered = lab_lab_find(client, text, &arena, &found, &error);
        if (answered && (found.name.size != sizes[i] || memcmp(found.name.data, name, sizes[i]) != 0))
            printf("another name\n");
        tell(wire, answered, &found, &error);
        creo_arena_reset(&arena);
    }
    creo_arena_free(&arena);
}

static int failed(const creo_error *error)
{
    printf("%s\n", error->message);
    return 1;
}

int main(int count, char **words)
{
    if (count != 2)
        return 2;
    uint16_t port = (uint16_t)atoi(words[1]);
    memset(name, 'n', sizeof name);
    char url[64];
    (void)snprintf(url, sizeof url, "http://localhost:%u/Lab", (unsigned)port);
    creo_error error;

    creo_client client;
    creo_client_init(&client, "127.0.0.1", port, creo_allocator_libc());
    call("binary", &client);
    creo_client_disconnect(&client);
    call("binary", &client);
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    lab_sample found;
    client.deadline_ms = 300;
    tell("late", lab_lab_find(&client, creo_text("late"), &arena, &found, &error), &found, &error);
    creo_client_free(&client);

    creo_json json;
    if (!creo_json_init(&json, url, &lab_lab_text, creo_allocator_libc(), &error))
        return failed(&error);
    call("json", &json.client);
    creo_json_free(&json);

    creo_soap soap;
    if (!creo_soap_init(&soap, url, &lab_lab_text, creo_allocator_libc(), &error))
        return failed(&error);
    call("soap", &soap.client);
    creo_soap_free(&soap);

    creo_tdxml tables;
    if (!creo_tdxml_init(&tables, url, &lab_lab_text, creo_allocator_libc(), &error))
        return failed(&error);
    call("tdxml", &tables.client);
    creo_tdxml_free(&tables);

    creo_client_init(&client, "127.0.0.1", 1, creo_allocator_libc());
    if (!lab_lab_find(&client, creo_text("x"), &arena, &found, &error))
        (void)failed(&error);
    creo_client_free(&client);
    creo_client_init(&client, "nowhere.invalid", 1, creo_allocator_libc());
    tell("nowhere", lab_lab_find(&client, creo_text("x"), &arena, &found, &error), &found, &error);
    creo_client_free(&client);
    creo_arena_free(&arena);
    return 0;
}
