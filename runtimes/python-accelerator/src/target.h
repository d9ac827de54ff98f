/* The values of a record while its parts are read, in any order: of XML, and of tables. */
#ifndef CREO_ACCELERATOR_TARGET_H
#define CREO_ACCELERATOR_TARGET_H

#include "reader.h"

/* The values of a record while it is read: in an instance, or as arguments of a constructor, or in a list. */
typedef struct {
    const Node *node;
    PyObject *instance;
    PyObject *arguments;
    PyObject **values;
} Target;

static inline bool is_set(const Target *to, Py_ssize_t i) {
    if (to->values != NULL)
        return to->values[i] != NULL;
    if (to->instance != NULL)
        return *slot_at(to->instance, to->node->fields[i].offset) != NULL;
    return PyDict_GetItemWithError(to->arguments, to->node->fields[i].name) != NULL;
}

/* Sets a part once; takes over the reference, which may be NULL. */
static inline bool set(const Target *to, Py_ssize_t i, PyObject *value) {
    if (value == NULL || is_set(to, i)) {
        Py_XDECREF(value);
        return false;
    }
    if (to->values != NULL)
        to->values[i] = value;
    else if (to->instance != NULL)
        put(to->instance, to->node->fields[i].offset, value);
    else {
        const bool done = PyDict_SetItem(to->arguments, to->node->fields[i].name, value) == 0;
        Py_DECREF(value);
        return done;
    }
    return true;
}

/* Gives absent parts their values; false if one is missing. `defaults`: the constructor has some of them. */
static inline bool set_absent(const Target *to, bool *defaults) {
    const Node *node = to->node;
    for (Py_ssize_t i = 0; i < node->part_count - 1; i++) {
        const Part *part = &node->parts[i];
        if (is_set(to, i))
            continue;
        if (part->defaults)
            *defaults = true;
        else if (part->absent == NULL || !set(to, i, new_reference(part->absent)))
            return false;
    }
    return true;
}

/* An empty record; false with an exception. */
static inline bool begin_record(Target *to, const Node *node) {
    const bool slots = node->cls.type != NULL;
    *to = (Target){node, slots ? instance_of(&node->cls) : NULL, slots ? NULL : PyDict_New(), NULL};
    return to->instance != NULL || to->arguments != NULL;
}

/* The record with the values that were set, or NULL unless they are `right`; releases the memory of `to`. */
static inline PyObject *end_record(Target *to, bool right, bool defaults) {
    if (!right) {
        Py_XDECREF(to->instance);
        Py_XDECREF(to->arguments);
        return NULL;
    }
    if (to->instance == NULL)
        return construct(to->node, to->arguments);
    if (defaults) {
        PyObject *arguments = as_arguments(to->node, to->instance, to->node->count);
        Py_DECREF(to->instance);
        return construct(to->node, arguments);
    }
    complete(&to->node->cls, to->instance);
    return to->instance;
}

#endif
