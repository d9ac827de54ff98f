/* The elements of an answer of SOAP encoding, and their references (SOAP-32). */
#include "soap_literal.h"

#include <stdlib.h>

static bool is_old_instance(creo_string uri)
{
    return creo_string_is(uri, "http://www.w3.org/1999/XMLSchema-instance") || creo_string_is(uri, "http://www.w3.org/2000/10/XMLSchema-instance");
}

/* The charge for an element or attribute (SOAP-32). */
#define CREO_ELEMENT_CHARGE 160
#define CREO_ATTRIBUTE_CHARGE 64

/* Memory of the arena, all bytes 0; NULL after a failure. */
static void *literal_take(creo_literal *l, size_t size)
{
    void *memory = creo_arena_take_zeroed(l->xml.arena, 1, size);
    if (memory == NULL)
        (void)creo_xml_no_memory(&l->xml);
    return memory;
}

/* The attribute as written. */
static creo_string written_attribute(const creo_xml *xml, const creo_attribute *attribute)
{
    const uint8_t *quote = (const uint8_t *)memchr(attribute->at, attribute->at[-1], (size_t)(xml->at - attribute->at));
    return creo_span((const uint8_t *)attribute->name.data, quote + 1);
}

/* The declaration in literal form: an older namespace of instances is replaced by the newer one. */
static bool declaration_of(creo_literal *l, const creo_attribute *attribute, creo_string *text)
{
    *text = written_attribute(&l->xml, attribute);
    if (!is_old_instance(attribute->value))
        return true;
    static const char uri[] = "=\"" CREO_XSI "\"";
    size_t size = attribute->name.size;
    uint8_t *made = creo_arena_bytes(l->xml.arena, size + sizeof uri - 1);
    if (made == NULL)
        return creo_xml_no_memory(&l->xml);
    memcpy(made, attribute->name.data, size);
    memcpy(made + size, uri, sizeof uri - 1);
    *text = creo_span(made, made + size + sizeof uri - 1);
    return true;
}

static void note_prefix(creo_literal *l, creo_string prefix)
{
    size_t size = 0;
    while (size < prefix.size && prefix.data[size] == 'm')
        size++;
    if (size == prefix.size && size > l->longest)
        l->longest = size;
}

/* Makes more room for prefixes by their binding's index. */
static bool make_bound_room(creo_literal *l)
{
    uint32_t room = l->xml.binding_room;
    creo_encoded_prefix **bound = (creo_encoded_prefix **)creo_arena_take(l->xml.arena, room, sizeof *bound);
    if (bound == NULL)
        return creo_xml_no_memory(&l->xml);
    if (l->bound_room != 0)
        memcpy(bound, l->bound, l->bound_room * sizeof *bound);
    l->bound = bound;
    l->bound_room = room;
    return true;
}

bool creo_literal_read_scope(creo_literal *l, const creo_element *tag, bool around, creo_encoded_prefix **scope)
{
    creo_xml *xml = &l->xml;
    uint32_t all = xml->binding_count;
    uint32_t index = tag->bindings;
    if (index == all)
        return true;
    if (l->bound_room < xml->binding_room && !make_bound_room(l))
        return false;
    creo_xml_go_to_scope(xml, index);
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        const creo_attribute *attribute = &xml->attributes[i];
        /* xml is always bound. */
        if (!attribute->declares || (attribute->prefix.size != 0 && creo_string_is(attribute->local, "xml")))
            continue;
        creo_encoded_prefix *prefix = (creo_encoded_prefix *)literal_take(l, sizeof *prefix);
        if (prefix == NULL)
            return false;
        const creo_binding *older = creo_xml_find_prefix(xml, xml->bindings[index].prefix);
        prefix->outer = *scope;
        prefix->same = older == NULL ? prefix : l->bound[older - xml->bindings]->same;
        prefix->around = around;
        if (attribute->prefix.size != 0 && !declaration_of(l, attribute, &prefix->text))
            return false;
        note_prefix(l, xml->bindings[index].prefix);
        l->bound[index++] = prefix;
        *scope = prefix;
    }
    creo_xml_go_to_scope(xml, all);
    return true;
}

static creo_encoded_extra *extra_of(creo_literal *l, creo_encoded *e)
{
    if (e->extra == NULL) {
        e->extra = (creo_encoded_extra *)literal_take(l, sizeof *e->extra);
        if (e->extra != NULL) {
            e->extra->element = e;
            e->extra->offset = CREO_NO_INDEX;
            e->extra->position = CREO_NO_INDEX;
        }
    }
    return e->extra;
}

/* `[n]` */
static int32_t index_of(creo_string text)
{
    text = creo_trim(text);
    if (text.size < 3 || text.size > 11 || text.data[0] != '[' || text.data[text.size - 1] != ']')
        return CREO_WRONG_INDEX;
    int32_t index = 0;
    for (size_t i = 1; i + 1 < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return CREO_WRONG_INDEX;
        index = index * 10 + (text.data[i] - '0');
    }
    return index;
}

