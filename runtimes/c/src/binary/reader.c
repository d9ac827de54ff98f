#include <creo/codegen/read.h>

#include "../base/utf8.h"
#include "../buffer/copy.h"
#include "../buffer/distinct.h"
#include "bulk.h"

/* The charges for array items: 8, and their weight (LIM-18). The items of other arrays in this file are bytes of the body. */
enum { TEXT_CHARGE = 8 + 32, DECIMAL_CHARGE = 8 + 64, DATETIME_CHARGE = 8 + 32, BYTES_CHARGE = 8 + 32 };

bool creo_reader_init(creo_reader *reader, creo_bytes body, creo_keep keep, creo_arena *arena, const creo_limits *limits, creo_error *error)
{
    static const uint8_t nothing = 0;
    creo_limits defaults = creo_limits_default();
    const creo_limits *used = limits == NULL ? &defaults : limits;
    reader->start = body.size == 0 ? &nothing : body.data;
    reader->at = reader->start;
    reader->end = reader->start + body.size;
    reader->arena = arena;
    reader->error = error;
    reader->root = "$";
    reader->keep = keep;
    reader->max_depth = used->max_depth;
    reader->depth_left = used->max_depth;
    reader->max_empty_items = used->max_empty_items;
    reader->empty_left = used->max_empty_items;
    reader->max_memory = creo_limits_memory(used);
    reader->memory_left = reader->max_memory;
    return creo_reader_charge(reader, reader->start, body.size);
}

/* Sets the path of a new error to the reader's root, and its offset. */
static void place_at(creo_reader *reader, const uint8_t *at)
{
    creo_error *error = reader->error;
    if (error == NULL)
        return;
    size_t length = strlen(reader->root);
    if (length >= sizeof error->place)
        length = 0;
    memcpy(error->place, reader->root, length);
    error->place[length] = 0;
    error->has_offset = true;
    error->offset = (uint64_t)(at - reader->start);
}

CREO_COLD static void raise_limit(creo_reader *reader, const uint8_t *at, const char *limit, uint64_t allowed)
{
    creo_raise_limit(reader->error, limit, allowed);
    place_at(reader, at);
}

void creo_raise_malformed(creo_reader *reader, const uint8_t *at, const char *message)
{
    (void)creo_fail(reader->error, CREO_MALFORMED, "%s", message);
    place_at(reader, at);
}

void creo_raise_no_memory(creo_reader *reader)
{
    (void)creo_fail(reader->error, CREO_TOO_LARGE, "the arena has no memory left for the value");
    place_at(reader, reader->at);
}

void creo_raise_max_memory(creo_reader *reader, const uint8_t *at)
{
    raise_limit(reader, at, "maxMemory", reader->max_memory);
}

void creo_raise_block_short(creo_reader *reader, const creo_part *parts, size_t count)
{
    const uint8_t *at = reader->at;
    const char *part = NULL;
    for (size_t i = 0; i < count && part == NULL; i++) {
        if ((size_t)(reader->end - at) < parts[i].size)
            part = parts[i].name;
        else
            at += parts[i].size;
    }
    creo_raise_malformed(reader, at, "the bytes end within the value");
    if (part != NULL)
        creo_step_field(reader->error, part);
}

bool creo_reader_finish(creo_reader *reader)
{
    if (reader->at == reader->end)
        return true;
    return creo_reader_malformed(reader, reader->at, "bytes are left after the last value");
}

bool creo_read_long_count(creo_reader *reader, uint32_t *value)
{
    const uint8_t *at = reader->at;
    uint32_t count = 0;
    for (unsigned i = 0; i < 5; i++) {
        if (at + i == reader->end)
            return creo_reader_short(reader);
        uint32_t byte = at[i];
        if (i == 4 && byte > 0x07)
            return creo_reader_malformed(reader, at, "a count is below 2^31");
        count |= (byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            if (byte == 0 && i > 0)
                return creo_reader_malformed(reader, at, "a count is in its shortest form");
            reader->at = at + i + 1;
            *value = count;
            return true;
        }
    }
    return creo_reader_malformed(reader, at, "a count is below 2^31");
}

