/* Reads values. */
#include "reader.h"

static PyObject *boolean(Reader *r) {
    if (!has(r, 1) || *r->at > 1)
        return NULL;
    return new_reference(*r->at++ ? Py_True : Py_False);
}

static PyObject *float_value(Reader *r) {
    if (!has(r, 4))
        return NULL;
    const uint32_t bits = load32(r->at);
    float number;
    memcpy(&number, &bits, 4);
    r->at += 4;
    if (number != number) {
        /* The interpreter decides how the bits of a NaN become those of a double. */
        PyObject *data = PyBytes_FromStringAndSize((const char *)r->at - 4, 4);
        PyObject *unpacked =
            data == NULL ? NULL : PyObject_CallFunctionObjArgs(r->context->unpack_float, data, NULL);
        PyObject *found = unpacked == NULL ? NULL : PyTuple_GetItem(unpacked, 0);
        Py_XINCREF(found);
        Py_XDECREF(data);
        Py_XDECREF(unpacked);
        return found;
    }
    return PyFloat_FromDouble((double)number);
}

static PyObject *double_value(Reader *r) {
    if (!has(r, 8))
        return NULL;
    const uint64_t bits = load64(r->at);
    double number;
    memcpy(&number, &bits, 8);
    r->at += 8;
    return PyFloat_FromDouble(number);
}

static PyObject *string(Reader *r) {
    const int64_t size = read_count(r);
    if (size < 0 || !has(r, size))
        return NULL;
    const char *text = (const char *)r->at;
    r->at += size;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, NULL);
}

static PyObject *bytes(Reader *r) {
    const int64_t size = read_count(r);
    if (size < 0 || !has(r, size))
        return NULL;
    const char *data = (const char *)r->at;
    r->at += size;
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
}

/* A count of items, checked against the available bytes, and charged (BIN-5, BIN-6); -1 on failure. */
static int64_t items(Reader *r, const Node *node) {
    const int64_t n = read_count(r);
    if (n < 0)
        return -1;
    if (node->least > 0) {
        if (!fits(n, node->least, r->end - r->at))
            return -1;
    } else {
        r->empty -= n;
        if (r->empty < 0)
            return -1;
    }
    return charge_items(r, n, node->charge) ? n : -1;
}

static PyObject *array(Reader *r, const Node *node) {
    const int64_t n = items(r, node);
    if (n < 0)
        return NULL;
    PyObject *made = PyTuple_New((Py_ssize_t)n);
    for (Py_ssize_t i = 0; made != NULL && i < n; i++) {
        PyObject *item = read_value(r, node->item);
        if (item == NULL || PyTuple_SetItem(made, i, item) < 0)
            Py_CLEAR(made);
    }
    if (made != NULL && n > 0)
        PyObject_GC_UnTrack(made); /* as in `complete` */
    return made;
}

