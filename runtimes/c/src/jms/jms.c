/* The JMS client: the properties of requests, and the meaning of answers (JMS-4, JMS-5). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../base/utf8.h"
#include "../call/answer.h"
#include "../http/raw_body.h"
#include "../soap/soap.h"
#include "../tdxml/tdxml_call.h"
#include "jms_parts.h"

#include <stdio.h>

/* Properties other than the metadata. */
#define OWN_PROPERTIES 8

static bool jms_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);

/* What carries the streams of a call (JMS-23). A copy of the runtime without streams does not ask. */
static const struct creo_carrier *jms_carrier(const creo_client *client)
{
#if defined(CREO_HAS_STREAMS) && !defined(CREO_MODULE_WITHOUT_STREAMS)
    return creo_jms_stream_carrier(client);
#else
    (void)client;
    return NULL;
#endif
}

static const struct creo_transport jms_transport = {jms_call, false, jms_carrier, NULL, creo_jms_close, NULL, NULL};

bool creo_jms_init(creo_jms *jms, const char *host, uint16_t port, const char *address, creo_jms_wire wire, const creo_text_interface *interface,
                   creo_allocator allocator, creo_error *error)
{
    memset(jms, 0, sizeof *jms);
    jms->client.socket = -1;
    jms->client.transport = &jms_transport;
    if (wire != CREO_JMS_BINARY && interface == NULL)
        return creo_fail(error, CREO_INVALID_VALUE, "the wires soap and tdxml need the descriptor of the interface");
    if (!creo_jms_address_init(&jms->address, address, error))
        return false;
    creo_client_prepare(&jms->client, host, port, allocator, &jms_transport);
    memcpy(jms->host, jms->client.host, sizeof jms->host);
    jms->port = port;
    jms->wire = wire;
    if (wire == CREO_JMS_SOAP) {
        jms->soap.place.interface = interface;
        jms->soap.version = interface->soap12 ? CREO_SOAP_1_2 : CREO_SOAP_1_1;
    } else if (wire == CREO_JMS_TDXML)
        jms->tdxml.place.interface = interface;
    return true;
}

void creo_jms_free(creo_jms *jms)
{
    creo_client_free(&jms->client);
}

/*
 * Requests.
 */

static bool make_binary(creo_client *client, const creo_method *method, const void *arguments, creo_jms_request *made, creo_writer *type, creo_error *error)
{
    creo_writer writer;
    creo_writer_init(&writer, &client->arena, &client->limits, error);
    if (!method->encode(&writer, arguments))
        return false;
    made->piece = creo_writer_bytes(&writer);
    made->body = (creo_http_body){&made->piece, 1, 0, false, false};
    return creo_http_put(type, CREO_JMS_BINARY_MEDIA);
}

static bool make_body(creo_jms *jms, const creo_method *method, const void *arguments, creo_jms_request *made, creo_error *error)
{
    creo_client *client = &jms->client;
    creo_writer type = {0};
    creo_soap_message soap;
    creo_tdxml_message tables;
    bool done = false;
    switch (jms->wire) {
    case CREO_JMS_SOAP:
        if (!creo_http_begin(client, &jms->soap.place, method, &made->text, error) || !creo_soap_make(&jms->soap, made->text, arguments, &soap, error))
            return false;
        made->body = soap.body;
        creo_writer_init(&type, &client->arena, NULL, error);
        done = creo_soap_put_type(&type, &soap, made->text->action);
        break;
    case CREO_JMS_TDXML:
        if (!creo_http_begin(client, &jms->tdxml.place, method, &made->text, error) || !creo_tdxml_make(&jms->tdxml, made->text, arguments, &tables, error))
            return false;
        made->body = tables.body;
        creo_writer_init(&type, &client->arena, NULL, error);
        done = creo_tdxml_put_type(&type, &jms->tdxml, &tables);
        break;
    case CREO_JMS_BINARY:
        made->text = NULL;
        creo_writer_init(&type, &client->arena, NULL, error);
        done = make_binary(client, method, arguments, made, &type, error);
        break;
    }
    made->content_type = creo_writer_bytes(&type);
    return done && creo_http_count_body(client, &made->body, error) && (jms->gzip == NULL || creo_http_compress(client, jms->gzip, &made->body, error));
}

static creo_string text_of(creo_bytes bytes)
{
    return (creo_string){(const char *)bytes.data, bytes.size};
}

