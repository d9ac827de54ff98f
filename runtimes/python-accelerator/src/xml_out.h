/* The state of writing XML. */
#ifndef CREO_ACCELERATOR_XML_OUT_H
#define CREO_ACCELERATOR_XML_OUT_H

#include "writer.h"

#include "xml/xml_writer.h"

typedef struct {
    Writer state; /* the first, as a writer of values gets it: all of it but bytes */
    creo_writer bytes;
    creo_xml_out out; /* byte strings of at least `part_from` are left to the runtime, which makes parts of them (SOAP-21) */
} XmlWriter;

static inline bool xml_put(XmlWriter *x, const char *text, size_t size) {
    return creo_put(&x->bytes, text, size);
}

/* xml_write_text.c: a value of one text; `put` escapes texts. */
bool xml_put_value(XmlWriter *x, const Node *node, PyObject *value, creo_put_text *put);
/* A number as in the memory of an Array; with the code `H`, the number of a UTF-16 unit, which is a Py_UCS4. */
bool xml_put_number(XmlWriter *x, char code, const char *from);

/* Writes an item at its position; `more` is what it gets from its caller. */
typedef bool XmlItem(XmlWriter *x, const void *more, const Node *node, PyObject *value, Py_ssize_t i);

/* Writes each item of a tuple or, for a method's argument, a list. */
bool xml_each(XmlWriter *x, const void *more, const Node *item, PyObject *values, XmlItem *write);
/* The same for an array of structs, which may be a StructArray. */
bool xml_each_struct(XmlWriter *x, const void *more, const Node *node, PyObject *values, XmlItem *write);

/* Writes each entry of a map. */
typedef bool XmlEntry(XmlWriter *x, const Node *node, PyObject *key, PyObject *value, Py_ssize_t i);

bool xml_each_entry(XmlWriter *x, const Node *node, PyObject *map, XmlEntry *write);

/* Whether the items of an array are numbers of an Array, or UTF-16 units of a text. */
static inline bool xml_is_packed(const Node *node) {
    return node->code[0] != '\0' || (node->key != NULL && node->key->kind == KIND_CHARS);
}

/* Writes each of them, as `xml_put_number` takes it. */
typedef bool XmlNumber(XmlWriter *x, const void *more, char code, const char *from, Py_ssize_t i);

bool xml_each_number(XmlWriter *x, const void *more, const Node *node, PyObject *values, XmlNumber *write);

/* xml_write.c: the bytes that `write` makes of a value; NotImplemented if it gives up. The writer is set up here; `more` is for `write`. */
PyObject *xml_encode(XmlWriter *x, Node *node, PyObject *value, PyObject *limits, size_t part_from,
                     bool (*write)(XmlWriter *, const Node *, PyObject *, PyObject *), PyObject *more);

#endif
