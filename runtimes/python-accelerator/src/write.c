/* Writes values. Containers are referenced while they are written, since Python code may run meanwhile. */
#include "writer.h"

bool grow(Writer *w, size_t more) {
    if (more > w->max - w->size)
        return false;
    size_t capacity = 2 * w->capacity;
    if (capacity < w->size + more)
        capacity = w->size + more;
    if (capacity > w->max)
        capacity = w->max;
    uint8_t *data = PyMem_Realloc(w->data == w->first ? NULL : w->data, capacity);
    if (data == NULL) {
        PyErr_NoMemory();
        return false;
    }
    if (w->data == w->first)
        memcpy(data, w->first, w->size);
    w->data = data;
    w->capacity = capacity;
    return true;
}

/* Leaves room for the size of the following content (BIN-8). */
static bool open_region(Writer *w, size_t *start) {
    if (!reserve(w, 4))
        return false;
    w->size += 4;
    *start = w->size;
    return true;
}

static bool close_region(Writer *w, size_t start) {
    if (w->size - start > UINT32_MAX)
        return false;
    store32(w->data + start - 4, (uint32_t)(w->size - start));
    return true;
}

static bool bytes(Writer *w, PyObject *value) {
    char *data;
    Py_ssize_t size;
    return PyBytes_CheckExact(value) && PyBytes_AsStringAndSize(value, &data, &size) == 0 &&
           write_count(w, size) && write_bytes(w, data, (size_t)size);
}

static bool array(Writer *w, const Node *node, PyObject *value) {
    return write_items(w, node->item, value);
}

