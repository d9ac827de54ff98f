/* The client's hook for raw messages, on any transport. */
#include "raw.h"

#include <string.h>

#define RAW_MAX 16777216

/* Whether a text begins so, in any case of letters. `_2d` is the hyphen of a name over JMS (JMS-4). */
static bool shown_name_begins(creo_string text, const char *word)
{
    for (size_t at = 0; *word != 0; word++) {
        char c = at < text.size ? text.data[at] : 0;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        bool escaped = *word == '-' && text.size - at >= 3 && memcmp(text.data + at, "_2d", 3) == 0;
        if (c != *word && !escaped)
            return false;
        at += escaped ? 3 : 1;
    }
    return true;
}

/* CALL-64 */
static bool shown_is_secret(creo_string name)
{
    static const char *const words[] = {"authorization", "x-auth", "cookie", "token", "secret", "password", "api-key", "apikey"};
    for (; name.size != 0; name = (creo_string){name.data + 1, name.size - 1})
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (shown_name_begins(name, words[i]))
                return true;
    return false;
}

void creo_raw_take(creo_raw_message *message, creo_bytes body, bool secret, const char *why)
{
    bool hidden = secret && body.size != 0;
    message->length = body.size;
    message->hidden = hidden ? why : NULL;
    message->body = hidden ? creo_bytes_of(NULL, 0) : body;
}

void creo_raw_show(const creo_client *client, const creo_method *method, creo_raw_message *message, creo_pair *fields)
{
    const creo_raw_messages *to = client->raw_messages;
    size_t most = to->max_body < RAW_MAX ? to->max_body : RAW_MAX;
    message->interface = method->interface->name;
    message->method = method->name;
    message->peer = message->peer == NULL ? client->peer : message->peer;
    message->headers = fields;
    for (size_t i = 0; i < message->header_count; i++)
        if (shown_is_secret(fields[i].key))
            fields[i].value = creo_text("***");
    if (message->body.size > most) {
        message->cut = message->body.size - most;
        message->body.size = most;
    }
    to->message(to->context, message);
}

void creo_raw_show_nothing(const creo_client *client, const creo_method *method, creo_raw_message *message)
{
    message->header_count = 0;
    message->hidden = "there is no memory left to show it";
    creo_raw_show(client, method, message, NULL);
}
