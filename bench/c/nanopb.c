/*
 * nanopb with callbacks, its way for arrays of any length: the callbacks write from and decode into plain structs, in arrays that grow.
 */
#include "wire.h"

#include <pb_decode.h>
#include <pb_encode.h>
#include <stdlib.h>
#include <string.h>

#include "nanopb/wire.pb.h"

struct state {
    const struct values *values;
    /** What was decoded; its arrays are kept and used again, as in an arena. */
    struct values decoded;
    char *characters;
    size_t characters_used;
};

static bool write_blocks(pb_ostream_t *stream, const pb_field_iter_t *field, void *const *arg)
{
    const struct values *values = *arg;
    for (size_t i = 0; i < values->count; i++) {
        wire_proto_Block block = {values->blocks[i].d, values->blocks[i].s};
        if (!pb_encode_tag_for_field(stream, field) || !pb_encode_submessage(stream, wire_proto_Block_fields, &block))
            return false;
    }
    return true;
}

static bool write_texts(pb_ostream_t *stream, const pb_field_iter_t *field, void *const *arg)
{
    const struct values *values = *arg;
    for (size_t i = 0; i < values->count; i++)
        if (!pb_encode_tag_for_field(stream, field) ||
            !pb_encode_string(stream, (const pb_byte_t *)values->texts[i].data, values->texts[i].size))
            return false;
    return true;
}

static bool write_bytes(pb_ostream_t *stream, const pb_field_iter_t *field, void *const *arg)
{
    const struct values *values = *arg;
    return pb_encode_tag_for_field(stream, field) && pb_encode_string(stream, values->bytes, values->count);
}

static bool write_reals(pb_ostream_t *stream, const pb_field_iter_t *field, void *const *arg)
{
    const struct values *values = *arg;
    if (!pb_encode_tag(stream, PB_WT_STRING, field->tag) || !pb_encode_varint(stream, 8 * values->count))
        return false;
    for (size_t i = 0; i < values->count; i++)
        if (!pb_encode_fixed64(stream, &values->reals[i]))
            return false;
    return true;
}

static bool read_block(pb_istream_t *stream, const pb_field_iter_t *field, void **arg)
{
    struct state *state = *arg;
    (void)field;
    wire_proto_Block block = wire_proto_Block_init_zero;
    if (state->decoded.count == state->values->count || !pb_decode(stream, wire_proto_Block_fields, &block))
        return false;
    struct block *to = &state->decoded.blocks[state->decoded.count++];
    to->d = block.d;
    to->s = (int16_t)block.s;
    return true;
}

static bool read_text(pb_istream_t *stream, const pb_field_iter_t *field, void **arg)
{
    struct state *state = *arg;
    (void)field;
    size_t size = stream->bytes_left;
    if (state->decoded.count == state->values->count || size > 2 * state->values->size - state->characters_used)
        return false;
    struct text *to = &state->decoded.texts[state->decoded.count++];
    to->data = state->characters + state->characters_used;
    to->size = size;
    if (!pb_read(stream, (pb_byte_t *)(state->characters + state->characters_used), size))
        return false;
    state->characters_used += size;
    return true;
}

static bool read_bytes(pb_istream_t *stream, const pb_field_iter_t *field, void **arg)
{
    struct state *state = *arg;
    (void)field;
    if (stream->bytes_left > state->values->size)
        return false;
    state->decoded.count = stream->bytes_left;
    return pb_read(stream, state->decoded.bytes, stream->bytes_left);
}

/** Packed: called once with all the bytes of the array, or several times. */
static bool read_reals(pb_istream_t *stream, const pb_field_iter_t *field, void **arg)
{
    struct state *state = *arg;
    (void)field;
    while (stream->bytes_left != 0) {
        if (state->decoded.count == state->values->count || !pb_decode_fixed64(stream, &state->decoded.reals[state->decoded.count]))
            return false;
        state->decoded.count++;
    }
    return true;
}

static void *create(const struct values *values)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->values = values;
    state->decoded.workload = values->workload;
    switch (values->workload) {
    case NUMBERS:
        state->decoded.blocks = must(calloc(values->count + 1, sizeof(struct block)));
        break;
    case STRINGS:
    case TEXTS:
        state->decoded.texts = must(calloc(values->count + 1, sizeof(struct text)));
        state->characters = must(malloc(2 * values->size + 1));
        break;
    case BYTES:
        state->decoded.bytes = must(malloc(values->size + 1));
        break;
    case REALS:
    case WORKLOADS:
        state->decoded.reals = must(calloc(values->count + 1, 8));
        break;
    }
    return state;
}

/** The message of a workload and its one field, which is a callback in each. */
static const pb_msgdesc_t *const messages[WORKLOADS] = {
    wire_proto_Numbers_fields, wire_proto_Strings_fields, wire_proto_Strings_fields, wire_proto_Bytes_fields, wire_proto_Reals_fields};

union message {
    wire_proto_Numbers numbers;
    wire_proto_Strings strings;
    wire_proto_Bytes bytes;
    wire_proto_Reals reals;
    pb_callback_t field;
};

static size_t serialize(void *opaque, uint8_t *out, size_t capacity)
{
    static bool (*const writers[WORKLOADS])(pb_ostream_t *, const pb_field_iter_t *, void *const *) = {
        write_blocks, write_texts, write_texts, write_bytes, write_reals};
    struct state *state = opaque;
    pb_ostream_t stream = pb_ostream_from_buffer(out, capacity);
    union message message = {0};
    message.field.funcs.encode = writers[state->values->workload];
    message.field.arg = (void *)(uintptr_t)state->values;
    return pb_encode(&stream, messages[state->values->workload], &message) ? stream.bytes_written : 0;
}

static void *deserialize(void *opaque, const uint8_t *bytes, size_t size)
{
    static bool (*const readers[WORKLOADS])(pb_istream_t *, const pb_field_iter_t *, void **) = {
        read_block, read_text, read_text, read_bytes, read_reals};
    struct state *state = opaque;
    pb_istream_t stream = pb_istream_from_buffer(bytes, size);
    union message message = {0};
    message.field.funcs.decode = readers[state->values->workload];
    message.field.arg = state;
    state->decoded.count = 0;
    state->characters_used = 0;
    return pb_decode(&stream, messages[state->values->workload], &message) ? &state->decoded : NULL;
}

static void release(void *opaque, void *decoded)
{
    (void)opaque;
    (void)decoded;
}

static bool same(const struct values *values, const void *decoded)
{
    return hand_peer.same(values, decoded);
}

const struct peer nanopb_peer = {"nanopb", create, serialize, deserialize, release, same};
