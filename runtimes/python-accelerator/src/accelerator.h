/* Shared by the files of the accelerator.
 *
 * A node describes a type, and reads and writes its values on the binary wire
 * (spec/wires/binary.md) and, once it has been told the names of its members, as
 * JSON (spec/wires/json.md) or XML (spec/wires/xml.md). Nodes are made once a type by the
 * runtime, from its own descriptions of types (creo/_binary/accelerator.py, creo/_json/accelerator.py,
 * creo/_xml/accelerator.py).
 *
 * The contract of every reader and writer: it does what the runtime's own codec would do, or it gives up. It gives up on anything wrong, over a limit
 * or merely unusual, before it allocates memory for it. The runtime then does the same in Python and reports what is wrong and where. This code
 * therefore makes no messages, and returns a value only if it is certainly right.
 *
 * All of this uses the limited API of CPython 3.9, and runs with the GIL held. State outside of objects is constant.
 */
#ifndef CREO_ACCELERATOR_H
#define CREO_ACCELERATOR_H

/* No format with '#' is used: 3.9 has other functions for them than headers of 3.13. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <creo/codegen/descriptor.h>

/* CPython 3.9 exports it, but its headers hide it from the limited API: it joined the stable ABI in 3.10 unchanged. */
#if !defined(Py_LIMITED_API) || Py_LIMITED_API + 0 < 0x030a0000
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);
#endif

/* Changes with what the runtime must pass: a runtime accepts no other. */
#define CREO_INTERFACE 6

/* Counts are below this (BIN-2). */
#define MAX_COUNT INT64_C(0x7fffffff)

/* The max nesting of values of any types, which bounds the C stack; deeper ones are left to the runtime. */
#define MAX_NESTING 500

typedef enum {
    KIND_BOOLEAN, KIND_BYTE, KIND_SHORT, KIND_CHAR, KIND_INT, KIND_LONG, KIND_FLOAT, KIND_DOUBLE,
    KIND_STRING, KIND_DATE_TIME, KIND_DECIMAL, KIND_BYTES, KIND_NUMBERS, KIND_CHARS, KIND_STRUCTS,
    KIND_ARRAY, KIND_OPTIONAL, KIND_MAP, KIND_ENUM, KIND_RECORD, KIND_UNION, KIND_PARAMETERS,
    /* Forms that only XML has: of texts, and of arrays. */
    KIND_TOKEN, KIND_HEX, KIND_LIST, KIND_REPEATED, KIND_WRAPPED
} Kind;

/* A class whose instances C creates and accesses: classes with __slots__ and nothing else. */
typedef struct {
    PyTypeObject *type;
    allocfunc alloc;
    bool tracked; /* by the garbage collector */
} Class;

/* Limits of a body (spec/limits.md). */
typedef struct {
    int64_t memory;
    int64_t empty;
    int64_t depth;
    int64_t max_body;
    int64_t max_message;
    int64_t max_open; /* max open arrays and objects of JSON (LIM-20) */
    int64_t max_name;
    int64_t max_text;
    int64_t max_attributes;
    int64_t max_namespaces;
} Limits;

/* The namespaces of XML names: equal ones are one object, so prefixes can be predicted. */
typedef struct Space {
    creo_namespace space;
    PyObject *uri;
    struct Space *next;
} Space;

/* The number of cached map keys, since they often occur again, and their max size. */
#define KEPT_KEYS 128
#define MAX_KEPT_KEY 32

/* What a copy of the runtime passes: its classes, and functions that do rare work in Python. */
typedef struct {
    PyObject_HEAD
    PyTypeObject *node_type;
    Class date_time;
    Py_ssize_t seconds, nanoseconds;
    Class unknown;
    Py_ssize_t unknown_index, unknown_data;
    Class array;
    Py_ssize_t array_view;
    PyObject *extensible_enum; /* the base class of extensible enums */
    Py_ssize_t enum_value;
    PyObject *decimal;
    PyObject *decimal_text;   /* the canonical text of a number, or an error */
    PyObject *to_array;       /* an array of numbers from a method's argument */
    PyObject *pack_float;     /* for floats that C would change: NaN */
    PyObject *unpack_float;
    PyObject *mapping_proxy;
    PyObject *default_limits;
    Limits limits;            /* those of default_limits */
    PyObject *catcher;        /* see catch.c */
    PyObject *word_cast, *word_copy, *word_format;
    PyObject *keys[KEPT_KEYS]; /* indexed by their bytes */
    Space *spaces;
} Context;

