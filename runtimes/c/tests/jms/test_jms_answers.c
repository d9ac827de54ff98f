/* What comes with answers over JMS, and interceptors there: JMS-4, spec/calls.md. */
#define _POSIX_C_SOURCE 200809L

#include "broker.h"

#include "jms/jms_parts.h"

#include "sample.text.h"

#define BINARY "application/vnd.creo.binary"
#define WITH(kind, name, value) {"SOAPJMS_contentType", BINARY, "Creo_kind", kind, name, value, NULL}

static const uint8_t three[8] = {0, 0, 0, 0, 0, 0, 0, 3};

/* An answer for each step, and what it is due to be. */
static const struct {
    const char *properties[8];
    creo_code code;
    /* The pairs, or a part of the message if the metadata are broken. */
    const char *key;
    const char *value;
    const char *part;
} steps[] = {
    {WITH("response", "Creo_meta_a_2db_2ec", "%C3%A9%0A"), CREO_OK, "a-b.c", "\xC3\xA9\n", NULL},
    {WITH("error", "Creo_meta_traceparent", "00-a"), CREO_PERMISSION_DENIED, "traceparent", "00-a", NULL},
    {WITH("response", "x", "y"), CREO_OK, NULL, NULL, NULL},
    {WITH("response", "Creo_meta_a_b", "c"), CREO_MALFORMED, NULL, NULL, "a key is not"},
    {WITH("response", "Creo_meta_", "c"), CREO_MALFORMED, NULL, NULL, "a key is not"},
    {WITH("response", "Creo_meta_a_2", "c"), CREO_MALFORMED, NULL, NULL, "a key is not"},
    {WITH("response", "Creo_meta_a", "%4"), CREO_MALFORMED, NULL, NULL, "an escape"},
    {WITH("response", "Creo_meta_a", "\xC3\xA9"), CREO_MALFORMED, NULL, NULL, "must be escaped"},
    {WITH("response", "Creo_meta_a", ""), CREO_OK, "a", "", NULL},
};

static void answer_step(broker *broker)
{
    bool error = steps[broker->step].code == CREO_PERMISSION_DENIED;
    broker_send(broker, broker_answer(steps[broker->step].properties, error ? (const void *)"\x0a\0\0" : three, error ? 3 : sizeof three), NULL);
    broker->step++;
}

static void count_end(void *context, const creo_call *call, const creo_outcome *outcome)
{
    int *ends = (int *)context;
    assert_string_equal(call->method, "add");
    assert_int_equal(outcome->code, steps[*ends].code);
    assert_true((outcome->answer != NULL) == (steps[*ends].part == NULL));
    assert_non_null(outcome->peer);
    (*ends)++;
}

static void answers_have_metadata(void **state)
{
    (void)state;
    static broker held;
    creo_jms jms;
    creo_arena arena;
    creo_error error;
    int ends = 0;
    const creo_interceptor counting = {&ends, NULL, count_end};
    memset(&held, 0, sizeof held);
    held.respond = answer_step;
    broker_start(&held);
    creo_arena_init(&arena, creo_allocator_libc());
    assert_true(creo_jms_init(&jms, "127.0.0.1", held.port, "jms:queue:data", CREO_JMS_BINARY, &sample_sample_text, creo_allocator_libc(), &error));
    jms.client.interceptors = &counting;
    jms.client.interceptor_count = 1;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        int64_t sum;
        creo_error_clear(&error);
        bool done = sample_sample_add(&jms.client, 1, 2, &arena, &sum, &error);
        const creo_answer *answer = creo_client_answer(&jms.client);
        if (done != (steps[i].code == CREO_OK) || error.code != steps[i].code || (steps[i].part != NULL && strstr(error.message, steps[i].part) == NULL))
            fail_msg("%zu: %s", i, error.message);
        if (steps[i].part != NULL) {
            assert_null(answer);
            continue;
        }
        assert_int_equal(answer->metadata_count, steps[i].key == NULL ? 0 : 1);
        assert_true(answer->status == 0 && answer->header_count == 0);
        if (steps[i].key != NULL)
            assert_true(creo_string_is(answer->metadata[0].key, steps[i].key) && creo_string_is(answer->metadata[0].value, steps[i].value));
    }
    assert_int_equal(ends, sizeof steps / sizeof steps[0]);
    creo_jms_free(&jms);
    creo_arena_free(&arena);
    broker_stop(&held);
}

/* One more than may be, and one that is no text. */
static void too_many_are_refused(void **state)
{
    (void)state;
    uint8_t data[4096];
    for (size_t count = 64; count <= 65; count++) {
        size_t size = 0;
        memcpy(data, "\0\x53\x74\xd1", 4);
        size = 12;
        for (size_t i = 0; i < count; i++)
            size += (size_t)snprintf((char *)data + size, sizeof data - size, "\xa1%cCreo_meta_%02zu\xa1\x01v", 12, i);
        size_t inside = size - 8;
        uint8_t numbers[] = {0, 0, (uint8_t)(inside >> 8), (uint8_t)inside, 0, 0, 0, (uint8_t)(2 * count)};
        memcpy(data + 4, numbers, sizeof numbers);
        memcpy(data + size, "\0\x53\x75\xa0\x01x", 6);
        creo_limits limits = creo_limits_default();
        creo_jms_message message;
        creo_error error;
        if (!creo_jms_read_message(data, size + 6, &limits, &message, &error))
            fail_msg("%s", error.message);
        assert_int_equal(message.metadata_count, count);
        assert_true(creo_string_is(message.metadata[63].key, "63"));
        /* The first value becomes a truth value, which is shorter. */
        data[12 + 14] = 0x42;
        memmove(data + 12 + 15, data + 12 + 17, size + 6 - 12 - 17);
        inside -= 2;
        data[7] = (uint8_t)inside;
        data[6] = (uint8_t)(inside >> 8);
        assert_false(creo_jms_read_message(data, size + 4, &limits, &message, &error));
        assert_int_equal(error.code, CREO_MALFORMED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_metadata), cmocka_unit_test(too_many_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
