#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "soap.h"

#include "text.h"
#include "xml_writer.h"

#include <stdio.h>

/* SOAP-21 */
#define PART_FROM 1024
/* HTTP-6 */
#define COMPRESS_FROM 1024

#define MOST_PAIRS 64

static bool call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);

static bool wrong_url(creo_error *error, const char *url)
{
    return creo_fail(error, CREO_INVALID_VALUE, "\"%.200s\" is no URL like http://host:port/path", url);
}

/* Digits of a port up to what ends it. */
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

bool creo_soap_init(creo_soap *soap, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error)
{
    memset(soap, 0, sizeof *soap);
    soap->client.socket = -1;
    soap->interface = interface;
    const char *at = url;
    if (strncmp(at, "https://", 8) == 0)
        soap->tls = true;
    else if (strncmp(at, "http://", 7) != 0)
        return wrong_url(error, url);
    at += soap->tls ? 8 : 7;
    for (const char *p = url; *p != 0; p++)
        if (*p <= ' ' || *p >= 0x7F)
            return wrong_url(error, url);
    size_t authority = strcspn(at, "/?#");
    if (memchr(at, '@', authority) != NULL || authority >= sizeof soap->client.host)
        return wrong_url(error, url);
    uint16_t port = soap->tls ? 443 : 80;
    const char *host = at;
    size_t host_size = authority;
    const char *colon = (const char *)memchr(at, ':', authority);
    if (*at == '[') {
        const char *close = (const char *)memchr(at, ']', authority);
        if (close == NULL)
            return wrong_url(error, url);
        host = at + 1;
        host_size = (size_t)(close - host);
        colon = close + 1 < at + authority ? close + 1 : NULL;
        if (colon != NULL && *colon != ':')
            return wrong_url(error, url);
    } else if (colon != NULL) {
        host_size = (size_t)(colon - at);
    }
    if (host_size == 0 || (colon != NULL && !parse_port(colon + 1, (size_t)(at + authority - colon) - 1, &port)))
        return wrong_url(error, url);
    const char *path = at + authority;
    size_t path_size = strcspn(path, "#");
    if (path_size + 2 > sizeof soap->path)
        return wrong_url(error, url);
    (void)snprintf(soap->path, sizeof soap->path, "%s%.*s", *path == '/' ? "" : "/", (int)path_size, path);
    (void)snprintf(soap->host_header, sizeof soap->host_header, "%.*s", (int)authority, at);
    char name[sizeof soap->client.host];
    (void)snprintf(name, sizeof name, "%.*s", (int)host_size, host);
    creo_client_init(&soap->client, name, port, allocator);
    soap->client.carry = call;
    return true;
}

void creo_soap_free(creo_soap *soap)
{
    creo_client_free(&soap->client);
}

const creo_text_method *creo_soap_method(const creo_text_interface *interface, const creo_method *method)
{
    for (uint32_t i = 0; i < interface->method_count; i++)
        if (interface->methods[i].id == method->id)
            return &interface->methods[i];
    return NULL;
}

/* The headers of the envelope, if there are any (SOAP-8). */
static bool write_headers(creo_xml_out *out, const creo_text_message *request, const void *arguments)
{
    creo_writer *writer = out->writer;
    size_t before = creo_writer_size(writer);
    if (!creo_xml_put(out, "<soap:Header>", 13))
        return false;
    size_t empty = creo_writer_size(writer);
    for (uint32_t i = 0; i < request->record.field_count; i++) {
        const creo_text_field *field = &request->record.fields[i];
        if (field->place == CREO_PLACE_HEADER && !creo_xml_write_field(out, field, arguments))
            return creo_at_field(writer->error, field->name);
    }
    if (creo_writer_size(writer) == empty) {
        writer->at = writer->start + before;
        return true;
    }
    return creo_xml_put(out, "</soap:Header>", 14);
}

static bool write_body(creo_xml_out *out, const creo_text_message *request, const void *arguments)
{
    if (!request->bare)
        return creo_xml_put_open(out, &request->element) && creo_xml_put(out, ">", 1) && creo_xml_write_content(out, &request->record, arguments) &&
               creo_xml_put_close(out, &request->element);
    for (uint32_t i = 0; i < request->record.field_count; i++) {
        const creo_text_field *field = &request->record.fields[i];
        if (field->place != CREO_PLACE_HEADER && !creo_xml_write_field(out, field, arguments))
            return creo_at_field(out->writer->error, field->name);
    }
    return true;
}

