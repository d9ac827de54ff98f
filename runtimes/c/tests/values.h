/* Shared by the tests of the text wires. */
#ifndef VALUES_H
#define VALUES_H

#include "check.h"

#include "sample.text.h"

typedef struct fixture {
    creo_arena arena;
    creo_error error;
} fixture;

static inline void start(fixture *f)
{
    creo_arena_init(&f->arena, creo_allocator_libc());
    creo_error_clear(&f->error);
}

static inline void finish(fixture *f)
{
    creo_arena_free(&f->arena);
}

/* A text on the heap in exact size, for the sanitizer to detect overruns. */
static inline creo_bytes exact(const char *text, size_t size)
{
    uint8_t *copy = (uint8_t *)malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    if (size != 0)
        memcpy(copy, text, size);
    return creo_bytes_of(copy, size);
}

static inline void assert_text(creo_bytes got, const char *due)
{
    if (got.size != strlen(due) || memcmp(got.data, due, got.size) != 0)
        fail_msg("got %.*s\ndue %s", (int)got.size, (const char *)got.data, due);
}

/* The error says that, and where. */
static inline void assert_refused(const creo_error *error, const char *what, creo_code code, const char *part, const char *place)
{
    char shown[CREO_ERROR_TEXT];
    creo_error_format(error, shown, sizeof shown);
    if (error->code != code || strstr(shown, part) == NULL || (place == NULL ? error->place[0] != '$' : strcmp(error->place, place) != 0))
        fail_msg("%.300s: %s (at %s); \"%s\" at %s is due", what, shown, error->place, part, place == NULL ? "any place" : place);
}

#endif
