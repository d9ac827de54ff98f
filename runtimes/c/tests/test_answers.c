/* What comes with answers, and interceptors: spec/calls.md. */
#define _POSIX_C_SOURCE 200809L

#include "calls.h"

#include "sample.text.h"

#define PAIR "01 0161 0162 "
#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}

/* All pairs as `key=value`, parted by spaces. */
static const char *shown(const creo_pair *pairs, size_t count, char room[1000])
{
    size_t used = 0;
    room[0] = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(room + used, 1000 - used, "%s%.*s=%.*s", i == 0 ? "" : " ", (int)pairs[i].key.size, pairs[i].key.data, (int)pairs[i].value.size,
                                 pairs[i].value.size == 0 ? "" : pairs[i].value.data);
    return room;
}

static void assert_metadata(const creo_client *client, const char *due)
{
    char room[1000];
    const creo_answer *answer = creo_client_answer(client);
    assert_non_null(answer);
    assert_string_equal(shown(answer->metadata, answer->metadata_count, room), due);
}

/* Whatever the answer is; they live on when the caller's arena does not. */
static void each_answer_has_its_metadata(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {EXPECT, PREAMBLE ADD("00000001"), 0},
        {SEND, HELLO "0000001c 02 04 00000001 02 0161 02c3a9 0663 72656f2d78 00 0000000000000003", 0},
        {EXPECT, ADD("00000002"), 0},
        {SEND, "0000000e 04 04 00000002 " PAIR "0a 00 00", 0},
        {EXPECT, ADD("00000003"), 0},
        {SEND, THREE("00000003"), 0},
        {EXPECT, ADD("00000004"), 0},
        {SEND, "0000000f 02 04 00000004 00 0000000000000003", 0},
        {EXPECT, ADD("00000005"), 0},
        /* Control characters are data; a late answer to another call is dropped with its metadata, which nobody looks at. */
        {SEND, "0000000c 02 04 00000002 01 0141 0162 ff", 0},
        {SEND, "0000000c 02 05 00000005 01 0161 02 1b0a 00000009 05 01 00000005 000000 0000000b 05 00 00000005 0000000003", 0},
        CLOSES};
    fixture f;
    start(&f, script);
    assert_null(creo_client_answer(&f.client));
    assert_adds(&f);
    creo_arena_free(&f.arena);
    assert_metadata(&f.client, "a=\xC3\xA9 creo-x=");
    assert_int_equal(creo_client_answer(&f.client)->status, 0);
    assert_int_equal(creo_client_answer(&f.client)->header_count, 0);
    assert_true(creo_string_is(creo_pairs_find(creo_client_answer(&f.client)->metadata, 2, "a"), "\xC3\xA9"));
    assert_null(creo_pairs_find(creo_client_answer(&f.client)->metadata, 2, "b").data);
    assert_fails(&f, CREO_PERMISSION_DENIED, "");
    assert_metadata(&f.client, "a=b");
    assert_adds(&f);
    assert_metadata(&f.client, "");
    assert_adds(&f);
    assert_metadata(&f.client, "");
    assert_adds(&f);
    assert_metadata(&f.client, "a=\x1b\n");
    finish(&f);
    assert_null(creo_client_answer(&f.client));
}

static void an_exception_has_its_metadata(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {SWALLOW, NULL, 8}, {SEND, HELLO "00000010 03 04 00000001 " PAIR "01 02 6e6f 07", 0}, CLOSES};
    fixture f;
    sample_everything value;
    sample_sample_everything_outcome outcome;
    start(&f, script);
    sample_everything_init(&value);
    value.amount = creo_text("1");
    value.event.kind = SAMPLE_EVENT_STARTED;
    (void)sample_sample_everything(&f.client, &value, &f.arena, &outcome, &f.error);
    assert_metadata(&f.client, "a=b");
    finish(&f);
}

