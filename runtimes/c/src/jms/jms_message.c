/* Messages of AMQP 1.0 as bytes. */
#include "../call/body.h"
#include "jms_parts.h"

#include <stdio.h>

enum {
    HEADER = 0x70,
    PROPERTIES = 0x73,
    APPLICATION = 0x74,
    DATA = 0x75,
    SEQUENCE = 0x76,
    VALUE = 0x77,
    FOOTER = 0x78
};

/* Constructors; of each pair, the second has a size of four bytes. */
enum {
    NOTHING = 0x40,
    TRUE = 0x41,
    FALSE = 0x42,
    EMPTY_LIST = 0x45,
    /* A boolean with a byte for its value. */
    WIDE_TRUTH = 0x56,
    BINARY = 0xA0,
    STRING = 0xA1,
    SYMBOL = 0xA3,
    LIST = 0xC0,
    MAP = 0xC1,
    WIDE = 0x10
};

/* The position of the correlation id among the properties. */
#define CORRELATION 5

/* HTTP's limit applies to properties too (LIM-26). */
#define MAX_PROPERTIES 200

/*
 * Writing.
 */

static bool amqp_put(creo_writer *writer, const void *bytes, size_t size)
{
    return creo_write_raw(writer, creo_bytes_of(bytes, size));
}

static bool put_byte(creo_writer *writer, unsigned byte)
{
    uint8_t one = (uint8_t)byte;
    return amqp_put(writer, &one, 1);
}

static void store(uint8_t *at, size_t number)
{
    at[0] = (uint8_t)(number >> 24);
    at[1] = (uint8_t)(number >> 16);
    at[2] = (uint8_t)(number >> 8);
    at[3] = (uint8_t)number;
}

static bool put_u32(creo_writer *writer, size_t number)
{
    uint8_t bytes[4];
    store(bytes, number);
    return amqp_put(writer, bytes, 4);
}

static bool put_sized(creo_writer *writer, unsigned constructor, creo_string text)
{
    return put_byte(writer, constructor | WIDE) && put_u32(writer, text.size) && (text.size == 0 || amqp_put(writer, text.data, text.size));
}

static bool put_string(creo_writer *writer, const char *text)
{
    return text == NULL ? put_byte(writer, NOTHING) : put_sized(writer, STRING, creo_text(text));
}

/* The head of a section that is a list or map; its size and count are filled in at its end. */
static bool open_section(creo_writer *writer, unsigned section, unsigned constructor, size_t *start)
{
    bool done = put_byte(writer, 0) && put_byte(writer, 0x53) && put_byte(writer, section) && put_byte(writer, constructor | WIDE);
    *start = creo_writer_size(writer);
    return done && put_u32(writer, 0) && put_u32(writer, 0);
}

static bool close_section(creo_writer *writer, size_t start, size_t count)
{
    store(writer->start + start, creo_writer_size(writer) - start - 4);
    store(writer->start + start + 4, count);
    return true;
}

static bool write_header(creo_writer *writer, const creo_jms_head *head)
{
    size_t start;
    return open_section(writer, HEADER, LIST, &start) && put_byte(writer, head->address->persistent ? TRUE : FALSE) && put_byte(writer, 0x50) &&
           put_byte(writer, head->address->priority) &&
           (head->time_to_live == 0 ? put_byte(writer, NOTHING) : put_byte(writer, 0x70) && put_u32(writer, head->time_to_live)) && close_section(writer, start, 3);
}

static bool write_properties(creo_writer *writer, const creo_jms_head *head)
{
    size_t start;
    /* AMQP's own content type stays that of bytes: brokers would turn others into text. */
    return open_section(writer, PROPERTIES, LIST, &start) && put_byte(writer, NOTHING) && put_byte(writer, NOTHING) && put_string(writer, head->address->name) &&
           put_byte(writer, NOTHING) && put_string(writer, head->reply_to) && put_string(writer, head->correlation) &&
           put_sized(writer, SYMBOL, creo_text("application/octet-stream")) && close_section(writer, start, 7);
}

