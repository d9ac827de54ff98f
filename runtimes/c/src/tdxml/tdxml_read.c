/*
 * Values from rows, by their descriptors (TDX-20 to TDX-32). The rows are read once, in schema order; if that fails because they have another order,
 * they are sorted and read again.
 *
 * Each function reads the rows at and beneath the index of one element of `depth` steps: the next row is the first of them, and the function ends at
 * the first row that is not beneath it.
 */
#include "tdxml_read.h"

/* The max number of fields whose presence is noted on the stack. */
#define TABLE_FEW 256

/* The max number of fields of a group that may be absent completely. */
#define MAX_FIELDS 4096

static bool read_at(creo_table *from, const creo_text_field *field, void *base, uint32_t depth);

/* The position of an error at the next row. */
static const uint8_t *next_row(const creo_table *from)
{
    return creo_rows_where(&from->rows, from->rows.done ? from->rows.end : from->rows.row);
}

bool creo_table_too_large(creo_table *from)
{
    return creo_xml_too_large(from->xml, next_row(from));
}

void *creo_table_make_place(creo_table *from, const creo_text_field *field, void *base)
{
    if (!creo_table_charge(from, creo_optional_charge(field)))
        return NULL;
    void *place = creo_make_place(from->xml->arena, field, base);
    if (place == NULL)
        (void)creo_table_no_memory(from);
    return place;
}

void *creo_table_next_item(creo_table *from, creo_gathered *list, size_t size, uint32_t charge)
{
    if (!creo_table_charge(from, charge))
        return NULL;
    void *place = creo_next_item(from->xml->arena, list, size);
    if (place == NULL)
        (void)creo_table_no_memory(from);
    else
        memset(place, 0, size);
    return place;
}

static bool table_enter(creo_table *from, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) == 0)
        return true;
    if (from->xml->levels_left == 0) {
        from->xml->at = next_row(from);
        return creo_xml_limit(from->xml, "maxDepth", from->xml->limits.max_depth);
    }
    from->xml->levels_left--;
    return true;
}

static void table_leave(creo_table *from, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) != 0)
        from->xml->levels_left++;
}

static bool fail_unknown(creo_table *from)
{
    return creo_rows_fail(&from->rows, "an index that the type does not have here, or that came before");
}

static bool table_check_missing(creo_table *from, const creo_text_record *record, void *value, const uint64_t *seen)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if ((seen[i / 64] >> i % 64 & 1) != 0 || (field->flags & CREO_FIELD_MAY_MISS) != 0)
            continue;
        if (field->kind == CREO_TEXT_RECORD) {
            static const uint64_t none[MAX_FIELDS / 64] = {0};
            const creo_text_record *inner = (const creo_text_record *)field->type;
            void *place = creo_table_make_place(from, field, value);
            if (place == NULL)
                return false;
            creo_clear_record(inner, place);
            if (inner->field_count <= MAX_FIELDS && table_check_missing(from, inner, place, none))
                continue;
            return creo_table_step(from, field);
        }
        const char *name = field->name == NULL ? "result" : field->name;
        return creo_xml_fail(from->xml, next_row(from), "the %s %.200s is missing",
                             field->place == CREO_PLACE_ATTRIBUTE ? "attribute" : "element", name);
    }
    return true;
}

/* Reads a row that marks a null value, and goes to the next one. `there`: there is a value whose rows are to be read. */
static bool read_nothing(creo_table *from, const creo_text_field *field, void *base, bool *there)
{
    *there = from->rows.content != CREO_ROW_NOTHING;
    if (*there)
        return true;
    if (!creo_is_optional(field))
        return creo_rows_fail(&from->rows, "~ stands for what is not optional");
    return (creo_set_nothing(from->xml->arena, field, base) || creo_table_no_memory(from)) && creo_table_next(from);
}

