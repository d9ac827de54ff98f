/* Values as XML, by their descriptors. */
#include "../buffer/distinct.h"
#include "xml_writer.h"

static bool element_write_element(creo_xml_out *out, const creo_text_field *field, const void *value);
static bool element_write_union(creo_xml_out *out, const creo_text_union *type, const void *value);

#define ELEMENT_GET(type, from) (*(const type *)(from))

static bool is_null(creo_xml_out *out)
{
    return creo_fail_value(out->writer->error, "the pointer to the value is NULL");
}

static bool element_step(creo_xml_out *out, const creo_text_field *field)
{
    return field->name == NULL ? false : creo_at_field(out->writer->error, field->name);
}

bool creo_xml_add_part(creo_xml_out *out, creo_bytes bytes, size_t *number)
{
    creo_writer *writer = out->writer;
    if (bytes.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the bytes is NULL");
    if (out->part_count == out->part_room) {
        size_t room = out->part_room == 0 ? 8 : out->part_room * 2;
        creo_bytes *parts = (creo_bytes *)creo_arena_take(writer->arena, room, sizeof *parts);
        if (parts == NULL)
            return creo_fail(writer->error, CREO_TOO_LARGE, "the writer has no memory left for the value");
        if (out->part_count != 0)
            memcpy(parts, out->parts, out->part_count * sizeof *parts);
        out->parts = parts;
        out->part_room = room;
    }
    *number = out->part_count;
    out->parts[out->part_count++] = bytes;
    return true;
}

/* A byte string as a MIME part: its element contains a reference to it. */
static bool write_part(creo_xml_out *out, creo_bytes bytes)
{
    static const char before[] = "<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:";
    static const char behind[] = "@creo\"></xop:Include>";
    size_t number = 0;
    return creo_xml_add_part(out, bytes, &number) && creo_xml_put(out, before, sizeof before - 1) && creo_put_integer_text(out->writer, (int64_t)number) &&
           creo_xml_put(out, behind, sizeof behind - 1);
}

static bool write_attribute(creo_xml_out *out, const creo_text_record *record, const creo_text_field *field, const void *base)
{
    bool required;
    const void *value = creo_value_of(field, base, &required);
    if (value == NULL)
        return required ? is_null(out) : true;
    if (field->kind == CREO_TEXT_ATTRIBUTES)
        return creo_xml_write_any_attributes(out, record, (const creo_text_map *)field->type, value);
    if (creo_is_named(field))
        return creo_xml_put_attribute(out, &field->xml) && creo_xml_put(out, "=\"", 2) && creo_xml_put_names(out, field, value) && creo_xml_put(out, "\"", 1) &&
               creo_xml_put_declarations(out, (size_t)(out->writer->at - out->writer->start));
    return creo_xml_put_attribute(out, &field->xml) && creo_xml_put(out, "=\"", 2) && creo_put_scalar(out->writer, field, value, creo_xml_put_quoted) && creo_xml_put(out, "\"", 1);
}

static bool put_nil(creo_xml_out *out)
{
    return creo_xml_put(out, " xsi:nil=\"true\"", 15);
}

static bool element_enter(creo_xml_out *out, uint32_t flags)
{
    return (flags & CREO_RECORD_RECURSIVE) == 0 || creo_writer_enter(out->writer);
}

static void element_leave(creo_xml_out *out, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) != 0)
        creo_writer_leave(out->writer);
}

bool creo_xml_write_content(creo_xml_out *out, const creo_text_record *record, const void *value)
{
    if (!element_enter(out, record->flags))
        return false;
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if (field->place == CREO_PLACE_ATTRIBUTE || field->place == CREO_PLACE_HEADER || field->place == CREO_PLACE_TEXT)
            continue;
        if (!creo_xml_write_field(out, field, value))
            return element_step(out, field);
    }
    element_leave(out, record->flags);
    return true;
}

static bool write_attributes(creo_xml_out *out, const creo_text_record *record, const void *value)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if (field->place == CREO_PLACE_ATTRIBUTE && !write_attribute(out, record, field, value))
            return element_step(out, field);
    }
    return true;
}

