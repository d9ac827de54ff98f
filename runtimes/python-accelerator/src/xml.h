/* The state of reading XML. */
#ifndef CREO_ACCELERATOR_XML_H
#define CREO_ACCELERATOR_XML_H

#include "accelerator.h"

#include "xml/xml_reader.h"

typedef struct {
    creo_xml xml;
    Context *context;
    int64_t depth; /* remaining levels of recursive types (LIM-4) */
    int nesting;
    size_t unknown; /* at least as many unknown names as were passed over */
} XmlReader;

/* The runtime's parser charges for the names that it keeps, if there are more (LIM-18). */
#define FREE_NAMES 4096

/* Notes unknown names; false if the runtime must count them. */
static inline bool xml_unknown(XmlReader *x, size_t count) {
    x->unknown += count;
    return x->unknown <= FREE_NAMES;
}

static inline bool xml_charge(XmlReader *x, int64_t bytes) {
    return creo_xml_take_memory(&x->xml, (uint64_t)bytes);
}

/* xml_text.c: the value of a text: a new reference, or NULL. */
PyObject *xml_text_value(XmlReader *x, const Node *node, creo_string text);
/* A number in the form of an Array. */
bool xml_number(char code, creo_string text, uint8_t *to);

/* Numbers in the form of an Array, as many as come. */
typedef struct {
    uint8_t *data;
    size_t size, room;
} Numbers;

bool add_number(Numbers *numbers, const Node *node, creo_string text);
/* The Array, or NULL unless they are `right`; releases their memory. */
PyObject *array_of(XmlReader *x, const Node *node, Numbers *numbers, bool right);
/* The value of an array with these items; takes over the reference, which may be NULL. */
PyObject *held(const Node *node, PyObject *items);

#endif
