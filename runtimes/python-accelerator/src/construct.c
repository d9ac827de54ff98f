/* Constructors of generated classes.
 *
 * A class has one of these in place of its `__init__`. It stores what the generated function would store, or leaves the call to that function: if
 * arguments are missing or unknown, and if one must be converted in a way that is rare. So errors are those of Python. Attribute lookups find the
 * generated function, whose signature and documentation are therefore the class's.
 *
 * The class calls it by the vectorcall protocol (PEP 590), which joined the stable ABI in 3.12 as CPython has had it since 3.9.
 */
#include "accelerator.h"

#include <structmember.h>

#ifndef Py_TPFLAGS_HAVE_VECTORCALL
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#endif
#ifndef PY_VECTORCALL_ARGUMENTS_OFFSET
#define PY_VECTORCALL_ARGUMENTS_OFFSET ((size_t)1 << (8 * sizeof(size_t) - 1))
#endif

/* Classes with more fields are left to Python. */
#define MAX_ARGUMENTS 64

typedef PyObject *(*Vectorcall)(PyObject *self, PyObject *const *arguments, size_t count, PyObject *names);

typedef struct {
    PyObject_HEAD
    Vectorcall call;
    PyTypeObject *node_type;
    PyObject *function;   /* the generated `__init__` */
    PyObject *later;      /* returns what the rest is made of, at the first call; then NULL */
    Node *node;           /* of the class, or of its union; NULL until then, and if all is left to Python */
    Field *fields;        /* of the node */
    Class cls;            /* borrowed from the node */
    Py_ssize_t count;     /* the number of fields */
    Py_ssize_t by_place;  /* how many may be given without their names */
    PyObject *defaults;   /* a dictionary by name */
    PyObject **without;   /* the default of each, from there; NULL without one */
} Constructor;

/* Whether a value may be part of a cycle, now or later. */
static bool may_cycle(const Context *c, PyObject *value) {
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type || type == c->date_time.type)
        return false;
    return (PyType_GetFlags(type) & Py_TPFLAGS_HAVE_GC) != 0 && (PyDict_CheckExact(value) || PyObject_GC_IsTracked(value));
}

/* Whether arguments are stored unchanged. */
static bool unchanged(const Node *node) {
    switch (node->kind) {
    case KIND_BYTES: case KIND_DECIMAL: case KIND_NUMBERS: case KIND_CHARS: case KIND_STRUCTS:
    case KIND_ARRAY: case KIND_MAP: case KIND_PARAMETERS:
        return false;
    case KIND_OPTIONAL:
        return unchanged(node->item);
    default:
        return true;
    }
}

static PyObject *held(const Node *node, PyObject *value, bool *cyclic);

/* The tuple of a tuple or a list. */
static PyObject *held_items(const Node *item, PyObject *values, bool *cyclic) {
    const bool same = unchanged(item), given = PyTuple_CheckExact(values);
    if (given && same) {
        *cyclic = *cyclic || may_cycle(item->context, values);
        return new_reference(values);
    }
    if (!given && !PyList_CheckExact(values))
        return NULL;
    PyObject *made = !same ? PyTuple_New(given ? PyTuple_Size(values) : PyList_Size(values)) : PyList_AsTuple(values);
    const Py_ssize_t count = made == NULL ? 0 : PyTuple_Size(made);
    bool found_cycle = false;
    for (Py_ssize_t i = 0; i < count && !(same && found_cycle); i++) {
        if (same) {
            found_cycle = may_cycle(item->context, PyTuple_GetItem(made, i));
            continue;
        }
        /* Taking memory may run other code, which may shorten a list. */
        PyObject *value = given ? PyTuple_GetItem(values, i) : PyList_GetItem(values, i);
        Py_XINCREF(value);
        PyObject *found = value == NULL ? NULL : held(item, value, &found_cycle);
        Py_XDECREF(value);
        if (found == NULL || PyTuple_SetItem(made, i, found) < 0) {
            Py_DECREF(made);
            return NULL;
        }
    }
    if (count > 0 && !found_cycle)
        PyObject_GC_UnTrack(made);
    *cyclic = *cyclic || found_cycle;
    return made;
}

/* A read-only map of a dictionary, or a read-only map. The collector always tracks maps, but not what holds them. */
static PyObject *held_entries(const Node *node, PyObject *values, bool *cyclic) {
    const Node *item = node->item;
    const bool same = unchanged(item);
    if (same && (PyObject *)Py_TYPE(values) == node->context->mapping_proxy) {
        *cyclic = true;
        return new_reference(values);
    }
    PyObject *made = PyDict_CheckExact(values) ? PyDict_Copy(values) : NULL;
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (made != NULL && PyDict_Next(made, &at, &key, &value)) {
        *cyclic = *cyclic || may_cycle(node->context, key);
        if (same) {
            *cyclic = *cyclic || may_cycle(node->context, value);
            continue;
        }
        /* Only values of existing keys are replaced, which the iteration allows. */
        PyObject *found = held(item, value, cyclic);
        if (found == NULL || PyDict_SetItem(made, key, found) < 0)
            Py_CLEAR(made);
        Py_XDECREF(found);
    }
    PyObject *frozen = made == NULL ? NULL : PyDictProxy_New(made);
    Py_XDECREF(made);
    return frozen;
}

