/* Values from XML, by their descriptors: the elements of records, unions, arrays and maps. */
#include "xml_read.h"

static inline void *xml_at_offset(void *base, uint32_t offset)
{
    return (uint8_t *)base + offset;
}

bool creo_xml_step(creo_xml *xml, const creo_text_field *field)
{
    return field->name == NULL ? false : creo_at_field(xml->error, field->name);
}

static bool xml_enter(creo_xml *xml, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) == 0)
        return true;
    if (xml->levels_left == 0)
        return creo_xml_limit(xml, "maxDepth", xml->limits.max_depth);
    xml->levels_left--;
    return true;
}

static void xml_leave(creo_xml *xml, uint32_t flags)
{
    if ((flags & CREO_RECORD_RECURSIVE) != 0)
        xml->levels_left++;
}

void *creo_xml_next_item(creo_xml *xml, creo_gathered *list, size_t size, uint32_t charge)
{
    if (!creo_xml_charge(xml, charge))
        return NULL;
    void *place = creo_next_item(xml->arena, list, size);
    if (place == NULL)
        (void)creo_xml_no_memory(xml);
    return place;
}

/* The tag at the reader's position, if it has this name; otherwise the reader does not move. */
bool creo_xml_open_named(creo_xml *xml, const creo_text_name *name, creo_element *element, bool *failed)
{
    *failed = false;
    if (CREO_LIKELY(creo_xml_open_predicted(xml, name, element)))
        return true;
    creo_xml_mark before = creo_xml_mark_of(xml);
    if (!creo_xml_open(xml, element)) {
        *failed = true;
        return false;
    }
    if (creo_xml_is(xml, name))
        return true;
    creo_xml_go_back(xml, &before);
    return false;
}

/* The record's field that begins with the last start tag. The fields from `from` come first; -1 if there is none, -2 if it is a duplicate. */
static int find_start(creo_xml *xml, const creo_text_record *record, uint32_t from, const uint64_t *seen)
{
    int found = -1;
    for (uint32_t i = 0; i < record->start_count; i++) {
        const creo_text_start *start = &record->starts[i];
        if (!creo_name_is(&start->name, xml->tag_local, xml->tag_uri))
            continue;
        if ((seen[start->field / 64] >> start->field % 64 & 1) != 0) {
            found = found == -1 ? -2 : found;
            continue;
        }
        (void)creo_xml_is(xml, &start->name);
        if (start->field >= from)
            return (int)start->field;
        found = (int)start->field;
    }
    return found;
}

static bool begins_other(creo_xml *xml, const creo_text_record *record)
{
    for (uint32_t i = 0; i < record->start_count; i++)
        if (creo_name_is(&record->starts[i].name, xml->tag_local, xml->tag_uri))
            return true;
    return false;
}

static bool read_inline(creo_xml *xml, const creo_text_field *field, void *base, const creo_element *parent, bool *closed);

/* An element as text: `raw`, or `any`. */
static bool read_raw(creo_xml *xml, const creo_text_field *field, void *value)
{
    creo_string text;
    if (!creo_xml_raw(xml, field->place == CREO_PLACE_ANY ? NULL : &field->xml, &text))
        return false;
    memcpy(value, &text, sizeof text);
    return true;
}

bool creo_xml_read_raw(creo_xml *xml, const creo_text_field *field, void *base)
{
    void *place = creo_xml_make_place(xml, field, base);
    return place != NULL && read_raw(xml, field, place);
}

/* The items of an array behind the first, read leniently, up to the end of the element or to what is none; with `apart`, also past other elements (XML-51). */
static bool read_more_items(creo_xml *xml, const creo_text_record *record, const creo_text_field *item, creo_gathered *list, const creo_element *parent,
                            bool apart, bool *closed)
{
    creo_xml_mark other;
    bool went_past = false;
    while (!*closed) {
        creo_xml_mark before = creo_xml_mark_of(xml);
        creo_element child;
        if (!creo_xml_open(xml, &child))
            return false;
        bool is_item = item->place == CREO_PLACE_ANY ? !begins_other(xml, record) : creo_name_is(&item->xml, xml->tag_local, xml->tag_uri);
        if (!is_item && !went_past) {
            went_past = true;
            other = before;
            if (!apart)
                break;
        }
        if (!is_item || creo_xml_is_missing(xml, item, &child)) {
            if (!creo_xml_skip(xml, &child) || !creo_xml_next(xml, parent, closed))
                return false;
            continue;
        }
        void *place = creo_xml_next_item(xml, list, item->size, item->item_charge);
        if (place == NULL)
            return false;
        memset(place, 0, item->size);
        if (item->kind == CREO_TEXT_RAW)
            creo_xml_go_back(xml, &before);
        if (!(item->kind == CREO_TEXT_RAW ? read_raw(xml, item, xml_at_offset(place, item->offset)) : creo_xml_read_field(xml, item, place, &child)))
            return creo_at_index(xml->error, list->count - 1);
        if (!creo_xml_next(xml, parent, closed))
            return false;
    }
    if (went_past) {
        creo_xml_go_back(xml, &other);
        *closed = false;
    }
    return true;
}

