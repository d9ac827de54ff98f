#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "http_call.h"

#include "../base/utf8.h"
#include "../buffer/copy.h"
#include "../call/body.h"
#include "../call/transport.h"

#include <stdio.h>

/* LIM-26: the max number of header lines. */
#define MAX_LINES 200

/* The max number of interim answers, such as 100. */
#define MAX_INTERIM 16

/* The max number of pieces per write. */
#define BATCH 32

/* How long to read from a service that closes the connection while a request is being sent. */
#define LAST_WORDS_MS 1000

/* The state of reading an answer. */
typedef struct reading {
    creo_client *client;
    creo_instant deadline;
    /* LIM-15, from the first byte. */
    creo_instant until;
    bool any;
    creo_error *error;
    /* The head. */
    uint8_t *head;
    size_t head_size;
    size_t head_room;
    bool at_status;
    bool keep;
    bool chunked;
    bool sized;
    bool compressed;
    bool bare;
    size_t size;
    /* The body. */
    creo_arena *arena;
    uint8_t *body;
    size_t body_size;
    size_t body_room;
} reading;

static bool http_fail(reading *in, creo_code code, const char *what)
{
    return creo_fail(in->error, code, "%s %s", in->client->peer, what);
}

static bool http_mismatch(reading *in, const char *what)
{
    return creo_fail(in->error, CREO_PROTOCOL_MISMATCH, "%s sent %s", in->client->peer, what);
}

static bool fail_read(reading *in, creo_result result)
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
static creo_result http_receive(reading *in, uint8_t *into, size_t room, size_t *done)
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

/* Reads more input. At the end of the connection it returns false and sets `closed`. */
static bool fill(reading *in, bool *closed)
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
        return fail_read(in, result);
    frames->input_at = 0;
    frames->input_end = done;
    return true;
}

static bool next_byte(reading *in, uint8_t *byte)
{
    creo_frames *frames = &in->client->frames;
    bool closed;
    if (frames->input_at == frames->input_end && !fill(in, &closed))
        return closed ? fail_read(in, CREO_RESULT_CLOSED) : false;
    *byte = frames->input[frames->input_at++];
    return true;
}

/* The error for an answer whose first bytes are not HTTP. */
static bool fail_protocol(reading *in)
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

/* The next line of the head with its line end. All lines of a head count against LIM-26. */
static bool read_line(reading *in, size_t *start)
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
            return true;
        /* Other protocols are reported as soon as that is clear. */
        if (in->at_status && in->head_size <= 5 && memcmp(in->head, "HTTP/", in->head_size) != 0)
            return fail_protocol(in);
    }
}

static bool read_status(reading *in, int *status)
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
    fine = fine && (line[12] == ' ' || line[12] == '\r' || line[12] == '\n');
    if (!fine)
        return http_fail(in, CREO_PROTOCOL_MISMATCH, "does not speak HTTP/1.1");
    *status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    in->keep = line[7] == '1';
    return true;
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
static bool add_challenge(reading *in, creo_string value, creo_http_answer *answer)
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
    for (; end - at >= 2; at++) {
        if (at[0] == '\r' && at[1] == '\n' && end - at >= 3 && (at[2] == ' ' || at[2] == '\t'))
            at[0] = ' ';
        if (at[0] == '\n' && (at[1] == ' ' || at[1] == '\t'))
            at[0] = ' ';
    }
}

static bool take_header(reading *in, creo_string name, creo_string value, creo_http_answer *answer)
{
    if (creo_http_same(name, "content-length")) {
        size_t size;
        if (!parse_length(value, &size) || (in->sized && size != in->size))
            return http_mismatch(in, "a wrong Content-Length");
        in->sized = true;
        in->size = size;
    } else if (creo_http_same(name, "transfer-encoding")) {
        if (in->chunked || !creo_http_same(value, "chunked"))
            return http_mismatch(in, "a transfer encoding other than chunked");
        in->chunked = true;
    } else if (creo_http_same(name, "connection")) {
        if (has_word(value, "close"))
            in->keep = false;
        else if (has_word(value, "keep-alive"))
            in->keep = true;
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

/* The head of an answer; interim answers, such as 100, are skipped. */
static bool read_head(reading *in, creo_http_answer *answer)
{
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
            if (in->head_size - start <= 2 && (in->head[start] == '\n' || in->head[start] == '\r'))
                break;
            if (lines >= MAX_LINES)
                return creo_fail_limit(in->error, "headers", MAX_LINES);
            count++;
        }
        if (answer->status >= 100 && answer->status < 200 && answer->status != 101)
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
            return http_mismatch(in, "a header line that is none");
        if (in->sized && in->chunked)
            return http_mismatch(in, "a Content-Length with a chunked body");
        in->bare = answer->status == 204 || answer->status == 304;
        return true;
    }
    return http_mismatch(in, "interim answers without end");
}

