/* Repeated calls: spec/calls.md, section 3. */
#define _POSIX_C_SOURCE 200809L

#include "attempts/random.h"
#include "retries.h"

/* No wait between attempts. */
static const creo_retry at_once = {3, 0, 0};

static void start_retrying(fixture *f, const act *script)
{
    start(f, script);
    creo_client_set_retry(&f->client, &at_once);
}

static bool looks(fixture *f)
{
    return look(&f->client, &f->arena, &f->sum, &f->error);
}

/* CALL-22: by the code, by what the error says of the call, and by the method. */
static void the_decision(void **state)
{
    (void)state;
    static const struct {
        unsigned code;
        /* The value of the detail `started`; NULL: none. */
        const char *started;
        bool idempotent;
        bool repeated;
    } rows[] = {
        {CREO_UNAVAILABLE, NULL, true, true},  {CREO_UNAVAILABLE, NULL, false, false},   {CREO_UNAVAILABLE, "no", false, true},
        {CREO_OVERLOADED, NULL, true, true},   {CREO_OVERLOADED, NULL, false, false},    {CREO_OVERLOADED, "no", false, true},
        {CREO_OVERLOADED, "No", false, false}, {CREO_UNAVAILABLE, "yes", false, false},  {CREO_UNAVAILABLE, "", false, false},
        {CREO_INTERNAL, "no", true, false},    {CREO_MALFORMED, "no", true, false},      {CREO_DEADLINE_EXCEEDED, "no", true, false},
        {CREO_CANCELLED, "no", true, false},   {CREO_UNAUTHENTICATED, "no", true, false}, {CREO_TOO_LARGE, "no", true, false},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    static char texts[4 * ROWS][200];
    static act script[4 * ROWS + 3];
    size_t count = 0;
    unsigned id = 0;
    script[count++] = (act){ACCEPT, NULL, 0};
    for (size_t i = 0; i < ROWS; i++) {
        size_t size = rows[i].started == NULL ? 0 : strlen(rows[i].started);
        id++;
        snprintf(texts[count], sizeof texts[count], "%s" ADD("%08x"), id == 1 ? PREAMBLE : "", id);
        script[count] = (act){EXPECT, texts[count], 0};
        count++;
        int used = snprintf(texts[count], sizeof texts[count], "%s %08zx 04 00 %08x %02x 00", id == 1 ? HELLO : "", rows[i].started == NULL ? 9 : 18 + size, id, rows[i].code);
        used += snprintf(texts[count] + used, sizeof texts[count] - (size_t)used, rows[i].started == NULL ? "00" : "01 07 73746172746564 %02zx", size);
        for (size_t j = 0; j < size; j++)
            used += snprintf(texts[count] + used, sizeof texts[count] - (size_t)used, "%02x", (unsigned)rows[i].started[j]);
        script[count] = (act){SEND, texts[count], 0};
        count++;
        if (!rows[i].repeated)
            continue;
        snprintf(texts[count], sizeof texts[count], ADD("%08x"), ++id);
        script[count] = (act){EXPECT, texts[count], 0};
        count++;
        snprintf(texts[count], sizeof texts[count], THREE("%08x"), id);
        script[count] = (act){SEND, texts[count], 0};
        count++;
    }
    script[count++] = (act){UNTIL_CLOSED, NULL, 0};
    script[count] = (act){END, NULL, 0};
    fixture f;
    start_retrying(&f, script);
    for (size_t i = 0; i < ROWS; i++) {
        bool done = rows[i].idempotent ? looks(&f) : add(&f);
        if (done != rows[i].repeated)
            fail_msg("row %zu: %s", i, f.error.message);
        if (done)
            continue;
        assert_int_equal(f.error.code, rows[i].code);
        assert_int_equal(f.error.attempts, 1);
        assert_int_equal(f.error.not_started, rows[i].started != NULL && strcmp(rows[i].started, "no") == 0);
    }
    finish(&f);
}

/* Without a policy, nothing is repeated, and errors say the same. */
static void none_without_a_policy(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000001"), 0}, {SEND, HELLO NOT_STARTED("00000001", OVERLOADED), 0}, CLOSES};
    fixture f;
    start(&f, script);
    assert_false(looks(&f));
    assert_true(f.error.code == CREO_OVERLOADED && f.error.not_started && f.error.from_peer && f.error.attempts == 1);
    assert_int_equal(f.client.budget, CREO_MAX_BUDGET);
    finish(&f);
    start(&f, (const act[]){{END, NULL, 0}});
    f.client.port = dead_port();
    f.error.retry_after_ms = 1;
    assert_false(add(&f));
    assert_true(f.error.code == CREO_UNAVAILABLE && f.error.not_started && !f.error.from_peer && f.error.retry_after_ms == 0);
    finish(&f);
}

/* CALL-20, CALL-21: a request that was written may have run. */
static void a_lost_connection(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000001"), 0}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000002"), 0}, {SEND, HELLO THREE("00000002"), 0},
                                 {EXPECT, ADD("00000003"), 0}, {RESET, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start_retrying(&f, script);
    assert_looks(&f.client, &f.arena);
    assert_fails(&f, CREO_UNAVAILABLE, "");
    assert_true(!f.error.not_started && f.error.attempts == 1);
    server_join(&f.service);
    /* Nobody listens any more. */
    assert_fails(&f, CREO_UNAVAILABLE, "cannot connect");
    assert_true(f.error.not_started && f.error.attempts == 3);
    /* An attempt that may have run is not forgotten when the next one was not started. */
    creo_client_free(&f.client);
    creo_arena_free(&f.arena);
    static const act last[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000001"), 0}, {SEND, HELLO REFUSAL("00000001", UNAVAILABLE), 0},
                               {EXPECT, ADD("00000002"), 0}, {SEND, NOT_STARTED("00000002", OVERLOADED), 0},
                               {EXPECT, ADD("00000003"), 0}, {SEND, NOT_STARTED("00000003", OVERLOADED), 0}, CLOSES};
    start_retrying(&f, last);
    assert_false(looks(&f));
    assert_true(f.error.code == CREO_OVERLOADED && !f.error.not_started && f.error.attempts == 3);
    finish(&f);
}

