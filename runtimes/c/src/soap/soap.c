#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../http/fresh.h"
#include "soap_blocks.h"

static bool soap_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);

static bool soap_tunnel(creo_client *client, creo_instant until, creo_error *error)
{
    return creo_http_tunnel(client, &((creo_soap *)(void *)client)->place, until, error);
}

static const struct creo_transport soap_transport = {soap_call, false, NULL, creo_http_check, NULL, soap_tunnel, creo_http_forget};

bool creo_soap_init(creo_soap *soap, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error)
{
    memset(soap, 0, sizeof *soap);
    if (!creo_http_place_init(&soap->place, &soap->client, url, interface, allocator, &soap_transport, error))
        return false;
    soap->version = interface->soap12 ? CREO_SOAP_1_2 : CREO_SOAP_1_1;
    return true;
}

void creo_soap_free(creo_soap *soap)
{
    creo_client_free(&soap->client);
}

/* The protocol's own header blocks, if there are any: each request has new ones. */
static bool write_blocks(creo_xml_out *out, const creo_soap *soap, const creo_text_method *text)
{
    if (creo_soap_is_secured(soap)) {
        creo_datetime now;
        uint8_t nonce[CREO_NONCE_SIZE] = {0};
        creo_error *error = out->writer->error;
        /* The request will contain the password. */
        out->writer->arena->secret = out->writer->arena->secret || (soap->password != NULL && !soap->digest);
        if (!creo_wall_clock(&now, error) || (soap->digest && !creo_random(nonce, sizeof nonce, error)) || !creo_soap_put_security(out, soap, now, nonce))
            return false;
    }
    return soap->message_id[0] == 0 || creo_soap_put_addressing(out, &soap->place, text, soap->message_id);
}

