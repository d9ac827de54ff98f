/* Digest authentication (HTTP-48 to HTTP-51). */
#include "http_digest.h"

#include "../base/utf8.h"
#include "../buffer/copy.h"
#include "fresh.h"
#include "hash.h"

#include <stdio.h>

#define MAX_LIST 8192

bool creo_digest_begin(creo_http_call *call)
{
    creo_client *client = call->client;
    call->digest = NULL;
    if (client->http == NULL || !client->http->digest)
        return true;
    struct creo_digest *at = client->digests;
    while (at != NULL && (at->port != client->port || strcmp(at->host, client->host) != 0))
        at = at->next;
    if (at == NULL) {
        at = (struct creo_digest *)client->allocator.allocate(client->allocator.context, sizeof *at);
        if (at == NULL)
            return creo_fail(call->error, CREO_TOO_LARGE, "the allocator has no memory left for a challenge");
        memset(at, 0, sizeof *at);
        at->next = client->digests;
        memcpy(at->host, client->host, sizeof at->host);
        at->port = client->port;
        client->digests = at;
    }
    at->shown = at->asked = at->refused = at->again = false;
    at->once = call->body->chunked;
    at->why = NULL;
    call->digest = at;
    return true;
}

void creo_digest_forget(creo_client *client, const char *host, uint16_t port)
{
    struct creo_digest **link = &client->digests;
    while (*link != NULL) {
        struct creo_digest *at = *link;
        if (host != NULL && (at->port != port || strcmp(at->host, host) != 0)) {
            link = &at->next;
            continue;
        }
        *link = at->next;
        creo_wipe(at, sizeof *at);
        client->allocator.release(client->allocator.context, at, sizeof *at);
    }
}

/*
 * Challenges (HTTP-49).
 */

static const char malformed[] = "its challenges are malformed";

typedef struct challenge_text {
    char *at;
    char *end;
    /* The parameters of the current challenge. */
    creo_pair *list;
    size_t count;
} challenge_text;

typedef struct challenge {
    creo_string realm;
    creo_string nonce;
    creo_string opaque;
    creo_string algorithm;
    bool sha256;
    bool session;
    bool qop;
    bool userhash;
    bool stale;
} challenge;

static bool challenge_is(const challenge_text *in, char c)
{
    return in->at < in->end && *in->at == c;
}

static void challenge_space(challenge_text *in)
{
    while (challenge_is(in, ' ') || challenge_is(in, '\t'))
        in->at++;
}

static bool challenge_token(challenge_text *in, creo_string *token)
{
    *token = (creo_string){in->at, 0};
    while (in->at < in->end && creo_http_is_token((uint8_t)*in->at))
        in->at++;
    token->size = (size_t)(in->at - token->data);
    return token->size != 0;
}

/* Whether the text is one of credentials without names, up to a comma. */
static bool challenge_token68(challenge_text *in)
{
    char *start = in->at;
    while (in->at < in->end && *in->at != '=' && (creo_http_is_token((uint8_t)*in->at) || *in->at == '/') && strchr("!#$%&'*^`|", *in->at) == NULL)
        in->at++;
    char *body = in->at;
    while (challenge_is(in, '='))
        in->at++;
    char *end = in->at;
    challenge_space(in);
    bool is = body != start && (in->at == in->end || *in->at == ',');
    in->at = is ? end : start;
    return is;
}

/* An equals sign, and a token or a quoted string, which loses its backslashes in place. */
static bool challenge_parameter(challenge_text *in, creo_string name)
{
    creo_string value;
    if (!challenge_is(in, '='))
        return false;
    in->at++;
    challenge_space(in);
    if (!challenge_is(in, '"')) {
        if (!challenge_token(in, &value))
            return false;
    } else {
        char *to = ++in->at;
        value.data = to;
        while (!challenge_is(in, '"')) {
            in->at += challenge_is(in, '\\') ? 1 : 0;
            if (in->at >= in->end)
                return false;
            *to++ = *in->at++;
        }
        in->at++;
        value.size = (size_t)(to - value.data);
    }
    in->list[in->count++] = (creo_pair){name, value};
    return true;
}

static bool same_name(creo_string a, creo_string b)
{
    bool same = a.size == b.size;
    for (size_t i = 0; same && i < a.size; i++) {
        uint8_t pair[2] = {(uint8_t)a.data[i], (uint8_t)b.data[i]};
        creo_http_lower(pair, 2);
        same = pair[0] == pair[1];
    }
    return same;
}

static creo_string challenge_value(const challenge_text *in, const char *name)
{
    for (size_t i = 0; i < in->count; i++)
        if (creo_http_same(in->list[i].key, name))
            return in->list[i].value;
    return (creo_string){NULL, 0};
}

