/* Reads, changes and writes trees of XML, by libxml2. */
#include <creo/codegen/path.h>

#include "../text/text_values.h"
#include "wss_parts.h"

#include <libxml/c14n.h>
#include <libxml/parser.h>
#include <openssl/err.h>

#include <limits.h>
#include <stdio.h>

#define PARSING (XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA)

#if LIBXML_VERSION >= 21200
static void tree_ignore(void *context, const xmlError *problem)
#else
static void tree_ignore(void *context, xmlErrorPtr problem)
#endif
{
    (void)context;
    (void)problem;
}

creo_wss_quiet creo_wss_hush(void)
{
    creo_wss_quiet before = {xmlStructuredError, xmlStructuredErrorContext};
    xmlSetStructuredErrorFunc(NULL, tree_ignore);
    (void)ERR_set_mark();
    return before;
}

void creo_wss_speak(creo_wss_quiet before)
{
    (void)ERR_pop_to_mark();
    xmlSetStructuredErrorFunc(before.context, before.function);
}

/*
 * Reading.
 */

/* Whether an attribute has at most one node, a text: without a document type there is nothing else. */
static bool has_plain_attributes(const xmlNode *element)
{
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next)
        if (a->children != NULL && (a->children->type != XML_TEXT_NODE || a->children->next != NULL))
            return false;
    return true;
}

/* Removes comments; a text then may be several nodes. False if there is a node of another kind. */
static bool tree_clean(xmlNodePtr root)
{
    xmlNodePtr node = root;
    while (node != NULL) {
        xmlNodePtr next = creo_wss_walk(node, root);
        if (node->type == XML_COMMENT_NODE) {
            xmlUnlinkNode(node);
            xmlFreeNode(node);
        } else if (node->type == XML_ELEMENT_NODE ? !has_plain_attributes(node) : node->type != XML_TEXT_NODE) {
            return false;
        }
        node = next;
    }
    return true;
}

xmlDocPtr creo_wss_parse(creo_bytes text, creo_error *error)
{
    static const char none[] = "no document of XML, or one with a document type";
    xmlParserCtxtPtr parser = text.size <= INT_MAX ? xmlNewParserCtxt() : NULL;
    if (parser == NULL) {
        (void)creo_wss_no_memory(error);
        return NULL;
    }
    xmlDocPtr document = xmlCtxtReadMemory(parser, (const char *)text.data, (int)text.size, NULL, "UTF-8", PARSING);
    bool fine = document != NULL && parser->wellFormed && parser->nsWellFormed && document->intSubset == NULL && document->extSubset == NULL;
    if (fine && !tree_clean(xmlDocGetRootElement(document)))
        fine = false;
    if (!fine) {
        const xmlError *problem = xmlCtxtGetLastError(parser);
        (void)creo_fail(error, CREO_MALFORMED, "%s: %.300s", none, problem == NULL || problem->message == NULL ? "" : problem->message);
        xmlFreeDoc(document);
        document = NULL;
    }
    xmlFreeParserCtxt(parser);
    return document;
}

bool creo_wss_is_space(const xmlNs *ns, const char *space)
{
    return ns != NULL && ns->href != NULL && strcmp((const char *)ns->href, space) == 0;
}

bool creo_wss_is(const xmlNode *node, const char *space, const char *local)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, local) == 0 && creo_wss_is_space(node->ns, space);
}

