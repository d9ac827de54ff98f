/**
 * Writes values of the binary wire: `spec/wires/binary.md`.
 *
 * A writer checks what the wire demands of its values (UTF-8, instants, distinct keys, no NULL where bytes are promised) and fails with
 * `invalid-value` and the place, so that no peer ever receives bytes that it must refuse.
 */
#ifndef CREO_WRITER_H
#define CREO_WRITER_H

#include <creo/arena.h>
#include <creo/error.h>
#include <creo/limits.h>
#include <creo/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the caller that stand within what was written, before the byte `offset` of the writer's own memory. */
typedef struct creo_piece {
    size_t offset;
    const uint8_t *data;
    size_t size;
} creo_piece;

typedef struct creo_writer {
    uint8_t *at;
    uint8_t *end;
    uint8_t *start;
    /** Where the memory grows; NULL if it does not. */
    creo_arena *arena;
    creo_error *error;
    /** LIM-1. */
    size_t most;
    uint32_t depth_left;
    uint32_t max_depth;
    /** Byte strings of this size and more are not copied but borrowed; SIZE_MAX: none is. */
    size_t borrow_from;
    creo_piece *pieces;
    size_t piece_count;
    size_t piece_room;
    /** Bytes of all pieces. */
    size_t borrowed;
} creo_writer;

/** A writer into memory that grows in an arena. `limits` may be NULL for the defaults, `error` may be NULL. */
void creo_writer_init(creo_writer *writer, creo_arena *arena, const creo_limits *limits, creo_error *error);

/** A writer into the caller's memory: `too-large` when it is full. */
void creo_writer_init_fixed(creo_writer *writer, void *memory, size_t size, const creo_limits *limits, creo_error *error);

/** Bytes written so far, borrowed ones included. */
static inline size_t creo_writer_size(const creo_writer *writer)
{
    return (size_t)(writer->at - writer->start) + writer->borrowed;
}

/** What was written, if nothing was borrowed. It stays where the writer's memory is. */
static inline creo_bytes creo_writer_bytes(const creo_writer *writer)
{
    return creo_bytes_of(writer->start, (size_t)(writer->at - writer->start));
}

/** Starts again in the same memory. */
void creo_writer_reset(creo_writer *writer);

/** Makes room for `size` bytes more. */
CREO_COLD bool creo_writer_grow(creo_writer *writer, size_t size);

/*
 * Numbers to a place that was reserved before.
 */

static inline void creo_put_u16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)(value & 0xFF);
}

static inline void creo_put_u32(uint8_t *at, uint32_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t bits = __builtin_bswap32(value);
    memcpy(at, &bits, sizeof bits);
#else
    creo_put_u16(at, (uint16_t)(value >> 16));
    creo_put_u16(at + 2, (uint16_t)(value & 0xFFFF));
#endif
}

static inline void creo_put_u64(uint8_t *at, uint64_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t bits = __builtin_bswap64(value);
    memcpy(at, &bits, sizeof bits);
#else
    creo_put_u32(at, (uint32_t)(value >> 32));
    creo_put_u32(at + 4, (uint32_t)(value & 0xFFFFFFFF));
#endif
}

static inline void creo_put_boolean(uint8_t *at, bool value)
{
    *at = value ? 1 : 0;
}

static inline void creo_put_byte(uint8_t *at, int8_t value)
{
    memcpy(at, &value, 1);
}

static inline void creo_put_short(uint8_t *at, int16_t value)
{
    creo_put_u16(at, (uint16_t)value);
}

static inline void creo_put_char(uint8_t *at, uint16_t value)
{
    creo_put_u16(at, value);
}

static inline void creo_put_int(uint8_t *at, int32_t value)
{
    creo_put_u32(at, (uint32_t)value);
}

static inline void creo_put_long(uint8_t *at, int64_t value)
{
    creo_put_u64(at, (uint64_t)value);
}

static inline void creo_put_float(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    creo_put_u32(at, bits);
}

static inline void creo_put_double(uint8_t *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    creo_put_u64(at, bits);
}

/** An instant that was checked before. */
static inline void creo_put_datetime(uint8_t *at, creo_datetime value)
{
    creo_put_long(at, value.seconds);
    creo_put_u32(at + 8, value.nanoseconds);
}

