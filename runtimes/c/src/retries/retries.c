/* Repeated calls (CALL-20 to CALL-27). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/retries.h>

#include "../attempts/random.h"
#include "../call/repeat.h"
#include "../call/system.h"

#define MAX_ATTEMPTS 10
#define MAX_DELAY_MS 3600000

/* CALL-25: what a repetition costs, and what a call that was not repeated returns. */
#define REPETITION 5
#define SUCCESS 1

/* The max sleep of one step. */
#define MAX_SLEEP_MS 1000000

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
        (void)creo_system_wait(-1, 0, left > MAX_SLEEP_MS ? MAX_SLEEP_MS : (int)left);
    }
}

static bool repeat(creo_client *client, const creo_invocation *call, creo_error *error)
{
    const creo_retry *retry = client->retry;
    bool started = false;
    if (retry->attempts < 1 || retry->attempts > MAX_ATTEMPTS || retry->base_delay_ms > MAX_DELAY_MS || retry->max_delay_ms > MAX_DELAY_MS)
        return creo_fail(error, CREO_INVALID_VALUE, "a retry policy has 1 to %d attempts, and delays of at most an hour", MAX_ATTEMPTS);
    creo_mark mark = call->arena == NULL ? (creo_mark){NULL, NULL, NULL} : creo_arena_mark(call->arena);
    for (uint32_t attempt = 1;; attempt++) {
        if (creo_client_place(client, call, error)) {
            client->budget += attempt == 1 ? SUCCESS : REPETITION;
            if (client->budget > CREO_MAX_BUDGET)
                client->budget = CREO_MAX_BUDGET;
            return true;
        }
        started = started || !error->not_started;
        error->not_started = !started;
        error->attempts = attempt;
        if (attempt >= retry->attempts || !may_repeat(client, call->method, error))
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

void creo_client_set_retry(creo_client *client, const creo_retry *retry)
{
    client->retry = retry;
    client->repeat = retry == NULL ? NULL : repeat;
}
