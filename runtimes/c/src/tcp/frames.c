#include "frames.h"

#include <creo/codegen/read.h>

#include "../buffer/copy.h"
#include "../call/body.h"

#include <stdio.h>

void creo_frames_expect(creo_frames *frames, creo_arena *arena)
{
    frames->keep = false;
    frames->arena = arena;
    frames->body = NULL;
    frames->size = 0;
    frames->room = 0;
}

static size_t available(const creo_frames *frames)
{
    return frames->input_end - frames->input_at;
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

static bool frames_malformed(creo_error *error, const char *peer, const char *what)
{
    return creo_fail(error, CREO_MALFORMED, "%s sent %s", peer, what);
}

/* Makes room in the body for claimed bytes, as far as LIM-3 allows for those that have come. */
static bool frames_make_room(creo_frames *frames, const creo_limits *limits)
{
    size_t trusted = limits->trusted_allocation < 16 ? 16 : limits->trusted_allocation;
    size_t claimed = frames->frame_left > SIZE_MAX - frames->size ? SIZE_MAX : frames->size + frames->frame_left;
    size_t doubled = frames->room > SIZE_MAX / 2 ? SIZE_MAX : frames->room * 2;
    size_t wanted = frames->frame_more && doubled > claimed ? doubled : claimed;
    /* The old memory is counted with the new, since both are in use during the copy. */
    size_t arrived = frames->size > (SIZE_MAX - trusted) / 4 ? SIZE_MAX : trusted + 4 * frames->size;
    size_t room = least(wanted, arrived - frames->room);
    uint8_t *body = (uint8_t *)creo_arena_grow(frames->arena, frames->body, frames->room, frames->size, room);
    if (body == NULL)
        return false;
    frames->body = body;
    frames->room = room;
    return true;
}

/* Takes the frame's bytes from the input. */
static bool take_input(creo_frames *frames, const creo_limits *limits)
{
    while (frames->frame_left > 0 && available(frames) > 0) {
        size_t count = least(frames->frame_left, available(frames));
        if (frames->keep) {
            if (frames->size == frames->room && !frames_make_room(frames, limits))
                return false;
            count = least(count, frames->room - frames->size);
            creo_copy(frames->body + frames->size, frames->input + frames->input_at, count);
            frames->size += count;
        }
        frames->input_at += count;
        frames->frame_left -= count;
    }
    return true;
}

size_t creo_frames_room(creo_frames *frames, const creo_limits *limits, uint8_t **into)
{
    if (frames->keep && frames->frame_left > CREO_INPUT_SIZE / 2 && available(frames) == 0) {
        if (frames->size == frames->room && !frames_make_room(frames, limits))
            return 0;
        *into = frames->body + frames->size;
        return least(frames->frame_left, frames->room - frames->size);
    }
    if (frames->input_at > 0) {
        if (available(frames) > 0)
            memmove(frames->input, frames->input + frames->input_at, available(frames));
        frames->input_end -= frames->input_at;
        frames->input_at = 0;
    }
    *into = frames->input + frames->input_end;
    return CREO_INPUT_SIZE - frames->input_end;
}

void creo_frames_filled(creo_frames *frames, const uint8_t *into, size_t size)
{
    if (into == frames->input + frames->input_end) {
        frames->input_end += size;
    } else {
        frames->size += size;
        frames->frame_left -= size;
    }
}

static creo_step frames_greet(creo_frames *frames, const char *peer, creo_error *error)
{
    const uint8_t *at = frames->input + frames->input_at;
    size_t size = available(frames);
    /* A peer with another protocol may send little: it is reported as soon as it is recognized (TCP-2). */
    if (memcmp(at, "CREO\1", least(size, 5)) != 0 && (size >= 4 || memcmp(at, "HTTP", size) != 0)) {
        (void)creo_fail_protocol(at, size, peer, error);
        return CREO_STEP_BROKEN;
    }
    if (size < CREO_PREAMBLE_SIZE)
        return CREO_STEP_MORE;
    frames->input_at += CREO_PREAMBLE_SIZE;
    frames->greeted = true;
    return CREO_STEP_ANSWER;
}

/* The start of a frame: ten bytes of the input. */
typedef struct frame {
    size_t length;
    uint8_t kind;
    uint8_t flags;
    uint32_t id;
} frame;

static const char *wrong_frame(const creo_frames *frames, const frame *head)
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
    if (head->kind == CREO_DATA && (!frames->in_chain || frames->chain_id != head->id))
        return "a data frame without a chain";
    if (!bare && head->kind != CREO_DATA && frames->in_chain)
        return "a frame within the chain of another";
    return NULL;
}

