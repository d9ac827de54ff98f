/* Apache Thrift for C with GLib, on a transport that only moves a position (thrift_memory.h); transport and protocol are kept. */
#include "wire.h"
#include "thrift_memory.h"
#include "wire_thrift_wire_types.h"

#include <stdlib.h>
#include <string.h>
#include <thrift/c_glib/protocol/thrift_binary_protocol.h>
#include <thrift/c_glib/protocol/thrift_compact_protocol.h>

struct state {
    BenchMemory *memory;
    ThriftProtocol *protocol;
    GType type;
    ThriftStruct *value;
};

static ThriftStruct *build(const struct values *values)
{
    static GType (*const types[WORKLOADS])(void) = {
        wire_thrift_numbers_get_type, wire_thrift_strings_get_type, wire_thrift_strings_get_type, wire_thrift_bytes_get_type, wire_thrift_reals_get_type};
    ThriftStruct *made = g_object_new(types[values->workload](), NULL);
    switch (values->workload) {
    case NUMBERS:
        for (size_t i = 0; i < values->count; i++) {
            wire_thriftBlock *block = g_object_new(WIRE_THRIFT_TYPE_BLOCK, NULL);
            block->d = values->blocks[i].d;
            block->s = values->blocks[i].s;
            g_ptr_array_add(((wire_thriftNumbers *)made)->blocks, block);
        }
        break;
    case STRINGS:
    case TEXTS:
        for (size_t i = 0; i < values->count; i++)
            g_ptr_array_add(((wire_thriftStrings *)made)->items, g_strdup(values->texts[i].data));
        break;
    case BYTES: {
        GByteArray *data = g_byte_array_new();
        g_byte_array_append(data, values->bytes, (guint)values->count);
        ((wire_thriftBytes *)made)->data = data;
        break;
    }
    case REALS:
    case WORKLOADS:
        g_array_append_vals(((wire_thriftReals *)made)->values, values->reals, (guint)values->count);
        break;
    }
    return made;
}

static struct state *make(const struct values *values, GType protocol)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->memory = g_object_new(bench_memory_get_type(), NULL);
    state->protocol = g_object_new(protocol, "transport", state->memory, NULL);
    state->value = build(values);
    state->type = G_OBJECT_TYPE(state->value);
    return state;
}

static void *create_binary(const struct values *values)
{
    return make(values, THRIFT_TYPE_BINARY_PROTOCOL);
}

static void *create_compact(const struct values *values)
{
    return make(values, THRIFT_TYPE_COMPACT_PROTOCOL);
}

static size_t serialize(void *opaque, uint8_t *out, size_t capacity)
{
    struct state *state = opaque;
    state->memory->out = out;
    state->memory->capacity = capacity;
    state->memory->written = 0;
    GError *error = NULL;
    return thrift_struct_write(state->value, state->protocol, &error) < 0 ? 0 : state->memory->written;
}

static void *deserialize(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    state->memory->in = bytes;
    state->memory->left = size;
    ThriftStruct *decoded = g_object_new(state->type, NULL);
    GError *error = NULL;
    return thrift_struct_read(decoded, state->protocol, &error) < 0 ? NULL : decoded;
}

static void release(void *opaque, void *decoded)
{
    (void)opaque;
    g_object_unref(decoded);
}

static bool same(const struct values *values, const void *decoded)
{
    switch (values->workload) {
    case NUMBERS: {
        const wire_thriftNumbers *numbers = decoded;
        if (numbers->blocks->len != values->count)
            return false;
        for (size_t i = 0; i < values->count; i++) {
            const wire_thriftBlock *block = numbers->blocks->pdata[i];
            if (block->d != values->blocks[i].d || block->s != values->blocks[i].s)
                return false;
        }
        return true;
    }
    case STRINGS:
    case TEXTS: {
        const wire_thriftStrings *strings = decoded;
        if (strings->items->len != values->count)
            return false;
        for (size_t i = 0; i < values->count; i++)
            if (strcmp(strings->items->pdata[i], values->texts[i].data) != 0)
                return false;
        return true;
    }
    case BYTES: {
        const wire_thriftBytes *bytes = decoded;
        return bytes->data->len == values->count && memcmp(bytes->data->data, values->bytes, values->count) == 0;
    }
    case REALS:
    case WORKLOADS: {
        const wire_thriftReals *reals = decoded;
        return reals->values->len == values->count && memcmp(reals->values->data, values->reals, 8 * values->count) == 0;
    }
    }
    return false;
}

const struct peer thrift_binary_peer = {"thrift-binary", create_binary, serialize, deserialize, release, same};
const struct peer thrift_compact_peer = {"thrift-compact", create_compact, serialize, deserialize, release, same};
