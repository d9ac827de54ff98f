/* nanopb with pointers, its way for texts and lists of any length that needs no code by hand. */
#include "workloads.h"

#include <pb_decode.h>
#include <pb_encode.h>
#include <stdlib.h>

#include "nanopb/workloads.pb.h"

typedef bench_workloads_proto_Item Item;
typedef bench_workloads_proto_Order Order;
typedef bench_workloads_proto_Order_TagsEntry Tag;
typedef bench_workloads_proto_Orders Orders;
typedef bench_workloads_proto_Reading Reading;
typedef bench_workloads_proto_Telemetry Telemetry;
typedef bench_workloads_proto_Node Node;
typedef bench_workloads_proto_Node_AttributesEntry Attribute;
typedef bench_workloads_proto_Document Document;

union any {
    Orders orders;
    Telemetry telemetry;
    Document document;
};

struct state {
    const struct source *source;
    const pb_msgdesc_t *fields;
    struct bump built;
    union any decoded;
};

static void *create(const struct source *source)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->source = source;
    state->fields = source->kind == ORDERS ? bench_workloads_proto_Orders_fields : source->kind == TELEMETRY ? bench_workloads_proto_Telemetry_fields : bench_workloads_proto_Document_fields;
    return state;
}

static char *chars(creo_string string)
{
    return (char *)(uintptr_t)string.data;
}

static bench_workloads_proto_Instant instant(creo_datetime value)
{
    return (bench_workloads_proto_Instant){value.seconds, (int32_t)value.nanoseconds};
}

static void fill(struct bump *bump, Node *to, const workloads_node *from)
{
    memset(to, 0, sizeof *to);
    to->kind = chars(from->kind);
    to->text = from->has_text ? chars(from->text) : NULL;
    to->attributes_count = (pb_size_t)from->attributes.count;
    to->attributes = take(bump, from->attributes.count, sizeof *to->attributes);
    for (size_t i = 0; i < from->attributes.count; i++)
        to->attributes[i] = (Attribute){chars(from->attributes.entries[i].key), chars(from->attributes.entries[i].value)};
    to->children_count = (pb_size_t)from->children.count;
    to->children = take(bump, from->children.count, sizeof *to->children);
    for (size_t i = 0; i < from->children.count; i++)
        fill(bump, &to->children[i], &from->children.items[i]);
}

static void *build(void *opaque)
{
    struct state *state = opaque;
    const union message *from = &state->source->message;
    struct bump *bump = &state->built;
    bump->used = 0;
    union any *made = take(bump, 1, sizeof *made);
    memset(made, 0, sizeof *made);
    switch (state->source->kind) {
    case ORDERS:
        made->orders.orders_count = (pb_size_t)from->orders.orders.count;
        made->orders.orders = take(bump, from->orders.orders.count, sizeof *made->orders.orders);
        for (size_t i = 0; i < from->orders.orders.count; i++) {
            const workloads_order *o = &from->orders.orders.items[i];
            Order *order = &made->orders.orders[i];
            *order = (Order){.id = o->id, .customer = chars(o->customer), .has_placed = true, .placed = instant(o->placed)};
            order->items_count = (pb_size_t)o->items.count;
            order->items = take(bump, o->items.count, sizeof *order->items);
            for (size_t k = 0; k < o->items.count; k++) {
                const workloads_item *item = &o->items.items[k];
                order->items[k] = (Item){chars(item->sku), item->quantity, item->price, item->has_note ? chars(item->note) : NULL};
            }
            order->tags_count = (pb_size_t)o->tags.count;
            order->tags = take(bump, o->tags.count, sizeof *order->tags);
            for (size_t k = 0; k < o->tags.count; k++)
                order->tags[k] = (Tag){chars(o->tags.entries[k].key), chars(o->tags.entries[k].value)};
        }
        break;
    case TELEMETRY:
        made->telemetry.readings_count = (pb_size_t)from->telemetry.readings.count;
        made->telemetry.readings = take(bump, from->telemetry.readings.count, sizeof *made->telemetry.readings);
        for (size_t i = 0; i < from->telemetry.readings.count; i++) {
            const workloads_reading *r = &from->telemetry.readings.items[i];
            made->telemetry.readings[i] = (Reading){true, instant(r->at), r->value, r->flags, r->has_unit ? chars(r->unit) : NULL};
        }
        break;
    case DOCUMENT:
        made->document.title = chars(from->document.title);
        made->document.has_root = true;
        fill(bump, &made->document.root, &from->document.root);
        break;
    }
    return made;
}

