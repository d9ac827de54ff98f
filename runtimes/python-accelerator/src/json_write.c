/* Writes JSON. Containers are referenced while they are written, since Python code may run meanwhile. */
#include "json.h"
#include "writer.h"

#include "text/numbers.h"
#include "text/text_values.h"

/* VAL-2: larger whole numbers are strings. */
#define MAX_SAFE ((INT64_C(1) << 53) - 1)

static bool write_json(Writer *w, const Node *node, PyObject *value);

/* Room for a text function that writes at most `room` bytes. */
static char *room_for(Writer *w, size_t room) {
    return reserve(w, room) ? (char *)w->data + w->size : NULL;
}

static bool wrote(Writer *w, const char *to) {
    w->size = (size_t)((const uint8_t *)to - w->data);
    return true;
}

static bool quoted(Writer *w, const char *text, size_t size) {
    return write_byte(w, '"') && write_bytes(w, text, size) && write_byte(w, '"');
}

static bool escape(Writer *w, uint8_t c) {
    static const char DIGITS[] = "0123456789abcdef", LETTERS[] = "btn\0fr"; /* for 8 to 13 */
    uint8_t text[6] = {'\\', c, '0', '0', (uint8_t)DIGITS[c >> 4], (uint8_t)DIGITS[c & 15]};
    if (c == '"' || c == '\\')
        return write_bytes(w, text, 2);
    text[1] = c >= 8 && c <= 13 && LETTERS[c - 8] != '\0' ? (uint8_t)LETTERS[c - 8] : 'u';
    return write_bytes(w, text, text[1] == 'u' ? 6 : 2);
}

/* Text in UTF-8; fails for a lone surrogate. */
static bool string(Writer *w, PyObject *text) {
    Py_ssize_t size;
    if (!PyUnicode_CheckExact(text))
        return false;
    const char *data = PyUnicode_AsUTF8AndSize(text, &size);
    if (data == NULL || !reserve(w, (size_t)size + 2))
        return false;
    const uint8_t *at = (const uint8_t *)data, *end = at + size;
    w->data[w->size++] = '"';
    /* Words are written while they are checked. */
    for (uint8_t *to = w->data + w->size; end - at >= 8; at += 8, to += 8, w->size += 8) {
        const uint64_t word = creo_load8(at);
        if (needs_escape(word))
            break;
        memcpy(to, &word, 8);
    }
    for (;;) {
        const uint8_t *stop = plain_end(at, end);
        if (!write_bytes(w, at, (size_t)(stop - at)))
            return false;
        if (stop == end)
            return write_byte(w, '"');
        if (!escape(w, *stop))
            return false;
        at = stop + 1;
    }
}

static bool whole(Writer *w, PyObject *value, int64_t low, int64_t high) {
    int64_t n;
    char *to = exact_whole(value, low, high, &n) ? room_for(w, CREO_NUMBER_TEXT) : NULL;
    return to != NULL && wrote(w, creo_put_signed(to, n));
}

static bool long_number(Writer *w, int64_t n) {
    char *to = room_for(w, CREO_NUMBER_TEXT);
    if (to == NULL)
        return false;
    const bool in_quotes = n > MAX_SAFE || n < -MAX_SAFE;
    if (in_quotes)
        *to++ = '"';
    to = creo_put_signed(to, n);
    if (in_quotes)
        *to++ = '"';
    return wrote(w, to);
}

static bool long_value(Writer *w, PyObject *value) {
    int64_t n;
    return exact_whole(value, INT64_MIN, INT64_MAX, &n) && long_number(w, n);
}

/* NaN and the infinities are strings. */
static bool special(Writer *w, double number) {
    if (number != number)
        return quoted(w, "NaN", 3);
    return number > 0 ? quoted(w, "Infinity", 8) : quoted(w, "-Infinity", 9);
}

static bool double_number(Writer *w, double number) {
    if (number - number != 0)
        return special(w, number);
    char *to = room_for(w, CREO_NUMBER_TEXT);
    if (to == NULL)
        return false;
    char *end = put_short(to, number);
    return wrote(w, end != NULL ? end : creo_put_real(to, number));
}

