/* Calls with one stream as lines of JSON: from the request to the end. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "lines.h"

#include "../json/json.h"
#include "../json/json_problem.h"

#include <stdio.h>

/* Writes the parameters, once for all addresses. */
static bool make_first(creo_json *json, struct creo_streaming *on, const creo_text_method *text, const void *arguments, creo_error *error)
{
    creo_client *client = &json->client;
    bool writes = on->streams->encode_item != NULL;
    creo_writer writer;
    creo_lines *lines = (creo_lines *)creo_arena_take_zeroed(&client->arena, 1, sizeof *lines);
    if (lines == NULL)
        return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the call");
    creo_writer_init(&writer, &client->arena, &client->limits, error);
    if (!creo_json_write_record(&writer, &text->request.record, arguments) || (writes && !creo_http_put(&writer, "\n")))
        return false;
    lines->first = creo_writer_bytes(&writer);
    lines->body = (creo_http_body){&lines->first, 1, 0, false, writes};
    on->own = lines;
    client->last_id = on->number;
    return writes ? creo_http_count_body(client, &lines->body, error) : creo_http_finish_body(client, json->gzip, &lines->body, error);
}

/* Whether the answer says that the service has not begun the call. Then the error is its. */
static bool is_refused(creo_lines *lines, creo_error *error)
{
    creo_text_method text = *lines->call.text;
    /* No exception is read, which would need an outcome. */
    text.exception_count = 0;
    lines->call.error = error;
    if (lines->streamed || !creo_http_is_type(lines->answer.content_type, "application/problem+json"))
        return false;
    creo_error_clear(error);
    (void)creo_json_read_problem(&lines->call, &text, &lines->answer, &lines->call.client->arena, NULL);
    return error->from_peer && creo_string_is(creo_error_detail(error, "started"), "no");
}

static bool lines_open(creo_client *client, const void *arguments, creo_error *error)
{
    static const char json_type[] = "Content-Type: application/json\r\n";
    static const char lines_type[] = "Content-Type: application/x-ndjson\r\n";
    struct creo_streaming *on = client->streaming;
    /* The client is the first member of its creo_json. */
    creo_json *json = (creo_json *)(void *)client;
    const creo_method *method = on->method;
    const creo_text_method *text;
    bool writes = on->streams->encode_item != NULL;
    if (writes && on->streams->decode_item != NULL)
        return creo_fail(error, CREO_UNKNOWN_METHOD, "%s.%s has two streams, which the binary wire over TCP carries and no other: call it with a client of creo_client_init",
                         method->interface->name, method->name);
    if (!creo_http_prepare(client, &json->place, method, &text, error) || (on->own == NULL && !make_first(json, on, text, arguments, error)))
        return false;
    creo_lines *lines = creo_lines_of(on);
    creo_bytes type = writes ? creo_bytes_of(lines_type, sizeof lines_type - 1) : creo_bytes_of(json_type, sizeof json_type - 1);
    /* Nothing is left of what was sent to another address. */
    lines->sent = creo_writer_size(&lines->out);
    lines->call = (creo_http_call){client, &json->place, json->gzip, method->name, type, &lines->body, on->until, error, method, text, CREO_HTTP_START};
    if (!creo_http_aim(&lines->call) || !creo_http_call_request(&lines->call, &lines->request))
        return false;
    if (writes) {
        int length = snprintf(lines->size, sizeof lines->size, "%zx\r\n", lines->body.size);
        lines->chunk[0] = creo_bytes_of(lines->size, (size_t)length);
        lines->chunk[1] = lines->first;
        lines->chunk[2] = creo_bytes_of("\r\n", 2);
        lines->request.pieces = lines->chunk;
        lines->request.piece_count = 3;
    }
    bool answered = false;
    do {
        if (answered && !creo_http_call_request(&lines->call, &lines->request))
            return false;
        if (!creo_http_send(client, &lines->request, on->until, &client->arena, &lines->answer, &answered, error))
            return false;
    } while (answered && creo_digest_repeats(&lines->call));
    if (answered && is_refused(lines, error))
        return false;
    on->answered = answered;
    on->answer.body = lines->answer.body;
    return true;
}

static void lines_give_up(struct creo_streaming *on)
{
    creo_socket_close(on->client);
}

/* Whether the answer is a stream. Anything else is as the answer of another method. */
static bool is_streamed(const struct creo_streaming *on, const creo_lines *lines)
{
    const creo_http_answer *answer = &lines->answer;
    return on->streams->decode_item != NULL && answer->status == 200 && !lines->in.compressed && creo_http_is_type(answer->content_type, "application/x-ndjson") &&
           creo_http_is_utf8(answer->content_type);
}

