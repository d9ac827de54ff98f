/* Values as JSON, by their descriptors (JSON-1 to JSON-4). */
#include "../base/utf8.h"
#include "../buffer/distinct.h"
#include "../text/constants.h"
#include "../text/numbers.h"
#include "../text/text_chars.h"
#include "../text/text_write.h"
#include "json.h"

#define JSON_GET(type, from) (*(const type *)(from))

/* The largest long that JavaScript represents exactly (VAL-2). */
#define SAFE ((INT64_C(1) << 53) - 1)

static inline uint8_t *json_copy(uint8_t *to, const char *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

/* The escape of a byte; empty if it needs none. */
static size_t escape(uint8_t c, char text[6])
{
    static const char digits[] = "0123456789abcdef";
    char letter = 0;
    switch (c) {
    case '"':
    case '\\':
        letter = (char)c;
        break;
    case '\b':
        letter = 'b';
        break;
    case '\f':
        letter = 'f';
        break;
    case '\n':
        letter = 'n';
        break;
    case '\r':
        letter = 'r';
        break;
    case '\t':
        letter = 't';
        break;
    default:
        if (c >= 0x20)
            return 0;
        memcpy(text, "\\u00", 4);
        text[4] = digits[c >> 4];
        text[5] = digits[c & 15];
        return 6;
    }
    text[0] = '\\';
    text[1] = letter;
    return 2;
}

static inline bool json_is_odd(uint64_t word)
{
    return (creo_zero_bytes(word ^ CREO_EACH_BYTE * '"') | creo_zero_bytes(word ^ CREO_EACH_BYTE * '\\')) != 0 || creo_has_odd_bytes(word);
}

bool creo_json_put_string(creo_writer *writer, creo_string text)
{
    if (text.size != 0 && text.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the text is NULL");
    const uint8_t *at = (const uint8_t *)text.data;
    const uint8_t *end = text.size == 0 ? at : at + text.size;
    if (!creo_put(writer, "\"", 1))
        return false;
    while (at < end) {
        size_t left = (size_t)(end - at);
        if (!CREO_LIKELY((size_t)(writer->end - writer->at) >= left) && !creo_writer_grow(writer, left))
            return false;
        uint8_t *to = writer->at;
        while (end - at >= 8) {
            uint64_t word = creo_load8(at);
            if (json_is_odd(word))
                break;
            memcpy(to, &word, 8);
            at += 8;
            to += 8;
        }
        /* The next eight bytes one by one, then words again. */
        const uint8_t *stop = end - at >= 8 ? at + 8 : end;
        char escaped[6];
        size_t size = 0;
        while (at < stop) {
            if (*at >= 0x80) {
                size_t length = creo_utf8_sequence(at, (size_t)(end - at));
                if (length == 0)
                    return creo_fail_value(writer->error, "a string is well-formed UTF-8");
                memcpy(to, at, length);
                at += length;
                to += length;
                continue;
            }
            size = escape(*at, escaped);
            if (size != 0)
                break;
            *to++ = *at++;
        }
        writer->at = to;
        if (size != 0) {
            if (!creo_put(writer, escaped, size))
                return false;
            at++;
        }
    }
    return creo_put(writer, "\"", 1);
}

static bool is_surrogate(uint16_t unit)
{
    return unit >= 0xD800 && unit <= 0xDFFF;
}

static bool put_char(creo_writer *writer, uint16_t unit, bool key)
{
    if (is_surrogate(unit))
        return key ? creo_put(writer, "\"", 1) && creo_put_integer_text(writer, unit) && creo_put(writer, "\"", 1) : creo_put_integer_text(writer, unit);
    uint8_t text[4];
    return creo_json_put_string(writer, (creo_string){(const char *)text, creo_put_utf8(text, unit)});
}

static bool put_long(creo_writer *writer, int64_t value)
{
    if (value >= -SAFE && value <= SAFE)
        return creo_put_integer_text(writer, value);
    return creo_put(writer, "\"", 1) && creo_put_integer_text(writer, value) && creo_put(writer, "\"", 1);
}

static bool put_infinite(creo_writer *writer, double value)
{
    return value != value ? creo_put(writer, "\"NaN\"", 5) : value > 0 ? creo_put(writer, "\"Infinity\"", 10) : creo_put(writer, "\"-Infinity\"", 11);
}

static bool put_enum(creo_writer *writer, const creo_text_enum *type, const void *value, bool key)
{
    uint32_t number;
    memcpy(&number, value, sizeof number);
    const creo_text_constant *constant = creo_constant_of_number(type, number);
    if (constant != NULL)
        return creo_json_put_string(writer, creo_text(constant->name));
    if (!type->extensible)
        return creo_fail_value(writer->error, "the enum has no constant of this number");
    if (number > INT32_MAX)
        return creo_fail_value(writer->error, "a count is below 2^31");
    return key ? creo_put(writer, "\"", 1) && creo_put_integer_text(writer, number) && creo_put(writer, "\"", 1) : creo_put_integer_text(writer, number);
}

static bool json_put_quoted(creo_writer *writer, creo_decimal decimal)
{
    return creo_put(writer, "\"", 1) && creo_put(writer, decimal.data, decimal.size) && creo_put(writer, "\"", 1);
}

/* VAL-12: the text of the key's JSON value. */
static bool put_key(creo_writer *writer, const creo_text_field *field, const void *value)
{
    int64_t number = 0;
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_STRING:
    case CREO_TEXT_TOKEN:
    case CREO_TEXT_QNAME:
        return creo_json_put_string(writer, JSON_GET(creo_string, value));
    case CREO_TEXT_BOOLEAN:
        return JSON_GET(bool, value) ? creo_put(writer, "\"true\"", 6) : creo_put(writer, "\"false\"", 7);
    case CREO_TEXT_CHAR:
        return put_char(writer, JSON_GET(uint16_t, value), true);
    case CREO_TEXT_ENUM:
        return put_enum(writer, (const creo_text_enum *)field->type, value, true);
    case CREO_TEXT_BYTE:
        number = JSON_GET(int8_t, value);
        break;
    case CREO_TEXT_SHORT:
        number = JSON_GET(int16_t, value);
        break;
    case CREO_TEXT_INT:
        number = JSON_GET(int32_t, value);
        break;
    case CREO_TEXT_LONG:
        number = JSON_GET(int64_t, value);
        break;
    default:
        return creo_fail_value(writer->error, "a key of this type has no text");
    }
    return creo_put(writer, "\"", 1) && creo_put_integer_text(writer, number) && creo_put(writer, "\"", 1);
}

/* An array item, after a comma unless it is the first. */
static bool write_item(creo_writer *writer, const creo_text_field *item, const creo_list *items, size_t i)
{
    return ((i == 0 || creo_put(writer, ",", 1)) && creo_json_write_value(writer, item, items->items + i * item->size)) || creo_at_index(writer->error, i);
}

/* Numeric items: most are written where there is room for the longest, without further checks. */
#define NUMBERS(type, plain, put)                                                                                                                    \
    for (size_t i = 0; i < items->count; i++) {                                                                                                      \
        type value = JSON_GET(type, items->items + i * sizeof(type));                                                                                     \
        if (CREO_LIKELY(writer->end - writer->at > CREO_NUMBER_TEXT && (plain))) {                                                                   \
            char *at = (char *)writer->at;                                                                                                           \
            if (i != 0)                                                                                                                              \
                *at++ = ',';                                                                                                                         \
            writer->at = (uint8_t *)(put);                                                                                                           \
        } else if (!write_item(writer, item, items, i)) {                                                                                            \
            return false;                                                                                                                            \
        }                                                                                                                                            \
    }                                                                                                                                                \
    return true

static bool json_write_items(creo_writer *writer, const creo_text_field *item, const creo_list *items)
{
    switch (item->slot == CREO_SLOT_VALUE ? item->kind : CREO_TEXT_RECORD) {
    case CREO_TEXT_SHORT:
        NUMBERS(int16_t, true, creo_put_signed(at, value));
    case CREO_TEXT_INT:
        NUMBERS(int32_t, true, creo_put_signed(at, value));
    case CREO_TEXT_LONG:
        NUMBERS(int64_t, value >= -SAFE && value <= SAFE, creo_put_signed(at, value));
    case CREO_TEXT_FLOAT:
        NUMBERS(float, value - value == 0, creo_put_single(at, value));
    case CREO_TEXT_DOUBLE:
        NUMBERS(double, value - value == 0, creo_put_real(at, value));
    default:
        break;
    }
    for (size_t i = 0; i < items->count; i++)
        if (!write_item(writer, item, items, i))
            return false;
    return true;
}

#undef NUMBERS

static bool write_array(creo_writer *writer, const creo_text_field *item, const void *value)
{
    creo_list items = creo_list_at(value);
    return creo_check_list(writer, &items) && creo_put(writer, "[", 1) && json_write_items(writer, item, &items) && creo_put(writer, "]", 1);
}

static bool json_write_map(creo_writer *writer, const creo_text_map *map, const void *value)
{
    creo_list entries = creo_list_at(value);
    if (!creo_check_list(writer, &entries) || !creo_writer_distinct(writer, entries.items, entries.count, map->size, map->keys) || !creo_put(writer, "{", 1))
        return false;
    for (size_t i = 0; i < entries.count; i++) {
        const uint8_t *entry = entries.items + i * map->size;
        if (i != 0 && !creo_put(writer, ",", 1))
            return false;
        if (!put_key(writer, map->key, entry + map->key->offset))
            return creo_at_key(writer->error, i);
        if (!creo_put(writer, ":", 1) || !creo_json_write_value(writer, map->value, entry))
            return creo_at_value(writer->error, i);
    }
    return creo_put(writer, "}", 1);
}

/* `"name":`, after a comma unless it is the first. */
static inline bool json_put_name(creo_writer *writer, const creo_text_field *field, bool first)
{
    uint8_t *at = creo_write_block(writer, (size_t)field->name_size + (first ? 3 : 4));
    if (at == NULL)
        return false;
    if (!first)
        *at++ = ',';
    *at++ = '"';
    at = json_copy(at, field->name, field->name_size);
    at[0] = '"';
    at[1] = ':';
    return true;
}

static bool json_write_union(creo_writer *writer, const creo_text_union *type, const void *value)
{
    uint32_t kind;
    memcpy(&kind, creo_at_offset(value, type->kind), sizeof kind);
    if (kind >= type->member_count)
        return creo_fail_value(writer->error, (type->flags & CREO_RECORD_EXTENSIBLE) != 0 ? "a member that is not known here cannot be written as text"
                                                                                         : "the union has no member of this kind");
    const creo_text_field *member = &type->members[kind];
    bool recursive = (type->flags & CREO_RECORD_RECURSIVE) != 0;
    if (recursive && !creo_writer_enter(writer))
        return false;
    if (!creo_put(writer, "{", 1) || !json_put_name(writer, member, true) || !creo_json_write_value(writer, member, value))
        return creo_at_field(writer->error, member->name);
    if (recursive)
        creo_writer_leave(writer);
    return creo_put(writer, "}", 1);
}

/* A present value. */
static bool write_there(creo_writer *writer, const creo_text_field *field, const void *value)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_BOOLEAN:
        return JSON_GET(bool, value) ? creo_put(writer, "true", 4) : creo_put(writer, "false", 5);
    case CREO_TEXT_BYTE:
        return creo_put_integer_text(writer, JSON_GET(int8_t, value));
    case CREO_TEXT_SHORT:
        return creo_put_integer_text(writer, JSON_GET(int16_t, value));
    case CREO_TEXT_CHAR:
        return put_char(writer, JSON_GET(uint16_t, value), false);
    case CREO_TEXT_INT:
        return creo_put_integer_text(writer, JSON_GET(int32_t, value));
    case CREO_TEXT_LONG:
        return put_long(writer, JSON_GET(int64_t, value));
    case CREO_TEXT_FLOAT: {
        float number = JSON_GET(float, value);
        return number - number == 0 ? creo_put_single_text(writer, number) : put_infinite(writer, (double)number);
    }
    case CREO_TEXT_DOUBLE: {
        double number = JSON_GET(double, value);
        return number - number == 0 ? creo_put_real_text(writer, number) : put_infinite(writer, number);
    }
    case CREO_TEXT_STRING:
    case CREO_TEXT_TOKEN:
    case CREO_TEXT_QNAME:
    case CREO_TEXT_RAW:
        return creo_json_put_string(writer, JSON_GET(creo_string, value));
    case CREO_TEXT_DATETIME:
        return creo_put(writer, "\"", 1) && creo_put_instant_text(writer, JSON_GET(creo_datetime, value)) && creo_put(writer, "\"", 1);
    case CREO_TEXT_DECIMAL:
        if (!creo_decimal_valid(JSON_GET(creo_decimal, value)))
            return creo_fail_value(writer->error, "a decimal is in canonical form and has at most 1,000 digits");
        return json_put_quoted(writer, JSON_GET(creo_decimal, value));
    case CREO_TEXT_BYTES:
    case CREO_TEXT_HEX:
        return creo_put(writer, "\"", 1) && creo_put_bytes_text(writer, JSON_GET(creo_bytes, value), false) && creo_put(writer, "\"", 1);
    case CREO_TEXT_ENUM:
        return put_enum(writer, (const creo_text_enum *)field->type, value, false);
    case CREO_TEXT_RECORD:
        return creo_json_write_record(writer, (const creo_text_record *)field->type, value);
    case CREO_TEXT_UNION:
        return json_write_union(writer, (const creo_text_union *)field->type, value);
    case CREO_TEXT_REPEATED:
    case CREO_TEXT_WRAPPED:
    case CREO_TEXT_LIST:
        return write_array(writer, (const creo_text_field *)field->type, value);
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES:
        return json_write_map(writer, (const creo_text_map *)field->type, value);
    }
    return creo_fail_value(writer->error, "the value is of no known kind");
}

