/* Shared by the files of the module wss. Not part of the API. */
#ifndef CREO_SRC_WSS_PARTS_H
#define CREO_SRC_WSS_PARTS_H

#include <creo/wss.h>

#include "../base/internal.h"
#include "wss_names.h"

#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

/*
 * Reasons (SOAP-90).
 */

typedef enum creo_wss_reason {
    WSS_NO_SECURITY,
    WSS_SECURITY_BLOCKS,
    WSS_TOKEN,
    WSS_UNREADABLE,
    WSS_TOO_MANY,
    WSS_ALGORITHM,
    WSS_TRANSFORM,
    WSS_REFERENCE,
    WSS_UNKNOWN_ID,
    WSS_DUPLICATE_ID,
    WSS_MISPLACED,
    WSS_KEY_REFERENCE,
    WSS_WEAK_KEY,
    WSS_UNTRUSTED,
    WSS_BAD_SIGNATURE,
    WSS_BAD_DIGEST,
    WSS_NOT_DECRYPTED,
    WSS_NOT_SIGNED,
    WSS_NOT_ENCRYPTED,
    WSS_PREFIX,
    WSS_STALE,
    WSS_REPLAYED,
    WSS_REPLAY_MEMORY
} creo_wss_reason;

/* Sets the error of an answer that is refused. The text must not contain secrets. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_wss_refuse(creo_error *error, creo_wss_reason reason, const char *format, ...) CREO_PRINTF(3, 4);

/* There is no memory. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_wss_no_memory(creo_error *error);

/*
 * Algorithms (SOAP-85, SOAP-86).
 */

typedef enum creo_wss_kind {
    WSS_OF_SIGNATURE,
    WSS_OF_DIGEST,
    WSS_OF_KEY,
    WSS_OF_DATA
} creo_wss_kind;

typedef enum creo_wss_form {
    WSS_RSA,
    WSS_PSS,
    WSS_EC,
    WSS_HASH,
    /* OAEP with a mask of SHA-1, or with one that the message names. */
    WSS_OAEP,
    WSS_OAEP_11,
    WSS_PKCS1,
    WSS_GCM,
    WSS_CBC
} creo_wss_form;

typedef struct creo_wss_algorithm {
    const char *name;
    creo_wss_kind kind;
    creo_wss_form form;
    const char *uri;
    /* The digest, or the cipher, by the name that libcrypto knows. */
    const char *known;
    /* The bytes of the key of data. */
    size_t size;
    bool weak;
} creo_wss_algorithm;

/* The algorithm with a name, or NULL. */
CREO_PRIVATE const creo_wss_algorithm *creo_wss_algorithm_named(creo_wss_kind kind, const char *name);

/* The bit of an algorithm in a set. */
CREO_PRIVATE uint32_t creo_wss_algorithm_bit(const creo_wss_algorithm *algorithm);

/* The algorithm with a URI; one that is unknown, of another kind, or weak and not in the set, is refused. */
CREO_PRIVATE const creo_wss_algorithm *creo_wss_accepted(creo_wss_kind kind, const char *uri, uint32_t allowed, creo_error *error);

/*
 * What the options became.
 */

typedef struct creo_wss_own {
    EVP_PKEY *key;
    X509 *certificate;
} creo_wss_own;

/* `{namespace}name`, taken apart. */
typedef struct creo_wss_block_name {
    char *space;
    char *local;
} creo_wss_block_name;

typedef struct creo_wss_block_names {
    creo_wss_block_name *items;
    size_t count;
} creo_wss_block_names;

struct creo_wss_replays;

struct creo_wss {
    creo_soap_security security;
    creo_wss_own signer;
    creo_wss_reference reference;
    const creo_wss_algorithm *signature;
    creo_wss_block_names signed_headers;
    X509 *recipient;
    creo_wss_reference key_reference;
    const creo_wss_algorithm *key_encryption;
    const creo_wss_algorithm *data_encryption;
    xmlDocPtr saml;
    STACK_OF(X509) * trusted;
    /* NULL: no authority is trusted. */
    X509_STORE *issuers;
    bool (*accept)(void *context, creo_bytes certificate);
    /* Those that messages may refer to: the given ones and the trusted ones. */
    STACK_OF(X509) * known;
    creo_wss_own *readers;
    size_t reader_count;
    /* The certificates of the readers. */
    STACK_OF(X509) * readable;
    creo_wss_block_names required_headers;
    bool require_encrypted;
    bool timestamps;
    bool loose_prefixes;
    uint32_t allowed;
    size_t max_size;
    bool (*clock)(void *context, creo_datetime *now);
    void *context;
    struct creo_wss_replays *replays;
};

