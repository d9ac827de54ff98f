/* JSON: the writer and the reader. Not part of the API. */
#ifndef CREO_SRC_JSON_H
#define CREO_SRC_JSON_H

#include <creo/codegen/path.h>
#include <creo/json.h>

#include "../base/internal.h"
#include "../text/items.h"

/* Whether the field's XML is an attribute: these come first (JSON-1). */
static inline bool creo_json_is_attribute(const creo_text_field *field)
{
    return field->place == CREO_PLACE_ATTRIBUTE && field->kind != CREO_TEXT_ATTRIBUTES;
}

/* The writer. */

/* A value, without a name. */
CREO_PRIVATE bool creo_json_write_value(creo_writer *writer, const creo_text_field *field, const void *value);

/* Writes a record as an object. */
CREO_PRIVATE bool creo_json_write_record(creo_writer *writer, const creo_text_record *record, const void *value);

/* Writes a quoted text; `invalid-value` if it is not UTF-8. */
CREO_PRIVATE bool creo_json_put_string(creo_writer *writer, creo_string text);

/* The reader. */

typedef struct creo_json_in {
    const uint8_t *at;
    /* The end of the readable bytes: the end of the text, or a byte that is not UTF-8. */
    const uint8_t *end;
    const uint8_t *start;
    const uint8_t *all;
    creo_arena *arena;
    creo_error *error;
    const char *root;
    creo_keep keep;
    creo_limits limits;
    /* The number of open arrays and objects. */
    uint32_t depth;
    uint32_t levels_left;
    /* The memory that the message may still take (LIM-18). */
    uint64_t memory_left;
} creo_json_in;

/* Begins with a text; the reader is then at its value. False if the text alone exceeds LIM-18. */
CREO_PRIVATE bool creo_json_begin(creo_json_in *in, creo_bytes text, creo_keep keep, creo_arena *arena, const creo_limits *limits, creo_error *error);

/* Fails unless only white space is left. */
CREO_PRIVATE bool creo_json_finish(creo_json_in *in);

/* `malformed` at a byte. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_json_fail(creo_json_in *in, const uint8_t *at, const char *format, ...) CREO_PRINTF(3, 4);

/* The text ends, or continues with invalid UTF-8, where more is expected. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_json_short(creo_json_in *in);
CREO_PRIVATE CREO_COLD bool creo_json_no_memory(creo_json_in *in);
CREO_PRIVATE CREO_COLD bool creo_json_limit(creo_json_in *in, const char *limit, uint64_t allowed);

/* Charges the message for following values (LIM-18). */
static inline bool creo_json_charge(creo_json_in *in, uint64_t bytes)
{
    if (CREO_LIKELY(bytes <= in->memory_left)) {
        in->memory_left -= bytes;
        return true;
    }
    return creo_json_limit(in, "maxMemory", in->limits.max_memory);
}

/* The byte at the reader's position is not the expected one. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_json_unexpected(creo_json_in *in, const char *due);

static inline void creo_json_space(creo_json_in *in)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n' || *in->at == '\r' || *in->at == '\t'))
        in->at++;
}

/* Opens an array or object with the first byte `open`, and enters it: LIM-20. `what` is expected. */
CREO_PRIVATE bool creo_json_open(creo_json_in *in, uint8_t open, const char *what);

/*
 * Continues in an array or object: to its end, which is then read, or to the next item. `first`: none was read yet.
 */
CREO_PRIVATE bool creo_json_next(creo_json_in *in, uint8_t close, bool first, bool *closed);

/* The colon after a member's name, with surrounding white space. */
CREO_PRIVATE bool creo_json_colon(creo_json_in *in);

/*
 * Reads the string at the reader's position. Without escapes it is in the text, else in the arena. If `unit` is not NULL, a string of one lone
 * surrogate is accepted and stored there; otherwise it becomes 0.
 */
CREO_PRIVATE bool creo_json_string(creo_json_in *in, creo_string *text, uint16_t *unit);

/* `true`, `false` or `null`, whose first letter was seen. */
CREO_PRIVATE bool creo_json_word(creo_json_in *in, const char *word);

/* Reads the number at the reader's position and checks its grammar. `whole`: it has neither fraction nor exponent. */
CREO_PRIVATE bool creo_json_number(creo_json_in *in, creo_string *text, bool *whole);

/* Skips a value, which must still be valid JSON. */
CREO_PRIVATE bool creo_json_skip(creo_json_in *in);

/* Reads the value at the reader's position into the field of a struct; `null` for an optional. */
CREO_PRIVATE bool creo_json_read_field(creo_json_in *in, const creo_text_field *field, void *base);

/* The value of a scalar. */
CREO_PRIVATE bool creo_json_read_scalar(creo_json_in *in, const creo_text_field *field, void *value);

/* The value of a map's key; `at` is its position. */
CREO_PRIVATE bool creo_json_parse_key(creo_json_in *in, const creo_text_field *field, creo_string text, uint16_t unit, const uint8_t *at, void *value);

CREO_PRIVATE bool creo_json_read_record(creo_json_in *in, const creo_text_record *record, void *value);

/* Stores the texts of a value: a copy in the arena, if they are in the input and must not stay there. */
CREO_PRIVATE bool creo_json_keep(creo_json_in *in, creo_string text, void *value);

#endif
