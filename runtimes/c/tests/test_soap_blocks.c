/* WS-Addressing and tokens of users: spec/wires/soap.md, sections 5 and 6. */
#define _POSIX_C_SOURCE 200809L

#include "blocks.h"

#include "encoded.text.h"
#include "sample.text.h"

#include "http/fresh.h"
#include "soap/sha1.h"
#include "soap/soap_blocks.h"

/* 2026-11-27T18:00:00Z */
static const creo_datetime now = {1795802400, 0};

/*
 * Writing.
 */

typedef struct written {
    creo_soap soap;
    creo_arena arena;
    creo_error error;
    creo_writer writer;
    creo_xml_out out;
} written;

static void begin(written *w)
{
    static const creo_text_spaces none = {NULL, 0, false};
    memset(w, 0, sizeof *w);
    creo_arena_init(&w->arena, creo_allocator_libc());
    creo_writer_init(&w->writer, &w->arena, NULL, &w->error);
    creo_xml_out_init(&w->out, &w->writer, &none);
}

static bool secure(written *w, creo_datetime instant)
{
    uint8_t nonce[CREO_NONCE_SIZE];
    for (size_t i = 0; i < sizeof nonce; i++)
        nonce[i] = (uint8_t)i;
    return creo_soap_put_security(&w->out, &w->soap, instant, nonce);
}

static void assert_written(written *w, bool done, const char *due)
{
    if (!done)
        fail_msg("%s", w->error.message);
    creo_bytes bytes = creo_writer_bytes(&w->writer);
    char *text = creo_arena_text(&w->arena, (creo_string){(const char *)bytes.data, bytes.size});
    assert_string_equal(text, due);
    creo_arena_free(&w->arena);
}

