/* Requests, responses and exceptions as tables, within SOAP and over TCP (TDX-50, TDX-52). */
#include "answer.h"
#include "frames.h"
#include "soap.h"
#include "tdxml_call.h"

creo_tdxml_root creo_tdxml_root_of_message(const creo_text_message *message)
{
    return (creo_tdxml_root){message->record.name, NULL, &message->record};
}

bool creo_tdxml_read_response(creo_xml *xml, const creo_text_method *text, const creo_tdxml_document *document, void *outcome)
{
    creo_tdxml_root root = creo_tdxml_root_of_message(&text->response);
    xml->root = "$result";
    if (!creo_tdxml_check_of(xml, document, NULL) || !creo_tdxml_read_value(xml, document, &root, outcome))
        return false;
    xml->root = "$";
    creo_set_outcome(text, outcome, 0);
    return true;
}

bool creo_tdxml_read_exception(creo_xml *xml, const creo_text_method *text, const creo_tdxml_document *document, void *outcome, bool *declared)
{
    *declared = false;
    for (uint32_t i = 0; document->of_at != NULL && i < text->exception_count; i++) {
        const creo_text_exception *exception = &text->exceptions[i];
        if (!creo_string_is(document->of, exception->record->name))
            continue;
        creo_text_field field;
        creo_tdxml_root root = creo_tdxml_root_of_record(exception->record, &field);
        *declared = true;
        xml->root = "$exception";
        if (!creo_tdxml_read_value(xml, document, &root, (uint8_t *)outcome + exception->offset))
            return false;
        xml->root = "$";
        creo_set_outcome(text, outcome, i + 1);
        return true;
    }
    return false;
}

/*
 * Within SOAP.
 */

static bool write_body(creo_xml_out *out, const creo_text_message *request, const void *arguments, creo_tdxml_options options)
{
    creo_tdxml_root root = creo_tdxml_root_of_message(request);
    return creo_tdxml_write_document(out, &root, arguments, options, true);
}

static bool read_body(creo_xml *xml, const creo_text_method *text, void *outcome, const creo_element *element)
{
    creo_tdxml_document document;
    return creo_tdxml_read_document(xml, element, &document) && creo_tdxml_read_response(xml, text, &document, outcome);
}

#define TABLES(scheme, schema) {write_body, creo_tdxml_declare, creo_tdxml_is_document, read_body, {scheme, schema}}

void creo_soap_use_tables(struct creo_soap *soap, creo_tdxml_options options)
{
    static const struct creo_soap_tables tables[2][2] = {{TABLES(CREO_TDXML_RECORD, false), TABLES(CREO_TDXML_RECORD, true)},
                                                         {TABLES(CREO_TDXML_AGGREGATED, false), TABLES(CREO_TDXML_AGGREGATED, true)}};
    soap->tables = &tables[options.scheme == CREO_TDXML_AGGREGATED ? 1 : 0][options.schema ? 1 : 0];
}

/*
 * Over TCP.
 */

static const creo_text_method *find_method(const creo_tables *tables, const creo_method *method)
{
    for (size_t i = 0; i < tables->interface_count; i++) {
        const creo_text_method *found = creo_http_method(tables->interfaces[i], method);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool encode(const creo_client *client, creo_writer *writer, const creo_method *method, const void *arguments)
{
    const creo_tables *tables = (const creo_tables *)client->wire_context;
    const creo_text_method *text = find_method(tables, method);
    if (text == NULL)
        return creo_fail(writer->error, CREO_INVALID_VALUE, "the interface %s is not among those of creo_client_use_tables", method->interface->name);
    creo_xml_out out;
    creo_xml_out_init(&out, writer, NULL);
    creo_tdxml_root root = creo_tdxml_root_of_message(&text->request);
    return creo_tdxml_write_document(&out, &root, arguments, tables->options, false);
}

static bool read_answer(const creo_client *client, const creo_method *method, const creo_answer *answer, creo_arena *arena, void *outcome, creo_error *error)
{
    const creo_text_method *text = find_method((const creo_tables *)client->wire_context, method);
    creo_xml xml;
    creo_tdxml_document document;
    uint8_t nothing = 0;
    outcome = outcome == NULL ? &nothing : outcome;
    if (text == NULL || !creo_xml_begin(&xml, answer->body, CREO_CHARSET_NONE, CREO_BORROW, arena, &client->limits, error))
        return false;
    xml.root = answer->kind == CREO_RESPONSE ? "$result" : "$exception";
    if (!creo_tdxml_read_whole(&xml, &document))
        return false;
    if (answer->kind == CREO_RESPONSE)
        return creo_tdxml_read_response(&xml, text, &document, outcome);
    bool declared;
    if (creo_tdxml_read_exception(&xml, text, &document, outcome, &declared))
        return true;
    return declared ? false : creo_xml_fail(&xml, document.of_at == NULL ? document.at : document.of_at, "the method declares no exception of this name");
}

void creo_client_use_tables(creo_client *client, const creo_tables *tables)
{
    static const struct creo_wire wire = {1, encode, read_answer};
    client->wire = &wire;
    client->wire_context = tables;
}
