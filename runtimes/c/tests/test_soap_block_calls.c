/* Calls with WS-Addressing and tokens of users: spec/wires/soap.md, sections 5 and 6. */
#define _POSIX_C_SOURCE 200809L

#include "blocks.h"

#include "sample.text.h"

typedef struct fixture {
    server service;
    creo_soap soap;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

static void start_with(fixture *f, const act *script, const creo_text_interface *interface, creo_allocator allocator)
{
    char url[64];
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    assert_true(creo_soap_init(&f->soap, url, interface, allocator, &f->error));
    creo_arena_init(&f->arena, creo_allocator_libc());
}

static void start(fixture *f, const act *script)
{
    start_with(f, script, &sample_sample_text, creo_allocator_libc());
}

static void finish(fixture *f)
{
    creo_soap_free(&f->soap);
    creo_arena_free(&f->arena);
    server_join(&f->service);
}

static bool add(fixture *f)
{
    f->sum = 0;
    return sample_sample_add(&f->soap.client, 1, 2, &f->arena, &f->sum, &f->error);
}

static void assert_adds(fixture *f)
{
    if (!add(f))
        fail_msg("%s", f->error.message);
    assert_int_equal(f->sum, 3);
}

#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}
#define THREE "<s:Envelope xmlns:s='" E11 "'>" RESPONSE
#define RELATED(id) HEADER(E11, "<a:Action s:mustUnderstand='1'>x</a:Action><a:RelatesTo s:mustUnderstand='1'>" id "</a:RelatesTo>") RESPONSE
#define HEARD "<soap:Header>" OPEN("Action") NS ":Sample/add</wsa:Action>" OPEN("MessageID") "urn:uuid:"
#define HEARD_TO "</wsa:MessageID>" OPEN("ReplyTo") "<wsa:Address>" WSA "/anonymous</wsa:Address></wsa:ReplyTo>" OPEN("To") "http://127.0.0.1:"
#define HEARD_END "/Sample</wsa:To></soap:Header><soap:Body>"

static void calls_with_addressing(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, HEARD "|" HEARD_TO "|" HEARD_END "<n1:add>", 0},
                                 {REPLY, RELATED("$id"), 0},
                                 {HEAR, HEARD, 0},
                                 {ANSWER, RELATED(ID), 0},
                                 CLOSES};
    fixture f;
    char first[CREO_SOAP_ID_SIZE];
    start(&f, script);
    f.soap.addressing = CREO_SOAP_ADDRESSING_ON;
    assert_adds(&f);
    memcpy(first, f.soap.message_id, sizeof first);
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_PROTOCOL_MISMATCH);
    assert_non_null(strstr(f.error.message, "for another request, " ID));
    assert_string_not_equal(first, f.soap.message_id);
    finish(&f);
}

static bool heard_blocks(const fixture *f)
{
    return strstr(f->service.heard, "<soap:Header>") != NULL;
}

/* The description applies unless the client's settings differ. */
static void addressing_by_description(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "<n1:add>", 0}, {ANSWER, THREE, 0}, CLOSES};
    creo_text_method methods[8];
    creo_text_interface described = sample_sample_text;
    memcpy(methods, described.methods, described.method_count * sizeof *methods);
    for (size_t i = 0; i < described.method_count; i++)
        methods[i].request.record.flags |= CREO_RECORD_ADDRESSED;
    described.methods = methods;
    static const struct {
        bool described;
        creo_soap_addressing told;
        bool due;
    } cases[] = {{false, CREO_SOAP_ADDRESSING_DESCRIBED, false}, {true, CREO_SOAP_ADDRESSING_DESCRIBED, true}, {false, CREO_SOAP_ADDRESSING_ON, true},
                 {true, CREO_SOAP_ADDRESSING_ON, true},          {false, CREO_SOAP_ADDRESSING_OFF, false},     {true, CREO_SOAP_ADDRESSING_OFF, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        start_with(&f, script, cases[i].described ? &described : &sample_sample_text, creo_allocator_libc());
        f.soap.addressing = cases[i].told;
        assert_adds(&f);
        assert_int_equal(heard_blocks(&f), cases[i].due);
        finish(&f);
    }
}