static bool dimensions_are_several(creo_string type)
{
    bool inside = false;
    for (size_t i = 0; i < type.size; i++) {
        if (type.data[i] == ',' && inside)
            return true;
        inside = type.data[i] == '[' || (inside && type.data[i] != ']');
    }
    return false;
}

/* Whether a name is that of the encoding's array type. */
static bool names_array(creo_xml *xml, creo_string name)
{
    creo_string prefix = {NULL, 0};
    creo_string local = creo_trim(name);
    const char *colon = local.size == 0 ? NULL : (const char *)memchr(local.data, ':', local.size);
    if (colon != NULL) {
        prefix = (creo_string){local.data, (size_t)(colon - local.data)};
        local = (creo_string){colon + 1, local.size - prefix.size - 1};
    }
    creo_string uri;
    return creo_string_is(local, "Array") && creo_xml_resolve(xml, prefix, &uri) && creo_string_is(uri, CREO_SOAP_ENCODING);
}

/* Reads an attribute of the encoding. `kept`: it is another one, and stays. */
static bool read_encoding(creo_literal *l, creo_encoded *e, const creo_attribute *attribute, bool *kept)
{
    creo_string value = creo_trim(attribute->value);
    bool is_href = attribute->uri.size == 0 && creo_string_is(attribute->local, "href") && value.size != 0 && value.data[0] == '#';
    bool is_id = attribute->uri.size == 0 && creo_string_is(attribute->local, "id");
    bool ours = creo_string_is(attribute->uri, CREO_SOAP_ENCODING);
    *kept = !is_href && !is_id && !ours && !creo_is_soap_space(attribute->uri);
    if (*kept) {
        bool instance = creo_string_is(attribute->uri, CREO_XSI) || is_old_instance(attribute->uri);
        if (instance && creo_string_is(attribute->local, "type") && names_array(&l->xml, attribute->value))
            e->array = true;
        return true;
    }
    if (ours && creo_string_is(attribute->local, "arrayType")) {
        e->array = true;
        e->has_dimensions = dimensions_are_several(attribute->value);
        return true;
    }
    bool is_root = ours && creo_string_is(attribute->local, "root");
    bool is_offset = ours && creo_string_is(attribute->local, "offset");
    bool is_position = ours && creo_string_is(attribute->local, "position");
    if (!is_href && !is_id && !is_root && !is_offset && !is_position)
        return true;
    creo_encoded_extra *extra = extra_of(l, e);
    if (extra == NULL)
        return false;
    if (is_href) {
        extra->href = (creo_string){value.data + 1, value.size - 1};
    } else if (is_id) {
        extra->id = attribute->value;
        extra->before = l->last_id;
        l->last_id = extra;
        l->id_count++;
    } else if (is_root) {
        extra->root = creo_string_is(value, "1");
    } else if (is_offset) {
        extra->offset = index_of(value);
    } else {
        extra->position = index_of(value);
    }
    return true;
}

/* The attributes of the last start tag. */
static bool tree_read_attributes(creo_literal *l, creo_encoded *e)
{
    creo_xml *xml = &l->xml;
    size_t size = 0;
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        creo_attribute *attribute = &xml->attributes[i];
        bool kept = false;
        if (!attribute->declares && !read_encoding(l, e, attribute, &kept))
            return false;
        if (kept)
            size += written_attribute(xml, attribute).size + 1;
        else
            attribute->declares = true;
    }
    if (size == 0)
        return true;
    uint8_t *to = creo_arena_bytes(xml->arena, size);
    if (to == NULL)
        return creo_xml_no_memory(xml);
    e->attributes = to;
    for (uint32_t i = 0; i < xml->attribute_count; i++) {
        const creo_attribute *attribute = &xml->attributes[i];
        if (attribute->declares)
            continue;
        creo_string text = written_attribute(xml, attribute);
        *to++ = ' ';
        if (is_old_instance(attribute->uri) && creo_string_is(attribute->local, "null")) {
            size_t before = attribute->prefix.size + 1;
            memcpy(to, text.data, before);
            memcpy(to + before, "nil", 3);
            to += before + 3;
            text.data += before + 4;
            text.size -= before + 4;
        }
        memcpy(to, text.data, text.size);
        to += text.size;
    }
    e->attributes_size = (uint32_t)(to - e->attributes);
    return true;
}

static creo_encoded *read_encoded(creo_literal *l, creo_encoded_prefix *scope, const creo_encoded *parent);

bool creo_literal_read_content(creo_literal *l, const creo_element *tag, creo_encoded_prefix *scope, creo_encoded *e)
{
    creo_encoded **last = &e->first;
    for (;;) {
        bool closed;
        if (!creo_xml_within(&l->xml, tag, &closed))
            return false;
        if (closed)
            break;
        *last = read_encoded(l, scope, e);
        if (*last == NULL)
            return false;
        last = &(*last)->next;
    }
    e->end = creo_literal_at(l);
    e->close = e->end;
    while (!tag->empty && l->xml.start[--e->close] != '<') {
    }
    return true;
}

