/* Reads JSON strings, numbers, words, and skipped values (JSON-10 to JSON-14). */
#include "../base/utf8.h"
#include "../text/text_chars.h"
#include "json.h"

#include <stdarg.h>
#include <stdio.h>

static bool json_place(creo_json_in *in, const uint8_t *at)
{
    creo_error *error = in->error;
    if (error == NULL)
        return false;
    size_t length = strlen(in->root);
    memcpy(error->place, in->root, length + 1);
    error->has_offset = true;
    error->offset = (uint64_t)(at - in->start);
    return false;
}

bool creo_json_fail(creo_json_in *in, const uint8_t *at, const char *format, ...)
{
    if (in->error == NULL)
        return false;
    char text[CREO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)creo_fail(in->error, CREO_MALFORMED, "%s", text);
    return json_place(in, at);
}

bool creo_json_short(creo_json_in *in)
{
    in->at = in->end;
    return creo_json_fail(in, in->end, in->end == in->all ? "the text ends within the value" : "a text is well-formed UTF-8");
}

bool creo_json_no_memory(creo_json_in *in)
{
    (void)creo_fail(in->error, CREO_TOO_LARGE, "the arena has no memory left for the value");
    return json_place(in, in->at);
}

bool creo_json_limit(creo_json_in *in, const char *limit, uint64_t allowed)
{
    creo_raise_limit(in->error, limit, allowed);
    return json_place(in, in->at);
}

bool creo_json_unexpected(creo_json_in *in, const char *due)
{
    if (in->at == in->end)
        return creo_json_short(in);
    /* A complete character. */
    size_t size = creo_utf8_sequence(in->at, (size_t)(in->end - in->at));
    return creo_json_fail(in, in->at, "%.*s stands where %s is due", (int)size, (const char *)in->at, due);
}

bool creo_json_begin(creo_json_in *in, creo_bytes text, creo_keep keep, creo_arena *arena, const creo_limits *limits, creo_error *error)
{
    static const uint8_t nothing = 0;
    memset(in, 0, sizeof *in);
    in->limits = limits == NULL ? creo_limits_default() : *limits;
    in->arena = arena;
    in->error = error;
    in->root = "$";
    in->keep = keep;
    in->levels_left = in->limits.max_depth;
    in->limits.max_memory = creo_limits_memory(&in->limits);
    in->memory_left = in->limits.max_memory;
    in->start = text.size == 0 ? &nothing : text.data;
    in->at = in->start;
    in->all = in->start + text.size;
    if (!creo_json_charge(in, text.size))
        return false;
    in->end = creo_utf8_scan(in->start, in->all);
    if (in->end - in->at >= 3 && memcmp(in->at, "\xEF\xBB\xBF", 3) == 0)
        in->at += 3;
    creo_json_space(in);
    return true;
}

bool creo_json_finish(creo_json_in *in)
{
    creo_json_space(in);
    if (in->at != in->end)
        return creo_json_fail(in, in->at, "something stands behind the value");
    return in->end == in->all || creo_json_short(in);
}

bool creo_json_open(creo_json_in *in, uint8_t open, const char *what)
{
    if (in->at == in->end || *in->at != open)
        return creo_json_unexpected(in, what);
    if (in->depth >= in->limits.max_xml_depth)
        return creo_json_limit(in, "maxXmlDepth", in->limits.max_xml_depth);
    in->depth++;
    in->at++;
    return true;
}

bool creo_json_next(creo_json_in *in, uint8_t close, bool first, bool *closed)
{
    creo_json_space(in);
    *closed = in->at < in->end && *in->at == close;
    if (*closed) {
        in->at++;
        in->depth--;
        return true;
    }
    if (first)
        return in->at < in->end || creo_json_short(in);
    if (in->at == in->end || *in->at != ',')
        return creo_json_unexpected(in, close == ']' ? ", or ]" : ", or }");
    in->at++;
    creo_json_space(in);
    return in->at < in->end || creo_json_short(in);
}

bool creo_json_colon(creo_json_in *in)
{
    creo_json_space(in);
    if (in->at == in->end || *in->at != ':')
        return creo_json_unexpected(in, ":");
    in->at++;
    creo_json_space(in);
    return in->at < in->end || creo_json_short(in);
}