bool creo_read_items(creo_reader *reader, size_t least, uint32_t charge, uint32_t *count)
{
    const uint8_t *at = reader->at;
    if (!creo_read_count(reader, count))
        return false;
    if (least != 0) {
        if ((uint64_t)*count * least > creo_left(reader))
            return creo_reader_malformed(reader, at, "the count is larger than the bytes that are left allow");
    } else {
        if (*count > reader->empty_left) {
            raise_limit(reader, at, "maxEmptyItems", reader->max_empty_items);
            return false;
        }
        reader->empty_left -= *count;
    }
    return creo_reader_charge(reader, at, (uint64_t)*count * charge);
}

void *creo_read_take(creo_reader *reader, size_t count, size_t size)
{
    void *memory = creo_arena_take(reader->arena, count, size);
    if (memory == NULL)
        (void)creo_reader_no_memory(reader);
    return memory;
}

/* A count of available bytes; the reader is then at the first of them. */
static bool read_size(creo_reader *reader, size_t *size)
{
    const uint8_t *at = reader->at;
    uint32_t count;
    if (!creo_read_count(reader, &count))
        return false;
    if (count > creo_left(reader))
        return creo_reader_malformed(reader, at, "the count is larger than the bytes that are left allow");
    *size = count;
    return true;
}

bool creo_read_raw(creo_reader *reader, size_t size, creo_bytes *value)
{
    if (size > creo_left(reader))
        return creo_reader_short(reader);
    value->data = reader->at;
    value->size = size;
    if (reader->keep == CREO_COPY && size != 0) {
        uint8_t *copy = creo_arena_bytes(reader->arena, size);
        if (copy == NULL)
            return creo_reader_no_memory(reader);
        creo_copy(copy, reader->at, size);
        value->data = copy;
    }
    reader->at += size;
    return true;
}

bool creo_read_bytes(creo_reader *reader, creo_bytes *value)
{
    size_t size;
    return read_size(reader, &size) && creo_read_raw(reader, size, value);
}

/* A text that stays in the input. */
static inline bool borrow_string(creo_reader *reader, creo_string *value)
{
    size_t size;
    if (!read_size(reader, &size))
        return false;
    const uint8_t *end = reader->at + size;
    const uint8_t *wrong = creo_utf8_scan(reader->at, end);
    if (!CREO_LIKELY(wrong == end))
        return creo_reader_malformed(reader, wrong, "a string is well-formed UTF-8");
    value->data = (const char *)reader->at;
    value->size = size;
    reader->at = end;
    return true;
}

static bool keep_string(creo_reader *reader, creo_string *value)
{
    if (reader->keep == CREO_BORROW || value->size == 0)
        return true;
    uint8_t *copy = creo_arena_bytes(reader->arena, value->size);
    if (copy == NULL)
        return creo_reader_no_memory(reader);
    creo_copy(copy, value->data, value->size);
    value->data = (const char *)copy;
    return true;
}

bool creo_read_string(creo_reader *reader, creo_string *value)
{
    return borrow_string(reader, value) && keep_string(reader, value);
}

static bool borrow_decimal(creo_reader *reader, creo_decimal *value)
{
    const uint8_t *at = reader->at;
    size_t size;
    if (!read_size(reader, &size))
        return false;
    value->data = (const char *)reader->at;
    value->size = size;
    if (!creo_decimal_valid(*value))
        return creo_reader_malformed(reader, at, "a decimal is in canonical form and has at most 1,000 digits");
    reader->at += size;
    return true;
}

bool creo_read_decimal(creo_reader *reader, creo_decimal *value)
{
    return borrow_decimal(reader, value) && keep_string(reader, value);
}

