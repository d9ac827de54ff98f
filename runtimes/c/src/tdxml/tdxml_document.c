/* Documents: the envelope of the rows (TDX-1 to TDX-4). */
#include "tdxml.h"

static const creo_namespace space = {CREO_TDXML_SPACE, sizeof CREO_TDXML_SPACE - 1};

creo_tdxml_root creo_tdxml_root_of(const creo_text_field *field)
{
    const char *name = "";
    if (field->kind == CREO_TEXT_RECORD)
        name = ((const creo_text_record *)field->type)->name;
    else if (field->kind == CREO_TEXT_UNION)
        name = ((const creo_text_union *)field->type)->name;
    else if (field->kind == CREO_TEXT_ENUM)
        name = ((const creo_text_enum *)field->type)->name;
    return (creo_tdxml_root){name, field, NULL};
}

creo_tdxml_root creo_tdxml_root_of_record(const creo_text_record *record, creo_text_field *field)
{
    memset(field, 0, sizeof *field);
    field->xml = record->xml;
    field->kind = CREO_TEXT_RECORD;
    field->size = record->size;
    field->type = record;
    return creo_tdxml_root_of(field);
}

static bool document_put(creo_xml_out *out, const char *text)
{
    return creo_put(out->writer, text, strlen(text));
}

/* The schema is made in separate memory: it needs an arena, which a writer to the caller's memory does not have. */
static bool write_schema(creo_xml_out *out, const creo_tdxml_root *root)
{
    if (out->writer->arena != NULL)
        return creo_tdxml_write_schema(out->writer, root, out->writer->arena);
    creo_arena spare;
    uint8_t memory[16384];
    creo_arena_init_fixed(&spare, memory, sizeof memory);
    return creo_tdxml_write_schema(out->writer, root, &spare);
}

bool creo_tdxml_write_document(creo_xml_out *out, const creo_tdxml_root *root, const void *value, creo_tdxml_options options, bool of)
{
    bool records = options.scheme == CREO_TDXML_RECORD;
    if (!document_put(out, "<Env xmlns=\"" CREO_TDXML_SPACE "\"") || (of && !(document_put(out, " of=\"") && document_put(out, root->name) && document_put(out, "\""))) || !document_put(out, ">"))
        return false;
    if (options.schema && !(document_put(out, "<DS>\n") && write_schema(out, root) && document_put(out, "</DS>")))
        return false;
    return document_put(out, records ? "<RT>\n" : "<CT>\n") && creo_tdxml_write_rows(out, root, value, options.scheme) && document_put(out, records ? "</RT></Env>" : "</CT></Env>");
}

bool creo_tdxml_write(creo_writer *writer, const creo_text_root *root, const void *value, creo_tdxml_options options)
{
    creo_xml_out out;
    creo_xml_out_init(&out, writer, NULL);
    creo_tdxml_root own = creo_tdxml_root_of(&root->field);
    return creo_tdxml_write_document(&out, &own, value, options, true);
}

bool creo_tdxml_to_bytes(const creo_text_root *root, const void *value, creo_tdxml_options options, creo_arena *arena, creo_bytes *tdxml, creo_error *error)
{
    creo_writer writer;
    creo_writer_init(&writer, arena, NULL, error);
    if (!creo_tdxml_write(&writer, root, value, options))
        return false;
    *tdxml = creo_writer_bytes(&writer);
    return true;
}

/* Whether the start tag just read has one of two names in the tables' namespace. */
static bool is_either(creo_xml *xml, const char *name, const char *longer)
{
    return creo_space_is(&space, xml->tag_uri) && (creo_string_is(xml->tag_local, name) || creo_string_is(xml->tag_local, longer));
}

bool creo_tdxml_is_document(creo_xml *xml)
{
    return is_either(xml, "Env", "Envelope");
}

bool creo_tdxml_declare(creo_xml *xml)
{
    return creo_xml_bind(xml, creo_text("TDXML"), creo_text(CREO_TDXML_SPACE));
}

static bool read_attributes(creo_xml *xml, creo_tdxml_document *document)
{
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        const creo_attribute *attribute = &xml->attributes[i];
        if (attribute->declares || attribute->prefix.size != 0)
            continue;
        if (!creo_string_is(attribute->local, "of"))
            return creo_xml_fail(xml, (const uint8_t *)attribute->name.data, "the attribute %.*s is not declared here",
                                 attribute->name.size > 200 ? 200 : (int)attribute->name.size, attribute->name.data);
        document->of = attribute->value;
        document->of_at = attribute->at;
    }
    return true;
}

static bool unknown(creo_xml *xml, const uint8_t *at)
{
    return creo_xml_fail(xml, at, "the element %.*s of the namespace \"%.*s\" stands where a data schema or one table is due",
                         xml->tag_local.size > 200 ? 200 : (int)xml->tag_local.size, xml->tag_local.data, xml->tag_uri.size > 200 ? 200 : (int)xml->tag_uri.size,
                         xml->tag_uri.data);
}

/* The document's next element, whose start tag is read; it has no attributes. */
static bool open_next(creo_xml *xml, const creo_element *element, creo_element *child, const uint8_t **at)
{
    bool closed;
    if (!creo_xml_next(xml, element, &closed))
        return false;
    *at = xml->at;
    if (closed)
        return creo_xml_fail(xml, xml->at, "the table is missing");
    return creo_xml_open(xml, child);
}

static bool check_attributes(creo_xml *xml)
{
    for (uint32_t i = 0; i < xml->attribute_count; i++)
        if (!xml->attributes[i].declares && xml->attributes[i].prefix.size == 0)
            return creo_xml_fail(xml, (const uint8_t *)xml->attributes[i].name.data, "a table has no attributes");
    return true;
}

