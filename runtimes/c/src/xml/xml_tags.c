/* Start tags: names, attributes, namespaces (XML-42). */
#include "../text/text_chars.h"
#include "xml_reader.h"

static bool is(creo_string text, const char *other)
{
    return creo_string_is(text, other);
}

char *creo_xml_copy(creo_xml *xml, creo_string text)
{
    char *copy = (char *)creo_arena_bytes(xml->arena, text.size == 0 ? 1 : text.size);
    if (copy == NULL)
        (void)creo_xml_no_memory(xml);
    else if (text.size != 0)
        memcpy(copy, text.data, text.size);
    return copy;
}

/* More room for a list in the arena; NULL after a failure. */
static void *more(creo_xml *xml, const void *old, uint32_t count, uint32_t *room, size_t size)
{
    uint32_t larger = *room == 0 ? 16 : *room * 2;
    void *list = creo_arena_take(xml->arena, larger, size);
    if (list == NULL) {
        (void)creo_xml_no_memory(xml);
        return NULL;
    }
    if (count != 0)
        memcpy(list, old, count * size);
    *room = larger;
    return list;
}

static inline void skip_space(creo_xml *xml)
{
    while (xml->at < xml->end && creo_is_space(*xml->at))
        xml->at++;
}

/* A name with at most one colon, at the reader's position. */
static bool tag_read_name(creo_xml *xml, creo_string *name, creo_string *prefix, creo_string *local)
{
    const uint8_t *at = xml->at;
    size_t first = creo_xml_name_length(at, xml->end, false);
    prefix->data = (const char *)at;
    prefix->size = 0;
    local->data = (const char *)at;
    local->size = first;
    const uint8_t *behind = at + first;
    if (behind < xml->end && *behind == ':' && first != 0) {
        size_t second = creo_xml_name_length(behind + 1, xml->end, false);
        prefix->size = first;
        local->data = (const char *)behind + 1;
        local->size = second;
        behind += 1 + second;
    }
    *name = creo_span(at, behind);
    if (name->size > xml->limits.max_xml_name)
        return creo_xml_limit(xml, "maxXmlName", xml->limits.max_xml_name);
    if (behind == xml->end) {
        xml->at = behind;
        return creo_xml_short(xml);
    }
    if (local->size == 0)
        return creo_xml_fail(xml, at, "a name is expected here");
    xml->at = behind;
    return true;
}

size_t creo_xml_reference(creo_xml *xml, const uint8_t **from, uint8_t into[4])
{
    static const struct {
        const char *name;
        size_t size;
        uint8_t character;
    } entities[] = {{"lt;", 3, '<'}, {"gt;", 3, '>'}, {"amp;", 4, '&'}, {"quot;", 5, '"'}, {"apos;", 5, '\''}};
    const uint8_t *at = *from + 1;
    size_t left = (size_t)(xml->end - at);
    if (left > 0 && *at == '#') {
        bool hex = left > 1 && at[1] == 'x';
        uint32_t code = 0;
        const uint8_t *digits = at + (hex ? 2 : 1);
        const uint8_t *p = digits;
        for (; p < xml->end && code <= 0x10FFFF; p++) {
            unsigned digit = creo_hex_digit(*p);
            if (digit >= (hex ? 16u : 10u))
                break;
            code = code * (hex ? 16 : 10) + digit;
        }
        if (p == xml->end) {
            xml->at = p;
            (void)creo_xml_short(xml);
            return 0;
        }
        if (p == digits || *p != ';' || !creo_xml_allows(code)) {
            (void)creo_xml_fail(xml, *from, "a reference to a character that XML does not allow");
            return 0;
        }
        *from = p + 1;
        return creo_put_utf8(into, code);
    }
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        if (left >= entities[i].size && memcmp(at, entities[i].name, entities[i].size) == 0) {
            into[0] = entities[i].character;
            *from = at + entities[i].size;
            return 1;
        }
    }
    (void)creo_xml_fail(xml, *from, "an entity that XML does not know");
    return 0;
}

/* An attribute's value with references resolved and white space as spaces. */
static bool decode_value(creo_xml *xml, const uint8_t *at, const uint8_t *end, creo_string *value)
{
    uint8_t *to = (uint8_t *)creo_arena_bytes(xml->arena, (size_t)(end - at));
    if (to == NULL)
        return creo_xml_no_memory(xml);
    uint8_t *start = to;
    while (at < end) {
        if (*at == '&') {
            uint8_t character[4];
            size_t size = creo_xml_reference(xml, &at, character);
            if (size == 0)
                return false;
            if (at > end)
                return creo_xml_fail(xml, end, "a reference that does not end");
            memcpy(to, character, size);
            to += size;
        } else if (creo_is_space(*at)) {
            /* A carriage return and a line feed are one line end. */
            at += *at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1;
            *to++ = ' ';
        } else {
            *to++ = *at++;
        }
    }
    *value = creo_span(start, to);
    return true;
}