/** Puts an instant within a block, if it is one that the wire can carry. */
static inline bool creo_block_put_datetime(creo_writer *writer, uint8_t *at, creo_datetime value, const char *name)
{
    if (!CREO_LIKELY(creo_datetime_valid(value))) {
        creo_raise_value(writer->error, "an instant lies within the years 1 to 9999, with nanoseconds below one second");
        creo_step_field(writer->error, name);
        return false;
    }
    creo_put_datetime(at, value);
    return true;
}

/** Room for `size` bytes, which the writer then stands behind; NULL after a failure. */
static inline uint8_t *creo_write_block(creo_writer *writer, size_t size)
{
    if (!CREO_LIKELY((size_t)(writer->end - writer->at) >= size) && !creo_writer_grow(writer, size))
        return NULL;
    uint8_t *at = writer->at;
    writer->at += size;
    return at;
}

/** Room for `count` blocks of `size` bytes. */
uint8_t *creo_write_blocks(creo_writer *writer, size_t count, size_t size);

/*
 * Values. All return false after a failure.
 */

#define CREO_WRITE_FIXED(name, type, size)                                                                                                           \
    static inline bool creo_write_##name(creo_writer *writer, type value)                                                                            \
    {                                                                                                                                                \
        uint8_t *at = creo_write_block(writer, size);                                                                                                \
        if (!CREO_LIKELY(at != NULL))                                                                                                                \
            return false;                                                                                                                            \
        creo_put_##name(at, value);                                                                                                                  \
        return true;                                                                                                                                 \
    }

CREO_WRITE_FIXED(boolean, bool, 1)
CREO_WRITE_FIXED(byte, int8_t, 1)
CREO_WRITE_FIXED(short, int16_t, 2)
CREO_WRITE_FIXED(char, uint16_t, 2)
CREO_WRITE_FIXED(int, int32_t, 4)
CREO_WRITE_FIXED(long, int64_t, 8)
CREO_WRITE_FIXED(float, float, 4)
CREO_WRITE_FIXED(double, double, 8)
CREO_WRITE_FIXED(u32, uint32_t, 4)
CREO_WRITE_FIXED(u64, uint64_t, 8)

#undef CREO_WRITE_FIXED

/** A count, below 2^31 (BIN-2). */
bool creo_write_count(creo_writer *writer, size_t count);

/** A count of items that begin at `items`, which may be NULL only if there are none. */
bool creo_write_items(creo_writer *writer, const void *items, size_t count);

bool creo_write_string(creo_writer *writer, creo_string value);
bool creo_write_bytes(creo_writer *writer, creo_bytes value);
bool creo_write_decimal(creo_writer *writer, creo_decimal value);
bool creo_write_datetime(creo_writer *writer, creo_datetime value);

/** Bytes without a count. */
bool creo_write_raw(creo_writer *writer, creo_bytes value);

bool creo_write_boolean_array(creo_writer *writer, creo_boolean_array value);
bool creo_write_short_array(creo_writer *writer, creo_short_array value);
bool creo_write_char_array(creo_writer *writer, creo_char_array value);
bool creo_write_int_array(creo_writer *writer, creo_int_array value);
bool creo_write_long_array(creo_writer *writer, creo_long_array value);
bool creo_write_float_array(creo_writer *writer, creo_float_array value);
bool creo_write_double_array(creo_writer *writer, creo_double_array value);
bool creo_write_string_array(creo_writer *writer, creo_string_array value);
bool creo_write_decimal_array(creo_writer *writer, creo_decimal_array value);
bool creo_write_datetime_array(creo_writer *writer, creo_datetime_array value);
bool creo_write_bytes_array(creo_writer *writer, creo_bytes_array value);

/** An open region: where its size goes, and where its bytes begin. */
typedef struct creo_region {
    size_t at;
    size_t from;
} creo_region;

/** Opens the region of an extensible value (BIN-8); `creo_write_region_end` fills in its size. */
bool creo_write_region(creo_writer *writer, creo_region *region);
bool creo_write_region_end(creo_writer *writer, creo_region region);

/** Goes into a value of a recursive type (BIN-13); `creo_writer_leave` comes back out. */
bool creo_writer_enter(creo_writer *writer);

static inline void creo_writer_leave(creo_writer *writer)
{
    writer->depth_left++;
}

/** Whether the keys of a map's entries are distinct: fails with `invalid-value` if not. As `creo_reader_distinct`. */
bool creo_writer_distinct(creo_writer *writer, const void *entries, size_t count, size_t stride, creo_key key);

#ifdef __cplusplus
}
#endif

#endif
