/* What the files of the accelerator share.
 *
 * A node describes a type, and reads and writes its values on the binary wire
 * (spec/wires/binary.md) and, once it has been told the names of its members, as
 * JSON (spec/wires/json.md). Nodes are made once a type by the runtime, from its
 * own descriptions of types (creo/_binary/accelerator.py, creo/_json/accelerator.py).
 *
 * The contract of every reader and writer: it does what the runtime's own
 * codec would do, or it gives up. It gives up on whatever is wrong, over a
 * limit or merely unusual, before it takes memory for it, and the runtime
 * then does the same in Python, which says what is wrong and where. So nothing
 * here makes messages, and a value that is not certainly right is none.
 *
 * All of this is written for the limited API of CPython 3.9, and runs with
 * the GIL held. What belongs to no object is constant.
 */
#ifndef CREO_ACCELERATOR_H
#define CREO_ACCELERATOR_H

/* No format with '#' is used: 3.9 takes them by other functions than headers of 3.13 name. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* CPython 3.9 exports it, and its headers hide it from the limited API: it joined the stable ABI in 3.10
 * as it was. */
#if !defined(Py_LIMITED_API) || Py_LIMITED_API + 0 < 0x030a0000
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);
#endif

/* Changes with what the runtime must hand over: a runtime takes no other. */
#define CREO_INTERFACE 2

/* Counts are below it (BIN-2). */
#define MAX_COUNT INT64_C(0x7fffffff)

/* Values within values, of any types: what is deeper is left to the runtime,
 * so that the C stack holds. */
#define MAX_NESTING 500

typedef enum {
    KIND_BOOLEAN, KIND_BYTE, KIND_SHORT, KIND_CHAR, KIND_INT, KIND_LONG, KIND_FLOAT, KIND_DOUBLE,
    KIND_STRING, KIND_DATE_TIME, KIND_DECIMAL, KIND_BYTES, KIND_NUMBERS, KIND_CHARS, KIND_STRUCTS,
    KIND_ARRAY, KIND_OPTIONAL, KIND_MAP, KIND_ENUM, KIND_RECORD, KIND_UNION, KIND_PARAMETERS
} Kind;

/* A class whose instances C makes and looks into: those of classes with
 * __slots__, which have nothing else. */
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
    int64_t max_open; /* arrays and objects of JSON that are open (LIM-20) */
    int64_t max_name;
    int64_t max_text;
} Limits;

/* Keys of maps that are kept, since they often occur again, and how large they may be. */
#define KEPT_KEYS 128
#define MAX_KEPT_KEY 32

/* What a copy of the runtime hands over: its classes, and the functions that
 * do in Python what is seldom done. */
typedef struct {
    PyObject_HEAD
    PyTypeObject *node_type;
    Class date_time;
    Py_ssize_t seconds, nanoseconds;
    Class unknown;
    Py_ssize_t unknown_index, unknown_data;
    Class array;
    Py_ssize_t array_view;
    PyObject *extensible_enum; /* the base of those enums */
    Py_ssize_t enum_value;
    PyObject *decimal;
    PyObject *decimal_text;   /* the canonical text of a number, or an error */
    PyObject *to_array;       /* an array of numbers of what a method takes */
    PyObject *pack_float;     /* of what C would change: NaN */
    PyObject *unpack_float;
    PyObject *mapping_proxy;
    PyObject *default_limits;
    Limits limits;            /* those of default_limits */
    PyObject *catcher;        /* see catch.c */
    PyObject *word_cast, *word_copy, *word_format;
    PyObject *keys[KEPT_KEYS]; /* in places by their bytes */
} Context;

typedef struct Node Node;

/* A name in JSON: in quotes and escaped. */
typedef struct {
    char *text;
    Py_ssize_t size;
} Name;

/* What a member of an object is that is missing (JSON-11). */
typedef enum { ABSENT_REFUSED, ABSENT_NOTHING, ABSENT_DEFAULT } Absent;

