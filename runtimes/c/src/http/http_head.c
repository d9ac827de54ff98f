/* Header lines and media types. */
#include "../base/utf8.h"
#include "http.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool creo_http_same(creo_string text, const char *other)
{
    size_t i = 0;
    for (; i < text.size && other[i] != 0; i++)
        if (lower(text.data[i]) != lower(other[i]))
            return false;
    return i == text.size && other[i] == 0;
}

void creo_http_lower(uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)lower((char)at[i]);
}

bool creo_http_is_token(uint8_t c)
{
    return c > ' ' && c < 0x7F && strchr("()<>@,;:\\\"/[]?={}", c) == NULL;
}

static bool head_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

creo_string creo_http_trim(creo_string text)
{
    while (text.size > 0 && head_is_blank(text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size > 0 && head_is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

bool creo_http_header(const uint8_t **from, const uint8_t *end, creo_string *name, creo_string *value, bool *wrong)
{
    const uint8_t *at = *from;
    *wrong = false;
    if (at == end)
        return false;
    const uint8_t *line = (const uint8_t *)memchr(at, '\n', (size_t)(end - at));
    const uint8_t *behind = line == NULL ? end : line + 1;
    if (line == NULL)
        line = end;
    if (line > at && line[-1] == '\r')
        line--;
    if (line == at)
        return false;
    const uint8_t *first = at;
    while (at < line && creo_http_is_token(*at))
        at++;
    *name = (creo_string){(const char *)first, (size_t)(at - first)};
    *wrong = at == first || at == line || *at != ':';
    if (*wrong)
        return false;
    *value = creo_http_trim((creo_string){(const char *)at + 1, (size_t)(line - at - 1)});
    for (const uint8_t *p = at; p < line; p++)
        *wrong = *wrong || (*p < 0x20 && *p != '\t') || *p == 0x7F;
    *from = behind;
    return !*wrong;
}

bool creo_http_is_type(creo_string content_type, const char *type)
{
    const char *end = content_type.size == 0 ? NULL : (const char *)memchr(content_type.data, ';', content_type.size);
    creo_string own = {content_type.data, end == NULL ? content_type.size : (size_t)(end - content_type.data)};
    return creo_http_same(creo_http_trim(own), type);
}

/* The last quote of a quoted text that begins at `at`, or the end. `size` is that of the text without its backslashes. */
static const char *end_of_quoted(const char *at, const char *end, size_t *size)
{
    for (*size = 0; at < end && *at != '"'; at++, ++*size)
        if (*at == '\\' && end - at > 1)
            at++;
    return at;
}

/* Such a text without its backslashes. It is copied only if it has any. */
static bool unquote(const char *at, const char *end, size_t size, creo_arena *arena, creo_string *value)
{
    *value = (creo_string){at, size};
    if (size == (size_t)(end - at))
        return true;
    char *copy = (char *)creo_arena_bytes(arena, size);
    for (size_t i = 0; copy != NULL && i < size; i++) {
        if (*at == '\\' && end - at > 1)
            at++;
        copy[i] = *at++;
    }
    value->data = copy;
    return copy != NULL;
}

bool creo_http_parameter(creo_string content_type, const char *name, creo_arena *arena, creo_string *value, creo_error *error)
{
    const char *at = content_type.data;
    const char *end = content_type.size == 0 ? at : at + content_type.size;
    while (at < end && *at != ';')
        at++;
    while (at < end) {
        at++;
        const char *first = at;
        while (at < end && *at != '=' && *at != ';')
            at++;
        bool own = creo_http_same(creo_http_trim((creo_string){first, (size_t)(at - first)}), name);
        if (at == end || *at == ';')
            continue;
        at++;
        while (at < end && head_is_blank(*at))
            at++;
        first = at;
        size_t size = 0;
        bool quoted = at < end && *at == '"';
        if (quoted)
            at = end_of_quoted(++first, end, &size);
        if (own && quoted)
            return unquote(first, at, size, arena, value) || creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
        while (at < end && *at != ';')
            at++;
        if (own) {
            *value = creo_http_trim((creo_string){first, (size_t)(at - first)});
            return true;
        }
    }
    *value = (creo_string){NULL, 0};
    return true;
}
