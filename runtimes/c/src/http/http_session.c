/* Credentials and cookies of a client (HTTP-43, HTTP-46 to HTTP-48). */
#include "http_session.h"

#include "../base/utf8.h"
#include "http_cookies.h"
#include "http_digest.h"

#include <stdio.h>
#include <time.h>

#define MAX_CREDENTIAL 1024
#define MAX_TOKEN 8192

/* Whether a text is UTF-8 of so many characters, none of which is for control. */
static bool can_identify(const char *text, bool colons)
{
    size_t size = strlen(text);
    size_t count = 0;
    if (size > (size_t)4 * MAX_CREDENTIAL || !creo_utf8_valid(text, size))
        return false;
    for (size_t i = 0; i < size; i++) {
        uint8_t c = (uint8_t)text[i];
        if (c < 0x20 || c == 0x7F || (c == 0xC2 && (uint8_t)text[i + 1] < 0xA0) || (!colons && c == ':'))
            return false;
        count += (c & 0xC0) != 0x80;
    }
    return count <= MAX_CREDENTIAL;
}

static bool is_bearer_token(const char *token)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/";
    size_t size = strspn(token, letters);
    size_t all = size + strspn(token + size, "=");
    return size != 0 && all <= MAX_TOKEN && token[all] == 0;
}

/* Whether what is sent to the host stays on this machine. */
static bool is_loopback(const char *host)
{
    if (creo_http_same(creo_text(host), "localhost") || strcmp(host, "::1") == 0)
        return true;
    if (strncmp(host, "127.", 4) != 0)
        return false;
    host += 4;
    for (int i = 0; i < 3; i++) {
        size_t digits = strspn(host, "0123456789");
        if (digits == 0 || digits > 3 || host[digits] != (i < 2 ? '.' : 0))
            return false;
        host += digits + (i < 2 ? 1 : 0);
    }
    return true;
}

/* The errors do not show credentials. */
bool creo_http_check_options(const creo_client *client, bool tls, creo_error *error)
{
    const creo_http_options *options = client->http;
    if (options == NULL)
        return true;
    bool basic = options->user != NULL || options->password != NULL;
    bool in_clear = (basic && !options->digest) || options->bearer != NULL;
    if (options->redirects > CREO_MAX_REDIRECTS)
        return creo_fail(error, CREO_INVALID_VALUE, "a client follows at most %d redirects, not %u", CREO_MAX_REDIRECTS, options->redirects);
    if (basic && options->bearer != NULL)
        return creo_fail(error, CREO_INVALID_VALUE, "a client identifies its caller by a user or by a bearer token, not by both");
    if (basic && (options->user == NULL || options->password == NULL || !can_identify(options->user, false) || !can_identify(options->password, true)))
        return creo_fail(error, CREO_INVALID_VALUE, "a user and a password have at most %d characters and no control characters, and a user no colon", MAX_CREDENTIAL);
    if (options->bearer != NULL && !is_bearer_token(options->bearer))
        return creo_fail(error, CREO_INVALID_VALUE, "a bearer token is 1 to %d letters, digits and -._~+/, with = at its end", MAX_TOKEN);
    if (options->digest && !basic)
        return creo_fail(error, CREO_INVALID_VALUE, "digest authentication needs a user and a password");
    if (in_clear && !tls && !is_loopback(client->host))
        return creo_fail(error, CREO_INVALID_VALUE,
                         "credentials go to https:// or to the own host only: what is meant to be sent in clear is the header Authorization of the client");
    return true;
}

bool creo_http_is_option(const creo_client *client, creo_string name)
{
    const creo_http_options *options = client->http;
    if (options == NULL)
        return false;
    return ((options->user != NULL || options->bearer != NULL) && creo_http_same(name, "authorization")) || (options->cookies && creo_http_same(name, "cookie"));
}

static bool put_credentials(const creo_http_call *call, creo_writer *head)
{
    creo_client *client = call->client;
    const creo_http_options *options = client->http;
    if (call->digest != NULL)
        return creo_digest_put(call->digest, "POST", options->user, options->password, call->target, head);
    if (options->user != NULL)
        return creo_http_put_basic(client, head, "Authorization", options->user, options->password);
    if (options->bearer == NULL)
        return true;
    client->arena.secret = true;
    return creo_http_put(head, "Authorization: Bearer ") && creo_http_put(head, options->bearer) && creo_http_put(head, "\r\n");
}

/* The path of the request, without its query. */
static creo_string path_of(const creo_http_call *call)
{
    const char *query = (const char *)memchr(call->target.data, '?', call->target.size);
    return (creo_string){call->target.data, query == NULL ? call->target.size : (size_t)(query - call->target.data)};
}

bool creo_http_put_session(const creo_http_call *call, creo_writer *head)
{
    creo_client *client = call->client;
    if (client->http == NULL)
        return true;
    if (!put_credentials(call, head))
        return false;
    if (!client->http->cookies)
        return true;
    struct creo_cookies *cookies = creo_cookies_open(client, head->error);
    return cookies != NULL && creo_cookies_put(cookies, path_of(call), (int64_t)time(NULL), head);
}

void creo_http_take_cookies(const creo_http_call *call, const creo_http_answer *answer)
{
    creo_client *client = call->client;
    if (client->http == NULL || !client->http->cookies || call->left)
        return;
    /* The request has made room for them. */
    struct creo_cookies *cookies = creo_cookies_open(client, NULL);
    for (size_t i = 0; cookies != NULL && i < answer->header_count; i++)
        if (creo_string_is(answer->headers[i].key, "set-cookie"))
            creo_cookies_take(cookies, call->place->tls, path_of(call), answer->headers[i].value, (int64_t)time(NULL));
}