bool creo_xml_write_record(creo_xml_out *out, const creo_text_record *record, const void *value)
{
    creo_xml_begin_names(out);
    if ((record->flags & CREO_RECORD_ATTRIBUTES) != 0 && !write_attributes(out, record, value))
        return false;
    if (record->text < 0)
        return creo_xml_put(out, ">", 1) && creo_xml_write_content(out, record, value);
    const creo_text_field *text = &record->fields[record->text];
    bool required;
    const void *content = creo_value_of(text, value, &required);
    if (content == NULL)
        return (required ? is_null(out) : put_nil(out) && creo_xml_put(out, ">", 1)) || element_step(out, text);
    if (creo_is_named(text))
        return creo_xml_put_named_content(out, text, content) || element_step(out, text);
    return (creo_xml_put(out, ">", 1) && creo_put_scalar(out->writer, text, content, creo_xml_put_content)) || element_step(out, text);
}

static bool write_entries(creo_xml_out *out, const creo_text_map *map, const void *value)
{
    creo_list entries = creo_list_at(value);
    if (!creo_check_list(out->writer, &entries) || !creo_writer_distinct(out->writer, entries.items, entries.count, map->size, map->keys))
        return false;
    creo_text_name entry = {"entry", 5, map->key->xml.space};
    for (size_t i = 0; i < entries.count; i++) {
        const uint8_t *one = entries.items + i * map->size;
        if (!creo_xml_put_open(out, &entry) || !creo_xml_put(out, ">", 1))
            return false;
        if (!creo_xml_write_field(out, map->key, one))
            return creo_at_key(out->writer->error, i);
        if (!creo_xml_write_field(out, map->value, one))
            return creo_at_value(out->writer->error, i);
        if (!creo_xml_put_close(out, &entry))
            return false;
    }
    return true;
}

/* An element for each item. */
static bool element_write_items(creo_xml_out *out, const creo_text_field *item, const void *value)
{
    creo_list items = creo_list_at(value);
    if (!creo_check_list(out->writer, &items))
        return false;
    for (size_t i = 0; i < items.count; i++)
        if (!creo_xml_write_field(out, item, items.items + i * item->size))
            return creo_at_index(out->writer->error, i);
    return true;
}

bool creo_xml_write_inside(creo_xml_out *out, const creo_text_field *field, const void *value)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_RECORD:
        return creo_xml_write_record(out, (const creo_text_record *)field->type, value);
    case CREO_TEXT_UNION:
        return element_write_union(out, (const creo_text_union *)field->type, value);
    case CREO_TEXT_WRAPPED:
        return creo_xml_put(out, ">", 1) && element_write_items(out, (const creo_text_field *)field->type, value);
    case CREO_TEXT_MAP:
        return creo_xml_put(out, ">", 1) && write_entries(out, (const creo_text_map *)field->type, value);
    case CREO_TEXT_BYTES:
        if (ELEMENT_GET(creo_bytes, value).size >= out->part_from)
            return creo_xml_put(out, ">", 1) && write_part(out, ELEMENT_GET(creo_bytes, value));
        break;
    default:
        break;
    }
    if (creo_is_named(field)) {
        creo_xml_begin_names(out);
        return creo_xml_put_named_content(out, field, value);
    }
    return creo_xml_put(out, ">", 1) && creo_put_scalar(out->writer, field, value, creo_xml_put_content);
}

/* The rest of a union's element: the member as an element; or, if it is identified by xsi:type, the member's own content. */
static bool element_write_union(creo_xml_out *out, const creo_text_union *type, const void *value)
{
    uint32_t kind;
    memcpy(&kind, creo_at_offset(value, type->kind), sizeof kind);
    if (kind >= type->member_count)
        return creo_fail_value(out->writer->error, (type->flags & CREO_RECORD_EXTENSIBLE) != 0 ? "a member that is not known here cannot be written as text"
                                                                                              : "the union has no member of this kind");
    const creo_text_field *member = &type->members[kind];
    if (!element_enter(out, type->flags))
        return false;
    bool done;
    if ((type->flags & CREO_UNION_DERIVED) == 0) {
        done = creo_xml_put(out, ">", 1) && creo_xml_write_field(out, member, value);
    } else {
        bool required;
        const void *held = creo_value_of(member, value, &required);
        const creo_text_record *record = (const creo_text_record *)member->type;
        done = held != NULL || is_null(out);
        if (done && (type->base != (int32_t)kind || out->put_type != NULL))
            done = creo_xml_put(out, " xsi:type=\"", 11) && creo_xml_put_name(out, &record->xml) && creo_xml_put(out, "\"", 1);
        done = done && creo_xml_write_record(out, record, held);
    }
    element_leave(out, type->flags);
    return done || element_step(out, member);
}

