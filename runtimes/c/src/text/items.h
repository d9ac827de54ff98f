/* Memory for values read by text wires: items, targets of pointers, maps. Not part of the API. */
#ifndef CREO_SRC_ITEMS_H
#define CREO_SRC_ITEMS_H

#include <creo/arena.h>

#include "../base/internal.h"
#include "slots.h"

/* The memory for a field's value: allocated if it is a pointer. Marks an optional as present. NULL: no memory. */
CREO_PRIVATE void *creo_make_place(creo_arena *arena, const creo_text_field *field, void *base);

/* Items being collected while their number is unknown. */
typedef struct creo_gathered {
    uint8_t *items;
    size_t count;
    size_t room; /* in bytes */
} creo_gathered;

/* The memory for the next item, not cleared; NULL: no memory. */
CREO_PRIVATE void *creo_next_item(creo_arena *arena, creo_gathered *list, size_t size);

/* Returns unused memory, if nothing was taken after it, and stores the items and their count. */
CREO_PRIVATE void creo_finish_items(creo_arena *arena, const creo_gathered *list, size_t size, void *value);

/* Clears a record that is to be read: all zeros, or its defaults. */
CREO_PRIVATE void creo_clear_record(const creo_text_record *record, void *value);

/* Whether the keys of a map's entries are distinct. */
typedef enum creo_keys { CREO_KEYS_DISTINCT = 0, CREO_KEYS_REPEATED, CREO_KEYS_NO_MEMORY } creo_keys;
CREO_PRIVATE creo_keys creo_check_keys(creo_arena *arena, const creo_text_map *map, const creo_gathered *list);

/* Whether a value may be null. */
static inline bool creo_is_optional(const creo_text_field *field)
{
    return field->slot == CREO_SLOT_FLAG || field->slot == CREO_SLOT_POINTER || field->slot == CREO_SLOT_BOXED;
}

/* The charge for a field's value when present: that of an optional (LIM-18). */
static inline uint32_t creo_optional_charge(const creo_text_field *field)
{
    return creo_is_optional(field) ? field->value_charge : 0;
}

/* The charge for the value of a union's member; an optional one is charged when its value is present. */
static inline uint32_t creo_member_charge(const creo_text_field *member)
{
    return creo_is_optional(member) ? 0 : member->value_charge;
}

/* Sets an optional to null; a box is still allocated. False: no memory. */
static inline bool creo_set_nothing(creo_arena *arena, const creo_text_field *field, void *base)
{
    const void *none = NULL;
    switch (field->slot) {
    case CREO_SLOT_FLAG:
        *(bool *)((uint8_t *)base + field->flag) = false;
        return true;
    case CREO_SLOT_POINTER:
        memcpy((uint8_t *)base + field->offset, &none, sizeof none);
        return true;
    default:
        break;
    }
    void *place = creo_make_place(arena, field, base);
    if (place != NULL)
        *(bool *)((uint8_t *)place - field->inner + field->flag) = false;
    return place != NULL;
}

#endif
