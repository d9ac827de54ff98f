/* expat with a mapping by hand into Creo's structs, which takes every element of the response for what its name says. */
#include "workloads.h"

#include <expat.h>
#include <stdlib.h>

enum { MAX_ORDERS = 1024, MAX_ITEMS = 64, MAX_TAGS = 64, MAX_TEXT = 4096 };

struct state {
    struct bump bump;
    union message decoded;
    workloads_order *orders;
    size_t order_count;
    workloads_order order;
    workloads_item *items;
    size_t item_count;
    workloads_item item;
    workloads_string_string_map_entry *tags;
    size_t tag_count;
    workloads_string_string_map_entry tag;
    char text[MAX_TEXT];
    size_t text_size;
};

static void *create(const struct source *source)
{
    (void)source;
    return must(calloc(1, sizeof(struct state)));
}

static creo_string kept(struct state *state)
{
    char *copy = take(&state->bump, state->text_size + 1, 1);
    memcpy(copy, state->text, state->text_size + 1);
    return (creo_string){copy, state->text_size};
}

static void XMLCALL began(void *opaque, const char *name, const char **attributes)
{
    struct state *state = opaque;
    (void)attributes;
    state->text_size = 0;
    const char *local = strchr(name, ' ');
    local = local == NULL ? name : local + 1;
    if (strcmp(local, "orders") == 0) {
        state->items = take(&state->bump, MAX_ITEMS, sizeof *state->items);
        state->tags = take(&state->bump, MAX_TAGS, sizeof *state->tags);
        state->item_count = state->tag_count = 0;
    } else if (strcmp(local, "items") == 0) {
        state->item = (workloads_item){0};
    }
}

static void XMLCALL ended(void *opaque, const char *name)
{
    struct state *state = opaque;
    const char *local = strchr(name, ' ');
    local = local == NULL ? name : local + 1;
    state->text[state->text_size] = 0;
    if (strcmp(local, "sku") == 0) {
        state->item.sku = kept(state);
    } else if (strcmp(local, "quantity") == 0) {
        state->item.quantity = (int32_t)strtol(state->text, NULL, 10);
    } else if (strcmp(local, "price") == 0) {
        state->item.price = strtod(state->text, NULL);
    } else if (strcmp(local, "note") == 0) {
        state->item.has_note = true;
        state->item.note = kept(state);
    } else if (strcmp(local, "items") == 0 && state->item_count < MAX_ITEMS) {
        state->items[state->item_count++] = state->item;
    } else if (strcmp(local, "key") == 0) {
        state->tag.key = kept(state);
    } else if (strcmp(local, "value") == 0) {
        state->tag.value = kept(state);
    } else if (strcmp(local, "entry") == 0 && state->tag_count < MAX_TAGS) {
        state->tags[state->tag_count++] = state->tag;
    } else if (strcmp(local, "id") == 0) {
        state->order.id = strtoll(state->text, NULL, 10);
    } else if (strcmp(local, "customer") == 0) {
        state->order.customer = kept(state);
    } else if (strcmp(local, "placed") == 0) {
        state->order.placed = instant_of(state->text, state->text_size);
    } else if (strcmp(local, "orders") == 0 && state->order_count < MAX_ORDERS) {
        state->order.items = (workloads_item_array){state->items, state->item_count};
        state->order.tags = (workloads_string_string_map){state->tags, state->tag_count};
        state->orders[state->order_count++] = state->order;
    }
    state->text_size = 0;
}

static void XMLCALL characters(void *opaque, const char *data, int size)
{
    struct state *state = opaque;
    if ((size_t)size < MAX_TEXT - state->text_size) {
        memcpy(state->text + state->text_size, data, (size_t)size);
        state->text_size += (size_t)size;
    }
}

static void *decode(void *opaque, const uint8_t *bytes, size_t size)
{
    struct state *state = opaque;
    state->orders = take(&state->bump, MAX_ORDERS, sizeof *state->orders);
    state->order_count = 0;
    XML_Parser parser = XML_ParserCreateNS("utf-8", ' ');
    XML_SetUserData(parser, state);
    XML_SetElementHandler(parser, began, ended);
    XML_SetCharacterDataHandler(parser, characters);
    enum XML_Status status = XML_Parse(parser, (const char *)bytes, (int)size, 1);
    XML_ParserFree(parser);
    state->decoded.orders.orders = (workloads_order_array){state->orders, state->order_count};
    return status == XML_STATUS_OK ? &state->decoded : NULL;
}

static void release(void *opaque, void *message)
{
    (void)message;
    ((struct state *)opaque)->bump.used = 0;
}

static uint64_t read_fields(void *opaque, const void *message)
{
    (void)opaque;
    return read_message(ORDERS, message);
}

const struct peer expat_peer = {"soap", "expat", create, NULL, NULL, NULL, decode, release, read_fields};
