#include <creo/codegen/write.h>

#include "../base/utf8.h"
#include "../buffer/copy.h"
#include "bulk.h"

/* A count has at most this many bytes. */
#define COUNT_SIZE 5

uint8_t *creo_write_blocks(creo_writer *writer, size_t count, size_t size)
{
    /* A size that overflows is refused as one that exceeds the limit. */
    return creo_write_block(writer, size != 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size);
}

/* Writes a count below 2^31 where five bytes are free; returns its end. */
static inline uint8_t *put_count(uint8_t *at, size_t count)
{
    while (count >= 0x80) {
        *at++ = (uint8_t)((count & 0x7F) | 0x80);
        count >>= 7;
    }
    *at++ = (uint8_t)count;
    return at;
}

CREO_COLD static bool wrong_count(creo_writer *writer)
{
    return creo_fail_value(writer->error, "a count is below 2^31");
}

bool creo_write_count(creo_writer *writer, size_t count)
{
    if (count > INT32_MAX)
        return wrong_count(writer);
    if ((size_t)(writer->end - writer->at) >= COUNT_SIZE) {
        writer->at = put_count(writer->at, count);
        return true;
    }
    uint8_t bytes[COUNT_SIZE];
    size_t size = (size_t)(put_count(bytes, count) - bytes);
    uint8_t *at = creo_write_block(writer, size);
    if (at == NULL)
        return false;
    memcpy(at, bytes, size);
    return true;
}

bool creo_write_items(creo_writer *writer, const void *items, size_t count)
{
    if (items == NULL && count != 0)
        return creo_fail_value(writer->error, "the pointer to the items is NULL");
    return creo_write_count(writer, count);
}

bool creo_write_bytes(creo_writer *writer, creo_bytes value)
{
    /* A short string, with a count of one byte. */
    if (CREO_LIKELY(value.size < 0x80 && value.size < writer->borrow_from && value.data != NULL && (size_t)(writer->end - writer->at) > value.size)) {
        *writer->at = (uint8_t)value.size;
        memcpy(writer->at + 1, value.data, value.size);
        writer->at += value.size + 1;
        return true;
    }
    return creo_write_count(writer, value.size) && creo_write_raw(writer, value);
}

/* Copies 16 bytes; returns whether they are ASCII. */
static inline bool copy16_ascii(uint8_t *to, const uint8_t *from)
{
    uint64_t first = creo_load8(from);
    uint64_t last = creo_load8(from + 8);
    memcpy(to, &first, 8);
    memcpy(to + 8, &last, 8);
    return ((first | last) & CREO_HIGH_BITS) == 0;
}

/* Copies a short ASCII text, 1 to 32 bytes, in words that may overlap. False, with arbitrary bytes in `to`, for any other text. */
static inline bool copy_short_ascii(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size > 16)
        return size <= 32 && copy16_ascii(to, from) && copy16_ascii(to + size - 16, from + size - 16);
    if (size >= 8) {
        uint64_t first = creo_load8(from);
        uint64_t last = creo_load8(from + size - 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
        return ((first | last) & CREO_HIGH_BITS) == 0;
    }
    if (size >= 4) {
        uint32_t first = creo_load4(from);
        uint32_t last = creo_load4(from + size - 4);
        memcpy(to, &first, 4);
        memcpy(to + size - 4, &last, 4);
        return ((first | last) & (uint32_t)CREO_HIGH_BITS) == 0;
    }
    uint8_t first = from[0];
    uint8_t middle = from[size / 2];
    uint8_t last = from[size - 1];
    to[0] = first;
    to[size / 2] = middle;
    to[size - 1] = last;
    return (first | middle | last) < 0x80;
}

