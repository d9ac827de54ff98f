/** How generated code reads the values of the binary wire: `spec/wires/binary.md`. */
#ifndef CREO_CODEGEN_READ_H
#define CREO_CODEGEN_READ_H

#include <creo/codegen/path.h>
#include <creo/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Failures. Functions that return a bool return false, inline, so the compiler knows the result.
 */

/** A part of a fixed-size block: its path below the value with the block, and its size. */
typedef struct creo_part {
    const char *name;
    uint32_t size;
} creo_part;

CREO_COLD void creo_raise_malformed(creo_reader *reader, const uint8_t *at, const char *message);
CREO_COLD void creo_raise_block_short(creo_reader *reader, const creo_part *parts, size_t count);
CREO_COLD void creo_raise_no_memory(creo_reader *reader);
CREO_COLD void creo_raise_max_memory(creo_reader *reader, const uint8_t *at);

/** `malformed` at a byte. */
static inline bool creo_reader_malformed(creo_reader *reader, const uint8_t *at, const char *message)
{
    creo_raise_malformed(reader, at, message);
    return false;
}

/** `malformed` at the reader's position: the value needs more bytes than are left. */
static inline bool creo_reader_short(creo_reader *reader)
{
    creo_raise_block_short(reader, NULL, 0);
    return false;
}

/** As `creo_reader_short`, for the first of the parts that is incomplete. */
static inline bool creo_reader_block_short(creo_reader *reader, const creo_part *parts, size_t count)
{
    creo_raise_block_short(reader, parts, count);
    return false;
}

/** The arena has no memory. */
static inline bool creo_reader_no_memory(creo_reader *reader)
{
    creo_raise_no_memory(reader);
    return false;
}

/** Charges the message for following values (LIM-18); `at` is the byte that announces them. */
static inline bool creo_reader_charge(creo_reader *reader, const uint8_t *at, uint64_t bytes)
{
    if (CREO_LIKELY(bytes <= reader->memory_left)) {
        reader->memory_left -= bytes;
        return true;
    }
    creo_raise_max_memory(reader, at);
    return false;
}

/*
 * Numbers at a position that was checked before.
 */

static inline uint16_t creo_get_u16(const uint8_t *at)
{
    return (uint16_t)((unsigned)at[0] << 8 | at[1]);
}

static inline uint32_t creo_get_u32(const uint8_t *at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return __builtin_bswap32(bits);
#else
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
#endif
}

static inline uint64_t creo_get_u64(const uint8_t *at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    return __builtin_bswap64(bits);
#else
    return (uint64_t)creo_get_u32(at) << 32 | creo_get_u32(at + 4);
#endif
}

