/* Redirects (HTTP-40 to HTTP-42). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "http_session.h"

#include "../base/utf8.h"

#include <stdio.h>

/*
 * Where a redirect leads (HTTP-41).
 */

/* A URI reference without its fragment; a part that is absent has a NULL pointer. */
typedef struct uri_reference {
    creo_string scheme;
    creo_string authority;
    creo_string path;
    creo_string query;
} uri_reference;

static bool is_uri_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_uri_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a text consists of characters and percent escapes that RFC 3986 allows in a path or a query, or of the others. */
static bool is_uri_text(creo_string text, const char *others)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '%') {
            if (text.size - i < 3 || creo_hex_digit((uint8_t)text.data[i + 1]) == 16 || creo_hex_digit((uint8_t)text.data[i + 2]) == 16)
                return false;
            i += 2;
        } else if (c == 0 || (!is_uri_letter(c) && !is_uri_digit(c) && strchr("-._~:/@!$&'()*+,;=", c) == NULL && strchr(others, c) == NULL)) {
            return false;
        }
    }
    return true;
}

/* Takes the text before the first of these characters, or all of it. */
static creo_string uri_until(creo_string *rest, const char *ends)
{
    creo_string part = {rest->data, 0};
    while (part.size < rest->size && (part.data[part.size] == 0 || strchr(ends, part.data[part.size]) == NULL))
        part.size++;
    *rest = (creo_string){rest->data + part.size, rest->size - part.size};
    return part;
}

static bool uri_begins(creo_string text, const char *with)
{
    size_t size = strlen(with);
    return text.size >= size && memcmp(text.data, with, size) == 0;
}

static bool is_scheme(creo_string text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!is_uri_letter(text.data[i]) && (i == 0 || (!is_uri_digit(text.data[i]) && strchr("+-.", text.data[i]) == NULL)))
            return false;
    return text.size != 0;
}

static bool split_reference(creo_string text, uri_reference *parts)
{
    memset(parts, 0, sizeof *parts);
    creo_string rest = uri_until(&text, "#");
    if (text.size != 0 && !is_uri_text((creo_string){text.data + 1, text.size - 1}, "?"))
        return false;
    creo_string after = rest;
    creo_string scheme = uri_until(&after, ":/?");
    if (uri_begins(after, ":")) {
        /* A relative path has no colon in its first segment. */
        if (!is_scheme(scheme))
            return false;
        parts->scheme = scheme;
        rest = (creo_string){after.data + 1, after.size - 1};
    }
    if (uri_begins(rest, "//")) {
        rest = (creo_string){rest.data + 2, rest.size - 2};
        parts->authority = uri_until(&rest, "/?");
    }
    parts->path = uri_until(&rest, "?");
    if (rest.size != 0)
        parts->query = (creo_string){rest.data + 1, rest.size - 1};
    return is_uri_text(parts->authority, "[]") && is_uri_text(parts->path, "") && is_uri_text(parts->query, "?");
}

/* Whether a text is a host and perhaps a port of a URL. */
static bool read_authority(creo_string text, creo_string *host, uint16_t *port)
{
    /* A port may be empty. */
    if (text.size > 0 && text.data[text.size - 1] == ':')
        text.size--;
    if (text.size == 0 || memchr(text.data, '@', text.size) != NULL || !creo_http_authority(text.data, text.size, host, port) || host->size >= CREO_HOST_SIZE)
        return false;
    bool literal = text.data[0] == '[';
    for (size_t i = 0; i < host->size; i++)
        if (literal ? creo_hex_digit((uint8_t)host->data[i]) == 16 && host->data[i] != ':' && host->data[i] != '.' : host->data[i] == '[' || host->data[i] == ']')
            return false;
    return !literal || memchr(host->data, ':', host->size) != NULL;
}

/* Removes the segments `.` and `..` of a path that begins with a slash (RFC 3986, section 5.2.4). Returns its new size. */
static size_t remove_dots(char *path, size_t size)
{
    size_t kept = 0;
    for (size_t at = 0; at < size;) {
        size_t end = at + 1;
        while (end < size && path[end] != '/')
            end++;
        creo_string segment = {path + at, end - at};
        bool up = creo_string_is(segment, "/..");
        if (!up && !creo_string_is(segment, "/.")) {
            memmove(path + kept, segment.data, segment.size);
            kept += segment.size;
        } else {
            while (up && kept > 0 && path[--kept] != '/') {
            }
            if (end == size)
                path[kept++] = '/';
        }
        at = end;
    }
    return kept;
}

