/* Calls at one of several addresses (CALL-32 to CALL-38). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/addresses.h>

#include "../attempts/random.h"
#include "../call/repeat.h"
#include "target.h"

#include <stdio.h>

/* CALL-33: the calls in succession without an answer after which an address is ejected. */
#define MAX_LOST 3

/* CALL-38 */
#define MAX_NAMED 8

/* The index of an address, or the count. */
static size_t find_target(const struct creo_target *targets, size_t count, const char *host, uint16_t port)
{
    size_t found = 0;
    while (found < count && (targets[found].port != port || strcmp(targets[found].host, host) != 0))
        found++;
    return found;
}

static void free_targets(creo_client *client)
{
    if (client->targets != NULL)
        client->allocator.release(client->allocator.context, client->targets, client->target_room * sizeof *client->targets);
    client->targets = NULL;
    client->target_count = client->target_room = client->target = 0;
    client->balance = NULL;
}

/* The next address that is not ejected; if all are, the one whose ejection ends first (CALL-35). At least one was not tried yet. */
static void take_target(creo_client *client)
{
    creo_instant now = creo_now();
    size_t best = client->target_count;
    for (size_t i = 1; i <= client->target_count; i++) {
        size_t at = (client->target + i) % client->target_count;
        const struct creo_target *target = &client->targets[at];
        if (target->tried)
            continue;
        if (best == client->target_count || target->until < client->targets[best].until)
            best = at;
        if (target->until <= now) {
            best = at;
            break;
        }
    }
    client->target = best;
    creo_client_set_address(client, client->targets[best].host, client->targets[best].port);
}

static bool is_unplaced(const creo_error *error)
{
    return error->code == CREO_UNAVAILABLE && error->not_started;
}

/* Notes how a call to the current address has failed: it may be ejected (CALL-33, CALL-34). */
static void judge(creo_client *client, const creo_error *error)
{
    struct creo_target *target = &client->targets[client->target];
    bool answered = client->answered || error->from_peer;
    bool unavailable = error->code == CREO_UNAVAILABLE;
    if (client->sent)
        target->lost = unavailable && !error->from_peer ? (uint8_t)(target->lost + 1) : 0;
    bool broken = is_unplaced(error) || error->code == CREO_UNTRUSTED_PEER || error->code == CREO_PROTOCOL_MISMATCH || target->lost >= MAX_LOST;
    bool failed_probe = target->probe && !answered && (unavailable || error->code == CREO_DEADLINE_EXCEEDED);
    if (!broken && !failed_probe) {
        if (answered) {
            target->probe = false;
            target->until = 0;
        }
        return;
    }
    uint64_t length = target->ejection_ms == 0 ? client->ejection_ms : (uint64_t)target->ejection_ms * 2;
    target->ejection_ms = length > client->max_ejection_ms ? client->max_ejection_ms : (uint32_t)length;
    target->until = creo_now() + (creo_instant)target->ejection_ms * 1000000;
    target->probe = true;
    target->lost = 0;
    creo_client_disconnect(client);
}

/* Adds the other addresses that were tried to the message, as far as there is room for them (CALL-38). */
static void name_others(const creo_client *client, creo_error *error)
{
    const char *before = "; unavailable too: ";
    size_t named = 0;
    for (size_t i = 0; i < client->target_count && named < MAX_NAMED; i++) {
        const struct creo_target *target = &client->targets[i];
        if (!target->tried || i == client->target)
            continue;
        size_t used = strlen(error->message);
        size_t room = sizeof error->message - used;
        int size = snprintf(error->message + used, room, strchr(target->host, ':') == NULL ? "%s%s:%u" : "%s[%s]:%u", before, target->host, (unsigned)target->port);
        if (size < 0 || (size_t)size >= room)
            error->message[used] = 0;
        before = ", ";
        named++;
    }
}

/* The current address has answered as it should. */
static void trust(creo_client *client)
{
    struct creo_target *target = &client->targets[client->target];
    target->probe = false;
    target->lost = 0;
    target->ejection_ms = 0;
    target->until = 0;
}

