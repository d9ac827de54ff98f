/* Values from XML, by their descriptors: texts and attributes. */
#include "../text/constants.h"
#include "../text/numbers.h"
#include "../text/text_chars.h"
#include "../text/text_values.h"
#include "xml_read.h"

#define XOP "http://www.w3.org/2004/08/xop/include"

static inline void *content_at_offset(void *base, uint32_t offset)
{
    return (uint8_t *)base + offset;
}

/* Texts in the input stay there if the caller allows it; otherwise they are copied to the arena. */
static bool keep(creo_xml *xml, creo_string text, void *value)
{
    const uint8_t *data = (const uint8_t *)text.data;
    if (xml->keep == CREO_COPY && text.size != 0 && data >= xml->start && data < xml->all) {
        char *copy = creo_xml_copy(xml, text);
        if (copy == NULL)
            return false;
        text.data = copy;
    }
    memcpy(value, &text, sizeof text);
    return true;
}

static bool parse_enum(creo_xml *xml, const creo_text_enum *type, creo_string text, const uint8_t *at, void *value)
{
    const creo_text_constant *constant = creo_constant_of_text(type, text);
    if (constant != NULL) {
        memcpy(value, &constant->number, sizeof constant->number);
        return true;
    }
    if (type->extensible && text.size >= 2 && text.data[0] == '#') {
        const uint8_t *first = (const uint8_t *)text.data + 1;
        int64_t found;
        if (*first >= '0' && *first <= '9' && creo_parse_integer(first, first + text.size - 1, 0, INT32_MAX, &found)) {
            uint32_t number = (uint32_t)found;
            memcpy(value, &number, sizeof number);
            return true;
        }
    }
    return creo_xml_fail(xml, at, "the enum has no constant %.*s", text.size > 200 ? 200 : (int)text.size, text.data == NULL ? "" : text.data);
}

static bool parse_decimal(creo_xml *xml, creo_string text, const uint8_t *at, void *value)
{
    char room[1024];
    creo_decimal decimal;
    const char *wrong = creo_parse_decimal(text, room, &decimal);
    if (wrong != NULL)
        return creo_xml_fail(xml, at, "%s", wrong);
    if (decimal.data == room) {
        char *copy = creo_xml_copy(xml, decimal);
        if (copy == NULL)
            return false;
        decimal.data = copy;
    }
    return keep(xml, decimal, value);
}

static bool parse_bytes(creo_xml *xml, creo_string text, bool hex, const uint8_t *at, void *value)
{
    creo_bytes bytes = {NULL, 0};
    size_t room = hex ? text.size / 2 + 1 : creo_base64_room(text.size);
    uint8_t *memory = creo_arena_bytes(xml->arena, room);
    if (memory == NULL)
        return creo_xml_no_memory(xml);
    const char *wrong = hex ? creo_parse_hex(text, memory, &bytes) : creo_parse_base64(text, memory, &bytes);
    if (wrong != NULL)
        return creo_xml_fail(xml, at, "%s", wrong);
    if (memory + room == xml->arena->at)
        xml->arena->at = memory + bytes.size;
    memcpy(value, &bytes, sizeof bytes);
    return true;
}

/* `{uri}local` in the arena. */
static bool clark_name(creo_xml *xml, creo_string uri, creo_string local, creo_string *made)
{
    size_t size = uri.size + local.size + 2;
    char *name = (char *)creo_arena_bytes(xml->arena, size);
    if (name == NULL)
        return creo_xml_no_memory(xml);
    name[0] = '{';
    memcpy(name + 1, uri.data, uri.size);
    name[1 + uri.size] = '}';
    memcpy(name + 2 + uri.size, local.data, local.size);
    *made = (creo_string){name, size};
    return true;
}