/*
 * Makes room for claimed bytes, as far as LIM-3 allows for those that have come. `most`: LIM-1.
 */
static bool http_make_room(reading *in, size_t claimed)
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
static bool http_read_bytes(reading *in, size_t size, bool to_end)
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
            if (!fill(in, &closed))
                return closed && (to_end || fail_read(in, CREO_RESULT_CLOSED));
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
                return fail_read(in, result);
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

/* The size of the next chunk. */
static bool read_chunk_size(reading *in, size_t *size)
{
    size_t start;
    in->head_size = 0;
    /* The line is parsed in the room of the head, after its texts. */
    if (!read_line(in, &start))
        return false;
    const uint8_t *at = in->head;
    const uint8_t *end = in->head + in->head_size;
    size_t digits = 0;
    *size = 0;
    for (; at < end; at++, digits++) {
        unsigned digit = creo_hex_digit(*at);
        if (digit == 16)
            break;
        if (digits >= 15)
            return http_mismatch(in, "a chunk of a wrong size");
        *size = *size * 16 + digit;
    }
    if (digits == 0 || (*at != '\r' && *at != '\n' && *at != ';' && *at != ' ' && *at != '\t'))
        return http_mismatch(in, "a chunk of a wrong size");
    return true;
}

static bool read_chunks(reading *in)
{
    for (;;) {
        size_t size;
        if (!read_chunk_size(in, &size))
            return false;
        if (size == 0)
            break;
        uint8_t end[2] = {0, 0};
        if (!http_read_bytes(in, size, false) || !next_byte(in, &end[0]) || (end[0] == '\r' && !next_byte(in, &end[1])))
            return false;
        if (end[0] != '\n' && end[1] != '\n')
            return http_mismatch(in, "a chunk that does not end where it should");
    }
    /* Trailers, which are ignored. */
    size_t start;
    in->head_size = 0;
    for (int lines = 0; lines <= MAX_LINES; lines++) {
        if (!read_line(in, &start))
            return false;
        if (in->head_size - start <= 2 && (in->head[start] == '\n' || in->head[start] == '\r'))
            return true;
    }
    return creo_fail_limit(in->error, "headers", MAX_LINES);
}

static bool http_read_body(reading *in)
{
    if (in->bare)
        return true;
    /* Later lines must not move the texts of the head. */
    in->head = NULL;
    in->head_size = 0;
    in->head_room = 0;
    if (in->chunked)
        return read_chunks(in);
    if (in->sized)
        return http_read_bytes(in, in->size, false);
    in->keep = false;
    return http_read_bytes(in, 0, true);
}

static bool http_read_answer(creo_client *client, const creo_http_request *request, creo_instant deadline, creo_arena *arena, creo_http_answer *answer, creo_error *error)
{
    reading in;
    memset(&in, 0, sizeof in);
    in.client = client;
    in.deadline = deadline;
    in.error = error;
    in.arena = arena;
    memset(answer, 0, sizeof *answer);
    if (!read_head(&in, answer) || !http_read_body(&in)) {
        creo_socket_close(client);
        return false;
    }
    answer->body = creo_bytes_of(in.body, in.body_size);
    /* Unexpected input makes the connection useless (HTTP-5). */
    if (!in.keep || client->frames.input_at != client->frames.input_end)
        creo_socket_close(client);
    if (request->raw != NULL)
        creo_raw_show_answer(request->raw, answer);
    if (!creo_http_take_answer(client, answer, error))
        return false;
    if (!in.compressed)
        return true;
    if (request->gzip == NULL)
        return http_fail(&in, CREO_PROTOCOL_MISMATCH, "sent a compressed answer, which was not asked for");
    return creo_http_expand(request->gzip, answer->body, &client->limits, arena, &answer->body, client->peer, error);
}

