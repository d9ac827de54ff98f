/* Writes the texts of values (XML-10 to XML-16), in XML and in tables; goes through arrays and maps. */
#include "xml_out.h"

#include "text/numbers.h"
#include "text/text_chars.h"

static bool text(XmlWriter *x, PyObject *value, creo_put_text *put) {
    Py_ssize_t size;
    const char *data = PyUnicode_CheckExact(value) ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
    return data != NULL && put(&x->bytes, (creo_string){data, (size_t)size});
}

static bool whole(XmlWriter *x, PyObject *value, int64_t low, int64_t high) {
    int64_t n;
    return exact_whole(value, low, high, &n) && creo_put_integer_text(&x->bytes, n);
}

static bool real(XmlWriter *x, double number) {
    char room[CREO_NUMBER_TEXT];
    const char *end = put_short(room, number);
    return end != NULL ? xml_put(x, room, (size_t)(end - room)) : creo_put_real_text(&x->bytes, number);
}

static bool real_value(XmlWriter *x, PyObject *value, bool narrow) {
    double number;
    return exact_real(value, narrow, &number) && (narrow ? creo_put_single_text(&x->bytes, (float)number) : real(x, number));
}

static bool unit(XmlWriter *x, Py_UCS4 code) {
    return code <= 0xffff && creo_put_integer_text(&x->bytes, code);
}

static bool boolean(XmlWriter *x, bool flag) {
    return flag ? xml_put(x, "true", 4) : xml_put(x, "false", 5);
}

static bool date_time(XmlWriter *x, PyObject *value) {
    creo_datetime instant;
    return exact_instant(&x->state, value, &instant) && creo_put_instant_text(&x->bytes, instant);
}

static bool decimal(XmlWriter *x, PyObject *value) {
    PyObject *digits = canonical(&x->state, value);
    const bool written = digits != NULL && text(x, digits, creo_xml_put_content);
    Py_XDECREF(digits);
    return written;
}

static bool bytes(XmlWriter *x, PyObject *value, bool hex) {
    char *data;
    Py_ssize_t size;
    return PyBytes_CheckExact(value) && PyBytes_AsStringAndSize(value, &data, &size) == 0 && (hex || (size_t)size < x->out.part_from) &&
           creo_put_bytes_text(&x->bytes, creo_bytes_of(data, (size_t)size), hex);
}

/* The constant's text; NULL for an unknown constant, and false if the value is none of the enum. */
static bool constant_text(const XmlWriter *x, const Node *node, PyObject *value, const creo_text_name **name, int64_t *number) {
    const Constant *constant;
    if (node->parts == NULL || !enum_number(&x->state, node, value, &constant, number))
        return false;
    *name = constant == NULL ? NULL : &node->parts[constant->index].name;
    return true;
}

static bool enumeration(XmlWriter *x, const Node *node, PyObject *value, creo_put_text *put) {
    const creo_text_name *name;
    int64_t number;
    if (!constant_text(x, node, value, &name, &number))
        return false;
    if (name == NULL)
        return xml_put(x, "#", 1) && creo_put_integer_text(&x->bytes, number);
    return put(&x->bytes, (creo_string){name->local, name->size});
}

bool xml_put_number(XmlWriter *x, char code, const char *from) {
    int64_t wide;
    int32_t word;
    int16_t half;
    double number;
    float single;
    Py_UCS4 character;
    switch (code) {
    case '?':
        return boolean(x, *from != 0);
    case 'h':
        memcpy(&half, from, 2);
        return creo_put_integer_text(&x->bytes, half);
    case 'i':
        memcpy(&word, from, 4);
        return creo_put_integer_text(&x->bytes, word);
    case 'q':
        memcpy(&wide, from, 8);
        return creo_put_integer_text(&x->bytes, wide);
    case 'H':
        memcpy(&character, from, sizeof character);
        return unit(x, character);
    case 'f':
        memcpy(&single, from, 4);
        return creo_put_single_text(&x->bytes, single);
    default:
        memcpy(&number, from, 8);
        return real(x, number);
    }
}

/* Arrays and maps */

bool xml_each(XmlWriter *x, const void *more, const Node *item, PyObject *values, XmlItem *write) {
    const bool is_tuple = PyTuple_CheckExact(values);
    if (!is_tuple && !(x->state.taken && PyList_CheckExact(values)))
        return false;
    const Py_ssize_t n = is_tuple ? PyTuple_Size(values) : PyList_Size(values);
    for (Py_ssize_t i = 0; i < n; i++) {
        /* A list may change if Python code runs. */
        if (!is_tuple && PyList_Size(values) != n)
            return false;
        PyObject *value = is_tuple ? PyTuple_GetItem(values, i) : PyList_GetItem(values, i);
        Py_INCREF(value);
        const bool written = write(x, more, item, value, i);
        Py_DECREF(value);
        if (!written)
            return false;
    }
    return true;
}