static void discard(void *opaque, void *message)
{
    (void)opaque;
    (void)message;
}

static size_t encode(void *opaque, const void *message, uint8_t *out, size_t capacity)
{
    pb_ostream_t stream = pb_ostream_from_buffer(out, capacity);
    return pb_encode(&stream, ((struct state *)opaque)->fields, message) ? stream.bytes_written : 0;
}

static void *decode(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    pb_istream_t stream = pb_istream_from_buffer(bytes, size);
    return pb_decode(&stream, state->fields, &state->decoded) ? &state->decoded : NULL;
}

static void release(void *opaque, void *message)
{
    pb_release(((struct state *)opaque)->fields, message);
}

static void read_text(uint64_t *sum, const char *value)
{
    sum_text(sum, value, strlen(value));
}

static void read_optional(uint64_t *sum, const char *value)
{
    if (value != NULL)
        read_text(sum, value);
    else
        sum_absent(sum);
}

static void read_instant(uint64_t *sum, bench_workloads_proto_Instant value)
{
    sum_number(sum, (uint64_t)value.seconds);
    sum_number(sum, (uint64_t)(int64_t)value.nanoseconds);
}

static void read_node(uint64_t *sum, const Node *n)
{
    read_text(sum, n->kind);
    read_optional(sum, n->text);
    uint64_t all = 0;
    for (size_t i = 0; i < n->attributes_count; i++)
        all += sum_entry(n->attributes[i].key, strlen(n->attributes[i].key), n->attributes[i].value, strlen(n->attributes[i].value));
    sum_number(sum, all);
    for (size_t i = 0; i < n->children_count; i++)
        read_node(sum, &n->children[i]);
}

static uint64_t read_fields(void *opaque, const void *message)
{
    const union any *made = message;
    uint64_t sum = 0;
    switch (((struct state *)opaque)->source->kind) {
    case ORDERS:
        for (size_t i = 0; i < made->orders.orders_count; i++) {
            const Order *o = &made->orders.orders[i];
            sum_number(&sum, (uint64_t)o->id);
            read_text(&sum, o->customer);
            read_instant(&sum, o->placed);
            for (size_t k = 0; k < o->items_count; k++) {
                read_text(&sum, o->items[k].sku);
                sum_number(&sum, (uint64_t)(int64_t)o->items[k].quantity);
                sum_real(&sum, o->items[k].price);
                read_optional(&sum, o->items[k].note);
            }
            uint64_t all = 0;
            for (size_t k = 0; k < o->tags_count; k++)
                all += sum_entry(o->tags[k].key, strlen(o->tags[k].key), o->tags[k].value, strlen(o->tags[k].value));
            sum_number(&sum, all);
        }
        break;
    case TELEMETRY:
        for (size_t i = 0; i < made->telemetry.readings_count; i++) {
            const Reading *r = &made->telemetry.readings[i];
            read_instant(&sum, r->at);
            sum_real(&sum, r->value);
            sum_number(&sum, (uint64_t)(int64_t)r->flags);
            read_optional(&sum, r->unit);
        }
        break;
    case DOCUMENT:
        read_text(&sum, made->document.title);
        read_node(&sum, &made->document.root);
        break;
    }
    return sum;
}

const struct peer nanopb_peer = {"binary", "nanopb", create, build, encode, discard, decode, release, read_fields};