/* Whether signatures are demanded. */
static inline bool creo_wss_trusts(const creo_wss *wss)
{
    return sk_X509_num(wss->trusted) > 0 || wss->issuers != NULL;
}

/* One message that is secured or checked. */
typedef struct creo_wss_call {
    const creo_wss *wss;
    creo_arena *arena;
    creo_error *error;
    creo_datetime now;
    xmlDocPtr document;
    /* Holds what was taken out of the tree. Nothing is freed before the end: elements are known by their addresses. */
    xmlNodePtr removed;
    xmlNodePtr root;
    /* NULL if there is none. */
    xmlNodePtr header;
    xmlNodePtr body;
    /* The block for this receiver; NULL if there is none. */
    xmlNodePtr security;
    bool soap12;
} creo_wss_call;

/*
 * Keys and certificates.
 */

/* Reads PEM. `what` names it in errors. Of certificates, adds all; at least one is needed. */
CREO_PRIVATE EVP_PKEY *creo_wss_read_key(const creo_wss_pem *pem, const char *password, const char *what, creo_error *error);
CREO_PRIVATE bool creo_wss_read_certificates(const creo_wss_pem *pem, STACK_OF(X509) * into, const char *what, creo_error *error);

static inline bool creo_wss_is_given(const creo_wss_pem *pem)
{
    return pem->path != NULL || pem->bytes.data != NULL;
}

/* The identifier of a certificate's key, or NULL. */
CREO_PRIVATE const ASN1_OCTET_STRING *creo_wss_key_identifier(X509 *certificate);

/* Whether a key is RSA with 2,048 bits, or of a named curve with 256. */
CREO_PRIVATE bool creo_wss_is_strong(const EVP_PKEY *key);

/* Whether signatures of a key can have an algorithm. */
CREO_PRIVATE bool creo_wss_fits(const EVP_PKEY *key, const creo_wss_algorithm *algorithm);

/* Refuses a certificate that is not trusted to sign messages now (SOAP-87). */
CREO_PRIVATE bool creo_wss_check_trust(creo_wss_call *call, X509 *certificate);

/* The memory of signatures; NULL if there is no memory. */
CREO_PRIVATE struct creo_wss_replays *creo_wss_replays_new(size_t max);
CREO_PRIVATE void creo_wss_replays_free(struct creo_wss_replays *replays);

#define WSS_HASH_SIZE 32

/* Remembers a signature (SOAP-88). Safe for use by many threads. */
CREO_PRIVATE bool creo_wss_replays_use(struct creo_wss_replays *replays, const uint8_t hash[WSS_HASH_SIZE], creo_datetime now, creo_error *error);

/*
 * Trees. A tree has elements and texts, and nothing else: this runtime reads no processing instructions. A text may be several nodes.
 */

/* Reads a text whose reading by another reader has no surprises: see `creo_xml_whole`. NULL with CREO_MALFORMED. */
CREO_PRIVATE xmlDocPtr creo_wss_parse(creo_bytes text, creo_error *error);

/* Keeps messages of libxml2 and errors of libcrypto within this module; the second function ends that. Both belong to a thread. */
typedef struct creo_wss_quiet {
    xmlStructuredErrorFunc function;
    void *context;
} creo_wss_quiet;

CREO_PRIVATE creo_wss_quiet creo_wss_hush(void);
CREO_PRIVATE void creo_wss_speak(creo_wss_quiet before);

CREO_PRIVATE bool creo_wss_is(const xmlNode *node, const char *space, const char *local);
CREO_PRIVATE bool creo_wss_is_space(const xmlNs *ns, const char *space);

/* The first child that is an element, and the next sibling that is one. */
CREO_PRIVATE xmlNodePtr creo_wss_first(const xmlNode *parent);
CREO_PRIVATE xmlNodePtr creo_wss_next(const xmlNode *node);

/* The node after one in the order of the document, within `root`. */
CREO_PRIVATE xmlNodePtr creo_wss_walk(xmlNodePtr node, const xmlNode *root);

/* The only child element with this name, or NULL; two are refused. With `required`, none is, too. */
CREO_PRIVATE bool creo_wss_only(creo_wss_call *call, const xmlNode *parent, const char *space, const char *local, bool required, xmlNodePtr *found);

/* The text of an element that holds nothing but text, without white space around it, in the arena. */
CREO_PRIVATE bool creo_wss_text(creo_wss_call *call, const xmlNode *element, creo_string *text);

/* The bytes of such a text in base64. */
CREO_PRIVATE bool creo_wss_bytes(creo_wss_call *call, const xmlNode *element, creo_bytes *bytes);

