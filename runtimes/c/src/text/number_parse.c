#include "numbers.h"

#include "../base/utf8.h"

#include <float.h>

bool creo_parse_integer(const uint8_t *at, const uint8_t *end, int64_t least, int64_t most, int64_t *value)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    /* One more than the largest magnitude is enough to detect overflow. */
    uint64_t limit = negative ? 0 - (uint64_t)least : (uint64_t)most;
    uint64_t number = 0;
    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9)
            return false;
        if (number > (UINT64_MAX - 9) / 10)
            return false;
        number = number * 10 + digit;
    }
    if (number > limit && number != 0)
        return false;
    *value = (int64_t)(negative ? 0 - number : number);
    return true;
}

/* A kind of IEEE 754 number. */
typedef struct format {
    int bits;        /* of the fraction */
    int most;        /* the exponent of infinity */
    int least_even;  /* powers of ten between which a tie can happen */
    int most_even;
} format;

static const format real = {52, 0x7FF, -4, 23};
static const format single = {23, 0xFF, -17, 10};

/* The parsed text. */
typedef struct scanned {
    bool negative;
    /* The first 19 digits, without leading zeros; `more`: later digits are not all zero. */
    uint64_t digits;
    bool more;
    /* The power of ten of the digits. */
    int64_t power;
    const uint8_t *first;
    const uint8_t *behind;
} scanned;

/* An exponent whose digits no longer matter is capped at a size that cannot overflow. */
#define MAX_EXPONENT INT64_C(1000000000000)

static bool scan_exponent(const uint8_t *at, const uint8_t *end, int64_t *exponent)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    int64_t number = 0;
    for (; at < end; at++) {
        if (!creo_is_digit(*at))
            return false;
        if (number < MAX_EXPONENT)
            number = number * 10 + (*at - '0');
    }
    *exponent = negative ? -number : number;
    return true;
}

static bool scan(const uint8_t *at, const uint8_t *end, scanned *found)
{
    found->negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    found->first = at;
    uint64_t digits = 0;
    int kept = 0;
    int64_t power = 0;
    bool more = false;
    bool point = false;
    bool any = false;
    for (; at < end; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (!creo_is_digit(*at))
            break;
        any = true;
        if (kept < 19) {
            digits = digits * 10 + (uint64_t)(*at - '0');
            kept += digits != 0 ? 1 : 0;
            power -= point ? 1 : 0;
        } else {
            more = more || *at != '0';
            power += point ? 0 : 1;
        }
    }
    if (!any)
        return false;
    found->behind = at;
    found->digits = digits;
    found->more = more;
    found->power = power;
    if (at == end)
        return true;
    int64_t exponent;
    if ((*at != 'e' && *at != 'E') || !scan_exponent(at + 1, end, &exponent))
        return false;
    found->power += exponent;
    return true;
}

static unsigned leading_zeros(uint64_t number)
{
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_clzll(number);
#else
    unsigned count = 0;
    for (; (number >> 63) == 0; number <<= 1)
        count++;
    return count;
#endif
}

/*
 * The bits, without sign, of the number nearest to digits times ten to that power, as by N. Mushtak and D. Lemire, "Fast number parsing without fallback"
 * (2023): exact for all 64 bit numbers.
 */
static uint64_t nearest(const format *form, uint64_t digits, int64_t power)
{
    uint64_t infinite = (uint64_t)form->most << form->bits;
    if (digits == 0 || power < CREO_MIN_POWER)
        return 0;
    if (power > 308)
        return infinite;
    unsigned zeros = leading_zeros(digits);
    digits <<= zeros;
    const uint64_t *five = creo_powers_of_five[power - CREO_MIN_POWER];
    creo_wide product = creo_multiply(digits, five[0]);
    uint64_t mask = UINT64_MAX >> (form->bits + 3);
    if ((product.high & mask) == mask) {
        uint64_t further = creo_multiply(digits, five[1]).high;
        product.low += further;
        if (product.low < further)
            product.high++;
    }
    int upper = (int)(product.high >> 63);
    int shift = upper + 64 - form->bits - 3;
    uint64_t mantissa = product.high >> shift;
    int exponent = (int)((217706 * power) >> 16) + 63 + upper - (int)zeros + form->most / 2;
    if (exponent <= 0) {
        if (1 - exponent >= 64)
            return 0;
        mantissa >>= 1 - exponent;
        mantissa += mantissa & 1;
        /* A carry into the hidden bit correctly makes it the exponent 1. */
        return mantissa >> 1;
    }
    if (product.low <= 1 && power >= form->least_even && power <= form->most_even && (mantissa & 3) == 1 && mantissa << shift == product.high)
        mantissa &= ~UINT64_C(1);
    mantissa += mantissa & 1;
    mantissa >>= 1;
    if (mantissa >= UINT64_C(2) << form->bits) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent >= form->most)
        return infinite;
    return ((uint64_t)exponent << form->bits) | (mantissa & ~(UINT64_C(1) << form->bits));
}

/* A large natural number; the sizes below suffice for 770 digits and any power that a finite double has. */
#define LIMBS 176
typedef struct large {
    size_t size;
    uint32_t limbs[LIMBS];
} large;

static void multiply_add(large *number, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < number->size; i++) {
        carry += (uint64_t)number->limbs[i] * factor;
        number->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0 && number->size < LIMBS)
        number->limbs[number->size++] = (uint32_t)carry;
}

