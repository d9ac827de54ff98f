/* Values from JSON, by their descriptors: objects and arrays. */
#include "json.h"

/* The max number of fields whose presence is noted on the stack. */
#define JSON_FEW 256

bool creo_json_keep(creo_json_in *in, creo_string text, void *value)
{
    const uint8_t *data = (const uint8_t *)text.data;
    if (in->keep == CREO_COPY && text.size != 0 && data >= in->start && data < in->all) {
        uint8_t *copy = creo_arena_bytes(in->arena, text.size);
        if (copy == NULL)
            return creo_json_no_memory(in);
        memcpy(copy, text.data, text.size);
        text.data = (const char *)copy;
    }
    memcpy(value, &text, sizeof text);
    return true;
}

static bool json_enter(creo_json_in *in, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) == 0)
        return true;
    if (in->levels_left == 0)
        return creo_json_limit(in, "maxDepth", in->limits.max_depth);
    in->levels_left--;
    return true;
}

static void json_leave(creo_json_in *in, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) != 0)
        in->levels_left++;
}

/* Reads the name at the reader's position if it equals that of the field, compared as bytes. */
static inline bool json_read_predicted(creo_json_in *in, const creo_text_field *field)
{
    size_t size = field->name_size;
    if ((size_t)(in->end - in->at) < size + 2 || in->at[0] != '"' || in->at[size + 1] != '"' || memcmp(in->at + 1, field->name, size) != 0)
        return false;
    in->at += size + 2;
    return true;
}

/* Reads a name, possibly with escapes, and finds its field; -1 if there is none, -2 after a failure. */
static int json_read_name(creo_json_in *in, const creo_text_field *fields, uint32_t count, bool extensible)
{
    const uint8_t *at = in->at;
    creo_string name;
    if (!creo_json_string(in, &name, NULL))
        return -2;
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].name_size == name.size && memcmp(fields[i].name, name.data, name.size) == 0)
            return (int)i;
    if (name.size > in->limits.max_xml_name) {
        in->at = at;
        (void)creo_json_limit(in, "maxXmlName", in->limits.max_xml_name);
        return -2;
    }
    if (extensible)
        return -1;
    (void)creo_json_fail(in, at, "the member %.*s is not declared here", name.size > 200 ? 200 : (int)name.size, name.data);
    return -2;
}

/* JSON-11: an absent field must be optional, or have a default. */
static bool json_check_missing(creo_json_in *in, const creo_text_record *record, const uint64_t *seen, const uint8_t *at)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if ((seen[i / 64] >> i % 64 & 1) == 0 && field->slot != CREO_SLOT_FLAG && field->slot != CREO_SLOT_POINTER && (field->flags & CREO_FIELD_DEFAULT) == 0)
            return creo_json_fail(in, at, "the member %.*s is missing", field->name_size > 200 ? 200 : (int)field->name_size, field->name);
    }
    return true;
}

/* The first field from an index that is an attribute, or that is not; the number of fields if there is none. */
static uint32_t skip_to(const creo_text_record *record, uint32_t i, bool attribute)
{
    while (i < record->field_count && creo_json_is_attribute(&record->fields[i]) != attribute)
        i++;
    return i;
}

/* The field written after the one before `next`, or first if that is 0: attributes come before the others (JSON-1). */
static inline uint32_t following(const creo_text_record *record, uint32_t next)
{
    if ((record->flags & CREO_RECORD_ATTRIBUTES) == 0)
        return next;
    bool attribute = next == 0 || creo_json_is_attribute(&record->fields[next - 1]);
    next = skip_to(record, next, attribute);
    return attribute && next == record->field_count ? skip_to(record, 0, false) : next;
}

static bool json_read_members(creo_json_in *in, const creo_text_record *record, void *value, uint64_t *seen)
{
    uint32_t next = following(record, 0);
    for (bool first = true;; first = false) {
        bool closed;
        if (!creo_json_next(in, '}', first, &closed))
            return false;
        if (closed)
            return json_check_missing(in, record, seen, in->at - 1);
        const uint8_t *at = in->at;
        int found = (int)next;
        if (next >= record->field_count || !json_read_predicted(in, &record->fields[next]))
            found = json_read_name(in, record->fields, record->field_count, (record->flags & CREO_RECORD_EXTENSIBLE) != 0);
        if (found == -2)
            return false;
        if (found == -1) {
            if (!creo_json_colon(in) || !creo_json_skip(in))
                return false;
            continue;
        }
        const creo_text_field *field = &record->fields[found];
        if ((seen[found / 64] >> found % 64 & 1) != 0)
            return creo_json_fail(in, at, "the member %.*s was there before", field->name_size > 200 ? 200 : (int)field->name_size, field->name);
        seen[found / 64] |= UINT64_C(1) << found % 64;
        if (!creo_json_colon(in) || !creo_json_read_field(in, field, value))
            return creo_at_field(in->error, field->name);
        next = following(record, (uint32_t)found + 1);
    }
}

bool creo_json_read_record(creo_json_in *in, const creo_text_record *record, void *value)
{
    uint64_t few[JSON_FEW / 64] = {0};
    uint64_t *seen = few;
    if (record->field_count > JSON_FEW) {
        seen = (uint64_t *)creo_arena_take_zeroed(in->arena, (record->field_count + 63) / 64, sizeof *seen);
        if (seen == NULL)
            return creo_json_no_memory(in);
    }
    if (!json_enter(in, record->flags) || !creo_json_open(in, '{', "an object"))
        return false;
    creo_clear_record(record, value);
    if (!json_read_members(in, record, value, seen))
        return false;
    json_leave(in, record->flags);
    return true;
}