/* CALL-25. */
static void the_budget(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000001"), 0}, {SEND, HELLO THREE("00000001"), 0},
                                 {EXPECT, ADD("00000002"), 0}, {SEND, NOT_STARTED("00000002", OVERLOADED), 0},
                                 {EXPECT, ADD("00000003"), 0}, {SEND, NOT_STARTED("00000003", OVERLOADED), 0},
                                 {EXPECT, ADD("00000004"), 0}, {SEND, THREE("00000004"), 0},
                                 {EXPECT, ADD("00000005"), 0}, {SEND, THREE("00000005"), 0},
                                 {SWALLOW, NULL, 1}, {SEND, "0000000a 03 00 00000006 00 02 6e6f", 0}, CLOSES};
    fixture f;
    start_retrying(&f, script);
    uint16_t port = f.client.port;
    assert_int_equal(f.client.budget, 500);
    f.client.port = dead_port();
    creo_retry often = {10, 0, 0};
    creo_client_set_retry(&f.client, &often);
    f.client.budget = 14;
    assert_false(add(&f));
    assert_int_equal(f.error.attempts, 3);
    assert_int_equal(f.client.budget, 4);
    assert_false(add(&f));
    assert_int_equal(f.error.attempts, 1);
    f.client.port = port;
    f.client.last_id = 0;
    assert_adds(&f);
    assert_int_equal(f.client.budget, 5);
    f.client.budget = 100;
    assert_adds(&f);
    assert_int_equal(f.client.budget, 95);
    f.client.budget = 500;
    assert_adds(&f);
    assert_int_equal(f.client.budget, 500);
    /* An exception is a success. */
    sample_everything value;
    sample_sample_everything_outcome outcome;
    sample_everything_init(&value);
    value.amount = creo_text("1");
    value.event.kind = SAMPLE_EVENT_STARTED;
    f.client.budget = 7;
    f.client.last_id = 5;
    assert_true(sample_sample_everything(&f.client, &value, &f.arena, &outcome, &f.error));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_NOT_FOUND);
    assert_int_equal(f.client.budget, 8);
    finish(&f);
}