/* A frame with a body begins. */
static creo_step frames_begin(creo_frames *frames, const frame *head, uint32_t id, const creo_limits *limits, creo_error *error)
{
    frames->in_frame = true;
    frames->frame_more = (head->flags & CREO_MORE) != 0;
    frames->frame_left = head->length - (CREO_FRAME_SIZE - 4);
    if (head->kind != CREO_DATA) {
        frames->in_chain = true;
        frames->chain_id = head->id;
        frames->kind = head->kind;
        /* An error of call 0 concerns the connection, and so the waiting call (TCP-20); no other call may follow. */
        frames->goodbye = frames->goodbye || (head->kind == CREO_ERROR && head->id == 0);
        frames->keep = id != 0 && (head->id == id || (head->kind == CREO_ERROR && head->id == 0));
        frames->size = 0;
        frames->metadata = (head->flags & CREO_METADATA) != 0;
        frames->first = frames->frame_left;
    }
    size_t most = creo_limits_body(limits);
    /* Metadata are not of the body (TCP-7). */
    if (frames->metadata)
        most += least(limits->max_metadata_size, SIZE_MAX - most);
    if (frames->keep && (frames->size > most || frames->frame_left > most - frames->size)) {
        /* No other call waits on this connection: the rest of the answer is not worth reading (TCP-7). */
        (void)creo_fail_body(error, limits);
        return CREO_STEP_BROKEN;
    }
    return CREO_STEP_MORE;
}

/* A frame with a body is complete. */
static creo_step end(creo_frames *frames)
{
    frames->in_frame = false;
    if (frames->frame_more)
        return CREO_STEP_MORE;
    frames->in_chain = false;
    if (!frames->keep)
        return CREO_STEP_MORE;
    frames->keep = false;
    return CREO_STEP_ANSWER;
}

static creo_step bare_frame(creo_frames *frames, const frame *head)
{
    switch (head->kind) {
    case CREO_PING:
        frames->ping = true;
        frames->ping_id = head->id;
        return CREO_STEP_PING;
    case CREO_CANCEL:
        /* The peer abandons an answer that it has begun; another one follows. */
        if (frames->in_chain && frames->chain_id == head->id) {
            frames->in_chain = false;
            frames->keep = false;
        }
        return CREO_STEP_MORE;
    case CREO_GOODBYE:
        frames->goodbye = true;
        return CREO_STEP_MORE;
    default:
        return CREO_STEP_MORE;
    }
}

static creo_step next_frame(creo_frames *frames, uint32_t id, const creo_limits *limits, const char *peer, creo_error *error)
{
    const uint8_t *at = frames->input + frames->input_at;
    frame head = {creo_get_u32(at), at[4], at[5], creo_get_u32(at + 6)};
    const char *wrong = wrong_frame(frames, &head);
    if (wrong != NULL) {
        (void)frames_malformed(error, peer, wrong);
        return CREO_STEP_BROKEN;
    }
    frames->input_at += CREO_FRAME_SIZE;
    return head.kind <= CREO_DATA ? frames_begin(frames, &head, id, limits, error) : bare_frame(frames, &head);
}

creo_step creo_frames_step(creo_frames *frames, uint32_t id, const creo_limits *limits, const char *peer, creo_error *error)
{
    if (!frames->greeted) {
        creo_step greeted = frames_greet(frames, peer, error);
        if (greeted != CREO_STEP_ANSWER)
            return greeted;
    }
    for (;;) {
        creo_step step = CREO_STEP_MORE;
        if (frames->in_frame) {
            if (!take_input(frames, limits)) {
                frames->keep = false;
                (void)creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
                return CREO_STEP_FAILED;
            }
            if (frames->frame_left > 0)
                return CREO_STEP_MORE;
            step = end(frames);
        } else {
            if (available(frames) < CREO_FRAME_SIZE)
                return CREO_STEP_MORE;
            step = next_frame(frames, id, limits, peer, error);
        }
        if (step != CREO_STEP_MORE)
            return step;
    }
}
