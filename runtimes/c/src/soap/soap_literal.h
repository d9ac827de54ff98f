/* Answers of SOAP encoding during conversion to literal form (SOAP-32). Not part of the API. */
#ifndef CREO_SRC_SOAP_LITERAL_H
#define CREO_SRC_SOAP_LITERAL_H

#include "soap.h"

/* Indices in brackets. */
#define CREO_NO_INDEX (-1)
#define CREO_WRONG_INDEX (-2)

/* A bound prefix, by its innermost declaration. */
typedef struct creo_encoded_prefix {
    struct creo_encoded_prefix *outer;
    /* The outermost binding of the prefix. It has the number of the start tag that declared the prefix last. */
    struct creo_encoded_prefix *same;
    uint64_t tag;
    /* The declaration; empty for the default namespace, which elements of values do not have. */
    creo_string text;
    /* Bound around the content of the body. */
    bool around;
} creo_encoded_prefix;

/* Data that few elements have. */
typedef struct creo_encoded_extra {
    struct creo_encoded *element;
    /* The previous element with an id. */
    struct creo_encoded_extra *before;
    creo_string id;
    /* The id that it refers to. Without data: none. */
    creo_string href;
    /* The element that it refers to; and the final target. */
    struct creo_encoded *next;
    struct creo_encoded *target;
    /* For an element of a detail. */
    creo_string uri;
    int32_t offset;
    int32_t position;
    bool root;
    /* It refers to another, which is not empty. */
    bool holds;
    /* Its target is being searched. */
    bool passed;
} creo_encoded_extra;

typedef struct creo_encoded {
    /* Offsets in the text: start tag, content, end tag, and the end. */
    uint32_t start;
    uint32_t inside;
    uint32_t close;
    uint32_t end;
    uint32_t local;
    uint32_t local_size;
    /* Its attributes, each after a space, except those of the encoding. */
    const uint8_t *attributes;
    uint32_t attributes_size;
    bool array;
    bool has_dimensions;
    bool fault;
    /* The detail of a fault. */
    bool detail;
    /* Whether it is being written. */
    bool open;
    creo_encoded_prefix *scope;
    struct creo_encoded *first;
    struct creo_encoded *next;
    creo_encoded_extra *extra;
} creo_encoded;

typedef struct creo_literal {
    creo_xml xml;
    creo_writer out;
    const creo_text_method *text;
    /* By the index of the binding. */
    creo_encoded_prefix **bound;
    uint32_t bound_room;
    /* Of the body. */
    creo_encoded_prefix *scope;
    /* The max length of a prefix that consists of the letter m. */
    size_t longest;
    creo_encoded_extra *last_id;
    creo_encoded_extra **ids;
    size_t id_count;
    uint64_t tags;
    /* How many of the prefixes around the content are rebound at the writer's position. */
    size_t hidden;
    /* How many references lead there; the bytes that they may still take, and the total written. */
    size_t referring;
    uint64_t room;
    uint64_t left;
    uint32_t missing;
    uint32_t levels;
} creo_literal;

static inline bool creo_literal_fail(creo_literal *l, const char *message)
{
    return creo_xml_fail(&l->xml, l->xml.at, "%s", message);
}

static inline bool creo_is_soap_space(creo_string uri)
{
    return creo_string_is(uri, CREO_SOAP_11) || creo_string_is(uri, CREO_SOAP_12);
}

/* The reader's position. */
static inline uint32_t creo_literal_at(const creo_literal *l)
{
    return (uint32_t)(l->xml.at - l->xml.start);
}

/* Adds the declarations of the last start tag; `around`: it is that of the envelope or its body. */
CREO_PRIVATE bool creo_literal_read_scope(creo_literal *l, const creo_element *tag, bool around, creo_encoded_prefix **scope);

/* The content of an open element, and its end tag. */
CREO_PRIVATE bool creo_literal_read_content(creo_literal *l, const creo_element *tag, creo_encoded_prefix *scope, creo_encoded *e);

/* Sorts the ids for searching. */
CREO_PRIVATE bool creo_literal_sort_ids(creo_literal *l);

/* The element itself, or the one that it refers to; NULL after a failure. */
CREO_PRIVATE creo_encoded *creo_literal_target(creo_literal *l, creo_encoded *e);

#endif
