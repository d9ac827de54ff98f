/* Reads XML: the elements of values, and of a SOAP response. After giving up, the position no longer matters. */
#include "xml.h"

#include "items.h"
#include "target.h"

#include "text/text_values.h"

#define SOAP_11 "http://schemas.xmlsoap.org/soap/envelope/"
#define SOAP_12 "http://www.w3.org/2003/05/soap-envelope"

/* More attributes of an element, or namespaces in scope, are left to the runtime. */
#define MAX_ATTRIBUTES 1000

static PyObject *read_element(XmlReader *x, const Node *node, const creo_element *element);

/* Whether `xsi:nil` marks the last start tag as nothing (XML-21). */
static bool nil_of(XmlReader *x, bool *nil) {
    const creo_attribute *attribute = x->xml.attribute_count == 0 ? NULL : creo_xml_attribute(&x->xml, CREO_XSI, "nil");
    *nil = false;
    return attribute == NULL || creo_parse_boolean(creo_trim(attribute->value), nil) == NULL;
}

/* Whether the last start tag has only attributes that are skipped (XML-26). */
static bool plain(XmlReader *x, bool extensible) {
    bool nil;
    if (x->xml.attribute_count == 0)
        return true;
    for (uint32_t i = 0; i < x->xml.attribute_count && !extensible; i++) {
        const creo_attribute *attribute = &x->xml.attributes[i];
        if (!attribute->declares && attribute->uri.size == 0)
            return false;
    }
    return nil_of(x, &nil) && !nil && xml_unknown(x, x->xml.attribute_count);
}

/* Whether the last start tag has no attributes but declarations. */
static bool bare_tag(const XmlReader *x) {
    for (uint32_t i = 0; i < x->xml.attribute_count; i++) {
        if (!x->xml.attributes[i].declares)
            return false;
    }
    return true;
}

/* Opens the tag here, which must have this name. */
static bool open_named(XmlReader *x, const creo_text_name *name, creo_element *element) {
    return creo_xml_open_predicted(&x->xml, name, element) || (creo_xml_open(&x->xml, element) && creo_xml_is(&x->xml, name));
}

/* After an item: opens the next one; `closed` says whether the parent ended instead, and `more` that an item follows. */
static bool next_item(XmlReader *x, const creo_text_name *name, const creo_element *parent, creo_element *element, bool *closed, bool *more) {
    *more = false;
    if (!creo_xml_next(&x->xml, parent, closed))
        return false;
    if (*closed)
        return true;
    if (creo_xml_open_predicted(&x->xml, name, element)) {
        *more = true;
        return true;
    }
    const creo_xml_mark before = creo_xml_mark_of(&x->xml);
    if (!creo_xml_open(&x->xml, element))
        return false;
    *more = creo_xml_is(&x->xml, name);
    if (!*more)
        creo_xml_go_back(&x->xml, &before);
    return true;
}

/* The items of an array, of which the first is open, up to another element or the end of the parent. */
static PyObject *repeated(XmlReader *x, const Node *node, const creo_text_name *name, const creo_element *parent, creo_element *element, bool *closed) {
    Numbers numbers = {NULL, 0, 0};
    Items items;
    no_items(&items);
    bool right = true, more = true;
    while (right && more) {
        right = xml_charge(x, node->charge);
        if (right && node->code[0] != '\0') {
            creo_string text;
            const uint8_t *at;
            right = plain(x, false) && creo_xml_text(&x->xml, element, &text, &at) && add_number(&numbers, node, text);
        } else if (right) {
            PyObject *item = read_element(x, node->item, element);
            right = item != NULL && add(&items, item);
            if (!right)
                Py_XDECREF(item);
        }
        right = right && next_item(x, name, parent, element, closed, &more);
    }
    return node->code[0] != '\0' ? array_of(x, node, &numbers, right) : held(node, tuple_of(&items, right));
}

/* The items in a wrapper; each has the name of the last part. */
static PyObject *wrapped(XmlReader *x, const Node *node, const creo_element *element) {
    creo_element item;
    bool closed;
    if (node->parts == NULL || !plain(x, false) || !creo_xml_next(&x->xml, element, &closed))
        return NULL;
    const Part *part = &node->parts[0];
    const Node *inner = part->form;
    if (inner == NULL || inner->kind != KIND_REPEATED)
        return NULL;
    if (closed) {
        Items items;
        Numbers numbers = {NULL, 0, 0};
        no_items(&items);
        return inner->code[0] != '\0' ? array_of(x, inner, &numbers, true) : held(inner, tuple_of(&items, true));
    }
    if (!open_named(x, &part->name, &item))
        return NULL;
    PyObject *made = repeated(x, inner, &part->name, element, &item, &closed);
    if (made != NULL && !closed)
        Py_CLEAR(made);
    return made;
}

