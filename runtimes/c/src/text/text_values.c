#include "text_values.h"

#include "numbers.h"

const char *creo_parse_boolean(creo_string text, bool *value)
{
    *value = creo_string_is(text, "true") || creo_string_is(text, "1");
    return *value || creo_string_is(text, "false") || creo_string_is(text, "0") ? NULL : "a boolean is true or false";
}

/* A number of this many digits. */
static bool text_digits(const char **at, const char *end, int count, int *number)
{
    *number = 0;
    if (end - *at < count)
        return false;
    for (int i = 0; i < count; i++) {
        char c = (*at)[i];
        if (!creo_is_digit(c))
            return false;
        *number = *number * 10 + (c - '0');
    }
    *at += count;
    return true;
}

static bool letter(const char **at, const char *end, char c)
{
    if (*at == end || **at != c)
        return false;
    (*at)++;
    return true;
}

/* Days from 1970-01-01 to a day of the proleptic Gregorian calendar. */
static int64_t days_before(int year, int month, int day)
{
    int64_t shifted = month <= 2 ? year - 1 : year;
    int64_t era = shifted / 400;
    int64_t year_of_era = shifted - era * 400;
    int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

/* Digits of a fraction; those after the ninth are zeros. */
static bool fraction(const char **at, const char *end, uint32_t *nanoseconds)
{
    *nanoseconds = 0;
    if (!letter(at, end, '.'))
        return true;
    const char *first = *at;
    uint32_t unit = 100000000;
    for (; *at < end && creo_is_digit(**at); (*at)++) {
        if (unit == 0 && **at != '0')
            return false;
        *nanoseconds += unit * (uint32_t)(**at - '0');
        unit /= 10;
    }
    return *at > first;
}

/* Seconds east of Greenwich. */
static bool offset(const char **at, const char *end, int *seconds)
{
    *seconds = 0;
    if (*at == end || letter(at, end, 'Z'))
        return true;
    bool west = **at == '-';
    int hour;
    int minute;
    if (!letter(at, end, west ? '-' : '+') || !text_digits(at, end, 2, &hour) || !letter(at, end, ':') || !text_digits(at, end, 2, &minute))
        return false;
    if (minute > 59 || hour > 14 || (hour == 14 && minute != 0))
        return false;
    *seconds = (west ? -60 : 60) * (hour * 60 + minute);
    return true;
}

/* What a time becomes that only its offset takes out of the years 1 to 9999 (XML-13). */
static const creo_datetime first_instant = {.seconds = INT64_C(-62135596800), .nanoseconds = 0};
static const creo_datetime last_instant = {.seconds = INT64_C(253402300799), .nanoseconds = 999999999};

const char *creo_parse_datetime(creo_string text, creo_datetime *value)
{
    static const char wrong[] = "an instant looks like 2026-11-21T10:31:56.250Z";
    const char *at = text.data;
    const char *end = text.data + text.size;
    int year;
    int month;
    int day;
    int hour;
    int minute;
    int second;
    int east;
    if (!text_digits(&at, end, 4, &year) || !letter(&at, end, '-') || !text_digits(&at, end, 2, &month) || !letter(&at, end, '-') || !text_digits(&at, end, 2, &day) ||
        !letter(&at, end, 'T') || !text_digits(&at, end, 2, &hour) || !letter(&at, end, ':') || !text_digits(&at, end, 2, &minute) || !letter(&at, end, ':') ||
        !text_digits(&at, end, 2, &second))
        return wrong;
    if (!fraction(&at, end, &value->nanoseconds))
        return "an instant has nanoseconds, no smaller parts";
    if (!offset(&at, end, &east) || at != end)
        return wrong;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_of(year, month))
        return "there is no such day";
    bool midnight = hour == 24 && minute == 0 && second == 0 && value->nanoseconds == 0;
    if ((hour > 23 && !midnight) || minute > 59 || second > 59)
        return "there is no such time of day";
    value->seconds = days_before(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    if (!creo_datetime_valid(*value))
        return "an instant lies within the years 1 to 9999";
    value->seconds -= east;
    if (!creo_datetime_valid(*value))
        *value = east > 0 ? first_instant : last_instant;
    return NULL;
}

const char *creo_parse_decimal(creo_string text, char *room, creo_decimal *value)
{
    static const char wrong[] = "a decimal is digits with a point";
    const char *at = text.data;
    const char *end = text.data + text.size;
    char *to = room;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const char *first = at;
    bool any = at < end && creo_is_digit(*at);
    while (at < end && *at == '0')
        at++;
    const char *whole = at;
    bool zero = true;
    for (; at < end && creo_is_digit(*at); at++)
        zero = false;
    const char *behind = at;
    const char *part = end;
    if (at < end) {
        if (*at++ != '.')
            return wrong;
        part = at;
        for (; at < end && creo_is_digit(*at); at++) {
            any = true;
            zero = zero && *at == '0';
        }
        if (at != end)
            return wrong;
    }
    if (!any)
        return wrong;
    size_t fraction_size = (size_t)(end - part);
    if ((size_t)(behind - whole) + (whole == behind ? 1 : 0) + fraction_size > 1000)
        return "a decimal has at most 1,000 digits";
    bool sign = negative && !zero;
    /* The text itself, if it is canonical: the sign, digits without leading zeros, then a point followed by digits. */
    bool zeros_right = whole == behind ? whole - first == 1 : whole == first;
    if (zeros_right && sign == (first != text.data) && (behind == end || fraction_size != 0)) {
        *value = text;
        return NULL;
    }
    if (sign)
        *to++ = '-';
    if (whole == behind) {
        *to++ = '0';
    } else {
        memcpy(to, whole, (size_t)(behind - whole));
        to += behind - whole;
    }
    if (fraction_size != 0) {
        *to++ = '.';
        memcpy(to, part, fraction_size);
        to += fraction_size;
    }
    *value = (creo_decimal){room, (size_t)(to - room)};
    return NULL;
}

size_t creo_base64_room(size_t size)
{
    return size / 4 * 3 + 3;
}

/* The value of each digit; 64 for white space, 65 for padding, 66 for invalid characters. */
#define X 66
static const uint8_t base64_values[256] = {
    X,  X,  X,  X,  X,  X,  X,  X,  X,  64, 64, X,  X,  64, X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,
    64, X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  62, X,  X,  X,  63, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, X,  X,  X,  65, X,  X,
    X,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, X,  X,  X,  X,  X,
    X,  26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, X,  X,  X,  X,  X,
    X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,
    X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,
    X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,
    X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,
};
#undef X

const char *creo_parse_base64(creo_string text, uint8_t *room, creo_bytes *value)
{
    static const char wrong[] = "bytes are base64";
    const uint8_t *at = (const uint8_t *)text.data;
    const uint8_t *end = at + text.size;
    uint8_t *to = room;
    uint32_t bits = 0;
    unsigned count = 0;
    unsigned padding = 0;
    while (at < end) {
        if (count == 0) {
            while (end - at >= 4) {
                unsigned a = base64_values[at[0]];
                unsigned b = base64_values[at[1]];
                unsigned c = base64_values[at[2]];
                unsigned d = base64_values[at[3]];
                if ((a | b | c | d) >= 64)
                    break;
                uint32_t word = a << 18 | b << 12 | c << 6 | d;
                to[0] = (uint8_t)(word >> 16);
                to[1] = (uint8_t)(word >> 8 & 0xFF);
                to[2] = (uint8_t)(word & 0xFF);
                to += 3;
                at += 4;
            }
            if (at == end)
                break;
        }
        unsigned digit = base64_values[*at++];
        if (digit == 64)
            continue;
        if (digit == 66 || (padding != 0 && digit != 65))
            return wrong;
        if (digit == 65) {
            padding++;
            if (count + padding > 4 || count < 2)
                return wrong;
            continue;
        }
        bits = bits << 6 | digit;
        if (++count == 4) {
            to[0] = (uint8_t)(bits >> 16 & 0xFF);
            to[1] = (uint8_t)(bits >> 8 & 0xFF);
            to[2] = (uint8_t)(bits & 0xFF);
            to += 3;
            bits = 0;
            count = 0;
        }
    }
    if (count + padding != 0 && count + padding != 4)
        return "the padding of the base64 is wrong";
    if (count == 2) {
        if ((bits & 0xF) != 0)
            return wrong;
        *to++ = (uint8_t)(bits >> 4 & 0xFF);
    } else if (count == 3) {
        if ((bits & 0x3) != 0)
            return wrong;
        *to++ = (uint8_t)(bits >> 10 & 0xFF);
        *to++ = (uint8_t)(bits >> 2 & 0xFF);
    }
    *value = creo_bytes_of(room, (size_t)(to - room));
    return NULL;
}

const char *creo_parse_hex(creo_string text, uint8_t *room, creo_bytes *value)
{
    static const char wrong[] = "bytes are pairs of hexadecimal digits";
    if (text.size % 2 != 0)
        return wrong;
    for (size_t i = 0; i < text.size; i += 2) {
        unsigned high = creo_hex_digit(text.data[i]);
        unsigned low = creo_hex_digit(text.data[i + 1]);
        if ((high | low) >= 16)
            return wrong;
        room[i / 2] = (uint8_t)(high << 4 | low);
    }
    *value = creo_bytes_of(room, text.size / 2);
    return NULL;
}

char *creo_put_instant(char *at, creo_datetime value)
{
    return at + creo_datetime_format(value, at);
}

char *creo_put_base64(char *at, creo_bytes value)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *from = value.data;
    size_t left = value.size;
    for (; left >= 3; left -= 3, from += 3, at += 4) {
        uint32_t word = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
        at[0] = letters[word >> 18];
        at[1] = letters[word >> 12 & 63];
        at[2] = letters[word >> 6 & 63];
        at[3] = letters[word & 63];
    }
    if (left == 0)
        return at;
    uint32_t word = (uint32_t)from[0] << 16 | (left == 2 ? (uint32_t)from[1] << 8 : 0);
    at[0] = letters[word >> 18];
    at[1] = letters[word >> 12 & 63];
    at[2] = left == 2 ? letters[word >> 6 & 63] : '=';
    at[3] = '=';
    return at + 4;
}

char *creo_put_hex(char *at, creo_bytes value)
{
    static const char letters[] = "0123456789ABCDEF";
    for (size_t i = 0; i < value.size; i++) {
        *at++ = letters[value.data[i] >> 4];
        *at++ = letters[value.data[i] & 15];
    }
    return at;
}
