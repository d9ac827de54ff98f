/* Several addresses of a broker (JMS-17): which is tried, and when. */
#define _POSIX_C_SOURCE 200809L

#include "broker.h"

#include <creo/jms.h>

#include "sample.text.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const result[] = {"SOAPJMS_bindingVersion", "1.0", "SOAPJMS_contentType", "application/vnd.creo.binary", "Creo_kind", "response", NULL};
static const uint8_t three[8] = {0, 0, 0, 0, 0, 0, 0, 3};

static void three_is_due(broker *broker)
{
    broker_send(broker, broker_answer(result, three, sizeof three), NULL);
}

/* A broker that answers at an address; each test defines the other addresses. */
typedef struct fixture {
    broker broker;
    creo_jms_place other;
    creo_jms jms;
    creo_error error;
} fixture;

static void start(fixture *f, uint16_t first)
{
    f->broker.respond = three_is_due;
    broker_start(&f->broker);
    f->other = (creo_jms_place){"127.0.0.1", f->broker.port};
    assert_true(creo_jms_init(&f->jms, "127.0.0.1", first, "jms:queue:data", CREO_JMS_BINARY, NULL, creo_allocator_libc(), &f->error));
    f->jms.others = &f->other;
    f->jms.other_count = 1;
}

static void finish(fixture *f)
{
    creo_jms_free(&f->jms);
    broker_stop(&f->broker);
}

static bool add(fixture *f)
{
    int64_t sum = 0;
    bool done = sample_sample_add(&f->jms.client, 1, 2, NULL, &sum, &f->error);
    if (done)
        assert_int_equal(sum, 3);
    return done;
}

static void assert_adds(fixture *f)
{
    char text[CREO_ERROR_TEXT];
    if (!add(f))
        fail_msg("%s", creo_error_format(&f->error, text, sizeof text));
}

static void assert_failed(fixture *f, creo_code code, uint16_t port)
{
    char text[CREO_ERROR_TEXT];
    char peer[40];
    assert_false(add(f));
    if (f->error.code != code)
        fail_msg("%s: %s is due", creo_error_format(&f->error, text, sizeof text), creo_code_name(code));
    snprintf(peer, sizeof peer, "127.0.0.1:%u", (unsigned)port);
    assert_string_equal(f->error.peer, peer);
}

/* A socket at a free port that accepts no connections. */
static int listen_alone(uint16_t *port)
{
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(made >= 0);
    assert_int_equal(bind(made, (struct sockaddr *)&name, size), 0);
    assert_int_equal(listen(made, 8), 0);
    assert_int_equal(getsockname(made, (struct sockaddr *)&name, &size), 0);
    *port = ntohs(name.sin_port);
    return made;
}

static void nobody(void **state)
{
    (void)state;
    fixture f = {0};
    uint16_t port;
    close(listen_alone(&port));
    start(&f, port);
    assert_adds(&f);
    assert_adds(&f);
    assert_int_equal(f.broker.connections, 1);
    finish(&f);
}

/* One that closes every connection, and one that speaks something else. */
static void no_brokers(void **state)
{
    (void)state;
    static const char *const said[] = {"", "HTTP/1.1 400 Bad Request\r\n\r\n"};
    for (size_t i = 0; i < 2; i++) {
        fixture f = {0};
        broker first = {.babble = said[i]};
        broker_start(&first);
        start(&f, first.port);
        assert_adds(&f);
        assert_int_equal(first.connections, 1);
        /* It begins with the place that answered last. */
        creo_client_disconnect(&f.jms.client);
        assert_adds(&f);
        assert_int_equal(first.connections, 1);
        assert_int_equal(f.broker.connections, 2);
        finish(&f);
        broker_stop(&first);
    }
}

