/* Reads XML: the values of texts (XML-10 to XML-16). */
#include "xml.h"

#include "items.h"

#include "text/numbers.h"
#include "text/text_values.h"

/* The longest text of a Decimal that is read here. */
#define MAX_DECIMAL 1000

static const uint8_t *first_of(creo_string text) {
    return (const uint8_t *)text.data;
}

static bool whole_number(creo_string text, int64_t low, int64_t high, int64_t *number) {
    text = creo_trim(text);
    return text.size > 0 && creo_parse_integer(first_of(text), first_of(text) + text.size, low, high, number) && *number >= low && *number <= high;
}

static bool real(creo_string text, double *number) {
    text = creo_trim(text);
    return text.size > 0 && creo_parse_real(first_of(text), first_of(text) + text.size, number);
}

static bool single(creo_string text, float *number) {
    text = creo_trim(text);
    return text.size > 0 && creo_parse_single(first_of(text), first_of(text) + text.size, number);
}

bool xml_number(char code, creo_string text, uint8_t *to) {
    int64_t n = 0;
    double wide;
    float narrow;
    int32_t word;
    int16_t half;
    bool flag;
    switch (code) {
    case '?':
        if (creo_parse_boolean(creo_trim(text), &flag) != NULL)
            return false;
        *to = flag;
        return true;
    case 'h':
        if (!whole_number(text, INT16_MIN, INT16_MAX, &n))
            return false;
        half = (int16_t)n;
        memcpy(to, &half, 2);
        return true;
    case 'i':
        if (!whole_number(text, INT32_MIN, INT32_MAX, &n))
            return false;
        word = (int32_t)n;
        memcpy(to, &word, 4);
        return true;
    case 'q':
        if (!whole_number(text, INT64_MIN, INT64_MAX, &n))
            return false;
        memcpy(to, &n, 8);
        return true;
    case 'f':
        /* NaN rarely occurs, and its bits may differ. */
        if (!single(text, &narrow) || narrow != narrow)
            return false;
        memcpy(to, &narrow, 4);
        return true;
    default:
        if (!real(text, &wide) || wide != wide)
            return false;
        memcpy(to, &wide, 8);
        return true;
    }
}

bool add_number(Numbers *numbers, const Node *node, creo_string text) {
    const size_t each = (size_t)node->size;
    if (numbers->room - numbers->size < each) {
        /* Each number takes at least two bytes of the document, so this is within a few times its size. */
        const size_t wanted = numbers->room == 0 ? 64 : 2 * numbers->room;
        uint8_t *larger = PyMem_Realloc(numbers->data, wanted);
        if (larger == NULL) {
            PyErr_NoMemory();
            return false;
        }
        numbers->data = larger;
        numbers->room = wanted;
    }
    if (!xml_number(node->code[0], text, numbers->data + numbers->size))
        return false;
    numbers->size += each;
    return true;
}

PyObject *array_of(XmlReader *x, const Node *node, Numbers *numbers, bool right) {
    PyObject *bytes = right ? PyBytes_FromStringAndSize((const char *)numbers->data, (Py_ssize_t)numbers->size) : NULL;
    PyMem_Free(numbers->data);
    return bytes == NULL ? NULL : array_over(x->context, bytes, node->code_text);
}

PyObject *held(const Node *node, PyObject *items) {
    if (items == NULL || node->key == NULL)
        return items;
    if (node->key->kind == KIND_STRUCTS)
        return struct_array(node->key, items);
    PyObject *none = PyUnicode_FromStringAndSize("", 0);
    PyObject *made = none == NULL ? NULL : PyUnicode_Join(none, items);
    Py_XDECREF(none);
    Py_DECREF(items);
    return made;
}

static PyObject *list(XmlReader *x, const Node *node, creo_string text) {
    Numbers numbers = {NULL, 0, 0};
    Items items;
    no_items(&items);
    bool right = true;
    for (text = creo_trim(text); right && text.size > 0; text = creo_trim(text)) {
        creo_string word = {text.data, 0};
        while (word.size < text.size && !creo_is_space((uint8_t)text.data[word.size]))
            word.size++;
        text.data += word.size;
        text.size -= word.size;
        right = xml_charge(x, node->charge);
        if (right && node->code[0] != '\0') {
            right = add_number(&numbers, node, word);
        } else if (right) {
            PyObject *item = xml_text_value(x, node->item, word);
            right = item != NULL && add(&items, item);
            if (!right)
                Py_XDECREF(item);
        }
    }
    return node->code[0] != '\0' ? array_of(x, node, &numbers, right) : held(node, tuple_of(&items, right));
}