static bool float_number(Writer *w, float number) {
    if (number - number != 0)
        return special(w, (double)number);
    char *to = room_for(w, CREO_NUMBER_TEXT);
    return to != NULL && wrote(w, creo_put_single(to, number));
}

static bool real(Writer *w, PyObject *value, bool narrow) {
    double number;
    return exact_real(value, narrow, &number) && (narrow ? float_number(w, (float)number) : double_number(w, number));
}

/* A UTF-16 unit; a lone surrogate is a number. */
static bool unit(Writer *w, Py_UCS4 code) {
    if (code > 0xffff)
        return false;
    char *to = room_for(w, 8);
    if (to == NULL)
        return false;
    if (code >= 0xd800 && code < 0xe000)
        return wrote(w, creo_put_number(to, code));
    *to = '"';
    w->size++;
    if (code == '"' || code == '\\' || code < 0x20)
        return escape(w, (uint8_t)code) && write_byte(w, '"');
    w->size += creo_put_utf8((uint8_t *)to + 1, code);
    return write_byte(w, '"');
}

static bool char_value(Writer *w, PyObject *value) {
    return PyUnicode_CheckExact(value) && PyUnicode_GetLength(value) == 1 && unit(w, PyUnicode_ReadChar(value, 0));
}

static bool date_time(Writer *w, PyObject *value) {
    creo_datetime instant;
    char text[CREO_DATETIME_TEXT];
    return exact_instant(w, value, &instant) && quoted(w, text, (size_t)(creo_put_instant(text, instant) - text));
}

static bool decimal(Writer *w, PyObject *value) {
    PyObject *text = canonical(w, value);
    const bool written = text != NULL && string(w, text);
    Py_XDECREF(text);
    return written;
}

static bool bytes(Writer *w, PyObject *value) {
    char *data;
    Py_ssize_t size;
    if (!PyBytes_CheckExact(value) || PyBytes_AsStringAndSize(value, &data, &size) < 0 || size > PY_SSIZE_T_MAX / 2)
        return false;
    char *to = room_for(w, (size_t)size / 3 * 4 + 6);
    if (to == NULL)
        return false;
    *to++ = '"';
    to = creo_put_base64(to, creo_bytes_of(data, (size_t)size));
    *to++ = '"';
    return wrote(w, to);
}

static bool enumeration(Writer *w, const Node *node, PyObject *value, bool is_key) {
    const Constant *constant;
    int64_t number;
    if (!node->named || !enum_number(w, node, value, &constant, &number))
        return false;
    if (constant != NULL) {
        const Name *name = &node->by_number[constant->index].json;
        return write_bytes(w, name->text, (size_t)name->size);
    }
    char text[CREO_NUMBER_TEXT];
    const size_t size = (size_t)(creo_put_signed(text, number) - text);
    return is_key ? quoted(w, text, size) : write_bytes(w, text, size);
}

/* The key of a map, as the name of a member (VAL-12). */
static bool key(Writer *w, const Node *node, PyObject *value) {
    if (!node->filled)
        return false;
    if (node->kind == KIND_STRING)
        return string(w, value);
    if (node->kind == KIND_ENUM)
        return enumeration(w, node, value, true);
    const size_t before = w->size;
    if (!write_byte(w, '"') || !write_json(w, node, value) || !write_byte(w, '"'))
        return false;
    if (w->data[before + 1] == '"') {
        /* A value that is already quoted. */
        memmove(w->data + before, w->data + before + 1, w->size - before - 2);
        w->size -= 2;
    }
    return true;
}

