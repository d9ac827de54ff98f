/* Secures one request: it is signed, and then encrypted (SOAP-82). */
#include <creo/codegen/path.h>

#include "../http/fresh.h"
#include "wss_parts.h"

#include <stdio.h>
#include <stdlib.h>

#define VALID_SECONDS 300
#define TIME_SIZE 40

/* Random, so that no two messages have the same signature. */
static bool write_new_ids(creo_wss_ids *ids, creo_error *error)
{
    uint8_t random[16];
    if (!creo_random(random, sizeof random, error))
        return false;
    ids->count = 0;
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(ids->base + 2 * i, 3, "%02x", random[i]);
    return true;
}

/* An instant with milliseconds. */
static bool write_time(creo_datetime time, char text[TIME_SIZE], creo_error *error)
{
    char seconds[CREO_DATETIME_TEXT];
    creo_datetime whole = {time.seconds, 0};
    size_t size = creo_datetime_format(whole, seconds);
    if (size == 0)
        return creo_fail(error, CREO_INVALID_VALUE, "the clock does not say the time of day");
    (void)snprintf(text, TIME_SIZE, "%.*s.%03uZ", (int)(size - 1), seconds, time.nanoseconds / 1000000);
    return true;
}

static bool add_time(creo_wss_call *call, xmlNodePtr timestamp, const char *local, creo_datetime time)
{
    char text[TIME_SIZE];
    xmlNodePtr added = write_time(time, text, call->error) ? creo_wss_add(call, timestamp, NULL, WSS_UTILITY, "wsu", local) : NULL;
    return added != NULL && creo_wss_add_raw(call, added, NULL, creo_bytes_of(text, strlen(text)));
}

static bool add_timestamp(creo_wss_call *call)
{
    xmlNodePtr timestamp;
    if (!creo_wss_only(call, call->security, WSS_UTILITY, "Timestamp", false, &timestamp) || timestamp != NULL)
        return timestamp != NULL;
    creo_datetime expires = {call->now.seconds + VALID_SECONDS, call->now.nanoseconds};
    timestamp = creo_wss_add(call, call->security, call->security->children, WSS_UTILITY, "wsu", "Timestamp");
    return timestamp != NULL && add_time(call, timestamp, "Created", call->now) && add_time(call, timestamp, "Expires", expires);
}

