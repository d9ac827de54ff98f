/* Secrets in the bytes of a message, found by the names of elements, attributes and members: CALL-65 and CALL-66. */
#include "raw_body.h"

#include "../call/raw.h"

#include <string.h>

#define RAW_MAX_DEPTH 256

static const char shown_wrong[] = "it is not well-formed";
static const char shown_nameless[] = CREO_RAW_NAMELESS;
static const char shown_always[] = "Password Nonce BinarySecurityToken Assertion";
static const char shown_tables[] = "CT RT UT ContentTable RecordTable UpdateTable";

typedef struct shown_scan {
    creo_writer *out;
    const uint8_t *at;
    const uint8_t *end;
    /* The first byte that was not copied. */
    const uint8_t *rest;
    const char *secrets;
    bool hiding;
    const char *why;
} shown_scan;

static bool shown_fail(shown_scan *in, const char *why)
{
    in->why = why;
    return false;
}

/* Whether a list of words has this one. */
static bool shown_has(const char *words, creo_string word)
{
    while (words != NULL && *words != 0) {
        size_t size = strcspn(words, " ");
        if (size == word.size && memcmp(words, word.data, size) == 0)
            return true;
        words += size + (words[size] == ' ');
    }
    return false;
}

static bool shown_hide(shown_scan *in, const uint8_t *from, const uint8_t *to, const char *by)
{
    bool done = creo_write_raw(in->out, creo_bytes_of(in->rest, (size_t)(from - in->rest))) && creo_write_raw(in->out, creo_bytes_of(by, strlen(by)));
    in->rest = to;
    return done || shown_fail(in, "there is no memory left to show it");
}

static bool shown_is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void shown_space(shown_scan *in)
{
    while (in->at < in->end && shown_is_space(*in->at))
        in->at++;
}

static bool shown_takes(shown_scan *in, char c)
{
    if (in->at == in->end || *in->at != (uint8_t)c)
        return false;
    in->at++;
    return true;
}

static bool shown_expect(shown_scan *in, char c)
{
    return shown_takes(in, c) || shown_fail(in, shown_wrong);
}

static bool shown_string(shown_scan *in)
{
    if (!shown_expect(in, '"'))
        return false;
    while (in->at < in->end && *in->at != '"')
        in->at += *in->at == '\\' && in->end - in->at > 1 ? 2 : 1;
    return shown_expect(in, '"');
}

/* The name of a member, up to its value; whether that is to be hidden. */
static bool shown_member(shown_scan *in, bool *secret)
{
    const uint8_t *from = in->at + 1;
    if (!shown_string(in))
        return false;
    creo_string name = {(const char *)from, (size_t)(in->at - 1 - from)};
    if (in->secrets != NULL && name.size != 0 && memchr(name.data, '\\', name.size) != NULL)
        return shown_fail(in, shown_nameless);
    shown_space(in);
    if (!shown_expect(in, ':'))
        return false;
    shown_space(in);
    *secret = !in->hiding && shown_has(in->secrets, name);
    return true;
}

static bool shown_value(shown_scan *in, int depth);

static bool shown_items(shown_scan *in, char last, int depth)
{
    in->at++;
    shown_space(in);
    if (shown_takes(in, last))
        return true;
    do {
        bool secret = false;
        shown_space(in);
        if (last == '}' && !shown_member(in, &secret))
            return false;
        const uint8_t *from = in->at;
        in->hiding = in->hiding || secret;
        if (!shown_value(in, depth + 1))
            return false;
        if (secret) {
            in->hiding = false;
            if (!shown_hide(in, from, in->at, "\"***\""))
                return false;
        }
        shown_space(in);
    } while (shown_takes(in, ','));
    return shown_expect(in, last);
}

