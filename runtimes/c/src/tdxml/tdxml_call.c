/* Calls with tables over HTTP, without SOAP (TDX-51, TDX-53). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "tdxml_call.h"

#include "../base/utf8.h"
#include "../call/answer.h"

static bool tdxml_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);

static bool tdxml_tunnel(creo_client *client, creo_instant until, creo_error *error)
{
    return creo_http_tunnel(client, &((creo_tdxml *)(void *)client)->place, until, error);
}

static const struct creo_transport tdxml_transport = {tdxml_call, false, NULL, creo_http_check, NULL, tdxml_tunnel, creo_http_forget};

bool creo_tdxml_init(creo_tdxml *tdxml, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error)
{
    memset(tdxml, 0, sizeof *tdxml);
    if (!creo_http_place_init(&tdxml->place, &tdxml->client, url, interface, allocator, &tdxml_transport, error) || !creo_http_place_of_methods(&tdxml->place, error))
        return false;
    return true;
}

void creo_tdxml_free(creo_tdxml *tdxml)
{
    creo_client_free(&tdxml->client);
}

bool creo_tdxml_make(creo_tdxml *tdxml, const creo_text_method *text, const void *arguments, creo_tdxml_message *sent, creo_error *error)
{
    creo_client *client = &tdxml->client;
    creo_writer writer;
    creo_xml_out out;
    creo_writer_init(&writer, &client->arena, &client->limits, error);
    creo_xml_out_init(&out, &writer, NULL);
    if (tdxml->mtom)
        out.part_from = CREO_PART_FROM;
    creo_tdxml_root root = creo_tdxml_root_of_message(&text->request);
    const char *type = tdxml->mtom ? CREO_TDXML_MEDIA : NULL;
    memset(sent, 0, sizeof *sent);
    return creo_tdxml_write_document(&out, &root, arguments, tdxml->options, false) &&
           creo_multipart_make(creo_writer_bytes(&writer), type, out.parts, out.part_count, &client->arena, &sent->body, sent->boundary, error);
}

bool creo_tdxml_put_type(creo_writer *head, const creo_tdxml *tdxml, const creo_tdxml_message *sent)
{
    if (!tdxml->mtom)
        return creo_http_put(head, CREO_TDXML_MEDIA);
    return creo_http_put(head, "multipart/related; type=\"" CREO_TDXML_MEDIA "\"; start=\"<root@creo>\"; boundary=\"") && creo_http_put(head, sent->boundary) &&
           creo_http_put(head, "\"");
}

/* The error in a document (TDX-51). */
typedef struct reported {
    creo_string code;
    creo_string message;
    const creo_pair *details;
    size_t detail_count;
} reported;

static const creo_text_field pair_key = {.kind = CREO_TEXT_STRING, .offset = offsetof(creo_pair, key), .size = sizeof(creo_string)};
static const creo_text_field pair_value = {.kind = CREO_TEXT_STRING, .number = 1, .offset = offsetof(creo_pair, value), .size = sizeof(creo_string)};
/* An entry is charged 64, plus 32 for each of its texts (LIM-18). */
static const creo_text_map table_pairs = {&pair_key, &pair_value, sizeof(creo_pair), CREO_KEY_STRING, 64 + 32 + 32};
static const creo_text_field reported_fields[] = {
    {.name = "code", .kind = CREO_TEXT_STRING, .name_size = 4, .number = 0, .offset = offsetof(reported, code), .size = sizeof(creo_string)},
    {.name = "message", .kind = CREO_TEXT_STRING, .name_size = 7, .number = 1, .offset = offsetof(reported, message), .size = sizeof(creo_string)},
    {.name = "details", .kind = CREO_TEXT_MAP, .flags = CREO_FIELD_MAY_MISS, .name_size = 7, .number = 2, .offset = offsetof(reported, details), .type = &table_pairs},
};
static const creo_text_record reported_record = {.name = "error", .fields = reported_fields, .field_count = 3, .size = sizeof(reported), .text = -1, .any = -1};

static bool table_read_error(creo_xml *xml, const creo_tdxml_document *document)
{
    reported said;
    creo_text_field field;
    creo_tdxml_root root = creo_tdxml_root_of_record(&reported_record, &field);
    if (!creo_tdxml_read_value(xml, document, &root, &said))
        return false;
    creo_error *error = xml->error;
    if (error == NULL)
        return false;
    creo_error_clear(error);
    error->from_peer = true;
    error->details = said.details;
    error->detail_count = said.detail_count;
    creo_text_show(error->message, sizeof error->message, said.message);
    creo_http_set_code(error, said.code);
    creo_answer_place(error);
    return false;
}