/* SOAP-41, SOAP-50: `Security` comes first; also around tables and in packages. */
static void calls_with_tokens(void **state)
{
    (void)state;
#define BOTH "<soap:Header>" SECURITY "<wsu:Timestamp><wsu:Created>|<wsse:Username>anna</wsse:Username>" TEXT("secret") "</wsse:UsernameToken>" END_SECURITY OPEN("Action")
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, BOTH "|</soap:Header><soap:Body><n1:add>", 0},
                                 {REPLY, RELATED("$id"), 0},
                                 {HEAR, BOTH "|</soap:Header><soap:Body><Env xmlns=\"urn:creo:tdxml\"", 0},
                                 {REPLY, RELATED("$id"), 0},
                                 {HEAR, "multipart/related|" BOTH "|</soap:Header><soap:Body><n1:add>", 0},
                                 {REPLY, RELATED("$id"), 0},
                                 {HEAR, "#PasswordDigest\">|<wsse:Nonce EncodingType=|xmlns:soap=\"" E12 "\"", 0},
                                 {ANSWER, THREE, 0},
                                 CLOSES};
    fixture f;
    start(&f, script);
    f.soap.addressing = CREO_SOAP_ADDRESSING_ON;
    f.soap.user = "anna";
    f.soap.password = "secret";
    f.soap.timestamp = true;
    assert_adds(&f);
    const struct creo_soap_tables *none = f.soap.tables;
    creo_soap_use_tables(&f.soap, (creo_tdxml_options){CREO_TDXML_RECORD, false});
    assert_adds(&f);
    f.soap.tables = none;
    f.soap.mtom = true;
    assert_adds(&f);
    f.soap.mtom = false;
    f.soap.addressing = CREO_SOAP_ADDRESSING_OFF;
    f.soap.version = CREO_SOAP_1_2;
    f.soap.digest = true;
    assert_adds(&f);
    assert_null(strstr(f.service.heard, "secret"));
    finish(&f);
}

/* Nothing is sent. */
static void tokens_that_cannot_be_sent(void **state)
{
    (void)state;
    static const act script[] = {{END, NULL, 0}};
    static const char *const passwords[] = {NULL, "hush\x02"};
    for (size_t i = 0; i < 2; i++) {
        fixture f;
        char text[CREO_ERROR_TEXT];
        start(&f, script);
        f.soap.user = "anna";
        f.soap.password = passwords[i];
        assert_false(add(&f));
        assert_int_equal(f.error.code, CREO_INVALID_VALUE);
        assert_null(strstr(creo_error_format(&f.error, text, sizeof text), "hush"));
        finish(&f);
    }
}

/* SOAP-25. What an answer does with them is in conformance/. Nothing is sent. */
static void names_of_header_elements(void **state)
{
    (void)state;
    static const act script[] = {{END, NULL, 0}};
    static const char *const wrong[] = {"", "{urn:h}", "{}Trace", "h:Trace", "{urn:h}Trace ", "urn:h}Trace", "{{urn:h}Trace", "{urn:h", "{urn:h}{x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const names[] = {"Trace", "{urn:h}Trace", wrong[i], NULL};
        fixture f;
        start(&f, script);
        f.soap.understood = names;
        assert_false(add(&f));
        assert_int_equal(f.error.code, CREO_INVALID_VALUE);
        assert_non_null(strstr(f.error.message, "is {namespace}name, not "));
        finish(&f);
    }
}

static void oneway(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, WSA "/none</wsa:Address>|<n1:note>", 0}, {SAY, "HTTP/1.1 202 X\r\nContent-Length: 0\r\n\r\n", 0}, CLOSES};
    fixture f;
    start(&f, script);
    f.soap.addressing = CREO_SOAP_ADDRESSING_ON;
    assert_true(sample_sample_note(&f.soap.client, creo_text("x"), &f.error));
    finish(&f);
}

/* Memory that is given back holds no password; `context` counts the blocks. */
static void release_clean(void *context, void *memory, size_t size)
{
    static const char password[] = "Geheimnis";
    for (size_t i = 0; i + sizeof password <= size; i++)
        if (memcmp((const uint8_t *)memory + i, password, sizeof password - 1) == 0)
            fail_msg("a block of %zu bytes holds the password", size);
    (*(size_t *)context)++;
    free(memory);
}

static void *allocate_more(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void passwords_do_not_stay_in_memory(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {HEAR, "Geheimnis|<n1:note>", 0}, {SAY, "HTTP/1.1 202 X\r\nContent-Length: 0\r\n\r\n", 0}, CLOSES};
    static char large[60001];
    size_t count = 0;
    fixture f;
    memset(large, 'x', 60000);
    start_with(&f, script, &sample_sample_text, (creo_allocator){allocate_more, release_clean, &count});
    f.soap.user = "anna";
    f.soap.password = "Geheimnis";
    /* The message moves as it grows. */
    assert_true(sample_sample_note(&f.soap.client, creo_text(large), &f.error));
    finish(&f);
    assert_true(count > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_with_addressing),
        cmocka_unit_test(addressing_by_description),
        cmocka_unit_test(calls_with_tokens),
        cmocka_unit_test(tokens_that_cannot_be_sent),
        cmocka_unit_test(names_of_header_elements),
        cmocka_unit_test(oneway),
        cmocka_unit_test(passwords_do_not_stay_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
