#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../base/utf8.h"
#include "../call/metadata.h"
#include "http_digest.h"
#include "http_session.h"

#include <stdio.h>

/* HTTP-6 */
#define COMPRESS_FROM 1024

/* HTTP-22 */
#define MAX_EXCERPT 300

static bool wrong_url(creo_error *error, const char *url)
{
    return creo_fail(error, CREO_INVALID_VALUE, "\"%.200s\" is no URL like http://host:port/path", url);
}

/* The digits of a port up to a delimiter. */
static bool parse_port(const char *at, size_t size, uint16_t *port)
{
    unsigned number = 0;
    for (size_t i = 0; i < size; i++) {
        if (at[i] < '0' || at[i] > '9' || number > 65535)
            return false;
        number = number * 10 + (unsigned)(at[i] - '0');
    }
    *port = (uint16_t)number;
    return size != 0 && number != 0 && number <= 65535;
}

bool creo_http_authority(const char *at, size_t size, creo_string *host, uint16_t *port)
{
    if (size == 0)
        return false;
    const char *colon = (const char *)memchr(at, ':', size);
    *host = (creo_string){at, colon == NULL ? size : (size_t)(colon - at)};
    if (*at == '[') {
        const char *close = (const char *)memchr(at, ']', size);
        if (close == NULL)
            return false;
        *host = (creo_string){at + 1, (size_t)(close - at) - 1};
        colon = close + 1 < at + size ? close + 1 : NULL;
        if (colon != NULL && *colon != ':')
            return false;
    }
    return host->size != 0 && (colon == NULL || parse_port(colon + 1, (size_t)(at + size - colon) - 1, port));
}

bool creo_http_place_init(creo_http_place *place, creo_client *client, const char *url, const creo_text_interface *interface, creo_allocator allocator,
                          const struct creo_transport *transport, creo_error *error)
{
    memset(place, 0, sizeof *place);
    client->socket = -1;
    client->transport = transport;
    place->interface = interface;
    const char *at = url;
    if (strncmp(at, "https://", 8) == 0)
        place->tls = true;
    else if (strncmp(at, "http://", 7) != 0)
        return wrong_url(error, url);
    at += place->tls ? 8 : 7;
    for (const char *p = url; *p != 0; p++)
        if (*p <= ' ' || *p >= 0x7F)
            return wrong_url(error, url);
    size_t authority = strcspn(at, "/?#");
    if (memchr(at, '@', authority) != NULL || authority >= sizeof client->host)
        return wrong_url(error, url);
    uint16_t port = place->tls ? 443 : 80;
    creo_string host;
    if (!creo_http_authority(at, authority, &host, &port))
        return wrong_url(error, url);
    const char *path = at + authority;
    size_t path_size = strcspn(path, "#");
    if (path_size + 2 > sizeof place->path)
        return wrong_url(error, url);
    (void)snprintf(place->path, sizeof place->path, "%s%.*s", *path == '/' ? "" : "/", (int)path_size, path);
    (void)snprintf(place->host_header, sizeof place->host_header, "%.*s", (int)authority, at);
    char name[sizeof client->host];
    (void)snprintf(name, sizeof name, "%.*s", (int)host.size, host.data);
    creo_client_prepare(client, name, port, allocator, transport);
    return true;
}

bool creo_http_place_of_methods(creo_http_place *place, creo_error *error)
{
    size_t size = strlen(place->path);
    if (strchr(place->path, '?') != NULL)
        return creo_fail(error, CREO_INVALID_VALUE, "the path %.200s has a query, which no method's name can follow", place->path);
    while (size > 0 && place->path[size - 1] == '/')
        place->path[--size] = 0;
    return true;
}

bool creo_http_is_utf8(creo_string content_type)
{
    /* A longer name is another one. */
    uint8_t room[64];
    creo_arena arena;
    creo_string charset;
    creo_arena_init_fixed(&arena, room, sizeof room);
    return creo_http_parameter(content_type, "charset", &arena, &charset, NULL) && (charset.data == NULL || creo_http_same(charset, "utf-8"));
}

const creo_text_method *creo_http_method(const creo_text_interface *interface, const creo_method *method)
{
    for (uint32_t i = 0; i < interface->method_count; i++)
        if (interface->methods[i].id == method->id)
            return &interface->methods[i];
    return NULL;
}

void creo_http_host(const creo_client *client, char into[CREO_HTTP_HOST_SIZE])
{
    (void)snprintf(into, CREO_HTTP_HOST_SIZE, strchr(client->host, ':') == NULL ? "%s:%u" : "[%s]:%u", client->host, (unsigned)client->port);
}