static bool is_challenge_text(creo_string text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((uint8_t)text.data[i] < 0x20 || text.data[i] == 0x7F)
            return false;
    return text.size <= CREO_MAX_CHALLENGE;
}

static bool is_ascii(creo_string text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((uint8_t)text.data[i] > 0x7F)
            return false;
    return true;
}

static bool has_auth(creo_string list)
{
    bool found = false;
    while (list.size > 0) {
        const char *comma = (const char *)memchr(list.data, ',', list.size);
        size_t size = comma == NULL ? list.size : (size_t)(comma - list.data);
        found = found || creo_http_same(creo_http_trim((creo_string){list.data, size}), "auth");
        size += comma != NULL;
        list = (creo_string){list.data + size, list.size - size};
    }
    return found;
}

/* NULL, or why a challenge cannot be used. */
static const char *read_challenge(const challenge_text *in, challenge *into)
{
    for (size_t i = 0; i < in->count; i++)
        for (size_t j = 0; j < i; j++)
            if (same_name(in->list[i].key, in->list[j].key))
                return "its challenge has a parameter twice";
    creo_string qop = challenge_value(in, "qop");
    *into = (challenge){challenge_value(in, "realm"), challenge_value(in, "nonce"), challenge_value(in, "opaque"), challenge_value(in, "algorithm"),
                        false, false, qop.data != NULL, creo_http_same(challenge_value(in, "userhash"), "true"), creo_http_same(challenge_value(in, "stale"), "true")};
    if (!is_challenge_text(into->realm))
        return "the realm of its challenge has more than 1,024 bytes, or control characters";
    if (!is_challenge_text(into->nonce))
        return "the nonce of its challenge has more than 1,024 bytes, or control characters";
    if (!is_challenge_text(into->opaque))
        return "the opaque of its challenge has more than 1,024 bytes, or control characters";
    if (into->realm.data == NULL || into->nonce.size == 0)
        return "its challenge has no realm or no nonce";
    if (!is_ascii(into->nonce) || !is_ascii(into->opaque))
        return "its challenge has a nonce or an opaque that is not ASCII";
    into->session = creo_http_same(into->algorithm, "md5-sess") || creo_http_same(into->algorithm, "sha-256-sess");
    into->sha256 = creo_http_same(into->algorithm, "sha-256") || creo_http_same(into->algorithm, "sha-256-sess");
    if (into->algorithm.data != NULL && !into->session && !into->sha256 && !creo_http_same(into->algorithm, "md5"))
        return "it offers no algorithm of MD5, MD5-sess, SHA-256 and SHA-256-sess";
    if (into->qop && !has_auth(qop))
        return "it does not offer qop=auth, the only one that clients know";
    if (into->session && !into->qop)
        return "an algorithm with -sess needs a qop";
    return creo_utf8_valid(into->realm.data, into->realm.size) ? NULL : "the realm of its challenge is not UTF-8";
}

typedef struct challenge_choice {
    challenge best;
    bool found;
    const char *why;
} challenge_choice;

/* The current challenge is complete. */
static void consider(challenge_text *in, bool digest, challenge_choice *choice)
{
    challenge next;
    if (!digest)
        return;
    const char *why = read_challenge(in, &next);
    if (why != NULL) {
        choice->why = choice->why == NULL ? why : choice->why;
    } else if (!choice->found || (next.sha256 && !choice->best.sha256)) {
        choice->best = next;
        choice->found = true;
    }
}

/* Reads all challenges (RFC 9110, section 11.6.1). False: they are malformed. */
static bool read_challenges(challenge_text *in, challenge_choice *choice)
{
    bool begun = false;
    bool digest = false;
    for (;;) {
        creo_string name;
        while (challenge_is(in, ',') || challenge_is(in, ' ') || challenge_is(in, '\t'))
            in->at++;
        if (in->at == in->end)
            break;
        if (!challenge_token(in, &name))
            return false;
        const char *end = in->at;
        challenge_space(in);
        if (begun && challenge_is(in, '=')) {
            if (!challenge_parameter(in, name))
                return false;
        } else {
            consider(in, digest, choice);
            begun = true;
            digest = creo_http_same(name, "digest");
            in->count = 0;
            if (in->at > end && in->at < in->end && *in->at != ',' && !challenge_token68(in)) {
                if (!challenge_token(in, &name))
                    return false;
                challenge_space(in);
                if (!challenge_parameter(in, name))
                    return false;
            }
        }
        challenge_space(in);
        if (in->at < in->end && *in->at != ',')
            return false;
    }
    consider(in, digest, choice);
    return true;
}

