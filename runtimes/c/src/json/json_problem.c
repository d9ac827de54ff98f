#include "json_problem.h"

#include "../base/utf8.h"
#include "../call/answer.h"
#include "json.h"

#include <stdio.h>

#define EXCEPTION "urn:creo:exception:"
#define ERROR "urn:creo:error:"

/* The content of the document. */
typedef struct problem {
    creo_string type;
    creo_string title;
    creo_string detail;
    creo_pair *details;
    size_t detail_count;
    /* The fields of an exception; NULL if absent. */
    const uint8_t *value;
} problem;

/* A text, unless the value has another type. */
static bool read_text(creo_json_in *in, creo_string *text)
{
    return in->at < in->end && *in->at == '"' ? creo_json_string(in, text, NULL) : creo_json_skip(in);
}

static bool read_details(creo_json_in *in, problem *said)
{
    size_t room = 0;
    if (in->at == in->end || *in->at != '{')
        return creo_json_skip(in);
    if (!creo_json_open(in, '{', "an object"))
        return false;
    for (bool first = true;; first = false) {
        bool closed;
        creo_pair pair = {{NULL, 0}, {NULL, 0}};
        if (!creo_json_next(in, '}', first, &closed))
            return false;
        if (closed)
            return true;
        if (!creo_json_string(in, &pair.key, NULL) || !creo_json_colon(in) || !read_text(in, &pair.value))
            return false;
        if (pair.value.data == NULL)
            continue;
        if (said->detail_count == room) {
            room = room == 0 ? 8 : room * 2;
            creo_pair *details = (creo_pair *)creo_arena_take(in->arena, room, sizeof *details);
            if (details == NULL)
                return creo_json_no_memory(in);
            if (said->detail_count != 0)
                memcpy(details, said->details, said->detail_count * sizeof *details);
            said->details = details;
        }
        said->details[said->detail_count++] = pair;
    }
}

static bool problem_read_members(creo_json_in *in, problem *said)
{
    memset(said, 0, sizeof *said);
    if (!creo_json_open(in, '{', "an object"))
        return false;
    for (bool first = true;; first = false) {
        bool closed;
        creo_string name;
        if (!creo_json_next(in, '}', first, &closed))
            return false;
        if (closed)
            return creo_json_finish(in);
        if (!creo_json_string(in, &name, NULL) || !creo_json_colon(in))
            return false;
        bool done;
        if (creo_string_is(name, "type")) {
            done = read_text(in, &said->type);
        } else if (creo_string_is(name, "title")) {
            done = read_text(in, &said->title);
        } else if (creo_string_is(name, "detail")) {
            done = read_text(in, &said->detail);
        } else if (creo_string_is(name, "details") && said->details == NULL) {
            done = read_details(in, said);
        } else {
            if (creo_string_is(name, "value"))
                said->value = in->at;
            done = creo_json_skip(in);
        }
        if (!done)
            return false;
    }
}

/* The rest after a prefix; a NULL pointer if the prefix is absent. */
static creo_string behind(creo_string text, const char *prefix)
{
    size_t size = strlen(prefix);
    if (text.size < size || memcmp(text.data, prefix, size) != 0)
        return (creo_string){NULL, 0};
    return (creo_string){text.data + size, text.size - size};
}

static bool problem_read_exception(creo_json_in *in, const creo_text_method *text, const problem *said, creo_string name, void *outcome)
{
    for (uint32_t i = 0; i < text->exception_count; i++) {
        const creo_text_exception *exception = &text->exceptions[i];
        if (!creo_string_is(name, exception->record->name))
            continue;
        in->root = "$exception";
        if (said->value == NULL)
            return creo_json_fail(in, in->end, "the member value is missing");
        in->at = said->value;
        in->depth = 1;
        if (!creo_json_read_record(in, exception->record, (uint8_t *)outcome + exception->offset))
            return false;
        creo_set_outcome(text, outcome, i + 1);
        return true;
    }
    char shown[200];
    creo_text_show(shown, sizeof shown, name);
    (void)creo_fail(in->error, CREO_INTERNAL, "the service answered with the exception %s, which the method does not declare", shown);
    if (in->error != NULL)
        in->error->from_peer = true;
    return false;
}

/* An error of a Creo service. */
static bool problem_take_error(const problem *said, creo_string code, creo_error *error)
{
    if (error == NULL)
        return false;
    creo_error_clear(error);
    error->from_peer = true;
    error->details = said->details;
    error->detail_count = said->detail_count;
    creo_text_show(error->message, sizeof error->message, said->detail.data == NULL ? said->title : said->detail);
    creo_http_set_code(error, code);
    creo_answer_place(error);
    return false;
}

bool creo_json_read_problem(const creo_http_call *call, const creo_text_method *text, const creo_http_answer *answer, creo_arena *arena, void *outcome)
{
    creo_json_in in;
    problem said;
    creo_string none = {NULL, 0};
    bool fine = answer->status >= 200 && answer->status < 300;
    if (!creo_json_begin(&in, answer->body, CREO_BORROW, arena, &call->client->limits, call->error) || !problem_read_members(&in, &said))
        return fine ? false : creo_http_fail_status(call, answer, none);
    creo_string exception = behind(said.type, EXCEPTION);
    creo_string code = behind(said.type, ERROR);
    if (exception.data != NULL)
        return problem_read_exception(&in, text, &said, exception, outcome);
    if (code.data != NULL)
        return problem_take_error(&said, code, call->error);
    /* A problem of another service. */
    char told[500];
    char title[200];
    char detail[280];
    creo_text_show(title, sizeof title, said.title);
    creo_text_show(detail, sizeof detail, said.detail);
    (void)snprintf(told, sizeof told, "%s%s%s", title, title[0] != 0 && detail[0] != 0 ? ": " : "", detail);
    return creo_http_fail_status(call, answer, creo_text(told));
}
