/* Checks one answer: the children of its Security block in their order, and then what is demanded (SOAP-84, SOAP-89). */
#include <creo/codegen/path.h>

#include "../text/text_values.h"
#include "../xml/xml_whole.h"
#include "wss_parts.h"

#include <openssl/crypto.h>

#include <stdio.h>

/* The max difference of clocks, and the max age of a message. */
#define TOLERANCE 300

/* What was found in the block. */
typedef struct checking {
    creo_wss_decryption decryption;
    creo_wss_signature signature;
    xmlNodePtr timestamp;
    xmlNodePtr assertion;
    xmlNodePtr users[WSS_MAX_CHILDREN];
    size_t user_count;
} checking;

/*
 * An answer without security.
 */

/* The text of the first element with one of these local names within another, or an empty one. */
static bool find_words(creo_wss_call *call, xmlNodePtr within, const char *name, const char *other, creo_string *words)
{
    *words = creo_text("");
    for (xmlNodePtr n = within; n != NULL; n = creo_wss_walk(n, within)) {
        if (n->type != XML_ELEMENT_NODE || (strcmp((const char *)n->name, name) != 0 && strcmp((const char *)n->name, other) != 0))
            continue;
        for (const xmlNode *t = n->children; t != NULL; t = t->next)
            if (t->type != XML_TEXT_NODE)
                return true;
        return creo_wss_text(call, n, words);
    }
    return true;
}

static bool refuse_unsecured(creo_wss_call *call)
{
    const char *soap = call->soap12 ? WSS_SOAP_12 : WSS_SOAP_11;
    xmlNodePtr fault = creo_wss_first(call->body);
    while (fault != NULL && !creo_wss_is(fault, soap, "Fault"))
        fault = creo_wss_next(fault);
    if (fault == NULL)
        return creo_wss_refuse(call->error, WSS_NO_SECURITY, "the answer has no Security block");
    creo_string code;
    creo_string text;
    if (!find_words(call, fault, "faultcode", "Value", &code) || !find_words(call, fault, "faultstring", "Text", &text))
        return false;
    return creo_wss_refuse(call->error, WSS_NO_SECURITY, "the answer is a fault without security: %.200s: %.700s", code.data, text.data);
}

/*
 * The block.
 */

static bool is_once(const xmlNode *child, const char *space, const char *local, const xmlNode *known)
{
    return known == NULL && creo_wss_is(child, space, local);
}

static bool take_child(creo_wss_call *call, checking *found, xmlNodePtr child)
{
    if (is_once(child, WSS_UTILITY, "Timestamp", found->timestamp)) {
        found->timestamp = child;
        return true;
    }
    if (is_once(child, WSS_SAML_2, "Assertion", found->assertion)) {
        found->assertion = child;
        return true;
    }
    if (creo_wss_is(child, WSS_SECEXT, "UsernameToken")) {
        found->users[found->user_count++] = child;
        return true;
    }
    if (creo_wss_is(child, WSS_SECEXT, "BinarySecurityToken") || creo_wss_is(child, WSS_SECEXT_11, "SignatureConfirmation"))
        return true;
    if (creo_wss_is(child, WSS_XENC, "EncryptedKey"))
        return creo_wss_take_key(call, &found->decryption, child);
    if (creo_wss_is(child, WSS_XENC, "ReferenceList"))
        return creo_wss_take_list(call, &found->decryption, child);
    if (creo_wss_is(child, WSS_DSIG, "Signature") && found->signature.certificate == NULL) {
        if (!creo_wss_trusts(call->wss))
            return creo_wss_refuse(call->error, WSS_UNTRUSTED, "a signature, but no certificate is trusted");
        return creo_wss_verify(call, child, &found->signature);
    }
    return creo_wss_refuse(call->error, WSS_TOKEN, "the Security block has %.100s, which is unknown, or there twice", (const char *)child->name);
}

static bool take_children(creo_wss_call *call, checking *found)
{
    size_t count = 0;
    for (xmlNodePtr child = creo_wss_first(call->security); child != NULL; child = creo_wss_next(child)) {
        if (++count > WSS_MAX_CHILDREN)
            return creo_wss_refuse(call->error, WSS_TOO_MANY, "more than %d elements in the Security block", WSS_MAX_CHILDREN);
        if (!take_child(call, found, child))
            return false;
    }
    return true;
}

/*
 * What is demanded.
 */

static bool demand_signed(creo_wss_call *call, const checking *found, const xmlNode *element, const char *what)
{
    for (size_t i = 0; i < found->signature.count; i++)
        if (found->signature.signed_elements[i] == element)
            return true;
    return creo_wss_refuse(call->error, WSS_NOT_SIGNED, "%s is not signed", what);
}

static bool demand_signatures(creo_wss_call *call, const checking *found)
{
    char what[160];
    if (found->signature.certificate == NULL)
        return creo_wss_refuse(call->error, WSS_NOT_SIGNED, "the message has no signature");
    if (!demand_signed(call, found, call->body, "the body"))
        return false;
    if (call->wss->timestamps && found->timestamp == NULL)
        return creo_wss_refuse(call->error, WSS_NOT_SIGNED, "the message has no timestamp");
    if (call->wss->timestamps && !demand_signed(call, found, found->timestamp, "the timestamp"))
        return false;
    for (size_t i = 0; i < found->user_count; i++)
        if (!demand_signed(call, found, found->users[i], "the token of the user"))
            return false;
    if (found->assertion != NULL && !demand_signed(call, found, found->assertion, "the assertion"))
        return false;
    for (xmlNodePtr block = creo_wss_first(call->header); block != NULL; block = creo_wss_next(block)) {
        if (block == call->security || !creo_wss_is_for_receiver(call, block) || !creo_wss_is_named(block, &call->wss->required_headers))
            continue;
        (void)snprintf(what, sizeof what, "the header element %.100s", (const char *)block->name);
        if (!demand_signed(call, found, block, what))
            return false;
    }
    return true;
}

