/* The shape of a table, for reading and writing: indices, and the order of columns (TDX-11, TDX-20, TDX-30). */
#ifndef CREO_ACCELERATOR_TDXML_SHAPE_H
#define CREO_ACCELERATOR_TDXML_SHAPE_H

#include "accelerator.h"

#include "text/numbers.h"

/* An array of bytes that grows. */
typedef struct {
    char *data;
    size_t room;
} Room;

/* Makes it at least this large; false with an exception. */
static inline bool room_grow(Room *room, size_t wanted) {
    if (wanted <= room->room)
        return true;
    const size_t larger = wanted < 128 ? 256 : 2 * wanted;
    char *data = PyMem_Realloc(room->data, larger);
    if (data == NULL) {
        PyErr_NoMemory();
        return false;
    }
    *room = (Room){data, larger};
    return true;
}

/* Appends a step to an index of this size: a number between `[` and `]` or `(` and `)`, or alone, which is an occurrence. */
static inline bool index_push(Room *index, size_t *size, char kind, Py_ssize_t number) {
    if (!room_grow(index, *size + CREO_NUMBER_TEXT + 2))
        return false;
    char *to = index->data + *size;
    if (kind != '\0')
        *to++ = kind;
    if (number < 10)
        *to++ = (char)('0' + number);
    else
        to = creo_put_number(to, (uint64_t)number);
    if (kind != '\0')
        *to++ = kind == '[' ? ']' : ')';
    *size = (size_t)(to - index->data);
    return true;
}

/* Whether a present value is one text. */
static inline bool is_column(const Node *node) {
    switch (node->kind == KIND_OPTIONAL ? node->item->kind : node->kind) {
    case KIND_BOOLEAN: case KIND_BYTE: case KIND_SHORT: case KIND_CHAR: case KIND_INT: case KIND_LONG: case KIND_FLOAT: case KIND_DOUBLE:
    case KIND_STRING: case KIND_DATE_TIME: case KIND_DECIMAL: case KIND_BYTES: case KIND_ENUM: case KIND_TOKEN: case KIND_HEX: case KIND_LIST:
        return true;
    default:
        return false;
    }
}

/* The part after this one in the order of columns, attributes first; -1 begins, and ends. */
static inline Py_ssize_t part_after(const Node *node, Py_ssize_t i) {
    bool attributes = i < 0 ? node->attributed : node->parts[i].place == PLACE_ATTRIBUTE;
    for (i++;; i++) {
        if (i == node->part_count - 1) {
            if (!attributes)
                return -1;
            attributes = false;
            i = 0;
        }
        if ((node->parts[i].place == PLACE_ATTRIBUTE) == attributes)
            return i;
    }
}

#endif
