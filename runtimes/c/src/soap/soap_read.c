/* Reads envelopes. */
#include "../base/utf8.h"
#include "../xml/xml_read.h"
#include "soap_blocks.h"

static const creo_namespace spaces[] = {{CREO_SOAP_11, sizeof CREO_SOAP_11 - 1}, {CREO_SOAP_12, sizeof CREO_SOAP_12 - 1}};

static bool is_soap(const creo_xml *xml, const char *local, int version)
{
    return creo_string_is(xml->tag_local, local) && creo_space_is(&spaces[version], xml->tag_uri);
}

/* SOAP-3; `encoded`: the message belongs to an encoded method (SOAP-32). */
static bool check_style(creo_xml *xml, int version, bool encoded)
{
    if (encoded)
        return true;
    const creo_attribute *style = creo_xml_attribute(xml, spaces[version].uri, "encodingStyle");
    static const char *const encodings[] = {"http://schemas.xmlsoap.org/soap/encoding/", "http://www.w3.org/2003/05/soap-encoding"};
    for (size_t i = 0; style != NULL && i < 2; i++)
        if (style->value.size >= strlen(encodings[i]) && memcmp(style->value.data, encodings[i], strlen(encodings[i])) == 0)
            return creo_xml_fail(xml, style->at, "the message is in SOAP encoding, which is not read");
    return true;
}

static bool is_lenient(const creo_soap_due *due)
{
    return due != NULL && due->lenient;
}

/* Whether a header block is for this receiver (SOAP-4). */
static bool is_for_us(creo_xml *xml, int version)
{
    static const char *const receivers[] = {"http://schemas.xmlsoap.org/soap/actor/next", "http://www.w3.org/2003/05/soap-envelope/role/next",
                                            "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver", ""};
    const creo_attribute *whom = creo_xml_attribute(xml, spaces[version].uri, version == 0 ? "actor" : "role");
    for (size_t i = 0; whom != NULL && i < sizeof receivers / sizeof receivers[0]; i++)
        if (creo_string_is(creo_trim(whom->value), receivers[i]))
            return true;
    return whom == NULL;
}

/* Whether it has mustUnderstand. */
static bool must_understand(creo_xml *xml, int version)
{
    const creo_attribute *must = creo_xml_attribute(xml, spaces[version].uri, "mustUnderstand");
    return must != NULL && (creo_string_is(creo_trim(must->value), "1") || creo_string_is(creo_trim(must->value), "true"));
}

/* Whether the program takes the element whose start tag was read as understood (SOAP-25). */
static bool is_waived(const creo_xml *xml, const creo_soap_due *due)
{
    creo_string uri = xml->tag_uri;
    creo_string local = xml->tag_local;
    for (const char *const *name = due == NULL ? NULL : due->understood; name != NULL && *name != NULL; name++) {
        size_t before = uri.size == 0 ? 0 : uri.size + 2;
        if (strlen(*name) != before + local.size || memcmp(*name + before, local.data, local.size) != 0)
            continue;
        if (before == 0 || ((*name)[0] == '{' && memcmp(*name + 1, uri.data, uri.size) == 0 && (*name)[before - 1] == '}'))
            return true;
    }
    return false;
}

/* The index of the part of a response that is the block whose start tag was read (SOAP-26); -1 for none. */
static int part_of(creo_xml *xml, const creo_text_message *response)
{
    for (uint32_t i = 0; response != NULL && i < response->record.field_count; i++)
        if (response->record.fields[i].place == CREO_PLACE_HEADER && creo_xml_is(xml, &response->record.fields[i].xml))
            return (int)i;
    return -1;
}