static size_t put_uri_part(char *into, creo_string part)
{
    if (part.size != 0)
        memcpy(into, part.data, part.size);
    return part.size;
}

/* Path and query of a reference, read relative to those of the request (RFC 3986, section 5.2), in the arena; NULL: it has no memory left. */
static creo_string resolve(creo_arena *arena, creo_string base, const uri_reference *parts)
{
    creo_string base_query = base;
    creo_string base_path = uri_until(&base_query, "?");
    char *made = (char *)creo_arena_bytes(arena, base.size + parts->path.size + parts->query.size + 2);
    size_t size = 0;
    if (made == NULL)
        return (creo_string){NULL, 0};
    if (parts->path.size == 0 && parts->authority.data == NULL) {
        size = put_uri_part(made, base_path);
        if (parts->query.data == NULL)
            size += put_uri_part(made + size, base_query);
    } else if (parts->path.size == 0) {
        made[size++] = '/';
    } else {
        while (!uri_begins(parts->path, "/") && base_path.data[base_path.size - 1] != '/')
            base_path.size--;
        if (!uri_begins(parts->path, "/"))
            size = put_uri_part(made, base_path);
        size += put_uri_part(made + size, parts->path);
        size = remove_dots(made, size);
    }
    if (parts->query.data != NULL) {
        made[size++] = '?';
        size += put_uri_part(made + size, parts->query);
    }
    return (creo_string){made, size};
}

/* NULL, or why the redirect is not followed. */
static const char *locate(const creo_http_call *call, const creo_http_answer *answer, creo_http_stop *next)
{
    static const char no_memory[] = "the allocator has no memory left for it";
    creo_arena *arena = &call->client->arena;
    const creo_http_stop *here = &call->trip->stops[call->trip->count - 1];
    uri_reference parts;
    size_t count = 0;
    bool tls = call->place->tls;
    for (size_t i = 0; i < answer->header_count; i++)
        count += creo_string_is(answer->headers[i].key, "location");
    if (count != 1)
        return "Location is not there once";
    if (!split_reference(answer->location, &parts))
        return "Location is no URL";
    *next = *here;
    if (parts.scheme.data != NULL) {
        tls = creo_http_same(parts.scheme, "https");
        if ((!tls && !creo_http_same(parts.scheme, "http")) || parts.authority.data == NULL)
            return "Location is no URL of HTTP";
    }
    if (parts.authority.data != NULL) {
        creo_string host;
        next->port = tls ? 443 : 80;
        if (!read_authority(parts.authority, &host, &next->port))
            return "Location is no URL of HTTP, or has a user";
        next->host = creo_arena_text(arena, host);
        if (next->host == NULL)
            return no_memory;
    }
    if (tls != call->place->tls)
        return tls ? "it leads to https, and the client's creo_io is for http" : "it leads from https to http";
    next->target = resolve(arena, here->target, &parts);
    return next->target.data == NULL ? no_memory : NULL;
}

/*
 * The call.
 */

static bool is_same_origin(const creo_http_stop *stop, const char *host, uint16_t port)
{
    return stop->port == port && creo_http_same(creo_text(stop->host), host);
}

static bool was_there(const struct creo_http_trip *trip)
{
    for (size_t i = 0; i < trip->count; i++)
        if (is_same_origin(&trip->stops[i], trip->next.host, trip->next.port) && creo_string_equal(trip->stops[i].target, trip->next.target))
            return true;
    return false;
}

bool creo_http_is_followed(const creo_http_call *call, const creo_http_answer *answer)
{
    struct creo_http_trip *trip = call->trip;
    trip->follows = false;
    trip->refusal[0] = 0;
    if (answer->status != 307 && answer->status != 308)
        return false;
    const char *why = locate(call, answer, &trip->next);
    if (why == NULL && call->bound && !is_same_origin(&trip->next, trip->host, trip->port))
        why = "a request with a block of WS-Security stays at its origin";
    trip->follows = why == NULL && trip->count <= trip->redirects;
    if (why != NULL)
        (void)snprintf(trip->refusal, sizeof trip->refusal, "%s", why);
    else if (!trip->follows)
        (void)snprintf(trip->refusal, sizeof trip->refusal, "%u of this call were followed%s", trip->redirects, was_there(trip) ? ", and it has been there before" : "");
    return trip->follows;
}

