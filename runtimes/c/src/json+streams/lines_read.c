/* The lines that a client receives (HTTP-30, HTTP-36, HTTP-37). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "lines.h"

#include "../call/body.h"
#include "../json/json.h"

#include <stdio.h>

/* The root of paths. */
#define ITEMS "$items"

/* What a line is. */
enum { LINE_WRONG, LINE_BLANK, LINE_ITEM, LINE_END, LINE_ERROR };

creo_result creo_lines_gather(creo_client *client)
{
    creo_frames *frames = &client->frames;
    size_t there = frames->input_end - frames->input_at;
    size_t done = 0;
    if (there != 0)
        memmove(frames->input, frames->input + frames->input_at, there);
    frames->input_at = 0;
    frames->input_end = there;
    if (there == CREO_INPUT_SIZE)
        return CREO_RESULT_DONE;
    creo_result result = creo_socket_read(client, frames->input + there, CREO_INPUT_SIZE - there, &done, false, creo_now());
    frames->input_end += done;
    return result;
}

/* The size of the whole head at the start of the input; 0 if there is none. */
static size_t size_of_head(const creo_frames *frames)
{
    const uint8_t *input = frames->input + frames->input_at;
    size_t size = frames->input_end - frames->input_at;
    for (size_t i = 0; i + 1 < size; i++) {
        size_t behind = input[i] != '\n' ? 0 : input[i + 1] == '\n' ? i + 2 : i + 2 < size && input[i + 1] == '\r' && input[i + 2] == '\n' ? i + 3 : 0;
        if (behind != 0)
            return behind;
    }
    return 0;
}

/* Whether an answer has begun to come while items are sent: its whole head, or the end of the connection. An interim answer, such as 100, is dropped. */
static bool answer_began(creo_client *client)
{
    creo_frames *frames = &client->frames;
    creo_result result = creo_lines_gather(client);
    if (result == CREO_RESULT_CLOSED || result == CREO_RESULT_FAILED)
        return true;
    size_t head = size_of_head(frames);
    const uint8_t *input = frames->input + frames->input_at;
    if (head > 12 && memcmp(input, "HTTP/1.", 7) == 0 && input[9] == '1' && memcmp(input + 9, "101", 3) != 0) {
        frames->input_at += head;
        return false;
    }
    return head != 0 || frames->input_end - frames->input_at == CREO_INPUT_SIZE;
}

bool creo_lines_receive(struct creo_streaming *on, bool wait)
{
    creo_lines *lines = creo_lines_of(on);
    if (on->failed || on->answered)
        return !on->failed;
    if (lines->streamed)
        return !wait || creo_lines_read_more(on);
    if (wait && creo_lines_pending(lines)) {
        (void)creo_socket_wait(on->client, CREO_READABLE | CREO_WRITABLE, on->until);
        return creo_lines_send(on, false, false);
    }
    if (!wait && (!lines->body.chunked || !answer_began(on->client)))
        return true;
    return creo_lines_read_answer(on, on->until);
}

/* Keeps received bytes of lines. What the program has read makes room first. */
static bool keep_bytes(struct creo_streaming *on, const uint8_t *data, size_t size)
{
    creo_lines *lines = creo_lines_of(on);
    creo_kept *kept = &lines->kept;
    if (kept->at != 0) {
        kept->size -= kept->at;
        lines->seen -= kept->at;
        memmove(kept->data, kept->data + kept->at, kept->size);
        kept->at = 0;
    }
    if (kept->room - kept->size < size) {
        size_t room = kept->room * 2 > kept->size + size ? kept->room * 2 : kept->size + size;
        uint8_t *grown = (uint8_t *)creo_arena_grow(&on->client->arena, kept->data, kept->room, kept->size, room);
        if (grown == NULL)
            return creo_fail(&on->failure, CREO_TOO_LARGE, "the allocator has no memory left for the items");
        kept->data = grown;
        kept->room = room;
    }
    memcpy(kept->data + kept->size, data, size);
    kept->size += size;
    return true;
}

static bool fail_cut(const struct creo_streaming *on, creo_error *error)
{
    return creo_fail(error, CREO_UNAVAILABLE, "the answer of %s was cut: it has no last line", on->client->peer);
}

/* Reads on until bytes of lines are in the input of the client. */
static bool read_to_content(struct creo_streaming *on, creo_lines *lines)
{
    creo_http_reading *in = &lines->in;
    const creo_frames *frames = &on->client->frames;
    bool bounded = in->chunked || in->sized;
    bool closed = false;
    if (in->chunked && lines->left == 0) {
        if (lines->in_chunk && !creo_http_read_chunk_end(in))
            return false;
        if (!creo_http_read_chunk_size(in, &lines->left))
            return false;
        lines->in_chunk = true;
    }
    if (bounded && lines->left == 0)
        return fail_cut(on, in->error);
    if (frames->input_at != frames->input_end || creo_http_fill(in, &closed))
        return true;
    return closed && (bounded ? creo_http_fail_read(in, CREO_RESULT_CLOSED) : fail_cut(on, in->error));
}

bool creo_lines_read_more(struct creo_streaming *on)
{
    creo_lines *lines = creo_lines_of(on);
    creo_frames *frames = &on->client->frames;
    if (!read_to_content(on, lines))
        return creo_streaming_fail(on);
    size_t size = frames->input_end - frames->input_at;
    if (lines->in.chunked || lines->in.sized) {
        size = size < lines->left ? size : lines->left;
        lines->left -= size;
    }
    if (!keep_bytes(on, frames->input + frames->input_at, size))
        return creo_streaming_fail(on);
    frames->input_at += size;
    return true;
}

