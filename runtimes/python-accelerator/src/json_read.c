/* Reads JSON: values with parts. After giving up, the position no longer matters. */
#include "json.h"

#include "items.h"

static PyObject *read_json(Reader *r, const Node *node);

/* Opens an array or object (LIM-20); `more` says whether it has content. */
static bool begin(Reader *r, char bracket, char end, bool *more) {
    if (json_next(r) != (uint8_t)bracket || r->open == 0)
        return false;
    r->open--;
    r->at++;
    *more = json_next(r) != (uint8_t)end;
    if (!*more) {
        r->at++;
        r->open++;
    }
    return true;
}

/* After an item or member: `more` says whether another follows; else the end is read. */
static bool follows(Reader *r, char end, bool *more) {
    const uint8_t found = json_next(r);
    *more = found == ',';
    if (!*more && found != (uint8_t)end)
        return false;
    r->at++;
    if (!*more)
        r->open++;
    return true;
}

static bool colon(Reader *r) {
    if (json_next(r) != ':')
        return false;
    r->at++;
    return true;
}

static bool skip(Reader *r);

/* Any name of a member, and the following colon (LIM-22). */
static bool skip_name(Reader *r) {
    if (json_next(r) != '"')
        return false;
    PyObject *name = json_string(r);
    Py_ssize_t size = 0;
    const bool fits = name != NULL && PyUnicode_AsUTF8AndSize(name, &size) != NULL && size <= r->max_name;
    Py_XDECREF(name);
    return fits && colon(r);
}

static bool skip_parts(Reader *r, char bracket, char end) {
    bool more;
    if (r->nesting == MAX_NESTING || !begin(r, bracket, end, &more))
        return false;
    r->nesting++;
    while (more) {
        if ((bracket == '{' && !skip_name(r)) || !skip(r) || !follows(r, end, &more))
            return false;
    }
    r->nesting--;
    return true;
}

/* Skips an unknown value, which must still be valid JSON. */
static bool skip(Reader *r) {
    switch (json_next(r)) {
    case '{':
        return skip_parts(r, '{', '}');
    case '[':
        return skip_parts(r, '[', ']');
    case '"': {
        PyObject *text = json_string(r);
        Py_XDECREF(text);
        return text != NULL;
    }
    case 't':
        return json_word(r, "true", 4);
    case 'f':
        return json_word(r, "false", 5);
    case 'n':
        return json_word(r, "null", 4);
    default:
        return json_skip_number(r);
    }
}

static PyObject *array(Reader *r, const Node *node) {
    Items items;
    no_items(&items);
    bool more;
    bool right = begin(r, '[', ']', &more);
    while (right && more) {
        PyObject *item = charge(r, node->charge) ? read_json(r, node->item) : NULL;
        right = item != NULL && add(&items, item);
        if (!right)
            Py_XDECREF(item);
        right = right && follows(r, ']', &more);
    }
    return tuple_of(&items, right);
}

static PyObject *structs(Reader *r, const Node *node) {
    return struct_array(node, array(r, node));
}

/* A number in the form of an Array. NaN and the infinities rarely occur. */
static bool one_number(Reader *r, char code, uint8_t *to) {
    int64_t n = 0;
    double wide;
    float narrow;
    int32_t word;
    int16_t half;
    json_next(r);
    switch (code) {
    case '?':
        *to = json_word(r, "true", 4);
        return *to || json_word(r, "false", 5);
    case 'h':
        if (!json_whole(r, INT16_MIN, INT16_MAX, &n))
            return false;
        half = (int16_t)n;
        memcpy(to, &half, 2);
        return true;
    case 'i':
        if (!json_whole(r, INT32_MIN, INT32_MAX, &n))
            return false;
        word = (int32_t)n;
        memcpy(to, &word, 4);
        return true;
    case 'q':
        if (r->at != r->end && *r->at == '"') {
            Py_ssize_t size;
            const char *text = json_plain(r, &size);
            if (text == NULL || !whole_of(text, size, INT64_MIN, INT64_MAX, &n))
                return false;
        } else if (!json_whole(r, INT64_MIN, INT64_MAX, &n)) {
            return false;
        }
        memcpy(to, &n, 8);
        return true;
    case 'f':
        if (!json_float(r, &narrow))
            return false;
        memcpy(to, &narrow, 4);
        return true;
    default:
        if (!json_double(r, &wide))
            return false;
        memcpy(to, &wide, 8);
        return true;
    }
}

