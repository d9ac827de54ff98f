/* Several addresses: spec/calls.md, section 4. */
#define _POSIX_C_SOURCE 200809L

#include "balance/target.h"
#include "retries.h"

#define LOCAL "127.0.0.1"
#define EJECTION 1000000
/* One connection, and its first call is answered. */
#define FIRST {ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {SEND, HELLO, 0}

/* A client that has not connected yet, with addresses at these ports. */
static void start_at(fixture *f, const uint16_t *ports, size_t count)
{
    creo_address addresses[8];
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < count; i++)
        addresses[i] = (creo_address){LOCAL, ports[i]};
    creo_client_init(&f->client, LOCAL, 1, creo_allocator_libc());
    creo_arena_init(&f->arena, creo_allocator_libc());
    /* Longer than any test takes. */
    f->client.ejection_ms = EJECTION;
    f->client.max_ejection_ms = 60 * EJECTION;
    assert_true(creo_client_set_addresses(&f->client, addresses, count, &f->error));
}

static void end(fixture *f)
{
    creo_client_free(&f->client);
    creo_arena_free(&f->arena);
}

/* The next connection, if there is none, goes to this address, unless it is ejected. */
static void next_is(fixture *f, size_t index)
{
    if (!f->client.open)
        f->client.target = (index + f->client.target_count - 1) % f->client.target_count;
}

static bool is_ejected(const fixture *f, size_t index)
{
    return f->client.targets[index].until > creo_now();
}

/* The ejection is over. */
static void let_pass(fixture *f, size_t index)
{
    f->client.targets[index].until = creo_now();
}

/* The last call has failed at this address. */
static void assert_failed(const fixture *f, bool done, creo_code code, uint16_t port)
{
    char peer[40];
    assert_false(done);
    if (f->error.code != code)
        fail_msg("%s", f->error.message);
    snprintf(peer, sizeof peer, LOCAL ":%u", (unsigned)port);
    assert_string_equal(f->error.peer, peer);
}

static bool answers(fixture *f, uint16_t port)
{
    assert_looks(&f->client, &f->arena);
    return f->client.port == port;
}

