/* Calls over SOAP and HTTP against a service that follows a script: spec/wires/soap.md, spec/transports/http.md. */
#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "sample.text.h"

#define NS "urn:creo:creo.tests.sample"
#define E11 "http://schemas.xmlsoap.org/soap/envelope/"
#define E12 "http://www.w3.org/2003/05/soap-envelope"
#define ENVELOPE(inside) "<s:Envelope xmlns:s='" E11 "'><s:Body>" inside "</s:Body></s:Envelope>"
#define ENVELOPE12(inside) "<s:Envelope xmlns:s='" E12 "'><s:Body>" inside "</s:Body></s:Envelope>"
#define THREE ENVELOPE("<addResponse xmlns='" NS "'><result>3</result></addResponse>")
#define ADD "<n1:add><n1:left>1</n1:left><n1:right>2</n1:right></n1:add>"
#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}

typedef struct fixture {
    server service;
    creo_soap soap;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

static void start_with(fixture *f, const act *script, const creo_text_interface *interface)
{
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    assert_true(creo_soap_init(&f->soap, url, interface, creo_allocator_libc(), &f->error));
    creo_arena_init(&f->arena, creo_allocator_libc());
}

static void start(fixture *f, const act *script)
{
    start_with(f, script, &sample_sample_text);
}

static void finish(fixture *f)
{
    creo_soap_free(&f->soap);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

static bool add(fixture *f)
{
    return sample_sample_add(&f->soap.client, 1, 2, &f->arena, &f->sum, &f->error);
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

static void assert_fails(fixture *f, creo_code code, const char *part)
{
    char text[CREO_ERROR_TEXT];
    assert_false(add(f));
    creo_error_format(&f->error, text, sizeof text);
    if (f->error.code != code || strstr(text, part) == NULL)
        fail_msg("%s: %s with \"%s\" is due", text, creo_code_name(code), part);
    char peer[40];
    snprintf(peer, sizeof peer, "127.0.0.1:%u", (unsigned)f->service.port);
    assert_string_equal(f->error.peer, peer);
}

/* One answer, and how the call ends with it. */
static void answer_fails(what what, const char *answer, size_t status, creo_code code, const char *part)
{
    const act script[] = {{ACCEPT, NULL, 0}, {HEAR, ADD, 0}, {what, answer, status}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_fails(&f, code, part);
    finish(&f);
}

static void answer_is_three(what what, const char *answer)
{
    const act script[] = {{ACCEPT, NULL, 0}, {HEAR, ADD, 0}, {what, answer, 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_adds(&f);
    finish(&f);
}

static void calls_use_one_connection(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /Sample HTTP/1.1\r\nHost: 127.0.0.1:|Content-Type: text/xml; charset=utf-8\r\n|SOAPAction: \"" NS ":Sample/add\"\r\n|Creo-Timeout: |"
                                        "\r\n\r\n<soap:Envelope xmlns:soap=\"" E11 "\" xmlns:n1=\"" NS "\"><soap:Body>" ADD "</soap:Body></soap:Envelope>",
                                  0},
                                 {ANSWER, THREE, 0},
                                 {HEAR, ADD, 0},
                                 {ANSWER, THREE, 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    assert_adds(&f);
    assert_adds(&f);
    finish(&f);
}

static void soap_12_and_metadata(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {HEAR, "Content-Type: application/soap+xml; charset=utf-8; action=\"" NS ":Sample/add\"\r\n|Creo-Timeout: 999999999\r\n|Creo-Meta-x-test: a%20%C3%A9%25\r\n|"
               "\r\nauthorization: Bearer x\r\n|<soap:Envelope xmlns:soap=\"" E12 "\"",
         0},
        {SAY, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/soap+xml\r\nTransfer-Encoding: chunked\r\n\r\n", 0},
        {SAY, "5;x=y\r\n<s:En\r\nd5\r\nvelope xmlns:s='" E12 "'><s:Header><x s:mustUnderstand='0'/></s:Header><s:Body><addResponse xmlns='" NS "'><result>3</result></addResponse></s:Body></s:Envelope>\r\n0\r\nTrailer: x\r\n\r\n", 0},
        {HEAR, ADD, 0},
        {SAY, "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n" THREE, 0},
        {CLOSE, NULL, 0},
        {END, NULL, 0}};
    static const creo_pair pairs[] = {{{"x-test", 6}, {"a \xC3\xA9%", 5}}, {{"authorization", 13}, {"Bearer x", 8}}};
    fixture f;
    start(&f, script);
    f.soap.version = CREO_SOAP_1_2;
    f.soap.client.deadline_ms = 0;
    f.soap.client.metadata = pairs;
    f.soap.client.metadata_count = 2;
    assert_adds(&f);
    assert_adds(&f);
    finish(&f);
}

/* HTTP-24 */
static void headers_of_the_user(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "\r\nCreo-Meta-x-api-key: m\r\n|\r\nX-Api-Key: k\r\n|\r\nCookie: a=\"b\";\tc\r\n", 0},
                                 {ANSWER, THREE, 0},
                                 CLOSES};
    static const creo_pair metadata[] = {{{"x-api-key", 9}, {"m", 1}}};
    static const creo_pair headers[] = {{{"X-Api-Key", 9}, {"k", 1}}, {{"Cookie", 6}, {"a=\"b\";\tc", 8}}};
    fixture f;
    start(&f, script);
    f.soap.client.metadata = metadata;
    f.soap.client.metadata_count = 1;
    f.soap.client.headers = headers;
    f.soap.client.header_count = 2;
    assert_adds(&f);
    finish(&f);
}

/* Nothing listens: headers that may be sent end with `unavailable`. */
static creo_code header_error(const creo_pair *headers, size_t count)
{
    static const creo_pair metadata[] = {{{"authorization", 13}, {"m", 1}}};
    fixture f;
    memset(&f, 0, sizeof f);
    assert_true(creo_soap_init(&f.soap, "http://127.0.0.1:1/", &sample_sample_text, creo_allocator_libc(), &f.error));
    creo_arena_init(&f.arena, creo_allocator_libc());
    f.soap.client.metadata = metadata;
    f.soap.client.metadata_count = 1;
    f.soap.client.headers = headers;
    f.soap.client.header_count = count;
    assert_false(add(&f));
    creo_soap_free(&f.soap);
    creo_arena_free(&f.arena);
    return f.error.code;
}

static creo_pair pair_of(const char *name, const char *value)
{
    return (creo_pair){{name, strlen(name)}, {value, strlen(value)}};
}

static void headers_that_cannot_be_sent(void **state)
{
    (void)state;
    static const char *const names[] = {"",       "a b",     "a:",   "\xC3\xA9",  "a\r\nb",     "Host",            "content-length", "Content-Language", "Transfer-Encoding", "Connection",
                                        "Keep-Alive", "TE", "Trailer", "Upgrade", "Expect", "SOAPAction", "Accept-Encoding", "MIME-Version", "Proxy-Authorization", "Creo-Timeout", "Authorization"};
    static const char *const values[] = {"", " ", " a", "a ", "a\t", "a\r\nHost: b", "a\nb", "a\x7F", "\xC3\xA9"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        creo_pair wrong = pair_of(names[i], "x");
        assert_int_equal(header_error(&wrong, 1), CREO_INVALID_VALUE);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        creo_pair wrong = pair_of("X-A", values[i]);
        assert_int_equal(header_error(&wrong, 1), CREO_INVALID_VALUE);
    }
    creo_pair zero = {{"X-A", 3}, {"a\0b", 3}};
    assert_int_equal(header_error(&zero, 1), CREO_INVALID_VALUE);
    creo_pair twice[] = {pair_of("X-A", "a"), pair_of("x-a", "b")};
    assert_int_equal(header_error(twice, 2), CREO_INVALID_VALUE);
    assert_int_equal(header_error(twice, 1), CREO_UNAVAILABLE);
    creo_pair prefix[] = {pair_of("Contents", "a"), pair_of("Proxy", "a"), pair_of("X-AB", "a"), pair_of("X-A", "b")};
    assert_int_equal(header_error(prefix, 4), CREO_UNAVAILABLE);
    static char large[20001];
    memset(large, 'x', sizeof large - 1);
    creo_pair long_value = pair_of("X-A", large);
    assert_int_equal(header_error(&long_value, 1), CREO_TOO_LARGE);
    large[65] = 0;
    creo_pair long_name = pair_of(large, "x");
    assert_int_equal(header_error(&long_name, 1), CREO_INVALID_VALUE);
    creo_pair many[65];
    char text[65][8];
    for (size_t i = 0; i < 65; i++) {
        (void)snprintf(text[i], sizeof text[i], "X-%zu", i);
        many[i] = pair_of(text[i], "x");
    }
    assert_int_equal(header_error(many, 64), CREO_UNAVAILABLE);
    assert_int_equal(header_error(many, 65), CREO_TOO_LARGE);
}

/* SOAP-24: the descriptor says the version that is written, and the caller may say another. */
static void the_description_says_the_version(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "Content-Type: application/soap+xml; charset=utf-8; action=\"" NS ":Sample/add\"\r\n|<soap:Envelope xmlns:soap=\"" E12 "\"", 0},
                                 {ANSWER, THREE, 0},
                                 {HEAR, "Content-Type: text/xml; charset=utf-8\r\n|<soap:Envelope xmlns:soap=\"" E11 "\"", 0},
                                 {ANSWER, THREE, 0},
                                 CLOSES};
    creo_text_interface newer = sample_sample_text;
    newer.soap12 = true;
    fixture f;
    start_with(&f, script, &newer);
    assert_int_equal(f.soap.version, CREO_SOAP_1_2);
    assert_adds(&f);
    f.soap.version = CREO_SOAP_1_1;
    assert_adds(&f);
    finish(&f);
}

/* The connection was closed in between, or something came unasked: a new one. */
static void idle_connections_are_looked_at(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},       {HEAR, ADD, 0}, {ANSWER, THREE, 0}, {CLOSE, NULL, 0}, {ACCEPT, NULL, 0}, {HEAR, ADD, 0},
                                 {ANSWER, THREE "x", 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    fixture f;
    start(&f, script);
    assert_adds(&f);
    struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL);
    assert_fails(&f, CREO_MALFORMED, "unexpected content after the root");
    finish(&f);
}

static void oneway_is_acknowledged(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "<n1:note><n1:text>a&lt;b</n1:text></n1:note>|" NS ":Sample/note", 0},
                                 {SAY, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", 0},
                                 {HEAR, "note", 0},
                                 {ANSWER, ENVELOPE("<noteResponse xmlns='" NS "'/>"), 0},
                                 {HEAR, "note", 0},
                                 {ANSWER, ENVELOPE("<s:Fault><faultcode>s:Server</faultcode><faultstring>no</faultstring></s:Fault>"), 500},
                                 CLOSES};
    fixture f;
    start(&f, script);
    assert_true(sample_sample_note(&f.soap.client, creo_text("a<b"), &f.error));
    /* A service that knows of no oneway methods. */
    assert_true(sample_sample_note(&f.soap.client, creo_text("a"), &f.error));
    assert_false(sample_sample_note(&f.soap.client, creo_text("a"), &f.error));
    assert_error(&f.error, "internal: no");
    finish(&f);
}

