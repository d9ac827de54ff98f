/* Writes tables in schema order, as creo/_tdxml/write.py does. Gives up on what cannot be written as XML in C, and on bytes that become parts. */
#include "xml_out.h"

#include "tdxml_shape.h"

#include "tdxml/tdxml_text.h"

typedef struct {
    XmlWriter x; /* the first, as functions for items get it */
    bool record; /* the record scheme */
    const char *head, *tail; /* what is around the rows */
    Py_ssize_t head_size, tail_size;
    Room index; /* of the current value */
    size_t size;
} TableWriter;

/* What has parts: a record, the tuple of a message's arguments, or the key and the value of an entry. */
typedef struct {
    const Node *node;
    PyObject *holder;
    PyObject *entry[2];
} Source;

static bool element(TableWriter *t, const Node *node, PyObject *value);

static TableWriter *table_of(XmlWriter *x) {
    return (TableWriter *)(void *)x;
}

static bool put(TableWriter *t, const char *text, size_t size) {
    return xml_put(&t->x, text, size);
}

static bool push(TableWriter *t, char kind, Py_ssize_t number) {
    return index_push(&t->index, &t->size, kind, number);
}

static bool put_index(TableWriter *t) {
    return put(t, t->index.data, t->size);
}

/* A new reference; NULL if it is missing. */
static PyObject *part_value(const Source *from, Py_ssize_t i) {
    const Node *node = from->node;
    PyObject *value;
    if (node->kind == KIND_MAP)
        value = from->entry[i];
    else if (node->kind == KIND_PARAMETERS)
        value = PyTuple_GetItem(from->holder, i);
    else if (node->cls.type == NULL)
        return PyObject_GetAttr(from->holder, node->fields[i].name);
    else
        value = *slot_at(from->holder, node->fields[i].offset);
    Py_XINCREF(value);
    return value;
}

/* A bar, and a text or `~`. */
static bool column(TableWriter *t, const Node *node, PyObject *value) {
    if (node->kind == KIND_OPTIONAL) {
        if (value == Py_None)
            return put(t, "|~", 2);
        node = node->item;
    }
    if (!put(t, "|", 1))
        return false;
    const size_t from = creo_writer_size(&t->x.bytes);
    return xml_put_value(&t->x, node, value, creo_tdxml_put_text) && creo_tdxml_escape_first(&t->x.bytes, from);
}

/* Ends a row that began at `from`, and has columns or is removed. */
static bool end_row(TableWriter *t, size_t from, bool any) {
    if (any)
        return put(t, "\n", 1);
    t->x.bytes.at = t->x.bytes.start + from;
    return true;
}

/* The own row of the record scheme (TDX-30), without absent columns at its end. */
static bool own_row(TableWriter *t, const Source *from) {
    const Node *node = from->node;
    const size_t before = creo_writer_size(&t->x.bytes);
    size_t absent = 0;
    bool any = false, right = put_index(t);
    for (Py_ssize_t i = part_after(node, -1); right && i >= 0; i = part_after(node, i)) {
        const Node *form = node->parts[i].form;
        if (!is_column(form))
            continue;
        PyObject *value = part_value(from, i);
        if (value == Py_None && form->kind == KIND_OPTIONAL) {
            absent++;
        } else {
            for (; right && absent > 0; absent--)
                right = put(t, "|~", 2);
            right = right && value != NULL && column(t, form, value);
            any = true;
        }
        Py_XDECREF(value);
    }
    return right && end_row(t, before, any);
}

/* Arrays */

static bool item_column(XmlWriter *x, const void *more, const Node *node, PyObject *value, Py_ssize_t i) {
    (void)more, (void)i;
    return column(table_of(x), node, value);
}

static bool number_column(XmlWriter *x, const void *more, char code, const char *from, Py_ssize_t i) {
    (void)more, (void)i;
    return xml_put(x, "|", 1) && xml_put_number(x, code, from);
}

static bool item_rows(XmlWriter *x, const void *more, const Node *node, PyObject *value, Py_ssize_t i) {
    TableWriter *t = table_of(x);
    const size_t size = t->size;
    (void)more;
    const bool written = push(t, '\0', i) && element(t, node, value);
    t->size = size;
    return written;
}

static bool number_row(XmlWriter *x, const void *more, char code, const char *from, Py_ssize_t i) {
    TableWriter *t = table_of(x);
    const size_t size = t->size;
    const bool written = push(t, '\0', i) && put_index(t) && number_column(x, more, code, from, i) && put(t, "\n", 1);
    t->size = size;
    return written;
}

/* The items of an array, the texts of which are one row in the record scheme (TDX-31); the index is theirs without the occurrence. */
static bool items(TableWriter *t, const Node *node, PyObject *values) {
    if (node == NULL || node->kind != KIND_REPEATED || node->item == NULL)
        return false;
    const bool row = t->record && is_column(node->item);
    const size_t from = creo_writer_size(&t->x.bytes);
    if (row && !put_index(t))
        return false;
    const size_t before = creo_writer_size(&t->x.bytes);
    if (xml_is_packed(node) ? !xml_each_number(&t->x, NULL, node, values, row ? number_column : number_row)
                            : !xml_each_struct(&t->x, NULL, node, values, row ? item_column : item_rows))
        return false;
    return !row || end_row(t, from, creo_writer_size(&t->x.bytes) != before);
}

/* An array in its own element (TDX-23). */
static bool wrapped(TableWriter *t, const Node *node, PyObject *values) {
    return push(t, '[', 0) && items(t, node, values);
}

/* Records, maps and unions */