/* The row with the struct's own index. */
static bool read_own(creo_table *from, const creo_text_record *record, void *value, uint64_t *seen)
{
    creo_rows *rows = &from->rows;
    if (rows->content == CREO_ROW_PRESENCE)
        return creo_table_next(from);
    if (rows->content == CREO_ROW_COLUMNS && from->records)
        return creo_table_read_columns(from, record, value, seen);
    if (record->text < 0)
        return creo_rows_fail(rows, rows->content == CREO_ROW_NOTHING ? "~ stands for what is not optional" : "the type has no text of its own");
    const creo_text_field *text = &record->fields[record->text];
    bool there;
    seen[record->text / 64] |= UINT64_C(1) << record->text % 64;
    if (!read_nothing(from, text, value, &there))
        return creo_table_step(from, text);
    if (!there)
        return true;
    void *place = creo_table_make_place(from, text, value);
    if (place == NULL)
        return false;
    return creo_table_read_scalar(from, text, place) || creo_table_step(from, text);
}

/* Skips the rows of an attribute, or of all occurrences of a child, that an extensible struct does not know. */
static bool table_skip(creo_table *from, uint32_t depth, uint32_t number, bool extensible)
{
    creo_rows *rows = &from->rows;
    bool attribute = rows->depth == depth;
    if (!extensible)
        return fail_unknown(from);
    for (;;) {
        const uint8_t *before = rows->row;
        const uint8_t *before_end = rows->index_end;
        const uint8_t *at = rows->index_end;
        creo_string text;
        bool nothing;
        while (rows->content == CREO_ROW_COLUMNS && at < rows->row_end)
            if (!creo_rows_column(rows, &at, &text, &nothing))
                return false;
        if (!creo_table_next(from))
            return false;
        if (attribute || !creo_table_beneath(from, depth) || rows->depth <= depth || rows->steps[depth].number != number)
            return true;
        if (creo_rows_compare(before, before_end, rows->row, rows->index_end) >= 0)
            return fail_unknown(from);
    }
}

/* Whether the next row is at or beneath the next item: the repeated child has an index of `depth` steps. */
static inline bool is_item(const creo_table *from, uint32_t depth, uint32_t number)
{
    return creo_table_beneath(from, depth - 1) && from->rows.depth >= depth && from->rows.steps[depth - 1].number == number;
}

static bool fail_occurrence(creo_table *from, size_t due)
{
    return creo_rows_fail(&from->rows, "the occurrence %zu is due here", due);
}

/* The items of an array, from the first one's row. */
static bool read_items(creo_table *from, const creo_text_field *item, void *value, uint32_t depth)
{
    creo_rows *rows = &from->rows;
    uint32_t number = rows->steps[depth - 1].number;
    if (from->records && creo_is_scalar(item)) {
        if (rows->depth != depth || rows->is_attribute || rows->steps[depth - 1].occurrence != CREO_NO_OCCURRENCE)
            return creo_rows_fail(rows, "the items are the columns of one row");
        return creo_table_read_item_columns(from, item, value);
    }
    creo_gathered list = {NULL, 0, 0};
    creo_table_take(from);
    while (is_item(from, depth, number)) {
        if (rows->steps[depth - 1].occurrence != list.count)
            return fail_occurrence(from, list.count);
        void *place = creo_table_next_item(from, &list, item->size, item->item_charge);
        if (place == NULL)
            return false;
        if (!read_at(from, item, place, depth))
            return creo_at_index(from->xml->error, list.count - 1);
    }
    creo_finish_items(from->xml->arena, &list, item->size, value);
    return true;
}

/* A struct's field whose element has `depth` steps, from its first row. */
static bool read_field(creo_table *from, const creo_text_field *field, void *base, uint32_t depth)
{
    creo_rows *rows = &from->rows;
    if (field->kind == CREO_TEXT_REPEATED) {
        void *place = creo_table_make_place(from, field, base);
        return place != NULL && read_items(from, (const creo_text_field *)field->type, place, depth);
    }
    if (rows->steps[depth - 1].occurrence != CREO_NO_OCCURRENCE)
        return creo_rows_fail(rows, "an occurrence stands where nothing repeats");
    if (from->records && creo_is_scalar(field))
        return creo_rows_fail(rows, "the value is a column of its struct's row");
    return read_at(from, field, base, depth);
}