/* A qualified name, by the prefixes in scope. */
static bool parse_name(creo_xml *xml, creo_string text, const uint8_t *at, void *value)
{
    const uint8_t *first = (const uint8_t *)text.data;
    const uint8_t *end = text.size == 0 ? first : first + text.size;
    size_t size = text.size == 0 ? 0 : creo_xml_name_length(first, end, false);
    creo_string prefix = {text.data, 0};
    creo_string local = {text.data, size};
    if (size != 0 && first + size < end && first[size] == ':') {
        prefix.size = size;
        local.data += size + 1;
        local.size = creo_xml_name_length(first + size + 1, end, false);
    }
    if (local.size == 0 || local.data + local.size != text.data + text.size)
        return creo_xml_fail(xml, at, "%.*s is no qualified name", text.size > 200 ? 200 : (int)text.size, text.data == NULL ? "" : text.data);
    creo_string uri;
    if (!creo_xml_resolve(xml, prefix, &uri))
        return creo_xml_fail(xml, at, "the prefix of the name %.*s is not bound", text.size > 200 ? 200 : (int)text.size, text.data);
    if (uri.size == 0)
        return keep(xml, local, value);
    xml->declared += uri.size;
    if (xml->declared > xml->limits.max_xml_text)
        return creo_xml_limit(xml, "maxXmlText", xml->limits.max_xml_text);
    creo_string name;
    if (!clark_name(xml, uri, local, &name))
        return false;
    memcpy(value, &name, sizeof name);
    return true;
}

static bool parse_list(creo_xml *xml, const creo_text_field *item, creo_string text, const uint8_t *at, void *value);

#define CONTENT_INTEGER(type, least, most, what)                                                                                                             \
    do {                                                                                                                                             \
        int64_t number;                                                                                                                              \
        creo_string digits = creo_trim(text);                                                                                                        \
        const uint8_t *first = (const uint8_t *)digits.data;                                                                                         \
        if (!CREO_LIKELY(creo_parse_integer(first, first + digits.size, least, most, &number)))                                                      \
            return creo_xml_fail(xml, at, "%s", what);                                                                                               \
        *(type *)value = (type)number;                                                                                                               \
        return true;                                                                                                                                 \
    } while (0)

/* Parses a text. */
bool creo_xml_parse_text(creo_xml *xml, const creo_text_field *field, creo_string text, const uint8_t *at, void *value)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_BOOLEAN: {
        creo_string word = creo_trim(text);
        bool any_case = false;
        const char *wrong = creo_parse_boolean(word, (bool *)value);
        if (wrong == NULL)
            return true;
        if (!creo_xml_any_case(word, &any_case))
            return creo_xml_fail(xml, at, "%s", wrong);
        *(bool *)value = any_case;
        if (xml->lenient)
            return true;
        (void)creo_xml_fail(xml, at, "%s", wrong);
        creo_xml_hint(xml, CREO_XML_ACCEPTS);
        return false;
    }
    case CREO_TEXT_BYTE:
        CONTENT_INTEGER(int8_t, INT8_MIN, INT8_MAX, "a byte is an integer from -128 to 127");
    case CREO_TEXT_SHORT:
        CONTENT_INTEGER(int16_t, INT16_MIN, INT16_MAX, "a short is an integer from -32768 to 32767");
    case CREO_TEXT_CHAR:
        CONTENT_INTEGER(uint16_t, 0, UINT16_MAX, "a char is an integer from 0 to 65535");
    case CREO_TEXT_INT:
        CONTENT_INTEGER(int32_t, INT32_MIN, INT32_MAX, "an int is an integer of 32 bits");
    case CREO_TEXT_LONG:
        CONTENT_INTEGER(int64_t, INT64_MIN, INT64_MAX, "a long is an integer of 64 bits");
    case CREO_TEXT_FLOAT: {
        creo_string digits = creo_trim(text);
        const uint8_t *first = (const uint8_t *)digits.data;
        return creo_parse_single(first, first + digits.size, (float *)value) || creo_xml_fail(xml, at, "a float is a number, NaN, INF or -INF");
    }
    case CREO_TEXT_DOUBLE: {
        creo_string digits = creo_trim(text);
        const uint8_t *first = (const uint8_t *)digits.data;
        return creo_parse_real(first, first + digits.size, (double *)value) || creo_xml_fail(xml, at, "a double is a number, NaN, INF or -INF");
    }
    case CREO_TEXT_STRING:
    case CREO_TEXT_RAW:
        return keep(xml, text, value);
    case CREO_TEXT_TOKEN:
        return keep(xml, creo_trim(text), value);
    case CREO_TEXT_QNAME:
        return xml->has_prefixes ? parse_name(xml, creo_trim(text), at, value) : keep(xml, creo_trim(text), value);
    case CREO_TEXT_DATETIME: {
        const char *wrong = creo_parse_datetime(creo_trim(text), (creo_datetime *)value);
        return wrong == NULL || creo_xml_fail(xml, at, "%s", wrong);
    }
    case CREO_TEXT_DECIMAL:
        return parse_decimal(xml, creo_trim(text), at, value);
    case CREO_TEXT_BYTES:
        return parse_bytes(xml, text, false, at, value);
    case CREO_TEXT_HEX:
        return parse_bytes(xml, creo_trim(text), true, at, value);
    case CREO_TEXT_ENUM:
        return parse_enum(xml, (const creo_text_enum *)field->type, creo_trim(text), at, value);
    case CREO_TEXT_LIST:
        return parse_list(xml, (const creo_text_field *)field->type, text, at, value);
    case CREO_TEXT_RECORD:
    case CREO_TEXT_UNION:
    case CREO_TEXT_REPEATED:
    case CREO_TEXT_WRAPPED:
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES:
        break;
    }
    return creo_xml_fail(xml, at, "the value has no text");
}

