/* The types of values in requests of SOAP encoding (SOAP-31). */
#include "../text/text_values.h"
#include "soap.h"

#define SCHEMA_SPACE "http://www.w3.org/2001/XMLSchema"

static const creo_namespace encoding_space = {CREO_SOAP_ENCODING, sizeof CREO_SOAP_ENCODING - 1};
static const creo_namespace schema_space = {SCHEMA_SPACE, sizeof SCHEMA_SPACE - 1};

/* A type of XML Schema. */
static creo_text_name schema_type(const char *local)
{
    return (creo_text_name){local, local == NULL ? 0 : strlen(local), &schema_space};
}

/* The name of a value's type; without a local part if its element has none. */
static creo_text_name encoding_type_of(const creo_text_field *field)
{
    static const char *const usual[] = {
        [CREO_TEXT_BOOLEAN] = "boolean",   [CREO_TEXT_BYTE] = "byte",     [CREO_TEXT_SHORT] = "short",        [CREO_TEXT_CHAR] = "unsignedShort",
        [CREO_TEXT_INT] = "int",           [CREO_TEXT_LONG] = "long",     [CREO_TEXT_FLOAT] = "float",        [CREO_TEXT_DOUBLE] = "double",
        [CREO_TEXT_STRING] = "string",     [CREO_TEXT_TOKEN] = "token",   [CREO_TEXT_QNAME] = "QName",        [CREO_TEXT_RAW] = NULL,
        [CREO_TEXT_DATETIME] = "dateTime", [CREO_TEXT_DECIMAL] = "decimal", [CREO_TEXT_BYTES] = "base64Binary", [CREO_TEXT_HEX] = "hexBinary",
    };
    if (field->kind == CREO_TEXT_ENUM)
        return ((const creo_text_enum *)field->type)->xml;
    if (field->kind == CREO_TEXT_RECORD)
        return ((const creo_text_record *)field->type)->xml;
    if (field->kind >= sizeof usual / sizeof usual[0] || usual[field->kind] == NULL)
        return schema_type(NULL);
    return schema_type(field->type != NULL ? (const char *)field->type : usual[field->kind]);
}

/* The type of an array's items, with `[]` for each nested array. */
static bool put_item_type(creo_xml_out *out, const creo_text_field *item)
{
    size_t arrays = 0;
    for (; item->kind == CREO_TEXT_WRAPPED; item = (const creo_text_field *)item->type)
        arrays++;
    if (item->kind == CREO_TEXT_UNION) {
        const creo_text_union *type = (const creo_text_union *)item->type;
        if ((type->flags & CREO_UNION_DERIVED) != 0 && type->base >= 0)
            item = &type->members[type->base];
    }
    creo_text_name name = encoding_type_of(item);
    if (name.local == NULL)
        name = schema_type("anyType");
    if (!creo_xml_put_name(out, &name))
        return false;
    for (; arrays > 0; arrays--)
        if (!creo_xml_put(out, "[]", 2))
            return false;
    return true;
}

bool creo_soap_put_value_type(creo_xml_out *out, const creo_text_field *field, const void *value)
{
    static const creo_text_name array = {"Array", 5, &encoding_space};
    static const creo_text_name items = {"arrayType", 9, &encoding_space};
    bool is_array = field->kind == CREO_TEXT_WRAPPED;
    creo_text_name name = is_array ? array : encoding_type_of(field);
    if (name.local == NULL)
        return true;
    if (!creo_xml_put(out, " xsi:type=\"", 11) || !creo_xml_put_name(out, &name) || !creo_xml_put(out, "\"", 1))
        return false;
    return !is_array || (creo_xml_put_attribute(out, &items) && creo_xml_put(out, "=\"", 2) && put_item_type(out, (const creo_text_field *)field->type) &&
                         creo_xml_put(out, "[", 1) && creo_put_integer_text(out->writer, (int64_t)creo_list_at(value).count) && creo_xml_put(out, "]\"", 2));
}

bool creo_soap_put_style(creo_xml_out *out)
{
    static const char style[] = " soap:encodingStyle=\"" CREO_SOAP_ENCODING "\"";
    return creo_xml_put(out, style, sizeof style - 1);
}