/* CALL-5: the connection stays, and no answer is shown. */
static void broken_metadata_end_the_call(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        creo_code code;
        const char *part;
    } cases[] = {
        {"00000006 02 04 00000001", CREO_MALFORMED, "the metadata of the answer: they are cut"},
        /* Not all of them are in the first frame (TCP-23). */
        {"00000009 02 05 00000001 010161 00000010 05 00 00000001 0162 0000000000000003", CREO_MALFORMED, "they are cut"},
        {"00000013 02 04 00000001 01 0107 0162 0000000000000003", CREO_MALFORMED, "a key is not 1 to 64 characters"},
        {"00000017 02 04 00000001 02 0161 0162 0161 0162 0000000000000003", CREO_MALFORMED, "a key is there twice"},
        {"00000013 02 04 00000001 01 0161 01ff 0000000000000003", CREO_MALFORMED, "a value is not UTF-8"},
        {"0000000f 02 04 00000001 41 0000000000000003", CREO_TOO_LARGE, "maxMetadataSize"},
        /* A size that is claimed, and has not come; and one that is more than all together may be. */
        {"0000000d 02 04 00000001 01 0161 ffffff7f", CREO_TOO_LARGE, "maxMetadataSize"},
        {"00000013 02 04 00000001 01 0161 ff01 0000000000000000", CREO_MALFORMED, "they are cut"},
        /* An error about the connection has none, and the boundaries are lost. */
        {"0000000e 04 04 00000000 " PAIR "0a 00 00", CREO_MALFORMED, "flags that its kind does not have"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool last = i + 1 == sizeof cases / sizeof cases[0];
        act script[] = {{ACCEPT, NULL, 0},
                        {EXPECT, PREAMBLE ADD("00000001"), 0},
                        {SEND, HELLO, 0},
                        {SEND, cases[i].answer, 0},
                        {EXPECT, ADD("00000002"), 0},
                        {SEND, THREE("00000002"), 0},
                        CLOSES};
        if (last)
            script[4] = script[6];
        if (last)
            script[5] = script[7];
        fixture f;
        start(&f, script);
        assert_fails(&f, cases[i].code, cases[i].part);
        assert_null(creo_client_answer(&f.client));
        assert_false(f.error.from_peer);
        if (!last)
            assert_adds(&f);
        finish(&f);
    }
}

/* TCP-7: a body may be as large as ever; LIM-6 is for the metadata. */
static void metadata_are_not_of_the_body(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "00000013 02 04 00000001 " PAIR "0000000000000003", 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, "00000014 02 04 00000002 " PAIR "000000000000000300", 0},
                                 {EXPECT, ADD("00000003"), 0},
                                 {SEND, "00000013 02 04 00000003 " PAIR "0000000000000003", 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    f.client.limits.max_message_size = 12;
    assert_adds(&f);
    f.client.limits.max_message_size = 8;
    /* The request is larger than the body of the answer. */
    creo_limits limits = f.client.limits;
    f.client.limits = creo_limits_default();
    f.client.limits.max_metadata_size = limits.max_message_size;
    assert_fails(&f, CREO_MALFORMED, "");
    assert_metadata(&f.client, "a=b");
    f.client.limits.max_metadata_size = 4;
    assert_fails(&f, CREO_TOO_LARGE, "maxMetadataSize");
    assert_null(creo_client_answer(&f.client));
    finish(&f);
}

/*
 * HTTP.
 */

static bool json_adds(creo_json *json, creo_arena *arena, creo_error *error)
{
    int64_t sum = 0;
    creo_error_clear(error);
    return sample_sample_add(&json->client, 1, 2, arena, &sum, error) && sum == 3;
}

#define JSON(fields, body) "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" fields "Content-Length: 1\r\n\r\n" body