/* CALL-23: the range, and that all of it is used. */
static void waits(void **state)
{
    (void)state;
    static const creo_retry wrong[] = {{0, 1, 1}, {11, 1, 1}, {3, 3600001, 1}, {3, 1, 3600001}};
    fixture f;
    start(&f, (const act[]){{END, NULL, 0}});
    server_join(&f.service);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        creo_client_set_retry(&f.client, &wrong[i]);
        assert_false(add(&f));
        assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    }
    creo_retry usual = creo_retry_default();
    assert_true(usual.attempts == 3 && usual.base_delay_ms == 50 && usual.max_delay_ms == 5000);
    /* Real waits. */
    creo_retry shortly = {10, 1, 3};
    creo_client_set_retry(&f.client, &shortly);
    assert_false(add(&f));
    assert_int_equal(f.error.attempts, 10);
    uint64_t all = 0;
    uint64_t any = UINT64_MAX;
    for (int i = 0; i < 64; i++) {
        uint64_t next = creo_client_random(&f.client);
        all |= next;
        any &= next;
    }
    assert_true(all == UINT64_MAX && any == 0);
    creo_client_free(&f.client);
    creo_arena_free(&f.arena);
}

/* CALL-26: the deadline is that of all attempts. */
static void the_deadline(void **state)
{
    (void)state;
    /* `retry-after` is 1000000 in the first error, 1 in the second. */
    static const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "0000001d 04 00 00000001 08 00 01 0b 72657472792d6166746572 07 31303030303030", 0},
                                 {EXPECT, ADD("00000002"), 0}, {PAUSE_MS, NULL, 150},
                                 {SEND, "00000017 04 00 00000002 08 00 01 0b 72657472792d6166746572 01 31", 0},
                                 /* Less than 65,536 ms are left. */
                                 {EXPECT, "0000001e 01 00 00000003" ANY8 "0000.... 00000001 0000000000000002", 0}, {SEND, THREE("00000003"), 0},
                                 {EXPECT, ADD("00000004"), 0}, {SEND, REFUSAL("00000004", OVERLOADED), 0},
                                 /* This one is not answered. */
                                 {EXPECT, ADD("00000005"), 0}, CLOSES};
    fixture f;
    start_retrying(&f, script);
    f.client.deadline_ms = 20000;
    assert_false(looks(&f));
    assert_true(f.error.code == CREO_OVERLOADED && f.error.attempts == 1 && f.error.retry_after_ms == 1000000);
    f.client.deadline_ms = 65600;
    assert_looks(&f.client, &f.arena);
    assert_int_equal(f.client.deadline_ms, 65600);
    f.client.deadline_ms = 2000;
    assert_false(looks(&f));
    assert_true(f.error.code == CREO_DEADLINE_EXCEEDED && f.error.attempts == 2 && !f.error.not_started);
    assert_int_equal(f.client.deadline_ms, 2000);
    finish(&f);
}

/* CALL-24: what the peer says is a number of milliseconds, or nothing. */
static void when_to_come_again(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        uint32_t due;
    } rows[] = {{"31", 1},
                {"30303132", 12},
                {"34323934393637323935", UINT32_MAX},
                {"34323934393637323936", UINT32_MAX},
                {"3138343436373434303733373039353531363136", UINT32_MAX},
                {"39393939393939393939393939393939393939393939393939393939393939393939393939393939", UINT32_MAX},
                {"", 0},
                {"2d31", 0},
                {"2b31", 0},
                {"2031", 0},
                {"3120", 0},
                {"312e35", 0},
                {"31653939", 0},
                {"30783130", 0},
                {"3100", 0},
                {"d9a1", 0}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    static char texts[ROWS][200];
    static act script[2 * ROWS + 3];
    size_t count = 0;
    script[count++] = (act){ACCEPT, NULL, 0};
    for (size_t i = 0; i < ROWS; i++) {
        size_t size = strlen(rows[i].hex) / 2;
        snprintf(texts[i], sizeof texts[i], "%s %08zx 04 00 %08zx 08 00 01 0b 72657472792d6166746572 %02zx %s", i == 0 ? HELLO : "", 22 + size, i + 1, size, rows[i].hex);
        script[count++] = (act){SWALLOW, NULL, i == 0 ? 42 : 34};
        script[count++] = (act){SEND, texts[i], 0};
    }
    script[count++] = (act){UNTIL_CLOSED, NULL, 0};
    script[count] = (act){END, NULL, 0};
    fixture f;
    start(&f, script);
    for (size_t i = 0; i < ROWS; i++) {
        assert_false(looks(&f));
        assert_int_equal(f.error.code, CREO_OVERLOADED);
        if (f.error.retry_after_ms != rows[i].due)
            fail_msg("row %zu: %lu", i, (unsigned long)f.error.retry_after_ms);
    }
    finish(&f);
}

