/* References to certificates (SOAP-83). */
#include <creo/codegen/path.h>

#include "wss_parts.h"

#include <openssl/bn.h>
#include <openssl/x509v3.h>

#include <limits.h>
#include <stdlib.h>

/* The max digits of a serial number, which has 20 bytes. */
#define MAX_SERIAL 60

/*
 * Names of issuers by RFC 2253.
 */

/* The type of an attribute by its name, or NULL. */
static ASN1_OBJECT *name_type(const char *at, size_t size)
{
    static const char *const others[][2] = {{"E", "emailAddress"},       {"EMAIL", "emailAddress"}, {"EMAILADDRESS", "emailAddress"}, {"S", "ST"},      {"SP", "ST"},
                                            {"SERIALNUMBER", "serialNumber"}, {"STREET", "street"},      {"SURNAME", "SN"},                {"T", "title"},   {"TITLE", "title"},
                                            {"G", "GN"},                 {"GIVENNAME", "GN"},       {"INITIALS", "initials"},         {"DNQUALIFIER", "dnQualifier"}};
    char name[100];
    if (size == 0 || size >= sizeof name)
        return NULL;
    for (size_t i = 0; i < size; i++)
        name[i] = at[i] >= 'a' && at[i] <= 'z' ? (char)(at[i] - 'a' + 'A') : at[i];
    name[size] = 0;
    const char *known = strncmp(name, "OID.", 4) == 0 ? name + 4 : name;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i][0]) == 0)
            known = others[i][1];
    ASN1_OBJECT *type = OBJ_txt2obj(known, 0);
    if (type != NULL)
        return type;
    /* Others are known as they are written. */
    memcpy(name, at, size);
    return OBJ_txt2obj(name, 0);
}

static int name_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c == 0 ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    return at == NULL ? -1 : (int)(at - digits);
}

/* Two hexadecimal digits, or -1. */
static int name_byte(const char *at, const char *end)
{
    int high = end - at >= 2 ? name_digit(at[0]) : -1;
    int low = high < 0 ? -1 : name_digit(at[1]);
    return low < 0 ? -1 : high * 16 + low;
}

/* Adds an attribute that is first in the text, and therefore last in the name, to its first set, or to a new one. */
static bool name_add(X509_NAME *name, const ASN1_OBJECT *type, const char *at, const char *end, bool same)
{
    uint8_t value[1024];
    size_t size = 0;
    bool coded = at < end && *at == '#';
    bool quoted = at < end && *at == '"';
    at += coded || quoted ? 1 : 0;
    end -= quoted && end > at ? 1 : 0;
    while (at < end && size < sizeof value) {
        int byte = coded || *at == '\\' ? name_byte(at + (coded ? 0 : 1), end) : -1;
        if (coded && byte < 0)
            return false;
        if (byte < 0) {
            at += *at == '\\' && end - at >= 2 ? 1 : 0;
            value[size++] = (uint8_t)*at++;
        } else {
            value[size++] = (uint8_t)byte;
            at += coded ? 2 : 3;
        }
    }
    if (at < end)
        return false;
    if (!coded)
        return X509_NAME_add_entry_by_OBJ(name, type, V_ASN1_UTF8STRING, value, (int)size, 0, same ? 1 : 0) == 1;
    const uint8_t *der = value;
    ASN1_TYPE *any = d2i_ASN1_TYPE(NULL, &der, (long)size);
    int kind = any == NULL ? -1 : ASN1_TYPE_get(any);
    bool text = kind == V_ASN1_UTF8STRING || kind == V_ASN1_PRINTABLESTRING || kind == V_ASN1_IA5STRING || kind == V_ASN1_T61STRING || kind == V_ASN1_BMPSTRING;
    const ASN1_STRING *string = text ? any->value.asn1_string : NULL;
    bool added = text && X509_NAME_add_entry_by_OBJ(name, type, kind, ASN1_STRING_get0_data(string), ASN1_STRING_length(string), 0, same ? 1 : 0) == 1;
    ASN1_TYPE_free(any);
    return added;
}