static inline int8_t creo_get_byte(const uint8_t *at)
{
    int8_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline int16_t creo_get_short(const uint8_t *at)
{
    return (int16_t)creo_get_u16(at);
}

static inline uint16_t creo_get_char(const uint8_t *at)
{
    return creo_get_u16(at);
}

static inline int32_t creo_get_int(const uint8_t *at)
{
    return (int32_t)creo_get_u32(at);
}

static inline int64_t creo_get_long(const uint8_t *at)
{
    return (int64_t)creo_get_u64(at);
}

static inline float creo_get_float(const uint8_t *at)
{
    uint32_t bits = creo_get_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double creo_get_double(const uint8_t *at)
{
    uint64_t bits = creo_get_u64(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline creo_datetime creo_get_datetime(const uint8_t *at)
{
    creo_datetime value;
    value.seconds = creo_get_long(at);
    value.nanoseconds = creo_get_u32(at + 8);
    return value;
}

/** The bytes left in the enclosing region. */
static inline size_t creo_left(const creo_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/** Skips a block of `size` bytes and returns its start; NULL, without an error, if fewer are left. */
static inline const uint8_t *creo_read_block(creo_reader *reader, size_t size)
{
    if (CREO_LIKELY(creo_left(reader) >= size)) {
        const uint8_t *at = reader->at;
        reader->at += size;
        return at;
    }
    return NULL;
}

/*
 * Values. All return false after a failure.
 */

/** The error for an invalid part of a block. */
static inline bool creo_block_malformed(creo_reader *reader, const uint8_t *at, const char *name, const char *message)
{
    creo_raise_malformed(reader, at, message);
    creo_step_field(reader->error, name);
    return false;
}

/** A boolean in a block. */
static inline bool creo_block_boolean(creo_reader *reader, const uint8_t *at, bool *value, const char *name)
{
    if (!CREO_LIKELY(*at <= 1))
        return creo_block_malformed(reader, at, name, "a boolean is 0 or 1");
    *value = *at != 0;
    return true;
}

/** An instant in a block. */
static inline bool creo_block_datetime(creo_reader *reader, const uint8_t *at, creo_datetime *value, const char *name)
{
    *value = creo_get_datetime(at);
    if (!CREO_LIKELY(creo_datetime_valid(*value)))
        return creo_block_malformed(reader, at, name, "an instant lies within the years 1 to 9999, with nanoseconds below one second");
    return true;
}

#define CREO_READ_FIXED(name, type, size)                                                                                                            \
    static inline bool creo_read_##name(creo_reader *reader, type *value)                                                                            \
    {                                                                                                                                                \
        const uint8_t *at = creo_read_block(reader, size);                                                                                           \
        if (!CREO_LIKELY(at != NULL))                                                                                                                \
            return creo_reader_short(reader);                                                                                                        \
        *value = creo_get_##name(at);                                                                                                                \
        return true;                                                                                                                                 \
    }

CREO_READ_FIXED(byte, int8_t, 1)
CREO_READ_FIXED(short, int16_t, 2)
CREO_READ_FIXED(char, uint16_t, 2)
CREO_READ_FIXED(int, int32_t, 4)
CREO_READ_FIXED(long, int64_t, 8)
CREO_READ_FIXED(float, float, 4)
CREO_READ_FIXED(double, double, 8)
CREO_READ_FIXED(u32, uint32_t, 4)

#undef CREO_READ_FIXED

/** A byte that must be 0 or 1 (BIN-3). */
static inline bool creo_read_boolean(creo_reader *reader, bool *value)
{
    const uint8_t *at = creo_read_block(reader, 1);
    if (!CREO_LIKELY(at != NULL))
        return creo_reader_short(reader);
    if (!CREO_LIKELY(*at <= 1))
        return creo_reader_malformed(reader, at, "a boolean is 0 or 1");
    *value = *at != 0;
    return true;
}

/** Whether an optional has a value; charges the message for it (LIM-18). */
static inline bool creo_read_presence(creo_reader *reader, uint32_t charge, bool *there)
{
    if (!creo_read_boolean(reader, there))
        return false;
    return !*there || creo_reader_charge(reader, reader->at - 1, charge);
}

/** Longer or invalid counts, for `creo_read_count`. */
bool creo_read_long_count(creo_reader *reader, uint32_t *value);

/** A count (BIN-2). */
static inline bool creo_read_count(creo_reader *reader, uint32_t *value)
{
    if (CREO_LIKELY(reader->at < reader->end && *reader->at < 0x80)) {
        *value = *reader->at++;
        return true;
    }
    return creo_read_long_count(reader, value);
}

/**
 * A count of items of at least `least` bytes each, which must be available (BIN-5), or within the budget if `least` is 0 (BIN-6). Charges the message
 * `charge` bytes for each (LIM-18).
 */
bool creo_read_items(creo_reader *reader, size_t least, uint32_t charge, uint32_t *count);

/** Memory from the reader's arena for `count` items, which is not 0; NULL after a failure. */
void *creo_read_take(creo_reader *reader, size_t count, size_t size);

bool creo_read_string(creo_reader *reader, creo_string *value);
bool creo_read_bytes(creo_reader *reader, creo_bytes *value);
bool creo_read_decimal(creo_reader *reader, creo_decimal *value);
bool creo_read_datetime(creo_reader *reader, creo_datetime *value);

/** The next `size` bytes, kept like other byte strings. */
bool creo_read_raw(creo_reader *reader, size_t size, creo_bytes *value);

bool creo_read_boolean_array(creo_reader *reader, creo_boolean_array *value);
bool creo_read_short_array(creo_reader *reader, creo_short_array *value);
bool creo_read_char_array(creo_reader *reader, creo_char_array *value);
bool creo_read_int_array(creo_reader *reader, creo_int_array *value);
bool creo_read_long_array(creo_reader *reader, creo_long_array *value);
bool creo_read_float_array(creo_reader *reader, creo_float_array *value);
bool creo_read_double_array(creo_reader *reader, creo_double_array *value);
bool creo_read_string_array(creo_reader *reader, creo_string_array *value);
bool creo_read_decimal_array(creo_reader *reader, creo_decimal_array *value);
bool creo_read_datetime_array(creo_reader *reader, creo_datetime_array *value);
bool creo_read_bytes_array(creo_reader *reader, creo_bytes_array *value);

/** Opens the region of an extensible value (BIN-8); `outer` receives the end of the enclosing one. */
bool creo_read_region(creo_reader *reader, const uint8_t **outer);

/** Whether the region ends here. */
static inline bool creo_region_ends(const creo_reader *reader)
{
    return reader->at == reader->end;
}

/** Leaves the region, skipping the rest. */
static inline void creo_region_leave(creo_reader *reader, const uint8_t *outer)
{
    reader->at = reader->end;
    reader->end = outer;
}

/** Leaves the region of a known member of an extensible union, which must be at its end. */
bool creo_region_leave_full(creo_reader *reader, const uint8_t *outer);

/** Enters a value of a recursive type (BIN-13); `creo_reader_leave` leaves it. */
bool creo_reader_enter(creo_reader *reader);

static inline void creo_reader_leave(creo_reader *reader)
{
    reader->depth_left++;
}

/**
 * Fails with `malformed` unless the keys of a map are distinct (BIN-10). `entries` points to the first of `count` entries of `stride` bytes, which
 * begin with their key; `start` is the first byte of the map.
 */
bool creo_reader_distinct(creo_reader *reader, const uint8_t *start, const void *entries, size_t count, size_t stride, creo_key key);

#ifdef __cplusplus
}
#endif

#endif