static PyObject *numbers(Reader *r, const Node *node) {
    const size_t each = (size_t)node->size;
    size_t size = 0, room = 0;
    uint8_t *data = NULL;
    bool more;
    bool right = begin(r, '[', ']', &more);
    while (right && more) {
        if (room - size < each) {
            /* Each number takes at least two bytes of the document, so this is within it. */
            const size_t wanted = room == 0 ? 64 : 2 * room;
            uint8_t *larger = PyMem_Realloc(data, wanted);
            if (larger == NULL) {
                PyMem_Free(data);
                return PyErr_NoMemory();
            }
            data = larger;
            room = wanted;
        }
        right = charge(r, node->charge) && one_number(r, node->code[0], data + size) && follows(r, ']', &more);
        size += each;
    }
    PyObject *bytes = right ? PyBytes_FromStringAndSize((const char *)data, (Py_ssize_t)size) : NULL;
    PyMem_Free(data);
    return bytes == NULL ? NULL : array_over(r->context, bytes, node->code_text);
}

static PyObject *chars(Reader *r, const Node *node) {
    PyObject *list = node->item == NULL ? NULL : array(r, node);
    PyObject *none = list == NULL ? NULL : PyUnicode_FromStringAndSize("", 0);
    PyObject *made = none == NULL ? NULL : PyUnicode_Join(none, list);
    Py_XDECREF(none);
    Py_XDECREF(list);
    return made;
}

