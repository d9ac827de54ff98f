/* Texts, end tags, comments, and the surroundings of the root (XML-40 to XML-42). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "xml_reader.h"

#include "../text/text_chars.h"
#include "xml_encoding.h"

#include <stdarg.h>
#include <stdio.h>

static bool xml_place(creo_xml *xml, const uint8_t *at)
{
    creo_error *error = xml->error;
    if (error == NULL)
        return false;
    size_t length = strlen(xml->root);
    if (length >= sizeof error->place)
        length = 0;
    memcpy(error->place, xml->root, length);
    error->place[length] = 0;
    error->has_offset = true;
    error->offset = (uint64_t)(at - xml->start);
    return false;
}

bool creo_xml_fail(creo_xml *xml, const uint8_t *at, const char *format, ...)
{
    if (xml->error == NULL)
        return false;
    char text[CREO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)creo_fail(xml->error, CREO_MALFORMED, "%s", text);
    return xml_place(xml, at);
}

bool creo_xml_short(creo_xml *xml)
{
    if (xml->end == xml->all)
        return creo_xml_fail(xml, xml->end, "the text ends within the value");
    return creo_xml_fail(xml, xml->end, *xml->end >= 0x80 ? "a text is well-formed UTF-8 without U+FFFE and U+FFFF" : "a character that XML does not allow");
}

bool creo_xml_no_memory(creo_xml *xml)
{
    (void)creo_fail(xml->error, CREO_TOO_LARGE, "the arena has no memory left for the value");
    return xml_place(xml, xml->at);
}

bool creo_xml_limit(creo_xml *xml, const char *limit, uint64_t allowed)
{
    creo_raise_limit(xml->error, limit, allowed);
    return xml_place(xml, xml->at);
}

bool creo_xml_too_large(creo_xml *xml, const uint8_t *at)
{
    xml->at = at;
    return creo_xml_limit(xml, "maxMemory", xml->limits.max_memory);
}

static inline size_t xml_left(const creo_xml *xml)
{
    return (size_t)(xml->end - xml->at);
}

/* Whether these bytes follow. */
static bool comes(const creo_xml *xml, const char *text, size_t size)
{
    return xml_left(xml) >= size && memcmp(xml->at, text, size) == 0;
}

/* The first position of the bytes of `text`, or `end`. */
static const uint8_t *xml_find(const uint8_t *at, const uint8_t *end, const char *text, size_t size)
{
    while ((size_t)(end - at) >= size) {
        const uint8_t *found = (const uint8_t *)memchr(at, text[0], (size_t)(end - at) - size + 1);
        if (found == NULL)
            return end;
        if (memcmp(found, text, size) == 0)
            return found;
        at = found + 1;
    }
    return end;
}

/* At `<!` or `<?`, but not at a CDATA section: a comment, or refused markup. */
static bool skip_markup(creo_xml *xml)
{
    if (comes(xml, "<!--", 4)) {
        const uint8_t *at = xml_find(xml->at + 4, xml->end, "--", 2);
        if ((size_t)(xml->end - at) < 3) {
            xml->at = xml->end;
            return creo_xml_short(xml);
        }
        if (at[2] != '>')
            return creo_xml_fail(xml, at, "a comment holds no --");
        xml->at = at + 3;
        return true;
    }
    if (xml_left(xml) < 4 && memcmp(xml->at, "<!--", xml_left(xml)) == 0) {
        xml->at = xml->end;
        return creo_xml_short(xml);
    }
    if (xml->at[1] == '?')
        return creo_xml_skip_instruction(xml);
    return creo_xml_fail(xml, xml->at, "document type declarations are refused");
}

static void xml_leave_scope(creo_xml *xml, const creo_element *element)
{
    xml->depth--;
    creo_xml_go_to_scope(xml, element->bindings);
}

/* At `</`. */
static bool end_tag(creo_xml *xml, const creo_element *element)
{
    const uint8_t *at = xml->at + 2;
    if ((size_t)(xml->end - at) > element->size && memcmp(at, element->name, element->size) == 0) {
        at += element->size;
        while (at < xml->end && creo_is_space(*at))
            at++;
        if (at < xml->end && *at == '>') {
            xml->at = at + 1;
            xml_leave_scope(xml, element);
            return true;
        }
        if (at == xml->end)
            return creo_xml_short(xml);
    } else if ((size_t)(xml->end - at) <= element->size && memcmp(at, element->name, (size_t)(xml->end - at)) == 0) {
        return creo_xml_short(xml);
    }
    int size = element->size > 200 ? 200 : (int)element->size;
    return creo_xml_fail(xml, xml->at, "the end tag of %.*s is expected here", size, (const char *)element->name);
}

