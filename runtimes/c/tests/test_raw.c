/* Raw messages over TCP: spec/calls.md, section 6. */
#define _POSIX_C_SOURCE 200809L

#include "streams.h"

#include <creo/codegen/read.h>

#include "sample.text.h"
#include "shown.h"

#define OF "of creo.tests.sample.Sample."
#define TWELVE "| \n|      0  00 00 00 01 00 00 00 00 00 00 00 02\n"
#define EIGHT "| \n|      0  00 00 00 00 00 00 00 03\n"
#define SENT "sent request " OF "add to $peer, 12 bytes\n| wire: binary\n| kind: request\n" TWELVE
#define CAME(kind, size) "received answer " OF "add from $peer, " size " bytes\n| wire: binary\n| kind: " kind "\n"

typedef struct problem {
    uint32_t kind;
    int64_t sum;
} problem;

static bool encode_both(creo_writer *writer, const void *arguments)
{
    static const uint8_t both[] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2};
    (void)arguments;
    return creo_write_raw(writer, creo_bytes_of(both, sizeof both));
}

static bool decode_sum(creo_reader *reader, void *outcome)
{
    return creo_read_long(reader, &((problem *)outcome)->sum);
}

static bool decode_problem(creo_reader *reader, uint32_t index, void *outcome)
{
    ((problem *)outcome)->kind = index + 1;
    return creo_read_long(reader, &((problem *)outcome)->sum);
}

/* `add(1, 2)` with an exception that has a number. */
static bool add_or_fail(fixture *f, bool secret, problem *outcome)
{
    static const creo_interface interface = {"creo.tests.sample.Sample", 0};
    static const struct {
        int32_t left;
        int64_t right;
    } both = {1, 2};
    const creo_method method = {UINT64_C(0x5caa44b37f9cb123), "add", &interface, false, false, secret, 1, encode_both, decode_sum, decode_problem};
    memset(outcome, 0, sizeof *outcome);
    return creo_client_call(&f->client, &method, &both, &f->arena, outcome, &f->error);
}

static void start_shown(fixture *f, shown *all, const act *script)
{
    start(f, script);
    shown_start(all, &f->client);
    f->client.deadline_ms = 0;
}

static void finish_shown(fixture *f, shown *all)
{
    creo_arena_free(&all->arena);
    finish(f);
}

/* The metadata follow the fields of the frame; those with secret names are hidden in both directions. */
static void metadata_and_time(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {SWALLOW, NULL, 64},
                                 {SEND, HELLO "00000018 02 04 00000001 01 06 736563726574 01 78 0000000000000003", 0},
                                 CLOSES};
    static const creo_pair pairs[] = {{{"my-token", 8}, {"hunter2", 7}}, {{"a", 1}, {"b", 1}}};
    fixture f;
    shown all;
    start_shown(&f, &all, script);
    f.client.metadata = pairs;
    f.client.metadata_count = 2;
    f.client.deadline_ms = 3600000;
    assert_adds(&f);
    assert_int_equal(all.count, 2);
    char *timeout = strstr(all.text, "| timeout: 3");
    assert_non_null(timeout);
    char *next = strchr(timeout, '\n') + 1;
    assert_int_equal(next - timeout, strlen("| timeout: 3600000\n"));
    memmove(timeout, next, strlen(next) + 1);
    assert_shown(&all, f.service.port,
                 "sent request " OF "add to $peer, 12 bytes\n| wire: binary\n| kind: request\n| my-token: ***\n| a: b\n" TWELVE CAME("response", "8") "| secret: ***\n" EIGHT);
    finish_shown(&f, &all);
}

static void kinds_of_messages(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "0000000f 03 00 00000001 00 0000000000000003", 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, "00000009 04 00 00000002 08 00 00", 0},
                                 {EXPECT, "00000014 01 00 00000003" ANY8 ANY4 "01 78", 0},
                                 {EXPECT, ADD("00000004"), 0},
                                 /* An answer in several frames, one of them empty, and one that is malformed. */
                                 {SEND, "00000009 02 01 00000004 000000 00000006 05 01 00000004", 0},
                                 {SEND, "0000000b 05 00 00000004 0000000003", 0},
                                 {EXPECT, ADD("00000005"), 0},
                                 {SEND, "00000007 02 00 00000005 2a", 0},
                                 CLOSES};
    fixture f;
    shown all;
    problem outcome;
    start_shown(&f, &all, script);
    assert_true(add_or_fail(&f, false, &outcome));
    assert_int_equal(outcome.kind, 1);
    assert_shown(&all, f.service.port, SENT CAME("exception", "9") "| \n|      0  00 00 00 00 00 00 00 00 03\n");
    assert_fails(&f, CREO_OVERLOADED, "overloaded");
    assert_shown(&all, f.service.port, SENT CAME("error", "3") "| \n|      0  08 00 00\n");
    assert_ok(sample_sample_note(&f.client, creo_text("x"), &f.error), &f.error);
    assert_shown(&all, f.service.port, "sent request " OF "note to $peer, 2 bytes\n| wire: binary\n| kind: oneway\n| \n|      0  01 78\n");
    assert_adds(&f);
    assert_shown(&all, f.service.port, SENT CAME("response", "8") EIGHT);
    /* A body that could be text is none. */
    assert_fails(&f, CREO_MALFORMED, "");
    assert_shown(&all, f.service.port, SENT CAME("response", "1") "| \n|      0  2a\n");
    finish_shown(&f, &all);
}

