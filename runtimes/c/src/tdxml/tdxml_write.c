/* Values as rows, by their descriptors (TDX-10 to TDX-32). */
#include "../buffer/distinct.h"
#include "../text/numbers.h"
#include "tdxml.h"
#include "tdxml_text.h"

/* An index of LIM-20 elements fits. */
#define MAX_INDEX ((size_t)12288)

/* The max bytes written after an index at once. */
#define MAX_STEP ((size_t)24)

typedef struct rows {
    creo_xml_out *out;
    creo_writer *writer;
    bool records;
    /* The index of the current value: extended, and truncated again. */
    size_t size;
    uint8_t index[MAX_INDEX];
} rows;

static bool table_write_element(rows *to, const creo_text_field *field, const void *value);

static inline bool room_for_step(rows *to)
{
    if (CREO_LIKELY(MAX_INDEX - to->size >= MAX_STEP))
        return true;
    creo_limits defaults = creo_limits_default();
    return creo_fail_limit(to->writer->error, "maxXmlDepth", defaults.max_xml_depth);
}

static inline void append_number(rows *to, uint64_t number)
{
    if (CREO_LIKELY(number < 10))
        to->index[to->size++] = (uint8_t)('0' + number);
    else
        to->size = (size_t)(creo_put_number((char *)to->index + to->size, number) - (char *)to->index);
}

/* `[n]` or `(n)` after the index. */
static inline bool push(rows *to, char open, uint32_t number, char close)
{
    if (!room_for_step(to))
        return false;
    to->index[to->size++] = (uint8_t)open;
    append_number(to, number);
    to->index[to->size++] = (uint8_t)close;
    return true;
}

static bool fail_count(creo_writer *writer)
{
    return creo_fail_value(writer->error, "a count is below 2^31");
}

/* The index at the start of a row. */
static inline bool put_index(rows *to)
{
    uint8_t *at = creo_write_block(to->writer, to->size);
    if (at == NULL)
        return false;
    memcpy(at, to->index, to->size);
    return true;
}

/* A row without columns. */
static bool put_row(rows *to, const char *text, size_t size)
{
    return put_index(to) && creo_put(to->writer, text, size);
}

/* TDX-25 */
static bool put_part(rows *to, creo_bytes bytes)
{
    size_t number = 0;
    return creo_xml_add_part(to->out, bytes, &number) && creo_put(to->writer, "cid:", 4) && creo_put_integer_text(to->writer, (int64_t)number) &&
           creo_put(to->writer, "@creo", 5);
}

/* The value of a scalar, after its bar. */
static bool put_scalar(rows *to, const creo_text_field *field, const void *value)
{
    creo_writer *writer = to->writer;
    switch (field->kind) {
    case CREO_TEXT_STRING:
    case CREO_TEXT_TOKEN:
    case CREO_TEXT_QNAME: {
        creo_string text = *(const creo_string *)value;
        if (text.size != 0 && text.data != NULL && text.data[0] == '~' && !creo_put(writer, "\\", 1))
            return false;
        return creo_tdxml_put_text(writer, text);
    }
    case CREO_TEXT_RAW: {
        creo_string text = *(const creo_string *)value;
        return creo_xml_check_raw(writer, field, text) && creo_tdxml_put_text(writer, text);
    }
    case CREO_TEXT_BYTES: {
        creo_bytes bytes = *(const creo_bytes *)value;
        return bytes.size >= to->out->part_from ? put_part(to, bytes) : creo_put_bytes_text(writer, bytes, false);
    }
    case CREO_TEXT_ENUM:
    case CREO_TEXT_LIST: {
        size_t from = (size_t)(writer->at - writer->start);
        return creo_put_scalar(writer, field, value, creo_tdxml_put_text) && creo_tdxml_escape_first(writer, from);
    }
    default:
        return creo_put_scalar(writer, field, value, creo_tdxml_put_text);
    }
}

static bool table_step(rows *to, const creo_text_field *field)
{
    return field->name == NULL ? false : creo_at_field(to->writer->error, field->name);
}

static inline bool table_is_attribute(const creo_text_field *field)
{
    return field->place == CREO_PLACE_ATTRIBUTE && field->kind != CREO_TEXT_ATTRIBUTES;
}

/* A row of columns being written. Trailing nulls are omitted. */
typedef struct columns {
    size_t absent;
    bool any;
} columns;

