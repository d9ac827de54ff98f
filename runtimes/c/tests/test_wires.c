/* Calls with JSON and with tables, against a service that follows a script: spec/wires/json.md, spec/wires/tdxml.md. */
#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "sample.text.h"

#define TABLE "application/vnd.creo.tdxml"
#define ENV(rows) "<Env xmlns=\"urn:creo:tdxml\"><RT>\n" rows "</RT></Env>"
#define ENV_OF(of, rows) "<Env xmlns=\"urn:creo:tdxml\" of=\"" of "\"><RT>\n" rows "</RT></Env>"
#define ENVELOPE(inside) "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>" inside "</soap:Body></soap:Envelope>"

typedef enum wire { JSON, TDXML, TABLES, TCP } wire;

typedef struct fixture {
    wire wire;
    server service;
    union {
        creo_client client;
        creo_json json;
        creo_tdxml tdxml;
        creo_soap soap;
    } as;
    creo_tables tables;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

static void start(fixture *f, wire wire, const act *script)
{
    static const creo_text_interface *const interfaces[] = {&sample_sample_text};
    memset(f, 0, sizeof *f);
    f->wire = wire;
    server_start(&f->service, script);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    creo_arena_init(&f->arena, creo_allocator_libc());
    creo_allocator libc = creo_allocator_libc();
    if (wire == JSON) {
        assert_true(creo_json_init(&f->as.json, url, &sample_sample_text, libc, &f->error));
    } else if (wire == TDXML) {
        assert_true(creo_tdxml_init(&f->as.tdxml, url, &sample_sample_text, libc, &f->error));
    } else if (wire == TABLES) {
        assert_true(creo_soap_init(&f->as.soap, url, &sample_sample_text, libc, &f->error));
        creo_soap_use_tables(&f->as.soap, f->tables.options);
    } else {
        creo_client_init(&f->as.client, "127.0.0.1", f->service.port, libc);
        f->tables.interfaces = interfaces;
        f->tables.interface_count = 1;
        creo_client_use_tables(&f->as.client, &f->tables);
    }
}

static void finish(fixture *f)
{
    creo_client_free(&f->as.client);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

static bool add(fixture *f)
{
    return sample_sample_add(&f->as.client, 1, 2, &f->arena, &f->sum, &f->error);
}

static void assert_adds(fixture *f)
{
    f->sum = 0;
    if (!add(f)) {
        char text[CREO_ERROR_TEXT];
        fail_msg("%s", creo_error_format(&f->error, text, sizeof text));
    }
    assert_int_equal(f->sum, 3);
}

static void assert_failed(fixture *f, bool done, creo_code code, const char *part)
{
    char text[CREO_ERROR_TEXT];
    assert_false(done);
    creo_error_format(&f->error, text, sizeof text);
    if (f->error.code != code || strstr(text, part) == NULL)
        fail_msg("%s: %s with \"%s\" is due", text, creo_code_name(code), part);
    char peer[40];
    snprintf(peer, sizeof peer, "127.0.0.1:%u", (unsigned)f->service.port);
    assert_string_equal(f->error.peer, peer);
}

/* The request that was heard has that body. */
static void assert_body(fixture *f, const char *due)
{
    const char *body = strstr(f->service.heard, "\r\n\r\n");
    assert_non_null(body);
    assert_string_equal(body + 4, due);
}

/* A whole answer of HTTP. */
static const char *answer(char room[4000], int status, const char *type, const char *body)
{
    size_t used = (size_t)snprintf(room, 4000, "HTTP/1.1 %d X\r\n", status);
    if (type != NULL)
        used += (size_t)snprintf(room + used, 4000 - used, "Content-Type: %s\r\n", type);
    snprintf(room + used, 4000 - used, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
    return room;
}

/* One answer to `add`, and how the call ends. */
static void add_is_three(wire wire, const char *type, const char *body)
{
    char room[4000];
    const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "", 0}, {SAY, answer(room, 200, type, body), 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, wire, script);
    assert_adds(&f);
    finish(&f);
}

static void add_fails(wire wire, int status, const char *type, const char *body, creo_code code, const char *part)
{
    char room[4000];
    const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "", 0}, {SAY, answer(room, status, type, body), 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, wire, script);
    assert_failed(&f, add(&f), code, part);
    finish(&f);
}

/* One answer to `everything`, which declares exceptions; the outcome is in the fixture's arena. */
static bool everything(fixture *f, wire wire, int status, const char *type, const char *body, sample_sample_everything_outcome *outcome)
{
    char room[4000];
    const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "", 0}, {SAY, answer(room, status, type, body), 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    sample_everything value;
    sample_everything_init(&value);
    value.amount = creo_text("1");
    value.event.kind = SAMPLE_EVENT_STARTED;
    start(f, wire, script);
    return sample_sample_everything(&f->as.client, &value, &f->arena, outcome, &f->error);
}

static void exception_is(wire wire, int status, const char *type, const char *body)
{
    fixture f;
    sample_sample_everything_outcome outcome;
    if (!everything(&f, wire, status, type, body, &outcome))
        fail_msg("%s: %s", body, f.error.message);
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_REFUSED);
    assert_true(creo_string_is(outcome.as.refused.reason, "no") && outcome.as.refused.retry_after == 7);
    finish(&f);
}