static xmlNodePtr first_element(xmlNodePtr node)
{
    while (node != NULL && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

xmlNodePtr creo_wss_first(const xmlNode *parent)
{
    return first_element(parent->children);
}

xmlNodePtr creo_wss_next(const xmlNode *node)
{
    return first_element(node->next);
}

xmlNodePtr creo_wss_walk(xmlNodePtr node, const xmlNode *root)
{
    if (node->type == XML_ELEMENT_NODE && node->children != NULL)
        return node->children;
    while (node != root && node->next == NULL)
        node = node->parent;
    return node == root ? NULL : node->next;
}

bool creo_wss_only(creo_wss_call *call, const xmlNode *parent, const char *space, const char *local, bool required, xmlNodePtr *found)
{
    *found = NULL;
    for (xmlNodePtr child = creo_wss_first(parent); child != NULL; child = creo_wss_next(child)) {
        if (!creo_wss_is(child, space, local))
            continue;
        if (*found != NULL)
            return creo_wss_refuse(call->error, WSS_UNREADABLE, "two elements %s in %.100s", local, (const char *)parent->name);
        *found = child;
    }
    return *found != NULL || !required || creo_wss_refuse(call->error, WSS_UNREADABLE, "%.100s without %s", (const char *)parent->name, local);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool creo_wss_text(creo_wss_call *call, const xmlNode *element, creo_string *text)
{
    size_t size = 0;
    for (const xmlNode *n = element->children; n != NULL; n = n->next) {
        if (n->type != XML_TEXT_NODE)
            return creo_wss_refuse(call->error, WSS_UNREADABLE, "%.100s that holds more than a text", (const char *)element->name);
        size += strlen((const char *)n->content);
    }
    char *all = (char *)creo_arena_bytes(call->arena, size + 1);
    if (all == NULL)
        return creo_wss_no_memory(call->error);
    size = 0;
    for (const xmlNode *n = element->children; n != NULL; n = n->next) {
        size_t part = strlen((const char *)n->content);
        memcpy(all + size, n->content, part);
        size += part;
    }
    while (size > 0 && is_blank(*all)) {
        all++;
        size--;
    }
    while (size > 0 && is_blank(all[size - 1]))
        size--;
    all[size] = 0;
    *text = (creo_string){all, size};
    return true;
}

bool creo_wss_bytes(creo_wss_call *call, const xmlNode *element, creo_bytes *bytes)
{
    creo_string text;
    if (!creo_wss_text(call, element, &text))
        return false;
    uint8_t *room = creo_arena_bytes(call->arena, creo_base64_room(text.size));
    if (room == NULL)
        return creo_wss_no_memory(call->error);
    return creo_parse_base64(text, room, bytes) == NULL || creo_wss_refuse(call->error, WSS_UNREADABLE, "a text that is not base64");
}

const char *creo_wss_value(const xmlAttr *attribute)
{
    return attribute->children == NULL ? "" : (const char *)attribute->children->content;
}

const char *creo_wss_attribute(const xmlNode *element, const char *space, const char *local)
{
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next)
        if (strcmp((const char *)a->name, local) == 0 && (space == NULL ? a->ns == NULL : creo_wss_is_space(a->ns, space)))
            return creo_wss_value(a);
    return NULL;
}

const char *creo_wss_algorithm_of(const xmlNode *element)
{
    const char *value = creo_wss_attribute(element, NULL, "Algorithm");
    return value == NULL ? "" : value;
}

bool creo_wss_scope_of(creo_wss_call *call, const xmlNode *element, creo_wss_scope **scope, size_t *count)
{
    size_t room = 0;
    for (const xmlNode *n = element; n != NULL && n->type == XML_ELEMENT_NODE; n = n->parent)
        for (const xmlNs *ns = n->nsDef; ns != NULL; ns = ns->next)
            room++;
    *count = 0;
    *scope = (creo_wss_scope *)creo_arena_take(call->arena, room + 1, sizeof **scope);
    if (*scope == NULL)
        return creo_wss_no_memory(call->error);
    for (const xmlNode *n = element; n != NULL && n->type == XML_ELEMENT_NODE; n = n->parent) {
        for (const xmlNs *ns = n->nsDef; ns != NULL; ns = ns->next) {
            const char *prefix = ns->prefix == NULL ? "" : (const char *)ns->prefix;
            bool known = false;
            for (size_t i = 0; i < *count && !known; i++)
                known = strcmp((*scope)[i].prefix, prefix) == 0;
            if (!known)
                (*scope)[(*count)++] = (creo_wss_scope){prefix, ns->href == NULL ? "" : (const char *)ns->href};
        }
    }
    return true;
}

/*
 * Writing.
 */

/* What a text has that is written as it is. */
static char raw_mark[1];

bool creo_wss_put(creo_writer *out, const char *text)
{
    return creo_write_raw(out, creo_bytes_of(text, strlen(text)));
}

bool creo_wss_put_base64(creo_writer *out, creo_bytes bytes)
{
    uint8_t *at = creo_write_block(out, (bytes.size + 2) / 3 * 4);
    if (at == NULL)
        return false;
    (void)creo_put_base64((char *)at, bytes);
    return true;
}

/* Writes a text with references for some characters, as canonicalization does. */
static bool put_escaped(creo_writer *out, const char *text, bool attribute)
{
    const char *due = attribute ? "&<\"\t\n\r" : "&<>\r";
    for (;;) {
        size_t plain = strcspn(text, due);
        if (plain != 0 && !creo_write_raw(out, creo_bytes_of(text, plain)))
            return false;
        text += plain;
        if (*text == 0)
            return true;
        const char *reference = *text == '&'    ? "&amp;"
                                : *text == '<'  ? "&lt;"
                                : *text == '>'  ? "&gt;"
                                : *text == '"'  ? "&quot;"
                                : *text == '\t' ? "&#x9;"
                                : *text == '\n' ? "&#xA;"
                                                : "&#xD;";
        if (!creo_wss_put(out, reference))
            return false;
        text++;
    }
}

bool creo_wss_put_attribute(creo_writer *out, const char *value)
{
    return put_escaped(out, value, true);
}

static bool put_name(creo_writer *out, const xmlNs *ns, const xmlChar *name)
{
    return (ns == NULL || ns->prefix == NULL || (creo_wss_put(out, (const char *)ns->prefix) && creo_wss_put(out, ":"))) && creo_wss_put(out, (const char *)name);
}

static bool put_declaration(creo_writer *out, const char *prefix, const char *uri)
{
    return creo_wss_put(out, prefix[0] == 0 ? " xmlns" : " xmlns:") && creo_wss_put(out, prefix) && creo_wss_put(out, "=\"") && creo_wss_put_attribute(out, uri) &&
           creo_wss_put(out, "\"");
}

static bool declares(const xmlNode *element, const char *prefix)
{
    for (const xmlNs *ns = element->nsDef; ns != NULL; ns = ns->next)
        if (strcmp(ns->prefix == NULL ? "" : (const char *)ns->prefix, prefix) == 0)
            return true;
    return false;
}

static bool put_start(creo_writer *out, const xmlNode *element, const creo_wss_scope *scope, size_t count)
{
    if (!creo_wss_put(out, "<") || !put_name(out, element->ns, element->name))
        return false;
    for (const xmlNs *ns = element->nsDef; ns != NULL; ns = ns->next)
        if (!put_declaration(out, ns->prefix == NULL ? "" : (const char *)ns->prefix, ns->href == NULL ? "" : (const char *)ns->href))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!declares(element, scope[i].prefix) && !put_declaration(out, scope[i].prefix, scope[i].uri))
            return false;
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next)
        if (!creo_wss_put(out, " ") || !put_name(out, a->ns, a->name) || !creo_wss_put(out, "=\"") || !creo_wss_put_attribute(out, creo_wss_value(a)) ||
            !creo_wss_put(out, "\""))
            return false;
    return creo_wss_put(out, ">");
}