/* The next attribute, or the next element, with the number; the field count if there is none. */
static uint32_t table_find(const creo_text_record *record, uint32_t from, uint32_t number, bool attribute)
{
    for (; from < record->field_count; from++) {
        const creo_text_field *field = &record->fields[from];
        if (field->number == number && field->place != CREO_PLACE_TEXT && creo_table_is_attribute(field) == attribute)
            break;
    }
    return from;
}

static bool read_children(creo_table *from, const creo_text_record *record, void *value, uint32_t depth, uint64_t *seen)
{
    creo_rows *rows = &from->rows;
    bool extensible = (record->flags & CREO_RECORD_EXTENSIBLE) != 0;
    /* The min number that may follow: attributes, then elements, each in ascending order. */
    uint32_t least[2] = {0, 0};
    uint32_t next[2] = {0, 0};
    bool elements = false;
    while (creo_table_beneath(from, depth)) {
        if (rows->depth == depth && (!rows->is_attribute || elements))
            return fail_unknown(from);
        bool attribute = rows->depth == depth;
        elements = !attribute;
        uint32_t number = attribute ? rows->attribute : rows->steps[depth].number;
        if (number < least[attribute])
            return fail_unknown(from);
        least[attribute] = number + 1;
        uint32_t found = table_find(record, next[attribute], number, attribute);
        if (found == record->field_count) {
            if (!table_skip(from, depth, number, extensible))
                return false;
            continue;
        }
        next[attribute] = found + 1;
        const creo_text_field *field = &record->fields[found];
        seen[found / 64] |= UINT64_C(1) << found % 64;
        creo_table_take(from);
        bool done;
        if (!attribute)
            done = read_field(from, field, value, depth + 1);
        else if (from->records)
            done = creo_rows_fail(rows, "the value is a column of its struct's row");
        else
            done = read_at(from, field, value, depth);
        if (!done)
            return creo_table_step(from, field);
    }
    return true;
}

/* The record, from its first row; `none`: it has no rows. */
static bool read_record(creo_table *from, const creo_text_record *record, void *value, uint32_t depth, bool none)
{
    uint64_t few[TABLE_FEW / 64] = {0};
    uint64_t *seen = few;
    if (record->field_count > TABLE_FEW) {
        seen = (uint64_t *)creo_arena_take_zeroed(from->xml->arena, (record->field_count + 63) / 64, sizeof *seen);
        if (seen == NULL)
            return creo_table_no_memory(from);
    }
    if (!table_enter(from, record->flags))
        return false;
    creo_clear_record(record, value);
    if (!none) {
        creo_table_take(from);
        if (creo_table_is_own(from, depth) && !read_own(from, record, value, seen))
            return false;
        if (!read_children(from, record, value, depth, seen))
            return false;
    }
    if (!table_check_missing(from, record, value, seen))
        return false;
    table_leave(from, record->flags);
    return true;
}

/* Skips the presence row of an element without columns; its children follow. */
static bool pass_presence(creo_table *from, uint32_t depth)
{
    creo_table_take(from);
    if (!creo_table_is_own(from, depth))
        return from->rows.depth != depth || fail_unknown(from);
    return from->rows.content == CREO_ROW_PRESENCE ? creo_table_next(from) : creo_rows_fail(&from->rows, "the type has no text of its own");
}

/* Whether a child follows, which must have the number. */
static bool has_child(creo_table *from, uint32_t depth, uint32_t number, bool *there)
{
    *there = creo_table_beneath(from, depth);
    if (!*there)
        return true;
    return (from->rows.depth > depth && from->rows.steps[depth].number == number) || fail_unknown(from);
}

/* Fails if more rows follow beneath the element. */
static bool no_more(creo_table *from, uint32_t depth)
{
    return !creo_table_beneath(from, depth) || fail_unknown(from);
}

