/* The state of writing a body. */
#ifndef CREO_ACCELERATOR_WRITER_H
#define CREO_ACCELERATOR_WRITER_H

#include "accelerator.h"

/* Bodies up to this size need no separate memory. */
#define FIRST_SIZE 1024

typedef struct {
    uint8_t *data;
    size_t size;
    size_t capacity;
    size_t max;     /* LIM-1 */
    Context *context;
    int64_t depth;  /* remaining levels of recursive types (LIM-4) */
    int nesting;
    bool taken;     /* whether the input is a method's argument instead of a stored value */
    uint8_t first[FIRST_SIZE];
} Writer;

/* Makes room for more bytes; false if that exceeds the limit, or there is no memory. */
bool grow(Writer *w, size_t more);

static inline bool reserve(Writer *w, size_t more) {
    return w->capacity - w->size >= more || grow(w, more);
}

static inline bool write_byte(Writer *w, uint8_t byte) {
    if (!reserve(w, 1))
        return false;
    w->data[w->size++] = byte;
    return true;
}

static inline void store32(uint8_t *p, uint32_t n) {
    p[0] = (uint8_t)(n >> 24);
    p[1] = (uint8_t)(n >> 16);
    p[2] = (uint8_t)(n >> 8);
    p[3] = (uint8_t)n;
}

/* A number of 1, 2, 4 or 8 bytes. */
static inline bool write_big(Writer *w, uint64_t n, size_t size) {
    if (!reserve(w, size))
        return false;
    uint8_t *p = w->data + w->size;
    w->size += size;
    switch (size) {
    case 8:
        store32(p, (uint32_t)(n >> 32));
        store32(p + 4, (uint32_t)n);
        break;
    case 4:
        store32(p, (uint32_t)n);
        break;
    case 2:
        *p++ = (uint8_t)(n >> 8);
        *p = (uint8_t)n;
        break;
    default:
        *p = (uint8_t)n;
    }
    return true;
}

/* A count in its shortest form (BIN-2). */
static inline bool write_count(Writer *w, int64_t n) {
    if (n < 0 || n > MAX_COUNT || !reserve(w, 5))
        return false;
    for (; n > 127; n >>= 7)
        w->data[w->size++] = (uint8_t)(n & 127) | 128;
    w->data[w->size++] = (uint8_t)n;
    return true;
}

static inline bool write_bytes(Writer *w, const void *data, size_t size) {
    if (!reserve(w, size))
        return false;
    memcpy(w->data + w->size, data, size);
    w->size += size;
    return true;
}

static inline bool write_whole(Writer *w, PyObject *value, int64_t low, int64_t high, size_t size) {
    /* Booleans count as whole numbers, as in `struct`. */
    if (!PyLong_CheckExact(value) && !PyLong_Check(value))
        return false;
    int overflow;
    const long long n = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 && n >= low && n <= high && write_big(w, (uint64_t)n, size);
}

/* Text in UTF-8; fails for a lone surrogate. */
static inline bool write_string(Writer *w, PyObject *text) {
    Py_ssize_t size;
    if (!PyUnicode_CheckExact(text))
        return false;
    const char *data = PyUnicode_AsUTF8AndSize(text, &size);
    if (data == NULL || !reserve(w, (size_t)size + 1))
        return false;
    if (size > 127)
        return write_count(w, size) && write_bytes(w, data, (size_t)size);
    uint8_t *p = w->data + w->size;
    *p = (uint8_t)size;
    memcpy(p + 1, data, (size_t)size);
    w->size += (size_t)size + 1;
    return true;
}

/* Enters a level of recursive types (LIM-4), and of the stack; within records, values are stored ones. */
static inline bool write_nested(Writer *w, const Node *node, PyObject *value,
                                bool (*write)(Writer *, const Node *, PyObject *)) {
    const int64_t levels = node->recursive;
    if (w->depth < levels || w->nesting == MAX_NESTING)
        return false;
    const bool taken = w->taken;
    w->taken = taken && node->kind != KIND_RECORD && node->kind != KIND_UNION;
    w->depth -= levels;
    w->nesting++;
    Py_INCREF(value);
    const bool written = write(w, node, value);
    Py_DECREF(value);
    w->nesting--;
    w->depth += levels;
    w->taken = taken;
    return written;
}

/* The member of a union that a value is; -1 if it is none. */
static inline Py_ssize_t member_index(const Node *node, PyObject *value) {
    for (Py_ssize_t i = 0; i < node->count; i++) {
        if (Py_TYPE(value) == node->fields[i].cls.type)
            return i;
    }
    return -1;
}

/* The implementation of `encode`, for a writer of values. */
PyObject *encode_by(PyObject *self, PyObject *arguments, bool (*write)(Writer *, const Node *, PyObject *));

/* A value; false if the writer gives up, with or without an exception. */
bool write_value(Writer *w, const Node *node, PyObject *value);

/* write.c: whether a value belongs to an enum, and its number; `constant` is NULL for an unknown one. */
bool enum_number(const Writer *w, const Node *node, PyObject *value, const Constant **constant, int64_t *number);
/* The dictionary of a map: a new reference, or NULL if it is not a map. */
PyObject *dictionary(const Writer *w, PyObject *value);

/* write_scalar.c */
/* Converts an argument to a number with a fraction; sets an exception if it is invalid. */
double fraction(PyObject *value);
/* The canonical text of a Decimal: a new reference, or NULL. */
PyObject *canonical(Writer *w, PyObject *value);
bool write_char(Writer *w, PyObject *value);
bool write_float(Writer *w, PyObject *value);
bool write_double(Writer *w, PyObject *value);
bool write_date_time(Writer *w, PyObject *value);
bool write_decimal(Writer *w, PyObject *value);
/* For texts, which only objects of the types themselves have: a whole number of a range, a number with a fraction, an instant. */
bool exact_whole(PyObject *value, int64_t low, int64_t high, int64_t *number);
bool exact_real(PyObject *value, bool narrow, double *number);
bool exact_instant(const Writer *w, PyObject *value, creo_datetime *instant);
/* Writes a number with at most four decimal places, as most have, and returns the end; NULL for any other. */
char *put_short(char *to, double number);

/* write_bulk.c */
/* The numbers of an Array as in memory: a new reference, or NULL if it is none. */
PyObject *numbers_of(Writer *w, const Node *node, PyObject *value);
bool write_numbers(Writer *w, const Node *node, PyObject *value);
bool write_chars(Writer *w, PyObject *text);
bool write_structs(Writer *w, const Node *node, PyObject *value);
/* Items of a tuple or, for a method's argument, a list. */
bool write_items(Writer *w, const Node *item, PyObject *values);

#endif
