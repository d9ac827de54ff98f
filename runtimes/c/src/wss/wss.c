/* The options of a security, and its life. */
#include <creo/codegen/path.h>

#include "../xml/xml_whole.h"
#include "wss_parts.h"

#include <libxml/parser.h>

#include <stdlib.h>

/* A copy of the names of header blocks. */
static bool copy_names(const char *const *names, creo_wss_block_names *into, creo_error *error)
{
    size_t count = 0;
    while (names != NULL && names[count] != NULL)
        count++;
    if (count == 0)
        return true;
    into->items = (creo_wss_block_name *)calloc(count, sizeof *into->items);
    if (into->items == NULL)
        return creo_wss_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i];
        const char *end = name[0] == '{' ? strrchr(name, '}') : NULL;
        if (end == NULL || end[1] == 0)
            return creo_fail(error, CREO_INVALID_VALUE, "a header block of a security is {namespace}name or {namespace}*, not %.200s", name);
        creo_wss_block_name *item = &into->items[into->count++];
        size_t size = (size_t)(end - name) - 1;
        item->space = (char *)malloc(size + 1);
        item->local = (char *)malloc(strlen(end));
        if (item->space == NULL || item->local == NULL)
            return creo_wss_no_memory(error);
        memcpy(item->space, name + 1, size);
        item->space[size] = 0;
        memcpy(item->local, end + 1, strlen(end));
    }
    return true;
}

static void free_names(creo_wss_block_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->items[i].space);
        free(names->items[i].local);
    }
    free(names->items);
}

/* The first certificate of some, as the caller's own. */
static X509 *read_first(const creo_wss_pem *pem, const char *what, creo_error *error)
{
    STACK_OF(X509) *all = sk_X509_new_null();
    X509 *first = NULL;
    if (all == NULL)
        (void)creo_wss_no_memory(error);
    else if (creo_wss_read_certificates(pem, all, what, error))
        first = sk_X509_shift(all);
    sk_X509_pop_free(all, X509_free);
    return first;
}

static bool read_own(const creo_wss_identity *identity, creo_wss_own *own, const char *what, creo_error *error)
{
    own->key = creo_wss_read_key(&identity->key, identity->password, what, error);
    own->certificate = own->key == NULL ? NULL : read_first(&identity->certificate, what, error);
    if (own->certificate == NULL)
        return false;
    return X509_check_private_key(own->certificate, own->key) == 1 || creo_fail(error, CREO_INVALID_VALUE, "%s: the key is not that of the certificate", what);
}

/* An algorithm that is written, by its name, or its default. */
static bool choose(creo_wss_kind kind, const char *name, const char *otherwise, const creo_wss_algorithm **algorithm, creo_error *error)
{
    *algorithm = creo_wss_algorithm_named(kind, name == NULL ? otherwise : name);
    return *algorithm != NULL || creo_fail(error, CREO_INVALID_VALUE, "there is no algorithm %.100s of this kind", name);
}

static bool is_rsa(X509 *certificate)
{
    EVP_PKEY *key = X509_get0_pubkey(certificate);
    return key != NULL && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA;
}

static bool check_identifier(X509 *certificate, creo_wss_reference reference, creo_error *error)
{
    return reference != CREO_WSS_KEY_IDENTIFIER || creo_wss_key_identifier(certificate) != NULL ||
           creo_fail(error, CREO_INVALID_VALUE, "a certificate that has no identifier of its key cannot be referred to by it");
}

static bool init_signer(creo_wss *wss, const creo_wss_options *options, creo_error *error)
{
    wss->reference = options->reference == CREO_WSS_DEFAULT ? CREO_WSS_BINARY_TOKEN : options->reference;
    if (!creo_wss_is_given(&options->signer.key) && !creo_wss_is_given(&options->signer.certificate))
        return true;
    if (!read_own(&options->signer, &wss->signer, "the signer", error) || !check_identifier(wss->signer.certificate, wss->reference, error))
        return false;
    const EVP_PKEY *key = wss->signer.key;
    if (!creo_wss_is_strong(key))
        return creo_fail(error, CREO_INVALID_VALUE, "a signature needs a key of RSA with 2048 bits, or of a named elliptic curve with 256 bits");
    const char *usual = EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA ? "rsa-sha256" : EVP_PKEY_get_bits(key) >= 384 ? "ecdsa-sha384" : "ecdsa-sha256";
    if (!choose(WSS_OF_SIGNATURE, options->signature, usual, &wss->signature, error))
        return false;
    /* They are read if the options allow them, and never written. */
    if (wss->signature->weak)
        return creo_fail(error, CREO_INVALID_VALUE, "signatures with %s are not written", wss->signature->name);
    return creo_wss_fits(key, wss->signature) || creo_fail(error, CREO_INVALID_VALUE, "%s does not fit the key that signs", wss->signature->name);
}