bool creo_tdxml_read_document(creo_xml *xml, const creo_element *element, creo_tdxml_document *document)
{
    memset(document, 0, sizeof *document);
    creo_element child;
    const uint8_t *at;
    if (!read_attributes(xml, document) || !open_next(xml, element, &child, &at))
        return false;
    if (is_either(xml, "DS", "DataSchema")) {
        const uint8_t *text_at;
        if (!check_attributes(xml) || !creo_xml_text(xml, &child, &document->schema, &text_at) || !open_next(xml, element, &child, &at))
            return false;
    }
    if (is_either(xml, "CT", "ContentTable"))
        document->scheme = CREO_TDXML_AGGREGATED;
    else if (is_either(xml, "RT", "RecordTable"))
        document->scheme = CREO_TDXML_RECORD;
    else if (is_either(xml, "UT", "UpdateTable"))
        return creo_xml_fail(xml, at, "an update stands where a value is due");
    else
        return unknown(xml, at);
    if (!check_attributes(xml) || !creo_xml_text(xml, &child, &document->table, &document->at))
        return false;
    bool closed;
    if (!creo_xml_next(xml, element, &closed))
        return false;
    if (closed)
        return true;
    at = xml->at;
    return creo_xml_open(xml, &child) && unknown(xml, at);
}

/* Skips a text, if it is here. */
static bool pass(const uint8_t **at, const uint8_t *end, const char *text, size_t size)
{
    if ((size_t)(end - *at) < size || memcmp(*at, text, size) != 0)
        return false;
    *at += size;
    return true;
}

#define PASS(text) pass(&at, end, text, sizeof(text) - 1)

/* A document exactly as writers write it, without schema: compared as bytes. False, without an error, for any other. */
static bool document_read_predicted(creo_xml *xml, creo_tdxml_document *document)
{
    const uint8_t *at = xml->at;
    const uint8_t *end = xml->end;
    const creo_limits *limits = &xml->limits;
    memset(document, 0, sizeof *document);
    /* The slow path reports limits that are too small for these tags. */
    if (limits->max_xml_depth < 2 || limits->max_xml_attributes < 2 || limits->max_xml_name < 8 || limits->max_xml_namespaces < 2)
        return false;
    if (!PASS("<Env xmlns=\"" CREO_TDXML_SPACE "\""))
        return false;
    if (PASS(" of=\"")) {
        const uint8_t *first = at;
        while (at < end && (*at > '>' || *at == '.' || (*at >= '0' && *at <= '9')))
            at++;
        document->of = creo_span(first, at);
        document->of_at = first;
        if (!PASS("\""))
            return false;
    }
    bool records = PASS("><RT>");
    if (!records && !PASS("><CT>"))
        return false;
    document->scheme = records ? CREO_TDXML_RECORD : CREO_TDXML_AGGREGATED;
    document->at = at;
    const uint8_t *stop = (const uint8_t *)memchr(at, '<', (size_t)(end - at));
    if (stop == NULL || (size_t)(stop - at) > limits->max_xml_text)
        return false;
    size_t size = (size_t)(stop - at);
    if (memchr(at, '&', size) != NULL || memchr(at, '>', size) != NULL || memchr(at, '\r', size) != NULL)
        return false;
    document->table = creo_span(at, stop);
    at = stop;
    if (!(records ? PASS("</RT></Env>") : PASS("</CT></Env>")) || at != end || end != xml->all)
        return false;
    xml->at = at;
    return true;
}

bool creo_tdxml_read_whole(creo_xml *xml, creo_tdxml_document *document)
{
    creo_element element;
    const uint8_t *at = xml->at;
    if (document_read_predicted(xml, document))
        return true;
    if (!creo_tdxml_declare(xml) || !creo_xml_open(xml, &element))
        return false;
    if (!creo_tdxml_is_document(xml))
        return creo_xml_fail(xml, at, "the root is %.*s of the namespace \"%.*s\", not Env of \"" CREO_TDXML_SPACE "\"",
                             xml->tag_local.size > 200 ? 200 : (int)xml->tag_local.size, xml->tag_local.data,
                             xml->tag_uri.size > 200 ? 200 : (int)xml->tag_uri.size, xml->tag_uri.data);
    return creo_tdxml_read_document(xml, &element, document) && creo_xml_finish(xml);
}

bool creo_tdxml_check_of(creo_xml *xml, const creo_tdxml_document *document, const char *name)
{
    if (document->of_at == NULL || (name != NULL && creo_string_is(document->of, name)))
        return true;
    return creo_xml_fail(xml, document->of_at, "the document is of %.*s, not of %s", document->of.size > 200 ? 200 : (int)document->of.size, document->of.data,
                         name == NULL ? "what is due here" : name);
}

bool creo_tdxml_read(creo_bytes tdxml, creo_keep keep, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits, creo_error *error)
{
    creo_xml xml;
    creo_tdxml_document document;
    creo_tdxml_root own = creo_tdxml_root_of(&root->field);
    return creo_xml_begin(&xml, tdxml, CREO_CHARSET_NONE, keep, arena, limits, error) && creo_tdxml_read_whole(&xml, &document) &&
           creo_tdxml_check_of(&xml, &document, own.name) && creo_tdxml_read_value(&xml, &document, &own, value);
}

bool creo_tdxml_from_bytes(const creo_text_root *root, creo_bytes tdxml, creo_arena *arena, void *value, creo_error *error)
{
    return creo_tdxml_read(tdxml, CREO_COPY, root, value, arena, NULL, error);
}