/* CALL-37: one after the other, for each connection. */
static void connections_in_turn(void **state)
{
    (void)state;
    static const act script[] = {FIRST, {SEND, THREE("00000001"), 0}, {EXPECT, ADD("00000002"), 0}, {SEND, THREE("00000002"), 0}, {UNTIL_CLOSED, NULL, 0},
                                 FIRST, {SEND, THREE("00000004"), 0}, CLOSES};
    static const act other[] = {FIRST, {SEND, THREE("00000003"), 0}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    server services[2];
    fixture f;
    server_start(&services[0], script);
    server_start(&services[1], other);
    const uint16_t ports[] = {services[0].port, services[1].port};
    start_at(&f, ports, 2);
    next_is(&f, 0);
    assert_true(answers(&f, ports[0]) && answers(&f, ports[0]));
    creo_client_disconnect(&f.client);
    assert_true(answers(&f, ports[1]));
    /* The connection ends; the next call notices. */
    server_join(&services[1]);
    wait_for_input(&f, 1);
    assert_true(answers(&f, ports[0]));
    end(&f);
    server_join(&services[0]);
}

/* It begins at any of them. */
static void the_first_is_random(void **state)
{
    (void)state;
    static const uint16_t ports[] = {1, 2, 3};
    bool seen[3] = {false, false, false};
    for (int i = 0; i < 1000 && !(seen[0] && seen[1] && seen[2]); i++) {
        fixture f;
        start_at(&f, ports, 3);
        seen[f.client.target] = true;
        end(&f);
    }
    assert_true(seen[0] && seen[1] && seen[2]);
}

/* CALL-32: at once, without a retry policy, and also if the service says so. */
static void calls_that_were_not_started(void **state)
{
    (void)state;
    static const act drains[] = {FIRST, {SEND, NOT_STARTED("00000002", UNAVAILABLE), 0}, CLOSES};
    static const act works[] = {FIRST, {SEND, THREE("00000003"), 0}, {EXPECT, ADD("00000004"), 0}, {SEND, REFUSAL("00000004", UNAVAILABLE), 0},
                                {EXPECT, ADD("00000005"), 0}, {SEND, NOT_STARTED("00000005", OVERLOADED), 0}, CLOSES};
    server services[2];
    fixture f;
    server_start(&services[0], drains);
    server_start(&services[1], works);
    const uint16_t ports[] = {dead_port(), services[0].port, services[1].port};
    start_at(&f, ports, 3);
    next_is(&f, 0);
    f.sum = 0;
    assert_true(add(&f));
    assert_true(f.sum == 3 && f.client.port == ports[2] && f.client.budget == CREO_MAX_BUDGET);
    assert_true(is_ejected(&f, 0) && is_ejected(&f, 1) && !is_ejected(&f, 2));
    assert_int_equal(f.client.targets[0].ejection_ms, EJECTION);
    server_join(&services[0]);
    /* These may have been started, or are not `unavailable`. */
    assert_failed(&f, add(&f), CREO_UNAVAILABLE, ports[2]);
    assert_failed(&f, add(&f), CREO_OVERLOADED, ports[2]);
    assert_true(f.client.open && !is_ejected(&f, 2));
    end(&f);
    server_join(&services[1]);
}

/* CALL-33: the length doubles, up to a bound, until a call has succeeded; CALL-38: all are named. */
static void ejections_get_longer(void **state)
{
    (void)state;
    static const act works[] = {FIRST, {SEND, THREE("00000019"), 0}, CLOSES};
    static const uint32_t due[] = {1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000};
    const uint16_t ports[] = {dead_port(), dead_port(), dead_port()};
    char text[100];
    fixture f;
    start_at(&f, ports, 3);
    f.client.ejection_ms = 1000;
    f.client.max_ejection_ms = 60000;
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        for (size_t j = 0; j < 3; j++)
            let_pass(&f, j);
        next_is(&f, 1);
        creo_instant begun = creo_now();
        assert_failed(&f, add(&f), CREO_UNAVAILABLE, ports[0]);
        assert_true(f.error.not_started && f.error.attempts == 1);
        snprintf(text, sizeof text, ": refused; unavailable too: " LOCAL ":%u, " LOCAL ":%u", (unsigned)ports[1], (unsigned)ports[2]);
        assert_non_null(strstr(f.error.message, text));
        for (size_t j = 0; j < 3; j++) {
            creo_instant until = f.client.targets[j].until;
            assert_int_equal(f.client.targets[j].ejection_ms, due[i]);
            assert_true(until >= creo_after(begun, due[i]) && until <= creo_after(creo_now(), due[i]));
        }
    }
    server service;
    server_start(&service, works);
    const creo_address one = {LOCAL, service.port};
    assert_true(creo_client_set_addresses(&f.client, &one, 1, &f.error));
    assert_true(answers(&f, service.port));
    end(&f);
    server_join(&service);
    start_at(&f, ports, 1);
    f.client.ejection_ms = 7;
    f.client.max_ejection_ms = 10;
    assert_false(add(&f));
    assert_int_equal(f.client.targets[0].ejection_ms, 7);
    assert_false(add(&f));
    assert_int_equal(f.client.targets[0].ejection_ms, 10);
    end(&f);
}

/* CALL-38: at most eight, and never more than the message has room for. */
static void many_addresses(void **state)
{
    (void)state;
    creo_address addresses[70];
    char hosts[70][260];
    fixture f;
    memset(&f, 0, sizeof f);
    uint16_t port = dead_port();
    for (size_t i = 0; i < 70; i++) {
        snprintf(hosts[i], sizeof hosts[i], "127.0.1.%zu", i);
        addresses[i] = (creo_address){hosts[i], port};
    }
    creo_client_init(&f.client, LOCAL, 1, creo_allocator_libc());
    creo_arena_init(&f.arena, creo_allocator_libc());
    assert_true(creo_client_set_addresses(&f.client, addresses, 70, &f.error));
    assert_false(add(&f));
    const char *at = strstr(f.error.message, "unavailable too");
    assert_non_null(at);
    int named = 0;
    while ((at = strstr(at, "127.0.1.")) != NULL) {
        named++;
        at++;
    }
    assert_int_equal(named, 8);
    for (size_t i = 0; i < 70; i++)
        assert_int_equal(f.client.targets[i].ejection_ms, 1000);
    /* Labels that no name service has. */
    for (size_t i = 0; i < 70; i++)
        snprintf(hosts[i], sizeof hosts[i], "%0200zu..invalid", i);
    assert_true(creo_client_set_addresses(&f.client, addresses, 9, &f.error));
    assert_false(add(&f));
    assert_int_equal(f.error.code, CREO_UNAVAILABLE);
    assert_true(strlen(f.error.message) < sizeof f.error.message && f.error.message[strlen(f.error.message) - 1] != ' ');
    end(&f);
}