bool creo_http_prepare(creo_client *client, creo_http_place *place, const creo_method *method, const creo_text_method **text, creo_error *error)
{
    *text = creo_http_method(place->interface, method);
    if (*text == NULL)
        return creo_fail(error, CREO_INVALID_VALUE, "this client is one of %s, not of %s", place->interface->name, method->interface->name);
    if (place->tls && !client->has_io)
        return creo_fail(error, CREO_INVALID_VALUE, "https needs a creo_io for TLS: see creo_client_use_io");
    if (!creo_http_check_proxy(client, error) || !creo_http_check_options(client, place->tls, error))
        return false;
    /* Data for the proxy must not go to the service. */
    if (client->open && client->through != creo_client_proxy(client))
        creo_client_disconnect(client);
    /* Otherwise it is as in the URL. */
    if (client->balance != NULL)
        creo_http_host(client, place->host_header);
    return true;
}

bool creo_http_begin(creo_client *client, creo_http_place *place, const creo_method *method, const creo_text_method **text, creo_error *error)
{
    if (!creo_http_prepare(client, place, method, text, error))
        return false;
    creo_arena_reset(&client->arena);
    return true;
}

static bool http_no_memory(creo_error *error)
{
    return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the request");
}

bool creo_http_compress(creo_client *client, const creo_gzip *gzip, creo_http_body *sent, creo_error *error)
{
    creo_arena *arena = &client->arena;
    creo_bytes all = sent->pieces[0];
    if (sent->piece_count > 1) {
        uint8_t *joined = creo_arena_bytes(arena, sent->size);
        if (joined == NULL)
            return http_no_memory(error);
        size_t at = 0;
        for (size_t i = 0; i < sent->piece_count; i++) {
            if (sent->pieces[i].size != 0)
                memcpy(joined + at, sent->pieces[i].data, sent->pieces[i].size);
            at += sent->pieces[i].size;
        }
        all = creo_bytes_of(joined, at);
    }
    size_t room = gzip->bound(gzip->context, all.size);
    uint8_t *data = creo_arena_bytes(arena, room);
    if (data == NULL)
        return http_no_memory(error);
    size_t size = gzip->compress(gzip->context, all.data, all.size, data, room);
    if (size == 0 || size > room)
        return creo_fail(error, CREO_TOO_LARGE, "the request could not be compressed");
    sent->pieces[0] = creo_bytes_of(data, size);
    sent->piece_count = 1;
    sent->size = size;
    sent->compressed = true;
    return true;
}

bool creo_http_count_body(const creo_client *client, creo_http_body *body, creo_error *error)
{
    body->size = 0;
    for (size_t i = 0; i < body->piece_count; i++) {
        if (body->pieces[i].size > client->limits.max_message_size - body->size)
            return creo_fail_limit(error, "maxMessageSize", client->limits.max_message_size);
        body->size += body->pieces[i].size;
    }
    return true;
}

bool creo_http_finish_body(creo_client *client, const creo_gzip *gzip, creo_http_body *body, creo_error *error)
{
    return creo_http_count_body(client, body, error) && (gzip == NULL || body->size < COMPRESS_FROM || creo_http_compress(client, gzip, body, error));
}

bool creo_http_put(creo_writer *head, const char *text)
{
    return creo_write_raw(head, creo_bytes_of(text, strlen(text)));
}

static bool put_number(creo_writer *head, uint64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return creo_http_put(head, text);
}

bool creo_http_put_value(creo_writer *writer, creo_string value)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < value.size; i++) {
        uint8_t c = (uint8_t)value.data[i];
        char text[4] = {(char)c, 0, 0, 0};
        if (c < 0x21 || c > 0x7E || c == '%') {
            text[0] = '%';
            text[1] = digits[c >> 4];
            text[2] = digits[c & 15];
        }
        if (!creo_http_put(writer, text))
            return false;
    }
    return true;
}

/* HTTP-8 */
static bool put_pair(const creo_client *client, creo_writer *head, creo_pair pair, creo_error *error)
{
    bool plain = creo_string_is(pair.key, "authorization") || creo_string_is(pair.key, "traceparent") || creo_string_is(pair.key, "tracestate");
    if (plain && creo_http_is_option(client, pair.key))
        return creo_fail(error, CREO_INVALID_VALUE, "the metadata %.*s, which the options of the client set", (int)pair.key.size, pair.key.data);
    for (size_t i = 0; plain && i < pair.value.size; i++)
        if (pair.value.data[i] < 0x20 || pair.value.data[i] > 0x7E)
            return creo_fail_value(error, "the value of this header is printable ASCII");
    return (plain || creo_http_put(head, "Creo-Meta-")) && creo_write_raw(head, creo_bytes_of(pair.key.data, pair.key.size)) && creo_http_put(head, ": ") &&
           (plain ? creo_write_raw(head, creo_bytes_of(pair.value.data, pair.value.size)) : creo_http_put_value(head, pair.value)) && creo_http_put(head, "\r\n");
}

