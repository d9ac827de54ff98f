/* Finds where instances of generated classes store their attributes.
 *
 * A class with __slots__ lists them in Py_tp_members with their offsets; both are part of the stable ABI. This is verified: a value stored at an
 * offset must be what the attribute reads.
 */
#include "accelerator.h"

#include <structmember.h>

bool class_of(PyObject *type, Class *out) {
    if (!PyType_Check(type)) {
        PyErr_SetString(PyExc_TypeError, "a class is expected");
        return false;
    }
    PyTypeObject *cls = (PyTypeObject *)type;
    if (!(PyType_GetFlags(cls) & Py_TPFLAGS_HEAPTYPE)) {
        PyErr_SetString(PyExc_TypeError, "a class written in Python is expected");
        return false;
    }
    void *alloc = PyType_GetSlot(cls, Py_tp_alloc);
    if (alloc == NULL) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "the class makes no instances");
        return false;
    }
    out->type = cls;
    memcpy(&out->alloc, &alloc, sizeof alloc);
    out->tracked = (PyType_GetFlags(cls) & Py_TPFLAGS_HAVE_GC) != 0;
    return true;
}

Py_ssize_t slot_of(PyObject *type, PyObject *name) {
    const PyMemberDef *member = PyType_GetSlot((PyTypeObject *)type, Py_tp_members);
    for (; member != NULL && member->name != NULL; member++) {
        if (PyUnicode_CompareWithASCIIString(name, member->name) == 0) {
            if (member->type == T_OBJECT_EX && member->flags == 0 && member->offset > 0)
                return member->offset;
            break;
        }
    }
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R has no slot %R", type, name);
    return -1;
}

bool slot_holds(const Class *cls, PyObject *name, Py_ssize_t offset) {
    PyObject *size = PyObject_GetAttrString((PyObject *)cls->type, "__basicsize__");
    if (size == NULL)
        return false;
    const Py_ssize_t end = PyLong_AsSsize_t(size);
    Py_DECREF(size);
    if (end == -1 && PyErr_Occurred())
        return false;
    bool holds = false;
    if (offset > 0 && offset <= end - (Py_ssize_t)sizeof(PyObject *)) {
        PyObject *instance = cls->alloc(cls->type, 0);
        PyObject *mark = PyList_New(0);
        if (instance != NULL && mark != NULL && *slot_at(instance, offset) == NULL) {
            Py_INCREF(mark);
            *slot_at(instance, offset) = mark;
            PyObject *found = PyObject_GetAttr(instance, name);
            holds = found == mark;
            Py_XDECREF(found);
        }
        Py_XDECREF(instance);
        Py_XDECREF(mark);
    }
    if (!holds && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R does not hold %R in a slot", (PyObject *)cls->type, name);
    return holds;
}