/* What is stored for an argument: a new reference; NULL if Python must find it. `cyclic` becomes true if it may be part of a cycle. */
static PyObject *held(const Node *node, PyObject *value, bool *cyclic) {
    bool fits = true;
    switch (node->kind) {
    case KIND_BYTES:
        fits = PyBytes_CheckExact(value);
        break;
    case KIND_DECIMAL:
        fits = (PyObject *)Py_TYPE(value) == node->context->decimal;
        break;
    case KIND_ENUM:
        if ((PyObject *)Py_TYPE(value) == node->type)
            return new_reference(value);
        fits = value != Py_None; /* which may mean a default */
        break;
    case KIND_OPTIONAL:
        if (value != Py_None)
            return held(node->item, value, cyclic);
        break;
    case KIND_ARRAY:
        return held_items(node->item, value, cyclic);
    case KIND_MAP:
        return held_entries(node, value, cyclic);
    case KIND_NUMBERS: case KIND_CHARS: case KIND_STRUCTS: case KIND_PARAMETERS:
        fits = false;
        break;
    default:
        break;
    }
    if (!fits)
        return NULL;
    *cyclic = *cyclic || may_cycle(node->context, value);
    return new_reference(value);
}

/* The index of a name; -1 if no field has it. */
static Py_ssize_t index_of(const Constructor *c, PyObject *name, Py_ssize_t near) {
    if (near < c->count && c->fields[near].name == name)
        return near;
    for (Py_ssize_t i = 0; i < c->count; i++) {
        if (c->fields[i].name == name || PyUnicode_Compare(c->fields[i].name, name) == 0)
            return i;
    }
    return -1;
}

/* Puts arguments in the order of the fields: borrowed references. */
static bool arranged(const Constructor *c, PyObject *const *given, Py_ssize_t count, PyObject *names, PyObject **values) {
    if (count > c->by_place)
        return false;
    for (Py_ssize_t i = 0; i < c->count; i++)
        values[i] = i < count ? given[i] : NULL;
    const Py_ssize_t named = names == NULL ? 0 : PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < named; i++) {
        const Py_ssize_t index = index_of(c, PyTuple_GetItem(names, i), count + i);
        if (index < 0 || values[index] != NULL)
            return false;
        values[index] = given[count + i];
    }
    for (Py_ssize_t i = 0; i < c->count; i++) {
        if (values[i] == NULL && (values[i] = c->without[i]) == NULL)
            return false;
    }
    return true;
}

static bool fill(const Constructor *c, PyObject *instance, PyObject *const *given, Py_ssize_t count, PyObject *names) {
    PyObject *values[MAX_ARGUMENTS];
    const bool exact = Py_TYPE(instance) == c->cls.type;
    if ((!exact && !PyType_IsSubtype(Py_TYPE(instance), c->cls.type)) || !arranged(c, given, count, names, values))
        return false;
    /* Of a subclass, there may be more than these fields. */
    bool cyclic = !exact;
    for (Py_ssize_t i = 0; i < c->count; i++) {
        values[i] = held(c->fields[i].node, values[i], &cyclic);
        if (values[i] == NULL) {
            while (i-- > 0)
                Py_DECREF(values[i]);
            return false;
        }
    }
    for (Py_ssize_t i = 0; i < c->count; i++) {
        PyObject **slot = slot_at(instance, c->fields[i].offset);
        PyObject *before = *slot;
        *slot = values[i];
        values[i] = before;
    }
    if (!cyclic)
        complete(&c->cls, instance);
    for (Py_ssize_t i = 0; i < c->count; i++)
        Py_XDECREF(values[i]);
    return true;
}

/* Whether C stores this field in common cases. */
static bool usual(const Field *field) {
    const Kind kind = field->node->kind;
    return field->offset > 0 && kind != KIND_NUMBERS && kind != KIND_CHARS && kind != KIND_STRUCTS;
}

static bool set_defaults(Constructor *c) {
    c->without = PyMem_Malloc((size_t)c->count * sizeof(PyObject *));
    if (c->without == NULL)
        return false;
    for (Py_ssize_t i = 0; i < c->count; i++) {
        if (!usual(&c->fields[i]))
            return false;
        c->without[i] = PyDict_GetItemWithError(c->defaults, c->fields[i].name);
    }
    return !PyErr_Occurred();
}

