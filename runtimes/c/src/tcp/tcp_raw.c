/* Frames for the client's hook: the fields and bodies of requests and answers (CALL-62). */
#include <stdio.h>

#include "../call/metadata.h"
#include "../call/raw.h"
#include "tcp.h"
#include "wire.h"

/* The wire, the kind, and the timeout. */
#define OWN_FIELDS 3

static void tcp_show(const creo_client *client, const creo_method *method, creo_raw_message *message, const char *kind, const char *timeout, creo_bytes body)
{
    creo_pair fields[OWN_FIELDS + CREO_MAX_METADATA_PAIRS];
    bool own = client->wire != NULL && strcmp(kind, "error") != 0;
    const creo_pair *metadata = message->sent ? client->metadata : client->answer.metadata;
    size_t count = message->sent ? client->metadata_count : client->answer.metadata_count;
    fields[message->header_count++] = (creo_pair){creo_text("wire"), creo_text(client->wire == NULL ? "binary" : client->wire->name)};
    fields[message->header_count++] = (creo_pair){creo_text("kind"), creo_text(kind)};
    if (timeout != NULL)
        fields[message->header_count++] = (creo_pair){creo_text("timeout"), creo_text(timeout)};
    for (size_t i = 0; i < count; i++)
        fields[message->header_count++] = metadata[i];
    /* The columns of a table have no names. */
    creo_raw_take(message, body, method->secret, own ? CREO_RAW_NAMELESS : CREO_RAW_BINARY);
    creo_raw_show(client, method, message, fields);
}

void creo_tcp_show_request(const creo_client *client, const creo_request *request, creo_instant deadline)
{
    creo_raw_message message;
    char timeout[16];
    if (client->raw_messages == NULL)
        return;
    uint32_t left = creo_milliseconds_left(deadline);
    memset(&message, 0, sizeof message);
    message.sent = true;
    (void)snprintf(timeout, sizeof timeout, "%lu", (unsigned long)left);
    tcp_show(client, request->method, &message, request->method->oneway ? "oneway" : "request", left == 0 ? NULL : timeout, request->own);
}

void creo_tcp_show_answer(const creo_client *client, const creo_method *method, const creo_answer_body *answer)
{
    creo_raw_message message;
    if (client->raw_messages == NULL)
        return;
    memset(&message, 0, sizeof message);
    message.answer = true;
    tcp_show(client, method, &message, answer->kind == CREO_RESPONSE ? "response" : answer->kind == CREO_EXCEPTION ? "exception" : "error", NULL, answer->body);
}
