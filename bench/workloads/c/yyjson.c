/*
 * yyjson, which makes a tree of nodes by names: a message is built as such a tree, and read from it. Text of times is made with Creo's function and read by the one that expat's peer has, too.
 */
#include "workloads.h"

#include <stdlib.h>

#include "yyjson.h"

struct state {
    const struct source *source;
};

static void *create(const struct source *source)
{
    struct state *state = must(calloc(1, sizeof *state));
    state->source = source;
    return state;
}

static void add(yyjson_mut_doc *doc, yyjson_mut_val *to, const char *name, creo_string value)
{
    yyjson_mut_obj_add_strn(doc, to, name, value.data, value.size);
}

static void add_instant(yyjson_mut_doc *doc, yyjson_mut_val *to, const char *name, creo_datetime value)
{
    char text[CREO_DATETIME_TEXT];
    size_t size = creo_datetime_format(value, text);
    yyjson_mut_obj_add_strncpy(doc, to, name, text, size);
}

static void add_map(yyjson_mut_doc *doc, yyjson_mut_val *to, const char *name, const workloads_string_string_map *from)
{
    yyjson_mut_val *map = yyjson_mut_obj_add_obj(doc, to, name);
    for (size_t i = 0; i < from->count; i++)
        yyjson_mut_obj_add(map, yyjson_mut_strn(doc, from->entries[i].key.data, from->entries[i].key.size), yyjson_mut_strn(doc, from->entries[i].value.data, from->entries[i].value.size));
}

static void add_node(yyjson_mut_doc *doc, yyjson_mut_val *to, const workloads_node *from)
{
    add(doc, to, "kind", from->kind);
    if (from->has_text)
        add(doc, to, "text", from->text);
    add_map(doc, to, "attributes", &from->attributes);
    yyjson_mut_val *children = yyjson_mut_obj_add_arr(doc, to, "children");
    for (size_t i = 0; i < from->children.count; i++)
        add_node(doc, yyjson_mut_arr_add_obj(doc, children), &from->children.items[i]);
}

static void add_order(yyjson_mut_doc *doc, yyjson_mut_val *to, const workloads_order *from)
{
    yyjson_mut_obj_add_int(doc, to, "id", from->id);
    add(doc, to, "customer", from->customer);
    add_instant(doc, to, "placed", from->placed);
    yyjson_mut_val *items = yyjson_mut_obj_add_arr(doc, to, "items");
    for (size_t i = 0; i < from->items.count; i++) {
        const workloads_item *item = &from->items.items[i];
        yyjson_mut_val *made = yyjson_mut_arr_add_obj(doc, items);
        add(doc, made, "sku", item->sku);
        yyjson_mut_obj_add_int(doc, made, "quantity", item->quantity);
        yyjson_mut_obj_add_real(doc, made, "price", item->price);
        if (item->has_note)
            add(doc, made, "note", item->note);
    }
    add_map(doc, to, "tags", &from->tags);
}

static void *build(void *opaque)
{
    const struct source *source = ((struct state *)opaque)->source;
    const union message *from = &source->message;
    yyjson_mut_doc *doc = must(yyjson_mut_doc_new(NULL));
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    switch (source->kind) {
    case ORDERS: {
        yyjson_mut_val *orders = yyjson_mut_obj_add_arr(doc, root, "orders");
        for (size_t i = 0; i < from->orders.orders.count; i++)
            add_order(doc, yyjson_mut_arr_add_obj(doc, orders), &from->orders.orders.items[i]);
        break;
    }
    case TELEMETRY: {
        yyjson_mut_val *readings = yyjson_mut_obj_add_arr(doc, root, "readings");
        for (size_t i = 0; i < from->telemetry.readings.count; i++) {
            const workloads_reading *reading = &from->telemetry.readings.items[i];
            yyjson_mut_val *made = yyjson_mut_arr_add_obj(doc, readings);
            add_instant(doc, made, "at", reading->at);
            yyjson_mut_obj_add_real(doc, made, "value", reading->value);
            yyjson_mut_obj_add_int(doc, made, "flags", reading->flags);
            if (reading->has_unit)
                add(doc, made, "unit", reading->unit);
        }
        break;
    }
    case DOCUMENT:
        add(doc, root, "title", from->document.title);
        add_node(doc, yyjson_mut_obj_add_obj(doc, root, "root"), &from->document.root);
        break;
    }
    return doc;
}

