/* Creo's generated structs and codecs, decoding into one arena that is kept; and the same without the copy of texts and bytes, which may stay where they were
 * received. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <wire.creo.h>

union value {
    wire_numbers numbers;
    wire_strings strings;
    wire_bytes bytes;
    wire_reals reals;
};

struct state {
    enum workload workload;
    creo_keep keep;
    union value value;
    union value decoded;
    creo_arena arena;
};

static struct state *make(const struct values *values, creo_keep keep)
{
    struct state *state = must(calloc(1, sizeof *state));
    size_t count = values->count;
    state->workload = values->workload;
    state->keep = keep;
    creo_arena_init(&state->arena, creo_allocator_libc());
    switch (values->workload) {
    case NUMBERS: {
        wire_block *blocks = must(calloc(count + 1, sizeof *blocks));
        for (size_t i = 0; i < count; i++)
            blocks[i] = (wire_block){values->blocks[i].d, values->blocks[i].s};
        state->value.numbers.blocks = (wire_block_array){blocks, count};
        break;
    }
    case STRINGS:
    case TEXTS: {
        creo_string *texts = must(calloc(count + 1, sizeof *texts));
        for (size_t i = 0; i < count; i++)
            texts[i] = (creo_string){values->texts[i].data, values->texts[i].size};
        state->value.strings.items = (creo_string_array){texts, count};
        break;
    }
    case BYTES:
        state->value.bytes.data = (creo_bytes){values->bytes, count};
        break;
    case REALS:
    case WORKLOADS:
        state->value.reals.values = (creo_double_array){values->reals, count};
        break;
    }
    return state;
}

static void *create(const struct values *values)
{
    return make(values, CREO_COPY);
}

static void *create_borrow(const struct values *values)
{
    return make(values, CREO_BORROW);
}

static size_t serialize(void *opaque, uint8_t *out, size_t capacity)
{
    struct state *state = opaque;
    creo_writer writer;
    creo_writer_init_fixed(&writer, out, capacity, NULL, NULL);
    bool done = false;
    switch (state->workload) {
    case NUMBERS:
        done = wire_numbers_encode(&writer, &state->value.numbers);
        break;
    case STRINGS:
    case TEXTS:
        done = wire_strings_encode(&writer, &state->value.strings);
        break;
    case BYTES:
        done = wire_bytes_encode(&writer, &state->value.bytes);
        break;
    case REALS:
    case WORKLOADS:
        done = wire_reals_encode(&writer, &state->value.reals);
        break;
    }
    return done ? creo_writer_size(&writer) : 0;
}

static void *deserialize(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    creo_reader reader;
    if (!creo_reader_init(&reader, creo_bytes_of(bytes, size), state->keep, &state->arena, NULL, NULL))
        return NULL;
    bool done = false;
    switch (state->workload) {
    case NUMBERS:
        done = wire_numbers_decode(&reader, &state->decoded.numbers);
        break;
    case STRINGS:
    case TEXTS:
        done = wire_strings_decode(&reader, &state->decoded.strings);
        break;
    case BYTES:
        done = wire_bytes_decode(&reader, &state->decoded.bytes);
        break;
    case REALS:
    case WORKLOADS:
        done = wire_reals_decode(&reader, &state->decoded.reals);
        break;
    }
    return done && creo_reader_finish(&reader) ? &state->decoded : NULL;
}

static void release(void *opaque, void *decoded)
{
    (void)decoded;
    creo_arena_reset(&((struct state *)opaque)->arena);
}

static bool same(const struct values *values, const void *opaque)
{
    const union value *decoded = opaque;
    size_t count = values->count;
    switch (values->workload) {
    case NUMBERS:
        if (decoded->numbers.blocks.count != count)
            return false;
        for (size_t i = 0; i < count; i++)
            if (decoded->numbers.blocks.items[i].d != values->blocks[i].d || decoded->numbers.blocks.items[i].s != values->blocks[i].s)
                return false;
        return true;
    case STRINGS:
    case TEXTS:
        if (decoded->strings.items.count != count)
            return false;
        for (size_t i = 0; i < count; i++) {
            creo_string text = decoded->strings.items.items[i];
            if (text.size != values->texts[i].size || memcmp(text.data, values->texts[i].data, text.size) != 0)
                return false;
        }
        return true;
    case BYTES:
        return decoded->bytes.data.size == count && memcmp(decoded->bytes.data.data, values->bytes, count) == 0;
    case REALS:
    case WORKLOADS:
        return decoded->reals.values.count == count && memcmp(decoded->reals.values.items, values->reals, 8 * count) == 0;
    }
    return false;
}

const struct peer creo_peer = {"creo", create, serialize, deserialize, release, same};
const struct peer creo_borrow_peer = {"creo-borrow", create_borrow, serialize, deserialize, release, same};
