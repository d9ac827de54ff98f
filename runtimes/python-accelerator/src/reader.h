/* The state of reading a body, and its numbers. */
#ifndef CREO_READER_H
#define CREO_READER_H

#include "accelerator.h"

/* `at` is never beyond `end`, the end of the innermost region (BIN-8). */
typedef struct {
    const uint8_t *at;
    const uint8_t *end;
    const uint8_t *start;
    PyObject *body;
    Context *context;
    int64_t memory; /* remaining bytes (LIM-18) */
    int64_t empty;  /* remaining items without bytes (LIM-5) */
    int64_t depth;  /* remaining levels of recursive types (LIM-4) */
    int nesting;
    int64_t open;     /* remaining open arrays and objects of JSON (LIM-20) */
    int64_t max_name; /* LIM-22 */
} Reader;

static inline bool has(const Reader *r, int64_t bytes) {
    return r->end - r->at >= bytes;
}

static inline bool charge(Reader *r, int64_t bytes) {
    r->memory -= bytes;
    return r->memory >= 0;
}

/* Whether `n` items of `size` take at most `all`; none is negative. */
static inline bool fits(int64_t n, int64_t size, int64_t all) {
    return size == 0 || n <= all / size;
}

/* Charges `n` items; fails if the memory does not suffice. */
static inline bool charge_items(Reader *r, int64_t n, int64_t each) {
    if (!fits(n, each, r->memory))
        return false;
    r->memory -= n * each;
    return true;
}

static inline uint16_t load16(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t load32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t load64(const uint8_t *p) {
    return (uint64_t)load32(p) << 32 | load32(p + 4);
}

/* A count in its shortest form (BIN-2); -1 if invalid. */
static inline int64_t read_count(Reader *r) {
    if (r->at == r->end)
        return -1;
    const uint8_t first = *r->at++;
    if (first < 128)
        return first;
    int64_t n = first & 127;
    for (int shift = 7; shift <= 28 && r->at != r->end; shift += 7) {
        const uint8_t more = *r->at++;
        n |= (int64_t)(more & 127) << shift;
        if (more < 128)
            return more == 0 || n > MAX_COUNT ? -1 : n;
    }
    return -1;
}

/* An instance of a class with empty slots. */
static inline PyObject *instance_of(const Class *cls) {
    return cls->alloc(cls->type, 0);
}

/* Puts a new reference into an empty slot. */
static inline void put(PyObject *instance, Py_ssize_t offset, PyObject *value) {
    *slot_at(instance, offset) = value;
}

/* Enters a level of recursive types (LIM-4), and of the stack. */
static inline PyObject *read_nested(Reader *r, const Node *node,
                                    PyObject *(*read)(Reader *, const Node *)) {
    const int64_t levels = node->recursive;
    if (r->depth < levels || r->nesting == MAX_NESTING)
        return NULL;
    r->depth -= levels;
    r->nesting++;
    PyObject *made = read(r, node);
    r->nesting--;
    r->depth += levels;
    return made;
}

/* A value: a new reference, or NULL if the reader gives up, with or without an exception. */
PyObject *read_value(Reader *r, const Node *node);

/* read_bulk.c: data copied in bulk. */
PyObject *read_numbers(Reader *r, const Node *node);
PyObject *read_chars(Reader *r);
PyObject *read_structs(Reader *r, const Node *node);

/* An Array over unshared bytes; takes over the reference. */
PyObject *array_over(const Context *c, PyObject *data, PyObject *code);

/* read.c: the constant with a number, or a new one of an extensible enum; NULL if there is none. */
PyObject *constant_of(const Node *node, int64_t number);
/* The first fields of an instance, as arguments. */
PyObject *as_arguments(const Node *node, PyObject *instance, Py_ssize_t count);
/* The instance of a record with these arguments, which may be NULL; takes over the reference. */
PyObject *construct(const Node *node, PyObject *arguments);
/* The instance of a union's member with this value; takes over the reference. */
PyObject *member_of(const Field *field, PyObject *value);

/* read_scalar.c: scalars other than numbers. */
PyObject *read_date_time(Reader *r);
/* A valid instant; NULL if it is invalid. */
PyObject *date_time_of(const Context *c, int64_t seconds, uint32_t nanoseconds);
/* A number from canonical text; NULL if it is invalid. */
PyObject *decimal_of(const Context *c, const char *text, Py_ssize_t size);
PyObject *read_decimal(Reader *r);
/* Whether text is the canonical form of a number (BIN-12). */
bool is_decimal(const char *text, Py_ssize_t size);

#endif