static bool entries(Writer *w, const Node *node, PyObject *dict) {
    const Py_ssize_t n = PyDict_Size(dict);
    Py_ssize_t at = 0, count = 0;
    PyObject *name, *value;
    if (!write_byte(w, '{'))
        return false;
    while (PyDict_Next(dict, &at, &name, &value)) {
        Py_INCREF(name);
        Py_INCREF(value);
        const bool written = (count++ == 0 || write_byte(w, ',')) && key(w, node->key, name) && write_byte(w, ':') &&
                             write_json(w, node->item, value);
        Py_DECREF(name);
        Py_DECREF(value);
        if (!written)
            return false;
    }
    /* It may have changed if Python code ran. */
    return count == n && PyDict_Size(dict) == n && write_byte(w, '}');
}

static bool map(Writer *w, const Node *node, PyObject *value) {
    PyObject *dict = dictionary(w, value);
    const bool written = dict != NULL && entries(w, node, dict);
    Py_XDECREF(dict);
    return written;
}

/* Items of a tuple or, for a method's argument, a list. */
static bool array(Writer *w, const Node *node, PyObject *values) {
    const bool is_tuple = PyTuple_CheckExact(values);
    if ((!is_tuple && !(w->taken && PyList_CheckExact(values))) || !write_byte(w, '['))
        return false;
    const Py_ssize_t n = is_tuple ? PyTuple_Size(values) : PyList_Size(values);
    for (Py_ssize_t i = 0; i < n; i++) {
        /* A list may change if Python code runs. */
        if (!is_tuple && PyList_Size(values) != n)
            return false;
        PyObject *value = is_tuple ? PyTuple_GetItem(values, i) : PyList_GetItem(values, i);
        Py_INCREF(value);
        const bool written = (i == 0 || write_byte(w, ',')) && write_json(w, node->item, value);
        Py_DECREF(value);
        if (!written)
            return false;
    }
    return write_byte(w, ']');
}

static bool structs(Writer *w, const Node *node, PyObject *value) {
    if ((PyObject *)Py_TYPE(value) != node->type)
        return array(w, node, value);
    PyObject *items = PySequence_Tuple(value);
    const bool written = items != NULL && array(w, node, items);
    Py_XDECREF(items);
    return written;
}

static bool one_number(Writer *w, char code, const char *from) {
    int64_t wide;
    int32_t word;
    int16_t half;
    double number;
    float single;
    char *to;
    switch (code) {
    case '?':
        return *from ? write_bytes(w, "true", 4) : write_bytes(w, "false", 5);
    case 'h':
        memcpy(&half, from, 2);
        to = room_for(w, CREO_NUMBER_TEXT);
        return to != NULL && wrote(w, creo_put_signed(to, half));
    case 'i':
        memcpy(&word, from, 4);
        to = room_for(w, CREO_NUMBER_TEXT);
        return to != NULL && wrote(w, creo_put_signed(to, word));
    case 'q':
        memcpy(&wide, from, 8);
        return long_number(w, wide);
    case 'f':
        memcpy(&single, from, 4);
        return float_number(w, single);
    default:
        memcpy(&number, from, 8);
        return double_number(w, number);
    }
}

static bool numbers(Writer *w, const Node *node, PyObject *value) {
    PyObject *copy = numbers_of(w, node, value);
    char *data;
    Py_ssize_t size;
    bool written = copy != NULL && PyBytes_AsStringAndSize(copy, &data, &size) == 0 && write_byte(w, '[');
    for (Py_ssize_t i = 0; written && i < size; i += node->size)
        written = (i == 0 || write_byte(w, ',')) && one_number(w, node->code[0], data + i);
    Py_XDECREF(copy);
    return written && write_byte(w, ']');
}

static bool chars(Writer *w, PyObject *text) {
    if (!PyUnicode_CheckExact(text) || !write_byte(w, '['))
        return false;
    const Py_ssize_t n = PyUnicode_GetLength(text);
    for (Py_ssize_t i = 0; i < n; i++) {
        if ((i != 0 && !write_byte(w, ',')) || !unit(w, PyUnicode_ReadChar(text, i)))
            return false;
    }
    return write_byte(w, ']');
}

