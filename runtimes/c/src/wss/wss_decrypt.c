/* Decrypts the parts of a message in place (SOAP-86). */
#include "wss_parts.h"

#include "../http/fresh.h"
#include "../xml/xml_whole.h"

#include <openssl/crypto.h>

#define MAX_PARTS 16

static bool not_decrypted(creo_wss_call *call)
{
    return creo_wss_refuse(call->error, WSS_NOT_DECRYPTED, "the message cannot be decrypted");
}

static bool read_cipher_value(creo_wss_call *call, const xmlNode *element, creo_bytes *bytes)
{
    xmlNodePtr data;
    xmlNodePtr value;
    return creo_wss_only(call, element, WSS_XENC, "CipherData", true, &data) && creo_wss_only(call, data, WSS_XENC, "CipherValue", true, &value) &&
           creo_wss_bytes(call, value, bytes);
}

static bool find_data(creo_wss_call *call, creo_wss_decryption *decryption, const xmlNode *list_item, xmlNodePtr *data)
{
    if (!creo_wss_is(list_item, WSS_XENC, "DataReference"))
        return creo_wss_refuse(call->error, WSS_REFERENCE, "a reference to encrypted data by %.100s", (const char *)list_item->name);
    if (++decryption->parts > MAX_PARTS)
        return creo_wss_refuse(call->error, WSS_TOO_MANY, "more than %d encrypted parts", MAX_PARTS);
    return creo_wss_referred(call, creo_wss_attribute(list_item, NULL, "URI"), data);
}

/* Puts what was decrypted in the place of the data: it is the content of one element, with the declarations that are in scope there. */
static bool replace_data(creo_wss_call *call, xmlNodePtr data, creo_bytes plain)
{
    creo_wss_scope *scope;
    size_t count;
    creo_writer out;
    creo_bytes text;
    creo_error own;
    const creo_string utf8 = creo_text("utf-8");
    xmlNodePtr parent = data->parent;
    if (!creo_wss_scope_of(call, parent, &scope, &count))
        return false;
    creo_writer_init(&out, call->arena, NULL, call->error);
    bool written = creo_wss_put(&out, "<w");
    for (size_t i = 0; written && i < count; i++)
        written = creo_wss_put(&out, scope[i].prefix[0] == 0 ? " xmlns" : " xmlns:") && creo_wss_put(&out, scope[i].prefix) && creo_wss_put(&out, "=\"") &&
                  creo_wss_put_attribute(&out, scope[i].uri) && creo_wss_put(&out, "\"");
    if (!written || !creo_wss_put(&out, ">") || (plain.size != 0 && !creo_write_raw(&out, plain)) || !creo_wss_put(&out, "</w>"))
        return false;
    if (!creo_xml_whole(creo_writer_bytes(&out), utf8, call->arena, &text, &own))
        return not_decrypted(call);
    xmlDocPtr read = creo_wss_parse(text, &own);
    if (read == NULL)
        return not_decrypted(call);
    bool done = true;
    for (const xmlNode *n = xmlDocGetRootElement(read)->children; done && n != NULL; n = n->next)
        done = creo_wss_copy(call, n, parent, data);
    xmlFreeDoc(read);
    if (!done)
        return false;
    return creo_wss_remove(call, data);
}

static bool take_data(creo_wss_call *call, creo_wss_decryption *decryption, xmlNodePtr data, const uint8_t key[WSS_MAX_KEY], size_t key_size)
{
    if (!creo_wss_is(data, WSS_XENC, "EncryptedData"))
        return creo_wss_refuse(call->error, WSS_MISPLACED, "a reference to encrypted data that is none");
    const char *type = creo_wss_attribute(data, NULL, "Type");
    const xmlNode *parent = data->parent;
    bool of_body = parent == call->body && type != NULL && strcmp(type, WSS_CONTENT) == 0 && creo_wss_first(parent) == data && creo_wss_next(data) == NULL;
    bool of_token = parent == call->security && type != NULL && strcmp(type, WSS_ELEMENT) == 0;
    if (!of_body && !of_token)
        return creo_wss_refuse(call->error, WSS_MISPLACED, "only the whole content of the body, and elements of the Security block, may be encrypted");
    xmlNodePtr method;
    if (!creo_wss_only(call, data, WSS_XENC, "EncryptionMethod", true, &method))
        return false;
    const creo_wss_algorithm *algorithm = creo_wss_accepted(WSS_OF_DATA, creo_wss_algorithm_of(method), call->wss->allowed, call->error);
    creo_bytes value;
    creo_bytes plain;
    /* A key that does not fit is a random one, so that only the end of the data tells. */
    uint8_t used[WSS_MAX_KEY];
    if (algorithm == NULL || !creo_random(used, sizeof used, call->error) || !read_cipher_value(call, data, &value))
        return false;
    uint8_t mask = key_size == algorithm->size ? 0xFF : 0;
    for (size_t i = 0; i < sizeof used; i++)
        used[i] = (uint8_t)((used[i] & ~mask) | (key[i] & mask));
    bool done = creo_wss_decrypt(call->arena, algorithm, used, value, &plain);
    OPENSSL_cleanse(used, sizeof used);
    if (!done)
        return not_decrypted(call);
    decryption->body = decryption->body || of_body;
    return replace_data(call, data, plain);
}

