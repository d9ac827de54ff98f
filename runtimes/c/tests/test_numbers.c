#include "check.h"

#include "text/numbers.h"

#include <float.h>
#include <math.h>

static const char *real_text(double value)
{
    static _Thread_local char text[CREO_NUMBER_TEXT];
    *creo_put_real(text, value) = 0;
    return text;
}

static const char *single_text(float value)
{
    static _Thread_local char text[CREO_NUMBER_TEXT];
    *creo_put_single(text, value) = 0;
    return text;
}

static bool parse(const char *text, double *value)
{
    creo_bytes bytes = creo_bytes_of(text, strlen(text));
    return creo_parse_real(bytes.data, bytes.data + bytes.size, value);
}

static bool parse_float(const char *text, float *value)
{
    creo_bytes bytes = creo_bytes_of(text, strlen(text));
    return creo_parse_single(bytes.data, bytes.data + bytes.size, value);
}

/* The layouts of ECMAScript (XML-11). */
static void reals_are_laid_out(void **state)
{
    (void)state;
    assert_string_equal(real_text(0.0), "0");
    assert_string_equal(real_text(-0.0), "-0");
    assert_string_equal(real_text(1), "1");
    assert_string_equal(real_text(-1.5), "-1.5");
    assert_string_equal(real_text(0.1), "0.1");
    assert_string_equal(real_text(100), "100");
    assert_string_equal(real_text(123456789012345680000.0), "123456789012345680000");
    assert_string_equal(real_text(1e20), "100000000000000000000");
    assert_string_equal(real_text(1e21), "1e+21");
    assert_string_equal(real_text(1.5e300), "1.5e+300");
    assert_string_equal(real_text(0.000001), "0.000001");
    assert_string_equal(real_text(1e-7), "1e-7");
    assert_string_equal(real_text(1.5e-7), "1.5e-7");
    assert_string_equal(real_text(5e-324), "5e-324");
    assert_string_equal(real_text(DBL_MAX), "1.7976931348623157e+308");
    assert_string_equal(real_text(DBL_MIN), "2.2250738585072014e-308");
    assert_string_equal(real_text(9007199254740993.0), "9007199254740992");
    assert_string_equal(real_text(2e-323), "2e-323");
    assert_string_equal(real_text((double)NAN), "NaN");
    assert_string_equal(real_text((double)INFINITY), "INF");
    assert_string_equal(real_text(-(double)INFINITY), "-INF");
    assert_string_equal(single_text(0.1f), "0.1");
    assert_string_equal(single_text(1e-45f), "1e-45");
    assert_string_equal(single_text(FLT_MAX), "3.4028235e+38");
    assert_string_equal(single_text(16777216.0f), "16777216");
    assert_string_equal(single_text(-0.0f), "-0");
    assert_string_equal(single_text(8388608.5f), "8388608");
    assert_string_equal(single_text(1e10f), "10000000000");
}

static void integers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool fine;
        int64_t value;
    } cases[] = {{"0", true, 0},
                 {"-0", true, 0},
                 {"+7", true, 7},
                 {"007", true, 7},
                 {"0000000000000000000000000000127", true, 127},
                 {"127", true, 127},
                 {"128", false, 0},
                 {"-128", true, -128},
                 {"-129", false, 0},
                 {"", false, 0},
                 {"-", false, 0},
                 {"+-1", false, 0},
                 {"1.0", false, 0},
                 {" 1", false, 0},
                 {"0x1", false, 0},
                 {"99999999999999999999999999999", false, 0},
                 {"1e1", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 0;
        const uint8_t *at = (const uint8_t *)cases[i].text;
        assert_int_equal(creo_parse_integer(at, at + strlen(cases[i].text), INT8_MIN, INT8_MAX, &value), cases[i].fine);
        assert_int_equal(value, cases[i].value);
    }
    int64_t value = 0;
    const uint8_t *least = (const uint8_t *)"-9223372036854775808";
    assert_true(creo_parse_integer(least, least + 20, INT64_MIN, INT64_MAX, &value) && value == INT64_MIN);
    assert_false(creo_parse_integer(least + 1, least + 20, INT64_MIN, INT64_MAX, &value));
    char text[CREO_NUMBER_TEXT];
    *creo_put_signed(text, INT64_MIN) = 0;
    assert_string_equal(text, "-9223372036854775808");
    *creo_put_number(text, UINT64_MAX) = 0;
    assert_string_equal(text, "18446744073709551615");
}