/* The rows of a part other than a column; none of null. An array repeats, except as key or value of an entry. */
static bool part_rows(TableWriter *t, const Node *node, PyObject *value, bool repeats) {
    if (node->kind == KIND_OPTIONAL)
        return value == Py_None || element(t, node->item, value);
    if (repeats && node->kind == KIND_REPEATED)
        return items(t, node, value);
    return element(t, node, value);
}

static bool part_at(TableWriter *t, const Source *from, Py_ssize_t i) {
    PyObject *value = part_value(from, i);
    const bool written = value != NULL && part_rows(t, from->node->parts[i].form, value, from->node->kind != KIND_MAP);
    Py_XDECREF(value);
    return written;
}

/* The rows at and beneath the index. */
static bool parts_of(TableWriter *t, const Source *from) {
    const Node *node = from->node;
    const size_t size = t->size;
    Py_ssize_t attributes = 0, elements = 0;
    /* The text has the element's own index. */
    if (t->record ? !own_row(t, from) : node->text >= 0 && !part_at(t, from, node->text))
        return false;
    for (Py_ssize_t i = part_after(node, -1); i >= 0; i = part_after(node, i)) {
        const Part *part = &node->parts[i];
        if (part->place == PLACE_TEXT)
            continue;
        const bool attribute = part->place == PLACE_ATTRIBUTE;
        const Py_ssize_t number = attribute ? attributes++ : elements++;
        if (t->record && is_column(part->form))
            continue;
        if (!push(t, attribute ? '(' : '[', number) || !part_at(t, from, i))
            return false;
        t->size = size;
    }
    return true;
}

static bool record(TableWriter *t, const Node *node, PyObject *value) {
    const Source from = {node, value, {NULL, NULL}};
    return node->writable && (PyObject *)Py_TYPE(value) == node->type && parts_of(t, &from);
}

static bool entry(XmlWriter *x, const Node *node, PyObject *key, PyObject *value, Py_ssize_t i) {
    TableWriter *t = table_of(x);
    const Source from = {node, NULL, {key, value}};
    const size_t size = t->size;
    const bool written = push(t, '\0', i) && parts_of(t, &from);
    t->size = size;
    return written;
}

static bool map(TableWriter *t, const Node *node, PyObject *value) {
    return node->writable && push(t, '[', 0) && xml_each_entry(&t->x, node, value, entry);
}

static bool write_union(TableWriter *t, const Node *node, PyObject *value) {
    const Py_ssize_t i = node->parts == NULL ? -1 : member_index(node, value);
    PyObject *of = i < 0 ? NULL : *slot_at(value, node->fields[i].offset);
    return of != NULL && push(t, '[', i) && element(t, node->parts[i].form, of);
}

static bool content(Writer *state, const Node *node, PyObject *value) {
    TableWriter *t = (TableWriter *)(void *)state;
    switch (node->kind) {
    case KIND_RECORD:
        return record(t, node, value);
    case KIND_UNION:
        return write_union(t, node, value);
    case KIND_MAP:
        return map(t, node, value);
    case KIND_REPEATED:
        return wrapped(t, node, value);
    case KIND_WRAPPED:
        return node->parts != NULL && wrapped(t, node->parts[0].form, value);
    default:
        return false;
    }
}

/* The value at the index; a presence row if it has no other (TDX-22). */
static bool element(TableWriter *t, const Node *node, PyObject *value) {
    if (node != NULL && node->kind == KIND_OPTIONAL) {
        if (value == Py_None)
            return put_index(t) && put(t, "~\n", 2);
        node = node->item;
    }
    if (node == NULL || !node->filled)
        return false;
    if (is_column(node))
        return put_index(t) && column(t, node, value) && put(t, "\n", 1);
    const size_t size = t->size, before = creo_writer_size(&t->x.bytes);
    if (!write_nested(&t->x.state, node, value, content))
        return false;
    t->size = size;
    return creo_writer_size(&t->x.bytes) != before || (put_index(t) && put(t, "\n", 1));
}

/* The parameters of a method. */
static bool message(TableWriter *t, const Node *node, PyObject *values) {
    const Source from = {node, values, {NULL, NULL}};
    return node->writable && PyTuple_CheckExact(values) && PyTuple_Size(values) == node->count && parts_of(t, &from);
}

static bool document(XmlWriter *x, const Node *node, PyObject *value, PyObject *more) {
    TableWriter *t = table_of(x);
    (void)more;
    return push(t, '[', 0) && put(t, t->head, (size_t)t->head_size) && put(t, "\n", 1) &&
           (node->kind == KIND_PARAMETERS ? message(t, node, value) : element(t, node, value)) && put(t, t->tail, (size_t)t->tail_size);
}

PyObject *node_encode_table(PyObject *self, PyObject *arguments) {
    PyObject *value, *limits, *head, *tail;
    int is_record;
    Py_ssize_t part_from;
    if (!PyArg_ParseTuple(arguments, "OpOnUU:encode_table", &value, &is_record, &limits, &part_from, &head, &tail))
        return NULL;
    TableWriter t;
    t.record = is_record != 0;
    t.index = (Room){NULL, 0};
    t.size = 0;
    t.head = PyUnicode_AsUTF8AndSize(head, &t.head_size);
    t.tail = t.head == NULL ? NULL : PyUnicode_AsUTF8AndSize(tail, &t.tail_size);
    if (t.tail == NULL)
        return gave_up();
    PyObject *made = xml_encode(&t.x, (Node *)self, value, limits, part_from < 0 ? SIZE_MAX : (size_t)part_from, document, NULL);
    PyMem_Free(t.index.data);
    return made;
}