/* HTTP-25, HTTP-26. */
static void answers_of_http(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {HEAR, "POST", 0},
        {SAY, "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n" JSON("X-B: 1\r\nCREO-Meta-A.b: %C3%A9%0a\r\nSet-Cookie: c\r\ncreo-meta-e:\r\nx-b: 2\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, "HTTP/1.1 502 Bad\r\nContent-Type: text/html\r\nX-B: 1\r\nContent-Length: 1\r\n\r\n!", 0},
        {HEAR, "POST", 0},
        {SAY, JSON("", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("Creo-Meta-a_b: c\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("Creo-Meta-: c\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("Creo-Meta-a: %zz\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("Creo-Meta-a: %4\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("Creo-Meta-a: %FF\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("Creo-Meta-a: \xC3\xA9\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("Creo-Meta-a: b\r\ncreo-meta-A: c\r\n", "3"), 0},
        {HEAR, "POST", 0},
        {SAY, JSON("", "3"), 0},
        CLOSES};
    server service;
    creo_json json;
    creo_arena arena;
    creo_error error;
    char url[64];
    char room[1000];
    server_start(&service, script);
    creo_arena_init(&arena, creo_allocator_libc());
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)service.port);
    assert_true(creo_json_init(&json, url, &sample_sample_text, creo_allocator_libc(), &error));
    assert_true(json_adds(&json, &arena, &error));
    assert_metadata(&json.client, "a.b=\xC3\xA9\n e=");
    const creo_answer *answer = creo_client_answer(&json.client);
    assert_int_equal(answer->status, 200);
    assert_string_equal(shown(answer->headers, answer->header_count, room),
                        "content-type=application/json x-b=1 creo-meta-a.b=%C3%A9%0a set-cookie=c creo-meta-e= x-b=2 content-length=1");
    assert_false(json_adds(&json, &arena, &error));
    assert_int_equal(error.code, CREO_UNAVAILABLE);
    assert_int_equal(creo_client_answer(&json.client)->status, 502);
    assert_true(creo_string_is(creo_pairs_find(creo_client_answer(&json.client)->headers, creo_client_answer(&json.client)->header_count, "x-b"), "1"));
    assert_true(json_adds(&json, &arena, &error));
    assert_metadata(&json.client, "");
    for (int i = 0; i < 7; i++) {
        assert_false(json_adds(&json, &arena, &error));
        assert_int_equal(error.code, CREO_MALFORMED);
        assert_non_null(strstr(error.message, "the metadata of the answer"));
        assert_null(creo_client_answer(&json.client));
    }
    assert_true(json_adds(&json, &arena, &error));
    creo_json_free(&json);
    creo_arena_free(&arena);
    server_join(&service);
}

/*
 * Interceptors.
 */

/* Writes down what it is told. */
typedef struct teller {
    const char *name;
    char *told;
    /* What it adds, and the deadline that it sets, if any; or it refuses, in one of two ways. */
    creo_pair pairs[3];
    const char *adds;
    uint32_t deadline_ms;
    bool refuses;
    bool silently;
    uint32_t pause_ms;
    /* What it was told last. */
    creo_call call;
    creo_code code;
    uint32_t kind;
    uint64_t nanoseconds;
    bool had_peer;
    bool had_answer;
} teller;

static void note(teller *self, const char *text)
{
    size_t used = strlen(self->told);
    snprintf(self->told + used, 1000 - used, "%s%s%s", used == 0 ? "" : " ", self->name, text);
}

static bool begins(void *context, creo_call *call, creo_error *error)
{
    teller *self = (teller *)context;
    note(self, "+");
    self->call = *call;
    assert_string_equal(call->interface, "creo.tests.sample.Sample");
    assert_int_equal(error->code, CREO_OK);
    struct timespec time = {0, (long)self->pause_ms * 1000000};
    nanosleep(&time, NULL);
    if (self->refuses && !self->silently) {
        error->code = CREO_PERMISSION_DENIED;
        snprintf(error->message, sizeof error->message, "not now");
    }
    if (self->refuses)
        return false;
    if (self->adds != NULL) {
        assert_true(call->metadata_count < 3);
        for (size_t i = 0; i < call->metadata_count; i++)
            self->pairs[i] = call->metadata[i];
        self->pairs[call->metadata_count] = (creo_pair){creo_text(self->adds), creo_text("1")};
        call->metadata = self->pairs;
        call->metadata_count++;
    }
    if (self->deadline_ms != 0)
        call->deadline_ms = self->deadline_ms;
    return true;
}

static void ends(void *context, const creo_call *call, const creo_outcome *outcome)
{
    teller *self = (teller *)context;
    note(self, "-");
    assert_string_equal(call->interface, "creo.tests.sample.Sample");
    self->code = outcome->code;
    self->kind = outcome->kind;
    self->nanoseconds = outcome->nanoseconds;
    self->had_peer = outcome->peer != NULL && strncmp(outcome->peer, "127.0.0.1:", 10) == 0;
    self->had_answer = outcome->answer != NULL;
    assert_true((outcome->error == NULL) == (outcome->code == CREO_OK));
    assert_true(outcome->error == NULL || outcome->error->code == outcome->code);
}

typedef struct told {
    fixture f;
    char text[1000];
    teller first;
    teller second;
    creo_interceptor list[2];
} told;

static void start_told(told *t, const act *script)
{
    memset(t, 0, sizeof *t);
    start(&t->f, script);
    t->first.name = "a";
    t->second.name = "b";
    t->first.told = t->second.told = t->text;
    t->list[0] = (creo_interceptor){&t->first, begins, ends};
    t->list[1] = (creo_interceptor){&t->second, begins, ends};
    t->f.client.interceptors = t->list;
    t->f.client.interceptor_count = 2;
}

static void assert_told(told *t, const char *due)
{
    assert_string_equal(t->text, due);
    t->text[0] = 0;
}

static void beginnings_and_ends_have_an_order(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        /* Pairs of the client, of the first and of the second. */
        {EXPECT, PREAMBLE "0000002d 01 04 00000001 " ANY8 ANY4 "03 0163 0130 0166 0131 0373 6563 0131 00000001 0000000000000002", 0},
        {SEND, HELLO "00000013 02 04 00000001 " PAIR "0000000000000003", 0},
        {EXPECT, "0000002d 01 04 00000002 " ANY8 ANY4 "03 0163 0130 0166 0131 0373 6563 0131 00000001 0000000000000002", 0},
        {SEND, "00000009 04 00 00000002 0a 00 00", 0},
        CLOSES};
    static told t;
    start_told(&t, script);
    creo_pair own = {creo_text("c"), creo_text("0")};
    t.f.client.metadata = &own;
    t.f.client.metadata_count = 1;
    t.first.adds = "f";
    t.second.adds = "sec";
    assert_adds(&t.f);
    assert_told(&t, "a+ b+ b- a-");
    assert_string_equal(t.second.call.method, "add");
    assert_int_equal(t.second.call.metadata_count, 2);
    assert_int_equal(t.second.call.deadline_ms, 60000);
    assert_true(t.first.code == CREO_OK && t.first.kind == 0 && t.first.had_peer && t.first.had_answer && t.first.nanoseconds > 0);
    assert_fails(&t.f, CREO_PERMISSION_DENIED, "");
    assert_told(&t, "a+ b+ b- a-");
    assert_true(t.first.code == CREO_PERMISSION_DENIED && t.first.had_answer);
    /* What the client says is as before. */
    assert_ptr_equal(t.f.client.metadata, &own);
    assert_int_equal(t.f.client.deadline_ms, 60000);
    finish(&t.f);
}

static void the_kind_of_an_exception_is_told(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {SWALLOW, NULL, 8}, {SEND, HELLO "0000000a 03 00 00000001 00 02 6e6f", 0}, CLOSES};
    static told t;
    sample_everything value;
    sample_sample_everything_outcome outcome;
    start_told(&t, script);
    sample_everything_init(&value);
    value.amount = creo_text("1");
    value.event.kind = SAMPLE_EVENT_STARTED;
    assert_true(sample_sample_everything(&t.f.client, &value, &t.f.arena, &outcome, &t.f.error));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_NOT_FOUND);
    assert_told(&t, "a+ b+ b- a-");
    assert_true(t.first.code == CREO_OK && t.first.kind == SAMPLE_SAMPLE_EVERYTHING_NOT_FOUND);
    finish(&t.f);
}