static bool shown_value(shown_scan *in, int depth)
{
    if (depth == RAW_MAX_DEPTH || in->at == in->end)
        return shown_fail(in, shown_wrong);
    if (*in->at == '{')
        return shown_items(in, '}', depth);
    if (*in->at == '[')
        return shown_items(in, ']', depth);
    if (*in->at == '"')
        return shown_string(in);
    const uint8_t *from = in->at;
    while (in->at < in->end && ((*in->at >= '0' && *in->at <= '9') || (*in->at >= 'a' && *in->at <= 'z') || (*in->at >= 'A' && *in->at <= 'Z') || *in->at == '+' ||
                                *in->at == '-' || *in->at == '.'))
        in->at++;
    return in->at != from || shown_fail(in, shown_wrong);
}

static bool shown_json(shown_scan *in)
{
    shown_space(in);
    if (!shown_value(in, 0))
        return false;
    shown_space(in);
    return in->at == in->end || shown_fail(in, shown_wrong);
}

static bool shown_begins(const shown_scan *in, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(in->end - in->at) >= size && memcmp(in->at, text, size) == 0;
}

/* Skips what begins so. `*wrong`: it has no end. */
static bool shown_skips(shown_scan *in, const char *begin, const char *last, bool *wrong)
{
    if (!shown_begins(in, begin))
        return false;
    in->at += strlen(begin);
    while (in->at < in->end && !shown_begins(in, last))
        in->at++;
    *wrong = in->at == in->end;
    in->at += *wrong ? 0 : strlen(last);
    return true;
}

static bool shown_name(shown_scan *in, creo_string *name)
{
    const uint8_t *from = in->at;
    while (in->at < in->end && *in->at != 0 && strchr(" \t\r\n/>=<\"'!", *in->at) == NULL)
        in->at++;
    *name = (creo_string){(const char *)from, (size_t)(in->at - from)};
    return name->size != 0 || shown_fail(in, shown_wrong);
}

static creo_string shown_local(creo_string name)
{
    const char *colon = (const char *)memchr(name.data, ':', name.size);
    return colon == NULL ? name : (creo_string){colon + 1, name.size - (size_t)(colon + 1 - name.data)};
}

