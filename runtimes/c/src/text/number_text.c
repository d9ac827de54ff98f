#include "numbers.h"

static const char number_pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
                            "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Writes the digits of a number backwards from the end of `room`; returns the first. */
static char *digits_before(char *end, uint64_t number)
{
    while (number >= 100) {
        end -= 2;
        memcpy(end, number_pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (number >= 10) {
        end -= 2;
        memcpy(end, number_pairs + 2 * number, 2);
    } else {
        *--end = (char)('0' + number);
    }
    return end;
}

char *creo_put_number(char *at, uint64_t number)
{
    if (number < 10) {
        *at = (char)('0' + number);
        return at + 1;
    }
    char room[20];
    char *first = digits_before(room + sizeof room, number);
    size_t size = (size_t)(room + sizeof room - first);
    memcpy(at, first, size);
    return at + size;
}

char *creo_put_signed(char *at, int64_t number)
{
    uint64_t size = (uint64_t)number;
    if (number < 0) {
        *at++ = '-';
        size = 0 - size;
    }
    return creo_put_number(at, size);
}

/*
 * The shortest decimal in the interval that rounds to a number, as by R. Giulietti, "The Schubfach way to render doubles" (2020).
 */

typedef struct decimal {
    uint64_t digits;
    int power;
} decimal;

static int floor_log2_of_power(int power)
{
    return (power * 1741647) >> 19;
}

static creo_wide power_of_ten(int power)
{
    const uint64_t *entry = creo_powers_of_five[power - CREO_MIN_POWER];
    creo_wide found = {entry[0], entry[1]};
    /* The bound is the upper one. */
    if (power > 55 && ++found.low == 0)
        found.high++;
    return found;
}

static uint64_t round_to_odd(creo_wide g, uint64_t number)
{
    uint64_t low = creo_multiply(g.low, number).high;
    creo_wide product = creo_multiply(g.high, number);
    product.low += low;
    if (product.low < low)
        product.high++;
    return product.high | (product.low > 1 ? 1 : 0);
}

/* `c` times 2 to the power q; `closer`: the number below is nearer than the one above. */
static decimal shortest(uint64_t c, int q, bool closer)
{
    bool even = c % 2 == 0;
    int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
    int h = q + floor_log2_of_power(-k) + 1;
    creo_wide g = power_of_ten(-k);
    uint64_t below = round_to_odd(g, (4 * c - 2 + (closer ? 1 : 0)) << h);
    uint64_t middle = round_to_odd(g, (4 * c) << h);
    uint64_t above = round_to_odd(g, (4 * c + 2) << h);
    uint64_t lower = below + (even ? 0 : 1);
    uint64_t upper = above - (even ? 0 : 1);
    uint64_t s = middle / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = lower <= 40 * tens;
        bool up = 40 * tens + 40 <= upper;
        if (down != up)
            return (decimal){tens + (up ? 1 : 0), k + 1};
    }
    bool down = lower <= 4 * s;
    bool up = 4 * s + 4 <= upper;
    if (down != up)
        return (decimal){s + (up ? 1 : 0), k};
    uint64_t half = 4 * s + 2;
    bool round_up = middle > half || (middle == half && s % 2 != 0);
    return (decimal){s + (round_up ? 1 : 0), k};
}

static char *put_zeros(char *at, int count)
{
    memset(at, '0', (size_t)count);
    return at + count;
}

/* ECMAScript's Number::toString: `n` is where the point is. */
static char *lay_out(char *at, decimal value)
{
    while (value.digits % 10 == 0) {
        value.digits /= 10;
        value.power++;
    }
    char room[20];
    char *first = digits_before(room + sizeof room, value.digits);
    int k = (int)(room + sizeof room - first);
    int n = k + value.power;
    if (k <= n && n <= 21) {
        memcpy(at, first, (size_t)k);
        return put_zeros(at + k, n - k);
    }
    if (0 < n && n <= 21) {
        memcpy(at, first, (size_t)n);
        at[n] = '.';
        memcpy(at + n + 1, first + n, (size_t)(k - n));
        return at + k + 1;
    }
    if (-6 < n && n <= 0) {
        *at++ = '0';
        *at++ = '.';
        at = put_zeros(at, -n);
        memcpy(at, first, (size_t)k);
        return at + k;
    }
    *at++ = *first;
    if (k > 1) {
        *at++ = '.';
        memcpy(at, first + 1, (size_t)(k - 1));
        at += k - 1;
    }
    *at++ = 'e';
    *at++ = n > 0 ? '+' : '-';
    return creo_put_number(at, (uint64_t)(n > 0 ? n - 1 : 1 - n));
}

/* An IEEE 754 number from its parts. `bits` is the size of its fraction. */
static char *put_parts(char *at, bool negative, uint64_t fraction, int exponent, int bits, int most)
{
    if (exponent == most && fraction != 0) {
        memcpy(at, "NaN", 3);
        return at + 3;
    }
    if (negative)
        *at++ = '-';
    if (exponent == most) {
        memcpy(at, "INF", 3);
        return at + 3;
    }
    if (exponent == 0 && fraction == 0) {
        *at++ = '0';
        return at;
    }
    uint64_t hidden = UINT64_C(1) << bits;
    int bias = most / 2 + bits;
    uint64_t c = exponent == 0 ? fraction : fraction | hidden;
    int q = exponent == 0 ? 1 - bias : exponent - bias;
    /* An integer has its own digits. */
    if (q <= 0 && -q <= bits && (c & ((UINT64_C(1) << -q) - 1)) == 0)
        return lay_out(at, (decimal){c >> -q, 0});
    return lay_out(at, shortest(c, q, fraction == 0 && exponent > 1));
}

char *creo_put_real(char *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_parts(at, bits >> 63 != 0, bits & UINT64_C(0xFFFFFFFFFFFFF), (int)(bits >> 52 & 0x7FF), 52, 0x7FF);
}

char *creo_put_single(char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_parts(at, bits >> 31 != 0, bits & 0x7FFFFF, (int)(bits >> 23 & 0xFF), 23, 0xFF);
}
