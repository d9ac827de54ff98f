/* Texts of values: spec/wires/xml.md, section 2. Not part of the API. */
#ifndef CREO_SRC_TEXT_VALUES_H
#define CREO_SRC_TEXT_VALUES_H

#include "../base/internal.h"
#include "text_chars.h"

/* Each parses a text, ignoring surrounding white space, and returns NULL, or what is wrong with it. */
CREO_PRIVATE const char *creo_parse_boolean(creo_string text, bool *value);
CREO_MODULE const char *creo_parse_datetime(creo_string text, creo_datetime *value);

/* As canonical text, in place or in `room`, which has one byte more than the text. */
CREO_PRIVATE const char *creo_parse_decimal(creo_string text, char *room, creo_decimal *value);

/* `room` has creo_base64_room bytes, or half as many as the text. */
CREO_MODULE size_t creo_base64_room(size_t size);
CREO_MODULE const char *creo_parse_base64(creo_string text, uint8_t *room, creo_bytes *value);
CREO_PRIVATE const char *creo_parse_hex(creo_string text, uint8_t *room, creo_bytes *value);

/* Each writes a valid value and returns its end. */
CREO_PRIVATE char *creo_put_instant(char *at, creo_datetime value);
CREO_MODULE char *creo_put_base64(char *at, creo_bytes value);
CREO_PRIVATE char *creo_put_hex(char *at, creo_bytes value);

#endif
