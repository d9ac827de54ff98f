/* Messages that this module writes and checks: spec/wires/soap.md, section 7. Those of other implementations: runtimes/java-wss. */
#define _POSIX_C_SOURCE 200809L

#include "secured.h"

#include <pthread.h>

static const creo_wss_options reader = {.issuers = CRT("ca"), .known = CRT("alice")};

static void each_reference_and_algorithm(void **state)
{
    (void)state;
    static const struct {
        creo_wss_identity signer;
        const char *algorithm;
    } rows[] = {
        {OWN("alice"), NULL},        {OWN("alice"), "rsa-sha384"}, {OWN("alice"), "rsa-sha512"},   {OWN("alice"), "rsa-pss-sha256"}, {OWN("curve"), NULL},
        {OWN("curve"), "ecdsa-sha384"}, {OWN("p384"), NULL},          {OWN("p384"), "ecdsa-sha512"},
    };
    static const char *const envelopes[] = {PLAIN, ENVELOPE(S12, "", BODY), ENVELOPE(S11, "<soap:Header><a:To xmlns:a=\"" ADDRESSING "\">x</a:To></soap:Header>", BODY)};
    static const char *const names[] = {"{" ADDRESSING "}*", NULL};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int form = CREO_WSS_DEFAULT; form <= CREO_WSS_THUMBPRINT; form++) {
            creo_wss_options writes = {.signer = rows[i].signer, .signature = rows[i].algorithm, .reference = (creo_wss_reference)form, .signed_headers = names};
            creo_wss_options reads = {.issuers = CRT("ca"), .known = rows[i].signer.certificate, .required_headers = names};
            secured s;
            secured_start(&s, &reads);
            for (size_t j = 0; j < 3; j++) {
                char *sent = sent_by(&writes, envelopes[j]);
                const char *due = j == 0 ? ENVELOPE(S11, "<soap:Header></soap:Header>", BODY) : j == 1 ? ENVELOPE(S12, "<soap:Header></soap:Header>", BODY)
                                  : ENVELOPE(S11, "<soap:Header><a:To xmlns:a=\"" ADDRESSING "\">x</a:To></soap:Header>", BODY);
                assert_accepted(&s, sent, due);
                free(sent);
            }
            secured_end(&s);
        }
    }
}

static void each_encryption(void **state)
{
    (void)state;
    static const char *const keys[] = {NULL, "rsa-oaep", "rsa-1_5"};
    static const char *const data[] = {NULL, "aes128-gcm", "aes128-cbc", "aes256-cbc"};
    static const char *const weak[] = {"rsa-1_5", "aes128-cbc", "aes256-cbc", NULL};
    static const creo_wss_identity bob = OWN("bob");
    for (int row = 0; row < 2 * 3 * 4 * 5; row++) {
        bool is_signed = row % 2 == 0;
        creo_wss_options writes = {.recipient = CRT("bob"), .key_encryption = keys[row / 2 % 3], .data_encryption = data[row / 6 % 4], .key_reference = (creo_wss_reference)(row / 24)};
        creo_wss_options reads = {.decryption = &bob, .decryption_count = 1, .require_encrypted = true, .allowed = weak};
        if (is_signed) {
            writes.signer = (creo_wss_identity)OWN("alice");
            reads.trusted = (creo_wss_pem)CRT("alice");
        }
        char *sent = sent_by(&writes, PLAIN);
        assert_null(strstr(sent, "n:say"));
        secured s;
        secured_start(&s, &reads);
        assert_accepted(&s, sent, ENVELOPE(S11, "<soap:Header></soap:Header>", "<n:say xmlns:n=\"urn:n\" xmlns:soap=\"" S11 "\"><n:text>Gr\xC3\xBC\xC3\x9F"
                                                                              "e &amp; \xE2\x82\xAC"
                                                                              "5\xF0\x9F\x98\x80</n:text></n:say>"));
        secured_end(&s);
        free(sent);
    }
}

