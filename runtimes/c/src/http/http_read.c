/* Reading answers of HTTP (HTTP-19). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "http_reading.h"

#include "../base/utf8.h"
#include "../buffer/copy.h"
#include "../call/body.h"
#include "../call/transport.h"

#include <stdio.h>

/* LIM-26: the max number of header lines. */
#define MAX_LINES 200

/* HTTP-16: the max bytes of the extensions of one body, of which digits of a size beyond the first ones are a part. */
#define MAX_EXTENSIONS 4096
#define FREE_DIGITS 16

/* The max number of interim answers, such as 100. */
#define MAX_INTERIM 16

static bool http_fail(creo_http_reading *in, creo_code code, const char *what)
{
    return creo_fail(in->error, code, "%s %s", in->client->peer, what);
}

/* LIM-26 */
static bool fail_lines(const creo_http_reading *in)
{
    (void)creo_fail(in->error, CREO_TOO_LARGE, "an answer of %s has more than %d header fields", in->client->peer, MAX_LINES);
    if (in->error != NULL) {
        in->error->limit = "maxHeaderSize";
        in->error->allowed = in->client->limits.max_header_size;
    }
    return false;
}

bool creo_http_mismatch(creo_http_reading *in, const char *what)
{
    return creo_fail(in->error, CREO_PROTOCOL_MISMATCH, "%s sent %s", in->client->peer, what);
}

bool creo_http_fail_read(creo_http_reading *in, creo_result result)
{
    if (result == CREO_RESULT_TIMEOUT && creo_now() >= in->deadline)
        return creo_client_fail_deadline(in->client, "before it answered", in->error);
    if (result == CREO_RESULT_TIMEOUT)
        return http_fail(in, CREO_UNAVAILABLE, "was too slow with its answer");
    if (result == CREO_RESULT_CLOSED)
        return http_fail(in, CREO_UNAVAILABLE, in->any ? "closed the connection within its answer" : "closed the connection while the call was under way");
    return creo_fail(in->error, CREO_UNAVAILABLE, "the connection to %s was lost while the call was under way", in->client->peer);
}

/* Reads at least one byte from the socket into the caller's memory. */
static creo_result http_receive(creo_http_reading *in, uint8_t *into, size_t room, size_t *done)
{
    creo_instant until = creo_earlier(in->deadline, in->any ? in->until : CREO_NEVER);
    *done = 0;
    /* The clock is checked each time: a service that never stops sending must not hold the call beyond its deadline. */
    if (creo_now() >= until)
        return CREO_RESULT_TIMEOUT;
    creo_result result = creo_socket_read(in->client, into, room, done, !in->any, until);
    if (result == CREO_RESULT_DONE && !in->any) {
        in->any = true;
        in->until = creo_after(creo_now(), in->client->limits.frame_timeout_ms);
    }
    return result;
}

bool creo_http_fill(creo_http_reading *in, bool *closed)
{
    creo_frames *frames = &in->client->frames;
    size_t done;
    *closed = false;
    creo_result result = http_receive(in, frames->input, CREO_INPUT_SIZE, &done);
    if (result == CREO_RESULT_CLOSED) {
        *closed = true;
        return false;
    }
    if (result != CREO_RESULT_DONE)
        return creo_http_fail_read(in, result);
    frames->input_at = 0;
    frames->input_end = done;
    return true;
}

static bool next_byte(creo_http_reading *in, uint8_t *byte)
{
    creo_frames *frames = &in->client->frames;
    bool closed;
    if (frames->input_at == frames->input_end && !creo_http_fill(in, &closed))
        return closed ? creo_http_fail_read(in, CREO_RESULT_CLOSED) : false;
    *byte = frames->input[frames->input_at++];
    return true;
}