static bool put_end(creo_writer *out, const xmlNode *element)
{
    return creo_wss_put(out, "</") && put_name(out, element->ns, element->name) && creo_wss_put(out, ">");
}

static bool put_text(creo_writer *out, const xmlNode *node)
{
    const char *content = node->content == NULL ? "" : (const char *)node->content;
    return node->_private == raw_mark ? creo_wss_put(out, content) : put_escaped(out, content, false);
}

bool creo_wss_put_node(creo_writer *out, const xmlNode *root, const creo_wss_scope *scope, size_t count)
{
    const xmlNode *node = root;
    for (;;) {
        bool element = node->type == XML_ELEMENT_NODE;
        if (!(element ? put_start(out, node, node == root ? scope : NULL, node == root ? count : 0) : put_text(out, node)))
            return false;
        if (element && node->children != NULL) {
            node = node->children;
            continue;
        }
        if (element && !put_end(out, node))
            return false;
        while (node != root && node->next == NULL) {
            node = node->parent;
            if (!put_end(out, node))
                return false;
        }
        if (node == root)
            return true;
        node = node->next;
    }
}

/*
 * Changing.
 */

/* Puts a new node into its place. Not by xmlAddChild, which joins texts, each time in the time that both take, and frees nodes. */
static void tree_insert(xmlNodePtr node, xmlNodePtr parent, xmlNodePtr before)
{
    node->parent = parent;
    node->next = before;
    node->prev = before != NULL ? before->prev : parent->last;
    if (node->prev != NULL)
        node->prev->next = node;
    else
        parent->children = node;
    if (before != NULL)
        before->prev = node;
    else
        parent->last = node;
}