/* CALL-12, CALL-14. */
static void a_call_may_be_refused(void **state)
{
    (void)state;
    static const act script[] = {{END, NULL, 0}};
    static told t;
    start_told(&t, script);
    t.second.refuses = true;
    assert_false(add(&t.f));
    assert_error(&t.f.error, "permission-denied: not now");
    assert_told(&t, "a+ b+ a-");
    assert_true(t.first.code == CREO_PERMISSION_DENIED && !t.first.had_peer && !t.first.had_answer);
    assert_false(t.f.client.open);
    t.second.silently = true;
    assert_false(add(&t.f));
    assert_int_equal(t.f.error.code, CREO_INTERNAL);
    assert_told(&t, "a+ b+ a-");
    t.first.refuses = true;
    /* Without an error of the caller's, too; and one that has no functions is passed over. */
    t.list[1] = (creo_interceptor){NULL, NULL, NULL};
    assert_false(sample_sample_add(&t.f.client, 1, 2, &t.f.arena, &t.f.sum, NULL));
    assert_told(&t, "a+");
    finish(&t.f);
}

/* CALL-11: the time of interceptors is of the call. */
static void the_deadline_may_be_changed(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "0000001e 01 00 00000001 " ANY8 "0000 00.. 00000001 0000000000000002 00000006 06 00 00000001", 0},
                                 CLOSES};
    static told t;
    start_told(&t, script);
    t.first.deadline_ms = 200;
    assert_fails(&t.f, CREO_DEADLINE_EXCEEDED, "");
    assert_told(&t, "a+ b+ b- a-");
    assert_int_equal(t.second.call.deadline_ms, 200);
    assert_true(t.first.code == CREO_DEADLINE_EXCEEDED && t.first.had_peer && !t.first.had_answer && t.first.nanoseconds >= 190000000);
    t.first.deadline_ms = 5;
    t.second.pause_ms = 10;
    assert_false(add(&t.f));
    assert_int_equal(t.f.error.code, CREO_DEADLINE_EXCEEDED);
    assert_non_null(strstr(t.f.error.message, "before anything was sent"));
    assert_told(&t, "a+ b+ b- a-");
    finish(&t.f);
}