/* Makes the call at one place, with credentials if it asks for them. */
static bool make_once(const creo_http_call *call, creo_arena *arena, creo_http_answer *answer)
{
    do {
        creo_http_request request;
        if (!creo_http_call_request(call, &request))
            return false;
        if (!creo_http_exchange(call->client, &request, call->deadline, arena, answer, call->error))
            return creo_client_name_peer(call->client, call->error);
    } while (creo_digest_repeats(call));
    if (creo_digest_problem(call) == NULL)
        return true;
    (void)creo_http_fail_status(call, answer, (creo_string){NULL, 0});
    return creo_client_name_peer(call->client, call->error);
}

/* Whether the client's address is now that of another origin. */
static bool is_away(const creo_http_call *call)
{
    return strcmp(call->client->host, call->trip->host) != 0 || call->client->port != call->trip->port;
}

/* The client has its own address again, which is no longer the peer. A connection elsewhere was for one request. */
static void come_back(const creo_http_call *call)
{
    creo_client *client = call->client;
    if (!is_away(call))
        return;
    creo_client_disconnect(client);
    memcpy(client->host, call->trip->host, sizeof client->host);
    client->port = call->trip->port;
    client->redirected = true;
}

/* Directs the call to the place where the answer leads. */
static bool move_on(creo_http_call *call)
{
    creo_client *client = call->client;
    struct creo_http_trip *trip = call->trip;
    const creo_http_stop *next = &trip->next;
    bool own = is_same_origin(next, trip->host, trip->port);
    come_back(call);
    if (own) {
        creo_client_set_peer(client);
    } else {
        creo_client_disconnect(client);
        creo_client_set_address(client, next->host, next->port);
    }
    char text[CREO_HTTP_HOST_SIZE];
    const char *form = strchr(next->host, ':') == NULL ? "%s" : "[%s]";
    int size = snprintf(text, sizeof text, form, next->host);
    if (next->port != (call->place->tls ? 443 : 80))
        (void)snprintf(text + size, sizeof text - (size_t)size, ":%u", (unsigned)next->port);
    call->host = creo_arena_text(&client->arena, creo_text(text));
    if (call->host == NULL)
        return creo_fail(call->error, CREO_TOO_LARGE, "the allocator has no memory left for the request");
    call->target = next->target;
    call->left = call->left || !own;
    trip->stops[trip->count++] = *next;
    /* Its answer says that the last request was not executed, and is none of the call. */
    client->sent = client->answered = false;
    memset(&client->answer, 0, sizeof client->answer);
    return true;
}

static bool make_trip(creo_http_call *call, creo_arena *arena, creo_http_answer *answer)
{
    struct creo_http_trip *trip = call->trip;
    do {
        trip->follows = false;
        trip->refusal[0] = 0;
        if (!make_once(call, arena, answer))
            return false;
        if (trip->refusal[0] != 0) {
            (void)creo_http_fail_status(call, answer, (creo_string){NULL, 0});
            return creo_client_name_peer(call->client, call->error);
        }
    } while (trip->follows && move_on(call));
    return !trip->follows;
}

bool creo_http_call_make(creo_http_call *call, creo_arena *arena, creo_http_answer *answer)
{
    const creo_client *client = call->client;
    struct creo_http_trip trip;
    if (!creo_http_aim(call))
        return false;
    if (client->http == NULL || client->http->redirects == 0)
        return make_once(call, arena, answer);
    memcpy(trip.host, client->host, sizeof trip.host);
    trip.port = client->port;
    trip.redirects = client->http->redirects;
    trip.stops[0] = (creo_http_stop){trip.host, trip.port, call->target};
    trip.count = 1;
    call->trip = &trip;
    bool done = make_trip(call, arena, answer);
    come_back(call);
    call->trip = NULL;
    return done;
}
