#include "items.h"

#include "../buffer/distinct.h"

static inline void *inside(void *base, uint32_t offset)
{
    return (uint8_t *)base + offset;
}

void *creo_next_item(creo_arena *arena, creo_gathered *list, size_t size)
{
    size_t used = list->count * size;
    if (!CREO_LIKELY(list->room - used >= size)) {
        /* A multiple of the arena's alignment, so later pieces are aligned too. */
        size_t room = list->room == 0 ? 8 * size : list->room * 2;
        room = (room + 15) / 16 * 16;
        bool last = list->items != NULL && list->items + list->room == arena->at;
        if (!last) {
            size_t pad = (size_t)(-(uintptr_t)arena->at) & 15;
            arena->at = pad <= (size_t)(arena->end - arena->at) ? arena->at + pad : arena->end;
        }
        uint8_t *items = (uint8_t *)(list->items == NULL ? creo_arena_take(arena, room / 16, 16) : creo_arena_grow(arena, list->items, list->room, used, room));
        if (items == NULL)
            return NULL;
        list->items = items;
        list->room = room;
    }
    list->count++;
    return list->items + used;
}

void creo_finish_items(creo_arena *arena, const creo_gathered *list, size_t size, void *value)
{
    if (list->items != NULL && list->items + list->room == arena->at)
        arena->at = list->items + (list->count * size + 15) / 16 * 16;
    const void *items = list->items;
    size_t count = list->count;
    memcpy(value, &items, sizeof items);
    memcpy((uint8_t *)value + sizeof items, &count, sizeof count);
}

void *creo_make_place(creo_arena *arena, const creo_text_field *field, void *base)
{
    void *place = inside(base, field->offset);
    if (field->slot == CREO_SLOT_VALUE)
        return place;
    if (field->slot == CREO_SLOT_FLAG) {
        *(bool *)inside(base, field->flag) = true;
        return place;
    }
    void *item = creo_arena_take_zeroed(arena, 1, field->size);
    if (item == NULL)
        return NULL;
    memcpy(place, &item, sizeof item);
    if (field->slot != CREO_SLOT_BOXED)
        return item;
    *(bool *)inside(item, field->flag) = true;
    return inside(item, field->inner);
}

void creo_clear_record(const creo_text_record *record, void *value)
{
    memset(value, 0, record->size);
    if (record->clear != NULL)
        record->clear(value);
}

creo_keys creo_check_keys(creo_arena *arena, const creo_text_map *map, const creo_gathered *list)
{
    creo_entries entries = {list->items, list->count, map->size, map->keys};
    size_t again;
    size_t room = creo_entries_room(&entries);
    if (room != 0) {
        creo_mark before = creo_arena_mark(arena);
        uint32_t *table = (uint32_t *)creo_arena_take(arena, room, sizeof *table);
        if (table == NULL)
            return CREO_KEYS_NO_MEMORY;
        again = creo_entries_repeated(&entries, table);
        creo_arena_rewind(arena, before);
    } else {
        again = creo_entries_repeated(&entries, NULL);
    }
    return again == list->count ? CREO_KEYS_DISTINCT : CREO_KEYS_REPEATED;
}