bool creo_json_word(creo_json_in *in, const char *word)
{
    const uint8_t *at = in->at;
    for (size_t i = 0; word[i] != 0; i++) {
        if (at + i == in->end)
            return creo_json_short(in);
        if (at[i] != (uint8_t)word[i])
            return creo_json_fail(in, at, "%s is due here", word);
    }
    in->at += strlen(word);
    return true;
}

/* The first byte that ends a run of plain characters: a quote, a backslash, or a control. */
static inline const uint8_t *json_plain_end(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8) {
        uint64_t word = creo_load8(at);
        uint64_t marks = creo_zero_bytes(word ^ CREO_EACH_BYTE * '"') | creo_zero_bytes(word ^ CREO_EACH_BYTE * '\\') |
                         ((word - CREO_EACH_BYTE * 0x20) & ~word & CREO_HIGH_BITS);
        if (marks != 0) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            return at + __builtin_ctzll(marks) / 8;
#else
            break;
#endif
        }
        at += 8;
    }
    while (at < end && *at != '"' && *at != '\\' && *at >= 0x20)
        at++;
    return at;
}

/* Four digits after `\u`. */
static bool read_unit(creo_json_in *in, const uint8_t *escape, const uint8_t *at, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        if (at + i == in->end)
            return creo_json_short(in);
        unsigned digit = creo_hex_digit(at[i]);
        if (digit >= 16)
            return creo_json_fail(in, escape, "\\u has four hexadecimal digits");
        *unit = *unit << 4 | digit;
    }
    return true;
}

