/* JMS over TLS, by the io of docs/c.md: a client's trust. The Makefile creates the certificates for `localhost`. */
#define _POSIX_C_SOURCE 200809L

#include "broker.h"

#include <creo/jms.h>

#include "sample.text.h"
#include "tls_io.h"

#include <signal.h>

#define CERTIFICATE "build/jms/localhost.pem"
#define ANOTHER "build/jms/another.pem"

static const char *const result[] = {"SOAPJMS_bindingVersion", "1.0", "SOAPJMS_contentType", "application/vnd.creo.binary", "Creo_kind", "response", NULL};
static const uint8_t three[8] = {0, 0, 0, 0, 0, 0, 0, 3};

static void three_is_due(broker *broker)
{
    broker_send(broker, broker_answer(result, three, sizeof three), NULL);
}

/* The broker's side. */

typedef struct server {
    SSL_CTX *context;
    SSL *ssl;
} server;

static bool greet(broker *broker)
{
    server *self = (server *)broker->secret;
    self->ssl = SSL_new(self->context);
    return self->ssl != NULL && SSL_set_fd(self->ssl, broker->socket) == 1 && SSL_accept(self->ssl) == 1;
}

static ssize_t get(broker *broker, void *into, size_t size)
{
    return SSL_read(((server *)broker->secret)->ssl, into, (int)size);
}

static ssize_t put(broker *broker, const void *from, size_t size)
{
    return SSL_write(((server *)broker->secret)->ssl, from, (int)size);
}

static bool has_more(broker *broker)
{
    return SSL_pending(((server *)broker->secret)->ssl) > 0;
}

static void end(broker *broker)
{
    server *self = (server *)broker->secret;
    SSL_free(self->ssl);
    self->ssl = NULL;
}

static const struct broker_io over_tls = {greet, get, put, has_more, end};

typedef struct fixture {
    broker broker;
    server server;
    struct tls tls;
    creo_jms jms;
    creo_arena arena;
    creo_error error;
} fixture;

/* A client that knows the broker by a name, and trusts one certificate. */
static void start(fixture *f, const char *host, const char *trusted)
{
    f->server.context = SSL_CTX_new(TLS_server_method());
    f->tls.context = SSL_CTX_new(TLS_client_method());
    assert_non_null(f->server.context);
    assert_non_null(f->tls.context);
    assert_int_equal(SSL_CTX_use_certificate_chain_file(f->server.context, CERTIFICATE), 1);
    assert_int_equal(SSL_CTX_use_PrivateKey_file(f->server.context, CERTIFICATE, SSL_FILETYPE_PEM), 1);
    assert_int_equal(SSL_CTX_load_verify_locations(f->tls.context, trusted, NULL), 1);
    f->broker.io = &over_tls;
    f->broker.secret = &f->server;
    f->broker.respond = three_is_due;
    broker_start(&f->broker);
    creo_arena_init(&f->arena, creo_allocator_libc());
    assert_true(creo_jms_init(&f->jms, host, f->broker.port, "jms:queue:data", CREO_JMS_BINARY, NULL, creo_allocator_libc(), &f->error));
    creo_client_use_io(&f->jms.client, (creo_io){&f->tls, tls_open, tls_read, tls_write, tls_close, tls_reason});
}

static void finish(fixture *f)
{
    creo_jms_free(&f->jms);
    creo_arena_free(&f->arena);
    broker_stop(&f->broker);
    SSL_CTX_free(f->tls.context);
    SSL_CTX_free(f->server.context);
}

static bool add(fixture *f)
{
    int64_t sum = 0;
    bool done = sample_sample_add(&f->jms.client, 1, 2, &f->arena, &sum, &f->error);
    assert_int_equal(sum, done ? 3 : 0);
    return done;
}

static void assert_adds(fixture *f)
{
    char text[CREO_ERROR_TEXT];
    if (!add(f))
        fail_msg("%s", creo_error_format(&f->error, text, sizeof text));
}

static void trusted(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, "localhost", CERTIFICATE);
    for (int i = 0; i < 3; i++)
        assert_adds(&f);
    assert_int_equal(f.broker.connections, 1);
    /* Again after the end of a connection. */
    creo_client_disconnect(&f.jms.client);
    assert_adds(&f);
    finish(&f);
}

/* Larger than a record of TLS, both ways. */
#define SIZE 300000

static void send_large(broker *broker)
{
    uint8_t *body = (uint8_t *)malloc(SIZE + 4);
    assert_non_null(body);
    memcpy(body, "\1\xE0\xA7\x12", 4);
    memset(body + 4, 'x', SIZE);
    broker_send(broker, broker_answer(result, body, SIZE + 4), NULL);
    free(body);
}

static void large_messages(void **state)
{
    (void)state;
    fixture f = {0};
    sample_string_optional text;
    start(&f, "localhost", CERTIFICATE);
    f.broker.respond = send_large;
    for (int i = 0; i < 3; i++) {
        assert_true(sample_sample_last(&f.jms.client, NULL, &f.arena, &text, &f.error));
        assert_int_equal(text.value.size, SIZE);
    }
    finish(&f);
}

/* Refused before a byte of AMQP: no request has been heard. */
static void assert_refused(fixture *f)
{
    char text[CREO_ERROR_TEXT];
    assert_false(add(f));
    creo_error_format(&f->error, text, sizeof text);
    if (f->error.code != CREO_UNTRUSTED_PEER || strstr(text, "certificate verify failed") == NULL)
        fail_msg("%s", text);
    assert_int_equal(f->broker.requests, 0);
}

static void somebody_else(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, "localhost", ANOTHER);
    assert_refused(&f);
    finish(&f);
}

static void another_name(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, "127.0.0.1", CERTIFICATE);
    assert_refused(&f);
    finish(&f);
}

/* JMS-17: each place has to show a certificate for its own name. */
static void each_by_its_name(void **state)
{
    (void)state;
    fixture f = {0};
    start(&f, "127.0.0.1", CERTIFICATE);
    creo_jms_place right = {"localhost", f.broker.port};
    f.jms.others = &right;
    f.jms.other_count = 1;
    assert_adds(&f);
    assert_int_equal(f.broker.connections, 2);
    finish(&f);
}

/* A broker without TLS. */
static void plain_broker(void **state)
{
    (void)state;
    fixture f = {0};
    broker plain = {.respond = three_is_due};
    broker_start(&plain);
    start(&f, "localhost", CERTIFICATE);
    f.jms.port = plain.port;
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    assert_int_equal(plain.requests, 0);
    finish(&f);
    broker_stop(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trusted),
        cmocka_unit_test(large_messages),
        cmocka_unit_test(somebody_else),
        cmocka_unit_test(another_name),
        cmocka_unit_test(each_by_its_name),
        cmocka_unit_test(plain_broker),
    };
    /* As docs/c.md says: OpenSSL itself writes to the socket. */
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