/* Whether no byte of a word ends a value or needs conversion in it. */
static inline bool is_plain(uint64_t word, uint8_t quote)
{
    return (creo_zero_bytes(word ^ CREO_EACH_BYTE * quote) | creo_zero_bytes(word ^ CREO_EACH_BYTE * '<') | creo_zero_bytes(word ^ CREO_EACH_BYTE * '&') |
            ((word - CREO_EACH_BYTE * 0x20) & ~word & CREO_HIGH_BITS)) == 0;
}

static bool tag_read_value(creo_xml *xml, creo_attribute *attribute)
{
    if (xml->at == xml->end)
        return creo_xml_short(xml);
    uint8_t quote = *xml->at;
    if (quote != '"' && quote != '\'')
        return creo_xml_fail(xml, xml->at, "the value of an attribute is in quotes");
    const uint8_t *from = ++xml->at;
    bool plain = true;
    const uint8_t *at = from;
    while (xml->end - at >= 8 && is_plain(creo_load8(at), quote))
        at += 8;
    while (at < xml->end && *at != quote) {
        if (*at == '<')
            return creo_xml_fail(xml, at, "the value of an attribute holds no <");
        plain = plain && *at != '&' && *at >= 0x20;
        at++;
    }
    if (at == xml->end) {
        xml->at = at;
        return creo_xml_short(xml);
    }
    if ((size_t)(at - from) > xml->limits.max_xml_text)
        return creo_xml_limit(xml, "maxXmlText", xml->limits.max_xml_text);
    attribute->at = from;
    attribute->value = creo_span(from, at);
    if (!plain && !decode_value(xml, from, at, &attribute->value))
        return false;
    xml->at = at + 1;
    return true;
}

/* Brings a declaration into scope. */
static bool declare(creo_xml *xml, const creo_attribute *attribute, creo_string prefix)
{
    creo_string uri = attribute->value;
    bool is_xml = is(prefix, "xml");
    if (is(prefix, "xmlns") || is(uri, CREO_XMLNS_SPACE) || is_xml != is(uri, CREO_XML_SPACE))
        return creo_xml_fail(xml, attribute->at, "xml and xmlns are used otherwise than XML says");
    if (prefix.size != 0 && uri.size == 0)
        return creo_xml_fail(xml, attribute->at, "a prefix is bound to nothing");
    return is_xml || creo_xml_bind(xml, prefix, uri);
}

static bool read_attribute(creo_xml *xml)
{
    if (xml->attribute_count >= xml->limits.max_xml_attributes)
        return creo_xml_limit(xml, "maxXmlAttributes", xml->limits.max_xml_attributes);
    if (xml->attribute_count == xml->attribute_room) {
        creo_attribute *list = (creo_attribute *)more(xml, xml->attributes, xml->attribute_count, &xml->attribute_room, sizeof *list);
        if (list == NULL)
            return false;
        xml->attributes = list;
    }
    creo_attribute *attribute = &xml->attributes[xml->attribute_count];
    const uint8_t *at = xml->at;
    if (!tag_read_name(xml, &attribute->name, &attribute->prefix, &attribute->local))
        return false;
    skip_space(xml);
    if (xml->at == xml->end)
        return creo_xml_short(xml);
    if (*xml->at != '=')
        return creo_xml_fail(xml, xml->at, "an attribute has a value");
    xml->at++;
    skip_space(xml);
    if (!tag_read_value(xml, attribute))
        return false;
    for (uint32_t i = 0; i < xml->attribute_count; i++)
        if (creo_string_equal(xml->attributes[i].name, attribute->name))
            return creo_xml_fail(xml, at, "an attribute is given twice");
    xml->attribute_count++;
    bool all = attribute->prefix.size == 0 && is(attribute->local, "xmlns");
    attribute->declares = all || is(attribute->prefix, "xmlns");
    return !attribute->declares || declare(xml, attribute, all ? (creo_string){attribute->local.data, 0} : attribute->local);
}

/* Resolves the namespaces of the tag and its attributes after all declarations. */
static bool resolve_all(creo_xml *xml, const uint8_t *tag)
{
    if (!creo_xml_resolve(xml, xml->tag_prefix, &xml->tag_uri))
        return creo_xml_fail(xml, tag, "the prefix %.*s is not declared", (int)(xml->tag_prefix.size > 200 ? 200 : xml->tag_prefix.size), xml->tag_prefix.data);
    if (is(xml->tag_prefix, "xmlns"))
        return creo_xml_fail(xml, tag, "xml and xmlns are used otherwise than XML says");
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        creo_attribute *attribute = &xml->attributes[i];
        attribute->uri = creo_text("");
        if (attribute->declares || attribute->prefix.size == 0)
            continue;
        const uint8_t *at = (const uint8_t *)attribute->name.data;
        if (!creo_xml_resolve(xml, attribute->prefix, &attribute->uri))
            return creo_xml_fail(xml, at, "the prefix %.*s is not declared", (int)(attribute->prefix.size > 200 ? 200 : attribute->prefix.size), attribute->prefix.data);
        for (uint32_t j = 0; j < i; j++) {
            const creo_attribute *other = &xml->attributes[j];
            if (!other->declares && creo_string_equal(other->local, attribute->local) && creo_string_equal(other->uri, attribute->uri))
                return creo_xml_fail(xml, at, "an attribute is given twice");
        }
    }
    return true;
}

