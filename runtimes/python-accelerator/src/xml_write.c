/* Writes XML: the elements of values, and a SOAP request. Containers are referenced while they are written, since Python code may run meanwhile. */
#include "xml_out.h"

#define NIL " xsi:nil=\"true\""

/* As a literal. */
#define PUT(x, text) xml_put((x), (text), sizeof(text) - 1)

static bool inside(XmlWriter *x, const Node *node, PyObject *value);

/* The writer of XML with this state. */
static XmlWriter *writer_of(Writer *state) {
    return (XmlWriter *)(void *)state;
}

/* The element of a value; `declared` follows its name. */
static bool element(XmlWriter *x, const creo_text_name *name, creo_string declared, const Node *node, PyObject *value) {
    return creo_xml_put_open(&x->out, name) && xml_put(x, declared.data, declared.size) && inside(x, node, value) &&
           creo_xml_put_close(&x->out, name);
}

static bool plain(XmlWriter *x, const creo_text_name *name, const Node *node, PyObject *value) {
    return creo_xml_put_open(&x->out, name) && inside(x, node, value) && creo_xml_put_close(&x->out, name);
}

/* The element of null (XML-21). */
static bool nil(XmlWriter *x, const creo_text_name *name) {
    return creo_xml_put_open(&x->out, name) && PUT(x, NIL ">") && creo_xml_put_close(&x->out, name);
}

static bool item(XmlWriter *x, const void *of, const Node *node, PyObject *value, Py_ssize_t i) {
    const Part *part = of;
    (void)i;
    if (node->kind != KIND_OPTIONAL)
        return plain(x, &part->name, node, value);
    if (value == Py_None)
        return !part->nillable_items || nil(x, &part->name);
    return plain(x, &part->name, node->item, value);
}

static bool number(XmlWriter *x, const void *name, char code, const char *from, Py_ssize_t i) {
    (void)i;
    return creo_xml_put_open(&x->out, name) && xml_put(x, ">", 1) && xml_put_number(x, code, from) && creo_xml_put_close(&x->out, name);
}

/* The elements of an array (XML-22). */
static bool items(XmlWriter *x, const Part *part, const Node *node, PyObject *value) {
    return xml_is_packed(node) ? xml_each_number(x, &part->name, node, value, number) : xml_each_struct(x, part, node, value, item);
}

/* The elements of a part; none of null that is not nillable. */
static bool field(XmlWriter *x, const Part *part, PyObject *value) {
    const Node *node = part->form;
    if (node != NULL && node->kind == KIND_OPTIONAL) {
        if (value == Py_None)
            return !part->nillable || nil(x, &part->name);
        node = node->item;
    }
    if (node == NULL)
        return false;
    return node->kind == KIND_REPEATED ? items(x, part, node, value) : plain(x, &part->name, node, value);
}

/* Records */

/* What a record holds for a part: a borrowed reference if it has slots, else a new one. */
static PyObject *held(const Node *node, PyObject *value, Py_ssize_t i) {
    const Field *from = &node->fields[i];
    return node->cls.type != NULL ? *slot_at(value, from->offset) : PyObject_GetAttr(value, from->name);
}

static void release(const Node *node, PyObject *part) {
    if (node->cls.type == NULL)
        Py_XDECREF(part);
}

/* A part that is in the start tag. */
static bool tag_part(XmlWriter *x, const Part *part, PyObject *value) {
    const Node *node = part->form;
    const bool optional = node->kind == KIND_OPTIONAL, null = optional && value == Py_None;
    if (part->place == PLACE_TEXT)
        return !null || PUT(x, NIL);
    return null || (creo_xml_put_attribute(&x->out, &part->name) && PUT(x, "=\"") &&
                    xml_put_value(x, optional ? node->item : node, value, creo_xml_put_quoted) && PUT(x, "\""));
}

static bool start_tag(XmlWriter *x, const Node *node, PyObject *value) {
    for (Py_ssize_t i = 0; i < node->part_count - 1; i++) {
        const Part *part = &node->parts[i];
        if (part->place != PLACE_ATTRIBUTE && part->place != PLACE_TEXT)
            continue;
        PyObject *of = held(node, value, i);
        const bool written = of != NULL && tag_part(x, part, of);
        release(node, of);
        if (!written)
            return false;
    }
    return true;
}

static bool inline_value(XmlWriter *x, const Node *node, PyObject *value);

static bool content_part(XmlWriter *x, const Part *part, PyObject *value) {
    const Node *node = part->form;
    if (part->place == PLACE_INLINE)
        return inline_value(x, node, value);
    if (part->place != PLACE_TEXT)
        return field(x, part, value);
    if (node->kind != KIND_OPTIONAL)
        return xml_put_value(x, node, value, creo_xml_put_content);
    return value == Py_None || xml_put_value(x, node->item, value, creo_xml_put_content);
}