/* Invalid numbers, and forms that XML Schema accepts. */
static void forms_of_reals(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", ".", "-", "+", "e1", "1e", "1e+", "1.2.3", "0x1", "inf", "nan", "Infinity", "-NaN", "+NaN", "1 ", "INF ", "1,5", "--1", "1e1.5", "1d"};
    double value;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(parse(wrong[i], &value));
    assert_true(parse(".5", &value) && value == 0.5);
    assert_true(parse("5.", &value) && value == 5);
    assert_true(parse("+1E5", &value) && value == 1e5);
    assert_true(parse("-.5e-1", &value) && value == -0.05);
    assert_true(parse("+INF", &value) && isinf(value) && value > 0);
    assert_true(parse("-INF", &value) && isinf(value) && value < 0);
    assert_true(parse("NaN", &value) && isnan(value));
    assert_true(parse("1e400", &value) && isinf(value));
    assert_true(parse("-1e99999999999999999999", &value) && isinf(value) && value < 0);
    assert_true(parse("1e-99999999999999999999", &value) && value == 0);
    assert_true(parse("0e99999999999999999999", &value) && value == 0);
    assert_true(parse("-0", &value) && value == 0 && signbit(value));
}

/* Numbers that lie on or just beside the middle between two, and long ones. */
static void hard_reals(void **state)
{
    (void)state;
    static const char *const texts[] = {"9007199254740993",
                                        "9007199254740992.99999999999999999999",
                                        "9007199254740993.00000000000000000001",
                                        "9007199254740995",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072012e-308",
                                        "2.4703282292062327208e-324",
                                        "2.4703282292062328e-324",
                                        "4.9406564584124654e-324",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "1.797693134862315807937e308",
                                        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
                                        "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000024703282292062327208299439222000000001",
                                        "7.2057594037927933e16",
                                        "1.00000005960464477539062500000000000000000000000000000000001",
                                        "1.0000000596046447753906250",
                                        "1.0000001788139343261718750",
                                        "3.4028235677973366e38",
                                        "3.4028235677973365e38",
                                        "7.006492321624085354618e-46",
                                        "7.006492321624085354619e-46"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = 0;
        assert_true(parse(texts[i], &value));
        double due = strtod(texts[i], NULL);
        assert_memory_equal(&value, &due, sizeof value);
        float narrow = 0;
        assert_true(parse_float(texts[i], &narrow));
        float narrow_due = strtof(texts[i], NULL);
        assert_memory_equal(&narrow, &narrow_due, sizeof narrow);
    }
}

/* The middle between two numbers, written out in full: a tie; and with one digit more, 800 places on. */
static void ties_of_many_digits(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 2000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        double value = creo_double_of(seed & UINT64_C(0x7FFFFFFFFFFFFFFF));
        if (!isfinite(value) || value > 1e300)
            continue;
        double next = nextafter(value, INFINITY);
        /* Quad precision holds the middle exactly unless it is subnormal. */
        long double middle = ((long double)value + (long double)next) / 2;
        char text[2400];
        snprintf(text, sizeof text - 900, "%.1100Le", middle);
        double got = 0;
        assert_true(parse(text, &got));
        double due = strtod(text, NULL);
        assert_memory_equal(&got, &due, sizeof got);
        char *exponent = strchr(text, 'e');
        char longer[3600];
        snprintf(longer, sizeof longer, "%.*s%0800d1%s", (int)(exponent - text), text, 0, exponent);
        assert_true(parse(longer, &got));
        due = strtod(longer, NULL);
        assert_memory_equal(&got, &due, sizeof got);
    }
}

static size_t digits_of(const char *text)
{
    size_t count = 0;
    size_t zeros = 0;
    for (; *text != 0 && *text != 'e'; text++) {
        if (*text < '0' || *text > '9')
            continue;
        if (count == 0 && *text == '0')
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        count++;
    }
    return count - zeros;
}

