/* What the messages of a stream over JMS say of its runs and items, and messages that are wrong: spec/transports/jms.md, section 8. */
#define _POSIX_C_SOURCE 200809L

#include "feed.h"

/* Runs (JMS-26). */

static void many_runs(broker *broker)
{
    static const char *const refusal[] = {"SOAPJMS_contentType", BINARY, "Creo_kind", "error", NULL};
    if (is_add(broker))
        return;
    switch (broker->step++) {
    case 0:
        say_numbers(broker, OTHER_RUN, 0, 0);
        say_numbers(broker, RUN, 0, 1);
        say_end(broker, "1");
        break;
    case 1:
        say_numbers(broker, RUN, 0, 2);
        say_numbers(broker, OTHER_RUN, 0, 1);
        break;
    case 2:
        say_numbers(broker, OTHER_RUN, 0, 2);
        say_end(broker, "0");
        break;
    case 3:
        broker_send(broker, broker_answer(refusal, "\4\4none\0", 7), NULL);
        break;
    case 4:
        say_numbers(broker, OTHER_RUN, 0, 0);
        broker_send(broker, broker_answer(refusal, "\4\4none\0", 7), NULL);
        break;
    default:
        say_numbers(broker, RUN, 0, 2);
        broker_send(broker, broker_answer(refusal, "\4\4none\0", 7), NULL);
        break;
    }
}

static void runs(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, many_runs);
    assert_ok(&f, open_numbers(&f));
    assert_number(&f, 0);
    assert_end(&f);
    for (int call = 1; call < 6; call++) {
        assert_ok(&f, open_numbers(&f));
        if (call == 3 || call == 4) {
            assert_failure(&f, CREO_UNKNOWN_METHOD, "none");
            continue;
        }
        assert_number(&f, 0);
        assert_number(&f, 1);
        assert_failure(&f, CREO_UNAVAILABLE, call == 5 ? "another one has refused the call after 2 items" : "another one has begun the call again after 2 items");
    }
    assert_adds(&f);
    assert_true(f.broker.connections == 1 && f.broker.deleted == 6);
    finish(&f);
}

/* Messages that fail their call alone, after an item. */

#define ITEMS "SOAPJMS_contentType", BINARY, "Creo_kind", "items"
#define END "SOAPJMS_contentType", BINARY, "Creo_kind", "response"
#define NUMBER "\1\0\0\0\0\0\0\0\1"

