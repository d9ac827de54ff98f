/* An envelope as a tree, with the elements that security concerns at their places. */
#include <creo/codegen/path.h>

#include "../http/http.h"
#include "wss_parts.h"

bool creo_wss_is_for_receiver(const creo_wss_call *call, const xmlNode *block)
{
    static const char *const roles[] = {"http://schemas.xmlsoap.org/soap/actor/next", WSS_SOAP_12 "/role/next", WSS_SOAP_12 "/role/ultimateReceiver"};
    const char *role = creo_wss_attribute(block, call->soap12 ? WSS_SOAP_12 : WSS_SOAP_11, call->soap12 ? "role" : "actor");
    if (role == NULL)
        return true;
    role += strspn(role, " \t\r\n");
    size_t size = strlen(role);
    while (size > 0 && strchr(" \t\r\n", role[size - 1]) != NULL)
        size--;
    bool known = size == 0;
    for (size_t i = call->soap12 ? 1 : 0; i < (call->soap12 ? 3U : 1U); i++)
        known = known || (strlen(roles[i]) == size && memcmp(roles[i], role, size) == 0);
    return known;
}

bool creo_wss_is_named(const xmlNode *block, const creo_wss_block_names *names)
{
    const char *space = block->ns == NULL || block->ns->href == NULL ? "" : (const char *)block->ns->href;
    for (size_t i = 0; i < names->count; i++) {
        const creo_wss_block_name *name = &names->items[i];
        if (strcmp(name->space, space) == 0 && (strcmp(name->local, "*") == 0 || strcmp(name->local, (const char *)block->name) == 0))
            return true;
    }
    return false;
}

bool creo_wss_open_envelope(creo_wss_call *call)
{
    xmlNodePtr root = xmlDocGetRootElement(call->document);
    call->root = root;
    call->soap12 = creo_wss_is(root, WSS_SOAP_12, "Envelope");
    call->header = call->security = NULL;
    if (!call->soap12 && !creo_wss_is(root, WSS_SOAP_11, "Envelope"))
        return creo_fail(call->error, CREO_MALFORMED, "the element %.200s, where an envelope of SOAP must be", (const char *)root->name);
    const char *soap = call->soap12 ? WSS_SOAP_12 : WSS_SOAP_11;
    xmlNodePtr child = creo_wss_first(root);
    if (child != NULL && creo_wss_is(child, soap, "Header")) {
        call->header = child;
        child = creo_wss_next(child);
    }
    if (child == NULL || !creo_wss_is(child, soap, "Body") || creo_wss_next(child) != NULL)
        return creo_wss_refuse(call->error, WSS_MISPLACED, "an envelope has at most one header, then one body, and nothing else");
    call->body = child;
    for (xmlNodePtr block = call->header == NULL ? NULL : creo_wss_first(call->header); block != NULL; block = creo_wss_next(block)) {
        if (!creo_wss_is(block, WSS_SECEXT, "Security") || !creo_wss_is_for_receiver(call, block))
            continue;
        if (call->security != NULL)
            return creo_wss_refuse(call->error, WSS_SECURITY_BLOCKS, "two Security blocks for this receiver");
        call->security = block;
    }
    return true;
}

bool creo_wss_add_security(creo_wss_call *call)
{
    const char *soap = call->soap12 ? WSS_SOAP_12 : WSS_SOAP_11;
    if (call->header == NULL) {
        call->header = xmlNewDocNode(call->document, NULL, (const xmlChar *)"Header", NULL);
        if (call->header == NULL || xmlAddPrevSibling(call->body, call->header) == NULL)
            return creo_wss_no_memory(call->error);
        call->header->ns = call->root->ns;
    }
    if (call->security != NULL)
        return true;
    call->security = creo_wss_add(call, call->header, call->header->children, WSS_SECEXT, "wsse", "Security");
    const char *prefix = call->root->ns->prefix == NULL ? "soap" : (const char *)call->root->ns->prefix;
    return call->security != NULL && creo_wss_add_attribute(call, call->security, soap, prefix, "mustUnderstand", "1");
}

const xmlAttr *creo_wss_id(const xmlNode *element)
{
    const char *plain = creo_wss_is_space(element->ns, WSS_DSIG) || creo_wss_is_space(element->ns, WSS_XENC) ? "Id"
                        : creo_wss_is_space(element->ns, WSS_SAML_2)                                         ? "ID"
                                                                                                              : NULL;
    const xmlAttr *found = NULL;
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next) {
        if (creo_wss_is_space(a->ns, WSS_UTILITY) && strcmp((const char *)a->name, "Id") == 0)
            return a;
        if (plain != NULL && a->ns == NULL && strcmp((const char *)a->name, plain) == 0)
            found = a;
    }
    return found;
}

/* How many elements have this id, by any attribute that could be meant as one; and the first of them. */
static size_t count_ids(const creo_wss_call *call, const char *id, xmlNodePtr *first)
{
    size_t count = 0;
    for (xmlNodePtr node = call->root; node != NULL; node = creo_wss_walk(node, call->root)) {
        for (const xmlAttr *a = node->type == XML_ELEMENT_NODE ? node->properties : NULL; a != NULL; a = a->next) {
            const char *local = (const char *)a->name;
            if ((!creo_http_same(creo_text(local), "id") && !creo_http_same(creo_text(local), "AssertionID")) || strcmp(creo_wss_value(a), id) != 0)
                continue;
            if (count++ == 0)
                *first = node;
        }
    }
    return count;
}

bool creo_wss_referred(creo_wss_call *call, const char *uri, xmlNodePtr *found)
{
    if (uri == NULL || uri[0] != '#' || uri[1] == 0 || strchr(uri, '(') != NULL)
        return creo_wss_refuse(call->error, WSS_REFERENCE, "a reference to \"%.200s\", where only an id of this message may be", uri == NULL ? "" : uri);
    const char *id = uri + 1;
    size_t count = count_ids(call, id, found);
    if (count > 1)
        return creo_wss_refuse(call->error, WSS_DUPLICATE_ID, "the id \"%.200s\" is there %zu times", id, count);
    const xmlAttr *attribute = count == 0 ? NULL : creo_wss_id(*found);
    return (attribute != NULL && strcmp(creo_wss_value(attribute), id) == 0) || creo_wss_refuse(call->error, WSS_UNKNOWN_ID, "no element has the id \"%.200s\"", id);
}