/* What failed attempts leave in the caller's arena is released: it holds two such answers, not ten. */
static void memory_does_not_grow(void **state)
{
    (void)state;
    enum { ATTEMPTS = 10 };
    static char texts[2 * ATTEMPTS][200];
    static act script[3 * ATTEMPTS + 4];
    size_t count = 0;
    script[count++] = (act){ACCEPT, NULL, 0};
    for (unsigned i = 1; i <= ATTEMPTS; i++) {
        char *text = texts[2 * i - 2];
        script[count++] = (act){SWALLOW, NULL, i == 1 ? 42 : 34};
        /* A message of 40,000 zeros, and no details. */
        if (i == ATTEMPTS)
            snprintf(text, sizeof texts[0], THREE("%08x"), i);
        else
            snprintf(text, sizeof texts[0], "%s 00009c4b 04 00 %08x 08 c0b802", i == 1 ? HELLO : "", i);
        script[count++] = (act){SEND, text, 0};
        if (i != ATTEMPTS)
            script[count++] = (act){SEND_ZEROS, NULL, 40001};
    }
    script[count++] = (act){UNTIL_CLOSED, NULL, 0};
    script[count] = (act){END, NULL, 0};
    fixture f;
    start(&f, script);
    creo_retry often = {ATTEMPTS, 0, 0};
    creo_client_set_retry(&f.client, &often);
    char *kept = creo_arena_text(&f.arena, creo_text("kept"));
    f.arena.most = 120000;
    assert_looks(&f.client, &f.arena);
    assert_string_equal(kept, "kept");
    finish(&f);
}

typedef struct counted {
    int begins;
    int ends;
    creo_code code;
    size_t metadata_count;
} counted;

static bool count_begin(void *context, creo_call *call, creo_error *error)
{
    counted *self = (counted *)context;
    (void)error;
    self->begins++;
    call->deadline_ms = 30000;
    return true;
}

static void count_end(void *context, const creo_call *call, const creo_outcome *outcome)
{
    counted *self = (counted *)context;
    (void)call;
    self->ends++;
    self->code = outcome->code;
    self->metadata_count = outcome->answer == NULL ? SIZE_MAX : outcome->answer->metadata_count;
}

static bool refuse(void *context, creo_call *call, creo_error *error)
{
    (void)context;
    (void)call;
    error->code = CREO_UNAVAILABLE;
    return false;
}

/* CALL-27. */
static void interceptors_see_one_call(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {SEND, HELLO "0000000e 04 04 00000001 01 0161 0162 08 00 00", 0},
                                 {SWALLOW, NULL, 34}, {SEND, THREE("00000002"), 0},
                                 {SWALLOW, NULL, 34}, {SEND, "0000000e 04 04 00000003 01 0161 0162 08 00 00", 0},
                                 {SWALLOW, NULL, 34}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    counted seen = {0, 0, CREO_OK, 0};
    const creo_interceptor list[] = {{&seen, count_begin, count_end}, {NULL, refuse, NULL}};
    creo_retry twice = {2, 0, 0};
    fixture f;
    start_retrying(&f, script);
    creo_client_set_retry(&f.client, &twice);
    f.client.interceptors = list;
    f.client.interceptor_count = 1;
    assert_looks(&f.client, &f.arena);
    assert_true(seen.begins == 1 && seen.ends == 1 && seen.code == CREO_OK && seen.metadata_count == 0);
    assert_int_equal(creo_client_answer(&f.client)->metadata_count, 0);
    /* The last attempt has no answer. */
    assert_false(looks(&f));
    assert_true(seen.begins == 2 && seen.ends == 2 && seen.code == CREO_UNAVAILABLE && seen.metadata_count == SIZE_MAX);
    assert_true(creo_client_answer(&f.client) == NULL && f.error.attempts == 2);
    assert_int_equal(f.client.deadline_ms, 60000);
    /* A refusal of an interceptor is no attempt. */
    f.client.interceptor_count = 2;
    assert_false(looks(&f));
    assert_true(f.error.code == CREO_UNAVAILABLE && f.error.not_started && f.error.attempts == 0 && seen.begins == 3 && seen.ends == 3);
    finish(&f);
}

#define PROBLEM(status, field, body) "HTTP/1.1 " status " X\r\n" field "Content-Type: application/problem+json\r\nContent-Length: " body
#define DETAIL(value) "\r\n\r\n{\"type\":\"urn:creo:error:overloaded\",\"details\":{\"retry-after\":\"" value "\",\"started\":\"no\"}}"
#define NONE "0\r\n\r\n"