bool creo_read_datetime(creo_reader *reader, creo_datetime *value)
{
    const uint8_t *at = creo_read_block(reader, 12);
    if (at == NULL)
        return creo_reader_short(reader);
    *value = creo_get_datetime(at);
    if (!creo_datetime_valid(*value))
        return creo_reader_malformed(reader, at, "an instant lies within the years 1 to 9999, with nanoseconds below one second");
    return true;
}

/*
 * Arrays whose items are copied in bulk: the count is checked against the bytes once.
 */

#define READ_BULK(name, type, move)                                                                                                                  \
    bool creo_read_##name##_array(creo_reader *reader, creo_##name##_array *value)                                                                   \
    {                                                                                                                                                \
        uint32_t count;                                                                                                                              \
        if (!creo_read_items(reader, sizeof(type), 0, &count))                                                                                       \
            return false;                                                                                                                            \
        value->items = NULL;                                                                                                                         \
        value->count = count;                                                                                                                        \
        if (count == 0)                                                                                                                              \
            return true;                                                                                                                             \
        type *items = (type *)creo_read_take(reader, count, sizeof(type));                                                                           \
        if (items == NULL)                                                                                                                           \
            return false;                                                                                                                            \
        move((uint8_t *)items, reader->at, count);                                                                                                   \
        reader->at += (size_t)count * sizeof(type);                                                                                                  \
        value->items = items;                                                                                                                        \
        return true;                                                                                                                                 \
    }

READ_BULK(short, int16_t, creo_swap2)
READ_BULK(char, uint16_t, creo_swap2)
READ_BULK(int, int32_t, creo_swap4)
READ_BULK(long, int64_t, creo_swap8)
READ_BULK(float, float, creo_swap4)
READ_BULK(double, double, creo_swap8)

bool creo_read_boolean_array(creo_reader *reader, creo_boolean_array *value)
{
    uint32_t count;
    if (!creo_read_items(reader, 1, 0, &count))
        return false;
    value->items = NULL;
    value->count = count;
    if (count == 0)
        return true;
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= reader->at[i];
    if (any > 1) {
        size_t i = 0;
        while (reader->at[i] <= 1)
            i++;
        (void)creo_reader_malformed(reader, reader->at + i, "a boolean is 0 or 1");
        return creo_at_index(reader->error, i);
    }
    bool *items = (bool *)creo_read_take(reader, count, sizeof(bool));
    if (items == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        items[i] = reader->at[i] != 0;
    reader->at += count;
    value->items = items;
    return true;
}

/* Points texts, which are in the bytes from `first`, at a copy of them all. */
static bool keep_texts(creo_reader *reader, const uint8_t *first, creo_string *items, size_t count)
{
    size_t size = (size_t)(reader->at - first);
    char *copy = (char *)creo_arena_bytes(reader->arena, size);
    if (copy == NULL)
        return creo_reader_no_memory(reader);
    creo_copy(copy, first, size);
    for (size_t i = 0; i < count; i++)
        items[i].data = copy + (items[i].data - (const char *)first);
    return true;
}

/* A count of texts, and memory for them unless it is 0. */
static bool read_text_count(creo_reader *reader, size_t least, uint32_t charge, creo_string **items, creo_string_array *value)
{
    uint32_t count;
    if (!creo_read_items(reader, least, charge, &count))
        return false;
    value->items = NULL;
    value->count = count;
    if (count == 0)
        return true;
    *items = (creo_string *)creo_read_take(reader, count, sizeof **items);
    value->items = *items;
    return *items != NULL;
}

/* The high bit of each of the first N of sixteen bytes. */
static const uint8_t high_bits[32] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};

/* One text of any size, as `read_texts_at`. */
static bool read_text_at(creo_reader *reader, const uint8_t *first, const uint8_t *base, creo_string *item)
{
    if (!borrow_string(reader, item))
        return false;
    item->data = (const char *)base + ((const uint8_t *)item->data - first);
    return true;
}