/* The error for an answer whose first bytes are not HTTP. */
static bool fail_protocol(creo_http_reading *in)
{
    const creo_frames *frames = &in->client->frames;
    char hex[32] = "";
    size_t shown = 0;
    for (size_t i = 0; i < in->head_size; i++, shown++)
        (void)snprintf(hex + 3 * shown, sizeof hex - 3 * shown, " %02x", (unsigned)in->head[i]);
    for (size_t i = frames->input_at; i < frames->input_end && shown < 8; i++, shown++)
        (void)snprintf(hex + 3 * shown, sizeof hex - 3 * shown, " %02x", (unsigned)frames->input[i]);
    return creo_fail(in->error, CREO_PROTOCOL_MISMATCH, "%s does not speak HTTP: its first bytes are%s", in->client->peer, hex);
}

/* HTTP-13: the line ends with CR LF, and has no other control characters than tabs. */
static bool check_line(creo_http_reading *in, size_t start)
{
    const uint8_t *at = in->head + start;
    const uint8_t *end = in->head + in->head_size - 1;
    while (at < end && (*at >= 0x20 || *at == '\t') && *at != 0x7F)
        at++;
    return (at + 1 == end && *at == '\r') || creo_http_mismatch(in, "a line that does not end with CR LF, or has a control character");
}

/* The next line of the head with its line end. All lines of a head count against LIM-26. */
static bool read_line(creo_http_reading *in, size_t *start)
{
    *start = in->head_size;
    for (;;) {
        uint8_t byte = 0;
        if (!next_byte(in, &byte))
            return false;
        if (in->head_size >= in->client->limits.max_header_size)
            return creo_fail_limit(in->error, "maxHeaderSize", in->client->limits.max_header_size);
        if (in->head_size == in->head_room) {
            size_t room = in->head_room == 0 ? 1024 : in->head_room * 2;
            uint8_t *head = (uint8_t *)creo_arena_grow(&in->client->arena, in->head, in->head_room, in->head_size, room);
            if (head == NULL)
                return creo_fail(in->error, CREO_TOO_LARGE, "the allocator has no memory left for the answer");
            in->head = head;
            in->head_room = room;
        }
        in->head[in->head_size++] = byte;
        if (byte == '\n')
            return check_line(in, *start);
        /* Other protocols are reported as soon as that is clear. */
        if (in->at_status && in->head_size <= 5 && memcmp(in->head, "HTTP/", in->head_size) != 0)
            return fail_protocol(in);
    }
}

static bool read_status(creo_http_reading *in, int *status)
{
    size_t start;
    in->head_size = 0;
    in->at_status = true;
    if (!read_line(in, &start))
        return false;
    in->at_status = false;
    const char *line = (const char *)in->head;
    bool fine = in->head_size >= 13 && memcmp(line, "HTTP/1.", 7) == 0 && (line[7] == '0' || line[7] == '1') && line[8] == ' ';
    for (size_t i = 9; fine && i < 12; i++)
        fine = line[i] >= '0' && line[i] <= '9';
    fine = fine && (line[12] == ' ' || line[12] == '\r');
    if (!fine)
        return http_fail(in, CREO_PROTOCOL_MISMATCH, "does not speak HTTP/1.1");
    *status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    in->keep = line[7] == '1';
    return *status != 101 || creo_http_mismatch(in, "a switch to another protocol, which was not asked for");
}

static bool parse_length(creo_string text, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        /* Too large in any case. */
        if (*size > SIZE_MAX / 16)
            *size = SIZE_MAX / 16;
        *size = *size * 10 + (size_t)(text.data[i] - '0');
    }
    return text.size != 0;
}

/* Equal lengths, in one field or several, are one. */
static bool take_length(creo_http_reading *in, creo_string value)
{
    for (;;) {
        const char *comma = value.size == 0 ? NULL : (const char *)memchr(value.data, ',', value.size);
        size_t length = comma == NULL ? value.size : (size_t)(comma - value.data);
        size_t size;
        if (!parse_length(creo_http_trim((creo_string){value.data, length}), &size) || (in->sized && size != in->size))
            return creo_http_mismatch(in, "a wrong Content-Length");
        in->sized = true;
        in->size = size;
        if (comma == NULL)
            return true;
        value = (creo_string){comma + 1, value.size - length - 1};
    }
}

