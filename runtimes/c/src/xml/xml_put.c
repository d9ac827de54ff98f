/* Names and texts of the XML writer. */
#include "../text/numbers.h"
#include "../text/text_chars.h"
#include "xml_writer.h"

void creo_xml_out_init(creo_xml_out *out, creo_writer *writer, const creo_text_spaces *spaces)
{
    memset(out, 0, sizeof *out);
    out->writer = writer;
    out->spaces = spaces;
    out->part_from = SIZE_MAX;
}

static bool same_space(const creo_namespace *a, const creo_namespace *b)
{
    return a == b || (a->size == b->size && memcmp(a->uri, b->uri, a->size) == 0);
}

/* Makes the namespace's prefix the last one. */
static bool find_prefix(creo_xml_out *out, const creo_namespace *space)
{
    creo_written_prefix *last = &out->last;
    if (space->size == sizeof CREO_XML_SPACE - 1 && memcmp(space->uri, CREO_XML_SPACE, space->size) == 0) {
        memcpy(last->text, "xml:", 4);
        last->size = 4;
        last->space = space;
        return true;
    }
    for (uint32_t i = 0; i < out->spaces->count; i++) {
        if (!same_space(out->spaces->items[i], space))
            continue;
        char number[CREO_NUMBER_TEXT];
        size_t size = (size_t)(creo_put_number(number, (uint64_t)i + 1) - number);
        last->text[0] = 'n';
        memcpy(last->text + 1, number, size < 10 ? size : 10);
        last->text[1 + size] = ':';
        last->size = (uint32_t)size + 2;
        last->space = space;
        return true;
    }
    return creo_fail_value(out->writer->error, "a namespace that the message did not announce");
}

static inline bool use_prefix(creo_xml_out *out, const creo_namespace *space)
{
    return CREO_LIKELY(out->last.space == space) || find_prefix(out, space);
}

/* Copies a short text; most names have no more than 16 bytes. */
static inline uint8_t *xml_copy(uint8_t *to, const char *from, size_t size)
{
    if (size >= 8 && size <= 16) {
        uint64_t first = creo_load8((const uint8_t *)from);
        uint64_t last = creo_load8((const uint8_t *)from + size - 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
    } else if (size < 8) {
        for (size_t i = 0; i < size; i++)
            to[i] = (uint8_t)from[i];
    } else {
        memcpy(to, from, size);
    }
    return to + size;
}

/* `before`, the name, `behind`. */
static inline bool xml_put_name(creo_xml_out *out, const char *before, size_t size, const creo_text_name *name, bool close)
{
    size_t prefix = 0;
    if (name->space != NULL) {
        if (!use_prefix(out, name->space))
            return false;
        prefix = out->last.size;
    }
    uint8_t *at = creo_write_block(out->writer, size + prefix + name->size + (close ? 1 : 0));
    if (at == NULL)
        return false;
    at = xml_copy(at, before, size);
    at = xml_copy(at, out->last.text, prefix);
    at = xml_copy(at, name->local, name->size);
    if (close)
        *at = '>';
    return true;
}

bool creo_xml_put_name(creo_xml_out *out, const creo_text_name *name)
{
    return xml_put_name(out, "", 0, name, false);
}

bool creo_xml_put_attribute(creo_xml_out *out, const creo_text_name *name)
{
    return xml_put_name(out, " ", 1, name, false);
}

bool creo_xml_put_open(creo_xml_out *out, const creo_text_name *name)
{
    return xml_put_name(out, "<", 1, name, false);
}

bool creo_xml_put_close(creo_xml_out *out, const creo_text_name *name)
{
    return xml_put_name(out, "</", 2, name, true);
}

bool creo_xml_put_spaces(creo_xml_out *out)
{
    static const char xsi[] = " xmlns:xsi=\"" CREO_XSI "\"";
    for (uint32_t i = 0; i < out->spaces->count; i++) {
        const creo_namespace *space = out->spaces->items[i];
        if (!use_prefix(out, space) || !creo_xml_put(out, " xmlns:", 7) || !creo_xml_put(out, out->last.text, out->last.size - 1) ||
            !creo_xml_put(out, "=\"", 2) || !creo_xml_put_quoted(out->writer, (creo_string){space->uri, space->size}) || !creo_xml_put(out, "\"", 1))
            return false;
    }
    return !out->spaces->xsi || creo_xml_put(out, xsi, sizeof xsi - 1);
}

static const char *xml_escape_of(uint8_t c, bool quoted, size_t *size)
{
    *size = 5;
    switch (c) {
    case '&':
        return "&amp;";
    case '\r':
        return "&#13;";
    case '<':
        *size = 4;
        return "&lt;";
    case '>':
        *size = 4;
        return "&gt;";
    case '"':
        *size = 6;
        return quoted ? "&quot;" : NULL;
    case '\t':
        *size = 4;
        return quoted ? "&#9;" : NULL;
    case '\n':
        return quoted ? "&#10;" : NULL;
    default:
        return NULL;
    }
}

/* Whether a word has bytes to be escaped or checked: non-ASCII, controls, `&`, `<`, `>`, and quotes if necessary. */
static inline bool xml_is_odd(uint64_t word, bool quoted)
{
    uint64_t tags = (word | CREO_EACH_BYTE * 2) ^ CREO_EACH_BYTE * '>';
    uint64_t marks = creo_zero_bytes(tags) | creo_zero_bytes(word ^ CREO_EACH_BYTE * '&');
    if (quoted)
        marks |= creo_zero_bytes(word ^ CREO_EACH_BYTE * '"');
    return marks != 0 || creo_has_odd_bytes(word);
}

static inline bool put_text(creo_writer *writer, creo_string text, bool quoted)
{
    if (text.size != 0 && text.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the text is NULL");
    const uint8_t *at = (const uint8_t *)text.data;
    const uint8_t *end = text.size == 0 ? at : at + text.size;
    while (at < end) {
        size_t left = (size_t)(end - at);
        if (!CREO_LIKELY((size_t)(writer->end - writer->at) >= left) && !creo_writer_grow(writer, left))
            return false;
        uint8_t *to = writer->at;
        while (end - at >= 8) {
            uint64_t word = creo_load8(at);
            if (xml_is_odd(word, quoted))
                break;
            memcpy(to, &word, 8);
            at += 8;
            to += 8;
        }
        /* The next eight bytes one by one, then words again. */
        const uint8_t *stop = end - at >= 8 ? at + 8 : end;
        const char *escape = NULL;
        size_t size = 0;
        while (at < stop) {
            uint8_t c = *at;
            if (c >= 0x80) {
                size_t length = creo_utf8_sequence(at, (size_t)(end - at));
                if (length == 0)
                    return creo_fail_value(writer->error, "a string is well-formed UTF-8");
                if (length == 3 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE)
                    return creo_fail_value(writer->error, "a text holds a character that XML does not allow");
                memcpy(to, at, length);
                at += length;
                to += length;
                continue;
            }
            escape = xml_escape_of(c, quoted, &size);
            if (escape != NULL)
                break;
            if (c < 0x20 && !creo_is_space(c))
                return creo_fail_value(writer->error, "a text holds a character that XML does not allow");
            *to++ = c;
            at++;
        }
        writer->at = to;
        if (escape != NULL) {
            if (!creo_put(writer, escape, size))
                return false;
            at++;
        }
    }
    return true;
}

bool creo_xml_put_content(creo_writer *writer, creo_string text)
{
    return put_text(writer, text, false);
}

bool creo_xml_put_quoted(creo_writer *writer, creo_string text)
{
    return put_text(writer, text, true);
}
