/* What lenient reading takes otherwise than strict reading, and what errors of strict reading say about it (XML-50 to XML-52). */
#include "../text/constants.h"
#include "../text/text_chars.h"
#include "../text/text_values.h"
#include "xml_read.h"

void creo_xml_hint(const creo_xml *xml, creo_xml_leniency hint)
{
    static const char *const words[] = {" (lenient reading would skip it)", " (lenient reading would take it as missing)", " (lenient reading would accept it)"};
    creo_error *error = xml->error;
    if (error == NULL || error->code != CREO_MALFORMED)
        return;
    size_t size = strlen(error->message);
    size_t more = strlen(words[hint]);
    if (size + more < sizeof error->message)
        memcpy(error->message + size, words[hint], more + 1);
}

/* Whether small letters come, whatever their case. */
static bool is_any_case(const char *at, size_t size, const char *letters)
{
    if (size != strlen(letters))
        return false;
    for (size_t i = 0; i < size; i++)
        if ((at[i] | 0x20) != letters[i])
            return false;
    return true;
}

bool creo_xml_any_case(creo_string text, bool *value)
{
    *value = is_any_case(text.data, text.size, "true");
    return *value || is_any_case(text.data, text.size, "false");
}

bool creo_xml_skip_instruction(creo_xml *xml)
{
    static const char refused[] = "processing instructions are refused";
    const uint8_t *start = xml->at;
    size_t size = creo_xml_name_length(start + 2, xml->end, false);
    const uint8_t *at = start + 2 + size;
    if (size == 0 || is_any_case((const char *)start + 2, size, "xml"))
        return creo_xml_fail(xml, start, refused);
    bool parted = at < xml->end && (creo_is_space(*at) || *at == '?');
    while (at < xml->end && (*at != '?' || xml->end - at < 2 || at[1] != '>'))
        at++;
    if (at == xml->end) {
        xml->at = at;
        return creo_xml_short(xml);
    }
    if (!parted || (start[2 + size] == '?' && at != start + 2 + size))
        return creo_xml_fail(xml, start, refused);
    if (!xml->lenient) {
        (void)creo_xml_fail(xml, start, refused);
        creo_xml_hint(xml, CREO_XML_SKIPS);
        return false;
    }
    xml->at = at + 2;
    return true;
}

bool creo_xml_is_never_blank(const creo_text_field *field)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_BOOLEAN:
    case CREO_TEXT_BYTE:
    case CREO_TEXT_SHORT:
    case CREO_TEXT_CHAR:
    case CREO_TEXT_INT:
    case CREO_TEXT_LONG:
    case CREO_TEXT_FLOAT:
    case CREO_TEXT_DOUBLE:
    case CREO_TEXT_DATETIME:
    case CREO_TEXT_DECIMAL:
        return true;
    case CREO_TEXT_ENUM:
        return creo_constant_of_text((const creo_text_enum *)field->type, creo_text("")) == NULL;
    default:
        return false;
    }
}

bool creo_xml_is_blank(creo_xml *xml, const creo_text_field *field, const creo_element *element)
{
    if (!creo_xml_is_never_blank(field))
        return false;
    creo_xml_mark before = creo_xml_mark_of(xml);
    creo_error *error = xml->error;
    creo_string text;
    const uint8_t *at;
    xml->error = NULL;
    bool blank = creo_xml_text(xml, element, &text, &at) && creo_trim(text).size == 0;
    xml->error = error;
    creo_xml_go_back(xml, &before);
    return blank;
}

bool creo_xml_is_missing(creo_xml *xml, const creo_text_field *field, const creo_element *element)
{
    const creo_text_field *one = field->kind == CREO_TEXT_REPEATED ? (const creo_text_field *)field->type : field;
    if (creo_is_optional(one) || one->place != CREO_PLACE_ELEMENT || one->kind == CREO_TEXT_RAW)
        return false;
    bool nil = false;
    const creo_attribute *attribute = xml->attribute_count == 0 ? NULL : creo_xml_attribute(xml, CREO_XSI, "nil");
    if (attribute != NULL && creo_parse_boolean(creo_trim(attribute->value), &nil) == NULL && nil && !creo_xml_has_optional_text(one))
        return true;
    return creo_xml_is_blank(xml, one, element);
}

/* Whether the start tag that was read begins a field of the record. */
static const creo_text_field *field_of_tag(const creo_xml *xml, const creo_text_record *record)
{
    for (uint32_t i = 0; i < record->start_count; i++)
        if (creo_name_is(&record->starts[i].name, xml->tag_local, xml->tag_uri))
            return &record->fields[record->starts[i].field];
    return NULL;
}

bool creo_xml_passes_over(creo_xml *xml, const creo_text_record *record, const uint8_t *at, bool again)
{
    const creo_text_field *field = again ? field_of_tag(xml, record) : NULL;
    bool repeated = field != NULL && field->kind == CREO_TEXT_REPEATED && ((const creo_text_field *)field->type)->place != CREO_PLACE_INLINE;
    /* Items that stand apart were read before. */
    if (xml->lenient && (field == NULL || repeated))
        return true;
    (void)creo_xml_unknown(xml, record->starts, record->start_count, at, again);
    if (field == NULL || repeated)
        creo_xml_hint(xml, repeated ? CREO_XML_ACCEPTS : CREO_XML_SKIPS);
    return false;
}