/* The head of a stream has come: it is all that is shown of it (CALL-61). */
static bool begin_lines(struct creo_streaming *on, creo_lines *lines)
{
    lines->streamed = true;
    lines->left = lines->in.size;
    creo_http_leave_head(&lines->in);
    /* The next item may come after any time (CALL-44). */
    lines->in.until = CREO_NEVER;
    creo_raw_show_answer(&lines->call, &lines->answer);
    return creo_http_take_answer(&lines->call, &lines->answer, &on->failure) || creo_streaming_fail(on);
}

/* Whether another address has taken a call that the service refused. It gets the options that the interceptors have left. */
static bool lines_move_on(struct creo_streaming *on, creo_lines *lines)
{
    creo_client *client = on->client;
    if (client->balance == NULL || on->wrote || !is_refused(lines, &on->failure))
        return false;
    const creo_call before = {NULL, NULL, 0, client->metadata, client->metadata_count, client->headers, client->header_count};
    client->metadata = on->call.metadata;
    client->metadata_count = on->call.metadata_count;
    client->headers = on->call.headers;
    client->header_count = on->call.header_count;
    bool moved = creo_streaming_moves(on);
    client->metadata = before.metadata;
    client->metadata_count = before.metadata_count;
    client->headers = before.headers;
    client->header_count = before.header_count;
    return moved;
}

bool creo_lines_read_answer(struct creo_streaming *on, creo_instant until)
{
    creo_client *client = on->client;
    creo_lines *lines = creo_lines_of(on);
    bool answered = false;
    while (!answered) {
        creo_http_read_begin(&lines->in, client, until, &client->arena, &on->failure);
        if (!creo_http_read_head(&lines->in, &lines->answer))
            return creo_streaming_fail(on);
        if (is_streamed(on, lines))
            return begin_lines(on, lines);
        if (!creo_digest_asks(&lines->call, &lines->answer))
            break;
        lines->call.error = &on->failure;
        if (!creo_http_drop_rest(&lines->in, &lines->request, &lines->answer))
            return creo_streaming_fail(on);
        while (creo_digest_repeats(&lines->call)) {
            if (!creo_http_call_request(&lines->call, &lines->request) ||
                !creo_http_send(client, &lines->request, until, &client->arena, &lines->answer, &answered, &on->failure))
                return creo_streaming_fail(on);
        }
    }
    if (!answered && !creo_http_read_rest(&lines->in, &lines->request, &lines->answer))
        return creo_streaming_fail(on);
    /* The rest of the request is not sent (HTTP-33). */
    if (lines->body.chunked && (!on->ended || creo_lines_pending(lines)))
        creo_socket_close(client);
    on->answer.body = lines->answer.body;
    if (!lines_move_on(on, lines))
        on->answered = !on->failed;
    return !on->failed;
}

static unsigned lines_ready(const struct creo_streaming *on)
{
    const creo_lines *lines = creo_lines_of(on);
    const creo_kept *kept = &lines->kept;
    bool ended = on->answered || on->failed;
    bool line = kept->size > kept->at && memchr(kept->data + kept->at, '\n', kept->size - kept->at) != NULL;
    bool writes = on->streams->encode_item != NULL && !ended && !on->ending;
    return (ended || line ? CREO_STREAM_READ : 0U) | (writes && (!creo_lines_full(on) || !creo_lines_pending(lines)) ? CREO_STREAM_WRITE : 0U);
}

static bool lines_read(struct creo_streaming *on, creo_bytes body, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_lines *lines = creo_lines_of(on);
    const creo_text_method *text = lines->call.text;
    creo_http_answer answer = lines->answer;
    uint32_t kind = 0;
    uint8_t nothing = 0;
    creo_string none = {NULL, 0};
    bool done;
    lines->call.error = error;
    answer.body = body;
    outcome = outcome == NULL ? &nothing : outcome;
    if (lines->end) {
        memcpy((uint8_t *)outcome + text->kind, &kind, sizeof kind);
        return true;
    }
    if (creo_digest_problem(&lines->call) != NULL)
        done = creo_http_fail_status(&lines->call, &answer, none);
    else if (lines->streamed || creo_http_is_type(answer.content_type, "application/problem+json"))
        done = creo_json_read_problem(&lines->call, text, &answer, arena, outcome);
    else if (on->streams->decode_item != NULL)
        done = creo_http_fail_status(&lines->call, &answer, none);
    else
        done = creo_json_read_answer(&lines->call, text, &answer, arena, outcome);
    if (!done && error->code == CREO_UNKNOWN_METHOD)
        creo_http_explain(on->method, error);
    return done;
}

const struct creo_carrier creo_json_lines = {lines_open, lines_give_up, creo_lines_receive, creo_lines_send, creo_lines_put, lines_ready, creo_lines_take, lines_read, NULL};