/* The items of an array in sequence. The first one's tag is `first`, which was read, or the reader is at it if it is inline or raw. */
static bool read_repeated(creo_xml *xml, const creo_text_record *record, const creo_text_field *field, uint32_t index, void *value,
                          const creo_element *parent, const creo_element *first, bool *closed)
{
    const creo_text_field *item = (const creo_text_field *)field->type;
    creo_gathered list = {NULL, 0, 0};
    creo_element child = *first;
    bool apart = xml->gathers;
    for (;;) {
        void *place = creo_xml_next_item(xml, &list, item->size, item->item_charge);
        if (place == NULL)
            return false;
        memset(place, 0, item->size);
        bool done;
        *closed = false;
        xml->may_miss = true;
        if (item->place == CREO_PLACE_INLINE)
            done = read_inline(xml, item, place, parent, closed);
        else if (item->kind == CREO_TEXT_RAW)
            done = read_raw(xml, item, xml_at_offset(place, item->offset));
        else
            done = creo_xml_read_field(xml, item, place, &child);
        if (!done)
            return creo_at_index(xml->error, list.count - 1);
        if (!*closed && !creo_xml_next(xml, parent, closed))
            return false;
        if (*closed)
            break;
        bool failed = false;
        if (xml->lenient && item->place != CREO_PLACE_INLINE) {
            if (!read_more_items(xml, record, item, &list, parent, apart, closed))
                return false;
            break;
        }
        if (item->place == CREO_PLACE_INLINE) {
            if (creo_xml_peek(xml, record->starts, record->start_count, index, false) < 0)
                break;
        } else if (item->place == CREO_PLACE_ANY) {
            creo_xml_mark before = creo_xml_mark_of(xml);
            if (!creo_xml_open(xml, &child))
                return false;
            bool other = begins_other(xml, record);
            creo_xml_go_back(xml, &before);
            if (other)
                break;
        } else if (item->kind == CREO_TEXT_RAW) {
            creo_xml_mark before = creo_xml_mark_of(xml);
            if (!creo_xml_open_named(xml, &item->xml, &child, &failed)) {
                if (failed)
                    return false;
                break;
            }
            creo_xml_go_back(xml, &before);
        } else if (!creo_xml_open_named(xml, &item->xml, &child, &failed)) {
            if (failed)
                return false;
            break;
        }
    }
    creo_finish_items(xml->arena, &list, item->size, value);
    return true;
}

/* The field of the record whose start tag was just read, at `before`. */
static bool take_field(creo_xml *xml, const creo_text_record *record, uint32_t index, void *value, const creo_element *parent, const creo_element *child,
                       const creo_xml_mark *before, bool *closed)
{
    const creo_text_field *field = &record->fields[index];
    *closed = false;
    if (field->kind == CREO_TEXT_REPEATED) {
        const creo_text_field *item = (const creo_text_field *)field->type;
        if (item->place == CREO_PLACE_INLINE || item->kind == CREO_TEXT_RAW)
            creo_xml_go_back(xml, before);
        return read_repeated(xml, record, field, index, xml_at_offset(value, field->offset), parent, child, closed);
    }
    if (field->place == CREO_PLACE_INLINE) {
        creo_xml_go_back(xml, before);
        return read_inline(xml, field, value, parent, closed);
    }
    if (field->kind == CREO_TEXT_RAW) {
        creo_xml_go_back(xml, before);
        return creo_xml_read_raw(xml, field, value);
    }
    return creo_xml_read_field(xml, field, value, child);
}