/* The end of an attribute: a separator that is neither escaped nor quoted. */
static const char *name_end(const char *at)
{
    bool quoted = false;
    for (; *at != 0 && (quoted || (*at != ',' && *at != ';' && *at != '+')); at++) {
        quoted = quoted != (*at == '"');
        at += *at == '\\' && at[1] != 0 ? 1 : 0;
    }
    return at;
}

/* The name that a text is, or NULL. */
static X509_NAME *name_read(const char *at)
{
    X509_NAME *name = X509_NAME_new();
    bool same = false;
    bool more = true;
    while (name != NULL && more) {
        const char *end = name_end(at);
        const char *equals = (const char *)memchr(at, '=', (size_t)(end - at));
        at += strspn(at, " \t\r\n");
        const char *last = equals == NULL || equals < at ? at : equals;
        while (last > at && last[-1] == ' ')
            last--;
        ASN1_OBJECT *type = name_type(at, (size_t)(last - at));
        const char *value = equals == NULL ? end : equals + 1;
        while (value < end && *value == ' ')
            value++;
        const char *stop = end;
        while (stop > value && stop[-1] == ' ' && (stop - 1 == value || stop[-2] != '\\'))
            stop--;
        bool fine = type != NULL && equals != NULL && name_add(name, type, value, stop, same);
        ASN1_OBJECT_free(type);
        if (!fine) {
            X509_NAME_free(name);
            return NULL;
        }
        same = *end == '+';
        more = *end != 0;
        at = end + (more ? 1 : 0);
    }
    return name;
}

/*
 * Reading.
 */

/* A certificate that a message refers to, as the caller's own. */
static X509 *tokens_give(creo_wss_call *call, X509 *found)
{
    if (found != NULL && X509_up_ref(found) == 1)
        return found;
    (void)creo_wss_refuse(call->error, WSS_KEY_REFERENCE, "no certificate is known that the message refers to");
    return NULL;
}

static X509 *tokens_fail(creo_wss_call *call, const char *why)
{
    (void)creo_wss_refuse(call->error, WSS_KEY_REFERENCE, "%s", why);
    return NULL;
}

static X509 *read_certificate(creo_wss_call *call, const xmlNode *element)
{
    creo_bytes bytes;
    if (!creo_wss_bytes(call, element, &bytes))
        return NULL;
    const uint8_t *at = bytes.data;
    X509 *read = bytes.size <= LONG_MAX ? d2i_X509(NULL, &at, (long)bytes.size) : NULL;
    if (read != NULL && at == bytes.data + bytes.size)
        return read;
    X509_free(read);
    return tokens_fail(call, "a certificate that cannot be read");
}

static X509 *by_identifier(creo_wss_call *call, const xmlNode *element, STACK_OF(X509) * known, bool thumbprint)
{
    creo_bytes due;
    X509 *found = NULL;
    if (!creo_wss_bytes(call, element, &due))
        return NULL;
    for (int i = 0; found == NULL && i < sk_X509_num(known); i++) {
        X509 *certificate = sk_X509_value(known, i);
        uint8_t print[EVP_MAX_MD_SIZE];
        const uint8_t *bytes = print;
        unsigned size = 0;
        if (thumbprint) {
            if (X509_digest(certificate, EVP_sha1(), print, &size) != 1)
                size = 0;
        } else {
            const ASN1_OCTET_STRING *identifier = creo_wss_key_identifier(certificate);
            bytes = identifier == NULL ? NULL : ASN1_STRING_get0_data(identifier);
            size = identifier == NULL ? 0 : (unsigned)ASN1_STRING_length(identifier);
        }
        if (size != 0 && size == due.size && memcmp(bytes, due.data, size) == 0)
            found = certificate;
    }
    return tokens_give(call, found);
}