/* The part whose element begins here, which is opened; -1 if there is none, -2 if it is wrong. `due` is the expected one. */
static Py_ssize_t open_part(XmlReader *x, const Node *node, Py_ssize_t due, creo_element *element) {
    const Py_ssize_t count = node->part_count - 1;
    /* An absent part needs no search. */
    for (Py_ssize_t i = due; i < count && i < due + 3; i++) {
        if (node->parts[i].place == PLACE_ELEMENT && creo_xml_open_predicted(&x->xml, &node->parts[i].name, element))
            return i;
    }
    if (!creo_xml_open(&x->xml, element))
        return -2;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (node->parts[i].place == PLACE_ELEMENT && creo_xml_is(&x->xml, &node->parts[i].name))
            return i;
    }
    return -1;
}

static bool attributes(XmlReader *x, const Target *to) {
    const Node *node = to->node;
    const Py_ssize_t count = node->attributed ? node->part_count - 1 : 0;
    bool nil;
    if (!nil_of(x, &nil) || nil)
        return false;
    for (uint32_t i = 0; i < x->xml.attribute_count; i++) {
        const creo_attribute *attribute = &x->xml.attributes[i];
        if (attribute->declares)
            continue;
        bool found = false, near = attribute->uri.size == 0;
        for (Py_ssize_t k = 0; k < count && !found; k++) {
            const Part *part = &node->parts[k];
            if (part->place != PLACE_ATTRIBUTE)
                continue;
            near = near || creo_space_is(part->name.space, attribute->uri);
            found = creo_name_is(&part->name, attribute->local, attribute->uri);
            if (found && !set(to, k, xml_text_value(x, part->form, attribute->value)))
                return false;
        }
        if (!found && near && !node->extensible && !creo_string_is(attribute->uri, CREO_XSI) && !creo_string_is(attribute->uri, CREO_XML_SPACE))
            return false;
        if (!found && !xml_unknown(x, 1))
            return false;
    }
    return true;
}

/* Passes over an unknown element. Each name in it takes three bytes at least. */
static bool skip(XmlReader *x, const creo_element *element) {
    const uint8_t *start = x->xml.at;
    return creo_xml_skip(&x->xml, element) && xml_unknown(x, 1 + (size_t)(x->xml.at - start) / 3);
}

static bool elements(XmlReader *x, const Target *to, const creo_element *element) {
    const Node *node = to->node;
    bool closed = false;
    if (!creo_xml_next(&x->xml, element, &closed))
        return false;
    for (Py_ssize_t due = 0; !closed;) {
        creo_element inner;
        bool at_tag = false;
        const Py_ssize_t i = open_part(x, node, due, &inner);
        if (i == -2)
            return false;
        if (i < 0) {
            if (!node->extensible || node->kind != KIND_RECORD || !skip(x, &inner))
                return false;
        } else {
            const Part *part = &node->parts[i];
            PyObject *value = NULL;
            at_tag = part->form != NULL && part->form->kind == KIND_REPEATED;
            if (at_tag)
                value = repeated(x, part->form, &part->name, element, &inner, &closed);
            else if (part->form != NULL)
                value = read_element(x, part->form, &inner);
            if (!set(to, i, value))
                return false;
            due = i + 1;
        }
        if (!at_tag && !creo_xml_next(&x->xml, element, &closed))
            return false;
    }
    return true;
}

/* Reads the parts of an open element, whose start tag was read last, and gives absent ones their values. `defaults`: the constructor has some. */
static bool parts_of(XmlReader *x, const Target *to, const creo_element *element, bool *defaults) {
    const Node *node = to->node;
    *defaults = false;
    if (x->xml.attribute_count != 0 && !attributes(x, to))
        return false;
    if (node->text >= 0) {
        creo_string text;
        const uint8_t *at;
        if (!creo_xml_text(&x->xml, element, &text, &at) || !set(to, node->text, xml_text_value(x, node->parts[node->text].form, text)))
            return false;
    } else if (!elements(x, to, element)) {
        return false;
    }
    return set_absent(to, defaults);
}

static PyObject *record(XmlReader *x, const Node *node, const creo_element *element) {
    Target to;
    bool defaults = false;
    if (!node->readable || !begin_record(&to, node))
        return NULL;
    const bool right = parts_of(x, &to, element, &defaults);
    return end_record(&to, right, defaults);
}

