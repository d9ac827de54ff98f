/* The names of nodes in JSON. */
#include "accelerator.h"

#include <stdlib.h>

static bool set_name(Name *name, PyObject *text) {
    Py_ssize_t size;
    const char *data = PyUnicode_AsUTF8AndSize(text, &size);
    if (data == NULL)
        return false;
    name->text = PyMem_Malloc((size_t)size);
    if (name->text == NULL) {
        PyErr_NoMemory();
        return false;
    }
    memcpy(name->text, data, (size_t)size);
    name->size = size;
    return true;
}

static void free_name(Name *name) {
    PyMem_Free(name->text);
    *name = (Name){NULL, 0};
}

static Name *name_at(const Node *node, Py_ssize_t i) {
    return node->kind == KIND_ENUM ? &node->by_number[i].json : &node->fields[i].json;
}

static Py_ssize_t names(const Node *node) {
    return node->kind == KIND_ENUM ? node->constant_count : node->count;
}

static int compare(const char *a, Py_ssize_t a_size, const Name *b) {
    if (a_size != b->size)
        return a_size < b->size ? -1 : 1;
    return memcmp(a, b->text, (size_t)a_size);
}

Py_ssize_t named(const Node *node, const char *text, Py_ssize_t size) {
    Py_ssize_t low = 0, high = names(node);
    while (low < high) {
        const Py_ssize_t middle = low + (high - low) / 2;
        const int order = compare(text, size, name_at(node, node->by_name[middle]));
        if (order == 0)
            return node->by_name[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Insertion sort with binary search: names are few, and sorted once. */
static void sort_names(Node *node) {
    for (Py_ssize_t i = 0; i < names(node); i++) {
        const Name *name = name_at(node, i);
        Py_ssize_t low = 0, high = i;
        while (low < high) {
            const Py_ssize_t middle = low + (high - low) / 2;
            if (compare(name->text, name->size, name_at(node, node->by_name[middle])) > 0)
                low = middle + 1;
            else
                high = middle;
        }
        memmove(node->by_name + low + 1, node->by_name + low, (size_t)(i - low) * sizeof *node->by_name);
        node->by_name[low] = i;
    }
}

static bool set_names(Node *node, PyObject *members, PyObject *order) {
    const Py_ssize_t count = names(node);
    const size_t room = (size_t)(count > 0 ? count : 1) * sizeof(Py_ssize_t);
    node->order = PyMem_Malloc(room);
    node->by_name = PyMem_Malloc(room);
    if (node->order == NULL || node->by_name == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *text;
        int absent;
        if (!PyArg_ParseTuple(PyTuple_GetItem(members, i), "Ui:member", &text, &absent) ||
            !set_name(name_at(node, i), text))
            return false;
        if (node->kind != KIND_ENUM)
            node->fields[i].absent = (Absent)absent;
        const Py_ssize_t place = PyLong_AsSsize_t(PyTuple_GetItem(order, i));
        if (place < 0 || place >= count) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "no place of a member");
            return false;
        }
        node->order[i] = place;
    }
    sort_names(node);
    return true;
}

PyObject *node_name(PyObject *self, PyObject *arguments) {
    Node *node = (Node *)self;
    PyObject *members, *order;
    if (!PyArg_ParseTuple(arguments, "O!O!:name", &PyTuple_Type, &members, &PyTuple_Type, &order))
        return NULL;
    if (!node->filled || node->by_name != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a node is named once, after it is filled");
        return NULL;
    }
    if (PyTuple_Size(members) != names(node) || PyTuple_Size(order) != names(node)) {
        PyErr_SetString(PyExc_ValueError, "not as many names as members");
        return NULL;
    }
    if (!set_names(node, members, order)) {
        node_unname(node);
        return NULL;
    }
    node->named = true;
    return new_reference(Py_None);
}

void node_unname(Node *node) {
    node->named = false;
    for (Py_ssize_t i = 0; node->by_name != NULL && i < names(node); i++)
        free_name(name_at(node, i));
    PyMem_Free(node->order);
    PyMem_Free(node->by_name);
    node->order = node->by_name = NULL;
}