/* A block whose start tag was read. */
static bool read_block(creo_xml *xml, const creo_element *block, int version, const creo_soap_due *due, const creo_text_message *parts, creo_soap_seen *seen)
{
    if (creo_string_is(xml->tag_uri, CREO_WSA))
        return creo_soap_read_addressing(xml, block, due, seen);
    bool ours = is_for_us(xml, version);
    bool must = ours && must_understand(xml, version) && !is_waived(xml, due) && part_of(xml, parts) < 0;
    bool understood = false;
    creo_string uri = xml->tag_uri;
    creo_string name = xml->tag_local;
    bool secures = ours && due != NULL && due->secured && creo_soap_is_security(xml);
    if (!(secures ? creo_soap_read_security(xml, block, due->now, &understood, seen) : creo_xml_skip(xml, block)))
        return false;
    if (must && !understood && seen->unknown.data == NULL) {
        seen->unknown = name;
        seen->unknown_uri = uri;
    }
    return true;
}

static bool read_header(creo_xml *xml, const creo_element *header, int version, const creo_soap_due *due, const creo_text_message *parts, creo_soap_seen *seen)
{
    bool closed;
    if (!creo_xml_next(xml, header, &closed))
        return false;
    while (!closed) {
        creo_element block;
        if (!creo_xml_open(xml, &block) || !read_block(xml, &block, version, due, parts, seen) || !creo_xml_next(xml, header, &closed))
            return false;
    }
    return true;
}

/* Whether a message with this header may be read, if it is not a fault. */
static bool check_seen(const creo_soap_seen *seen, creo_error *error)
{
    char shown[200];
    if (seen->unknown.data != NULL) {
        char space[200];
        creo_text_show(shown, sizeof shown, seen->unknown);
        creo_text_show(space, sizeof space, seen->unknown_uri);
        bool none = seen->unknown_uri.size == 0;
        return creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer has the header element %s%s%s%s, which must be understood, and is not: name it in `understood` if it may be skipped",
                         none ? "" : "{", none ? "" : space, none ? "" : "}", shown);
    }
    if (seen->replies_to.data != NULL && !seen->replies) {
        creo_text_show(shown, sizeof shown, seen->replies_to);
        return creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer is for another request, %s", shown[0] == 0 ? "without an id" : shown);
    }
    return seen->problem == NULL || creo_fail(error, seen->code, "%s", seen->problem);
}

void creo_soap_set_result(const creo_text_method *text, void *outcome)
{
    uint32_t kind = 0;
    if (text->exception_count != 0)
        memcpy((uint8_t *)outcome + text->kind, &kind, sizeof kind);
}

/* The only field of a bare message, whose start tag was read; `tag` is its position. */
static bool read_bare(creo_xml *xml, const creo_text_field *field, const creo_element *element, const creo_xml_mark *tag, void *outcome)
{
    if (field->kind != CREO_TEXT_RAW)
        return creo_xml_read_field(xml, field, outcome, element);
    creo_xml_go_back(xml, tag);
    return creo_xml_read_raw(xml, field, outcome);
}

/* The parts of a response in the header at a position (SOAP-26), whose blocks were checked before. */
static bool read_header_parts(creo_xml *xml, const creo_text_message *response, const creo_xml_mark *at, void *outcome, uint64_t *seen)
{
    creo_element header;
    bool closed;
    creo_xml_go_back(xml, at);
    xml->root = "$result";
    if (!creo_xml_open(xml, &header) || !creo_xml_next(xml, &header, &closed))
        return false;
    while (!closed) {
        creo_element block;
        creo_xml_mark tag = creo_xml_mark_of(xml);
        if (!creo_xml_open(xml, &block))
            return false;
        int i = part_of(xml, response);
        const creo_text_field *field = i < 0 ? NULL : &response->record.fields[i];
        if (field != NULL && (seen[i / 64] >> i % 64 & 1) != 0)
            return creo_xml_fail(xml, tag.at, "the header element %.*s was there before", field->xml.size > 200 ? 200 : (int)field->xml.size, field->xml.local);
        if (field == NULL || (xml->lenient && creo_xml_is_missing(xml, field, &block))) {
            if (!creo_xml_skip(xml, &block))
                return false;
        } else {
            xml->may_miss = (field->flags & CREO_FIELD_MAY_MISS) != 0;
            seen[i / 64] |= UINT64_C(1) << i % 64;
            if (!read_bare(xml, field, &block, &tag, outcome))
                return creo_xml_step(xml, field);
        }
        if (!creo_xml_next(xml, &header, &closed))
            return false;
    }
    xml->root = "$";
    return true;
}

