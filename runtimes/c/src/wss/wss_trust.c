/* Whose signatures are accepted (SOAP-87). */
#include <creo/codegen/path.h>

#include "wss_parts.h"

#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <stdlib.h>
#include <time.h>

/* The max certificates between one and the authority that is trusted. */
#define MAX_PATH 5

/* RSA with 2,048 bits, and no SHA-1, on the way to an authority. */
#define PATH_LEVEL 2

static bool is_valid_at(const X509 *certificate, time_t now)
{
    return X509_cmp_time(X509_get0_notBefore(certificate), &now) < 0 && X509_cmp_time(X509_get0_notAfter(certificate), &now) > 0;
}

static bool trust_is_pinned(const creo_wss *wss, const X509 *certificate)
{
    for (int i = 0; i < sk_X509_num(wss->trusted); i++)
        if (X509_cmp(sk_X509_value(wss->trusted, i), certificate) == 0)
            return true;
    return false;
}

/* Whether a path leads to an authority. */
static bool is_issued(const creo_wss *wss, X509 *certificate, time_t now)
{
    X509_STORE_CTX *path = X509_STORE_CTX_new();
    bool issued = false;
    if (path != NULL && X509_STORE_CTX_init(path, wss->issuers, certificate, wss->known) == 1) {
        X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(path);
        X509_VERIFY_PARAM_set_time(rules, now);
        X509_VERIFY_PARAM_set_depth(rules, MAX_PATH);
        X509_VERIFY_PARAM_set_auth_level(rules, PATH_LEVEL);
        /* An authority that is trusted need not be a root. */
        issued = X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN) == 1 && X509_verify_cert(path) == 1;
    }
    X509_STORE_CTX_free(path);
    return issued;
}

/* Whether the program accepts a certificate. */
static bool is_accepted(const creo_wss *wss, X509 *certificate)
{
    if (wss->accept == NULL)
        return true;
    uint8_t *bytes = NULL;
    int size = i2d_X509(certificate, &bytes);
    bool accepted = size > 0 && wss->accept(wss->context, creo_bytes_of(bytes, (size_t)size));
    OPENSSL_free(bytes);
    return accepted;
}

bool creo_wss_check_trust(creo_wss_call *call, X509 *certificate)
{
    const creo_wss *wss = call->wss;
    char subject[300];
    if (!creo_wss_is_strong(X509_get0_pubkey(certificate)))
        return creo_wss_refuse(call->error, WSS_WEAK_KEY, "a key that is not RSA with 2048 bits, or of a curve with 256");
    (void)X509_NAME_oneline(X509_get_subject_name(certificate), subject, sizeof subject);
    uint32_t usage = X509_get_key_usage(certificate);
    if ((X509_get_extension_flags(certificate) & EXFLAG_INVALID) != 0 || (usage & (KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION)) == 0)
        return creo_wss_refuse(call->error, WSS_UNTRUSTED, "the certificate of %s is not for signatures", subject);
    time_t now = (time_t)call->now.seconds;
    if (!is_valid_at(certificate, now))
        return creo_wss_refuse(call->error, WSS_UNTRUSTED, "the certificate of %s has expired, or is not valid yet", subject);
    if (trust_is_pinned(wss, certificate) || (wss->issuers != NULL && is_issued(wss, certificate, now) && is_accepted(wss, certificate)))
        return true;
    return creo_wss_refuse(call->error, WSS_UNTRUSTED, "the certificate of %s is not trusted", subject);
}