static inline bool write_string(creo_writer *writer, creo_string value)
{
    if (value.size == 0)
        return creo_write_count(writer, 0);
    if (value.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the text is NULL");
    const uint8_t *from = (const uint8_t *)value.data;
    if (CREO_LIKELY((size_t)(writer->end - writer->at) > value.size && copy_short_ascii(writer->at + 1, from, value.size))) {
        *writer->at = (uint8_t)value.size;
        writer->at += value.size + 1;
        return true;
    }
    if (!CREO_LIKELY(creo_utf8_scan(from, from + value.size) == from + value.size))
        return creo_fail_value(writer->error, "a string is well-formed UTF-8");
    if (CREO_LIKELY(value.size < 0x80 || (value.size < 0x4000 && value.size < writer->borrow_from))) {
        size_t head = value.size < 0x80 ? 1 : 2;
        uint8_t *at = creo_write_block(writer, value.size + head);
        if (!CREO_LIKELY(at != NULL))
            return false;
        creo_copy(put_count(at, value.size), from, value.size);
        return true;
    }
    return creo_write_count(writer, value.size) && creo_write_raw(writer, creo_bytes_of(from, value.size));
}

bool creo_write_string(creo_writer *writer, creo_string value)
{
    return write_string(writer, value);
}

bool creo_write_decimal(creo_writer *writer, creo_decimal value)
{
    if (!creo_decimal_valid(value))
        return creo_fail_value(writer->error, "a decimal is in canonical form and has at most 1,000 digits");
    return write_string(writer, value);
}

bool creo_write_datetime(creo_writer *writer, creo_datetime value)
{
    if (!creo_datetime_valid(value))
        return creo_fail_value(writer->error, "an instant lies within the years 1 to 9999, with nanoseconds below one second");
    uint8_t *at = creo_write_block(writer, 12);
    if (at == NULL)
        return false;
    creo_put_datetime(at, value);
    return true;
}

/*
 * Arrays whose items are copied in bulk.
 */

#define WRITE_BULK(name, size, move)                                                                                                                 \
    bool creo_write_##name##_array(creo_writer *writer, creo_##name##_array value)                                                                   \
    {                                                                                                                                                \
        _Static_assert(sizeof *value.items == (size), "items take as many bytes here as on the wire");                                               \
        if (!creo_write_items(writer, value.items, value.count))                                                                                     \
            return false;                                                                                                                            \
        uint8_t *at = creo_write_blocks(writer, value.count, size);                                                                                  \
        if (at == NULL)                                                                                                                              \
            return false;                                                                                                                            \
        if (value.count != 0)                                                                                                                        \
            move(at, (const uint8_t *)value.items, value.count);                                                                                     \
        return true;                                                                                                                                 \
    }

/* Every true value is 1 on the wire. */
static void put_booleans(uint8_t *restrict at, const uint8_t *restrict items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        at[i] = items[i] != 0;
}

WRITE_BULK(boolean, 1, put_booleans)
WRITE_BULK(short, 2, creo_swap2)
WRITE_BULK(char, 2, creo_swap2)
WRITE_BULK(int, 4, creo_swap4)
WRITE_BULK(long, 8, creo_swap8)
WRITE_BULK(float, 4, creo_swap4)
WRITE_BULK(double, 8, creo_swap8)

#define WRITE_EACH(name)                                                                                                                             \
    bool creo_write_##name##_array(creo_writer *writer, creo_##name##_array value)                                                                   \
    {                                                                                                                                                \
        if (!creo_write_items(writer, value.items, value.count))                                                                                     \
            return false;                                                                                                                            \
        for (size_t i = 0; i < value.count; i++)                                                                                                     \
            if (!creo_write_##name(writer, value.items[i]))                                                                                          \
                return creo_at_index(writer->error, i);                                                                                              \
        return true;                                                                                                                                 \
    }

WRITE_EACH(decimal)
WRITE_EACH(datetime)
WRITE_EACH(bytes)

bool creo_write_string_array(creo_writer *writer, creo_string_array value)
{
    if (!creo_write_items(writer, value.items, value.count))
        return false;
    for (size_t i = 0; i < value.count; i++)
        if (!write_string(writer, value.items[i]))
            return creo_at_index(writer->error, i);
    return true;
}

bool creo_write_region(creo_writer *writer, creo_region *region)
{
    if (creo_write_block(writer, 4) == NULL)
        return false;
    region->at = (size_t)(writer->at - writer->start) - 4;
    region->from = creo_writer_size(writer);
    return true;
}

bool creo_write_region_end(creo_writer *writer, creo_region region)
{
    size_t size = creo_writer_size(writer) - region.from;
    if (size > UINT32_MAX)
        return creo_fail_value(writer->error, "an extensible value is smaller than 2^32 bytes");
    creo_put_u32(writer->start + region.at, (uint32_t)size);
    return true;
}