/* Whether a list of words, as in `Connection`, contains a word. */
static bool has_word(creo_string list, const char *word)
{
    const char *at = list.data;
    const char *end = list.data + list.size;
    while (at < end) {
        while (at < end && (*at == ',' || *at == ' ' || *at == '\t'))
            at++;
        const char *first = at;
        while (at < end && *at != ',' && *at != ' ' && *at != '\t')
            at++;
        if (creo_http_same((creo_string){first, (size_t)(at - first)}, word))
            return true;
    }
    return false;
}

/* Adds a field with an authentication challenge. */
static bool add_challenge(creo_http_reading *in, creo_string value, creo_http_answer *answer)
{
    creo_string before = answer->challenge;
    if (before.size == 0) {
        answer->challenge = value;
        return true;
    }
    char *both = (char *)creo_arena_bytes(&in->client->arena, before.size + 2 + value.size);
    if (both == NULL)
        return creo_fail(in->error, CREO_TOO_LARGE, "the allocator has no memory left for the answer");
    memcpy(both, before.data, before.size);
    memcpy(both + before.size, ", ", 2);
    if (value.size != 0)
        memcpy(both + before.size + 2, value.data, value.size);
    answer->challenge = (creo_string){both, before.size + 2 + value.size};
    return true;
}

/* A value may continue on the next line; the line break becomes spaces (HTTP-19). */
static void unfold(uint8_t *at, const uint8_t *end)
{
    for (; end - at >= 3; at++)
        if (at[0] == '\r' && (at[2] == ' ' || at[2] == '\t'))
            at[0] = at[1] = ' ';
}

static bool take_header(creo_http_reading *in, creo_string name, creo_string value, creo_http_answer *answer)
{
    if (creo_http_same(name, "content-length")) {
        return take_length(in, value);
    } else if (creo_http_same(name, "transfer-encoding")) {
        if (in->chunked || !creo_http_same(value, "chunked"))
            return creo_http_mismatch(in, "a transfer encoding other than chunked");
        in->chunked = true;
    } else if (creo_http_same(name, "connection")) {
        in->closes = in->closes || has_word(value, "close");
        in->keep = in->keep || has_word(value, "keep-alive");
    } else if (creo_http_same(name, "content-encoding")) {
        bool gzip = creo_http_same(value, "gzip") || creo_http_same(value, "x-gzip");
        if (!gzip && !creo_http_same(value, "identity"))
            return http_fail(in, CREO_PROTOCOL_MISMATCH, "sent an answer in an encoding that was not asked for");
        in->compressed = in->compressed || gzip;
    } else if (creo_http_same(name, "content-type")) {
        /* HTTP-23: the first one is used. */
        if (answer->content_type.data == NULL)
            answer->content_type = value;
    } else if (creo_http_same(name, answer->status == 401 ? "www-authenticate" : "proxy-authenticate") && (answer->status == 401 || answer->status == 407)) {
        return add_challenge(in, value, answer);
    } else if (creo_http_same(name, "location")) {
        answer->location = value;
    }
    return true;
}

bool creo_http_read_head(creo_http_reading *in, creo_http_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    for (int interim = 0; interim < MAX_INTERIM; interim++) {
        size_t lines_start;
        size_t start;
        size_t count = 0;
        if (!read_status(in, &answer->status))
            return false;
        lines_start = in->head_size;
        for (int lines = 0;; lines++) {
            if (!read_line(in, &start))
                return false;
            if (in->head_size - start == 2)
                break;
            if (lines >= MAX_LINES)
                return fail_lines(in);
            count++;
        }
        if (answer->status >= 100 && answer->status < 200)
            continue;
        /* The head does not move any more: pointers to its texts stay valid. */
        answer->reason = (creo_string){(const char *)in->head + 12, lines_start - 12};
        unfold(in->head + lines_start, in->head + start);
        const uint8_t *at = in->head + lines_start;
        creo_string name;
        creo_string value;
        bool wrong;
        if (count != 0)
            answer->headers = (creo_pair *)creo_arena_take(&in->client->arena, count, sizeof *answer->headers);
        if (count != 0 && answer->headers == NULL)
            return creo_fail(in->error, CREO_TOO_LARGE, "the allocator has no memory left for the answer");
        while (creo_http_header(&at, in->head + start, &name, &value, &wrong)) {
            if (!take_header(in, name, value, answer))
                return false;
            creo_http_lower(in->head + (name.data - (const char *)in->head), name.size);
            answer->headers[answer->header_count++] = (creo_pair){name, value};
        }
        if (wrong)
            return creo_http_mismatch(in, "a header line that is none");
        if (in->sized && in->chunked)
            return creo_http_mismatch(in, "a Content-Length with a chunked body");
        /* A peer of HTTP/1.0 may not know where chunks end (HTTP-19). */
        in->keep = in->keep && !in->closes && !(in->chunked && in->head[7] == '0');
        in->bare = answer->status == 204 || answer->status == 304;
        return true;
    }
    return creo_http_mismatch(in, "interim answers without end");
}

