/* Checking and displaying text. Not part of the API. */
#ifndef CREO_SRC_UTF8_H
#define CREO_SRC_UTF8_H

#include <creo/types.h>

#include "internal.h"

/* The value of a hexadecimal digit; 16 for any other character. */
static inline unsigned creo_hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* ERR-8: the max number of characters of a peer's text to show. */
#define CREO_SHOWN_CHARACTERS 1000

/*
 * Copies a text into `into`, zero-terminated, with control characters and invalid UTF-8 written as `\xNN` or `\u{N}`, truncated between characters
 * after CREO_SHOWN_CHARACTERS of them or at `size`.
 */
CREO_MODULE void creo_text_show(char *into, size_t size, creo_string text);

/*
 * The length of the well-formed UTF-8 sequence at the start of the `size` bytes, 1 to 4; 0 if there is none.
 */
static inline size_t creo_utf8_sequence(const uint8_t *at, size_t size)
{
    if (size == 0)
        return 0;
    uint8_t first = at[0];
    if (first < 0x80)
        return 1;
    /* Unicode 15, table 3-7: the second byte's range depends on the first. */
    uint8_t low = 0x80;
    uint8_t high = 0xBF;
    size_t length;
    if (first >= 0xC2 && first <= 0xDF) {
        length = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        length = 3;
        if (first == 0xE0)
            low = 0xA0;
        if (first == 0xED)
            high = 0x9F;
    } else if (first >= 0xF0 && first <= 0xF4) {
        length = 4;
        if (first == 0xF0)
            low = 0x90;
        if (first == 0xF4)
            high = 0x8F;
    } else {
        return 0;
    }
    if (size < length || at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (at[i] < 0x80 || at[i] > 0xBF)
            return 0;
    return length;
}

static inline bool creo_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Checks from a non-ASCII byte; returns the first byte that does not begin a well-formed sequence, or `end`. */
CREO_PRIVATE const uint8_t *creo_utf8_check(const uint8_t *at, const uint8_t *end);

static inline uint64_t creo_load8(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

#define CREO_HIGH_BITS UINT64_C(0x8080808080808080)

static inline uint32_t creo_load4(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, 4);
    return word;
}

/* Whether a text of at most 16 bytes is ASCII: two words, or three bytes, cover it and may overlap. */
static inline bool creo_short_ascii(const uint8_t *at, size_t size)
{
    if (size >= 8)
        return ((creo_load8(at) | creo_load8(at + size - 8)) & CREO_HIGH_BITS) == 0;
    if (size >= 4)
        return ((creo_load4(at) | creo_load4(at + size - 4)) & (uint32_t)CREO_HIGH_BITS) == 0;
    return size == 0 || (at[0] | at[size / 2] | at[size - 1]) < 0x80;
}

/* The bits of 32 bytes, combined. */
static inline uint64_t creo_bits32(const uint8_t *at)
{
    return creo_load8(at) | creo_load8(at + 8) | creo_load8(at + 16) | creo_load8(at + 24);
}

/* The first byte that is not well-formed UTF-8, or `end`. Short ASCII texts, the most common ones, are handled entirely here. */
static inline const uint8_t *creo_utf8_scan(const uint8_t *at, const uint8_t *end)
{
    size_t size = (size_t)(end - at);
    if (size <= 16)
        return creo_short_ascii(at, size) ? end : creo_utf8_check(at, end);
    if (size <= 32)
        return creo_short_ascii(at, 16) && creo_short_ascii(end - 16, 16) ? end : creo_utf8_check(at, end);
    const uint8_t *last = end - 32;
    for (const uint8_t *p = at; p < last; p += 32)
        if ((creo_bits32(p) & CREO_HIGH_BITS) != 0)
            return creo_utf8_check(p, end);
    /* The last bytes may overlap earlier ones, which are ASCII, so `last` is between characters. */
    return (creo_bits32(last) & CREO_HIGH_BITS) == 0 ? end : creo_utf8_check(last, end);
}

#endif