static bool init_recipient(creo_wss *wss, const creo_wss_options *options, creo_error *error)
{
    wss->key_reference = options->key_reference == CREO_WSS_DEFAULT ? CREO_WSS_ISSUER_SERIAL : options->key_reference;
    if (!choose(WSS_OF_KEY, options->key_encryption, "rsa-oaep-mgf1p", &wss->key_encryption, error) ||
        !choose(WSS_OF_DATA, options->data_encryption, "aes256-gcm", &wss->data_encryption, error))
        return false;
    if (!creo_wss_is_given(&options->recipient))
        return true;
    wss->recipient = read_first(&options->recipient, "the recipient", error);
    if (wss->recipient == NULL)
        return false;
    return (is_rsa(wss->recipient) || creo_fail(error, CREO_INVALID_VALUE, "messages are encrypted to a key of RSA")) &&
           check_identifier(wss->recipient, wss->key_reference, error);
}

static bool init_saml(creo_wss *wss, creo_string assertion, creo_error *error)
{
    creo_arena arena;
    creo_bytes text;
    if (assertion.size == 0)
        return true;
    creo_arena_init(&arena, creo_allocator_libc());
    if (creo_xml_whole(creo_bytes_of(assertion.data, assertion.size), creo_text("utf-8"), &arena, &text, error))
        wss->saml = creo_wss_parse(text, error);
    creo_arena_free(&arena);
    if (wss->saml == NULL)
        return false;
    return creo_wss_is(xmlDocGetRootElement(wss->saml), WSS_SAML_2, "Assertion") || creo_fail(error, CREO_INVALID_VALUE, "the text is no assertion of SAML 2.0");
}

/* Adds the certificates of one list to another. */
static bool add_all(STACK_OF(X509) * to, STACK_OF(X509) * from, creo_error *error)
{
    for (int i = 0; i < sk_X509_num(from); i++) {
        X509 *added = sk_X509_value(from, i);
        if (X509_up_ref(added) != 1 || sk_X509_push(to, added) <= 0)
            return creo_wss_no_memory(error);
    }
    return true;
}

static bool init_issuers(creo_wss *wss, const creo_wss_pem *pem, creo_error *error)
{
    STACK_OF(X509) *all = sk_X509_new_null();
    wss->issuers = X509_STORE_new();
    bool done = all != NULL && wss->issuers != NULL ? creo_wss_read_certificates(pem, all, "the issuers", error) : creo_wss_no_memory(error);
    for (int i = 0; done && i < sk_X509_num(all); i++)
        done = X509_STORE_add_cert(wss->issuers, sk_X509_value(all, i)) == 1 || creo_wss_no_memory(error);
    sk_X509_pop_free(all, X509_free);
    return done;
}

static bool init_trust(creo_wss *wss, const creo_wss_options *options, creo_error *error)
{
    wss->trusted = sk_X509_new_null();
    wss->known = sk_X509_new_null();
    wss->readable = sk_X509_new_null();
    if (wss->trusted == NULL || wss->known == NULL || wss->readable == NULL)
        return creo_wss_no_memory(error);
    wss->accept = options->accept;
    return (!creo_wss_is_given(&options->trusted) || creo_wss_read_certificates(&options->trusted, wss->trusted, "the trusted certificates", error)) &&
           (!creo_wss_is_given(&options->issuers) || init_issuers(wss, &options->issuers, error)) &&
           (!creo_wss_is_given(&options->known) || creo_wss_read_certificates(&options->known, wss->known, "the known certificates", error)) &&
           add_all(wss->known, wss->trusted, error);
}

