/*
 * Whole calls, by the module as it is emitted, for a service that runtimes/java-wss or tests/wss starts: `caller URL FOLDER NAME FORM`, where NAME
 * signs, and FORM is `signed`, `encrypted`, `record` or `aggregated`; the last two are encrypted tables. With THROUGH_BROKER there is the port of a
 * broker in place of the URL. Prints `ok`, or the error.
 */
#include "notes.text.h"

#ifdef THROUGH_BROKER
#include <creo/jms.h>
#endif
#include <creo/wss.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct caller {
#ifdef THROUGH_BROKER
    creo_jms jms;
#else
    creo_soap http;
#endif
    creo_soap *soap;
    creo_arena arena;
    creo_error error;
} caller;

static bool same(creo_string text, const char *other)
{
    return text.size == strlen(other) && memcmp(text.data, other, text.size) == 0;
}

/* A result that is not what is due. */
static bool wrong(caller *c, const char *what)
{
    memset(&c->error, 0, sizeof c->error);
    c->error.code = CREO_INTERNAL;
    (void)snprintf(c->error.message, sizeof c->error.message, "%s is wrong", what);
    return false;
}

static bool call_all(caller *c)
{
    static const char sensor[] = "a\xE2\x80\xA8" "b & <c>\r\n\t\xF0\x9F\x98\x80 ";
    const notes_reading readings[] = {{{sensor, sizeof sensor - 1}, 1.5, true, {"", 0}}, {{"", 0}, -2, false, {NULL, 0}}};
    notes_notes_say_outcome said;
    notes_reading_array echoed;
    if (!notes_notes_say(&c->soap->client, creo_text("hello"), &c->arena, &said, &c->error))
        return false;
    if (said.kind != NOTES_NOTES_SAY_RESULT || said.as.result.size < 5)
        return wrong(c, "say");
    if (!notes_notes_say(&c->soap->client, creo_text("full"), &c->arena, &said, &c->error))
        return false;
    if (said.kind != NOTES_NOTES_SAY_FULL)
        return wrong(c, "the exception");
    if (!notes_notes_echo(&c->soap->client, (notes_reading_array){readings, 2}, &c->arena, &echoed, &c->error))
        return false;
    if (echoed.count != 2 || !same(echoed.items[0].sensor, sensor) || echoed.items[0].value != 1.5 || !echoed.items[0].has_remark || echoed.items[1].has_remark)
        return wrong(c, "echo");
    return notes_notes_clear(&c->soap->client, &c->arena, &c->error) && notes_notes_note(&c->soap->client, creo_text("note"), &c->error);
}

static creo_wss *security_of(const char *folder, const char *name, const char *form, creo_error *error)
{
    char paths[4][1000];
    static const char *const signed_headers[] = {"{http://www.w3.org/2005/08/addressing}*", NULL};
    (void)snprintf(paths[0], sizeof paths[0], "%s/%s.key.pem", folder, name);
    (void)snprintf(paths[1], sizeof paths[1], "%s/%s.crt.pem", folder, name);
    (void)snprintf(paths[2], sizeof paths[2], "%s/ca.crt.pem", folder);
    (void)snprintf(paths[3], sizeof paths[3], "%s/bob.crt.pem", folder);
    const creo_wss_identity own = {{paths[0], {NULL, 0}}, {paths[1], {NULL, 0}}, NULL};
    creo_wss_options options;
    memset(&options, 0, sizeof options);
    options.signer = own;
    options.issuers.path = paths[2];
    options.signed_headers = signed_headers;
    options.decryption = &own;
    options.decryption_count = 1;
    if (strcmp(form, "signed") != 0) {
        options.recipient.path = paths[3];
        options.require_encrypted = true;
    }
    return creo_wss_new(&options, error);
}

static bool open_channel(caller *c, const char *where)
{
#ifdef THROUGH_BROKER
    uint16_t port = (uint16_t)atoi(where);
    c->soap = &c->jms.soap;
    return creo_jms_init(&c->jms, "127.0.0.1", port, "jms:queue:notes", CREO_JMS_SOAP, &notes_notes_text, creo_allocator_libc(), &c->error);
#else
    c->soap = &c->http;
    return creo_soap_init(&c->http, where, &notes_notes_text, creo_allocator_libc(), &c->error);
#endif
}

static void close_channel(caller *c)
{
#ifdef THROUGH_BROKER
    creo_jms_free(&c->jms);
#else
    creo_soap_free(&c->http);
#endif
}

int main(int count, char **arguments)
{
    static caller c;
    char text[CREO_ERROR_TEXT];
    if (count != 5)
        return 2;
    const char *form = arguments[4];
    creo_wss *wss = security_of(arguments[2], arguments[3], form, &c.error);
    creo_arena_init(&c.arena, creo_allocator_libc());
    bool done = wss != NULL && open_channel(&c, arguments[1]);
    if (done) {
        c.soap->security = creo_wss_security(wss);
        c.soap->mtom = true;
        c.soap->addressing = CREO_SOAP_ADDRESSING_ON;
        if (strcmp(form, "record") == 0 || strcmp(form, "aggregated") == 0)
            creo_soap_use_tables(c.soap, (creo_tdxml_options){strcmp(form, "record") == 0 ? CREO_TDXML_RECORD : CREO_TDXML_AGGREGATED, false});
        done = call_all(&c);
    }
    printf("%s\n", done ? "ok" : creo_error_format(&c.error, text, sizeof text));
    close_channel(&c);
    creo_arena_free(&c.arena);
    creo_wss_free(wss);
    return done ? 0 : 1;
}