static void times_power_of_five(large *number, int64_t power)
{
    for (; power >= 13; power -= 13)
        multiply_add(number, 1220703125, 0);
    for (; power > 0; power--)
        multiply_add(number, 5, 0);
}

static void shift_left(large *number, int64_t bits)
{
    size_t whole = (size_t)bits / 32;
    multiply_add(number, UINT32_C(1) << bits % 32, 0);
    if (whole == 0 || number->size + whole > LIMBS)
        return;
    memmove(number->limbs + whole, number->limbs, number->size * sizeof number->limbs[0]);
    memset(number->limbs, 0, whole * sizeof number->limbs[0]);
    number->size += whole;
}

static int number_compare(const large *a, const large *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (size_t i = a->size; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

/* The digits of the text; those after the 770th only show whether the number is larger than without them. Returns the power of ten. */
static int64_t all_digits(const scanned *text, large *number)
{
    number->size = 0;
    int kept = 0;
    bool more = false;
    /* The power belongs to the first 19 digits; each further digit decreases it by one. */
    int64_t power = text->power;
    for (const uint8_t *at = text->first; at < text->behind; at++) {
        if (*at == '.' || (kept == 0 && *at == '0'))
            continue;
        if (kept < 770) {
            multiply_add(number, 10, (uint32_t)(*at - '0'));
            kept++;
            power -= kept > 19 ? 1 : 0;
        } else {
            more = more || *at != '0';
        }
    }
    if (more) {
        multiply_add(number, 10, 1);
        power--;
    }
    return power;
}

/* Compares the number with the middle between a finite one, given by its bits, and the next. Below -1, at 0, above 1. */
static int compare_with_middle(const format *form, const scanned *text, uint64_t bits)
{
    large left;
    large right;
    int64_t power = all_digits(text, &left);
    uint64_t fraction = bits & ((UINT64_C(1) << form->bits) - 1);
    int exponent = (int)(bits >> form->bits);
    uint64_t mantissa = 2 * (exponent == 0 ? fraction : fraction | UINT64_C(1) << form->bits) + 1;
    int64_t two = (exponent == 0 ? 1 : exponent) - form->most / 2 - form->bits - 1;
    right.size = 2;
    right.limbs[0] = (uint32_t)mantissa;
    right.limbs[1] = (uint32_t)(mantissa >> 32);
    if (right.limbs[1] == 0)
        right.size = 1;
    times_power_of_five(power >= 0 ? &left : &right, power >= 0 ? power : -power);
    if (power >= two)
        shift_left(&left, power - two);
    else
        shift_left(&right, two - power);
    return number_compare(&left, &right);
}

static uint64_t round_all(const format *form, const scanned *text)
{
    uint64_t low = nearest(form, text->digits, text->power);
    if (!text->more)
        return low;
    /* The number is between its first 19 digits and the next number of 19 digits. */
    if (nearest(form, text->digits + 1, text->power) == low)
        return low;
    int order = compare_with_middle(form, text, low);
    return order < 0 || (order == 0 && low % 2 == 0) ? low : low + 1;
}

/* `NaN`, `INF`, `+INF`, `-INF`. */
static bool parse_special(const format *form, const uint8_t *at, const uint8_t *end, uint64_t *bits, bool *negative)
{
    size_t size = (size_t)(end - at);
    uint64_t infinite = (uint64_t)form->most << form->bits;
    *negative = size == 4 && at[0] == '-';
    if (size == 3 && memcmp(at, "NaN", 3) == 0) {
        *bits = infinite | UINT64_C(1) << (form->bits - 1);
        return true;
    }
    if ((size == 3 && memcmp(at, "INF", 3) == 0) || (size == 4 && (at[0] == '-' || at[0] == '+') && memcmp(at + 1, "INF", 3) == 0)) {
        *bits = infinite;
        return true;
    }
    return false;
}

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
/* Numbers of few digits: both parts are exact, so one operation rounds once. */
static bool parse_small(const scanned *text, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (text->more || text->digits > UINT64_C(1) << 53 || text->power < -22 || text->power > 22)
        return false;
    double digits = (double)text->digits;
    *value = text->power < 0 ? digits / tens[-text->power] : digits * tens[text->power];
    if (text->negative)
        *value = -*value;
    return true;
}
#else
static bool parse_small(const scanned *text, double *value)
{
    (void)text;
    (void)value;
    return false;
}
#endif

bool creo_parse_real(const uint8_t *at, const uint8_t *end, double *value)
{
    scanned text;
    uint64_t bits;
    bool negative;
    if (scan(at, end, &text)) {
        if (parse_small(&text, value))
            return true;
        bits = round_all(&real, &text);
        negative = text.negative;
    } else if (!parse_special(&real, at, end, &bits, &negative)) {
        return false;
    }
    bits |= negative ? UINT64_C(1) << 63 : 0;
    memcpy(value, &bits, sizeof bits);
    return true;
}

bool creo_parse_single(const uint8_t *at, const uint8_t *end, float *value)
{
    scanned text;
    uint64_t bits;
    bool negative;
    if (scan(at, end, &text)) {
        bits = round_all(&single, &text);
        negative = text.negative;
    } else if (!parse_special(&single, at, end, &bits, &negative)) {
        return false;
    }
    uint32_t word = (uint32_t)bits | (negative ? UINT32_C(1) << 31 : 0);
    memcpy(value, &word, sizeof word);
    return true;
}
