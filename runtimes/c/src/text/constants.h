/* The constants of an enum. Not part of the API. */
#ifndef CREO_SRC_CONSTANTS_H
#define CREO_SRC_CONSTANTS_H

#include <creo/codegen/descriptor.h>

#include "../base/internal.h"

/* The constant of that number, or NULL. */
CREO_PRIVATE const creo_text_constant *creo_constant_of_number(const creo_text_enum *type, uint32_t number);

/* The constant that is declared under that name, or NULL. The time grows with the logarithm of how many there are. */
CREO_PRIVATE const creo_text_constant *creo_constant_of_name(const creo_text_enum *type, creo_string name);

/* The constant that is written as that text in XML, or NULL; as fast. */
CREO_PRIVATE const creo_text_constant *creo_constant_of_text(const creo_text_enum *type, creo_string text);

#endif