static bool names_digest(const char *text, size_t size)
{
    for (size_t i = 0; i + 6 <= size; i++)
        if (creo_http_same((creo_string){text + i, 6}, "digest"))
            return true;
    return false;
}

static void keep_text(char *into, creo_string text)
{
    if (text.size != 0)
        memcpy(into, text.data, text.size);
    into[text.size] = 0;
}

static void keep_challenge(struct creo_digest *digest, const challenge *next)
{
    if (!digest->known || !creo_string_is(next->nonce, digest->nonce)) {
        digest->count = 0;
        digest->cnonce[0] = 0;
    }
    digest->known = true;
    digest->sha256 = next->sha256;
    digest->session = next->session;
    digest->qop = next->qop;
    digest->userhash = next->userhash;
    digest->has_opaque = next->opaque.data != NULL;
    keep_text(digest->realm, next->realm);
    keep_text(digest->nonce, next->nonce);
    keep_text(digest->opaque, next->opaque);
    keep_text(digest->algorithm, next->algorithm);
}

static bool leads_on(struct creo_digest *digest, const challenge *next)
{
    bool first;
    if (!digest->shown) {
        first = !digest->asked;
        digest->asked = true;
        return first;
    }
    first = !digest->refused;
    digest->refused = true;
    return first && (next->stale || (!digest->asked && !creo_string_is(next->nonce, digest->nonce)));
}

bool creo_digest_take(struct creo_digest *digest, char *text, size_t size, creo_arena *arena)
{
    challenge_choice choice;
    memset(&choice, 0, sizeof choice);
    bool named = names_digest(text, size);
    /* The smallest parameter has three bytes, and a comma before the next. */
    challenge_text in = {text, text + size, NULL, 0};
    if (named && size > MAX_LIST) {
        choice.why = "its challenges have more than 8,192 bytes";
    } else if (named) {
        in.list = (creo_pair *)creo_arena_take_zeroed(arena, size / 4 + 1, sizeof *in.list);
        if (in.list == NULL)
            choice.why = "the allocator has no memory left for its challenges";
        else if (!read_challenges(&in, &choice)) {
            choice.found = false;
            choice.why = malformed;
        }
    }
    bool again = choice.found && leads_on(digest, &choice.best);
    digest->why = choice.found ? NULL : choice.why;
    if (again)
        keep_challenge(digest, &choice.best);
    else if (digest->shown)
        digest->known = false;
    return again;
}

bool creo_digest_asks(const creo_http_call *call, const creo_http_answer *answer)
{
    struct creo_digest *digest = call->digest;
    creo_arena *arena = &call->client->arena;
    size_t size = 0;
    if (digest == NULL)
        return false;
    digest->again = false;
    if (answer->status != 401 || call->left)
        return false;
    for (size_t i = 0; i < answer->header_count; i++)
        if (creo_string_is(answer->headers[i].key, "www-authenticate"))
            size += answer->headers[i].value.size + 2;
    char *text = (char *)creo_arena_bytes(arena, size + 1);
    if (text == NULL) {
        digest->why = "the allocator has no memory left for its challenges";
        return false;
    }
    size = 0;
    for (size_t i = 0; i < answer->header_count; i++) {
        if (!creo_string_is(answer->headers[i].key, "www-authenticate"))
            continue;
        if (size != 0) {
            text[size++] = ',';
            text[size++] = ' ';
        }
        if (answer->headers[i].value.size != 0)
            memcpy(text + size, answer->headers[i].value.data, answer->headers[i].value.size);
        size += answer->headers[i].value.size;
    }
    digest->again = creo_digest_take(digest, text, size, arena);
    if (digest->again && digest->once) {
        digest->again = false;
        digest->why = "items of the call's stream may be gone; the next call has credentials";
    }
    return digest->again;
}

bool creo_digest_repeats(const creo_http_call *call)
{
    creo_client *client = call->client;
    if (call->digest == NULL || !call->digest->again)
        return false;
    call->digest->again = false;
    /* Its answer says that the last request was not executed, and is none of the call. */
    client->sent = client->answered = false;
    memset(&client->answer, 0, sizeof client->answer);
    return true;
}

const char *creo_digest_problem(const creo_http_call *call)
{
    return call->digest == NULL || call->left ? NULL : call->digest->why;
}

/*
 * Credentials (HTTP-50).
 */

#define HEX_SIZE (2 * CREO_SHA256_SIZE + 1)

static void put_hex(char *into, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        into[2 * i] = digits[bytes[i] >> 4];
        into[2 * i + 1] = digits[bytes[i] & 15];
    }
    into[2 * size] = 0;
}