static PyObject *union_value(XmlReader *x, const Node *node, const creo_element *element) {
    creo_element inner;
    bool closed;
    if (!node->readable || !plain(x, node->extensible) || !creo_xml_next(&x->xml, element, &closed) || closed)
        return NULL;
    const Py_ssize_t i = open_part(x, node, 0, &inner);
    if (i < 0 || node->parts[i].form == NULL || !xml_charge(x, node->fields[i].charge))
        return NULL;
    PyObject *value = read_element(x, node->parts[i].form, &inner);
    if (value != NULL && !creo_xml_close(&x->xml, element))
        Py_CLEAR(value);
    return member_of(&node->fields[i], value);
}

static bool entry(XmlReader *x, const Node *node, const creo_element *element, PyObject *into) {
    PyObject *values[2] = {NULL, NULL};
    const Target to = {node, NULL, NULL, values};
    bool defaults;
    const bool right = plain(x, false) && xml_charge(x, node->charge) && parts_of(x, &to, element, &defaults) && !defaults &&
                       PyDict_SetItem(into, values[0], values[1]) == 0;
    Py_XDECREF(values[0]);
    Py_XDECREF(values[1]);
    return right;
}

static PyObject *map(XmlReader *x, const Node *node, const creo_element *element) {
    bool closed = false;
    Py_ssize_t n = 0;
    if (!node->readable || !plain(x, false) || !creo_xml_next(&x->xml, element, &closed))
        return NULL;
    PyObject *made = PyDict_New();
    for (; made != NULL && !closed; n++) {
        creo_element inner;
        if (!open_named(x, &node->parts[2].name, &inner) || !entry(x, node, &inner, made) || !creo_xml_next(&x->xml, element, &closed))
            Py_CLEAR(made);
    }
    if (made == NULL)
        return NULL;
    /* A duplicate key is stored once. */
    PyObject *frozen = PyDict_Size(made) == n ? PyDictProxy_New(made) : NULL;
    Py_DECREF(made);
    return frozen;
}

/* Enters a level of recursive types (LIM-4), and of the stack. */
static PyObject *nested(XmlReader *x, const Node *node, const creo_element *element, PyObject *(*read)(XmlReader *, const Node *, const creo_element *)) {
    const int64_t levels = node->recursive;
    if (x->depth < levels || x->nesting == MAX_NESTING)
        return NULL;
    x->depth -= levels;
    x->nesting++;
    PyObject *made = read(x, node, element);
    x->nesting--;
    x->depth += levels;
    return made;
}

static PyObject *optional(XmlReader *x, const Node *node, const creo_element *element) {
    bool nil;
    if (!nil_of(x, &nil))
        return NULL;
    if (nil)
        return creo_xml_close(&x->xml, element) ? new_reference(Py_None) : NULL;
    return xml_charge(x, node->charge) ? read_element(x, node->item, element) : NULL;
}

/* The value of an open element, whose start tag was read last. */
static PyObject *read_element(XmlReader *x, const Node *node, const creo_element *element) {
    creo_string text;
    const uint8_t *at;
    if (node == NULL || !node->filled)
        return NULL;
    switch (node->kind) {
    case KIND_OPTIONAL:
        return optional(x, node, element);
    case KIND_RECORD:
        return nested(x, node, element, record);
    case KIND_UNION:
        return nested(x, node, element, union_value);
    case KIND_MAP:
        return nested(x, node, element, map);
    case KIND_WRAPPED:
        return nested(x, node, element, wrapped);
    default:
        if (!plain(x, node->kind == KIND_ENUM && node->extensible) || !creo_xml_text(&x->xml, element, &text, &at))
            return NULL;
        return xml_text_value(x, node, text);
    }
}

/* The result in the element of a response, which is open. */
static PyObject *response(XmlReader *x, const Node *node, const creo_element *element) {
    PyObject *value = NULL;
    const Target to = {node, NULL, NULL, &value};
    bool defaults;
    if (node->bare)
        return node->parts[0].form == NULL || node->parts[0].form->kind == KIND_REPEATED ? NULL : read_element(x, node->parts[0].form, element);
    if (!parts_of(x, &to, element, &defaults) || defaults)
        Py_CLEAR(value);
    else if (node->count == 0)
        value = new_reference(Py_None);
    return value;
}

static bool is_envelope(creo_string uri) {
    return creo_string_is(uri, SOAP_11) || creo_string_is(uri, SOAP_12);
}