typedef struct Node Node;

/* A name in JSON: quoted and escaped. */
typedef struct {
    char *text;
    Py_ssize_t size;
} Name;

/* The handling of an absent object member (JSON-11). */
typedef enum { ABSENT_REFUSED, ABSENT_NOTHING, ABSENT_DEFAULT } Absent;

/* A field of a record, a union member, or a parameter. */
typedef struct {
    Node *node;
    PyObject *name;     /* for a record: the attribute */
    Py_ssize_t offset;  /* the slot's offset in the instance */
    bool may_miss;      /* a region may end before it */
    Class cls;          /* for a member */
    int64_t charge;     /* for a member */
    Name json;
    Absent absent;
} Field;

/* Where XML has a part of a value: in elements, in an attribute, as the text of its holder, in elements without one of its own, or in a header. */
typedef enum { PLACE_ELEMENT, PLACE_ATTRIBUTE, PLACE_TEXT, PLACE_INLINE, PLACE_HEADER = 6 } Place;

/* The base of a union whose members are not identified by `xsi:type`. */
#define NOT_DERIVED (-2)

/* The form that a part of a value has in XML. Of an enum: the text of a constant. The last one names the element around all parts. */
typedef struct {
    creo_text_name name;
    PyObject *local;
    Node *form; /* NULL: left to the runtime */
    Place place;
    PyObject *absent; /* the value of an absent part; NULL: it is refused, or left to the constructor */
    bool defaults;
    bool nillable;       /* null is written as an element with `xsi:nil` */
    bool nillable_items; /* the same of null in an array */
} Part;

/* What is written around values: the namespaces with prefixes, and texts (bytes). A value alone has only declarations in its start tag, `start`. A
 * request: up to its header, from there to its fields, and after them. */
typedef struct {
    creo_text_spaces spaces;
    PyObject *start, *before, *after;
} Root;

/* A column of an array of fixed-size structs for which some bit patterns are invalid. */
typedef struct {
    char kind; /* '?' and 'E': a byte of `allowed`; 'S' and 'N': of an instant */
    Py_ssize_t offset;
    uint8_t allowed[256];
} Column;

/* A constant of an enum. */
typedef struct {
    PyObject *member;
    int64_t number;
    Py_ssize_t index; /* in by_number */
    Name json;        /* there */
} Constant;

struct Node {
    PyObject_HEAD
    Context *context;
    Kind kind;
    bool filled;      /* until then it gives up */
    bool recursive;
    bool extensible;
    int64_t least;    /* min bytes of an item, or of an entry */
    int64_t charge;   /* for an item, entry, or present optional */
    Node *item, *key;
    PyObject *type;   /* the class of a record or enum; StructArray */
    Class cls;        /* for a record with slots, or StructArray; else empty */
    Field *fields;
    Py_ssize_t count; /* the number of fields */

    char code[2];        /* for an array of numbers */
    Py_ssize_t size;     /* for a number, or a fixed-size struct */
    PyObject *code_text;
    PyObject *block;     /* for an array of structs */
    Py_ssize_t slot_block, slot_data, slot_items;
    Column *columns;
    Py_ssize_t column_count;

    Constant *by_number; /* sorted by number */
    Constant *by_member; /* sorted by address */
    Py_ssize_t constant_count;

    bool named;          /* until then it gives up on JSON */
    Py_ssize_t *order;   /* the fields in JSON's order (JSON-1) */
    /* XML. Until there are parts, it gives up. */
    Part *parts;
    Py_ssize_t part_count; /* with the last one */
    Py_ssize_t text;       /* the part that is the text of its holder, or -1 */
    bool attributed;       /* a part is an attribute */
    bool bare;             /* a message without an element of its own (SOAP-6) */
    bool readable;         /* without, it gives up reading */
    bool writable;         /* without, it gives up writing */
    Py_ssize_t base;       /* of a union by `xsi:type` (XML-37): the member written without it, or -1; else NOT_DERIVED */
    Root *root;            /* of a value alone, or a request */

