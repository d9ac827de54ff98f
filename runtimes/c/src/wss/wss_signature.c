/* Signatures: SOAP-84, SOAP-85, SOAP-89. */
#include <creo/codegen/path.h>

#include "wss_parts.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/rsa.h>

/* The max prefixes that a canonicalization names. */
#define MAX_NAMED 256

bool creo_wss_digest(creo_wss_call *call, xmlNodePtr element, const char *const *prefixes, const char *known, uint8_t digest[EVP_MAX_MD_SIZE], unsigned *size)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done = context != NULL && EVP_DigestInit_ex(context, EVP_get_digestbyname(known), NULL) == 1 &&
                creo_wss_canonicalize(call, element, prefixes, context, NULL) && EVP_DigestFinal_ex(context, digest, size) == 1;
    EVP_MD_CTX_free(context);
    return done;
}

/*
 * The operation of the key.
 */

/* The bytes of each number of a signature of a curve. */
static size_t number_size(const EVP_PKEY *key)
{
    return ((size_t)EVP_PKEY_get_bits(key) + 7) / 8;
}

/* Sets what an algorithm wants besides the digest. */
static bool set_padding(EVP_PKEY_CTX *operation, const creo_wss_algorithm *algorithm)
{
    return algorithm->form != WSS_PSS || (EVP_PKEY_CTX_set_rsa_padding(operation, RSA_PKCS1_PSS_PADDING) > 0 && EVP_PKEY_CTX_set_rsa_pss_saltlen(operation, RSA_PSS_SALTLEN_DIGEST) > 0);
}