/* CALL-24 over HTTP: seconds, unless the detail is there. */
static void the_header_of_http(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        uint32_t due;
        bool not_started;
    } rows[] = {
        {PROBLEM("503", "Retry-After: 2\r\n", NONE), 2000, false},
        {PROBLEM("429", "RETRY-AFTER:  3 \r\n", NONE), 3000, false},
        {PROBLEM("429", "Retry-After: 4294968\r\n", NONE), UINT32_MAX, false},
        {PROBLEM("429", "Retry-After: 99999999999999999999999\r\n", NONE), UINT32_MAX, false},
        {PROBLEM("503", "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n", NONE), 0, false},
        {PROBLEM("503", "Retry-After: -1\r\n", NONE), 0, false},
        {PROBLEM("503", "Retry-After: 1.5\r\n", NONE), 0, false},
        {PROBLEM("503", "Retry-After:\r\n", NONE), 0, false},
        {PROBLEM("503", "", NONE), 0, false},
        {PROBLEM("503", "Retry-After: 9\r\n", "81" DETAIL("5")), 5, true},
        {PROBLEM("503", "Retry-After: 9\r\n", "81" DETAIL("0")), 0, true},
        {PROBLEM("503", "Retry-After: 9\r\n", "81" DETAIL("x")), 9000, true},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    static act script[2 * ROWS + 3];
    size_t count = 0;
    script[count++] = (act){ACCEPT, NULL, 0};
    for (size_t i = 0; i < ROWS; i++) {
        script[count++] = (act){HEAR, "POST", 0};
        script[count++] = (act){SAY, rows[i].answer, 0};
    }
    script[count++] = (act){UNTIL_CLOSED, NULL, 0};
    script[count] = (act){END, NULL, 0};
    fixture f;
    creo_json json;
    char url[64];
    start(&f, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f.service.port);
    assert_true(creo_json_init(&json, url, &sample_sample_text, creo_allocator_libc(), &f.error));
    for (size_t i = 0; i < ROWS; i++) {
        assert_false(look(&json.client, &f.arena, &f.sum, &f.error));
        if (f.error.retry_after_ms != rows[i].due || f.error.not_started != rows[i].not_started)
            fail_msg("row %zu: %lu, %s", i, (unsigned long)f.error.retry_after_ms, f.error.message);
    }
    creo_json_free(&json);
    finish(&f);
}

#define SUM(sum) "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><addResponse xmlns='urn:creo:creo.tests.sample'><result>" sum \
                 "</result></addResponse></s:Body></s:Envelope>"

/* Over HTTP; and what a failed attempt put into the outcome is not seen. */
static void calls_over_http(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "POST", 0}, {ANSWER, SUM("7"), 503}, {HEAR, "POST", 0}, {ANSWER, SUM("3"), 0},
                                 {HEAR, "POST", 0}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {HEAR, "POST", 0}, {ANSWER, SUM("3"), 0},
                                 {HEAR, "POST", 0}, {SAY, "HTTP/1.1", 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    fixture f;
    creo_soap soap;
    char url[64];
    start(&f, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f.service.port);
    assert_true(creo_soap_init(&soap, url, &sample_sample_text, creo_allocator_libc(), &f.error));
    creo_client_set_retry(&soap.client, &at_once);
    assert_looks(&soap.client, &f.arena);
    assert_looks(&soap.client, &f.arena);
    assert_false(sample_sample_add(&soap.client, 1, 2, &f.arena, &f.sum, &f.error));
    assert_true(f.error.code == CREO_UNAVAILABLE && !f.error.not_started && f.error.attempts == 1);
    server_join(&f.service);
    assert_false(sample_sample_add(&soap.client, 1, 2, &f.arena, &f.sum, &f.error));
    assert_true(f.error.code == CREO_UNAVAILABLE && f.error.not_started && f.error.attempts == 3);
    creo_soap_free(&soap);
    creo_client_free(&f.client);
    creo_arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_decision),
        cmocka_unit_test(none_without_a_policy),
        cmocka_unit_test(a_lost_connection),
        cmocka_unit_test(the_budget),
        cmocka_unit_test(waits),
        cmocka_unit_test(the_deadline),
        cmocka_unit_test(when_to_come_again),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(interceptors_see_one_call),
        cmocka_unit_test(the_header_of_http),
        cmocka_unit_test(calls_over_http),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