/* SOAP-1 */
static bool write_envelope(creo_xml_out *out, creo_soap_version version, const creo_text_message *request, const void *arguments)
{
    static const char older[] = "<soap:Envelope xmlns:soap=\"" CREO_SOAP_11 "\"";
    static const char newer[] = "<soap:Envelope xmlns:soap=\"" CREO_SOAP_12 "\"";
    static const char end[] = "</soap:Body></soap:Envelope>";
    bool first = version == CREO_SOAP_1_1;
    return creo_xml_put(out, first ? older : newer, first ? sizeof older - 1 : sizeof newer - 1) && creo_xml_put_spaces(out) && creo_xml_put(out, ">", 1) &&
           write_headers(out, request, arguments) && creo_xml_put(out, "<soap:Body>", 11) && write_body(out, request, arguments) &&
           creo_xml_put(out, end, sizeof end - 1);
}

/* What is sent. */
typedef struct message {
    creo_bytes *pieces;
    size_t piece_count;
    size_t size;
    bool package;
    bool compressed;
    char boundary[CREO_BOUNDARY_SIZE];
} message;

static bool no_memory(creo_error *error)
{
    return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the request");
}

static bool compress(creo_soap *soap, message *sent, creo_error *error)
{
    const creo_gzip *gzip = soap->gzip;
    creo_arena *arena = &soap->client.arena;
    creo_bytes all = sent->pieces[0];
    if (sent->piece_count > 1) {
        uint8_t *joined = creo_arena_bytes(arena, sent->size);
        if (joined == NULL)
            return no_memory(error);
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
        return no_memory(error);
    size_t size = gzip->compress(gzip->context, all.data, all.size, data, room);
    if (size == 0 || size > room)
        return creo_fail(error, CREO_TOO_LARGE, "the request could not be compressed");
    sent->pieces[0] = creo_bytes_of(data, size);
    sent->piece_count = 1;
    sent->size = size;
    sent->compressed = true;
    return true;
}

static bool make_message(creo_soap *soap, const creo_text_method *text, const void *arguments, message *sent, creo_error *error)
{
    creo_client *client = &soap->client;
    creo_writer writer;
    creo_xml_out out;
    creo_writer_init(&writer, &client->arena, &client->limits, error);
    creo_xml_out_init(&out, &writer, &text->request.spaces);
    if (soap->mtom)
        out.part_from = PART_FROM;
    if (!write_envelope(&out, soap->version, &text->request, arguments))
        return false;
    creo_bytes envelope = creo_writer_bytes(&writer);
    memset(sent, 0, sizeof *sent);
    sent->pieces = (creo_bytes *)creo_arena_take(&client->arena, 2 * out.part_count + 3, sizeof *sent->pieces);
    if (sent->pieces == NULL)
        return no_memory(error);
    sent->pieces[0] = envelope;
    sent->piece_count = 1;
    sent->package = soap->mtom;
    if (sent->package && !creo_package_write(envelope, soap->version, out.parts, out.part_count, &client->arena, sent->pieces, &sent->piece_count, sent->boundary, error))
        return false;
    for (size_t i = 0; i < sent->piece_count; i++) {
        if (sent->pieces[i].size > client->limits.max_message_size - sent->size)
            return creo_fail_limit(error, "maxMessageSize", client->limits.max_message_size);
        sent->size += sent->pieces[i].size;
    }
    return soap->gzip == NULL || sent->size < COMPRESS_FROM || compress(soap, sent, error);
}

/*
 * The head of the request, into a writer.
 */

static bool put(creo_writer *head, const char *text)
{
    return creo_write_raw(head, creo_bytes_of(text, strlen(text)));
}

static bool put_number(creo_writer *head, uint64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return put(head, text);
}

/* The media type (HTTP-2, HTTP-4, SOAP-20) and, for SOAP 1.1, the action. */
static bool put_type(creo_writer *head, creo_soap_version version, const message *sent, const char *action)
{
    bool older = version == CREO_SOAP_1_1;
    const char *media = older ? "text/xml" : "application/soap+xml";
    bool done;
    if (sent->package)
        done = put(head, "Content-Type: multipart/related; type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"") && put(head, media) &&
               put(head, "\"; boundary=\"") && put(head, sent->boundary) && put(head, "\"");
    else
        done = put(head, "Content-Type: ") && put(head, media) && put(head, "; charset=utf-8");
    if (older)
        return done && put(head, "\r\nSOAPAction: \"") && put(head, action) && put(head, "\"\r\n");
    return done && (action[0] == 0 || (put(head, "; action=\"") && put(head, action) && put(head, "\""))) && put(head, "\r\n");
}

static bool key_valid(creo_string key)
{
    if (key.size == 0 || key.size > 64 || key.data == NULL)
        return false;
    for (size_t i = 0; i < key.size; i++) {
        char c = key.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
            return false;
    }
    return key.size < 5 || memcmp(key.data, "creo-", 5) != 0;
}

/* HTTP-8 */
static bool put_pair(creo_writer *head, creo_pair pair, creo_error *error)
{
    static const char digits[] = "0123456789ABCDEF";
    bool plain = creo_string_is(pair.key, "authorization") || creo_string_is(pair.key, "traceparent") || creo_string_is(pair.key, "tracestate");
    if (!(plain || put(head, "Creo-Meta-")) || !creo_write_raw(head, creo_bytes_of(pair.key.data, pair.key.size)) || !put(head, ": "))
        return false;
    if (pair.value.size != 0 && (pair.value.data == NULL || !creo_utf8_valid(pair.value.data, pair.value.size)))
        return creo_fail_value(error, "a string is well-formed UTF-8");
    for (size_t i = 0; i < pair.value.size; i++) {
        uint8_t c = (uint8_t)pair.value.data[i];
        if (plain && (c < 0x20 || c > 0x7E))
            return creo_fail_value(error, "the value of this header is printable ASCII");
        char text[4] = {(char)c, 0, 0, 0};
        if (!plain && (c < 0x21 || c > 0x7E || c == '%')) {
            text[0] = '%';
            text[1] = digits[c >> 4];
            text[2] = digits[c & 15];
        }
        if (!put(head, text))
            return false;
    }
    return put(head, "\r\n");
}

static bool put_metadata(const creo_client *client, creo_writer *head, creo_error *error)
{
    if (client->metadata_count > MOST_PAIRS)
        return creo_fail_limit(error, "metadataPairs", MOST_PAIRS);
    /* Its size is that of the binary wire (LIM-6), with a count of at least one byte before each text. */
    size_t size = 1;
    for (size_t i = 0; i < client->metadata_count; i++) {
        creo_pair pair = client->metadata[i];
        if (!key_valid(pair.key))
            return creo_fail_value(error, "a metadata key has 1 to 64 characters of a-z, 0-9, . and -, and does not begin with creo-");
        for (size_t j = 0; j < i; j++)
            if (creo_string_equal(client->metadata[j].key, pair.key))
                return creo_fail_value(error, "a metadata key occurs once");
        size += pair.key.size + 2;
        if (pair.value.size > client->limits.max_metadata_size || size + pair.value.size > client->limits.max_metadata_size)
            return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
        size += pair.value.size;
        if (!put_pair(head, pair, error))
            return false;
    }
    return true;
}

static bool make_head(creo_soap *soap, const creo_text_method *text, const message *sent, creo_instant deadline, creo_bytes *bytes, creo_error *error)
{
    creo_client *client = &soap->client;
    creo_writer head;
    creo_writer_init(&head, &client->arena, NULL, error);
    /* HTTP-7: no deadline is the longest that can be said. */
    uint64_t left = deadline == CREO_NEVER ? 999999999 : creo_milliseconds_left(deadline);
    left = left == 0 ? 1 : left > 999999999 ? 999999999 : left;
    bool done = put(&head, "POST ") && put(&head, soap->path) && put(&head, " HTTP/1.1\r\nHost: ") && put(&head, soap->host_header) && put(&head, "\r\n") &&
                put_type(&head, soap->version, sent, text->action) && put(&head, "Content-Length: ") && put_number(&head, sent->size) &&
                put(&head, "\r\nCreo-Timeout: ") && put_number(&head, left) && put(&head, "\r\n") && (!sent->compressed || put(&head, "Content-Encoding: gzip\r\n")) &&
                put(&head, soap->gzip == NULL ? "Accept-Encoding: identity\r\n" : "Accept-Encoding: gzip\r\n") && put_metadata(client, &head, error) && put(&head, "\r\n");
    *bytes = creo_writer_bytes(&head);
    return done;
}

/* HTTP-3: what a status means that comes without a fault. */
static creo_code code_of_status(int status)
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

static bool fail_status(const creo_soap *soap, const creo_http_answer *answer, creo_error *error)
{
    const char *scheme = soap->tls ? "https" : "http";
    char type[200];
    char place[300];
    creo_text_show(type, sizeof type, answer->content_type);
    creo_text_show(place, sizeof place, answer->location);
    bool moved = answer->status >= 300 && answer->status < 400 && answer->location.size != 0;
    (void)creo_fail(error, code_of_status(answer->status), "%s://%.200s%.200s answered with status %d and %s%s%s%s", scheme, soap->host_header, soap->path, answer->status,
                    type[0] == 0 ? "no media type" : "the media type ", type, moved ? "; it names the place " : "", moved ? place : "");
    if (error != NULL)
        error->from_peer = true;
    return false;
}

static creo_charset charset_of(creo_string content_type, creo_arena *arena, bool *known)
{
    creo_string charset = creo_http_parameter(content_type, "charset", arena);
    *known = true;
    if (charset.data == NULL)
        return CREO_CHARSET_NONE;
    if (creo_http_same(charset, "utf-8"))
        return CREO_CHARSET_UTF8;
    *known = creo_http_same(charset, "utf-16");
    return CREO_CHARSET_UTF16;
}

static bool is_soap_type(creo_string type)
{
    return creo_http_is_type(type, "text/xml") || creo_http_is_type(type, "application/soap+xml") || creo_http_is_type(type, "application/xop+xml");
}

/* What the answer says. The status decides only where there is no fault (HTTP-3). */
static bool read_answer(creo_soap *soap, const creo_text_method *text, const creo_http_answer *answer, creo_arena *arena, void *outcome, creo_error *error)
{
    bool fine = answer->status >= 200 && answer->status < 300;
    bool oneway = text->response.element.local == NULL;
    bool multipart = creo_http_is_type(answer->content_type, "multipart/related");
    if (fine && answer->body.size == 0 && oneway)
        return true;
    if (answer->body.size == 0 || !(multipart || is_soap_type(answer->content_type)))
        return fail_status(soap, answer, error);
    creo_package package = {answer->body, answer->content_type, NULL, 0};
    if (multipart && !creo_package_read(answer->body, answer->content_type, &soap->client.limits, arena, &package, error))
        return fine ? false : fail_status(soap, answer, error);
    bool known;
    creo_charset charset = charset_of(package.root_type, arena, &known);
    if (!known)
        return creo_fail(error, CREO_MALFORMED, "%s sent an answer in an encoding that is neither UTF-8 nor UTF-16", soap->client.peer);
    uint8_t nothing = 0;
    creo_soap_end end = creo_soap_read(text, package.root, charset, package.parts, package.part_count, arena, &soap->client.limits, outcome == NULL ? &nothing : outcome, error);
    if (end == CREO_SOAP_OUTCOME) {
        if (!creo_package_used(package.parts, package.part_count, error))
            return false;
        uint32_t kind = 0;
        if (text->exception_count != 0)
            memcpy(&kind, (const uint8_t *)outcome + text->kind, sizeof kind);
        /* A response, unlike a fault, has a status that says so. */
        return fine || kind != 0 || fail_status(soap, answer, error);
    }
    return end == CREO_SOAP_FAULT || fine ? false : fail_status(soap, answer, error);
}

/* ERR-5: what was called. */
static void explain_unknown_method(const creo_method *method, creo_error *error)
{
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, "; the call was %s.%s", method->interface->name, method->name);
}

static bool named(const creo_client *client, creo_error *error)
{
    if (error != NULL)
        memcpy(error->peer, client->peer, sizeof error->peer);
    return false;
}

static bool call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    /* The client is the first member of its creo_soap. */
    creo_soap *soap = (creo_soap *)(void *)client;
    creo_instant deadline = creo_after(creo_now(), client->deadline_ms);
    const creo_text_method *text = creo_soap_method(soap->interface, method);
    if (text == NULL)
        return creo_fail(error, CREO_INVALID_VALUE, "this client is one of %s, not of %s", soap->interface->name, method->interface->name);
    if (soap->tls && !client->has_io)
        return creo_fail(error, CREO_INVALID_VALUE, "https needs a creo_io for TLS: see creo_client_use_io");
    creo_arena_reset(&client->arena);
    if (arena == NULL)
        arena = &client->arena;
    message sent;
    creo_http_request request;
    creo_http_answer answer;
    if (!make_message(soap, text, arguments, &sent, error) || !make_head(soap, text, &sent, deadline, &request.head, error))
        return false;
    request.pieces = sent.pieces;
    request.piece_count = sent.piece_count;
    request.gzip = soap->gzip;
    creo_error own;
    if (error == NULL)
        error = &own;
    if (!creo_http_exchange(client, &request, deadline, arena, &answer, error))
        return named(client, error);
    if (read_answer(soap, text, &answer, arena, outcome, error))
        return true;
    if (error->code == CREO_UNKNOWN_METHOD)
        explain_unknown_method(method, error);
    return named(client, error);
}
