/*
 * Whatever a caller puts into a value, the encoder either refuses it or writes what the decoder takes: no peer ever receives bytes that it
 * must refuse. The caller's pointers are taken to be good: that is trusted.
 */
#include "fuzz.h"

typedef struct source {
    const uint8_t *at;
    const uint8_t *end;
} source;

static uint8_t byte(source *from)
{
    return from->at < from->end ? *from->at++ : 0;
}

static void fill(source *from, void *into, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t next = byte(from);
        memcpy((uint8_t *)into + i, &next, 1);
    }
}

static creo_string text(source *from)
{
    size_t size = byte(from) % 24u;
    size_t left = (size_t)(from->end - from->at);
    creo_string taken = {(const char *)from->at, size < left ? size : left};
    from->at += taken.size;
    return taken;
}

static void fill_tree(source *from, sample_tree *tree, const sample_tree *other)
{
    sample_tree_init(tree);
    tree->name = text(from);
    if (byte(from) % 2 != 0)
        tree->next = other;
    if (byte(from) % 2 != 0)
        tree->children = (sample_tree_array){other, 1};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    source from = {data, data + size};
    sample_everything value;
    sample_tree trees[3];
    sample_string_int_map_entry counts[12];
    sample_colour_shape_map_entry shapes[3];
    sample_checked checked[2];
    creo_datetime instants[2];
    creo_string texts[3];

    sample_everything_init(&value);
    fill(&from, &value.scalars.number, sizeof value.scalars.number);
    fill(&from, &value.scalars.real, sizeof value.scalars.real);
    fill(&from, &value.scalars.instant, sizeof value.scalars.instant);
    value.scalars.colour = (sample_colour)(byte(&from) % 16);
    value.text = text(&from);
    value.amount = text(&from);
    for (size_t i = 0; i < 3; i++) {
        texts[i] = text(&from);
        sample_tree_init(&trees[i]);
        fill_tree(&from, &trees[i], &trees[(i + 1) % 3 > i ? i : i - (i > 0 ? 1 : 0)]);
        if (trees[i].next == &trees[i] && byte(&from) < 250)
            trees[i].next = NULL;
        if (trees[i].children.items == &trees[i])
            trees[i].children.count = 0;
    }
    for (size_t i = 0; i < 12; i++) {
        counts[i].key = text(&from);
        counts[i].value = 1;
    }
    for (size_t i = 0; i < 3; i++) {
        shapes[i].key = (sample_colour)(byte(&from) % 8);
        sample_shape_init(&shapes[i].value);
        shapes[i].value.kind = (sample_shape_kind)(byte(&from) % 5);
        if (shapes[i].value.kind == SAMPLE_SHAPE_TREE)
            shapes[i].value.as.tree = trees[i];
        if (shapes[i].value.kind == SAMPLE_SHAPE_AMOUNT)
            shapes[i].value.as.amount = text(&from);
    }
    fill(&from, instants, sizeof instants);
    for (size_t i = 0; i < 2; i++) {
        checked[i].on = byte(&from) % 2 != 0;
        checked[i].colour = (sample_colour)(byte(&from) % 8);
        checked[i].since = instants[i];
    }
    value.texts = (creo_string_array){texts, byte(&from) % 4u};
    value.counts = (sample_string_int_map){counts, byte(&from) % 13u};
    value.shapes = (sample_colour_shape_map){shapes, byte(&from) % 4u};
    value.checked = (sample_checked_array){checked, byte(&from) % 3u};
    value.instants = (creo_datetime_array){instants, byte(&from) % 3u};
    value.has_tree = byte(&from) % 2 != 0;
    value.tree = trees[0];
    value.event.kind = byte(&from) % 4u;
    if (value.event.kind == SAMPLE_EVENT_STARTED)
        value.event.as.started = text(&from);
    else if (value.event.kind == SAMPLE_EVENT_GROWN)
        sample_growing_init(&value.event.as.grown);
    else if (value.event.kind == SAMPLE_EVENT_TREE)
        value.event.as.tree = trees[1];
    else
        value.event.as.unknown = creo_bytes_of(data, size % 9);
    fill(&from, &value.level, sizeof value.level);

    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_error error;
    creo_bytes bytes;
    if (sample_everything_to_bytes(&value, &arena, &bytes, &error)) {
        sample_everything *read = (sample_everything *)malloc(sizeof *read);
        PROPERTY(read != NULL);
        PROPERTY(sample_everything_from_bytes(bytes, &arena, read, &error));
        free(read);
    } else {
        PROPERTY(error.code == CREO_INVALID_VALUE || error.code == CREO_TOO_LARGE);
        PROPERTY(error.place[0] == '$');
        fuzz_check_error(&error);
    }
    creo_arena_free(&arena);
    return 0;
}