bool creo_jms_write_head(creo_writer *writer, const creo_jms_head *head)
{
    size_t start;
    size_t count = 0;
    if (!write_header(writer, head) || !write_properties(writer, head) || !open_section(writer, APPLICATION, MAP, &start))
        return false;
    for (size_t i = 0; i < head->property_count; i++) {
        if (head->properties[i].value.data == NULL)
            continue;
        if (!put_sized(writer, STRING, head->properties[i].key) || !put_sized(writer, STRING, head->properties[i].value))
            return false;
        count += 2;
    }
    return close_section(writer, start, count) && put_byte(writer, 0) && put_byte(writer, 0x53) && put_byte(writer, DATA) && put_byte(writer, BINARY | WIDE) &&
           put_u32(writer, head->body_size);
}

/*
 * Reading. All functions return false where the bytes end or are invalid.
 */

typedef struct amqp_cursor {
    const uint8_t *at;
    const uint8_t *end;
} amqp_cursor;

static size_t amqp_left(const amqp_cursor *c)
{
    return (size_t)(c->end - c->at);
}

/* A number of `width` bytes, 1 or 4. */
static bool take_size(amqp_cursor *c, size_t width, size_t *size)
{
    if (amqp_left(c) < width)
        return false;
    *size = 0;
    for (size_t i = 0; i < width; i++)
        *size = *size << 8 | *c->at++;
    return true;
}

/* Skips a value by its size, regardless of nesting. */
static bool amqp_skip(amqp_cursor *c)
{
    /* By the upper half of a constructor: how many bytes follow, or the size's bytes. */
    static const uint8_t fixed[16] = {0, 0, 0, 0, 0, 1, 2, 4, 8, 16};
    static const uint8_t sized[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4, 1, 4, 1, 4};
    for (size_t values = 1; values > 0; values--) {
        if (amqp_left(c) == 0)
            return false;
        uint8_t constructor = *c->at++;
        if (constructor == 0) {
            /* A described value consists of two. */
            values += 2;
            continue;
        }
        size_t upper = constructor >> 4;
        size_t size = fixed[upper];
        if (upper < 4 || (sized[upper] != 0 && !take_size(c, sized[upper], &size)) || amqp_left(c) < size)
            return false;
        c->at += size;
    }
    return true;
}

/* A value of variable width; `*found`: it has one of these types. */
static bool take_sized(amqp_cursor *c, unsigned constructor, bool *found, creo_string *text)
{
    *found = false;
    if (amqp_left(c) == 0)
        return false;
    if ((*c->at | WIDE) != (constructor | WIDE))
        return true;
    size_t width = *c->at == constructor ? 1 : 4;
    size_t size;
    c->at++;
    if (!take_size(c, width, &size) || amqp_left(c) < size)
        return false;
    *text = (creo_string){(const char *)c->at, size};
    c->at += size;
    *found = true;
    return true;
}

/* The head of a list or map: its number of values, and its end. */
static bool take_compound(amqp_cursor *c, unsigned constructor, size_t *count, amqp_cursor *inside)
{
    size_t size = 0;
    *count = 0;
    if (amqp_left(c) == 0)
        return false;
    uint8_t first = *c->at++;
    if (first != EMPTY_LIST) {
        size_t width = first == constructor ? 1 : 4;
        if ((first | WIDE) != (constructor | WIDE) || !take_size(c, width, &size) || amqp_left(c) < size || size < width)
            return false;
        inside->at = c->at;
        inside->end = c->at + size;
        c->at += size;
        return take_size(inside, width, count);
    }
    inside->at = inside->end = c->at;
    return true;
}

