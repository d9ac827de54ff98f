/* Faults (SOAP-10 to SOAP-13). */
#include "../base/utf8.h"
#include "../call/answer.h"
#include "soap.h"

#include <stdio.h>

#define ERROR_SPACE "urn:creo:error"

/* The content of a fault, as far as it was read. */
typedef struct fault {
    creo_string code;
    /* SOAP 1.2: more specific than the code. */
    creo_string subcode;
    creo_string message;
    creo_string actor;
    creo_string detail;
    /* Why a declared exception could not be read. */
    creo_string problem;
    /* An error of a Creo service: the word of its code. */
    creo_string word;
    creo_pair *details;
    size_t detail_count;
    bool exception;
} fault;

/* The text of a part whose start tag was read; the first of several is used. */
static bool read_leaf(creo_xml *xml, const creo_element *element, creo_string *text)
{
    return text->data == NULL ? creo_xml_words(xml, element, text) : creo_xml_skip(xml, element);
}

/* The text of the first element of that name within another; and of the first `Value` of a `Subcode` in it, if requested (SOAP 1.2). */
static bool read_within(creo_xml *xml, const creo_element *outer, const char *name, creo_string *text, creo_string *subcode)
{
    bool closed;
    if (!creo_xml_within(xml, outer, &closed))
        return false;
    while (!closed) {
        creo_element inner;
        if (!creo_xml_open(xml, &inner))
            return false;
        bool done = creo_string_is(xml->tag_local, name)                                ? read_leaf(xml, &inner, text)
                    : subcode != NULL && creo_string_is(xml->tag_local, "Subcode") ? read_within(xml, &inner, "Value", subcode, NULL)
                                                                                        : creo_xml_skip(xml, &inner);
        if (!done || !creo_xml_within(xml, outer, &closed))
            return false;
    }
    return true;
}

/* `<e:error code="..">` with its details. */
static bool fault_read_error(creo_xml *xml, const creo_element *element, fault *said)
{
    const creo_attribute *code = creo_xml_attribute(xml, "", "code");
    said->word = code == NULL ? creo_text("") : creo_trim(code->value);
    size_t room = 0;
    bool closed;
    if (!creo_xml_within(xml, element, &closed))
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
            pair->value = (creo_string){NULL, 0};
            if (!read_leaf(xml, &detail, &pair->value))
                return false;
            said->detail_count++;
        }
        if (!creo_xml_within(xml, element, &closed))
            return false;
    }
    return true;
}

/* An exception of the method, whose start tag, at `tag`, was read. An invalid one is skipped and reported. */
static bool fault_read_exception(creo_xml *xml, const creo_text_method *text, uint32_t index, const creo_element *element, const creo_xml_mark *tag, void *outcome, fault *said)
{
    const creo_text_exception *exception = &text->exceptions[index];
    uint32_t kind = index + 1;
    uint32_t levels = xml->levels_left;
    char problem[CREO_ERROR_TEXT];
    xml->root = "$exception";
    said->exception = creo_xml_read_record(xml, exception->record, (uint8_t *)outcome + exception->offset, element);
    if (said->exception)
        memcpy((uint8_t *)outcome + text->kind, &kind, sizeof kind);
    else if (xml->error != NULL && xml->error->code != CREO_MALFORMED)
        return false;
    xml->root = "$";
    if (said->exception)
        return true;
    if (xml->error != NULL) {
        xml->error->has_offset = xml->error->has_offset && !creo_soap_is_encoded(text);
        said->problem.data = creo_xml_copy(xml, creo_text(creo_error_format(xml->error, problem, sizeof problem)));
        if (said->problem.data == NULL)
            return false;
        said->problem.size = strlen(problem);
        creo_error_clear(xml->error);
    }
    creo_element skipped;
    xml->levels_left = levels;
    creo_xml_go_back(xml, tag);
    return creo_xml_open(xml, &skipped) && creo_xml_skip(xml, &skipped);
}

/* An element of a detail, whose start tag was read: a declared exception or an error of a Creo service, unless there was one before. */
static bool read_element(creo_xml *xml, const creo_text_method *text, const creo_element *element, const creo_xml_mark *tag, void *outcome, bool *known, fault *said)
{
    for (uint32_t i = 0; !*known && i < text->exception_count; i++) {
        if (creo_xml_is(xml, &text->exceptions[i].record->xml)) {
            *known = true;
            return fault_read_exception(xml, text, i, element, tag, outcome, said);
        }
    }
    if (*known || !creo_string_is(xml->tag_local, "error") || !creo_string_is(xml->tag_uri, ERROR_SPACE))
        return creo_xml_skip(xml, element);
    *known = true;
    return fault_read_error(xml, element, said);
}

