/* Converts answers of SOAP encoding to literal form (SOAP-32): message and fault detail are rewritten, the rest is unchanged. */
#include "soap_literal.h"

/* Counts written bytes. */
static bool literal_count(creo_literal *l, uint64_t size)
{
    const creo_limits *limits = &l->xml.limits;
    if (size > l->left)
        return creo_xml_limit(&l->xml, "maxMemory", limits->max_memory);
    l->left -= size;
    if (l->referring == 0)
        return true;
    if (size > l->room)
        return creo_xml_limit(&l->xml, "maxMessageSize", limits->max_message_size);
    l->room -= size;
    return true;
}

static bool literal_put(creo_literal *l, creo_string text)
{
    return text.size == 0 || (literal_count(l, text.size) && creo_put(&l->out, text.data, text.size));
}

/* Copies a range of the message. */
static bool put_span(creo_literal *l, uint32_t from, uint32_t to)
{
    return literal_put(l, creo_span(l->xml.start + from, l->xml.start + to));
}

static bool put_quoted(creo_literal *l, creo_string text)
{
    size_t before = creo_writer_size(&l->out);
    return creo_xml_put_quoted(&l->out, text) && literal_count(l, creo_writer_size(&l->out) - before);
}

/* The declarations up to an outer one, except those of prefixes that the start tag has declared. */
static bool put_scope(creo_literal *l, creo_encoded_prefix *from, const creo_encoded_prefix *until)
{
    for (; from != until; from = from->outer) {
        if (from->same->tag == l->tags || from->text.size == 0) {
            /* It takes time as well. */
            if (!literal_count(l, 1))
                return false;
            continue;
        }
        from->same->tag = l->tags;
        if (!literal_put(l, creo_text(" ")) || !literal_put(l, from->text))
            return false;
        if (from->same->around && !from->around)
            l->hidden++;
    }
    return true;
}

/* A prefix that is unused in the message. */
static bool put_prefix_of_message(creo_literal *l)
{
    for (size_t i = 0; i <= l->longest; i++)
        if (!literal_put(l, creo_text("m")))
            return false;
    return true;
}

/* An element's name in literal form. */
typedef struct literal_name {
    creo_string local;
    /* It has its own namespace, which may be none; its children have none. */
    bool own;
    creo_string uri;
} literal_name;

static bool put_literal_name(creo_literal *l, const literal_name *name)
{
    return (name->uri.size == 0 || (put_prefix_of_message(l) && literal_put(l, creo_text(":")))) && literal_put(l, name->local);
}

/* The start tag without its end. `outer`: the scope of its parent, if no reference leads to it. */
static bool put_start(creo_literal *l, const creo_encoded *e, const literal_name *name, const creo_encoded_prefix *outer, bool by_reference)
{
    bool hidden = by_reference && l->hidden != 0;
    l->tags++;
    if (by_reference)
        l->hidden = 0;
    if (!literal_put(l, creo_text("<")) || !put_literal_name(l, name))
        return false;
    if (name->own && !literal_put(l, creo_text(" xmlns=\"\"")))
        return false;
    if (name->uri.size != 0 && !(literal_put(l, creo_text(" xmlns:")) && put_prefix_of_message(l) && literal_put(l, creo_text("=\"")) && put_quoted(l, name->uri) &&
                                 literal_put(l, creo_text("\""))))
        return false;
    return put_scope(l, e->scope, by_reference ? l->scope : outer) && (!hidden || put_scope(l, l->scope, NULL)) &&
           literal_put(l, (creo_string){(const char *)e->attributes, e->attributes_size});
}

static bool put_encoded(creo_literal *l, creo_encoded *e, const literal_name *name, const creo_encoded_prefix *outer, const creo_string *first);

static literal_name name_of(const creo_literal *l, const creo_encoded *e)
{
    literal_name name = {creo_span(l->xml.start + e->local, l->xml.start + e->local + e->local_size), false, {NULL, 0}};
    return name;
}