static bool init_readers(creo_wss *wss, const creo_wss_options *options, creo_error *error)
{
    if (options->decryption_count == 0)
        return true;
    wss->readers = (creo_wss_own *)calloc(options->decryption_count, sizeof *wss->readers);
    if (wss->readers == NULL)
        return creo_wss_no_memory(error);
    for (size_t i = 0; i < options->decryption_count; i++) {
        creo_wss_own *own = &wss->readers[wss->reader_count++];
        if (!read_own(&options->decryption[i], own, "the key for decryption", error))
            return false;
        if (!is_rsa(own->certificate))
            return creo_fail(error, CREO_INVALID_VALUE, "messages are decrypted with a key of RSA");
        if (X509_up_ref(own->certificate) != 1 || sk_X509_push(wss->readable, own->certificate) <= 0)
            return creo_wss_no_memory(error);
    }
    return true;
}

static bool init_allowed(creo_wss *wss, const char *const *names, creo_error *error)
{
    static const creo_wss_kind kinds[] = {WSS_OF_SIGNATURE, WSS_OF_DIGEST, WSS_OF_KEY, WSS_OF_DATA};
    for (; names != NULL && *names != NULL; names++) {
        const creo_wss_algorithm *found = NULL;
        for (size_t i = 0; found == NULL && i < sizeof kinds / sizeof kinds[0]; i++)
            found = creo_wss_algorithm_named(kinds[i], *names);
        if (found == NULL)
            return creo_fail(error, CREO_INVALID_VALUE, "there is no algorithm %.100s to allow", *names);
        wss->allowed |= creo_wss_algorithm_bit(found);
    }
    return true;
}

static bool init_all(creo_wss *wss, const creo_wss_options *options, creo_error *error)
{
    union {
        const creo_wss *from;
        void *to;
    } own = {wss};
    wss->security = (creo_soap_security){own.to, creo_wss_send, creo_wss_receive};
    wss->require_encrypted = options->require_encrypted;
    wss->timestamps = !options->without_timestamps;
    wss->loose_prefixes = options->allow_loose_prefixes;
    wss->max_size = options->max_size == 0 ? CREO_WSS_MAX_SIZE : options->max_size;
    wss->clock = options->clock;
    wss->context = options->context;
    wss->replays = creo_wss_replays_new(options->max_replays == 0 ? CREO_WSS_MAX_REPLAYS : options->max_replays);
    if (wss->replays == NULL)
        return creo_wss_no_memory(error);
    return init_signer(wss, options, error) && init_recipient(wss, options, error) && init_saml(wss, options->saml, error) && init_trust(wss, options, error) &&
           init_readers(wss, options, error) && init_allowed(wss, options->allowed, error) && copy_names(options->signed_headers, &wss->signed_headers, error) &&
           copy_names(options->required_headers, &wss->required_headers, error);
}

creo_wss *creo_wss_new(const creo_wss_options *options, creo_error *error)
{
    xmlInitParser();
    creo_wss *wss = (creo_wss *)calloc(1, sizeof *wss);
    if (wss == NULL) {
        (void)creo_wss_no_memory(error);
        return NULL;
    }
    creo_wss_quiet before = creo_wss_hush();
    bool done = init_all(wss, options, error);
    creo_wss_speak(before);
    if (done)
        return wss;
    creo_wss_free(wss);
    return NULL;
}

const creo_soap_security *creo_wss_security(const creo_wss *wss)
{
    return &wss->security;
}

void creo_wss_free(creo_wss *wss)
{
    if (wss == NULL)
        return;
    EVP_PKEY_free(wss->signer.key);
    X509_free(wss->signer.certificate);
    X509_free(wss->recipient);
    xmlFreeDoc(wss->saml);
    sk_X509_pop_free(wss->trusted, X509_free);
    X509_STORE_free(wss->issuers);
    sk_X509_pop_free(wss->known, X509_free);
    for (size_t i = 0; i < wss->reader_count; i++) {
        EVP_PKEY_free(wss->readers[i].key);
        X509_free(wss->readers[i].certificate);
    }
    free(wss->readers);
    sk_X509_pop_free(wss->readable, X509_free);
    free_names(&wss->signed_headers);
    free_names(&wss->required_headers);
    creo_wss_replays_free(wss->replays);
    free(wss);
}
