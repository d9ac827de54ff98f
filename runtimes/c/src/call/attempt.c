/* Attempts of a call. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "repeat.h"

/* A whole number of so many milliseconds each. A larger one than fits is the largest. */
static bool parse_time(creo_string text, uint32_t unit, uint32_t *milliseconds)
{
    uint64_t number = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        if (number < UINT32_MAX)
            number = number * 10 + (uint64_t)(text.data[i] - '0');
    }
    number *= unit;
    if (text.size != 0)
        *milliseconds = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    return text.size != 0;
}

void creo_client_take_advice(const creo_client *client, creo_error *error)
{
    error->not_started = !client->sent || (error->from_peer && creo_string_is(creo_error_detail(error, "started"), "no"));
    if (error->from_peer && !parse_time(creo_error_detail(error, "retry-after"), 1, &error->retry_after_ms) && client->answered)
        (void)parse_time(creo_pairs_find(client->answer.headers, client->answer.header_count, "retry-after"), 1000, &error->retry_after_ms);
}

bool creo_client_attempt(creo_client *client, const creo_invocation *call, creo_error *error)
{
    uint32_t deadline_ms = client->deadline_ms;
    bool done;
    client->sent = false;
    if (client->redirected)
        creo_client_set_peer(client);
    if (call->method == NULL) {
        done = client->open || creo_client_open(client, call->until, error);
    } else {
        client->answered = false;
        memset(&client->answer, 0, sizeof client->answer);
        client->deadline_ms = creo_milliseconds_left(call->until);
        if (client->deadline_ms == 0 && call->until != CREO_NEVER)
            done = creo_client_fail_deadline(client, "before anything was sent", error);
        else if (call->open != NULL)
            done = call->open(client, call->arguments, error);
        else
            done = client->transport->call(client, call->method, call->arguments, call->arena, call->outcome, error);
        client->deadline_ms = deadline_ms;
    }
    if (!done)
        creo_client_take_advice(client, error);
    return done;
}

bool creo_client_place(creo_client *client, const creo_invocation *call, creo_error *error)
{
    return client->balance == NULL ? creo_client_attempt(client, call, error) : client->balance->place(client, call, error);
}

bool creo_client_repeat(creo_client *client, const creo_invocation *call, creo_error *error)
{
    if (client->repeat != NULL)
        return client->repeat(client, call, error);
    bool done = creo_client_place(client, call, error);
    if (!done)
        error->attempts = 1;
    return done;
}