bool creo_xml_open(creo_xml *xml, creo_element *element)
{
    const uint8_t *tag = xml->at;
    creo_string name;
    if (xml->depth >= xml->limits.max_xml_depth)
        return creo_xml_limit(xml, "maxXmlDepth", xml->limits.max_xml_depth);
    xml->attribute_count = 0;
    xml->at++;
    element->bindings = xml->binding_count;
    if (!tag_read_name(xml, &name, &xml->tag_prefix, &xml->tag_local))
        return false;
    element->name = (const uint8_t *)name.data;
    element->size = name.size;
    element->empty = false;
    for (;;) {
        const uint8_t *behind = xml->at;
        skip_space(xml);
        if (xml->at == xml->end)
            return creo_xml_short(xml);
        if (*xml->at == '>') {
            xml->at++;
            break;
        }
        if (*xml->at == '/') {
            if (xml->end - xml->at < 2) {
                xml->at = xml->end;
                return creo_xml_short(xml);
            }
            if (xml->at[1] != '>')
                return creo_xml_fail(xml, xml->at, "an empty element ends with />");
            xml->at += 2;
            element->empty = true;
            break;
        }
        if (behind == xml->at)
            return creo_xml_fail(xml, xml->at, "white space is required before an attribute");
        if (!read_attribute(xml))
            return false;
    }
    xml->depth++;
    return resolve_all(xml, tag);
}

static inline creo_prefix *slot_of(creo_xml *xml, const creo_namespace *space)
{
    return &xml->prefixes[((uintptr_t)space >> 4) % CREO_PREFIXES];
}

bool creo_xml_is(creo_xml *xml, const creo_text_name *name)
{
    if (!creo_name_is(name, xml->tag_local, xml->tag_uri))
        return false;
    creo_prefix *prefix = slot_of(xml, name->space);
    prefix->space = name->space;
    prefix->generation = xml->generation;
    prefix->text = (const uint8_t *)xml->tag_prefix.data;
    prefix->size = (uint32_t)xml->tag_prefix.size + (xml->tag_prefix.size != 0 ? 1 : 0);
    return true;
}

/* Whether `size` bytes are equal; most names are short. */
static inline bool same(const uint8_t *a, const char *b, size_t size)
{
    if (size >= 8) {
        const uint8_t *other = (const uint8_t *)b;
        size_t i = 0;
        for (; i + 8 <= size; i += 8)
            if (creo_load8(a + i) != creo_load8(other + i))
                return false;
        return creo_load8(a + size - 8) == creo_load8(other + size - 8);
    }
    for (size_t i = 0; i < size; i++)
        if ((char)a[i] != b[i])
            return false;
    return true;
}

bool creo_xml_open_predicted(creo_xml *xml, const creo_text_name *name, creo_element *element)
{
    const creo_prefix *prefix = slot_of(xml, name->space);
    if (prefix->generation != xml->generation || prefix->space != name->space)
        return false;
    const uint8_t *at = xml->at + 1;
    size_t size = prefix->size + name->size;
    if ((size_t)(xml->end - at) <= size || at[size] != '>' || size > xml->limits.max_xml_name)
        return false;
    if (!same(at + prefix->size, name->local, name->size) || !same(at, (const char *)prefix->text, prefix->size))
        return false;
    if (xml->depth >= xml->limits.max_xml_depth)
        return creo_xml_limit(xml, "maxXmlDepth", xml->limits.max_xml_depth);
    xml->depth++;
    xml->attribute_count = 0;
    xml->at = at + size + 1;
    element->name = at;
    element->size = size;
    element->bindings = xml->binding_count;
    element->empty = false;
    return true;
}

creo_attribute *creo_xml_attribute(creo_xml *xml, const char *uri, const char *local)
{
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        creo_attribute *attribute = &xml->attributes[i];
        if (!attribute->declares && is(attribute->local, local) && is(attribute->uri, uri))
            return attribute;
    }
    return NULL;
}

int creo_xml_peek(creo_xml *xml, const creo_text_start *starts, uint32_t count, uint32_t field, bool later)
{
    creo_xml_mark before = creo_xml_mark_of(xml);
    creo_error *error = xml->error;
    creo_element element;
    xml->error = NULL;
    bool opened = creo_xml_open(xml, &element);
    int found = -1;
    for (uint32_t i = 0; opened && found < 0 && i < count; i++)
        if ((later ? starts[i].field >= field : starts[i].field == field) && creo_name_is(&starts[i].name, xml->tag_local, xml->tag_uri))
            found = (int)starts[i].field;
    xml->error = error;
    creo_xml_go_back(xml, &before);
    return found;
}