bool creo_wss_remove(creo_wss_call *call, xmlNodePtr node)
{
    if (call->removed == NULL)
        call->removed = xmlNewDocNode(call->document, NULL, (const xmlChar *)"removed", NULL);
    if (call->removed == NULL)
        return creo_wss_no_memory(call->error);
    xmlUnlinkNode(node);
    tree_insert(node, call->removed, NULL);
    return true;
}

static const xmlChar *chars(const char *text)
{
    return (const xmlChar *)text;
}

/* The declaration of a prefix that an element or attribute of another tree has, in this one. */
static bool copy_space(creo_wss_call *call, xmlNodePtr node, const xmlNs *from, xmlNsPtr *to)
{
    *to = NULL;
    if (from == NULL)
        return true;
    *to = xmlSearchNs(call->document, node, from->prefix);
    return (*to != NULL && xmlStrEqual((*to)->href, from->href)) || creo_wss_no_memory(call->error);
}

/* An element without its content. */
static bool copy_element(creo_wss_call *call, const xmlNode *from, xmlNodePtr to)
{
    for (const xmlNs *ns = from->nsDef; ns != NULL; ns = ns->next)
        if (xmlNewNs(to, ns->href, ns->prefix) == NULL)
            return creo_wss_no_memory(call->error);
    if (!copy_space(call, to, from->ns, &to->ns))
        return false;
    for (const xmlAttr *a = from->properties; a != NULL; a = a->next) {
        xmlNsPtr space;
        if (!copy_space(call, to, a->ns, &space))
            return false;
        if (xmlNewNsProp(to, space, a->name, chars(creo_wss_value(a))) == NULL)
            return creo_wss_no_memory(call->error);
    }
    return true;
}

/* One node, before its content. NULL with an error. */
static xmlNodePtr copy_one(creo_wss_call *call, const xmlNode *from, xmlNodePtr parent, xmlNodePtr before)
{
    xmlNodePtr to = from->type == XML_ELEMENT_NODE ? xmlNewDocNode(call->document, NULL, from->name, NULL) : xmlNewDocText(call->document, from->content);
    if (to == NULL) {
        (void)creo_wss_no_memory(call->error);
        return NULL;
    }
    tree_insert(to, parent, before);
    return from->type != XML_ELEMENT_NODE || copy_element(call, from, to) ? to : NULL;
}

bool creo_wss_copy(creo_wss_call *call, const xmlNode *root, xmlNodePtr parent, xmlNodePtr before)
{
    const xmlNode *from = root;
    xmlNodePtr into = parent;
    for (;;) {
        xmlNodePtr to = copy_one(call, from, into, from == root ? before : NULL);
        if (to == NULL)
            return false;
        if (from->type == XML_ELEMENT_NODE && from->children != NULL) {
            from = from->children;
            into = to;
            continue;
        }
        while (from != root && from->next == NULL) {
            from = from->parent;
            into = into->parent;
        }
        if (from == root)
            return true;
        from = from->next;
    }
}

