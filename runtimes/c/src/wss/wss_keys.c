/* Keys and certificates of the program. */
#include <creo/codegen/path.h>

#include "wss_parts.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <limits.h>

/* The password of a key. Without one, nobody is asked. */
static int give_password(char *into, int size, int writing, void *context)
{
    const char *password = (const char *)context;
    (void)writing;
    size_t length = password == NULL ? 0 : strlen(password);
    if (length == 0 || size < 0 || length > (size_t)size)
        return -1;
    memcpy(into, password, length);
    return (int)length;
}

static BIO *keys_open(const creo_wss_pem *pem, const char *what, creo_error *error)
{
    BIO *opened = pem->path != NULL              ? BIO_new_file(pem->path, "rb")
                  : pem->bytes.size <= INT_MAX ? BIO_new_mem_buf(pem->bytes.data, (int)pem->bytes.size)
                                                 : NULL;
    if (opened == NULL)
        (void)creo_fail(error, CREO_INVALID_VALUE, "%s: %.300s cannot be opened", what, pem->path == NULL ? "the text" : pem->path);
    return opened;
}

EVP_PKEY *creo_wss_read_key(const creo_wss_pem *pem, const char *password, const char *what, creo_error *error)
{
    BIO *from = keys_open(pem, what, error);
    if (from == NULL)
        return NULL;
    union {
        const char *from;
        void *to;
    } given = {password};
    EVP_PKEY *key = PEM_read_bio_PrivateKey(from, NULL, give_password, given.to);
    BIO_free(from);
    if (key == NULL)
        (void)creo_fail(error, CREO_INVALID_VALUE, "%s: no private key in PEM, or one with another password", what);
    return key;
}

bool creo_wss_read_certificates(const creo_wss_pem *pem, STACK_OF(X509) * into, const char *what, creo_error *error)
{
    BIO *from = keys_open(pem, what, error);
    if (from == NULL)
        return false;
    X509 *read;
    bool fine = true;
    int count = 0;
    while (fine && (read = PEM_read_bio_X509(from, NULL, give_password, NULL)) != NULL) {
        fine = sk_X509_push(into, read) > 0;
        if (!fine)
            X509_free(read);
        count++;
    }
    BIO_free(from);
    if (!fine)
        return creo_wss_no_memory(error);
    unsigned long last = ERR_peek_last_error();
    if (count == 0 || ERR_GET_LIB(last) != ERR_LIB_PEM || ERR_GET_REASON(last) != PEM_R_NO_START_LINE)
        return creo_fail(error, CREO_INVALID_VALUE, "%s: no certificate in PEM, or one that cannot be read", what);
    return true;
}

const ASN1_OCTET_STRING *creo_wss_key_identifier(X509 *certificate)
{
    return X509_get0_subject_key_id(certificate);
}

bool creo_wss_is_strong(const EVP_PKEY *key)
{
    char group[80];
    size_t size;
    if (key == NULL)
        return false;
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA)
        return EVP_PKEY_get_bits(key) >= 2048;
    return EVP_PKEY_get_base_id(key) == EVP_PKEY_EC && EVP_PKEY_get_bits(key) >= 256 && EVP_PKEY_get_group_name(key, group, sizeof group, &size) == 1;
}

bool creo_wss_fits(const EVP_PKEY *key, const creo_wss_algorithm *algorithm)
{
    return EVP_PKEY_get_base_id(key) == (algorithm->form == WSS_EC ? EVP_PKEY_EC : EVP_PKEY_RSA);
}
