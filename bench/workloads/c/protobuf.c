/* protobuf-c, decoding into a block of memory that is kept. */
#include "workloads.h"

#include <stdlib.h>

#include "workloads.pb-c.h"

typedef Bench__Workloads__Proto__Item Item;
typedef Bench__Workloads__Proto__Instant Instant;
typedef Bench__Workloads__Proto__Order Order;
typedef Bench__Workloads__Proto__Order__TagsEntry Tag;
typedef Bench__Workloads__Proto__Orders Orders;
typedef Bench__Workloads__Proto__Reading Reading;
typedef Bench__Workloads__Proto__Telemetry Telemetry;
typedef Bench__Workloads__Proto__Node Node;
typedef Bench__Workloads__Proto__Node__AttributesEntry Attribute;
typedef Bench__Workloads__Proto__Document Document;

struct state {
    const struct source *source;
    const ProtobufCMessageDescriptor *descriptor;
    struct bump built;
    struct bump decoded;
    ProtobufCAllocator allocator;
};

static void *allocate(void *bump, size_t size)
{
    return take(bump, 1, size);
}

static void let_go(void *bump, void *memory)
{
    (void)bump;
    (void)memory;
}

static void *create(const struct source *source)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->source = source;
    state->descriptor = source->kind == ORDERS      ? &bench__workloads__proto__orders__descriptor
                        : source->kind == TELEMETRY ? &bench__workloads__proto__telemetry__descriptor
                                                    : &bench__workloads__proto__document__descriptor;
    state->allocator = (ProtobufCAllocator){allocate, let_go, &state->decoded};
    return state;
}

static char *chars(creo_string string)
{
    return (char *)(uintptr_t)string.data;
}

static Instant *instant(struct bump *bump, creo_datetime value)
{
    Instant *made = take(bump, 1, sizeof *made);
    bench__workloads__proto__instant__init(made);
    made->seconds = value.seconds;
    made->nanoseconds = (int32_t)value.nanoseconds;
    return made;
}

static Node *node(struct bump *bump, const workloads_node *from)
{
    Node *made = take(bump, 1, sizeof *made);
    bench__workloads__proto__node__init(made);
    made->kind = chars(from->kind);
    made->text = from->has_text ? chars(from->text) : NULL;
    made->n_attributes = from->attributes.count;
    made->attributes = take(bump, from->attributes.count, sizeof *made->attributes);
    Attribute *entries = take(bump, from->attributes.count, sizeof *entries);
    for (size_t i = 0; i < from->attributes.count; i++) {
        bench__workloads__proto__node__attributes_entry__init(&entries[i]);
        entries[i].key = chars(from->attributes.entries[i].key);
        entries[i].value = chars(from->attributes.entries[i].value);
        made->attributes[i] = &entries[i];
    }
    made->n_children = from->children.count;
    made->children = take(bump, from->children.count, sizeof *made->children);
    for (size_t i = 0; i < from->children.count; i++)
        made->children[i] = node(bump, &from->children.items[i]);
    return made;
}

static Order *order(struct bump *bump, const workloads_order *from)
{
    Order *made = take(bump, 1, sizeof *made);
    bench__workloads__proto__order__init(made);
    made->id = from->id;
    made->customer = chars(from->customer);
    made->placed = instant(bump, from->placed);
    made->n_items = from->items.count;
    made->items = take(bump, from->items.count, sizeof *made->items);
    Item *items = take(bump, from->items.count, sizeof *items);
    for (size_t i = 0; i < from->items.count; i++) {
        const workloads_item *item = &from->items.items[i];
        bench__workloads__proto__item__init(&items[i]);
        items[i].sku = chars(item->sku);
        items[i].quantity = item->quantity;
        items[i].price = item->price;
        items[i].note = item->has_note ? chars(item->note) : NULL;
        made->items[i] = &items[i];
    }
    made->n_tags = from->tags.count;
    made->tags = take(bump, from->tags.count, sizeof *made->tags);
    Tag *tags = take(bump, from->tags.count, sizeof *tags);
    for (size_t i = 0; i < from->tags.count; i++) {
        bench__workloads__proto__order__tags_entry__init(&tags[i]);
        tags[i].key = chars(from->tags.entries[i].key);
        tags[i].value = chars(from->tags.entries[i].value);
        made->tags[i] = &tags[i];
    }
    return made;
}

