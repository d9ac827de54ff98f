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

/* xml_write_text.c: a value of one text; `quoted`: in an attribute. */
bool xml_put_value(XmlWriter *x, const Node *node, PyObject *value, bool quoted);
/* A number as in the memory of an Array. */
bool xml_put_number(XmlWriter *x, char code, const char *from);
/* A UTF-16 unit, as its number. */
bool xml_put_unit(XmlWriter *x, Py_UCS4 code);

/* Calls a function for each item of a tuple or, for a method's argument, a list, with its position; `part` is for the function. */
bool xml_each(XmlWriter *x, const Part *part, const Node *item, PyObject *values,
              bool (*write)(XmlWriter *, const Part *, const Node *, PyObject *, Py_ssize_t));
/* The same for an array of structs, which may be a StructArray. */
bool xml_each_struct(XmlWriter *x, const Part *part, const Node *node, PyObject *values,
                     bool (*write)(XmlWriter *, const Part *, const Node *, PyObject *, Py_ssize_t));

#endif
