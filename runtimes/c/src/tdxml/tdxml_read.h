/* Values from rows, by their descriptors. Not part of the API. */
#ifndef CREO_SRC_TDXML_READ_H
#define CREO_SRC_TDXML_READ_H

#include "../base/internal.h"
#include "tdxml.h"

typedef struct creo_table {
    creo_rows rows;
    creo_xml *xml;
    bool records;
} creo_table;

/* The message exceeds LIM-18 because of the next row. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_table_too_large(creo_table *from);

/* Charges the message for following values (LIM-18). */
static inline bool creo_table_charge(creo_table *from, uint64_t bytes)
{
    return creo_xml_take_memory(from->xml, bytes) || creo_table_too_large(from);
}

/* The memory for a field's value, as `creo_make_place`; charges for an optional (LIM-18). NULL after a failure. */
CREO_PRIVATE void *creo_table_make_place(creo_table *from, const creo_text_field *field, void *base);

/* The memory for the next item, charged (LIM-18) and cleared; NULL after a failure. */
CREO_PRIVATE void *creo_table_next_item(creo_table *from, creo_gathered *list, size_t size, uint32_t charge);

/* A single column with the value of a scalar. Each of these goes to the next row. */
CREO_PRIVATE bool creo_table_read_scalar(creo_table *from, const creo_text_field *field, void *value);

/* The scalar fields of a struct (TDX-30); notes which were present. */
CREO_PRIVATE bool creo_table_read_columns(creo_table *from, const creo_text_record *record, void *value, uint64_t *seen);

/* The items of an array of scalars (TDX-31). */
CREO_PRIVATE bool creo_table_read_item_columns(creo_table *from, const creo_text_field *item, void *value);

/* The key of an entry, and its value if it is a scalar. */
CREO_PRIVATE bool creo_table_read_entry_columns(creo_table *from, const creo_text_map *map, void *entry, size_t index, bool seen[2]);

/* Whether the next row is beneath an index of `depth` steps of the previous row. */
static inline bool creo_table_beneath(const creo_table *from, uint32_t depth)
{
    return !from->rows.done && from->rows.same >= depth;
}

/* The next row is taken for the first time: all levels that wait for it accept it. */
static inline void creo_table_take(creo_table *from)
{
    from->rows.same = UINT32_MAX;
}

/* Whether the row is that of the element itself. */
static inline bool creo_table_is_own(const creo_table *from, uint32_t depth)
{
    return from->rows.depth == depth && !from->rows.is_attribute;
}

static inline bool creo_table_is_attribute(const creo_text_field *field)
{
    return field->place == CREO_PLACE_ATTRIBUTE && field->kind != CREO_TEXT_ATTRIBUTES;
}

static inline bool creo_table_next(creo_table *from)
{
    return creo_rows_next(&from->rows);
}

static inline bool creo_table_no_memory(creo_table *from)
{
    return creo_xml_no_memory(from->xml);
}

static inline bool creo_table_step(creo_table *from, const creo_text_field *field)
{
    return field->name == NULL ? false : creo_at_field(from->xml->error, field->name);
}

#endif