/* CALL-33: three in succession that were sent there. */
static void connections_that_break(void **state)
{
    (void)state;
    static const act breaks[] = {{ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {CLOSE, NULL, 0},
                                 FIRST, {SEND, REFUSAL("00000003", "0c"), 0}, {SWALLOW, NULL, 34}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {CLOSE, NULL, 0}, {END, NULL, 0}};
    server service;
    fixture f;
    server_start(&service, breaks);
    const uint16_t ports[] = {service.port, dead_port()};
    start_at(&f, ports, 2);
    for (unsigned i = 1; i <= 6; i++) {
        next_is(&f, 0);
        assert_failed(&f, add(&f), i == 3 ? CREO_INTERNAL : CREO_UNAVAILABLE, ports[0]);
        assert_int_equal(is_ejected(&f, 0), i == 6);
        assert_false(f.error.not_started);
    }
    end(&f);
    server_join(&service);
}

/* CALL-33, CALL-34: a mismatch ejects at once; then one call is a probe. */
static void probes(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {SAY, "HTTP/1.1 400 Bad Request\r\n\r\n", 0}, {CLOSE, NULL, 0},
                                 /* A probe that fails, and two that are answered. */
                                 {ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {CLOSE, NULL, 0},
                                 {ACCEPT, NULL, 0}, {SWALLOW, NULL, 42}, {UNTIL_CLOSED, NULL, 0},
                                 FIRST, {SEND, REFUSAL("00000004", "0c"), 0}, {SWALLOW, NULL, 34}, {CLOSE, NULL, 0},
                                 FIRST, {SEND, THREE("00000006"), 0}, CLOSES};
    server service;
    fixture f;
    server_start(&service, script);
    const uint16_t ports[] = {service.port, dead_port()};
    start_at(&f, ports, 2);
    next_is(&f, 0);
    assert_failed(&f, add(&f), CREO_PROTOCOL_MISMATCH, ports[0]);
    assert_true(is_ejected(&f, 0) && f.client.targets[0].ejection_ms == EJECTION);
    let_pass(&f, 0);
    next_is(&f, 0);
    assert_failed(&f, add(&f), CREO_UNAVAILABLE, ports[0]);
    assert_true(is_ejected(&f, 0) && f.client.targets[0].ejection_ms == 2 * EJECTION);
    let_pass(&f, 0);
    next_is(&f, 0);
    f.client.deadline_ms = 500;
    assert_failed(&f, add(&f), CREO_DEADLINE_EXCEEDED, ports[0]);
    assert_true(is_ejected(&f, 0) && f.client.targets[0].ejection_ms == 4 * EJECTION && !f.client.open);
    f.client.deadline_ms = 60000;
    let_pass(&f, 0);
    next_is(&f, 0);
    assert_failed(&f, add(&f), CREO_INTERNAL, ports[0]);
    assert_true(!is_ejected(&f, 0) && !f.client.targets[0].probe && f.client.targets[0].ejection_ms == 4 * EJECTION);
    /* Now it is as others are, but the next ejection would be longer until a call has succeeded. */
    assert_failed(&f, add(&f), CREO_UNAVAILABLE, ports[0]);
    assert_false(is_ejected(&f, 0));
    next_is(&f, 0);
    assert_true(answers(&f, ports[0]));
    assert_int_equal(f.client.targets[0].ejection_ms, 0);
    end(&f);
    server_join(&service);
}

static creo_io_state trust_nobody(void *context, int socket, const char *host)
{
    (void)context;
    (void)socket;
    assert_string_equal(host, LOCAL);
    return CREO_IO_UNTRUSTED;
}

static void nothing_to_close(void *context)
{
    (void)context;
}

/* CALL-33: the next call goes elsewhere; this one does not. */
static void untrusted_peers(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0}, CLOSES};
    const creo_retry at_once = {3, 0, 0};
    creo_io io = {NULL, trust_nobody, NULL, NULL, nothing_to_close, NULL};
    server services[2];
    fixture f;
    server_start(&services[0], script);
    server_start(&services[1], script);
    const uint16_t ports[] = {services[0].port, services[1].port};
    start_at(&f, ports, 2);
    creo_client_use_io(&f.client, io);
    creo_client_set_retry(&f.client, &at_once);
    next_is(&f, 0);
    for (size_t i = 0; i < 2; i++) {
        assert_failed(&f, add(&f), CREO_UNTRUSTED_PEER, ports[i]);
        assert_true(is_ejected(&f, i) && f.error.not_started && f.error.attempts == 1);
    }
    end(&f);
    server_join(&services[0]);
    server_join(&services[1]);
}

