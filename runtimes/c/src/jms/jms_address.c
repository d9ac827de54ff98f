/* Addresses: `jms:queue:NAME?parameter=value&...` (JMS-1). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../base/utf8.h"
#include "jms_parts.h"

#include <strings.h>

/* The default of JMS. */
#define USUAL_PRIORITY 4

/* Texts extracted from an address, in sequence. */
typedef struct texts {
    char *at;
    const char *address;
    creo_error *error;
} texts;

static bool refuse(const texts *made, const char *why)
{
    char shown[300];
    creo_text_show(shown, sizeof shown, creo_text(made->address));
    return creo_fail(made->error, CREO_INVALID_VALUE, "%s: \"%s\"", why, shown);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A part of the address with `%XX` decoded, zero-terminated; NULL if invalid. */
static char *jms_address_decode(texts *made, const char *from, size_t size)
{
    char *start = made->at;
    for (size_t i = 0; i < size; i++) {
        char c = from[i];
        if (c == '%') {
            int high = i + 2 < size ? digit(from[i + 1]) : -1;
            int low = i + 2 < size ? digit(from[i + 2]) : -1;
            if (high < 0 || low < 0) {
                (void)refuse(made, "% is followed by two hexadecimal digits");
                return NULL;
            }
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (c == 0) {
            (void)refuse(made, "a name holds no NUL");
            return NULL;
        }
        *made->at++ = c;
    }
    if (made->at != start && !creo_utf8_valid(start, (size_t)(made->at - start))) {
        (void)refuse(made, "%XX stands for bytes of UTF-8");
        return NULL;
    }
    *made->at++ = 0;
    return start;
}

/* A number in decimal digits, up to `most`; a larger one than 2^32 - 1 becomes that if allowed. */
static bool number(const char *text, uint64_t most, uint64_t *found)
{
    size_t size = strlen(text);
    *found = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9' || size > 18)
            return false;
        *found = *found * 10 + (uint64_t)(text[i] - '0');
    }
    return size != 0 && *found <= most;
}

static bool take_parameter(texts *made, creo_jms_address *address, const char *key, const char *value, bool *sent)
{
    uint64_t found;
    *sent = true;
    if (strcmp(key, "deliveryMode") == 0) {
        address->persistent = strcmp(value, "PERSISTENT") == 0;
        return address->persistent || strcmp(value, "NON_PERSISTENT") == 0 || refuse(made, "deliveryMode is PERSISTENT or NON_PERSISTENT");
    }
    if (strcmp(key, "timeToLive") == 0) {
        if (!number(value, UINT64_MAX, &found))
            return refuse(made, "timeToLive is a number of milliseconds");
        address->time_to_live = found > UINT32_MAX ? UINT32_MAX : (uint32_t)found;
        return true;
    }
    if (strcmp(key, "priority") == 0) {
        if (!number(value, 9, &found))
            return refuse(made, "priority is a number from 0 to 9");
        address->priority = (uint8_t)found;
        return true;
    }
    if (strcmp(key, "replyToName") == 0) {
        address->reply_to = value;
        return *value != 0 || refuse(made, "replyToName is a name");
    }
    *sent = false;
    if (strcmp(key, "targetService") == 0) {
        address->target_service = value;
        return *value != 0 || refuse(made, "targetService is a name");
    }
    return strncasecmp(key, "jndi", 4) != 0 || refuse(made, "a broker is not found by JNDI");
}

/* `uri` has room for the whole address. */
static bool take_parameters(texts *made, creo_jms_address *address, const char *query, char *uri)
{
    const char *first = made->at;
    char mark = '?';
    while (query != NULL && *query != 0) {
        size_t size = strcspn(query, "&");
        const char *equals = (const char *)memchr(query, '=', size);
        if (equals == NULL || equals == query)
            return refuse(made, "a parameter has a name and a value");
        const char *end = made->at;
        char *key = jms_address_decode(made, query, (size_t)(equals - query));
        if (key == NULL)
            return false;
        /* Names and values alternate: of those before this one, every second is a name. */
        for (const char *other = first; other < end; other += strlen(other) + 1, other += strlen(other) + 1)
            if (strcmp(other, key) == 0)
                return refuse(made, "a parameter is given twice");
        char *value = jms_address_decode(made, equals + 1, size - (size_t)(equals - query) - 1);
        bool sent;
        if (value == NULL || !take_parameter(made, address, key, value, &sent))
            return false;
        if (sent) {
            *uri++ = mark;
            memcpy(uri, query, size);
            uri += size;
            *uri = 0;
            mark = '&';
        }
        query += size;
        if (*query == '&' && *++query == 0)
            return refuse(made, "a parameter has a name and a value");
    }
    return true;
}

static bool take(texts *made, creo_jms_address *address, const char *text, char *uri)
{
    for (const char *p = text; *p != 0; p++)
        if (*p <= ' ' || *p >= 0x7F || *p == '#')
            return refuse(made, "an address is printable ASCII without spaces and fragment");
    address->topic = strncasecmp(text, "jms:topic:", 10) == 0;
    if (!address->topic && strncasecmp(text, "jms:queue:", 10) != 0)
        return refuse(made, "an address begins with jms:queue: or jms:topic:");
    const char *name = text + 10;
    size_t size = strcspn(name, "?");
    if (size == 0)
        return refuse(made, "an address has a name");
    memcpy(uri, text, 10 + size);
    uri[10 + size] = 0;
    address->uri = uri;
    address->name = jms_address_decode(made, name, size);
    return address->name != NULL && take_parameters(made, address, name[size] == '?' ? name + size + 1 : NULL, uri + 10 + size);
}

bool creo_jms_address_init(creo_jms_address *address, const char *text, creo_error *error)
{
    size_t size = strlen(text);
    memset(address, 0, sizeof *address);
    address->persistent = true;
    address->priority = USUAL_PRIORITY;
    /* The URI comes first. The following texts are no longer than their sources, with a zero after each instead of a separator. */
    texts made = {address->texts + CREO_JMS_ADDRESS_SIZE + 2, text, error};
    if (size > CREO_JMS_ADDRESS_SIZE)
        return refuse(&made, "an address has at most 4,096 characters");
    return take(&made, address, text, address->texts);
}
