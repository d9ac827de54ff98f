/* Nodes, made from the runtime's description of a type. */
#include "accelerator.h"

#include <stdlib.h>

static const char *const KINDS[] = {
    "boolean", "byte", "short", "char", "int", "long", "float", "double",
    "String", "DateTime", "Decimal", "bytes", "numbers", "chars", "structs",
    "array", "optional", "map", "enum", "record", "union", "parameters",
    "token", "hex", "list", "repeated", "wrapped",
};

static bool kind_of(const char *word, Kind *out) {
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcmp(KINDS[i], word) == 0) {
            *out = (Kind)i;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError, "no kind of type: %s", word);
    return false;
}

/* Memory of `count` items, all zero. */
static void *zeroed(Py_ssize_t count, size_t size) {
    const size_t all = (count > 0 ? (size_t)count : 1) * size;
    void *made = PyMem_Malloc(all);
    if (made == NULL)
        PyErr_NoMemory();
    else
        memset(made, 0, all);
    return made;
}

static Node *as_node(const Node *like, PyObject *object) {
    if (Py_TYPE(object) != Py_TYPE((const PyObject *)like)) {
        PyErr_SetString(PyExc_TypeError, "a node is expected");
        return NULL;
    }
    Py_INCREF(object);
    return (Node *)object;
}

static bool set_code(Node *node, const char *code) {
    static const char CODES[] = "?hiqfd";
    static const Py_ssize_t SIZES[] = {1, 2, 4, 8, 4, 8};
    const char *found = code[0] != '\0' && code[1] == '\0' ? strchr(CODES, code[0]) : NULL;
    if (found == NULL) {
        PyErr_Format(PyExc_ValueError, "no code of numbers: %s", code);
        return false;
    }
    node->code[0] = code[0];
    node->size = SIZES[found - CODES];
    node->code_text = PyUnicode_InternFromString(code);
    return node->code_text != NULL;
}

static int by_number(const void *a, const void *b) {
    const int64_t x = ((const Constant *)a)->number, y = ((const Constant *)b)->number;
    return (x > y) - (x < y);
}

static int by_member(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t)((const Constant *)a)->member;
    const uintptr_t y = (uintptr_t)((const Constant *)b)->member;
    return (x > y) - (x < y);
}

static bool set_constants(Node *node, PyObject *constants) {
    const Py_ssize_t count = PyDict_Size(constants);
    if (count < 0)
        return false;
    node->by_number = zeroed(count, sizeof(Constant));
    node->by_member = zeroed(count, sizeof(Constant));
    if (node->by_number == NULL || node->by_member == NULL)
        return false;
    Py_ssize_t at = 0;
    PyObject *number, *member;
    while (PyDict_Next(constants, &at, &number, &member)) {
        const long long found = PyLong_AsLongLong(number);
        if (found == -1 && PyErr_Occurred())
            return false;
        Py_INCREF(member);
        node->by_number[node->constant_count++] = (Constant){member, (int64_t)found, 0, {NULL, 0}};
    }
    qsort(node->by_number, (size_t)count, sizeof(Constant), by_number);
    for (Py_ssize_t i = 0; i < count; i++) {
        node->by_number[i].index = i;
        node->by_member[i] = node->by_number[i];
    }
    qsort(node->by_member, (size_t)count, sizeof(Constant), by_member);
    return true;
}

static bool set_columns(Node *node, PyObject *columns) {
    const Py_ssize_t count = PyTuple_Size(columns);
    if (count < 0)
        return false;
    node->columns = zeroed(count, sizeof(Column));
    if (node->columns == NULL)
        return false;
    for (; node->column_count < count; node->column_count++) {
        Column *column = &node->columns[node->column_count];
        const char *kind;
        PyObject *numbers;
        char *allowed;
        Py_ssize_t allowed_count;
        if (!PyArg_ParseTuple(PyTuple_GetItem(columns, node->column_count), "snO:column", &kind,
                              &column->offset, &numbers) ||
            PyBytes_AsStringAndSize(numbers, &allowed, &allowed_count) < 0)
            return false;
        column->kind = kind[0];
        const Py_ssize_t size = kind[0] == 'S' ? 8 : kind[0] == 'N' ? 4 : 1;
        if (strchr("?ESN", kind[0]) == NULL || column->offset < 0 ||
            column->offset > node->size - size) {
            PyErr_SetString(PyExc_ValueError, "no column to check");
            return false;
        }
        for (Py_ssize_t i = 0; i < allowed_count; i++)
            column->allowed[(uint8_t)allowed[i]] = 1;
    }
    return true;
}

