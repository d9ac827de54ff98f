/* Reads JSON scalars and keys (VAL-1 to VAL-7, VAL-10, VAL-12). */
#include "../base/utf8.h"
#include "../text/constants.h"
#include "../text/numbers.h"
#include "../text/text_values.h"
#include "json.h"

/* A complete integer of few digits; NULL for anything else. */
static inline const uint8_t *short_integer(const uint8_t *at, const uint8_t *end, int64_t *value)
{
    bool negative = at < end && *at == '-';
    at += negative ? 1 : 0;
    const uint8_t *first = at;
    const uint8_t *stop = end - at > 18 ? at + 18 : end;
    int64_t number = 0;
    while (at < stop && (unsigned)*at - '0' <= 9)
        number = number * 10 + (*at++ - '0');
    if (at == first || (*first == '0' && at - first > 1) || at == end || *at == '.' || *at == 'e' || *at == 'E' || (unsigned)*at - '0' <= 9)
        return NULL;
    *value = negative ? -number : number;
    return at;
}

static bool read_integer(creo_json_in *in, int64_t least, int64_t most, const char *what, int64_t *value)
{
    const uint8_t *at = in->at;
    const uint8_t *behind = short_integer(at, in->end, value);
    if (CREO_LIKELY(behind != NULL)) {
        in->at = behind;
        return (*value >= least && *value <= most) || creo_json_fail(in, at, "%s", what);
    }
    if (at < in->end && *at != '-' && (unsigned)*at - '0' > 9)
        return creo_json_fail(in, at, "%s", what);
    creo_string text;
    bool whole;
    if (!creo_json_number(in, &text, &whole))
        return false;
    const uint8_t *first = (const uint8_t *)text.data;
    return (whole && creo_parse_integer(first, first + text.size, least, most, value)) || creo_json_fail(in, at, "%s", what);
}

/* A complete text that is a JSON integer. */
static bool parse_integer(creo_string text, int64_t least, int64_t most, int64_t *value)
{
    const uint8_t *at = (const uint8_t *)text.data;
    const uint8_t *end = text.size == 0 ? at : at + text.size;
    const uint8_t *first = at < end && *at == '-' ? at + 1 : at;
    if (first == end || *first < '0' || *first > '9' || (*first == '0' && end - first > 1))
        return false;
    return creo_parse_integer(at, end, least, most, value);
}

static bool is_string(const creo_json_in *in)
{
    return in->at < in->end && *in->at == '"';
}

static bool read_long(creo_json_in *in, int64_t *value)
{
    static const char what[] = "a long is an integer of 64 bits, or a string of its digits";
    const uint8_t *at = in->at;
    creo_string text;
    if (!is_string(in))
        return read_integer(in, INT64_MIN, INT64_MAX, what, value);
    return creo_json_string(in, &text, NULL) && (parse_integer(text, INT64_MIN, INT64_MAX, value) || creo_json_fail(in, at, "%s", what));
}

static bool wrong_real(creo_json_in *in, const uint8_t *at)
{
    return creo_json_fail(in, at, "a float or double is a number that is not too large, or \"NaN\", \"Infinity\" or \"-Infinity\"");
}

/* `special`: NaN and the infinities, as the words of the number reader. */
static bool read_real_text(creo_json_in *in, creo_string *text, bool *special)
{
    const uint8_t *at = in->at;
    bool whole;
    *special = is_string(in);
    if (!*special)
        return at < in->end && *at != '-' && (unsigned)*at - '0' > 9 ? wrong_real(in, at) : creo_json_number(in, text, &whole);
    if (!creo_json_string(in, text, NULL))
        return false;
    if (creo_string_is(*text, "NaN"))
        return true;
    if (!creo_string_is(*text, "Infinity") && !creo_string_is(*text, "-Infinity"))
        return wrong_real(in, at);
    *text = creo_text(text->data[0] == '-' ? "-INF" : "INF");
    return true;
}

static bool read_double(creo_json_in *in, double *value)
{
    const uint8_t *at = in->at;
    creo_string text;
    bool special;
    if (!read_real_text(in, &text, &special))
        return false;
    const uint8_t *first = (const uint8_t *)text.data;
    return (creo_parse_real(first, first + text.size, value) && (special || *value - *value == 0)) || wrong_real(in, at);
}

static bool read_float(creo_json_in *in, float *value)
{
    const uint8_t *at = in->at;
    creo_string text;
    bool special;
    if (!read_real_text(in, &text, &special))
        return false;
    const uint8_t *first = (const uint8_t *)text.data;
    return (creo_parse_single(first, first + text.size, value) && (special || *value - *value == 0)) || wrong_real(in, at);
}

/* A text of one character below U+10000. */
static bool one_unit(creo_string text, uint16_t *unit)
{
    const uint8_t *at = (const uint8_t *)text.data;
    size_t size = creo_utf8_sequence(at, text.size);
    if (size == 0 || size != text.size || size > 3)
        return false;
    *unit = size == 1 ? at[0] : size == 2 ? (uint16_t)((at[0] & 0x1F) << 6 | (at[1] & 0x3F)) : (uint16_t)((at[0] & 0x0F) << 12 | (at[1] & 0x3F) << 6 | (at[2] & 0x3F));
    return true;
}

