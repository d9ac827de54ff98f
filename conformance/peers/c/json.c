#include "peer.h"

#include <stdlib.h>

void peer_show_boolean(FILE *out, bool value)
{
    fputs(value ? "true" : "false", out);
}

void peer_show_byte(FILE *out, int8_t value)
{
    fprintf(out, "%d", (int)value);
}

void peer_show_short(FILE *out, int16_t value)
{
    fprintf(out, "%d", (int)value);
}

void peer_show_int(FILE *out, int32_t value)
{
    fprintf(out, "%ld", (long)value);
}

void peer_show_long(FILE *out, int64_t value)
{
    const int64_t exact = (INT64_C(1) << 53) - 1;
    bool quoted = value > exact || value < -exact;
    fprintf(out, quoted ? "\"%lld\"" : "%lld", (long long)value);
}

void peer_key_long(FILE *out, int64_t value)
{
    fprintf(out, "\"%lld\"", (long long)value);
}

void peer_key_boolean(FILE *out, bool value)
{
    fputs(value ? "\"true\"" : "\"false\"", out);
}

/* A scalar value below U+10000. */
static void show_unit(FILE *out, uint16_t unit)
{
    char text[3];
    size_t size = 0;
    if (unit < 0x80) {
        text[size++] = (char)unit;
    } else if (unit < 0x800) {
        text[size++] = (char)(0xC0 | unit >> 6);
        text[size++] = (char)(0x80 | (unit & 0x3F));
    } else {
        text[size++] = (char)(0xE0 | unit >> 12);
        text[size++] = (char)(0x80 | (unit >> 6 & 0x3F));
        text[size++] = (char)(0x80 | (unit & 0x3F));
    }
    peer_show_string(out, (creo_string){text, size});
}

static bool is_surrogate(uint16_t unit)
{
    return unit >= 0xD800 && unit <= 0xDFFF;
}

void peer_show_char(FILE *out, uint16_t value)
{
    if (is_surrogate(value))
        fprintf(out, "%u", (unsigned)value);
    else
        show_unit(out, value);
}

void peer_key_char(FILE *out, uint16_t value)
{
    if (is_surrogate(value))
        fprintf(out, "\"%u\"", (unsigned)value);
    else
        show_unit(out, value);
}

