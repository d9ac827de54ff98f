/* A hook for raw messages that keeps them as text. */
#ifndef SHOWN_H
#define SHOWN_H

#include "check.h"

typedef struct shown {
    char text[8000];
    size_t count;
    bool indented;
    creo_arena arena;
    creo_raw_messages to;
} shown;

static inline void shown_keep(void *context, const creo_raw_message *message)
{
    shown *all = (shown *)context;
    creo_string text;
    assert_true(creo_raw_text(message, all->indented, &all->arena, &text));
    size_t used = strlen(all->text);
    all->count++;
    snprintf(all->text + used, sizeof all->text - used, "%.*s\n", (int)text.size, text.data);
}

/* Shows them to `all`, which must be released. */
static inline void shown_start(shown *all, creo_client *client)
{
    memset(all, 0, sizeof *all);
    all->to = (creo_raw_messages){all, shown_keep, CREO_RAW_MAX_BODY};
    creo_arena_init(&all->arena, creo_allocator_libc());
    client->raw_messages = &all->to;
}

static inline void shown_clear(shown *all)
{
    all->text[0] = 0;
    all->count = 0;
}

/* That was shown since the last time, and no more. `$peer` is the local port. */
static inline void assert_shown(shown *all, uint16_t port, const char *due)
{
    char text[sizeof all->text];
    size_t used = 0;
    for (; *due != 0; due++) {
        if (strncmp(due, "$peer", 5) != 0) {
            text[used++] = *due;
            continue;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "127.0.0.1:%u", (unsigned)port);
        due += 4;
    }
    text[used] = 0;
    assert_string_equal(all->text, text);
    shown_clear(all);
}

#endif