static void jms_add(creo_jms_request *made, const char *name, creo_string value)
{
    made->properties[made->property_count++] = (creo_pair){creo_text(name), value};
}

/* `Creo_meta_NAME`, with a name and value of printable ASCII. */
static bool add_metadata(creo_client *client, creo_jms_request *made, creo_error *error)
{
    for (size_t i = 0; i < client->metadata_count; i++) {
        creo_pair pair = client->metadata[i];
        creo_writer name;
        creo_writer value;
        creo_writer_init(&name, &client->arena, NULL, error);
        bool done = creo_http_put(&name, CREO_JMS_METADATA);
        for (size_t j = 0; done && j < pair.key.size; j++) {
            char c = pair.key.data[j];
            char one[2] = {c, 0};
            done = creo_http_put(&name, c == '-' ? "_2d" : c == '.' ? "_2e" : one);
        }
        creo_bytes key = creo_writer_bytes(&name);
        creo_writer_init(&value, &client->arena, NULL, error);
        if (!done || !creo_http_put_value(&value, pair.value))
            return false;
        creo_string text = text_of(creo_writer_bytes(&value));
        made->properties[made->property_count++] = (creo_pair){text_of(key), text.data == NULL ? creo_text("") : text};
    }
    return true;
}

/* A text between quotes, in the arena. */
static bool jms_quote(creo_client *client, const char *text, creo_string *quoted, creo_error *error)
{
    creo_writer writer;
    creo_writer_init(&writer, &client->arena, NULL, error);
    bool done = creo_http_put(&writer, "\"") && creo_http_put(&writer, text) && creo_http_put(&writer, "\"");
    *quoted = text_of(creo_writer_bytes(&writer));
    return done;
}

/* All properties but the timeout, which is set at the time of sending. */
static bool make_properties(creo_jms *jms, const creo_method *method, creo_jms_request *made, creo_error *error)
{
    creo_client *client = &jms->client;
    if (!creo_http_check_metadata(client, error))
        return false;
    made->property_count = 0;
    made->properties = (creo_pair *)creo_arena_take(&client->arena, client->metadata_count + OWN_PROPERTIES, sizeof *made->properties);
    char *id = (char *)creo_arena_bytes(&client->arena, 17);
    if (made->properties == NULL || id == NULL)
        return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the request");
    jms_add(made, "SOAPJMS_requestURI", creo_text(jms->address.uri));
    jms_add(made, "SOAPJMS_bindingVersion", creo_text("1.0"));
    jms_add(made, "SOAPJMS_contentType", text_of(made->content_type));
    if (made->body.compressed)
        jms_add(made, "SOAPJMS_contentEncoding", creo_text("gzip"));
    creo_string action;
    if (jms->wire == CREO_JMS_SOAP) {
        if (!jms_quote(client, made->text->action, &action, error))
            return false;
        jms_add(made, "SOAPJMS_soapAction", action);
    }
    if (jms->address.target_service != NULL)
        jms_add(made, "SOAPJMS_targetService", creo_text(jms->address.target_service));
    if (jms->wire != CREO_JMS_SOAP) {
        (void)snprintf(id, 17, "%016llx", (unsigned long long)method->id);
        jms_add(made, "Creo_method", creo_text(id));
    }
    made->timeout = &made->properties[made->property_count];
    jms_add(made, "Creo_timeout", creo_text(""));
    return add_metadata(client, made, error);
}

bool creo_jms_make_request(creo_jms *jms, const creo_method *method, const void *arguments, creo_jms_request *made, creo_error *error)
{
    made->method = method;
    return make_body(jms, method, arguments, made, error) && make_properties(jms, method, made, error);
}

/* The size of an address without its parameters. */
static size_t bare_size(creo_string uri)
{
    const char *end = uri.size == 0 ? NULL : (const char *)memchr(uri.data, '?', uri.size);
    return end == NULL ? uri.size : (size_t)(end - uri.data);
}