/* A field of a record, a member of a union, or a parameter. */
typedef struct {
    Node *node;
    PyObject *name;     /* of a record's attribute */
    Py_ssize_t offset;  /* of the slot within the instance */
    bool may_miss;      /* a region may end before it */
    Class cls;          /* of a member */
    int64_t charge;     /* of a member */
    Name json;
    Absent absent;
} Field;

/* A column of an array of structs of fixed size whose bits are not all values. */
typedef struct {
    char kind; /* '?' and 'E': a byte of `allowed`; 'S' and 'N': of an instant */
    Py_ssize_t offset;
    uint8_t allowed[256];
} Column;

/* A constant of an enum. */
typedef struct {
    PyObject *member;
    int64_t number;
    Py_ssize_t index; /* within by_number */
    Name json;        /* there */
} Constant;

struct Node {
    PyObject_HEAD
    Context *context;
    Kind kind;
    bool filled;      /* until then it gives up */
    bool recursive;
    bool extensible;
    int64_t least;    /* bytes of an item, or of an entry */
    int64_t charge;   /* of an item, entry, or optional that is there */
    Node *item, *key;
    PyObject *type;   /* the class of a record or enum; StructArray */
    Class cls;        /* of a record with slots, or StructArray; else empty */
    Field *fields;
    Py_ssize_t count; /* of fields */

    char code[2];        /* of an array of numbers */
    Py_ssize_t size;     /* of a number, or of a struct of fixed size */
    PyObject *code_text;
    PyObject *block;     /* of an array of structs */
    Py_ssize_t slot_block, slot_data, slot_items;
    Column *columns;
    Py_ssize_t column_count;

    Constant *by_number; /* sorted by their numbers */
    Constant *by_member; /* sorted by their addresses */
    Py_ssize_t constant_count;

    bool named;          /* until then it gives up on JSON */
    Py_ssize_t *order;   /* of fields, as JSON has them (JSON-1) */
    Py_ssize_t *by_name; /* fields or constants of by_number, sorted by their names in JSON */
};

/* slots.c */

/* Finds the function that makes instances of a class; false with an exception
 * if the class is not of the kind that C may fill. */
bool class_of(PyObject *type, Class *out);

/* Where instances of a class hold an attribute of `__slots__` that the class
 * itself has; -1 with an exception if it has none. */
Py_ssize_t slot_of(PyObject *type, PyObject *name);

/* Takes from the garbage collector what is complete. Values are trees of what never changes, in which
 * there are no cycles to find; looking for them would be a third of the time of reading. */
static inline void complete(const Class *cls, PyObject *instance) {
    if (cls->tracked)
        PyObject_GC_UnTrack(instance);
}

/* Whether attributes of a fresh instance read what is stored there; false with an exception. */
bool slot_holds(const Class *cls, PyObject *name, Py_ssize_t offset);

/* A new reference. Py_RETURN_NONE and its like are none in headers of 3.12 and 3.13, where nothing counts
 * the references of what is immortal: it is not in 3.11. */
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
/* What a call is held to: false if it must be left to the runtime. */
bool limits_of(const Context *context, PyObject *limits, Limits *out);

/* node_json.c */
PyObject *node_name(PyObject *self, PyObject *arguments);
/* Gives back what it made. */
void node_unname(Node *node);
/* The field or constant of by_number of this name, which is in quotes; -1 if there is none. */
Py_ssize_t named(const Node *node, const char *text, Py_ssize_t size);

/* catch.c */
extern PyType_Spec catcher_spec;
/* The dictionary behind a mapping proxy: a new reference, or NULL if it is none. */
PyObject *behind_proxy(const Context *context, PyObject *proxy);

/* read.c, write.c: what nodes do. NotImplemented where they give up. */
PyObject *node_decode(PyObject *self, PyObject *arguments);
PyObject *node_encode(PyObject *self, PyObject *arguments);
/* json_read.c, json_write.c: the same in JSON. */
PyObject *node_decode_json(PyObject *self, PyObject *arguments);
PyObject *node_encode_json(PyObject *self, PyObject *arguments);

/* After a reader or writer has given up: NotImplemented, or NULL if what was
 * raised is nothing that the runtime would have caught. */
PyObject *gave_up(void);

#endif
