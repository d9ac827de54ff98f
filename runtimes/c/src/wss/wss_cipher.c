/* The ciphers of XML Encryption (SOAP-86). */
#include <creo/codegen/path.h>

#include "wss_parts.h"

#include "../http/fresh.h"

#include <openssl/crypto.h>
#include <openssl/rsa.h>

#include <limits.h>

#define GCM_IV 12
#define BLOCK 16

static const creo_wss_oaep oaep_digests[] = {
    {WSS_DSIG "sha1", WSS_XENC_11 "mgf1sha1", "SHA1"},
    {WSS_XENC "sha256", WSS_XENC_11 "mgf1sha256", "SHA256"},
    {WSS_DSIG_MORE "sha384", WSS_XENC_11 "mgf1sha384", "SHA384"},
    {WSS_XENC "sha512", WSS_XENC_11 "mgf1sha512", "SHA512"},
};

const creo_wss_oaep *creo_wss_oaep_by(const char *uri, bool mask)
{
    for (size_t i = 0; i < sizeof oaep_digests / sizeof oaep_digests[0]; i++)
        if (strcmp(mask ? oaep_digests[i].mask_uri : oaep_digests[i].digest_uri, uri) == 0)
            return &oaep_digests[i];
    return NULL;
}

static size_t vector_size(const creo_wss_algorithm *algorithm)
{
    return algorithm->form == WSS_GCM ? GCM_IV : BLOCK;
}

/* Encrypts into room for all of it. */
static bool cipher_run(EVP_CIPHER_CTX *context, const creo_wss_algorithm *algorithm, const uint8_t *key, creo_bytes plain, uint8_t *to, size_t *size)
{
    size_t vector = vector_size(algorithm);
    uint8_t *out = to + vector;
    int written;
    int rest;
    /* The padding of PKCS #7 is one of those that XML Encryption allows. */
    if (EVP_EncryptInit_ex(context, EVP_get_cipherbyname(algorithm->known), NULL, key, to) != 1 ||
        EVP_EncryptUpdate(context, out, &written, plain.data, (int)plain.size) != 1 || EVP_EncryptFinal_ex(context, out + written, &rest) != 1)
        return false;
    *size = vector + (size_t)written + (size_t)rest;
    if (algorithm->form != WSS_GCM)
        return true;
    bool tagged = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, BLOCK, to + *size) == 1;
    *size += BLOCK;
    return tagged;
}

bool creo_wss_encrypt(creo_wss_call *call, const creo_wss_algorithm *algorithm, const uint8_t *key, creo_bytes plain, creo_bytes *data)
{
    uint8_t *to = plain.size <= INT_MAX - 3 * BLOCK ? creo_arena_bytes(call->arena, plain.size + 3 * BLOCK) : NULL;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    size_t size = 0;
    bool room = to != NULL && context != NULL;
    bool fresh = room && creo_random(to, vector_size(algorithm), call->error);
    bool done = fresh && cipher_run(context, algorithm, key, plain, to, &size);
    EVP_CIPHER_CTX_free(context);
    *data = creo_bytes_of(to, size);
    if (!room)
        return creo_wss_no_memory(call->error);
    return done || (fresh && creo_fail(call->error, CREO_INTERNAL, "the message cannot be encrypted"));
}

bool creo_wss_decrypt(creo_arena *arena, const creo_wss_algorithm *algorithm, const uint8_t *key, creo_bytes data, creo_bytes *plain)
{
    bool gcm = algorithm->form == WSS_GCM;
    size_t vector = vector_size(algorithm);
    if (data.size < vector + BLOCK || data.size > INT_MAX || (!gcm && data.size % BLOCK != 0))
        return false;
    size_t size = data.size - vector - (gcm ? BLOCK : 0);
    uint8_t *to = creo_arena_bytes(arena, size + BLOCK);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    uint8_t tag[BLOCK];
    int written = 0;
    int rest = 0;
    memcpy(tag, data.data + data.size - BLOCK, BLOCK);
    bool done = to != NULL && context != NULL && EVP_DecryptInit_ex(context, EVP_get_cipherbyname(algorithm->known), NULL, key, data.data) == 1 &&
                EVP_CIPHER_CTX_set_padding(context, 0) == 1 && (!gcm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, BLOCK, tag) == 1) &&
                EVP_DecryptUpdate(context, to, &written, data.data + vector, (int)size) == 1 && EVP_DecryptFinal_ex(context, to + written, &rest) == 1;
    EVP_CIPHER_CTX_free(context);
    size = (size_t)written + (size_t)rest;
    if (done && !gcm) {
        size_t padding = size == 0 ? 0 : to[size - 1];
        done = padding >= 1 && padding <= BLOCK && padding <= size;
        size -= done ? padding : 0;
    }
    *plain = creo_bytes_of(to, size);
    return done;
}