/* The value of a text of the last tag, in whose element `count` prefixes were bound. */
static bool parse_in_scope(creo_xml *xml, const creo_text_field *field, creo_string text, const uint8_t *at, void *value, uint32_t bindings)
{
    if (!creo_is_named(field)) {
        if (CREO_LIKELY(creo_xml_parse_text(xml, field, text, at, value)))
            return true;
        if (!xml->lenient && (xml->may_miss || creo_is_optional(field)) && creo_xml_is_never_blank(field) && creo_trim(text).size == 0)
            creo_xml_hint(xml, CREO_XML_MISSES);
        return false;
    }
    uint32_t behind = xml->binding_count;
    creo_xml_go_to_scope(xml, bindings);
    xml->has_prefixes = true;
    bool done = creo_xml_parse_text(xml, field, text, at, value);
    xml->has_prefixes = false;
    creo_xml_go_to_scope(xml, behind);
    return done;
}

#undef CONTENT_INTEGER

/* The next item of a list, and the rest. */
static bool content_next_word(creo_string *text, creo_string *word)
{
    *text = creo_trim(*text);
    size_t size = 0;
    while (size < text->size && !creo_is_space((uint8_t)text->data[size]))
        size++;
    *word = (creo_string){text->data, size};
    text->data = size == 0 ? text->data : text->data + size;
    text->size -= size;
    return size != 0;
}

static bool parse_list(creo_xml *xml, const creo_text_field *item, creo_string text, const uint8_t *at, void *value)
{
    size_t count = 0;
    creo_string word;
    for (creo_string rest = text; content_next_word(&rest, &word);)
        count++;
    if (!creo_xml_take_memory(xml, (uint64_t)count * item->item_charge))
        return creo_xml_too_large(xml, at);
    uint8_t *items = NULL;
    if (count != 0) {
        items = (uint8_t *)creo_arena_take(xml->arena, count, item->size);
        if (items == NULL)
            return creo_xml_no_memory(xml);
    }
    size_t index = 0;
    for (creo_string rest = text; content_next_word(&rest, &word); index++) {
        memset(items + index * item->size, 0, item->size);
        /* The path is the list's: it is one text. */
        if (!creo_xml_parse_text(xml, item, word, at, items + index * item->size))
            return false;
    }
    const void *first = items;
    memcpy(value, &first, sizeof first);
    memcpy((uint8_t *)value + sizeof first, &count, sizeof count);
    return true;
}

static bool unknown_attribute(const creo_xml *xml, const creo_attribute *attribute)
{
    (void)creo_xml_fail((creo_xml *)xml, (const uint8_t *)attribute->name.data, "the attribute %.*s is not declared here",
                        attribute->name.size > 200 ? 200 : (int)attribute->name.size, attribute->name.data);
    creo_xml_hint(xml, CREO_XML_SKIPS);
    return false;
}

bool creo_xml_check_attributes(creo_xml *xml, bool extensible)
{
    for (uint32_t i = 0; !extensible && i < xml->attribute_count; i++) {
        const creo_attribute *attribute = &xml->attributes[i];
        if (!attribute->declares && attribute->prefix.size == 0 && !xml->lenient)
            return unknown_attribute(xml, attribute);
    }
    return true;
}

void *creo_xml_make_place(creo_xml *xml, const creo_text_field *field, void *base)
{
    if (!creo_xml_charge(xml, creo_optional_charge(field)))
        return NULL;
    void *place = creo_make_place(xml->arena, field, base);
    if (place == NULL)
        (void)creo_xml_no_memory(xml);
    return place;
}

