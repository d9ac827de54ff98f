/* Elements that are kept as text (XML-36). */
#include "xml_chars.h"
#include "xml_reader.h"

/* The declarations that an element gets: those in scope around it that its tag has not got, each prefix once, the innermost. */
typedef struct context {
    const creo_binding **items;
    size_t count;
} context;

static bool declared_here(const creo_xml *xml, creo_string prefix)
{
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        const creo_attribute *attribute = &xml->attributes[i];
        creo_string own = attribute->prefix.size == 0 ? attribute->prefix : attribute->local;
        if (attribute->declares && creo_string_equal(own, prefix))
            return true;
    }
    return false;
}

static int compare(creo_string a, creo_string b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
    return order != 0 ? order : a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
}

/* Adds a binding at its place among those sorted by prefix; the default one, which is empty, is the first. */
static void insert(context *found, const creo_binding *binding)
{
    size_t at = 0;
    while (at < found->count && compare(found->items[at]->prefix, binding->prefix) < 0)
        at++;
    if (at < found->count && compare(found->items[at]->prefix, binding->prefix) == 0)
        return;
    memmove(found->items + at + 1, found->items + at, (found->count - at) * sizeof *found->items);
    found->items[at] = binding;
    found->count++;
}

static bool find_context(creo_xml *xml, const creo_element *element, context *found)
{
    found->count = 0;
    found->items = NULL;
    if (element->bindings == 0)
        return true;
    found->items = (const creo_binding **)creo_arena_take(xml->arena, element->bindings, sizeof *found->items);
    if (found->items == NULL)
        return creo_xml_no_memory(xml);
    for (uint32_t i = element->bindings; i-- > 0;)
        if (!declared_here(xml, xml->bindings[i].prefix))
            insert(found, &xml->bindings[i]);
    return true;
}

/* Whether a byte may be part of a name. */
static bool in_name(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ':' || c >= 0x80;
}

/* Whether a prefix stands before a colon anywhere in the text, and is not the end of a longer name. */
static bool is_used(creo_string prefix, const uint8_t *from, const uint8_t *to)
{
    for (const uint8_t *at = from; at < to; at++) {
        at = (const uint8_t *)memchr(at, ':', (size_t)(to - at));
        if (at == NULL)
            return false;
        if ((size_t)(at - from) > prefix.size && !in_name(at[-(ptrdiff_t)prefix.size - 1]) && memcmp(at - prefix.size, prefix.data, prefix.size) == 0)
            return true;
    }
    return false;
}

/* Keeps the declarations that the element's text needs; returns the bytes that they take at most. */
static size_t needed(context *found, const uint8_t *from, const uint8_t *to)
{
    size_t kept = 0;
    size_t size = 0;
    for (size_t i = 0; i < found->count; i++) {
        const creo_binding *binding = found->items[i];
        if (binding->uri.size == 0 || (binding->prefix.size != 0 && !is_used(binding->prefix, from, to)))
            continue;
        found->items[kept++] = binding;
        /* ` xmlns:p=".."`, each byte of the URI as a reference. */
        size += 10 + binding->prefix.size + 6 * binding->uri.size;
    }
    found->count = kept;
    return size;
}

static uint8_t *put(uint8_t *to, const char *text, size_t size)
{
    if (size != 0)
        memcpy(to, text, size);
    return to + size;
}

static uint8_t *put_escaped(uint8_t *to, creo_string text)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        const char *escape = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : c == '\r' ? "&#13;" : c == '\t' ? "&#9;" : c == '\n' ? "&#10;" : NULL;
        if (escape != NULL)
            to = put(to, escape, strlen(escape));
        else
            *to++ = (uint8_t)c;
    }
    return to;
}

/* Line ends become line feeds (XML 1.0, 2.11). */
static uint8_t *put_lines(uint8_t *to, const uint8_t *at, const uint8_t *end)
{
    for (; at < end; at++) {
        if (*at == '\r') {
            *to++ = '\n';
            at += at + 1 < end && at[1] == '\n' ? 1 : 0;
        } else {
            *to++ = *at;
        }
    }
    return to;
}

bool creo_xml_raw(creo_xml *xml, const creo_text_name *name, creo_string *text)
{
    const uint8_t *from = xml->at;
    creo_element element;
    if (!creo_xml_open(xml, &element))
        return false;
    if (name != NULL && !creo_name_is(name, xml->tag_local, xml->tag_uri))
        return creo_xml_fail(xml, from, "an element of another name is due here");
    context found;
    if (!find_context(xml, &element, &found) || !creo_xml_skip(xml, &element))
        return false;
    const uint8_t *to = xml->at;
    size_t room = needed(&found, from, to);
    if ((size_t)(to - from) > xml->limits.max_xml_text)
        return creo_xml_limit(xml, "maxXmlText", xml->limits.max_xml_text);
    if (found.count == 0 && xml->keep == CREO_BORROW && memchr(from, '\r', (size_t)(to - from)) == NULL) {
        *text = creo_span(from, to);
        return true;
    }
    uint8_t *copy = creo_arena_bytes(xml->arena, (size_t)(to - from) + room);
    if (copy == NULL)
        return creo_xml_no_memory(xml);
    const uint8_t *behind = element.name + element.size;
    uint8_t *at = put_lines(copy, from, behind);
    for (size_t i = 0; i < found.count; i++) {
        const creo_binding *binding = found.items[i];
        at = put(at, " xmlns", 6);
        if (binding->prefix.size != 0)
            at = put(put(at, ":", 1), binding->prefix.data, binding->prefix.size);
        at = put(put_escaped(put(at, "=\"", 2), binding->uri), "\"", 1);
    }
    at = put_lines(at, behind, to);
    *text = creo_span(copy, at);
    return true;
}

bool creo_xml_is_element(creo_string text, const creo_text_name *name, creo_arena *arena, const creo_limits *limits)
{
    creo_mark mark = creo_arena_mark(arena);
    creo_xml xml;
    creo_element element;
    const uint8_t *start = (const uint8_t *)text.data;
    bool fine = creo_xml_begin(&xml, creo_bytes_of(text.data, text.size), CREO_CHARSET_UTF8, CREO_BORROW, arena, limits, NULL) && xml.at == start &&
                creo_xml_open(&xml, &element) && (name == NULL || creo_name_is(name, xml.tag_local, xml.tag_uri)) && creo_xml_skip(&xml, &element) &&
                xml.at == start + text.size;
    creo_arena_rewind(arena, mark);
    return fine;
}