static void exception_fails(wire wire, int status, const char *type, const char *body, creo_code code, const char *part)
{
    fixture f;
    sample_sample_everything_outcome outcome;
    bool done = everything(&f, wire, status, type, body, &outcome);
    assert_failed(&f, done, code, part);
    finish(&f);
}

/* Without a fault, a problem or a document the status decides (HTTP-3). */
static void statuses(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *type;
        const char *body;
        creo_code code;
        const char *part;
    } cases[] = {
        {401, NULL, "", CREO_UNAUTHENTICATED, "/Sample/add answered with status 401 X and no media type"},
        {407, "text/html", "no", CREO_UNAUTHENTICATED, "407 X and the media type text/html: no"},
        {403, NULL, "", CREO_PERMISSION_DENIED, "403"},
        {404, NULL, "", CREO_UNAVAILABLE, "404"},
        {502, NULL, "", CREO_UNAVAILABLE, "502"},
        {503, "text/plain", "later", CREO_UNAVAILABLE, "503"},
        {504, NULL, "", CREO_UNAVAILABLE, "504"},
        {413, NULL, "", CREO_TOO_LARGE, "413"},
        {429, NULL, "", CREO_OVERLOADED, "429"},
        {500, NULL, "", CREO_PROTOCOL_MISMATCH, "500"},
        {302, NULL, "", CREO_UNAVAILABLE, "302"},
        {200, "text/html", "<p>3</p>", CREO_PROTOCOL_MISMATCH, "text/html"},
        {200, NULL, "3", CREO_PROTOCOL_MISMATCH, "no media type"},
        {200, "text/xml", ENVELOPE("<addResponse xmlns='urn:creo:creo.tests.sample'><result>3</result></addResponse>"), CREO_PROTOCOL_MISMATCH, "text/xml"},
        {202, NULL, "", CREO_PROTOCOL_MISMATCH, "202"},
        {204, NULL, "", CREO_PROTOCOL_MISMATCH, "204"},
        {500, "application/json", "3", CREO_PROTOCOL_MISMATCH, "500"},
        {404, TABLE, ENV("[0]|3\n"), CREO_UNAVAILABLE, "404"},
        {503, "application/problem+json", "{", CREO_UNAVAILABLE, "503"},
        {503, TABLE, "<Env", CREO_UNAVAILABLE, "503"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        add_fails(JSON, cases[i].status, cases[i].type, cases[i].body, cases[i].code, cases[i].part);
        add_fails(TDXML, cases[i].status, cases[i].type, cases[i].body, cases[i].code, cases[i].part);
    }
    add_fails(JSON, 200, TABLE, ENV("[0]|3\n"), CREO_PROTOCOL_MISMATCH, TABLE);
    add_fails(TDXML, 200, "application/json", "3", CREO_PROTOCOL_MISMATCH, "application/json");
}