/* Attempts the call at the addresses that were not tried yet. */
static bool try_targets(creo_client *client, const creo_invocation *call, creo_error *error)
{
    creo_mark mark = call->arena == NULL ? (creo_mark){NULL, NULL, NULL} : creo_arena_mark(call->arena);
    size_t left = 0;
    for (size_t i = 0; i < client->target_count; i++)
        left += client->targets[i].tried ? 0 : 1;
    for (; left > 0; left--) {
        if (!client->open)
            take_target(client);
        client->targets[client->target].tried = true;
        if (creo_client_attempt(client, call, error)) {
            if (call->method != NULL && call->open == NULL)
                trust(client);
            return true;
        }
        judge(client, error);
        if (!is_unplaced(error))
            break;
        if (left > 1 && call->arena != NULL)
            creo_arena_rewind(call->arena, mark);
    }
    if (error->not_started)
        name_others(client, error);
    return false;
}

/* Makes one attempt at the current address and, if that did not start the call, at the others (CALL-32). */
static bool place(creo_client *client, const creo_invocation *call, creo_error *error)
{
    for (size_t i = 0; i < client->target_count; i++)
        client->targets[i].tried = false;
    if (client->open)
        client->transport->check(client);
    return try_targets(client, call, error);
}

static bool place_again(creo_client *client, const creo_invocation *call, creo_error *error)
{
    creo_client_take_advice(client, error);
    if (!is_unplaced(error))
        return false;
    judge(client, error);
    return try_targets(client, call, error);
}

static void settle(creo_client *client, const creo_error *error)
{
    if (error != NULL)
        judge(client, error);
    else
        trust(client);
}

static const struct creo_balance balance = {place, place_again, settle, free_targets};

/* The transport keeps nothing of the addresses that are used no more. */
static void forget_others(creo_client *client, const struct creo_target *made, size_t count)
{
    if (client->transport->forget == NULL)
        return;
    if (find_target(made, count, client->host, client->port) == count)
        client->transport->forget(client, client->host, client->port);
    for (size_t i = 0; i < client->target_count; i++)
        if (find_target(made, count, client->targets[i].host, client->targets[i].port) == count)
            client->transport->forget(client, client->targets[i].host, client->targets[i].port);
}

bool creo_client_set_addresses(creo_client *client, const creo_address *addresses, size_t count, creo_error *error)
{
    if (!creo_client_is_free(client, error))
        return false;
    if (client->transport->check == NULL)
        return creo_fail(error, CREO_INVALID_VALUE, "a client over JMS has further brokers in `others`");
    if (count == 0)
        return creo_fail(error, CREO_INVALID_VALUE, "a client has at least one address");
    for (size_t i = 0; i < count; i++)
        if (addresses[i].host == NULL || !creo_host_valid(addresses[i].host) || addresses[i].port == 0)
            return creo_fail(error, CREO_INVALID_VALUE, "address %zu is not a host, by its name or IP address, and a port from 1 to 65535", i);
    struct creo_target *made = NULL;
    if (count <= SIZE_MAX / sizeof *made)
        made = (struct creo_target *)client->allocator.allocate(client->allocator.context, count * sizeof *made);
    if (made == NULL)
        return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the addresses");
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (find_target(made, used, addresses[i].host, addresses[i].port) != used)
            continue;
        size_t before = find_target(client->targets, client->target_count, addresses[i].host, addresses[i].port);
        struct creo_target *target = &made[used++];
        memset(target, 0, sizeof *target);
        if (before != client->target_count)
            *target = client->targets[before];
        (void)snprintf(target->host, sizeof target->host, "%s", addresses[i].host);
        target->port = addresses[i].port;
    }
    size_t current = find_target(made, used, client->host, client->port);
    if (current == used)
        creo_client_disconnect(client);
    if (!client->open)
        current = (size_t)(creo_client_random(client) % used);
    forget_others(client, made, used);
    free_targets(client);
    client->balance = &balance;
    client->targets = made;
    client->target_count = used;
    client->target_room = count;
    client->target = current;
    return true;
}