/* The detail, whose start tag, at `start`, was read. */
static bool read_detail(creo_xml *xml, const creo_text_method *text, const creo_element *detail, const uint8_t *start, void *outcome, fault *said)
{
    bool closed;
    bool known = false;
    if (!creo_xml_within(xml, detail, &closed))
        return false;
    while (!closed) {
        creo_xml_mark tag = creo_xml_mark_of(xml);
        creo_element element;
        if (!creo_xml_open(xml, &element) || !read_element(xml, text, &element, &tag, outcome, &known, said) || !creo_xml_within(xml, detail, &closed))
            return false;
    }
    said->detail = creo_span(start, xml->at);
    return true;
}

static bool read_part(creo_xml *xml, const creo_text_method *text, const creo_element *part, const uint8_t *start, void *outcome, fault *said)
{
    creo_string name = xml->tag_local;
    if (creo_string_is(name, "faultcode"))
        return read_leaf(xml, part, &said->code);
    if (creo_string_is(name, "faultstring"))
        return read_leaf(xml, part, &said->message);
    if (creo_string_is(name, "faultactor") || creo_string_is(name, "Role"))
        return read_leaf(xml, part, &said->actor);
    if (creo_string_is(name, "Code"))
        return read_within(xml, part, "Value", &said->code, &said->subcode);
    if (creo_string_is(name, "Reason"))
        return read_within(xml, part, "Text", &said->message, NULL);
    if (said->detail.data == NULL && (creo_string_is(name, "detail") || creo_string_is(name, "Detail")))
        return read_detail(xml, text, part, start, outcome, said);
    return creo_xml_skip(xml, part);
}

static bool read_parts(creo_xml *xml, const creo_text_method *text, const creo_element *element, void *outcome, fault *said)
{
    bool closed;
    if (!creo_xml_within(xml, element, &closed))
        return false;
    while (!closed) {
        const uint8_t *start = xml->at;
        creo_element part;
        if (!creo_xml_open(xml, &part) || !read_part(xml, text, &part, start, outcome, said) || !creo_xml_within(xml, element, &closed))
            return false;
    }
    return true;
}

/* The part of a name after its prefix, or after the namespace in braces. */
static creo_string local_of(creo_string name)
{
    size_t at = name.size;
    while (at > 0 && name.data[at - 1] != ':' && name.data[at - 1] != '}')
        at--;
    return name.size == 0 ? name : (creo_string){name.data + at, name.size - at};
}

/* JMS-8: whether this is the name of a fault of SOAP over JMS. */
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

/* The code for a fault of another service. */
static creo_code code_by_fault(creo_string code)
{
    code = local_of(code);
    if (is_refusal(code))
        return CREO_PROTOCOL_MISMATCH;
    /* SOAP 1.1: the part after a point is more specific than needed. */
    const char *point = code.size == 0 ? NULL : (const char *)memchr(code.data, '.', code.size);
    if (point != NULL)
        code.size = (size_t)(point - code.data);
    if (creo_string_is(code, "Client") || creo_string_is(code, "Sender"))
        return CREO_MALFORMED;
    if (creo_string_is(code, "VersionMismatch") || creo_string_is(code, "MustUnderstand"))
        return CREO_PROTOCOL_MISMATCH;
    return CREO_INTERNAL;
}

/* Adds a text of the fault to the error's details: escaped and truncated (ERR-8). */
static bool add_detail(creo_xml *xml, fault *said, const char *key, creo_string text)
{
    if (text.size == 0)
        return true;
    /* Each character takes at most eight bytes when escaped. */
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
    if (!read_parts(xml, text, element, outcome, &said))
        return CREO_SOAP_FAILED;
    if (said.exception)
        return CREO_SOAP_OUTCOME;
    /* JMS-8: the refusals of the binding are more specific than the code of SOAP 1.2. */
    if (is_refusal(local_of(creo_trim(said.subcode))))
        said.code = said.subcode;
    if (said.word.data == NULL) {
        said.details = (creo_pair *)creo_arena_take(xml->arena, 5, sizeof *said.details);
        if (said.details == NULL) {
            (void)creo_xml_no_memory(xml);
            return CREO_SOAP_FAILED;
        }
        if (!add_detail(xml, &said, "fault-code", creo_trim(said.code)) || !add_detail(xml, &said, "fault-subcode", creo_trim(said.subcode)) ||
            !add_detail(xml, &said, "fault-actor", creo_trim(said.actor)) || !add_detail(xml, &said, "fault-detail", said.detail) ||
            !add_detail(xml, &said, "fault-problem", said.problem))
            return CREO_SOAP_FAILED;
    }
    creo_error *error = xml->error;
    if (error == NULL)
        return CREO_SOAP_FAULT;
    creo_error_clear(error);
    error->from_peer = true;
    error->details = said.details;
    error->detail_count = said.detail_count;
    said.message = creo_trim(said.message);
    if (said.message.size == 0 && said.word.data == NULL)
        said.message = creo_text("a fault without a text");
    creo_text_show(error->message, sizeof error->message, said.message);
    if (said.word.data == NULL) {
        error->code = code_by_fault(creo_trim(said.code));
        return CREO_SOAP_FAULT;
    }
    creo_http_set_code(error, said.word);
    creo_answer_place(error);
    return CREO_SOAP_FAULT;
}
