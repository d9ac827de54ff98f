/* The module: three functions, and the number that a runtime checks before it uses them. */
#include "accelerator.h"

typedef struct {
    PyTypeObject *context_type;
    PyTypeObject *node_type;
    PyTypeObject *catcher_type;
    PyTypeObject *constructor_type;
} State;

static State *state_of(PyObject *module) {
    return (State *)PyModule_GetState(module);
}

static PyObject *module_context(PyObject *module, PyObject *runtime) {
    State *state = state_of(module);
    return context_new(state->context_type, state->node_type, state->catcher_type, runtime);
}

static PyObject *module_node(PyObject *module, PyObject *arguments) {
    PyObject *context = PyTuple_Size(arguments) > 0 ? PyTuple_GetItem(arguments, 0) : NULL;
    if (context == NULL || Py_TYPE(context) != state_of(module)->context_type) {
        PyErr_SetString(PyExc_TypeError, "a context is expected");
        return NULL;
    }
    return node_new(module, arguments);
}

static PyObject *module_constructor(PyObject *module, PyObject *arguments) {
    const State *state = state_of(module);
    return constructor_new(state->constructor_type, state->node_type, arguments);
}

static PyMethodDef functions[] = {
    {"context", module_context, METH_O,
     "context(runtime): the classes of one copy of the runtime, which are attributes of `runtime`."},
    {"node", module_node, METH_VARARGS, "node(context, kind, ...): reads and writes values of a type."},
    {"constructor", module_constructor, METH_VARARGS, "constructor(function, later): the `__init__` of a generated class."},
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module) {
    State *state = state_of(module);
    state->context_type = (PyTypeObject *)PyType_FromSpec(&context_spec);
    state->node_type = (PyTypeObject *)PyType_FromSpec(&node_spec);
    state->catcher_type = (PyTypeObject *)PyType_FromSpec(&catcher_spec);
    state->constructor_type = (PyTypeObject *)PyType_FromSpec(&constructor_spec);
    if (state->context_type == NULL || state->node_type == NULL || state->catcher_type == NULL ||
        state->constructor_type == NULL)
        return -1;
    return PyModule_AddIntConstant(module, "INTERFACE", CREO_INTERFACE);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
    State *state = state_of(module);
    if (state != NULL) {
        Py_VISIT(state->context_type);
        Py_VISIT(state->node_type);
        Py_VISIT(state->catcher_type);
        Py_VISIT(state->constructor_type);
    }
    return 0;
}

static int module_clear(PyObject *module) {
    State *state = state_of(module);
    if (state != NULL) {
        Py_CLEAR(state->context_type);
        Py_CLEAR(state->node_type);
        Py_CLEAR(state->catcher_type);
        Py_CLEAR(state->constructor_type);
    }
    return 0;
}

static void module_free(void *module) {
    module_clear((PyObject *)module);
}

/* Free threading and interpreters with their own locks are not declared: both require that no object is shared, which was not verified. Such
 * interpreters work without the accelerator. */
static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)module_exec},
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "creo_accelerator._codec",
    .m_doc = "Values of Creo's binary wire, JSON, XML and tables, read and written in C.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__codec(void);

PyMODINIT_FUNC PyInit__codec(void) {
    return PyModuleDef_Init(&definition);
}
