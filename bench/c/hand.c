/*
 * A careful programmer's handwritten code for this one layout (counts as u32, big-endian, decoded into one arena): a floor for generated code, not a
 * product. It checks that the count fits the bytes, but not the texts.
 */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

struct state {
    const struct values *values;
    /** The arena: room for one decoded value. */
    uint8_t *arena;
    struct values decoded;
};

static void *create(const struct values *values)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->values = values;
    state->arena = must(malloc(64 + values->count * sizeof(struct block) + values->count * sizeof(struct text) + 2 * values->size));
    return state;
}

static void put32(uint8_t *at, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(at, &v, 4);
}

static uint32_t get32(const uint8_t *at)
{
    uint32_t v;
    memcpy(&v, at, 4);
    return __builtin_bswap32(v);
}

static size_t serialize(void *opaque, uint8_t *restrict out, size_t capacity)
{
    const struct values *values = ((struct state *)opaque)->values;
    size_t count = values->count;
    uint8_t *at = out + 4;
    if (capacity < 4 + 14 * count && values->workload != BYTES && values->workload != REALS)
        return 0;
    put32(out, (uint32_t)count);
    switch (values->workload) {
    case NUMBERS: {
        const struct block *restrict blocks = values->blocks;
        for (size_t i = 0; i < count; i++, at += 10) {
            uint64_t d;
            memcpy(&d, &blocks[i].d, 8);
            d = __builtin_bswap64(d);
            uint16_t s = __builtin_bswap16((uint16_t)blocks[i].s);
            memcpy(at, &d, 8);
            memcpy(at + 8, &s, 2);
        }
        break;
    }
    case STRINGS:
    case TEXTS:
        for (size_t i = 0; i < count; i++) {
            size_t size = values->texts[i].size;
            put32(at, (uint32_t)size);
            memcpy(at + 4, values->texts[i].data, size);
            at += 4 + size;
        }
        break;
    case BYTES:
        memcpy(at, values->bytes, count);
        at += count;
        break;
    case REALS:
    case WORKLOADS: {
        const double *restrict reals = values->reals;
        for (size_t i = 0; i < count; i++, at += 8) {
            uint64_t d;
            memcpy(&d, &reals[i], 8);
            d = __builtin_bswap64(d);
            memcpy(at, &d, 8);
        }
        break;
    }
    }
    return (size_t)(at - out);
}

static void *deserialize(void *opaque, const uint8_t *restrict bytes, size_t size)
{
    struct state *state = opaque;
    struct values *decoded = &state->decoded;
    size_t count = get32(bytes);
    const uint8_t *at = bytes + 4;
    if (count > size)
        return NULL;
    decoded->count = count;
    switch (state->values->workload) {
    case NUMBERS: {
        struct block *restrict blocks = decoded->blocks = (struct block *)(void *)state->arena;
        for (size_t i = 0; i < count; i++, at += 10) {
            uint64_t d;
            uint16_t s;
            memcpy(&d, at, 8);
            memcpy(&s, at + 8, 2);
            d = __builtin_bswap64(d);
            memcpy(&blocks[i].d, &d, 8);
            blocks[i].s = (int16_t)__builtin_bswap16(s);
        }
        break;
    }
    case STRINGS:
    case TEXTS: {
        struct text *texts = decoded->texts = (struct text *)(void *)state->arena;
        char *characters = (char *)(texts + count);
        for (size_t i = 0; i < count; i++) {
            size_t length = get32(at);
            memcpy(characters, at + 4, length);
            texts[i].data = characters;
            texts[i].size = length;
            characters += length;
            at += 4 + length;
        }
        break;
    }
    case BYTES:
        decoded->bytes = state->arena;
        memcpy(state->arena, at, count);
        break;
    case REALS:
    case WORKLOADS: {
        double *restrict reals = decoded->reals = (double *)(void *)state->arena;
        for (size_t i = 0; i < count; i++, at += 8) {
            uint64_t d;
            memcpy(&d, at, 8);
            d = __builtin_bswap64(d);
            memcpy(&reals[i], &d, 8);
        }
        break;
    }
    }
    return decoded;
}

static void release(void *opaque, void *decoded)
{
    (void)opaque;
    (void)decoded;
}

static bool same(const struct values *values, const void *opaque)
{
    const struct values *decoded = opaque;
    if (decoded->count != values->count)
        return false;
    for (size_t i = 0; i < values->count; i++) {
        switch (values->workload) {
        case NUMBERS:
            if (decoded->blocks[i].d != values->blocks[i].d || decoded->blocks[i].s != values->blocks[i].s)
                return false;
            break;
        case STRINGS:
        case TEXTS:
            if (decoded->texts[i].size != values->texts[i].size ||
                memcmp(decoded->texts[i].data, values->texts[i].data, values->texts[i].size) != 0)
                return false;
            break;
        case BYTES:
            return memcmp(decoded->bytes, values->bytes, values->count) == 0;
        case REALS:
        case WORKLOADS:
            return memcmp(decoded->reals, values->reals, values->count * 8) == 0;
        }
    }
    return true;
}

const struct peer hand_peer = {"hand", create, serialize, deserialize, release, same};