/* Whether the open element contains only white space: its end tag was then read, else the reader does not move. */
static bool tree_read_nothing(creo_literal *l, const creo_element *tag)
{
    creo_xml *xml = &l->xml;
    creo_xml_mark mark = creo_xml_mark_of(xml);
    creo_error *error = xml->error;
    xml->error = NULL;
    bool done = creo_xml_close(xml, tag);
    xml->error = error;
    if (!done)
        creo_xml_go_back(xml, &mark);
    return done;
}

/* The element at the reader's position; NULL after a failure. */
static creo_encoded *read_encoded(creo_literal *l, creo_encoded_prefix *scope, const creo_encoded *parent)
{
    creo_xml *xml = &l->xml;
    creo_element tag;
    creo_encoded *e = (creo_encoded *)literal_take(l, sizeof *e);
    if (e == NULL)
        return NULL;
    e->start = creo_literal_at(l);
    if (!creo_xml_open(xml, &tag) || !creo_xml_charge(xml, CREO_ELEMENT_CHARGE + CREO_ATTRIBUTE_CHARGE * (uint64_t)xml->attribute_count))
        return NULL;
    creo_string local = xml->tag_local;
    e->local = (uint32_t)((const uint8_t *)local.data - xml->start);
    e->local_size = (uint32_t)local.size;
    e->fault = creo_string_is(local, "Fault") && creo_is_soap_space(xml->tag_uri);
    e->detail = parent->fault && (creo_string_is(local, "detail") || creo_string_is(local, "Detail"));
    if (parent->detail) {
        if (extra_of(l, e) == NULL)
            return NULL;
        e->extra->uri = xml->tag_uri;
    }
    if (!creo_literal_read_scope(l, &tag, false, &scope) || !tree_read_attributes(l, e))
        return NULL;
    e->scope = scope;
    e->inside = creo_literal_at(l);
    if (e->extra != NULL && e->extra->href.data != NULL) {
        if (tree_read_nothing(l, &tag)) {
            e->end = creo_literal_at(l);
            e->close = e->inside;
            return e;
        }
        e->extra->holds = true;
    }
    return creo_literal_read_content(l, &tag, scope, e) ? e : NULL;
}

static int compare_ids(const void *a, const void *b)
{
    creo_string x = (*(creo_encoded_extra *const *)a)->id;
    creo_string y = (*(creo_encoded_extra *const *)b)->id;
    if (x.size != y.size)
        return x.size < y.size ? -1 : 1;
    return x.size == 0 ? 0 : memcmp(x.data, y.data, x.size);
}

bool creo_literal_sort_ids(creo_literal *l)
{
    if (l->id_count == 0)
        return true;
    l->ids = (creo_encoded_extra **)creo_arena_take(l->xml.arena, l->id_count, sizeof *l->ids);
    if (l->ids == NULL)
        return creo_xml_no_memory(&l->xml);
    size_t i = 0;
    for (creo_encoded_extra *each = l->last_id; each != NULL; each = each->before)
        l->ids[i++] = each;
    qsort(l->ids, l->id_count, sizeof *l->ids, compare_ids);
    return true;
}

/* The only element with this id; NULL after a failure. */
static creo_encoded *find_id(creo_literal *l, creo_string id)
{
    creo_encoded_extra key = {.id = id};
    const creo_encoded_extra *wanted = &key;
    size_t from = 0;
    size_t to = l->id_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (compare_ids(&l->ids[middle], &wanted) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < l->id_count && compare_ids(&l->ids[from], &wanted) == 0;
    if (found && (from + 1 == l->id_count || compare_ids(&l->ids[from + 1], &wanted) != 0))
        return l->ids[from]->element;
    char shown[200];
    creo_text_show(shown, sizeof shown, id);
    (void)creo_xml_fail(&l->xml, l->xml.at, "#%s refers to no element, or to several", shown);
    return NULL;
}

static bool refers(const creo_encoded *e)
{
    return e->extra != NULL && e->extra->href.data != NULL;
}

creo_encoded *creo_literal_target(creo_literal *l, creo_encoded *e)
{
    creo_encoded *at = e;
    while (refers(at) && at->extra->target == NULL) {
        creo_encoded_extra *extra = at->extra;
        if (extra->holds || extra->passed) {
            (void)creo_literal_fail(l, extra->holds ? "an element that refers to another holds something" : "an element refers to itself");
            return NULL;
        }
        extra->passed = true;
        extra->next = find_id(l, extra->href);
        if (extra->next == NULL)
            return NULL;
        at = extra->next;
    }
    creo_encoded *target = refers(at) ? at->extra->target : at;
    for (at = e; refers(at) && at->extra->target == NULL; at = at->extra->next)
        at->extra->target = target;
    return target;
}