/* The value of an attribute, or NULL. `space` may be NULL. */
CREO_PRIVATE const char *creo_wss_attribute(const xmlNode *element, const char *space, const char *local);
CREO_PRIVATE const char *creo_wss_value(const xmlAttr *attribute);

/* The value of the attribute `Algorithm`, or an empty text. */
CREO_PRIVATE const char *creo_wss_algorithm_of(const xmlNode *element);

/* A declaration of a namespace in scope. */
typedef struct creo_wss_scope {
    const char *prefix; /* empty for the default */
    const char *uri;
} creo_wss_scope;

/* The declarations in scope of an element's content, each prefix once, in the arena. */
CREO_PRIVATE bool creo_wss_scope_of(creo_wss_call *call, const xmlNode *element, creo_wss_scope **scope, size_t *count);

/* Writes a node such that its canonical form stays as it is; of an element, `scope` has declarations that it gets, too. */
CREO_PRIVATE bool creo_wss_put_node(creo_writer *out, const xmlNode *node, const creo_wss_scope *scope, size_t count);
CREO_PRIVATE bool creo_wss_put(creo_writer *out, const char *text);
CREO_PRIVATE bool creo_wss_put_attribute(creo_writer *out, const char *value);
CREO_PRIVATE bool creo_wss_put_base64(creo_writer *out, creo_bytes bytes);

/* Takes a node out of the tree. */
CREO_PRIVATE bool creo_wss_remove(creo_wss_call *call, xmlNodePtr node);

/* Copies a node of another tree into this one, before a child of `parent` or, if that is NULL, after all of them. */
CREO_PRIVATE bool creo_wss_copy(creo_wss_call *call, const xmlNode *from, xmlNodePtr parent, xmlNodePtr before);

/* Adds an element, in the same way. NULL with an error. */
CREO_PRIVATE xmlNodePtr creo_wss_add(creo_wss_call *call, xmlNodePtr parent, xmlNodePtr before, const char *space, const char *prefix, const char *local);

/* Adds an attribute with a prefix, which is declared if necessary. */
CREO_PRIVATE bool creo_wss_add_attribute(creo_wss_call *call, xmlNodePtr element, const char *space, const char *prefix, const char *local, const char *value);

/* Adds a text that is written as it is, in the same way as an element. */
CREO_PRIVATE bool creo_wss_add_raw(creo_wss_call *call, xmlNodePtr parent, xmlNodePtr before, creo_bytes text);

/*
 * Adds the exclusive canonical form of an element to a digest or, if that is NULL, to a text. `prefixes` are its InclusiveNamespaces, then NULL; or
 * NULL. False without an error if there is no such form, or no memory.
 */
CREO_PRIVATE bool creo_wss_canonicalize(creo_wss_call *call, xmlNodePtr element, const char *const *prefixes, EVP_MD_CTX *digest, creo_writer *text);

/*
 * Envelopes.
 */

/* Takes the document of the call as an envelope. */
CREO_PRIVATE bool creo_wss_open_envelope(creo_wss_call *call);

/* Whether a block has no role, or that of the next or the ultimate receiver. */
CREO_PRIVATE bool creo_wss_is_for_receiver(const creo_wss_call *call, const xmlNode *block);

/* Whether a block has one of these names. */
CREO_PRIVATE bool creo_wss_is_named(const xmlNode *block, const creo_wss_block_names *names);

/* The attribute of an element that is its id for references, or NULL. */
CREO_PRIVATE const xmlAttr *creo_wss_id(const xmlNode *element);

/* The element that `#id` means: there is one with this id, and only one. */
CREO_PRIVATE bool creo_wss_referred(creo_wss_call *call, const char *uri, xmlNodePtr *found);

/* Adds the block for the receiver, if it is not there. */
CREO_PRIVATE bool creo_wss_add_security(creo_wss_call *call);

/*
 * References to certificates (SOAP-83).
 */

/* The certificate to which a `KeyInfo` refers, to be freed; NULL with an error. `known`: certificates that a message need not contain. */
CREO_PRIVATE X509 *creo_wss_read_reference(creo_wss_call *call, const xmlNode *key_info, STACK_OF(X509) * known);

/* Writes a `SecurityTokenReference`; for CREO_WSS_BINARY_TOKEN, to the token with the id. */
CREO_PRIVATE bool creo_wss_put_reference(creo_writer *out, X509 *certificate, creo_wss_reference form, const char *id);
CREO_PRIVATE bool creo_wss_put_token(creo_writer *out, X509 *certificate, const char *id);

/*
 * Signatures.
 */

#define WSS_MAX_REFERENCES 32