/* A member of an object; null writes nothing. `first`: none was written yet. */
static bool member(Writer *w, const Field *field, PyObject *value, bool *first) {
    const Node *node = field->node;
    if (node->kind == KIND_OPTIONAL) {
        if (value == Py_None)
            return true;
        node = node->item;
    }
    const size_t size = (size_t)field->json.size;
    if (!reserve(w, size + 2))
        return false;
    if (!*first)
        w->data[w->size++] = ',';
    *first = false;
    memcpy(w->data + w->size, field->json.text, size);
    w->size += size;
    w->data[w->size++] = ':';
    return write_json(w, node, value);
}

static bool record(Writer *w, const Node *node, PyObject *value) {
    const bool by_slots = node->cls.type != NULL;
    bool first = true;
    if ((PyObject *)Py_TYPE(value) != node->type || !write_byte(w, '{'))
        return false;
    for (Py_ssize_t i = 0; i < node->count; i++) {
        const Field *field = &node->fields[node->order[i]];
        PyObject *held = by_slots ? *slot_at(value, field->offset) : PyObject_GetAttr(value, field->name);
        const bool written = held != NULL && member(w, field, held, &first);
        if (!by_slots)
            Py_XDECREF(held);
        if (!written)
            return false;
    }
    return write_byte(w, '}');
}

static bool write_union(Writer *w, const Node *node, PyObject *value) {
    const Py_ssize_t i = member_index(node, value);
    if (i < 0)
        return false;
    const Field *field = &node->fields[i];
    PyObject *held = *slot_at(value, field->offset);
    return held != NULL && write_byte(w, '{') && write_bytes(w, field->json.text, (size_t)field->json.size) && write_byte(w, ':') &&
           write_json(w, field->node, held) && write_byte(w, '}');
}

static bool parameters(Writer *w, const Node *node, PyObject *value) {
    bool first = true;
    if (!PyTuple_CheckExact(value) || PyTuple_Size(value) != node->count || !write_byte(w, '{'))
        return false;
    for (Py_ssize_t i = 0; i < node->count; i++) {
        if (!member(w, &node->fields[i], PyTuple_GetItem(value, i), &first))
            return false;
    }
    return write_byte(w, '}');
}

static bool write_json(Writer *w, const Node *node, PyObject *value) {
    if (!node->filled)
        return false;
    switch (node->kind) {
    case KIND_BOOLEAN:
        if (value == Py_True)
            return write_bytes(w, "true", 4);
        return value == Py_False && write_bytes(w, "false", 5);
    case KIND_BYTE:
        return whole(w, value, INT8_MIN, INT8_MAX);
    case KIND_SHORT:
        return whole(w, value, INT16_MIN, INT16_MAX);
    case KIND_CHAR:
        return char_value(w, value);
    case KIND_INT:
        return whole(w, value, INT32_MIN, INT32_MAX);
    case KIND_LONG:
        return long_value(w, value);
    case KIND_FLOAT:
        return real(w, value, true);
    case KIND_DOUBLE:
        return real(w, value, false);
    case KIND_STRING:
        return string(w, value);
    case KIND_DATE_TIME:
        return date_time(w, value);
    case KIND_DECIMAL:
        return decimal(w, value);
    case KIND_BYTES:
        return bytes(w, value);
    case KIND_NUMBERS:
        return numbers(w, node, value);
    case KIND_CHARS:
        return chars(w, value);
    case KIND_ENUM:
        return enumeration(w, node, value, false);
    case KIND_OPTIONAL:
        return value == Py_None ? write_bytes(w, "null", 4) : write_json(w, node->item, value);
    case KIND_STRUCTS:
        return write_nested(w, node, value, structs);
    case KIND_ARRAY:
        return write_nested(w, node, value, array);
    case KIND_MAP:
        return write_nested(w, node, value, map);
    case KIND_RECORD:
        return node->named && write_nested(w, node, value, record);
    case KIND_UNION:
        return node->named && write_nested(w, node, value, write_union);
    case KIND_PARAMETERS:
        return node->named && write_nested(w, node, value, parameters);
    default: /* never written */
        return false;
    }
}

PyObject *node_encode_json(PyObject *self, PyObject *arguments) {
    return encode_by(self, arguments, write_json);
}
