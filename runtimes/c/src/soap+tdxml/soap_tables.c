/* Tables within SOAP (TDX-50). */
#include <creo/soap_tables.h>

#include "../soap/soap.h"
#include "../tdxml/tdxml_call.h"

static bool write_table(creo_xml_out *out, const creo_text_message *request, const void *arguments, const void *options)
{
    creo_tdxml_root root = creo_tdxml_root_of_message(request);
    return creo_tdxml_write_document(out, &root, arguments, *(const creo_tdxml_options *)options, true);
}

static bool read_table(creo_xml *xml, const creo_text_method *text, void *outcome, const creo_element *element)
{
    creo_tdxml_document document;
    return creo_tdxml_read_document(xml, element, &document) && creo_tdxml_read_response(xml, text, &document, outcome);
}

#define TABLES(options) {write_table, creo_tdxml_declare, creo_tdxml_is_document, read_table, options}

void creo_soap_use_tables(creo_soap *soap, creo_tdxml_options options)
{
    static const creo_tdxml_options record = {CREO_TDXML_RECORD, false};
    static const creo_tdxml_options record_schema = {CREO_TDXML_RECORD, true};
    static const creo_tdxml_options aggregated = {CREO_TDXML_AGGREGATED, false};
    static const creo_tdxml_options aggregated_schema = {CREO_TDXML_AGGREGATED, true};
    static const struct creo_soap_tables tables[2][2] = {{TABLES(&record), TABLES(&record_schema)}, {TABLES(&aggregated), TABLES(&aggregated_schema)}};
    soap->tables = &tables[options.scheme == CREO_TDXML_AGGREGATED ? 1 : 0][options.schema ? 1 : 0];
}
