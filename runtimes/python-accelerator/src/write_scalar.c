/* Writes numbers, texts and instants. */
#include "writer.h"
#include "reader.h"

#include "text/numbers.h"

double fraction(PyObject *value) {
    if (PyFloat_CheckExact(value) || PyFloat_Check(value))
        return PyFloat_AsDouble(value);
    if (PyLong_CheckExact(value))
        return PyLong_AsDouble(value);
    PyErr_SetNone(PyExc_TypeError);
    return -1.0;
}

bool write_float(Writer *w, PyObject *value) {
    const double number = fraction(value);
    if (number == -1.0 && PyErr_Occurred())
        return false;
    const float narrow = (float)number;
    if (number != number || narrow - narrow != 0) {
        /* NaN, infinity and too large numbers: the interpreter decides on their bits, and whether they are allowed. */
        PyObject *packed = PyObject_CallFunction(w->context->pack_float, "d", number);
        char *data;
        Py_ssize_t size;
        const bool written = packed != NULL && PyBytes_AsStringAndSize(packed, &data, &size) == 0 &&
                             write_bytes(w, data, (size_t)size);
        Py_XDECREF(packed);
        return written;
    }
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    return write_big(w, bits, 4);
}

bool write_double(Writer *w, PyObject *value) {
    const double number = fraction(value);
    if (number == -1.0 && PyErr_Occurred())
        return false;
    uint64_t bits;
    memcpy(&bits, &number, 8);
    return write_big(w, bits, 8);
}

bool write_char(Writer *w, PyObject *value) {
    if (!PyUnicode_Check(value) || PyUnicode_GetLength(value) != 1)
        return false;
    const Py_UCS4 unit = PyUnicode_ReadChar(value, 0);
    return unit <= 0xffff && write_big(w, unit, 2);
}

bool write_date_time(Writer *w, PyObject *value) {
    const Context *c = w->context;
    if (Py_TYPE(value) != c->date_time.type)
        return false;
    PyObject *seconds = *slot_at(value, c->seconds), *nanoseconds = *slot_at(value, c->nanoseconds);
    return seconds != NULL && nanoseconds != NULL && write_whole(w, seconds, INT64_MIN, INT64_MAX, 8) &&
           write_whole(w, nanoseconds, 0, UINT32_MAX, 4);
}

PyObject *canonical(Writer *w, PyObject *value) {
    const Context *c = w->context;
    PyObject *number = value, *made = NULL;
    if (w->taken && PyLong_CheckExact(value))
        number = made = PyObject_CallFunctionObjArgs(c->decimal, value, NULL);
    if (number == NULL)
        return NULL;
    PyObject *text = NULL;
    if ((PyObject *)Py_TYPE(number) == c->decimal) {
        Py_INCREF(number);
        text = PyObject_Str(number);
        Py_ssize_t size;
        const char *data = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, &size);
        if (data != NULL && !is_decimal(data, size)) {
            /* With an exponent, or a zero written without its scale or sign; or not a number at all. */
            Py_DECREF(text);
            text = PyObject_CallFunctionObjArgs(c->decimal_text, number, NULL);
        }
        Py_DECREF(number);
    }
    Py_XDECREF(made);
    return text;
}

bool write_decimal(Writer *w, PyObject *value) {
    PyObject *text = canonical(w, value);
    const bool written = text != NULL && write_string(w, text);
    Py_XDECREF(text);
    return written;
}

/* Texts */

bool exact_whole(PyObject *value, int64_t low, int64_t high, int64_t *number) {
    if (!PyLong_CheckExact(value))
        return false;
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 && *number >= low && *number <= high;
}

bool exact_real(PyObject *value, bool narrow, double *number) {
    if (!PyFloat_CheckExact(value) && !PyLong_CheckExact(value))
        return false;
    *number = fraction(value);
    if (*number == -1.0 && PyErr_Occurred())
        return false;
    const float single = (float)*number;
    /* A number too large for a float is refused. */
    return !narrow || single - single == 0 || *number - *number != 0;
}

bool exact_instant(const Writer *w, PyObject *value, creo_datetime *instant) {
    const Context *c = w->context;
    int64_t nanoseconds;
    if (Py_TYPE(value) != c->date_time.type)
        return false;
    PyObject *whole = *slot_at(value, c->seconds), *part = *slot_at(value, c->nanoseconds);
    if (whole == NULL || part == NULL || !exact_whole(whole, INT64_MIN, INT64_MAX, &instant->seconds) ||
        !exact_whole(part, 0, 999999999, &nanoseconds))
        return false;
    instant->nanoseconds = (uint32_t)nanoseconds;
    return creo_datetime_valid(*instant);
}

/* Different numbers of at most 15 digits are different doubles, so these
 * digits are the shortest. */
char *put_short(char *to, double number) {
    const double size = number < 0 ? -number : number;
    if (!(size > 0 && size < 1e11))
        return NULL;
    const uint64_t n = (uint64_t)(size * 1e4 + 0.5);
    if (n == 0 || (double)n / 1e4 != size)
        return NULL;
    if (number < 0)
        *to++ = '-';
    to = creo_put_number(to, n / 10000);
    unsigned rest = (unsigned)(n % 10000);
    if (rest == 0)
        return to;
    *to++ = '.';
    for (unsigned unit = 1000; rest != 0; unit /= 10) {
        *to++ = (char)('0' + rest / unit);
        rest %= unit;
    }
    return to;
}
