/* Calls over JMS with a scripted broker: spec/transports/jms.md. */
#define _POSIX_C_SOURCE 200809L

#include "broker.h"

#include <creo/jms.h>

#include "sample.text.h"

#define BINARY "application/vnd.creo.binary"
#define ENVELOPE(inside) "<S:Envelope xmlns:S=\"http://schemas.xmlsoap.org/soap/envelope/\"><S:Body>" inside "</S:Body></S:Envelope>"
#define KIND(kind, type) {"SOAPJMS_bindingVersion", "1.0", "SOAPJMS_contentType", type, "Creo_kind", kind, NULL}

static const char *const result[] = KIND("response", BINARY);
static const uint8_t three[8] = {0, 0, 0, 0, 0, 0, 0, 3};

typedef struct fixture {
    broker broker;
    creo_jms jms;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

static void start_at(fixture *f, creo_jms_wire wire, const char *address, respond *respond)
{
    f->broker.respond = respond;
    broker_start(&f->broker);
    creo_arena_init(&f->arena, creo_allocator_libc());
    assert_true(creo_jms_init(&f->jms, "127.0.0.1", f->broker.port, address, wire, &sample_sample_text, creo_allocator_libc(), &f->error));
}

static void start(fixture *f, creo_jms_wire wire, respond *respond)
{
    start_at(f, wire, "jms:queue:data", respond);
}

static void finish(fixture *f)
{
    creo_jms_free(&f->jms);
    creo_arena_free(&f->arena);
    broker_stop(&f->broker);
}

static bool add(fixture *f)
{
    return sample_sample_add(&f->jms.client, 1, 2, &f->arena, &f->sum, &f->error);
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
    char peer[40];
    assert_false(done);
    creo_error_format(&f->error, text, sizeof text);
    if (f->error.code != code || strstr(text, part) == NULL)
        fail_msg("%s: %s with \"%s\" is due", text, creo_code_name(code), part);
    snprintf(peer, sizeof peer, "127.0.0.1:%u", (unsigned)f->broker.port);
    assert_string_equal(f->error.peer, peer);
}

static void three_is_due(broker *broker)
{
    broker_send(broker, broker_answer(result, three, sizeof three), NULL);
}

/* Requests. */

static void check_request(broker *broker)
{
    char room[300];
    pn_bytes_t id = pn_message_get_correlation_id(broker->request).u.as_bytes;
    broker->step = strcmp(pn_message_get_address(broker->request), "d a") == 0 && strcmp(pn_message_get_reply_to(broker->request), "answers") == 0 &&
                   !pn_message_is_durable(broker->request) && pn_message_get_priority(broker->request) == 9 && pn_message_get_ttl(broker->request) <= 20000 &&
                   pn_message_get_ttl(broker->request) > 10000 && id.size == 32 && strcmp(pn_message_get_content_type(broker->request), "application/octet-stream") == 0 &&
                   strcmp(broker_property(broker, "SOAPJMS_requestURI", room), "jms:queue:d%20a?deliveryMode=NON_PERSISTENT&timeToLive=20000&priority=9") == 0 &&
                   strcmp(broker_property(broker, "SOAPJMS_bindingVersion", room), "1.0") == 0 && strcmp(broker_property(broker, "SOAPJMS_contentType", room), BINARY) == 0 &&
                   strcmp(broker_property(broker, "SOAPJMS_targetService", room), "x.Y") == 0 && strlen(broker_property(broker, "Creo_method", room)) == 16 &&
                   strcmp(broker_property(broker, "Creo_meta_x_2da_2eb", room), "%C3%A9") == 0 && strlen(broker_property(broker, "Creo_timeout", room)) == 5;
    three_is_due(broker);
}

static void requests(void **state)
{
    (void)state;
    fixture f = {0};
    creo_pair pair = {creo_text("x-a.b"), creo_text("\xC3\xA9")};
    start_at(&f, CREO_JMS_BINARY, "jms:queue:d%20a?deliveryMode=NON_PERSISTENT&mine=1&timeToLive=20000&targetService=x.Y&priority=9", check_request);
    f.jms.client.metadata = &pair;
    f.jms.client.metadata_count = 1;
    assert_adds(&f);
    assert_int_equal(f.broker.step, 1);
    finish(&f);
}

static void check_soap(broker *broker)
{
    static const char *const soap[] = {"SOAPJMS_contentType", "text/xml; charset=utf-8", NULL};
    static const char body[] = ENVELOPE("<addResponse xmlns=\"urn:creo:creo.tests.sample\"><result>3</result></addResponse>");
    char room[300];
    broker->step = strcmp(broker_property(broker, "SOAPJMS_soapAction", room), "\"urn:creo:creo.tests.sample:Sample/add\"") == 0 && pn_message_is_durable(broker->request) &&
                   strcmp(broker_property(broker, "SOAPJMS_contentType", room), "text/xml; charset=utf-8") == 0;
    broker_send(broker, broker_answer(soap, body, sizeof body - 1), NULL);
}

static void soap(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_SOAP, check_soap);
    assert_adds(&f);
    assert_int_equal(f.broker.step, 1);
    finish(&f);
}

