/* What only HTTP has, and SOAP. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"
#include "xml.creo.h"
#include "xml.text.h"

#include <stdlib.h>

const char *soap_12(stage *on)
{
    door_client echo;
    door_client trouble;
    const char *why = NULL;
    int64_t sum = 0;
    matrix_trouble_fail_outcome outcome;
    open_door(on, ECHO_DOOR, &echo);
    open_door(on, TROUBLE_DOOR, &trouble);
    echo.soap.version = CREO_SOAP_1_2;
    trouble.soap.version = CREO_SOAP_1_2;
    if (!matrix_echo_add(&echo.client, 1, 2, &on->arena, &sum, &on->error) || sum != 3)
        why = failed(on, "add");
    else if (!failed_with(on, matrix_trouble_fail(&trouble.client, creo_text("internal"), &on->arena, &outcome, &on->error), CREO_INTERNAL))
        why = failed(on, "internal");
    else if (!failed_with(on, matrix_trouble_fail(&trouble.client, creo_text("denied"), &on->arena, &outcome, &on->error), CREO_PERMISSION_DENIED) ||
             strcmp(on->error.message, "not you") != 0)
        why = failed(on, "denied");
    else if (!matrix_trouble_fail(&trouble.client, creo_text("not-found"), &on->arena, &outcome, &on->error) || outcome.kind != MATRIX_TROUBLE_FAIL_NOT_FOUND ||
             !creo_string_is(outcome.as.not_found.description, "not-found"))
        why = failed(on, "not-found");
    creo_client_free(&echo.client);
    creo_client_free(&trouble.client);
    return why;
}

/* 100,000 bytes there, and as many back. */
static const char *big(stage *on, creo_soap_version version, bool attached, const creo_gzip *compression)
{
    enum { SIZE = 100000 };
    door_client trouble;
    creo_bytes bytes;
    const char *why = NULL;
    int64_t sum = 0;
    int64_t due = 0;
    uint8_t *data = (uint8_t *)malloc(SIZE);
    if (data == NULL)
        return "no memory";
    for (size_t i = 0; i < SIZE; i++) {
        data[i] = (uint8_t)(i & 0xFF);
        due += data[i];
    }
    open_door(on, TROUBLE_DOOR, &trouble);
    if (on->compress != NULL) {
        on->compress(&trouble, compression);
        if (on->way == WAY_SOAP_JMS) {
            trouble.soap.version = version;
            trouble.soap.mtom = attached;
        } else if (on->way == WAY_TDXML_JMS) {
            trouble.tdxml.mtom = attached;
        }
    } else if (on->way == WAY_JSON) {
        trouble.json.gzip = compression;
    } else if (on->way == WAY_TDXML) {
        trouble.tdxml.mtom = attached;
        trouble.tdxml.gzip = compression;
    } else {
        trouble.soap.version = version;
        trouble.soap.mtom = attached;
        trouble.soap.gzip = compression;
    }
    if (!matrix_trouble_sum(&trouble.client, creo_bytes_of(data, SIZE), &on->arena, &sum, &on->error))
        why = failed(on, "sum");
    else if (sum != due)
        why = "the sum is wrong";
    else if (!matrix_trouble_bytes(&trouble.client, SIZE, &on->arena, &bytes, &on->error))
        why = failed(on, "bytes");
    else if (bytes.size != SIZE || memcmp(bytes.data, data, SIZE) != 0)
        why = "other bytes came back";
    creo_client_free(&trouble.client);
    free(data);
    return why;
}

const char *gzip(stage *on)
{
    peer_gzip state;
    creo_gzip lent = peer_gzip_lend(&state);
    return big(on, CREO_SOAP_1_1, false, &lent);
}

const char *mtom(stage *on)
{
    return big(on, CREO_SOAP_1_1, true, NULL);
}

const char *packages(stage *on)
{
    return mtom(on);
}

const char *mtom_12(stage *on)
{
    peer_gzip state;
    creo_gzip lent = peer_gzip_lend(&state);
    return big(on, CREO_SOAP_1_2, true, &lent);
}