bool xml_each_struct(XmlWriter *x, const void *more, const Node *node, PyObject *values, XmlItem *write) {
    if (node->key == NULL || (PyObject *)Py_TYPE(values) != node->key->type)
        return xml_each(x, more, node->item, values, write);
    PyObject *items = PySequence_Tuple(values);
    const bool written = items != NULL && xml_each(x, more, node->item, items, write);
    Py_XDECREF(items);
    return written;
}

static bool each_entry(XmlWriter *x, const Node *node, PyObject *dict, XmlEntry *write) {
    const Py_ssize_t n = PyDict_Size(dict);
    Py_ssize_t at = 0, count = 0;
    PyObject *key, *value;
    while (PyDict_Next(dict, &at, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        const bool written = write(x, node, key, value, count++);
        Py_DECREF(key);
        Py_DECREF(value);
        if (!written)
            return false;
    }
    /* It may have changed if Python code ran. */
    return count == n && PyDict_Size(dict) == n;
}

bool xml_each_entry(XmlWriter *x, const Node *node, PyObject *map, XmlEntry *write) {
    PyObject *dict = dictionary(&x->state, map);
    const bool written = dict != NULL && each_entry(x, node, dict, write);
    Py_XDECREF(dict);
    return written;
}

static bool each_unit(XmlWriter *x, const void *more, PyObject *text, XmlNumber *write) {
    if (!PyUnicode_CheckExact(text))
        return false;
    const Py_ssize_t n = PyUnicode_GetLength(text);
    for (Py_ssize_t i = 0; i < n; i++) {
        const Py_UCS4 character = PyUnicode_ReadChar(text, i);
        if (!write(x, more, 'H', (const char *)&character, i))
            return false;
    }
    return true;
}

bool xml_each_number(XmlWriter *x, const void *more, const Node *node, PyObject *values, XmlNumber *write) {
    if (node->code[0] == '\0')
        return each_unit(x, more, values, write);
    PyObject *copy = numbers_of(&x->state, node, values);
    char *data;
    Py_ssize_t size;
    bool written = copy != NULL && PyBytes_AsStringAndSize(copy, &data, &size) == 0;
    for (Py_ssize_t i = 0; written && i < size / node->size; i++)
        written = write(x, more, node->code[0], data + i * node->size, i);
    Py_XDECREF(copy);
    return written;
}

/* Whether a text is an item among others: white space separates them. */
static bool is_word(const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (creo_is_space((uint8_t)data[i]))
            return false;
    }
    return size > 0;
}

static bool is_item(const XmlWriter *x, const Node *node, PyObject *value) {
    Py_ssize_t size;
    const creo_text_name *name;
    int64_t number;
    if (node->kind == KIND_ENUM)
        return constant_text(x, node, value, &name, &number) && (name == NULL || is_word(name->local, name->size));
    if (node->kind != KIND_STRING && node->kind != KIND_TOKEN)
        return node->kind != KIND_LIST;
    const char *data = PyUnicode_CheckExact(value) ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
    return data != NULL && is_word(data, (size_t)size);
}

static bool item(XmlWriter *x, const void *put, const Node *node, PyObject *value, Py_ssize_t i) {
    return is_item(x, node, value) && (i == 0 || xml_put(x, " ", 1)) && xml_put_value(x, node, value, *(creo_put_text *const *)put);
}

static bool number_item(XmlWriter *x, const void *more, char code, const char *from, Py_ssize_t i) {
    (void)more;
    return (i == 0 || xml_put(x, " ", 1)) && xml_put_number(x, code, from);
}

/* An array in one text (XML-33). */
static bool list(XmlWriter *x, const Node *node, PyObject *value, creo_put_text *put) {
    if (xml_is_packed(node))
        return xml_each_number(x, NULL, node, value, number_item);
    return node->key == NULL && xml_each(x, &put, node->item, value, item);
}

bool xml_put_value(XmlWriter *x, const Node *node, PyObject *value, creo_put_text *put) {
    switch (node->kind) {
    case KIND_BOOLEAN:
        return (value == Py_True || value == Py_False) && boolean(x, value == Py_True);
    case KIND_BYTE:
        return whole(x, value, INT8_MIN, INT8_MAX);
    case KIND_SHORT:
        return whole(x, value, INT16_MIN, INT16_MAX);
    case KIND_CHAR:
        return PyUnicode_CheckExact(value) && PyUnicode_GetLength(value) == 1 && unit(x, PyUnicode_ReadChar(value, 0));
    case KIND_INT:
        return whole(x, value, INT32_MIN, INT32_MAX);
    case KIND_LONG:
        return whole(x, value, INT64_MIN, INT64_MAX);
    case KIND_FLOAT:
        return real_value(x, value, true);
    case KIND_DOUBLE:
        return real_value(x, value, false);
    case KIND_STRING:
    case KIND_TOKEN:
        return text(x, value, put);
    case KIND_DATE_TIME:
        return date_time(x, value);
    case KIND_DECIMAL:
        return decimal(x, value);
    case KIND_BYTES:
        return bytes(x, value, false);
    case KIND_HEX:
        return bytes(x, value, true);
    case KIND_ENUM:
        return enumeration(x, node, value, put);
    case KIND_LIST:
        return list(x, node, value, put);
    default: /* not one text */
        return false;
    }
}