static void *build(void *opaque)
{
    struct state *state = opaque;
    struct bump *bump = &state->built;
    bump->used = 0;
    switch (state->source->kind) {
    case ORDERS: {
        const workloads_order_array *from = &state->source->message.orders.orders;
        Orders *made = take(bump, 1, sizeof *made);
        bench__workloads__proto__orders__init(made);
        made->n_orders = from->count;
        made->orders = take(bump, from->count, sizeof *made->orders);
        for (size_t i = 0; i < from->count; i++)
            made->orders[i] = order(bump, &from->items[i]);
        return made;
    }
    case TELEMETRY: {
        const workloads_reading_array *from = &state->source->message.telemetry.readings;
        Telemetry *made = take(bump, 1, sizeof *made);
        bench__workloads__proto__telemetry__init(made);
        made->n_readings = from->count;
        made->readings = take(bump, from->count, sizeof *made->readings);
        Reading *readings = take(bump, from->count, sizeof *readings);
        for (size_t i = 0; i < from->count; i++) {
            bench__workloads__proto__reading__init(&readings[i]);
            readings[i].at = instant(bump, from->items[i].at);
            readings[i].value = from->items[i].value;
            readings[i].flags = from->items[i].flags;
            readings[i].unit = from->items[i].has_unit ? chars(from->items[i].unit) : NULL;
            made->readings[i] = &readings[i];
        }
        return made;
    }
    case DOCUMENT: {
        Document *made = take(bump, 1, sizeof *made);
        bench__workloads__proto__document__init(made);
        made->title = chars(state->source->message.document.title);
        made->root = node(bump, &state->source->message.document.root);
        return made;
    }
    }
    return NULL;
}

static void discard(void *opaque, void *message)
{
    (void)opaque;
    (void)message;
}

static size_t encode(void *opaque, const void *message, uint8_t *out, size_t capacity)
{
    (void)opaque;
    (void)capacity;
    return protobuf_c_message_pack(message, out);
}

static void *decode(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    return protobuf_c_message_unpack(state->descriptor, &state->allocator, size, bytes);
}

static void release(void *opaque, void *message)
{
    (void)message;
    ((struct state *)opaque)->decoded.used = 0;
}

static void read_text(uint64_t *sum, const char *value)
{
    sum_text(sum, value, strlen(value));
}

/* An optional text that is absent is NULL. */
static void read_optional(uint64_t *sum, const char *value)
{
    if (value != NULL)
        read_text(sum, value);
    else
        sum_absent(sum);
}

static void read_instant(uint64_t *sum, const Instant *value)
{
    sum_number(sum, (uint64_t)value->seconds);
    sum_number(sum, (uint64_t)value->nanoseconds);
}

static void read_node(uint64_t *sum, const Node *n)
{
    read_text(sum, n->kind);
    read_optional(sum, n->text);
    uint64_t all = 0;
    for (size_t i = 0; i < n->n_attributes; i++)
        all += sum_entry(n->attributes[i]->key, strlen(n->attributes[i]->key), n->attributes[i]->value, strlen(n->attributes[i]->value));
    sum_number(sum, all);
    for (size_t i = 0; i < n->n_children; i++)
        read_node(sum, n->children[i]);
}

static uint64_t read_fields(void *opaque, const void *message)
{
    const struct state *state = opaque;
    uint64_t sum = 0;
    switch (state->source->kind) {
    case ORDERS: {
        const Orders *orders = message;
        for (size_t i = 0; i < orders->n_orders; i++) {
            const Order *o = orders->orders[i];
            sum_number(&sum, (uint64_t)o->id);
            read_text(&sum, o->customer);
            read_instant(&sum, o->placed);
            for (size_t k = 0; k < o->n_items; k++) {
                read_text(&sum, o->items[k]->sku);
                sum_number(&sum, (uint64_t)o->items[k]->quantity);
                sum_real(&sum, o->items[k]->price);
                read_optional(&sum, o->items[k]->note);
            }
            uint64_t all = 0;
            for (size_t k = 0; k < o->n_tags; k++)
                all += sum_entry(o->tags[k]->key, strlen(o->tags[k]->key), o->tags[k]->value, strlen(o->tags[k]->value));
            sum_number(&sum, all);
        }
        break;
    }
    case TELEMETRY: {
        const Telemetry *telemetry = message;
        for (size_t i = 0; i < telemetry->n_readings; i++) {
            read_instant(&sum, telemetry->readings[i]->at);
            sum_real(&sum, telemetry->readings[i]->value);
            sum_number(&sum, (uint64_t)telemetry->readings[i]->flags);
            read_optional(&sum, telemetry->readings[i]->unit);
        }
        break;
    }
    case DOCUMENT: {
        const Document *document = message;
        read_text(&sum, document->title);
        read_node(&sum, document->root);
        break;
    }
    }
    return sum;
}

const struct peer protobuf_c_peer = {"binary", "protobuf-c", create, build, encode, discard, decode, release, read_fields};
