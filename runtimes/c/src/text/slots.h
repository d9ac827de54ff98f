/* The positions of values in structs, from the descriptors. Not part of the API. */
#ifndef CREO_SRC_SLOTS_H
#define CREO_SRC_SLOTS_H

#include <creo/codegen/descriptor.h>
#include <creo/codegen/path.h>

/* The layout of all arrays and maps: a pointer and a count. */
typedef struct creo_list {
    const uint8_t *items;
    size_t count;
} creo_list;

static inline const void *creo_at_offset(const void *base, uint32_t offset)
{
    return (const uint8_t *)base + offset;
}

static inline const void *creo_pointer_at(const void *from)
{
    const void *pointer;
    memcpy(&pointer, from, sizeof pointer);
    return pointer;
}

static inline creo_list creo_list_at(const void *from)
{
    creo_list found;
    found.items = (const uint8_t *)creo_pointer_at(from);
    memcpy(&found.count, (const uint8_t *)from + sizeof(void *), sizeof found.count);
    return found;
}

static inline bool creo_flag_at(const void *from)
{
    return *(const bool *)from;
}

/* The value of a field: NULL for null. `required`: null is not allowed. */
static inline const void *creo_value_of(const creo_text_field *field, const void *base, bool *required)
{
    *required = false;
    switch (field->slot) {
    case CREO_SLOT_FLAG:
        return creo_flag_at(creo_at_offset(base, field->flag)) ? creo_at_offset(base, field->offset) : NULL;
    case CREO_SLOT_REQUIRED:
        *required = true;
        return creo_pointer_at(creo_at_offset(base, field->offset));
    case CREO_SLOT_BOXED: {
        const void *box = creo_pointer_at(creo_at_offset(base, field->offset));
        *required = box == NULL;
        return box != NULL && creo_flag_at(creo_at_offset(box, field->flag)) ? creo_at_offset(box, field->inner) : NULL;
    }
    case CREO_SLOT_POINTER:
        return creo_pointer_at(creo_at_offset(base, field->offset));
    default:
        return creo_at_offset(base, field->offset);
    }
}

/* Whether a value of this kind is one text (TDX-20). */
static inline bool creo_is_scalar(const creo_text_field *field)
{
    return field->kind <= CREO_TEXT_ENUM || field->kind == CREO_TEXT_LIST;
}

#endif
