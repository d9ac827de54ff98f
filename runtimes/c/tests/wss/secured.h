/* Shared by the tests of the module wss: keys, messages, and securities. */
#ifndef SECURED_H
#define SECURED_H

#include "check.h"

#include <creo/wss.h>

#define KEYS "tests/wss/keys/"
#define KEY(name) {KEYS name ".key.pem", {NULL, 0}}
#define CRT(name) {KEYS name ".crt.pem", {NULL, 0}}
#define OWN(name) {KEY(name), CRT(name), NULL}

#define S11 "http://schemas.xmlsoap.org/soap/envelope/"
#define S12 "http://www.w3.org/2003/05/soap-envelope"
#define DSIG "http://www.w3.org/2000/09/xmldsig#"
#define EXCLUSIVE "http://www.w3.org/2001/10/xml-exc-c14n#"
#define MORE "http://www.w3.org/2001/04/xmldsig-more#"
#define WSSE "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define WSU "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
#define ADDRESSING "http://www.w3.org/2005/08/addressing"

#define BODY "<n:say xmlns:n=\"urn:n\"><n:text>Gr\xC3\xBC\xC3\x9F" "e &amp; \xE2\x82\xAC" "5\xF0\x9F\x98\x80</n:text></n:say>"
#define ENVELOPE(space, header, body) "<soap:Envelope xmlns:soap=\"" space "\">" header "<soap:Body>" body "</soap:Body></soap:Envelope>"
#define PLAIN ENVELOPE(S11, "", BODY)

/* A security, an arena for its messages, and the last error. */
typedef struct secured {
    creo_wss *wss;
    creo_arena arena;
    creo_error error;
} secured;

static inline void secured_start(secured *s, const creo_wss_options *options)
{
    memset(s, 0, sizeof *s);
    creo_arena_init(&s->arena, creo_allocator_libc());
    s->wss = creo_wss_new(options, &s->error);
    if (s->wss == NULL)
        fail_msg("%s", s->error.message);
}

static inline void secured_end(secured *s)
{
    creo_wss_free(s->wss);
    creo_arena_free(&s->arena);
}

/* A text on the heap, in exact size, for the sanitizer. */
static inline creo_bytes exact_text(const char *text, size_t size)
{
    char *copy = (char *)malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    memcpy(copy, text, size);
    return creo_bytes_of(copy, size);
}

static inline bool secured_receive(secured *s, creo_bytes answer, creo_bytes *envelope)
{
    const creo_soap_security *security = creo_wss_security(s->wss);
    return security->receive(security->context, answer, creo_text(""), &s->arena, envelope, &s->error);
}

/* A secured message, zero-terminated, to be freed. */
static inline char *secured_send(secured *s, const char *envelope)
{
    const creo_soap_security *security = creo_wss_security(s->wss);
    creo_bytes sent;
    creo_bytes given = exact_text(envelope, strlen(envelope));
    if (!security->send(security->context, given, &s->arena, &sent, &s->error))
        fail_msg("%s", s->error.message);
    char *text = (char *)malloc(sent.size + 1);
    assert_non_null(text);
    memcpy(text, sent.data, sent.size);
    text[sent.size] = 0;
    release(given);
    return text;
}

/* The same by options that are used once. */
static inline char *sent_by(const creo_wss_options *options, const char *envelope)
{
    secured s;
    secured_start(&s, options);
    char *text = secured_send(&s, envelope);
    secured_end(&s);
    return text;
}

/* Takes the ids of the body, with their declarations, out of a text. */
static inline void cut_ids(char *text)
{
    static const char *const starts[] = {" xmlns:wsu=\"", " wsu:Id=\""};
    for (size_t i = 0; i < 2; i++) {
        for (char *at = strstr(text, starts[i]); at != NULL; at = strstr(at, starts[i])) {
            const char *end = strchr(at + strlen(starts[i]), '"') + 1;
            memmove(at, end, strlen(end) + 1);
        }
    }
}

/* Checks that a message is accepted, and gives this envelope, but for ids. */
static inline void assert_accepted(secured *s, const char *message, const char *envelope)
{
    creo_bytes got;
    creo_bytes given = exact_text(message, strlen(message));
    if (!secured_receive(s, given, &got))
        fail_msg("%s: %s", creo_code_name(s->error.code), s->error.message);
    char *text = creo_arena_text(&s->arena, (creo_string){(const char *)got.data, got.size});
    cut_ids(text);
    assert_string_equal(text, envelope);
    release(given);
}

/* Checks that a message is refused with a code, and a text that begins so. */
static inline void assert_refused(secured *s, const char *message, creo_code code, const char *reason)
{
    creo_bytes got;
    creo_bytes given = exact_text(message, strlen(message));
    if (secured_receive(s, given, &got))
        fail_msg("%s is due, and it was accepted", reason);
    if (s->error.code != code || strncmp(s->error.message, reason, strlen(reason)) != 0)
        fail_msg("%s: %s, where %s: %s is due", creo_code_name(s->error.code), s->error.message, creo_code_name(code), reason);
    release(given);
}

/* A copy of a text, to be freed, with the first occurrence of another replaced, or all of them. It must be there. */
static inline char *replaced(const char *text, const char *from, const char *to, bool every)
{
    size_t count = 0;
    for (const char *at = strstr(text, from); at != NULL; at = strstr(at + strlen(from), from))
        count++;
    if (count == 0)
        fail_msg("%s is not in %s", from, text);
    char *made = (char *)malloc(strlen(text) + count * strlen(to) + 1);
    assert_non_null(made);
    char *into = made;
    for (;;) {
        const char *at = strstr(text, from);
        if (at == NULL)
            break;
        memcpy(into, text, (size_t)(at - text));
        into += at - text;
        memcpy(into, to, strlen(to));
        into += strlen(to);
        text = at + strlen(from);
        if (!every)
            break;
    }
    memcpy(into, text, strlen(text) + 1);
    return made;
}

#endif