static int compare_prefixes(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The prefixes that the envelope declares, sorted: those in values, such as xsi:type, are protected only if the signature names them. */
static bool list_prefixes(creo_wss_call *call, const char ***prefixes, creo_writer *list)
{
    size_t count = 0;
    for (const xmlNs *ns = call->root->nsDef; ns != NULL; ns = ns->next)
        count += ns->prefix != NULL ? 1 : 0;
    const char **found = (const char **)creo_arena_take_zeroed(call->arena, count + 1, sizeof *found);
    if (found == NULL)
        return creo_wss_no_memory(call->error);
    count = 0;
    for (const xmlNs *ns = call->root->nsDef; ns != NULL; ns = ns->next)
        if (ns->prefix != NULL)
            found[count++] = (const char *)ns->prefix;
    qsort(found, count, sizeof *found, compare_prefixes);
    creo_writer_init(list, call->arena, NULL, call->error);
    for (size_t i = 0; i < count; i++)
        if ((i != 0 && !creo_wss_put(list, " ")) || !creo_wss_put(list, found[i]))
            return false;
    *prefixes = found;
    return true;
}

/* Adds a reference to a part, which gets an id if it has none. */
static bool put_part(creo_wss_call *call, creo_wss_ids *ids, xmlNodePtr part, const char *const *prefixes, const creo_writer *list, creo_writer *info)
{
    char id[WSS_ID_SIZE];
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned size;
    if (creo_wss_id(part) == NULL) {
        creo_wss_new_id(ids, id);
        if (!creo_wss_add_attribute(call, part, WSS_UTILITY, "wsu", "Id", id))
            return false;
    }
    if (!creo_wss_digest(call, part, prefixes, "SHA256", digest, &size))
        return creo_fail(call->error, CREO_INVALID_VALUE, "the element %.100s has no canonical form, such as with a relative namespace, and cannot be signed", (const char *)part->name);
    return creo_wss_put(info, "<ds:Reference URI=\"#") && creo_wss_put_attribute(info, creo_wss_value(creo_wss_id(part))) &&
           creo_wss_put(info, "\"><ds:Transforms><ds:Transform Algorithm=\"" WSS_EXCLUSIVE "\">") &&
           (prefixes[0] == NULL || (creo_wss_put(info, "<ec:InclusiveNamespaces xmlns:ec=\"" WSS_EXCLUSIVE "\" PrefixList=\"") &&
                                    creo_write_raw(info, creo_writer_bytes(list)) && creo_wss_put(info, "\"></ec:InclusiveNamespaces>"))) &&
           creo_wss_put(info, "</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"" WSS_XENC "sha256\"></ds:DigestMethod><ds:DigestValue>") &&
           creo_wss_put_base64(info, creo_bytes_of(digest, size)) && creo_wss_put(info, "</ds:DigestValue></ds:Reference>");
}

/* All of SignedInfo, in its canonical form. */
static bool put_info(creo_wss_call *call, creo_wss_ids *ids, creo_writer *info)
{
    const char **prefixes = NULL;
    creo_writer list;
    size_t count = 0;
    if (!list_prefixes(call, &prefixes, &list) ||
        !creo_wss_put(info, "<ds:SignedInfo xmlns:ds=\"" WSS_DSIG "\"><ds:CanonicalizationMethod Algorithm=\"" WSS_EXCLUSIVE
                            "\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"") ||
        !creo_wss_put(info, call->wss->signature->uri) || !creo_wss_put(info, "\"></ds:SignatureMethod>"))
        return false;
    for (xmlNodePtr part = creo_wss_first(call->security); part != NULL; part = creo_wss_next(part), count++)
        if (!put_part(call, ids, part, prefixes, &list, info))
            return false;
    for (xmlNodePtr block = creo_wss_first(call->header); block != NULL; block = creo_wss_next(block)) {
        if (block == call->security || !creo_wss_is_named(block, &call->wss->signed_headers))
            continue;
        count++;
        if (!put_part(call, ids, block, prefixes, &list, info))
            return false;
    }
    if (count >= WSS_MAX_REFERENCES)
        return creo_fail(call->error, CREO_INVALID_VALUE, "a signature has at most %d references", WSS_MAX_REFERENCES);
    return put_part(call, ids, call->body, prefixes, &list, info) && creo_wss_put(info, "</ds:SignedInfo>");
}

static bool write_signature(creo_wss_call *call, creo_wss_ids *ids)
{
    const creo_wss *wss = call->wss;
    char id[WSS_ID_SIZE];
    creo_writer info;
    creo_writer out;
    creo_bytes value;
    creo_writer_init(&info, call->arena, NULL, call->error);
    creo_writer_init(&out, call->arena, NULL, call->error);
    creo_wss_new_id(ids, id);
    bool binary = wss->reference == CREO_WSS_BINARY_TOKEN;
    return put_info(call, ids, &info) && creo_wss_sign(call, creo_writer_bytes(&info), &value) && (!binary || creo_wss_put_token(&out, wss->signer.certificate, id)) &&
           creo_wss_put(&out, "<ds:Signature xmlns:ds=\"" WSS_DSIG "\">") && creo_write_raw(&out, creo_writer_bytes(&info)) && creo_wss_put(&out, "<ds:SignatureValue>") &&
           creo_wss_put_base64(&out, value) && creo_wss_put(&out, "</ds:SignatureValue><ds:KeyInfo>") &&
           creo_wss_put_reference(&out, wss->signer.certificate, wss->reference, id) && creo_wss_put(&out, "</ds:KeyInfo></ds:Signature>") &&
           creo_wss_add_raw(call, call->security, NULL, creo_writer_bytes(&out));
}

static bool secure(creo_wss_call *call, creo_bytes *sent)
{
    const creo_wss *wss = call->wss;
    creo_wss_ids ids;
    creo_writer out;
    if (!creo_wss_open_envelope(call) || !creo_wss_add_security(call) || !write_new_ids(&ids, call->error))
        return false;
    if (wss->saml != NULL && !creo_wss_copy(call, xmlDocGetRootElement(wss->saml), call->security, NULL))
        return false;
    if (wss->signer.key != NULL && !(add_timestamp(call) && write_signature(call, &ids)))
        return false;
    if (wss->recipient != NULL && !creo_wss_encrypt_message(call, &ids))
        return false;
    creo_writer_init(&out, call->arena, NULL, call->error);
    if (!creo_wss_put_node(&out, call->root, NULL, 0))
        return false;
    *sent = creo_writer_bytes(&out);
    return true;
}

bool creo_wss_begin(creo_wss_call *call, const creo_wss *wss, creo_bytes text, creo_arena *arena, creo_error *error)
{
    memset(call, 0, sizeof *call);
    call->wss = wss;
    call->arena = arena;
    call->error = error;
    if (wss->clock == NULL ? !creo_wall_clock(&call->now, error)
                           : !wss->clock(wss->context, &call->now) && !creo_fail(error, CREO_INTERNAL, "the clock of the security does not say the time of day"))
        return false;
    call->document = creo_wss_parse(text, error);
    return call->document != NULL;
}

void creo_wss_end(creo_wss_call *call)
{
    xmlFreeNode(call->removed);
    xmlFreeDoc(call->document);
}

bool creo_wss_send(void *context, creo_bytes request, creo_arena *arena, creo_bytes *sent, creo_error *error)
{
    const creo_wss *wss = (const creo_wss *)context;
    if (wss->signer.key == NULL && wss->recipient == NULL && wss->saml == NULL) {
        *sent = request;
        return true;
    }
    creo_wss_quiet before = creo_wss_hush();
    creo_wss_call call;
    bool done = creo_wss_begin(&call, wss, request, arena, error) && secure(&call, sent);
    creo_wss_end(&call);
    creo_wss_speak(before);
    return done;
}
