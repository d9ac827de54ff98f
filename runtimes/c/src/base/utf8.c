#include "utf8.h"

#include <stdio.h>

const uint8_t *creo_utf8_check(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        if (end - at >= 8 && (creo_load8(at) & CREO_HIGH_BITS) == 0) {
            at += 8;
            continue;
        }
        size_t length = creo_utf8_sequence(at, (size_t)(end - at));
        if (length == 0)
            return at;
        at += length;
    }
    return end;
}

bool creo_utf8_valid(const char *text, size_t size)
{
    if (size == 0)
        return true;
    const uint8_t *at = (const uint8_t *)text;
    return creo_utf8_scan(at, at + size) == at + size;
}

void creo_text_show(char *into, size_t size, creo_string text)
{
    const uint8_t *at = (const uint8_t *)text.data;
    const uint8_t *end = text.size == 0 ? at : at + text.size;
    size_t used = 0;
    for (int shown = 0; at < end && shown < CREO_SHOWN_CHARACTERS; shown++) {
        size_t length = creo_utf8_sequence(at, (size_t)(end - at));
        char character[8];
        size_t width = length;
        bool control = length == 1 ? at[0] < 0x20 || at[0] == 0x7F : length == 2 && at[0] == 0xC2 && at[1] < 0xA0;
        if (length == 0) {
            width = (size_t)snprintf(character, sizeof character, "\\x%02x", (unsigned)at[0]);
            length = 1;
        } else if (control) {
            unsigned code = length == 1 ? at[0] : at[1];
            width = (size_t)snprintf(character, sizeof character, "\\u%04x", code);
        } else {
            memcpy(character, at, length);
        }
        if (used + width >= size)
            break;
        memcpy(into + used, character, width);
        used += width;
        at += length;
    }
    into[used] = 0;
}