/* The missing items before the next one (SOAP-32). */
static bool put_missing(creo_literal *l, int32_t at, int32_t written)
{
    if (at == CREO_WRONG_INDEX)
        return creo_literal_fail(l, "a position in an array of one dimension is [n]");
    if (at < written)
        return creo_literal_fail(l, "the positions of an array go down");
    if ((uint32_t)(at - written) > l->missing)
        return creo_xml_limit(&l->xml, "maxEmptyItems", l->xml.limits.max_empty_items);
    l->missing -= (uint32_t)(at - written);
    for (; written < at; written++)
        if (!literal_put(l, creo_text("<item xmlns:i=\"" CREO_XSI "\" i:nil=\"true\"/>")))
            return false;
    return true;
}

/* The content of an element. `first`: the name of its first child element, or NULL. */
static bool put_content(creo_literal *l, const creo_encoded *e, const creo_string *first)
{
    uint32_t from = e->inside;
    int32_t at = e->extra == NULL || e->extra->offset == CREO_NO_INDEX ? 0 : e->extra->offset;
    int32_t written = 0;
    if (e->array && e->has_dimensions)
        return creo_literal_fail(l, "an array of several dimensions is not read");
    if (e->array && at == CREO_WRONG_INDEX)
        return put_missing(l, at, 0);
    for (creo_encoded *each = e->first; each != NULL; each = each->next) {
        literal_name name = name_of(l, each);
        if (!put_span(l, from, each->start))
            return false;
        if (e->array) {
            at = each->extra == NULL || each->extra->position == CREO_NO_INDEX ? at : each->extra->position;
            if (!put_missing(l, at, written))
                return false;
            written = ++at;
            name.local = creo_text("item");
        } else if (first != NULL) {
            name.local = *first;
            first = NULL;
        }
        if (!put_encoded(l, each, &name, e->scope, NULL))
            return false;
        from = each->end;
    }
    return put_span(l, from, e->close);
}

/* A value's element, or the one that it refers to, under a name. */
static bool put_encoded(creo_literal *l, creo_encoded *e, const literal_name *name, const creo_encoded_prefix *outer, const creo_string *first)
{
    creo_encoded *target = creo_literal_target(l, e);
    if (target == NULL)
        return false;
    if (target->open)
        return creo_literal_fail(l, "an element refers to itself");
    if (l->levels >= l->xml.limits.max_xml_depth)
        return creo_xml_limit(&l->xml, "maxXmlDepth", l->xml.limits.max_xml_depth);
    size_t hidden = l->hidden;
    bool by_reference = target != e;
    target->open = true;
    l->levels++;
    l->referring += by_reference;
    bool empty = !target->array && target->first == NULL && target->inside == target->close;
    if (!put_start(l, target, name, outer, by_reference))
        return false;
    if (empty ? !literal_put(l, creo_text("/>")) : !literal_put(l, creo_text(">")) || !put_content(l, target, first))
        return false;
    if (!empty && !(literal_put(l, creo_text("</")) && put_literal_name(l, name) && literal_put(l, creo_text(">"))))
        return false;
    l->hidden = hidden;
    l->referring -= by_reference;
    l->levels--;
    target->open = false;
    return true;
}

/* The message: the response and its result under their own names (SOAP-32). */
static bool put_response(creo_literal *l, creo_encoded *message)
{
    /* The message's attributes, such as nil, have no meaning. */
    message->attributes_size = 0;
    const creo_text_message *response = &l->text->response;
    literal_name name = {{response->element.local, response->element.size}, true, {NULL, 0}};
    if (response->element.space != NULL)
        name.uri = (creo_string){response->element.space->uri, response->element.space->size};
    creo_string result = {NULL, 0};
    bool renames = !response->bare && response->record.field_count != 0;
    if (renames)
        result = (creo_string){response->record.fields[0].xml.local, response->record.fields[0].xml.size};
    return put_encoded(l, message, &name, l->scope, renames ? &result : NULL);
}

/* An element of a fault's detail: a declared exception gets its namespace, whatever the peer wrote. */
static bool put_of_detail(creo_literal *l, creo_encoded *e, const creo_encoded_prefix *outer)
{
    literal_name name = name_of(l, e);
    name.own = true;
    name.uri = e->extra->uri;
    for (uint32_t i = 0; i < l->text->exception_count; i++) {
        const creo_text_name *known = &l->text->exceptions[i].record->xml;
        if (name.local.size != known->size || memcmp(name.local.data, known->local, known->size) != 0)
            continue;
        name.uri = known->space == NULL ? (creo_string){NULL, 0} : (creo_string){known->space->uri, known->space->size};
        break;
    }
    return put_encoded(l, e, &name, outer, NULL);
}

