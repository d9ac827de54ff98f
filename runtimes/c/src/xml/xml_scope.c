/* The prefixes in scope. Beyond a certain number they are indexed, so lookups stay fast. */
#include "xml_reader.h"

#define SCOPE_FEW 8

/* Peers must not be able to provoke collisions: the reader's address in memory is secret. */
static uint32_t hash_of(const creo_xml *xml, creo_string prefix)
{
    uint32_t multiplier = (uint32_t)((uintptr_t)xml >> 4) * UINT32_C(0x9E3779B9) | 1;
    uint32_t hash = (uint32_t)prefix.size;
    for (size_t i = 0; i < prefix.size; i++) {
        hash = (hash + (uint8_t)prefix.data[i]) * multiplier;
        hash ^= hash >> 15;
    }
    return hash;
}

/* Adds new bindings to the index; there is room for them. */
static void put_in_index(creo_xml *xml)
{
    for (; xml->indexed < xml->binding_count; xml->indexed++) {
        creo_binding *binding = &xml->bindings[xml->indexed];
        binding->hash = hash_of(xml, binding->prefix);
        uint32_t *newest = &xml->newest[binding->hash & (xml->newest_room - 1)];
        binding->older = *newest;
        *newest = xml->indexed + 1;
    }
}

static bool scope_make_room(creo_xml *xml)
{
    uint32_t room = xml->binding_room == 0 ? 16 : 2 * xml->binding_room;
    creo_binding *bindings = (creo_binding *)creo_arena_take(xml->arena, room, sizeof *bindings);
    uint32_t *newest = (uint32_t *)creo_arena_take_zeroed(xml->arena, 2 * (size_t)room, sizeof *newest);
    if (bindings == NULL || newest == NULL)
        return creo_xml_no_memory(xml);
    if (xml->binding_count != 0)
        memcpy(bindings, xml->bindings, xml->binding_count * sizeof *bindings);
    xml->bindings = bindings;
    xml->binding_room = room;
    xml->newest = newest;
    xml->newest_room = 2 * room;
    xml->indexed = 0;
    return true;
}

bool creo_xml_bind(creo_xml *xml, creo_string prefix, creo_string uri)
{
    if (xml->binding_count >= xml->limits.max_xml_namespaces)
        return creo_xml_limit(xml, "maxXmlNamespaces", xml->limits.max_xml_namespaces);
    if (xml->binding_count == xml->binding_room && !scope_make_room(xml))
        return false;
    xml->bindings[xml->binding_count++] = (creo_binding){prefix, uri, 0, 0, 0, false};
    xml->generation++;
    if (xml->binding_count > SCOPE_FEW)
        put_in_index(xml);
    return true;
}

void creo_xml_go_to_scope(creo_xml *xml, uint32_t count)
{
    if (xml->binding_count == count)
        return;
    xml->binding_count = count;
    xml->generation++;
    while (xml->indexed > count) {
        const creo_binding *binding = &xml->bindings[--xml->indexed];
        xml->newest[binding->hash & (xml->newest_room - 1)] = binding->older;
    }
    if (count > SCOPE_FEW)
        put_in_index(xml);
}

void creo_xml_go_back(creo_xml *xml, const creo_xml_mark *to)
{
    creo_xml_go_to_scope(xml, to->bindings);
    xml->at = to->at;
    xml->depth = to->depth;
}

creo_binding *creo_xml_find_prefix(creo_xml *xml, creo_string prefix)
{
    bool few = xml->binding_count <= SCOPE_FEW;
    uint32_t i = few ? xml->binding_count : xml->newest[hash_of(xml, prefix) & (xml->newest_room - 1)];
    while (i-- > 0) {
        creo_binding *binding = &xml->bindings[i];
        xml->compared++;
        if (creo_string_equal(binding->prefix, prefix))
            return binding;
        i = few ? i : binding->older;
    }
    return NULL;
}

bool creo_xml_resolve(creo_xml *xml, creo_string prefix, creo_string *uri)
{
    const creo_binding *binding = creo_xml_find_prefix(xml, prefix);
    if (binding != NULL) {
        *uri = binding->uri;
        return true;
    }
    if (creo_string_is(prefix, "xml")) {
        *uri = creo_text(CREO_XML_SPACE);
        return true;
    }
    *uri = creo_text("");
    return prefix.size == 0;
}
