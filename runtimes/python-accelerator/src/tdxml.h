/* The rows of a table (spec/wires/tdxml.md), which are read one after the other. */
#ifndef CREO_ACCELERATOR_TDXML_H
#define CREO_ACCELERATOR_TDXML_H

#include "tdxml_shape.h"
#include "xml.h"

/* What follows the index of a row: nothing, `~`, or columns. After the last row comes ROW_END, whose index is empty. */
typedef enum { ROW_PRESENCE, ROW_NIL, ROW_COLUMNS, ROW_END } RowKind;

typedef struct {
    XmlReader x;     /* what reads texts, with the memory and levels that are left */
    bool record;     /* the record scheme */
    int64_t elements; /* the max elements of an index (LIM-20) */
    const char *end;
    /* The current row. */
    RowKind kind;
    const char *head;
    size_t head_size;
    const char *column; /* the text after the bar of the next column; NULL if there is none */
    const char *row_end;
    const char *next;
    /* The index that is expected. */
    Room index;
    size_t size;
    Room text; /* a text without escapes */
} Table;

/* All of these return false, with or without an exception, if the reader gives up. */

/* Begins with the first row of a text. */
bool table_begin(Table *t, const char *text, size_t size);
void table_end(Table *t);
/* Goes to the next row. */
bool table_next(Table *t);
/* The next column of the current row, which has one; the text lives until the next call. `nothing`: it is `~`. */
bool table_column(Table *t, creo_string *text, bool *nothing);

/* Appends a step to the expected index. */
static inline bool table_push(Table *t, char kind, Py_ssize_t number) {
    return index_push(&t->index, &t->size, kind, number);
}

/* Whether the row's index begins with the expected one. */
static inline bool table_starts(const Table *t) {
    return t->head_size >= t->size && memcmp(t->head, t->index.data, t->size) == 0;
}

static inline bool table_exact(const Table *t) {
    return t->head_size == t->size && t->kind != ROW_END && memcmp(t->head, t->index.data, t->size) == 0;
}

/* Whether the row is beneath the expected index: in an element, or an attribute. */
static inline bool table_beneath(const Table *t) {
    return t->head_size > t->size && (t->head[t->size] == '[' || t->head[t->size] == '(') && table_starts(t);
}

#endif