bool creo_http_check_metadata(const creo_client *client, creo_error *error)
{
    if (client->metadata_count > CREO_MAX_METADATA_PAIRS)
        return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
    /* Its size is that of the binary wire (LIM-6), with a count of at least one byte before each text. */
    size_t size = 1;
    for (size_t i = 0; i < client->metadata_count; i++) {
        creo_pair pair = client->metadata[i];
        if (!creo_metadata_key_valid(pair.key))
            return creo_fail_value(error, "a metadata key has 1 to 64 characters of a-z, 0-9, . and -, and does not begin with creo-");
        for (size_t j = 0; j < i; j++)
            if (creo_string_equal(client->metadata[j].key, pair.key))
                return creo_fail_value(error, "a metadata key occurs once");
        size += pair.key.size + 2;
        if (pair.value.size > client->limits.max_metadata_size || size + pair.value.size > client->limits.max_metadata_size)
            return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
        size += pair.value.size;
        if (pair.value.size != 0 && (pair.value.data == NULL || !creo_utf8_valid(pair.value.data, pair.value.size)))
            return creo_fail_value(error, "a string is well-formed UTF-8");
    }
    return true;
}

static bool put_metadata(const creo_client *client, creo_writer *head, creo_error *error)
{
    if (!creo_http_check_metadata(client, error))
        return false;
    for (size_t i = 0; i < client->metadata_count; i++)
        if (!put_pair(client, head, client->metadata[i], error))
            return false;
    return true;
}

static bool put_headers(const creo_client *client, creo_writer *head, creo_error *error)
{
    if (!creo_http_check_headers(client, error))
        return false;
    for (size_t i = 0; i < client->header_count; i++) {
        creo_pair pair = client->headers[i];
        if (!creo_write_raw(head, creo_bytes_of(pair.key.data, pair.key.size)) || !creo_http_put(head, ": ") ||
            !creo_write_raw(head, creo_bytes_of(pair.value.data, pair.value.size)) || !creo_http_put(head, "\r\n"))
            return false;
    }
    return true;
}

bool creo_http_aim(creo_http_call *call)
{
    const creo_http_place *place = call->place;
    creo_writer target;
    creo_writer_init(&target, &call->client->arena, NULL, call->error);
    if (!creo_http_put(&target, place->path) || (call->method != NULL && (!creo_http_put(&target, "/") || !creo_http_put(&target, call->method))))
        return false;
    creo_bytes bytes = creo_writer_bytes(&target);
    call->host = place->host_header;
    call->target = (creo_string){(const char *)bytes.data, bytes.size};
    return creo_digest_begin(call);
}

/* What the program and the client's options add to the wire's lines, unless the call has been at another origin. */
static bool put_own(const creo_http_call *call, creo_writer *head)
{
    return call->left || (put_metadata(call->client, head, call->error) && put_headers(call->client, head, call->error) && creo_http_put_session(call, head));
}

/* The head of the request, including the wire's lines. */
static bool make_head(const creo_http_call *call, creo_bytes *bytes)
{
    creo_client *client = call->client;
    creo_writer head;
    creo_writer_init(&head, &client->arena, NULL, call->error);
    /* HTTP-7: no deadline is sent as the longest possible time. */
    uint64_t left = call->deadline == CREO_NEVER ? 999999999 : creo_milliseconds_left(call->deadline);
    left = left == 0 ? 1 : left > 999999999 ? 999999999 : left;
    bool absolute = !call->place->tls && creo_client_proxy(client) != NULL;
    bool done = creo_http_put(&head, "POST ") && (!absolute || (creo_http_put(&head, "http://") && creo_http_put(&head, call->host))) &&
                creo_write_raw(&head, creo_bytes_of(call->target.data, call->target.size)) && creo_http_put(&head, " HTTP/1.1\r\nHost: ") &&
                creo_http_put(&head, call->host) && creo_http_put(&head, "\r\n") &&
                (!absolute || creo_http_put_proxy_authorization(client, &head)) && creo_write_raw(&head, call->lines) &&
                (call->body->chunked ? creo_http_put(&head, "Transfer-Encoding: chunked")
                                     : creo_http_put(&head, "Content-Length: ") && put_number(&head, call->body->size)) &&
                creo_http_put(&head, "\r\nCreo-Timeout: ") && put_number(&head, left) && creo_http_put(&head, "\r\n") &&
                (!call->body->compressed || creo_http_put(&head, "Content-Encoding: gzip\r\n")) &&
                creo_http_put(&head, call->gzip == NULL ? "Accept-Encoding: identity\r\n" : "Accept-Encoding: gzip\r\n") &&
                put_own(call, &head) && creo_http_put(&head, "\r\n");
    *bytes = creo_writer_bytes(&head);
    return done;
}

