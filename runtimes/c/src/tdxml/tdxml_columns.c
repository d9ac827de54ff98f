/* Scalars from the columns of rows. */
#include "tdxml_read.h"

/* Parses a column into the value of a scalar. */
static bool parse(creo_table *from, const creo_text_field *field, creo_string text, const uint8_t *at, void *value)
{
    creo_xml *xml = from->xml;
    const uint8_t *where = creo_rows_where(&from->rows, at);
    bool done = field->kind == CREO_TEXT_BYTES && xml->parts != NULL && text.size >= 4 && memcmp(text.data, "cid:", 4) == 0
                    ? creo_xml_take_part(xml, text, where, value)
                    : creo_xml_parse_text(xml, field, text, where, value);
    return done || creo_rows_name(&from->rows);
}

/* Reads the only column of a row into the value of a scalar; goes to the next row. */
bool creo_table_read_scalar(creo_table *from, const creo_text_field *field, void *value)
{
    creo_rows *rows = &from->rows;
    if (rows->content != CREO_ROW_COLUMNS)
        return creo_rows_fail(rows, "the value is missing");
    const uint8_t *at = rows->index_end;
    creo_string text;
    bool nothing;
    if (!creo_rows_column(rows, &at, &text, &nothing))
        return false;
    if (nothing)
        return creo_rows_fail(rows, "a value does not begin with ~");
    if (at != rows->row_end)
        return creo_rows_fail(rows, "the row has one column");
    return parse(from, field, text, rows->index_end + 1, value) && creo_table_next(from);
}

/* The field of the next column, after `*at`; the attributes come first, as long as `*attributes`. */
static const creo_text_field *next_column(const creo_text_record *record, uint32_t *at, bool *attributes)
{
    for (;;) {
        for (; *at < record->field_count; (*at)++) {
            const creo_text_field *field = &record->fields[*at];
            if (creo_is_scalar(field) && creo_table_is_attribute(field) == *attributes)
                return field;
        }
        if (!*attributes)
            return NULL;
        *attributes = false;
        *at = 0;
    }
}

/* TDX-30: the scalar fields of a struct; goes to the next row. */
bool creo_table_read_columns(creo_table *from, const creo_text_record *record, void *value, uint64_t *seen)
{
    creo_rows *rows = &from->rows;
    const uint8_t *at = rows->index_end;
    uint32_t next = 0;
    bool attributes = (record->flags & CREO_RECORD_ATTRIBUTES) != 0;
    while (at < rows->row_end) {
        const uint8_t *first = at + 1;
        creo_string text;
        bool nothing;
        const creo_text_field *field = next_column(record, &next, &attributes);
        if (field == NULL && (record->flags & CREO_RECORD_EXTENSIBLE) == 0)
            return creo_rows_fail(rows, "the row has more columns than there are");
        if (!creo_rows_column(rows, &at, &text, &nothing))
            return field == NULL ? false : creo_table_step(from, field);
        if (field == NULL)
            continue;
        if (!nothing) {
            void *place = creo_table_make_place(from, field, value);
            if (place == NULL || !parse(from, field, text, first, place))
                return creo_table_step(from, field);
            seen[next / 64] |= UINT64_C(1) << next % 64;
        }
        next++;
    }
    return creo_table_next(from);
}

/* The columns of one row as the items of an array of scalars (TDX-31). */
bool creo_table_read_item_columns(creo_table *from, const creo_text_field *item, void *value)
{
    creo_rows *rows = &from->rows;
    creo_gathered list = {NULL, 0, 0};
    if (rows->content != CREO_ROW_COLUMNS)
        return creo_rows_fail(rows, "the items are missing");
    for (const uint8_t *at = rows->index_end; at < rows->row_end;) {
        const uint8_t *first = at + 1;
        creo_string text;
        bool nothing;
        void *place = creo_table_next_item(from, &list, item->size, item->item_charge);
        if (place == NULL)
            return false;
        if (!creo_rows_column(rows, &at, &text, &nothing))
            return creo_at_index(from->xml->error, list.count - 1);
        bool done;
        if (nothing) {
            done = creo_is_optional(item) ? creo_set_nothing(from->xml->arena, item, place) || creo_table_no_memory(from) : creo_rows_fail(rows, "~ stands for what is not optional");
        } else {
            void *inner = creo_table_make_place(from, item, place);
            done = inner != NULL && parse(from, item, text, first, inner);
        }
        if (!done)
            return creo_at_index(from->xml->error, list.count - 1);
    }
    creo_finish_items(from->xml->arena, &list, item->size, value);
    return creo_table_next(from);
}

bool creo_table_read_entry_columns(creo_table *from, const creo_text_map *map, void *entry, size_t index, bool seen[2])
{
    creo_rows *rows = &from->rows;
    const creo_text_field *fields[2] = {map->key, map->value};
    size_t count = creo_is_scalar(map->value) ? 2 : 1;
    size_t which = 0;
    for (const uint8_t *at = rows->index_end; at < rows->row_end; which++) {
        const uint8_t *first = at + 1;
        creo_string text;
        bool nothing;
        if (which == count)
            return creo_rows_fail(rows, "the row has more columns than there are");
        bool done = creo_rows_column(rows, &at, &text, &nothing);
        if (done && !nothing) {
            void *place = creo_table_make_place(from, fields[which], entry);
            done = place != NULL && parse(from, fields[which], text, first, place);
            seen[which] = true;
        }
        if (!done)
            return which == 0 ? creo_at_key(from->xml->error, index) : creo_at_value(from->xml->error, index);
    }
    return creo_table_next(from);
}
