/**
 * Memory that grows while a value is written, for any wire.
 *
 * A writer enforces the limit on a message's size, and can refer to large byte strings of the caller instead of copying them.
 */
#ifndef CREO_WRITER_H
#define CREO_WRITER_H

#include <creo/arena.h>
#include <creo/error.h>
#include <creo/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the caller in the output, before the byte `offset` of the writer's own memory. */
typedef struct creo_piece {
    size_t offset;
    const uint8_t *data;
    size_t size;
} creo_piece;

typedef struct creo_writer {
    uint8_t *at;
    uint8_t *end;
    uint8_t *start;
    /** The arena in which memory grows; NULL for none. */
    creo_arena *arena;
    creo_error *error;
    /** LIM-1. */
    size_t most;
    uint32_t depth_left;
    uint32_t max_depth;
    /** Byte strings of at least this size are not copied but borrowed; SIZE_MAX for none. */
    size_t borrow_from;
    creo_piece *pieces;
    size_t piece_count;
    size_t piece_room;
    /** The bytes of all pieces. */
    size_t borrowed;
} creo_writer;

/** A writer to growing memory in an arena. `limits` may be NULL for the defaults, `error` may be NULL. */
void creo_writer_init(creo_writer *writer, creo_arena *arena, const creo_limits *limits, creo_error *error);

/** A writer to the caller's memory: `too-large` when it is full. */
void creo_writer_init_fixed(creo_writer *writer, void *memory, size_t size, const creo_limits *limits, creo_error *error);

/** Bytes written so far, including borrowed ones. */
static inline size_t creo_writer_size(const creo_writer *writer)
{
    return (size_t)(writer->at - writer->start) + writer->borrowed;
}

/** The written bytes, if none were borrowed. They stay in the writer's memory. */
static inline creo_bytes creo_writer_bytes(const creo_writer *writer)
{
    return creo_bytes_of(writer->start, (size_t)(writer->at - writer->start));
}

/** Starts again in the same memory. */
void creo_writer_reset(creo_writer *writer);

/** Makes room for `size` more bytes. */
CREO_COLD bool creo_writer_grow(creo_writer *writer, size_t size);

/** Reserves `size` bytes and returns their start; NULL after a failure. */
static inline uint8_t *creo_write_block(creo_writer *writer, size_t size)
{
    if (!CREO_LIKELY((size_t)(writer->end - writer->at) >= size) && !creo_writer_grow(writer, size))
        return NULL;
    uint8_t *at = writer->at;
    writer->at += size;
    return at;
}

/** Bytes without a count. */
bool creo_write_raw(creo_writer *writer, creo_bytes value);

/** Enters a value of a recursive type (BIN-13); `creo_writer_leave` leaves it. */
bool creo_writer_enter(creo_writer *writer);

static inline void creo_writer_leave(creo_writer *writer)
{
    writer->depth_left++;
}

/**
 * Fails with `invalid-value` unless the keys of a map are distinct. `entries` points to the first of `count` entries of `stride` bytes, which begin
 * with their key.
 */
bool creo_writer_distinct(creo_writer *writer, const void *entries, size_t count, size_t stride, creo_key key);

#ifdef __cplusplus
}
#endif

#endif