/* VAL-11 */
static bool json_read_union(creo_json_in *in, const creo_text_union *type, void *value)
{
    bool closed;
    memset(value, 0, type->size);
    if (!json_enter(in, type->flags) || !creo_json_open(in, '{', "an object") || !creo_json_next(in, '}', true, &closed))
        return false;
    if (closed)
        return creo_json_fail(in, in->at - 1, "the union's member is missing");
    int found = json_read_name(in, type->members, type->member_count, false);
    if (found < 0)
        return false;
    uint32_t kind = (uint32_t)found;
    const creo_text_field *member = &type->members[kind];
    memcpy((uint8_t *)value + type->kind, &kind, sizeof kind);
    if (!creo_json_charge(in, creo_member_charge(member)))
        return false;
    if (!creo_json_colon(in) || !creo_json_read_field(in, member, value))
        return creo_at_field(in->error, member->name);
    if (!creo_json_next(in, '}', false, &closed))
        return false;
    json_leave(in, type->flags);
    return closed || creo_json_fail(in, in->at, "a union has one member");
}

static bool read_array(creo_json_in *in, const creo_text_field *item, void *value)
{
    /* Scalar items are read directly into their memory. */
    bool straight = item->slot == CREO_SLOT_VALUE && creo_is_scalar(item) && item->kind != CREO_TEXT_LIST;
    creo_gathered list = {NULL, 0, 0};
    if (!creo_json_open(in, '[', "an array"))
        return false;
    for (bool first = true;; first = false) {
        bool closed;
        if (!creo_json_next(in, ']', first, &closed))
            return false;
        if (closed)
            break;
        if (!creo_json_charge(in, item->item_charge))
            return false;
        void *place = creo_next_item(in->arena, &list, item->size);
        if (place == NULL)
            return creo_json_no_memory(in);
        if (!straight)
            memset(place, 0, item->size);
        if (!(straight && *in->at != 'n' ? creo_json_read_scalar(in, item, place) : creo_json_read_field(in, item, place)))
            return creo_at_index(in->error, list.count - 1);
    }
    creo_finish_items(in->arena, &list, item->size, value);
    return true;
}

static bool json_read_entry(creo_json_in *in, const creo_text_map *map, uint8_t *entry, size_t index)
{
    const uint8_t *at = in->at;
    creo_string key;
    uint16_t unit = 0;
    if (!creo_json_string(in, &key, map->key->kind == CREO_TEXT_CHAR ? &unit : NULL) || !creo_json_parse_key(in, map->key, key, unit, at, entry + map->key->offset))
        return creo_at_key(in->error, index);
    return (creo_json_colon(in) && creo_json_read_field(in, map->value, entry)) || creo_at_value(in->error, index);
}

static bool json_read_map(creo_json_in *in, const creo_text_map *map, void *value)
{
    const uint8_t *at = in->at;
    creo_gathered list = {NULL, 0, 0};
    if (!creo_json_open(in, '{', "an object"))
        return false;
    for (bool first = true;; first = false) {
        bool closed;
        if (!creo_json_next(in, '}', first, &closed))
            return false;
        if (closed)
            break;
        if (!creo_json_charge(in, map->charge))
            return false;
        uint8_t *entry = (uint8_t *)creo_next_item(in->arena, &list, map->size);
        if (entry == NULL)
            return creo_json_no_memory(in);
        memset(entry, 0, map->size);
        if (!json_read_entry(in, map, entry, list.count - 1))
            return false;
    }
    creo_finish_items(in->arena, &list, map->size, value);
    switch (creo_check_keys(in->arena, map, &list)) {
    case CREO_KEYS_NO_MEMORY:
        return creo_json_no_memory(in);
    case CREO_KEYS_REPEATED:
        return creo_json_fail(in, at, "a key occurs twice in a map");
    case CREO_KEYS_DISTINCT:
        break;
    }
    return true;
}

bool creo_json_read_field(creo_json_in *in, const creo_text_field *field, void *base)
{
    if (in->at < in->end && *in->at == 'n') {
        const uint8_t *at = in->at;
        if (!creo_json_word(in, "null"))
            return false;
        if (!creo_is_optional(field))
            return creo_json_fail(in, at, "null stands for what is not optional");
        return creo_set_nothing(in->arena, field, base) || creo_json_no_memory(in);
    }
    if (!creo_json_charge(in, creo_optional_charge(field)))
        return false;
    void *place = creo_make_place(in->arena, field, base);
    if (place == NULL)
        return creo_json_no_memory(in);
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_RECORD:
        return creo_json_read_record(in, (const creo_text_record *)field->type, place);
    case CREO_TEXT_UNION:
        return json_read_union(in, (const creo_text_union *)field->type, place);
    case CREO_TEXT_REPEATED:
    case CREO_TEXT_WRAPPED:
    case CREO_TEXT_LIST:
        return read_array(in, (const creo_text_field *)field->type, place);
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES:
        return json_read_map(in, (const creo_text_map *)field->type, place);
    default:
        return creo_json_read_scalar(in, field, place);
    }
}

bool creo_json_read(creo_bytes json, creo_keep keep, const creo_text_root *root, void *value, creo_arena *arena, const creo_limits *limits, creo_error *error)
{
    creo_json_in in;
    return creo_json_begin(&in, json, keep, arena, limits, error) && creo_json_read_field(&in, &root->field, value) && creo_json_finish(&in);
}

bool creo_json_from_bytes(const creo_text_root *root, creo_bytes json, creo_arena *arena, void *value, creo_error *error)
{
    return creo_json_read(json, CREO_COPY, root, value, arena, NULL, error);
}