static bool skip_text(creo_xml *xml);

/* A text where only elements may be. */
static bool stray_text(creo_xml *xml, const uint8_t *at)
{
    if (xml->lenient)
        return true;
    (void)creo_xml_fail(xml, at, "text where only elements are allowed");
    creo_xml_hint(xml, CREO_XML_SKIPS);
    return false;
}

/* A CDATA section where no text is allowed: it must be white space. */
static bool skip_cdata_space(creo_xml *xml)
{
    const uint8_t *at = xml->at + 9;
    while (at < xml->end && creo_is_space(*at))
        at++;
    if ((xml->end - at < 3 || memcmp(at, "]]>", 3) != 0) && !stray_text(xml, at))
        return false;
    at = xml_find(at, xml->end, "]]>", 3);
    xml->at = at;
    if (at == xml->end)
        return creo_xml_short(xml);
    xml->at = at + 3;
    return true;
}

bool creo_xml_next(creo_xml *xml, const creo_element *element, bool *closed)
{
    *closed = element->empty;
    if (element->empty) {
        xml_leave_scope(xml, element);
        return true;
    }
    for (;;) {
        while (xml->at < xml->end && creo_is_space(*xml->at))
            xml->at++;
        if (xml->at < xml->end && *xml->at != '<') {
            if (*xml->at == '&') {
                uint8_t character[4];
                const uint8_t *at = xml->at;
                size_t size = creo_xml_reference(xml, &at, character);
                if (size == 0)
                    return false;
                if (creo_is_space(character[0])) {
                    xml->at = at;
                    continue;
                }
            }
            if (!stray_text(xml, xml->at) || !skip_text(xml))
                return false;
            continue;
        }
        if (xml_left(xml) < 2)
            return creo_xml_short(xml);
        if (CREO_LIKELY(xml->at[1] != '!' && xml->at[1] != '?')) {
            *closed = xml->at[1] == '/';
            return !*closed || end_tag(xml, element);
        }
        if (comes(xml, "<![CDATA[", 9) ? !skip_cdata_space(xml) : !skip_markup(xml))
            return false;
    }
}

bool creo_xml_close(creo_xml *xml, const creo_element *element)
{
    bool closed;
    if (!creo_xml_next(xml, element, &closed))
        return false;
    return closed || creo_xml_fail(xml, xml->at, "an element where none is allowed");
}

/* The first byte that is not plain text: `<`, `>`, `&` or a carriage return. */
static inline const uint8_t *xml_plain_end(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8) {
        uint64_t word = creo_load8(at);
        /* `<` and `>` differ in one bit. */
        uint64_t tags = (word | CREO_EACH_BYTE * 2) ^ CREO_EACH_BYTE * '>';
        uint64_t marks = creo_zero_bytes(tags) | creo_zero_bytes(word ^ CREO_EACH_BYTE * '&') | creo_zero_bytes(word ^ CREO_EACH_BYTE * '\r');
        if (marks != 0) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            return at + __builtin_ctzll(marks) / 8;
#else
            break;
#endif
        }
        at += 8;
    }
    while (at < end && *at != '<' && *at != '>' && *at != '&' && *at != '\r')
        at++;
    return at;
}

/* A text that grows in the arena. */
typedef struct grown {
    uint8_t *data;
    size_t size;
    size_t room;
} grown;

static bool xml_append(creo_xml *xml, grown *text, const uint8_t *from, size_t size)
{
    if (size == 0)
        return true;
    if (size > xml->limits.max_xml_text - text->size)
        return creo_xml_limit(xml, "maxXmlText", xml->limits.max_xml_text);
    if (size > text->room - text->size) {
        size_t room = text->room * 2 > text->size + size ? text->room * 2 : text->size + size + 64;
        uint8_t *data = (uint8_t *)creo_arena_grow(xml->arena, text->data, text->room, text->size, room);
        if (data == NULL)
            return creo_xml_no_memory(xml);
        text->data = data;
        text->room = room;
    }
    memcpy(text->data + text->size, from, size);
    text->size += size;
    return true;
}

/* Appends text up to `stop`; carriage returns become line feeds. */
static bool append_lines(creo_xml *xml, grown *text, const uint8_t *at, const uint8_t *stop)
{
    while (at < stop) {
        const uint8_t *line = (const uint8_t *)memchr(at, '\r', (size_t)(stop - at));
        if (line == NULL)
            return xml_append(xml, text, at, (size_t)(stop - at));
        if (!xml_append(xml, text, at, (size_t)(line - at)) || !xml_append(xml, text, (const uint8_t *)"\n", 1))
            return false;
        at = line + 1;
        if (at < stop && *at == '\n')
            at++;
    }
    return true;
}