/* A named slot of a class, tested on a fresh instance. */
static bool named_slot(const Class *cls, const char *name, Py_ssize_t *out) {
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL)
        return false;
    *out = slot_of((PyObject *)cls->type, text);
    const bool holds = *out > 0 && slot_holds(cls, text, *out);
    Py_DECREF(text);
    return holds;
}

/* An array of structs as bytes: the content of its StructArray. */
static bool set_block(Node *node, PyObject *block, Py_ssize_t size, PyObject *columns) {
    Py_INCREF(block);
    node->block = block;
    node->size = size;
    if (size < 1 || size > UINT16_MAX) {
        PyErr_SetString(PyExc_ValueError, "a struct of fixed size has bytes, and at most 65,535");
        return false;
    }
    return class_of(node->type, &node->cls) && named_slot(&node->cls, "_block", &node->slot_block) &&
           named_slot(&node->cls, "_data", &node->slot_data) &&
           named_slot(&node->cls, "_items", &node->slot_items) && set_columns(node, columns);
}

PyObject *node_new(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *context, *type, *item, *key, *block, *columns, *constants;
    const char *word, *code;
    long long least, charge;
    Py_ssize_t size;
    int recursive, extensible;
    Kind kind;
    if (!PyArg_ParseTuple(arguments, "OsOOOLLppsOnO!O!:node", &context, &word, &type, &item, &key,
                          &least, &charge, &recursive, &extensible, &code, &block, &size,
                          &PyTuple_Type, &columns, &PyDict_Type, &constants) ||
        !kind_of(word, &kind))
        return NULL;
    Node *node = (Node *)PyType_GenericAlloc(((Context *)context)->node_type, 0);
    if (node == NULL)
        return NULL;
    Py_INCREF(context);
    node->context = (Context *)context;
    node->kind = kind;
    node->least = least;
    node->charge = charge;
    node->recursive = recursive != 0;
    node->extensible = extensible != 0;
    Py_INCREF(type);
    node->type = type;
    bool made = (item == Py_None || (node->item = as_node(node, item)) != NULL) &&
                (key == Py_None || (node->key = as_node(node, key)) != NULL) &&
                ((kind != KIND_NUMBERS && code[0] == '\0') || set_code(node, code)) &&
                (kind != KIND_STRUCTS || set_block(node, block, size, columns)) &&
                (kind != KIND_ENUM || set_constants(node, constants));
    const bool needs_item = kind == KIND_ARRAY || kind == KIND_OPTIONAL || kind == KIND_MAP ||
                            kind == KIND_STRUCTS || kind == KIND_LIST || kind == KIND_REPEATED;
    if (made && ((needs_item && node->item == NULL) || (kind == KIND_MAP && node->key == NULL) ||
                 least < 0 || charge < 0)) {
        PyErr_SetString(PyExc_ValueError, "an incomplete description of a type");
        made = false;
    }
    if (!made) {
        Py_DECREF(node);
        return NULL;
    }
    node->text = -1;
    node->filled = kind != KIND_RECORD && kind != KIND_UNION && kind != KIND_PARAMETERS;
    return (PyObject *)node;
}

/* A record's field: its offset in instances, or its name if they have no slots. */
static bool set_field(Node *node, Field *field, PyObject *given) {
    PyObject *child, *name, *cls;
    int may_miss;
    long long charge;
    if (!PyArg_ParseTuple(given, "OUpOL:field", &child, &name, &may_miss, &cls, &charge))
        return false;
    field->may_miss = may_miss != 0;
    field->charge = charge;
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    field->name = name;
    if ((field->node = as_node(node, child)) == NULL)
        return false;
    if (node->kind == KIND_UNION) {
        if (!class_of(cls, &field->cls))
            return false;
        Py_INCREF(cls);
    }
    const Class *holder = node->kind == KIND_UNION ? &field->cls : &node->cls;
    if (holder->type == NULL)
        return true;
    field->offset = slot_of((PyObject *)holder->type, name);
    return field->offset > 0 && slot_holds(holder, name, field->offset);
}

/* Sets the parts of a record, a union or parameters, once, since types refer to one another. */
static PyObject *node_fill(PyObject *self, PyObject *arguments) {
    Node *node = (Node *)self;
    PyObject *fields;
    int by_slots;
    if (!PyArg_ParseTuple(arguments, "O!p:fill", &PyTuple_Type, &fields, &by_slots))
        return NULL;
    if (node->filled || node->fields != NULL || node->context == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a node is filled once");
        return NULL;
    }
    if (by_slots && !class_of(node->type, &node->cls))
        return NULL;
    const Py_ssize_t count = PyTuple_Size(fields);
    node->fields = zeroed(count, sizeof(Field));
    if (node->fields == NULL)
        return NULL;
    while (node->count < count) {
        /* Counted before it is made, so a partly made one is released. */
        Field *field = &node->fields[node->count++];
        if (!set_field(node, field, PyTuple_GetItem(fields, node->count - 1)))
            return NULL;
    }
    node->filled = true;
    return new_reference(Py_None);
}