static const char *quote(stage *on, creo_client *client, const char *first, const creo_string *kind, xml_partner_quote_outcome *outcome)
{
    xml_named request;
    xml_named_init(&request);
    request.first = creo_text(first);
    request.second = creo_text("b");
    request.third = creo_text("c");
    request.id = 5;
    request.has_kind = kind != NULL;
    if (kind != NULL)
        request.kind = *kind;
    else
        request.has_language = true;
    request.language = creo_text("en");
    return xml_partner_quote(client, &request, &on->arena, outcome, &on->error) ? NULL : failed(on, first);
}

static const char *greet(stage *on, creo_client *client, const creo_string *hint, const char *due)
{
    creo_string text;
    if (!xml_partner_greet(client, creo_text("s"), creo_text("n"), hint, &on->arena, &text, &on->error))
        return failed(on, "greet");
    return creo_string_is(text, due) ? NULL : "the greeting is wrong";
}

static bool has_other(const xml_open *open, const char *key, const char *value)
{
    for (size_t i = 0; i < open->others.count; i++)
        if (creo_string_is(open->others.entries[i].key, key))
            return creo_string_is(open->others.entries[i].value, value);
    return false;
}

/* Attributes of the request that nothing declares. */
static const char *tag(stage *on, creo_client *client)
{
    xml_string_string_map_entry entries[3];
    memset(entries, 0, sizeof entries);
    entries[0].key = creo_text("{urn:o}a");
    entries[0].value = creo_text("1 & \"2\"");
    entries[1].key = creo_text("{urn:p}a");
    entries[1].value = creo_text("3");
    entries[2].key = creo_text("b");
    entries[2].value = creo_text("");
    xml_open open;
    xml_string_string_map none = {NULL, 0};
    if (!xml_partner_tag(client, creo_text("known"), none, &on->arena, &open, &on->error))
        return failed(on, "tag without attributes");
    if (!creo_string_is(open.known, "known") || open.rest.count != 0 || open.others.count != 0)
        return "what came back without attributes is wrong";
    xml_string_string_map others = {entries, 3};
    if (!xml_partner_tag(client, creo_text("known"), others, &on->arena, &open, &on->error))
        return failed(on, "tag");
    bool same = creo_string_is(open.known, "known") && open.rest.count == 0 && open.others.count == 3 && has_other(&open, "{urn:o}a", "1 & \"2\"") &&
                has_other(&open, "{urn:p}a", "3") && has_other(&open, "b", "");
    return same ? NULL : "the attributes that came back are wrong";
}

static const char *refused_name(stage *on, const xml_names *names, const char *place)
{
    creo_bytes xml;
    if (xml_names_to_xml(names, &on->arena, &xml, &on->error))
        return "what is no name was written";
    return on->error.code == CREO_INVALID_VALUE && strcmp(on->error.place, place) == 0 ? NULL : failed(on, "what is no name");
}

/* XML cannot hold a value that is not a name (XML-48). */
static const char *wrong_names(stage *on, xml_names names)
{
    static const char *const wrong[] = {"", "p:a", "{}a", "{urn:o}", "{urn:o", "{urn:o}p:a", "a b", "1", "{http://www.w3.org/2000/xmlns/}a", "{urn:\001}a"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        xml_names one = names;
        xml_names first = names;
        xml_names list = names;
        creo_string items[2] = {creo_text("a"), creo_text(wrong[i])};
        one.one = items[1];
        first.first = items[1];
        list.listed.items = items;
        list.listed.count = 2;
        const char *why;
        if ((why = refused_name(on, &one, "$.one")) != NULL || (why = refused_name(on, &first, "$.first")) != NULL || (why = refused_name(on, &list, "$.listed[1]")) != NULL)
            return why;
    }
    return NULL;
}