/* The response that is read. */
static const creo_text_message *response_of(const creo_text_method *text)
{
    return text->soap_response != NULL ? text->soap_response : &text->response;
}

/* The first part of a response from an index on that is in the body; NULL: there is none. */
static const creo_text_field *body_part(const creo_text_message *response, uint32_t from)
{
    for (uint32_t i = from; i < response->record.field_count; i++)
        if (response->record.fields[i].place != CREO_PLACE_HEADER)
            return &response->record.fields[i];
    return NULL;
}

/* Whether the body has an element for each of several parts (SOAP-100). */
static bool has_several(const creo_text_message *response)
{
    const creo_text_field *first = response->bare ? body_part(response, 0) : NULL;
    return first != NULL && body_part(response, (uint32_t)(first - response->record.fields) + 1) != NULL;
}

/* The parts in the body's element, whose start tag was read; those in `seen` were in the header. */
static bool read_rest(creo_xml *xml, const creo_text_message *response, const creo_element *element, const creo_xml_mark *tag, void *outcome, uint64_t *seen)
{
    const creo_text_record *record = &response->record;
    if (!response->bare)
        return creo_xml_read_fields(xml, record, outcome, element, seen);
    const creo_text_field *field = body_part(response, 0);
    size_t i = (size_t)(field - record->fields);
    seen[i / 64] |= UINT64_C(1) << i % 64;
    if (!read_bare(xml, field, element, tag, outcome))
        return creo_xml_step(xml, field);
    return creo_xml_check_missing(xml, record, outcome, seen, xml->at);
}

/* The element of the response, whose start tag was read (SOAP-5, SOAP-6); `tag` is its position. */
static bool read_response(creo_xml *xml, const creo_text_method *text, const creo_element *element, const creo_xml_mark *tag, void *outcome, uint64_t *seen)
{
    const creo_text_message *response = response_of(text);
    if (!creo_xml_is(xml, &response->element))
        return creo_xml_fail(xml, tag->at, "the answer is %.*s of the namespace \"%.*s\"; %.*s of \"%.*s\" is expected", xml->tag_local.size > 200 ? 200 : (int)xml->tag_local.size,
                             xml->tag_local.data, xml->tag_uri.size > 200 ? 200 : (int)xml->tag_uri.size, xml->tag_uri.data, (int)response->element.size,
                             response->element.local, response->element.space == NULL ? 0 : (int)response->element.space->size,
                             response->element.space == NULL ? "" : response->element.space->uri);
    xml->root = "$result";
    if (text->soap_response != NULL) {
        if (!read_rest(xml, response, element, tag, outcome, seen))
            return false;
    } else if (!response->bare) {
        if (!creo_xml_read_record(xml, &response->record, outcome, element))
            return false;
    } else {
        memset(outcome, 0, response->record.size);
        if (!read_bare(xml, &response->record.fields[0], element, tag, outcome))
            return false;
    }
    xml->root = "$";
    creo_soap_set_result(text, outcome);
    return true;
}

/* The elements of a body that has several, after its start tag (SOAP-100). `closed`: there are none. */
static bool read_several(creo_xml *xml, const creo_text_method *text, const creo_element *body, bool closed, void *outcome, uint64_t *seen)
{
    const creo_text_record *record = &text->soap_response->record;
    xml->root = "$result";
    if (closed ? !creo_xml_check_missing(xml, record, outcome, seen, xml->at) : !creo_xml_read_elements(xml, record, outcome, body, seen))
        return false;
    xml->root = "$";
    creo_soap_set_result(text, outcome);
    return true;
}

