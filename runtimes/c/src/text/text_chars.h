/* Characters of text and XML. Not part of the API. */
#ifndef CREO_SRC_TEXT_CHARS_H
#define CREO_SRC_TEXT_CHARS_H

#include "../base/internal.h"
#include "../base/utf8.h"

#define CREO_EACH_BYTE UINT64_C(0x0101010101010101)

/* Marks zero bytes; the lowest mark is correct, higher ones may be wrong. */
static inline uint64_t creo_zero_bytes(uint64_t word)
{
    return (word - CREO_EACH_BYTE) & ~word & CREO_HIGH_BITS;
}

/* Whether a word has bytes below 0x20 or above 0x7F. */
static inline bool creo_has_odd_bytes(uint64_t word)
{
    return (((word - CREO_EACH_BYTE * 0x20) | word) & CREO_HIGH_BITS) != 0;
}

/* Whether XML 1.0 allows the character. */
static inline bool creo_xml_allows(uint32_t code)
{
    return code >= 0x20 ? code <= 0xD7FF || (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF)
                        : code == 0x09 || code == 0x0A || code == 0x0D;
}

/* Writes a character other than a surrogate as UTF-8; returns its size. */
CREO_PRIVATE size_t creo_put_utf8(uint8_t *to, uint32_t code);

static inline bool creo_is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline creo_string creo_span(const uint8_t *from, const uint8_t *to)
{
    creo_string text = {(const char *)from, (size_t)(to - from)};
    return text;
}

/* The text without surrounding white space. */
static inline creo_string creo_trim(creo_string text)
{
    while (text.size > 0 && creo_is_space((uint8_t)text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size > 0 && creo_is_space((uint8_t)text.data[text.size - 1]))
        text.size--;
    return text;
}

#endif
