/**
 * How generated code writes values of the binary wire: `spec/wires/binary.md`.
 *
 * A writer checks what the wire requires of values (UTF-8, instants, distinct keys, no required NULL) and fails with `invalid-value` and the path. A
 * peer never receives bytes that it must refuse.
 */
#ifndef CREO_CODEGEN_WRITE_H
#define CREO_CODEGEN_WRITE_H

#include <creo/codegen/path.h>
#include <creo/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Numbers at a position that was reserved before.
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

/** Writes an instant in a block, if the wire can carry it. */
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

/** A count of items at `items`, which may be NULL only if there are none. */
bool creo_write_items(creo_writer *writer, const void *items, size_t count);

bool creo_write_string(creo_writer *writer, creo_string value);
bool creo_write_bytes(creo_writer *writer, creo_bytes value);
bool creo_write_decimal(creo_writer *writer, creo_decimal value);
bool creo_write_datetime(creo_writer *writer, creo_datetime value);

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

/** An open region: the positions of its size and its content. */
typedef struct creo_region {
    size_t at;
    size_t from;
} creo_region;

/** Opens the region of an extensible value (BIN-8); `creo_write_region_end` fills in its size. */
bool creo_write_region(creo_writer *writer, creo_region *region);
bool creo_write_region_end(creo_writer *writer, creo_region region);

#ifdef __cplusplus
}
#endif

#endif
