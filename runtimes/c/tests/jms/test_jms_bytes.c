/* Addresses and messages of JMS as bytes, without a broker: spec/transports/jms.md. */
#include "check.h"

#include "jms/jms_parts.h"

/* Addresses (JMS-1). */

static void addresses(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "", "data", "http://localhost/", "jms:data", "jms:queue:", "jms:queue", "jms:jndi:data", "jms:queue:a b", "jms:queue:\xC3\xA9", "jms:queue:a%", "jms:queue:a%2",
        "jms:queue:a%GG", "jms:queue:%ff", "jms:queue:a%00", "jms:queue:a?priority", "jms:queue:a?priority=", "jms:queue:a?priority=10", "jms:queue:a?priority=-1",
        "jms:queue:a?timeToLive=x", "jms:queue:a?timeToLive=-5", "jms:queue:a?deliveryMode=persistent", "jms:queue:a?priority=1&priority=1", "jms:queue:a?x=1&x=2",
        "jms:queue:a?jndiURL=x", "jms:queue:a?%6andiURL=x", "jms:queue:a?replyToName=", "jms:queue:a?targetService=", "jms:queue:a?x=1&", "jms:queue:a#b", "jms:queue:a?JNDIx=y",
    };
    creo_jms_address address;
    creo_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (creo_jms_address_init(&address, wrong[i], &error) || error.code != CREO_INVALID_VALUE)
            fail_msg("%s is taken", wrong[i]);
    }
    char long_one[CREO_JMS_ADDRESS_SIZE + 100];
    memset(long_one, 'a', sizeof long_one);
    memcpy(long_one, "jms:queue:", 10);
    long_one[sizeof long_one - 1] = 0;
    assert_false(creo_jms_address_init(&address, long_one, &error));
    long_one[CREO_JMS_ADDRESS_SIZE] = 0;
    assert_true(creo_jms_address_init(&address, long_one, &error));
    assert_int_equal(strlen(address.name), CREO_JMS_ADDRESS_SIZE - 10);
    assert_true(creo_jms_address_init(&address, "JMS:Queue:a?", &error));
    assert_string_equal(address.name, "a");
    assert_true(creo_jms_address_init(&address, "jms:topic:a%2Fb%C3%A9?targetService=x.Y&deliveryMode=NON_PERSISTENT&timeToLive=99999999999&priority=0&replyToName=b%20h", &error));
    assert_true(address.topic && !address.persistent);
    assert_int_equal(address.priority, 0);
    assert_int_equal(address.time_to_live, UINT32_MAX);
    assert_string_equal(address.name, "a/b\xC3\xA9");
    assert_string_equal(address.reply_to, "b h");
    assert_string_equal(address.target_service, "x.Y");
    assert_string_equal(address.uri, "jms:topic:a%2Fb%C3%A9?deliveryMode=NON_PERSISTENT&timeToLive=99999999999&priority=0&replyToName=b%20h");
}

/* Messages as bytes. */

static bool read_copy(const uint8_t *data, size_t size, creo_jms_message *message, creo_error *error)
{
    creo_limits limits = creo_limits_default();
    /* In exact size, for the sanitizer to detect overruns. */
    uint8_t *copy = (uint8_t *)malloc(size == 0 ? 1 : size);
    memcpy(copy, data, size);
    (void)creo_jms_correlation(creo_bytes_of(copy, size));
    bool done = creo_jms_read_message(copy, size, &limits, message, error);
    free(copy);
    return done;
}

static void cut_and_changed_messages(void **state)
{
    (void)state;
    static const uint8_t whole[] = "\0\x53\x70\xc0\x02\x01\x41"
                                   "\0\x53\x73\xc0\x0a\x06\x40\x40\x40\x40\x40\xa1\x02id"
                                   "\0\x53\x74\xd1\0\0\0\x15\0\0\0\x06\xa1\x01"
                                   "a\xa1\x01"
                                   "b\xa1\x01"
                                   "c\x41\xa1\x01"
                                   "d\xc0\x02\x01\x40"
                                   "\0\x53\x75\xa0\x03"
                                   "abc"
                                   "\0\x53\x75\xa0\x01"
                                   "d";
    size_t size = sizeof whole - 1;
    creo_jms_message message;
    creo_error error;
    creo_limits limits = creo_limits_default();
    uint8_t copy[sizeof whole];
    memcpy(copy, whole, size);
    if (!creo_jms_read_message(copy, size, &limits, &message, &error))
        fail_msg("%s", error.message);
    assert_int_equal(message.body.size, 4);
    assert_memory_equal(message.body.data, "abcd", 4);
    assert_true(creo_string_is(creo_jms_correlation(creo_bytes_of(whole, size)), "id"));
    for (size_t i = 0; i < size; i++) {
        static const uint8_t bytes[] = {0, 0x40, 0x45, 0x7f, 0x80, 0xa1, 0xb1, 0xc1, 0xd1, 0xf0, 0xff};
        (void)read_copy(whole, i, &message, &error);
        for (size_t j = 0; j < sizeof bytes; j++) {
            memcpy(copy, whole, size);
            copy[i] = bytes[j];
            (void)read_copy(copy, size, &message, &error);
        }
    }
}

/* A described value within a described value, and so on: no stack grows with it. */
static void deep_values(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    size_t size = 12 + 3 + 2 * DEPTH + 1 + 6;
    uint8_t *data = (uint8_t *)calloc(1, size);
    creo_limits limits = creo_limits_default();
    creo_jms_message message;
    creo_error error;
    assert_non_null(data);
    uint32_t inside = (uint32_t)(4 + 3 + 2 * DEPTH + 1);
    uint8_t head[] = {0, 0x53, 0x74, 0xd1, (uint8_t)(inside >> 24), (uint8_t)(inside >> 16), (uint8_t)(inside >> 8), (uint8_t)inside, 0, 0, 0, 2, 0xa1, 1, 'k'};
    memcpy(data, head, sizeof head);
    memset(data + 15 + DEPTH, 0x40, DEPTH + 1);
    memcpy(data + 15 + 2 * DEPTH + 1, "\0\x53\x75\xa0\x01x", 6);
    limits.max_header_size = 1000000;
    if (!creo_jms_read_message(data, size, &limits, &message, &error))
        fail_msg("%s", error.message);
    assert_int_equal(message.body.size, 1);
    limits.max_header_size = 65536;
    assert_false(creo_jms_read_message(data, size, &limits, &message, &error));
    assert_int_equal(error.code, CREO_TOO_LARGE);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses),
        cmocka_unit_test(cut_and_changed_messages),
        cmocka_unit_test(deep_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