/* The body as a response, unless a block that must be understood precedes it. The start tag at `tag` was read unless it is `closed`. */
static creo_soap_end envelope_read_body(creo_xml *xml, const creo_text_method *text, const creo_element *body, const creo_element *element, const creo_xml_mark *tag,
                                        bool closed, const struct creo_soap_tables *tables, void *outcome, uint64_t *seen)
{
    const creo_text_message *response = response_of(text);
    bool oneway = response->element.local == NULL;
    bool empty = oneway || (response->bare && body_part(response, 0) == NULL);
    bool several = !oneway && has_several(response);
    if (closed && several)
        return read_several(xml, text, body, true, outcome, seen) ? CREO_SOAP_OUTCOME : CREO_SOAP_FAILED;
    if (closed) {
        if (!empty)
            return creo_xml_fail(xml, xml->at, "the body of the answer is empty") ? CREO_SOAP_OUTCOME : CREO_SOAP_FAILED;
        if (text->soap_response != NULL && !creo_xml_check_missing(xml, &response->record, outcome, seen, xml->at))
            return CREO_SOAP_FAILED;
        if (!oneway)
            creo_soap_set_result(text, outcome);
        return CREO_SOAP_OUTCOME;
    }
    if (tables != NULL && !oneway && tables->is(xml)) {
        xml->lenient = false;
        if (!tables->read(xml, text, outcome, element))
            return CREO_SOAP_FAILED;
        return creo_xml_close(xml, body) ? CREO_SOAP_OUTCOME : CREO_SOAP_FAILED;
    }
    /* A service without oneway methods answers nevertheless. */
    if (oneway)
        return creo_xml_skip(xml, element) && creo_xml_skip(xml, body) ? CREO_SOAP_OUTCOME : CREO_SOAP_FAILED;
    if (empty) {
        (void)creo_xml_fail(xml, tag->at, "the body of the answer is not empty");
        return CREO_SOAP_FAILED;
    }
    if (several) {
        creo_xml_go_back(xml, tag);
        return read_several(xml, text, body, false, outcome, seen) ? CREO_SOAP_OUTCOME : CREO_SOAP_FAILED;
    }
    return read_response(xml, text, element, tag, outcome, seen) && creo_xml_close(xml, body) ? CREO_SOAP_OUTCOME : CREO_SOAP_FAILED;
}

/* The input is not an envelope, unless it exceeds a limit. */
static creo_soap_end no_envelope(const creo_error *error)
{
    return error != NULL && error->code == CREO_TOO_LARGE ? CREO_SOAP_FAILED : CREO_SOAP_NO_ENVELOPE;
}

