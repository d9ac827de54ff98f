/* Requests, responses and exceptions as tables, for any transport. */
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