/*
 * Reads texts that may be at `base` instead of their position. The common text is short, valid, and as long as the previous one: the next one's
 * position then does not depend on this one's size. Others take the slow path, which finds errors.
 */
static bool read_texts_at(creo_reader *reader, const uint8_t *base, creo_string *restrict items, size_t count)
{
    const uint8_t *first = reader->at;
    const uint8_t *end = reader->end;
    const uint8_t *at = first;
    /* Beyond this, fewer than 17 bytes are left, and words are no longer loaded. */
    const uint8_t *last = (size_t)(end - at) > 16 ? end - 16 : at;
    size_t guess = 0;
    uint64_t low = 0;
    uint64_t high = 0;
    for (size_t i = 0; i < count; i++) {
        if (CREO_LIKELY(at < last && *at == guess && ((creo_load8(at + 1) & low) | (creo_load8(at + 9) & high)) == 0)) {
            items[i].data = (const char *)base + (at + 1 - first);
            items[i].size = guess;
            at += guess + 1;
            continue;
        }
        size_t size = at < end ? *at : 0x80;
        size_t head = 1;
        bool fine;
        if (CREO_LIKELY(size <= 16 && at < last)) {
            guess = size;
            low = creo_load8(high_bits + 16 - size);
            high = creo_load8(high_bits + 24 - size);
            fine = ((creo_load8(at + 1) & low) | (creo_load8(at + 9) & high)) == 0;
        } else {
            /* A count of two bytes, the second of which must not be 0 (BIN-2). */
            if (size >= 0x80 && end - at >= 2 && at[1] != 0 && at[1] < 0x80) {
                size = (size & 0x7F) | (size_t)at[1] << 7;
                head = 2;
            }
            fine = (size < 0x80 || head == 2) && size <= (size_t)(end - at) - head && creo_utf8_scan(at + head, at + head + size) == at + head + size;
        }
        if (CREO_LIKELY(fine)) {
            items[i].data = (const char *)base + (at + head - first);
            items[i].size = size;
            at += size + head;
            continue;
        }
        reader->at = at;
        if (!read_text_at(reader, first, base, &items[i]))
            return creo_at_index(reader->error, i);
        at = reader->at;
    }
    reader->at = at;
    return true;
}

/* Copies texts to the position for which they were read. */
static void copy_texts(creo_reader *reader, const uint8_t *first, uint8_t *place)
{
    size_t size = (size_t)(reader->at - first);
    creo_copy(place, first, size);
    reader->arena->at = place + size;
}

/*
 * Texts and their copies in one piece of memory, if the arena has it: one pass is enough for both, and an arena that is reset keeps room for them
 * together. All remaining bytes might belong to them; the rest is returned at once. `done`: it was possible.
 */
static bool read_texts_together(creo_reader *reader, size_t count, creo_string_array *value, bool *done)
{
    creo_arena *arena = reader->arena;
    size_t size = count * sizeof(creo_string);
    *done = false;
    /* A count is below 2^31, and at most the number of bytes left. */
    if (creo_left(reader) > SIZE_MAX - size)
        return true;
    uint8_t *memory = (uint8_t *)creo_arena_take(arena, (size + creo_left(reader) + 15) / 16, 16);
    if (memory == NULL)
        return true;
    const uint8_t *first = reader->at;
    creo_string *items = (creo_string *)(void *)memory;
    bool last = memory + (size + creo_left(reader) + 15) / 16 * 16 == arena->at;
    *done = true;
    value->items = items;
    value->count = count;
    if (!read_texts_at(reader, memory + size, items, count))
        return false;
    uint8_t *end = arena->at;
    copy_texts(reader, first, memory + size);
    if (!last)
        arena->at = end;
    return true;
}