static bool entries(Writer *w, const Node *node, PyObject *dict) {
    const Py_ssize_t n = PyDict_Size(dict);
    if (!write_count(w, n))
        return false;
    Py_ssize_t at = 0, count = 0;
    PyObject *key, *value;
    while (PyDict_Next(dict, &at, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        const bool written = write_value(w, node->key, key) && write_value(w, node->item, value);
        Py_DECREF(key);
        Py_DECREF(value);
        if (!written)
            return false;
        count++;
    }
    /* It may have changed if Python code ran. */
    return count == n && PyDict_Size(dict) == n;
}

PyObject *dictionary(const Writer *w, PyObject *value) {
    if (w->taken && PyDict_CheckExact(value))
        return new_reference(value);
    return (PyObject *)Py_TYPE(value) == w->context->mapping_proxy ? behind_proxy(w->context, value) : NULL;
}

static bool map(Writer *w, const Node *node, PyObject *value) {
    PyObject *dict = dictionary(w, value);
    const bool written = dict != NULL && entries(w, node, dict);
    Py_XDECREF(dict);
    return written;
}

bool enum_number(const Writer *w, const Node *node, PyObject *value, const Constant **constant, int64_t *number) {
    Py_ssize_t low = 0, high = node->constant_count;
    const uintptr_t wanted = (uintptr_t)value;
    while (low < high) {
        const Py_ssize_t middle = low + (high - low) / 2;
        const Constant *found = &node->by_member[middle];
        if (found->member == value) {
            *constant = found;
            *number = found->number;
            return true;
        }
        if ((uintptr_t)found->member < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (!node->extensible || (PyObject *)Py_TYPE(value) != node->type)
        return false;
    PyObject *held = *slot_at(value, w->context->enum_value);
    if (held == NULL || !PyLong_CheckExact(held))
        return false;
    int overflow;
    *constant = NULL;
    *number = PyLong_AsLongLongAndOverflow(held, &overflow);
    return overflow == 0;
}

static bool enumeration(Writer *w, const Node *node, PyObject *value) {
    const Constant *constant;
    int64_t number;
    return enum_number(w, node, value, &constant, &number) && write_count(w, number);
}

static bool with_slots(Writer *w, const Node *node, PyObject *value) {
    if (Py_TYPE(value) != node->cls.type)
        return false;
    for (const Field *field = node->fields, *end = field + node->count; field != end; field++) {
        PyObject *held = *slot_at(value, field->offset);
        if (held == NULL || !write_value(w, field->node, held))
            return false;
    }
    return true;
}

static bool with_attributes(Writer *w, const Node *node, PyObject *value) {
    if ((PyObject *)Py_TYPE(value) != node->type)
        return false;
    for (Py_ssize_t i = 0; i < node->count; i++) {
        PyObject *held = PyObject_GetAttr(value, node->fields[i].name);
        const bool written = held != NULL && write_value(w, node->fields[i].node, held);
        Py_XDECREF(held);
        if (!written)
            return false;
    }
    return true;
}

static bool record(Writer *w, const Node *node, PyObject *value) {
    size_t start = 0;
    return (!node->extensible || open_region(w, &start)) &&
           (node->cls.type != NULL ? with_slots(w, node, value) : with_attributes(w, node, value)) &&
           (!node->extensible || close_region(w, start));
}

static bool unknown_member(Writer *w, PyObject *value) {
    const Context *c = w->context;
    PyObject *index = *slot_at(value, c->unknown_index), *data = *slot_at(value, c->unknown_data);
    if (index == NULL || data == NULL || !PyLong_CheckExact(index) || !PyBytes_CheckExact(data))
        return false;
    int overflow;
    const long long n = PyLong_AsLongLongAndOverflow(index, &overflow);
    char *from;
    Py_ssize_t size;
    return overflow == 0 && PyBytes_AsStringAndSize(data, &from, &size) == 0 && size <= UINT32_MAX &&
           write_count(w, n) && write_big(w, (uint64_t)size, 4) && write_bytes(w, from, (size_t)size);
}

static bool write_union(Writer *w, const Node *node, PyObject *value) {
    size_t start = 0;
    const Py_ssize_t i = member_index(node, value);
    if (i < 0)
        return node->extensible && Py_TYPE(value) == w->context->unknown.type && unknown_member(w, value);
    const Field *member = &node->fields[i];
    PyObject *held = *slot_at(value, member->offset);
    return held != NULL && write_count(w, i) && (!node->extensible || open_region(w, &start)) && write_value(w, member->node, held) &&
           (!node->extensible || close_region(w, start));
}

static bool optional(Writer *w, const Node *node, PyObject *value) {
    return write_byte(w, 1) && write_value(w, node->item, value);
}

static bool parameters(Writer *w, const Node *node, PyObject *value) {
    if (!PyTuple_CheckExact(value) || PyTuple_Size(value) != node->count)
        return false;
    for (Py_ssize_t i = 0; i < node->count; i++) {
        if (!write_value(w, node->fields[i].node, PyTuple_GetItem(value, i)))
            return false;
    }
    return true;
}

bool write_value(Writer *w, const Node *node, PyObject *value) {
    if (!node->filled)
        return false;
    switch (node->kind) {
    case KIND_BOOLEAN:
        return (value == Py_True || value == Py_False) && write_byte(w, value == Py_True);
    case KIND_BYTE:
        return write_whole(w, value, INT8_MIN, INT8_MAX, 1);
    case KIND_SHORT:
        return write_whole(w, value, INT16_MIN, INT16_MAX, 2);
    case KIND_CHAR:
        return write_char(w, value);
    case KIND_INT:
        return write_whole(w, value, INT32_MIN, INT32_MAX, 4);
    case KIND_LONG:
        return write_whole(w, value, INT64_MIN, INT64_MAX, 8);
    case KIND_FLOAT:
        return write_float(w, value);
    case KIND_DOUBLE:
        return write_double(w, value);
    case KIND_STRING:
        return write_string(w, value);
    case KIND_DATE_TIME:
        return write_date_time(w, value);
    case KIND_DECIMAL:
        return write_decimal(w, value);
    case KIND_BYTES:
        return bytes(w, value);
    case KIND_NUMBERS:
        return write_numbers(w, node, value);
    case KIND_CHARS:
        return write_chars(w, value);
    case KIND_ENUM:
        return enumeration(w, node, value);
    case KIND_OPTIONAL:
        return value == Py_None ? write_byte(w, 0) : write_nested(w, node, value, optional);
    case KIND_STRUCTS:
        return write_nested(w, node, value, write_structs);
    case KIND_ARRAY:
        return write_nested(w, node, value, array);
    case KIND_MAP:
        return write_nested(w, node, value, map);
    case KIND_RECORD:
        return write_nested(w, node, value, record);
    case KIND_UNION:
        return write_nested(w, node, value, write_union);
    case KIND_PARAMETERS:
        return write_nested(w, node, value, parameters);
    default: /* never written */
        return false;
    }
}

PyObject *encode_by(PyObject *self, PyObject *arguments, bool (*write)(Writer *, const Node *, PyObject *)) {
    Node *node = (Node *)self;
    PyObject *value, *limits;
    Limits allowed;
    if (!PyArg_UnpackTuple(arguments, "encode", 2, 2, &value, &limits))
        return NULL;
    if (!node->filled || !limits_of(node->context, limits, &allowed))
        return gave_up();
    Writer w;
    w.data = w.first;
    w.size = 0;
    w.max = (uint64_t)allowed.max_message < PY_SSIZE_T_MAX / 2 ? (size_t)allowed.max_message
                                                               : PY_SSIZE_T_MAX / 2;
    w.capacity = w.max < FIRST_SIZE ? w.max : FIRST_SIZE;
    w.depth = allowed.depth;
    w.nesting = 0;
    w.taken = node->kind == KIND_PARAMETERS;
    /* Python code that runs meanwhile may clear the node. */
    w.context = node->context;
    Py_INCREF(w.context);
    const bool written = write(&w, node, value);
    Py_DECREF(w.context);
    PyObject *made =
        written ? PyBytes_FromStringAndSize((const char *)w.data, (Py_ssize_t)w.size) : gave_up();
    if (w.data != w.first)
        PyMem_Free(w.data);
    return made;
}

PyObject *node_encode(PyObject *self, PyObject *arguments) {
    return encode_by(self, arguments, write_value);
}
