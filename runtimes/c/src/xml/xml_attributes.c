/* Writes undeclared attributes (XML-36). */
#include "../text/numbers.h"
#include "../text/text_chars.h"
#include "xml_writer.h"

/* More attributes than a reader accepts (LIM-21). */
#define MOST 256

static bool wrong_name(creo_xml_out *out, size_t entry)
{
    (void)creo_fail_value(out->writer->error, "the name of an attribute is local or {uri}local, and not that of a field or of xsi");
    return creo_at_key(out->writer->error, entry);
}

bool creo_xml_split_name(creo_string key, creo_string *uri, creo_string *local)
{
    *uri = (creo_string){key.data, 0};
    *local = key;
    if (key.size != 0 && key.data == NULL)
        return false;
    if (key.size != 0 && key.data[0] == '{') {
        const char *close = (const char *)memchr(key.data, '}', key.size);
        if (close == NULL || close == key.data + 1)
            return false;
        *uri = (creo_string){key.data + 1, (size_t)(close - key.data - 1)};
        *local = (creo_string){close + 1, key.size - uri->size - 2};
    }
    const uint8_t *name = (const uint8_t *)local->data;
    if (local->size == 0 || local->size > 1000 || !creo_utf8_valid(local->data, local->size))
        return false;
    return creo_xml_name_length(name, name + local->size, false) == local->size;
}

static bool is_taken(const creo_text_record *record, creo_string uri, creo_string local)
{
    if (creo_string_is(uri, CREO_XSI) || creo_string_is(uri, CREO_XMLNS_SPACE) || (uri.size == 0 && creo_string_is(local, "xmlns")))
        return true;
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if (field->place == CREO_PLACE_ATTRIBUTE && field->kind != CREO_TEXT_ATTRIBUTES && creo_name_is(&field->xml, local, uri))
            return true;
    }
    return false;
}

const creo_namespace *creo_xml_announced(const creo_xml_out *out, creo_string uri)
{
    static const creo_namespace xml = {CREO_XML_SPACE, sizeof CREO_XML_SPACE - 1};
    if (creo_string_is(uri, CREO_XML_SPACE))
        return &xml;
    for (uint32_t i = 0; i < out->spaces->count; i++)
        if (creo_space_is(out->spaces->items[i], uri))
            return out->spaces->items[i];
    return NULL;
}

bool creo_xml_write_any_attributes(creo_xml_out *out, const creo_text_record *record, const creo_text_map *map, const void *value)
{
    creo_error *error = out->writer->error;
    creo_list entries = creo_list_at(value);
    creo_string own[MOST];
    size_t own_count = 0;
    if (entries.count > MOST)
        return creo_fail_limit(error, "maxXmlAttributes", MOST);
    if (!creo_check_list(out->writer, &entries) || !creo_writer_distinct(out->writer, entries.items, entries.count, map->size, map->keys))
        return false;
    for (size_t i = 0; i < entries.count; i++) {
        const uint8_t *entry = entries.items + i * map->size;
        creo_string key;
        creo_string text;
        memcpy(&key, entry + map->key->offset, sizeof key);
        memcpy(&text, entry + map->value->offset, sizeof text);
        creo_string uri;
        creo_string local;
        if (!creo_xml_split_name(key, &uri, &local) || is_taken(record, uri, local))
            return wrong_name(out, i);
        const creo_namespace *space = creo_xml_announced(out, uri);
        bool done;
        if (uri.size == 0 || space != NULL) {
            creo_text_name name = {local.data, local.size, uri.size == 0 ? NULL : space};
            done = creo_xml_put_attribute(out, &name);
        } else {
            size_t at = 0;
            while (at < own_count && !creo_string_equal(own[at], uri))
                at++;
            char number[CREO_NUMBER_TEXT];
            size_t size = (size_t)(creo_put_number(number, at + 1) - number);
            done = true;
            if (at == own_count) {
                own[own_count++] = uri;
                done = creo_xml_put(out, " xmlns:a", 8) && creo_xml_put(out, number, size) && creo_xml_put(out, "=\"", 2) &&
                       creo_xml_put_quoted(out->writer, uri) && creo_xml_put(out, "\"", 1);
            }
            done = done && creo_xml_put(out, " a", 2) && creo_xml_put(out, number, size) && creo_xml_put(out, ":", 1) &&
                   creo_xml_put(out, local.data, local.size);
        }
        if (!done)
            return creo_at_key(error, i);
        if (!creo_xml_put(out, "=\"", 2) || !creo_xml_put_quoted(out->writer, text) || !creo_xml_put(out, "\"", 1))
            return creo_at_value(error, i);
    }
    return true;
}
