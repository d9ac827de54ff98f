/* Writes arrays. */
#include "writer.h"
#include "swap.h"

/* An Array with this code: a new reference; NULL if it is none. */
static PyObject *as_array(Writer *w, const Node *node, PyObject *value) {
    const Context *c = w->context;
    if (Py_TYPE(value) == c->array.type)
        return new_reference(value);
    if (!w->taken || !(PyList_CheckExact(value) || PyTuple_CheckExact(value)))
        return NULL;
    PyObject *made = PyObject_CallFunction(c->to_array, "OOs", node->code_text, value, "$");
    if (made != NULL && Py_TYPE(made) != c->array.type)
        Py_CLEAR(made);
    return made;
}

static bool has_code(const Writer *w, const Node *node, PyObject *view) {
    PyObject *format = PyObject_GetAttr(view, w->context->word_format);
    const bool found = format != NULL && PyUnicode_Check(format) &&
                       PyUnicode_CompareWithASCIIString(format, node->code) == 0;
    Py_XDECREF(format);
    return found;
}

PyObject *numbers_of(Writer *w, const Node *node, PyObject *value) {
    PyObject *array = as_array(w, node, value);
    if (array == NULL)
        return NULL;
    PyObject *copy = NULL;
    PyObject *view = *slot_at(array, w->context->array_view);
    if (view != NULL && Py_TYPE(view) == &PyMemoryView_Type) {
        Py_INCREF(view);
        /* A copy: the limited API of 3.9 does not expose buffers. */
        copy = has_code(w, node, view) ? PyBytes_FromObject(view) : NULL;
        Py_DECREF(view);
        if (copy != NULL && PyBytes_Size(copy) % node->size != 0)
            Py_CLEAR(copy);
    }
    Py_DECREF(array);
    return copy;
}

bool write_numbers(Writer *w, const Node *node, PyObject *value) {
    PyObject *numbers = numbers_of(w, node, value);
    char *data;
    Py_ssize_t size;
    bool written = false;
    if (numbers != NULL && PyBytes_AsStringAndSize(numbers, &data, &size) == 0 &&
        write_count(w, size / node->size) && reserve(w, (size_t)size)) {
        copy_numbers(w->data + w->size, (const uint8_t *)data, (size_t)(size / node->size), node->size);
        w->size += (size_t)size;
        written = true;
    }
    Py_XDECREF(numbers);
    return written;
}

bool write_chars(Writer *w, PyObject *text) {
    if (!PyUnicode_CheckExact(text))
        return false;
    const Py_ssize_t n = PyUnicode_GetLength(text);
    PyObject *units = PyUnicode_AsEncodedString(text, "utf-16-be", "surrogatepass");
    char *data;
    Py_ssize_t size;
    const bool written = units != NULL && PyBytes_AsStringAndSize(units, &data, &size) == 0 &&
                         size == 2 * n && write_count(w, n) && write_bytes(w, data, (size_t)size);
    Py_XDECREF(units);
    return written;
}

bool write_items(Writer *w, const Node *item, PyObject *values) {
    if (PyTuple_CheckExact(values)) {
        const Py_ssize_t n = PyTuple_Size(values);
        if (!write_count(w, n))
            return false;
        for (Py_ssize_t i = 0; i < n; i++) {
            if (!write_value(w, item, PyTuple_GetItem(values, i)))
                return false;
        }
        return true;
    }
    if (!w->taken || !PyList_CheckExact(values))
        return false;
    /* A list may change if Python code runs: the count is then wrong. */
    const Py_ssize_t n = PyList_Size(values);
    if (!write_count(w, n))
        return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyList_Size(values) != n)
            return false;
        PyObject *value = PyList_GetItem(values, i);
        Py_INCREF(value);
        const bool written = write_value(w, item, value);
        Py_DECREF(value);
        if (!written)
            return false;
    }
    return true;
}

/* The content of a StructArray: bytes in wire form, or items. */
bool write_structs(Writer *w, const Node *node, PyObject *value) {
    if ((PyObject *)Py_TYPE(value) != node->type)
        return write_items(w, node->item, value);
    PyObject *block = *slot_at(value, node->slot_block), *data = *slot_at(value, node->slot_data);
    PyObject *values = *slot_at(value, node->slot_items);
    if (block != node->block || data == NULL || values == NULL)
        return false;
    if (data == Py_None)
        return PyTuple_CheckExact(values) && write_items(w, node->item, values);
    if (!PyBytes_CheckExact(data) && Py_TYPE(data) != &PyMemoryView_Type)
        return false;
    PyObject *copy = PyBytes_FromObject(data); /* the same object for bytes */
    char *from;
    Py_ssize_t size;
    const bool written = copy != NULL && PyBytes_AsStringAndSize(copy, &from, &size) == 0 &&
                         size % node->size == 0 && write_count(w, size / node->size) &&
                         write_bytes(w, from, (size_t)size);
    Py_XDECREF(copy);
    return written;
}