/* A body of the binary wire has no names: it is shown as a whole, or not at all (CALL-66). */
static void bodies_with_secrets(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 {EXPECT, ADD("00000002"), 0},
                                 {SEND, "00000009 04 00 00000002 08 00 00", 0},
                                 {EXPECT, ADD("00000003"), 0},
                                 {SEND, "00000006 02 00 00000003", 0},
                                 CLOSES};
    static const char hidden[] = "| \n| (the body is not shown: it is of the binary wire)\n";
    fixture f;
    shown all;
    problem outcome;
    char due[1000];
    start_shown(&f, &all, script);
    assert_true(add_or_fail(&f, true, &outcome));
    snprintf(due, sizeof due, "sent request " OF "add to $peer, 12 bytes\n| wire: binary\n| kind: request\n%s" CAME("response", "8") "%s", hidden, hidden);
    assert_shown(&all, f.service.port, due);
    assert_false(add_or_fail(&f, true, &outcome));
    snprintf(due, sizeof due, "sent request " OF "add to $peer, 12 bytes\n| wire: binary\n| kind: request\n%s" CAME("error", "3") "%s", hidden, hidden);
    assert_shown(&all, f.service.port, due);
    /* Without bytes, there is nothing to hide. */
    assert_false(add_or_fail(&f, true, &outcome));
    snprintf(due, sizeof due, "sent request " OF "add to $peer, 12 bytes\n| wire: binary\n| kind: request\n%s" CAME("response", "0"), hidden);
    assert_shown(&all, f.service.port, due);
    finish_shown(&f, &all);
}

/* The length is that of the whole body, also of one that is sent from the caller's memory. */
static void bodies_are_cut(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO THREE("00000001"), 0},
                                 {SWALLOW, NULL, 10 + 12 + 20010},
                                 {SEND, "00000007 02 00 00000002 00", 0},
                                 CLOSES};
    static uint8_t data[20000];
    fixture f;
    shown all;
    sample_block_array blocks;
    start_shown(&f, &all, script);
    all.to.max_body = 8;
    assert_adds(&f);
    assert_shown(&all, f.service.port,
                 "sent request " OF "add to $peer, 12 bytes\n| wire: binary\n| kind: request\n| \n|      0  00 00 00 01 00 00 00 00\n| (4 more bytes)\n" CAME("response", "8") EIGHT);
    all.to.max_body = 1;
    assert_ok(sample_sample_find(&f.client, creo_text("a"), 7, NULL, creo_bytes_of(data, sizeof data), &f.arena, &blocks, &f.error), &f.error);
    assert_shown(&all, f.service.port,
                 "sent request " OF "find to $peer, 20010 bytes\n| wire: binary\n| kind: request\n| \n|      0  01\n| (20009 more bytes)\n"
                 "received answer " OF "find from $peer, 1 bytes\n| wire: binary\n| kind: response\n| \n|      0  00\n");
    finish_shown(&f, &all);
}

/* What concerns the connection, breaks off, exceeds a limit or breaks the protocol is no message. */
static void what_is_no_message(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000001"), 0},
                                 {SEND, HELLO "00000008 02 01 00000001 ffff 00000006 06 00 00000001 00000009 04 00 00000000 08 00 00", 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000002"), 0},
                                 {SEND, HELLO "0000000e 02 00 00000002 000000", 0},
                                 {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0},
                                 {EXPECT, PREAMBLE ADD("00000003"), 0},
                                 {SEND, HELLO "00000007 02 04 00000003 01", 0},
                                 {EXPECT, ADD("00000004"), 0},
                                 {SEND, "00000013 02 00 00000004 00", 0},
                                 CLOSES};
    static const creo_code due[] = {CREO_OVERLOADED, CREO_UNAVAILABLE, CREO_MALFORMED, CREO_TOO_LARGE};
    fixture f;
    shown all;
    start_shown(&f, &all, script);
    f.client.limits.max_message_size = 12;
    for (int i = 0; i < 4; i++) {
        assert_fails(&f, due[i], "");
        assert_shown(&all, f.service.port, SENT);
    }
    finish_shown(&f, &all);
}