static bool is_other(const creo_attribute *attribute)
{
    return !attribute->declares && !creo_string_is(attribute->uri, CREO_XSI);
}

/* The key of an undeclared attribute. */
static bool other_name(creo_xml *xml, const creo_attribute *attribute, creo_string *key)
{
    if (attribute->uri.size == 0)
        return keep(xml, attribute->local, key);
    return clark_name(xml, attribute->uri, attribute->local, key);
}

/* The undeclared attributes, in order. */
static bool read_others(creo_xml *xml, const creo_text_field *field, void *base, const bool *taken)
{
    const creo_text_map *map = (const creo_text_map *)field->type;
    size_t count = 0;
    for (uint32_t i = 0; i < xml->attribute_count; i++)
        count += is_other(&xml->attributes[i]) && !taken[i] ? 1 : 0;
    if (!creo_xml_charge(xml, (uint64_t)count * map->charge))
        return false;
    uint8_t *entries = NULL;
    if (count != 0) {
        entries = (uint8_t *)creo_arena_take_zeroed(xml->arena, count, map->size);
        if (entries == NULL)
            return creo_xml_no_memory(xml);
    }
    uint8_t *entry = entries;
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        const creo_attribute *attribute = &xml->attributes[i];
        if (!is_other(attribute) || taken[i])
            continue;
        creo_string key;
        if (!other_name(xml, attribute, &key) || !keep(xml, attribute->value, entry + map->value->offset))
            return false;
        memcpy(entry + map->key->offset, &key, sizeof key);
        entry += map->size;
    }
    const void *first = entries;
    memcpy(content_at_offset(base, field->offset), &first, sizeof first);
    memcpy((uint8_t *)content_at_offset(base, field->offset) + sizeof first, &count, sizeof count);
    return true;
}

bool creo_xml_read_attributes(creo_xml *xml, const creo_text_record *record, void *value, uint64_t *seen)
{
    bool few[256];
    bool *taken = few;
    if (xml->attribute_count > 256) {
        taken = (bool *)creo_arena_take(xml->arena, xml->attribute_count, sizeof *taken);
        if (taken == NULL)
            return creo_xml_no_memory(xml);
    }
    memset(taken, 0, xml->attribute_count * sizeof *taken);
    const creo_text_field *others = NULL;
    for (uint32_t i = 0; i < record->field_count && (record->flags & CREO_RECORD_ATTRIBUTES) != 0; i++) {
        const creo_text_field *field = &record->fields[i];
        if (field->place != CREO_PLACE_ATTRIBUTE)
            continue;
        if (field->kind == CREO_TEXT_ATTRIBUTES) {
            others = field;
            seen[i / 64] |= UINT64_C(1) << i % 64;
            continue;
        }
        for (uint32_t j = 0; j < xml->attribute_count; j++) {
            const creo_attribute *attribute = &xml->attributes[j];
            if (attribute->declares || !creo_name_is(&field->xml, attribute->local, attribute->uri))
                continue;
            taken[j] = true;
            if (xml->lenient && creo_xml_is_never_blank(field) && creo_trim(attribute->value).size == 0)
                break;
            xml->may_miss = (field->flags & CREO_FIELD_MAY_MISS) != 0;
            seen[i / 64] |= UINT64_C(1) << i % 64;
            void *place = creo_xml_make_place(xml, field, value);
            if (place == NULL || !parse_in_scope(xml, field, attribute->value, attribute->at, place, xml->binding_count))
                return creo_at_field(xml->error, field->name);
            break;
        }
    }
    if (others != NULL)
        return read_others(xml, others, value, taken) || creo_at_field(xml->error, others->name);
    for (uint32_t i = 0; i < xml->attribute_count && (record->flags & CREO_RECORD_EXTENSIBLE) == 0; i++) {
        const creo_attribute *attribute = &xml->attributes[i];
        if (!taken[i] && !attribute->declares && attribute->prefix.size == 0 && !xml->lenient)
            return unknown_attribute(xml, attribute);
    }
    return true;
}

/* The value of `xsi:nil`; false after a failure. */
static bool read_nil(creo_xml *xml, bool *nil)
{
    *nil = false;
    const creo_attribute *attribute = xml->attribute_count == 0 ? NULL : creo_xml_attribute(xml, CREO_XSI, "nil");
    if (attribute == NULL)
        return true;
    const char *wrong = creo_parse_boolean(creo_trim(attribute->value), nil);
    return wrong == NULL || creo_xml_fail(xml, attribute->at, "xsi:nil is true or false");
}

