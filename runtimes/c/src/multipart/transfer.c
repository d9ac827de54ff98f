/* The transfer encodings of the parts of a package (SOAP-22). */
#include "../base/utf8.h"
#include "../text/text_values.h"
#include "multipart.h"

/* The bytes of a line without its end, put at `to`; where they end, or NULL. */
static uint8_t *transfer_line(const uint8_t *at, const uint8_t *end, uint8_t *to)
{
    while (at < end) {
        uint8_t c = *at++;
        if (c == '=') {
            unsigned high = end - at < 2 ? 16 : creo_hex_digit(at[0]);
            unsigned low = high == 16 ? 16 : creo_hex_digit(at[1]);
            if (low == 16)
                return NULL;
            c = (uint8_t)(high << 4 | low);
            at += 2;
        }
        *to++ = c;
    }
    return to;
}

/* RFC 2045, section 6.7. */
static const char *transfer_quoted(creo_bytes from, uint8_t *room, creo_bytes *value)
{
    const uint8_t *at = from.data;
    const uint8_t *end = at + from.size;
    uint8_t *to = room;
    while (at < end) {
        const uint8_t *feed = (const uint8_t *)memchr(at, '\n', (size_t)(end - at));
        const uint8_t *next = feed == NULL ? end : feed + 1;
        const uint8_t *line_end = feed == NULL ? end : feed;
        if (feed != NULL && feed > at && feed[-1] == '\r')
            line_end--;
        const uint8_t *last = line_end;
        while (last > at && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        bool goes_on = last > at && last[-1] == '=';
        to = transfer_line(at, goes_on ? last - 1 : last, to);
        if (to == NULL)
            return "a part is not quoted-printable";
        size_t ended = goes_on ? 0 : (size_t)(next - line_end);
        if (ended != 0)
            memcpy(to, line_end, ended);
        to += ended;
        at = next;
    }
    *value = creo_bytes_of(room, (size_t)(to - room));
    return NULL;
}

const char *creo_transfer_decode(creo_string encoding, creo_arena *arena, creo_bytes *bytes)
{
    if (encoding.size == 0 || creo_http_same(encoding, "binary") || creo_http_same(encoding, "8bit") || creo_http_same(encoding, "7bit"))
        return NULL;
    bool quoted = creo_http_same(encoding, "quoted-printable");
    if (!quoted && !creo_http_same(encoding, "base64"))
        return "a part has a transfer encoding that is not known";
    if (bytes->size == 0)
        return NULL;
    uint8_t *room = creo_arena_bytes(arena, quoted ? bytes->size : creo_base64_room(bytes->size));
    if (room == NULL)
        return "the arena has no memory left for a part";
    if (quoted)
        return transfer_quoted(*bytes, room, bytes);
    return creo_parse_base64((creo_string){(const char *)bytes->data, bytes->size}, room, bytes) == NULL ? NULL : "a part is not base64";
}