static PyObject *map(Reader *r, const Node *node) {
    bool more;
    Py_ssize_t n = 0;
    PyObject *made = begin(r, '{', '}', &more) ? PyDict_New() : NULL;
    for (; made != NULL && more; n++) {
        json_next(r);
        PyObject *key = charge(r, node->charge) ? json_key(r, node->key) : NULL;
        PyObject *value = key != NULL && colon(r) ? read_json(r, node->item) : NULL;
        if (value == NULL || PyDict_SetItem(made, key, value) < 0 || !follows(r, '}', &more))
            Py_CLEAR(made);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    if (made == NULL)
        return NULL;
    /* A duplicate key is stored once. */
    PyObject *frozen = PyDict_Size(made) == n ? PyDictProxy_New(made) : NULL;
    Py_DECREF(made);
    return frozen;
}

/* The member whose name is here; -1 if there is none, or it is written in another form. `due` is the expected one if all are present and in order. */
static Py_ssize_t member_here(Reader *r, const Node *node, Py_ssize_t due) {
    if (json_next(r) != '"')
        return -1;
    /* An absent optional member needs no search. */
    for (int tries = 0; tries < 3 && due < node->count; tries++, due++) {
        const Py_ssize_t i = node->order[due];
        const Name *name = &node->fields[i].json;
        if (r->end - r->at > name->size && memcmp(r->at, name->text, (size_t)name->size) == 0) {
            r->at += name->size;
            return i;
        }
    }
    Py_ssize_t size;
    const uint8_t *from = r->at;
    const char *text = json_plain(r, &size);
    const Py_ssize_t i = text == NULL ? -1 : named(node, text - 1, size + 2);
    if (i < 0)
        r->at = from;
    return i;
}

/* Reads the members of an object and passes each on with its field. Unknown members are skipped where allowed. */
static bool members(Reader *r, const Node *node, PyObject *instance, PyObject *arguments) {
    bool more;
    if (!node->named || !begin(r, '{', '}', &more))
        return false;
    for (Py_ssize_t due = 0; more; due++) {
        const Py_ssize_t i = member_here(r, node, due);
        if (i < 0) {
            /* An escaped name looks unknown even if it is not. */
            const uint8_t *name = r->at;
            if (!node->extensible || !skip_name(r) || memchr(name, '\\', (size_t)(r->at - name)) != NULL || !skip(r))
                return false;
        } else {
            const Field *field = &node->fields[i];
            PyObject *value = colon(r) ? read_json(r, field->node) : NULL;
            if (value == NULL)
                return false;
            if (instance != NULL) {
                PyObject **slot = slot_at(instance, field->offset);
                if (*slot != NULL) {
                    Py_DECREF(value);
                    return false;
                }
                *slot = value;
            } else {
                const Py_ssize_t before = PyDict_Size(arguments);
                const bool set = PyDict_SetItem(arguments, field->name, value) == 0;
                Py_DECREF(value);
                if (!set || PyDict_Size(arguments) == before)
                    return false;
            }
            while (due < node->count && node->order[due] != i)
                due++;
        }
        if (!follows(r, '}', &more))
            return false;
    }
    return true;
}

/* An exception, created by its constructor. */
static PyObject *with_attributes(Reader *r, const Node *node) {
    PyObject *arguments = PyDict_New();
    if (arguments != NULL && !members(r, node, NULL, arguments))
        Py_CLEAR(arguments);
    for (Py_ssize_t i = 0; arguments != NULL && i < node->count; i++) {
        const Field *field = &node->fields[i];
        if (field->absent == ABSENT_DEFAULT || PyDict_GetItemWithError(arguments, field->name) != NULL)
            continue;
        if (field->absent == ABSENT_REFUSED || PyDict_SetItem(arguments, field->name, Py_None) < 0)
            Py_CLEAR(arguments);
    }
    return construct(node, arguments);
}

static PyObject *read_record(Reader *r, const Node *node) {
    if (node->cls.type == NULL)
        return with_attributes(r, node);
    PyObject *made = instance_of(&node->cls);
    if (made != NULL && !members(r, node, made, NULL))
        Py_CLEAR(made);
    bool defaults = false;
    for (Py_ssize_t i = 0; made != NULL && i < node->count; i++) {
        PyObject **slot = slot_at(made, node->fields[i].offset);
        if (*slot != NULL)
            continue;
        if (node->fields[i].absent == ABSENT_REFUSED)
            Py_CLEAR(made);
        else if (node->fields[i].absent == ABSENT_NOTHING)
            *slot = new_reference(Py_None);
        else
            defaults = true;
    }
    if (made == NULL)
        return NULL;
    if (defaults) {
        PyObject *arguments = as_arguments(node, made, node->count);
        Py_DECREF(made);
        return construct(node, arguments);
    }
    complete(&node->cls, made);
    return made;
}

static PyObject *read_union(Reader *r, const Node *node) {
    bool more;
    if (!node->named || !begin(r, '{', '}', &more) || !more)
        return NULL;
    const Py_ssize_t i = member_here(r, node, 0);
    if (i < 0 || !charge(r, node->fields[i].charge) || !colon(r))
        return NULL;
    PyObject *value = read_json(r, node->fields[i].node);
    if (value != NULL && (!follows(r, '}', &more) || more))
        Py_CLEAR(value);
    return member_of(&node->fields[i], value);
}

static PyObject *read_json(Reader *r, const Node *node) {
    if (!node->filled)
        return NULL;
    switch (node->kind) {
    case KIND_OPTIONAL:
        if (json_next(r) == 'n')
            return json_word(r, "null", 4) ? new_reference(Py_None) : NULL;
        return charge(r, node->charge) ? read_json(r, node->item) : NULL;
    case KIND_NUMBERS:
        return numbers(r, node);
    case KIND_CHARS:
        return chars(r, node);
    case KIND_STRUCTS:
        return read_nested(r, node, structs);
    case KIND_ARRAY:
        return read_nested(r, node, array);
    case KIND_MAP:
        return read_nested(r, node, map);
    case KIND_RECORD:
        return read_nested(r, node, read_record);
    case KIND_UNION:
        return read_nested(r, node, read_union);
    case KIND_PARAMETERS: /* never read */
        return NULL;
    default:
        json_next(r);
        return json_scalar(r, node);
    }
}

PyObject *node_decode_json(PyObject *self, PyObject *arguments) {
    Node *node = (Node *)self;
    PyObject *body, *limits;
    char *data;
    Py_ssize_t size;
    Limits allowed;
    if (!PyArg_UnpackTuple(arguments, "decode_json", 2, 2, &body, &limits))
        return NULL;
    if (!PyBytes_Check(body) || !node->filled || !limits_of(node->context, limits, &allowed) ||
        PyBytes_AsStringAndSize(body, &data, &size) < 0 || size > allowed.max_text || size > allowed.memory)
        return gave_up();
    const uint8_t *start = (const uint8_t *)data;
    Reader reader = {
        .at = start, .end = start + size, .start = start, .body = body, .context = node->context,
        .memory = allowed.memory - size, .empty = 0, .depth = allowed.depth, .nesting = 0,
        .open = allowed.max_open, .max_name = allowed.max_name,
    };
    if (size >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3;
    /* A constructor may clear the node. */
    Context *context = node->context;
    Py_INCREF(context);
    PyObject *value = read_json(&reader, node);
    Py_DECREF(context);
    if (value != NULL && (json_next(&reader) != 0 || reader.at != reader.end))
        Py_CLEAR(value);
    return value == NULL ? gave_up() : value;
}