static bool is_high(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* The escape at the reader's position, as UTF-8. `lone` receives a lone surrogate, which then writes nothing; NULL: it is malformed. */
static bool read_escape(creo_json_in *in, uint8_t **to, uint16_t *lone)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    const uint8_t *escape = in->at;
    if (in->end - escape < 2)
        return creo_json_short(in);
    uint8_t letter = escape[1];
    if (letter != 'u') {
        const char *found = letter == 0 ? NULL : strchr(letters, letter);
        if (found == NULL)
            return creo_json_fail(in, escape, "an escape that JSON does not have");
        *(*to)++ = (uint8_t)meant[found - letters];
        in->at = escape + 2;
        return true;
    }
    uint32_t code;
    if (!read_unit(in, escape, escape + 2, &code))
        return false;
    const uint8_t *at = escape + 6;
    if (is_high(code)) {
        if (at == in->end || (*at == '\\' && at + 1 == in->end))
            return creo_json_short(in);
        uint32_t low = 0;
        if (at[0] == '\\' && at[1] == 'u') {
            if (!read_unit(in, at, at + 2, &low))
                return false;
            at += is_low(low) ? 6 : 0;
        }
        if (is_low(low))
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    in->at = at;
    if (!is_high(code) && !is_low(code)) {
        *to += creo_put_utf8(*to, code);
        return true;
    }
    if (lone == NULL)
        return creo_json_fail(in, escape, "a surrogate without its partner");
    *lone = (uint16_t)code;
    return true;
}

/* A string; the reader is at its first byte that is not plain. */
static bool long_string(creo_json_in *in, const uint8_t *first, creo_string *text, uint16_t *unit)
{
    const uint8_t *close = in->at;
    while (close < in->end && *close != '"' && *close >= 0x20)
        close = json_plain_end(in->end - close < 2 || *close != '\\' ? in->end : close + 2, in->end);
    size_t room = (size_t)(close - first) + 4;
    uint8_t *start = creo_arena_bytes(in->arena, room);
    if (start == NULL)
        return creo_json_no_memory(in);
    uint8_t *to = start;
    const uint8_t *run = first;
    for (;;) {
        memcpy(to, run, (size_t)(in->at - run));
        to += in->at - run;
        if (in->at == in->end)
            return creo_json_short(in);
        if (*in->at == '"')
            break;
        if (*in->at != '\\')
            return creo_json_fail(in, in->at, "a control character within a string is escaped");
        /* A lone surrogate must be the whole string. */
        uint16_t lone = 0;
        if (!read_escape(in, &to, unit != NULL && to == start && in->at == first ? &lone : NULL))
            return false;
        if (lone != 0) {
            if (in->at == in->end)
                return creo_json_short(in);
            if (*in->at != '"')
                return creo_json_fail(in, first, "a surrogate without its partner");
            *unit = lone;
        }
        run = in->at;
        in->at = json_plain_end(in->at, in->end);
    }
    in->at++;
    *text = (creo_string){(const char *)start, (size_t)(to - start)};
    if (start + room == in->arena->at)
        in->arena->at = to;
    return true;
}

bool creo_json_string(creo_json_in *in, creo_string *text, uint16_t *unit)
{
    if (in->at == in->end || *in->at != '"')
        return creo_json_unexpected(in, "a string");
    const uint8_t *first = in->at + 1;
    if (unit != NULL)
        *unit = 0;
    in->at = json_plain_end(first, in->end);
    if (CREO_LIKELY(in->at < in->end && *in->at == '"')) {
        *text = (creo_string){(const char *)first, (size_t)(in->at - first)};
        in->at++;
    } else if (!long_string(in, first, text, unit)) {
        return false;
    }
    return text->size <= in->limits.max_xml_text || creo_json_limit(in, "maxXmlText", in->limits.max_xml_text);
}

static inline bool json_is_digit(const creo_json_in *in, const uint8_t *at)
{
    return at < in->end && *at >= '0' && *at <= '9';
}

/* The digits from `*at`; at least one is required. */
static bool json_digits(creo_json_in *in, const uint8_t **at)
{
    if (*at == in->end)
        return creo_json_short(in);
    if (!json_is_digit(in, *at))
        return creo_json_fail(in, in->at, "a number has digits before and behind its point, and in its exponent");
    while (json_is_digit(in, *at))
        (*at)++;
    return true;
}

bool creo_json_number(creo_json_in *in, creo_string *text, bool *whole)
{
    const uint8_t *first = in->at;
    const uint8_t *at = first;
    if (at < in->end && *at == '-')
        at++;
    if (at == in->end)
        return creo_json_short(in);
    if (at == first && !json_is_digit(in, at))
        return creo_json_unexpected(in, "a value");
    bool zero = *at == '0';
    const uint8_t *start = at;
    if (!json_digits(in, &at))
        return false;
    if (zero && at - start > 1)
        return creo_json_fail(in, first, "a number has no leading zeros");
    *whole = true;
    if (at < in->end && *at == '.') {
        *whole = false;
        at++;
        if (!json_digits(in, &at))
            return false;
    }
    if (at < in->end && (*at == 'e' || *at == 'E')) {
        *whole = false;
        at++;
        if (at < in->end && (*at == '-' || *at == '+'))
            at++;
        if (!json_digits(in, &at))
            return false;
    }
    *text = (creo_string){(const char *)first, (size_t)(at - first)};
    in->at = at;
    return true;
}

static bool skip_members(creo_json_in *in)
{
    if (!creo_json_open(in, '{', "an object"))
        return false;
    for (bool first = true;; first = false) {
        bool closed;
        creo_string name;
        if (!creo_json_next(in, '}', first, &closed))
            return false;
        if (closed)
            return true;
        if (!creo_json_string(in, &name, NULL) || !creo_json_colon(in) || !creo_json_skip(in))
            return false;
    }
}

static bool skip_items(creo_json_in *in)
{
    if (!creo_json_open(in, '[', "an array"))
        return false;
    for (bool first = true;; first = false) {
        bool closed;
        if (!creo_json_next(in, ']', first, &closed))
            return false;
        if (closed)
            return true;
        if (!creo_json_skip(in))
            return false;
    }
}

bool creo_json_skip(creo_json_in *in)
{
    creo_string text;
    bool whole;
    if (in->at == in->end)
        return creo_json_short(in);
    switch (*in->at) {
    case '"':
        return creo_json_string(in, &text, NULL);
    case '{':
        return skip_members(in);
    case '[':
        return skip_items(in);
    case 't':
        return creo_json_word(in, "true");
    case 'f':
        return creo_json_word(in, "false");
    case 'n':
        return creo_json_word(in, "null");
    default:
        return creo_json_number(in, &text, &whole);
    }
}