/* The declaration of a prefix with a namespace that is in scope of an element, which may get it. NULL if the prefix is another's there. */
static xmlNsPtr tree_declare(creo_wss_call *call, xmlNodePtr element, const char *space, const char *prefix)
{
    xmlNsPtr found = xmlSearchNs(call->document, element, chars(prefix));
    return found != NULL && creo_wss_is_space(found, space) ? found : xmlNewNs(element, chars(space), chars(prefix));
}

xmlNodePtr creo_wss_add(creo_wss_call *call, xmlNodePtr parent, xmlNodePtr before, const char *space, const char *prefix, const char *local)
{
    xmlNodePtr added = xmlNewDocNode(call->document, NULL, chars(local), NULL);
    if (added != NULL) {
        tree_insert(added, parent, before);
        added->ns = tree_declare(call, added, space, prefix);
    }
    if (added == NULL || added->ns == NULL)
        (void)creo_wss_no_memory(call->error);
    return added == NULL || added->ns == NULL ? NULL : added;
}

bool creo_wss_add_attribute(creo_wss_call *call, xmlNodePtr element, const char *space, const char *prefix, const char *local, const char *value)
{
    xmlNsPtr ns = tree_declare(call, element, space, prefix);
    char other[40];
    for (int i = 1; ns == NULL && i < 100; i++) {
        (void)snprintf(other, sizeof other, "%.20s%d", prefix, i);
        ns = tree_declare(call, element, space, other);
    }
    return (ns != NULL && xmlNewNsProp(element, ns, chars(local), chars(value)) != NULL) || creo_wss_no_memory(call->error);
}

bool creo_wss_add_raw(creo_wss_call *call, xmlNodePtr parent, xmlNodePtr before, creo_bytes text)
{
    xmlNodePtr added = text.size <= INT_MAX ? xmlNewDocTextLen(call->document, text.data, (int)text.size) : NULL;
    if (added == NULL)
        return creo_wss_no_memory(call->error);
    added->_private = raw_mark;
    tree_insert(added, parent, before);
    return true;
}

/*
 * Canonical forms.
 */

/* Where a canonical form goes; the other is NULL. */
typedef struct canonical_target {
    EVP_MD_CTX *digest;
    creo_writer *text;
} canonical_target;

static int canonical_more(void *context, const char *bytes, int size)
{
    const canonical_target *into = (const canonical_target *)context;
    bool done = size >= 0 && (into->digest != NULL ? EVP_DigestUpdate(into->digest, bytes, (size_t)size) == 1 : creo_write_raw(into->text, creo_bytes_of(bytes, (size_t)size)));
    return done ? size : -1;
}

bool creo_wss_canonicalize(creo_wss_call *call, xmlNodePtr element, const char *const *prefixes, EVP_MD_CTX *digest, creo_writer *text)
{
    canonical_target into = {digest, text};
    xmlOutputBufferPtr out = xmlOutputBufferCreateIO(canonical_more, NULL, &into, NULL);
    size_t count = 0;
    while (prefixes != NULL && prefixes[count] != NULL)
        count++;
    /* libxml2 wants characters that it may change, and does not. */
    xmlChar **listed = (xmlChar **)creo_arena_take_zeroed(call->arena, count + 1, sizeof *listed);
    if (out == NULL || listed == NULL) {
        if (out != NULL)
            (void)xmlOutputBufferClose(out);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(&listed[i], &prefixes[i], sizeof listed[i]);
    /* The form of the element alone: it is the only child of the document meanwhile, and still finds the declarations around it. */
    xmlDocPtr document = call->document;
    xmlNodePtr root = document->children;
    xmlNodePtr last = document->last;
    xmlNodePtr next = element->next;
    document->children = document->last = element;
    element->next = NULL;
    int done = xmlC14NExecute(document, NULL, NULL, XML_C14N_EXCLUSIVE_1_0, listed, 0, out);
    element->next = next;
    document->children = root;
    document->last = last;
    return xmlOutputBufferClose(out) >= 0 && done >= 0;
}