/* Absent fields must be optional, or groups that may be absent completely. */
bool creo_xml_check_missing(creo_xml *xml, const creo_text_record *record, void *value, const uint64_t *seen, const uint8_t *at)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const creo_text_field *field = &record->fields[i];
        if ((seen[i / 64] >> i % 64 & 1) != 0 || (field->flags & CREO_FIELD_MAY_MISS) != 0)
            continue;
        if (field->place == CREO_PLACE_INLINE && field->kind == CREO_TEXT_RECORD && field->slot == CREO_SLOT_VALUE) {
            static const uint64_t none[CREO_MAX_FIELDS / 64] = {0};
            const creo_text_record *inner = (const creo_text_record *)field->type;
            creo_clear_record(inner, xml_at_offset(value, field->offset));
            if (inner->field_count <= CREO_MAX_FIELDS && creo_xml_check_missing(xml, inner, xml_at_offset(value, field->offset), none, at))
                continue;
            return creo_xml_step(xml, field);
        }
        const char *what = field->place == CREO_PLACE_ATTRIBUTE ? "attribute" : "element";
        return creo_xml_fail(xml, at, "the %s %.*s is missing", what, field->xml.size > 200 ? 200 : (int)field->xml.size, field->xml.local);
    }
    return true;
}

/* `malformed`: an undeclared element; the message lists the expected ones. */
bool creo_xml_unknown(creo_xml *xml, const creo_text_start *starts, uint32_t count, const uint8_t *at, bool again)
{
    char list[400];
    size_t used = 0;
    for (uint32_t i = 0; i < count && i < 8; i++) {
        size_t size = starts[i].name.size;
        if (used + size + 8 > sizeof list)
            break;
        memcpy(list + used, i == 0 ? "" : ", ", i == 0 ? 0 : 2);
        used += i == 0 ? 0 : 2;
        memcpy(list + used, starts[i].name.local, size);
        used += size;
    }
    list[used] = 0;
    int size = xml->tag_local.size > 100 ? 100 : (int)xml->tag_local.size;
    int space = xml->tag_uri.size > 200 ? 200 : (int)xml->tag_uri.size;
    return creo_xml_fail(xml, at, "the element %.*s of the namespace \"%.*s\" %s; declared are: %s", size, xml->tag_local.data, space, xml->tag_uri.data,
                         again ? "was there before" : "is not declared here", used == 0 ? "none" : list);
}

/* Memory for noting present fields. */
uint64_t *creo_xml_notes(creo_xml *xml, const creo_text_record *record, uint64_t few[4])
{
    memset(few, 0, 4 * sizeof *few);
    if (record->field_count <= 256)
        return few;
    uint64_t *many = (uint64_t *)creo_arena_take_zeroed(xml->arena, (record->field_count + 63) / 64, sizeof *many);
    if (many == NULL)
        (void)creo_xml_no_memory(xml);
    return many;
}

/* The elements of a record within its own element. */
static bool read_elements(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *element, uint64_t *seen)
{
    uint32_t next = 0;
    bool closed;
    if (!creo_xml_next(xml, element, &closed))
        return false;
    while (!closed) {
        creo_element child;
        creo_xml_mark before = creo_xml_mark_of(xml);
        int found;
        const creo_text_field *predicted = next < record->field_count ? &record->fields[next] : NULL;
        if (predicted != NULL && predicted->place == CREO_PLACE_ELEMENT && (seen[next / 64] >> next % 64 & 1) == 0 &&
            creo_xml_open_predicted(xml, &predicted->xml, &child)) {
            found = (int)next;
        } else {
            if (!creo_xml_open(xml, &child))
                return false;
            found = find_start(xml, record, next, seen);
            if (found == -1 && record->any >= 0)
                found = (seen[record->any / 64] >> record->any % 64 & 1) == 0 ? record->any : -2;
            if ((found == -2 || (found == -1 && (record->flags & CREO_RECORD_EXTENSIBLE) == 0)) && !creo_xml_passes_over(xml, record, before.at, found == -2))
                return false;
        }
        if (found < 0 || (xml->lenient && creo_xml_is_missing(xml, &record->fields[found], &child))) {
            if (!creo_xml_skip(xml, &child) || !creo_xml_next(xml, element, &closed))
                return false;
            continue;
        }
        xml->may_miss = (record->fields[found].flags & CREO_FIELD_MAY_MISS) != 0;
        xml->gathers = true;
        seen[found / 64] |= UINT64_C(1) << found % 64;
        if (!take_field(xml, record, (uint32_t)found, value, element, &child, &before, &closed))
            return creo_xml_step(xml, &record->fields[found]);
        next = (uint32_t)found + 1;
        if (!closed && !creo_xml_next(xml, element, &closed))
            return false;
    }
    return true;
}

bool creo_xml_read_record(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *element)
{
    uint64_t few[4];
    uint64_t *seen = creo_xml_notes(xml, record, few);
    if (seen == NULL)
        return false;
    creo_clear_record(record, value);
    return creo_xml_read_fields(xml, record, value, element, seen);
}