static bool read_wrapped(creo_table *from, const creo_text_field *item, void *value, uint32_t depth)
{
    bool there;
    memset(value, 0, sizeof(void *) + sizeof(size_t));
    if (!pass_presence(from, depth) || !has_child(from, depth, 0, &there))
        return false;
    return !there || (read_items(from, item, value, depth + 1) && no_more(from, depth));
}

/* An entry, whose element has `depth` steps. */
static bool table_read_entry(creo_table *from, const creo_text_map *map, void *entry, size_t index, uint32_t depth)
{
    creo_rows *rows = &from->rows;
    bool seen[2] = {false, false};
    creo_table_take(from);
    if (creo_table_is_own(from, depth) && rows->content == CREO_ROW_COLUMNS && from->records) {
        if (!creo_table_read_entry_columns(from, map, entry, index, seen))
            return false;
    } else if (!pass_presence(from, depth)) {
        return false;
    }
    while (creo_table_beneath(from, depth)) {
        if (rows->depth == depth || rows->steps[depth].number > 1)
            return fail_unknown(from);
        uint32_t which = rows->steps[depth].number;
        if (seen[which] || (which == 0 && seen[1]))
            return fail_unknown(from);
        seen[which] = true;
        creo_table_take(from);
        if (!read_field(from, which == 0 ? map->key : map->value, entry, depth + 1))
            return which == 0 ? creo_at_key(from->xml->error, index) : creo_at_value(from->xml->error, index);
    }
    if (seen[0] && (seen[1] || (map->value->flags & CREO_FIELD_MAY_MISS) != 0))
        return true;
    if (seen[0] && map->value->kind == CREO_TEXT_RECORD) {
        void *place = creo_table_make_place(from, map->value, entry);
        if (place == NULL)
            return false;
        return read_record(from, (const creo_text_record *)map->value->type, place, depth + 1, true) || creo_at_value(from->xml->error, index);
    }
    return creo_xml_fail(from->xml, next_row(from), "the %s of an entry is missing", seen[0] ? "value" : "key");
}

static bool table_read_map(creo_table *from, const creo_text_map *map, void *value, uint32_t depth)
{
    creo_rows *rows = &from->rows;
    const uint8_t *at = creo_rows_where(rows, rows->row);
    creo_gathered list = {NULL, 0, 0};
    bool there;
    memset(value, 0, sizeof(void *) + sizeof(size_t));
    if (!pass_presence(from, depth) || !has_child(from, depth, 0, &there))
        return false;
    if (!there)
        return true;
    creo_table_take(from);
    while (is_item(from, depth + 1, 0)) {
        if (rows->steps[depth].occurrence != list.count)
            return fail_occurrence(from, list.count);
        void *entry = creo_table_next_item(from, &list, map->size, map->charge);
        if (entry == NULL)
            return false;
        if (!table_read_entry(from, map, entry, list.count - 1, depth + 1))
            return false;
    }
    creo_finish_items(from->xml->arena, &list, map->size, value);
    switch (creo_check_keys(from->xml->arena, map, &list)) {
    case CREO_KEYS_NO_MEMORY:
        return creo_table_no_memory(from);
    case CREO_KEYS_REPEATED:
        return creo_xml_fail(from->xml, at, "a key occurs twice in a map");
    case CREO_KEYS_DISTINCT:
        break;
    }
    return no_more(from, depth);
}

static bool table_read_union(creo_table *from, const creo_text_union *type, void *value, uint32_t depth)
{
    creo_rows *rows = &from->rows;
    memset(value, 0, type->size);
    if (!table_enter(from, type->flags) || !pass_presence(from, depth))
        return false;
    if (!creo_table_beneath(from, depth))
        return creo_xml_fail(from->xml, next_row(from), "a row for the union's member is missing");
    uint32_t kind = rows->depth > depth ? rows->steps[depth].number : UINT32_MAX;
    if (kind >= type->member_count)
        return fail_unknown(from);
    const creo_text_field *member = &type->members[kind];
    memcpy((uint8_t *)value + type->kind, &kind, sizeof kind);
    if (!creo_table_charge(from, creo_member_charge(member)))
        return false;
    creo_table_take(from);
    if (rows->steps[depth].occurrence != CREO_NO_OCCURRENCE)
        return creo_rows_fail(rows, "an occurrence stands where nothing repeats");
    if (!read_at(from, member, value, depth + 1))
        return creo_table_step(from, member);
    table_leave(from, type->flags);
    return no_more(from, depth);
}

