#include <creo/types.h>

#include "utf8.h"

bool creo_decimal_valid(creo_decimal decimal)
{
    const char *text = decimal.data;
    size_t size = decimal.size;
    size_t at = 0;
    size_t digits = 0;
    bool zero = true;
    bool negative = size > 0 && text[0] == '-';
    if (negative)
        at++;

    size_t whole = at;
    for (; at < size && creo_is_digit(text[at]); at++) {
        zero = zero && text[at] == '0';
        digits++;
    }
    if (at == whole || (text[whole] == '0' && at - whole > 1))
        return false;
    if (at < size) {
        if (text[at] != '.')
            return false;
        at++;
        size_t fraction = at;
        for (; at < size && creo_is_digit(text[at]); at++) {
            zero = zero && text[at] == '0';
            digits++;
        }
        if (at == fraction || at < size)
            return false;
    }
    return digits <= 1000 && !(negative && zero);
}

bool creo_datetime_valid(creo_datetime instant)
{
    return instant.seconds >= INT64_C(-62135596800) && instant.seconds <= INT64_C(253402300799) && instant.nanoseconds < 1000000000;
}

/* Writes this many decimal digits. */
static size_t put_digits(char *at, unsigned number, size_t count)
{
    for (size_t i = count; i-- > 0; number /= 10)
        at[i] = (char)('0' + number % 10);
    return count;
}

size_t creo_datetime_format(creo_datetime instant, char text[CREO_DATETIME_TEXT])
{
    text[0] = 0;
    if (!creo_datetime_valid(instant))
        return 0;
    /* Days since 0000-03-01 in the proleptic Gregorian calendar, whose years then end with the leap day. */
    int64_t day = instant.seconds / 86400;
    int64_t second = instant.seconds % 86400;
    if (second < 0) {
        second += 86400;
        day--;
    }
    unsigned days = (unsigned)(day + 719468);
    unsigned era = days / 146097;
    unsigned day_of_era = days % 146097;
    unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned shifted = (5 * day_of_year + 2) / 153;
    unsigned month = shifted < 10 ? shifted + 3 : shifted - 9;
    unsigned year = era * 400 + year_of_era + (month <= 2 ? 1 : 0);
    unsigned day_of_month = day_of_year - (153 * shifted + 2) / 5 + 1;
    unsigned clock = (unsigned)second;

    size_t at = 0;
    at += put_digits(text + at, year, 4);
    text[at++] = '-';
    at += put_digits(text + at, month, 2);
    text[at++] = '-';
    at += put_digits(text + at, day_of_month, 2);
    text[at++] = 'T';
    at += put_digits(text + at, clock / 3600, 2);
    text[at++] = ':';
    at += put_digits(text + at, clock / 60 % 60, 2);
    text[at++] = ':';
    at += put_digits(text + at, clock % 60, 2);
    unsigned fraction = instant.nanoseconds;
    if (fraction != 0) {
        text[at++] = '.';
        if (fraction % 1000000 == 0)
            at += put_digits(text + at, fraction / 1000000, 3);
        else if (fraction % 1000 == 0)
            at += put_digits(text + at, fraction / 1000, 6);
        else
            at += put_digits(text + at, fraction, 9);
    }
    text[at++] = 'Z';
    text[at] = 0;
    return at;
}
