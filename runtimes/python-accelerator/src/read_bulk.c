/* Reads arrays whose items are copied in bulk (BIN-7). */
#include "reader.h"
#include "swap.h"

/* Larger parts of a body are shared instead of copied: as in creo/_binary/__init__.py. */
#define SMALL 4096

PyObject *array_over(const Context *c, PyObject *data, PyObject *code) {
    PyObject *plain = PyMemoryView_FromObject(data);
    Py_DECREF(data);
    PyObject *view = plain == NULL ? NULL : PyObject_CallMethodObjArgs(plain, c->word_cast, code, NULL);
    Py_XDECREF(plain);
    PyObject *made = view == NULL ? NULL : instance_of(&c->array);
    if (made == NULL) {
        Py_XDECREF(view);
        return NULL;
    }
    put(made, c->array_view, view);
    complete(&c->array, made);
    return made;
}

PyObject *read_numbers(Reader *r, const Node *node) {
    const int64_t n = read_count(r);
    if (n < 0 || !has(r, n * node->size))
        return NULL;
    const uint8_t *from = r->at;
    r->at += n * node->size;
    if (node->code[0] == '?') {
        for (int64_t i = 0; i < n; i++) {
            if (from[i] > 1)
                return NULL;
        }
    }
    PyObject *data = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(n * node->size));
    char *to = data == NULL ? NULL : PyBytes_AsString(data);
    if (to == NULL)
        return NULL;
    copy_numbers((uint8_t *)to, from, (size_t)n, node->size);
    return array_over(r->context, data, node->code_text);
}

PyObject *read_chars(Reader *r) {
    const int64_t n = read_count(r);
    if (n < 0 || !has(r, 2 * n))
        return NULL;
    const uint8_t *from = r->at;
    r->at += 2 * n;
    for (int64_t i = 0; i < n; i++) {
        /* Surrogates stay two code units, which no codec of Python supports. */
        if ((from[2 * i] & 0xf8) == 0xd8)
            return NULL;
    }
    int big_endian = 1;
    return PyUnicode_DecodeUTF16((const char *)from, (Py_ssize_t)(2 * n), NULL, &big_endian);
}

/* Whether the bytes of all `n` items of `size` bytes are valid values. */
static bool are_values(const uint8_t *data, int64_t n, int64_t size, const Column *column) {
    const uint8_t *p = data + column->offset;
    for (int64_t i = 0; i < n; i++, p += size) {
        switch (column->kind) {
        case 'S': {
            const int64_t seconds = (int64_t)load64(p);
            if (seconds < INT64_C(-62135596800) || seconds > INT64_C(253402300799))
                return false;
            break;
        }
        case 'N':
            if (load32(p) >= UINT32_C(1000000000))
                return false;
            break;
        default:
            if (!column->allowed[*p])
                return false;
        }
    }
    return true;
}

/* Bytes of the body: a copy, or a view if there are many. */
static PyObject *part(const Reader *r, const uint8_t *from, Py_ssize_t size) {
    if (size <= SMALL)
        return PyBytes_FromStringAndSize((const char *)from, size);
    PyObject *view = PyMemoryView_FromObject(r->body);
    PyObject *start = PyLong_FromSsize_t(from - r->start);
    PyObject *stop = PyLong_FromSsize_t(from - r->start + size);
    PyObject *slice = start == NULL || stop == NULL ? NULL : PySlice_New(start, stop, NULL);
    PyObject *made = view == NULL || slice == NULL ? NULL : PyObject_GetItem(view, slice);
    Py_XDECREF(view);
    Py_XDECREF(start);
    Py_XDECREF(stop);
    Py_XDECREF(slice);
    return made;
}

PyObject *read_structs(Reader *r, const Node *node) {
    const int64_t n = read_count(r);
    if (n < 0 || !has(r, n * node->size) || !charge_items(r, n, node->charge))
        return NULL;
    const uint8_t *from = r->at;
    r->at += n * node->size;
    for (Py_ssize_t i = 0; i < node->column_count; i++) {
        if (!are_values(from, n, node->size, &node->columns[i]))
            return NULL;
    }
    PyObject *data = part(r, from, (Py_ssize_t)(n * node->size));
    PyObject *made = data == NULL ? NULL : instance_of(&node->cls);
    if (made == NULL) {
        Py_XDECREF(data);
        return NULL;
    }
    put(made, node->slot_block, new_reference(node->block));
    put(made, node->slot_data, data);
    put(made, node->slot_items, new_reference(Py_None));
    complete(&node->cls, made);
    return made;
}
