/* Reads instants and decimal numbers. */
#include "reader.h"

#define MIN_SECONDS INT64_C(-62135596800)
#define MAX_SECONDS INT64_C(253402300799)
#define BILLION UINT32_C(1000000000)
#define MAX_DIGITS 1000

PyObject *date_time_of(const Context *c, int64_t seconds, uint32_t nanoseconds) {
    if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || nanoseconds >= BILLION)
        return NULL;
    PyObject *made = instance_of(&c->date_time);
    PyObject *whole = made == NULL ? NULL : PyLong_FromLongLong(seconds);
    PyObject *rest = whole == NULL ? NULL : PyLong_FromLong((long)nanoseconds);
    if (rest == NULL) {
        Py_XDECREF(whole);
        Py_XDECREF(made);
        return NULL;
    }
    put(made, c->seconds, whole);
    put(made, c->nanoseconds, rest);
    complete(&c->date_time, made);
    return made;
}

PyObject *read_date_time(Reader *r) {
    if (!has(r, 12))
        return NULL;
    const uint8_t *at = r->at;
    r->at += 12;
    return date_time_of(r->context, (int64_t)load64(at), load32(at + 8));
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_decimal(const char *text, Py_ssize_t size) {
    const char *p = text, *end = text + size;
    const bool negative = p != end && *p == '-';
    p += negative;
    const char *whole = p;
    bool zero = true;
    Py_ssize_t digits = 0;
    for (; p != end && is_digit(*p); p++, digits++)
        zero = zero && *p == '0';
    if (digits == 0 || (*whole == '0' && digits > 1))
        return false;
    if (p != end) {
        if (*p++ != '.' || p == end)
            return false;
        for (; p != end && is_digit(*p); p++, digits++)
            zero = zero && *p == '0';
    }
    return p == end && digits <= MAX_DIGITS && !(negative && zero);
}

PyObject *decimal_of(const Context *c, const char *text, Py_ssize_t size) {
    if (!is_decimal(text, size))
        return NULL;
    PyObject *digits = PyUnicode_DecodeUTF8(text, size, NULL);
    PyObject *number = digits == NULL ? NULL : PyObject_CallFunctionObjArgs(c->decimal, digits, NULL);
    Py_XDECREF(digits);
    return number;
}

PyObject *read_decimal(Reader *r) {
    const int64_t size = read_count(r);
    if (size < 0 || !has(r, size))
        return NULL;
    const char *text = (const char *)r->at;
    r->at += size;
    return decimal_of(r->context, text, (Py_ssize_t)size);
}
