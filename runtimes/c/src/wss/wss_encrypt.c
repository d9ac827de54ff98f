/* Encrypts the body and tokens of a message (SOAP-82). */
#include "wss_parts.h"

#include "../http/fresh.h"

#include <openssl/crypto.h>

#include <stdio.h>

void creo_wss_new_id(creo_wss_ids *ids, char id[WSS_ID_SIZE])
{
    (void)snprintf(id, WSS_ID_SIZE, "creo-%u-%s", ++ids->count, ids->base);
}

/* What is needed for all parts of a message. */
typedef struct encryption {
    uint8_t key[WSS_MAX_KEY];
    char key_id[WSS_ID_SIZE];
    /* The references to the parts. */
    creo_writer list;
} encryption;

/* Replaces a node, or adds to the body if it is NULL, by encrypted data. */
static bool encrypt_part(creo_wss_call *call, creo_wss_ids *ids, encryption *all, creo_bytes plain, xmlNodePtr parent, xmlNodePtr replaced)
{
    char id[WSS_ID_SIZE];
    creo_bytes data;
    creo_writer out;
    const creo_wss_algorithm *algorithm = call->wss->data_encryption;
    creo_wss_new_id(ids, id);
    creo_writer_init(&out, call->arena, NULL, call->error);
    if (!creo_wss_encrypt(call, algorithm, all->key, plain, &data) || !creo_wss_put(&out, "<xenc:EncryptedData xmlns:xenc=\"" WSS_XENC "\" Id=\"") || !creo_wss_put(&out, id) ||
        !creo_wss_put(&out, replaced == NULL ? "\" Type=\"" WSS_CONTENT "\"" : "\" Type=\"" WSS_ELEMENT "\"") || !creo_wss_put(&out, "><xenc:EncryptionMethod Algorithm=\"") ||
        !creo_wss_put(&out, algorithm->uri) ||
        !creo_wss_put(&out, "\"></xenc:EncryptionMethod><ds:KeyInfo xmlns:ds=\"" WSS_DSIG "\"><wsse:SecurityTokenReference xmlns:wsse=\"" WSS_SECEXT
                            "\" xmlns:wsse11=\"" WSS_SECEXT_11 "\" wsse11:TokenType=\"" WSS_ENCRYPTED_KEY "\"><wsse:Reference URI=\"#") ||
        !creo_wss_put(&out, all->key_id) ||
        !creo_wss_put(&out, "\"></wsse:Reference></wsse:SecurityTokenReference></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>") || !creo_wss_put_base64(&out, data) ||
        !creo_wss_put(&out, "</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>"))
        return false;
    if (!creo_wss_add_raw(call, parent, replaced, creo_writer_bytes(&out)))
        return false;
    if (replaced != NULL) {
        xmlUnlinkNode(replaced);
        xmlFreeNode(replaced);
    }
    return creo_wss_put(&all->list, "<xenc:DataReference URI=\"#") && creo_wss_put(&all->list, id) && creo_wss_put(&all->list, "\"></xenc:DataReference>");
}

static bool encrypt_body(creo_wss_call *call, creo_wss_ids *ids, encryption *all)
{
    creo_wss_scope *scope;
    size_t count;
    creo_writer out;
    creo_writer_init(&out, call->arena, NULL, call->error);
    if (!creo_wss_scope_of(call, call->body, &scope, &count))
        return false;
    for (xmlNodePtr n = call->body->children; n != NULL; n = call->body->children) {
        /* The text can be read alone. */
        if (!creo_wss_put_node(&out, n, scope, count))
            return false;
        xmlUnlinkNode(n);
        xmlFreeNode(n);
    }
    return encrypt_part(call, ids, all, creo_writer_bytes(&out), call->body, NULL);
}

static bool encrypt_token(creo_wss_call *call, creo_wss_ids *ids, encryption *all, xmlNodePtr token)
{
    creo_wss_scope *scope;
    size_t count;
    creo_writer out;
    creo_writer_init(&out, call->arena, NULL, call->error);
    return creo_wss_scope_of(call, token, &scope, &count) && creo_wss_put_node(&out, token, scope, count) &&
           encrypt_part(call, ids, all, creo_writer_bytes(&out), call->security, token);
}

/* The key, and before it the certificate if the reference wants that, before all others. */
static bool put_key(creo_wss_call *call, creo_wss_ids *ids, encryption *all)
{
    const creo_wss *wss = call->wss;
    const creo_wss_algorithm *algorithm = wss->key_encryption;
    char id[WSS_ID_SIZE];
    creo_bytes wrapped;
    creo_writer out;
    creo_wss_new_id(ids, id);
    creo_writer_init(&out, call->arena, NULL, call->error);
    const char *method = algorithm->form == WSS_OAEP_11 ? "<ds:DigestMethod xmlns:ds=\"" WSS_DSIG "\" Algorithm=\"" WSS_XENC "sha256\"></ds:DigestMethod><xenc11:MGF xmlns:xenc11=\"" WSS_XENC_11
                                                          "\" Algorithm=\"" WSS_XENC_11 "mgf1sha256\"></xenc11:MGF>"
                         : algorithm->form == WSS_OAEP  ? "<ds:DigestMethod xmlns:ds=\"" WSS_DSIG "\" Algorithm=\"" WSS_DSIG "sha1\"></ds:DigestMethod>"
                                                        : "";
    bool binary = wss->key_reference == CREO_WSS_BINARY_TOKEN;
    return creo_wss_wrap(call, algorithm, wss->recipient, all->key, wss->data_encryption->size, &wrapped) && (!binary || creo_wss_put_token(&out, wss->recipient, id)) &&
           creo_wss_put(&out, "<xenc:EncryptedKey xmlns:xenc=\"" WSS_XENC "\" Id=\"") && creo_wss_put(&out, all->key_id) &&
           creo_wss_put(&out, "\"><xenc:EncryptionMethod Algorithm=\"") && creo_wss_put(&out, algorithm->uri) && creo_wss_put(&out, "\">") && creo_wss_put(&out, method) &&
           creo_wss_put(&out, "</xenc:EncryptionMethod><ds:KeyInfo xmlns:ds=\"" WSS_DSIG "\">") && creo_wss_put_reference(&out, wss->recipient, wss->key_reference, id) &&
           creo_wss_put(&out, "</ds:KeyInfo><xenc:CipherData><xenc:CipherValue>") && creo_wss_put_base64(&out, wrapped) &&
           creo_wss_put(&out, "</xenc:CipherValue></xenc:CipherData><xenc:ReferenceList>") && creo_write_raw(&out, creo_writer_bytes(&all->list)) &&
           creo_wss_put(&out, "</xenc:ReferenceList></xenc:EncryptedKey>") && creo_wss_add_raw(call, call->security, call->security->children, creo_writer_bytes(&out));
}

bool creo_wss_encrypt_message(creo_wss_call *call, creo_wss_ids *ids)
{
    encryption all;
    creo_wss_new_id(ids, all.key_id);
    creo_writer_init(&all.list, call->arena, NULL, call->error);
    bool done = creo_random(all.key, sizeof all.key, call->error) && encrypt_body(call, ids, &all);
    xmlNodePtr next;
    for (xmlNodePtr token = creo_wss_first(call->security); done && token != NULL; token = next) {
        next = creo_wss_next(token);
        if (creo_wss_is(token, WSS_SECEXT, "UsernameToken") || creo_wss_is(token, WSS_SAML_2, "Assertion"))
            done = encrypt_token(call, ids, &all, token);
    }
    done = done && put_key(call, ids, &all);
    OPENSSL_cleanse(all.key, sizeof all.key);
    return done;
}
