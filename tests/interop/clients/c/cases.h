/* Cases of a client: each is a function that says whether it went well, and why not. */
#ifndef CASES_H
#define CASES_H

#include <creo/creo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char reason[4096];

static inline bool fail(const char *what, creo_string more)
{
    snprintf(reason, sizeof reason, "%s: %.*s", what, (int)(more.size > 3000 ? 3000 : more.size), more.data);
    return false;
}

static inline bool failed(const creo_error *error)
{
    creo_error_format(error, reason, sizeof reason);
    return false;
}

static inline bool is(creo_string got, const char *wanted)
{
    return creo_string_is(got, wanted) || fail("another text", got);
}

static inline bool same_bytes(creo_bytes wanted, creo_bytes got)
{
    if (wanted.size == got.size && memcmp(wanted.data, got.data, wanted.size) == 0)
        return true;
    snprintf(reason, sizeof reason, "another value: %zu bytes and %zu bytes", wanted.size, got.size);
    return false;
}

static inline creo_bytes pattern(size_t count)
{
    static uint8_t all[300000];
    for (size_t i = 0; i < count; i++)
        all[i] = (uint8_t)(i * 7);
    creo_bytes bytes = {.data = all, .size = count};
    return bytes;
}

typedef struct a_case {
    const char *name;
    bool (*run)(creo_client *client, creo_arena *arena, creo_error *error);
} a_case;

static inline int run_cases(int argc, char **argv, const creo_text_interface *interface, const a_case *cases, size_t count)
{
    if (argc != 3)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    creo_soap soap;
    creo_error error;
    if (!creo_soap_init(&soap, argv[1], interface, creo_allocator_libc(), &error)) {
        failed(&error);
        fprintf(stderr, "%s\n", reason);
        return 2;
    }
    if (strcmp(argv[2], "imported") != 0)
        soap.version = strcmp(argv[2], "1.2") == 0 ? CREO_SOAP_1_2 : CREO_SOAP_1_1;
    soap.mtom = strcmp(argv[2], "mtom") == 0;
    if (strncmp(argv[2], "addressing", 10) == 0) {
        soap.addressing = CREO_SOAP_ADDRESSING_ON;
        soap.version = strcmp(argv[2], "addressing12") == 0 ? CREO_SOAP_1_2 : CREO_SOAP_1_1;
    }
    if (strcmp(argv[2], "token") == 0 || strcmp(argv[2], "digest") == 0) {
        soap.user = "anna";
        soap.password = "Geheimnis-\xc3\x9f";
        soap.digest = soap.timestamp = strcmp(argv[2], "digest") == 0;
    }
    soap.client.deadline_ms = 30000;
    int result = 0;
    for (size_t i = 0; i < count; i++) {
        creo_arena arena;
        creo_arena_init(&arena, creo_allocator_libc());
        *reason = 0;
        if (cases[i].run(&soap.client, &arena, &error))
            printf("ok %s\n", cases[i].name);
        else {
            printf("FAIL %s: %s\n", cases[i].name, reason);
            result = 1;
        }
        creo_arena_free(&arena);
    }
    creo_soap_free(&soap);
    return result;
}

#endif