/* The hash of up to six texts with colons between them. */
static void hash_texts(const struct creo_digest *digest, char into[HEX_SIZE], const creo_string *texts, size_t count)
{
    creo_bytes parts[12];
    uint8_t hash[CREO_SHA256_SIZE];
    for (size_t i = 0; i < count; i++) {
        parts[2 * i] = creo_bytes_of(texts[i].data, texts[i].size);
        parts[2 * i + 1] = creo_bytes_of(":", 1);
    }
    if (digest->sha256)
        creo_sha256(parts, 2 * count - 1, hash);
    else
        creo_md5(parts, 2 * count - 1, hash);
    put_hex(into, hash, digest->sha256 ? CREO_SHA256_SIZE : CREO_MD5_SIZE);
    creo_wipe(hash, sizeof hash);
}

static bool put_parameter(creo_writer *head, const char *name, creo_string text)
{
    bool done = creo_http_put(head, name) && creo_http_put(head, "=\"");
    for (size_t i = 0; done && i < text.size; i++)
        done = ((text.data[i] != '"' && text.data[i] != '\\') || creo_http_put(head, "\\")) && creo_write_raw(head, creo_bytes_of(text.data + i, 1));
    return done && creo_http_put(head, "\"");
}

/* RFC 8187 */
static bool put_extended(creo_writer *head, const char *user)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~";
    bool done = creo_http_put(head, "username*=UTF-8''");
    for (const char *at = user; done && *at != 0; at++) {
        char text[4] = {*at, 0, 0, 0};
        if (strchr(plain, *at) == NULL)
            (void)snprintf(text, sizeof text, "%%%02X", (unsigned)(uint8_t)*at);
        done = creo_http_put(head, text);
    }
    return done;
}

static bool put_user(const struct creo_digest *digest, const char *user, creo_writer *head)
{
    const creo_string texts[] = {creo_text(user), creo_text(digest->realm)};
    char hash[HEX_SIZE];
    if (digest->userhash) {
        hash_texts(digest, hash, texts, 2);
        return put_parameter(head, "username", creo_text(hash));
    }
    return is_challenge_text(texts[0]) && is_ascii(texts[0]) ? put_parameter(head, "username", texts[0]) : put_extended(head, user);
}

bool creo_digest_put(struct creo_digest *digest, const char *method, const char *user, const char *password, creo_string target, creo_writer *head)
{
    char secret[HEX_SIZE];
    char request[HEX_SIZE];
    char response[HEX_SIZE];
    char nc[9];
    digest->shown = digest->known;
    if (!digest->known)
        return true;
    if (digest->cnonce[0] == 0) {
        uint8_t random[16];
        if (!creo_random(random, sizeof random, head->error))
            return false;
        put_hex(digest->cnonce, random, sizeof random);
    }
    digest->known = ++digest->count != UINT32_MAX;
    (void)snprintf(nc, sizeof nc, "%08lx", (unsigned long)digest->count);
    const creo_string nonce = creo_text(digest->nonce);
    const creo_string cnonce = creo_text(digest->cnonce);
    const creo_string first[] = {creo_text(user), creo_text(digest->realm), creo_text(password)};
    hash_texts(digest, secret, first, 3);
    if (digest->session) {
        const creo_string session[] = {creo_text(secret), nonce, cnonce};
        hash_texts(digest, response, session, 3);
        memcpy(secret, response, sizeof secret);
    }
    const creo_string what[] = {creo_text(method), target};
    hash_texts(digest, request, what, 2);
    const creo_string with_qop[] = {creo_text(secret), nonce, creo_text(nc), cnonce, creo_text("auth"), creo_text(request)};
    const creo_string without[] = {creo_text(secret), nonce, creo_text(request)};
    hash_texts(digest, response, digest->qop ? with_qop : without, digest->qop ? 6 : 3);
    creo_wipe(secret, sizeof secret);
    return creo_http_put(head, "Authorization: Digest ") && put_user(digest, user, head) && put_parameter(head, ", realm", creo_text(digest->realm)) &&
           put_parameter(head, ", nonce", nonce) && put_parameter(head, ", uri", target) && put_parameter(head, ", response", creo_text(response)) &&
           (digest->algorithm[0] == 0 || (creo_http_put(head, ", algorithm=") && creo_http_put(head, digest->algorithm))) &&
           (!digest->has_opaque || put_parameter(head, ", opaque", creo_text(digest->opaque))) &&
           (!digest->qop || (creo_http_put(head, ", qop=auth, nc=") && creo_http_put(head, nc) && put_parameter(head, ", cnonce", cnonce))) &&
           (!digest->userhash || creo_http_put(head, ", userhash=true")) && creo_http_put(head, "\r\n");
}