static bool read_char(creo_json_in *in, uint16_t *value)
{
    static const char what[] = "a char is a string of one UTF-16 unit, or its number";
    const uint8_t *at = in->at;
    if (!is_string(in)) {
        int64_t number;
        if (!read_integer(in, 0, UINT16_MAX, what, &number))
            return false;
        *value = (uint16_t)number;
        return true;
    }
    creo_string text;
    uint16_t unit;
    if (!creo_json_string(in, &text, &unit))
        return false;
    *value = unit;
    return unit != 0 || one_unit(text, value) || creo_json_fail(in, at, "%s", what);
}

/* The constant with this number, or the number itself. */
static bool take_number(const creo_text_enum *type, int64_t number, uint32_t *value)
{
    *value = (uint32_t)number;
    return type->extensible || creo_constant_of_number(type, *value) != NULL;
}

static bool take_name(const creo_text_enum *type, creo_string name, uint32_t *value)
{
    const creo_text_constant *constant = creo_constant_of_name(type, name);
    if (constant != NULL)
        *value = constant->number;
    return constant != NULL;
}

static bool read_enum(creo_json_in *in, const creo_text_enum *type, void *value)
{
    const uint8_t *at = in->at;
    uint32_t number = 0;
    if (is_string(in)) {
        creo_string name;
        if (!creo_json_string(in, &name, NULL))
            return false;
        if (!take_name(type, name, &number))
            return creo_json_fail(in, at, "the enum has no constant %.*s", name.size > 200 ? 200 : (int)name.size, name.data);
    } else {
        int64_t found;
        if (!read_integer(in, 0, INT32_MAX, "an enum is the name of a constant, or its number", &found))
            return false;
        if (!take_number(type, found, &number))
            return creo_json_fail(in, at, "the enum has no constant of the number %lld", (long long)found);
    }
    memcpy(value, &number, sizeof number);
    return true;
}

/* RFC 3339 with an offset, and at most nanoseconds; otherwise as in XML. */
static const char *parse_instant(creo_string text, creo_datetime *value)
{
    static const char wrong[] = "an instant looks like 2026-11-21T10:31:56.250Z";
    if (text.size < 20)
        return wrong;
    size_t zone = text.data[text.size - 1] == 'Z' ? text.size - 1 : text.size - 6;
    bool given = text.data[zone] == 'Z' || text.data[zone] == '+' || text.data[zone] == '-';
    if (!given || zone < 19 || zone > 29 || memcmp(text.data + 11, "24", 2) == 0)
        return wrong;
    return creo_parse_datetime(text, value);
}

static bool read_instant(creo_json_in *in, creo_datetime *value)
{
    const uint8_t *at = in->at;
    creo_string text;
    if (!creo_json_string(in, &text, NULL))
        return false;
    const char *wrong = parse_instant(text, value);
    return wrong == NULL || creo_json_fail(in, at, "%s", wrong);
}

static bool read_decimal(creo_json_in *in, void *value)
{
    static const char what[] = "a decimal is a string of digits with a point, or a number without exponent, of at most 1,000 digits";
    const uint8_t *at = in->at;
    creo_string text;
    if (is_string(in)) {
        if (!creo_json_string(in, &text, NULL))
            return false;
    } else {
        bool whole;
        if (at < in->end && *at != '-' && (unsigned)*at - '0' > 9)
            return creo_json_fail(in, at, "%s", what);
        if (!creo_json_number(in, &text, &whole))
            return false;
        /* The sign of zero is dropped (BIN-12). */
        size_t i = 0;
        while (i < text.size && (text.data[i] == '-' || text.data[i] == '0' || text.data[i] == '.'))
            i++;
        if (i == text.size && text.data[0] == '-') {
            text.data++;
            text.size--;
        }
    }
    return creo_decimal_valid(text) ? creo_json_keep(in, text, value) : creo_json_fail(in, at, "%s", what);
}

static bool json_has_space(creo_string text)
{
    static const char spaces[] = " \t\n\r";
    for (size_t i = 0; i < 4; i++)
        if (text.size != 0 && memchr(text.data, spaces[i], text.size) != NULL)
            return true;
    return false;
}

static bool json_read_bytes(creo_json_in *in, void *value)
{
    const uint8_t *at = in->at;
    creo_string text;
    if (!creo_json_string(in, &text, NULL))
        return false;
    size_t room = creo_base64_room(text.size);
    uint8_t *memory = creo_arena_bytes(in->arena, room);
    if (memory == NULL)
        return creo_json_no_memory(in);
    creo_bytes bytes = {NULL, 0};
    const char *wrong = json_has_space(text) ? "bytes are base64 without white space" : creo_parse_base64(text, memory, &bytes);
    if (wrong != NULL)
        return creo_json_fail(in, at, "%s", wrong);
    if (memory + room == in->arena->at)
        in->arena->at = memory + bytes.size;
    memcpy(value, &bytes, sizeof bytes);
    return true;
}