/* Shows a message to the client's hook for raw messages (CALL-61), if it has one. Properties without a value are not there. */
static void jms_show(creo_jms *jms, const creo_method *method, const creo_text_method *text, bool answer, const creo_pair *properties, size_t count,
                     const creo_http_body *body)
{
    creo_raw_typed shown;
    creo_pair fields[OWN_PROPERTIES + CREO_MAX_METADATA_PAIRS];
    char peer[CREO_JMS_ADDRESS_SIZE + 1];
    if (jms->client.raw_messages == NULL)
        return;
    memset(&shown, 0, sizeof shown);
    (void)snprintf(peer, sizeof peer, "%.*s", (int)bare_size(creo_text(jms->address.uri)), jms->address.uri);
    shown.message.peer = peer;
    for (size_t i = 0; i < count; i++) {
        if (properties[i].value.data == NULL)
            continue;
        if (creo_string_is(properties[i].key, "SOAPJMS_contentType"))
            shown.media_type = properties[i].value;
        else if (creo_string_is(properties[i].key, "SOAPJMS_contentEncoding"))
            shown.coding = properties[i].value;
        fields[shown.message.header_count++] = properties[i];
    }
    /* Its parameters are not shown. */
    for (size_t i = 0; i < shown.message.header_count; i++)
        if (creo_string_is(fields[i].key, "SOAPJMS_requestURI"))
            fields[i].value.size = bare_size(fields[i].value);
    shown.message.sent = !answer;
    shown.message.answer = answer;
    shown.method = method;
    if (text != NULL)
        shown.secrets = text->secrets;
    else if (method->secret)
        shown.secrets = "*";
    shown.gzip = jms->gzip;
    shown.binary = jms->wire != CREO_JMS_SOAP && creo_http_is_type(shown.media_type, CREO_JMS_BINARY_MEDIA);
    shown.fields = fields;
    creo_raw_show_typed(&jms->client, &shown, body);
}

bool creo_jms_make_head(creo_jms *jms, creo_jms_request *made, const char *reply_to, const char *id, creo_instant deadline, creo_bytes *bytes, creo_error *error)
{
    creo_client *client = &jms->client;
    char timeout[16];
    /* HTTP-7: no deadline is sent as the longest possible time. */
    uint32_t left = deadline == CREO_NEVER ? 0 : creo_milliseconds_left(deadline);
    if (deadline != CREO_NEVER && left == 0)
        left = 1;
    (void)snprintf(timeout, sizeof timeout, "%lu", left == 0 || left > 999999999 ? 999999999UL : (unsigned long)left);
    made->timeout->value = creo_text(timeout);
    jms_show(jms, made->method, made->text, false, made->properties, made->property_count, &made->body);
    uint32_t lives = jms->address.time_to_live;
    creo_jms_head head = {&jms->address, lives == 0 || (left != 0 && left < lives) ? left : lives, reply_to, id, made->properties, made->property_count, made->body.size};
    creo_writer writer;
    creo_writer_init(&writer, &client->arena, NULL, error);
    bool done = creo_jms_write_head(&writer, &head);
    *bytes = creo_writer_bytes(&writer);
    return done;
}

/* Sends the request over an open connection, and receives its answer. */
static bool exchange(creo_jms *jms, const creo_method *method, creo_jms_request *made, creo_instant deadline, creo_arena *arena, creo_jms_answer *answer, creo_error *error)
{
    char id[CREO_JMS_ID + 1];
    creo_bytes head;
    return creo_jms_new_id(jms, id, error) && creo_jms_make_head(jms, made, method->oneway ? NULL : creo_jms_reply_to(jms), id, deadline, &head, error) &&
           creo_jms_exchange(jms, id, head, &made->body, method->oneway, deadline, arena, answer, error);
}

/*
 * Answers.
 */

static bool jms_mismatch(creo_error *error, const char *what, creo_string found)
{
    char shown[200];
    creo_text_show(shown, sizeof shown, found);
    return creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer has %s \"%s\"", what, shown);
}

