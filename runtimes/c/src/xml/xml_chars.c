#include "xml_reader.h"

const uint8_t *creo_xml_scan(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        while (end - at >= 8 && !creo_has_odd_bytes(creo_load8(at)))
            at += 8;
        /* Checks odd bytes one by one, skipping the others before them. */
        const uint8_t *stop = end - at >= 8 ? at + 8 : end;
        while (at < stop) {
            if (*at < 0x80) {
                if (*at < 0x20 && !creo_is_space(*at))
                    return at;
                at++;
                continue;
            }
            size_t length = creo_utf8_sequence(at, (size_t)(end - at));
            if (length == 0 || (length == 3 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE))
                return at;
            at += length;
        }
    }
    return end;
}

/* XML 1.0, fifth edition, productions 4 and 4a, above ASCII. */
static bool starts_name(uint32_t code)
{
    static const uint32_t ranges[][2] = {{0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2FF},    {0x370, 0x37D},   {0x37F, 0x1FFF},    {0x200C, 0x200D},
                                         {0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

static bool continues_name(uint32_t code)
{
    return code == 0xB7 || (code >= 0x300 && code <= 0x36F) || code == 0x203F || code == 0x2040 || starts_name(code);
}

static uint32_t xml_decode(const uint8_t *at, size_t length)
{
    uint32_t code = length == 2 ? at[0] & 0x1Fu : length == 3 ? at[0] & 0x0Fu : at[0] & 0x07u;
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (at[i] & 0x3Fu);
    return code;
}

static inline bool ascii_name(uint8_t c, bool first)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
        return true;
    return !first && ((c >= '0' && c <= '9') || c == '-' || c == '.');
}

size_t creo_xml_name_length(const uint8_t *at, const uint8_t *end, bool colon)
{
    const uint8_t *start = at;
    while (at < end) {
        uint8_t c = *at;
        if (c < 0x80) {
            if (!ascii_name(c, at == start) && !(colon && c == ':'))
                break;
            at++;
            continue;
        }
        size_t length = creo_utf8_sequence(at, (size_t)(end - at));
        if (length == 0)
            break;
        uint32_t code = xml_decode(at, length);
        if (at == start ? !starts_name(code) : !continues_name(code))
            break;
        at += length;
    }
    return (size_t)(at - start);
}