/* Sets the padding of keys. The label becomes the operation's. */
static bool set_key_padding(EVP_PKEY_CTX *operation, const creo_wss_algorithm *algorithm, const creo_wss_oaep *digest, const creo_wss_oaep *mask, creo_bytes label)
{
    if (algorithm->form == WSS_PKCS1)
        return EVP_PKEY_CTX_set_rsa_padding(operation, RSA_PKCS1_PADDING) > 0;
    if (EVP_PKEY_CTX_set_rsa_padding(operation, RSA_PKCS1_OAEP_PADDING) <= 0 || EVP_PKEY_CTX_set_rsa_oaep_md(operation, EVP_get_digestbyname(digest->known)) <= 0 ||
        EVP_PKEY_CTX_set_rsa_mgf1_md(operation, EVP_get_digestbyname(mask->known)) <= 0)
        return false;
    if (label.size == 0)
        return true;
    uint8_t *copy = label.size <= INT_MAX ? (uint8_t *)OPENSSL_memdup(label.data, label.size) : NULL;
    if (copy != NULL && EVP_PKEY_CTX_set0_rsa_oaep_label(operation, copy, (int)label.size) > 0)
        return true;
    OPENSSL_free(copy);
    return false;
}

bool creo_wss_wrap(creo_wss_call *call, const creo_wss_algorithm *algorithm, X509 *to, const uint8_t *key, size_t size, creo_bytes *wrapped)
{
    const creo_wss_oaep *digest = &oaep_digests[algorithm->form == WSS_OAEP_11 ? 1 : 0];
    const creo_bytes none = {NULL, 0};
    EVP_PKEY_CTX *operation = EVP_PKEY_CTX_new(X509_get0_pubkey(to), NULL);
    uint8_t *made = NULL;
    size_t room = 0;
    bool done = operation != NULL && EVP_PKEY_encrypt_init(operation) > 0 && set_key_padding(operation, algorithm, digest, digest, none) &&
                EVP_PKEY_encrypt(operation, NULL, &room, key, size) > 0;
    if (done) {
        made = creo_arena_bytes(call->arena, room);
        done = made != NULL && EVP_PKEY_encrypt(operation, made, &room, key, size) > 0;
    }
    EVP_PKEY_CTX_free(operation);
    *wrapped = creo_bytes_of(made, room);
    return done || creo_fail(call->error, CREO_INTERNAL, "a key cannot be encrypted to this certificate");
}

bool creo_wss_unwrap(creo_arena *arena, const creo_wss_algorithm *algorithm, const creo_wss_oaep *digest, const creo_wss_oaep *mask, creo_bytes label, EVP_PKEY *own,
                     creo_bytes wrapped, uint8_t key[WSS_MAX_KEY], size_t *size)
{
    size_t room = (size_t)EVP_PKEY_get_size(own);
    uint8_t *to = creo_arena_bytes(arena, room);
    if (to == NULL)
        return false;
    EVP_PKEY_CTX *operation = EVP_PKEY_CTX_new(own, NULL);
    bool done = operation != NULL && EVP_PKEY_decrypt_init(operation) > 0 && set_key_padding(operation, algorithm, digest, mask, label) &&
                EVP_PKEY_decrypt(operation, to, &room, wrapped.data, wrapped.size) > 0;
    EVP_PKEY_CTX_free(operation);
    *size = done && room <= WSS_MAX_KEY ? room : 0;
    memcpy(key, to, *size);
    OPENSSL_cleanse(to, (size_t)EVP_PKEY_get_size(own));
    return true;
}
