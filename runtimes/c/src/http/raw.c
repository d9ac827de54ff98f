/* The client's hook for raw messages: CALL-60 to CALL-64. */
#include "http_call.h"
#include "raw_body.h"

#include <string.h>

#define RAW_MAX 16777216

static const char shown_memory[] = "there is no memory left to show it";

/* CALL-64 */
static bool shown_is_secret(creo_string name)
{
    static const char *const words[] = {"authorization", "x-auth", "cookie", "token", "secret", "password", "api-key", "apikey"};
    static const char meta[] = "creo-meta-";
    size_t skip = sizeof meta - 1;
    if (name.size > skip && creo_http_same((creo_string){name.data, skip}, meta))
        name = (creo_string){name.data + skip, name.size - skip};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        for (size_t at = 0; at + size <= name.size; at++)
            if (creo_http_same((creo_string){name.data + at, size}, words[i]))
                return true;
    }
    return false;
}

static creo_string shown_header(const creo_raw_message *message, const char *name)
{
    for (size_t i = 0; i < message->header_count; i++)
        if (creo_http_same(message->headers[i].key, name))
            return message->headers[i].value;
    return (creo_string){NULL, 0};
}

/* Undoes the coding; false: it cannot be undone, and the message is not shown. */
static bool shown_plain(const creo_http_call *call, creo_string coding, creo_bytes *body)
{
    creo_error ignored;
    if (coding.size == 0 || body->size == 0 || creo_http_same(coding, "identity"))
        return true;
    return call->gzip != NULL && creo_http_same(coding, "gzip") &&
           creo_http_expand(call->gzip, *body, &call->client->limits, &call->client->arena, body, call->client->peer, &ignored);
}

static void shown_show(const creo_http_call *call, creo_raw_message *message, creo_pair *headers, creo_bytes body)
{
    creo_client *client = call->client;
    const creo_raw_messages *to = client->raw_messages;
    size_t most = to->max_body < RAW_MAX ? to->max_body : RAW_MAX;
    creo_error ignored;
    creo_writer out;
    creo_limits limits = client->limits;
    limits.max_message_size = UINT32_MAX;
    creo_writer_init(&out, &client->arena, &limits, &ignored);
    message->interface = call->called->interface->name;
    message->method = call->called->name;
    message->peer = client->peer;
    message->headers = headers;
    if (!shown_plain(call, shown_header(message, "content-encoding"), &body))
        return;
    message->length = body.size;
    message->hidden = creo_raw_body(&out, body, shown_header(message, "content-type"), call->text->secrets);
    if (message->hidden == NULL) {
        message->body = creo_writer_bytes(&out);
    } else if (!creo_raw_may_have_secrets(body, call->text->secrets)) {
        message->hidden = NULL;
        message->body = body;
    }
    if (message->body.size > most) {
        message->cut = message->body.size - most;
        message->body.size = most;
    }
    for (size_t i = 0; i < message->header_count; i++)
        if (shown_is_secret(headers[i].key))
            headers[i].value = creo_text("***");
    to->message(to->context, message);
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

/* Without memory, the message has neither fields nor body. */
static void shown_show_nothing(const creo_http_call *call, creo_raw_message *message)
{
    message->interface = call->called->interface->name;
    message->method = call->called->name;
    message->peer = call->client->peer;
    message->header_count = 0;
    message->hidden = shown_memory;
    call->client->raw_messages->message(call->client->raw_messages->context, message);
}

void creo_raw_show_request(const creo_http_call *call, creo_bytes head)
{
    creo_raw_message message;
    creo_string name;
    creo_string value;
    bool wrong;
    size_t count = 0;
    creo_bytes body;
    if (call->client->raw_messages == NULL)
        return;
    memset(&message, 0, sizeof message);
    message.sent = true;
    message.length = call->body->size;
    for (size_t i = 0; i < head.size; i++)
        count += head.data[i] == '\n';
    creo_pair *headers = (creo_pair *)creo_arena_take(&call->client->arena, count, sizeof *headers);
    /* After the request line. */
    const uint8_t *at = (const uint8_t *)memchr(head.data, '\n', head.size);
    if (headers == NULL || at == NULL || !shown_joined(&call->client->arena, call->body, &body)) {
        shown_show_nothing(call, &message);
        return;
    }
    at++;
    while (creo_http_header(&at, head.data + head.size, &name, &value, &wrong))
        headers[message.header_count++] = (creo_pair){name, value};
    shown_show(call, &message, headers, body);
}

void creo_raw_show_answer(const creo_http_call *call, const creo_http_answer *answer)
{
    creo_raw_message message;
    if (call->client->raw_messages == NULL)
        return;
    memset(&message, 0, sizeof message);
    message.answer = true;
    message.status = answer->status;
    message.length = answer->body.size;
    message.header_count = answer->header_count;
    creo_pair *headers = NULL;
    if (answer->header_count != 0) {
        headers = (creo_pair *)creo_arena_take(&call->client->arena, answer->header_count, sizeof *headers);
        if (headers == NULL) {
            shown_show_nothing(call, &message);
            return;
        }
        memcpy(headers, answer->headers, answer->header_count * sizeof *headers);
    }
    shown_show(call, &message, headers, answer->body);
}
