/* Scalar values as text: spec/wires/xml.md, section 2. Not part of the API. */
#ifndef CREO_SRC_TEXT_WRITE_H
#define CREO_SRC_TEXT_WRITE_H

#include "../base/internal.h"
#include "slots.h"

#include <creo/codegen/path.h>
#include <creo/writer.h>

/* Writes the characters of a text on a wire. */
typedef bool creo_put_text(creo_writer *writer, creo_string text);

/* The value of a scalar field, as defined by TDX-20. `put` writes texts. */
CREO_PRIVATE bool creo_put_scalar(creo_writer *writer, const creo_text_field *field, const void *value, creo_put_text *put);

CREO_PRIVATE bool creo_put_integer_text(creo_writer *writer, int64_t value);
CREO_PRIVATE bool creo_put_real_text(creo_writer *writer, double value);
CREO_PRIVATE bool creo_put_single_text(creo_writer *writer, float value);
CREO_PRIVATE bool creo_put_instant_text(creo_writer *writer, creo_datetime value);

/* base64, or hexadecimal digits. */
CREO_PRIVATE bool creo_put_bytes_text(creo_writer *writer, creo_bytes bytes, bool hex);

/* Bytes without conversion. */
static inline bool creo_put(creo_writer *writer, const char *text, size_t size)
{
    uint8_t *at = creo_write_block(writer, size);
    if (at == NULL)
        return false;
    memcpy(at, text, size);
    return true;
}

/* Whether the items are present. */
static inline bool creo_check_list(creo_writer *writer, const creo_list *items)
{
    return items->items != NULL || items->count == 0 || creo_fail_value(writer->error, "the pointer to the items is NULL");
}

static inline bool creo_write_null(creo_writer *writer)
{
    return creo_fail_value(writer->error, "the pointer to the value is NULL");
}

#endif
