/**
 * WS-Security of SOAP messages: signatures, encryption and SAML assertions, `spec/wires/soap.md`, section 7. Optional: needs OpenSSL 3 (libcrypto) and
 * libxml2, which allocate with malloc, and which no other part of this runtime needs.
 *
 *     creo_wss_options options = {0};
 *     options.signer.key.path = "own.key.pem";
 *     options.signer.certificate.path = "own.crt.pem";
 *     options.trusted.path = "partner.crt.pem";
 *     creo_wss *wss = creo_wss_new(&options, &error);
 *     soap.security = creo_wss_security(wss);
 */
#ifndef CREO_WSS_H
#define CREO_WSS_H

#include <creo/creo.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Keys or certificates in PEM: in a file, or in memory. Both NULL: none. */
typedef struct creo_wss_pem {
    const char *path;
    creo_bytes bytes;
} creo_wss_pem;

/** A key of ours with its certificate, which may be in one file. */
typedef struct creo_wss_identity {
    creo_wss_pem key;
    creo_wss_pem certificate;
    /** Of an encrypted key; NULL for none. */
    const char *password;
} creo_wss_identity;

/** How a message refers to a certificate (SOAP-83). */
typedef enum creo_wss_reference {
    /** Of signatures, CREO_WSS_BINARY_TOKEN; of encrypted keys, CREO_WSS_ISSUER_SERIAL. */
    CREO_WSS_DEFAULT = 0,
    /** The certificate is in the message. */
    CREO_WSS_BINARY_TOKEN,
    CREO_WSS_ISSUER_SERIAL,
    /** By the identifier of its key, which must be among its extensions. */
    CREO_WSS_KEY_IDENTIFIER,
    /** By its SHA-1. */
    CREO_WSS_THUMBPRINT
} creo_wss_reference;

/** The max bytes of a message that is checked, unless the options say otherwise. */
#define CREO_WSS_MAX_SIZE 16777216

/** How many signatures of the last ten minutes are remembered, unless the options say otherwise. */
#define CREO_WSS_MAX_REPLAYS 100000

/**
 * What is written and what is demanded. All zero: nothing of either. Algorithms have the names of the table in docs/c.md. Names of header blocks are
 * `{namespace}name`, or `{namespace}*` for all of the namespace; their array ends with NULL, and is NULL for none. `creo_wss_new` copies all of it, but for
 * `context`.
 */
typedef struct creo_wss_options {
    /** Signs the body, a timestamp and tokens of users. RSA with at least 2,048 bits, or a named elliptic curve with at least 256. */
    creo_wss_identity signer;
    creo_wss_reference reference;
    /** NULL: that of the key with SHA-256, or with SHA-384 for curves of 384 bits and more. */
    const char *signature;
    /** The header blocks that are signed, too. */
    const char *const *signed_headers;
    /** Encrypts the body, and tokens of users, to this certificate, which is of RSA. */
    creo_wss_pem recipient;
    creo_wss_reference key_reference;
    /** NULL: `rsa-oaep-mgf1p` and `aes256-gcm`. */
    const char *key_encryption;
    const char *data_encryption;
    /** An assertion of SAML 2.0, a document in UTF-8, that is added to requests as it is. */
    creo_string saml;

    /** Demands signatures, and trusts those of these certificates while they are valid. */
    creo_wss_pem trusted;
    /** Demands signatures, and trusts those of certificates that these authorities have issued. Revocation is not checked. */
    creo_wss_pem issuers;
    /** Of the certificates that `issuers` trusts, accepts only those for which this is true. In DER. NULL: all. Called by any thread. */
    bool (*accept)(void *context, creo_bytes certificate);
    /** Certificates that messages may refer to without containing them, and authorities between them and `issuers`. Not trusted. */
    creo_wss_pem known;
    /** Decrypts messages that were encrypted to one of these, of RSA. */
    const creo_wss_identity *decryption;
    size_t decryption_count;
    /** The header blocks that must be signed, where they are. */
    const char *const *required_headers;
    bool require_encrypted;
    /** Accepts messages without a signed timestamp. Then only repetitions within ten minutes are found. */
    bool without_timestamps;
    /** Accepts an `xsi:type` whose prefix the signature does not protect: who changes a message on its way could give the value another type. */
    bool allow_loose_prefixes;
    /** The weak algorithms that are accepted, such as `rsa-sha1`; then NULL. NULL for none. */
    const char *const *allowed;
    /** The max bytes of a message that is checked; 0 for CREO_WSS_MAX_SIZE. Its tree takes a multiple of that, by malloc. */
    size_t max_size;
    /** How many signatures of ten minutes are remembered; 0 for CREO_WSS_MAX_REPLAYS. Further ones are refused as `overloaded`. */
    size_t max_replays;
    /** The time of timestamps and certificates; NULL: that of the system. Called by any thread. */
    bool (*clock)(void *context, creo_datetime *now);
    /** For `accept` and `clock`. */
    void *context;
} creo_wss_options;

/** A security. Safe for use by several clients in several threads, which then also share what was seen before. */
typedef struct creo_wss creo_wss;

/** Reads keys and certificates. NULL with an error if something of the options cannot be used. */
creo_wss *creo_wss_new(const creo_wss_options *options, creo_error *error);

/** The security for clients, which lives as long as `wss`. Keep one as long as the program runs: it remembers the signatures of ten minutes. */
const creo_soap_security *creo_wss_security(const creo_wss *wss);

/** Releases all memory, after all clients that use it. NULL is allowed. */
void creo_wss_free(creo_wss *wss);

#ifdef __cplusplus
}
#endif

#endif
