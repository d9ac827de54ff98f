#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/codegen/path.h>

#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>

/* The words of ERR-1, by number. */
static const char *const NAMES[] = {"ok",
                                    "malformed",
                                    "invalid-value",
                                    "too-large",
                                    "unknown-method",
                                    "deadline-exceeded",
                                    "cancelled",
                                    "unavailable",
                                    "overloaded",
                                    "unauthenticated",
                                    "permission-denied",
                                    "protocol-mismatch",
                                    "internal",
                                    "untrusted-peer"};

const char *creo_code_name(creo_code code)
{
    size_t number = (size_t)code;
    return number < sizeof NAMES / sizeof NAMES[0] ? NAMES[number] : "internal";
}

void creo_error_clear(creo_error *error)
{
    error->code = CREO_OK;
    error->from_peer = false;
    error->not_started = false;
    error->has_offset = false;
    error->offset = 0;
    error->place[0] = 0;
    error->message[0] = 0;
    error->peer[0] = 0;
    error->limit = NULL;
    error->allowed = 0;
    error->retry_after_ms = 0;
    error->attempts = 0;
    error->details = NULL;
    error->detail_count = 0;
}

creo_string creo_pairs_find(const creo_pair *pairs, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (creo_string_is(pairs[i].key, key))
            return pairs[i].value;
    return (creo_string){NULL, 0};
}

creo_string creo_error_detail(const creo_error *error, const char *key)
{
    return creo_pairs_find(error->details, error->detail_count, key);
}

const char *creo_error_format(const creo_error *error, char *text, size_t size)
{
    if (size == 0)
        return text;
    char where[CREO_PLACE_SIZE + 48] = "";
    if (error->place[0] != 0 && error->has_offset)
        (void)snprintf(where, sizeof where, " (at %s, byte %llu)", error->place, (unsigned long long)error->offset);
    else if (error->place[0] != 0)
        (void)snprintf(where, sizeof where, " (at %s)", error->place);
    else if (error->has_offset)
        (void)snprintf(where, sizeof where, " (byte %llu)", (unsigned long long)error->offset);
    (void)snprintf(text, size, "%s: %s%s", creo_code_name(error->code), error->message, where);
    return text;
}

bool creo_fail(creo_error *error, creo_code code, const char *format, ...)
{
    if (error == NULL)
        return false;
    creo_error_clear(error);
    error->code = code;
    char raw[CREO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    if (length > 0) {
        size_t size = (size_t)length < sizeof raw ? (size_t)length : sizeof raw - 1;
        creo_text_show(error->message, sizeof error->message, (creo_string){raw, size});
    }
    return false;
}

void creo_raise_limit(creo_error *error, const char *limit, uint64_t allowed)
{
    if (error == NULL)
        return;
    (void)creo_fail(error, CREO_TOO_LARGE, "the limit %s allows %llu", limit, (unsigned long long)allowed);
    error->limit = limit;
    error->allowed = allowed;
}

void creo_raise_value(creo_error *error, const char *message)
{
    if (error == NULL)
        return;
    (void)creo_fail(error, CREO_INVALID_VALUE, "%s", message);
    memcpy(error->place, "$", 2);
}

/* The root is `$` and lower-case letters: `$`, `$result`, `$exception`. */
static size_t root_length(const char *place)
{
    size_t length = place[0] == '$' ? 1 : 0;
    while (length > 0 && place[length] >= 'a' && place[length] <= 'z')
        length++;
    return length;
}

/* Text that does not fit is cut at the inner end, since readers need the outer steps first. */
static void insert(creo_error *error, const char *step)
{
    if (error == NULL || error->place[0] == 0)
        return;
    size_t root = root_length(error->place);
    size_t tail = strlen(error->place) - root;
    size_t size = strlen(step);
    size_t room = sizeof error->place - 1 - root;
    if (size > room)
        size = room;
    if (tail > room - size)
        tail = room - size;
    memmove(error->place + root + size, error->place + root, tail);
    memcpy(error->place + root, step, size);
    error->place[root + size + tail] = 0;
}

void creo_step_field(creo_error *error, const char *name)
{
    char step[CREO_PLACE_SIZE];
    (void)snprintf(step, sizeof step, ".%s", name);
    insert(error, step);
}

void creo_step_index(creo_error *error, size_t index)
{
    char step[32];
    (void)snprintf(step, sizeof step, "[%zu]", index);
    insert(error, step);
}

void creo_step_key(creo_error *error, size_t entry)
{
    char step[40];
    (void)snprintf(step, sizeof step, "{%zu}.key", entry);
    insert(error, step);
}

void creo_step_value(creo_error *error, size_t entry)
{
    char step[40];
    (void)snprintf(step, sizeof step, "{%zu}.value", entry);
    insert(error, step);
}
