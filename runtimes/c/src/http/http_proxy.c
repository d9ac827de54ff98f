/* Proxies (HTTP-21). */
#include "../base/utf8.h"
#include "../text/text_values.h"
#include "http_call.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_HOST 255
#define MAX_CREDENTIAL 1024

/* Whether bytes are printable ASCII without spaces. */
static bool is_visible(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] <= ' ' || text[i] >= 0x7F)
            return false;
    return true;
}

static bool is_credential(const char *text, bool colons)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < size; i++)
        if ((uint8_t)text[i] < 0x20 || text[i] == 0x7F || (!colons && text[i] == ':'))
            return false;
    return size <= MAX_CREDENTIAL && creo_utf8_valid(text, size);
}

/* The errors do not show credentials. */
bool creo_http_check_proxy(const creo_client *client, creo_error *error)
{
    const creo_proxy *proxy = creo_client_proxy(client);
    if (proxy == NULL)
        return true;
    if (!creo_host_valid(proxy->host))
        return creo_fail(error, CREO_INVALID_VALUE, "the host of a proxy is a name or an address");
    if (proxy->port == 0)
        return creo_fail(error, CREO_INVALID_VALUE, "the port of a proxy is 1 to 65535");
    bool both = (proxy->user == NULL) == (proxy->password == NULL);
    if (!both || (proxy->user != NULL && (!is_credential(proxy->user, false) || !is_credential(proxy->password, true))))
        return creo_fail(error, CREO_INVALID_VALUE, "user and password of a proxy have no control characters, and the user no colon");
    return true;
}

bool creo_http_name_proxy(const creo_client *client, creo_error *error)
{
    const creo_proxy *proxy = creo_client_proxy(client);
    if (proxy == NULL || error == NULL)
        return false;
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, " (through the proxy %s, port %u)", proxy->host, (unsigned)proxy->port);
    return false;
}

bool creo_http_put_basic(creo_client *client, creo_writer *head, const char *name, const char *user, const char *password)
{
    client->arena.secret = true;
    size_t size = strlen(user) + 1 + strlen(password);
    char *plain = (char *)creo_arena_bytes(&client->arena, size + 1);
    char *coded = (char *)creo_arena_bytes(&client->arena, size / 3 * 4 + 4);
    if (plain == NULL || coded == NULL)
        return creo_fail(head->error, CREO_TOO_LARGE, "the allocator has no memory left for the request");
    (void)snprintf(plain, size + 1, "%s:%s", user, password);
    char *end = creo_put_base64(coded, creo_bytes_of(plain, size));
    return creo_http_put(head, name) && creo_http_put(head, ": Basic ") && creo_write_raw(head, creo_bytes_of(coded, (size_t)(end - coded))) &&
           creo_http_put(head, "\r\n");
}

bool creo_http_put_proxy_authorization(creo_client *client, creo_writer *head)
{
    const creo_proxy *proxy = creo_client_proxy(client);
    return proxy == NULL || proxy->user == NULL || creo_http_put_basic(client, head, "Proxy-Authorization", proxy->user, proxy->password);
}

bool creo_http_tunnel(creo_client *client, const creo_http_place *place, creo_instant until, creo_error *error)
{
    if (!place->tls)
        return true;
    char target[CREO_HTTP_HOST_SIZE];
    char reason[200];
    char challenge[320];
    creo_http_answer answer;
    creo_writer head;
    creo_http_host(client, target);
    creo_writer_init(&head, &client->arena, NULL, error);
    if (!creo_http_check_proxy(client, error) || !creo_http_put(&head, "CONNECT ") || !creo_http_put(&head, target) || !creo_http_put(&head, " HTTP/1.1\r\nHost: ") ||
        !creo_http_put(&head, target) || !creo_http_put(&head, "\r\n") || !creo_http_put_proxy_authorization(client, &head) || !creo_http_put(&head, "\r\n"))
        return false;
    /* The io begins inside the tunnel. */
    bool has_io = client->has_io;
    client->has_io = false;
    bool done = creo_http_exchange_heads(client, creo_writer_bytes(&head), until, &answer, error);
    client->has_io = has_io;
    if (!done)
        return false;
    if (answer.status >= 200 && answer.status < 300)
        return true;
    creo_text_show(reason, sizeof reason, creo_http_begin_of(answer.reason));
    creo_text_show(challenge, sizeof challenge, creo_http_begin_of(answer.challenge));
    (void)creo_fail(error, creo_http_code_of_status(answer.status), "no tunnel to %s was opened: status %d%s%s%s%s", target, answer.status, reason[0] == 0 ? "" : " ", reason,
                    challenge[0] == 0 ? "" : answer.status == 401 ? "; WWW-Authenticate: " : "; Proxy-Authenticate: ", challenge);
    if (error != NULL)
        error->from_peer = true;
    return false;
}

/*
 * The environment.
 */

static const char *variable(const char *name, const char *other)
{
    const char *text = getenv(name);
    if ((text == NULL || *text == 0) && other != NULL)
        text = getenv(other);
    return text == NULL || *text == 0 ? NULL : text;
}