#define USER "<wsse:UsernameToken><wsse:Username>anna</wsse:Username><wsse:Password>changeit</wsse:Password></wsse:UsernameToken>"
#define WITH_USER ENVELOPE(S11, "<soap:Header><wsse:Security xmlns:wsse=\"" WSSE "\" xmlns:wsu=\"" WSU "\" soap:mustUnderstand=\"1\">" USER "</wsse:Security></soap:Header>", BODY)
#define SAML "<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_1\"><a:Subject xmlns:b=\"urn:b\">otto</a:Subject></a:Assertion>"

static void tokens(void **state)
{
    (void)state;
    static const creo_wss_identity bob = OWN("bob");
    creo_wss_options writes = {.signer = OWN("alice"), .saml = {"<?xml version='1.0'?>\n" SAML, sizeof "<?xml version='1.0'?>\n" SAML - 1}};
    creo_wss_options reads = {.trusted = CRT("alice"), .decryption = &bob, .decryption_count = 1};
    secured s;
    secured_start(&s, &reads);
    char *sent = sent_by(&writes, WITH_USER);
    assert_non_null(strstr(sent, SAML));
    creo_bytes got;
    creo_bytes given = exact_text(sent, strlen(sent));
    assert_true(secured_receive(&s, given, &got));
    assert_non_null(strstr((const char *)got.data, "<wsse:Username>anna</wsse:Username><wsse:Password>changeit</wsse:Password></wsse:UsernameToken></wsse:Security>"));
    release(given);
    char *changed = replaced(sent, ">otto<", ">anna<", false);
    assert_refused(&s, changed, CREO_PROTOCOL_MISMATCH, "bad-digest: ");
    free(changed);
    free(sent);
    writes.recipient = (creo_wss_pem)CRT("bob");
    sent = sent_by(&writes, WITH_USER);
    assert_null(strstr(sent, "otto"));
    assert_null(strstr(sent, "changeit"));
    given = exact_text(sent, strlen(sent));
    if (!secured_receive(&s, given, &got))
        fail_msg("%s", s.error.message);
    assert_non_null(strstr((const char *)got.data, ">changeit<"));
    release(given);
    free(sent);
    secured_end(&s);
}

/* An issuer whose name has everything that must be escaped, and how others write it. */
static void names_of_issuers(void **state)
{
    (void)state;
    creo_wss_options writes = {.signer = OWN("named"), .reference = CREO_WSS_ISSUER_SERIAL};
    creo_wss_options reads = {.trusted = CRT("named")};
    char *sent = sent_by(&writes, PLAIN);
    char *start = strstr(sent, "<ds:X509IssuerName>");
    assert_non_null(start);
    start += strlen("<ds:X509IssuerName>");
    const char *end = strstr(start, "</");
    static const char *const others[] = {
        "SERIALNUMBER=7, E=a@b.example, CN=\"Zo\xC3\xAB;x &lt;&amp;&gt;\", O=\"A, B \\\"C\\\" + D\\\\\", C=NO",
        "2.5.4.5=#130137;OID.1.2.840.113549.1.9.1=#160b61406222e6578616d706c65,CN=x,C=NO",
        "serialNumber=7,EMAILADDRESS=A@b.example,cn=zo\\C3\\AB\\;x \\&lt;&amp;\\&gt;,O=A\\, B \\\"C\\\" \\+ D\\\\,C=no",
    };
    for (size_t i = 0; i <= sizeof others / sizeof others[0]; i++) {
        secured s;
        secured_start(&s, &reads);
        char *made = (char *)malloc(strlen(sent) + 300);
        assert_non_null(made);
        (void)sprintf(made, "%.*s%s%s", (int)(start - sent), sent, i == 0 ? "" : others[i - 1], i == 0 ? start : end);
        if (i == 2)
            assert_refused(&s, made, CREO_PROTOCOL_MISMATCH, "key-reference: ");
        else
            assert_accepted(&s, made, ENVELOPE(S11, "<soap:Header></soap:Header>", BODY));
        free(made);
        secured_end(&s);
    }
    free(sent);
}

