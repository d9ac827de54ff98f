/* Digest authentication: spec/transports/http.md, HTTP-48 to HTTP-51. */
#define _POSIX_C_SOURCE 200809L

#include "session.h"

#include "http/hash.h"
#include "http/http_digest.h"

#define CHALLENGE(more) "HTTP/1.1 401 No\r\nWWW-Authenticate: " more "\r\nContent-Length: 2\r\n\r\nno"
#define SHA(nonce) "Digest realm=\"r\", nonce=\"" nonce "\", algorithm=SHA-256, qop=\"auth\""
#define USED(nonce, count) "\r\nAuthorization: Digest username=\"me\", realm=\"r\", nonce=\"" nonce "\", uri=\"/Sample/add\", response=\"|, algorithm=SHA-256, qop=auth, nc=" count ", cnonce=\""

static void assert_hash(const char *text, size_t times, const char *md5, const char *sha256)
{
    creo_bytes *parts = (creo_bytes *)calloc(times, sizeof *parts);
    uint8_t digest[CREO_SHA256_SIZE];
    char shown[65];
    assert_non_null(parts);
    for (size_t i = 0; i < times; i++)
        parts[i] = creo_bytes_of(text, strlen(text));
    creo_md5(parts, times, digest);
    for (size_t i = 0; i < CREO_MD5_SIZE; i++)
        snprintf(shown + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(shown, md5);
    creo_sha256(parts, times, digest);
    for (size_t i = 0; i < CREO_SHA256_SIZE; i++)
        snprintf(shown + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(shown, sha256);
    free(parts);
}

/* RFC 1321, A.5, and FIPS 180. */
static void hashes(void **state)
{
    (void)state;
    assert_hash("", 1, "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hash("abc", 1, "900150983cd24fb0d6963f7d28e17f72", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_hash("1234567890", 8, "57edf4a22be3c955ac49da2e2107b67a", "f371bc4a311f2b009eef952dd83ca80e2b60026c8e935592d0f9c308453c813e");
    assert_hash("aaaaaaaaaa", 100000, "7707d6ae4e027c70eea2a935c2296f21", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Takes a challenge as if for a first request. */
static bool take(struct creo_digest *digest, const char *challenge)
{
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    size_t size = strlen(challenge);
    char *text = (char *)malloc(size + 1);
    assert_non_null(text);
    memcpy(text, challenge, size + 1);
    memset(digest, 0, sizeof *digest);
    bool again = creo_digest_take(digest, text, size, &arena);
    free(text);
    creo_arena_free(&arena);
    return again;
}

static void assert_line(struct creo_digest *digest, const char *user, const char *password, const char *part)
{
    creo_arena arena;
    creo_error error;
    creo_writer head;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_writer_init(&head, &arena, NULL, &error);
    assert_true(creo_digest_put(digest, "GET", user, password, creo_text("/dir/index.html"), &head) && creo_http_put(&head, "|"));
    char *line = creo_arena_text(&arena, (creo_string){(const char *)creo_writer_bytes(&head).data, creo_writer_bytes(&head).size});
    if (strstr(line, part) == NULL)
        fail_msg("%s is due in %s", part, line);
    creo_arena_free(&arena);
}

/* RFC 7616, section 3.9.1 */
static void published(void **state)
{
    (void)state;
#define PUBLISHED(algorithm) \
    "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=" algorithm \
    ", nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
    static const char cnonce[] = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
    struct creo_digest digest;
    assert_true(take(&digest, PUBLISHED("MD5")));
    memcpy(digest.cnonce, cnonce, sizeof cnonce);
    assert_line(&digest, "Mufasa", "Circle of Life",
                "uri=\"/dir/index.html\", response=\"8ca523f5e9506fed4657c9700eebdbec\", algorithm=MD5, opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", "
                "qop=auth, nc=00000001, cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\"\r\n|");
    assert_true(take(&digest, PUBLISHED("MD5") ", " PUBLISHED("SHA-256")));
    memcpy(digest.cnonce, cnonce, sizeof cnonce);
    assert_line(&digest, "Mufasa", "Circle of Life", "response=\"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1\", algorithm=SHA-256, ");
    /* RFC 2069, by its erratum 749. */
    assert_true(take(&digest, "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""));
    assert_line(&digest, "Mufasa", "CircleOfLife", "response=\"1949323746fe6a43ef61f9606e7febea\"\r\n|");
}

static void users(void **state)
{
    (void)state;
    struct creo_digest digest;
    assert_true(take(&digest, "digest REALM=\"a\\\"b\\\\c\", nonce=x, qop=AUTH, algorithm=md5-SESS"));
    assert_line(&digest, "m\"e", "p", "username=\"m\\\"e\", realm=\"a\\\"b\\\\c\", nonce=\"x\"");
    assert_line(&digest, "J\xC3\xA4s\xC3\xB8n *'%", "p", "username*=UTF-8''J%C3%A4s%C3%B8n%20%2A%27%25, ");
    assert_true(take(&digest, "Digest realm=a, nonce=x, userhash=true, qop=auth"));
    assert_line(&digest, "me", "p", ", userhash=true\r\n|");
    /* After the last number the nonce is forgotten. */
    digest.count = UINT32_MAX - 1;
    assert_line(&digest, "me", "p", "nc=ffffffff");
    assert_false(digest.known);
    assert_line(&digest, "me", "p", "|");
    assert_false(digest.shown);
}

static void hostile_challenges(void **state)
{
    (void)state;
    static char most[9000];
    static char many[8300];
    static char list[8193];
    struct creo_digest digest;
    const struct {
        const char *text;
        const char *why;
    } cases[] = {
        {"Digest realm=a, nonce=b, qop=auth-int", "qop=auth"},
        {"Digest realm=a, nonce=b, qop=\"\"", "qop=auth"},
        {"Digest realm=a, nonce=b, algorithm=SHA-512-256", "no algorithm"},
        {"Digest realm=a, nonce=b, algorithm=MD5-sess", "needs a qop"},
        {"Digest realm=a, nonce=b, REALM=c", "twice"},
        {"Digest realm=a", "no realm or no nonce"},
        {"Digest realm=a, nonce=\"\"", "no realm or no nonce"},
        {"Digest", "no realm or no nonce"},
        {"Digest abc==", "no realm or no nonce"},
        {"Digest realm=\"a\x01\", nonce=b", "control characters"},
        {"Digest realm=a, nonce=\"b\x7F\"", "control characters"},
        {"Digest realm=a, nonce=\"b\xC3\xA4\"", "ASCII"},
        {"Digest realm=\"\xFF\", nonce=b", "UTF-8"},
        {"Digest realm=\"a, nonce=b", "malformed"},
        {"Digest realm=\"a\\", "malformed"},
        {"Digest realm=\"a\"x, nonce=b", "malformed"},
        {"Digest realm=, nonce=b", "no realm or no nonce"},
        {"Digest nonce=b, realm=", "malformed"},
        {"Digest=a", "malformed"},
        {"Digest realm=a, nonce=b, =c", "malformed"},
        {"Digest realm=a, nonce=b\x02", "malformed"},
        {most, "more than 8,192 bytes"},
        {many, "more than 8,192 bytes"},
        {list, "twice"},
        {"Basic realm=x", NULL},
        {"Basic realm=\"x", NULL},
        {"Negotiate YWJj/+==", NULL},
        {"", NULL},
        {", ,", NULL},
    };
    memset(most, 'x', sizeof most - 1);
    memcpy(most, "Digest realm=", 13);
    for (size_t i = 0; i + 7 < sizeof many; i += 7)
        memcpy(many + i, "digest,", 7);
    memcpy(list, "Digest a=b", 10);
    for (size_t i = 10; i + 4 < sizeof list; i += 4)
        memcpy(list + i, ",a=b", 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(take(&digest, cases[i].text));
        assert_false(digest.known);
        if (cases[i].why == NULL ? digest.why != NULL : digest.why == NULL || strstr(digest.why, cases[i].why) == NULL)
            fail_msg("%.100s: %s", cases[i].text, digest.why == NULL ? "no reason" : digest.why);
    }
    /* One that cannot be used does not hide the others, nor do other schemes. */
    assert_true(take(&digest, "Negotiate, Basic realm=\"Digest x, nonce\", Digest realm=a, nonce=b, algorithm=x, Digest realm=a,nonce=c , Digest realm=a, nonce=d, algorithm=MD5"));
    assert_string_equal(digest.nonce, "c");
}

static void start_digest(fixture *f, const act *script)
{
    start(f, script);
    f->options.user = "me";
    f->options.password = "hunter2";
    f->options.digest = true;
}

static void calls(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST", 0},
                                 {SAY, CHALLENGE(SHA("a")), 0},
                                 {HEAR, USED("a", "00000001"), 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, USED("a", "00000002"), 0},
                                 /* The nonce is too old, or another one. */
                                 {SAY, CHALLENGE(SHA("b") ", stale=TRUE"), 0},
                                 {HEAR, USED("b", "00000001"), 0},
                                 {SAY, GOOD, 0},
                                 {HEAR, USED("b", "00000002"), 0},
                                 {SAY, CHALLENGE(SHA("c")), 0},
                                 {HEAR, USED("c", "00000001"), 0},
                                 /* A wrong password. */
                                 {SAY, CHALLENGE(SHA("d")), 0},
                                 {HEAR, "POST", 0},
                                 {SAY, CHALLENGE("Digest realm=r, nonce=e, qop=auth-int"), 0},
                                 CLOSES};
    fixture f;
    start_digest(&f, script);
    assert_adds(&f);
    assert_adds(&f);
    assert_fails(&f, CREO_UNAUTHENTICATED, "status 401");
    assert_null(strstr(f.error.message, "not possible"));
    assert_null(strstr(f.error.message, "hunter2"));
    assert_fails(&f, CREO_UNAUTHENTICATED, "digest authentication is not possible, since it does not offer qop=auth");
    assert_null(strstr(f.service.heard, "Authorization"));
    finish(&f);
}

/* At most two more requests, whatever the service says. */
static void endless(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST", 0},
                                 {SAY, CHALLENGE(SHA("a") ", stale=true"), 0},
                                 {HEAR, USED("a", "00000001"), 0},
                                 {SAY, CHALLENGE(SHA("a") ", stale=true"), 0},
                                 {HEAR, USED("a", "00000002"), 0},
                                 {SAY, CHALLENGE(SHA("b") ", stale=true"), 0},
                                 CLOSES};
    fixture f;
    start_digest(&f, script);
    assert_fails(&f, CREO_UNAUTHENTICATED, "status 401");
    finish(&f);
}

/* Neither to another origin, nor for what it asks. */
static void another_origin(void **state)
{
    (void)state;
    static const act there[] = {{ACCEPT, NULL, 0}, {HEAR, "POST /x", 0}, {SAY, CHALLENGE(SHA("z")), 0}, CLOSES};
    static const act here[] = {{ACCEPT, NULL, 0}, {HEAR, "POST", 0}, {SAY, CHALLENGE(SHA("a")), 0}, {HEAR, USED("a", "00000001"), 0}, {SAY, NULL, 0}, CLOSES};
    char redirect[200];
    act script[sizeof here / sizeof *here];
    server other;
    fixture f;
    server_start(&other, there);
    snprintf(redirect, sizeof redirect, "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:%u/x\r\nContent-Length: 0\r\n\r\n", (unsigned)other.port);
    memcpy(script, here, sizeof here);
    script[4].hex = redirect;
    start_digest(&f, script);
    f.options.redirects = 1;
    assert_fails(&f, CREO_UNAUTHENTICATED, "status 401");
    assert_null(strstr(other.heard, "Authorization"));
    assert_string_equal(f.client->digests->nonce, "a");
    finish(&f);
    server_join(&other);
}

static void wrong_options(void **state)
{
    (void)state;
    static const act none[] = {{END, NULL, 0}};
    fixture f;
    start_digest(&f, none);
    f.options.user = f.options.password = NULL;
    assert_fails(&f, CREO_INVALID_VALUE, "digest authentication needs a user and a password");
    f.options.bearer = "x";
    assert_fails(&f, CREO_INVALID_VALUE, "digest authentication needs a user and a password");
    f.options.user = f.options.password = "x";
    assert_fails(&f, CREO_INVALID_VALUE, "not by both");
    finish(&f);
}

/* A stream of results is asked for again. */
static void streams(void **state)
{
    (void)state;
    static const act script[] = {{ACCEPT, NULL, 0},
                                 {HEAR, "POST /feed/numbers HTTP/1.1\r\n", 0},
                                 {SAY, CHALLENGE(SHA("a")), 0},
                                 {HEAR, "uri=\"/feed/numbers\"", 0},
                                 {SAY, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{\"end\":true}\n\r\n0\r\n\r\n", 0},
                                 CLOSES};
    char url[60];
    fixture f;
    creo_stream stream;
    sample_feed_numbers_outcome next;
    start_digest(&f, script);
    creo_json_free(&f.json);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/feed", (unsigned)f.service.port);
    assert_true(creo_json_init(&f.json, url, &sample_feed_text, creo_allocator_libc(), &f.error));
    f.client->http = &f.options;
    assert_true(sample_feed_numbers(f.client, &stream, &f.error));
    assert_true(sample_feed_numbers_next(&stream, &f.arena, &next, &f.error));
    assert_int_equal(next.kind, SAMPLE_FEED_NUMBERS_END);
    creo_stream_close(&stream);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes), cmocka_unit_test(published), cmocka_unit_test(users), cmocka_unit_test(hostile_challenges), cmocka_unit_test(calls),
        cmocka_unit_test(endless), cmocka_unit_test(another_origin), cmocka_unit_test(wrong_options), cmocka_unit_test(streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