/* Tokens go over JMS, too; addressing does not (SOAP-40, SOAP-50). */
static void check_token(broker *broker)
{
    pn_data_t *held = pn_message_body(broker->request);
    pn_data_rewind(held);
    pn_bytes_t body = pn_data_next(held) ? pn_data_get_binary(held) : pn_bytes(0, "");
    char text[4000];
    snprintf(text, sizeof text, "%.*s", (int)body.size, body.start);
    check_soap(broker);
    broker->step = broker->step == 1 && strstr(text, "<soap:Header><wsse:Security ") != NULL && strstr(text, "<wsu:Timestamp>") != NULL &&
                   strstr(text, "<wsse:Username>anna</wsse:Username>") != NULL && strstr(text, "#PasswordText\">secret</wsse:Password>") != NULL && strstr(text, "addressing") == NULL;
}

static void tokens(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_SOAP, check_token);
    f.jms.soap.addressing = CREO_SOAP_ADDRESSING_ON;
    f.jms.soap.user = "anna";
    f.jms.soap.password = "secret";
    f.jms.soap.timestamp = true;
    assert_adds(&f);
    assert_int_equal(f.broker.step, 1);
    f.jms.soap.password = "hush\x02";
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    assert_null(strstr(f.error.message, "hush"));
    finish(&f);
}

static void send_tables(broker *broker)
{
    static const char *const tables[] = KIND("response", "application/vnd.creo.tdxml");
    static const char body[] = "<Env xmlns=\"urn:creo:tdxml\"><RT>\n[0]|3\n</RT></Env>";
    broker_send(broker, broker_answer(tables, body, sizeof body - 1), NULL);
}

static void tables(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_TDXML, send_tables);
    assert_adds(&f);
    finish(&f);
}

/* A text that says another encoding than it has. */
static void send_text(broker *broker)
{
    static const char *const soap[] = {"SOAPJMS_contentType", "text/xml; charset=utf-16", NULL};
    static const char body[] = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" ENVELOPE("<addResponse xmlns=\"urn:creo:creo.tests.sample\"><result>3</result></addResponse>");
    pn_message_t *made = broker_answer(soap, "", 0);
    pn_message_set_inferred(made, false);
    pn_data_clear(pn_message_body(made));
    pn_data_put_string(pn_message_body(made), pn_bytes(sizeof body - 1, body));
    broker_send(broker, made, NULL);
}

static void texts(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_SOAP, send_text);
    assert_adds(&f);
    finish(&f);
}

static void send_fault(broker *broker)
{
    static const char *const soap[] = {"SOAPJMS_contentType", "text/xml", "SOAPJMS_isFault", "true", NULL};
    static const char older[] = ENVELOPE("<S:Fault><faultcode>j:missingSoapAction</faultcode><faultstring>no</faultstring></S:Fault>");
    static const char newer[] = "<S:Envelope xmlns:S=\"http://www.w3.org/2003/05/soap-envelope\"><S:Body><S:Fault><S:Code><S:Value>S:Sender</S:Value><S:Subcode>"
                                "<S:Value>j:missingSoapAction</S:Value></S:Subcode></S:Code><S:Reason><S:Text xml:lang=\"en\">no</S:Text></S:Reason></S:Fault></S:Body></S:Envelope>";
    bool first = broker->requests == 1;
    broker_send(broker, broker_answer(soap, first ? older : newer, first ? sizeof older - 1 : sizeof newer - 1), NULL);
}

static void refusals_of_the_binding(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_SOAP, send_fault);
    for (int i = 0; i < 2; i++) {
        assert_failed(&f, add(&f), CREO_PROTOCOL_MISMATCH, "no");
        assert_true(f.error.from_peer);
        assert_true(creo_string_is(creo_error_detail(&f.error, "fault-code"), "j:missingSoapAction"));
    }
    finish(&f);
}

static void send_error(broker *broker)
{
    static const char *const error[] = KIND("error", BINARY);
    broker_send(broker, broker_answer(error, "\x0a\7not you\0", 10), NULL);
}