/*
 * Makes room for claimed bytes, as far as LIM-3 allows for those that have come. `most`: LIM-1.
 */
static bool http_make_room(creo_http_reading *in, size_t claimed)
{
    size_t trusted = in->client->limits.trusted_allocation < 16 ? 16 : in->client->limits.trusted_allocation;
    size_t doubled = in->body_room > SIZE_MAX / 2 ? SIZE_MAX : in->body_room * 2;
    size_t needed = in->body_size + claimed;
    size_t wanted = needed > doubled ? needed : doubled;
    if (in->sized && !in->chunked)
        wanted = needed;
    size_t arrived = in->body_size > (SIZE_MAX - trusted) / 4 ? SIZE_MAX : trusted + 4 * in->body_size;
    size_t most = arrived - in->body_room;
    size_t room = wanted < most ? wanted : most;
    uint8_t *body = (uint8_t *)creo_arena_grow(in->arena, in->body, in->body_room, in->body_size, room);
    if (body == NULL)
        return creo_fail(in->error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
    in->body = body;
    in->body_room = room;
    return true;
}

/* Reads `size` bytes of the body. `to_end`: up to the end of the connection instead, at most `size` and one. */
static bool http_read_bytes(creo_http_reading *in, size_t size, bool to_end)
{
    creo_frames *frames = &in->client->frames;
    const creo_limits *limits = &in->client->limits;
    size_t limit = creo_limits_body(limits);
    if (!to_end && size > limit - in->body_size)
        return creo_fail_body(in->error, limits);
    while (size > 0 || to_end) {
        size_t there = frames->input_end - frames->input_at;
        if (there == 0 && (to_end || size < CREO_INPUT_SIZE / 2)) {
            bool closed;
            if (!creo_http_fill(in, &closed))
                return closed && (to_end || creo_http_fail_read(in, CREO_RESULT_CLOSED));
            there = frames->input_end;
        }
        if (to_end && there > limit - in->body_size)
            return creo_fail_body(in->error, limits);
        if (in->body_size == in->body_room && !http_make_room(in, to_end ? there : size))
            return false;
        size_t count = in->body_room - in->body_size;
        if (!to_end && count > size)
            count = size;
        if (there == 0) {
            /* Many bytes are expected: they are read directly to their destination. */
            creo_result result = http_receive(in, in->body + in->body_size, count, &count);
            if (result != CREO_RESULT_DONE)
                return creo_http_fail_read(in, result);
        } else {
            count = count < there ? count : there;
            creo_copy(in->body + in->body_size, frames->input + frames->input_at, count);
            frames->input_at += count;
        }
        in->body_size += count;
        size -= to_end ? 0 : count;
    }
    return true;
}

static const uint8_t *skip_blanks(const uint8_t *at, const uint8_t *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The end of a token; NULL if there is none. */
static const uint8_t *skip_token(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *first = at;
    while (at < end && creo_http_is_token(*at))
        at++;
    return at == first ? NULL : at;
}

/* The end of a token or of a quoted text; NULL if there is neither. */
static const uint8_t *skip_value(const uint8_t *at, const uint8_t *end)
{
    if (at == end || *at != '"')
        return skip_token(at, end);
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && end - at > 1)
            at++;
    return at == end ? NULL : at + 1;
}

/* Whether the rest of a line before a chunk is extensions as HTTP-16 has them. */
static bool are_extensions(const uint8_t *at, const uint8_t *end)
{
    while (at != NULL && at < end) {
        at = skip_blanks(at, end);
        if (at == end || *at != ';')
            return false;
        at = skip_token(skip_blanks(at + 1, end), end);
        const uint8_t *next = at == NULL ? end : skip_blanks(at, end);
        if (next < end && *next == '=')
            at = skip_value(skip_blanks(next + 1, end), end);
    }
    return at != NULL;
}

bool creo_http_read_chunk_size(creo_http_reading *in, size_t *size)
{
    size_t start;
    in->head_size = 0;
    /* The line is parsed in the room of the head, after its texts. */
    if (!read_line(in, &start))
        return false;
    const uint8_t *at = in->head;
    const uint8_t *end = in->head + in->head_size - 2;
    size_t digits = 0;
    uint64_t number = 0;
    for (; at < end && creo_hex_digit(*at) < 16; at++, digits++) {
        if (number > INT64_MAX >> 4)
            return creo_http_mismatch(in, "a chunk of a wrong size");
        number = number * 16 + creo_hex_digit(*at);
    }
    in->extensions += (size_t)(end - at) + (digits > FREE_DIGITS ? digits - FREE_DIGITS : 0);
    if (digits == 0 || !are_extensions(at, end) || in->extensions > MAX_EXTENSIONS)
        return creo_http_mismatch(in, "a chunk of a wrong size, or with wrong extensions");
    /* Too large in any case. */
    *size = (size_t)number == number ? (size_t)number : SIZE_MAX;
    return true;
}

bool creo_http_read_chunk_end(creo_http_reading *in)
{
    uint8_t end[2] = {0, 0};
    if (!next_byte(in, &end[0]) || (end[0] == '\r' && !next_byte(in, &end[1])))
        return false;
    return (end[0] == '\r' && end[1] == '\n') || creo_http_mismatch(in, "a chunk that does not end where it should");
}

bool creo_http_read_trailers(creo_http_reading *in)
{
    size_t start;
    in->head_size = 0;
    for (int lines = 0; lines <= MAX_LINES; lines++) {
        if (!read_line(in, &start))
            return false;
        if (in->head_size - start == 2)
            return true;
        const uint8_t *at = in->head + start;
        creo_string name;
        creo_string value;
        bool wrong;
        if (!creo_http_header(&at, in->head + in->head_size, &name, &value, &wrong))
            return creo_http_mismatch(in, "a trailer that is no header line");
    }
    return fail_lines(in);
}

static bool read_chunks(creo_http_reading *in)
{
    size_t size = 0;
    do {
        if (!creo_http_read_chunk_size(in, &size))
            return false;
        if (size != 0 && (!http_read_bytes(in, size, false) || !creo_http_read_chunk_end(in)))
            return false;
    } while (size != 0);
    return creo_http_read_trailers(in);
}

void creo_http_leave_head(creo_http_reading *in)
{
    in->head = NULL;
    in->head_size = 0;
    in->head_room = 0;
}

bool creo_http_read_body(creo_http_reading *in)
{
    if (in->bare)
        return true;
    creo_http_leave_head(in);
    if (in->chunked)
        return read_chunks(in);
    if (in->sized)
        return http_read_bytes(in, in->size, false);
    in->keep = false;
    return http_read_bytes(in, 0, true);
}

void creo_http_read_begin(creo_http_reading *in, creo_client *client, creo_instant deadline, creo_arena *arena, creo_error *error)
{
    memset(in, 0, sizeof *in);
    in->client = client;
    in->deadline = deadline;
    in->arena = arena;
    in->error = error;
    in->any = client->frames.input_at != client->frames.input_end;
    in->until = creo_after(creo_now(), client->limits.frame_timeout_ms);
}