/* Random bit patterns come back, by our reader and by the library's; no shorter text would; and of those of that size none is closer. */
static void random_reals_come_back(void **state)
{
    (void)state;
    uint64_t seed = 1442695040888963407u;
    for (int i = 0; i < 300000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = seed ^ seed >> 29;
        if (i % 3 == 0)
            bits &= ~(UINT64_MAX >> (12 + i % 52));
        double value = creo_double_of(bits);
        if (isnan(value) || isinf(value))
            continue;
        const char *text = real_text(value);
        double back = 0;
        assert_true(parse(text, &back));
        assert_memory_equal(&back, &value, sizeof value);
        double again = strtod(text, NULL);
        assert_memory_equal(&again, &value, sizeof value);
        size_t digits = digits_of(text);
        char shorter[64];
        if (digits > 1 && i % 8 == 0) {
            snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, value);
            again = strtod(shorter, NULL);
            assert_memory_not_equal(&again, &value, sizeof value);
        }
        if (digits > 0 && i % 8 == 1) {
            snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 1, value);
            again = strtod(shorter, NULL);
            if (memcmp(&again, &value, sizeof value) == 0) {
                double same = strtod(text, NULL);
                assert_true(same == again && digits_of(shorter) == digits);
            }
        }
    }
}

static void random_singles_come_back(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 300000; i++) {
        seed = seed * 1664525u + 1013904223u;
        float value = creo_float_of(seed ^ seed >> 13);
        if (isnan(value) || isinf(value))
            continue;
        const char *text = single_text(value);
        float back = 0;
        assert_true(parse_float(text, &back));
        assert_memory_equal(&back, &value, sizeof value);
        size_t digits = digits_of(text);
        char shorter[64];
        if (digits > 1) {
            snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, (double)value);
            float again = strtof(shorter, NULL);
            assert_memory_not_equal(&again, &value, sizeof value);
        }
    }
}

/* Random texts: this reader agrees with the library. */
static void random_texts_are_read_alike(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 200000; i++) {
        char text[80];
        char *at = text;
        for (int part = 0; part < 2; part++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            unsigned digits = (unsigned)(seed >> 33) % 24 + (part == 0 ? 1 : 0);
            for (unsigned j = 0; j < digits; j++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                *at++ = (char)('0' + (seed >> 33) % 10);
            }
            if (part == 0)
                *at++ = '.';
        }
        snprintf(at, 20, "e%d", (int)((seed >> 40) % 700) - 360);
        double value = 0;
        assert_true(parse(text, &value));
        double due = strtod(text, NULL);
        assert_memory_equal(&value, &due, sizeof value);
        float narrow = 0;
        assert_true(parse_float(text, &narrow));
        float narrow_due = strtof(text, NULL);
        assert_memory_equal(&narrow, &narrow_due, sizeof narrow);
    }
}

/* The table, computed with numbers of any size. */
static void powers_are_right(void **state)
{
    (void)state;
    for (int q = CREO_MIN_POWER; q < CREO_MIN_POWER + CREO_POWER_COUNT; q++) {
        const uint64_t *entry = creo_powers_of_five[q - CREO_MIN_POWER];
        assert_true(entry[0] >> 63 == 1);
        if (q == CREO_MIN_POWER)
            continue;
        /* Five times the previous one, which may be off by one in its last place. */
        const uint64_t *before = creo_powers_of_five[q - 1 - CREO_MIN_POWER];
        creo_wide low = creo_multiply(before[1], 5);
        creo_wide high = creo_multiply(before[0], 5);
        uint64_t middle = high.low + low.high;
        uint64_t top = high.high + (middle < low.high ? 1 : 0);
        unsigned bits = 0;
        while (top >> bits != 0)
            bits++;
        uint64_t due_high = middle >> bits | top << (64 - bits);
        uint64_t due_low = low.low >> bits | middle << (64 - bits);
        uint64_t difference = entry[1] - due_low;
        assert_true(difference + 6 <= 12);
        assert_true(entry[0] - due_high + 1 <= 2);
        if (q >= 0 && q <= 55)
            assert_true(difference == 0 && entry[0] == due_high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_are_laid_out),      cmocka_unit_test(integers_are_read),        cmocka_unit_test(forms_of_reals),
        cmocka_unit_test(hard_reals),              cmocka_unit_test(ties_of_many_digits),      cmocka_unit_test(random_reals_come_back),
        cmocka_unit_test(random_singles_come_back), cmocka_unit_test(random_texts_are_read_alike), cmocka_unit_test(powers_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