static bool put_column(rows *to, columns *row, const creo_text_field *field, const void *base)
{
    bool required;
    const void *value = creo_value_of(field, base, &required);
    if (value == NULL) {
        row->absent++;
        return !required || creo_write_null(to->writer);
    }
    for (; row->absent != 0; row->absent--)
        if (!creo_put(to->writer, "|~", 2))
            return false;
    row->any = true;
    return creo_put(to->writer, "|", 1) && put_scalar(to, field, value);
}

/* Ends a row that began at `from`: without columns it is removed. */
static bool end_columns(rows *to, const columns *row, size_t from)
{
    if (row->any)
        return creo_put(to->writer, "\n", 1);
    to->writer->at = to->writer->start + from;
    return true;
}

/* TDX-30: a struct's own row. */
static bool write_columns(rows *to, const creo_text_record *record, const void *value)
{
    bool attributes = (record->flags & CREO_RECORD_ATTRIBUTES) != 0;
    size_t from = (size_t)(to->writer->at - to->writer->start);
    columns row = {0, false};
    if (!put_index(to))
        return false;
    for (uint32_t i = 0; attributes && i < record->field_count; i++)
        if (table_is_attribute(&record->fields[i]) && !put_column(to, &row, &record->fields[i], value))
            return table_step(to, &record->fields[i]);
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if (creo_is_scalar(field) && !(attributes && table_is_attribute(field)) && !put_column(to, &row, field, value))
            return table_step(to, field);
    }
    return end_columns(to, &row, from);
}

/* The items of an array; scalars are the columns of one row (TDX-31). */
static bool table_write_items(rows *to, const creo_text_field *item, const void *value)
{
    creo_list items = creo_list_at(value);
    if (!creo_check_list(to->writer, &items))
        return false;
    if (items.count > INT32_MAX)
        return fail_count(to->writer);
    bool one_row = to->records && creo_is_scalar(item);
    if (one_row && items.count != 0 && !put_index(to))
        return false;
    size_t before = to->size;
    for (size_t i = 0; i < items.count; i++) {
        bool required;
        const void *one = creo_value_of(item, items.items + i * item->size, &required);
        bool done = one != NULL || !required || creo_write_null(to->writer);
        if (done && one_row) {
            done = one == NULL ? creo_put(to->writer, "|~", 2) : creo_put(to->writer, "|", 1) && put_scalar(to, item, one);
        } else if (done && room_for_step(to)) {
            append_number(to, i);
            done = one == NULL ? put_row(to, "~\n", 2) : table_write_element(to, item, one);
            to->size = before;
        } else {
            done = false;
        }
        if (!done)
            return creo_at_index(to->writer->error, i);
    }
    return !one_row || items.count == 0 || creo_put(to->writer, "\n", 1);
}

/* The rows of a field other than a column. */
static bool write_field(rows *to, const creo_text_field *field, const void *base)
{
    bool required;
    const void *value = creo_value_of(field, base, &required);
    if (value == NULL)
        return !required || creo_write_null(to->writer);
    size_t before = to->size;
    bool attribute = table_is_attribute(field);
    /* A text has the index of its element. */
    if (field->place != CREO_PLACE_TEXT && !push(to, attribute ? '(' : '[', field->number, attribute ? ')' : ']'))
        return false;
    bool done = field->kind == CREO_TEXT_REPEATED ? table_write_items(to, (const creo_text_field *)field->type, value) : table_write_element(to, field, value);
    to->size = before;
    return done;
}

static bool write_fields(rows *to, const creo_text_record *record, const void *value)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if (!(to->records && creo_is_scalar(field)) && !table_is_attribute(field) && field->place != CREO_PLACE_TEXT && !write_field(to, field, value))
            return table_step(to, field);
    }
    return true;
}

/* In the aggregated scheme the text comes first, then the attributes (TDX-13). */
static bool write_text_and_attributes(rows *to, const creo_text_record *record, const void *value)
{
    if (record->text >= 0 && !write_field(to, &record->fields[record->text], value))
        return table_step(to, &record->fields[record->text]);
    for (uint32_t i = 0; i < record->field_count; i++)
        if (table_is_attribute(&record->fields[i]) && !write_field(to, &record->fields[i], value))
            return table_step(to, &record->fields[i]);
    return true;
}

static bool table_out_enter(rows *to, uint32_t flags)
{
    return (flags & CREO_RECORD_RECURSIVE) == 0 || creo_writer_enter(to->writer);
}

static void table_out_leave(rows *to, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) != 0)
        creo_writer_leave(to->writer);
}