/* The two numbers of a signature of a curve as libcrypto has them, to be freed with OPENSSL_free; 0 if they are none. */
static int numbers_to_der(creo_bytes value, const EVP_PKEY *key, uint8_t **der)
{
    size_t half = value.size / 2;
    if (value.size % 2 != 0 || half == 0 || half > number_size(key))
        return 0;
    ECDSA_SIG *both = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(value.data, (int)half, NULL);
    BIGNUM *s = BN_bin2bn(value.data + half, (int)half, NULL);
    int size = 0;
    if (both != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(both, r, s) == 1) {
        size = i2d_ECDSA_SIG(both, der);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(both);
    return size;
}

/* Whether a signature is that of a text. */
static bool is_signed(creo_bytes text, creo_bytes value, EVP_PKEY *key, const creo_wss_algorithm *algorithm)
{
    uint8_t *der = NULL;
    if (algorithm->form == WSS_EC) {
        int size = numbers_to_der(value, key, &der);
        if (size <= 0)
            return false;
        value = creo_bytes_of(der, (size_t)size);
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *operation = NULL;
    bool fine = context != NULL && EVP_DigestVerifyInit(context, &operation, EVP_get_digestbyname(algorithm->known), NULL, key) == 1 &&
                set_padding(operation, algorithm) && EVP_DigestVerify(context, value.data, value.size, text.data, text.size) == 1;
    EVP_MD_CTX_free(context);
    OPENSSL_free(der);
    return fine;
}

/* The reverse of `numbers_to_der`. */
static bool der_to_numbers(const uint8_t *der, size_t size, const EVP_PKEY *key, creo_arena *arena, creo_bytes *value)
{
    size_t half = number_size(key);
    uint8_t *numbers = creo_arena_bytes(arena, 2 * half);
    ECDSA_SIG *both = d2i_ECDSA_SIG(NULL, &der, (long)size);
    bool done = numbers != NULL && both != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(both), numbers, (int)half) >= 0 &&
                BN_bn2binpad(ECDSA_SIG_get0_s(both), numbers + half, (int)half) >= 0;
    ECDSA_SIG_free(both);
    *value = creo_bytes_of(numbers, 2 * half);
    return done;
}

bool creo_wss_sign(creo_wss_call *call, creo_bytes text, creo_bytes *value)
{
    const creo_wss *wss = call->wss;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *operation = NULL;
    size_t size = 0;
    uint8_t *made = NULL;
    bool done = context != NULL && EVP_DigestSignInit(context, &operation, EVP_get_digestbyname(wss->signature->known), NULL, wss->signer.key) == 1 &&
                set_padding(operation, wss->signature) && EVP_DigestSign(context, NULL, &size, text.data, text.size) == 1;
    if (done) {
        made = creo_arena_bytes(call->arena, size);
        done = made != NULL && EVP_DigestSign(context, made, &size, text.data, text.size) == 1;
    }
    EVP_MD_CTX_free(context);
    *value = creo_bytes_of(made, size);
    if (done && wss->signature->form == WSS_EC)
        done = der_to_numbers(made, size, wss->signer.key, call->arena, value);
    return done || creo_fail(call->error, CREO_INTERNAL, "the message cannot be signed");
}

/*
 * The form of a signature.
 */

/* A reference of a signature. */
typedef struct reference {
    xmlNodePtr element;
    /* The element that it means. */
    xmlNodePtr target;
    xmlNodePtr value;
    const creo_wss_algorithm *digest;
    /* NULL: none. */
    const char **prefixes;
} reference;

/* A signature as it was read. */
typedef struct signature_shape {
    xmlNodePtr info;
    xmlNodePtr value;
    xmlNodePtr key;
    const creo_wss_algorithm *algorithm;
    const char **prefixes;
    reference references[WSS_MAX_REFERENCES];
    size_t count;
} signature_shape;

static bool signature_unreadable(creo_wss_call *call)
{
    return creo_wss_refuse(call->error, WSS_UNREADABLE, "a signature that cannot be read");
}

/* The prefixes of InclusiveNamespaces within an algorithm, which holds nothing else. NULL if there are none. */
static bool read_prefixes(creo_wss_call *call, const xmlNode *algorithm, const char ***prefixes)
{
    *prefixes = NULL;
    xmlNodePtr listed = creo_wss_first(algorithm);
    if (listed == NULL)
        return true;
    const char *list = creo_wss_attribute(listed, NULL, "PrefixList");
    if (!creo_wss_is(listed, WSS_EXCLUSIVE, "InclusiveNamespaces") || creo_wss_next(listed) != NULL || list == NULL)
        return signature_unreadable(call);
    char *text = creo_arena_text(call->arena, creo_text(list));
    const char **found = (const char **)creo_arena_take_zeroed(call->arena, MAX_NAMED + 1, sizeof *found);
    if (text == NULL || found == NULL)
        return creo_wss_no_memory(call->error);
    for (size_t count = 0;; count++) {
        text += strspn(text, " \t\r\n");
        if (*text == 0)
            break;
        if (count == MAX_NAMED)
            return creo_wss_refuse(call->error, WSS_TOO_MANY, "more than %d prefixes in InclusiveNamespaces", MAX_NAMED);
        found[count] = text;
        text += strcspn(text, " \t\r\n");
        if (*text != 0)
            *text++ = 0;
    }
    *prefixes = found;
    return true;
}

/* The algorithms of one reference; nothing is computed. */
static bool read_shape_of_reference(creo_wss_call *call, reference *read)
{
    xmlNodePtr transforms;
    xmlNodePtr method;
    if (!creo_wss_only(call, read->element, WSS_DSIG, "DigestMethod", true, &method) ||
        !creo_wss_only(call, read->element, WSS_DSIG, "DigestValue", true, &read->value) || !creo_wss_only(call, read->element, WSS_DSIG, "Transforms", false, &transforms))
        return false;
    read->digest = creo_wss_accepted(WSS_OF_DIGEST, creo_wss_algorithm_of(method), call->wss->allowed, call->error);
    if (read->digest == NULL)
        return false;
    size_t count = 0;
    for (xmlNodePtr transform = transforms == NULL ? NULL : creo_wss_first(transforms); transform != NULL; transform = creo_wss_next(transform)) {
        const char *uri = creo_wss_algorithm_of(transform);
        if (strcmp(uri, WSS_EXCLUSIVE) != 0)
            return creo_wss_refuse(call->error, WSS_TRANSFORM, "the transform \"%.200s\" is not accepted", uri);
        if (!creo_wss_is(transform, WSS_DSIG, "Transform"))
            return signature_unreadable(call);
        if (!read_prefixes(call, transform, &read->prefixes))
            return false;
        count++;
    }
    if (count != 1)
        return creo_wss_refuse(call->error, WSS_TRANSFORM, "a reference has one transform, exclusive canonicalization");
    for (xmlNodePtr part = creo_wss_first(read->element); part != NULL; part = creo_wss_next(part))
        if (part != transforms && part != method && part != read->value)
            return signature_unreadable(call);
    return true;
}

/* The three parts of a signature, accepted algorithms and not too many references. None of it is worked on before. */
static bool read_shape(creo_wss_call *call, const xmlNode *element, signature_shape *shape)
{
    memset(shape, 0, sizeof *shape);
    shape->info = creo_wss_first(element);
    shape->value = shape->info == NULL ? NULL : creo_wss_next(shape->info);
    shape->key = shape->value == NULL ? NULL : creo_wss_next(shape->value);
    if (shape->key == NULL || creo_wss_next(shape->key) != NULL || !creo_wss_is(shape->info, WSS_DSIG, "SignedInfo") ||
        !creo_wss_is(shape->value, WSS_DSIG, "SignatureValue") || !creo_wss_is(shape->key, WSS_DSIG, "KeyInfo"))
        return creo_wss_refuse(call->error, WSS_UNREADABLE, "a signature has SignedInfo, SignatureValue and KeyInfo, and nothing else");
    xmlNodePtr form = creo_wss_first(shape->info);
    xmlNodePtr method = form == NULL ? NULL : creo_wss_next(form);
    if (method == NULL || !creo_wss_is(form, WSS_DSIG, "CanonicalizationMethod") || !creo_wss_is(method, WSS_DSIG, "SignatureMethod") || creo_wss_first(method) != NULL)
        return signature_unreadable(call);
    for (xmlNodePtr read = creo_wss_next(method); read != NULL; read = creo_wss_next(read)) {
        if (!creo_wss_is(read, WSS_DSIG, "Reference"))
            return signature_unreadable(call);
        if (shape->count == WSS_MAX_REFERENCES)
            return creo_wss_refuse(call->error, WSS_TOO_MANY, "more than %d references in a signature", WSS_MAX_REFERENCES);
        shape->references[shape->count++].element = read;
    }
    if (strcmp(creo_wss_algorithm_of(form), WSS_EXCLUSIVE) != 0)
        return creo_wss_refuse(call->error, WSS_ALGORITHM, "only exclusive canonicalization is accepted");
    if (!read_prefixes(call, form, &shape->prefixes))
        return false;
    for (size_t i = 0; i < shape->count; i++)
        if (!read_shape_of_reference(call, &shape->references[i]))
            return false;
    shape->algorithm = creo_wss_accepted(WSS_OF_SIGNATURE, creo_wss_algorithm_of(method), call->wss->allowed, call->error);
    return shape->algorithm != NULL && (shape->count != 0 || signature_unreadable(call));
}

/* Finds what a reference means: the body, a block of the header, or an element of the Security block, at its place. */
static bool find_target(creo_wss_call *call, signature_shape *shape, size_t index)
{
    reference *at = &shape->references[index];
    if (!creo_wss_referred(call, creo_wss_attribute(at->element, NULL, "URI"), &at->target))
        return false;
    const xmlNode *parent = at->target->parent;
    if (at->target != call->body && parent != call->security && (call->header == NULL || parent != call->header))
        return creo_wss_refuse(call->error, WSS_MISPLACED, "the signature is for an element %.100s that is not at its place", (const char *)at->target->name);
    for (size_t i = 0; i < index; i++)
        if (shape->references[i].target == at->target)
            return creo_wss_refuse(call->error, WSS_MISPLACED, "two references to one element");
    return true;
}

/*
 * Prefixes in values.
 */

static bool is_listed(const char *const *prefixes, const char *prefix)
{
    for (size_t i = 0; prefixes != NULL && prefixes[i] != NULL; i++)
        if (strcmp(prefixes[i], prefix[0] == 0 ? "#default" : prefix) == 0)
            return true;
    return false;
}

/* The namespace of a prefix, empty for none. */
static const char *meaning_of(const creo_wss_call *call, xmlNodePtr at, const char *prefix)
{
    xmlNsPtr found = xmlSearchNs(call->document, at, prefix[0] == 0 ? NULL : (const xmlChar *)prefix);
    return found == NULL || found->href == NULL ? "" : (const char *)found->href;
}

static bool has_prefix(const xmlNs *ns, const char *prefix)
{
    return strcmp(ns == NULL || ns->prefix == NULL ? "" : (const char *)ns->prefix, prefix) == 0;
}

/* Whether the nearest element that uses a prefix visibly, within what is signed, gives it the same namespace. */
static bool is_used(const creo_wss_call *call, const char *prefix, xmlNodePtr element, const xmlNode *target)
{
    const char *meant = meaning_of(call, element, prefix);
    for (xmlNodePtr n = element;; n = n->parent) {
        bool used = has_prefix(n->ns, prefix);
        for (const xmlAttr *a = n->properties; !used && prefix[0] != 0 && a != NULL; a = a->next)
            used = has_prefix(a->ns, prefix);
        if (used)
            return strcmp(meaning_of(call, n, prefix), meant) == 0;
        if (n == target)
            return prefix[0] == 0 && meant[0] == 0;
    }
}

/* Refuses an `xsi:type` whose prefix is not a part of what is signed. */
static bool check_prefixes(creo_wss_call *call, const reference *at)
{
    for (xmlNodePtr node = at->target; node != NULL; node = creo_wss_walk(node, at->target)) {
        const char *type = node->type == XML_ELEMENT_NODE ? creo_wss_attribute(node, WSS_INSTANCE, "type") : NULL;
        if (type == NULL)
            continue;
        type += strspn(type, " \t\r\n");
        size_t size = strcspn(type, ":");
        char *prefix = creo_arena_text(call->arena, (creo_string){type, type[size] == 0 ? 0 : size});
        if (prefix == NULL)
            return creo_wss_no_memory(call->error);
        if (!is_listed(at->prefixes, prefix) && !is_used(call, prefix, node, at->target))
            return creo_wss_refuse(call->error, WSS_PREFIX, "the signature does not protect the prefix of the type \"%.200s\"", type);
    }
    return true;
}

/*
 * Verification.
 */

/* Whether the signature is that of SignedInfo, which is then remembered. */
static bool check_signature(creo_wss_call *call, const signature_shape *shape, creo_wss_signature *signature)
{
    creo_writer text;
    creo_bytes value;
    unsigned size;
    creo_writer_init(&text, call->arena, NULL, call->error);
    if (!creo_wss_bytes(call, shape->value, &value))
        return false;
    bool fine = creo_wss_canonicalize(call, shape->info, shape->prefixes, NULL, &text) &&
                is_signed(creo_writer_bytes(&text), value, X509_get0_pubkey(signature->certificate), shape->algorithm) &&
                EVP_Digest(text.start, creo_writer_size(&text), signature->hash, &size, EVP_sha256(), NULL) == 1;
    return fine || creo_wss_refuse(call->error, WSS_BAD_SIGNATURE, "the signature is not that of the message");
}

static bool check_digest(creo_wss_call *call, const reference *at)
{
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned size;
    creo_bytes due;
    if (!creo_wss_bytes(call, at->value, &due))
        return false;
    bool same = creo_wss_digest(call, at->target, at->prefixes, at->digest->known, digest, &size) && size == due.size && CRYPTO_memcmp(digest, due.data, size) == 0;
    return same || creo_wss_refuse(call->error, WSS_BAD_DIGEST, "the element %.100s was changed", (const char *)at->target->name);
}

bool creo_wss_verify(creo_wss_call *call, xmlNodePtr element, creo_wss_signature *signature)
{
    signature_shape shape;
    if (!read_shape(call, element, &shape))
        return false;
    signature->certificate = creo_wss_read_reference(call, shape.key, call->wss->known);
    if (signature->certificate == NULL || !creo_wss_check_trust(call, signature->certificate))
        return false;
    if (!creo_wss_fits(X509_get0_pubkey(signature->certificate), shape.algorithm))
        return creo_wss_refuse(call->error, WSS_ALGORITHM, "the algorithm \"%s\" does not fit the key", shape.algorithm->uri);
    for (size_t i = 0; i < shape.count; i++)
        if (!find_target(call, &shape, i))
            return false;
    if (!check_signature(call, &shape, signature))
        return false;
    for (size_t i = 0; i < shape.count; i++)
        if (!check_digest(call, &shape.references[i]))
            return false;
    for (size_t i = 0; i < shape.count; i++) {
        if (!call->wss->loose_prefixes && !check_prefixes(call, &shape.references[i]))
            return false;
        signature->signed_elements[signature->count++] = shape.references[i].target;
    }
    return true;
}