/* CALL-15, CALL-17. */
static void oneway_calls_and_ones_without_a_peer(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE "00000014 01 00 00000001" ANY8 ANY4 "01 78", 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    static told t;
    start_told(&t, script);
    assert_true(sample_sample_note(&t.f.client, creo_text("x"), &t.f.error));
    assert_told(&t, "a+ b+ b- a-");
    assert_true(t.first.code == CREO_OK && t.first.had_peer && !t.first.had_answer);
    server_join(&t.f.service);
    wait_for_input(&t.f, 1);
    assert_false(sample_sample_note(&t.f.client, creo_text("x"), &t.f.error));
    assert_told(&t, "a+ b+ b- a-");
    assert_true(t.first.code == CREO_UNAVAILABLE && !t.first.had_peer);
    creo_client_free(&t.f.client);
    creo_arena_free(&t.f.arena);
}

#include "interceptors_of_page.h"

/* What is documented is what is tested. */
static void the_page_logs_calls(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE "0000002c 01 04 00000001 " ANY8 ANY4 "01 09 782d72657175657374 02 3137 00000001 0000000000000002", 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    char line[200] = "";
    FILE *log = tmpfile();
    assert_non_null(log);
    const creo_interceptor list[] = {{log, log_begin, log_end}};
    f.client.interceptors = list;
    f.client.interceptor_count = 1;
    assert_adds(&f);
    rewind(log);
    assert_non_null(fgets(line, sizeof line, log));
    assert_ptr_equal(strstr(line, "creo.tests.sample.Sample.add: result in "), line);
    fclose(log);
    finish(&f);
}

#include "trace_of_page.h"

/* Beside the pair of the block before. */
static void the_page_sends_a_trace_context(void **state)
{
    (void)state;
    static const char parent[] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT,
                                  PREAMBLE "00000070 01 04 00000001 " ANY8 ANY4
                                           "02 09 782d72657175657374 02 3137 0b 7472616365706172656e74 37 "
                                           "30302d30616637363531393136636434336464383434386562323131633830333139632d623761643662373136393230333333312d3031"
                                           "00000001 0000000000000002",
                                  0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 CLOSES};
    fixture f;
    trace current = {"", {{{NULL, 0}, {NULL, 0}}}};
    start(&f, script);
    memcpy(current.parent, parent, sizeof parent);
    const creo_interceptor list[] = {{NULL, log_begin, NULL}, {&current, trace_begin, NULL}};
    f.client.interceptors = list;
    f.client.interceptor_count = 2;
    assert_adds(&f);
    finish(&f);
}

/* Over HTTP, with headers. */
static void headers_may_be_added(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "X-Own: 1\r\n|Creo-Meta-f: 1\r\n", 0}, {SAY, JSON("X-Answered: add\r\n", "3"), 0}, CLOSES};
    static told t;
    creo_json json;
    creo_pair own = {creo_text("X-Own"), creo_text("1")};
    char url[64];
    start_told(&t, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)t.f.service.port);
    assert_true(creo_json_init(&json, url, &sample_sample_text, creo_allocator_libc(), &t.f.error));
    json.client.interceptors = t.list;
    json.client.interceptor_count = 2;
    json.client.headers = &own;
    json.client.header_count = 1;
    t.first.adds = "f";
    assert_true(json_adds(&json, &t.f.arena, &t.f.error));
    assert_told(&t, "a+ b+ b- a-");
    assert_int_equal(t.second.call.header_count, 1);
    assert_true(t.first.had_answer && t.first.had_peer);
    creo_json_free(&json);
    finish(&t.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_answer_has_its_metadata),
        cmocka_unit_test(an_exception_has_its_metadata),
        cmocka_unit_test(broken_metadata_end_the_call),
        cmocka_unit_test(metadata_are_not_of_the_body),
        cmocka_unit_test(answers_of_http),
        cmocka_unit_test(beginnings_and_ends_have_an_order),
        cmocka_unit_test(the_kind_of_an_exception_is_told),
        cmocka_unit_test(a_call_may_be_refused),
        cmocka_unit_test(the_deadline_may_be_changed),
        cmocka_unit_test(oneway_calls_and_ones_without_a_peer),
        cmocka_unit_test(the_page_logs_calls),
        cmocka_unit_test(the_page_sends_a_trace_context),
        cmocka_unit_test(headers_may_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
