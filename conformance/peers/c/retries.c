/* Many calls with a retry policy, at one address or several: how they ended, counted. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"
#include "matrix.text.h"

#include <stdlib.h>

#define MAX_PORTS 64
#define CODES (CREO_UNTRUSTED_PEER + 1)

/* One line of the input. */
typedef struct task {
    uint16_t ports[MAX_PORTS];
    size_t port_count;
    bool look;
    bool json;
    long calls;
    creo_retry retry;
    uint32_t deadline;
} task;

/* The outcomes of its calls. */
typedef struct tally {
    long values;
    long wrong;
    long errors[CODES];
} tally;

static void take_ports(task *asked, const char *at)
{
    at = peer_skip_space(at);
    while (*at == '[' || *at == ',') {
        char *end;
        unsigned long port = strtoul(at + 1, &end, 10);
        if (end == at + 1 || asked->port_count == MAX_PORTS)
            return;
        asked->ports[asked->port_count++] = (uint16_t)port;
        at = peer_skip_space(end);
    }
}

static bool is_word(const char *value, const char *word)
{
    char *text = NULL;
    size_t size;
    bool same = peer_read_string(value, &text, &size) != NULL && strcmp(text, word) == 0;
    free(text);
    return same;
}

static void take_member(void *context, creo_string name, const char *value)
{
    task *asked = (task *)context;
    unsigned long number = strtoul(value, NULL, 10);
    if (creo_string_is(name, "ports"))
        take_ports(asked, value);
    else if (creo_string_is(name, "method"))
        asked->look = is_word(value, "look");
    else if (creo_string_is(name, "wire"))
        asked->json = is_word(value, "json");
    else if (creo_string_is(name, "calls"))
        asked->calls = (long)number;
    else if (creo_string_is(name, "attempts"))
        asked->retry.attempts = (uint32_t)number;
    else if (creo_string_is(name, "baseDelay"))
        asked->retry.base_delay_ms = (uint32_t)number;
    else if (creo_string_is(name, "maxDelay"))
        asked->retry.max_delay_ms = (uint32_t)number;
    else if (creo_string_is(name, "deadline"))
        asked->deadline = (uint32_t)number;
}

/* Makes the client that a task wants. */
static bool make_client(const task *asked, door_client *client, creo_error *error)
{
    creo_address addresses[MAX_PORTS];
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Ledger", (unsigned)asked->ports[0]);
    if (!asked->json)
        creo_client_init(&client->client, "127.0.0.1", asked->ports[0], creo_allocator_libc());
    else if (!creo_json_init(&client->json, url, &matrix_ledger_text, creo_allocator_libc(), error))
        return false;
    for (size_t i = 0; i < asked->port_count; i++)
        addresses[i] = (creo_address){"127.0.0.1", asked->ports[i]};
    creo_client_set_retry(&client->client, &asked->retry);
    client->client.deadline_ms = asked->deadline;
    return asked->port_count == 1 || creo_client_set_addresses(&client->client, addresses, asked->port_count, error);
}

static void make_calls(const task *asked, creo_client *client, creo_arena *arena, tally *counted)
{
    for (long i = 0; i < asked->calls; i++) {
        int64_t value = -1;
        creo_error error;
        bool done = asked->look ? matrix_ledger_look(client, i, arena, &value, &error) : matrix_ledger_book(client, i, arena, &value, &error);
        if (!done)
            counted->errors[error.code < CODES ? error.code : CREO_INTERNAL]++;
        else if (value == i)
            counted->values++;
        else
            counted->wrong++;
        creo_arena_reset(arena);
    }
}

static void show_tally(const tally *counted)
{
    const char *before = "";
    printf("{\"values\":%ld,\"errors\":{", counted->values);
    for (int code = 0; code < (int)CODES; code++) {
        if (counted->errors[code] == 0)
            continue;
        printf("%s\"%s\":%ld", before, creo_code_name((creo_code)code), counted->errors[code]);
        before = ",";
    }
    if (counted->wrong != 0)
        printf("%s\"wrong-value\":%ld", before, counted->wrong);
    puts("}}");
    fflush(stdout);
}

int peer_retries(void)
{
    char *line = NULL;
    size_t room = 0;
    bool fine = true;
    /* On the heap, guarded by the sanitizer. */
    door_client *client = (door_client *)calloc(1, sizeof *client);
    if (client == NULL)
        return 1;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    while (fine && getline(&line, &room, stdin) >= 0) {
        task asked;
        tally counted;
        creo_error error;
        memset(&asked, 0, sizeof asked);
        memset(&counted, 0, sizeof counted);
        fine = peer_read_object(line, take_member, &asked) != NULL && asked.port_count != 0 && make_client(&asked, client, &error);
        if (fine) {
            make_calls(&asked, &client->client, &arena, &counted);
            show_tally(&counted);
            creo_client_free(&client->client);
        }
        creo_arena_free(&arena);
    }
    free(line);
    free(client);
    return fine ? 0 : 1;
}