/* The number of the section at this position. */
static bool take_section(amqp_cursor *c, unsigned *section)
{
    static const struct {
        const char *name;
        unsigned section;
    } names[] = {
        {"amqp:header:list", HEADER},           {"amqp:delivery-annotations:map", 0x71}, {"amqp:message-annotations:map", 0x72},
        {"amqp:properties:list", PROPERTIES},   {"amqp:application-properties:map", APPLICATION}, {"amqp:data:binary", DATA},
        {"amqp:amqp-sequence:list", SEQUENCE},  {"amqp:amqp-value:*", VALUE},            {"amqp:footer:map", FOOTER},
    };
    *section = 0;
    if (amqp_left(c) < 3 || *c->at++ != 0)
        return false;
    if (*c->at == 0x53) {
        *section = c->at[1];
        c->at += 2;
    } else if (*c->at == 0x80) {
        size_t high;
        size_t low;
        c->at++;
        if (!take_size(c, 4, &high) || !take_size(c, 4, &low) || high != 0)
            return false;
        *section = low <= FOOTER ? (unsigned)low : 0;
    } else {
        creo_string name;
        bool found;
        if (!take_sized(c, SYMBOL, &found, &name) || !found)
            return false;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (creo_string_is(name, names[i].name))
                *section = names[i].section;
    }
    return *section >= HEADER && *section <= FOOTER;
}

static bool read_properties(amqp_cursor *c, creo_string *correlation)
{
    amqp_cursor inside;
    size_t count;
    bool found;
    *correlation = (creo_string){NULL, 0};
    if (!take_compound(c, LIST, &count, &inside))
        return false;
    if (count <= CORRELATION)
        return true;
    for (int i = 0; i < CORRELATION; i++)
        if (!amqp_skip(&inside))
            return false;
    return take_sized(&inside, STRING, &found, correlation) && (!found || creo_utf8_valid(correlation->data, correlation->size));
}

creo_string creo_jms_correlation(creo_bytes data)
{
    amqp_cursor c = {data.data, data.data + data.size};
    creo_string found = {NULL, 0};
    unsigned section;
    while (amqp_left(&c) != 0 && take_section(&c, &section) && section <= PROPERTIES) {
        if (section == PROPERTIES)
            return read_properties(&c, &found) ? found : (creo_string){NULL, 0};
        if (!amqp_skip(&c))
            break;
    }
    return found;
}

static bool amqp_malformed(creo_error *error)
{
    return creo_fail(error, CREO_MALFORMED, "the answer is no message of AMQP");
}

/* JMS-3 */
static bool unsupported(creo_error *error)
{
    return creo_fail(error, CREO_PROTOCOL_MISMATCH, "the answer is no message of bytes or text (unsupportedJMSMessageFormat)");
}

/* The name of a boolean value; a NULL pointer for another one. */
static creo_string take_truth(amqp_cursor c)
{
    bool wide = amqp_left(&c) > 1 && *c.at == WIDE_TRUTH && c.at[1] <= 1;
    if (wide ? c.at[1] == 1 : amqp_left(&c) != 0 && *c.at == TRUE)
        return creo_text("true");
    return wide || (amqp_left(&c) != 0 && *c.at == FALSE) ? creo_text("false") : (creo_string){NULL, 0};
}

