/* Calls with JSON over HTTP (JSON-20 to JSON-24). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "../http/http_call.h"
#include "json.h"
#include "json_problem.h"

static bool json_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error);

static bool json_tunnel(creo_client *client, creo_instant until, creo_error *error)
{
    return creo_http_tunnel(client, &((creo_json *)(void *)client)->place, until, error);
}

static const struct creo_carrier *json_carrier(const creo_client *client)
{
    return ((const creo_json *)(const void *)client)->place.interface->lines;
}

static const struct creo_transport json_transport = {json_call, false, json_carrier, creo_http_check, NULL, json_tunnel, creo_http_forget};

bool creo_json_init(creo_json *json, const char *url, const creo_text_interface *interface, creo_allocator allocator, creo_error *error)
{
    memset(json, 0, sizeof *json);
    if (!creo_http_place_init(&json->place, &json->client, url, interface, allocator, &json_transport, error) || !creo_http_place_of_methods(&json->place, error))
        return false;
    return true;
}

void creo_json_free(creo_json *json)
{
    creo_client_free(&json->client);
}

/* The result by itself (JSON-21). */
static bool json_read_result(const creo_text_method *text, creo_bytes body, creo_arena *arena, const creo_limits *limits, void *outcome, creo_error *error)
{
    const creo_text_record *record = &text->response.record;
    creo_json_in in;
    if (!creo_json_begin(&in, body, CREO_BORROW, arena, limits, error))
        return false;
    in.root = "$result";
    memset(outcome, 0, record->size);
    if (!creo_json_read_field(&in, &record->fields[0], outcome) || !creo_json_finish(&in))
        return false;
    creo_set_outcome(text, outcome, 0);
    return true;
}

bool creo_json_read_answer(const creo_http_call *call, const creo_text_method *text, const creo_http_answer *answer, creo_arena *arena, void *outcome)
{
    bool fine = answer->status >= 200 && answer->status < 300;
    bool empty = text->response.element.local == NULL || text->response.record.field_count == 0;
    creo_string none = {NULL, 0};
    if (creo_http_is_type(answer->content_type, "application/problem+json"))
        return creo_json_read_problem(call, text, answer, arena, outcome);
    if (fine && empty && answer->body.size == 0) {
        creo_set_outcome(text, outcome, 0);
        return true;
    }
    if (!fine || empty || answer->body.size == 0 || !creo_http_is_type(answer->content_type, "application/json"))
        return creo_http_fail_status(call, answer, none);
    if (!creo_http_is_utf8(answer->content_type))
        return creo_fail(call->error, CREO_MALFORMED, "%s sent an answer in an encoding other than UTF-8", call->client->peer);
    return json_read_result(text, answer->body, arena, &call->client->limits, outcome, call->error);
}

static bool json_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    static const char type[] = "Content-Type: application/json\r\n";
    /* The client is the first member of its creo_json. */
    creo_json *json = (creo_json *)(void *)client;
    creo_instant deadline = creo_after(creo_now(), client->deadline_ms);
    const creo_text_method *text;
    creo_writer writer;
    creo_http_answer answer;
    if (!creo_http_begin(client, &json->place, method, &text, error))
        return false;
    creo_writer_init(&writer, &client->arena, &client->limits, error);
    if (!creo_json_write_record(&writer, &text->request.record, arguments))
        return false;
    creo_bytes piece = creo_writer_bytes(&writer);
    creo_http_body body = {&piece, 1, 0, false, false};
    if (!creo_http_finish_body(client, json->gzip, &body, error))
        return false;
    if (arena == NULL)
        arena = &client->arena;
    uint8_t nothing = 0;
    creo_http_call made = {client, &json->place, json->gzip, method->name, creo_bytes_of(type, sizeof type - 1), &body, deadline, error, method, text, CREO_HTTP_START};
    if (!creo_http_call_make(&made, arena, &answer))
        return false;
    if (creo_json_read_answer(&made, text, &answer, arena, outcome == NULL ? &nothing : outcome))
        return true;
    if (error->code == CREO_UNKNOWN_METHOD)
        creo_http_explain(method, error);
    return creo_client_name_peer(client, error);
}