/* An envelope with a body and nothing else: faults and headers are left to the runtime. */
static PyObject *envelope(XmlReader *x, const Node *node) {
    creo_element around, body, element;
    bool closed;
    if (!creo_xml_open(&x->xml, &around) || !creo_string_is(x->xml.tag_local, "Envelope") || !is_envelope(x->xml.tag_uri) || !bare_tag(x))
        return NULL;
    const creo_string uri = x->xml.tag_uri;
    if (!creo_xml_next(&x->xml, &around, &closed) || closed || !creo_xml_open(&x->xml, &body) || !creo_string_is(x->xml.tag_local, "Body") ||
        !creo_string_equal(x->xml.tag_uri, uri) || !bare_tag(x))
        return NULL;
    if (!creo_xml_next(&x->xml, &body, &closed) || closed || !creo_xml_open(&x->xml, &element) ||
        !creo_xml_is(&x->xml, &node->parts[node->part_count - 1].name))
        return NULL;
    PyObject *value = response(x, node, &element);
    if (value != NULL && (!creo_xml_close(&x->xml, &body) || !creo_xml_close(&x->xml, &around)))
        Py_CLEAR(value);
    return value;
}

static PyObject *alone(XmlReader *x, const Node *node) {
    creo_element element;
    if (!creo_xml_open(&x->xml, &element) || !creo_xml_is(&x->xml, &node->parts[node->part_count - 1].name))
        return NULL;
    return read_element(x, node, &element);
}

static uint32_t at_most(int64_t limit, uint32_t most) {
    return limit < (int64_t)most ? (uint32_t)limit : most;
}

/* The limits as the C runtime has them; false if one is too small for any document. */
static bool c_limits(const Limits *allowed, creo_limits *out) {
    if (allowed->memory < 1 || allowed->max_text < 1 || allowed->max_open < 1 || allowed->max_name < 1 || allowed->max_attributes < 0 ||
        allowed->max_namespaces < 0)
        return false;
    *out = creo_limits_default();
    out->max_memory = (uint64_t)allowed->memory;
    out->max_xml_depth = at_most(allowed->max_open, MAX_NESTING);
    out->max_xml_attributes = at_most(allowed->max_attributes, MAX_ATTRIBUTES);
    out->max_xml_name = at_most(allowed->max_name, UINT32_MAX);
    out->max_xml_namespaces = at_most(allowed->max_namespaces, MAX_ATTRIBUTES);
    out->max_xml_text = (size_t)allowed->max_text;
    return true;
}

static PyObject *decode(PyObject *self, PyObject *arguments, PyObject *(*read)(XmlReader *, const Node *)) {
    Node *node = (Node *)self;
    PyObject *body, *limits;
    char *data;
    Py_ssize_t size;
    Limits allowed;
    XmlReader x;
    creo_limits used;
    if (!PyArg_UnpackTuple(arguments, "decode_xml", 2, 2, &body, &limits))
        return NULL;
    if (!PyBytes_Check(body) || !node->filled || !node->readable || !limits_of(node->context, limits, &allowed) ||
        PyBytes_AsStringAndSize(body, &data, &size) < 0 || size > allowed.memory || !c_limits(&allowed, &used))
        return gave_up();
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    const creo_bytes text = {(const uint8_t *)data, (size_t)size};
    PyObject *value = NULL;
    x.context = node->context;
    x.depth = allowed.depth;
    x.nesting = 0;
    x.unknown = 0;
    /* A constructor may clear the node. */
    Py_INCREF(x.context);
    Py_INCREF(self);
    /* Other encodings than UTF-8 are converted: left to the runtime, which knows that of the transport. */
    if (creo_xml_begin_lenient(&x.xml, text, CREO_CHARSET_NONE, CREO_BORROW, &arena, &used, false, NULL) && x.xml.all == text.data + size)
        value = read(&x, node);
    if (value != NULL && !creo_xml_finish(&x.xml))
        Py_CLEAR(value);
    Py_DECREF(self);
    Py_DECREF(x.context);
    creo_arena_free(&arena);
    return value == NULL ? gave_up() : value;
}

PyObject *node_decode_xml(PyObject *self, PyObject *arguments) {
    return decode(self, arguments, alone);
}

PyObject *node_decode_soap(PyObject *self, PyObject *arguments) {
    if (((Node *)self)->kind != KIND_PARAMETERS) {
        PyErr_SetString(PyExc_TypeError, "the node of a response is expected");
        return NULL;
    }
    return decode(self, arguments, envelope);
}