/* CALL-35: the one whose ejection ends first, and then the others. */
static void all_are_ejected(void **state)
{
    (void)state;
    static const act works[] = {FIRST, {SEND, THREE("00000002"), 0}, CLOSES};
    server service;
    fixture f;
    server_start(&service, works);
    const uint16_t ports[] = {dead_port(), service.port, dead_port(), dead_port()};
    start_at(&f, ports, 4);
    creo_instant now = creo_now();
    for (size_t i = 0; i < 4; i++) {
        f.client.targets[i].until = creo_after(now, (uint32_t)(3600000 + 1000 * i));
        f.client.targets[i].ejection_ms = 1000;
        f.client.targets[i].probe = true;
    }
    next_is(&f, 2);
    assert_true(answers(&f, ports[1]));
    assert_int_equal(f.client.targets[0].ejection_ms, 2000);
    assert_int_equal(f.client.targets[2].ejection_ms, 1000);
    assert_false(is_ejected(&f, 1));
    end(&f);
    server_join(&service);
}

static void *no_memory(void *context, size_t size)
{
    (void)context;
    (void)size;
    return NULL;
}

/* CALL-37: between calls. A connection to an address that is still named stays; what is known of it, too. */
static void other_addresses(void **state)
{
    (void)state;
    static const act stays[] = {FIRST, {SEND, THREE("00000002"), 0}, {EXPECT, ADD("00000003"), 0}, {SEND, THREE("00000003"), 0}, CLOSES};
    static const act next[] = {FIRST, {SEND, THREE("00000004"), 0}, CLOSES};
    static const creo_address wrong[] = {{NULL, 1}, {"", 1}, {"a b", 1}, {"a\r\nX: y", 1}, {"http://a", 1}, {"[::1]", 1}, {"a@b", 1}, {"\xC3\xA9", 1}, {"a", 0}};
    server services[2];
    fixture f;
    server_start(&services[0], stays);
    server_start(&services[1], next);
    const uint16_t ports[] = {dead_port(), services[0].port};
    start_at(&f, ports, 2);
    next_is(&f, 0);
    assert_true(answers(&f, ports[1]) && is_ejected(&f, 0));
    /* The caller's memory may change; one that is named twice is there once. */
    char host[] = LOCAL;
    creo_address list[] = {{host, ports[0]}, {host, ports[1]}, {host, ports[0]}, {"localhost", ports[1]}};
    assert_true(creo_client_set_addresses(&f.client, list, 4, &f.error));
    memset(host, 'x', sizeof host - 1);
    assert_int_equal(f.client.target_count, 3);
    assert_true(f.client.open && is_ejected(&f, 0));
    assert_true(answers(&f, ports[1]));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(creo_client_set_addresses(&f.client, &wrong[i], 1, &f.error));
        assert_int_equal(f.error.code, CREO_INVALID_VALUE);
    }
    assert_false(creo_client_set_addresses(&f.client, list, 0, &f.error));
    creo_allocator before = f.client.allocator;
    list[0] = (creo_address){LOCAL, services[1].port};
    f.client.allocator.allocate = no_memory;
    assert_false(creo_client_set_addresses(&f.client, list, 1, &f.error));
    assert_int_equal(f.error.code, CREO_TOO_LARGE);
    f.client.allocator = before;
    assert_true(f.client.open && f.client.target_count == 3);
    assert_true(creo_client_set_addresses(&f.client, list, 1, &f.error));
    assert_false(f.client.open);
    server_join(&services[0]);
    assert_true(answers(&f, services[1].port));
    end(&f);
    server_join(&services[1]);
}