bool creo_xml_read_elements(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *element, uint64_t *seen)
{
    return read_elements(xml, record, value, element, seen) && creo_xml_check_missing(xml, record, value, seen, xml->at);
}

bool creo_xml_read_fields(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *element, uint64_t *seen)
{
    if (!xml_enter(xml, record->flags))
        return false;
    if ((xml->attribute_count != 0 || (record->flags & CREO_RECORD_ATTRIBUTES) != 0) && !creo_xml_read_attributes(xml, record, value, seen))
        return false;
    if (record->text >= 0) {
        const creo_text_field *text = &record->fields[record->text];
        seen[record->text / 64] |= UINT64_C(1) << record->text % 64;
        if (!creo_xml_read_content(xml, text, value, element))
            return creo_xml_step(xml, text);
    } else if (!read_elements(xml, record, value, element, seen)) {
        return false;
    }
    if (!creo_xml_check_missing(xml, record, value, seen, xml->at))
        return false;
    xml_leave(xml, record->flags);
    return true;
}

/* A group: its elements in order, up to the first that does not follow in it (XML-35). */
static bool read_group(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *parent, bool *closed)
{
    uint64_t few[4];
    uint64_t *seen = creo_xml_notes(xml, record, few);
    if (seen == NULL || !xml_enter(xml, record->flags))
        return false;
    creo_clear_record(record, value);
    *closed = false;
    uint32_t next = 0;
    for (;;) {
        creo_xml_mark before = creo_xml_mark_of(xml);
        int found = -1;
        creo_element child;
        if (!creo_xml_open(xml, &child))
            return false;
        for (uint32_t i = 0; i < record->start_count && found < 0; i++)
            if (record->starts[i].field >= next && creo_name_is(&record->starts[i].name, xml->tag_local, xml->tag_uri))
                found = (int)record->starts[i].field;
        if (found < 0 && record->any >= (int32_t)next)
            found = record->any;
        if (found < 0) {
            creo_xml_go_back(xml, &before);
            break;
        }
        if (xml->lenient && creo_xml_is_missing(xml, &record->fields[found], &child)) {
            if (!creo_xml_skip(xml, &child) || !creo_xml_next(xml, parent, closed))
                return false;
            if (*closed)
                break;
            continue;
        }
        xml->may_miss = (record->fields[found].flags & CREO_FIELD_MAY_MISS) != 0;
        xml->gathers = false;
        seen[found / 64] |= UINT64_C(1) << found % 64;
        if (!take_field(xml, record, (uint32_t)found, value, parent, &child, &before, closed))
            return creo_xml_step(xml, &record->fields[found]);
        next = (uint32_t)found + 1;
        if (!*closed && !creo_xml_next(xml, parent, closed))
            return false;
        if (*closed)
            break;
    }
    if (!creo_xml_check_missing(xml, record, value, seen, xml->at))
        return false;
    xml_leave(xml, record->flags);
    return true;
}

/* The union member with the next start tag. */
static bool read_member(creo_xml *xml, const creo_text_union *type, void *value, const creo_element *parent, bool *closed)
{
    creo_xml_mark before = creo_xml_mark_of(xml);
    creo_element child;
    *closed = false;
    if (!creo_xml_open(xml, &child))
        return false;
    int found = -1;
    for (uint32_t i = 0; i < type->start_count && found < 0; i++)
        if (creo_name_is(&type->starts[i].name, xml->tag_local, xml->tag_uri))
            found = (int)type->starts[i].field;
    if (found < 0)
        return creo_xml_unknown(xml, type->starts, type->start_count, before.at, false);
    uint32_t kind = (uint32_t)found;
    const creo_text_field *member = &type->members[kind];
    memcpy(xml_at_offset(value, type->kind), &kind, sizeof kind);
    if (!creo_xml_charge(xml, creo_member_charge(member)))
        return false;
    bool done;
    if (member->place == CREO_PLACE_INLINE) {
        creo_xml_go_back(xml, &before);
        done = read_inline(xml, member, value, parent, closed);
    } else if (member->kind == CREO_TEXT_RAW) {
        creo_xml_go_back(xml, &before);
        done = creo_xml_read_raw(xml, member, value);
    } else {
        xml->may_miss = false;
        done = creo_xml_read_field(xml, member, value, &child);
    }
    return done || creo_xml_step(xml, member);
}