static void errors(void **state)
{
    (void)state;
    for (int wire = CREO_JMS_TDXML; wire <= CREO_JMS_BINARY; wire++) {
        fixture f = {0};
        start(&f, (creo_jms_wire)wire, send_error);
        assert_failed(&f, add(&f), CREO_PERMISSION_DENIED, "not you");
        finish(&f);
    }
}

/* Answers that fail their call alone. */

static const struct {
    const char *properties[9];
    const char *body;
    size_t size;
    creo_code code;
} hostile[] = {
    {{NULL}, "x", 1, CREO_PROTOCOL_MISMATCH},
    {{"SOAPJMS_contentType", "text/html", "Creo_kind", "response", NULL}, "x", 1, CREO_PROTOCOL_MISMATCH},
    {{"SOAPJMS_contentType", BINARY, NULL}, "x", 1, CREO_PROTOCOL_MISMATCH},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "request\7", NULL}, "x", 1, CREO_PROTOCOL_MISMATCH},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "response", "SOAPJMS_bindingVersion", "2.0", NULL}, "x", 1, CREO_PROTOCOL_MISMATCH},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "response", "SOAPJMS_contentEncoding", "gzip", NULL}, "x", 1, CREO_PROTOCOL_MISMATCH},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "response", NULL}, "x", 1, CREO_MALFORMED},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "exception", NULL}, "", 0, CREO_MALFORMED},
    {{"SOAPJMS_contentType", BINARY, "Creo_kind", "error", NULL}, "", 0, CREO_MALFORMED},
    {{"a", "b", "a", "c", NULL}, "x", 1, CREO_MALFORMED},
};

static void send_hostile(broker *broker)
{
    size_t count = sizeof hostile / sizeof hostile[0];
    size_t number = (size_t)(broker->requests - 1);
    static const char *const plain[] = {NULL};
    if (number < count) {
        broker_send(broker, broker_answer(hostile[number].properties, hostile[number].body, hostile[number].size), NULL);
        return;
    }
    pn_message_t *made = broker_answer(plain, "", 0);
    pn_message_set_inferred(made, false);
    pn_data_clear(pn_message_body(made));
    if (number == count) {
        pn_data_put_map(pn_message_body(made));
        broker_send(broker, made, NULL);
    } else if (number == count + 1) {
        pn_data_put_int(pn_message_body(made), 7);
        broker_send(broker, made, NULL);
    } else {
        pn_message_free(made);
        three_is_due(broker);
    }
}

static void hostile_answers(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_BINARY, send_hostile);
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++)
        assert_failed(&f, add(&f), hostile[i].code, "");
    assert_failed(&f, add(&f), CREO_PROTOCOL_MISMATCH, "unsupportedJMSMessageFormat");
    assert_failed(&f, add(&f), CREO_PROTOCOL_MISMATCH, "unsupportedJMSMessageFormat");
    assert_adds(&f);
    assert_int_equal(f.broker.connections, 1);
    finish(&f);
}

static void send_others(broker *broker)
{
    static const uint8_t four[8] = {0, 0, 0, 0, 0, 0, 0, 4};
    broker_send(broker, broker_answer(result, four, sizeof four), "");
    broker_send(broker, broker_answer(result, four, sizeof four), "00000000000000000000000000000000");
    broker_send_raw(broker, "", 0);
    broker_send_raw(broker, "\0\x53\x73\xff", 4);
    three_is_due(broker);
    broker_send(broker, broker_answer(result, four, sizeof four), NULL);
}

static void answers_that_nobody_waits_for(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        fixture f = {0};
        start_at(&f, CREO_JMS_BINARY, shared ? "jms:queue:data?replyToName=back" : "jms:queue:data", send_others);
        for (int i = 0; i < 3; i++)
            assert_adds(&f);
        assert_int_equal(f.broker.connections, 1);
        finish(&f);
    }
}

/* Sizes. */

static void send_large(broker *broker)
{
    size_t size = broker->requests == 1 ? 3000 : broker->requests == 3 ? 1000000 : 0;
    if (size == 0) {
        three_is_due(broker);
        return;
    }
    char *body = (char *)calloc(1, size);
    broker_send(broker, broker_answer(result, body, size), NULL);
    free(body);
}

