/* The fast checks of texts agree with slow ones that follow the tables letter by letter (BIN-4, BIN-12); shown texts are clean (ERR-8). */
#include "fuzz.h"

#include "base/utf8.h"

static bool slow_utf8(const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t length = creo_utf8_sequence(at + i, size - i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)? as an automaton. */
static bool slow_decimal(const char *text, size_t size)
{
    enum { START, SIGN, ZERO, WHOLE, POINT, FRACTION } state = START;
    size_t digits = 0;
    bool some = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool digit = c >= '0' && c <= '9';
        digits += digit ? 1 : 0;
        some = some || (digit && c != '0');
        if (state == START && c == '-')
            state = SIGN;
        else if ((state == START || state == SIGN) && digit)
            state = c == '0' ? ZERO : WHOLE;
        else if (state == WHOLE && digit)
            state = WHOLE;
        else if ((state == ZERO || state == WHOLE) && c == '.')
            state = POINT;
        else if ((state == POINT || state == FRACTION) && digit)
            state = FRACTION;
        else
            return false;
    }
    return (state == ZERO || state == WHOLE || state == FRACTION) && digits <= 1000 && (some || text[0] != '-');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = (uint8_t *)calloc(size == 0 ? 1 : size, 1);
    PROPERTY(copy != NULL);
    if (size != 0)
        memcpy(copy, data, size);
    creo_string text = {(const char *)copy, size};
    PROPERTY(creo_utf8_valid(text.data, text.size) == slow_utf8(copy, size));
    PROPERTY(creo_decimal_valid(text) == slow_decimal(text.data, text.size));
    char shown[200];
    creo_text_show(shown, sizeof shown, text);
    PROPERTY(creo_utf8_valid(shown, strlen(shown)));
    for (const char *at = shown; *at != 0; at++)
        PROPERTY((unsigned char)*at >= 0x20 && *at != 0x7F);
    free(copy);
    return 0;
}
