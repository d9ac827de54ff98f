/* Attempts of a call, and repeated calls (CALL-20 to CALL-27). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "repeat.h"

#define MAX_ATTEMPTS 10
#define MAX_DELAY_MS 3600000

/* CALL-25: what a repetition costs, and what a call that was not repeated returns. */
#define REPETITION 5
#define SUCCESS 1

/* The max sleep of one step. */
#define MAX_SLEEP_MS 1000000

uint64_t creo_client_random(creo_client *client)
{
    /* SplitMix64; the clock and the address of the client part clients that begin together. */
    if (client->random == 0)
        client->random = (uint64_t)creo_now() * UINT64_C(0xd1342543de82ef95) ^ (uint64_t)(uintptr_t)client;
    client->random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = client->random;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

/* CALL-22, CALL-25. */
static bool may_repeat(const creo_client *client, const creo_method *method, const creo_error *error)
{
    bool passing = error->code == CREO_UNAVAILABLE || error->code == CREO_OVERLOADED;
    return passing && (error->not_started || method->idempotent) && client->budget >= REPETITION;
}

/* The time before attempt `attempt` + 1, in nanoseconds (CALL-23, CALL-24). */
static creo_instant retry_delay(creo_client *client, uint32_t attempt, uint32_t retry_after_ms)
{
    uint64_t max = (uint64_t)client->retry->base_delay_ms << (attempt - 1);
    if (max > client->retry->max_delay_ms)
        max = client->retry->max_delay_ms;
    return (creo_instant)retry_after_ms * 1000000 + (creo_instant)(creo_client_random(client) % (max * 1000000 + 1));
}

static void sleep_until(creo_instant until)
{
    for (;;) {
        int64_t left = until - creo_now();
        if (left <= 0)
            return;
        left = (left + 999999) / 1000000;
        creo_system_sleep(left > MAX_SLEEP_MS ? MAX_SLEEP_MS : (int)left);
    }
}

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
    const creo_retry *retry = client->retry;
    bool started = false;
    if (retry != NULL && (retry->attempts < 1 || retry->attempts > MAX_ATTEMPTS || retry->base_delay_ms > MAX_DELAY_MS || retry->max_delay_ms > MAX_DELAY_MS))
        return creo_fail(error, CREO_INVALID_VALUE, "a retry policy has 1 to %d attempts, and delays of at most an hour", MAX_ATTEMPTS);
    creo_mark mark = call->arena == NULL ? (creo_mark){NULL, NULL, NULL} : creo_arena_mark(call->arena);
    for (uint32_t attempt = 1;; attempt++) {
        if (creo_client_place(client, call, error)) {
            if (retry != NULL)
                client->budget += attempt == 1 ? SUCCESS : REPETITION;
            if (client->budget > CREO_MAX_BUDGET)
                client->budget = CREO_MAX_BUDGET;
            return true;
        }
        started = started || !error->not_started;
        error->not_started = !started;
        error->attempts = attempt;
        if (retry == NULL || attempt >= retry->attempts || !may_repeat(client, call->method, error))
            return false;
        creo_instant now = creo_now();
        creo_instant wait = retry_delay(client, attempt, error->retry_after_ms);
        if (wait >= call->until - now)
            return false;
        client->budget -= REPETITION;
        sleep_until(now + wait);
        /* What the answer of this attempt left there, such as the details of its error. */
        if (call->arena != NULL)
            creo_arena_rewind(call->arena, mark);
    }
}