static X509 *by_serial(creo_wss_call *call, const xmlNode *both, STACK_OF(X509) * known)
{
    xmlNodePtr name;
    xmlNodePtr number;
    creo_string issuer_text;
    creo_string serial_text;
    if (!creo_wss_only(call, both, WSS_DSIG, "X509IssuerName", true, &name) || !creo_wss_text(call, name, &issuer_text) ||
        !creo_wss_only(call, both, WSS_DSIG, "X509SerialNumber", true, &number) || !creo_wss_text(call, number, &serial_text))
        return NULL;
    size_t sign = serial_text.data[0] == '-' ? 1 : 0;
    BIGNUM *serial = NULL;
    bool digits = serial_text.size > sign && serial_text.size <= MAX_SERIAL && strspn(serial_text.data + sign, "0123456789") == serial_text.size - sign;
    X509_NAME *issuer = digits && BN_dec2bn(&serial, serial_text.data) != 0 ? name_read(issuer_text.data) : NULL;
    X509 *found = NULL;
    for (int i = 0; issuer != NULL && found == NULL && i < sk_X509_num(known); i++) {
        X509 *certificate = sk_X509_value(known, i);
        BIGNUM *own = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
        if (own != NULL && BN_cmp(own, serial) == 0 && X509_NAME_cmp(X509_get_issuer_name(certificate), issuer) == 0)
            found = certificate;
        BN_free(own);
    }
    bool fine = issuer != NULL;
    X509_NAME_free(issuer);
    BN_free(serial);
    return fine ? tokens_give(call, found) : tokens_fail(call, "an issuer or a serial number that is none");
}

/* The only child of an element, or NULL. */
static xmlNodePtr tokens_only(const xmlNode *parent)
{
    xmlNodePtr child = creo_wss_first(parent);
    return child == NULL || creo_wss_next(child) != NULL ? NULL : child;
}

static X509 *by_data(creo_wss_call *call, const xmlNode *data, STACK_OF(X509) * known)
{
    xmlNodePtr part = tokens_only(data);
    if (part != NULL && creo_wss_is(part, WSS_DSIG, "X509Certificate"))
        return read_certificate(call, part);
    if (part != NULL && creo_wss_is(part, WSS_DSIG, "X509IssuerSerial"))
        return by_serial(call, part, known);
    return tokens_fail(call, "X509Data that holds neither an issuer with a serial number nor a certificate");
}

static X509 *by_token(creo_wss_call *call, const xmlNode *reference)
{
    xmlNodePtr token;
    if (!creo_wss_referred(call, creo_wss_attribute(reference, NULL, "URI"), &token))
        return NULL;
    if (token->parent != call->security || !creo_wss_is(token, WSS_SECEXT, "BinarySecurityToken"))
        return tokens_fail(call, "a reference to what is no BinarySecurityToken of the Security block");
    const char *type = creo_wss_attribute(token, NULL, "ValueType");
    if (type == NULL || strcmp(type, WSS_CERTIFICATE) != 0)
        return tokens_fail(call, "a token that is no certificate");
    return read_certificate(call, token);
}

X509 *creo_wss_read_reference(creo_wss_call *call, const xmlNode *key_info, STACK_OF(X509) * known)
{
    xmlNodePtr info = tokens_only(key_info);
    if (info == NULL || !creo_wss_is(info, WSS_SECEXT, "SecurityTokenReference"))
        return tokens_fail(call, "KeyInfo holds one SecurityTokenReference, and nothing else");
    xmlNodePtr reference = tokens_only(info);
    if (reference == NULL)
        return tokens_fail(call, "a SecurityTokenReference that does not hold one reference");
    if (creo_wss_is(reference, WSS_SECEXT, "Reference"))
        return by_token(call, reference);
    if (creo_wss_is(reference, WSS_DSIG, "X509Data"))
        return by_data(call, reference, known);
    if (creo_wss_is(reference, WSS_SECEXT, "KeyIdentifier")) {
        const char *type = creo_wss_attribute(reference, NULL, "ValueType");
        if (type != NULL && strcmp(type, WSS_CERTIFICATE) == 0)
            return read_certificate(call, reference);
        if (type != NULL && (strcmp(type, WSS_SKI) == 0 || strcmp(type, WSS_SHA1_PRINT) == 0))
            return by_identifier(call, reference, known, strcmp(type, WSS_SHA1_PRINT) == 0);
        return tokens_fail(call, "a KeyIdentifier of an unknown type");
    }
    (void)creo_wss_refuse(call->error, WSS_KEY_REFERENCE, "a reference by %.100s", (const char *)reference->name);
    return NULL;
}

/*
 * Writing.
 */