/* Appends one piece that is not plain text: a reference, a comment, a CDATA section, a line end. The reader is at it. */
static bool append_piece(creo_xml *xml, grown *text)
{
    const uint8_t *at = xml->at;
    switch (*at) {
    case '&': {
        uint8_t character[4];
        size_t size = creo_xml_reference(xml, &at, character);
        xml->at = size == 0 ? xml->at : at;
        return size != 0 && xml_append(xml, text, character, size);
    }
    case '\r':
        xml->at = at + (xml->end - at > 1 && at[1] == '\n' ? 2 : 1);
        return xml_append(xml, text, (const uint8_t *)"\n", 1);
    case '>':
        xml->at++;
        return xml_append(xml, text, at, 1);
    default:
        break;
    }
    if (!comes(xml, "<![CDATA[", 9)) {
        if (xml_left(xml) < 9 && memcmp(xml->at, "<![CDATA[", xml_left(xml)) == 0)
            return creo_xml_short(xml);
        return skip_markup(xml);
    }
    const uint8_t *stop = xml_find(at + 9, xml->end, "]]>", 3);
    if (stop == xml->end) {
        xml->at = xml->end;
        return creo_xml_short(xml);
    }
    xml->at = stop + 3;
    return append_lines(xml, text, at + 9, stop);
}

/* A text that is plain from `first` to the reader's position and then continues otherwise. `mixed`: skipping any elements. */
static bool long_text(creo_xml *xml, const uint8_t *first, bool mixed, creo_string *found)
{
    grown text = {NULL, 0, 0};
    const uint8_t *run = first;
    for (;;) {
        /* The run ends at the reader's position. */
        if (!xml_append(xml, &text, run, (size_t)(xml->at - run)))
            return false;
        if (xml_left(xml) < 2) {
            xml->at = xml->end;
            return creo_xml_short(xml);
        }
        if (*xml->at == '<' && xml->at[1] == '/')
            break;
        creo_element inner;
        bool opens = *xml->at == '<' && xml->at[1] != '!' && xml->at[1] != '?';
        if (opens && !mixed)
            return creo_xml_fail(xml, xml->at, "an element where text is expected");
        if (*xml->at == '>' && xml->at - run >= 2 && xml->at[-1] == ']' && xml->at[-2] == ']')
            return creo_xml_fail(xml, xml->at - 2, "a text holds no ]]>");
        if (opens ? !creo_xml_open(xml, &inner) || !creo_xml_skip(xml, &inner) : !append_piece(xml, &text))
            return false;
        run = xml->at;
        xml->at = xml_plain_end(xml->at, xml->end);
    }
    *found = (creo_string){text.size == 0 ? (const char *)first : (const char *)text.data, text.size};
    return true;
}

bool creo_xml_text(creo_xml *xml, const creo_element *element, creo_string *text, const uint8_t **at)
{
    const uint8_t *first = xml->at;
    *at = first;
    if (element->empty) {
        *text = creo_span(first, first);
        xml_leave_scope(xml, element);
        return true;
    }
    xml->at = xml_plain_end(first, xml->end);
    if (CREO_LIKELY(xml_left(xml) >= 2 && xml->at[0] == '<' && xml->at[1] == '/')) {
        *text = creo_span(first, xml->at);
        if (text->size > xml->limits.max_xml_text)
            return creo_xml_limit(xml, "maxXmlText", xml->limits.max_xml_text);
    } else if (!long_text(xml, first, false, text)) {
        return false;
    }
    return end_tag(xml, element);
}

bool creo_xml_words(creo_xml *xml, const creo_element *element, creo_string *text)
{
    const uint8_t *first = xml->at;
    if (element->empty) {
        *text = creo_span(first, first);
        xml_leave_scope(xml, element);
        return true;
    }
    xml->at = xml_plain_end(first, xml->end);
    return long_text(xml, first, true, text) && end_tag(xml, element);
}

/* Skips a text in a skipped element: it is not kept, but must be well-formed. */
static bool skip_text(creo_xml *xml)
{
    const uint8_t *run = xml->at;
    for (;;) {
        xml->at = xml_plain_end(xml->at, xml->end);
        if (xml->at == xml->end)
            return creo_xml_short(xml);
        switch (*xml->at) {
        case '<':
            return true;
        case '>':
            if (xml->at - run >= 2 && xml->at[-1] == ']' && xml->at[-2] == ']')
                return creo_xml_fail(xml, xml->at - 2, "a text holds no ]]>");
            xml->at++;
            break;
        case '&': {
            uint8_t character[4];
            if (creo_xml_reference(xml, &xml->at, character) == 0)
                return false;
            run = xml->at;
            break;
        }
        default:
            xml->at++;
            break;
        }
    }
}