static bool close_nil(creo_xml *xml, const creo_element *element)
{
    creo_string text;
    const uint8_t *at;
    if (!creo_xml_text(xml, element, &text, &at))
        return false;
    if (creo_trim(text).size == 0 || xml->lenient)
        return true;
    (void)creo_xml_fail(xml, at, "an element with xsi:nil is empty");
    creo_xml_hint(xml, CREO_XML_SKIPS);
    return false;
}

bool creo_xml_read_content(creo_xml *xml, const creo_text_field *field, void *base, const creo_element *element)
{
    bool nil;
    if (!read_nil(xml, &nil))
        return false;
    if (nil) {
        if (field->slot != CREO_SLOT_FLAG && field->slot != CREO_SLOT_POINTER)
            return creo_xml_fail(xml, element->name, "the value is not optional, and so xsi:nil is wrong");
        return close_nil(xml, element);
    }
    creo_string text;
    const uint8_t *at;
    uint32_t bindings = xml->binding_count;
    if (xml->lenient && creo_is_optional(field) && creo_xml_is_blank(xml, field, element))
        return creo_xml_text(xml, element, &text, &at);
    xml->may_miss = false;
    void *place = creo_xml_make_place(xml, field, base);
    return place != NULL && creo_xml_text(xml, element, &text, &at) && parse_in_scope(xml, field, text, at, place, bindings);
}

/* Decodes `%41` etc. in a `cid:` (RFC 2392). */
static bool unescape(creo_xml *xml, creo_string text, creo_string *plain)
{
    char *to = creo_xml_copy(xml, text);
    if (to == NULL)
        return false;
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        creo_bytes byte;
        uint8_t room[1];
        if (text.data[i] == '%' && text.size - i > 2 && creo_parse_hex((creo_string){text.data + i + 1, 2}, room, &byte) == NULL) {
            to[size++] = (char)room[0];
            i += 2;
        } else {
            to[size++] = text.data[i];
        }
    }
    *plain = (creo_string){to, size};
    return true;
}

bool creo_xml_take_part(creo_xml *xml, creo_string href, const uint8_t *at, void *value)
{
    creo_string id;
    if (!unescape(xml, (creo_string){href.data + 4, href.size - 4}, &id))
        return false;
    creo_xml_part *part = NULL;
    for (size_t i = 0; i < xml->part_count && part == NULL; i++)
        if (xml->parts[i].id.data != NULL && creo_string_equal(xml->parts[i].id, id))
            part = &xml->parts[i];
    if (part == NULL)
        return creo_xml_fail(xml, at, "the package has no part of this content id");
    if (part->used)
        return creo_xml_fail(xml, at, "a part of the package is used once");
    part->used = true;
    if (part->wrong != NULL)
        return creo_xml_fail(xml, at, "%s", part->wrong);
    memcpy(value, &part->bytes, sizeof part->bytes);
    return true;
}

/* The multipart's part for the current element (SOAP-20). `there`: it was such an element. */
static bool read_include(creo_xml *xml, void *value, const creo_element *element, bool *there)
{
    static const creo_namespace space = {XOP, sizeof XOP - 1};
    static const creo_text_name name = {"Include", 7, &space};
    *there = false;
    if (element->empty)
        return true;
    if (!creo_xml_to_element(xml, there))
        return false;
    if (!*there)
        return true;
    const uint8_t *at = xml->at;
    creo_element include;
    if (!creo_xml_open(xml, &include))
        return false;
    if (!creo_xml_is(xml, &name))
        return creo_xml_fail(xml, at, "an element where text is expected");
    const creo_attribute *href = creo_xml_attribute(xml, "", "href");
    if (href == NULL || href->value.size < 4 || memcmp(href->value.data, "cid:", 4) != 0)
        return creo_xml_fail(xml, at, "xop:Include has a href that is a cid:");
    if (!creo_xml_take_part(xml, href->value, at, value))
        return false;
    return creo_xml_close(xml, &include) && creo_xml_close(xml, element);
}

