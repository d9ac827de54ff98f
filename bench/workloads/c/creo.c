/* Creo's generated structs and codecs, decoding into one arena that is kept. The runtime is compiled here, since the way from a response to its result is not part of its API. */
#include <src/creo.c>

#include "workloads.h"

#include <workloads.text.h>

struct state {
    const struct source *source;
    creo_keep keep;
    union message decoded;
    creo_arena arena;
    struct bump bump;
};

static void *make(const struct source *source, creo_keep keep)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->source = source;
    state->keep = keep;
    creo_arena_init(&state->arena, creo_allocator_libc());
    return state;
}

static void *create(const struct source *source)
{
    return make(source, CREO_COPY);
}

static void *create_borrow(const struct source *source)
{
    return make(source, CREO_BORROW);
}

static workloads_string_string_map map(struct bump *bump, const workloads_string_string_map *from)
{
    workloads_string_string_map_entry *entries = take(bump, from->count, sizeof *entries);
    for (size_t i = 0; i < from->count; i++)
        entries[i] = (workloads_string_string_map_entry){from->entries[i].key, from->entries[i].value};
    return (workloads_string_string_map){entries, from->count};
}

static workloads_node node(struct bump *bump, const workloads_node *from)
{
    workloads_node *children = take(bump, from->children.count, sizeof *children);
    for (size_t i = 0; i < from->children.count; i++)
        children[i] = node(bump, &from->children.items[i]);
    return (workloads_node){from->kind, from->has_text, from->text, map(bump, &from->attributes), {children, from->children.count}};
}

static void *build(void *opaque)
{
    struct state *state = opaque;
    struct bump *bump = &state->bump;
    bump->used = 0;
    union message *made = take(bump, 1, sizeof *made);
    switch (state->source->kind) {
    case ORDERS: {
        const workloads_order_array *from = &state->source->message.orders.orders;
        workloads_order *orders = take(bump, from->count, sizeof *orders);
        for (size_t i = 0; i < from->count; i++) {
            const workloads_order *o = &from->items[i];
            workloads_item *items = take(bump, o->items.count, sizeof *items);
            for (size_t k = 0; k < o->items.count; k++) {
                const workloads_item *item = &o->items.items[k];
                items[k] = (workloads_item){item->sku, item->quantity, item->price, item->has_note, item->note};
            }
            orders[i] = (workloads_order){o->id, o->customer, o->placed, {items, o->items.count}, map(bump, &o->tags)};
        }
        made->orders.orders = (workloads_order_array){orders, from->count};
        break;
    }
    case TELEMETRY: {
        const workloads_reading_array *from = &state->source->message.telemetry.readings;
        workloads_reading *readings = take(bump, from->count, sizeof *readings);
        for (size_t i = 0; i < from->count; i++)
            readings[i] = (workloads_reading){from->items[i].at, from->items[i].value, from->items[i].flags, from->items[i].has_unit, from->items[i].unit};
        made->telemetry.readings = (workloads_reading_array){readings, from->count};
        break;
    }
    case DOCUMENT:
        made->document = (workloads_document){state->source->message.document.title, node(bump, &state->source->message.document.root)};
        break;
    }
    return made;
}

static void discard(void *opaque, void *message)
{
    (void)opaque;
    (void)message;
}

static size_t encode(void *opaque, const void *opaque_message, uint8_t *out, size_t capacity)
{
    struct state *state = opaque;
    const union message *message = opaque_message;
    creo_writer writer;
    creo_writer_init_fixed(&writer, out, capacity, NULL, NULL);
    bool done = false;
    switch (state->source->kind) {
    case ORDERS:
        done = workloads_orders_encode(&writer, &message->orders);
        break;
    case TELEMETRY:
        done = workloads_telemetry_encode(&writer, &message->telemetry);
        break;
    case DOCUMENT:
        done = workloads_document_encode(&writer, &message->document);
        break;
    }
    return done ? creo_writer_size(&writer) : 0;
}

static void *decode(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    creo_reader reader;
    if (!creo_reader_init(&reader, creo_bytes_of(bytes, size), state->keep, &state->arena, NULL, NULL))
        return NULL;
    bool done = false;
    switch (state->source->kind) {
    case ORDERS:
        done = workloads_orders_decode(&reader, &state->decoded.orders);
        break;
    case TELEMETRY:
        done = workloads_telemetry_decode(&reader, &state->decoded.telemetry);
        break;
    case DOCUMENT:
        done = workloads_document_decode(&reader, &state->decoded.document);
        break;
    }
    return done && creo_reader_finish(&reader) ? &state->decoded : NULL;
}

static void release(void *opaque, void *message)
{
    (void)message;
    creo_arena_reset(&((struct state *)opaque)->arena);
}

static uint64_t read_fields(void *opaque, const void *message)
{
    return read_message(((struct state *)opaque)->source->kind, message);
}

static const creo_text_root *root_of(const struct state *state)
{
    return state->source->kind == ORDERS ? &workloads_orders_xml : state->source->kind == TELEMETRY ? &workloads_telemetry_xml : &workloads_document_xml;
}

static size_t encode_json(void *opaque, const void *message, uint8_t *out, size_t capacity)
{
    struct state *state = opaque;
    creo_bytes json;
    bool done = creo_json_to_bytes(root_of(state), message, &state->arena, &json, NULL) && json.size <= capacity;
    if (done)
        memcpy(out, json.data, json.size);
    creo_arena_reset(&state->arena);
    return done ? json.size : 0;
}

static void *decode_json(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    return creo_json_from_bytes(root_of(state), creo_bytes_of(bytes, size), &state->arena, &state->decoded, NULL) ? &state->decoded : NULL;
}

/* The result is in the outcome; the received bytes stay in place until they have been used, as in the client. */
static void *decode_soap(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    creo_error error = {0};
    creo_limits limits = creo_limits_default();
    const creo_text_method *method = &workloads_workloads_text.methods[0];
    creo_bytes envelope = {bytes, size};
    return creo_soap_read(method, envelope, CREO_CHARSET_UTF8, NULL, 0, 0, NULL, NULL, &state->arena, &limits, &state->decoded, &error) == CREO_SOAP_OUTCOME ? &state->decoded : NULL;
}

const struct peer creo_peer = {"binary", "creo", create, build, encode, discard, decode, release, read_fields};
const struct peer creo_borrow_peer = {"binary", "creo-borrow", create_borrow, build, encode, discard, decode, release, read_fields};
const struct peer creo_json_peer = {"json", "creo", create, build, encode_json, discard, decode_json, release, read_fields};
const struct peer creo_soap_peer = {"soap", "creo", create, NULL, NULL, NULL, decode_soap, release, read_fields};