bool creo_read_string_array(creo_reader *reader, creo_string_array *value)
{
    uint32_t count;
    if (!creo_read_items(reader, 1, TEXT_CHARGE, &count))
        return false;
    value->items = NULL;
    value->count = count;
    if (count == 0)
        return true;
    if (reader->keep == CREO_COPY) {
        bool done;
        if (!read_texts_together(reader, count, value, &done))
            return false;
        if (done)
            return true;
    }
    creo_string *items = (creo_string *)creo_read_take(reader, count, sizeof *items);
    if (items == NULL)
        return false;
    value->items = items;
    const uint8_t *first = reader->at;
    if (!read_texts_at(reader, first, items, count))
        return false;
    return reader->keep == CREO_BORROW || keep_texts(reader, first, items, count);
}

bool creo_read_decimal_array(creo_reader *reader, creo_decimal_array *value)
{
    creo_string *items = NULL;
    creo_string_array texts;
    if (!read_text_count(reader, 2, DECIMAL_CHARGE, &items, &texts))
        return false;
    const uint8_t *first = reader->at;
    for (size_t i = 0; i < texts.count; i++)
        if (!borrow_decimal(reader, &items[i]))
            return creo_at_index(reader->error, i);
    value->items = texts.items;
    value->count = texts.count;
    return reader->keep == CREO_BORROW || texts.count == 0 || keep_texts(reader, first, items, texts.count);
}

bool creo_read_datetime_array(creo_reader *reader, creo_datetime_array *value)
{
    uint32_t count;
    if (!creo_read_items(reader, 12, DATETIME_CHARGE, &count))
        return false;
    value->items = NULL;
    value->count = count;
    if (count == 0)
        return true;
    creo_datetime *items = (creo_datetime *)creo_read_take(reader, count, sizeof *items);
    if (items == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!creo_read_datetime(reader, &items[i]))
            return creo_at_index(reader->error, i);
    value->items = items;
    return true;
}

bool creo_read_bytes_array(creo_reader *reader, creo_bytes_array *value)
{
    uint32_t count;
    if (!creo_read_items(reader, 1, BYTES_CHARGE, &count))
        return false;
    value->items = NULL;
    value->count = count;
    if (count == 0)
        return true;
    creo_bytes *items = (creo_bytes *)creo_read_take(reader, count, sizeof *items);
    if (items == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!creo_read_bytes(reader, &items[i]))
            return creo_at_index(reader->error, i);
    value->items = items;
    return true;
}

bool creo_read_region(creo_reader *reader, const uint8_t **outer)
{
    const uint8_t *at = reader->at;
    uint32_t size = 0;
    if (!creo_read_u32(reader, &size))
        return false;
    if (size > creo_left(reader))
        return creo_reader_malformed(reader, at, "the size is larger than the bytes that are left");
    *outer = reader->end;
    reader->end = reader->at + size;
    return true;
}

bool creo_region_leave_full(creo_reader *reader, const uint8_t *outer)
{
    if (reader->at != reader->end)
        return creo_reader_malformed(reader, reader->at, "the value does not fill its size");
    reader->end = outer;
    return true;
}

bool creo_reader_enter(creo_reader *reader)
{
    if (reader->depth_left == 0) {
        raise_limit(reader, reader->at, "maxDepth", reader->max_depth);
        return false;
    }
    reader->depth_left--;
    return true;
}

bool creo_reader_distinct(creo_reader *reader, const uint8_t *start, const void *entries, size_t count, size_t stride, creo_key key)
{
    creo_entries list = {(const uint8_t *)entries, count, stride, key};
    size_t room = creo_entries_room(&list);
    size_t again;
    if (room != 0) {
        creo_mark mark = creo_arena_mark(reader->arena);
        uint32_t *table = (uint32_t *)creo_read_take(reader, room, sizeof *table);
        if (table == NULL)
            return false;
        again = creo_entries_repeated(&list, table);
        creo_arena_rewind(reader->arena, mark);
    } else {
        again = creo_entries_repeated(&list, NULL);
    }
    if (again == count)
        return true;
    (void)creo_reader_malformed(reader, start, "a key occurs twice in a map");
    return creo_at_key(reader->error, again);
}
