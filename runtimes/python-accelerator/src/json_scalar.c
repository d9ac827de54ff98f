/* Reads JSON: values without parts. */
#include "json.h"

#include "text/numbers.h"
#include "text/text_values.h"

const char *json_plain(Reader *r, Py_ssize_t *size) {
    if (r->at == r->end || *r->at != '"')
        return NULL;
    const uint8_t *from = r->at + 1, *to = plain_end(from, r->end);
    if (to == r->end || *to != '"')
        return NULL;
    r->at = to + 1;
    *size = to - from;
    return (const char *)from;
}

/* Four hexadecimal digits; 0x10000 if invalid. */
static uint32_t unit(const uint8_t *at, const uint8_t *end) {
    if (end - at < 4)
        return 0x10000;
    uint32_t found = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned digit = creo_hex_digit(at[i]);
        if (digit > 15)
            return 0x10000;
        found = found << 4 | digit;
    }
    return found;
}

/* The character of an escape after its backslash; 0x110000 if invalid, and for a lone surrogate. */
static uint32_t escape(Reader *r) {
    const uint32_t none = 0x110000;
    if (r->at == r->end)
        return none;
    switch (*r->at++) {
    case '"':
        return '"';
    case '\\':
        return '\\';
    case '/':
        return '/';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        break;
    default:
        return none;
    }
    const uint32_t high = unit(r->at, r->end);
    if (high > 0xffff)
        return none;
    r->at += 4;
    if (high < 0xd800 || high > 0xdfff)
        return high;
    if (high > 0xdbff || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u')
        return none;
    const uint32_t low = unit(r->at + 2, r->end);
    if (low < 0xdc00 || low > 0xdfff)
        return none;
    r->at += 6;
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/* A string with escapes; `from` is its first byte and `to` the first backslash. */
static PyObject *escaped(Reader *r, const uint8_t *from, const uint8_t *to) {
    /* Its end, for the size: escapes are longer than their characters. */
    const uint8_t *end = to;
    while (end != r->end && *end != '"') {
        if (*end == '\\' && ++end == r->end)
            return NULL;
        end = plain_end(end + 1, r->end);
        if (end != r->end && *end < 0x20)
            return NULL;
    }
    if (end == r->end)
        return NULL;
    uint8_t *room = PyMem_Malloc((size_t)(end - from));
    if (room == NULL)
        return PyErr_NoMemory();
    uint8_t *p = room;
    for (;;) {
        memcpy(p, from, (size_t)(to - from));
        p += to - from;
        if (to == end)
            break;
        r->at = to + 1;
        const uint32_t code = escape(r);
        if (code > 0x10ffff) {
            PyMem_Free(room);
            return NULL;
        }
        p += creo_put_utf8(p, code);
        from = r->at;
        to = plain_end(from, end);
    }
    r->at = end + 1;
    PyObject *made = PyUnicode_DecodeUTF8((const char *)room, p - room, NULL);
    PyMem_Free(room);
    return made;
}

PyObject *json_string(Reader *r) {
    if (r->at == r->end || *r->at != '"')
        return NULL;
    const uint8_t *from = r->at + 1, *to = plain_end(from, r->end);
    if (to == r->end)
        return NULL;
    if (*to == '\\')
        return escaped(r, from, to);
    if (*to != '"')
        return NULL;
    r->at = to + 1;
    return PyUnicode_DecodeUTF8((const char *)from, to - from, NULL);
}

bool whole_of(const char *text, Py_ssize_t size, int64_t low, int64_t high, int64_t *number) {
    const bool negative = size > 0 && text[0] == '-';
    const char *first = text + negative, *end = text + size;
    /* At most as many digits as fit, so a long text takes no time. */
    if (first == end || end - first > 19 || !creo_is_digit(*first) || (*first == '0' && end - first > 1))
        return false;
    return creo_parse_integer((const uint8_t *)text, (const uint8_t *)end, low, high, number) && *number >= low &&
           *number <= high;
}

static const uint8_t *digits(const uint8_t *at, const uint8_t *end) {
    while (at != end && creo_is_digit(*at))
        at++;
    return at;
}

bool json_whole(Reader *r, int64_t low, int64_t high, int64_t *number) {
    const uint8_t *from = r->at, *first = from + (from != r->end && *from == '-'), *to = digits(first, r->end);
    if (to != r->end && (*to == '.' || *to == 'e' || *to == 'E'))
        return false;
    r->at = to;
    if (to - first > 0 && to - first < 19 && (*first != '0' || to - first == 1)) {
        int64_t n = 0;
        for (; first != to; first++)
            n = n * 10 + (*first - '0');
        *number = *from == '-' ? -n : n;
        return *number >= low && *number <= high;
    }
    return whole_of((const char *)from, to - from, low, high, number);
}

/* The end of a JSON number; NULL if invalid. */
static const uint8_t *number_end(const uint8_t *at, const uint8_t *end) {
    at += at != end && *at == '-';
    const uint8_t *first = at;
    at = digits(at, end);
    if (at == first || (*first == '0' && at - first > 1))
        return NULL;
    if (at != end && *at == '.') {
        first = at + 1;
        at = digits(first, end);
        if (at == first)
            return NULL;
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at != end && (*at == '+' || *at == '-');
        first = at;
        at = digits(at, end);
        if (at == first)
            return NULL;
    }
    return at;
}

bool json_skip_number(Reader *r) {
    const uint8_t *to = number_end(r->at, r->end);
    r->at = to == NULL ? r->at : to;
    return to != NULL;
}

/* A number of at most 15 digits without an exponent, as most are: it is a quotient of two exact whole numbers, so it is rounded once. */
static bool short_double(Reader *r, double *number) {
    static const double POWERS[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const uint8_t *at = r->at, *end = r->end - r->at > 17 ? r->at + 17 : r->end;
    const bool negative = at != end && *at == '-';
    at += negative;
    const uint8_t *first = at;
    int64_t n = 0;
    for (; at != end && creo_is_digit(*at); at++)
        n = n * 10 + (*at - '0');
    Py_ssize_t count = at - first, places = 0;
    if (count == 0 || (*first == '0' && count > 1))
        return false;
    if (at != end && *at == '.') {
        for (first = ++at; at != end && creo_is_digit(*at); at++)
            n = n * 10 + (*at - '0');
        places = at - first;
        count += places;
        if (places == 0)
            return false;
    }
    if (at == end || *at == '.' || *at == 'e' || *at == 'E' || count > 15)
        return false;
    r->at = at;
    const double found = (double)n / POWERS[places];
    *number = negative ? -found : found;
    return true;
}

bool json_double(Reader *r, double *number) {
    if (short_double(r, number))
        return true;
    const uint8_t *from = r->at;
    return json_skip_number(r) && creo_parse_real(from, r->at, number) && *number - *number == 0;
}

bool json_float(Reader *r, float *number) {
    const uint8_t *from = r->at;
    return json_skip_number(r) && creo_parse_single(from, r->at, number) && *number - *number == 0;
}

/* NaN or an infinity, as a string. */
static PyObject *special(Reader *r) {
    Py_ssize_t size;
    const char *text = json_plain(r, &size);
    if (text == NULL)
        return NULL;
    if (size == 3 && memcmp(text, "NaN", 3) == 0)
        return PyFloat_FromDouble(Py_NAN);
    if (size == 8 && memcmp(text, "Infinity", 8) == 0)
        return PyFloat_FromDouble(Py_HUGE_VAL);
    return size == 9 && memcmp(text, "-Infinity", 9) == 0 ? PyFloat_FromDouble(-Py_HUGE_VAL) : NULL;
}

static PyObject *real(Reader *r, bool narrow) {
    if (r->at != r->end && *r->at == '"')
        return special(r);
    double wide;
    float single;
    if (!(narrow ? json_float(r, &single) : json_double(r, &wide)))
        return NULL;
    return PyFloat_FromDouble(narrow ? (double)single : wide);
}

static PyObject *whole(Reader *r, int64_t low, int64_t high) {
    int64_t number;
    return json_whole(r, low, high, &number) ? PyLong_FromLongLong(number) : NULL;
}

static PyObject *long_value(Reader *r) {
    if (r->at == r->end || *r->at != '"')
        return whole(r, INT64_MIN, INT64_MAX);
    Py_ssize_t size;
    int64_t number;
    const char *text = json_plain(r, &size);
    return text != NULL && whole_of(text, size, INT64_MIN, INT64_MAX, &number) ? PyLong_FromLongLong(number) : NULL;
}

/* A string of one UTF-16 unit. */
static PyObject *one_unit(PyObject *text) {
    if (text != NULL && (PyUnicode_GetLength(text) != 1 || PyUnicode_ReadChar(text, 0) > 0xffff))
        Py_CLEAR(text);
    return text;
}

static PyObject *char_value(Reader *r) {
    if (r->at != r->end && *r->at == '"')
        return one_unit(json_string(r));
    int64_t number;
    return json_whole(r, 0, 0xffff, &number) ? PyUnicode_FromOrdinal((int)number) : NULL;
}

static PyObject *date_time(Reader *r) {
    Py_ssize_t size;
    const char *text = json_plain(r, &size);
    creo_datetime instant;
    /* In UTC; other forms of RFC 3339 are rare. XML accepts the same and a little more. */
    if (text == NULL || size < 20 || size > 30 || text[size - 1] != 'Z' || memcmp(text + 11, "24", 2) == 0)
        return NULL;
    if (creo_parse_datetime((creo_string){text, (size_t)size}, &instant) != NULL)
        return NULL;
    return date_time_of(r->context, instant.seconds, instant.nanoseconds);
}

static PyObject *decimal(Reader *r) {
    Py_ssize_t size;
    const char *text = json_plain(r, &size);
    return text == NULL ? NULL : decimal_of(r->context, text, size);
}

static PyObject *base64(Reader *r) {
    Py_ssize_t size;
    const char *text = json_plain(r, &size);
    if (text == NULL || size % 4 != 0)
        return NULL;
    /* XML allows white space in it; JSON does not. */
    for (Py_ssize_t i = 0; i < size; i++) {
        if (text[i] == ' ')
            return NULL;
    }
    uint8_t *room = PyMem_Malloc(creo_base64_room((size_t)size));
    if (room == NULL)
        return PyErr_NoMemory();
    creo_bytes value;
    const bool right = creo_parse_base64((creo_string){text, (size_t)size}, room, &value) == NULL;
    PyObject *made = right ? PyBytes_FromStringAndSize((const char *)value.data, (Py_ssize_t)value.size) : NULL;
    PyMem_Free(room);
    return made;
}

PyObject *json_enum(Reader *r, const Node *node) {
    if (!node->named)
        return NULL;
    if (r->at == r->end || *r->at != '"') {
        int64_t number;
        return json_whole(r, 0, MAX_COUNT, &number) ? constant_of(node, number) : NULL;
    }
    Py_ssize_t size;
    const char *text = json_plain(r, &size);
    const Py_ssize_t i = text == NULL ? -1 : named(node, text - 1, size + 2);
    return i < 0 ? NULL : new_reference(node->by_number[i].member);
}

static PyObject *boolean(Reader *r) {
    if (json_word(r, "true", 4))
        return new_reference(Py_True);
    return json_word(r, "false", 5) ? new_reference(Py_False) : NULL;
}

PyObject *json_scalar(Reader *r, const Node *node) {
    switch (node->kind) {
    case KIND_BOOLEAN:
        return boolean(r);
    case KIND_BYTE:
        return whole(r, INT8_MIN, INT8_MAX);
    case KIND_SHORT:
        return whole(r, INT16_MIN, INT16_MAX);
    case KIND_CHAR:
        return char_value(r);
    case KIND_INT:
        return whole(r, INT32_MIN, INT32_MAX);
    case KIND_LONG:
        return long_value(r);
    case KIND_FLOAT:
        return real(r, true);
    case KIND_DOUBLE:
        return real(r, false);
    case KIND_STRING:
        return json_string(r);
    case KIND_DATE_TIME:
        return date_time(r);
    case KIND_DECIMAL:
        return decimal(r);
    case KIND_BYTES:
        return base64(r);
    case KIND_ENUM:
        return json_enum(r, node);
    default:
        return NULL;
    }
}

/* A string that often has occurred before: short keys are cached. */
static PyObject *short_key(Reader *r) {
    const uint8_t *at = r->at;
    Py_ssize_t size;
    const char *text = json_plain(r, &size);
    if (text == NULL || size == 0 || size > MAX_KEPT_KEY) {
        r->at = at;
        return json_string(r);
    }
    uint32_t hash = 2166136261u;
    for (Py_ssize_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    PyObject **place = &r->context->keys[(hash ^ hash >> 16) % KEPT_KEYS];
    if (*place != NULL) {
        Py_ssize_t kept_size;
        const char *kept = PyUnicode_AsUTF8AndSize(*place, &kept_size);
        if (kept != NULL && kept_size == size && memcmp(kept, text, (size_t)size) == 0)
            return new_reference(*place);
    }
    PyObject *made = PyUnicode_DecodeUTF8(text, size, NULL);
    if (made != NULL) {
        PyObject *before = *place;
        *place = new_reference(made);
        Py_XDECREF(before);
    }
    return made;
}

PyObject *json_key(Reader *r, const Node *node) {
    Py_ssize_t size;
    int64_t number, low = INT64_MIN, high = INT64_MAX;
    if (!node->filled)
        return NULL;
    switch (node->kind) {
    case KIND_STRING:
        return short_key(r);
    case KIND_CHAR:
        return one_unit(json_string(r));
    case KIND_BYTE:
        low = INT8_MIN, high = INT8_MAX;
        break;
    case KIND_SHORT:
        low = INT16_MIN, high = INT16_MAX;
        break;
    case KIND_INT:
        low = INT32_MIN, high = INT32_MAX;
        break;
    case KIND_LONG:
    case KIND_BOOLEAN:
    case KIND_ENUM:
        break;
    default:
        return NULL;
    }
    const char *text = json_plain(r, &size);
    if (text == NULL)
        return NULL;
    if (node->kind == KIND_BOOLEAN) {
        const bool yes = size == 4 && memcmp(text, "true", 4) == 0;
        const bool no = size == 5 && memcmp(text, "false", 5) == 0;
        return yes || no ? new_reference(yes ? Py_True : Py_False) : NULL;
    }
    if (node->kind == KIND_ENUM) {
        const Py_ssize_t i = node->named ? named(node, text - 1, size + 2) : -1;
        if (i >= 0)
            return new_reference(node->by_number[i].member);
        low = 0, high = node->named ? MAX_COUNT : -1;
    }
    if (!whole_of(text, size, low, high, &number))
        return NULL;
    return node->kind == KIND_ENUM ? constant_of(node, number) : PyLong_FromLongLong(number);
}