static bool read_application(amqp_cursor *c, const creo_limits *limits, creo_jms_message *message, creo_error *error)
{
    struct {
        const char *name;
        creo_string *value;
    } const wanted[] = {{"SOAPJMS_bindingVersion", &message->version},
                        {"SOAPJMS_contentType", &message->content_type},
                        {"SOAPJMS_contentEncoding", &message->encoding},
                        {"Creo_kind", &message->kind},
                        {"Creo_run", &message->run},
                        {"Creo_item", &message->item},
                        {"SOAPJMS_requestURI", &message->request_uri},
                        {"SOAPJMS_isFault", &message->is_fault}};
    static const char metadata[] = CREO_JMS_METADATA;
    creo_string seen[MAX_PROPERTIES];
    size_t known = 0;
    amqp_cursor inside;
    size_t count;
    if (!take_compound(c, MAP, &count, &inside))
        return amqp_malformed(error);
    if (count > 2 * MAX_PROPERTIES)
        return creo_fail_limit(error, "maxHeaderSize", limits->max_header_size);
    while (amqp_left(&inside) != 0) {
        creo_string name;
        creo_string value;
        bool found;
        if (known == MAX_PROPERTIES || !take_sized(&inside, STRING, &found, &name) || !found || !creo_utf8_valid(name.data, name.size))
            return amqp_malformed(error);
        for (size_t i = 0; i < known; i++)
            if (creo_string_equal(seen[i], name))
                return amqp_malformed(error);
        seen[known++] = name;
        creo_string truth = take_truth(inside);
        if (!take_sized(&inside, STRING, &found, &value) || !(found ? creo_utf8_valid(value.data, value.size) : amqp_skip(&inside)))
            return amqp_malformed(error);
        if (name.size >= sizeof metadata - 1 && memcmp(name.data, metadata, sizeof metadata - 1) == 0) {
            if (!found)
                return amqp_malformed(error);
            creo_string key = {name.data + sizeof metadata - 1, name.size - (sizeof metadata - 1)};
            if (message->metadata_count < CREO_MAX_METADATA_PAIRS)
                message->metadata[message->metadata_count] = (creo_pair){key, value};
            message->metadata_count++;
        }
        for (size_t i = 0; found && i < sizeof wanted / sizeof wanted[0]; i++)
            if (creo_string_is(name, wanted[i].name))
                *wanted[i].value = value;
        if (!found && creo_string_is(name, "SOAPJMS_isFault"))
            message->is_fault = truth;
    }
    return true;
}

/* Adds a section to the body, after earlier ones, whose bytes end where its own bytes, or its head, begin. */
static bool add_body(uint8_t **body, size_t *size, uint8_t *part, size_t part_size, const creo_limits *limits, creo_error *error)
{
    size_t most = creo_limits_body(limits);
    if (part_size > most || *size > most - part_size)
        return creo_fail_body(error, limits);
    if (*body == NULL)
        *body = part;
    else if (part_size != 0)
        memmove(*body + *size, part, part_size);
    *size += part_size;
    return true;
}

bool creo_jms_read_message(uint8_t *data, size_t size, const creo_limits *limits, creo_jms_message *message, creo_error *error)
{
    amqp_cursor c = {data, data + size};
    unsigned last = 0;
    uint8_t *body = NULL;
    size_t body_size = 0;
    memset(message, 0, sizeof *message);
    while (amqp_left(&c) != 0) {
        unsigned section;
        creo_string part;
        bool found;
        if (!take_section(&c, &section) || section < last || (section == last && section != DATA && section != SEQUENCE))
            return amqp_malformed(error);
        last = section;
        amqp_cursor behind = c;
        if (section == SEQUENCE)
            return unsupported(error);
        if (section < DATA && amqp_skip(&behind) && (size_t)(behind.at - data) > limits->max_header_size)
            return creo_fail_limit(error, "maxHeaderSize", limits->max_header_size);
        if (section == PROPERTIES) {
            if (!read_properties(&c, &part))
                return amqp_malformed(error);
        } else if (section == APPLICATION) {
            if (!read_application(&c, limits, message, error))
                return false;
        } else if (section == DATA || section == VALUE) {
            if (section == VALUE && !take_sized(&c, STRING, &message->is_text, &part))
                return amqp_malformed(error);
            found = message->is_text;
            if (!found && !take_sized(&c, BINARY, &found, &part))
                return amqp_malformed(error);
            if (!found)
                return section == DATA ? amqp_malformed(error) : unsupported(error);
            if (!add_body(&body, &body_size, data + (c.at - data) - part.size, part.size, limits, error))
                return false;
        } else if (!amqp_skip(&c)) {
            return amqp_malformed(error);
        }
    }
    message->body = creo_bytes_of(body, body_size);
    return body != NULL || unsupported(error);
}