static bool read_instant(creo_wss_call *call, const xmlNode *element, creo_datetime *instant)
{
    creo_string text;
    return creo_wss_text(call, element, &text) && (creo_parse_datetime(text, instant) == NULL || creo_wss_refuse(call->error, WSS_UNREADABLE, "a time that is none: \"%.100s\"", text.data));
}

static bool check_is_later(creo_datetime instant, creo_datetime other)
{
    return instant.seconds > other.seconds || (instant.seconds == other.seconds && instant.nanoseconds > other.nanoseconds);
}

static bool demand_time(creo_wss_call *call, const xmlNode *timestamp)
{
    xmlNodePtr element;
    creo_datetime created;
    creo_datetime expires;
    const creo_datetime now = call->now;
    const creo_datetime latest = {now.seconds + TOLERANCE, now.nanoseconds};
    const creo_datetime earliest = {now.seconds - TOLERANCE, now.nanoseconds};
    if (!creo_wss_only(call, timestamp, WSS_UTILITY, "Created", true, &element) || !read_instant(call, element, &created) ||
        !creo_wss_only(call, timestamp, WSS_UTILITY, "Expires", false, &element) || (element != NULL && !read_instant(call, element, &expires)))
        return false;
    if (check_is_later(created, latest))
        return creo_wss_refuse(call->error, WSS_STALE, "the message was created in the future");
    if (check_is_later(earliest, created) || (element != NULL && !check_is_later(expires, now)))
        return creo_wss_refuse(call->error, WSS_STALE, "the message has expired");
    return true;
}

static bool demand_all(creo_wss_call *call, const checking *found)
{
    const creo_wss *wss = call->wss;
    if (creo_wss_trusts(wss) && !demand_signatures(call, found))
        return false;
    if (wss->require_encrypted && !found->decryption.body)
        return creo_wss_refuse(call->error, WSS_NOT_ENCRYPTED, "the body is not encrypted");
    return (found->timestamp == NULL || demand_time(call, found->timestamp)) &&
           (found->signature.certificate == NULL || creo_wss_replays_use(wss->replays, found->signature.hash, call->now, call->error));
}

/* Removes what was checked: of the block, tokens of users stay. */
static bool strip(creo_wss_call *call, const checking *found)
{
    for (xmlNodePtr block = creo_wss_first(call->header); block != NULL; block = creo_wss_next(block)) {
        xmlAttrPtr id = xmlHasNsProp(block, (const xmlChar *)"Id", (const xmlChar *)WSS_UTILITY);
        if (id != NULL)
            (void)xmlRemoveProp(id);
    }
    xmlNodePtr next;
    for (xmlNodePtr n = call->security->children; n != NULL; n = next) {
        bool user = false;
        next = n->next;
        for (size_t i = 0; i < found->user_count; i++)
            user = user || found->users[i] == n;
        if (!user && !creo_wss_remove(call, n))
            return false;
    }
    return found->user_count != 0 || creo_wss_remove(call, call->security);
}

static bool check_answer(creo_wss_call *call, checking *found, creo_bytes *envelope)
{
    creo_writer out;
    if (!creo_wss_open_envelope(call))
        return false;
    if (call->security == NULL)
        return refuse_unsecured(call);
    if (!take_children(call, found) || !demand_all(call, found) || !strip(call, found))
        return false;
    creo_writer_init(&out, call->arena, NULL, call->error);
    if (!creo_wss_put_node(&out, call->root, NULL, 0))
        return false;
    *envelope = creo_writer_bytes(&out);
    return true;
}

bool creo_wss_receive(void *context, creo_bytes answer, creo_string charset, creo_arena *arena, creo_bytes *envelope, creo_error *error)
{
    const creo_wss *wss = (const creo_wss *)context;
    const bool checks = creo_wss_trusts(wss) || wss->reader_count != 0;
    creo_bytes text;
    if (answer.size == 0) {
        *envelope = answer;
        return !checks || creo_wss_refuse(error, WSS_NO_SECURITY, "an empty answer");
    }
    if (answer.size > wss->max_size)
        return creo_fail_limit(error, "maxSize", wss->max_size);
    if (!creo_xml_whole(answer, charset, arena, &text, error))
        return false;
    if (!checks) {
        *envelope = text;
        return true;
    }
    creo_wss_quiet before = creo_wss_hush();
    creo_wss_call call;
    checking *found = (checking *)creo_arena_take_zeroed(arena, 1, sizeof *found);
    bool done = found == NULL ? creo_wss_no_memory(error) : creo_wss_begin(&call, wss, text, arena, error) && check_answer(&call, found, envelope);
    if (found != NULL) {
        X509_free(found->signature.certificate);
        OPENSSL_cleanse(&found->decryption, sizeof found->decryption);
        creo_wss_end(&call);
    }
    creo_wss_speak(before);
    return done;
}
