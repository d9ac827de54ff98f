/* Headers that the user gives to a client (HTTP-24), and those of answers. */
#include "../call/metadata.h"
#include "http_session.h"

#include <stdio.h>

#define MAX_HEADERS 64
#define MAX_NAME 64

/* Names reserved for framing or the wire; one that ends with a hyphen reserves all names that begin so. */
static const char *const owned_headers[] = {"accept-encoding", "connection", "content-", "creo-",   "expect",           "host",   "keep-alive", "mime-version",
                                            "proxy-",          "soapaction", "te",       "trailer", "transfer-encoding", "upgrade"};

static bool is_owned(creo_string name)
{
    for (size_t i = 0; i < sizeof owned_headers / sizeof *owned_headers; i++) {
        size_t size = strlen(owned_headers[i]);
        bool begins = owned_headers[i][size - 1] == '-' && name.size > size;
        if (creo_http_same((creo_string){name.data, begins ? size : name.size}, owned_headers[i]))
            return true;
    }
    return false;
}

static bool is_name(creo_string name)
{
    if (name.size == 0 || name.size > MAX_NAME || name.data == NULL)
        return false;
    for (size_t i = 0; i < name.size; i++)
        if (!creo_http_is_token((uint8_t)name.data[i]))
            return false;
    return true;
}

static bool is_value(creo_string value)
{
    if (value.size == 0 || value.data == NULL || (uint8_t)value.data[0] <= ' ' || (uint8_t)value.data[value.size - 1] <= ' ')
        return false;
    for (size_t i = 0; i < value.size; i++)
        if (((uint8_t)value.data[i] < 0x20 && value.data[i] != '\t') || (uint8_t)value.data[i] > 0x7E)
            return false;
    return true;
}

static bool same_names(creo_string name, creo_string other)
{
    char text[MAX_NAME + 1];
    if (other.size > MAX_NAME)
        return false;
    memcpy(text, other.data, other.size);
    text[other.size] = 0;
    return creo_http_same(name, text);
}

/* Whether metadata use the same header (HTTP-8). */
static bool is_metadata(const creo_client *client, creo_string name)
{
    if (!creo_http_same(name, "authorization") && !creo_http_same(name, "traceparent") && !creo_http_same(name, "tracestate"))
        return false;
    for (size_t i = 0; i < client->metadata_count; i++)
        if (same_names(name, client->metadata[i].key))
            return true;
    return false;
}

/* What comes after that in a name, if it begins so. */
static bool is_metadata_header(creo_string *name)
{
    static const char prefix[] = "creo-meta-";
    size_t size = sizeof prefix - 1;
    if (name->size < size || memcmp(name->data, prefix, size) != 0)
        return false;
    *name = (creo_string){name->data + size, name->size - size};
    return true;
}

bool creo_http_take_answer(const creo_http_call *call, const creo_http_answer *answer, creo_error *error)
{
    creo_client *client = call->client;
    size_t count = 0;
    creo_string name;
    for (size_t i = 0; i < answer->header_count; i++) {
        name = answer->headers[i].key;
        count += is_metadata_header(&name) ? 1 : 0;
    }
    creo_metadata taken;
    creo_http_take_cookies(call, answer);
    if (!creo_metadata_begin(&taken, client, count, error))
        return false;
    for (size_t i = 0; count != 0 && i < answer->header_count; i++) {
        name = answer->headers[i].key;
        if (is_metadata_header(&name) && !creo_metadata_add(&taken, name, answer->headers[i].value, true))
            return false;
    }
    client->answer.status = answer->status;
    client->answer.headers = answer->headers;
    client->answer.header_count = answer->header_count;
    creo_metadata_finish(&taken);
    return true;
}

bool creo_http_check_headers(const creo_client *client, creo_error *error)
{
    if (client->header_count > MAX_HEADERS)
        return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
    size_t size = 0;
    for (size_t i = 0; i < client->header_count; i++) {
        creo_pair pair = client->headers[i];
        if (!is_name(pair.key))
            return creo_fail(error, CREO_INVALID_VALUE, "the name of header %zu is not 1 to %d characters of a token, such as X-Api-Key", i, MAX_NAME);
        if (is_owned(pair.key))
            return creo_fail(error, CREO_INVALID_VALUE, "the header %.*s is the transport's own", (int)pair.key.size, pair.key.data);
        if (creo_http_is_option(client, pair.key))
            return creo_fail(error, CREO_INVALID_VALUE, "the header %.*s, which the options of the client set", (int)pair.key.size, pair.key.data);
        if (is_metadata(client, pair.key))
            return creo_fail(error, CREO_INVALID_VALUE, "the metadata hold the header %.*s too", (int)pair.key.size, pair.key.data);
        for (size_t j = 0; j < i; j++)
            if (same_names(pair.key, client->headers[j].key))
                return creo_fail(error, CREO_INVALID_VALUE, "the header %.*s is there twice", (int)pair.key.size, pair.key.data);
        size += pair.key.size + 4;
        if (pair.value.size > client->limits.max_metadata_size || size + pair.value.size > client->limits.max_metadata_size)
            return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
        size += pair.value.size;
        if (!is_value(pair.value))
            return creo_fail(error, CREO_INVALID_VALUE, "the value of the header %.*s is not printable ASCII, or has spaces around it, or is empty", (int)pair.key.size,
                             pair.key.data);
    }
    return true;
}