/* Whether an entry of a list, such as `.example.org` or `example.org:8080`, is the host or its domain. */
static bool is_listed(creo_string entry, creo_string host, uint16_t port)
{
    char text[16];
    (void)snprintf(text, sizeof text, ":%u", (unsigned)port);
    size_t behind = strlen(text);
    if (entry.size > behind && memcmp(entry.data + entry.size - behind, text, behind) == 0)
        entry.size -= behind;
    if (entry.size > 1 && entry.data[0] == '[' && entry.data[entry.size - 1] == ']')
        entry = (creo_string){entry.data + 1, entry.size - 2};
    if (entry.size > 0 && entry.data[0] == '.')
        entry = (creo_string){entry.data + 1, entry.size - 1};
    char name[MAX_HOST + 1];
    if (entry.size == 0 || entry.size > host.size || entry.size > MAX_HOST)
        return false;
    (void)snprintf(name, sizeof name, "%.*s", (int)entry.size, entry.data);
    size_t before = host.size - entry.size;
    return creo_http_same((creo_string){host.data + before, entry.size}, name) && (before == 0 || host.data[before - 1] == '.');
}

static bool is_bypassed(const char *list, creo_string host, uint16_t port)
{
    while (list != NULL && *list != 0) {
        list += strspn(list, ", \t");
        creo_string entry = {list, strcspn(list, ", \t")};
        if (creo_string_is(entry, "*") || is_listed(entry, host, port))
            return true;
        list += entry.size;
    }
    return false;
}

/* A part of a URL with its percent escapes decoded, in the arena; NULL if one is invalid or there is no memory. */
static const char *unescaped(creo_string text, creo_arena *arena)
{
    char *to = (char *)creo_arena_bytes(arena, text.size + 1);
    size_t size = 0;
    for (size_t i = 0; to != NULL && i < text.size; i++) {
        unsigned high = text.data[i] == '%' && text.size - i > 2 ? creo_hex_digit(text.data[i + 1]) : 16;
        unsigned low = high == 16 ? 16 : creo_hex_digit(text.data[i + 2]);
        if (text.data[i] == '%' && (low == 16 || high + low == 0))
            return NULL;
        to[size++] = text.data[i] == '%' ? (char)(high * 16 + low) : text.data[i];
        i += text.data[i] == '%' ? 2 : 0;
    }
    if (to != NULL)
        to[size] = 0;
    return to;
}

/* The message does not show the text, which may contain a password. */
static bool wrong_variable(creo_error *error, bool tls)
{
    return creo_fail(error, CREO_INVALID_VALUE, "%s of the environment is no URL like http://user:password@host:port", tls ? "https_proxy" : "http_proxy");
}

bool creo_proxy_from_environment(creo_proxy *proxy, const char *url, creo_arena *arena, creo_error *error)
{
    memset(proxy, 0, sizeof *proxy);
    creo_string host;
    bool tls = strncmp(url, "https://", 8) == 0;
    uint16_t port = tls ? 443 : 80;
    const char *at = url + (tls ? 8 : 7);
    if ((!tls && strncmp(url, "http://", 7) != 0) || !creo_http_authority(at, strcspn(at, "/?#"), &host, &port))
        return creo_fail(error, CREO_INVALID_VALUE, "this is no URL like http://host:port/path");
    /* HTTP_PROXY may come from a request's header, set by a gateway. */
    const char *text = tls ? variable("https_proxy", "HTTPS_PROXY") : variable("http_proxy", NULL);
    if (text == NULL || is_bypassed(variable("no_proxy", "NO_PROXY"), host, port))
        return true;
    const char *scheme = strstr(text, "://");
    if (scheme != NULL && strncmp(text, "http://", 7) != 0)
        return wrong_variable(error, tls);
    text += scheme == NULL ? 0 : 7;
    size_t size = strcspn(text, "/?#");
    if (!is_visible(text, strlen(text)) || (text[size] != 0 && strcmp(text + size, "/") != 0))
        return wrong_variable(error, tls);
    const char *user = NULL;
    const char *password = NULL;
    size_t behind = size;
    while (behind > 0 && text[behind - 1] != '@')
        behind--;
    if (behind > 0) {
        const char *colon = (const char *)memchr(text, ':', behind - 1);
        size_t user_size = colon == NULL ? behind - 1 : (size_t)(colon - text);
        user = unescaped((creo_string){text, user_size}, arena);
        password = unescaped(colon == NULL ? creo_text("") : (creo_string){colon + 1, behind - user_size - 2}, arena);
        if (user == NULL || password == NULL || !is_credential(user, false) || !is_credential(password, true))
            return wrong_variable(error, tls);
    }
    port = 80;
    if (!creo_http_authority(text + behind, size - behind, &host, &port))
        return wrong_variable(error, tls);
    const char *name = creo_arena_text(arena, host);
    if (name == NULL)
        return creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the proxy");
    *proxy = (creo_proxy){name, port, user, password};
    return true;
}