/* Takes what `later` returns: (node, member or -1, arguments without names, defaults), or None to leave all to Python. */
static bool prepare(Constructor *c) {
    PyObject *later = c->later, *node = NULL, *defaults = NULL;
    Py_ssize_t member, by_place;
    c->later = NULL; /* constructors that it calls, or another thread, do without */
    PyObject *found = PyObject_CallObject(later, NULL);
    Py_DECREF(later);
    if (found != NULL && found != Py_None &&
        PyArg_ParseTuple(found, "O!nnO!:constructor", c->node_type, &node, &member, &by_place, &PyDict_Type, &defaults)) {
        const Node *from = (const Node *)node;
        const bool record = member < 0;
        if (from->filled && (record ? from->kind == KIND_RECORD : from->kind == KIND_UNION && member < from->count)) {
            c->fields = &from->fields[record ? 0 : member];
            c->count = record ? from->count : 1;
            c->cls = record ? from->cls : c->fields->cls;
            c->by_place = by_place;
            c->defaults = new_reference(defaults);
            if (c->cls.type != NULL && c->count > 0 && c->count <= MAX_ARGUMENTS && by_place <= c->count && set_defaults(c))
                c->node = (Node *)new_reference(node);
        }
    }
    Py_XDECREF(found);
    return c->node != NULL;
}

/* Calls the generated function. */
static PyObject *leave(const Constructor *c, PyObject *const *given, Py_ssize_t count, PyObject *names) {
    const Py_ssize_t named = names == NULL ? 0 : PyTuple_Size(names);
    PyObject *arguments = PyTuple_New(count), *keywords = named == 0 ? NULL : PyDict_New(), *made = NULL;
    bool ready = arguments != NULL && (named == 0 || keywords != NULL);
    for (Py_ssize_t i = 0; ready && i < count; i++)
        ready = PyTuple_SetItem(arguments, i, new_reference(given[i])) == 0;
    for (Py_ssize_t i = 0; ready && i < named; i++)
        ready = PyDict_SetItem(keywords, PyTuple_GetItem(names, i), given[count + i]) == 0;
    if (ready)
        made = PyObject_Call(c->function, arguments, keywords);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
    return made;
}

static PyObject *vectorcall(PyObject *self, PyObject *const *arguments, size_t flags, PyObject *names) {
    Constructor *c = (Constructor *)self;
    const Py_ssize_t count = (Py_ssize_t)(flags & ~PY_VECTORCALL_ARGUMENTS_OFFSET);
    if (count > 0 && (c->node != NULL ? c->node->filled : c->later != NULL && prepare(c)) &&
        fill(c, arguments[0], arguments + 1, count - 1, names))
        return new_reference(Py_None);
    PyObject *left = gave_up();
    if (left == NULL)
        return NULL;
    Py_DECREF(left);
    return leave(c, arguments, count, names);
}

/* For callers that do not know the protocol. */
static PyObject *call(PyObject *self, PyObject *arguments, PyObject *keywords) {
    return PyObject_Call(((Constructor *)self)->function, arguments, keywords);
}

/* An attribute is that of the generated function. */
static PyObject *get(PyObject *self, PyObject *instance, PyObject *type) {
    return PyObject_CallMethod(((Constructor *)self)->function, "__get__", "OO", instance == NULL ? Py_None : instance,
                               type == NULL ? Py_None : type);
}

PyObject *constructor_new(PyTypeObject *type, PyTypeObject *node_type, PyObject *arguments) {
    PyObject *function, *later;
    if (!PyArg_ParseTuple(arguments, "OO:constructor", &function, &later))
        return NULL;
    Constructor *c = (Constructor *)PyType_GenericAlloc(type, 0);
    if (c == NULL)
        return NULL;
    c->call = vectorcall;
    c->node_type = (PyTypeObject *)new_reference((PyObject *)node_type);
    c->function = new_reference(function);
    c->later = new_reference(later);
    return (PyObject *)c;
}

/* The class clears its dictionary, which breaks a cycle through its constructor. */
static int traverse(PyObject *self, visitproc visit, void *arg) {
    Constructor *c = (Constructor *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(c->node_type);
    Py_VISIT(c->function);
    Py_VISIT(c->later);
    Py_VISIT(c->node);
    Py_VISIT(c->defaults);
    return 0;
}

static void dealloc(PyObject *self) {
    Constructor *c = (Constructor *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(c->function);
    Py_XDECREF(c->later);
    Py_XDECREF(c->node);
    Py_XDECREF(c->defaults);
    PyMem_Free(c->without);
    Py_XDECREF(c->node_type);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyObject *refused(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    (void)type, (void)arguments, (void)keywords;
    PyErr_SetString(PyExc_TypeError, "made by creo_accelerator.constructor");
    return NULL;
}

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Constructor, call), READONLY, NULL},
    {"__wrapped__", T_OBJECT_EX, offsetof(Constructor, function), READONLY, "The generated function."},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"The `__init__` of a generated class."},
    {Py_tp_new, (void *)refused},
    {Py_tp_call, (void *)call},
    {Py_tp_descr_get, (void *)get},
    {Py_tp_members, members},
    {Py_tp_traverse, (void *)traverse},
    {Py_tp_dealloc, (void *)dealloc},
    {0, NULL},
};

PyType_Spec constructor_spec = {
    .name = "creo_accelerator.Constructor",
    .basicsize = sizeof(Constructor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .slots = slots,
};