/* The shortest digits that read back as the same number. */
static void show_number(FILE *out, double value, int most, bool single)
{
    if (value != value) {
        fputs("\"NaN\"", out);
        return;
    }
    if (value - value != 0) {
        fputs(value > 0 ? "\"Infinity\"" : "\"-Infinity\"", out);
        return;
    }
    char text[40];
    for (int digits = 1; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
    if (strpbrk(text, ".e") == NULL)
        fputs(".0", out);
}

void peer_show_float(FILE *out, float value)
{
    show_number(out, (double)value, 9, true);
}

void peer_show_double(FILE *out, double value)
{
    show_number(out, value, 17, false);
}

void peer_show_string(FILE *out, creo_string value)
{
    fputc('"', out);
    for (size_t i = 0; i < value.size; i++) {
        unsigned char c = (unsigned char)value.data[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void peer_show_decimal(FILE *out, creo_decimal value)
{
    peer_show_string(out, value);
}

void peer_show_datetime(FILE *out, creo_datetime value)
{
    char text[CREO_DATETIME_TEXT];
    creo_datetime_format(value, text);
    fprintf(out, "\"%s\"", text);
}

void peer_show_bytes(FILE *out, creo_bytes value)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputc('"', out);
    for (size_t i = 0; i < value.size; i += 3) {
        size_t left = value.size - i;
        uint32_t group = (uint32_t)value.data[i] << 16;
        if (left > 1)
            group |= (uint32_t)value.data[i + 1] << 8;
        if (left > 2)
            group |= value.data[i + 2];
        fputc(letters[group >> 18], out);
        fputc(letters[group >> 12 & 63], out);
        fputc(left > 1 ? letters[group >> 6 & 63] : '=', out);
        fputc(left > 2 ? letters[group & 63] : '=', out);
    }
    fputc('"', out);
}

void peer_show_enum(FILE *out, const char *name, uint32_t number)
{
    if (name == NULL)
        fprintf(out, "%u", (unsigned)number);
    else
        fprintf(out, "\"%s\"", name);
}

void peer_key_enum(FILE *out, const char *name, uint32_t number)
{
    if (name == NULL)
        fprintf(out, "\"%u\"", (unsigned)number);
    else
        fprintf(out, "\"%s\"", name);
}

void peer_show_hex(FILE *out, creo_bytes bytes)
{
    for (size_t i = 0; i < bytes.size; i++)
        fprintf(out, "%02x", (unsigned)bytes.data[i]);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool peer_unhex(creo_string hex, uint8_t **bytes, size_t *size)
{
    *size = hex.size / 2;
    *bytes = (uint8_t *)malloc(*size == 0 ? 1 : *size);
    if (*bytes == NULL || hex.size % 2 != 0)
        return false;
    for (size_t i = 0; i < *size; i++) {
        int high = digit(hex.data[2 * i]);
        int low = digit(hex.data[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        (*bytes)[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

const char *peer_skip_space(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

static const char *read_escape(const char *at, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int value = digit(at[i]);
        if (value < 0)
            return NULL;
        *code = *code << 4 | (uint32_t)value;
    }
    return at + 4;
}

static size_t put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xE0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3F));
        to[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3F));
    to[2] = (char)(0x80 | (code >> 6 & 0x3F));
    to[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

const char *peer_read_string(const char *at, char **text, size_t *size)
{
    *text = NULL;
    if (*at++ != '"')
        return NULL;
    const char *end = at;
    while (*end != 0 && *end != '"')
        end += *end == '\\' && end[1] != 0 ? 2 : 1;
    char *to = (char *)malloc((size_t)(end - at) + 1);
    if (*end == 0 || to == NULL) {
        free(to);
        return NULL;
    }
    size_t used = 0;
    while (at < end) {
        if (*at != '\\') {
            to[used++] = *at++;
            continue;
        }
        static const char names[] = "bfnrt\"\\/";
        static const char meant[] = "\b\f\n\r\t\"\\/";
        const char *name = strchr(names, at[1]);
        if (name != NULL) {
            to[used++] = meant[name - names];
            at += 2;
            continue;
        }
        uint32_t code = 0;
        uint32_t low = 0;
        at = at[1] == 'u' ? read_escape(at + 2, &code) : NULL;
        if (at != NULL && code >= 0xD800 && code <= 0xDBFF && at[0] == '\\' && at[1] == 'u' && read_escape(at + 2, &low) != NULL) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            at += 6;
        }
        if (at == NULL) {
            free(to);
            return NULL;
        }
        used += put_utf8(to + used, code);
    }
    to[used] = 0;
    *text = to;
    *size = used;
    return end + 1;
}

const char *peer_skip_value(const char *at)
{
    int depth = 0;
    do {
        at = peer_skip_space(at);
        if (*at == '"') {
            for (at++; *at != '"'; at++) {
                if (*at == '\\')
                    at++;
                if (*at == 0)
                    return NULL;
            }
            at++;
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else if (*at == 0) {
            return NULL;
        } else {
            while (*at != 0 && strchr(",:{}[] \t\r\n\"", *at) == NULL)
                at++;
        }
    } while (depth > 0);
    return at;
}

const char *peer_read_object(const char *at, peer_visit *visit, void *context)
{
    at = peer_skip_space(at);
    if (*at++ != '{')
        return NULL;
    at = peer_skip_space(at);
    while (*at != '}') {
        char *name;
        size_t size;
        at = peer_read_string(at, &name, &size);
        if (at == NULL)
            return NULL;
        at = peer_skip_space(at);
        if (*at != ':') {
            free(name);
            return NULL;
        }
        at = peer_skip_space(at + 1);
        visit(context, (creo_string){name, size}, at);
        free(name);
        at = peer_skip_value(at);
        if (at == NULL)
            return NULL;
        at = peer_skip_space(at);
        if (*at == ',')
            at = peer_skip_space(at + 1);
        else if (*at != '}')
            return NULL;
    }
    return at + 1;
}

char *peer_read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    size_t room = 1 << 16;
    size_t used = 0;
    char *text = (char *)malloc(room);
    while (text != NULL) {
        size_t count = fread(text + used, 1, room - used - 1, file);
        used += count;
        if (count == 0)
            break;
        if (room - used < 2) {
            char *larger = (char *)realloc(text, room * 2);
            if (larger == NULL) {
                free(text);
                text = NULL;
                break;
            }
            text = larger;
            room *= 2;
        }
    }
    fclose(file);
    if (text != NULL)
        text[used] = 0;
    return text;
}