/* A signature that was verified. */
typedef struct creo_wss_signature {
    /* NULL: none. */
    X509 *certificate;
    /* The very elements that it signs. */
    const xmlNode *signed_elements[WSS_MAX_REFERENCES];
    size_t count;
    /* Of what the key has signed: the bytes of a signature could be changed without breaking it. */
    uint8_t hash[WSS_HASH_SIZE];
} creo_wss_signature;

/* Verifies a signature; refuses any that is not in the form that SOAP-84 and SOAP-85 allow. */
CREO_PRIVATE bool creo_wss_verify(creo_wss_call *call, xmlNodePtr element, creo_wss_signature *signature);

/* The digest of the canonical form of an element. False without an error if there is none. */
CREO_PRIVATE bool creo_wss_digest(creo_wss_call *call, xmlNodePtr element, const char *const *prefixes, const char *known, uint8_t digest[EVP_MAX_MD_SIZE], unsigned *size);

/* Signs a text with the key of the call's security, in the form of XML Signature, in the arena. */
CREO_PRIVATE bool creo_wss_sign(creo_wss_call *call, creo_bytes text, creo_bytes *value);

/*
 * Encryption. Whatever goes wrong once a key of ours is used has one text.
 */

/* A digest of OAEP. */
typedef struct creo_wss_oaep {
    const char *digest_uri;
    const char *mask_uri;
    const char *known;
} creo_wss_oaep;

/* The digest with a URI of either kind, or NULL. */
CREO_PRIVATE const creo_wss_oaep *creo_wss_oaep_by(const char *uri, bool mask);

/* Encrypts, with the initialization vector first, in the arena. */
CREO_PRIVATE bool creo_wss_encrypt(creo_wss_call *call, const creo_wss_algorithm *algorithm, const uint8_t *key, creo_bytes plain, creo_bytes *data);

/* Decrypts, in the arena; false without an error if it was not encrypted with this key. */
CREO_PRIVATE bool creo_wss_decrypt(creo_arena *arena, const creo_wss_algorithm *algorithm, const uint8_t *key, creo_bytes data, creo_bytes *plain);

#define WSS_MAX_KEY 32

/* Encrypts a key to a certificate, in the arena. */
CREO_PRIVATE bool creo_wss_wrap(creo_wss_call *call, const creo_wss_algorithm *algorithm, X509 *to, const uint8_t *key, size_t size, creo_bytes *wrapped);

/*
 * Decrypts a key. `size` is 0 if it was not encrypted to this key, or is none. False without an error if there is no memory.
 */
CREO_PRIVATE bool creo_wss_unwrap(creo_arena *arena, const creo_wss_algorithm *algorithm, const creo_wss_oaep *digest, const creo_wss_oaep *mask, creo_bytes label,
                                  EVP_PKEY *own, creo_bytes wrapped, uint8_t key[WSS_MAX_KEY], size_t *size);

#define WSS_MAX_CHILDREN 32

/* The keys of a message so far. */
typedef struct creo_wss_decryption {
    struct {
        const char *id;
        uint8_t key[WSS_MAX_KEY];
        size_t size;
    } keys[WSS_MAX_CHILDREN];
    size_t key_count;
    size_t parts;
    /* Whether the content of the body was encrypted. */
    bool body;
} creo_wss_decryption;

/* Decrypts the key of an `EncryptedKey`, and what it says that it encrypts; or what a `ReferenceList` refers to. */
CREO_PRIVATE bool creo_wss_take_key(creo_wss_call *call, creo_wss_decryption *decryption, xmlNodePtr element);
CREO_PRIVATE bool creo_wss_take_list(creo_wss_call *call, creo_wss_decryption *decryption, xmlNodePtr list);

/* An id that no other message has. */
typedef struct creo_wss_ids {
    char base[40];
    unsigned count;
} creo_wss_ids;

#define WSS_ID_SIZE 64

CREO_PRIVATE void creo_wss_new_id(creo_wss_ids *ids, char id[WSS_ID_SIZE]);

/* Encrypts the body and tokens of users and SAML (SOAP-82). */
CREO_PRIVATE bool creo_wss_encrypt_message(creo_wss_call *call, creo_wss_ids *ids);

/*
 * The functions of the seam.
 */

/* Begins a call for a text; `creo_wss_end` ends it, however it began. */
CREO_PRIVATE bool creo_wss_begin(creo_wss_call *call, const creo_wss *wss, creo_bytes text, creo_arena *arena, creo_error *error);
CREO_PRIVATE void creo_wss_end(creo_wss_call *call);

CREO_PRIVATE bool creo_wss_send(void *context, creo_bytes request, creo_arena *arena, creo_bytes *sent, creo_error *error);
CREO_PRIVATE bool creo_wss_receive(void *context, creo_bytes answer, creo_string charset, creo_arena *arena, creo_bytes *envelope, creo_error *error);

#endif
