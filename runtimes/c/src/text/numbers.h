/* Numbers as text, independent of the locale: spec/wires/xml.md, XML-11. Not part of the API. */
#ifndef CREO_SRC_NUMBERS_H
#define CREO_SRC_NUMBERS_H

#include <creo/types.h>

#include "../base/internal.h"

/* Room for any number. */
#define CREO_NUMBER_TEXT 32

#define CREO_MIN_POWER (-342)
#define CREO_POWER_COUNT 667
CREO_PRIVATE_DATA const uint64_t creo_powers_of_five[CREO_POWER_COUNT][2];

typedef struct creo_wide {
    uint64_t high;
    uint64_t low;
} creo_wide;

static inline creo_wide creo_multiply(uint64_t a, uint64_t b)
{
    creo_wide product;
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    wide all = (wide)a * b;
    product.high = (uint64_t)(all >> 64);
    product.low = (uint64_t)all;
#else
    uint64_t a0 = a & 0xFFFFFFFF;
    uint64_t a1 = a >> 32;
    uint64_t b0 = b & 0xFFFFFFFF;
    uint64_t b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t middle = a1 * b0 + (low >> 32);
    uint64_t other = a0 * b1 + (middle & 0xFFFFFFFF);
    product.high = a1 * b1 + (middle >> 32) + (other >> 32);
    product.low = other << 32 | (low & 0xFFFFFFFF);
#endif
    return product;
}

/* The decimal digits of a number; returns the end. At most 20 bytes. */
CREO_PRIVATE char *creo_put_number(char *at, uint64_t number);
CREO_PRIVATE char *creo_put_signed(char *at, int64_t number);

/* The shortest digits that round-trip, of several the closest, in ECMAScript's layout; `NaN`, `INF`, `-INF`. At most 25 bytes. */
CREO_PRIVATE char *creo_put_real(char *at, double value);
CREO_PRIVATE char *creo_put_single(char *at, float value);

/* Parses all bytes as a number; false if invalid. Rounds to nearest, ties to even; a number that is too large is infinite. */
CREO_PRIVATE bool creo_parse_real(const uint8_t *at, const uint8_t *end, double *value);
CREO_PRIVATE bool creo_parse_single(const uint8_t *at, const uint8_t *end, float *value);

/* Parses all bytes as an integer: a sign, then digits. False if invalid, or out of range. */
CREO_PRIVATE bool creo_parse_integer(const uint8_t *at, const uint8_t *end, int64_t least, int64_t most, int64_t *value);

#endif