/* A text's declared encoding applied before it became a string: it is replaced by blanks. */
static void hide_encoding(creo_bytes body)
{
    union {
        const uint8_t *from;
        uint8_t *to;
    } text = {body.data};
    if (body.size < 6 || memcmp(text.to, "<?xml", 5) != 0)
        return;
    const uint8_t *end = (const uint8_t *)memchr(text.to, '>', body.size);
    for (uint8_t *at = text.to + 5; end != NULL && at + 8 < end; at++) {
        if (memcmp(at, "encoding", 8) != 0 || !(at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r' || at[-1] == '\n'))
            continue;
        uint8_t *quote = at + 8;
        while (quote < end && *quote != '"' && *quote != '\'')
            quote++;
        const uint8_t *close = quote < end ? (const uint8_t *)memchr(quote + 1, *quote, (size_t)(end - quote) - 1) : NULL;
        if (close != NULL)
            memset(at, ' ', (size_t)(close - at) + 1);
        return;
    }
}

bool creo_jms_open_answer(creo_jms *jms, creo_jms_message *message, creo_arena *arena, creo_error *error)
{
    creo_client *client = &jms->client;
    bool zipped = creo_http_same(message->encoding, "gzip") || creo_http_same(message->encoding, "x-gzip");
    if (message->version.size != 0 && !creo_string_is(message->version, "1.0"))
        return jms_mismatch(error, "the version (unrecognizedBindingVersion)", message->version);
    if (message->content_type.size == 0)
        return creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer does not say its media type (missingContentType)");
    if (message->encoding.size != 0 && !creo_http_same(message->encoding, "identity") && (!zipped || jms->gzip == NULL))
        return jms_mismatch(error, "the encoding (contentEncodingNotSupported)", message->encoding);
    if (message->is_text) {
        bool bytes = creo_http_is_type(message->content_type, CREO_JMS_BINARY_MEDIA) || creo_http_is_type(message->content_type, "multipart/related");
        if (zipped || bytes)
            return creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer is a text, and should be bytes (unsupportedJMSMessageFormat)");
        hide_encoding(message->body);
        const char *end = (const char *)memchr(message->content_type.data, ';', message->content_type.size);
        if (end != NULL)
            message->content_type.size = (size_t)(end - message->content_type.data);
    }
    return !zipped || creo_http_expand(jms->gzip, message->body, &client->limits, arena, &message->body, client->peer, error);
}

static bool wrong_type(const creo_jms_message *message, creo_error *error)
{
    return jms_mismatch(error, "the media type (contentTypeMismatch)", message->content_type);
}

static bool read_soap(creo_jms *jms, const creo_text_method *text, const creo_method *method, const creo_jms_message *message, creo_arena *arena, void *outcome,
                      creo_error *error)
{
    if (!creo_soap_is_answer(message->content_type))
        return wrong_type(message, error);
    if (creo_soap_read_message(&jms->soap, text, message->content_type, message->body, arena, outcome, error) == CREO_SOAP_OUTCOME)
        return true;
    if (error->code == CREO_UNKNOWN_METHOD)
        creo_http_explain(method, error);
    return false;
}

static bool jms_read_tables(creo_jms *jms, const creo_text_method *text, const creo_jms_message *message, bool response, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_multipart package;
    creo_xml xml;
    creo_tdxml_document document;
    if (!creo_tdxml_is_answer(message->content_type))
        return wrong_type(message, error);
    if (!creo_tdxml_open(&jms->client, message->content_type, message->body, arena, &package, &xml, error))
        return false;
    xml.root = response ? "$result" : "$exception";
    if (!creo_tdxml_read_whole(&xml, &document))
        return false;
    bool declared = true;
    bool done = response ? creo_tdxml_read_response(&xml, text, &document, outcome) : creo_tdxml_read_exception(&xml, text, &document, outcome, &declared);
    if (declared)
        return done;
    char shown[200];
    creo_text_show(shown, sizeof shown, document.of_at == NULL ? creo_text("") : document.of);
    (void)creo_fail(error, CREO_INTERNAL, "the service answered with the exception %s, which the method does not declare", shown);
    error->from_peer = true;
    return false;
}

bool creo_jms_take_metadata(creo_client *client, const creo_jms_message *message, creo_error *error)
{
    creo_metadata taken;
    if (!creo_metadata_begin(&taken, client, message->metadata_count, error))
        return false;
    for (size_t i = 0; i < message->metadata_count; i++) {
        creo_string name = message->metadata[i].key;
        char *key = (char *)creo_arena_bytes(&client->arena, name.size + 1);
        size_t size = 0;
        if (key == NULL)
            return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the answer");
        for (size_t j = 0; j < name.size; j++) {
            bool known = name.size - j > 2 && memcmp(name.data + j, "_2", 2) == 0 && (name.data[j + 2] == 'd' || name.data[j + 2] == 'e');
            key[size++] = !known ? name.data[j] : name.data[j + 2] == 'd' ? '-' : '.';
            j += known ? 2 : 0;
        }
        if (!creo_metadata_add(&taken, (creo_string){key, size}, message->metadata[i].value, true))
            return false;
    }
    creo_metadata_finish(&taken);
    return true;
}

bool creo_jms_read_kind(const creo_jms_message *message, uint8_t *kind, creo_error *error)
{
    *kind = creo_string_is(message->kind, "response")    ? CREO_RESPONSE
            : creo_string_is(message->kind, "exception") ? CREO_EXCEPTION
            : creo_string_is(message->kind, "error")     ? CREO_ERROR
                                                         : 0;
    return *kind != 0 || creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer does not say whether it is a response, an exception or an error");
}

bool creo_jms_check_binary(const creo_jms_message *message, creo_error *error)
{
    return creo_http_is_type(message->content_type, CREO_JMS_BINARY_MEDIA) || wrong_type(message, error);
}

void creo_jms_show_answer(creo_jms *jms, const creo_method *method, const creo_text_method *text, const creo_jms_message *message)
{
    creo_pair properties[OWN_PROPERTIES + CREO_MAX_METADATA_PAIRS];
    const size_t prefix = sizeof CREO_JMS_METADATA - 1;
    size_t count = 0;
    creo_bytes piece = message->body;
    const creo_http_body body = {&piece, 1, piece.size, false, false};
    /* More exceed a limit. */
    if (jms->client.raw_messages == NULL || message->metadata_count > CREO_MAX_METADATA_PAIRS)
        return;
    properties[count++] = (creo_pair){creo_text("SOAPJMS_requestURI"), message->request_uri};
    properties[count++] = (creo_pair){creo_text("SOAPJMS_bindingVersion"), message->version};
    properties[count++] = (creo_pair){creo_text("SOAPJMS_contentType"), message->content_type};
    properties[count++] = (creo_pair){creo_text("SOAPJMS_contentEncoding"), message->encoding};
    properties[count++] = (creo_pair){creo_text("SOAPJMS_isFault"), message->is_fault};
    properties[count++] = (creo_pair){creo_text("Creo_kind"), message->kind};
    properties[count++] = (creo_pair){creo_text("Creo_run"), message->run};
    properties[count++] = (creo_pair){creo_text("Creo_item"), message->item};
    for (size_t i = 0; i < message->metadata_count; i++) {
        creo_string name = message->metadata[i].key;
        properties[count++] = (creo_pair){{name.data - prefix, name.size + prefix}, message->metadata[i].value};
    }
    jms_show(jms, method, text, true, properties, count, &body);
}

static bool jms_read_answer(creo_jms *jms, const creo_jms_request *made, const creo_method *method, creo_jms_answer *answer, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_client *client = &jms->client;
    creo_jms_message message;
    if (!creo_jms_read_message(answer->data, answer->size, &client->limits, &message, error))
        return false;
    creo_jms_show_answer(jms, method, made->text, &message);
    if (!creo_jms_take_metadata(client, &message, error) || !creo_jms_open_answer(jms, &message, arena, error))
        return false;
    if (jms->wire == CREO_JMS_SOAP)
        return read_soap(jms, made->text, method, &message, arena, outcome, error);
    uint8_t kind;
    if (!creo_jms_read_kind(&message, &kind, error))
        return false;
    if (jms->wire == CREO_JMS_TDXML && kind != CREO_ERROR)
        return jms_read_tables(jms, made->text, &message, kind == CREO_RESPONSE, arena, outcome, error);
    if (kind != CREO_ERROR && !creo_jms_check_binary(&message, error))
        return false;
    creo_answer_body said = {kind, message.body};
    return creo_answer_read(method, &said, client->peer, &client->limits, arena, outcome, error);
}

static bool jms_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    /* The client is the first member of its creo_jms. */
    creo_jms *jms = (creo_jms *)(void *)client;
    creo_instant deadline = creo_after(creo_now(), client->deadline_ms);
    /* No answer comes after the request has expired (JMS-10). */
    if (!method->oneway)
        deadline = creo_earlier(deadline, creo_after(creo_now(), jms->address.time_to_live));
    creo_jms_request made;
    creo_jms_answer answer;
    uint8_t nothing = 0;
    creo_arena_reset(&client->arena);
    if (!creo_jms_make_request(jms, method, arguments, &made, error))
        return false;
    if (arena == NULL)
        arena = &client->arena;
    if (!creo_jms_connect(jms, deadline, error) || !exchange(jms, method, &made, deadline, arena, &answer, error))
        return creo_client_name_peer(client, error);
    if (method->oneway)
        return true;
    return jms_read_answer(jms, &made, method, &answer, arena, outcome == NULL ? &nothing : outcome, error) || creo_client_name_peer(client, error);
}
