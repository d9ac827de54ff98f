/* Characters of XML. Not part of the API. */
#ifndef CREO_SRC_XML_CHARS_H
#define CREO_SRC_XML_CHARS_H

#include "text.h"

#define CREO_EACH_BYTE UINT64_C(0x0101010101010101)

/* Marks the bytes that are zero; the first mark from the lower end is right, those above it may not be. */
static inline uint64_t creo_zero_bytes(uint64_t word)
{
    return (word - CREO_EACH_BYTE) & ~word & CREO_HIGH_BITS;
}

/* Whether a word has bytes below 0x20 or above 0x7F. */
static inline bool creo_has_odd_bytes(uint64_t word)
{
    return (((word - CREO_EACH_BYTE * 0x20) | word) & CREO_HIGH_BITS) != 0;
}

/* The length of the name at the start of the bytes, whose UTF-8 is right: 0 if there is none. With `colon`, colons are letters. */
size_t creo_xml_name_length(const uint8_t *at, const uint8_t *end, bool colon);

/* Whether XML 1.0 allows the character. */
static inline bool creo_xml_allows(uint32_t code)
{
    return code >= 0x20 ? code <= 0xD7FF || (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF)
                        : code == 0x09 || code == 0x0A || code == 0x0D;
}

/* Writes a character that is not a surrogate as UTF-8; returns how many bytes. */
size_t creo_put_utf8(uint8_t *to, uint32_t code);

#endif
