/* Raw messages over JMS: spec/calls.md, section 6. */
#define _POSIX_C_SOURCE 200809L

#include "broker.h"

#include <creo/jms.h>

#include <creo/codegen/read.h>

#include "sample.text.h"
#include "shown.h"

#define BINARY "application/vnd.creo.binary"
#define OF "of creo.tests.sample.Sample."
#define OWN(type) "| SOAPJMS_requestURI: jms:queue:data\n| SOAPJMS_bindingVersion: 1.0\n| SOAPJMS_contentType: " type "\n"
#define METHOD "| Creo_method: 5caa44b37f9cb123\n"
#define TIMED "| Creo_timeout: 999999999\n"
#define ENVELOPE(inside) "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>" inside "</soap:Body></soap:Envelope>"
#define HIDDEN(why) "| \n| (the body is not shown: " why ")\n"
#define MAX_METHODS 10

typedef struct fixture {
    broker broker;
    creo_jms jms;
    creo_text_method methods[MAX_METHODS];
    creo_text_interface interface;
    shown all;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

/* A client of the sample, whose methods have these secrets. The fixture does not move. */
static void start(fixture *f, creo_jms_wire wire, respond *respond, const char *secrets)
{
    memset(f, 0, sizeof *f);
    f->broker.respond = respond;
    broker_start(&f->broker);
    creo_arena_init(&f->arena, creo_allocator_libc());
    f->interface = sample_sample_text;
    assert_true(f->interface.method_count <= MAX_METHODS);
    memcpy(f->methods, f->interface.methods, f->interface.method_count * sizeof *f->methods);
    for (size_t i = 0; i < f->interface.method_count; i++)
        f->methods[i].secrets = secrets;
    f->interface.methods = f->methods;
    assert_true(creo_jms_init(&f->jms, "127.0.0.1", f->broker.port, "jms:queue:data", wire, &f->interface, creo_allocator_libc(), &f->error));
    f->jms.client.deadline_ms = 0;
    shown_start(&f->all, &f->jms.client);
}

static void finish(fixture *f)
{
    creo_jms_free(&f->jms);
    creo_arena_free(&f->arena);
    creo_arena_free(&f->all.arena);
    broker_stop(&f->broker);
}

static bool add(fixture *f)
{
    return sample_sample_add(&f->jms.client, 1, 2, &f->arena, &f->sum, &f->error);
}

static void assert_adds(fixture *f)
{
    f->sum = 0;
    if (!add(f))
        fail_msg("%s", f->error.message);
    assert_int_equal(f->sum, 3);
}

static void send_soap(broker *broker)
{
    static const char *const soap[] = {"SOAPJMS_contentType", "text/xml; charset=utf-8", "mine", "1", "Creo_meta_session_2dtoken", "hunter2", NULL};
    static const char body[] = ENVELOPE("<addResponse xmlns=\"urn:creo:creo.tests.sample\"><result>3</result></addResponse>");
    broker_send(broker, broker_answer(soap, body, sizeof body - 1), NULL);
}

/* Text is masked as over HTTP, and properties are the fields. */
static void envelopes(void **state)
{
    (void)state;
    static fixture f;
    /* The word `x-auth` has a hyphen, which the property's name has not. */
    static const creo_pair pairs[] = {{{"x-auth", 6}, {"hunter2", 7}}, {{"a.b", 3}, {"\xC3\xA9", 2}}};
    start(&f, CREO_JMS_SOAP, send_soap, "left result");
    f.jms.client.metadata = pairs;
    f.jms.client.metadata_count = 2;
    assert_adds(&f);
    assert_shown(&f.all, f.broker.port,
                 "sent request " OF "add to jms:queue:data, 206 bytes\n" OWN("text/xml; charset=utf-8") "| SOAPJMS_soapAction: \"urn:creo:creo.tests.sample:Sample/add\"\n" TIMED
                 "| Creo_meta_x_2dauth: ***\n| Creo_meta_a_2eb: %C3%A9\n| \n| "
                 "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:n1=\"urn:creo:creo.tests.sample\">"
                 "<soap:Body><n1:add><n1:left>***</n1:left><n1:right>2</n1:right></n1:add></soap:Body></soap:Envelope>\n"
                 "received answer " OF "add from jms:queue:data, 189 bytes\n| SOAPJMS_contentType: text/xml; charset=utf-8\n| Creo_meta_session_2dtoken: ***\n| \n| "
                 ENVELOPE("<addResponse xmlns=\"urn:creo:creo.tests.sample\"><result>***</result></addResponse>") "\n");
    finish(&f);
}

static void send_fault(broker *broker)
{
    static const char *const soap[] = {"SOAPJMS_requestURI", "jms:queue:data", "SOAPJMS_bindingVersion", "1.0", "SOAPJMS_contentType", "text/xml", NULL};
    static const char body[] = ENVELOPE("<soap:Fault><faultcode>soap:Server</faultcode><faultstring>no</faultstring></soap:Fault>");
    pn_message_t *made = broker_answer(soap, body, sizeof body - 1);
    pn_data_t *map = pn_message_properties(made);
    /* As a boolean. */
    pn_data_rewind(map);
    pn_data_next(map);
    pn_data_enter(map);
    while (pn_data_next(map))
        continue;
    pn_data_put_string(map, pn_bytes(15, "SOAPJMS_isFault"));
    pn_data_put_bool(map, true);
    pn_data_exit(map);
    broker_send(broker, made, NULL);
}

/* It is a message also if it is refused afterwards. */
static void faults(void **state)
{
    (void)state;
    static fixture f;
    start(&f, CREO_JMS_SOAP, send_fault, NULL);
    assert_false(add(&f));
    const char *answer = strstr(f.all.text, "received answer ");
    assert_non_null(answer);
    assert_non_null(strstr(answer, OWN("text/xml") "| SOAPJMS_isFault: true\n| \n| <soap:Envelope "));
    finish(&f);
}

static void send_three(broker *broker)
{
    static const char *const result[] = {"SOAPJMS_contentType", BINARY, "Creo_kind", "response", NULL};
    static const uint8_t three[8] = {0, 0, 0, 0, 0, 0, 0, 3};
    broker_send(broker, broker_answer(result, three, sizeof three), NULL);
}

static bool encode_both(creo_writer *writer, const void *arguments)
{
    static const uint8_t both[] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2};
    (void)arguments;
    return creo_write_raw(writer, creo_bytes_of(both, sizeof both));
}