static bool content(Writer *w, const Node *node, PyObject *value) {
    XmlWriter *x = writer_of(w);
    if (!node->writable || (PyObject *)Py_TYPE(value) != node->type)
        return false;
    for (Py_ssize_t i = 0; i < node->part_count - 1; i++) {
        const Part *part = &node->parts[i];
        if (part->place == PLACE_ATTRIBUTE)
            continue;
        PyObject *of = held(node, value, i);
        const bool written = of != NULL && content_part(x, part, of);
        release(node, of);
        if (!written)
            return false;
    }
    return true;
}

static bool record(Writer *w, const Node *node, PyObject *value) {
    XmlWriter *x = writer_of(w);
    if (!node->writable || (PyObject *)Py_TYPE(value) != node->type)
        return false;
    return ((!node->attributed && node->text < 0) || start_tag(x, node, value)) && xml_put(x, ">", 1) && content(w, node, value);
}

/* Unions */

/* The element of the member (XML-25), or its content. */
static bool chosen(Writer *w, const Node *node, PyObject *value) {
    const Py_ssize_t i = node->parts == NULL ? -1 : member_index(node, value);
    PyObject *of = i < 0 ? NULL : *slot_at(value, node->fields[i].offset);
    return of != NULL && node->parts[i].form != NULL && content_part(writer_of(w), &node->parts[i], of);
}

/* The rest of the element of a struct, with `xsi:type` (XML-37). */
static bool derived(Writer *w, const Node *node, PyObject *value) {
    XmlWriter *x = writer_of(w);
    const Py_ssize_t i = member_index(node, value);
    const Node *form = i < 0 ? NULL : node->parts[i].form;
    PyObject *of = i < 0 ? NULL : *slot_at(value, node->fields[i].offset);
    if (of == NULL || form == NULL || form->kind != KIND_RECORD || form->parts == NULL)
        return false;
    if (i != node->base && !(PUT(x, " xsi:type=\"") && creo_xml_put_name(&x->out, &form->parts[form->part_count - 1].name) && PUT(x, "\"")))
        return false;
    return inside(x, form, of);
}

/* What is inline */

static bool inline_item(XmlWriter *x, const void *more, const Node *node, PyObject *value, Py_ssize_t i) {
    (void)more, (void)i;
    return inline_value(x, node, value);
}

/* The content of a value without an element of its own (XML-35). */
static bool inline_value(XmlWriter *x, const Node *node, PyObject *value) {
    switch (node->kind) {
    case KIND_OPTIONAL:
        return value == Py_None || inline_value(x, node->item, value);
    case KIND_REPEATED:
        return xml_each_struct(x, NULL, node, value, inline_item);
    case KIND_RECORD:
        return write_nested(&x->state, node, value, content);
    case KIND_UNION:
        return write_nested(&x->state, node, value, chosen);
    default:
        return false;
    }
}

/* Arrays with a wrapper, and maps */

static bool wrapped(Writer *w, const Node *node, PyObject *value) {
    const Part *part = &node->parts[0];
    return part->form != NULL && part->form->kind == KIND_REPEATED && items(writer_of(w), part, part->form, value);
}

static bool entry(XmlWriter *x, const Node *node, PyObject *key, PyObject *value, Py_ssize_t i) {
    const creo_text_name *name = &node->parts[2].name;
    (void)i;
    return creo_xml_put_open(&x->out, name) && xml_put(x, ">", 1) && field(x, &node->parts[0], key) && field(x, &node->parts[1], value) &&
           creo_xml_put_close(&x->out, name);
}

static bool map(Writer *w, const Node *node, PyObject *value) {
    return xml_each_entry(writer_of(w), node, value, entry);
}

/* The rest of a start tag after the name, with the content of the element. */
static bool inside(XmlWriter *x, const Node *node, PyObject *value) {
    if (node == NULL || !node->filled)
        return false;
    switch (node->kind) {
    case KIND_RECORD:
        return write_nested(&x->state, node, value, record);
    case KIND_UNION:
        if (node->base != NOT_DERIVED)
            return node->parts != NULL && write_nested(&x->state, node, value, derived);
        return xml_put(x, ">", 1) && write_nested(&x->state, node, value, chosen);
    case KIND_MAP:
        return node->parts != NULL && xml_put(x, ">", 1) && write_nested(&x->state, node, value, map);
    case KIND_WRAPPED:
        return node->parts != NULL && xml_put(x, ">", 1) && write_nested(&x->state, node, value, wrapped);
    default:
        return xml_put(x, ">", 1) && xml_put_value(x, node, value, creo_xml_put_content);
    }
}

/* Messages */

