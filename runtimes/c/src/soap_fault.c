/* Faults (SOAP-10 to SOAP-13). */
#include "answer.h"
#include "soap.h"
#include "text.h"

#include <stdio.h>

#define ERROR_SPACE "urn:creo:error"

/* What a fault says, as far as it was read. */
typedef struct fault {
    creo_string code;
    /* SOAP 1.2: what says more than the code. */
    creo_string subcode;
    creo_string message;
    creo_string actor;
    creo_string detail;
    /* An error of ours: the word of its code. */
    creo_string word;
    creo_pair *details;
    size_t detail_count;
    bool exception;
} fault;

/* The text of a leaf of the fault. */
static bool read_leaf(creo_xml *xml, const creo_element *element, creo_string *text)
{
    const uint8_t *at;
    return creo_xml_text(xml, element, text, &at);
}

/*
 * The text of the first element of that name within another (SOAP 1.2: `Code` and `Reason`); the others are skipped, but for the first `Value` of a `Subcode` if
 * that is asked for.
 */
static bool read_within(creo_xml *xml, const creo_element *outer, const char *name, creo_string *text, creo_string *subcode)
{
    bool closed;
    bool found = false;
    if (!creo_xml_next(xml, outer, &closed))
        return false;
    while (!closed) {
        creo_element inner;
        if (!creo_xml_open(xml, &inner))
            return false;
        bool newer = creo_string_is(xml->tag_uri, CREO_SOAP_12);
        bool wanted = !found && newer && creo_string_is(xml->tag_local, name);
        bool within = !wanted && newer && subcode != NULL && subcode->data == NULL && creo_string_is(xml->tag_local, "Subcode");
        bool done = wanted   ? read_leaf(xml, &inner, text)
                    : within ? read_within(xml, &inner, "Value", subcode, NULL)
                             : creo_xml_skip(xml, &inner);
        if (!done || !creo_xml_next(xml, outer, &closed))
            return false;
        found = found || wanted;
    }
    return true;
}

/* `<e:error code="..">` with its details. */
static bool read_error(creo_xml *xml, const creo_element *element, fault *said)
{
    const creo_attribute *code = creo_xml_attribute(xml, "", "code");
    said->word = code == NULL ? creo_text("") : creo_trim(code->value);
    size_t room = 0;
    bool closed;
    if (!creo_xml_next(xml, element, &closed))
        return false;
    while (!closed) {
        creo_element detail;
        if (!creo_xml_open(xml, &detail))
            return false;
        const creo_attribute *key = creo_xml_attribute(xml, "", "key");
        bool ours = creo_string_is(xml->tag_local, "detail") && creo_string_is(xml->tag_uri, ERROR_SPACE) && key != NULL;
        if (!ours) {
            if (!creo_xml_skip(xml, &detail))
                return false;
        } else {
            if (said->detail_count == room) {
                room = room == 0 ? 8 : room * 2;
                creo_pair *details = (creo_pair *)creo_arena_take(xml->arena, room, sizeof *details);
                if (details == NULL)
                    return creo_xml_no_memory(xml);
                if (said->detail_count != 0)
                    memcpy(details, said->details, said->detail_count * sizeof *details);
                said->details = details;
            }
            creo_pair *pair = &said->details[said->detail_count];
            pair->key = key->value;
            if (!read_leaf(xml, &detail, &pair->value))
                return false;
            said->detail_count++;
        }
        if (!creo_xml_next(xml, element, &closed))
            return false;
    }
    return true;
}

/* The first element of a detail, whose start tag was read: an exception of the method, an error of ours. `known`: it was one of them. */
static bool read_first(creo_xml *xml, const creo_text_method *text, const creo_element *element, void *outcome, fault *said, bool *known)
{
    *known = true;
    for (uint32_t i = 0; i < text->exception_count; i++) {
        const creo_text_exception *exception = &text->exceptions[i];
        if (!creo_xml_is(xml, &exception->record->xml))
            continue;
        uint32_t kind = i + 1;
        xml->root = "$exception";
        if (!creo_xml_read_record(xml, exception->record, (uint8_t *)outcome + exception->offset, element))
            return false;
        xml->root = "$";
        memcpy((uint8_t *)outcome + text->kind, &kind, sizeof kind);
        said->exception = true;
        return true;
    }
    if (creo_string_is(xml->tag_local, "error") && creo_string_is(xml->tag_uri, ERROR_SPACE))
        return read_error(xml, element, said);
    *known = false;
    return true;
}

/* The detail, at whose start tag the reader stands. */
static bool read_detail(creo_xml *xml, const creo_text_method *text, void *outcome, fault *said)
{
    creo_xml_mark before = creo_xml_mark_of(xml);
    creo_element detail;
    bool closed;
    bool known = false;
    if (!creo_xml_open(xml, &detail))
        return false;
    /* A detail that begins with text holds nothing of ours. */
    const uint8_t *at = xml->at;
    while (at < xml->end && creo_is_space(*at))
        at++;
    if (!detail.empty && at < xml->end && *at == '<') {
        if (!creo_xml_next(xml, &detail, &closed))
            return false;
        if (!closed) {
            creo_element element;
            if (!creo_xml_open(xml, &element) || !read_first(xml, text, &element, outcome, said, &known))
                return false;
        }
    }
    if (known)
        return creo_xml_skip(xml, &detail);
    creo_xml_go_back(xml, &before);
    return creo_xml_raw(xml, NULL, &said->detail);
}

