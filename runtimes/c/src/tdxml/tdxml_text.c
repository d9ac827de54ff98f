#include "tdxml_text.h"

#include "../text/text_chars.h"
#include "../text/text_write.h"

bool creo_tdxml_put_text(creo_writer *writer, creo_string text)
{
    /* The letter of each escaped character. */
    static const char escapes[128] = {['\n'] = 'n', ['\r'] = 'r', ['|'] = '|', ['\\'] = '\\', ['&'] = 'a', ['<'] = 'l', ['>'] = 'g'};
    if (text.size != 0 && text.data == NULL)
        return creo_fail_value(writer->error, "the pointer to the text is NULL");
    const uint8_t *at = (const uint8_t *)text.data;
    const uint8_t *end = text.size == 0 ? at : at + text.size;
    while (at < end) {
        size_t left = (size_t)(end - at);
        if (!CREO_LIKELY((size_t)(writer->end - writer->at) >= left) && !creo_writer_grow(writer, left))
            return false;
        uint8_t *to = writer->at;
        while (end - at >= 8) {
            uint64_t word = creo_load8(at);
            /* `<` and `>` differ in one bit, and so do the bar and the backslash. */
            uint64_t tags = (word | CREO_EACH_BYTE * 2) ^ CREO_EACH_BYTE * '>';
            uint64_t bars = (word | CREO_EACH_BYTE * 0x20) ^ CREO_EACH_BYTE * '|';
            if ((creo_zero_bytes(tags) | creo_zero_bytes(bars) | creo_zero_bytes(word ^ CREO_EACH_BYTE * '&')) != 0 || creo_has_odd_bytes(word))
                break;
            memcpy(to, &word, 8);
            at += 8;
            to += 8;
        }
        /* The next eight bytes one by one, then words again. */
        const uint8_t *stop = end - at >= 8 ? at + 8 : end;
        char escape = 0;
        while (at < stop) {
            uint8_t c = *at;
            if (c >= 0x80) {
                size_t length = creo_utf8_sequence(at, (size_t)(end - at));
                if (length == 0)
                    return creo_fail_value(writer->error, "a string is well-formed UTF-8");
                if (length == 3 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE)
                    return creo_fail_value(writer->error, "a text holds a character that XML does not allow");
                memcpy(to, at, length);
                at += length;
                to += length;
                continue;
            }
            escape = escapes[c];
            if (escape != 0)
                break;
            if (c < 0x20 && c != '\t')
                return creo_fail_value(writer->error, "a text holds a character that XML does not allow");
            *to++ = c;
            at++;
        }
        writer->at = to;
        if (escape != 0) {
            char pair[2] = {'\\', escape};
            if (!creo_put(writer, pair, 2))
                return false;
            at++;
        }
    }
    return true;
}

bool creo_tdxml_escape_first(creo_writer *writer, size_t from)
{
    size_t size = (size_t)(writer->at - writer->start) - from;
    if (size == 0 || writer->start[from] != '~')
        return true;
    if (creo_write_block(writer, 1) == NULL)
        return false;
    memmove(writer->start + from + 1, writer->start + from, size);
    writer->start[from] = '\\';
    return true;
}
