/**
 * The values of the description language's own types.
 *
 * Strings, byte strings and arrays are a pointer and a size; they own nothing. A decoder's data is in its arena, the caller's data stays the
 * caller's. A pointer may be NULL if the size is 0.
 */
#ifndef CREO_TYPES_H
#define CREO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define CREO_COLD __attribute__((__cold__, __noinline__))
#define CREO_LIKELY(condition) __builtin_expect(!!(condition), 1)
#if defined(_WIN32) && !defined(__clang__)
/* Standard formats, where the system's differ. */
#define CREO_PRINTF(text, first) __attribute__((__format__(__gnu_printf__, text, first)))
#else
#define CREO_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#endif
#define CREO_DEPRECATED __attribute__((__deprecated__))
#define CREO_RESTRICT __restrict
#else
#define CREO_COLD
#define CREO_LIKELY(condition) (condition)
#define CREO_PRINTF(text, first)
#define CREO_DEPRECATED
#define CREO_RESTRICT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Text in UTF-8 of `size` bytes. It may contain U+0000 and is not zero-terminated: print it with "%.*s". */
typedef struct creo_string {
    const char *data;
    size_t size;
} creo_string;

/** A byte string: `byte[]`. */
typedef struct creo_bytes {
    const uint8_t *data;
    size_t size;
} creo_bytes;

/** A decimal number as text in canonical form, such as `-1.50` (BIN-12). */
typedef creo_string creo_decimal;

/** An instant: seconds since 1970-01-01T00:00:00Z, rounded down, and nanoseconds from 0 to 999,999,999. */
typedef struct creo_datetime {
    int64_t seconds;
    uint32_t nanoseconds;
} creo_datetime;

typedef struct creo_boolean_array {
    const bool *items;
    size_t count;
} creo_boolean_array;

typedef struct creo_short_array {
    const int16_t *items;
    size_t count;
} creo_short_array;

/** UTF-16 code units. */
typedef struct creo_char_array {
    const uint16_t *items;
    size_t count;
} creo_char_array;

typedef struct creo_int_array {
    const int32_t *items;
    size_t count;
} creo_int_array;

typedef struct creo_long_array {
    const int64_t *items;
    size_t count;
} creo_long_array;

typedef struct creo_float_array {
    const float *items;
    size_t count;
} creo_float_array;

typedef struct creo_double_array {
    const double *items;
    size_t count;
} creo_double_array;

typedef struct creo_string_array {
    const creo_string *items;
    size_t count;
} creo_string_array;

typedef struct creo_decimal_array {
    const creo_decimal *items;
    size_t count;
} creo_decimal_array;

typedef struct creo_datetime_array {
    const creo_datetime *items;
    size_t count;
} creo_datetime_array;

typedef struct creo_bytes_array {
    const creo_bytes *items;
    size_t count;
} creo_bytes_array;

/** The kind of a map's keys. */
typedef enum creo_key {
    CREO_KEY_8 = 1,
    CREO_KEY_16 = 2,
    CREO_KEY_32 = 4,
    CREO_KEY_64 = 8,
    CREO_KEY_STRING = 16
} creo_key;

/** The text of a zero-terminated C string, which must outlive the result. NULL is an empty text. */
static inline creo_string creo_text(const char *text)
{
    creo_string string;
    string.data = text;
    string.size = text == NULL ? 0 : strlen(text);
    return string;
}

/** The `size` bytes at `data`, which must outlive the result. */
static inline creo_bytes creo_bytes_of(const void *data, size_t size)
{
    creo_bytes bytes;
    bytes.data = (const uint8_t *)data;
    bytes.size = size;
    return bytes;
}

/** Whether two texts have the same bytes. */
static inline bool creo_string_equal(creo_string a, creo_string b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/** Whether a text equals a zero-terminated C string. */
static inline bool creo_string_is(creo_string string, const char *text)
{
    return creo_string_equal(string, creo_text(text));
}

/** The number with these IEEE 754 bits, if it has no literal. */
static inline float creo_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double creo_double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** Whether the bytes are well-formed UTF-8 (BIN-4). */
bool creo_utf8_valid(const char *text, size_t size);

/** Whether the text is a decimal number in canonical form (BIN-12). */
bool creo_decimal_valid(creo_decimal decimal);

/** Whether the instant is within the years 1 to 9999 and its nanoseconds are below one second (BIN-11). */
bool creo_datetime_valid(creo_datetime instant);

/** Room for any instant that `creo_datetime_format` writes, with its terminating zero. */
#define CREO_DATETIME_TEXT 31

/**
 * Writes a valid instant as RFC 3339 in UTC, with 0, 3, 6 or 9 digits of fraction: `2026-11-21T10:31:56.250Z`. Returns the length, or writes an empty
 * text and returns 0 for an invalid instant.
 */
size_t creo_datetime_format(creo_datetime instant, char text[CREO_DATETIME_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