/* The value of an element whose start tag was read. */
static bool content_read_value(creo_xml *xml, const creo_text_field *field, void *value, const creo_element *element)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_RECORD:
        return creo_xml_read_record(xml, (const creo_text_record *)field->type, value, element);
    case CREO_TEXT_UNION:
        return creo_xml_read_union(xml, (const creo_text_union *)field->type, value, element);
    case CREO_TEXT_WRAPPED:
        return creo_xml_read_wrapped(xml, field, value, element);
    case CREO_TEXT_MAP:
        return creo_xml_read_map(xml, (const creo_text_map *)field->type, value, element);
    default:
        break;
    }
    if (xml->attribute_count != 0) {
        bool extensible = field->kind == CREO_TEXT_ENUM && ((const creo_text_enum *)field->type)->extensible;
        if (!creo_xml_check_attributes(xml, extensible))
            return false;
    }
    if (field->kind == CREO_TEXT_BYTES && xml->parts != NULL) {
        bool there;
        if (!read_include(xml, value, element, &there))
            return false;
        if (there)
            return true;
    }
    creo_string text;
    const uint8_t *at;
    uint32_t bindings = xml->binding_count;
    return creo_xml_text(xml, element, &text, &at) && parse_in_scope(xml, field, text, at, value, bindings);
}

bool creo_xml_has_optional_text(const creo_text_field *field)
{
    if (field->kind == CREO_TEXT_UNION && (((const creo_text_union *)field->type)->flags & CREO_UNION_DERIVED) != 0) {
        const creo_text_union *derived = (const creo_text_union *)field->type;
        for (uint32_t i = 0; i < derived->member_count; i++)
            if (creo_xml_has_optional_text(&derived->members[i]))
                return true;
        return false;
    }
    if (field->kind != CREO_TEXT_RECORD)
        return false;
    const creo_text_record *record = (const creo_text_record *)field->type;
    return record->text >= 0 && record->fields[record->text].slot != CREO_SLOT_VALUE;
}

bool creo_xml_read_field(creo_xml *xml, const creo_text_field *field, void *base, const creo_element *element)
{
    bool optional = creo_is_optional(field);
    if (xml->lenient && optional && creo_xml_is_blank(xml, field, element)) {
        if (!creo_set_nothing(xml->arena, field, base))
            return creo_xml_no_memory(xml);
        return close_nil(xml, element);
    }
    if (xml->attribute_count != 0) {
        bool nil;
        if (!read_nil(xml, &nil))
            return false;
        if (nil && optional) {
            /* A value held by pointer is still allocated, and marked as null. */
            if (!creo_set_nothing(xml->arena, field, base))
                return creo_xml_no_memory(xml);
            return close_nil(xml, element);
        }
        if (nil && !creo_xml_has_optional_text(field)) {
            (void)creo_xml_fail(xml, element->name, "the value is not optional, and so xsi:nil is wrong");
            if (xml->may_miss && !xml->lenient)
                creo_xml_hint(xml, CREO_XML_MISSES);
            return false;
        }
    }
    void *place = creo_xml_make_place(xml, field, base);
    return place != NULL && content_read_value(xml, field, place, element);
}

bool creo_xml_read(creo_bytes text, creo_keep keep_texts, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits,
                   creo_error *error)
{
    creo_xml xml;
    creo_element element;
    if (!creo_xml_begin(&xml, text, CREO_CHARSET_NONE, keep_texts, arena, limits, error))
        return false;
    const uint8_t *at = xml.at;
    if (!creo_xml_open(&xml, &element))
        return false;
    if (!creo_xml_is(&xml, &root->field.xml))
        return creo_xml_fail(&xml, at, "the root is %.*s of the namespace \"%.*s\", not %.*s of \"%.*s\"", xml.tag_local.size > 200 ? 200 : (int)xml.tag_local.size,
                             xml.tag_local.data, xml.tag_uri.size > 200 ? 200 : (int)xml.tag_uri.size, xml.tag_uri.data, (int)root->field.xml.size,
                             root->field.xml.local, root->field.xml.space == NULL ? 0 : (int)root->field.xml.space->size,
                             root->field.xml.space == NULL ? "" : root->field.xml.space->uri);
    return creo_xml_read_field(&xml, &root->field, value, &element) && creo_xml_finish(&xml);
}

bool creo_xml_from_bytes(const creo_text_root *root, creo_bytes xml, creo_arena *arena, void *value, creo_error *error)
{
    return creo_xml_read(xml, CREO_COPY, root, value, arena, NULL, error);
}