static bool read_parts(creo_xml *xml, const creo_text_method *text, const creo_element *element, bool newer, void *outcome, fault *said)
{
    bool closed;
    bool detailed = false;
    if (!creo_xml_next(xml, element, &closed))
        return false;
    while (!closed) {
        creo_xml_mark before = creo_xml_mark_of(xml);
        creo_element part;
        if (!creo_xml_open(xml, &part))
            return false;
        bool done;
        creo_string name = xml->tag_local;
        bool own = newer ? creo_string_is(xml->tag_uri, CREO_SOAP_12) : xml->tag_uri.size == 0;
        if (own && !detailed && creo_string_is(name, newer ? "Detail" : "detail")) {
            creo_xml_go_back(xml, &before);
            detailed = true;
            done = read_detail(xml, text, outcome, said);
        } else if (own && newer && creo_string_is(name, "Code")) {
            done = read_within(xml, &part, "Value", &said->code, &said->subcode);
        } else if (own && newer && creo_string_is(name, "Reason")) {
            done = read_within(xml, &part, "Text", &said->message, NULL);
        } else if (own && newer && creo_string_is(name, "Role")) {
            done = read_leaf(xml, &part, &said->actor);
        } else if (own && !newer && creo_string_is(name, "faultcode")) {
            done = read_leaf(xml, &part, &said->code);
        } else if (own && !newer && creo_string_is(name, "faultstring")) {
            done = read_leaf(xml, &part, &said->message);
        } else if (own && !newer && creo_string_is(name, "faultactor")) {
            done = read_leaf(xml, &part, &said->actor);
        } else {
            done = creo_xml_skip(xml, &part);
        }
        if (!done || !creo_xml_next(xml, element, &closed))
            return false;
    }
    return true;
}

/* What stands behind the prefix of a name. */
static creo_string local_of(creo_string name)
{
    const char *colon = name.size == 0 ? NULL : (const char *)memchr(name.data, ':', name.size);
    return colon == NULL ? name : (creo_string){colon + 1, name.size - (size_t)(colon - name.data) - 1};
}

/* JMS-8: whether that is the name of a fault of SOAP over JMS. */
static bool is_refusal(creo_string name)
{
    static const char *const names[] = {
        "contentEncodingNotSupported", "contentTypeMismatch", "malformedRequestURI", "mismatchedSoapAction", "missingContentType", "missingRequestURI",
        "missingSoapAction", "targetServiceNotAllowedInRequestURI", "unrecognizedBindingVersion", "unsupportedJMSMessageFormat",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (creo_string_is(name, names[i]))
            return true;
    return false;
}

/* The code for a fault of another's service. */
static creo_code code_by_fault(creo_string code)
{
    code = local_of(code);
    if (is_refusal(code))
        return CREO_PROTOCOL_MISMATCH;
    /* SOAP 1.1: what stands behind a point says more than is needed. */
    const char *point = code.size == 0 ? NULL : (const char *)memchr(code.data, '.', code.size);
    if (point != NULL)
        code.size = (size_t)(point - code.data);
    if (creo_string_is(code, "Client") || creo_string_is(code, "Sender"))
        return CREO_MALFORMED;
    if (creo_string_is(code, "VersionMismatch") || creo_string_is(code, "MustUnderstand"))
        return CREO_PROTOCOL_MISMATCH;
    return CREO_INTERNAL;
}

/* A text of the fault as a detail of the error: shown, and cut, as ERR-8 says. */
static bool add_detail(creo_xml *xml, fault *said, const char *key, creo_string text)
{
    if (text.size == 0)
        return true;
    /* Each character has at most eight bytes when it is shown. */
    size_t room = (text.size < CREO_SHOWN_CHARACTERS ? text.size : CREO_SHOWN_CHARACTERS) * 8 + 1;
    char *shown = (char *)creo_arena_bytes(xml->arena, room);
    if (shown == NULL)
        return creo_xml_no_memory(xml);
    creo_text_show(shown, room, text);
    said->details[said->detail_count++] = (creo_pair){creo_text(key), creo_text(shown)};
    return true;
}

creo_soap_end creo_soap_read_fault(creo_xml *xml, const creo_text_method *text, const creo_element *element, void *outcome)
{
    fault said;
    memset(&said, 0, sizeof said);
    bool newer = creo_string_is(xml->tag_uri, CREO_SOAP_12);
    if (!read_parts(xml, text, element, newer, outcome, &said))
        return CREO_SOAP_FAILED;
    if (said.exception)
        return CREO_SOAP_OUTCOME;
    /* JMS-8: the binding's refusals say more than the code of SOAP 1.2 does. */
    if (is_refusal(local_of(creo_trim(said.subcode))))
        said.code = said.subcode;
    if (said.word.data == NULL) {
        said.details = (creo_pair *)creo_arena_take(xml->arena, 3, sizeof *said.details);
        if (said.details == NULL) {
            (void)creo_xml_no_memory(xml);
            return CREO_SOAP_FAILED;
        }
        if (!add_detail(xml, &said, "fault-code", creo_trim(said.code)) || !add_detail(xml, &said, "fault-actor", creo_trim(said.actor)) ||
            !add_detail(xml, &said, "fault-detail", said.detail))
            return CREO_SOAP_FAILED;
    }
    creo_error *error = xml->error;
    if (error == NULL)
        return CREO_SOAP_FAULT;
    creo_error_clear(error);
    error->from_peer = true;
    error->details = said.details;
    error->detail_count = said.detail_count;
    creo_text_show(error->message, sizeof error->message, said.message);
    if (said.word.data == NULL) {
        error->code = code_by_fault(creo_trim(said.code));
        return CREO_SOAP_FAULT;
    }
    creo_http_set_code(error, said.word);
    creo_answer_place(error);
    return CREO_SOAP_FAULT;
}
