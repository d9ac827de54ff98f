/* Elements that are kept as text (XML-36). */
#include "../text/text_chars.h"
#include "xml_reader.h"

#include <stdlib.h>

/* The declarations to add to an element: those of outer prefixes in its text, and the default one. */
typedef struct context {
    const creo_binding **items;
    uint32_t count;
    /* One more than the index of the last one found; each has the index of the previous one. */
    uint32_t last;
    /* Their size in bytes. */
    size_t size;
} context;

static int raw_compare(const void *a, const void *b)
{
    creo_string x = (*(const creo_binding *const *)a)->prefix;
    creo_string y = (*(const creo_binding *const *)b)->prefix;
    size_t common = x.size < y.size ? x.size : y.size;
    int order = common == 0 ? 0 : memcmp(x.data, y.data, common);
    return order != 0 ? order : x.size < y.size ? -1 : x.size > y.size ? 1 : 0;
}

/* Whether a byte may be part of a name, before a colon. */
static bool in_name(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c >= 0x80;
}

/* The replacement for a character in an attribute's value, or NULL for none. */
static const char *raw_escape_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\r':
        return "&#13;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    default:
        return NULL;
    }
}

/* Notes a prefix if it is bound around the element, by one of the first `around` bindings. */
static void note(creo_xml *xml, creo_string prefix, uint32_t around, context *found)
{
    creo_binding *binding = creo_xml_find_prefix(xml, prefix);
    if (binding == NULL || (uint32_t)(binding - xml->bindings) >= around || binding->uri.size == 0 || binding->needed)
        return;
    binding->needed = true;
    binding->next = found->last;
    found->last = (uint32_t)(binding - xml->bindings) + 1;
    found->count++;
    /* ` xmlns=".."`, and the colon before a prefix. */
    found->size += 9 + prefix.size + (prefix.size != 0) + binding->uri.size;
    for (size_t i = 0; i < binding->uri.size; i++) {
        const char *escape = raw_escape_of(binding->uri.data[i]);
        found->size += escape == NULL ? 0 : strlen(escape) - 1;
    }
}

/* Finds the needs of an element's text, which has ended: there were `around` bindings before its start tag, `all` after it. */
static void find_context(creo_xml *xml, const uint8_t *from, const uint8_t *to, uint32_t around, uint32_t all, context *found)
{
    memset(found, 0, sizeof *found);
    if (around == 0)
        return;
    creo_xml_go_to_scope(xml, all);
    note(xml, creo_span(from, from), around, found);
    for (const uint8_t *at = from; at < to; at++) {
        at = (const uint8_t *)memchr(at, ':', (size_t)(to - at));
        if (at == NULL)
            break;
        const uint8_t *start = at;
        while (start > from && in_name(start[-1]))
            start--;
        if (start < at && start > from && start[-1] != ':')
            note(xml, creo_span(start, at), around, found);
    }
    creo_xml_go_to_scope(xml, around);
}

/* Sorts them by prefix. */
static bool sort_context(creo_xml *xml, context *found)
{
    if (found->count == 0)
        return true;
    found->items = (const creo_binding **)creo_arena_take(xml->arena, found->count, sizeof *found->items);
    uint32_t i = 0;
    for (uint32_t next = found->last; next != 0; next = xml->bindings[next - 1].next) {
        xml->bindings[next - 1].needed = false;
        if (found->items != NULL)
            found->items[i++] = &xml->bindings[next - 1];
    }
    if (found->items == NULL)
        return creo_xml_no_memory(xml);
    qsort(found->items, found->count, sizeof *found->items, raw_compare);
    return true;
}

static uint8_t *raw_put(uint8_t *to, const char *text, size_t size)
{
    if (size != 0)
        memcpy(to, text, size);
    return to + size;
}

static uint8_t *put_escaped(uint8_t *to, creo_string text)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        const char *escape = raw_escape_of(c);
        if (escape != NULL)
            to = raw_put(to, escape, strlen(escape));
        else
            *to++ = (uint8_t)c;
    }
    return to;
}

/* Line ends become line feeds (XML 1.0, 2.11). */
static uint8_t *raw_put_lines(uint8_t *to, const uint8_t *at, const uint8_t *end)
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
    uint32_t all = xml->binding_count;
    if (!creo_xml_skip(xml, &element))
        return false;
    const uint8_t *to = xml->at;
    if ((size_t)(to - from) > xml->limits.max_xml_text)
        return creo_xml_limit(xml, "maxXmlText", xml->limits.max_xml_text);
    context found;
    find_context(xml, from, to, element.bindings, all, &found);
    if (found.count == 0 && xml->keep == CREO_BORROW && memchr(from, '\r', (size_t)(to - from)) == NULL) {
        *text = creo_span(from, to);
        return true;
    }
    xml->declared += found.size;
    if (xml->declared > xml->limits.max_xml_text)
        return creo_xml_limit(xml, "maxXmlText", xml->limits.max_xml_text);
    uint8_t *copy = creo_arena_bytes(xml->arena, (size_t)(to - from) + found.size);
    if (copy == NULL)
        return creo_xml_no_memory(xml);
    creo_mark mark = creo_arena_mark(xml->arena);
    if (!sort_context(xml, &found))
        return false;
    const uint8_t *behind = element.name + element.size;
    uint8_t *at = raw_put_lines(copy, from, behind);
    for (uint32_t i = 0; i < found.count; i++) {
        const creo_binding *binding = found.items[i];
        at = raw_put(at, " xmlns", 6);
        if (binding->prefix.size != 0)
            at = raw_put(raw_put(at, ":", 1), binding->prefix.data, binding->prefix.size);
        at = raw_put(put_escaped(raw_put(at, "=\"", 2), binding->uri), "\"", 1);
    }
    at = raw_put_lines(at, behind, to);
    creo_arena_rewind(xml->arena, mark);
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
