/* The ticks of `Streams` (conformance/schemas/matrix.creo). */
#ifndef TICKS_H
#define TICKS_H

#include "matrix.creo.h"

#include <stdio.h>

typedef struct tick_room {
    char text[40];
    double values[2];
} tick_room;

/* `tick(number)`, with its text and values in the given memory. */
static inline matrix_tick tick(int64_t number, tick_room *room)
{
    matrix_tick made;
    matrix_tick_init(&made);
    snprintf(room->text, sizeof room->text, "tick %lld", (long long)number);
    room->values[0] = (double)number;
    room->values[1] = (double)number + 0.5;
    made.number = number;
    made.text = creo_text(room->text);
    made.values.items = room->values;
    made.values.count = 2;
    return made;
}

/* Whether it is `tick(number)`, but with the number `due`. */
static inline bool is_tick(const matrix_tick *read, int64_t number, int64_t due)
{
    tick_room room;
    matrix_tick whole = tick(number, &room);
    return read->number == due && creo_string_equal(read->text, whole.text) && read->values.count == 2 && read->values.items[0] == room.values[0] &&
           read->values.items[1] == room.values[1];
}

#endif
