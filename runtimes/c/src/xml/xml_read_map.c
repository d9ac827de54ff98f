/* Values from XML, by their descriptors: maps (XML-24). */
#include "xml_read.h"

/* A key and a value, in any order. */
static bool xml_read_entry(creo_xml *xml, const creo_text_map *map, void *place, size_t index, const creo_element *entry)
{
    bool seen[2] = {false, false};
    bool closed;
    if (!creo_xml_check_attributes(xml, false) || !creo_xml_next(xml, entry, &closed))
        return false;
    while (!closed) {
        const creo_text_field *fields[2] = {map->key, map->value};
        const uint8_t *at = xml->at;
        creo_element child;
        bool failed = false;
        size_t which = seen[0] ? 1 : 0;
        if (!creo_xml_open_named(xml, &fields[which]->xml, &child, &failed)) {
            which = 1 - which;
            if (failed || !creo_xml_open_named(xml, &fields[which]->xml, &child, &failed)) {
                creo_text_start due[2] = {{map->key->xml, 0}, {map->value->xml, 1}};
                if (failed || !creo_xml_open(xml, &child))
                    return false;
                if (!xml->lenient) {
                    (void)creo_xml_unknown(xml, due, 2, at, false);
                    creo_xml_hint(xml, CREO_XML_SKIPS);
                    return false;
                }
                if (!creo_xml_skip(xml, &child) || !creo_xml_next(xml, entry, &closed))
                    return false;
                continue;
            }
        }
        if (seen[which])
            return creo_xml_fail(xml, at, "an entry has one key and one value");
        if (xml->lenient && creo_xml_is_missing(xml, fields[which], &child)) {
            if (!creo_xml_skip(xml, &child) || !creo_xml_next(xml, entry, &closed))
                return false;
            continue;
        }
        seen[which] = true;
        xml->may_miss = false;
        if (!creo_xml_read_field(xml, fields[which], place, &child))
            return which == 0 ? creo_at_key(xml->error, index) : creo_at_value(xml->error, index);
        if (!creo_xml_next(xml, entry, &closed))
            return false;
    }
    if (!seen[0] || (!seen[1] && map->value->slot != CREO_SLOT_FLAG))
        return creo_xml_fail(xml, xml->at, "the element %s is missing", seen[0] ? "value" : "key");
    return true;
}

bool creo_xml_read_map(creo_xml *xml, const creo_text_map *map, void *value, const creo_element *element)
{
    creo_text_name entry = {"entry", 5, map->key->xml.space};
    const uint8_t *start = element->name;
    bool closed;
    if (!creo_xml_check_attributes(xml, false) || !creo_xml_next(xml, element, &closed))
        return false;
    creo_gathered list = {NULL, 0, 0};
    while (!closed) {
        creo_element child;
        const uint8_t *at = xml->at;
        bool failed;
        if (!creo_xml_open_named(xml, &entry, &child, &failed)) {
            creo_text_start due = {entry, 0};
            return failed ? false : creo_xml_unknown(xml, &due, 1, at, false);
        }
        void *place = creo_xml_next_item(xml, &list, map->size, map->charge);
        if (place == NULL)
            return false;
        memset(place, 0, map->size);
        if (!xml_read_entry(xml, map, place, list.count - 1, &child) || !creo_xml_next(xml, element, &closed))
            return false;
    }
    creo_finish_items(xml->arena, &list, map->size, value);
    switch (creo_check_keys(xml->arena, map, &list)) {
    case CREO_KEYS_NO_MEMORY:
        return creo_xml_no_memory(xml);
    case CREO_KEYS_REPEATED:
        return creo_xml_fail(xml, start, "a key occurs twice in a map");
    case CREO_KEYS_DISTINCT:
        break;
    }
    return true;
}
