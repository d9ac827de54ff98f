#include "check.h"

#include "base/utf8.h"

/* Table 3-7 of Unicode 15, as slowly and plainly as it can be written: code point by code point. */
static bool naive_utf8(const uint8_t *at, size_t size)
{
    size_t i = 0;
    while (i < size) {
        uint32_t code;
        size_t length;
        if (at[i] < 0x80) {
            code = at[i];
            length = 1;
        } else if ((at[i] & 0xE0) == 0xC0) {
            code = at[i] & 0x1Fu;
            length = 2;
        } else if ((at[i] & 0xF0) == 0xE0) {
            code = at[i] & 0x0Fu;
            length = 3;
        } else if ((at[i] & 0xF8) == 0xF0) {
            code = at[i] & 0x07u;
            length = 4;
        } else {
            return false;
        }
        if (i + length > size)
            return false;
        for (size_t j = 1; j < length; j++) {
            if ((at[i + j] & 0xC0) != 0x80)
                return false;
            code = code << 6 | (at[i + j] & 0x3Fu);
        }
        static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
        if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
            return false;
        i += length;
    }
    return true;
}

/* Every sequence of up to three bytes of the interesting kinds, at every distance from the ends of an otherwise ASCII text. */
static void utf8_is_checked_everywhere(void **state)
{
    (void)state;
    static const uint8_t kinds[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
                                    0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};
    const size_t count = sizeof kinds;
    for (size_t size = 0; size <= 20; size++) {
        char *text = (char *)malloc(size == 0 ? 1 : size);
        assert_non_null(text);
        for (size_t at = 0; at + 1 <= size; at++) {
            for (size_t choice = 0; choice < count * count * count; choice += size < 6 ? 1 : 7) {
                memset(text, 'a', size);
                const uint8_t sequence[4] = {kinds[choice % count], kinds[choice / count % count], kinds[choice / count / count], 0x80};
                for (size_t i = 0; i < 4 && at + i < size; i++)
                    memcpy(text + at + i, sequence + i, 1);
                bool due = naive_utf8((const uint8_t *)text, size);
                if (creo_utf8_valid(text, size) != due)
                    fail_msg("size %zu, at %zu, choice %zu: %d is due", size, at, choice, (int)due);
            }
        }
        free(text);
    }
}

/* Around the lengths at which the check and the writer's copy change their ways. */
static void long_texts_are_checked_everywhere(void **state)
{
    (void)state;
    static const char *const sequences[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\x80", "\xED\xA0\x80"};
    for (size_t size = 1; size <= 140; size++) {
        /* In exact size, for the sanitizer to detect overruns. */
        char *text = (char *)malloc(size);
        uint8_t *room = (uint8_t *)malloc(size + 2);
        assert_true(text != NULL && room != NULL);
        for (size_t choice = 0; choice < 5; choice++) {
            for (size_t at = 0; at <= size; at++) {
                memset(text, 'a', size);
                for (size_t i = 0; sequences[choice][i] != 0 && at + i < size; i++)
                    text[at + i] = sequences[choice][i];
                bool due = naive_utf8((const uint8_t *)text, size);
                if (creo_utf8_valid(text, size) != due)
                    fail_msg("size %zu, at %zu, choice %zu: %d is due", size, at, choice, (int)due);
                creo_writer writer;
                size_t head = size < 128 ? 1 : 2;
                creo_writer_init_fixed(&writer, room, size + head, NULL, NULL);
                assert_int_equal(creo_write_string(&writer, (creo_string){text, size}), due);
                if (due)
                    assert_memory_equal(room + head, text, size);
            }
        }
        free(text);
        free(room);
    }
}

static void decimals(void **state)
{
    (void)state;
    static const char *const good[] = {"0", "1", "-1", "10", "0.0", "0.000", "-1.50", "123456789012345678901234567890.00001", "0.1"};
    static const char *const bad[] = {"", "-", "-0", "-0.00", "01", "00", "1.", ".1", "+1", "1e3", "1 ", " 1", "1.2.3", "--1", "1-", "0x1", "1,0", "NaN"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (!creo_decimal_valid(creo_text(good[i])))
            fail_msg("%s is a decimal", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (creo_decimal_valid(creo_text(bad[i])))
            fail_msg("%s is no decimal", bad[i]);
    char digits[1002];
    memset(digits, '7', sizeof digits);
    assert_true(creo_decimal_valid((creo_decimal){digits, 1000}));
    assert_false(creo_decimal_valid((creo_decimal){digits, 1001}));
    digits[500] = '.';
    assert_true(creo_decimal_valid((creo_decimal){digits, 1001}));
}

static void assert_instant(int64_t seconds, uint32_t nanoseconds, const char *due)
{
    char text[CREO_DATETIME_TEXT];
    size_t size = creo_datetime_format((creo_datetime){seconds, nanoseconds}, text);
    assert_string_equal(text, due);
    assert_int_equal(size, strlen(due));
}

static void instants(void **state)
{
    (void)state;
    assert_instant(0, 0, "1970-01-01T00:00:00Z");
    assert_instant(-1, 500000000, "1969-12-31T23:59:59.500Z");
    assert_instant(INT64_C(-62135596800), 0, "0001-01-01T00:00:00Z");
    assert_instant(INT64_C(253402300799), 999999999, "9999-12-31T23:59:59.999999999Z");
    assert_instant(951782400, 1000, "2000-02-29T00:00:00.000001Z");
    assert_instant(1795257116, 250000000, "2026-11-21T10:31:56.250Z");
    assert_instant(INT64_C(-2203891200), 1, "1900-03-01T00:00:00.000000001Z");
    assert_instant(INT64_C(-62135596801), 0, "");
    assert_instant(INT64_C(253402300800), 0, "");
    assert_instant(0, 1000000000, "");
}

static void shown_texts_have_no_control_characters(void **state)
{
    (void)state;
    char shown[2000];
    creo_text_show(shown, sizeof shown, (creo_string){"a\n\x1B[31m\0\x7F\xC2\x85\xC3\xA9\xFFz", 15});
    assert_string_equal(shown, "a\\u000a\\u001b[31m\\u0000\\u007f\\u0085\xC3\xA9\\xffz");
    char small[6];
    creo_text_show(small, sizeof small, creo_text("abcd\xC3\xA9"));
    assert_string_equal(small, "abcd");
    char many[3000];
    memset(many, 'x', sizeof many);
    creo_text_show(shown, sizeof shown, (creo_string){many, sizeof many});
    assert_int_equal(strlen(shown), 1000);
    creo_text_show(shown, sizeof shown, (creo_string){NULL, 0});
    assert_string_equal(shown, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_checked_everywhere),
        cmocka_unit_test(long_texts_are_checked_everywhere),
        cmocka_unit_test(decimals),
        cmocka_unit_test(instants),
        cmocka_unit_test(shown_texts_have_no_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