/* The value of an element of `depth` steps, or of its attribute, from its first row: into the field of a struct, an item, a member. */
static bool read_at(creo_table *from, const creo_text_field *field, void *base, uint32_t depth)
{
    creo_rows *rows = &from->rows;
    bool there = true;
    if (rows->depth == depth && rows->content == CREO_ROW_NOTHING && rows->is_attribute == creo_table_is_attribute(field) &&
        (creo_is_optional(field) || field->kind != CREO_TEXT_RECORD)) {
        if (!read_nothing(from, field, base, &there))
            return false;
        if (!there)
            return true;
    }
    void *value = creo_table_make_place(from, field, base);
    if (value == NULL)
        return false;
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_RECORD:
        return read_record(from, (const creo_text_record *)field->type, value, depth, false);
    case CREO_TEXT_UNION:
        return table_read_union(from, (const creo_text_union *)field->type, value, depth);
    case CREO_TEXT_WRAPPED:
        return read_wrapped(from, (const creo_text_field *)field->type, value, depth);
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES:
        return table_read_map(from, (const creo_text_map *)field->type, value, depth);
    default:
        break;
    }
    if (rows->depth != depth || rows->is_attribute != creo_table_is_attribute(field))
        return fail_unknown(from);
    return creo_table_read_scalar(from, field, value);
}

/* Reads all rows in order. */
static bool walk(creo_table *from, const creo_tdxml_root *root, void *value)
{
    creo_rows *rows = &from->rows;
    const creo_text_record *record = root->record;
    if (record == NULL && root->field->kind == CREO_TEXT_RECORD)
        record = (const creo_text_record *)root->field->type;
    if (rows->done && record != NULL)
        return read_record(from, record, value, 1, true);
    if (rows->done)
        return creo_rows_fail(rows, "the table is empty");
    if (!creo_rows_check_root(rows))
        return false;
    creo_table_take(from);
    if (!(root->record != NULL ? read_record(from, root->record, value, 1, false) : read_at(from, root->field, value, 1)))
        return false;
    return rows->done || fail_unknown(from);
}

bool creo_tdxml_read_value(creo_xml *xml, const creo_tdxml_document *document, const creo_tdxml_root *root, void *value)
{
    if (document->schema.data != NULL && !creo_tdxml_check_schema(xml, root, document->schema))
        return false;
    creo_table from;
    from.xml = xml;
    from.records = document->scheme == CREO_TDXML_RECORD;
    uint32_t levels = xml->levels_left;
    uint64_t memory = xml->memory_left;
    /* Of a multipart's parts, only the one with the table was used. */
    size_t root_part = 0;
    while (root_part < xml->part_count && !xml->parts[root_part].used)
        root_part++;
    creo_mark before = creo_arena_mark(xml->arena);
    creo_error own;
    if (xml->error == NULL) {
        /* The error shows whether the order of the rows is the reason. */
        own.code = CREO_OK;
        xml->error = &own;
        bool done = creo_tdxml_read_value(xml, document, root, value);
        xml->error = NULL;
        return done;
    }
    if (creo_rows_begin(&from.rows, xml, document) && walk(&from, root, value))
        return true;
    if (xml->error->code != CREO_MALFORMED || creo_rows_in_order(xml, document))
        return false;
    creo_arena_rewind(xml->arena, before);
    for (size_t i = 0; i < xml->part_count; i++)
        xml->parts[i].used = i == root_part;
    xml->levels_left = levels;
    xml->memory_left = memory;
    return creo_rows_begin_sorted(&from.rows, xml, document) && walk(&from, root, value);
}
