#include "xml_encoding.h"

#include "../base/utf8.h"
#include "../text/text_chars.h"

static uint32_t unit(const uint8_t *at, bool big)
{
    return big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

/* Converts UTF-16 to UTF-8 in the arena. An invalid character becomes a byte that UTF-8 does not have: the reader finds it at its position. */
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

/* The characters of the bytes 80 to 9F in windows-1252; 0 for none. */
static const uint16_t high[32] = {
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
};

/* Converts a single-byte encoding to UTF-8, in the same way. */
static bool from_bytes(creo_xml *xml, creo_charset charset)
{
    const uint8_t *at = xml->at;
    size_t size = (size_t)(xml->all - at);
    if (size > (SIZE_MAX - 1) / 3)
        return creo_xml_no_memory(xml);
    uint8_t *to = (uint8_t *)creo_arena_bytes(xml->arena, size * 3 + 1);
    if (to == NULL)
        return creo_xml_no_memory(xml);
    xml->start = to;
    xml->at = to;
    for (; at < xml->all; at++) {
        uint32_t code = *at;
        if (charset == CREO_CHARSET_WINDOWS_1252 && code >= 0x80 && code < 0xA0)
            code = high[code - 0x80];
        if ((code == 0 && *at != 0) || (charset == CREO_CHARSET_ASCII && code >= 0x80))
            *to++ = 0xFF;
        else
            to += creo_put_utf8(to, code);
    }
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

bool creo_charset_named(creo_string name, creo_charset *charset)
{
    static const struct {
        const char *name;
        creo_charset charset;
    } names[] = {
        {"utf-8", CREO_CHARSET_UTF8},          {"utf8", CREO_CHARSET_UTF8},        {"utf-16", CREO_CHARSET_UTF16},
        {"utf-16be", CREO_CHARSET_UTF16BE},    {"utf-16le", CREO_CHARSET_UTF16LE}, {"us-ascii", CREO_CHARSET_ASCII},
        {"ascii", CREO_CHARSET_ASCII},         {"iso-8859-1", CREO_CHARSET_LATIN1}, {"latin1", CREO_CHARSET_LATIN1},
        {"windows-1252", CREO_CHARSET_WINDOWS_1252}, {"cp1252", CREO_CHARSET_WINDOWS_1252},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (same_letters(name, names[i].name)) {
            *charset = names[i].charset;
            return true;
        }
    }
    return false;
}

size_t creo_mark_size(creo_bytes text)
{
    const uint8_t *at = text.data;
    if (text.size >= 2 && ((at[0] == 0xFE && at[1] == 0xFF) || (at[0] == 0xFF && at[1] == 0xFE)))
        return 2;
    return text.size >= 3 && at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF ? 3 : 0;
}

static bool is_wide(creo_charset charset)
{
    return charset == CREO_CHARSET_UTF16 || charset == CREO_CHARSET_UTF16BE || charset == CREO_CHARSET_UTF16LE;
}

/* One ` name="value"` of the declaration. False, without moving, for another name. */
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

/* Whether a text begins with an XML declaration. */
static bool is_declaration(const uint8_t *at, const uint8_t *end)
{
    return end - at >= 6 && memcmp(at, "<?xml", 5) == 0 && creo_is_space(at[5]);
}

static bool find_charset(creo_xml *xml, creo_string name, creo_charset *charset)
{
    char shown[100];
    if (creo_charset_named(name, charset))
        return true;
    creo_text_show(shown, sizeof shown, name);
    return creo_xml_fail(xml, xml->at, "the encoding %s is not known", shown);
}

/* The encoding of a text without a byte order mark, if the transport does not name one. */
static bool guess(creo_xml *xml, creo_charset *charset)
{
    const uint8_t *at = xml->at;
    creo_string value;
    *charset = CREO_CHARSET_UTF8;
    if (xml->all - at >= 2 && ((at[0] == 0 && at[1] == '<') || (at[0] == '<' && at[1] == 0))) {
        *charset = CREO_CHARSET_UTF16;
        return true;
    }
    if (!is_declaration(at, xml->all))
        return true;
    at += 5;
    if (!declared(&at, xml->all, "version", &value) || !declared(&at, xml->all, "encoding", &value))
        return true;
    if (!find_charset(xml, value, charset))
        return false;
    if (is_wide(*charset))
        *charset = CREO_CHARSET_UTF8;
    return true;
}

/* `<?xml version="1.0" encoding=".." standalone=".."?>`. `told`: the transport named the encoding, which then overrides the declared one. */
static bool read_declaration(creo_xml *xml, creo_charset charset, bool marked, bool told)
{
    const uint8_t *at = xml->at;
    if (!is_declaration(at, xml->end))
        return true;
    creo_string value;
    at += 5;
    if (!declared(&at, xml->end, "version", &value) || !creo_string_is(value, "1.0"))
        return creo_xml_fail(xml, xml->at, "the text is no XML 1.0");
    if (declared(&at, xml->end, "encoding", &value) && !told) {
        creo_charset own;
        if (!find_charset(xml, value, &own))
            return false;
        if (is_wide(own) != is_wide(charset) || (marked && !is_wide(charset) && own != charset))
            return creo_xml_fail(xml, (const uint8_t *)value.data, "the text says that it has another encoding than it has");
    }
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
    size_t size = (size_t)(xml->all - xml->at);
    size_t mark = creo_mark_size(creo_bytes_of(xml->at, size));
    bool told = charset != CREO_CHARSET_NONE;
    const uint8_t *at = xml->at;
    bool big = size >= 2 && at[0] != 0xFF && at[0] != '<';
    if (mark == 3)
        charset = CREO_CHARSET_UTF8;
    else if (mark == 2)
        charset = CREO_CHARSET_UTF16;
    else if (charset == CREO_CHARSET_UTF16BE || charset == CREO_CHARSET_UTF16LE)
        big = charset == CREO_CHARSET_UTF16BE;
    else if (charset == CREO_CHARSET_UTF16)
        big = size < 2 || at[0] != '<' || at[1] != 0;
    else if (!told && !guess(xml, &charset))
        return false;
    if (is_wide(charset)) {
        if (!from_utf16(xml, at + mark, xml->all, big))
            return false;
    } else if (charset != CREO_CHARSET_UTF8) {
        if (!from_bytes(xml, charset))
            return false;
    } else {
        xml->at += mark;
    }
    xml->end = creo_xml_scan(xml->at, xml->all);
    return read_declaration(xml, charset, mark != 0, told);
}