static creo_soap_end envelope_read(const creo_text_method *text, creo_bytes envelope, creo_charset charset, creo_xml_part *parts, size_t part_count, size_t around,
                                   const struct creo_soap_tables *tables, const creo_soap_due *due, creo_arena *arena, const creo_limits *limits, void *outcome, creo_error *error,
                                   bool encoded)
{
    creo_xml xml;
    creo_element root;
    if (!creo_xml_begin_lenient(&xml, envelope, charset, CREO_BORROW, arena, limits, is_lenient(due), error) || !creo_xml_charge(&xml, around))
        return no_envelope(error);
    xml.parts = parts;
    xml.part_count = part_count;
    const uint8_t *at = xml.at;
    if (tables != NULL && !tables->prepare(&xml))
        return CREO_SOAP_FAILED;
    if (!creo_xml_open(&xml, &root))
        return no_envelope(error);
    if (!creo_string_is(xml.tag_local, "Envelope")) {
        (void)creo_xml_fail(&xml, at, "the answer is %.*s, no envelope", xml.tag_local.size > 200 ? 200 : (int)xml.tag_local.size, xml.tag_local.data);
        return CREO_SOAP_NO_ENVELOPE;
    }
    int version = is_soap(&xml, "Envelope", 0) ? 0 : 1;
    if (!is_soap(&xml, "Envelope", version)) {
        (void)creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer is an envelope of the namespace \"%.*s\", which is neither SOAP 1.1 nor 1.2",
                        xml.tag_uri.size > 200 ? 200 : (int)xml.tag_uri.size, xml.tag_uri.data);
        return CREO_SOAP_NO_ENVELOPE;
    }
    bool closed;
    creo_element element;
    creo_soap_seen seen;
    memset(&seen, 0, sizeof seen);
    bool fine = check_style(&xml, version, encoded) && creo_xml_next(&xml, &root, &closed);
    creo_xml_mark start = creo_xml_mark_of(&xml);
    at = xml.at;
    if (fine && !closed)
        fine = creo_xml_open(&xml, &element);
    bool has_header = fine && !closed && is_soap(&xml, "Header", version);
    if (has_header) {
        fine = check_style(&xml, version, encoded) && read_header(&xml, &element, version, due, text->soap_response, &seen) && creo_xml_next(&xml, &root, &closed);
        at = xml.at;
        if (fine && !closed)
            fine = creo_xml_open(&xml, &element);
    }
    if (!fine)
        return CREO_SOAP_FAILED;
    if (closed || !is_soap(&xml, "Body", version)) {
        (void)creo_xml_fail(&xml, at, "the body of the envelope is expected here");
        return CREO_SOAP_FAILED;
    }
    if (!check_style(&xml, version, encoded))
        return CREO_SOAP_FAILED;
    creo_element content;
    if (!creo_xml_next(&xml, &element, &closed))
        return CREO_SOAP_FAILED;
    creo_xml_mark tag = creo_xml_mark_of(&xml);
    if (!closed && !creo_xml_open(&xml, &content))
        return CREO_SOAP_FAILED;
    if (!closed && (is_soap(&xml, "Fault", 0) || is_soap(&xml, "Fault", 1)))
        return creo_soap_read_fault(&xml, text, &content, outcome);
    if (!check_seen(&seen, error))
        return CREO_SOAP_FAILED;
    uint64_t few[4];
    uint64_t *notes = few;
    /* Only now it is known that there is no fault, which would be in the place of the result. */
    if (text->soap_response != NULL) {
        notes = creo_xml_notes(&xml, &text->soap_response->record, few);
        if (notes == NULL)
            return CREO_SOAP_FAILED;
        creo_clear_record(&text->soap_response->record, outcome);
    }
    if (text->soap_response != NULL && has_header) {
        fine = read_header_parts(&xml, text->soap_response, &start, outcome, notes) && creo_xml_next(&xml, &root, &closed) && creo_xml_open(&xml, &element) &&
               creo_xml_next(&xml, &element, &closed);
        tag = creo_xml_mark_of(&xml);
        if (!fine || (!closed && !creo_xml_open(&xml, &content)))
            return CREO_SOAP_FAILED;
    }
    creo_soap_end end = envelope_read_body(&xml, text, &element, &content, &tag, closed, tables, outcome, notes);
    if (end != CREO_SOAP_OUTCOME)
        return end;
    return creo_xml_close(&xml, &root) && creo_xml_finish(&xml) ? CREO_SOAP_OUTCOME : CREO_SOAP_FAILED;
}

creo_soap_end creo_soap_read(const creo_text_method *text, creo_bytes envelope, creo_charset charset, creo_xml_part *parts, size_t part_count, size_t around,
                             const struct creo_soap_tables *tables, const creo_soap_due *due, creo_arena *arena, const creo_limits *limits, void *outcome, creo_error *error)
{
    if (tables != NULL || !creo_soap_is_encoded(text))
        return envelope_read(text, envelope, charset, parts, part_count, around, tables, due, arena, limits, outcome, error, false);
    creo_soap_end end = CREO_SOAP_FAILED;
    if (creo_soap_make_literal(text, &envelope, &charset, &around, is_lenient(due), arena, limits, error))
        end = envelope_read(text, envelope, charset, parts, part_count, around, tables, due, arena, limits, outcome, error, true);
    /* The form that was read is not the sent text. */
    if (error != NULL && (end == CREO_SOAP_FAILED || end == CREO_SOAP_NO_ENVELOPE))
        error->has_offset = false;
    return end;
}