static bool read_boolean(creo_json_in *in, bool *value)
{
    *value = in->at < in->end && *in->at == 't';
    if (*value || (in->at < in->end && *in->at == 'f'))
        return creo_json_word(in, *value ? "true" : "false");
    return creo_json_unexpected(in, "true or false");
}

#define JSON_INTEGER(type, least, most, what)                                                                                                             \
    do {                                                                                                                                             \
        int64_t number;                                                                                                                              \
        if (!CREO_LIKELY(read_integer(in, least, most, what, &number)))                                                                              \
            return false;                                                                                                                            \
        *(type *)value = (type)number;                                                                                                               \
        return true;                                                                                                                                 \
    } while (0)

bool creo_json_read_scalar(creo_json_in *in, const creo_text_field *field, void *value)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_BOOLEAN:
        return read_boolean(in, (bool *)value);
    case CREO_TEXT_BYTE:
        JSON_INTEGER(int8_t, INT8_MIN, INT8_MAX, "a byte is an integer from -128 to 127");
    case CREO_TEXT_SHORT:
        JSON_INTEGER(int16_t, INT16_MIN, INT16_MAX, "a short is an integer from -32768 to 32767");
    case CREO_TEXT_INT:
        JSON_INTEGER(int32_t, INT32_MIN, INT32_MAX, "an int is an integer of 32 bits");
    case CREO_TEXT_CHAR:
        return read_char(in, (uint16_t *)value);
    case CREO_TEXT_LONG:
        return read_long(in, (int64_t *)value);
    case CREO_TEXT_FLOAT:
        return read_float(in, (float *)value);
    case CREO_TEXT_DOUBLE:
        return read_double(in, (double *)value);
    case CREO_TEXT_STRING:
    case CREO_TEXT_TOKEN:
    case CREO_TEXT_QNAME:
    case CREO_TEXT_RAW: {
        creo_string text;
        return creo_json_string(in, &text, NULL) && creo_json_keep(in, text, value);
    }
    case CREO_TEXT_DATETIME:
        return read_instant(in, (creo_datetime *)value);
    case CREO_TEXT_DECIMAL:
        return read_decimal(in, value);
    case CREO_TEXT_BYTES:
    case CREO_TEXT_HEX:
        return json_read_bytes(in, value);
    case CREO_TEXT_ENUM:
        return read_enum(in, (const creo_text_enum *)field->type, value);
    case CREO_TEXT_RECORD:
    case CREO_TEXT_UNION:
    case CREO_TEXT_REPEATED:
    case CREO_TEXT_WRAPPED:
    case CREO_TEXT_LIST:
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES:
        break;
    }
    return creo_json_fail(in, in->at, "the value is no scalar");
}

#undef JSON_INTEGER

#define KEY(type, least, most)                                                                                                                       \
    do {                                                                                                                                             \
        fits = parse_integer(text, least, most, &number);                                                                                            \
        if (fits)                                                                                                                                    \
            *(type *)value = (type)number;                                                                                                           \
    } while (0)

bool creo_json_parse_key(creo_json_in *in, const creo_text_field *field, creo_string text, uint16_t unit, const uint8_t *at, void *value)
{
    int64_t number = 0;
    uint32_t constant = 0;
    bool fits = false;
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_STRING:
    case CREO_TEXT_TOKEN:
    case CREO_TEXT_QNAME:
        return creo_json_keep(in, text, value);
    case CREO_TEXT_BOOLEAN:
        *(bool *)value = creo_string_is(text, "true");
        fits = *(bool *)value || creo_string_is(text, "false");
        break;
    case CREO_TEXT_CHAR:
        if (unit != 0) {
            *(uint16_t *)value = unit;
            return true;
        }
        if (one_unit(text, (uint16_t *)value))
            return true;
        KEY(uint16_t, 0, UINT16_MAX);
        break;
    case CREO_TEXT_BYTE:
        KEY(int8_t, INT8_MIN, INT8_MAX);
        break;
    case CREO_TEXT_SHORT:
        KEY(int16_t, INT16_MIN, INT16_MAX);
        break;
    case CREO_TEXT_INT:
        KEY(int32_t, INT32_MIN, INT32_MAX);
        break;
    case CREO_TEXT_LONG:
        KEY(int64_t, INT64_MIN, INT64_MAX);
        break;
    case CREO_TEXT_ENUM: {
        const creo_text_enum *type = (const creo_text_enum *)field->type;
        fits = take_name(type, text, &constant) || (parse_integer(text, 0, INT32_MAX, &number) && take_number(type, number, &constant));
        if (fits)
            memcpy(value, &constant, sizeof constant);
        break;
    }
    default:
        break;
    }
    return fits || creo_json_fail(in, at, "a key that its type does not have");
}