static void discard(void *opaque, void *message)
{
    (void)opaque;
    yyjson_mut_doc_free(message);
}

static size_t encode(void *opaque, const void *message, uint8_t *out, size_t capacity)
{
    (void)opaque;
    size_t size = 0;
    char *text = yyjson_mut_write(message, YYJSON_WRITE_NOFLAG, &size);
    if (text == NULL || size > capacity)
        return 0;
    memcpy(out, text, size);
    free(text);
    return size;
}

static void *decode(void *opaque, const uint8_t *bytes, size_t size)
{
    (void)opaque;
    return yyjson_read((const char *)bytes, size, YYJSON_READ_NOFLAG);
}

static void release(void *opaque, void *message)
{
    (void)opaque;
    yyjson_doc_free(message);
}

/* Members come in the order in which they are asked for, which an iterator makes use of. */
static yyjson_val *member(yyjson_obj_iter *members, const char *name)
{
    return yyjson_obj_iter_get(members, name);
}

static void read_text(uint64_t *sum, yyjson_val *value)
{
    if (value != NULL)
        sum_text(sum, yyjson_get_str(value), yyjson_get_len(value));
    else
        sum_absent(sum);
}

static void read_instant(uint64_t *sum, yyjson_val *value)
{
    creo_datetime instant = instant_of(yyjson_get_str(value), yyjson_get_len(value));
    sum_number(sum, (uint64_t)instant.seconds);
    sum_number(sum, instant.nanoseconds);
}

static void read_map(uint64_t *sum, yyjson_val *map)
{
    uint64_t all = 0;
    size_t at, count;
    yyjson_val *key, *value;
    yyjson_obj_foreach(map, at, count, key, value)
        all += sum_entry(yyjson_get_str(key), yyjson_get_len(key), yyjson_get_str(value), yyjson_get_len(value));
    sum_number(sum, all);
}

static void read_node(uint64_t *sum, yyjson_val *node)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(node);
    read_text(sum, member(&members, "kind"));
    read_text(sum, member(&members, "text"));
    read_map(sum, member(&members, "attributes"));
    size_t at, count;
    yyjson_val *child;
    yyjson_val *children = member(&members, "children");
    yyjson_arr_foreach(children, at, count, child)
        read_node(sum, child);
}

static void read_order(uint64_t *sum, yyjson_val *order)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(order);
    sum_number(sum, (uint64_t)yyjson_get_sint(member(&members, "id")));
    read_text(sum, member(&members, "customer"));
    read_instant(sum, member(&members, "placed"));
    size_t at, count;
    yyjson_val *item;
    yyjson_val *items = member(&members, "items");
    yyjson_arr_foreach(items, at, count, item) {
        yyjson_obj_iter fields = yyjson_obj_iter_with(item);
        read_text(sum, member(&fields, "sku"));
        sum_number(sum, (uint64_t)yyjson_get_sint(member(&fields, "quantity")));
        sum_real(sum, yyjson_get_num(member(&fields, "price")));
        read_text(sum, member(&fields, "note"));
    }
    read_map(sum, member(&members, "tags"));
}

static uint64_t read_fields(void *opaque, const void *message)
{
    uint64_t sum = 0;
    size_t at, count;
    yyjson_val *each;
    yyjson_val *root = yyjson_doc_get_root((yyjson_doc *)(uintptr_t)message);
    switch (((struct state *)opaque)->source->kind) {
    case ORDERS: {
        yyjson_val *orders = yyjson_obj_get(root, "orders");
        yyjson_arr_foreach(orders, at, count, each)
            read_order(&sum, each);
        break;
    }
    case TELEMETRY: {
        yyjson_val *readings = yyjson_obj_get(root, "readings");
        yyjson_arr_foreach(readings, at, count, each) {
            yyjson_obj_iter members = yyjson_obj_iter_with(each);
            read_instant(&sum, member(&members, "at"));
            sum_real(&sum, yyjson_get_num(member(&members, "value")));
            sum_number(&sum, (uint64_t)yyjson_get_sint(member(&members, "flags")));
            read_text(&sum, member(&members, "unit"));
        }
        break;
    }
    case DOCUMENT:
        read_text(&sum, yyjson_obj_get(root, "title"));
        read_node(&sum, yyjson_obj_get(root, "root"));
        break;
    }
    return sum;
}

const struct peer yyjson_peer = {"json", "yyjson", create, build, encode, discard, decode, release, read_fields};
