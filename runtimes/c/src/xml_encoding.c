#include "xml_encoding.h"

#include "xml_chars.h"

static uint32_t unit(const uint8_t *at, bool big)
{
    return big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

/* UTF-16 as UTF-8, in the arena. What is no character becomes a byte that UTF-8 has not, so that the reader meets it at its place. */
static bool from_utf16(creo_xml *xml, const uint8_t *at, const uint8_t *end, bool big)
{
    size_t units = (size_t)(end - at) / 2;
    if (units > (SIZE_MAX - 1) / 3)
        return creo_xml_no_memory(xml);
    uint8_t *to = (uint8_t *)creo_arena_bytes(xml->arena, units * 3 + 1);
    if (to == NULL)
        return creo_xml_no_memory(xml);
    xml->start = to;
    xml->at = to;
    for (; end - at >= 2; at += 2) {
        uint32_t code = unit(at, big);
        if (code >= 0xD800 && code <= 0xDBFF && end - at >= 4) {
            uint32_t low = unit(at + 2, big);
            if (low >= 0xDC00 && low <= 0xDFFF) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                at += 2;
            }
        }
        if (code >= 0xD800 && code <= 0xDFFF)
            *to++ = 0xFF;
        else
            to += creo_put_utf8(to, code);
    }
    if (at != end)
        *to++ = 0xFF;
    xml->all = to;
    return true;
}

static bool same_letters(creo_string text, const char *other)
{
    size_t i = 0;
    for (; i < text.size && other[i] != 0; i++) {
        char c = text.data[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c) != other[i])
            return false;
    }
    return i == text.size && other[i] == 0;
}

/* One ` name="value"` of the declaration. False, without moving, if it is another name. */
static bool declared(const uint8_t **from, const uint8_t *end, const char *name, creo_string *value)
{
    const uint8_t *at = *from;
    size_t size = strlen(name);
    if (at == end || !creo_is_space(*at))
        return false;
    while (at < end && creo_is_space(*at))
        at++;
    if ((size_t)(end - at) < size || memcmp(at, name, size) != 0)
        return false;
    at += size;
    while (at < end && creo_is_space(*at))
        at++;
    if (at == end || *at++ != '=')
        return false;
    while (at < end && creo_is_space(*at))
        at++;
    if (at == end || (*at != '"' && *at != '\''))
        return false;
    const uint8_t *close = (const uint8_t *)memchr(at + 1, *at, (size_t)(end - at - 1));
    if (close == NULL)
        return false;
    *value = creo_span(at + 1, close);
    *from = close + 1;
    return true;
}

/* `<?xml version="1.0" encoding=".." standalone=".."?>` */
static bool read_declaration(creo_xml *xml, bool wide)
{
    const uint8_t *at = xml->at;
    if (xml->end - at < 6 || memcmp(at, "<?xml", 5) != 0 || !creo_is_space(at[5]))
        return true;
    creo_string value;
    at += 5;
    if (!declared(&at, xml->end, "version", &value) || !creo_string_is(value, "1.0"))
        return creo_xml_fail(xml, xml->at, "the text is no XML 1.0");
    if (declared(&at, xml->end, "encoding", &value) && !same_letters(value, wide ? "utf-16" : "utf-8"))
        return creo_xml_fail(xml, (const uint8_t *)value.data, "the text says that it has another encoding than it has, or one that is not read");
    if (declared(&at, xml->end, "standalone", &value) && !creo_string_is(value, "yes") && !creo_string_is(value, "no"))
        return creo_xml_fail(xml, (const uint8_t *)value.data, "standalone is yes or no");
    while (at < xml->end && creo_is_space(*at))
        at++;
    if (xml->end - at < 2) {
        xml->at = xml->end;
        return creo_xml_short(xml);
    }
    if (memcmp(at, "?>", 2) != 0)
        return creo_xml_fail(xml, at, "the XML declaration is wrong");
    xml->at = at + 2;
    return true;
}

bool creo_xml_decode(creo_xml *xml, creo_charset charset)
{
    const uint8_t *at = xml->at;
    size_t size = (size_t)(xml->all - at);
    bool little = size >= 2 && at[0] == 0xFF && at[1] == 0xFE;
    bool big = size >= 2 && at[0] == 0xFE && at[1] == 0xFF;
    bool wide = little || big || charset == CREO_CHARSET_UTF16;
    if (wide && charset == CREO_CHARSET_UTF8)
        return creo_xml_fail(xml, at, "the text is UTF-16, not UTF-8 as the transport says");
    if (wide) {
        /* Without a mark, the first character tells: it is ASCII. */
        bool marked = little || big;
        if (!marked)
            big = size < 2 || at[0] == 0;
        if (!from_utf16(xml, at + (marked ? 2 : 0), xml->all, big))
            return false;
    } else if (size >= 3 && at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF) {
        xml->at += 3;
    }
    xml->end = creo_xml_scan(xml->at, xml->all);
    return read_declaration(xml, wide);
}