    Py_ssize_t *by_name; /* fields, or indices of by_number, sorted by their names in JSON */
};

/* slots.c */

/* Finds the function that creates instances of a class; false with an exception if C cannot fill them. */
bool class_of(PyObject *type, Class *out);

/* The offset of an attribute of the class's own `__slots__`; -1 with an exception if it has none. */
Py_ssize_t slot_of(PyObject *type, PyObject *name);

/* Untracks a complete value from the garbage collector. Values are immutable trees without cycles; searching for them would take a third of the time
 * of reading. */
static inline void complete(const Class *cls, PyObject *instance) {
    if (cls->tracked)
        PyObject_GC_UnTrack(instance);
}

/* Whether attributes of a fresh instance read what is stored at the offset; false with an exception. */
bool slot_holds(const Class *cls, PyObject *name, Py_ssize_t offset);

/* A new reference. Py_RETURN_NONE etc. do not count references in headers of 3.12 and 3.13, where None is immortal: in 3.11 it is not. */
static inline PyObject *new_reference(PyObject *object) {
    Py_INCREF(object);
    return object;
}

static inline PyObject **slot_at(PyObject *instance, Py_ssize_t offset) {
    return (PyObject **)(void *)((char *)instance + offset);
}

/* node.c, context.c */
extern PyType_Spec node_spec;
extern PyType_Spec context_spec;
PyObject *node_new(PyObject *module, PyObject *arguments);
PyObject *context_new(PyTypeObject *type, PyTypeObject *node_type, PyTypeObject *catcher_type, PyObject *runtime);
/* The limits of a call: false if it must be left to the runtime. */
bool limits_of(const Context *context, PyObject *limits, Limits *out);

/* node_json.c */
PyObject *node_name(PyObject *self, PyObject *arguments);
/* Releases its memory. */
void node_unname(Node *node);
/* The field, or index of by_number, with this quoted name; -1 if there is none. */
Py_ssize_t named(const Node *node, const char *text, Py_ssize_t size);

/* node_xml.c */
PyObject *node_shape(PyObject *self, PyObject *arguments);
PyObject *node_root(PyObject *self, PyObject *arguments);
/* Releases what both have. */
void node_unshape(Node *node);
void free_spaces(Space *spaces);

/* catch.c */
extern PyType_Spec catcher_spec;
/* The dictionary of a mapping proxy: a new reference, or NULL if it is not a proxy. */
PyObject *behind_proxy(const Context *context, PyObject *proxy);

/* construct.c */
extern PyType_Spec constructor_spec;
/* The `__init__` of a class: (the generated function, a function that describes it at the first call). */
PyObject *constructor_new(PyTypeObject *type, PyTypeObject *node_type, PyObject *arguments);

/* read.c, write.c: the methods of nodes. NotImplemented if they give up. */
PyObject *node_decode(PyObject *self, PyObject *arguments);
PyObject *node_encode(PyObject *self, PyObject *arguments);
/* json_read.c, json_write.c: the same in JSON. */
PyObject *node_decode_json(PyObject *self, PyObject *arguments);
PyObject *node_encode_json(PyObject *self, PyObject *arguments);

/* xml_read.c: a value alone, and the result in a SOAP response. */
PyObject *node_decode_xml(PyObject *self, PyObject *arguments);
PyObject *node_decode_soap(PyObject *self, PyObject *arguments);

/* xml_write.c: a value alone, and a SOAP request. */
PyObject *node_encode_xml(PyObject *self, PyObject *arguments);
PyObject *node_encode_soap(PyObject *self, PyObject *arguments);
/* tdxml_read.c, tdxml_write.c: the value of a table's rows, and the table of a value or a request. */
PyObject *node_decode_table(PyObject *self, PyObject *arguments);
PyObject *node_encode_table(PyObject *self, PyObject *arguments);

/* After a reader or writer has given up: NotImplemented, or NULL for an exception that the runtime would not have caught. */
PyObject *gave_up(void);

#endif