bool creo_xml_within(creo_xml *xml, const creo_element *element, bool *closed)
{
    *closed = element->empty;
    if (element->empty) {
        xml_leave_scope(xml, element);
        return true;
    }
    for (;;) {
        if (!skip_text(xml))
            return false;
        if (xml_left(xml) < 2)
            return creo_xml_short(xml);
        if (xml->at[1] == '/') {
            *closed = true;
            return end_tag(xml, element);
        }
        if (comes(xml, "<![CDATA[", 9)) {
            const uint8_t *stop = xml_find(xml->at + 9, xml->end, "]]>", 3);
            xml->at = stop;
            if (stop == xml->end)
                return creo_xml_short(xml);
            xml->at = stop + 3;
        } else if (xml->at[1] == '!' || xml->at[1] == '?') {
            if (xml_left(xml) < 9 && memcmp(xml->at, "<![CDATA[", xml_left(xml)) == 0)
                return creo_xml_short(xml);
            if (!skip_markup(xml))
                return false;
        } else {
            return true;
        }
    }
}

bool creo_xml_skip(creo_xml *xml, const creo_element *element)
{
    for (;;) {
        bool closed;
        if (!creo_xml_within(xml, element, &closed))
            return false;
        if (closed)
            return true;
        /* As deep as LIM-20 allows. */
        creo_element inner;
        if (!creo_xml_open(xml, &inner) || !creo_xml_skip(xml, &inner))
            return false;
    }
}

/* White space and comments. */
static bool skip_around(creo_xml *xml)
{
    for (;;) {
        while (xml->at < xml->end && creo_is_space(*xml->at))
            xml->at++;
        if (xml_left(xml) >= 2 && xml->at[0] == '<' && (xml->at[1] == '!' || xml->at[1] == '?') && !comes(xml, "<![", 3)) {
            if (!skip_markup(xml))
                return false;
            continue;
        }
        return true;
    }
}

bool creo_xml_to_element(creo_xml *xml, bool *there)
{
    const uint8_t *first = xml->at;
    if (!skip_around(xml))
        return false;
    *there = xml_left(xml) >= 2 && xml->at[0] == '<' && xml->at[1] != '/' && xml->at[1] != '!';
    if (!*there)
        xml->at = first;
    return true;
}

bool creo_xml_finish(creo_xml *xml)
{
    if (!skip_around(xml))
        return false;
    if (xml->at != xml->end)
        return creo_xml_fail(xml, xml->at, "unexpected content after the root");
    return xml->end == xml->all || creo_xml_short(xml);
}

bool creo_xml_begin(creo_xml *xml, creo_bytes text, creo_charset charset, creo_keep keep, creo_arena *arena, const creo_limits *limits, creo_error *error)
{
    return creo_xml_begin_lenient(xml, text, charset, keep, arena, limits, false, error);
}

bool creo_xml_begin_lenient(creo_xml *xml, creo_bytes text, creo_charset charset, creo_keep keep, creo_arena *arena, const creo_limits *limits, bool lenient,
                            creo_error *error)
{
    static const uint8_t nothing = 0;
    memset(xml, 0, sizeof *xml);
    xml->limits = limits == NULL ? creo_limits_default() : *limits;
    xml->arena = arena;
    xml->error = error;
    xml->root = "$";
    xml->keep = keep;
    xml->lenient = lenient;
    xml->levels_left = xml->limits.max_depth;
    xml->limits.max_memory = creo_limits_memory(&xml->limits);
    xml->memory_left = xml->limits.max_memory;
    /* The slots of the prefixes are empty: they have generation 0. */
    xml->generation = 1;
    xml->start = text.size == 0 ? &nothing : text.data;
    xml->at = xml->start;
    xml->all = xml->start + text.size;
    xml->end = xml->all;
    if (!creo_xml_charge(xml, text.size) || !creo_xml_decode(xml, charset) || !skip_around(xml))
        return false;
    if (xml_left(xml) < 2)
        return xml_left(xml) == 1 && *xml->at != '<' ? creo_xml_fail(xml, xml->at, "an element is expected here") : creo_xml_short(xml);
    if (*xml->at != '<' || xml->at[1] == '/')
        return creo_xml_fail(xml, xml->at, "an element is expected here");
    return true;
}
