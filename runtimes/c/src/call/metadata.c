#include "metadata.h"

#include <creo/codegen/path.h>
#include <creo/codegen/read.h>

#include "../base/utf8.h"

#define MAX_KEY 64

/* Of a text that begins within the limit, the size is read and then refused. */
#define MAX_PREFIX 8

static bool metadata_is_key(creo_string key)
{
    if (key.size == 0 || key.size > MAX_KEY || key.data == NULL)
        return false;
    for (size_t i = 0; i < key.size; i++) {
        char c = key.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
            return false;
    }
    return true;
}

bool creo_metadata_key_valid(creo_string key)
{
    return metadata_is_key(key) && (key.size < 5 || memcmp(key.data, "creo-", 5) != 0);
}

static bool metadata_malformed(const creo_metadata *in, const char *what)
{
    return creo_fail(in->error, CREO_MALFORMED, "the metadata of the answer: %s", what);
}

bool creo_metadata_begin(creo_metadata *in, creo_client *client, size_t count, creo_error *error)
{
    *in = (creo_metadata){client, error, NULL, count, 0, 1};
    if (count > CREO_MAX_METADATA_PAIRS)
        return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
    if (count != 0)
        in->pairs = (creo_pair *)creo_arena_take(&client->arena, count, sizeof *in->pairs);
    return count == 0 || in->pairs != NULL || creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the answer");
}

/* The text without its escapes; NULL, or why it has none. */
static const char *metadata_unescape(creo_string text, char *into, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c < ' ' || c > '~')
            return "a value has a character that must be escaped";
        if (c == '%') {
            unsigned high = text.size - i > 2 ? creo_hex_digit(text.data[i + 1]) : 16;
            unsigned low = text.size - i > 2 ? creo_hex_digit(text.data[i + 2]) : 16;
            if (high == 16 || low == 16)
                return "an escape in a value is not two hexadecimal digits";
            c = (char)(uint8_t)(high * 16 + low);
            i += 2;
        }
        into[(*size)++] = c;
    }
    return NULL;
}

/* How many bytes a text takes in a frame. */
static size_t metadata_size(size_t size)
{
    return size + (size < 0x80 ? 1 : size < 0x4000 ? 2 : 3);
}

bool creo_metadata_add(creo_metadata *in, creo_string key, creo_string value, bool escaped)
{
    const creo_limits *limits = &in->client->limits;
    if (!metadata_is_key(key))
        return metadata_malformed(in, "a key is not 1 to 64 characters of a-z, 0-9, . and -");
    for (size_t i = 0; i < in->count; i++)
        if (creo_string_equal(in->pairs[i].key, key))
            return metadata_malformed(in, "a key is there twice");
    /* An escaped text gets shorter, to a third at the shortest. */
    if (value.size / 3 > limits->max_metadata_size || (!escaped && value.size > limits->max_metadata_size))
        return creo_fail_limit(in->error, "maxMetadataSize", limits->max_metadata_size);
    char *texts = (char *)creo_arena_bytes(&in->client->arena, key.size + value.size);
    if (texts == NULL || in->count == in->room)
        return creo_fail(in->error, CREO_TOO_LARGE, "the allocator has no memory left for the answer");
    memcpy(texts, key.data, key.size);
    creo_string taken = {texts + key.size, value.size};
    const char *wrong = NULL;
    if (escaped)
        wrong = metadata_unescape(value, texts + key.size, &taken.size);
    else if (value.size != 0)
        memcpy(texts + key.size, value.data, value.size);
    if (wrong != NULL)
        return metadata_malformed(in, wrong);
    in->size += metadata_size(key.size) + metadata_size(taken.size);
    if (in->size > limits->max_metadata_size)
        return creo_fail_limit(in->error, "maxMetadataSize", limits->max_metadata_size);
    if (!creo_utf8_valid(taken.data, taken.size))
        return metadata_malformed(in, "a value is not UTF-8");
    in->pairs[in->count++] = (creo_pair){{texts, key.size}, taken};
    return true;
}

void creo_metadata_finish(const creo_metadata *in)
{
    in->client->answer.metadata = in->pairs;
    in->client->answer.metadata_count = in->count;
    in->client->answered = true;
}

/* The size of a text, and its bytes. */
static bool metadata_text(creo_metadata *in, creo_reader *reader, creo_string *text)
{
    uint32_t size;
    creo_bytes bytes = {NULL, 0};
    if (!creo_read_count(reader, &size))
        return metadata_malformed(in, "they are cut");
    /* Before it is looked for: it may not have come. */
    size_t most = in->client->limits.max_metadata_size;
    size_t start = (size_t)(reader->at - reader->start);
    if (start > most || size > most - start)
        return creo_fail_limit(in->error, "maxMetadataSize", most);
    if (!creo_read_raw(reader, size, &bytes))
        return metadata_malformed(in, "they are cut");
    *text = (creo_string){(const char *)bytes.data, bytes.size};
    return true;
}

bool creo_metadata_read(creo_client *client, creo_bytes bytes, size_t *size, creo_error *error)
{
    creo_metadata in = {client, error, NULL, 0, 0, 0};
    creo_reader reader;
    uint32_t count;
    size_t most = client->limits.max_metadata_size;
    if (bytes.size > MAX_PREFIX && bytes.size - MAX_PREFIX > most)
        bytes.size = most + MAX_PREFIX;
    if (!creo_reader_init(&reader, bytes, CREO_BORROW, &client->arena, &client->limits, error))
        return false;
    if (!creo_read_count(&reader, &count))
        return metadata_malformed(&in, "they are cut");
    if (!creo_metadata_begin(&in, client, count, error))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        creo_string key;
        creo_string value;
        if (!metadata_text(&in, &reader, &key) || !metadata_text(&in, &reader, &value) || !creo_metadata_add(&in, key, value, false))
            return false;
    }
    creo_metadata_finish(&in);
    *size = (size_t)(reader.at - reader.start);
    return true;
}
