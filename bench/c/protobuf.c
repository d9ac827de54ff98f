/*
 * protobuf-c in three ways: from plain structs and back, as in a program with its own types; prebuilt, where messages exist before and stay messages;
 * and with a bump allocator, which protobuf-c allows and few programs use.
 */
#include "wire.h"
#include "wire.pb-c.h"

#include <stdlib.h>
#include <string.h>

struct state {
    const struct values *values;
    bool prebuilt;
    ProtobufCAllocator *allocator;
    ProtobufCAllocator bump;
    uint8_t *arena;
    size_t arena_at;
    size_t arena_size;
    /** Messages that are filled for each call, or once. */
    WireProto__Block *blocks;
    void **pointers;
    union {
        ProtobufCMessage base;
        WireProto__Numbers numbers;
        WireProto__Strings strings;
        WireProto__Bytes bytes;
        WireProto__Reals reals;
    } message;
};

/** The result of decoding: the message, and plain structs made from it unless prebuilt. */
struct decoded {
    ProtobufCMessage *message;
    struct block *blocks;
    struct text *texts;
};

static void *bump_alloc(void *opaque, size_t size)
{
    struct state *state = opaque;
    size_t at = state->arena_at;
    size = (size + 15) & ~(size_t)15;
    if (size > state->arena_size - at)
        return NULL;
    state->arena_at = at + size;
    return state->arena + at;
}

static void bump_free(void *opaque, void *memory)
{
    (void)opaque;
    (void)memory;
}

static void build(struct state *state)
{
    const struct values *values = state->values;
    size_t count = values->count;
    switch (values->workload) {
    case NUMBERS:
        wire_proto__numbers__init(&state->message.numbers);
        for (size_t i = 0; i < count; i++) {
            wire_proto__block__init(&state->blocks[i]);
            state->blocks[i].d = values->blocks[i].d;
            state->blocks[i].s = values->blocks[i].s;
            state->pointers[i] = &state->blocks[i];
        }
        state->message.numbers.n_blocks = count;
        state->message.numbers.blocks = (WireProto__Block **)state->pointers;
        break;
    case STRINGS:
    case TEXTS:
        wire_proto__strings__init(&state->message.strings);
        for (size_t i = 0; i < count; i++)
            state->pointers[i] = (void *)(uintptr_t)values->texts[i].data;
        state->message.strings.n_items = count;
        state->message.strings.items = (char **)state->pointers;
        break;
    case BYTES:
        wire_proto__bytes__init(&state->message.bytes);
        state->message.bytes.data.len = count;
        state->message.bytes.data.data = values->bytes;
        break;
    case REALS:
    case WORKLOADS:
        wire_proto__reals__init(&state->message.reals);
        state->message.reals.n_values = count;
        state->message.reals.values = values->reals;
        break;
    }
}

static struct state *make(const struct values *values, bool prebuilt)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->values = values;
    state->prebuilt = prebuilt;
    state->pointers = must(calloc(values->count + 1, sizeof *state->pointers));
    if (values->workload == NUMBERS)
        state->blocks = must(calloc(values->count + 1, sizeof *state->blocks));
    build(state);
    return state;
}

static void *create(const struct values *values)
{
    return make(values, false);
}

static void *create_prebuilt(const struct values *values)
{
    return make(values, true);
}

static void *create_arena(const struct values *values)
{
    struct state *state = make(values, true);
    state->arena_size = 1024 + 8 * values->count + 2 * values->size + 256 * (values->workload == BYTES || values->workload == REALS ? 1 : values->count);
    state->arena = must(malloc(state->arena_size));
    state->bump = (ProtobufCAllocator){bump_alloc, bump_free, state};
    state->allocator = &state->bump;
    return state;
}

static size_t serialize(void *opaque, uint8_t *out, size_t capacity)
{
    struct state *state = opaque;
    if (!state->prebuilt)
        build(state);
    if (protobuf_c_message_get_packed_size(&state->message.base) > capacity)
        return 0;
    return protobuf_c_message_pack(&state->message.base, out);
}

static void *deserialize(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    struct decoded *decoded = must(calloc(1, sizeof *decoded));
    state->arena_at = 0;
    decoded->message = protobuf_c_message_unpack(state->message.base.descriptor, state->allocator, size, bytes);
    if (decoded->message == NULL)
        return NULL;
    if (!state->prebuilt && state->values->workload == NUMBERS) {
        const WireProto__Numbers *numbers = (const WireProto__Numbers *)decoded->message;
        decoded->blocks = must(malloc(numbers->n_blocks * sizeof *decoded->blocks + 1));
        for (size_t i = 0; i < numbers->n_blocks; i++) {
            decoded->blocks[i].d = numbers->blocks[i]->d;
            decoded->blocks[i].s = (int16_t)numbers->blocks[i]->s;
        }
    }
    if (!state->prebuilt && (state->values->workload == STRINGS || state->values->workload == TEXTS)) {
        const WireProto__Strings *strings = (const WireProto__Strings *)decoded->message;
        decoded->texts = must(malloc(strings->n_items * sizeof *decoded->texts + 1));
        for (size_t i = 0; i < strings->n_items; i++) {
            decoded->texts[i].data = strings->items[i];
            decoded->texts[i].size = strlen(strings->items[i]);
        }
    }
    return decoded;
}

static void release(void *opaque, void *memory)
{
    struct state *state = opaque;
    struct decoded *decoded = memory;
    if (state->allocator == NULL)
        protobuf_c_message_free_unpacked(decoded->message, NULL);
    free(decoded->blocks);
    free(decoded->texts);
    free(decoded);
}

static bool same(const struct values *values, const void *opaque)
{
    const struct decoded *decoded = opaque;
    switch (values->workload) {
    case NUMBERS: {
        const WireProto__Numbers *numbers = (const WireProto__Numbers *)decoded->message;
        if (numbers->n_blocks != values->count)
            return false;
        for (size_t i = 0; i < values->count; i++)
            if (numbers->blocks[i]->d != values->blocks[i].d || numbers->blocks[i]->s != values->blocks[i].s)
                return false;
        return true;
    }
    case STRINGS:
    case TEXTS: {
        const WireProto__Strings *strings = (const WireProto__Strings *)decoded->message;
        if (strings->n_items != values->count)
            return false;
        for (size_t i = 0; i < values->count; i++)
            if (strcmp(strings->items[i], values->texts[i].data) != 0)
                return false;
        return true;
    }
    case BYTES: {
        const WireProto__Bytes *bytes = (const WireProto__Bytes *)decoded->message;
        return bytes->data.len == values->count && memcmp(bytes->data.data, values->bytes, values->count) == 0;
    }
    case REALS:
    case WORKLOADS: {
        const WireProto__Reals *reals = (const WireProto__Reals *)decoded->message;
        return reals->n_values == values->count && memcmp(reals->values, values->reals, 8 * values->count) == 0;
    }
    }
    return false;
}

const struct peer protobuf_peer = {"protobuf-c", create, serialize, deserialize, release, same};
const struct peer protobuf_prebuilt_peer = {"protobuf-c-prebuilt", create_prebuilt, serialize, deserialize, release, same};
const struct peer protobuf_arena_peer = {"protobuf-c-arena", create_arena, serialize, deserialize, release, same};