static void wrong_options(void **state)
{
    (void)state;
    static const char *const none[] = {"none", NULL};
    static const char *const names[] = {"To", NULL};
    static const creo_wss_identity curve = OWN("curve");
    static const struct {
        creo_wss_options options;
        const char *why;
    } rows[] = {
        {{.signer = OWN("nobody")}, "the signer: tests/wss/keys/nobody.key.pem cannot be opened"},
        {{.signer = {.key = CRT("alice"), .certificate = CRT("alice")}}, "the signer: no private key"},
        {{.signer = {.key = KEY("alice"), .certificate = CRT("bob")}}, "the signer: the key is not that of the certificate"},
        {{.signer = {.key = KEY("alice")}}, "the signer: the text cannot be opened"},
        {{.signer = OWN("weak")}, "a signature needs a key of RSA with 2048 bits"},
        {{.signer = OWN("alice"), .signature = "ecdsa-sha256"}, "ecdsa-sha256 does not fit"},
        {{.signer = OWN("alice"), .signature = "rsa-sha1"}, "signatures with rsa-sha1 are not written"},
        {{.signer = OWN("alice"), .signature = "hmac-sha1"}, "there is no algorithm hmac-sha1"},
        {{.recipient = CRT("curve")}, "messages are encrypted to a key of RSA"},
        {{.recipient = CRT("bob"), .data_encryption = "tripledes-cbc"}, "there is no algorithm tripledes-cbc"},
        {{.decryption = &curve, .decryption_count = 1}, "messages are decrypted with a key of RSA"},
        {{.trusted = KEY("alice")}, "the trusted certificates: no certificate in PEM"},
        {{.known = {NULL, {(const uint8_t *)"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", 62}}}, "the known certificates: no certificate in PEM"},
        {{.saml = {"<a/>", 4}}, "the text is no assertion of SAML 2.0"},
        {{.saml = {"<a>", 3}}, "the text ends within the value"},
        {{.allowed = none}, "there is no algorithm none to allow"},
        {{.required_headers = names}, "a header block of a security is {namespace}name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        creo_error error;
        assert_null(creo_wss_new(&rows[i].options, &error));
        if (strncmp(error.message, rows[i].why, strlen(rows[i].why)) != 0)
            fail_msg("%s, where %s is due", error.message, rows[i].why);
    }
}

/* Nothing to do in one direction, or in both. */
static void without_options(void **state)
{
    (void)state;
    static const creo_wss_options none = {0};
    secured s;
    creo_bytes got;
    secured_start(&s, &none);
    char *sent = secured_send(&s, PLAIN);
    assert_string_equal(sent, PLAIN);
    assert_accepted(&s, sent, PLAIN);
    assert_true(secured_receive(&s, (creo_bytes){NULL, 0}, &got));
    assert_int_equal(got.size, 0);
    free(sent);
    secured_end(&s);
    creo_wss_free(NULL);
}

static creo_datetime told;

static bool tell(void *context, creo_datetime *now)
{
    *now = told;
    return context == &told;
}

static void times_and_replays(void **state)
{
    (void)state;
    creo_wss_options writes = {.signer = OWN("curve"), .clock = tell, .context = &told};
    creo_wss_options reads = {.issuers = CRT("ca"), .max_replays = 3, .clock = tell, .context = &told};
    static const int64_t offsets[] = {-301, -300, 0, 299, 300, 86400};
    secured s;
    secured_start(&s, &reads);
    for (size_t i = 0; i < 6; i++) {
        told = (creo_datetime){1900000000, 500000000};
        char *sent = sent_by(&writes, PLAIN);
        told.seconds += offsets[i];
        if (offsets[i] >= -300 && offsets[i] < 300)
            assert_accepted(&s, sent, ENVELOPE(S11, "<soap:Header></soap:Header>", BODY));
        else
            assert_refused(&s, sent, CREO_PROTOCOL_MISMATCH, "stale: ");
        if (offsets[i] == 0)
            assert_refused(&s, sent, CREO_PROTOCOL_MISMATCH, "replayed: the message came before");
        free(sent);
    }
    told = (creo_datetime){1900000000, 0};
    char *sent = sent_by(&writes, PLAIN);
    assert_refused(&s, sent, CREO_OVERLOADED, "replay-memory: ");
    free(sent);
    told.seconds += 1000;
    sent = sent_by(&writes, PLAIN);
    assert_accepted(&s, sent, ENVELOPE(S11, "<soap:Header></soap:Header>", BODY));
    assert_refused(&s, sent, CREO_PROTOCOL_MISMATCH, "replayed: ");
    free(sent);
    secured_end(&s);
}

static bool accept_alice(void *context, creo_bytes certificate)
{
    (void)context;
    for (size_t i = 0; i + 5 <= certificate.size; i++)
        if (memcmp(certificate.data + i, "alice", 5) == 0)
            return true;
    return false;
}

static void who_is_trusted(void **state)
{
    (void)state;
    static const creo_wss_identity bob = OWN("bob");
    static const struct {
        creo_wss_identity signer;
        creo_wss_options reads;
        const char *reason;
    } rows[] = {
        {OWN("alice"), {.issuers = CRT("ca")}, NULL},
        {OWN("alice"), {.issuers = CRT("ca"), .accept = accept_alice}, NULL},
        {OWN("bob"), {.issuers = CRT("ca"), .accept = accept_alice}, "untrusted: the certificate of /O=Example/CN=bob is not trusted"},
        {OWN("bob"), {.trusted = CRT("alice")}, "untrusted: "},
        {OWN("mallory"), {.issuers = CRT("ca")}, "untrusted: "},
        {OWN("mallory"), {.trusted = CRT("mallory")}, NULL},
        {OWN("cipher"), {.issuers = CRT("ca")}, "untrusted: the certificate of /O=Example/CN=cipher is not for signatures"},
        {OWN("alice"), {.decryption = &bob, .decryption_count = 1}, "untrusted: a signature, but no certificate is trusted"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        creo_wss_options writes = {.signer = rows[i].signer};
        char *sent = sent_by(&writes, PLAIN);
        secured s;
        secured_start(&s, &rows[i].reads);
        if (rows[i].reason == NULL)
            assert_accepted(&s, sent, ENVELOPE(S11, "<soap:Header></soap:Header>", BODY));
        else
            assert_refused(&s, sent, CREO_UNTRUSTED_PEER, rows[i].reason);
        free(sent);
        secured_end(&s);
    }
    /* Certificates that have expired, or are not valid yet. */
    for (int i = 0; i < 2; i++) {
        told = (creo_datetime){i == 0 ? INT64_C(1500000000) : INT64_C(5000000000), 0};
        creo_wss_options writes = {.signer = OWN("alice"), .clock = tell, .context = &told};
        creo_wss_options reads = {.trusted = CRT("alice"), .clock = tell, .context = &told};
        char *sent = sent_by(&writes, PLAIN);
        secured s;
        secured_start(&s, &reads);
        assert_refused(&s, sent, CREO_UNTRUSTED_PEER, "untrusted: the certificate of /O=Example/CN=alice has expired, or is not valid yet");
        free(sent);
        secured_end(&s);
    }
}

/* Memory that ends after some pieces. */
static size_t pieces_left;

static void *give(void *context, size_t size)
{
    (void)context;
    return pieces_left == 0 ? NULL : (pieces_left--, malloc(size));
}

static void take_back(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

static void no_memory(void **state)
{
    (void)state;
    static const creo_wss_identity bob = OWN("bob");
    creo_wss_options options = {.signer = OWN("alice"), .recipient = CRT("bob"), .trusted = CRT("alice"), .decryption = &bob, .decryption_count = 1};
    secured s;
    secured_start(&s, &options);
    char *message = secured_send(&s, PLAIN);
    const creo_soap_security *security = creo_wss_security(s.wss);
    const creo_allocator allocator = {give, take_back, NULL};
    for (int direction = 0; direction < 2; direction++) {
        bool done = false;
        for (size_t pieces = 0; !done; pieces++) {
            creo_arena arena;
            creo_bytes made;
            const char *from = direction == 0 ? PLAIN : message;
            creo_arena_init(&arena, allocator);
            pieces_left = pieces;
            done = direction == 0 ? security->send(security->context, creo_bytes_of(from, strlen(from)), &arena, &made, &s.error)
                                  : security->receive(security->context, creo_bytes_of(from, strlen(from)), creo_text("utf-8"), &arena, &made, &s.error);
            if (!done && s.error.code != CREO_TOO_LARGE && s.error.code != CREO_PROTOCOL_MISMATCH && s.error.code != CREO_INTERNAL && s.error.code != CREO_INVALID_VALUE)
                fail_msg("%s: %s", creo_code_name(s.error.code), s.error.message);
            creo_arena_free(&arena);
            assert_true(pieces < 100);
        }
    }
    free(message);
    secured_end(&s);
}

static secured shared;
static const char *shared_message;

static void *receive_many(void *context)
{
    size_t *accepted = (size_t *)context;
    creo_arena arena;
    const creo_soap_security *security = creo_wss_security(shared.wss);
    creo_arena_init(&arena, creo_allocator_libc());
    for (int i = 0; i < 20; i++) {
        creo_error error;
        creo_bytes made;
        creo_bytes sent;
        creo_arena_reset(&arena);
        *accepted += security->receive(security->context, creo_bytes_of(shared_message, strlen(shared_message)), creo_text(""), &arena, &made, &error) ? 1 : 0;
        if (!security->send(security->context, creo_bytes_of(PLAIN, sizeof PLAIN - 1), &arena, &sent, &error) ||
            !security->receive(security->context, sent, creo_text(""), &arena, &made, &error))
            *accepted += 1000;
    }
    creo_arena_free(&arena);
    return NULL;
}

/* Several threads share a security: of one message, one is the first that sees it. */
static void threads(void **state)
{
    (void)state;
    pthread_t started[4];
    size_t accepted[4] = {0};
    creo_wss_options options = {.signer = OWN("curve"), .issuers = CRT("ca")};
    secured_start(&shared, &options);
    char *message = secured_send(&shared, PLAIN);
    shared_message = message;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&started[i], NULL, receive_many, &accepted[i]), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_join(started[i], NULL), 0);
    assert_int_equal(accepted[0] + accepted[1] + accepted[2] + accepted[3], 1);
    free(message);
    secured_end(&shared);
}

/* A message in another encoding than UTF-8 is converted before it is checked: what is signed are characters. */
static void encodings(void **state)
{
    (void)state;
    creo_wss_options writes = {.signer = OWN("alice")};
    char *sent = sent_by(&writes, ENVELOPE(S11, "", "<a>\xC3\xBC</a>"));
    size_t size = 0;
    uint8_t *latin = (uint8_t *)malloc(strlen(sent) + 1);
    assert_non_null(latin);
    for (const char *at = sent; *at != 0; at++) {
        if ((uint8_t)*at == 0xC3)
            latin[size++] = (uint8_t)(*++at + 0x40);
        else
            latin[size++] = (uint8_t)*at;
    }
    secured s;
    creo_bytes got;
    secured_start(&s, &reader);
    const creo_soap_security *security = creo_wss_security(s.wss);
    creo_bytes given = creo_bytes_of(latin, size);
    assert_false(security->receive(security->context, given, creo_text("none"), &s.arena, &got, &s.error));
    assert_string_equal(s.error.message, "the message is in the encoding none, which is not known");
    assert_false(security->receive(security->context, given, creo_text(""), &s.arena, &got, &s.error));
    assert_int_equal(s.error.code, CREO_MALFORMED);
    assert_true(security->receive(security->context, given, creo_text("ISO-8859-1"), &s.arena, &got, &s.error));
    assert_non_null(memchr(got.data, 0xC3, got.size));
    free(latin);
    free(sent);
    secured_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reference_and_algorithm), cmocka_unit_test(each_encryption), cmocka_unit_test(tokens),          cmocka_unit_test(names_of_issuers),
        cmocka_unit_test(wrong_options),                cmocka_unit_test(without_options), cmocka_unit_test(times_and_replays), cmocka_unit_test(who_is_trusted),
        cmocka_unit_test(no_memory),                    cmocka_unit_test(threads),         cmocka_unit_test(encodings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