static creo_string text_of(PyObject *bytes) {
    char *data = NULL;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(bytes, &data, &size) < 0)
        return (creo_string){NULL, 0};
    return (creo_string){data, (size_t)size};
}

static bool put_bytes(XmlWriter *x, PyObject *bytes) {
    const creo_string text = text_of(bytes);
    return text.data != NULL && xml_put(x, text.data, text.size);
}

static bool alone(XmlWriter *x, const Node *node, PyObject *value, PyObject *blocks) {
    (void)blocks;
    const creo_string declared = node->root == NULL ? (creo_string){NULL, 0} : text_of(node->root->start);
    return declared.data != NULL && element(x, &node->parts[node->part_count - 1].name, declared, node, value);
}

/* The fields of a request that are in its header, or those that are not. */
static bool fields(XmlWriter *x, const Node *node, PyObject *values, bool header) {
    for (Py_ssize_t i = 0; i < node->count; i++) {
        const Part *part = &node->parts[i];
        if ((part->place == PLACE_HEADER) == header && !content_part(x, part, PyTuple_GetItem(values, i)))
            return false;
    }
    return true;
}

/* The header, unless it is empty: `blocks`, and fields. */
static bool header(XmlWriter *x, const Node *node, PyObject *values, PyObject *blocks) {
    Py_ssize_t size;
    const char *data = PyUnicode_AsUTF8AndSize(blocks, &size);
    const size_t before = creo_writer_size(&x->bytes);
    if (data == NULL || !PUT(x, "<soap:Header>"))
        return false;
    const size_t start = creo_writer_size(&x->bytes);
    if (!xml_put(x, data, (size_t)size) || !fields(x, node, values, true))
        return false;
    if (creo_writer_size(&x->bytes) != start)
        return PUT(x, "</soap:Header>");
    x->bytes.at = x->bytes.start + before;
    return true;
}

static bool envelope(XmlWriter *x, const Node *node, PyObject *values, PyObject *blocks) {
    const Root *root = node->root;
    return node->writable && root != NULL && PyTuple_CheckExact(values) && PyTuple_Size(values) == node->count && put_bytes(x, root->start) &&
           header(x, node, values, blocks) && put_bytes(x, root->before) && fields(x, node, values, false) && put_bytes(x, root->after);
}

PyObject *xml_encode(XmlWriter *x, Node *node, PyObject *value, PyObject *limits, size_t part_from,
                     bool (*write)(XmlWriter *, const Node *, PyObject *, PyObject *), PyObject *more) {
    static const creo_text_spaces none = {NULL, 0, false};
    Limits allowed;
    if (!node->filled || node->parts == NULL || !limits_of(node->context, limits, &allowed) || allowed.max_message < 0)
        return gave_up();
    creo_limits used = creo_limits_default();
    used.max_message_size = (uint64_t)allowed.max_message < PY_SSIZE_T_MAX / 2 ? (size_t)allowed.max_message : PY_SSIZE_T_MAX / 2;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    x->state.context = node->context;
    x->state.depth = allowed.depth;
    x->state.nesting = 0;
    x->state.taken = node->kind == KIND_PARAMETERS;
    creo_writer_init(&x->bytes, &arena, &used, NULL);
    creo_xml_out_init(&x->out, &x->bytes, node->root == NULL ? &none : &node->root->spaces);
    x->out.part_from = part_from;
    /* Python code that runs meanwhile may clear the node. */
    Py_INCREF((PyObject *)node);
    Py_INCREF(value);
    const bool written = write(x, node, value, more);
    Py_DECREF(value);
    const creo_bytes all = creo_writer_bytes(&x->bytes);
    PyObject *made = written ? PyBytes_FromStringAndSize((const char *)all.data, (Py_ssize_t)all.size) : gave_up();
    Py_DECREF((PyObject *)node);
    creo_arena_free(&arena);
    return made;
}

PyObject *node_encode_xml(PyObject *self, PyObject *arguments) {
    PyObject *value, *limits;
    if (!PyArg_UnpackTuple(arguments, "encode_xml", 2, 2, &value, &limits))
        return NULL;
    XmlWriter x;
    return xml_encode(&x, (Node *)self, value, limits, SIZE_MAX, alone, Py_None);
}

PyObject *node_encode_soap(PyObject *self, PyObject *arguments) {
    PyObject *values, *limits, *blocks;
    Py_ssize_t part_from;
    if (!PyArg_ParseTuple(arguments, "OOUn:encode_soap", &values, &limits, &blocks, &part_from))
        return NULL;
    if (((Node *)self)->kind != KIND_PARAMETERS) {
        PyErr_SetString(PyExc_TypeError, "the node of a request is expected");
        return NULL;
    }
    XmlWriter x;
    return xml_encode(&x, (Node *)self, values, limits, part_from < 0 ? SIZE_MAX : (size_t)part_from, envelope, blocks);
}
