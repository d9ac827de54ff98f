/* Items of an array whose number is not known before they are read. */
#ifndef CREO_ACCELERATOR_ITEMS_H
#define CREO_ACCELERATOR_ITEMS_H

#include "reader.h"

/* The items read; a few need no separate memory. */
typedef struct {
    PyObject **items;
    Py_ssize_t count, room;
    PyObject *first[16];
} Items;

static inline void no_items(Items *items) {
    items->items = items->first;
    items->count = 0;
    items->room = sizeof items->first / sizeof *items->first;
}

/* Adds an item; takes over its reference if that succeeds. */
static inline bool add(Items *items, PyObject *item) {
    if (items->count == items->room) {
        const Py_ssize_t room = 4 * items->room;
        const bool is_first = items->items == items->first;
        PyObject **larger = PyMem_Realloc(is_first ? NULL : items->items, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            PyErr_NoMemory();
            return false;
        }
        if (is_first)
            memcpy(larger, items->first, sizeof items->first);
        items->items = larger;
        items->room = room;
    }
    items->items[items->count++] = item;
    return true;
}

/* The items as a tuple, or NULL unless they are `right`; releases the memory and references of `items`. */
static inline PyObject *tuple_of(Items *items, bool right) {
    PyObject *made = right ? PyTuple_New(items->count) : NULL;
    for (Py_ssize_t i = 0; i < items->count; i++) {
        if (made != NULL)
            PyTuple_SetItem(made, i, items->items[i]);
        else
            Py_DECREF(items->items[i]);
    }
    if (items->items != items->first)
        PyMem_Free(items->items);
    if (made != NULL && PyTuple_Size(made) > 0)
        PyObject_GC_UnTrack(made); /* as in `complete` */
    return made;
}

/* A StructArray of these items; takes over the reference, which may be NULL. */
static inline PyObject *struct_array(const Node *node, PyObject *items) {
    PyObject *made = items == NULL ? NULL : instance_of(&node->cls);
    if (made == NULL) {
        Py_XDECREF(items);
        return NULL;
    }
    put(made, node->slot_block, new_reference(node->block));
    put(made, node->slot_data, new_reference(Py_None));
    put(made, node->slot_items, items);
    complete(&node->cls, made);
    return made;
}

#endif