/* Inline content of the enclosing element: the reader is at its first tag. */
static bool read_inline(creo_xml *xml, const creo_text_field *field, void *base, const creo_element *parent, bool *closed)
{
    void *value = creo_xml_make_place(xml, field, base);
    if (value == NULL)
        return false;
    if (field->kind == CREO_TEXT_RECORD)
        return read_group(xml, (const creo_text_record *)field->type, value, parent, closed);
    const creo_text_union *type = (const creo_text_union *)field->type;
    memset(value, 0, type->size);
    if (!xml_enter(xml, type->flags) || !read_member(xml, type, value, parent, closed))
        return false;
    xml_leave(xml, type->flags);
    return true;
}

/* The member that xsi:type names (XML-37). */
static bool read_derived(creo_xml *xml, const creo_text_union *type, void *value, const creo_element *element)
{
    const creo_attribute *named = creo_xml_attribute(xml, CREO_XSI, "type");
    int32_t found = named == NULL ? type->base : -1;
    if (named != NULL) {
        creo_string name = creo_trim(named->value);
        creo_string prefix = {name.data, 0};
        creo_string uri;
        const char *colon = name.size == 0 ? NULL : (const char *)memchr(name.data, ':', name.size);
        if (colon != NULL) {
            prefix.size = (size_t)(colon - name.data);
            name = (creo_string){colon + 1, name.size - prefix.size - 1};
        }
        if ((colon != NULL && prefix.size == 0) || !creo_xml_resolve(xml, prefix, &uri))
            return creo_xml_fail(xml, named->at, "the prefix of xsi:type is not declared");
        for (uint32_t i = 0; i < type->member_count && found < 0; i++)
            if (creo_name_is(&((const creo_text_record *)type->members[i].type)->xml, name, uri))
                found = (int32_t)i;
        if (found < 0)
            return creo_xml_fail(xml, named->at, "xsi:type names the type %.*s, which is not declared here", name.size > 200 ? 200 : (int)name.size, name.data);
    }
    if (found < 0)
        return creo_xml_fail(xml, element->name, "xsi:type is expected here");
    uint32_t kind = (uint32_t)found;
    const creo_text_field *member = &type->members[kind];
    memcpy(xml_at_offset(value, type->kind), &kind, sizeof kind);
    if (!creo_xml_charge(xml, creo_member_charge(member)))
        return false;
    void *place = creo_xml_make_place(xml, member, value);
    if (place == NULL)
        return false;
    return creo_xml_read_record(xml, (const creo_text_record *)member->type, place, element) || creo_xml_step(xml, member);
}

bool creo_xml_read_union(creo_xml *xml, const creo_text_union *type, void *value, const creo_element *element)
{
    memset(value, 0, type->size);
    if (!xml_enter(xml, type->flags))
        return false;
    if ((type->flags & CREO_UNION_DERIVED) != 0) {
        if (!read_derived(xml, type, value, element))
            return false;
    } else {
        bool closed;
        if (!creo_xml_check_attributes(xml, (type->flags & CREO_RECORD_EXTENSIBLE) != 0) || !creo_xml_next(xml, element, &closed))
            return false;
        if (closed)
            return creo_xml_fail(xml, xml->at, "an element for the union's member is missing");
        if (!read_member(xml, type, value, element, &closed) || (!closed && !creo_xml_close(xml, element)))
            return false;
    }
    xml_leave(xml, type->flags);
    return true;
}

bool creo_xml_read_wrapped(creo_xml *xml, const creo_text_field *field, void *value, const creo_element *element)
{
    const creo_text_field *item = (const creo_text_field *)field->type;
    bool closed;
    if (!creo_xml_check_attributes(xml, false) || !creo_xml_next(xml, element, &closed))
        return false;
    creo_gathered list = {NULL, 0, 0};
    while (!closed) {
        creo_element child;
        const uint8_t *at = xml->at;
        bool failed;
        if (!creo_xml_open_named(xml, &item->xml, &child, &failed)) {
            creo_text_start due = {item->xml, 0};
            return failed ? false : creo_xml_unknown(xml, &due, 1, at, false);
        }
        if (xml->lenient && creo_xml_is_missing(xml, item, &child)) {
            if (!creo_xml_skip(xml, &child) || !creo_xml_next(xml, element, &closed))
                return false;
            continue;
        }
        void *place = creo_xml_next_item(xml, &list, item->size, item->item_charge);
        if (place == NULL)
            return false;
        memset(place, 0, item->size);
        xml->may_miss = true;
        if (!creo_xml_read_field(xml, item, place, &child))
            return creo_at_index(xml->error, list.count - 1);
        if (!creo_xml_next(xml, element, &closed))
            return false;
    }
    creo_finish_items(xml->arena, &list, item->size, value);
    return true;
}