/* `read`: the document was an outcome or an error, which was set; otherwise it was unreadable. */
static bool read_document(creo_xml *xml, const creo_http_call *call, const creo_text_method *text, bool fine, void *outcome, bool *read)
{
    creo_tdxml_document document;
    *read = false;
    if (!creo_tdxml_read_whole(xml, &document))
        return false;
    if (document.of_at != NULL && creo_string_is(document.of, "error")) {
        (void)table_read_error(xml, &document);
        *read = call->error->from_peer;
        return false;
    }
    bool declared;
    bool thrown = creo_tdxml_read_exception(xml, text, &document, outcome, &declared);
    if (declared) {
        *read = true;
        return thrown;
    }
    if (!fine && document.of_at != NULL) {
        char shown[200];
        creo_text_show(shown, sizeof shown, document.of);
        (void)creo_fail(call->error, CREO_INTERNAL, "the service answered with the exception %s, which the method does not declare", shown);
        call->error->from_peer = true;
        *read = true;
        return false;
    }
    *read = fine;
    return fine && creo_tdxml_read_response(xml, text, &document, outcome);
}

bool creo_tdxml_is_answer(creo_string content_type)
{
    return creo_http_is_type(content_type, "multipart/related") || creo_http_is_type(content_type, CREO_TDXML_MEDIA);
}

bool creo_tdxml_open(const creo_client *client, creo_string content_type, creo_bytes body, creo_arena *arena, creo_multipart *package, creo_xml *xml, creo_error *error)
{
    *package = (creo_multipart){body, content_type, NULL, 0};
    if (creo_http_is_type(content_type, "multipart/related") && !creo_multipart_read(body, content_type, &client->limits, arena, package, error))
        return false;
    creo_charset charset;
    if (!creo_multipart_charset(package->root_type, package->root, arena, &charset, error) ||
        !creo_xml_begin(xml, package->root, charset, CREO_BORROW, arena, &client->limits, error) ||
        !creo_xml_charge(xml, body.size - package->root.size))
        return false;
    xml->parts = package->parts;
    xml->part_count = package->part_count;
    return true;
}

static bool table_read_answer(const creo_http_call *call, const creo_text_method *text, const creo_http_answer *answer, creo_arena *arena, void *outcome)
{
    creo_error *error = call->error;
    creo_client *client = call->client;
    creo_string none = {NULL, 0};
    bool fine = answer->status >= 200 && answer->status < 300;
    bool empty = text->response.element.local == NULL || text->response.record.field_count == 0;
    if (fine && empty && answer->body.size == 0) {
        creo_set_outcome(text, outcome, 0);
        return true;
    }
    if (answer->body.size == 0 || !creo_tdxml_is_answer(answer->content_type))
        return creo_http_fail_status(call, answer, none);
    creo_multipart package;
    creo_xml xml;
    bool read = false;
    error->from_peer = false;
    bool done = creo_tdxml_open(client, answer->content_type, answer->body, arena, &package, &xml, error) && read_document(&xml, call, text, fine, outcome, &read);
    if (done)
        return true;
    return read || fine ? false : creo_http_fail_status(call, answer, none);
}

static bool tdxml_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    /* The client is the first member of its creo_tdxml. */
    creo_tdxml *tdxml = (creo_tdxml *)(void *)client;
    creo_instant deadline = creo_after(creo_now(), client->deadline_ms);
    const creo_text_method *text;
    creo_tdxml_message sent;
    creo_writer lines;
    creo_http_answer answer;
    if (!creo_http_begin(client, &tdxml->place, method, &text, error) || !creo_tdxml_make(tdxml, text, arguments, &sent, error) ||
        !creo_http_finish_body(client, tdxml->gzip, &sent.body, error))
        return false;
    creo_writer_init(&lines, &client->arena, NULL, error);
    if (!creo_http_put(&lines, "Content-Type: ") || !creo_tdxml_put_type(&lines, tdxml, &sent) || !creo_http_put(&lines, "\r\n"))
        return false;
    if (arena == NULL)
        arena = &client->arena;
    uint8_t nothing = 0;
    creo_http_call made = {client, &tdxml->place, tdxml->gzip, method->name, creo_writer_bytes(&lines), &sent.body, deadline, error, method, text, CREO_HTTP_START};
    if (!creo_http_call_make(&made, arena, &answer))
        return false;
    if (table_read_answer(&made, text, &answer, arena, outcome == NULL ? &nothing : outcome))
        return true;
    if (error->code == CREO_UNKNOWN_METHOD)
        creo_http_explain(method, error);
    return creo_client_name_peer(client, error);
}