static void answers_over_the_limit(void **state)
{
    (void)state;
    for (int memory = 0; memory < 2; memory++) {
        const char *limit = memory ? "maxMemory" : "maxMessageSize";
        fixture f = {0};
        f.broker.max_frame = 512;
        start(&f, CREO_JMS_BINARY, send_large);
        if (memory)
            f.jms.client.limits.max_memory = 2000;
        else
            f.jms.client.limits.max_message_size = 2000;
        f.jms.client.limits.max_header_size = 500;
        assert_failed(&f, add(&f), CREO_TOO_LARGE, limit);
        assert_int_equal(f.error.allowed, 2000);
        assert_adds(&f);
        assert_int_equal(f.broker.connections, 1);
        /* This one is not read to its end. */
        assert_failed(&f, add(&f), CREO_TOO_LARGE, limit);
        assert_adds(&f);
        assert_int_equal(f.broker.connections, 2);
        finish(&f);
    }
}

static void messages_that_the_broker_does_not_take(void **state)
{
    (void)state;
    fixture f = {0};
    f.broker.most_message_size = 50;
    start(&f, CREO_JMS_BINARY, three_is_due);
    assert_failed(&f, add(&f), CREO_TOO_LARGE, "maxMessageSize");
    assert_int_equal(f.broker.requests, 0);
    finish(&f);
}

/* The broker's outcomes of a message (JMS-18). */

static const struct {
    const char *condition;
    creo_code code;
} conditions[] = {
    {"amqp:unauthorized-access", CREO_PERMISSION_DENIED},
    {"amqp:resource-limit-exceeded", CREO_OVERLOADED},
    {"amqp:link:message-size-exceeded", CREO_TOO_LARGE},
    {"amqp:decode-error", CREO_PROTOCOL_MISMATCH},
    {"amqp:frame-size-too-small", CREO_PROTOCOL_MISMATCH},
    {"amqp:invalid-field", CREO_PROTOCOL_MISMATCH},
    {"amqp:illegal-state", CREO_PROTOCOL_MISMATCH},
    {"amqp:not-allowed", CREO_PROTOCOL_MISMATCH},
    {"amqp:not-implemented", CREO_PROTOCOL_MISMATCH},
    {"amqp:connection:framing-error", CREO_PROTOCOL_MISMATCH},
    {"amqp:internal-error", CREO_UNAVAILABLE},
    {"x:y", CREO_UNAVAILABLE},
};

#define CONDITIONS (sizeof conditions / sizeof conditions[0])

static void refuse_messages(broker *broker)
{
    size_t number = (size_t)broker->requests - 1;
    if (number < CONDITIONS)
        broker->condition = conditions[number].condition;
    else if (number == CONDITIONS)
        broker->outcome = PN_RELEASED;
    else
        three_is_due(broker);
}

static void messages_that_are_refused(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_BINARY, refuse_messages);
    for (size_t i = 0; i < CONDITIONS; i++) {
        assert_failed(&f, add(&f), conditions[i].code, "because");
        assert_true(strstr(f.error.message, conditions[i].condition) != NULL);
    }
    assert_failed(&f, add(&f), CREO_UNAVAILABLE, "gave the message back");
    assert_adds(&f);
    assert_int_equal(f.broker.connections, 1);
    finish(&f);
}

static void say_nothing(broker *broker)
{
    if (broker->requests == 2)
        broker->condition = "amqp:internal-error";
}

static void oneway(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_BINARY, say_nothing);
    assert_true(sample_sample_note(&f.jms.client, creo_text("x"), &f.error));
    assert_int_equal(f.broker.requests, 1);
    assert_failed(&f, sample_sample_note(&f.jms.client, creo_text("x"), &f.error), CREO_UNAVAILABLE, "because");
    finish(&f);
}

/* Deadlines. */

/* Keeps `add(7, ..)` until the next call, which then has two answers. */
static void keep_then_answer(broker *broker)
{
    static const uint8_t four[8] = {0, 0, 0, 0, 0, 0, 0, 4};
    pn_data_t *body = pn_message_body(broker->request);
    pn_data_rewind(body);
    pn_data_next(body);
    pn_bytes_t arguments = pn_data_get_binary(body);
    if (arguments.size == 12 && memcmp(arguments.start, "\0\0\0\7", 4) == 0) {
        broker->kept = pn_message();
        (void)pn_message_set_correlation_id(broker->kept, pn_message_get_correlation_id(broker->request));
        return;
    }
    if (broker->kept != NULL) {
        pn_bytes_t id = pn_message_get_correlation_id(broker->kept).u.as_bytes;
        char text[40];
        snprintf(text, sizeof text, "%.*s", (int)id.size, id.start);
        broker_send(broker, broker_answer(result, four, sizeof four), text);
    }
    three_is_due(broker);
}

static void late_answers(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, CREO_JMS_BINARY, keep_then_answer);
    assert_adds(&f);
    f.jms.client.deadline_ms = 200;
    assert_failed(&f, sample_sample_add(&f.jms.client, 7, 2, &f.arena, &f.sum, &f.error), CREO_DEADLINE_EXCEEDED, "was over");
    f.jms.client.deadline_ms = 60000;
    assert_adds(&f);
    finish(&f);
}