static bool put_der(creo_writer *out, X509 *certificate)
{
    uint8_t *bytes = NULL;
    int size = i2d_X509(certificate, &bytes);
    bool done = size > 0 ? creo_wss_put_base64(out, creo_bytes_of(bytes, (size_t)size)) : creo_wss_no_memory(out->error);
    OPENSSL_free(bytes);
    return done;
}

bool creo_wss_put_token(creo_writer *out, X509 *certificate, const char *id)
{
    return creo_wss_put(out, "<wsse:BinarySecurityToken xmlns:wsse=\"" WSS_SECEXT "\" xmlns:wsu=\"" WSS_UTILITY "\" EncodingType=\"" WSS_BASE64 "\" ValueType=\"" WSS_CERTIFICATE
                             "\" wsu:Id=\"") &&
           creo_wss_put(out, id) && creo_wss_put(out, "\">") && put_der(out, certificate) && creo_wss_put(out, "</wsse:BinarySecurityToken>");
}

static bool put_identifier(creo_writer *out, const char *type, creo_bytes bytes)
{
    return creo_wss_put(out, "<wsse:KeyIdentifier EncodingType=\"" WSS_BASE64 "\" ValueType=\"") && creo_wss_put(out, type) && creo_wss_put(out, "\">") &&
           creo_wss_put_base64(out, bytes) && creo_wss_put(out, "</wsse:KeyIdentifier>");
}

/* What memory of libcrypto holds, as a text of XML. */
static bool put_escaped_bytes(creo_writer *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char one[2] = {bytes[i], 0};
        if (!creo_wss_put_attribute(out, one))
            return false;
    }
    return true;
}

static bool put_serial(creo_writer *out, X509 *certificate)
{
    BIGNUM *serial = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
    char *number = serial == NULL ? NULL : BN_bn2dec(serial);
    BIO *name = BIO_new(BIO_s_mem());
    char *text = NULL;
    long size = 0;
    if (name != NULL && X509_NAME_print_ex(name, X509_get_issuer_name(certificate), 0, XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB) >= 0)
        size = BIO_get_mem_data(name, &text);
    bool done = number == NULL || size <= 0
                    ? creo_wss_no_memory(out->error)
                    : creo_wss_put(out, "<ds:X509Data xmlns:ds=\"" WSS_DSIG "\"><ds:X509IssuerSerial><ds:X509IssuerName>") && put_escaped_bytes(out, text, (size_t)size) &&
                          creo_wss_put(out, "</ds:X509IssuerName><ds:X509SerialNumber>") && creo_wss_put(out, number) &&
                          creo_wss_put(out, "</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>");
    BIO_free(name);
    OPENSSL_free(number);
    BN_free(serial);
    return done;
}

static bool put_form(creo_writer *out, X509 *certificate, creo_wss_reference form, const char *id)
{
    uint8_t print[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    switch (form) {
    case CREO_WSS_DEFAULT:
    case CREO_WSS_BINARY_TOKEN:
        return creo_wss_put(out, "<wsse:Reference URI=\"#") && creo_wss_put(out, id) && creo_wss_put(out, "\" ValueType=\"" WSS_CERTIFICATE "\"></wsse:Reference>");
    case CREO_WSS_ISSUER_SERIAL:
        return put_serial(out, certificate);
    case CREO_WSS_KEY_IDENTIFIER: {
        const ASN1_OCTET_STRING *identifier = creo_wss_key_identifier(certificate);
        return put_identifier(out, WSS_SKI, creo_bytes_of(ASN1_STRING_get0_data(identifier), (size_t)ASN1_STRING_length(identifier)));
    }
    case CREO_WSS_THUMBPRINT:
        if (X509_digest(certificate, EVP_sha1(), print, &size) != 1)
            return creo_fail(out->error, CREO_INTERNAL, "this libcrypto has no SHA-1, for the thumbprint of a certificate");
        return put_identifier(out, WSS_SHA1_PRINT, creo_bytes_of(print, size));
    }
    return false;
}

bool creo_wss_put_reference(creo_writer *out, X509 *certificate, creo_wss_reference form, const char *id)
{
    return creo_wss_put(out, "<wsse:SecurityTokenReference xmlns:wsse=\"" WSS_SECEXT "\">") && put_form(out, certificate, form, id) &&
           creo_wss_put(out, "</wsse:SecurityTokenReference>");
}
