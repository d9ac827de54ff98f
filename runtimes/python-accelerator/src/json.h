/* The state of reading JSON. */
#ifndef CREO_JSON_READER_H
#define CREO_JSON_READER_H

#include "reader.h"

#include "text/text_chars.h"

/* Whether any of eight bytes is a quote, a backslash or a control character. */
static inline bool needs_escape(uint64_t word) {
    return (creo_zero_bytes(word ^ CREO_EACH_BYTE * '"') | creo_zero_bytes(word ^ CREO_EACH_BYTE * '\\') |
            ((word - CREO_EACH_BYTE * 0x20) & ~word & CREO_HIGH_BITS)) != 0;
}

/* The first byte that a string must escape: a quote, a backslash, a control character; or `end`. */
static inline const uint8_t *plain_end(const uint8_t *at, const uint8_t *end) {
    while (end - at >= 8 && !needs_escape(creo_load8(at)))
        at += 8;
    while (at != end && *at != '"' && *at != '\\' && *at >= 0x20)
        at++;
    return at;
}

/* The byte after white space; 0 at the end, and for a zero in the input, which is invalid JSON. */
static inline uint8_t json_next(Reader *r) {
    while (r->at != r->end && creo_is_space(*r->at))
        r->at++;
    return r->at == r->end ? 0 : *r->at;
}

/* A word whose first letter was seen. */
static inline bool json_word(Reader *r, const char *word, size_t size) {
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

/* json_scalar.c: each begins at the value's first byte. */

/* A string: a new reference. */
PyObject *json_string(Reader *r);
/* The bytes of a string without escapes, which may be invalid UTF-8; NULL if it has any. */
const char *json_plain(Reader *r, Py_ssize_t *size);
/* A whole number of a range. */
bool json_whole(Reader *r, int64_t low, int64_t high, int64_t *number);
/* A complete text that is a whole number within a range. */
bool whole_of(const char *text, Py_ssize_t size, int64_t low, int64_t high, int64_t *number);
/* Skips any number. */
bool json_skip_number(Reader *r);
bool json_double(Reader *r, double *number);
bool json_float(Reader *r, float *number);
/* A value without parts. */
PyObject *json_scalar(Reader *r, const Node *node);
/* The name of an enum's constant, or a number. */
PyObject *json_enum(Reader *r, const Node *node);
/* The key of a map, from the name of a member. */
PyObject *json_key(Reader *r, const Node *node);

#endif
