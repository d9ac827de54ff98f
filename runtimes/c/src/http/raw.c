/* The client's hook for raw messages with media types, and those over HTTP: CALL-60 to CALL-66. */
#include "../call/raw.h"
#include "http_call.h"
#include "raw_body.h"

#include <string.h>

/* Undoes the coding. False: it cannot be undone. */
static bool shown_plain(creo_client *client, const creo_raw_typed *typed, creo_bytes *body)
{
    creo_error ignored;
    if (typed->coding.size == 0 || body->size == 0 || creo_http_same(typed->coding, "identity"))
        return true;
    return typed->gzip != NULL && creo_http_same(typed->coding, "gzip") &&
           creo_http_expand(typed->gzip, *body, &client->limits, &client->arena, body, client->peer, &ignored);
}

/* The body in one piece; false: there is no memory for it. */
static bool shown_joined(creo_arena *arena, const creo_http_body *body, creo_bytes *all)
{
    *all = body->piece_count == 0 ? creo_bytes_of(NULL, 0) : body->pieces[0];
    if (body->piece_count < 2)
        return true;
    uint8_t *joined = creo_arena_bytes(arena, body->size);
    size_t at = 0;
    if (joined == NULL)
        return false;
    for (size_t i = 0; i < body->piece_count; i++) {
        if (body->pieces[i].size != 0)
            memcpy(joined + at, body->pieces[i].data, body->pieces[i].size);
        at += body->pieces[i].size;
    }
    *all = creo_bytes_of(joined, at);
    return true;
}

/* Takes a body of a text wire: without its secrets, or only its length. */
static void shown_take(creo_client *client, creo_raw_message *message, creo_bytes body, creo_string media_type, const char *secrets)
{
    creo_error ignored;
    creo_writer out;
    creo_limits limits = client->limits;
    limits.max_message_size = UINT32_MAX;
    creo_writer_init(&out, &client->arena, &limits, &ignored);
    message->length = body.size;
    message->hidden = creo_raw_body(&out, body, media_type, secrets);
    if (message->hidden == NULL) {
        message->body = creo_writer_bytes(&out);
    } else if (!creo_raw_may_have_secrets(body, secrets)) {
        message->hidden = NULL;
        message->body = body;
    }
}

void creo_raw_show_typed(creo_client *client, creo_raw_typed *typed, const creo_http_body *sent)
{
    creo_bytes body;
    typed->message.length = sent->size;
    if (!shown_joined(&client->arena, sent, &body)) {
        creo_raw_show_nothing(client, typed->method, &typed->message);
        return;
    }
    if (!shown_plain(client, typed, &body))
        return;
    if (typed->binary)
        creo_raw_take(&typed->message, body, typed->secrets != NULL, CREO_RAW_BINARY);
    else
        shown_take(client, &typed->message, body, typed->media_type, typed->secrets);
    creo_raw_show(client, typed->method, &typed->message, typed->fields);
}

/* `headers`: the hook's own, or NULL without memory for them. */
static void shown_http(const creo_http_call *call, creo_raw_typed *typed, creo_pair *headers, const creo_http_body *body)
{
    typed->method = call->called;
    typed->secrets = call->text->secrets;
    typed->gzip = call->gzip;
    typed->fields = headers;
    if (headers == NULL) {
        typed->message.length = body->size;
        creo_raw_show_nothing(call->client, call->called, &typed->message);
        return;
    }
    for (size_t i = typed->message.header_count; i-- > 0;) {
        if (creo_http_same(headers[i].key, "content-type"))
            typed->media_type = headers[i].value;
        else if (creo_http_same(headers[i].key, "content-encoding"))
            typed->coding = headers[i].value;
    }
    creo_raw_show_typed(call->client, typed, body);
}

void creo_raw_show_request(const creo_http_call *call, creo_bytes head)
{
    creo_raw_typed typed;
    creo_string name;
    creo_string value;
    bool wrong;
    size_t count = 0;
    if (call->client->raw_messages == NULL)
        return;
    memset(&typed, 0, sizeof typed);
    typed.message.sent = true;
    for (size_t i = 0; i < head.size; i++)
        count += head.data[i] == '\n';
    creo_pair *headers = (creo_pair *)creo_arena_take(&call->client->arena, count, sizeof *headers);
    /* After the request line. */
    const uint8_t *at = (const uint8_t *)memchr(head.data, '\n', head.size);
    if (headers != NULL && at != NULL) {
        at++;
        while (creo_http_header(&at, head.data + head.size, &name, &value, &wrong))
            headers[typed.message.header_count++] = (creo_pair){name, value};
    }
    shown_http(call, &typed, headers, call->body);
}

void creo_raw_show_answer(const creo_http_call *call, const creo_http_answer *answer)
{
    creo_raw_typed typed;
    creo_bytes piece = answer->body;
    creo_http_body body = {&piece, 1, piece.size, false, false};
    if (call->client->raw_messages == NULL)
        return;
    memset(&typed, 0, sizeof typed);
    typed.message.answer = true;
    typed.message.status = answer->status;
    typed.message.header_count = answer->header_count;
    /* One more, so that there is an array of none. */
    creo_pair *headers = (creo_pair *)creo_arena_take(&call->client->arena, answer->header_count + 1, sizeof *headers);
    if (headers != NULL && answer->header_count != 0)
        memcpy(headers, answer->headers, answer->header_count * sizeof *headers);
    shown_http(call, &typed, headers, &body);
}