/* `creo_client_connect` looks for one that can be reached; and each repetition goes through all. */
static void connecting_and_repeating(void **state)
{
    (void)state;
    static const act script[] = {FIRST, {SEND, REFUSAL("00000001", UNAVAILABLE), 0}, {EXPECT, ADD("00000002"), 0}, {CLOSE, NULL, 0},
                                 FIRST, {SEND, THREE("00000003"), 0}, CLOSES};
    const creo_retry at_once = {3, 0, 0};
    server service;
    fixture f;
    server_start(&service, script);
    const uint16_t ports[] = {dead_port(), service.port};
    start_at(&f, ports, 2);
    next_is(&f, 0);
    assert_true(creo_client_connect(&f.client, &f.error));
    assert_true(f.client.open && f.client.port == ports[1] && is_ejected(&f, 0));
    creo_client_set_retry(&f.client, &at_once);
    assert_true(answers(&f, ports[1]));
    assert_int_equal(f.client.budget, CREO_MAX_BUDGET - 5);
    end(&f);
    server_join(&service);
    start_at(&f, ports, 2);
    creo_client_set_retry(&f.client, &at_once);
    assert_false(creo_client_connect(&f.client, NULL));
    assert_false(add(&f));
    assert_true(f.error.attempts == 3 && f.error.not_started);
    /* Once to connect, and three times to call. */
    assert_true(f.client.targets[0].ejection_ms == 8 * EJECTION && f.client.targets[1].ejection_ms == 8 * EJECTION);
    end(&f);
}

/* Over HTTP: another host, the same path. */
static void over_http(void **state)
{
    (void)state;
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n3";
    server services[2];
    char heads[2][100];
    act scripts[2][5];
    fixture f;
    creo_json json;
    char url[64];
    memset(&f, 0, sizeof f);
    for (int i = 0; i < 2; i++) {
        scripts[i][0] = (act){ACCEPT, NULL, 0};
        scripts[i][1] = (act){HEAR, heads[i], 0};
        scripts[i][2] = (act){SAY, answer, 0};
        scripts[i][3] = (act){CLOSE, NULL, 0};
        scripts[i][4] = (act){END, NULL, 0};
        server_start(&services[i], scripts[i]);
        snprintf(heads[i], sizeof heads[i], "POST /Sample/add HTTP/1.1\r\n|Host: " LOCAL ":%u\r\n", (unsigned)services[i].port);
    }
    snprintf(url, sizeof url, "http://elsewhere.invalid:%u/Sample", 1u);
    assert_true(creo_json_init(&json, url, &sample_sample_text, creo_allocator_libc(), &f.error));
    creo_arena_init(&f.arena, creo_allocator_libc());
    const creo_address addresses[] = {{LOCAL, dead_port()}, {LOCAL, services[0].port}, {LOCAL, services[1].port}};
    assert_true(creo_client_set_addresses(&json.client, addresses, 3, &f.error));
    json.client.target = 2;
    assert_looks(&json.client, &f.arena);
    server_join(&services[0]);
    assert_looks(&json.client, &f.arena);
    assert_int_equal(json.client.port, services[1].port);
    server_join(&services[1]);
    assert_false(look(&json.client, &f.arena, &f.sum, &f.error));
    assert_true(f.error.code == CREO_UNAVAILABLE && f.error.not_started);
    creo_json_free(&json);
    creo_arena_free(&f.arena);
}

#include "retries_of_page.h"

/* The example of docs/c.md. */
static void the_page_uses_both(void **state)
{
    (void)state;
    const creo_retry usual = creo_retry_default();
    fixture f;
    memset(&f, 0, sizeof f);
    creo_client_init(&f.client, LOCAL, 1, creo_allocator_libc());
    assert_true(use_both(&f.client, &f.error));
    assert_memory_equal(f.client.retry, &usual, sizeof usual);
    assert_int_equal(f.client.target_count, 2);
    creo_client_free(&f.client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_in_turn),
        cmocka_unit_test(the_first_is_random),
        cmocka_unit_test(calls_that_were_not_started),
        cmocka_unit_test(ejections_get_longer),
        cmocka_unit_test(many_addresses),
        cmocka_unit_test(connections_that_break),
        cmocka_unit_test(probes),
        cmocka_unit_test(untrusted_peers),
        cmocka_unit_test(all_are_ejected),
        cmocka_unit_test(other_addresses),
        cmocka_unit_test(connecting_and_repeating),
        cmocka_unit_test(over_http),
        cmocka_unit_test(the_page_uses_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