static bool element_write_element(creo_xml_out *out, const creo_text_field *field, const void *value)
{
    return creo_xml_put_open(out, &field->xml) && (out->put_type == NULL || out->put_type(out, field, value)) && creo_xml_write_inside(out, field, value) &&
           creo_xml_put_close(out, &field->xml);
}

bool creo_xml_check_raw(creo_writer *writer, const creo_text_field *field, creo_string text)
{
    if (text.size != 0 && text.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the text is NULL");
    creo_limits limits = creo_limits_default();
    creo_arena *arena = writer->arena;
    creo_arena spare;
    uint8_t memory[16384];
    if (arena == NULL) {
        creo_arena_init_fixed(&spare, memory, sizeof memory);
        arena = &spare;
    }
    return creo_xml_is_element(text, field->place == CREO_PLACE_ANY ? NULL : &field->xml, arena, &limits) ||
           creo_fail_value(writer->error, "the text is no well-formed element, or one of another name");
}

/* A complete element that the caller has as text. */
static bool write_raw(creo_xml_out *out, const creo_text_field *field, creo_string text)
{
    return creo_xml_check_raw(out->writer, field, text) && creo_xml_put(out, text.data, text.size);
}

/* The inline content of the field's record: a group, a choice, or many of them. */
static bool write_inline(creo_xml_out *out, const creo_text_field *field, const void *value)
{
    if (field->kind == CREO_TEXT_RECORD)
        return creo_xml_write_content(out, (const creo_text_record *)field->type, value);
    const creo_text_union *type = (const creo_text_union *)field->type;
    uint32_t kind;
    memcpy(&kind, creo_at_offset(value, type->kind), sizeof kind);
    if (kind >= type->member_count)
        return creo_fail_value(out->writer->error, "a member that is not known here cannot be written as text");
    if (!element_enter(out, type->flags))
        return false;
    if (!creo_xml_write_field(out, &type->members[kind], value))
        return element_step(out, &type->members[kind]);
    element_leave(out, type->flags);
    return true;
}

bool creo_xml_write_field(creo_xml_out *out, const creo_text_field *field, const void *base)
{
    bool required;
    const void *value = creo_value_of(field, base, &required);
    if (value == NULL) {
        if (required)
            return is_null(out);
        if ((field->flags & CREO_FIELD_NILLABLE) == 0)
            return true;
        return creo_xml_put_open(out, &field->xml) && put_nil(out) && creo_xml_put(out, ">", 1) && creo_xml_put_close(out, &field->xml);
    }
    if (field->kind == CREO_TEXT_REPEATED)
        return element_write_items(out, (const creo_text_field *)field->type, value);
    if (field->kind == CREO_TEXT_RAW)
        return write_raw(out, field, ELEMENT_GET(creo_string, value));
    return field->place == CREO_PLACE_INLINE ? write_inline(out, field, value) : element_write_element(out, field, value);
}

bool creo_xml_write(creo_writer *writer, const creo_text_root *root, const void *value)
{
    creo_xml_out out;
    creo_xml_out_init(&out, writer, &root->spaces);
    return creo_xml_put_open(&out, &root->field.xml) && creo_xml_put_spaces(&out) && creo_xml_write_inside(&out, &root->field, value) &&
           creo_xml_put_close(&out, &root->field.xml);
}

bool creo_xml_to_bytes(const creo_text_root *root, const void *value, creo_arena *arena, creo_bytes *xml, creo_error *error)
{
    creo_writer writer;
    creo_writer_init(&writer, arena, NULL, error);
    if (!creo_xml_write(&writer, root, value))
        return false;
    *xml = creo_writer_bytes(&writer);
    return true;
}
