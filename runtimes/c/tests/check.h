/* Shared by the unit tests. */
#ifndef CHECK_H
#define CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <creo/creo.h>

#include <stdio.h>
#include <stdlib.h>

/* Bytes of hexadecimal digits separated by spaces, on the heap in exact size, for the sanitizer to detect overruns. */
static inline creo_bytes bytes_of(const char *hex)
{
    size_t room = strlen(hex) / 2 + 1;
    uint8_t *all = (uint8_t *)malloc(room);
    assert_non_null(all);
    size_t size = 0;
    while (*hex != 0) {
        if (*hex == ' ') {
            hex++;
            continue;
        }
        char digits[3] = {hex[0], hex[1], 0};
        all[size++] = (uint8_t)strtoul(digits, NULL, 16);
        hex += 2;
    }
    uint8_t *exact = (uint8_t *)malloc(size == 0 ? 1 : size);
    assert_non_null(exact);
    memcpy(exact, all, size);
    free(all);
    return creo_bytes_of(exact, size);
}

static inline void release(creo_bytes bytes)
{
    union {
        const uint8_t *from;
        void *to;
    } pointer = {bytes.data};
    free(pointer.to);
}

static inline void assert_bytes(creo_bytes got, const char *hex)
{
    creo_bytes due = bytes_of(hex);
    assert_int_equal(got.size, due.size);
    if (due.size != 0)
        assert_memory_equal(got.data, due.data, due.size);
    release(due);
}

static inline void assert_error(const creo_error *error, const char *text)
{
    char got[CREO_ERROR_TEXT];
    assert_string_equal(creo_error_format(error, got, sizeof got), text);
}

#endif