bool creo_http_call_request(const creo_http_call *call, creo_http_request *request)
{
    if (!make_head(call, &request->head))
        return false;
    request->pieces = call->body->pieces;
    request->piece_count = call->body->piece_count;
    request->gzip = call->gzip;
    request->call = call;
    creo_raw_show_request(call, request->head);
    return true;
}

creo_code creo_http_code_of_status(int status)
{
    switch (status) {
    case 401:
    case 407:
        return CREO_UNAUTHENTICATED;
    case 403:
        return CREO_PERMISSION_DENIED;
    case 404:
    case 502:
    case 503:
    case 504:
        return CREO_UNAVAILABLE;
    case 413:
        return CREO_TOO_LARGE;
    case 429:
        return CREO_OVERLOADED;
    default:
        return status >= 300 && status < 400 ? CREO_UNAVAILABLE : CREO_PROTOCOL_MISMATCH;
    }
}

creo_string creo_http_begin_of(creo_string text)
{
    while (text.size > 0 && (uint8_t)text.data[0] <= ' ') {
        text.data++;
        text.size--;
    }
    size_t size = 0;
    for (int i = 0; i < MAX_EXCERPT && size < text.size; i++) {
        size_t length = creo_utf8_sequence((const uint8_t *)text.data + size, text.size - size);
        size += length == 0 ? 1 : length;
    }
    while (size > 0 && (uint8_t)text.data[size - 1] <= ' ')
        size--;
    return (creo_string){text.data, size};
}

/* What became of a redirect or of a challenge, as a part of a message; empty for other answers. */
static void tell_redirect(const creo_http_call *call, int status, char *into, size_t size)
{
    const char *problem = creo_digest_problem(call);
    into[0] = 0;
    if (problem != NULL && status == 401)
        (void)snprintf(into, size, "; digest authentication is not possible, since %s", problem);
    if (status < 300 || status > 399)
        return;
    if (call->trip != NULL && call->trip->refusal[0] != 0)
        (void)snprintf(into, size, "; the redirect is not followed, since %s", call->trip->refusal);
    else if (status >= 301 && status <= 303)
        (void)snprintf(into, size, "; redirects with %d are not followed, since they keep neither method nor body", status);
    else
        (void)snprintf(into, size, "; redirects are not followed");
}

bool creo_http_fail_status(const creo_http_call *call, const creo_http_answer *answer, creo_string said)
{
    char type[200];
    char target[300];
    char reason[200];
    char challenge[320];
    char told[600];
    char redirect[200];
    if (said.size == 0)
        said = (creo_string){(const char *)answer->body.data, answer->body.size};
    creo_text_show(type, sizeof type, creo_http_begin_of(answer->content_type));
    creo_text_show(target, sizeof target, creo_http_begin_of(answer->location));
    creo_text_show(reason, sizeof reason, creo_http_begin_of(answer->reason));
    creo_text_show(challenge, sizeof challenge, creo_http_begin_of(answer->challenge));
    creo_text_show(told, sizeof told, creo_http_begin_of(said));
    tell_redirect(call, answer->status, redirect, sizeof redirect);
    bool moved = answer->status >= 300 && answer->status < 400 && answer->location.size != 0;
    (void)creo_fail(call->error, creo_http_code_of_status(answer->status), "%s://%.200s%.*s answered with status %d%s%s and %s%s%s%s%s%s%s%s%s", call->place->tls ? "https" : "http", call->host,
                    (int)(call->target.size < MAX_EXCERPT ? call->target.size : MAX_EXCERPT), call->target.data, answer->status, reason[0] == 0 ? "" : " ", reason,
                    type[0] == 0 ? "no media type" : "the media type ", type, redirect, moved ? "; it names the place " : "", moved ? target : "",
                    challenge[0] == 0 ? "" : answer->status == 401 ? "; WWW-Authenticate: " : "; Proxy-Authenticate: ", challenge, told[0] == 0 ? "" : ": ", told);
    if (call->error != NULL)
        call->error->from_peer = true;
    return false;
}

void creo_http_set_code(creo_error *error, creo_string word)
{
    for (int code = CREO_MALFORMED; code <= CREO_INTERNAL; code++) {
        if (creo_string_is(word, creo_code_name((creo_code)code))) {
            error->code = (creo_code)code;
            return;
        }
    }
    char shown[100];
    creo_text_show(shown, sizeof shown, word);
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, " (error %s of the peer)", shown);
    error->code = CREO_INTERNAL;
}

/* ERR-5: what was called. */
void creo_http_explain(const creo_method *method, creo_error *error)
{
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, "; the call was %s.%s", method->interface->name, method->name);
}