static void silence(void **state)
{
    (void)state;
    fixture f = {0};
    uint16_t port;
    int listener = listen_alone(&port);
    start(&f, port);
    f.jms.client.limits.connect_timeout_ms = 500;
    /* On a busy machine the place that answers may be too slow as well. */
    for (int i = 0; i < 20 && !add(&f); i++)
        assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    f.jms.client.limits.connect_timeout_ms = 10000;
    assert_adds(&f);
    finish(&f);
    close(listener);
}

/* A call that ends before the place is given up: the next one does not wait there again, for ever as it would. */
static void silence_beyond_the_deadline(void **state)
{
    (void)state;
    fixture f = {0};
    uint16_t port;
    int listener = listen_alone(&port);
    start(&f, port);
    f.jms.client.limits.connect_timeout_ms = 0;
    f.jms.client.deadline_ms = 200;
    assert_failed(&f, CREO_DEADLINE_EXCEEDED, port);
    f.jms.client.deadline_ms = 30000;
    assert_adds(&f);
    finish(&f);
    close(listener);
}

static void refusals_are_final(void **state)
{
    (void)state;
    fixture f = {0};
    broker first = {.refuse = true};
    broker_start(&first);
    start(&f, first.port);
    assert_failed(&f, CREO_PERMISSION_DENIED, first.port);
    assert_int_equal(f.broker.connections, 0);
    finish(&f);
    broker_stop(&first);
}

static void nobody_anywhere(void **state)
{
    (void)state;
    fixture f = {0};
    uint16_t port;
    uint16_t another;
    close(listen_alone(&port));
    start(&f, port);
    close(listen_alone(&another));
    f.other.port = another;
    assert_failed(&f, CREO_UNAVAILABLE, another);
    /* The next round ends with it as well. */
    assert_failed(&f, CREO_UNAVAILABLE, another);
    finish(&f);
}

static void answer_then_leave(broker *broker)
{
    if (broker->requests == 1)
        three_is_due(broker);
    else
        broker_leave(broker);
}

static void a_lost_broker(void **state)
{
    (void)state;
    fixture f = {0};
    broker first = {.respond = answer_then_leave};
    broker_start(&first);
    start(&f, first.port);
    assert_adds(&f);
    assert_int_equal(f.broker.connections, 0);
    assert_failed(&f, CREO_UNAVAILABLE, first.port);
    assert_adds(&f);
    assert_adds(&f);
    assert_int_equal(f.broker.connections, 1);
    finish(&f);
    assert_int_equal(first.requests, 2);
    broker_stop(&first);
}

/* CALL-21, CALL-22: a request that was not sent is repeated, one that a broker may have is not. Each attempt goes through all addresses. */
static void retries(void **state)
{
    (void)state;
    static const creo_retry at_once = {3, 0, 0};
    fixture f = {0};
    broker first = {.respond = answer_then_leave};
    broker_start(&first);
    start(&f, first.port);
    creo_client_set_retry(&f.jms.client, &at_once);
    assert_adds(&f);
    assert_failed(&f, CREO_UNAVAILABLE, first.port);
    assert_true(!f.error.not_started && f.error.attempts == 1);
    assert_int_equal(f.jms.client.budget, 500);
    assert_false(creo_client_set_addresses(&f.jms.client, &(creo_address){"127.0.0.1", 1}, 1, &f.error));
    assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    broker_stop(&first);
    finish(&f);
    memset(&f, 0, sizeof f);
    uint16_t port;
    close(listen_alone(&port));
    start(&f, port);
    f.other.port = port;
    creo_client_set_retry(&f.jms.client, &at_once);
    assert_failed(&f, CREO_UNAVAILABLE, port);
    assert_true(f.error.not_started && f.error.attempts == 3);
    assert_int_equal(f.jms.client.budget, 490);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody),
        cmocka_unit_test(no_brokers),
        cmocka_unit_test(silence),
        cmocka_unit_test(silence_beyond_the_deadline),
        cmocka_unit_test(refusals_are_final),
        cmocka_unit_test(nobody_anywhere),
        cmocka_unit_test(a_lost_broker),
        cmocka_unit_test(retries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
