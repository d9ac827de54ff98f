/* The algorithms of messages (SOAP-85, SOAP-86). */
#include "wss_parts.h"

static const creo_wss_algorithm algorithms[] = {
    {"rsa-sha256", WSS_OF_SIGNATURE, WSS_RSA, WSS_DSIG_MORE "rsa-sha256", "SHA256", 0, false},
    {"rsa-sha384", WSS_OF_SIGNATURE, WSS_RSA, WSS_DSIG_MORE "rsa-sha384", "SHA384", 0, false},
    {"rsa-sha512", WSS_OF_SIGNATURE, WSS_RSA, WSS_DSIG_MORE "rsa-sha512", "SHA512", 0, false},
    {"rsa-pss-sha256", WSS_OF_SIGNATURE, WSS_PSS, "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", "SHA256", 0, false},
    {"ecdsa-sha256", WSS_OF_SIGNATURE, WSS_EC, WSS_DSIG_MORE "ecdsa-sha256", "SHA256", 0, false},
    {"ecdsa-sha384", WSS_OF_SIGNATURE, WSS_EC, WSS_DSIG_MORE "ecdsa-sha384", "SHA384", 0, false},
    {"ecdsa-sha512", WSS_OF_SIGNATURE, WSS_EC, WSS_DSIG_MORE "ecdsa-sha512", "SHA512", 0, false},
    {"rsa-sha1", WSS_OF_SIGNATURE, WSS_RSA, WSS_DSIG "rsa-sha1", "SHA1", 0, true},

    {"sha256", WSS_OF_DIGEST, WSS_HASH, WSS_XENC "sha256", "SHA256", 0, false},
    {"sha384", WSS_OF_DIGEST, WSS_HASH, WSS_DSIG_MORE "sha384", "SHA384", 0, false},
    {"sha512", WSS_OF_DIGEST, WSS_HASH, WSS_XENC "sha512", "SHA512", 0, false},
    {"sha1", WSS_OF_DIGEST, WSS_HASH, WSS_DSIG "sha1", "SHA1", 0, true},

    /* OAEP with a mask of SHA-1, which is not weak there, and a digest that the message names; the second is written with SHA-256. */
    {"rsa-oaep-mgf1p", WSS_OF_KEY, WSS_OAEP, WSS_XENC "rsa-oaep-mgf1p", NULL, 0, false},
    {"rsa-oaep", WSS_OF_KEY, WSS_OAEP_11, WSS_XENC_11 "rsa-oaep", NULL, 0, false},
    {"rsa-1_5", WSS_OF_KEY, WSS_PKCS1, WSS_XENC "rsa-1_5", NULL, 0, true},

    {"aes128-gcm", WSS_OF_DATA, WSS_GCM, WSS_XENC_11 "aes128-gcm", "AES-128-GCM", 16, false},
    {"aes256-gcm", WSS_OF_DATA, WSS_GCM, WSS_XENC_11 "aes256-gcm", "AES-256-GCM", 32, false},
    /* Weak, since who decrypts it can be asked what the text was. */
    {"aes128-cbc", WSS_OF_DATA, WSS_CBC, WSS_XENC "aes128-cbc", "AES-128-CBC", 16, true},
    {"aes256-cbc", WSS_OF_DATA, WSS_CBC, WSS_XENC "aes256-cbc", "AES-256-CBC", 32, true},
};

#define ALGORITHM_COUNT (sizeof algorithms / sizeof algorithms[0])

const creo_wss_algorithm *creo_wss_algorithm_named(creo_wss_kind kind, const char *name)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++)
        if (algorithms[i].kind == kind && strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    return NULL;
}

uint32_t creo_wss_algorithm_bit(const creo_wss_algorithm *algorithm)
{
    return UINT32_C(1) << (algorithm - algorithms);
}

const creo_wss_algorithm *creo_wss_accepted(creo_wss_kind kind, const char *uri, uint32_t allowed, creo_error *error)
{
    for (size_t i = 0; i < ALGORITHM_COUNT; i++) {
        const creo_wss_algorithm *algorithm = &algorithms[i];
        if (algorithm->kind == kind && strcmp(algorithm->uri, uri) == 0 && (!algorithm->weak || (allowed & creo_wss_algorithm_bit(algorithm)) != 0))
            return algorithm;
    }
    (void)creo_wss_refuse(error, WSS_ALGORITHM, "the algorithm \"%.200s\" is not accepted", uri);
    return NULL;
}
