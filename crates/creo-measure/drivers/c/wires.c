/*
 * Messages as bytes on each wire, without a transport: written into one piece of memory by what writes requests, and read by what reads answers, where texts and
 * byte strings stay where they were received, if they can (COST-36). Both serve requests and responses. The runtime is compiled here, since the way to bytes is
 * not part of its API; names begin with `measure_`, so that they are not those of its static functions.
 */
#include "creo.c"

#include "driver.h"

#include <stdlib.h>

/* Begins a message: what was written before may go, as when a client begins a call. */
static void measure_begin(measured_client *client, creo_writer *writer)
{
    creo_client *sender = &client->soap.client;
    creo_arena_reset(&sender->arena);
    creo_writer_init(writer, &sender->arena, &sender->limits, &client->error);
}

static bool measure_write_binary(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    creo_writer writer;
    measure_begin(client, &writer);
    const measured_method *of = message->of;
    if (!(message->response ? of->encode_response(&writer, value) : of->method->encode(&writer, value)))
        return false;
    *bytes = creo_writer_bytes(&writer);
    return true;
}

bool measured_decode(const measured_message *message, creo_reader *reader, void *value)
{
    const measured_method *of = message->of;
    if (!message->response)
        return of->decode_request(reader, value);
    return of->method->decode_result == NULL || of->method->decode_result(reader, value);
}

static bool measure_read_binary(measured_client *client, const measured_message *message, creo_bytes bytes, void *value)
{
    creo_reader reader;
    creo_arena_reset(&client->arena);
    return creo_reader_init(&reader, bytes, CREO_BORROW, &client->arena, &client->soap.client.limits, &client->error) && measured_decode(message, &reader, value) && creo_reader_finish(&reader);
}

static bool measure_write_envelope(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    creo_soap_message sent;
    creo_arena_reset(&client->soap.client.arena);
    if (!creo_soap_make(&client->soap, &message->text, value, &sent, &client->error))
        return false;
    *bytes = sent.body.pieces[0];
    return true;
}

static bool measure_read_envelope(measured_client *client, const measured_message *message, creo_bytes bytes, const struct creo_soap_tables *tables, void *value)
{
    creo_arena_reset(&client->arena);
    return creo_soap_read(&message->text, bytes, CREO_CHARSET_UTF8, NULL, 0, 0, tables, NULL, &client->arena, &client->soap.client.limits, value, &client->error) ==
           CREO_SOAP_OUTCOME;
}

static bool measure_write_soap(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    client->soap.tables = NULL;
    return measure_write_envelope(client, message, value, bytes);
}

/* A request with several elements in its body (SOAP-91): the body is read as the record. */
static bool measure_read_several(measured_client *client, const measured_message *message, creo_bytes bytes, void *value)
{
    creo_xml xml;
    creo_element envelope, part;
    bool closed;
    creo_arena_reset(&client->arena);
    if (!creo_xml_begin(&xml, bytes, CREO_CHARSET_UTF8, CREO_BORROW, &client->arena, &client->soap.client.limits, &client->error) ||
        !creo_xml_open(&xml, &envelope) || !creo_xml_next(&xml, &envelope, &closed) || !creo_xml_open(&xml, &part))
        return false;
    if (creo_string_is(xml.tag_local, "Header") && (!creo_xml_skip(&xml, &part) || !creo_xml_next(&xml, &envelope, &closed) || !creo_xml_open(&xml, &part)))
        return false;
    return creo_xml_read_record(&xml, &message->text.response.record, value, &part) && creo_xml_close(&xml, &envelope) && creo_xml_finish(&xml);
}

static bool measure_read_soap(measured_client *client, const measured_message *message, creo_bytes bytes, void *value)
{
    if (message->text.response.bare && message->text.response.record.field_count > 1)
        return measure_read_several(client, message, bytes, value);
    return measure_read_envelope(client, message, bytes, NULL, value);
}

static creo_tdxml_root measure_root_of(const creo_text_method *text)
{
    return creo_tdxml_root_of_message(&text->request);
}

static bool measure_write_table(measured_client *client, const measured_message *message, const void *value, creo_tdxml_scheme scheme, creo_bytes *bytes)
{
    creo_writer writer;
    creo_xml_out out;
    measure_begin(client, &writer);
    creo_xml_out_init(&out, &writer, NULL);
    creo_tdxml_root root = measure_root_of(&message->text);
    if (!creo_tdxml_write_document(&out, &root, value, (creo_tdxml_options){scheme, false}, false))
        return false;
    *bytes = creo_writer_bytes(&writer);
    return true;
}

static bool measure_write_record(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    return measure_write_table(client, message, value, CREO_TDXML_RECORD, bytes);
}

static bool measure_write_aggregated(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    return measure_write_table(client, message, value, CREO_TDXML_AGGREGATED, bytes);
}

static bool measure_read_table(measured_client *client, const measured_message *message, creo_bytes bytes, void *value)
{
    creo_xml xml;
    creo_tdxml_document document;
    creo_arena_reset(&client->arena);
    creo_tdxml_root root = measure_root_of(&message->text);
    return creo_xml_begin(&xml, bytes, CREO_CHARSET_NONE, CREO_BORROW, &client->arena, &client->soap.client.limits, &client->error) &&
           creo_tdxml_read_whole(&xml, &document) && creo_tdxml_check_of(&xml, &document, NULL) && creo_tdxml_read_value(&xml, &document, &root, value);
}

/*
 * Within SOAP: a request says which method it is of, a response does not (TDX-3).
 */

static bool measure_is_response(const creo_text_method *text)
{
    return ((const measured_message *)(const void *)text)->response;
}

