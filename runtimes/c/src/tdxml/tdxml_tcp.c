/* Calls with tables over TCP (TDX-52). */
#include "../tcp/wire.h"
#include "tdxml_call.h"

static const creo_text_method *find_method(const creo_tables *tables, const creo_method *method)
{
    for (size_t i = 0; i < tables->interface_count; i++) {
        const creo_text_method *found = creo_http_method(tables->interfaces[i], method);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool tcp_write_tables(const creo_client *client, creo_writer *writer, const creo_method *method, const void *arguments)
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

static bool tcp_read_tables(const creo_client *client, const creo_method *method, const creo_answer_body *answer, creo_arena *arena, void *outcome,
                            creo_error *error)
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
    static const struct creo_wire wire = {1, "tdxml", tcp_write_tables, tcp_read_tables};
    creo_client_use_wire(client, &wire, tables);
}