static const struct {
    const char *properties[15];
    const char *body;
    size_t size;
    creo_code code;
    const char *part;
} hostile[] = {
    {{ITEMS, NULL}, NUMBER, 9, CREO_MALFORMED, "no right Creo_run and Creo_item"},
    {{ITEMS, "Creo_run", RUN, NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_item", "1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{END, "Creo_item", "1", NULL}, "", 0, CREO_MALFORMED, "no right"},
    {{END, "Creo_run", RUN, NULL}, "", 0, CREO_MALFORMED, "no right"},
    {{END, NULL}, "", 0, CREO_MALFORMED, "no right"},
    {{"Creo_kind", "error", "Creo_run", RUN, NULL}, "\x0a\0\0", 3, CREO_MALFORMED, "no right"},
    {{"Creo_kind", "error", "Creo_item", "1", NULL}, "\x0a\0\0", 3, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", "", "Creo_item", "1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", "0123456789abcde", "Creo_item", "1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", RUN "0", "Creo_item", "1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", "0123456789abcdeg", "Creo_item", "1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", "0x23456789abcdef", "Creo_item", "1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", "0123456\xC3\xA9" "9abcdef", "Creo_item", "1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "-1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", " 1", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1.0", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "00000000000000000001", NULL}, NUMBER, 9, CREO_MALFORMED, "no right"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "9999999999999999999", NULL}, NUMBER, 9, CREO_MALFORMED, "begins with the item 9999999999999999999, and 1 have come"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "0", NULL}, NUMBER, 9, CREO_MALFORMED, "begins with the item 0, and 1 have come"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "2", NULL}, NUMBER, 9, CREO_MALFORMED, "begins with the item 2, and 1 have come"},
    {{END, "Creo_run", RUN, "Creo_item", "0", NULL}, "", 0, CREO_MALFORMED, "begins with the item 0, and 1 have come"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1", "SOAPJMS_contentEncoding", "gzip", NULL}, NUMBER, 9, CREO_MALFORMED, "items have an encoding"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1", "Creo_run", RUN, NULL}, NUMBER, 9, CREO_MALFORMED, ""},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1", "SOAPJMS_bindingVersion", "2.0", NULL}, NUMBER, 9, CREO_PROTOCOL_MISMATCH, "unrecognizedBindingVersion"},
    {{"Creo_kind", "items", "Creo_run", RUN, "Creo_item", "1", NULL}, NUMBER, 9, CREO_PROTOCOL_MISMATCH, "missingContentType"},
    {{"SOAPJMS_contentType", "text/xml", "Creo_kind", "items", "Creo_run", RUN, "Creo_item", "1", NULL}, NUMBER, 9, CREO_PROTOCOL_MISMATCH, "contentTypeMismatch"},
    {{"SOAPJMS_contentType", "text/xml", "Creo_kind", "response", "Creo_run", RUN, "Creo_item", "1", NULL}, "", 0, CREO_PROTOCOL_MISMATCH, "contentTypeMismatch"},
    {{"SOAPJMS_contentType", BINARY, "Creo_run", RUN, "Creo_item", "1", NULL}, NUMBER, 9, CREO_PROTOCOL_MISMATCH, "does not say whether"},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "Items", "Creo_run", RUN, "Creo_item", "1", NULL}, NUMBER, 9, CREO_PROTOCOL_MISMATCH, "does not say whether"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1", NULL}, "", 0, CREO_MALFORMED, "$items"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1", NULL}, "\2\0\0\0\0\0\0\0\1", 9, CREO_MALFORMED, "$items"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1", NULL}, "\xff\xff\xff\xff\x0f\0\0\0\0", 9, CREO_MALFORMED, "$items"},
    {{ITEMS, "Creo_run", RUN, "Creo_item", "1", NULL}, "\0\1", 2, CREO_MALFORMED, "$items"},
    {{END, "Creo_run", RUN, "Creo_item", "1", NULL}, "\1", 1, CREO_MALFORMED, ""},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "exception", "Creo_run", RUN, "Creo_item", "1", NULL}, "\0", 1, CREO_MALFORMED, ""},
    /* The host of an error may not know whether the broker has taken the last items (JMS-26). */
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "error", "Creo_run", RUN, "Creo_item", "0", NULL}, "\x0a\2no\0", 5, CREO_PERMISSION_DENIED, "no"},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "error", "Creo_run", RUN, "Creo_item", "1", NULL}, "\x0a\2no\0", 5, CREO_PERMISSION_DENIED, "no"},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "error", "Creo_run", RUN, "Creo_item", "2", NULL}, "\x0a\2no\0", 5, CREO_PERMISSION_DENIED, "no"},
};

#define HOSTILE (sizeof hostile / sizeof hostile[0])

static void say_hostile(broker *broker)
{
    size_t number = (size_t)broker->requests - 1;
    if (is_add(broker))
        return;
    say_numbers(broker, RUN, 0, 1);
    if (number < HOSTILE) {
        broker_send(broker, broker_answer(hostile[number].properties, hostile[number].body, hostile[number].size), NULL);
    } else if (number == HOSTILE) {
        /* A number is no text. */
        static const char *const plain[] = {ITEMS, "Creo_run", RUN, NULL};
        pn_message_t *made = broker_answer(plain, NUMBER, 9);
        pn_data_t *map = pn_message_properties(made);
        pn_data_rewind(map);
        pn_data_next(map);
        pn_data_enter(map);
        while (pn_data_next(map))
            continue;
        pn_data_put_string(map, pn_bytes(9, "Creo_item"));
        pn_data_put_long(map, 1);
        pn_data_exit(map);
        broker_send(broker, made, NULL);
    } else {
        broker_send_raw(broker, "\0\x53\x73\xff", 4);
        broker_send_raw(broker, "", 0);
        const char *const own[] = {ITEMS, "Creo_run", OTHER_RUN, "Creo_item", "7", NULL};
        broker_send(broker, broker_answer(own, NUMBER, 9), "00000000000000000000000000000000");
        say_end(broker, "1");
    }
    /* What comes after the end of a call is dropped. */
    if (number <= HOSTILE)
        say_numbers(broker, RUN, 1, 1);
}

static void hostile_messages(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, say_hostile);
    for (size_t i = 0; i <= HOSTILE; i++) {
        assert_ok(&f, open_numbers(&f));
        assert_number(&f, 0);
        assert_failure(&f, i < HOSTILE ? hostile[i].code : CREO_MALFORMED, i < HOSTILE ? hostile[i].part : "no right");
    }
    /* Messages of other calls are none of this one. */
    assert_ok(&f, open_numbers(&f));
    assert_number(&f, 0);
    assert_end(&f);
    assert_adds(&f);
    assert_int_equal(f.broker.connections, 1);
    assert_int_equal(f.broker.deleted, HOSTILE + 2);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs), cmocka_unit_test(hostile_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