static bool measure_write_request_body(creo_xml_out *out, const creo_text_message *message, const void *value, const void *options)
{
    creo_tdxml_root root = creo_tdxml_root_of_message(message);
    return creo_tdxml_write_document(out, &root, value, *(const creo_tdxml_options *)options, true);
}

static bool measure_write_response_body(creo_xml_out *out, const creo_text_message *message, const void *value, const void *options)
{
    creo_tdxml_root root = creo_tdxml_root_of_message(message);
    return creo_tdxml_write_document(out, &root, value, *(const creo_tdxml_options *)options, false);
}

static bool measure_read_body(creo_xml *xml, const creo_text_method *text, void *value, const creo_element *element)
{
    creo_tdxml_document document;
    creo_tdxml_root root = measure_root_of(text);
    return creo_tdxml_read_document(xml, element, &document) && creo_tdxml_check_of(xml, &document, measure_is_response(text) ? NULL : root.name) &&
           creo_tdxml_read_value(xml, &document, &root, value);
}

static const creo_tdxml_options measure_record = {CREO_TDXML_RECORD, false};
static const creo_tdxml_options measure_aggregated = {CREO_TDXML_AGGREGATED, false};

#define TABLES(write, options) {write, creo_tdxml_declare, creo_tdxml_is_document, measure_read_body, options}

/* By whether it is a response, and by scheme. */
static const struct creo_soap_tables measure_tables[2][2] = {
    {TABLES(measure_write_request_body, &measure_record), TABLES(measure_write_request_body, &measure_aggregated)},
    {TABLES(measure_write_response_body, &measure_record), TABLES(measure_write_response_body, &measure_aggregated)},
};

static bool measure_write_record_in_soap(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    client->soap.tables = &measure_tables[message->response ? 1 : 0][0];
    return measure_write_envelope(client, message, value, bytes);
}

static bool measure_write_aggregated_in_soap(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    client->soap.tables = &measure_tables[message->response ? 1 : 0][1];
    return measure_write_envelope(client, message, value, bytes);
}

static bool measure_read_table_in_soap(measured_client *client, const measured_message *message, creo_bytes bytes, void *value)
{
    /* A reader takes both schemes. */
    return measure_read_envelope(client, message, bytes, &measure_tables[message->response ? 1 : 0][0], value);
}

/* JSON-20, JSON-21: an object of the parameters; a bare result; or nothing. */
static bool measure_write_json(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes)
{
    creo_writer writer;
    const creo_text_record *record = &message->text.request.record;
    measure_begin(client, &writer);
    if (!message->response ? !creo_json_write_record(&writer, record, value) : record->field_count != 0 && !creo_json_write_value(&writer, &record->fields[0], value))
        return false;
    *bytes = creo_writer_bytes(&writer);
    return true;
}

static bool measure_read_json(measured_client *client, const measured_message *message, creo_bytes bytes, void *value)
{
    creo_json_in in;
    const creo_text_record *record = &message->text.request.record;
    creo_arena_reset(&client->arena);
    if (message->response && record->field_count == 0)
        return bytes.size == 0;
    if (!creo_json_begin(&in, bytes, CREO_BORROW, &client->arena, &client->soap.client.limits, &client->error))
        return false;
    if (!message->response)
        return creo_json_read_record(&in, record, value) && creo_json_finish(&in);
    memset(value, 0, record->size);
    return creo_json_read_field(&in, &record->fields[0], value) && creo_json_finish(&in);
}

const measured_wire measured_wires[] = {
    {"binary", measure_write_binary, measure_read_binary, false},
    {"soap", measure_write_soap, measure_read_soap, true},
    {"tdxml-record", measure_write_record, measure_read_table, false},
    {"tdxml-aggregated", measure_write_aggregated, measure_read_table, false},
    {"tdxml-record-in-soap", measure_write_record_in_soap, measure_read_table_in_soap, false},
    {"tdxml-aggregated-in-soap", measure_write_aggregated_in_soap, measure_read_table_in_soap, false},
    {"json", measure_write_json, measure_read_json, false},
};
const size_t measured_wires_count = sizeof measured_wires / sizeof measured_wires[0];

void measured_client_init(measured_client *client)
{
    memset(client, 0, sizeof *client);
    client->soap.client.limits = creo_limits_default();
    client->soap.version = CREO_SOAP_1_1;
    creo_arena_init(&client->soap.client.arena, creo_allocator_libc());
    creo_arena_init(&client->arena, creo_allocator_libc());
}

const char *measured_message_init(measured_message *message, const measured_method *method, bool response)
{
    const creo_text_method *found = creo_http_method(method->interface, method->method);
    if (found == NULL)
        return "it has no descriptor";
    if (response && method->method->oneway)
        return "a oneway method has no response";
    const creo_text_message *meant = response ? &found->response : &found->request;
    message->text = *found;
    message->text.request = *meant;
    message->text.response = *meant;
    message->text.exception_count = 0;
    message->of = method;
    message->response = response;
    message->headers = false;
    message->size = response ? method->outcome_size : meant->record.size;
    creo_text_record *record = &message->text.response.record;
    creo_text_field *fields = (creo_text_field *)calloc((size_t)record->field_count + 1, sizeof *fields);
    if (fields == NULL)
        return "there is no memory for its descriptor";
    /* Where a body is bare, no field is one of a header. Elsewhere one may be missing. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < record->field_count; i++) {
        bool header = record->fields[i].place == CREO_PLACE_HEADER;
        message->headers = message->headers || header;
        if (meant->bare && header)
            continue;
        fields[kept] = record->fields[i];
        if (header)
            fields[kept].flags |= CREO_FIELD_MAY_MISS;
        kept++;
    }
    record->fields = fields;
    record->field_count = kept;
    return NULL;
}