static int node_traverse(PyObject *self, visitproc visit, void *arg) {
    Node *node = (Node *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(node->context);
    Py_VISIT(node->item);
    Py_VISIT(node->key);
    Py_VISIT(node->type);
    Py_VISIT(node->block);
    for (Py_ssize_t i = 0; i < node->count; i++) {
        Py_VISIT(node->fields[i].node);
        Py_VISIT(node->fields[i].cls.type);
    }
    for (Py_ssize_t i = 0; i < node->constant_count; i++)
        Py_VISIT(node->by_number[i].member);
    for (Py_ssize_t i = 0; i < node->part_count; i++) {
        Py_VISIT(node->parts[i].form);
        Py_VISIT(node->parts[i].absent);
    }
    return 0;
}

/* After this the node gives up on everything. */
static int node_clear(PyObject *self) {
    Node *node = (Node *)self;
    node->filled = false;
    Py_CLEAR(node->item);
    Py_CLEAR(node->key);
    Py_CLEAR(node->type);
    Py_CLEAR(node->block);
    node->cls = (Class){NULL, NULL, false};
    node_unname(node);
    node_unshape(node);
    const Py_ssize_t count = node->count, constants = node->constant_count;
    node->count = node->constant_count = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_CLEAR(node->fields[i].node);
        Py_CLEAR(node->fields[i].name);
        Py_CLEAR(node->fields[i].cls.type);
    }
    for (Py_ssize_t i = 0; i < constants; i++)
        Py_CLEAR(node->by_number[i].member);
    Py_CLEAR(node->context);
    return 0;
}

static void node_dealloc(PyObject *self) {
    Node *node = (Node *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    node_clear(self);
    Py_XDECREF(node->code_text);
    PyMem_Free(node->fields);
    PyMem_Free(node->columns);
    PyMem_Free(node->by_number);
    PyMem_Free(node->by_member);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyObject *node_refused(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    (void)type, (void)arguments, (void)keywords;
    PyErr_SetString(PyExc_TypeError, "made by creo_accelerator.node");
    return NULL;
}

static PyMethodDef node_methods[] = {
    {"fill", node_fill, METH_VARARGS, "fill(fields, by_slots): says what the type consists of."},
    {"decode", node_decode, METH_VARARGS,
     "decode(body, limits): the value, or NotImplemented if the runtime must read it."},
    {"encode", node_encode, METH_VARARGS,
     "encode(value, limits): the bytes, or NotImplemented if the runtime must write it."},
    {"name", node_name, METH_VARARGS, "name(members, order): the names in JSON of fields, members or constants."},
    {"decode_json", node_decode_json, METH_VARARGS, "decode_json(document, limits): as decode, of JSON."},
    {"encode_json", node_encode_json, METH_VARARGS, "encode_json(value, limits): as encode, in JSON."},
    {"shape", node_shape, METH_VARARGS, "shape(parts, bare, readable, base): the forms in XML of fields, members, constants or items."},
    {"root", node_root, METH_VARARGS, "root(namespaces, start, before, after): what is written around values."},
    {"encode_xml", node_encode_xml, METH_VARARGS, "encode_xml(value, limits): as encode, in XML."},
    {"encode_soap", node_encode_soap, METH_VARARGS, "encode_soap(arguments, limits, blocks, part_from): a SOAP request, or NotImplemented."},
    {"decode_xml", node_decode_xml, METH_VARARGS, "decode_xml(document, limits): as decode, of XML."},
    {"decode_soap", node_decode_soap, METH_VARARGS, "decode_soap(body, limits): the result in a SOAP response, or NotImplemented."},
    {"decode_table", node_decode_table, METH_VARARGS,
     "decode_table(rows, is_record, memory, limits): as decode, of the rows of a table, or of the result in one."},
    {"encode_table", node_encode_table, METH_VARARGS,
     "encode_table(value, is_record, limits, part_from, head, tail): as encode, as a table, with what is around its rows."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot node_slots[] = {
    {Py_tp_doc, (void *)"Reads and writes the values of a type."},
    {Py_tp_new, (void *)node_refused},
    {Py_tp_methods, node_methods},
    {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

PyType_Spec node_spec = {
    .name = "creo_accelerator.Node",
    .basicsize = sizeof(Node),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = node_slots,
};