static bool shown_is(creo_string name, const char *text)
{
    return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

/* The attributes of an element and the end of its tag. `secret`: the element is to be hidden; `declared`: the description says so. */
static bool shown_attributes(shown_scan *in, bool secret, bool declared, bool *empty)
{
    for (;;) {
        const uint8_t *before = in->at;
        creo_string name;
        shown_space(in);
        *empty = shown_takes(in, '/');
        if (*empty)
            return shown_expect(in, '>');
        if (shown_takes(in, '>'))
            return true;
        if (in->at == before)
            return shown_fail(in, shown_wrong);
        if (!shown_name(in, &name))
            return false;
        shown_space(in);
        if (!shown_expect(in, '='))
            return false;
        shown_space(in);
        char quote = in->at < in->end && *in->at == '\'' ? '\'' : '"';
        if (!shown_expect(in, quote))
            return false;
        const uint8_t *from = in->at;
        while (in->at < in->end && *in->at != (uint8_t)quote && *in->at != '<')
            in->at++;
        const uint8_t *to = in->at;
        if (!shown_expect(in, quote))
            return false;
        if (secret && declared && shown_is(shown_local(name), "href"))
            return shown_fail(in, shown_nameless);
        bool space = shown_is(name, "xmlns") || (name.size > 6 && memcmp(name.data, "xmlns:", 6) == 0);
        if (!in->hiding && !space && (secret || shown_has(in->secrets, shown_local(name))) && !shown_hide(in, from, to, "***"))
            return false;
    }
}

typedef struct shown_open {
    creo_string names[RAW_MAX_DEPTH];
    size_t count;
    bool seen;
    /* Of the hidden element: how many are open around it, and where its content begins. */
    size_t hidden;
    const uint8_t *from;
} shown_open;

static bool shown_end_tag(shown_scan *in, shown_open *open)
{
    const uint8_t *tag = in->at;
    creo_string name;
    in->at += 2;
    if (!shown_name(in, &name))
        return false;
    shown_space(in);
    if (!shown_expect(in, '>'))
        return false;
    if (open->count == 0 || open->names[open->count - 1].size != name.size || memcmp(open->names[open->count - 1].data, name.data, name.size) != 0)
        return shown_fail(in, shown_wrong);
    open->count--;
    if (!in->hiding || open->count != open->hidden)
        return true;
    in->hiding = false;
    return shown_hide(in, open->from, tag, "***");
}

static bool shown_start_tag(shown_scan *in, shown_open *open)
{
    creo_string name;
    bool empty;
    if ((open->count == 0 && open->seen) || open->count == RAW_MAX_DEPTH)
        return shown_fail(in, shown_wrong);
    open->seen = true;
    in->at++;
    if (!shown_name(in, &name))
        return false;
    creo_string local = shown_local(name);
    if (!in->hiding && in->secrets != NULL && shown_has(shown_tables, local))
        return shown_fail(in, shown_nameless);
    bool declared = shown_has(in->secrets, local);
    bool secret = !in->hiding && (declared || shown_has(shown_always, local));
    if (!shown_attributes(in, secret, declared, &empty))
        return false;
    if (empty)
        return true;
    if (secret) {
        in->hiding = true;
        open->hidden = open->count;
        open->from = in->at;
    }
    open->names[open->count++] = name;
    return true;
}

static bool shown_xml(shown_scan *in)
{
    shown_open open;
    bool wrong = false;
    open.count = 0;
    open.seen = false;
    open.hidden = 0;
    open.from = in->at;
    for (;;) {
        shown_space(in);
        if (in->at == in->end)
            break;
        if (*in->at != '<') {
            if (open.count == 0)
                return shown_fail(in, shown_wrong);
            while (in->at < in->end && *in->at != '<')
                in->at++;
        } else if (shown_skips(in, "<!--", "-->", &wrong) || shown_skips(in, "<?", "?>", &wrong) || (open.count != 0 && shown_skips(in, "<![CDATA[", "]]>", &wrong))) {
            if (wrong)
                return shown_fail(in, shown_wrong);
        } else if (!(shown_begins(in, "</") ? shown_end_tag(in, &open) : shown_start_tag(in, &open))) {
            return false;
        }
    }
    return (open.seen && open.count == 0) || shown_fail(in, shown_wrong);
}

static bool shown_ends(creo_string type, const char *suffix)
{
    size_t size = strlen(suffix);
    return type.size >= size && creo_http_same((creo_string){type.data + type.size - size, size}, suffix);
}

const char *creo_raw_body(creo_writer *out, creo_bytes body, creo_string media_type, const char *secrets)
{
    const char *end = media_type.size == 0 ? NULL : (const char *)memchr(media_type.data, ';', media_type.size);
    creo_string type = creo_http_trim((creo_string){media_type.data, end == NULL ? media_type.size : (size_t)(end - media_type.data)});
    bool json = creo_http_same(type, "application/json") || shown_ends(type, "+json");
    if (body.size == 0)
        return NULL;
    if (!json && !creo_http_same(type, "text/xml") && !creo_http_same(type, "application/xml") && !shown_ends(type, "+xml"))
        return "the media type is neither JSON nor XML";
    if (shown_has(secrets, (creo_string){"*", 1}))
        return shown_nameless;
    shown_scan in = {out, body.data, body.data + body.size, body.data, secrets, false, NULL};
    if (body.size >= 3 && memcmp(body.data, "\xEF\xBB\xBF", 3) == 0)
        in.at += 3;
    if (!(json ? shown_json(&in) : shown_xml(&in)) || !shown_hide(&in, in.end, in.end, ""))
        return in.why;
    return NULL;
}

bool creo_raw_may_have_secrets(creo_bytes body, const char *secrets)
{
    static const char security[] = "wssecurity-secext";
    if (secrets != NULL)
        return true;
    for (size_t i = 0; i < body.size; i++)
        if (body.data[i] == 0 || (body.size - i >= sizeof security - 1 && memcmp(body.data + i, security, sizeof security - 1) == 0))
            return true;
    return false;
}
