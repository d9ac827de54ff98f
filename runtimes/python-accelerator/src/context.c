/* What a copy of the runtime passes, once. */
#include "accelerator.h"

/* Adds a slot of a class, tested on a fresh instance. */
static bool slot(const Class *cls, const char *name, Py_ssize_t *out) {
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL)
        return false;
    *out = slot_of((PyObject *)cls->type, text);
    const bool found = *out > 0 && slot_holds(cls, text, *out);
    Py_DECREF(text);
    return found;
}

static bool whole(PyObject *object, const char *name, int64_t *out) {
    PyObject *number = PyObject_GetAttrString(object, name);
    if (number == NULL)
        return false;
    int overflow = 0;
    const long long found = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (overflow == 0 && found == -1 && PyErr_Occurred())
        return false;
    /* Values above the size of any body are not distinguished. */
    const int64_t top = INT64_C(1) << 62;
    *out = overflow > 0 || found > top ? top : overflow < 0 ? 0 : (int64_t)found;
    return true;
}

/* An optional limit; None means no limit. */
static bool whole_or_none(PyObject *object, const char *name, int64_t *out) {
    PyObject *found = PyObject_GetAttrString(object, name);
    if (found == NULL)
        return false;
    const bool none = found == Py_None;
    Py_DECREF(found);
    *out = INT64_MAX;
    return none || whole(object, name, out);
}

static bool read_limits(PyObject *limits, Limits *out) {
    return whole(limits, "memory", &out->memory) && whole(limits, "max_empty_items", &out->empty) &&
           whole(limits, "max_depth", &out->depth) && whole(limits, "max_body", &out->max_body) &&
           whole(limits, "max_message_size", &out->max_message) &&
           whole(limits, "max_xml_depth", &out->max_open) && whole(limits, "max_xml_name", &out->max_name) &&
           whole_or_none(limits, "max_xml_text", &out->max_text) &&
           whole(limits, "max_xml_attributes", &out->max_attributes) &&
           whole(limits, "max_xml_namespaces", &out->max_namespaces);
}

bool limits_of(const Context *context, PyObject *limits, Limits *out) {
    if (limits == context->default_limits) {
        *out = context->limits;
        return true;
    }
    return read_limits(limits, out);
}

static PyObject *given(PyObject *runtime, const char *name) {
    return PyObject_GetAttrString(runtime, name);
}

static bool given_class(PyObject *runtime, const char *name, Class *out) {
    PyObject *type = given(runtime, name);
    if (type == NULL)
        return false;
    if (!class_of(type, out)) {
        Py_DECREF(type);
        return false;
    }
    return true; /* the context now owns the reference */
}

PyObject *context_new(PyTypeObject *type, PyTypeObject *node_type, PyTypeObject *catcher_type, PyObject *runtime) {
    Context *c = (Context *)PyType_GenericAlloc(type, 0);
    if (c == NULL)
        return NULL;
    Py_INCREF(node_type);
    c->node_type = node_type;
    Class base = {NULL, NULL, false};
    bool fits = given_class(runtime, "date_time", &c->date_time) &&
                slot(&c->date_time, "seconds", &c->seconds) &&
                slot(&c->date_time, "nanoseconds", &c->nanoseconds) &&
                given_class(runtime, "unknown_member", &c->unknown) &&
                slot(&c->unknown, "index", &c->unknown_index) &&
                slot(&c->unknown, "data", &c->unknown_data) &&
                given_class(runtime, "array", &c->array) &&
                slot(&c->array, "view", &c->array_view) &&
                (c->extensible_enum = given(runtime, "extensible_enum")) != NULL &&
                class_of(c->extensible_enum, &base) && slot(&base, "value", &c->enum_value) &&
                (c->decimal = given(runtime, "decimal")) != NULL &&
                (c->decimal_text = given(runtime, "decimal_text")) != NULL &&
                (c->to_array = given(runtime, "to_array")) != NULL &&
                (c->pack_float = given(runtime, "pack_float")) != NULL &&
                (c->unpack_float = given(runtime, "unpack_float")) != NULL &&
                (c->mapping_proxy = given(runtime, "mapping_proxy")) != NULL &&
                (c->default_limits = given(runtime, "default_limits")) != NULL &&
                read_limits(c->default_limits, &c->limits) &&
                (c->catcher = PyType_GenericAlloc(catcher_type, 0)) != NULL &&
                (c->word_cast = PyUnicode_InternFromString("cast")) != NULL &&
                (c->word_copy = PyUnicode_InternFromString("copy")) != NULL &&
                (c->word_format = PyUnicode_InternFromString("format")) != NULL;
    if (!fits) {
        Py_DECREF(c);
        return NULL;
    }
    return (PyObject *)c;
}

static int context_traverse(PyObject *self, visitproc visit, void *arg) {
    Context *c = (Context *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(c->node_type);
    Py_VISIT(c->date_time.type);
    Py_VISIT(c->unknown.type);
    Py_VISIT(c->array.type);
    Py_VISIT(c->extensible_enum);
    Py_VISIT(c->decimal);
    Py_VISIT(c->decimal_text);
    Py_VISIT(c->to_array);
    Py_VISIT(c->pack_float);
    Py_VISIT(c->unpack_float);
    Py_VISIT(c->mapping_proxy);
    Py_VISIT(c->default_limits);
    return 0;
}

/* Nodes use their context until they are freed, so clearing them breaks a cycle through it. */
static void context_dealloc(PyObject *self) {
    Context *c = (Context *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(c->node_type);
    Py_XDECREF(c->date_time.type);
    Py_XDECREF(c->unknown.type);
    Py_XDECREF(c->array.type);
    Py_XDECREF(c->extensible_enum);
    Py_XDECREF(c->decimal);
    Py_XDECREF(c->decimal_text);
    Py_XDECREF(c->to_array);
    Py_XDECREF(c->pack_float);
    Py_XDECREF(c->unpack_float);
    Py_XDECREF(c->mapping_proxy);
    Py_XDECREF(c->default_limits);
    Py_XDECREF(c->catcher);
    Py_XDECREF(c->word_cast);
    Py_XDECREF(c->word_copy);
    Py_XDECREF(c->word_format);
    for (size_t i = 0; i < KEPT_KEYS; i++)
        Py_XDECREF(c->keys[i]);
    free_spaces(c->spaces);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

/* Created only by the module's functions. */
static PyObject *context_refused(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    (void)type, (void)arguments, (void)keywords;
    PyErr_SetString(PyExc_TypeError, "made by creo_accelerator.context");
    return NULL;
}

static PyType_Slot context_slots[] = {
    {Py_tp_doc, (void *)"The classes of one copy of the runtime."},
    {Py_tp_new, (void *)context_refused},
    {Py_tp_traverse, (void *)context_traverse},
    {Py_tp_dealloc, (void *)context_dealloc},
    {0, NULL},
};

PyType_Spec context_spec = {
    .name = "creo_accelerator.Context",
    .basicsize = sizeof(Context),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = context_slots,
};