static const char *names(stage *on, creo_client *client)
{
    creo_string many[2] = {creo_text("{urn:p}c"), creo_text("d")};
    creo_string listed[2] = {creo_text("{urn:p}e"), creo_text("{urn:o}f")};
    xml_names sent;
    xml_names got;
    xml_names_init(&sent);
    sent.first = creo_text("{urn:o}a");
    sent.one = creo_text("{urn:creo:conformance:xml}b");
    sent.many.items = many;
    sent.many.count = 2;
    sent.listed.items = listed;
    sent.listed.count = 2;
    if (!xml_partner_names(client, &sent, &on->arena, &got, &on->error))
        return failed(on, "names");
    if (!creo_string_equal(got.first, sent.first) || !creo_string_equal(got.one, sent.one) || got.many.count != 2 || got.listed.count != 2)
        return "the names that came back are wrong";
    for (size_t i = 0; i < 2; i++)
        if (!creo_string_equal(got.many.items[i], many[i]) || !creo_string_equal(got.listed.items[i], listed[i]))
            return "the names that came back in arrays are wrong";
    return wrong_names(on, sent);
}

/* Parts of an answer in its header (SOAP-26). */
static const char *headers(stage *on, creo_client *client)
{
    xml_named session;
    xml_welcome welcome;
    xml_partner_stamp_outcome outcome;
    xml_named_init(&session);
    session.first = creo_text("first");
    session.second = creo_text("b");
    session.third = creo_text("c");
    session.id = 5;
    if (!xml_partner_welcome(client, creo_text("n"), &session, &on->arena, &welcome, &on->error))
        return failed(on, "welcome");
    if (!creo_string_is(welcome.text, "welcome n") || !welcome.has_session || welcome.session.id != 5 || !creo_string_is(welcome.session.third, "c") || welcome.has_hint)
        return "the session of the welcome is wrong";
    if (!xml_partner_welcome(client, creo_text("n"), NULL, &on->arena, &welcome, &on->error))
        return failed(on, "welcome without a session");
    if (!creo_string_is(welcome.text, "welcome n") || welcome.has_session || !welcome.has_hint || !creo_string_is(welcome.hint, "new"))
        return "the hint of the welcome is wrong";
    if (!xml_partner_stamp(client, 7, &on->arena, &outcome, &on->error))
        return failed(on, "stamp");
    if (outcome.kind != XML_PARTNER_STAMP_RESULT || outcome.as.result.stamp != -7 || !creo_string_is(outcome.as.result.price.amount, "7"))
        return "the stamp is wrong";
    if (!xml_partner_stamp(client, 0, &on->arena, &outcome, &on->error))
        return failed(on, "stamp of nothing");
    return outcome.kind == XML_PARTNER_STAMP_TOLD && creo_string_is(outcome.as.told.text, "no stamp") ? NULL : "Told did not come from stamp";
}

/* Several elements in the body of a request (SOAP-91). */
static const char *deliver(stage *on, creo_client *client)
{
    xml_named item;
    creo_string note = creo_text("note");
    creo_string text;
    xml_named_init(&item);
    item.first = creo_text("first");
    item.second = creo_text("b");
    item.third = creo_text("c");
    item.id = 5;
    if (!xml_partner_deliver(client, creo_text("s"), &item, &note, 3, &on->arena, &text, &on->error))
        return failed(on, "deliver");
    if (!creo_string_is(text, "s first note 3"))
        return "what was delivered is wrong";
    if (!xml_partner_deliver(client, creo_text("s"), &item, NULL, -1, &on->arena, &text, &on->error))
        return failed(on, "deliver without a note");
    return creo_string_is(text, "s first - -1") ? NULL : "what was delivered without a note is wrong";
}

static bool is_collected(const xml_collected *found, const char *note, int64_t receipt)
{
    bool noted = note == NULL ? !found->has_note : found->has_note && creo_string_is(found->note, note);
    return noted && creo_string_is(found->item.first, "first") && found->item.id == 5 && found->codes.count == 2 && creo_string_is(found->codes.items[1], "y") &&
           found->receipt == receipt;
}

/* Several elements in the body of an answer (SOAP-100). */
static const char *collect(stage *on, creo_client *client)
{
    xml_partner_collect_outcome outcome;
    if (!xml_partner_collect(client, 7, &on->arena, &outcome, &on->error))
        return failed(on, "collect");
    if (outcome.kind != XML_PARTNER_COLLECT_RESULT || !is_collected(&outcome.as.result, "note", -7))
        return "what was collected is wrong";
    if (!xml_partner_collect(client, 1, &on->arena, &outcome, &on->error))
        return failed(on, "collect without a note");
    if (outcome.kind != XML_PARTNER_COLLECT_RESULT || !is_collected(&outcome.as.result, NULL, -1))
        return "what was collected without a note is wrong";
    if (!xml_partner_collect(client, 0, &on->arena, &outcome, &on->error))
        return failed(on, "collect of nothing");
    return outcome.kind == XML_PARTNER_COLLECT_TOLD && creo_string_is(outcome.as.told.text, "nothing") ? NULL : "Told did not come from collect";
}

