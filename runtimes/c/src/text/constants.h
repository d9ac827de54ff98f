/* The constants of an enum. Not part of the API. */
#ifndef CREO_SRC_CONSTANTS_H
#define CREO_SRC_CONSTANTS_H

#include <creo/codegen/descriptor.h>

#include "../base/internal.h"

/* The constant with this number, or NULL. */
CREO_PRIVATE const creo_text_constant *creo_constant_of_number(const creo_text_enum *type, uint32_t number);

/* The constant with this declared name, or NULL. Takes logarithmic time. */
CREO_PRIVATE const creo_text_constant *creo_constant_of_name(const creo_text_enum *type, creo_string name);

/* The constant with this text in XML, or NULL; as fast. */
CREO_PRIVATE const creo_text_constant *creo_constant_of_text(const creo_text_enum *type, creo_string text);

#endif
