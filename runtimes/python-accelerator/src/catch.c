/* Finds the dictionary of a mapping proxy, which the limited API does not expose.
 *
 * A comparison with a proxy passes its dictionary to the other operand if the dictionary cannot decide: that operand is an object here that stores
 * it. If this does not happen, a copy is requested. The dictionary is only read.
 */
#include "accelerator.h"

typedef struct {
    PyObject_HEAD
    PyObject *caught;
} Catcher;

static PyObject *compare(PyObject *self, PyObject *other, int operation) {
    Catcher *catcher = (Catcher *)self;
    if (operation == Py_EQ && PyDict_CheckExact(other)) {
        Py_XDECREF(catcher->caught);
        catcher->caught = new_reference(other);
    }
    return new_reference(Py_False);
}

PyObject *behind_proxy(const Context *context, PyObject *proxy) {
    Catcher *catcher = (Catcher *)context->catcher;
    /* No Python code runs in between, so the caught object is that of this call. */
    PyObject *compared = PyObject_RichCompare(proxy, context->catcher, Py_EQ);
    PyObject *found = catcher->caught;
    catcher->caught = NULL;
    Py_XDECREF(compared);
    if (compared != NULL && found == NULL)
        found = PyObject_CallMethodObjArgs(proxy, context->word_copy, NULL);
    if (compared == NULL || (found != NULL && !PyDict_CheckExact(found)))
        Py_CLEAR(found);
    return found;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((Catcher *)self)->caught);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *refused(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    (void)type, (void)arguments, (void)keywords;
    PyErr_SetString(PyExc_TypeError, "made by creo_accelerator.context");
    return NULL;
}

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)refused},
    {Py_tp_richcompare, (void *)compare},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_dealloc, (void *)dealloc},
    {0, NULL},
};

PyType_Spec catcher_spec = {
    .name = "creo_accelerator.Catcher",
    .basicsize = sizeof(Catcher),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