static void no_credit(void **state)
{
    (void)state;
    fixture f = {0};
    f.broker.no_credit = true;
    start(&f, CREO_JMS_BINARY, three_is_due);
    f.jms.client.deadline_ms = 200;
    assert_failed(&f, add(&f), CREO_DEADLINE_EXCEEDED, "");
    assert_int_equal(f.broker.requests, 0);
    finish(&f);
}

/* Connections. */

static void make_trouble(broker *broker)
{
    if (broker->requests % 2 == 0) {
        three_is_due(broker);
        return;
    }
    switch (broker->step++) {
    case 0:
        broker_drop(broker);
        break;
    case 1:
        broker_detach(broker, "amqp:not-found");
        break;
    case 2:
        broker_close(broker, "amqp:connection:forced");
        break;
    default:
        broker_close(broker, "amqp:unauthorized-access");
        break;
    }
}

static void lost_connections(void **state)
{
    (void)state;
    static const creo_code due[] = {CREO_UNAVAILABLE, CREO_UNAVAILABLE, CREO_UNAVAILABLE, CREO_PERMISSION_DENIED};
    fixture f = {0};
    start(&f, CREO_JMS_BINARY, make_trouble);
    for (int i = 0; i < 4; i++) {
        assert_failed(&f, add(&f), due[i], "");
        assert_adds(&f);
    }
    assert_int_equal(f.broker.connections, 5);
    creo_client_disconnect(&f.jms.client);
    finish(&f);
}

static void refused_links(void **state)
{
    (void)state;
    fixture f = {0};
    f.broker.refuse = true;
    start(&f, CREO_JMS_BINARY, three_is_due);
    assert_failed(&f, add(&f), CREO_PERMISSION_DENIED, "not here");
    finish(&f);
}

static void other_protocols(void **state)
{
    (void)state;
    static const char *const said[] = {"HTTP/1.1 400 Bad Request\r\n\r\n", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
    for (size_t i = 0; i < 2; i++) {
        fixture f = {0};
        f.broker.babble = said[i];
        start(&f, CREO_JMS_BINARY, three_is_due);
        assert_failed(&f, add(&f), CREO_PROTOCOL_MISMATCH, "");
        finish(&f);
    }
}

/* Large messages both ways, in many frames. */

#define SIZE 200000

static void send_large_text(broker *broker)
{
    if (broker->requests == 1) {
        broker_send(broker, broker_answer(result, "\0", 1), NULL);
        return;
    }
    uint8_t *body = (uint8_t *)malloc(SIZE + 4);
    memcpy(body, "\1\xC0\x9A\x0C", 4);
    memset(body + 4, 'x', SIZE);
    broker_send(broker, broker_answer(result, body, SIZE + 4), NULL);
    free(body);
}

static void many_frames(void **state)
{
    (void)state;
    fixture f = {0};
    sample_block_array blocks;
    sample_string_optional text;
    uint8_t *sent = (uint8_t *)calloc(1, SIZE);
    sample_growing growing;
    assert_non_null(sent);
    sample_growing_init(&growing);
    f.broker.max_frame = 1024;
    start(&f, CREO_JMS_BINARY, send_large_text);
    assert_true(sample_sample_find(&f.jms.client, creo_text("x"), 1, &growing, creo_bytes_of(sent, SIZE), &f.arena, &blocks, &f.error));
    assert_true(pn_data_get_binary(pn_message_body(f.broker.request)).size >= SIZE || f.broker.requests == 1);
    if (!sample_sample_last(&f.jms.client, NULL, &f.arena, &text, &f.error))
        fail_msg("%s", f.error.message);
    assert_int_equal(text.value.size, SIZE);
    free(sent);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests), cmocka_unit_test(soap), cmocka_unit_test(tokens), cmocka_unit_test(tables), cmocka_unit_test(texts),
        cmocka_unit_test(refusals_of_the_binding), cmocka_unit_test(errors), cmocka_unit_test(hostile_answers),
        cmocka_unit_test(answers_that_nobody_waits_for), cmocka_unit_test(answers_over_the_limit),
        cmocka_unit_test(messages_that_the_broker_does_not_take), cmocka_unit_test(messages_that_are_refused), cmocka_unit_test(oneway),
        cmocka_unit_test(late_answers), cmocka_unit_test(no_credit), cmocka_unit_test(lost_connections), cmocka_unit_test(refused_links),
        cmocka_unit_test(other_protocols), cmocka_unit_test(many_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