static bool put_fault(creo_literal *l, const creo_encoded *fault)
{
    uint32_t from = fault->start;
    for (const creo_encoded *part = fault->first; part != NULL; part = part->next) {
        if (!part->detail)
            continue;
        for (const creo_encoded_prefix *each = part->scope; each != l->scope; each = each->outer)
            l->hidden += each->same->around;
        for (creo_encoded *each = part->first; each != NULL; each = each->next) {
            if (!put_span(l, from, each->start) || !put_of_detail(l, each, part->scope))
                return false;
            from = each->end;
        }
        l->hidden = 0;
    }
    return put_span(l, from, fault->end);
}

/* The body without elements that exist only as targets of references. */
static bool put_body(creo_literal *l, const creo_encoded *body, creo_encoded *message)
{
    uint32_t from = body->inside;
    for (creo_encoded *each = body->first; each != NULL; each = each->next) {
        if (!put_span(l, from, each->start))
            return false;
        if (each == message && !(each->fault ? put_fault(l, each) : put_response(l, each)))
            return false;
        from = each->end;
    }
    return put_span(l, from, body->close);
}

/* Enters the body of an envelope. */
static bool find_body(creo_literal *l, creo_element *body)
{
    creo_xml *xml = &l->xml;
    creo_element root;
    bool closed;
    if (!creo_xml_open(xml, &root) || !creo_string_is(xml->tag_local, "Envelope") || !creo_is_soap_space(xml->tag_uri) || !creo_literal_read_scope(l, &root, true, &l->scope) ||
        !creo_xml_next(xml, &root, &closed) || closed || !creo_xml_open(xml, body))
        return false;
    if (creo_string_is(xml->tag_local, "Header") && (!creo_xml_skip(xml, body) || !creo_xml_next(xml, &root, &closed) || closed || !creo_xml_open(xml, body)))
        return false;
    return creo_string_is(xml->tag_local, "Body") && creo_is_soap_space(xml->tag_uri) && creo_literal_read_scope(l, body, true, &l->scope);
}

bool creo_soap_make_literal(const creo_text_method *text, creo_bytes *envelope, creo_charset *charset, size_t *around, bool lenient, creo_arena *arena, const creo_limits *limits,
                            creo_error *error)
{
    creo_literal l;
    creo_element tag;
    creo_encoded body;
    memset(&l, 0, sizeof l);
    memset(&body, 0, sizeof body);
    if (!creo_xml_begin_lenient(&l.xml, *envelope, *charset, CREO_BORROW, arena, limits, lenient, NULL))
        return true;
    uint32_t start = creo_literal_at(&l);
    /* Positions have 32 bits. */
    if ((uint64_t)(l.xml.all - l.xml.start) > UINT32_MAX)
        return creo_fail_limit(error, "maxMessageSize", UINT32_MAX);
    if (!find_body(&l, &tag))
        return true;
    l.xml.error = error;
    l.text = text;
    l.room = l.xml.limits.max_message_size;
    l.missing = l.xml.limits.max_empty_items;
    body.inside = creo_literal_at(&l);
    if (!creo_xml_charge(&l.xml, *around) || !creo_literal_read_content(&l, &tag, l.scope, &body) || !creo_literal_sort_ids(&l))
        return false;
    creo_encoded *message = body.first;
    for (creo_encoded *each = body.first; each != NULL; each = each->next) {
        if (each->extra != NULL && each->extra->root) {
            message = each;
            break;
        }
    }
    if (message == NULL || (!message->fault && text->response.element.local == NULL))
        return true;
    l.left = l.xml.memory_left;
    creo_writer_init(&l.out, arena, &l.xml.limits, error);
    /* The form's own limits apply. */
    l.out.most = SIZE_MAX;
    if (!put_span(&l, start, body.inside) || !put_body(&l, &body, message) || !put_span(&l, body.close, (uint32_t)(l.xml.all - l.xml.start)))
        return false;
    *envelope = creo_writer_bytes(&l.out);
    *around = (size_t)(l.xml.limits.max_memory - l.xml.memory_left);
    *charset = CREO_CHARSET_UTF8;
    return true;
}