bool creo_json_write_value(creo_writer *writer, const creo_text_field *field, const void *base)
{
    bool required;
    const void *value = creo_value_of(field, base, &required);
    if (CREO_LIKELY(value != NULL))
        return write_there(writer, field, value);
    return required ? creo_write_null(writer) : creo_put(writer, "null", 4);
}

static bool write_member(creo_writer *writer, const creo_text_field *field, const void *base, bool *first)
{
    bool required;
    const void *value = creo_value_of(field, base, &required);
    if (value == NULL)
        return !required || creo_write_null(writer) || creo_at_field(writer->error, field->name);
    if (!json_put_name(writer, field, *first))
        return false;
    *first = false;
    return write_there(writer, field, value) || creo_at_field(writer->error, field->name);
}

bool creo_json_write_record(creo_writer *writer, const creo_text_record *record, const void *value)
{
    bool recursive = (record->flags & CREO_RECORD_RECURSIVE) != 0;
    bool attributes = (record->flags & CREO_RECORD_ATTRIBUTES) != 0;
    bool first = true;
    if ((recursive && !creo_writer_enter(writer)) || !creo_put(writer, "{", 1))
        return false;
    for (uint32_t i = 0; attributes && i < record->field_count; i++)
        if (creo_json_is_attribute(&record->fields[i]) && !write_member(writer, &record->fields[i], value, &first))
            return false;
    for (uint32_t i = 0; i < record->field_count; i++)
        if (!(attributes && creo_json_is_attribute(&record->fields[i])) && !write_member(writer, &record->fields[i], value, &first))
            return false;
    if (recursive)
        creo_writer_leave(writer);
    return creo_put(writer, "}", 1);
}

bool creo_json_write(creo_writer *writer, const creo_text_root *root, const void *value)
{
    return creo_json_write_value(writer, &root->field, value);
}

bool creo_json_to_bytes(const creo_text_root *root, const void *value, creo_arena *arena, creo_bytes *json, creo_error *error)
{
    creo_writer writer;
    creo_writer_init(&writer, arena, NULL, error);
    if (!creo_json_write(&writer, root, value))
        return false;
    *json = creo_writer_bytes(&writer);
    return true;
}