static PyObject *map(Reader *r, const Node *node) {
    const int64_t n = items(r, node);
    PyObject *made = n < 0 ? NULL : PyDict_New();
    for (int64_t i = 0; made != NULL && i < n; i++) {
        PyObject *key = read_value(r, node->key);
        PyObject *value = key == NULL ? NULL : read_value(r, node->item);
        if (value == NULL || PyDict_SetItem(made, key, value) < 0)
            Py_CLEAR(made);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    if (made == NULL)
        return NULL;
    /* A duplicate key is stored once (BIN-10). */
    PyObject *frozen = PyDict_Size(made) == n ? PyDictProxy_New(made) : NULL;
    Py_DECREF(made);
    return frozen;
}

static PyObject *optional(Reader *r, const Node *node) {
    if (!has(r, 1) || *r->at > 1)
        return NULL;
    if (*r->at++ == 0)
        return new_reference(Py_None);
    return charge(r, node->charge) ? read_value(r, node->item) : NULL;
}

PyObject *constant_of(const Node *node, int64_t number) {
    Py_ssize_t low = 0, high = node->constant_count;
    /* Numbers without gaps are indices. */
    if (number < high && node->by_number[number].number == number)
        return new_reference(node->by_number[number].member);
    while (low < high) {
        const Py_ssize_t middle = low + (high - low) / 2;
        const Constant *found = &node->by_number[middle];
        if (found->number == number)
            return new_reference(found->member);
        if (found->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return node->extensible ? PyObject_CallFunction(node->type, "L", (long long)number) : NULL;
}

static PyObject *enumeration(Reader *r, const Node *node) {
    const int64_t number = read_count(r);
    return number < 0 ? NULL : constant_of(node, number);
}

/* Opens a region (BIN-8) and returns the end of the enclosing one; NULL if it exceeds that. */
static const uint8_t *open_region(Reader *r) {
    if (!has(r, 4))
        return NULL;
    const int64_t size = load32(r->at);
    r->at += 4;
    if (!has(r, size))
        return NULL;
    const uint8_t *outer = r->end;
    r->end = r->at + size;
    return outer;
}

PyObject *construct(const Node *node, PyObject *arguments) {
    PyObject *none = arguments == NULL ? NULL : PyTuple_New(0);
    PyObject *made = none == NULL ? NULL : PyObject_Call(node->type, none, arguments);
    Py_XDECREF(none);
    Py_XDECREF(arguments);
    return made;
}

/* Reads the fields from `from`, and calls the constructor with these and those in `arguments`: fields missing at the end of a region get its
 * defaults. Takes over the reference to `arguments`. */
static PyObject *constructed(Reader *r, const Node *node, Py_ssize_t from, PyObject *arguments, bool in_region) {
    for (Py_ssize_t i = from; arguments != NULL && i < node->count; i++) {
        const Field *field = &node->fields[i];
        if (in_region && field->may_miss && r->at == r->end)
            continue;
        PyObject *value = read_value(r, field->node);
        if (value == NULL || PyDict_SetItem(arguments, field->name, value) < 0)
            Py_CLEAR(arguments);
        Py_XDECREF(value);
    }
    return construct(node, arguments);
}

PyObject *as_arguments(const Node *node, PyObject *instance, Py_ssize_t count) {
    PyObject *arguments = PyDict_New();
    for (Py_ssize_t i = 0; arguments != NULL && i < count; i++) {
        const Field *field = &node->fields[i];
        PyObject *value = *slot_at(instance, field->offset);
        if (value != NULL && PyDict_SetItem(arguments, field->name, value) < 0)
            Py_CLEAR(arguments);
    }
    return arguments;
}

static PyObject *with_slots(Reader *r, const Node *node, bool in_region) {
    PyObject *made = instance_of(&node->cls);
    for (Py_ssize_t i = 0; made != NULL && i < node->count; i++) {
        const Field *field = &node->fields[i];
        if (in_region && field->may_miss && r->at == r->end) {
            PyObject *arguments = as_arguments(node, made, i);
            Py_DECREF(made);
            return constructed(r, node, i, arguments, true);
        }
        PyObject *value = read_value(r, field->node);
        if (value == NULL)
            Py_CLEAR(made);
        else
            put(made, field->offset, value);
    }
    if (made != NULL)
        complete(&node->cls, made);
    return made;
}

static PyObject *fields(Reader *r, const Node *node, bool in_region) {
    return node->cls.type != NULL ? with_slots(r, node, in_region)
                                  : constructed(r, node, 0, PyDict_New(), in_region);
}

static PyObject *read_record(Reader *r, const Node *node) {
    if (!node->extensible)
        return fields(r, node, false);
    const uint8_t *outer = open_region(r);
    if (outer == NULL)
        return NULL;
    PyObject *made = fields(r, node, true);
    r->at = r->end;
    r->end = outer;
    return made;
}

static PyObject *unknown_member(Reader *r, int64_t index) {
    const Context *c = r->context;
    if (!charge(r, 32))
        return NULL;
    PyObject *number = PyLong_FromLongLong(index);
    PyObject *data = PyBytes_FromStringAndSize((const char *)r->at, r->end - r->at);
    PyObject *made = number == NULL || data == NULL ? NULL : instance_of(&c->unknown);
    if (made == NULL) {
        Py_XDECREF(number);
        Py_XDECREF(data);
        return NULL;
    }
    put(made, c->unknown_index, number);
    put(made, c->unknown_data, data);
    complete(&c->unknown, made);
    r->at = r->end;
    return made;
}

PyObject *member_of(const Field *field, PyObject *value) {
    PyObject *made = value == NULL ? NULL : instance_of(&field->cls);
    if (made == NULL) {
        Py_XDECREF(value);
        return NULL;
    }
    put(made, field->offset, value);
    complete(&field->cls, made);
    return made;
}

static PyObject *member(Reader *r, const Field *field) {
    return charge(r, field->charge) ? member_of(field, read_value(r, field->node)) : NULL;
}

static PyObject *read_union(Reader *r, const Node *node) {
    const int64_t index = read_count(r);
    if (index < 0)
        return NULL;
    if (!node->extensible)
        return index < node->count ? member(r, &node->fields[index]) : NULL;
    const uint8_t *outer = open_region(r);
    if (outer == NULL)
        return NULL;
    PyObject *made = index < node->count ? member(r, &node->fields[index]) : unknown_member(r, index);
    /* A known member must fill its region. */
    if (made != NULL && r->at != r->end)
        Py_CLEAR(made);
    r->end = outer;
    return made;
}

PyObject *read_value(Reader *r, const Node *node) {
    if (!node->filled)
        return NULL;
    const uint8_t *at = r->at;
    switch (node->kind) {
    case KIND_BOOLEAN:
        return boolean(r);
    case KIND_BYTE:
        if (!has(r, 1))
            return NULL;
        r->at += 1;
        return PyLong_FromLong((int8_t)*at);
    case KIND_SHORT:
        if (!has(r, 2))
            return NULL;
        r->at += 2;
        return PyLong_FromLong((int16_t)load16(at));
    case KIND_CHAR:
        if (!has(r, 2))
            return NULL;
        r->at += 2;
        return PyUnicode_FromOrdinal(load16(at));
    case KIND_INT:
        if (!has(r, 4))
            return NULL;
        r->at += 4;
        return PyLong_FromLong((int32_t)load32(at));
    case KIND_LONG:
        if (!has(r, 8))
            return NULL;
        r->at += 8;
        return PyLong_FromLongLong((int64_t)load64(at));
    case KIND_FLOAT:
        return float_value(r);
    case KIND_DOUBLE:
        return double_value(r);
    case KIND_STRING:
        return string(r);
    case KIND_DATE_TIME:
        return read_date_time(r);
    case KIND_DECIMAL:
        return read_decimal(r);
    case KIND_BYTES:
        return bytes(r);
    case KIND_NUMBERS:
        return read_numbers(r, node);
    case KIND_CHARS:
        return read_chars(r);
    case KIND_STRUCTS:
        return read_structs(r, node);
    case KIND_ENUM:
        return enumeration(r, node);
    case KIND_OPTIONAL:
        return read_nested(r, node, optional);
    case KIND_ARRAY:
        return read_nested(r, node, array);
    case KIND_MAP:
        return read_nested(r, node, map);
    case KIND_RECORD:
        return read_nested(r, node, read_record);
    case KIND_UNION:
        return read_nested(r, node, read_union);
    default: /* never read */
        return NULL;
    }
}

PyObject *gave_up(void) {
    PyObject *raised = PyErr_Occurred();
    if (raised != NULL) {
        if (PyErr_GivenExceptionMatches(raised, PyExc_MemoryError) ||
            !PyErr_GivenExceptionMatches(raised, PyExc_Exception))
            return NULL;
        PyErr_Clear();
    }
    return new_reference(Py_NotImplemented);
}

PyObject *node_decode(PyObject *self, PyObject *arguments) {
    Node *node = (Node *)self;
    PyObject *body, *limits;
    char *data;
    Py_ssize_t size;
    Limits allowed;
    if (!PyArg_UnpackTuple(arguments, "decode", 2, 2, &body, &limits))
        return NULL;
    if (!PyBytes_Check(body) || !node->filled || !limits_of(node->context, limits, &allowed) ||
        PyBytes_AsStringAndSize(body, &data, &size) < 0 || size > allowed.max_body)
        return gave_up();
    const uint8_t *start = (const uint8_t *)data;
    Reader reader = {
        .at = start, .end = start + size, .start = start, .body = body, .context = node->context,
        .memory = allowed.memory - size, .empty = allowed.empty, .depth = allowed.depth, .nesting = 0,
        .open = 0, .max_name = 0,
    };
    /* A constructor may clear the node. */
    Py_INCREF(node->context);
    Context *context = node->context;
    PyObject *value = reader.memory < 0 ? NULL : read_value(&reader, node);
    Py_DECREF(context);
    if (value != NULL && reader.at != reader.end)
        Py_CLEAR(value);
    return value == NULL ? gave_up() : value;
}