/* The header of the envelope, if it is not empty (SOAP-8). A table also contains the header parameters (TDX-21). */
static bool write_headers(creo_xml_out *out, const creo_soap *soap, const creo_text_method *text, const void *arguments)
{
    creo_writer *writer = out->writer;
    const creo_text_record *record = &text->request.record;
    size_t before = creo_writer_size(writer);
    if (!creo_xml_put(out, "<soap:Header>", 13))
        return false;
    size_t empty = creo_writer_size(writer);
    if (!write_blocks(out, soap, text))
        return false;
    for (uint32_t i = 0; soap->tables == NULL && i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
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
        return creo_xml_put_open(out, &request->element) && (out->put_type == NULL || creo_soap_put_style(out)) && creo_xml_write_record(out, &request->record, arguments) && creo_xml_put_close(out, &request->element);
    for (uint32_t i = 0; i < request->record.field_count; i++) {
        const creo_text_field *field = &request->record.fields[i];
        if (field->place != CREO_PLACE_HEADER && !creo_xml_write_field(out, field, arguments))
            return creo_at_field(out->writer->error, field->name);
    }
    return true;
}

/* SOAP-1. A table needs none of the prefixes. */
static bool write_envelope(creo_xml_out *out, const creo_soap *soap, creo_soap_version version, const creo_text_method *text, const void *arguments)
{
    static const char older[] = "<soap:Envelope xmlns:soap=\"" CREO_SOAP_11 "\"";
    static const char newer[] = "<soap:Envelope xmlns:soap=\"" CREO_SOAP_12 "\"";
    static const char end[] = "</soap:Body></soap:Envelope>";
    bool first = version == CREO_SOAP_1_1;
    const struct creo_soap_tables *tables = soap->tables;
    const creo_text_message *request = &text->request;
    return creo_xml_put(out, first ? older : newer, first ? sizeof older - 1 : sizeof newer - 1) && (tables != NULL || creo_xml_put_spaces(out)) &&
           creo_xml_put(out, ">", 1) && write_headers(out, soap, text, arguments) && creo_xml_put(out, "<soap:Body>", 11) &&
           (tables != NULL ? tables->write(out, request, arguments, tables->options) : write_body(out, request, arguments)) &&
           creo_xml_put(out, end, sizeof end - 1);
}

/* Whether a text is the name of a header element (SOAP-25). */
static bool is_element_name(const char *name)
{
    const char *local = name;
    if (*name == '{') {
        local += strcspn(name + 1, "{} \t\r\n") + 1;
        if (*local != '}' || local == name + 1)
            return false;
        local++;
    }
    return *local != 0 && strcspn(local, "{}: \t\r\n") == strlen(local);
}

static bool check_understood(const creo_soap *soap, creo_error *error)
{
    for (const char *const *name = soap->understood; name != NULL && *name != NULL; name++) {
        if (is_element_name(*name))
            continue;
        char shown[200];
        creo_text_show(shown, sizeof shown, creo_text(*name));
        return creo_fail(error, CREO_INVALID_VALUE, "a header element in `understood` is {namespace}name, not %s", shown);
    }
    return true;
}

bool creo_soap_make(creo_soap *soap, const creo_text_method *text, const void *arguments, creo_soap_message *sent, creo_error *error)
{
    creo_client *client = &soap->client;
    creo_writer writer;
    creo_xml_out out;
    bool encoded = creo_soap_is_encoded(text);
    memset(sent, 0, sizeof *sent);
    if (!check_understood(soap, error))
        return false;
    /* SOAP-81 */
    sent->package = soap->mtom && soap->security == NULL;
    /* SOAP-30: it exists only in this version. */
    sent->version = encoded ? CREO_SOAP_1_1 : soap->version;
    creo_writer_init(&writer, &client->arena, &client->limits, error);
    creo_xml_out_init(&out, &writer, &text->request.spaces);
    if (sent->package)
        out.part_from = CREO_PART_FROM;
    if (encoded)
        out.put_type = creo_soap_put_value_type;
    if (!write_envelope(&out, soap, sent->version, text, arguments))
        return false;
    creo_bytes root = creo_writer_bytes(&writer);
    if (soap->security != NULL && !soap->security->send(soap->security->context, root, &client->arena, &root, error))
        return false;
    static const char older[] = "application/xop+xml; charset=utf-8; type=\"text/xml\"";
    static const char newer[] = "application/xop+xml; charset=utf-8; type=\"application/soap+xml\"";
    const char *type = sent->version == CREO_SOAP_1_1 ? older : newer;
    return creo_multipart_make(root, sent->package ? type : NULL, out.parts, out.part_count, &client->arena, &sent->body, sent->boundary, error);
}

bool creo_soap_put_type(creo_writer *head, const creo_soap_message *sent, const char *action)
{
    bool older = sent->version == CREO_SOAP_1_1;
    const char *media = older ? "text/xml" : "application/soap+xml";
    bool done;
    if (sent->package)
        done = creo_http_put(head, "multipart/related; type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"") && creo_http_put(head, media) &&
               creo_http_put(head, "\"; boundary=\"") && creo_http_put(head, sent->boundary) && creo_http_put(head, "\"");
    else
        done = creo_http_put(head, media) && creo_http_put(head, "; charset=utf-8");
    return done && (older || action[0] == 0 || (creo_http_put(head, "; action=\"") && creo_http_put(head, action) && creo_http_put(head, "\"")));
}

/* The media type and, for SOAP 1.1, the action, as lines of the head. */
static bool soap_put_lines(creo_writer *head, const creo_soap_message *sent, const char *action)
{
    bool done = creo_http_put(head, "Content-Type: ") && creo_soap_put_type(head, sent, action) && creo_http_put(head, "\r\n");
    if (sent->version != CREO_SOAP_1_1)
        return done;
    return done && creo_http_put(head, "SOAPAction: \"") && creo_http_put(head, action) && creo_http_put(head, "\"\r\n");
}

static bool is_exception(const creo_text_method *text, const void *outcome)
{
    uint32_t kind = 0;
    if (text->exception_count != 0)
        memcpy(&kind, (const uint8_t *)outcome + text->kind, sizeof kind);
    return kind != 0;
}

/* Reads the envelope that the security returns for an answer (SOAP-80). */
static creo_soap_end read_secured(const creo_soap *soap, const creo_text_method *text, creo_string content_type, creo_bytes body, const creo_soap_due *due,
                                  creo_arena *arena, void *outcome, creo_error *error)
{
    const creo_soap_security *security = soap->security;
    creo_bytes envelope;
    creo_string charset;
    if (creo_http_is_type(content_type, "multipart/related")) {
        (void)creo_fail(error, CREO_PROTOCOL_MISMATCH, "package: an answer in a package, which the security of this client cannot check");
        return CREO_SOAP_REFUSED;
    }
    if (!creo_http_parameter(content_type, "charset", arena, &charset, error) ||
        !security->receive(security->context, body, charset, arena, &envelope, error))
        return error->code == CREO_MALFORMED ? CREO_SOAP_NO_ENVELOPE : CREO_SOAP_REFUSED;
    creo_soap_end end = creo_soap_read(text, envelope, CREO_CHARSET_UTF8, NULL, 0, 0, soap->tables, due, arena, &soap->client.limits, outcome, error);
    /* What was read is not the sent text. */
    if (end != CREO_SOAP_OUTCOME)
        error->has_offset = false;
    return end;
}

creo_soap_end creo_soap_read_message(const creo_soap *soap, const creo_text_method *text, creo_string content_type, creo_bytes body, creo_arena *arena, void *outcome,
                                     creo_error *error)
{
    uint8_t nothing = 0;
    bool has_id = soap->message_id[0] != 0;
    creo_soap_due due = {has_id ? soap->message_id : NULL, creo_soap_is_secured(soap), {0, 0}, soap->lenient, soap->understood};
    if (outcome == NULL)
        outcome = &nothing;
    if (due.secured && !creo_wall_clock(&due.now, error))
        return CREO_SOAP_FAILED;
    if (soap->security != NULL)
        return read_secured(soap, text, content_type, body, &due, arena, outcome, error);
    creo_multipart package = {body, content_type, NULL, 0};
    if (creo_http_is_type(content_type, "multipart/related") && !creo_multipart_read(body, content_type, &soap->client.limits, arena, &package, error))
        return CREO_SOAP_FAILED;
    creo_charset charset;
    if (!creo_multipart_charset(package.root_type, package.root, arena, &charset, error))
        return CREO_SOAP_NO_ENVELOPE;
    return creo_soap_read(text, package.root, charset, package.parts, package.part_count, body.size - package.root.size, soap->tables,
                          &due, arena, &soap->client.limits, outcome, error);
}

bool creo_soap_is_answer(creo_string content_type)
{
    return creo_http_is_type(content_type, "multipart/related") || creo_http_is_type(content_type, "text/xml") || creo_http_is_type(content_type, "application/soap+xml");
}

/* Reads an answer. Its root shows whether it is a message (SOAP-15); the status decides only if there is no fault (HTTP-3). */
static bool soap_read_answer(creo_soap *soap, const creo_http_call *call, const creo_text_method *text, const creo_http_answer *answer, creo_arena *arena, void *outcome)
{
    creo_string none = {NULL, 0};
    const creo_error *error = call->error;
    bool fine = answer->status >= 200 && answer->status < 300;
    bool oneway = text->response.element.local == NULL;
    creo_bytes checked;
    if (fine && answer->body.size == 0 && !oneway && soap->security != NULL &&
        !soap->security->receive(soap->security->context, answer->body, none, arena, &checked, call->error))
        return false;
    if (fine && answer->body.size == 0 && (oneway || text->response.record.field_count == 0)) {
        if (!oneway)
            creo_soap_set_result(text, outcome);
        return true;
    }
    if (answer->body.size == 0)
        return creo_http_fail_status(call, answer, none);
    bool told = fine;
    switch (creo_soap_read_message(soap, text, answer->content_type, answer->body, arena, outcome, call->error)) {
    case CREO_SOAP_OUTCOME:
        /* A response, unlike a fault, must have a matching status. */
        return fine || is_exception(text, outcome) || creo_http_fail_status(call, answer, none);
    case CREO_SOAP_FAULT:
    case CREO_SOAP_REFUSED:
        told = true;
        break;
    case CREO_SOAP_NO_ENVELOPE:
        told = fine && creo_soap_is_answer(answer->content_type);
        break;
    case CREO_SOAP_FAILED:
        /* A fault that exceeds a limit. */
        told = fine || (error->code != CREO_MALFORMED && strncmp(error->place, "$exception", 10) == 0);
        break;
    default:
        break;
    }
    return told ? false : creo_http_fail_status(call, answer, none);
}

/* Whether the requests of a method have WS-Addressing blocks. */
static bool is_addressed(const creo_soap *soap, const creo_text_method *text)
{
    return soap->addressing == CREO_SOAP_ADDRESSING_ON ||
           (soap->addressing == CREO_SOAP_ADDRESSING_DESCRIBED && (text->request.record.flags & CREO_RECORD_ADDRESSED) != 0);
}

static bool soap_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    /* The client is the first member of its creo_soap. */
    creo_soap *soap = (creo_soap *)(void *)client;
    creo_instant deadline = creo_after(creo_now(), client->deadline_ms);
    const creo_text_method *text;
    creo_soap_message sent;
    creo_writer lines;
    creo_http_answer answer;
    soap->message_id[0] = 0;
    if (!creo_http_begin(client, &soap->place, method, &text, error) || (is_addressed(soap, text) && !creo_soap_new_id(soap->message_id, error)) ||
        !creo_soap_make(soap, text, arguments, &sent, error) ||
        !creo_http_finish_body(client, soap->gzip, &sent.body, error))
        return false;
    creo_writer_init(&lines, &client->arena, NULL, error);
    if (!soap_put_lines(&lines, &sent, text->action))
        return false;
    if (arena == NULL)
        arena = &client->arena;
    creo_http_call made = {client, &soap->place, soap->gzip, NULL, creo_writer_bytes(&lines), &sent.body, deadline, error, method, text, CREO_HTTP_START};
    made.bound = soap->security != NULL || creo_soap_is_secured(soap);
    if (!creo_http_call_make(&made, arena, &answer))
        return false;
    if (soap_read_answer(soap, &made, text, &answer, arena, outcome))
        return true;
    if (error->code == CREO_UNKNOWN_METHOD)
        creo_http_explain(method, error);
    return creo_client_name_peer(client, error);
}
