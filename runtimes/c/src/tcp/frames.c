#include "frames.h"

#include <creo/codegen/read.h>

#include "../buffer/copy.h"
#include "../call/body.h"

#include <stdio.h>

void creo_stream_expect(creo_stream *stream, creo_arena *arena)
{
    stream->keep = false;
    stream->arena = arena;
    stream->body = NULL;
    stream->size = 0;
    stream->room = 0;
}

static size_t available(const creo_stream *stream)
{
    return stream->input_end - stream->input_at;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

bool creo_fail_protocol(const uint8_t *bytes, size_t size, const char *peer, creo_error *error)
{
    static const char *const methods[] = {"HTTP/", "GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE "};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        size_t seen = least(strlen(methods[i]), least(size, CREO_PREAMBLE_SIZE));
        if (size >= 4 && memcmp(bytes, methods[i], seen) == 0)
            return creo_fail(error, CREO_PROTOCOL_MISMATCH, "%s speaks HTTP, not Creo", peer);
    }
    if (size >= 2 && (bytes[0] == 0x16 || bytes[0] == 0x15) && bytes[1] == 0x03)
        return creo_fail(error, CREO_PROTOCOL_MISMATCH, "%s speaks TLS, not plain Creo", peer);
    if (size >= 5 && memcmp(bytes, "CREO", 4) == 0)
        return creo_fail(error, CREO_PROTOCOL_MISMATCH, "%s speaks version %u of the Creo protocol, this side speaks version 1", peer, (unsigned)bytes[4]);
    char hex[3 * CREO_PREAMBLE_SIZE + 1] = "";
    for (size_t i = 0; i < least(size, CREO_PREAMBLE_SIZE); i++)
        (void)snprintf(hex + 3 * i, 4, " %02x", (unsigned)bytes[i]);
    return creo_fail(error, CREO_PROTOCOL_MISMATCH, "%s does not speak Creo: its first bytes are%s", peer, hex);
}

static bool stream_malformed(creo_error *error, const char *peer, const char *what)
{
    return creo_fail(error, CREO_MALFORMED, "%s sent %s", peer, what);
}

/* Makes room in the body for claimed bytes, as far as LIM-3 allows for those that have come. */
static bool stream_make_room(creo_stream *stream, const creo_limits *limits)
{
    size_t trusted = limits->trusted_allocation < 16 ? 16 : limits->trusted_allocation;
    size_t claimed = stream->frame_left > SIZE_MAX - stream->size ? SIZE_MAX : stream->size + stream->frame_left;
    size_t doubled = stream->room > SIZE_MAX / 2 ? SIZE_MAX : stream->room * 2;
    size_t wanted = stream->frame_more && doubled > claimed ? doubled : claimed;
    /* The old memory is counted with the new, since both are in use during the copy. */
    size_t arrived = stream->size > (SIZE_MAX - trusted) / 4 ? SIZE_MAX : trusted + 4 * stream->size;
    size_t room = least(wanted, arrived - stream->room);
    uint8_t *body = (uint8_t *)creo_arena_grow(stream->arena, stream->body, stream->room, stream->size, room);
    if (body == NULL)
        return false;
    stream->body = body;
    stream->room = room;
    return true;
}

/* Takes the frame's bytes from the input. */
static bool take_input(creo_stream *stream, const creo_limits *limits)
{
    while (stream->frame_left > 0 && available(stream) > 0) {
        size_t count = least(stream->frame_left, available(stream));
        if (stream->keep) {
            if (stream->size == stream->room && !stream_make_room(stream, limits))
                return false;
            count = least(count, stream->room - stream->size);
            creo_copy(stream->body + stream->size, stream->input + stream->input_at, count);
            stream->size += count;
        }
        stream->input_at += count;
        stream->frame_left -= count;
    }
    return true;
}

size_t creo_stream_room(creo_stream *stream, const creo_limits *limits, uint8_t **into)
{
    if (stream->keep && stream->frame_left > CREO_INPUT_SIZE / 2 && available(stream) == 0) {
        if (stream->size == stream->room && !stream_make_room(stream, limits))
            return 0;
        *into = stream->body + stream->size;
        return least(stream->frame_left, stream->room - stream->size);
    }
    if (stream->input_at > 0) {
        if (available(stream) > 0)
            memmove(stream->input, stream->input + stream->input_at, available(stream));
        stream->input_end -= stream->input_at;
        stream->input_at = 0;
    }
    *into = stream->input + stream->input_end;
    return CREO_INPUT_SIZE - stream->input_end;
}

void creo_stream_filled(creo_stream *stream, const uint8_t *into, size_t size)
{
    if (into == stream->input + stream->input_end) {
        stream->input_end += size;
    } else {
        stream->size += size;
        stream->frame_left -= size;
    }
}

static creo_step stream_greet(creo_stream *stream, const char *peer, creo_error *error)
{
    const uint8_t *at = stream->input + stream->input_at;
    size_t size = available(stream);
    /* A peer with another protocol may send little: it is reported as soon as it is recognized (TCP-2). */
    if (memcmp(at, "CREO\1", least(size, 5)) != 0 && (size >= 4 || memcmp(at, "HTTP", size) != 0)) {
        (void)creo_fail_protocol(at, size, peer, error);
        return CREO_STEP_BROKEN;
    }
    if (size < CREO_PREAMBLE_SIZE)
        return CREO_STEP_MORE;
    stream->input_at += CREO_PREAMBLE_SIZE;
    stream->greeted = true;
    return CREO_STEP_ANSWER;
}