/* Items are not shown; what comes before and after them is (CALL-61). */
static void messages_of_streams(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {EXPECT, PREAMBLE OPENS("00000001"), 0}, {SEND, HELLO NUMBER("00000001", ONE) DONE("00000001"), 0}, CLOSES};
    fixture f;
    shown all;
    creo_stream stream;
    start_shown(&f, &all, script);
    open_numbers(&f, &stream);
    assert_shown(&all, f.service.port, "sent request of creo.tests.sample.Feed.numbers to $peer, 0 bytes\n| wire: binary\n| kind: request\n");
    assert_number(&f, &stream, 1);
    assert_end(&f, &stream);
    assert_shown(&all, f.service.port, "received answer of creo.tests.sample.Feed.numbers from $peer, 0 bytes\n| wire: binary\n| kind: response\n");
    finish_shown(&f, &all);
}

/* `<Env xmlns="urn:creo:tdxml"><RT>` LF `[0]|3` LF `</RT></Env>` */
#define TABLE "3c456e7620786d6c6e733d2275726e3a6372656f3a7464786d6c223e3c52543e0a5b305d7c330a3c2f52543e3c2f456e763e"
#define TABLE_CAME "received answer " OF "add from $peer, 50 bytes\n| wire: tdxml\n| kind: response\n"

static void messages_of_tables(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {SWALLOW, NULL, 8 + 10 + 12 + 52},
                                 {SEND, HELLO "00000038 02 00 00000001" TABLE, 0},
                                 {SWALLOW, NULL, 10 + 12 + 52},
                                 {SEND, "00000038 02 00 00000002" TABLE, 0},
                                 {SWALLOW, NULL, 10 + 12 + 52},
                                 {SEND, "00000009 04 00 00000003 08 00 00", 0},
                                 {SWALLOW, NULL, 10 + 12 + 52},
                                 {SEND, "00000008 02 00 00000004 3c00", 0},
                                 {SWALLOW, NULL, 10 + 12 + 52},
                                 {SEND, "00000038 02 00 00000005" TABLE, 0},
                                 CLOSES};
    static const creo_text_interface *const interfaces[] = {&sample_sample_text};
    static const creo_tables tables = {{CREO_TDXML_RECORD, false}, interfaces, 1};
    static const char sent[] = "sent request " OF "add to $peer, 52 bytes\n| wire: tdxml\n| kind: request\n";
    static const char request[] = "| \n| <Env xmlns=\"urn:creo:tdxml\"><RT>\n| [0]|1|2\n| </RT></Env>\n";
    static const char nameless[] = "| \n| (the body is not shown: its secrets have no names of their own)\n";
    fixture f;
    shown all;
    char due[1000];
    problem outcome;
    start_shown(&f, &all, script);
    creo_client_use_tables(&f.client, &tables);
    assert_adds(&f);
    snprintf(due, sizeof due, "%s%s" TABLE_CAME "| \n| <Env xmlns=\"urn:creo:tdxml\"><RT>\n| [0]|3\n| </RT></Env>\n", sent, request);
    assert_shown(&all, f.service.port, due);
    all.indented = true;
    assert_adds(&f);
    assert_non_null(strstr(all.text, "| <Env xmlns=\"urn:creo:tdxml\">\n|   <RT>\n"));
    shown_clear(&all);
    all.indented = false;
    assert_fails(&f, CREO_OVERLOADED, "overloaded");
    snprintf(due, sizeof due, "%s%sreceived answer " OF "add from $peer, 3 bytes\n| wire: tdxml\n| kind: error\n| \n|      0  08 00 00\n", sent, request);
    assert_shown(&all, f.service.port, due);
    assert_fails(&f, CREO_MALFORMED, "");
    snprintf(due, sizeof due, "%s%sreceived answer " OF "add from $peer, 2 bytes\n| wire: tdxml\n| kind: response\n| \n|      0  3c 00\n", sent, request);
    assert_shown(&all, f.service.port, due);
    /* Columns have no names. */
    assert_true(add_or_fail(&f, true, &outcome));
    snprintf(due, sizeof due, "%s%s" TABLE_CAME "%s", sent, nameless, nameless);
    assert_shown(&all, f.service.port, due);
    finish_shown(&f, &all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metadata_and_time),
        cmocka_unit_test(kinds_of_messages),
        cmocka_unit_test(bodies_with_secrets),
        cmocka_unit_test(bodies_are_cut),
        cmocka_unit_test(what_is_no_message),
        cmocka_unit_test(messages_of_streams),
        cmocka_unit_test(messages_of_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
