/* Constants of enums are found by number, name and text. */
#include "check.h"

#include "text/constants.h"

/* Names and texts have separate orders: by size, then by bytes. */
static const creo_text_constant constants[] = {
    {"EUR", 3, "978", 3, 0, 5, 2},
    {"ALL", 3, "euro", 4, 1, 3, 6},
    {"NOTHING", 7, "", 0, 7, 6, 3},
    {"B", 1, "\xc3\xa4", 2, 300, 1, 4},
    {"ZZZZ", 4, "756", 3, 4, 0, 0},
    {"A", 1, "a longer text", 13, 5, 4, 1},
    {"_", 1, "x", 1, 2147483647, 2, 5},
};

enum { COUNT = sizeof constants / sizeof constants[0] };

static creo_text_enum type_of(uint32_t count)
{
    return (creo_text_enum){"test.Type", {"Type", 4, NULL}, constants, count, false};
}

static creo_string ordered(uint32_t place, bool name)
{
    const creo_text_constant *constant = &constants[name ? constants[place].by_name : constants[place].by_text];
    return name ? (creo_string){constant->name, constant->name_size} : (creo_string){constant->text, constant->size};
}

/* The table above satisfies the descriptor's contract. */
static void the_orders_ascend(void **unused)
{
    (void)unused;
    for (int name = 0; name < 2; name++) {
        for (uint32_t i = 1; i < COUNT; i++) {
            creo_string one = ordered(i - 1, name), other = ordered(i, name);
            assert_true(one.size < other.size || (one.size == other.size && memcmp(one.data, other.data, one.size) < 0));
        }
    }
}

static void each_is_found(void **unused)
{
    (void)unused;
    creo_text_enum type = type_of(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const creo_text_constant *constant = &constants[i];
        assert_ptr_equal(creo_constant_of_number(&type, constant->number), constant);
        assert_ptr_equal(creo_constant_of_name(&type, creo_text(constant->name)), constant);
        assert_ptr_equal(creo_constant_of_text(&type, creo_text(constant->text)), constant);
    }
    /* What was empty in the input has no address. */
    assert_ptr_equal(creo_constant_of_text(&type, (creo_string){NULL, 0}), &constants[2]);
}

static void others_are_not(void **unused)
{
    (void)unused;
    creo_text_enum type = type_of(COUNT);
    static const char *const names[] = {"", "C", "a", "EU", "EUS", "EUQ", "EURO", "zzzz", "NOTHING ", "a name that is longer than all"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_null(creo_constant_of_name(&type, creo_text(names[i])));
    assert_null(creo_constant_of_text(&type, creo_text("EUR")));
    assert_null(creo_constant_of_name(&type, creo_text("978")));
    static const uint32_t numbers[] = {2, 3, 6, 299, 4294967295};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_null(creo_constant_of_number(&type, numbers[i]));
    creo_text_enum none = type_of(0);
    assert_null(creo_constant_of_name(&none, creo_text("EUR")));
    assert_null(creo_constant_of_text(&none, creo_text("")));
    assert_null(creo_constant_of_number(&none, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_orders_ascend),
        cmocka_unit_test(each_is_found),
        cmocka_unit_test(others_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