/* A kept connection that has received something, or was closed, is useless. */
void creo_http_check(creo_client *client)
{
    size_t done = 0;
    if (creo_socket_read(client, client->frames.input, CREO_INPUT_SIZE, &done, false, creo_now()) != CREO_RESULT_TIMEOUT)
        creo_socket_close(client);
}

static struct iovec http_piece_of(creo_bytes bytes)
{
    /* The system's type has no const; the bytes are only read. */
    union {
        const uint8_t *from;
        void *to;
    } pointer = {bytes.data};
    return (struct iovec){pointer.to, bytes.size};
}

static creo_result send_all(creo_client *client, const creo_http_request *request, creo_instant deadline)
{
    size_t next = 0;
    if (creo_now() >= deadline)
        return CREO_RESULT_TIMEOUT;
    bool first = true;
    while (first || next < request->piece_count) {
        struct iovec pieces[BATCH];
        size_t count = 0;
        if (first)
            pieces[count++] = http_piece_of(request->head);
        first = false;
        while (count < BATCH && next < request->piece_count)
            pieces[count++] = http_piece_of(request->pieces[next++]);
        size_t done;
        creo_result result = creo_socket_write(client, pieces, count, &done, deadline);
        client->sent = client->sent || done > 0;
        if (result != CREO_RESULT_DONE)
            return result;
    }
    return CREO_RESULT_DONE;
}

bool creo_http_exchange_heads(creo_client *client, creo_bytes head, creo_instant until, creo_http_answer *answer, creo_error *error)
{
    struct iovec piece = http_piece_of(head);
    size_t sent;
    creo_error own;
    reading in;
    memset(&in, 0, sizeof in);
    memset(answer, 0, sizeof *answer);
    in.client = client;
    in.deadline = until;
    in.error = error == NULL ? &own : error;
    bool done = creo_socket_write(client, &piece, 1, &sent, until) == CREO_RESULT_DONE;
    if (!done)
        return creo_fail(in.error, CREO_UNAVAILABLE, "cannot connect to %s: the connection was lost", client->peer);
    done = read_head(&in, answer);
    /* The deadline is that for connecting. */
    if (!done && in.error->code == CREO_DEADLINE_EXCEEDED)
        return creo_fail(in.error, CREO_UNAVAILABLE, "cannot connect to %s: timed out", client->peer);
    if (done && answer->status >= 200 && answer->status < 300 && client->frames.input_at != client->frames.input_end)
        return http_mismatch(&in, "something that was not asked for");
    return done;
}

bool creo_http_exchange(creo_client *client, const creo_http_request *request, creo_instant deadline, creo_arena *arena, creo_http_answer *answer, creo_error *error)
{
    for (;;) {
        if (client->open)
            creo_http_check(client);
        bool reused = client->open;
        if (!client->open && !creo_client_open(client, deadline, error))
            return creo_http_name_proxy(client, error);
        creo_result result = send_all(client, request, deadline);
        if (result == CREO_RESULT_DONE)
            return http_read_answer(client, request, deadline, arena, answer, error);
        if (result == CREO_RESULT_TIMEOUT) {
            creo_socket_close(client);
            return creo_client_fail_deadline(client, "before it was sent", error);
        }
        /* A service may refuse a request before it has read all of it; its answer is better than a closed connection. */
        creo_instant soon = creo_earlier(deadline, creo_after(creo_now(), LAST_WORDS_MS));
        if (http_read_answer(client, request, soon, arena, answer, error)) {
            creo_socket_close(client);
            return true;
        }
        /* The request was not sent completely, so the service cannot have started it. */
        if (!reused)
            return creo_fail(error, CREO_UNAVAILABLE, "the connection to %s was lost while the call was sent", client->peer);
    }
}