static void vectors_of_rfc_3174(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t times;
        const char *digest;
    } vectors[] = {
        {"abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
        {"a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
        {"0123456701234567012345670123456701234567012345670123456701234567", 10, "dea356a2cddd90c7a7ecedc5ebb563934f460452"},
        {"", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        size_t times = vectors[i].times;
        creo_bytes *parts = (creo_bytes *)malloc(times * sizeof *parts);
        uint8_t digest[CREO_SHA1_SIZE];
        assert_non_null(parts);
        for (size_t j = 0; j < times; j++)
            parts[j] = creo_bytes_of(vectors[i].text, strlen(vectors[i].text));
        creo_sha1(parts, times, digest);
        assert_bytes(creo_bytes_of(digest, sizeof digest), vectors[i].digest);
        free(parts);
    }
}

static void blocks_of_tokens(void **state)
{
    (void)state;
    static const struct {
        const char *user;
        const char *password;
        bool digest;
        bool timestamp;
        const char *due;
    } cases[] = {
        {"anna", "secret", false, true, SECURITY TIMESTAMP TOKEN("anna", TEXT("secret")) END_SECURITY},
        {"anna", "secret", false, false, SECURITY TOKEN("anna", TEXT("secret")) END_SECURITY},
        {NULL, NULL, false, true, SECURITY TIMESTAMP END_SECURITY},
        {NULL, NULL, true, true, SECURITY TIMESTAMP END_SECURITY},
        /* The example of SOAP-50. */
        {"anna", "Geheimnis-\xC3\x9F", true, false,
         SECURITY TOKEN("anna", "<wsse:Password Type=\"" WSS "username-token-profile-1.0#PasswordDigest\">X2aeuSfXpOP02ycDIqBW2Lc9CC0=</wsse:Password>"
                                "<wsse:Nonce EncodingType=\"" WSS "soap-message-security-1.0#Base64Binary\">AAECAwQFBgcICQoLDA0ODw==</wsse:Nonce>"
                                "<wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created>") END_SECURITY},
        {"a<&>\"'\r\n\t\xF0\x9F\x98\x80", "]]>", false, false, SECURITY TOKEN("a&lt;&amp;&gt;\"'&#13;\n\t\xF0\x9F\x98\x80", TEXT("]]&gt;")) END_SECURITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        written w;
        begin(&w);
        w.soap.user = cases[i].user;
        w.soap.password = cases[i].password;
        w.soap.digest = cases[i].digest;
        w.soap.timestamp = cases[i].timestamp;
        assert_true(creo_soap_is_secured(&w.soap));
        assert_written(&w, secure(&w, now), cases[i].due);
    }
    written w;
    begin(&w);
    w.soap.timestamp = true;
    assert_written(&w, secure(&w, (creo_datetime){now.seconds - 1, 7999999}),
                   SECURITY "<wsu:Timestamp><wsu:Created>2026-11-27T17:59:59.007Z</wsu:Created><wsu:Expires>2026-11-27T18:04:59.007Z</wsu:Expires></wsu:Timestamp>" END_SECURITY);
    creo_soap none;
    memset(&none, 0, sizeof none);
    assert_false(creo_soap_is_secured(&none));
}

/* The example of docs/c.md. */
static void block_of_the_page(void **state)
{
    (void)state;
    written w;
    creo_soap soap;
    begin(&w);
    memset(&soap, 0, sizeof soap);
#include "tokens_of_page.h"
    assert_int_equal(soap.addressing, CREO_SOAP_ADDRESSING_ON);
    w.soap = soap;
    assert_true(secure(&w, now));
    creo_bytes bytes = creo_writer_bytes(&w.writer);
    const char *text = creo_arena_text(&w.arena, (creo_string){(const char *)bytes.data, bytes.size});
    assert_non_null(strstr(text, TIMESTAMP "<wsse:UsernameToken><wsse:Username>anna</wsse:Username>"));
    assert_non_null(strstr(text, "#PasswordDigest"));
    assert_null(strstr(text, "secret"));
    creo_arena_free(&w.arena);
}

/* SOAP-51: neither is in the error. */
static void users_and_passwords_that_cannot_be_sent(void **state)
{
    (void)state;
    char longest[4 * 1024 + 1] = "";
    char longer[2049];
    for (size_t i = 0; i < 1024; i++)
        strcat(longest, "\xF0\x9F\x98\x80");
    memset(longer, 'q', 2048);
    longer[2048] = 0;
    const char *const wrong[] = {"", "qq\x01qq", "qq\x1Bqq", "qq\xFFqq", "qq\xC3", "qq\xEF\xBF\xBFqq", "qq\xED\xA0\x80qq", longer, longer + 1023, NULL};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (int way = 0; way < 4; way++) {
            bool password = (way & 1) != 0;
            written w;
            begin(&w);
            w.soap.user = password ? "anna" : wrong[i];
            w.soap.password = password ? wrong[i] : "secret";
            w.soap.digest = (way & 2) != 0;
            assert_false(secure(&w, now));
            assert_int_equal(w.error.code, CREO_INVALID_VALUE);
            assert_string_equal(w.error.message, password ? "the password of a token is 1 to 1024 characters of XML" : "the user of a token is 1 to 1024 characters of XML");
            creo_arena_free(&w.arena);
        }
    }
    written w;
    begin(&w);
    w.soap.user = longest;
    w.soap.password = longer + 1024;
    assert_true(secure(&w, now));
    creo_arena_free(&w.arena);
}

static bool address(written *w, const char *url, size_t method)
{
    assert_true(creo_soap_init(&w->soap, url, &sample_sample_text, creo_allocator_libc(), &w->error));
    bool done = creo_soap_put_addressing(&w->out, &w->soap.place, &sample_sample_text.methods[method], ID);
    creo_soap_free(&w->soap);
    return done;
}

#define ADDRESSED(action, reply, to) \
    OPEN("Action") NS ":Sample/" action "</wsa:Action>" OPEN("MessageID") ID "</wsa:MessageID>" OPEN("ReplyTo") "<wsa:Address>" WSA "/" reply \
    "</wsa:Address></wsa:ReplyTo>" OPEN("To") to "</wsa:To>"

static void blocks_of_addressing(void **state)
{
    (void)state;
    written w;
    begin(&w);
    assert_written(&w, address(&w, "http://localhost:8080/Sample", 2), ADDRESSED("add", "anonymous", "http://localhost:8080/Sample"));
    begin(&w);
    assert_written(&w, address(&w, "https://example.org", 3), ADDRESSED("note", "none", "https://example.org/"));
    begin(&w);
    assert_written(&w, address(&w, "http://[::1]:81/a?b=<1>&c='#d", 2), ADDRESSED("add", "anonymous", "http://[::1]:81/a?b=&lt;1&gt;&amp;c='"));
}

/* RFC 9562, version 4; each is another. */
static void ids_of_messages(void **state)
{
    (void)state;
    char ids[64][CREO_SOAP_ID_SIZE];
    creo_error error;
    for (size_t i = 0; i < 64; i++) {
        static const char form[] = "urn:uuid:xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
        assert_true(creo_soap_new_id(ids[i], &error));
        assert_int_equal(strlen(ids[i]), sizeof form - 1);
        for (size_t j = 0; j < sizeof form - 1; j++) {
            char due = form[j];
            if (j < 9 || (due != 'x' && due != 'y'))
                assert_int_equal(ids[i][j], due);
            else
                assert_non_null(strchr(due == 'y' ? "89ab" : "0123456789abcdef", ids[i][j]));
        }
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(ids[i], ids[j]);
    }
    uint8_t bytes[2][40];
    uint8_t zeros[40] = {0};
    memset(bytes, 0, sizeof bytes);
    assert_true(creo_random(bytes[0], 40, &error) && creo_random(bytes[1], 40, &error));
    assert_memory_not_equal(bytes[0], bytes[1], 40);
    assert_memory_not_equal(bytes[0] + 32, zeros, 8);
}

/*
 * Reading.
 */

static creo_soap_end read_with(const char *text, const creo_soap_due *due, creo_error *error)
{
    creo_arena arena;
    int64_t sum = 0;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_soap_end end = creo_soap_read(&sample_sample_text.methods[2], creo_bytes_of(text, strlen(text)), CREO_CHARSET_NONE, NULL, 0, 0, NULL, due, &arena, NULL, &sum, error);
    if (end == CREO_SOAP_OUTCOME)
        assert_int_equal(sum, 3);
    creo_arena_free(&arena);
    return end;
}

/* `part` of the error, or NULL: it is read. */
static void assert_reads(const char *text, const creo_soap_due *due, creo_code code, const char *part)
{
    creo_error error;
    creo_error_clear(&error);
    creo_soap_end end = read_with(text, due, &error);
    if (part == NULL && end != CREO_SOAP_OUTCOME)
        fail_msg("%s: %s", text, error.message);
    if (part != NULL && (end != CREO_SOAP_FAILED || error.code != code || strstr(error.message, part) == NULL))
        fail_msg("%s: %d, %s; %s with \"%s\" is due", text, (int)end, error.message, creo_code_name(code), part);
}

static void relations(void **state)
{
    (void)state;
    static const creo_soap_due due = {ID, false, {0, 0}, false, NULL};
#define RELATES(attributes, id) "<a:RelatesTo" attributes ">" id "</a:RelatesTo>"
#define MUST " s:mustUnderstand='1'"
    static const struct {
        const char *header;
        const char *part;
    } cases[] = {
        {"", NULL},
        {RELATES("", ID), NULL},
        {RELATES("", "\n <!-- --> " ID "\t"), NULL},
        {RELATES(" RelationshipType='" WSA "/reply'", ID), NULL},
        {RELATES(MUST, ID) "<a:Action" MUST ">x</a:Action><a:MessageID/><a:From" MUST "><a:Address/></a:From><a:Unheard" MUST "/>", NULL},
        /* One of several is enough. */
        {RELATES("", "urn:x") RELATES("", ID) RELATES("", "urn:y"), NULL},
        /* Other relations mean nothing. */
        {RELATES(" RelationshipType='urn:other'", "urn:x"), NULL},
        {RELATES(" RelationshipType='urn:other'", "urn:x") RELATES("", ID), NULL},
        {"<RelatesTo xmlns='urn:z'>urn:x</RelatesTo>", NULL},
        {"<r:RelatesTo xmlns:r='http://schemas.xmlsoap.org/ws/2004/08/addressing'>urn:x</r:RelatesTo>", NULL},
        {"<a:RelatesTo xmlns:z='urn:z' z:RelationshipType='urn:other'>urn:x</a:RelatesTo>", "for another request, urn:x"},
        {RELATES("", "urn:x"), "for another request, urn:x"},
        {RELATES("", ""), "for another request, without an id"},
        {"<a:RelatesTo/>", "for another request, without an id"},
        {RELATES("", "urn:uuid:0D6F4C0E-98C2-4B61-A7B0-5C1C6F4A1F0E"), "for another request"},
        {RELATES("", ID "0"), "for another request"},
        {RELATES("", "urn:\xC2\x85x"), "for another request, urn:\\u0085x"},
        {RELATES(" RelationshipType='" WSA "/reply'", "urn:x"), "for another request"},
        {RELATES(" RelationshipType='urn:other'", ID) RELATES("", "urn:x"), "for another request"},
        {"<a:RelatesTo s:actor='urn:z' s:role='urn:z'>urn:x</a:RelatesTo>", "for another request"},
        {"<x xmlns='urn:z'" MUST "/>" RELATES("", ID), "the header element {urn:z}x,"},
        {"<Security" MUST "/>", "the header element Security,"},
        {"<wsse:Security" MUST "/>", "secext-1.0.xsd}Security,"},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        char text[4000];
        snprintf(text, sizeof text, HEADER("%s", "%s") RESPONSE, i % 2 == 0 ? E11 : E12, cases[i / 2].header);
        assert_reads(text, &due, CREO_PROTOCOL_MISMATCH, cases[i / 2].part);
    }
    /* A request without an id has no wrong answer, and the blocks are understood all the same. */
    assert_reads(HEADER(E11, RELATES(MUST, "urn:x")) RESPONSE, NULL, CREO_OK, NULL);
    static const creo_soap_due user = {NULL, true, {0, 0}, false, NULL};
    assert_reads(HEADER(E11, RELATES(MUST, "urn:x")) RESPONSE, &user, CREO_OK, NULL);
}

static void security_of_answers(void **state)
{
    (void)state;
#define BLOCK(inside) "<wsse:Security" MUST ">" inside "</wsse:Security>"
#define STAMP(created, expires) "<wsu:Timestamp wsu:Id='t'>" created expires "</wsu:Timestamp>"
#define CREATED(time) "<wsu:Created>" time "</wsu:Created>"
#define EXPIRES(time) "<wsu:Expires>" time "</wsu:Expires>"
#define CONFIRMED(value) "<c:SignatureConfirmation xmlns:c='http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd'" value "/>"
#define SIGNATURE "<Signature xmlns='http://www.w3.org/2000/09/xmldsig#'><SignedInfo/></Signature>"
    static const struct {
        const char *header;
        creo_code code;
        const char *part;
    } cases[] = {
        {BLOCK(""), CREO_OK, NULL},
        {"<wsse:Security" MUST "/>", CREO_OK, NULL},
        {BLOCK(STAMP(CREATED("2026-11-27T18:00:00Z"), EXPIRES("2026-11-27T18:05:00Z")) "<wsse:UsernameToken><x/></wsse:UsernameToken>" CONFIRMED("")), CREO_OK, NULL},
        {BLOCK(STAMP(CREATED(" 2026-11-27T20:05:00+02:00\n"), EXPIRES("2026-11-27T17:55:00"))), CREO_OK, NULL},
        {BLOCK(STAMP("", "")), CREO_OK, NULL},
        {BLOCK("<wsu:Timestamp><x/>y</wsu:Timestamp>"), CREO_OK, NULL},
        {BLOCK(STAMP(CREATED("2026-11-27T18:05:00.001Z"), "")), CREO_PROTOCOL_MISMATCH, "created more than five minutes in the future"},
        {BLOCK(STAMP(CREATED("9999-01-01T00:00:00Z"), "")), CREO_PROTOCOL_MISMATCH, "in the future"},
        {BLOCK(STAMP("", EXPIRES("2026-11-27T17:54:59.999Z"))), CREO_PROTOCOL_MISMATCH, "expired more than five minutes ago"},
        {BLOCK(STAMP("", "") STAMP("", EXPIRES("0001-01-01T00:00:00Z"))), CREO_PROTOCOL_MISMATCH, "expired"},
        {BLOCK(STAMP(CREATED("yesterday"), "")), CREO_MALFORMED, "no instant"},
        {BLOCK(STAMP(CREATED(""), "")), CREO_MALFORMED, "no instant"},
        {BLOCK(STAMP("", "<wsu:Expires/>")), CREO_MALFORMED, "no instant"},
        {"<wsse:Security>" STAMP("", EXPIRES("2025-11-27T18:00:00Z")) "</wsse:Security>", CREO_PROTOCOL_MISMATCH, "expired"},
        /* Unknown blocks are treated like any other (SOAP-4). */
        {BLOCK(STAMP("", "") SIGNATURE), CREO_PROTOCOL_MISMATCH, "secext-1.0.xsd}Security,"},
        {BLOCK(CONFIRMED(" Value='AAAA'")), CREO_PROTOCOL_MISMATCH, "secext-1.0.xsd}Security,"},
        {BLOCK("<Timestamp/>"), CREO_PROTOCOL_MISMATCH, "secext-1.0.xsd}Security,"},
        {BLOCK("<wsse:BinarySecurityToken>AAAA</wsse:BinarySecurityToken>"), CREO_PROTOCOL_MISMATCH, "secext-1.0.xsd}Security,"},
        {"<wsse:Security>" SIGNATURE STAMP("", EXPIRES("2025-11-27T18:00:00Z")) "</wsse:Security>", CREO_OK, NULL},
        /* Of another receiver. */
        {"<wsse:Security" MUST " s:actor='urn:z' s:role='urn:z'>" SIGNATURE STAMP("", EXPIRES("2025-11-27T18:00:00Z")) "</wsse:Security>", CREO_OK, NULL},
    };
    creo_soap_due due = {NULL, true, now, false, NULL};
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        char text[4000];
        snprintf(text, sizeof text, HEADER("%s", "%s") RESPONSE, i % 2 == 0 ? E11 : E12, cases[i / 2].header);
        assert_reads(text, &due, cases[i / 2].code, cases[i / 2].part);
    }
    /* A client without a user understands none. */
    assert_reads(HEADER(E11, BLOCK(STAMP("", ""))) RESPONSE, NULL, CREO_PROTOCOL_MISMATCH, "secext-1.0.xsd}Security,");
    assert_reads(HEADER(E11, "<wsse:Security>" STAMP(CREATED("yesterday"), "") "</wsse:Security>") RESPONSE, NULL, CREO_OK, NULL);
}

/* SOAP-14, SOAP-42: the text of a fault is never lost. */
static void faults_count_whatever_their_header_says(void **state)
{
    (void)state;
    static const creo_soap_due due = {ID, true, {1795802400, 0}, false, NULL};
    static const char *const headers[] = {RELATES("", "urn:x"), BLOCK(SIGNATURE), BLOCK(STAMP(CREATED("yesterday"), EXPIRES("2025-11-27T18:00:00Z"))), "<x xmlns='urn:z'" MUST "/>"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char text[4000];
        creo_error error;
        creo_error_clear(&error);
        snprintf(text, sizeof text, HEADER(E11, "%s") "<s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>no such stock</faultstring></s:Fault></s:Body></s:Envelope>",
                 headers[i]);
        assert_int_equal(read_with(text, &due, &error), CREO_SOAP_FAULT);
        assert_int_equal(error.code, CREO_MALFORMED);
        assert_string_equal(error.message, "no such stock");
    }
}

static void hundreds_of_blocks(void **state)
{
    (void)state;
    static const creo_soap_due due = {ID, true, {1795802400, 0}, false, NULL};
    static const char block[] = RELATES(" s:mustUnderstand='1'", "urn:x") "<wsse:Security s:mustUnderstand='1'><wsu:Timestamp><wsu:Created>2026-11-27T18:00:00Z</wsu:Created></wsu:Timestamp></wsse:Security>";
    for (int found = 0; found < 2; found++) {
        size_t room = 700 * sizeof block + 4000;
        char *text = (char *)malloc(room);
        assert_non_null(text);
        size_t size = (size_t)snprintf(text, room, "<s:Envelope xmlns:s='" E11 "' xmlns:a='" WSA "' xmlns:wsse='" WSSE "' xmlns:wsu='" WSU "'><s:Header>");
        for (size_t i = 0; i < 700; i++)
            size += (size_t)snprintf(text + size, room - size, "%s", block);
        snprintf(text + size, room - size, "%s</s:Header>" RESPONSE, found != 0 ? RELATES("", ID) : "");
        assert_reads(text, &due, CREO_PROTOCOL_MISMATCH, found != 0 ? NULL : "for another request, urn:x");
        free(text);
    }
}

/* The header of an encoded answer counts, too (SOAP-32). */
static void encoded_answers(void **state)
{
    (void)state;
    static const creo_soap_due due = {ID, false, {0, 0}, false, NULL};
    static const char text[] = HEADER(E11, RELATES("", "urn:x")) "<s:Body><x/></s:Body></s:Envelope>";
    encoded_encoded_find_outcome outcome;
    creo_arena arena;
    creo_error error;
    creo_arena_init(&arena, creo_allocator_libc());
    assert_int_equal(creo_soap_read(&encoded_encoded_text.methods[1], creo_bytes_of(text, sizeof text - 1), CREO_CHARSET_NONE, NULL, 0, 0, NULL, &due, &arena, NULL,
                                    &outcome, &error),
                     CREO_SOAP_FAILED);
    assert_non_null(strstr(error.message, "for another request"));
    assert_false(error.has_offset);
    creo_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_rfc_3174),
        cmocka_unit_test(blocks_of_tokens),
        cmocka_unit_test(block_of_the_page),
        cmocka_unit_test(users_and_passwords_that_cannot_be_sent),
        cmocka_unit_test(blocks_of_addressing),
        cmocka_unit_test(ids_of_messages),
        cmocka_unit_test(relations),
        cmocka_unit_test(security_of_answers),
        cmocka_unit_test(faults_count_whatever_their_header_says),
        cmocka_unit_test(hundreds_of_blocks),
        cmocka_unit_test(encoded_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