static bool decode_sum(creo_reader *reader, void *outcome)
{
    return creo_read_long(reader, (int64_t *)outcome);
}

#define ASKED "sent request " OF "add to jms:queue:data, 12 bytes\n" OWN(BINARY) METHOD TIMED
#define CAME "received answer " OF "add from jms:queue:data, 8 bytes\n| SOAPJMS_contentType: " BINARY "\n| Creo_kind: response\n"

static void binary(void **state)
{
    (void)state;
    static fixture f;
    static const creo_interface interface = {"creo.tests.sample.Sample", 0};
    static const creo_method method = {UINT64_C(0x5caa44b37f9cb123), "add", &interface, false, false, true, 0, encode_both, decode_sum, NULL};
    start(&f, CREO_JMS_BINARY, send_three, NULL);
    assert_adds(&f);
    assert_shown(&f.all, f.broker.port, ASKED "| \n|      0  00 00 00 01 00 00 00 00 00 00 00 02\n" CAME "| \n|      0  00 00 00 00 00 00 00 03\n");
    f.all.to.max_body = 2;
    assert_adds(&f);
    assert_shown(&f.all, f.broker.port, ASKED "| \n|      0  00 00\n| (10 more bytes)\n" CAME "| \n|      0  00 00\n| (6 more bytes)\n");
    assert_true(creo_client_call(&f.jms.client, &method, NULL, &f.arena, &f.sum, &f.error));
    assert_shown(&f.all, f.broker.port, ASKED HIDDEN("it is of the binary wire") CAME HIDDEN("it is of the binary wire"));
    finish(&f);
}

static void send_tables(broker *broker)
{
    static const char *const properties[] = {"SOAPJMS_contentType", BINARY, "Creo_kind", "error", NULL};
    static const char *const tables[] = {"SOAPJMS_contentType", "application/vnd.creo.tdxml", "Creo_kind", "response", NULL};
    static const char body[] = "<Env xmlns=\"urn:creo:tdxml\"><RT>\n[0]|3\n</RT></Env>";
    bool error = broker->requests == 1;
    broker_send(broker, broker_answer(error ? properties : tables, error ? "\x0a\0\0" : body, error ? 3 : sizeof body - 1), NULL);
}

/* An error of tables has the form of the binary wire. */
static void tables(void **state)
{
    (void)state;
    static fixture f;
    start(&f, CREO_JMS_TDXML, send_tables, NULL);
    assert_false(add(&f));
    assert_shown(&f.all, f.broker.port,
                 "sent request " OF "add to jms:queue:data, 52 bytes\n" OWN("application/vnd.creo.tdxml") METHOD TIMED "| \n| <Env xmlns=\"urn:creo:tdxml\"><RT>\n| [0]|1|2\n| </RT></Env>\n"
                 "received answer " OF "add from jms:queue:data, 3 bytes\n| SOAPJMS_contentType: " BINARY "\n| Creo_kind: error\n| \n|      0  0a 00 00\n");
    for (size_t i = 0; i < f.interface.method_count; i++)
        f.methods[i].secrets = "left";
    assert_adds(&f);
    assert_null(strstr(f.all.text, "[0]"));
    assert_int_equal(f.all.count, 2);
    finish(&f);
}

/* A coding that cannot be undone: then it is no message. */
static void send_coded(broker *broker)
{
    static const char *const coded[] = {"SOAPJMS_contentType", BINARY, "Creo_kind", "response", "SOAPJMS_contentEncoding", "gzip", NULL};
    broker_send(broker, broker_answer(coded, "x", 1), NULL);
}

static void codings(void **state)
{
    (void)state;
    static fixture f;
    start(&f, CREO_JMS_BINARY, send_coded, NULL);
    assert_false(add(&f));
    assert_int_equal(f.all.count, 1);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(envelopes), cmocka_unit_test(faults), cmocka_unit_test(binary), cmocka_unit_test(tables), cmocka_unit_test(codings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
