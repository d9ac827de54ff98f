#include "answer.h"

#include <creo/codegen/read.h>

#include "../base/utf8.h"

#include <stdio.h>

static bool read_pair(creo_reader *reader, creo_pair *pair)
{
    return creo_read_string(reader, &pair->key) && creo_read_string(reader, &pair->value);
}

/* ERR-3 */
static bool answer_read_error(creo_reader *reader, uint8_t *number, creo_string *message, creo_pair **details, uint32_t *count)
{
    int8_t code = 0;
    if (!creo_read_byte(reader, &code) || !creo_read_string(reader, message))
        return false;
    *number = (uint8_t)code;
    const uint8_t *start = reader->at;
    if (!creo_read_items(reader, 2, 0, count))
        return false;
    *details = NULL;
    if (*count == 0)
        return creo_reader_finish(reader);
    *details = (creo_pair *)creo_read_take(reader, *count, sizeof **details);
    if (*details == NULL)
        return false;
    for (uint32_t i = 0; i < *count; i++)
        if (!read_pair(reader, &(*details)[i]))
            return false;
    return creo_reader_distinct(reader, start, *details, *count, sizeof **details, CREO_KEY_STRING) && creo_reader_finish(reader);
}

static void answer_append(creo_error *error, const char *text)
{
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, "%s", text);
}

/* ERR-5: what was called, what is offered, and a possible reason. */
static void explain_unknown_method(const creo_method *method, creo_error *error)
{
    char text[CREO_MESSAGE_SIZE];
    creo_string own = creo_error_detail(error, method->interface->name);
    (void)snprintf(text, sizeof text, "; the call was %s.%s, with the fingerprint %016llx", method->interface->name, method->name,
                   (unsigned long long)method->interface->fingerprint);
    answer_append(error, text);
    if (own.data != NULL) {
        char fingerprint[32];
        creo_text_show(fingerprint, sizeof fingerprint, own);
        (void)snprintf(text, sizeof text, "; the service offers that interface with the fingerprint %s: the two sides were generated from different descriptions",
                       fingerprint);
        answer_append(error, text);
    }
    const char *before = "; offered are ";
    for (size_t i = 0; i < error->detail_count; i++) {
        char name[256];
        char value[64];
        if (creo_string_is(error->details[i].key, "started"))
            continue;
        creo_text_show(name, sizeof name, error->details[i].key);
        creo_text_show(value, sizeof value, error->details[i].value);
        (void)snprintf(text, sizeof text, "%s%s %s", before, name, value);
        answer_append(error, text);
        before = ", ";
    }
}

/* A number in decimal digits without overflow. */
static bool parse_number(creo_string text, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || *number > (UINT64_MAX - 9) / 10)
            return false;
        *number = *number * 10 + (uint64_t)(text.data[i] - '0');
    }
    return text.size > 0;
}

void creo_answer_place(creo_error *error)
{
    creo_text_show(error->place, sizeof error->place, creo_error_detail(error, "place"));
    error->has_offset = parse_number(creo_error_detail(error, "offset"), &error->offset);
}

/* Converts the peer's error to ours. */
static bool answer_take_error(const creo_method *method, creo_reader *reader, creo_error *error)
{
    uint8_t number;
    creo_string message;
    creo_pair *details;
    uint32_t count;
    if (!answer_read_error(reader, &number, &message, &details, &count))
        return false;
    if (error == NULL)
        return false;
    creo_error_clear(error);
    error->from_peer = true;
    error->details = details;
    error->detail_count = count;
    creo_text_show(error->message, sizeof error->message, message);
    if (number >= CREO_MALFORMED && number <= CREO_INTERNAL) {
        error->code = (creo_code)number;
    } else {
        error->code = CREO_INTERNAL;
        char text[48];
        (void)snprintf(text, sizeof text, " (error number %u of the peer)", (unsigned)number);
        answer_append(error, text);
    }
    creo_answer_place(error);
    if (error->code == CREO_UNKNOWN_METHOD)
        explain_unknown_method(method, error);
    return false;
}

static bool answer_read_exception(const creo_method *method, creo_reader *reader, void *outcome)
{
    const uint8_t *at = reader->at;
    uint32_t index;
    reader->root = "$exception";
    if (!creo_read_count(reader, &index))
        return false;
    if (index >= method->exception_count || method->decode_exception == NULL)
        return creo_reader_malformed(reader, at, "the method declares no exception of this index");
    return method->decode_exception(reader, index, outcome) && creo_reader_finish(reader);
}

static bool answer_read_result(const creo_method *method, creo_reader *reader, void *outcome)
{
    reader->root = "$result";
    if (method->decode_result != NULL && !method->decode_result(reader, outcome))
        return false;
    return creo_reader_finish(reader);
}

bool creo_answer_read(const creo_method *method, const creo_answer_body *answer, const char *peer, const creo_limits *limits, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_reader reader;
    if (!creo_reader_init(&reader, answer->body, CREO_BORROW, arena, limits, error))
        return false;
    switch (answer->kind) {
    case CREO_RESPONSE:
        return answer_read_result(method, &reader, outcome);
    case CREO_EXCEPTION:
        return answer_read_exception(method, &reader, outcome);
    case CREO_ERROR:
        return answer_take_error(method, &reader, error);
    default:
        return creo_fail(error, CREO_MALFORMED, "%s sent an answer of a wrong kind", peer);
    }
}