/* The key of ours to which a key is encrypted. */
static EVP_PKEY *find_own(creo_wss_call *call, const xmlNode *element)
{
    xmlNodePtr info;
    if (!creo_wss_only(call, element, WSS_DSIG, "KeyInfo", true, &info))
        return NULL;
    X509 *to = creo_wss_read_reference(call, info, call->wss->readable);
    if (to == NULL)
        return NULL;
    EVP_PKEY *found = NULL;
    for (size_t i = 0; found == NULL && i < call->wss->reader_count; i++)
        if (X509_cmp(call->wss->readers[i].certificate, to) == 0)
            found = call->wss->readers[i].key;
    X509_free(to);
    if (found == NULL)
        (void)creo_wss_refuse(call->error, WSS_KEY_REFERENCE, "the message is encrypted to a certificate that is not ours");
    return found;
}

/* What `EncryptionMethod` says of OAEP. */
static bool read_padding(creo_wss_call *call, const creo_wss_algorithm *algorithm, const xmlNode *method, const creo_wss_oaep **digest, const creo_wss_oaep **mask,
                         creo_bytes *label)
{
    xmlNodePtr named = NULL;
    xmlNodePtr masked = NULL;
    xmlNodePtr given = NULL;
    *label = (creo_bytes){NULL, 0};
    *digest = *mask = creo_wss_oaep_by(WSS_DSIG "sha1", false);
    if (algorithm->form == WSS_PKCS1)
        return true;
    if (!creo_wss_only(call, method, WSS_DSIG, "DigestMethod", false, &named) || !creo_wss_only(call, method, WSS_XENC_11, "MGF", false, &masked) ||
        !creo_wss_only(call, method, WSS_XENC, "OAEPparams", false, &given) || (given != NULL && !creo_wss_bytes(call, given, label)))
        return false;
    if (named != NULL)
        *digest = creo_wss_oaep_by(creo_wss_algorithm_of(named), false);
    if (masked != NULL && algorithm->form == WSS_OAEP_11)
        *mask = creo_wss_oaep_by(creo_wss_algorithm_of(masked), true);
    return (*digest != NULL && *mask != NULL) || creo_wss_refuse(call->error, WSS_ALGORITHM, "a digest or a mask of OAEP that is not accepted");
}

bool creo_wss_take_key(creo_wss_call *call, creo_wss_decryption *decryption, xmlNodePtr element)
{
    xmlNodePtr method;
    if (!creo_wss_only(call, element, WSS_XENC, "EncryptionMethod", true, &method))
        return false;
    const creo_wss_algorithm *algorithm = creo_wss_accepted(WSS_OF_KEY, creo_wss_algorithm_of(method), call->wss->allowed, call->error);
    const creo_wss_oaep *digest;
    const creo_wss_oaep *mask;
    creo_bytes label;
    creo_bytes wrapped;
    if (algorithm == NULL || !read_padding(call, algorithm, method, &digest, &mask, &label))
        return false;
    EVP_PKEY *own = find_own(call, element);
    if (own == NULL || !read_cipher_value(call, element, &wrapped))
        return false;
    /* No more than the children of the block, which are counted. */
    size_t index = decryption->key_count++;
    uint8_t *key = decryption->keys[index].key;
    size_t *size = &decryption->keys[index].size;
    if (!creo_wss_unwrap(call->arena, algorithm, digest, mask, label, own, wrapped, key, size))
        return creo_wss_no_memory(call->error);
    const char *id = creo_wss_attribute(element, NULL, "Id");
    decryption->keys[index].id = id == NULL ? "" : id;
    for (size_t i = 0; id != NULL && id[0] != 0 && i < index; i++)
        if (strcmp(decryption->keys[i].id, id) == 0)
            return creo_wss_refuse(call->error, WSS_DUPLICATE_ID, "two encrypted keys have one id");
    xmlNodePtr list;
    if (!creo_wss_only(call, element, WSS_XENC, "ReferenceList", false, &list))
        return false;
    for (const xmlNode *item = list == NULL ? NULL : creo_wss_first(list); item != NULL; item = creo_wss_next(item)) {
        xmlNodePtr data;
        if (!find_data(call, decryption, item, &data) || !take_data(call, decryption, data, key, *size))
            return false;
    }
    return true;
}

bool creo_wss_take_list(creo_wss_call *call, creo_wss_decryption *decryption, xmlNodePtr list)
{
    for (const xmlNode *item = creo_wss_first(list); item != NULL; item = creo_wss_next(item)) {
        xmlNodePtr data;
        xmlNodePtr info;
        xmlNodePtr token;
        xmlNodePtr reference;
        if (!find_data(call, decryption, item, &data) || !creo_wss_only(call, data, WSS_DSIG, "KeyInfo", true, &info) ||
            !creo_wss_only(call, info, WSS_SECEXT, "SecurityTokenReference", true, &token) || !creo_wss_only(call, token, WSS_SECEXT, "Reference", true, &reference))
            return false;
        const char *uri = creo_wss_attribute(reference, NULL, "URI");
        size_t found = 0;
        while (found < decryption->key_count && (uri == NULL || uri[0] != '#' || uri[1] == 0 || strcmp(decryption->keys[found].id, uri + 1) != 0))
            found++;
        if (found == decryption->key_count)
            return creo_wss_refuse(call->error, WSS_KEY_REFERENCE, "data of a key that is not before it");
        if (!take_data(call, decryption, data, decryption->keys[found].key, decryption->keys[found].size))
            return false;
    }
    return true;
}
