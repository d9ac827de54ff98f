/* What a client of SOAP does with a security (SOAP-80, SOAP-81), here one that marks envelopes; and whole calls with that of the module. */
#define _POSIX_C_SOURCE 200809L

#include "secured.h"

#include "sample.text.h"
#include "server.h"

typedef struct fixture {
    server service;
    creo_soap soap;
    creo_arena arena;
    creo_error error;
    int64_t sum;
} fixture;

static void start(fixture *f, const act *script, const creo_soap_security *security)
{
    char url[64];
    memset(f, 0, sizeof *f);
    server_start(&f->service, script);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u/Sample", (unsigned)f->service.port);
    assert_true(creo_soap_init(&f->soap, url, &sample_sample_text, creo_allocator_libc(), &f->error));
    f->soap.security = security;
    creo_arena_init(&f->arena, creo_allocator_libc());
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

static void assert_fails(fixture *f, creo_code code, const char *message)
{
    assert_false(add(f));
    if (f->error.code != code || strncmp(f->error.message, message, strlen(message)) != 0)
        fail_msg("%s: %s, where %s is due", creo_code_name(f->error.code), f->error.message, message);
}

#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}
#define SAMPLE "urn:creo:creo.tests.sample"
#define THREE ENVELOPE(S11, "", "<r:addResponse xmlns:r=\"" SAMPLE "\"><r:result>3</r:result></r:addResponse>")
#define FAULT ENVELOPE(S11, "", "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>no more</faultstring></soap:Fault>")

/* A security that changes the names of envelopes, and refuses what has not that name. */
static bool mark(void *context, creo_bytes request, creo_arena *arena, creo_bytes *sent, creo_error *error)
{
    char *text = creo_arena_text(arena, (creo_string){(const char *)request.data, request.size});
    (void)error;
    assert_ptr_equal(context, &mark);
    assert_non_null(text);
    char *at = strstr(text, "<soap:Body>");
    assert_non_null(at);
    memcpy(at, "<soap:BODY>", 11);
    *sent = creo_bytes_of(text, request.size);
    return true;
}

static bool unmark(void *context, creo_bytes answer, creo_string charset, creo_arena *arena, creo_bytes *envelope, creo_error *error)
{
    assert_ptr_equal(context, &mark);
    if (answer.size == 0 || memchr(answer.data, '?', answer.size) != NULL) {
        error->code = answer.size == 0 ? CREO_PROTOCOL_MISMATCH : CREO_MALFORMED;
        (void)snprintf(error->message, sizeof error->message, "refused");
        return false;
    }
    char *text = creo_arena_text(arena, (creo_string){(const char *)answer.data, answer.size});
    assert_non_null(text);
    assert_true(charset.size == 0 || creo_string_is(charset, "utf-8"));
    char *at = strstr(text, ">4<");
    if (at != NULL)
        at[1] = '3';
    *envelope = creo_bytes_of(text, answer.size);
    return true;
}

static const creo_soap_security marks = {&mark, mark, unmark};
#define HTTP(status, more, body) "HTTP/1.1 " status "\r\n" more "Content-Length: " body

static void the_seam(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "<soap:BODY>", 0},
                                 {ANSWER, ENVELOPE(S11, "", "<r:addResponse xmlns:r=\"" SAMPLE "\"><r:result>4</r:result></r:addResponse>"), 0},
                                 {HEAR, "Content-Type: text/xml; charset=utf-8|<soap:BODY>", 0},
                                 {ANSWER, "<?", 0},
                                 {HEAR, "<soap:BODY>", 0},
                                 {SAY, HTTP("200 OK", "Content-Type: text/xml\r\n", "0\r\n\r\n"), 0},
                                 {HEAR, "<soap:BODY>", 0},
                                 {SAY, HTTP("200 OK", "Content-Type: multipart/related; boundary=x\r\n", "4\r\n\r\nabcd"), 0},
                                 {HEAR, "<soap:BODY>", 0},
                                 {ANSWER, FAULT, 500},
                                 {HEAR, "<soap:BODY>", 0},
                                 {SAY, HTTP("503 Busy", "Content-Type: text/html\r\n", "2\r\n\r\n<?"), 0},
                                 {HEAR, "<soap:BODY>", 0},
                                 {SAY, HTTP("403 No", "", "0\r\n\r\n"), 0},
                                 CLOSES};
    fixture f;
    start(&f, script, &marks);
    /* It has no effect. */
    f.soap.mtom = true;
    if (!add(&f))
        fail_msg("%s", f.error.message);
    assert_int_equal(f.sum, 3);
    assert_fails(&f, CREO_MALFORMED, "refused");
    assert_fails(&f, CREO_PROTOCOL_MISMATCH, "refused");
    assert_fails(&f, CREO_PROTOCOL_MISMATCH, "package: an answer in a package");
    assert_fails(&f, CREO_INTERNAL, "no more");
    assert_true(f.error.from_peer);
    assert_fails(&f, CREO_UNAVAILABLE, "");
    assert_fails(&f, CREO_PERMISSION_DENIED, "");
    finish(&f);
}

/* Answers to one request each, secured before: a request is not looked at. */
static void whole_calls(void **state)
{
    (void)state;
    static const creo_wss_identity alice = OWN("alice");
    creo_wss_options service = {.signer = OWN("bob"), .recipient = CRT("alice")};
    creo_wss_options options = {.signer = OWN("alice"), .recipient = CRT("bob"), .issuers = CRT("ca"), .decryption = &alice, .decryption_count = 1, .require_encrypted = true};
    char *three = sent_by(&service, THREE);
    char *fault = sent_by(&service, FAULT);
    service.recipient = (creo_wss_pem){NULL, {NULL, 0}};
    char *open = sent_by(&service, THREE);
    const act script[] = {{ACCEPT, NULL, 0},      {HEAR, "<xenc:EncryptedKey", 0}, {ANSWER, three, 0},  {HEAR, "<xenc:EncryptedKey", 0}, {ANSWER, three, 0},
                          {HEAR, "", 0},          {ANSWER, fault, 500},            {HEAR, "", 0},       {ANSWER, open, 500},             {HEAR, "", 0},
                          {ANSWER, FAULT, 500},   {HEAR, "", 0},                   {ANSWER, "<html/>", 0}, CLOSES};
    fixture f;
    secured s;
    secured_start(&s, &options);
    start(&f, script, creo_wss_security(s.wss));
    if (!add(&f))
        fail_msg("%s", f.error.message);
    assert_int_equal(f.sum, 3);
    assert_null(strstr(f.service.heard, "<n1:add"));
    assert_fails(&f, CREO_PROTOCOL_MISMATCH, "replayed: ");
    assert_fails(&f, CREO_INTERNAL, "no more");
    assert_true(f.error.from_peer);
    /* The status does not hide why it was refused. */
    assert_fails(&f, CREO_PROTOCOL_MISMATCH, "not-encrypted: ");
    assert_fails(&f, CREO_PROTOCOL_MISMATCH, "no-security: the answer is a fault without security: soap:Server: no more");
    assert_false(f.error.from_peer);
    assert_fails(&f, CREO_MALFORMED, "the element html, where an envelope of SOAP must be");
    finish(&f);
    secured_end(&s);
    free(three);
    free(fault);
    free(open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_seam), cmocka_unit_test(whole_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
