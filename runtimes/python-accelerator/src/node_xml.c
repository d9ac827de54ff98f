/* The forms that nodes have in XML. */
#include "accelerator.h"

static const creo_namespace *space_of(Context *context, PyObject *uri) {
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(uri, &size);
    if (text == NULL)
        return NULL;
    for (const Space *space = context->spaces; space != NULL; space = space->next) {
        if (space->space.size == (size_t)size && memcmp(space->space.uri, text, (size_t)size) == 0)
            return &space->space;
    }
    Space *made = PyMem_Malloc(sizeof *made);
    if (made == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_INCREF(uri);
    *made = (Space){{text, (size_t)size}, uri, context->spaces};
    context->spaces = made;
    return &made->space;
}

void free_spaces(Space *spaces) {
    while (spaces != NULL) {
        Space *next = spaces->next;
        Py_DECREF(spaces->uri);
        PyMem_Free(spaces);
        spaces = next;
    }
}

static bool set_part(const Node *node, Part *part, PyObject *given) {
    PyObject *form, *local, *uri, *absent;
    int place, absence, nillable, nillable_items;
    if (!PyArg_ParseTuple(given, "OUUiiOpp:part", &form, &local, &uri, &place, &absence, &absent, &nillable, &nillable_items))
        return false;
    if (form != Py_None && Py_TYPE(form) != Py_TYPE((const PyObject *)node)) {
        PyErr_SetString(PyExc_TypeError, "a node is expected");
        return false;
    }
    Py_ssize_t size;
    part->name.local = PyUnicode_AsUTF8AndSize(local, &size);
    if (part->name.local == NULL)
        return false;
    part->name.size = (size_t)size;
    Py_INCREF(local);
    part->local = local;
    if (PyUnicode_GetLength(uri) > 0 && (part->name.space = space_of(node->context, uri)) == NULL)
        return false;
    if (form != Py_None) {
        Py_INCREF(form);
        part->form = (Node *)form;
    }
    part->place = (Place)place;
    part->defaults = absence == ABSENT_DEFAULT;
    part->nillable = nillable != 0;
    part->nillable_items = nillable_items != 0;
    if (absence == ABSENT_NOTHING) {
        Py_INCREF(absent);
        part->absent = absent;
    }
    return true;
}

PyObject *node_shape(PyObject *self, PyObject *arguments) {
    Node *node = (Node *)self;
    PyObject *parts;
    int bare, readable = 1;
    Py_ssize_t base = NOT_DERIVED;
    if (!PyArg_ParseTuple(arguments, "O!p|pn:shape", &PyTuple_Type, &parts, &bare, &readable, &base))
        return NULL;
    const Py_ssize_t count = PyTuple_Size(parts);
    const Kind kind = node->kind;
    const Py_ssize_t wanted = kind == KIND_ENUM ? node->constant_count : kind == KIND_MAP ? 2 : kind == KIND_WRAPPED ? 0 : node->count;
    if (node->parts != NULL || node->context == NULL || count != wanted + 1) {
        PyErr_SetString(PyExc_RuntimeError, "a node has one shape, with all its parts");
        return NULL;
    }
    node->parts = PyMem_Malloc((size_t)count * sizeof(Part));
    if (node->parts == NULL)
        return PyErr_NoMemory();
    memset(node->parts, 0, (size_t)count * sizeof(Part));
    node->writable = true;
    while (node->part_count < count) {
        Part *part = &node->parts[node->part_count++];
        if (!set_part(node, part, PyTuple_GetItem(parts, node->part_count - 1))) {
            node_unshape(node);
            return NULL;
        }
        if (part->place == PLACE_TEXT)
            node->text = node->part_count - 1;
        node->attributed = node->attributed || part->place == PLACE_ATTRIBUTE;
        /* Other members of a union can be written. */
        node->writable = node->writable && (part->form != NULL || node->part_count == count || kind == KIND_ENUM || kind == KIND_UNION);
    }
    node->bare = bare != 0;
    node->readable = readable != 0;
    node->base = base;
    return new_reference(Py_None);
}

static bool set_spaces(const Node *node, Root *root, PyObject *uris) {
    const Py_ssize_t count = PyTuple_Size(uris);
    const creo_namespace **items = PyMem_Malloc((size_t)(count > 0 ? count : 1) * sizeof *items);
    if (items == NULL) {
        PyErr_NoMemory();
        return false;
    }
    root->spaces = (creo_text_spaces){items, (uint32_t)count, false};
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *uri = PyTuple_GetItem(uris, i);
        if (!PyUnicode_Check(uri)) {
            PyErr_SetString(PyExc_TypeError, "a namespace is expected");
            return false;
        }
        if ((items[i] = space_of(node->context, uri)) == NULL)
            return false;
    }
    return true;
}

static void free_root(Root *root) {
    if (root == NULL)
        return;
    Py_XDECREF(root->start);
    Py_XDECREF(root->before);
    Py_XDECREF(root->after);
    PyMem_Free((void *)root->spaces.items);
    PyMem_Free(root);
}

PyObject *node_root(PyObject *self, PyObject *arguments) {
    Node *node = (Node *)self;
    PyObject *uris, *start, *before, *after;
    if (!PyArg_ParseTuple(arguments, "O!SSS:root", &PyTuple_Type, &uris, &start, &before, &after))
        return NULL;
    if (node->root != NULL || node->context == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a node is the root of one kind of message");
        return NULL;
    }
    Root *root = PyMem_Malloc(sizeof *root);
    if (root == NULL)
        return PyErr_NoMemory();
    *root = (Root){{NULL, 0, false}, new_reference(start), new_reference(before), new_reference(after)};
    if (!set_spaces(node, root, uris)) {
        free_root(root);
        return NULL;
    }
    node->root = root;
    return new_reference(Py_None);
}

void node_unshape(Node *node) {
    Part *parts = node->parts;
    const Py_ssize_t count = node->part_count;
    node->parts = NULL;
    node->part_count = 0;
    node->text = -1;
    node->readable = node->writable = false;
    free_root(node->root);
    node->root = NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_XDECREF(parts[i].local);
        Py_XDECREF((PyObject *)parts[i].form);
        Py_XDECREF(parts[i].absent);
    }
    PyMem_Free(parts);
}