static const char *partner_calls(stage *on, creo_client *client)
{
    int64_t sum = 0;
    xml_partner_quote_outcome outcome;
    creo_string kind = creo_text("k");
    creo_string hint = creo_text("h");
    const char *why;
    if (!xml_partner_sum(client, 3, 4, &on->arena, &sum, &on->error) || sum != 7)
        return failed(on, "sum");
    if ((why = quote(on, client, "first", NULL, &outcome)) != NULL)
        return why;
    if (outcome.kind != XML_PARTNER_QUOTE_RESULT || !creo_string_is(outcome.as.result.currency, "first") || !creo_string_is(outcome.as.result.amount, "5"))
        return "the quote is wrong";
    if ((why = quote(on, client, "missing", &kind, &outcome)) != NULL)
        return why;
    if (outcome.kind != XML_PARTNER_QUOTE_MISSING || outcome.as.missing.code != 5 || !creo_string_is(outcome.as.missing.what, "missing"))
        return "Missing did not come as it should";
    if ((why = quote(on, client, "told", &kind, &outcome)) != NULL)
        return why;
    if (outcome.kind != XML_PARTNER_QUOTE_TOLD || !creo_string_is(outcome.as.told.text, "told"))
        return "Told did not come as it should";
    if ((why = greet(on, client, NULL, "s n -")) != NULL || (why = greet(on, client, &hint, "s n h")) != NULL || (why = headers(on, client)) != NULL ||
        (why = deliver(on, client)) != NULL || (why = collect(on, client)) != NULL)
        return why;
    if (!xml_partner_ping(client, &on->arena, &on->error))
        return failed(on, "ping");
    if ((why = tag(on, client)) != NULL || (why = names(on, client)) != NULL)
        return why;
    if (!xml_partner_notice(client, creo_text("a text"), &on->error))
        return failed(on, "notice");
    return NULL;
}

static const char *partner_with(stage *on, creo_soap_version version)
{
    door_client own;
    open_door(on, PARTNER_DOOR, &own);
    if (on->way == WAY_SOAP || on->way == WAY_TABLES || on->way == WAY_SOAP_JMS)
        own.soap.version = version;
    const char *why = partner_calls(on, &own.client);
    creo_client_free(&own.client);
    return why;
}

const char *partner(stage *on)
{
    return partner_with(on, CREO_SOAP_1_1);
}

const char *partner_12(stage *on)
{
    return partner_with(on, CREO_SOAP_1_2);
}

/* A client of one interface at another's path, or at none. */
static bool add_at(stage *on, const char *url)
{
    door_client own;
    int64_t sum;
    bool done = open_url(on, url, ECHO_DOOR, &own, &on->error) && matrix_echo_add(&own.client, 1, 2, &on->arena, &sum, &on->error);
    creo_client_free(&own.client);
    return done;
}

static bool add_at_path(stage *on, const char *path)
{
    char url[300];
    snprintf(url, sizeof url, "%.200s/%s", on->url, path);
    return add_at(on, url);
}

const char *wrong_door(stage *on)
{
    if (!failed_with(on, add_at_path(on, "Trouble"), CREO_UNKNOWN_METHOD) || strstr(on->error.message, "add") == NULL)
        return failed(on, "the call");
    return NULL;
}

const char *wrong_path(stage *on)
{
    bool done = add_at_path(on, "Nowhere");
    /* Without SOAP, the service may say in its own words that there is no such method. */
    bool code = failed_with(on, done, CREO_UNAVAILABLE) || ((on->way == WAY_JSON || on->way == WAY_TDXML) && failed_with(on, done, CREO_UNKNOWN_METHOD));
    if (!code || (strstr(on->error.message, "404") == NULL && strstr(on->error.message, "Nowhere") == NULL))
        return failed(on, "the call");
    return NULL;
}