static bool write_record(rows *to, const creo_text_record *record, const void *value)
{
    if (!table_out_enter(to, record->flags))
        return false;
    if (to->records ? !write_columns(to, record, value)
                    : (record->flags & CREO_RECORD_ATTRIBUTES || record->text >= 0) && !write_text_and_attributes(to, record, value))
        return false;
    if (!write_fields(to, record, value))
        return false;
    table_out_leave(to, record->flags);
    return true;
}

static bool write_entry(rows *to, const creo_text_map *map, const void *entry, size_t index)
{
    bool column = to->records && creo_is_scalar(map->value);
    if (to->records) {
        columns row = {0, false};
        size_t from = (size_t)(to->writer->at - to->writer->start);
        if (!put_index(to) || !put_column(to, &row, map->key, entry))
            return creo_at_key(to->writer->error, index);
        if (column && !put_column(to, &row, map->value, entry))
            return creo_at_value(to->writer->error, index);
        if (!end_columns(to, &row, from))
            return false;
    } else if (!write_field(to, map->key, entry)) {
        return creo_at_key(to->writer->error, index);
    }
    return column || write_field(to, map->value, entry) || creo_at_value(to->writer->error, index);
}

static bool table_write_map(rows *to, const creo_text_map *map, const void *value)
{
    creo_list entries = creo_list_at(value);
    creo_writer *writer = to->writer;
    if (!creo_check_list(writer, &entries) || !creo_writer_distinct(writer, entries.items, entries.count, map->size, map->keys))
        return false;
    if (entries.count > INT32_MAX)
        return fail_count(writer);
    if (!push(to, '[', 0, ']'))
        return false;
    size_t before = to->size;
    for (size_t i = 0; i < entries.count; i++) {
        if (!room_for_step(to))
            return false;
        append_number(to, i);
        if (!write_entry(to, map, entries.items + i * map->size, i))
            return false;
        to->size = before;
    }
    return true;
}

static bool table_write_union(rows *to, const creo_text_union *type, const void *value)
{
    uint32_t kind;
    memcpy(&kind, creo_at_offset(value, type->kind), sizeof kind);
    if (kind >= type->member_count)
        return creo_fail_value(to->writer->error, (type->flags & CREO_RECORD_EXTENSIBLE) != 0 ? "a member that is not known here cannot be written as text"
                                                                                             : "the union has no member of this kind");
    const creo_text_field *member = &type->members[kind];
    if (!table_out_enter(to, type->flags) || !push(to, '[', kind, ']'))
        return false;
    bool required;
    const void *held = creo_value_of(member, value, &required);
    bool done = held != NULL ? table_write_element(to, member, held) : required ? creo_write_null(to->writer) : put_row(to, "~\n", 2);
    table_out_leave(to, type->flags);
    return done || table_step(to, member);
}

/* The rows at and beneath the index of a present element: a presence row if there would be none (TDX-22). */
static bool table_write_element(rows *to, const creo_text_field *field, const void *value)
{
    if (creo_is_scalar(field))
        return put_index(to) && creo_put(to->writer, "|", 1) && put_scalar(to, field, value) && creo_put(to->writer, "\n", 1);
    creo_writer *writer = to->writer;
    size_t from = creo_writer_size(writer);
    size_t before = to->size;
    bool done = false;
    switch (field->kind) {
    case CREO_TEXT_RECORD:
        done = write_record(to, (const creo_text_record *)field->type, value);
        break;
    case CREO_TEXT_UNION:
        done = table_write_union(to, (const creo_text_union *)field->type, value);
        break;
    case CREO_TEXT_WRAPPED:
        done = push(to, '[', 0, ']') && table_write_items(to, (const creo_text_field *)field->type, value);
        break;
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES:
        done = table_write_map(to, (const creo_text_map *)field->type, value);
        break;
    default:
        (void)creo_fail_value(writer->error, "the value is of no known kind");
        break;
    }
    to->size = before;
    return done && (creo_writer_size(writer) != from || put_row(to, "\n", 1));
}

bool creo_tdxml_write_rows(creo_xml_out *out, const creo_tdxml_root *root, const void *value, creo_tdxml_scheme scheme)
{
    rows to;
    to.out = out;
    to.writer = out->writer;
    to.records = scheme == CREO_TDXML_RECORD;
    memcpy(to.index, "[0]", 3);
    to.size = 3;
    return root->field != NULL ? table_write_element(&to, root->field, value) : write_record(&to, root->record, value);
}