/* The start of a frame: ten bytes of the input. */
typedef struct frame {
    size_t length;
    uint8_t kind;
    uint8_t flags;
    uint32_t id;
} frame;

static const char *wrong_frame(const creo_stream *stream, const frame *head)
{
    bool bare = head->kind >= CREO_CANCEL && head->kind <= CREO_GOODBYE;
    if (head->kind < CREO_RESPONSE || head->kind > CREO_GOODBYE)
        return "a frame of a kind that a server does not send";
    if (head->length < CREO_FRAME_SIZE - 4 || head->length > INT32_MAX)
        return "a frame of a wrong length";
    if (bare && (head->flags != 0 || head->length != CREO_FRAME_SIZE - 4))
        return "a frame with flags or bytes that its kind does not have";
    /* TCP-23: an error about the connection has no metadata. */
    bool answer = !bare && head->kind != CREO_DATA && (head->kind != CREO_ERROR || head->id != 0);
    if (!bare && (head->flags & ~(CREO_MORE | (answer ? CREO_METADATA : 0))) != 0)
        return (head->flags & CREO_COMPRESSED) != 0 && head->kind != CREO_DATA ? "a compressed body, which was not asked for"
                                                                               : "a frame with flags that its kind does not have";
    if (head->kind == CREO_DATA && (!stream->in_chain || stream->chain_id != head->id))
        return "a data frame without a chain";
    if (!bare && head->kind != CREO_DATA && stream->in_chain)
        return "a frame within the chain of another";
    return NULL;
}

/* A frame with a body begins. */
static creo_step stream_begin(creo_stream *stream, const frame *head, uint32_t id, const creo_limits *limits, creo_error *error)
{
    stream->in_frame = true;
    stream->frame_more = (head->flags & CREO_MORE) != 0;
    stream->frame_left = head->length - (CREO_FRAME_SIZE - 4);
    if (head->kind != CREO_DATA) {
        stream->in_chain = true;
        stream->chain_id = head->id;
        stream->kind = head->kind;
        /* An error of call 0 concerns the connection, and so the waiting call (TCP-20); no other call may follow. */
        stream->goodbye = stream->goodbye || (head->kind == CREO_ERROR && head->id == 0);
        stream->keep = id != 0 && (head->id == id || (head->kind == CREO_ERROR && head->id == 0));
        stream->size = 0;
        stream->metadata = (head->flags & CREO_METADATA) != 0;
        stream->first = stream->frame_left;
    }
    size_t most = creo_limits_body(limits);
    /* Metadata are not of the body (TCP-7). */
    if (stream->metadata)
        most += least(limits->max_metadata_size, SIZE_MAX - most);
    if (stream->keep && (stream->size > most || stream->frame_left > most - stream->size)) {
        /* No other call waits on this connection: the rest of the answer is not worth reading (TCP-7). */
        (void)creo_fail_body(error, limits);
        return CREO_STEP_BROKEN;
    }
    return CREO_STEP_MORE;
}

/* A frame with a body is complete. */
static creo_step end(creo_stream *stream)
{
    stream->in_frame = false;
    if (stream->frame_more)
        return CREO_STEP_MORE;
    stream->in_chain = false;
    if (!stream->keep)
        return CREO_STEP_MORE;
    stream->keep = false;
    return CREO_STEP_ANSWER;
}

static creo_step bare_frame(creo_stream *stream, const frame *head)
{
    switch (head->kind) {
    case CREO_PING:
        stream->ping = true;
        stream->ping_id = head->id;
        return CREO_STEP_PING;
    case CREO_CANCEL:
        /* The peer abandons an answer that it has begun; another one follows. */
        if (stream->in_chain && stream->chain_id == head->id) {
            stream->in_chain = false;
            stream->keep = false;
        }
        return CREO_STEP_MORE;
    case CREO_GOODBYE:
        stream->goodbye = true;
        return CREO_STEP_MORE;
    default:
        return CREO_STEP_MORE;
    }
}

static creo_step next_frame(creo_stream *stream, uint32_t id, const creo_limits *limits, const char *peer, creo_error *error)
{
    const uint8_t *at = stream->input + stream->input_at;
    frame head = {creo_get_u32(at), at[4], at[5], creo_get_u32(at + 6)};
    const char *wrong = wrong_frame(stream, &head);
    if (wrong != NULL) {
        (void)stream_malformed(error, peer, wrong);
        return CREO_STEP_BROKEN;
    }
    stream->input_at += CREO_FRAME_SIZE;
    return head.kind <= CREO_DATA ? stream_begin(stream, &head, id, limits, error) : bare_frame(stream, &head);
}

creo_step creo_stream_step(creo_stream *stream, uint32_t id, const creo_limits *limits, const char *peer, creo_error *error)
{
    if (!stream->greeted) {
        creo_step greeted = stream_greet(stream, peer, error);
        if (greeted != CREO_STEP_ANSWER)
            return greeted;
    }
    for (;;) {
        creo_step step = CREO_STEP_MORE;
        if (stream->in_frame) {
            if (!take_input(stream, limits)) {
                stream->keep = false;
                (void)creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
                return CREO_STEP_FAILED;
            }
            if (stream->frame_left > 0)
                return CREO_STEP_MORE;
            step = end(stream);
        } else {
            if (available(stream) < CREO_FRAME_SIZE)
                return CREO_STEP_MORE;
            step = next_frame(stream, id, limits, peer, error);
        }
        if (step != CREO_STEP_MORE)
            return step;
    }
}