/* HTTP-3 */
static void statuses(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        creo_code code;
        const char *part;
    } cases[] = {
        {"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", CREO_UNAUTHENTICATED, "status 401 No and no media type"},
        {"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", CREO_UNAUTHENTICATED, "407"},
        {"HTTP/1.1 403 No\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nhtml", CREO_PERMISSION_DENIED, "status 403 No and the media type text/html: html"},
        {"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", CREO_UNAVAILABLE, "/Sample answered with status 404"},
        {"HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n", CREO_UNAVAILABLE, "502"},
        {"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", CREO_UNAVAILABLE, "503"},
        {"HTTP/1.1 504 No\r\nContent-Length: 0\r\n\r\n", CREO_UNAVAILABLE, "504"},
        {"HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n", CREO_TOO_LARGE, "413"},
        {"HTTP/1.1 429 No\r\nContent-Length: 0\r\n\r\n", CREO_OVERLOADED, "429"},
        {"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "500"},
        {"HTTP/1.1 200 No\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nhtml", CREO_PROTOCOL_MISMATCH, "text/html"},
        {"HTTP/1.1 202 No\r\nContent-Length: 0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "202"},
        {"HTTP/1.1 204 No\r\n\r\n", CREO_PROTOCOL_MISMATCH, "204"},
        {"HTTP/1.1 302 No\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n", CREO_UNAVAILABLE, "it names the place http://elsewhere/"},
        {"HTTP/1.1 500 No\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\n<a/", CREO_PROTOCOL_MISMATCH, "500"},
        {"HTTP/1.1 500 No\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>", CREO_PROTOCOL_MISMATCH, "500"},
        {"CREO\1\1\0\0", CREO_PROTOCOL_MISMATCH, "does not speak HTTP: its first bytes are 43 52 45 4f"},
        {"\x15\x03\x01 no", CREO_PROTOCOL_MISMATCH, "does not speak HTTP: its first bytes are 15 03 01"},
        {"HTTP/2 200\r\n\r\n", CREO_PROTOCOL_MISMATCH, "does not speak HTTP/1.1"},
        {"HTTP/1.1 2x0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "does not speak HTTP/1.1"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n", CREO_PROTOCOL_MISMATCH, "Content-Length"},
        {"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", CREO_PROTOCOL_MISMATCH, "Content-Length"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n", CREO_PROTOCOL_MISMATCH, "chunked"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", CREO_PROTOCOL_MISMATCH, "chunked"},
        {"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 0\r\n\r\n", CREO_PROTOCOL_MISMATCH, "encoding"},
        {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx", CREO_PROTOCOL_MISMATCH, "compressed"},
        {"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", CREO_PROTOCOL_MISMATCH, "header"},
        {"HTTP/1.1 200 OK\r\n folded: b\r\n\r\n", CREO_PROTOCOL_MISMATCH, "header"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999999\r\n\r\n", CREO_TOO_LARGE, "maxMessageSize"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", CREO_UNAVAILABLE, "within its answer"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", CREO_PROTOCOL_MISMATCH, "chunk"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", CREO_PROTOCOL_MISMATCH, "chunk"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab\r\n", CREO_PROTOCOL_MISMATCH, "chunk"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\nab\r\n", CREO_TOO_LARGE, "maxMessageSize"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        answer_fails(SAY, cases[i].answer, 0, cases[i].code, cases[i].part);
}

static void header_limits(void **state)
{
    (void)state;
    char *long_head = (char *)malloc(70000);
    assert_non_null(long_head);
    snprintf(long_head, 70000, "HTTP/1.1 200 OK\r\nX: %066000d\r\n\r\n", 0);
    answer_fails(SAY, long_head, 0, CREO_TOO_LARGE, "maxHeaderSize allows 65536");
    size_t at = (size_t)snprintf(long_head, 70000, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 202; i++)
        at += (size_t)snprintf(long_head + at, 70000 - at, "A%d: b\r\n", i);
    answer_fails(SAY, long_head, 0, CREO_TOO_LARGE, "has more than 200 header fields");
    free(long_head);
}

/* LIM-18 bounds what arrives, however its end is marked: 1,001 bytes are one too many. */
static void bodies_beyond_the_memory(void **state)
{
    (void)state;
    static const char *const heads[] = {"Content-Length: 1001\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3e9\r\n", "Connection: close\r\n\r\n"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        char answer[1200];
        snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n%s%01001d", heads[i], 0);
        const act script[] = {{ACCEPT, NULL, 0}, {HEAR, ADD, 0}, {SAY, answer, 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
        fixture f;
        start(&f, script);
        f.soap.client.limits.max_memory = 1000;
        assert_fails(&f, CREO_TOO_LARGE, "the limit maxMemory allows 1000");
        finish(&f);
    }
}

static void envelopes(void **state)
{
    (void)state;
    answer_is_three(ANSWER, "<?xml version='1.0' encoding='UTF-8'?>\n" THREE "\n<!-- end -->");
    /* The transport names the encoding. */
    answer_is_three(ANSWER, "<?xml version='1.0' encoding='koi8-r'?>" THREE);
    answer_is_three(ANSWER, ENVELOPE12("<q:addResponse xmlns:q='" NS "'>\n <q:result> 3 </q:result></q:addResponse>"));
    answer_is_three(ANSWER, "<s:Envelope xmlns:s='" E11 "' a='b'><s:Header><a/><b s:mustUnderstand='1' s:actor='urn:other'/></s:Header><s:Body><addResponse xmlns='" NS
                            "'><result>3</result></addResponse></s:Body></s:Envelope>");
    static const struct {
        const char *answer;
        creo_code code;
        const char *part;
    } cases[] = {
        {"<a/>", CREO_MALFORMED, "no envelope"},
        {"<s:Envelope xmlns:s='urn:x'/>", CREO_PROTOCOL_MISMATCH, "urn:x"},
        {"<s:Envelope xmlns:s='" E11 "'></s:Envelope>", CREO_MALFORMED, "body"},
        {"<s:Envelope xmlns:s='" E11 "'><s:Header/><s:Header/><s:Body/></s:Envelope>", CREO_MALFORMED, "body"},
        {ENVELOPE(""), CREO_MALFORMED, "empty"},
        {"<s:Envelope xmlns:s='" E11 "'><s:Body><addResponse xmlns='" NS "'><result>3</result></addResponse></s:Body><x/></s:Envelope>", CREO_MALFORMED, "element"},
        {ENVELOPE("<addResponse xmlns='" NS "'><result>3</result></addResponse><x/>"), CREO_MALFORMED, "element"},
        {ENVELOPE("<addResponse xmlns='" NS "'><result>x</result></addResponse>"), CREO_MALFORMED, "(at $result, byte"},
        {ENVELOPE("<addResponse xmlns='" NS "'></addResponse>"), CREO_MALFORMED, "result is missing (at $result"},
        {ENVELOPE("<subResponse xmlns='" NS "'><result>3</result></subResponse>"), CREO_MALFORMED, "subResponse"},
        {ENVELOPE("<addResponse><result>3</result></addResponse>"), CREO_MALFORMED, "addResponse"},
        {"<!DOCTYPE a []>" THREE, CREO_MALFORMED, "document type"},
        {"<s:Envelope xmlns:s='" E11 "'><s:Header><t:a xmlns:t='urn:t' s:mustUnderstand='1'/></s:Header><s:Body/></s:Envelope>", CREO_PROTOCOL_MISMATCH, "header element {urn:t}a,"},
        {"<s:Envelope xmlns:s='" E11 "' s:encodingStyle='http://schemas.xmlsoap.org/soap/encoding/'><s:Body/></s:Envelope>", CREO_MALFORMED, "SOAP encoding"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        answer_fails(ANSWER, cases[i].answer, 0, cases[i].code, cases[i].part);
}

static void faults(void **state)
{
    (void)state;
    answer_fails(ANSWER, ENVELOPE("<s:Fault><faultcode>s:Client</faultcode><faultstring>bad</faultstring></s:Fault>"), 500, CREO_MALFORMED, "bad");
    answer_fails(ANSWER, ENVELOPE("<s:Fault><faultcode>Client.Auth</faultcode><faultstring>bad</faultstring></s:Fault>"), 200, CREO_MALFORMED, "bad");
    answer_fails(ANSWER, ENVELOPE("<s:Fault><faultcode>s:MustUnderstand</faultcode><faultstring>bad</faultstring></s:Fault>"), 500, CREO_PROTOCOL_MISMATCH, "bad");
    answer_fails(ANSWER, ENVELOPE("<s:Fault><faultcode>s:Server</faultcode><faultstring>bad</faultstring></s:Fault>"), 404, CREO_INTERNAL, "bad");
    answer_fails(ANSWER, ENVELOPE12("<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>x</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang='en'>bad</s:Text></s:Reason></s:Fault>"),
                 400, CREO_MALFORMED, "bad");
    answer_fails(ANSWER, ENVELOPE("<s:Fault><faultcode>s:Client</faultcode><faultstring>wrong</faultstring><detail><e:error xmlns:e='urn:creo:error' code='unauthenticated'/></detail></s:Fault>"),
                 500, CREO_UNAUTHENTICATED, "wrong");
    answer_fails(ANSWER, ENVELOPE("<s:Fault><faultcode>s:Client</faultcode><faultstring>none</faultstring><detail><e:error xmlns:e='urn:creo:error' code='unknown-method'/></detail></s:Fault>"),
                 500, CREO_UNKNOWN_METHOD, "none; the call was creo.tests.sample.Sample.add");
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {HEAR, ADD, 0},
        {ANSWER, ENVELOPE("<s:Fault><faultcode>s:Client</faultcode><faultstring>wrong</faultstring><detail>\n<e:error xmlns:e='urn:creo:error' code='malformed'>"
                          "<e:detail key='place'>$.left</e:detail><e:detail key='offset'>12</e:detail></e:error></detail></s:Fault>"),
         500},
        {HEAR, ADD, 0},
        {ANSWER, ENVELOPE("<s:Fault><faultcode> s:Server </faultcode><faultstring>a\tb</faultstring><faultactor>urn:who</faultactor><detail><x:y xmlns:x='urn:x'>1</x:y></detail></s:Fault>"), 500},
        CLOSES};
    fixture f;
    start(&f, script);
    assert_false(add(&f));
    assert_error(&f.error, "malformed: wrong (at $.left, byte 12)");
    assert_true(f.error.from_peer);
    assert_fails(&f, CREO_INTERNAL, "internal: a\\u0009b");
    assert_true(creo_string_is(creo_error_detail(&f.error, "fault-code"), "s:Server"));
    assert_true(creo_string_is(creo_error_detail(&f.error, "fault-actor"), "urn:who"));
    assert_true(creo_string_is(creo_error_detail(&f.error, "fault-detail"), "<detail xmlns:s=\"" E11 "\"><x:y xmlns:x='urn:x'>1</x:y></detail>") ||
                creo_string_is(creo_error_detail(&f.error, "fault-detail"), "<detail><x:y xmlns:x='urn:x'>1</x:y></detail>"));
    finish(&f);
}

static void declared_exceptions(void **state)
{
    (void)state;
    static const act script[] = {
        {ACCEPT, NULL, 0},
        {HEAR, "<n1:everything><n1:value><n1:scalars>", 0},
        {ANSWER, ENVELOPE("<s:Fault><faultcode>s:Server</faultcode><faultstring>NotFound</faultstring><detail><n:NotFound xmlns:n='" NS "'><n:description>x&amp;y</n:description></n:NotFound></detail></s:Fault>"), 500},
        {HEAR, "everything", 0},
        {ANSWER, ENVELOPE12("<s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang='en'>Refused</s:Text></s:Reason><s:Detail><Refused xmlns='" NS
                            "'><reason>r</reason><new/></Refused></s:Detail></s:Fault>"),
         500},
        {HEAR, "everything", 0},
        {ANSWER, ENVELOPE("<s:Fault><faultcode>s:Server</faultcode><faultstring>NotFound</faultstring><detail><n:NotFound xmlns:n='" NS "'/></detail></s:Fault>"), 500},
        CLOSES};
    fixture f;
    start(&f, script);
    sample_everything value;
    sample_everything_init(&value);
    sample_sample_everything_outcome outcome;
    assert_true(sample_sample_everything(&f.soap.client, &value, &f.arena, &outcome, &f.error));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_NOT_FOUND);
    assert_true(creo_string_is(outcome.as.not_found.description, "x&y"));
    assert_true(sample_sample_everything(&f.soap.client, &value, &f.arena, &outcome, &f.error));
    assert_int_equal(outcome.kind, SAMPLE_SAMPLE_EVERYTHING_REFUSED);
    assert_true(creo_string_is(outcome.as.refused.reason, "r") && outcome.as.refused.retry_after == 0);
    assert_false(sample_sample_everything(&f.soap.client, &value, &f.arena, &outcome, &f.error));
    /* One that cannot be read keeps the words of its fault. */
    assert_int_equal(f.error.code, CREO_INTERNAL);
    assert_string_equal(f.error.message, "NotFound");
    creo_string problem = creo_error_detail(&f.error, "fault-problem");
    assert_true(problem.data != NULL && strstr(problem.data, "at $exception") != NULL);
    finish(&f);
}

/* The service sends and waits for ever, or never stops: the call ends at its deadline. */
static void deadlines_hold(void **state)
{
    (void)state;
    static const act silent[] = {{ACCEPT, NULL, 0}, {HEAR, ADD, 0}, {SAY, "HTTP/1.1 200 OK\r\nContent-", 0}, CLOSES};
    fixture f;
    start(&f, silent);
    f.soap.client.deadline_ms = 60;
    assert_fails(&f, CREO_DEADLINE_EXCEEDED, "before it answered");
    finish(&f);
    static const act drips[] = {{ACCEPT, NULL, 0}, {HEAR, ADD, 0}, {SAY, "HTTP/1.1 200 OK\r\n", 0}, CLOSES};
    start(&f, drips);
    f.soap.client.limits.frame_timeout_ms = 50;
    assert_fails(&f, CREO_UNAVAILABLE, "too slow");
    finish(&f);
}

static void wrong_values_are_not_sent(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, ADD, 0}, {ANSWER, THREE, 0}, CLOSES};
    fixture f;
    start(&f, script);
    assert_false(sample_sample_note(&f.soap.client, (creo_string){"a\x01", 2}, &f.error));
    assert_error(&f.error, "invalid-value: a text holds a character that XML does not allow (at $.text)");
    assert_false(sample_sample_note(&f.soap.client, (creo_string){"a\xFF", 2}, &f.error));
    assert_error(&f.error, "invalid-value: a string is well-formed UTF-8 (at $.text)");
    static const creo_pair bad = {{"Bad", 3}, {"x", 1}};
    f.soap.client.metadata = &bad;
    f.soap.client.metadata_count = 1;
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    f.soap.client.metadata_count = 0;
    f.soap.client.limits.max_message_size = 100;
    assert_false(add(&f));
    assert_error(&f.error, "too-large: the limit maxMessageSize allows 100 (at $)");
    f.soap.client.limits.max_message_size = 10000;
    assert_adds(&f);
    finish(&f);
}

static void urls(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        const char *host;
        uint16_t port;
        const char *path;
    } fine[] = {{"http://a", "a", 80, "/"},
                {"https://a.b/c/d?e=f#g", "a.b", 443, "/c/d?e=f"},
                {"http://a:8080?x", "a", 8080, "/?x"},
                {"http://[::1]:99/p", "::1", 99, "/p"},
                {"http://[::1]/p", "::1", 80, "/p"}};
    static const char *const wrong[] = {"", "a", "ftp://a", "http://", "http://:80/", "http://a:0/", "http://a:65536/", "http://a:x/", "http://u@a/", "http://a b/", "http://[::1/", "http://[::1]x/", "http://a/\r\n", "http://a/\xC3\xA9"};
    creo_soap soap;
    creo_error error;
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        assert_true(creo_soap_init(&soap, fine[i].url, &sample_sample_text, creo_allocator_libc(), &error));
        assert_string_equal(soap.client.host, fine[i].host);
        assert_int_equal(soap.client.port, fine[i].port);
        assert_string_equal(soap.place.path, fine[i].path);
        creo_soap_free(&soap);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(creo_soap_init(&soap, wrong[i], &sample_sample_text, creo_allocator_libc(), &error));
        assert_int_equal(error.code, CREO_INVALID_VALUE);
        creo_soap_free(&soap);
    }
    assert_true(creo_soap_init(&soap, "https://127.0.0.1:1/", &sample_sample_text, creo_allocator_libc(), &error));
    assert_false(sample_sample_note(&soap.client, creo_text("a"), &error));
    assert_error(&error, "invalid-value: https needs a creo_io for TLS: see creo_client_use_io");
    creo_soap_free(&soap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_use_one_connection), cmocka_unit_test(soap_12_and_metadata),
        cmocka_unit_test(headers_of_the_user),
        cmocka_unit_test(headers_that_cannot_be_sent), cmocka_unit_test(the_description_says_the_version), cmocka_unit_test(idle_connections_are_looked_at),
        cmocka_unit_test(oneway_is_acknowledged),   cmocka_unit_test(statuses),             cmocka_unit_test(header_limits),        cmocka_unit_test(bodies_beyond_the_memory),
        cmocka_unit_test(envelopes),                cmocka_unit_test(faults),               cmocka_unit_test(declared_exceptions),
        cmocka_unit_test(deadlines_hold),           cmocka_unit_test(wrong_values_are_not_sent), cmocka_unit_test(urls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
