#include "constants.h"

const creo_text_constant *creo_constant_of_number(const creo_text_enum *type, uint32_t number)
{
    if (number < type->constant_count && type->constants[number].number == number)
        return &type->constants[number];
    for (uint32_t i = 0; i < type->constant_count; i++)
        if (type->constants[i].number == number)
            return &type->constants[i];
    return NULL;
}

/* The name or text of a constant, and the constant at a position in their order. */
static creo_string key_of(const creo_text_constant *constant, bool name)
{
    return name ? (creo_string){constant->name, constant->name_size} : (creo_string){constant->text, constant->size};
}

static const creo_text_constant *at_place(const creo_text_enum *type, uint32_t place, bool name)
{
    return &type->constants[name ? type->constants[place].by_name : type->constants[place].by_text];
}

/* By size, then by bytes. */
static int constant_compare(creo_string one, creo_string other)
{
    if (one.size != other.size)
        return one.size < other.size ? -1 : 1;
    return one.size == 0 ? 0 : memcmp(one.data, other.data, one.size);
}

static const creo_text_constant *constant_find(const creo_text_enum *type, creo_string key, bool name)
{
    uint32_t low = 0, high = type->constant_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const creo_text_constant *constant = at_place(type, middle, name);
        int order = constant_compare(key_of(constant, name), key);
        if (order == 0)
            return constant;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const creo_text_constant *creo_constant_of_name(const creo_text_enum *type, creo_string name)
{
    return constant_find(type, name, true);
}

const creo_text_constant *creo_constant_of_text(const creo_text_enum *type, creo_string text)
{
    return constant_find(type, text, false);
}