static void urls(void **state)
{
    (void)state;
    creo_json json;
    creo_tdxml tdxml;
    creo_error error;
    creo_allocator libc = creo_allocator_libc();
    assert_false(creo_json_init(&json, "http://h/a?b", &sample_sample_text, libc, &error));
    assert_error(&error, "invalid-value: the path /a?b has a query, which no method's name can follow");
    creo_json_free(&json);
    assert_false(creo_tdxml_init(&tdxml, "ftp://h/", &sample_sample_text, libc, &error));
    creo_tdxml_free(&tdxml);
    assert_true(creo_json_init(&json, "https://h/a//", &sample_sample_text, libc, &error));
    assert_string_equal(json.place.path, "/a");
    int64_t sum;
    creo_arena arena;
    creo_arena_init(&arena, libc);
    assert_false(sample_sample_add(&json.client, 1, 2, &arena, &sum, &error));
    assert_error(&error, "invalid-value: https needs a creo_io for TLS: see creo_client_use_io");
    creo_json_free(&json);
}

static void json_calls(void **state)
{
    (void)state;
    char room[4000];
    const act script[] = {{ACCEPT, NULL, 0},
                          {HEAR, "POST /Sample/add HTTP/1.1\r\nHost: 127.0.0.1:|\r\nContent-Type: application/json\r\nContent-Length: 20\r\nCreo-Timeout: |"
                                 "\r\nCreo-Meta-x-test: %C3%A9\r\n|\r\n\r\n{\"left\":1,\"right\":2}",
                           0},
                          {SAY, answer(room, 200, "application/json; charset=UTF-8", " 3 "), 0},
                          {HEAR, "POST /Sample/note HTTP/1.1|{\"text\":\"a<b\"}", 0},
                          {SAY, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", 0},
                          {HEAR, "POST /Sample/touch HTTP/1.1|\r\n\r\n{}", 0},
                          {SAY, "HTTP/1.1 204 No Content\r\n\r\n", 0},
                          {HEAR, "POST /Sample/last HTTP/1.1|\r\n\r\n{}", 0},
                          {SAY, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nnull", 0},
                          {HEAR, "{\"of\":\"x\"}", 0},
                          {SAY, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\"\\u0\r\n5\r\n0e9y\"\r\n0\r\n\r\n", 0},
                          {UNTIL_CLOSED, NULL, 0},
                          {END, NULL, 0}};
    static const creo_pair pair = {{"x-test", 6}, {"\xC3\xA9", 2}};
    fixture f;
    start(&f, JSON, script);
    f.as.client.metadata = &pair;
    f.as.client.metadata_count = 1;
    assert_adds(&f);
    assert_true(sample_sample_note(&f.as.client, creo_text("a<b"), &f.error));
    assert_true(sample_sample_touch(&f.as.client, &f.arena, &f.error));
    sample_string_optional last = {true, {NULL, 0}};
    assert_true(sample_sample_last(&f.as.client, NULL, &f.arena, &last, &f.error));
    assert_false(last.has);
    creo_string of = creo_text("x");
    assert_true(sample_sample_last(&f.as.client, &of, &f.arena, &last, &f.error));
    assert_true(last.has && creo_string_is(last.value, "\xC3\xA9y"));
    /* What cannot be written is not sent. */
    of = creo_text("\xFF");
    assert_false(sample_sample_last(&f.as.client, &of, &f.arena, &last, &f.error));
    assert_error(&f.error, "invalid-value: a string is well-formed UTF-8 (at $.of)");
    finish(&f);
}

static void json_results(void **state)
{
    (void)state;
    add_is_three(JSON, "Application/JSON", "\"3\"");
    add_fails(JSON, 200, "application/json", "3.0", CREO_MALFORMED, "(at $result, byte 0)");
    add_fails(JSON, 200, "application/json", "null", CREO_MALFORMED, "(at $result");
    add_fails(JSON, 200, "application/json", "{\"result\":3}", CREO_MALFORMED, "(at $result");
    add_fails(JSON, 200, "application/json", "3 4", CREO_MALFORMED, "after the value (at $result, byte 2)");
    add_fails(JSON, 200, "application/json", "", CREO_PROTOCOL_MISMATCH, "200");
    add_fails(JSON, 200, "application/json; charset=utf-16", "3", CREO_MALFORMED, "other than UTF-8");
}

#define PROBLEM "application/problem+json"

static void json_problems(void **state)
{
    (void)state;
    exception_is(JSON, 422, PROBLEM, "{\"type\":\"urn:creo:exception:creo.tests.sample.Refused\",\"title\":\"Refused\",\"status\":422,\"value\":{\"reason\":\"no\",\"retryAfter\":7}}");
    exception_is(JSON, 200, PROBLEM "; charset=utf-8", "{\"value\":{\"retryAfter\":7,\"x\":[{}],\"reason\":\"no\"},\"x\":null,\"type\":\"urn:creo:exception:creo.tests.sample.Refus\\u0065d\"}");
    exception_fails(JSON, 422, PROBLEM, "{\"type\":\"urn:creo:exception:creo.tests.sample.Other\",\"value\":{}}", CREO_INTERNAL, "creo.tests.sample.Other, which the method does not declare");
    exception_fails(JSON, 422, PROBLEM, "{\"type\":\"urn:creo:exception:creo.tests.sample.Refused\"}", CREO_MALFORMED, "(at $exception");
    exception_fails(JSON, 422, PROBLEM, "{\"type\":\"urn:creo:exception:creo.tests.sample.Refused\",\"value\":{\"reason\":1}}", CREO_MALFORMED, "(at $exception.reason, byte");
    exception_fails(JSON, 422, PROBLEM, "{\"type\":\"urn:creo:exception:creo.tests.sample.NotFound\",\"value\":[]}", CREO_MALFORMED, "(at $exception, byte");
    static const struct {
        const char *body;
        creo_code code;
        const char *part;
    } errors[] = {
        {"{\"type\":\"urn:creo:error:permission-denied\",\"title\":\"permission-denied\",\"status\":403,\"detail\":\"not you\"}", CREO_PERMISSION_DENIED, "permission-denied: not you"},
        {"{\"type\":\"urn:creo:error:malformed\",\"detail\":\"x\",\"details\":{\"place\":\"$.left\",\"offset\":\"12\"}}", CREO_MALFORMED, "malformed: x (at $.left, byte 12)"},
        {"{\"type\":\"urn:creo:error:unknown-method\",\"detail\":\"no\",\"details\":{\"a\":1,\"b\":\"c\"}}", CREO_UNKNOWN_METHOD, "no; the call was creo.tests.sample.Sample.add"},
        {"{\"type\":\"urn:creo:error:other\",\"detail\":\"x\"}", CREO_INTERNAL, "internal: x (error other of the peer)"},
        {"{\"type\":\"urn:creo:error:overloaded\",\"title\":\"full\\u0007\"}", CREO_OVERLOADED, "overloaded: full\\u0007"},
        {"{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"detail\":\"later\"}", CREO_UNAVAILABLE, "status 503 X and the media type application/problem+json: Service Unavailable: later"},
        {"{\"type\":7,\"title\":[],\"detail\":\"later\"}", CREO_UNAVAILABLE, "problem+json: later"},
        {"{}", CREO_UNAVAILABLE, "503"},
        {"[]", CREO_UNAVAILABLE, "503"},
        {"{\"details\":[1],\"type\":null}", CREO_UNAVAILABLE, "503"},
    };
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        add_fails(JSON, 503, PROBLEM, errors[i].body, errors[i].code, errors[i].part);
    add_fails(JSON, 200, PROBLEM, "[]", CREO_MALFORMED, "an object");
    /* The details of the error. */
    char room[4000];
    const act script[] = {{ACCEPT, NULL, 0},
                          {HEAR, "", 0},
                          {SAY, answer(room, 413, PROBLEM, "{\"details\":{\"limit\":\"maxMessageSize\",\"allowed\":\"5\"},\"type\":\"urn:creo:error:too-large\",\"detail\":\"x\"}"), 0},
                          {CLOSE, NULL, 0},
                          {END, NULL, 0}};
    fixture f;
    start(&f, JSON, script);
    assert_failed(&f, add(&f), CREO_TOO_LARGE, "x");
    assert_true(f.error.from_peer && f.error.detail_count == 2 && creo_string_is(creo_error_detail(&f.error, "allowed"), "5"));
    finish(&f);
}

/* Tables over HTTP without SOAP, in each form. */
static void table_calls(void **state)
{
    (void)state;
    static const struct {
        creo_tdxml_options options;
        const char *body;
    } forms[] = {
        {{CREO_TDXML_RECORD, false}, ENV("[0]|1|2\n")},
        {{CREO_TDXML_AGGREGATED, false}, "<Env xmlns=\"urn:creo:tdxml\"><CT>\n[0][0]|1\n[0][1]|2\n</CT></Env>"},
        {{CREO_TDXML_RECORD, true}, "<Env xmlns=\"urn:creo:tdxml\"><DS>\nadd [0] ::= SEQUENCE OF {left [0] Integer, right [1] Integer}\n</DS><RT>\n[0]|1|2\n</RT></Env>"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char room[4000];
        const act script[] = {{ACCEPT, NULL, 0},
                              {HEAR, "POST /Sample/add HTTP/1.1\r\n|\r\nContent-Type: " TABLE "\r\n", 0},
                              {SAY, answer(room, 200, TABLE, i == 1 ? "<Env xmlns='urn:creo:tdxml'><CT>[0][0]|3</CT></Env>" : ENV("[0]|3\n")), 0},
                              {UNTIL_CLOSED, NULL, 0},
                              {END, NULL, 0}};
        fixture f;
        start(&f, TDXML, script);
        f.as.tdxml.options = forms[i].options;
        assert_adds(&f);
        assert_body(&f, forms[i].body);
        finish(&f);
    }
    char rooms[2][4000];
    const act script[] = {{ACCEPT, NULL, 0},
                          {HEAR, "POST /Sample/note HTTP/1.1", 0},
                          {SAY, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", 0},
                          {HEAR, "POST /Sample/touch HTTP/1.1|<RT>\n</RT>", 0},
                          {SAY, "HTTP/1.1 204 No Content\r\n\r\n", 0},
                          {HEAR, "<RT>\n</RT>", 0},
                          {SAY, answer(rooms[0], 200, TABLE, ENV("")), 0},
                          {HEAR, "POST /Sample/last HTTP/1.1", 0},
                          {SAY, answer(rooms[1], 200, TABLE, ENV("")), 0},
                          {UNTIL_CLOSED, NULL, 0},
                          {END, NULL, 0}};
    fixture f;
    sample_string_optional last = {true, {NULL, 0}};
    start(&f, TDXML, script);
    assert_true(sample_sample_note(&f.as.client, creo_text("a<b"), &f.error));
    assert_body(&f, ENV("[0]|a\\lb\n"));
    assert_true(sample_sample_touch(&f.as.client, &f.arena, &f.error));
    assert_true(sample_sample_touch(&f.as.client, &f.arena, &f.error));
    assert_true(sample_sample_last(&f.as.client, NULL, &f.arena, &last, &f.error));
    assert_false(last.has);
    finish(&f);
}

static void table_results(void **state)
{
    (void)state;
    add_is_three(TDXML, TABLE "; charset=utf-8", "<?xml version=\"1.0\"?><TDXML:Env><TDXML:RT>[0]|3</TDXML:RT></TDXML:Env>");
    add_is_three(TDXML, TABLE, "<Env xmlns='urn:creo:tdxml'><DS>add [0] ::= SEQUENCE OF {result [0] Integer}</DS><RT>[0]|3</RT></Env>");
    add_fails(TDXML, 200, TABLE, ENV("[0]|x\n"), CREO_MALFORMED, "row 1: [0]|x; a long");
    add_fails(TDXML, 200, TABLE, ENV("[0]|x\n"), CREO_MALFORMED, "(at $result, byte");
    add_fails(TDXML, 200, TABLE, ENV(""), CREO_MALFORMED, "the element result is missing (at $result");
    add_fails(TDXML, 200, TABLE, ENV_OF("add", "[0]|3\n"), CREO_MALFORMED, "of add");
    add_fails(TDXML, 200, TABLE, "<Env xmlns='urn:creo:tdxml'><DS>add [0] ::= SEQUENCE OF {result [0] Real}</DS><RT>[0]|3</RT></Env>", CREO_PROTOCOL_MISMATCH, "data schema");
    add_fails(TDXML, 200, TABLE, "<Env xmlns='urn:creo:tdxml'><DS>sum [0] ::= SEQUENCE OF {result [0] Integer}</DS><RT>[0]|3</RT></Env>", CREO_PROTOCOL_MISMATCH, "data schema");
    add_fails(TDXML, 200, TABLE "; charset=koi8-r", ENV("[0]|3\n"), CREO_MALFORMED, "encoding koi8-r");
    add_fails(TDXML, 200, TABLE, "", CREO_PROTOCOL_MISMATCH, "200");
    exception_is(TDXML, 422, TABLE, ENV_OF("creo.tests.sample.Refused", "[0]|no|7\n"));
    exception_is(TDXML, 500, TABLE, "<Env xmlns='urn:creo:tdxml' of='creo.tests.sample.Refused'><CT>[0][1]|7\n[0][0]|no</CT></Env>");
    exception_fails(TDXML, 422, TABLE, ENV_OF("creo.tests.sample.Refused", "[0]|~|7\n"), CREO_MALFORMED, "(at $exception");
    exception_fails(TDXML, 422, TABLE, ENV_OF("creo.tests.sample.Other", "[0]|~|7\n"), CREO_INTERNAL, "creo.tests.sample.Other, which the method does not declare");
    add_fails(TDXML, 503, TABLE, ENV_OF("error", "[0]|overloaded|full\n[0][2]\n"), CREO_OVERLOADED, "overloaded: full");
    add_fails(TDXML, 200, TABLE, ENV_OF("error", "[0]|malformed|x\n[0][2][0]0|place|$.left\n[0][2][0]1|offset|12\n"), CREO_MALFORMED, "malformed: x (at $.left, byte 12)");
    add_fails(TDXML, 404, TABLE, ENV_OF("error", "[0]|unknown-method|no\n"), CREO_UNKNOWN_METHOD, "no; the call was creo.tests.sample.Sample.add");
    add_fails(TDXML, 503, TABLE, ENV_OF("error", "[0]|~|full\n"), CREO_UNAVAILABLE, "503");
    add_fails(TDXML, 500, TABLE, ENV_OF("error", "[0]|other|x\n[0][2]\n"), CREO_INTERNAL, "internal: x (error other of the peer)");
}

/* TDX-53: byte strings as parts, there and back. */
static void table_packages(void **state)
{
    (void)state;
    static const char body[] = "--b\r\nContent-Type: " TABLE "\r\nContent-ID: <r>\r\n\r\n" ENV("[0][0]0|1|2\n") "\r\n--b--\r\n";
    char room[4000];
    const act script[] = {{ACCEPT, NULL, 0},
                          {HEAR, "Content-Type: multipart/related; type=\"" TABLE "\"; start=\"<root@creo>\"; boundary=\"creo-part-0\"\r\n|"
                                 "--creo-part-0\r\nContent-Type: " TABLE "\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <root@creo>\r\n\r\n<Env xmlns=\"urn:creo:tdxml\"><RT>\n[0]|"
                                 "cid:0@creo\n</RT></Env>\r\n--creo-part-0\r\nContent-Type: application/octet-stream\r\n|<0@creo>\r\n\r\nxxxxxxxx|xxx\r\n--creo-part-0--",
                           0},
                          {SAY, answer(room, 200, "multipart/related; boundary=b", body), 0},
                          {UNTIL_CLOSED, NULL, 0},
                          {END, NULL, 0}};
    fixture f;
    char data[1024];
    sample_block_array blocks;
    memset(data, 'x', sizeof data);
    start(&f, TDXML, script);
    f.as.tdxml.mtom = true;
    if (!sample_sample_find(&f.as.client, creo_text("t"), 1, NULL, creo_bytes_of(data, sizeof data), &f.arena, &blocks, &f.error))
        fail_msg("%s", f.error.message);
    assert_true(blocks.count == 1 && blocks.items[0].d == 1 && blocks.items[0].s == 2);
    finish(&f);
    /* A part that nothing refers to. */
    sample_sample_everything_outcome outcome;
    static const char unused[] = "--b\r\nContent-ID: <r>\r\nContent-Type: " TABLE "\r\n\r\n" ENV_OF("creo.tests.sample.Refused", "[0]|no|7\n") "\r\n--b\r\nContent-ID: <a>\r\n\r\n\1\2\r\n--b--";
    assert_true(everything(&f, TDXML, 422, "multipart/related; boundary=b", unused, &outcome));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_REFUSED);
    finish(&f);
}

/* TDX-50 */
static void tables_within_soap(void **state)
{
    (void)state;
    char rooms[5][4000];
    const act script[] = {{ACCEPT, NULL, 0},
                          {HEAR, "POST /Sample HTTP/1.1\r\n|Content-Type: text/xml; charset=utf-8\r\n|SOAPAction: \"urn:creo:creo.tests.sample:Sample/add\"", 0},
                          {SAY, answer(rooms[0], 200, "text/xml", ENVELOPE(ENV("[0]|3\n"))), 0},
                          {HEAR, "", 0},
                          {SAY, answer(rooms[1], 200, "text/xml", ENVELOPE("<TDXML:Envelope><TDXML:ContentTable>[0][0]|3</TDXML:ContentTable></TDXML:Envelope>")), 0},
                          {HEAR, "", 0},
                          {SAY, answer(rooms[2], 200, "text/xml", ENVELOPE("<addResponse xmlns='urn:creo:creo.tests.sample'><result>3</result></addResponse>")), 0},
                          {HEAR, "", 0},
                          {SAY, answer(rooms[3], 200, "text/xml", ENVELOPE(ENV("[0]|3|4\n"))), 0},
                          {HEAR, "", 0},
                          {SAY, answer(rooms[4], 500, "text/xml", ENVELOPE("<soap:Fault><faultcode>soap:Server</faultcode><faultstring>no</faultstring></soap:Fault>")), 0},
                          {UNTIL_CLOSED, NULL, 0},
                          {END, NULL, 0}};
    fixture f;
    start(&f, TABLES, script);
    assert_adds(&f);
    assert_body(&f, ENVELOPE(ENV_OF("add", "[0]|1|2\n")));
    creo_tdxml_options options = {CREO_TDXML_AGGREGATED, true};
    creo_soap_use_tables(&f.as.soap, options);
    assert_adds(&f);
    assert_body(&f, ENVELOPE("<Env xmlns=\"urn:creo:tdxml\" of=\"add\"><DS>\nadd [0] ::= SEQUENCE OF {left [0] Integer, right [1] Integer}\n</DS><CT>\n[0][0]|1\n[0][1]|2\n</CT></Env>"));
    /* A service that answers as ever is understood, too. */
    assert_adds(&f);
    assert_failed(&f, add(&f), CREO_MALFORMED, "row 1: [0]|3|4; the row has more columns than there are (at $result, byte");
    assert_failed(&f, add(&f), CREO_INTERNAL, "no");
    finish(&f);
    /* Without asking for tables, none is read. */
    char room[4000];
    const act other[] = {{ACCEPT, NULL, 0}, {HEAR, "", 0}, {SAY, answer(room, 200, "text/xml", ENVELOPE(ENV("[0]|3\n"))), 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    start(&f, TABLES, other);
    f.as.soap.tables = NULL;
    assert_failed(&f, add(&f), CREO_MALFORMED, "addResponse");
    finish(&f);
}

/* A text as hexadecimal digits. */
static size_t put_hex(char *to, const char *text)
{
    for (size_t i = 0; text[i] != 0; i++)
        snprintf(to + 2 * i, 3, "%02x", (unsigned)(uint8_t)text[i]);
    return strlen(text) * 2;
}

/* A frame of a kind with a call id and a text as its body. */
static const char *frame(char room[2000], unsigned kind, unsigned id, const char *before, const char *text)
{
    size_t used = (size_t)snprintf(room, 2000, "%08zx %02x 00 %08x %s ", 6 + strlen(before) / 2 + strlen(text), kind, id, before);
    used += put_hex(room + used, text);
    room[used] = 0;
    return room;
}

/* TDX-52, TCP-1 */
static void tables_over_tcp(void **state)
{
    (void)state;
    char room[5][2000];
    const act script[] = {{ACCEPT, NULL, 0},
                          {EXPECT, "4352454f 01 02 01 00", 0},
                          {EXPECT, frame(room[0], 1, 1, "........................", ENV("[0]|1|2\n")), 0},
                          {SEND, "4352454f 01 01 00 00", 0},
                          {SEND, frame(room[1], 2, 1, "", ENV("[0]|3\n")), 0},
                          {SWALLOW, NULL, 22 + sizeof ENV("[0]|1|2\n") - 1},
                          {SEND, frame(room[2], 2, 2, "", ENV("[0]|x\n")), 0},
                          {SWALLOW, NULL, 22 + sizeof ENV("[0]|1|2\n") - 1},
                          /* An error has the form of the binary wire. */
                          {SEND, "0000000b 04 00 00000003 0a 02 6e6f 00", 0},
                          {SWALLOW, NULL, 22 + sizeof ENV("[0]|1|2\n") - 1},
                          {SEND, frame(room[3], 3, 4, "", ENV_OF("x", "[0]|3\n")), 0},
                          {SWALLOW, NULL, 22 + sizeof ENV("[0]|1|2\n") - 1},
                          {SEND, frame(room[4], 4, 0, "", "\x0B\x02no"), 0},
                          {UNTIL_CLOSED, NULL, 0},
                          {END, NULL, 0}};
    fixture f;
    start(&f, TCP, script);
    assert_adds(&f);
    assert_failed(&f, add(&f), CREO_MALFORMED, "row 1: [0]|x; a long is an integer of 64 bits (at $result, byte");
    assert_failed(&f, add(&f), CREO_PERMISSION_DENIED, "no");
    assert_failed(&f, add(&f), CREO_MALFORMED, "declares no exception of this name (at $exception");
    assert_false(add(&f));
    finish(&f);
}

static void exceptions_over_tcp(void **state)
{
    (void)state;
    char room[2000];
    const act script[] = {{ACCEPT, NULL, 0},
                          {EXPECT, "4352454f 01 02 01 00", 0},
                          {SEND, "4352454f 01 01 00 00", 0},
                          {SEND, frame(room, 3, 1, "", ENV_OF("creo.tests.sample.Refused", "[0]|no|7\n")), 0},
                          {UNTIL_CLOSED, NULL, 0},
                          {END, NULL, 0}};
    fixture f;
    sample_everything value;
    sample_sample_everything_outcome outcome;
    start(&f, TCP, script);
    sample_everything_init(&value);
    value.amount = creo_text("1");
    value.event.kind = SAMPLE_EVENT_STARTED;
    assert_true(sample_sample_everything(&f.as.client, &value, &f.arena, &outcome, &f.error));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_REFUSED);
    assert_true(creo_string_is(outcome.as.refused.reason, "no") && outcome.as.refused.retry_after == 7);
    finish(&f);
    /* An interface that was not named. */
    const act nothing[] = {{END, NULL, 0}};
    start(&f, TCP, nothing);
    f.tables.interface_count = 0;
    assert_false(add(&f));
    assert_error(&f.error, "invalid-value: the interface creo.tests.sample.Sample is not among those of creo_client_use_tables");
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses),    cmocka_unit_test(urls),          cmocka_unit_test(json_calls),     cmocka_unit_test(json_results),       cmocka_unit_test(json_problems),
        cmocka_unit_test(table_calls), cmocka_unit_test(table_results), cmocka_unit_test(table_packages), cmocka_unit_test(tables_within_soap), cmocka_unit_test(tables_over_tcp),
        cmocka_unit_test(exceptions_over_tcp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
