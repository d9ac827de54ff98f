#include <creo/codegen/path.h>
#include <creo/writer.h>

#include "copy.h"
#include "distinct.h"

/* The initial memory of a growing writer. */
#define FIRST_SIZE ((size_t)256)

static void init(creo_writer *writer, const creo_limits *limits, creo_error *error)
{
    creo_limits defaults = creo_limits_default();
    const creo_limits *used = limits == NULL ? &defaults : limits;
    writer->error = error;
    writer->most = used->max_message_size;
    writer->max_depth = used->max_depth;
    writer->depth_left = used->max_depth;
    writer->borrow_from = SIZE_MAX;
    writer->pieces = NULL;
    writer->piece_count = 0;
    writer->piece_room = 0;
    writer->borrowed = 0;
}

void creo_writer_init(creo_writer *writer, creo_arena *arena, const creo_limits *limits, creo_error *error)
{
    init(writer, limits, error);
    writer->arena = arena;
    /* Empty, at an address other than NULL: sizes can be computed. */
    writer->start = (uint8_t *)writer;
    writer->at = writer->start;
    writer->end = writer->start;
}

void creo_writer_init_fixed(creo_writer *writer, void *memory, size_t size, const creo_limits *limits, creo_error *error)
{
    init(writer, limits, error);
    writer->arena = NULL;
    writer->start = size == 0 ? (uint8_t *)writer : (uint8_t *)memory;
    writer->at = writer->start;
    writer->end = writer->start + (size < writer->most ? size : writer->most);
}

void creo_writer_reset(creo_writer *writer)
{
    writer->at = writer->start;
    writer->depth_left = writer->max_depth;
    writer->piece_count = 0;
    writer->borrowed = 0;
}

/* The path of a writer's error is the root until the returning encoders add their steps. */
CREO_COLD static bool writer_place(creo_writer *writer)
{
    if (writer->error != NULL)
        memcpy(writer->error->place, "$", 2);
    return false;
}

CREO_COLD static bool too_large(creo_writer *writer)
{
    (void)creo_fail_limit(writer->error, "maxMessageSize", writer->most);
    return writer_place(writer);
}

CREO_COLD static bool writer_no_memory(creo_writer *writer)
{
    (void)creo_fail(writer->error, CREO_TOO_LARGE, "the writer has no memory left for the value");
    return writer_place(writer);
}

bool creo_writer_grow(creo_writer *writer, size_t size)
{
    size_t used = (size_t)(writer->at - writer->start);
    size_t most = writer->most - writer->borrowed;
    if (used > most || size > most - used)
        return too_large(writer);
    if (writer->arena == NULL)
        return writer_no_memory(writer);
    size_t old = (size_t)(writer->end - writer->start);
    size_t room = old < FIRST_SIZE / 2 ? FIRST_SIZE : old > most / 2 ? most : old * 2;
    if (room < used + size)
        room = used + size;
    if (room > most)
        room = most;
    uint8_t *memory = (uint8_t *)creo_arena_grow(writer->arena, old == 0 ? NULL : writer->start, old, used, room);
    if (memory == NULL)
        return writer_no_memory(writer);
    writer->start = memory;
    writer->at = memory + used;
    writer->end = memory + room;
    return true;
}

/* Adds the caller's bytes to the list of pieces. */
static bool borrow(creo_writer *writer, creo_bytes value)
{
    size_t used = (size_t)(writer->at - writer->start);
    size_t most = writer->most - writer->borrowed;
    if (used > most || value.size > most - used)
        return too_large(writer);
    if (writer->piece_count == writer->piece_room) {
        size_t room = writer->piece_room == 0 ? 8 : writer->piece_room * 2;
        creo_piece *pieces = (creo_piece *)creo_arena_take(writer->arena, room, sizeof *pieces);
        if (pieces == NULL)
            return writer_no_memory(writer);
        if (writer->piece_count != 0)
            memcpy(pieces, writer->pieces, writer->piece_count * sizeof *pieces);
        writer->pieces = pieces;
        writer->piece_room = room;
    }
    writer->pieces[writer->piece_count++] = (creo_piece){used, value.data, value.size};
    writer->borrowed += value.size;
    most -= value.size;
    if ((size_t)(writer->end - writer->start) > most)
        writer->end = writer->start + most;
    return true;
}

bool creo_write_raw(creo_writer *writer, creo_bytes value)
{
    if (value.size == 0)
        return true;
    if (value.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the bytes is NULL");
    if (value.size >= writer->borrow_from && writer->arena != NULL)
        return borrow(writer, value);
    uint8_t *at = creo_write_block(writer, value.size);
    if (at == NULL)
        return false;
    creo_copy(at, value.data, value.size);
    return true;
}

bool creo_writer_enter(creo_writer *writer)
{
    if (writer->depth_left == 0) {
        (void)creo_fail_limit(writer->error, "maxDepth", writer->max_depth);
        return writer_place(writer);
    }
    writer->depth_left--;
    return true;
}

/* Without memory all pairs of keys are compared: that is slow for a large map, but the map is the caller's own. */
bool creo_writer_distinct(creo_writer *writer, const void *entries, size_t count, size_t stride, creo_key key)
{
    creo_entries list = {(const uint8_t *)entries, count, stride, key};
    size_t room = writer->arena == NULL ? 0 : creo_entries_room(&list);
    size_t again;
    if (room != 0) {
        creo_mark mark = creo_arena_mark(writer->arena);
        uint32_t *table = (uint32_t *)creo_arena_take(writer->arena, room, sizeof *table);
        again = creo_entries_repeated(&list, table);
        creo_arena_rewind(writer->arena, mark);
    } else {
        again = creo_entries_repeated(&list, NULL);
    }
    if (again == count)
        return true;
    (void)creo_fail_value(writer->error, "a key occurs twice in a map");
    return creo_at_key(writer->error, again);
}