/* The next whole line that has come, without its end. False: there is none, or one is too long, and the call has failed. */
static bool next_line(struct creo_streaming *on, creo_lines *lines, creo_bytes *line)
{
    creo_kept *kept = &lines->kept;
    if (kept->size == kept->at)
        return false;
    const uint8_t *start = kept->data + kept->at;
    const uint8_t *end = (const uint8_t *)memchr(kept->data + lines->seen, '\n', kept->size - lines->seen);
    size_t size = end == NULL ? kept->size - kept->at : (size_t)(end - start);
    if (size > creo_limits_body(&on->client->limits)) {
        (void)creo_fail_body(&on->failure, &on->client->limits);
        (void)snprintf(on->failure.place, sizeof on->failure.place, ITEMS);
        return creo_streaming_fail(on);
    }
    *line = creo_bytes_of(start, size);
    if (end != NULL)
        kept->at += size + 1;
    lines->seen = end == NULL ? kept->size : kept->at;
    return end != NULL;
}

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static creo_bytes trim(creo_bytes text)
{
    while (text.size != 0 && is_space(text.data[text.size - 1]))
        text.size--;
    while (text.size != 0 && is_space(*text.data)) {
        text.data++;
        text.size--;
    }
    return text;
}

/* What a line is, and the value of its only member. */
static int parse_line(creo_bytes line, creo_bytes *value)
{
    static const char *const names[] = {"\"item\"", "\"end\"", "\"error\""};
    line = trim(line);
    if (line.size == 0)
        return LINE_BLANK;
    if (line.size < 2 || line.data[0] != '{' || line.data[line.size - 1] != '}')
        return LINE_WRONG;
    line = trim(creo_bytes_of(line.data + 1, line.size - 2));
    for (int i = 0; i < 3; i++) {
        size_t size = strlen(names[i]);
        if (line.size < size || memcmp(line.data, names[i], size) != 0)
            continue;
        *value = trim(creo_bytes_of(line.data + size, line.size - size));
        if (value->size == 0 || value->data[0] != ':')
            return LINE_WRONG;
        *value = trim(creo_bytes_of(value->data + 1, value->size - 1));
        bool wrong = value->size == 0 || value->data[0] == 0xEF || (i == 1 && (value->size != 4 || memcmp(value->data, "true", 4) != 0));
        return wrong ? LINE_WRONG : LINE_ITEM + i;
    }
    return LINE_WRONG;
}

/* The last line was read. The connection is kept if nothing but the end of the body has come after it (HTTP-5); that is not waited for. */
static void end_lines(struct creo_streaming *on, creo_lines *lines)
{
    static const char end_of_chunks[] = "\r\n0\r\n\r\n";
    creo_client *client = on->client;
    creo_frames *frames = &client->frames;
    bool keep = lines->in.keep && lines->left == 0 && lines->kept.at == lines->kept.size && (lines->in.chunked || lines->in.sized);
    if (keep && lines->in.chunked && frames->input_at == frames->input_end)
        (void)creo_lines_gather(client);
    size_t due = lines->in.chunked ? sizeof end_of_chunks - 1 : 0;
    keep = keep && frames->input_end - frames->input_at == due && memcmp(frames->input + frames->input_at, end_of_chunks, due) == 0;
    if (keep)
        frames->input_at = frames->input_end;
    else
        creo_socket_close(client);
    on->answered = true;
}

/* Puts the index of an item into the place of its error. A long place is cut. */
static void add_index(creo_error *error, uint64_t index)
{
    char digits[24];
    size_t root = sizeof ITEMS - 1;
    size_t size = (size_t)snprintf(digits, sizeof digits, "[%llu]", (unsigned long long)index);
    if (strncmp(error->place, ITEMS, root) != 0)
        return;
    size_t rest = strlen(error->place) - root;
    size_t room = sizeof error->place - 1 - root - size;
    rest = rest < room ? rest : room;
    memmove(error->place + root + size, error->place + root, rest);
    memcpy(error->place + root, digits, size);
    error->place[root + size + rest] = 0;
}

static bool lines_read_item(struct creo_streaming *on, const creo_text_method *text, creo_bytes value, creo_arena *arena, void *outcome)
{
    creo_json_in in;
    uint32_t kind = text->exception_count + 1;
    if (!creo_json_begin(&in, value, CREO_COPY, arena, &on->client->limits, &on->failure))
        return false;
    in.root = ITEMS;
    memset(outcome, 0, text->response.record.size);
    memcpy((uint8_t *)outcome + text->kind, &kind, sizeof kind);
    bool read = creo_json_read_field(&in, text->item, outcome) && creo_json_finish(&in);
    if (!read)
        add_index(&on->failure, creo_lines_of(on)->items);
    creo_lines_of(on)->items++;
    return read;
}

bool creo_lines_take(struct creo_streaming *on, creo_arena *arena, void *outcome)
{
    creo_lines *lines = creo_lines_of(on);
    creo_bytes line = {NULL, 0};
    creo_bytes value = {NULL, 0};
    while (!on->failed && !on->answered && next_line(on, lines, &line)) {
        switch (parse_line(line, &value)) {
        case LINE_BLANK:
            break;
        case LINE_ITEM:
            return lines_read_item(on, lines->call.text, value, arena, outcome) || creo_streaming_fail(on);
        case LINE_END:
            lines->end = true;
            on->answer.body = creo_bytes_of(NULL, 0);
            end_lines(on, lines);
            break;
        case LINE_ERROR:
            on->answer.body = value;
            end_lines(on, lines);
            break;
        default:
            (void)creo_fail(&on->failure, CREO_MALFORMED, "%s sent a line that is neither an item, an end nor an error", on->client->peer);
            (void)snprintf(on->failure.place, sizeof on->failure.place, ITEMS);
            return creo_streaming_fail(on);
        }
    }
    return false;
}