static PyObject *decimal(XmlReader *x, creo_string text) {
    char room[MAX_DECIMAL + 2];
    creo_decimal value;
    text = creo_trim(text);
    if (text.size == 0 || text.size > MAX_DECIMAL || creo_parse_decimal(text, room, &value) != NULL)
        return NULL;
    return decimal_of(x->context, value.data, (Py_ssize_t)value.size);
}

static PyObject *bytes(creo_string text, bool hex) {
    const size_t size = hex ? text.size / 2 + 1 : creo_base64_room(text.size);
    uint8_t *room = PyMem_Malloc(size > 0 ? size : 1);
    if (room == NULL)
        return PyErr_NoMemory();
    creo_bytes value = {NULL, 0};
    const char *wrong = hex ? creo_parse_hex(creo_trim(text), room, &value) : creo_parse_base64(text, room, &value);
    PyObject *made = wrong == NULL ? PyBytes_FromStringAndSize((const char *)value.data, (Py_ssize_t)value.size) : NULL;
    PyMem_Free(room);
    return made;
}

static PyObject *constant(const Node *node, creo_string text) {
    text = creo_trim(text);
    for (Py_ssize_t i = 0; i < node->part_count - 1; i++) {
        const creo_text_name *name = &node->parts[i].name;
        if (name->size == text.size && memcmp(name->local, text.data, text.size) == 0)
            return new_reference(node->by_number[i].member);
    }
    int64_t number;
    if (!node->extensible || node->part_count == 0 || text.size < 2 || text.data[0] != '#' || !creo_is_digit(text.data[1]))
        return NULL;
    text = (creo_string){text.data + 1, text.size - 1};
    return whole_number(text, 0, INT32_MAX, &number) ? constant_of(node, number) : NULL;
}

static PyObject *whole(creo_string text, int64_t low, int64_t high) {
    int64_t number;
    return whole_number(text, low, high, &number) ? PyLong_FromLongLong(number) : NULL;
}

PyObject *xml_text_value(XmlReader *x, const Node *node, creo_string text) {
    bool flag;
    int64_t number;
    double wide;
    float narrow;
    creo_datetime instant;
    if (node == NULL)
        return NULL;
    switch (node->kind) {
    case KIND_BOOLEAN:
        return creo_parse_boolean(creo_trim(text), &flag) == NULL ? new_reference(flag ? Py_True : Py_False) : NULL;
    case KIND_BYTE:
        return whole(text, INT8_MIN, INT8_MAX);
    case KIND_SHORT:
        return whole(text, INT16_MIN, INT16_MAX);
    case KIND_CHAR:
        return whole_number(text, 0, UINT16_MAX, &number) ? PyUnicode_FromOrdinal((int)number) : NULL;
    case KIND_INT:
        return whole(text, INT32_MIN, INT32_MAX);
    case KIND_LONG:
        return whole(text, INT64_MIN, INT64_MAX);
    case KIND_FLOAT:
        return single(text, &narrow) ? PyFloat_FromDouble((double)narrow) : NULL;
    case KIND_DOUBLE:
        return real(text, &wide) ? PyFloat_FromDouble(wide) : NULL;
    case KIND_TOKEN:
        text = creo_trim(text);
        return PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.size, NULL);
    case KIND_STRING:
        return PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.size, NULL);
    case KIND_DATE_TIME:
        return creo_parse_datetime(creo_trim(text), &instant) == NULL ? date_time_of(x->context, instant.seconds, instant.nanoseconds) : NULL;
    case KIND_DECIMAL:
        return decimal(x, text);
    case KIND_BYTES:
        return bytes(text, false);
    case KIND_HEX:
        return bytes(text, true);
    case KIND_ENUM:
        return constant(node, text);
    case KIND_OPTIONAL:
        return xml_charge(x, node->charge) ? xml_text_value(x, node->item, text) : NULL;
    case KIND_LIST:
        return list(x, node, text);
    default:
        return NULL;
    }
}
