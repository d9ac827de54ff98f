#include "frames.h"

#include <creo/codegen/read.h>
#include <creo/codegen/write.h>

#include "../buffer/copy.h"
#include "../call/body.h"

#include <stdio.h>

void creo_frames_expect(creo_frames *frames, creo_arena *arena, struct creo_items *items)
{
    frames->into = NULL;
    frames->arena = arena;
    memset(&frames->body, 0, sizeof frames->body);
    frames->items = items;
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

creo_step creo_frames_malformed(creo_error *error, const char *peer, const char *what)
{
    (void)creo_fail(error, CREO_MALFORMED, "%s sent %s", peer, what);
    return CREO_STEP_BROKEN;
}

bool creo_frames_make_room(creo_frames *frames, size_t claimed, const creo_limits *limits)
{
    creo_kept *kept = frames->into;
    if (kept->at > kept->size / 2) {
        kept->size -= kept->at;
        memmove(kept->data, kept->data + kept->at, kept->size);
        kept->at = 0;
        return true;
    }
    size_t trusted = limits->trusted_allocation < 16 ? 16 : limits->trusted_allocation;
    claimed = claimed > SIZE_MAX - kept->size ? SIZE_MAX : kept->size + claimed;
    size_t doubled = kept->room > SIZE_MAX / 2 ? SIZE_MAX : kept->room * 2;
    size_t wanted = frames->frame_more && doubled > claimed ? doubled : claimed;
    /* The old memory is counted with the new, since both are in use during the copy. */
    size_t arrived = kept->size > (SIZE_MAX - trusted) / 4 ? SIZE_MAX : trusted + 4 * kept->size;
    size_t room = least(wanted, arrived - kept->room);
    uint8_t *data = (uint8_t *)creo_arena_grow(frames->arena, kept->data, kept->room, kept->size, room);
    if (data == NULL)
        return false;
    kept->data = data;
    kept->room = room;
    return true;
}

/* Takes the frame's bytes from the input. */
static bool take_input(creo_frames *frames, const creo_limits *limits)
{
    creo_kept *kept = frames->into;
    while (frames->frame_left > 0 && available(frames) > 0) {
        size_t count = least(frames->frame_left, available(frames));
        if (kept != NULL) {
            if (kept->size == kept->room && !creo_frames_make_room(frames, frames->frame_left, limits))
                return false;
            count = least(count, kept->room - kept->size);
            creo_copy(kept->data + kept->size, frames->input + frames->input_at, count);
            kept->size += count;
        }
        frames->input_at += count;
        frames->frame_left -= count;
    }
    return true;
}

size_t creo_frames_room(creo_frames *frames, const creo_limits *limits, uint8_t **into)
{
    creo_kept *kept = frames->into;
    if (kept != NULL && frames->frame_left > CREO_INPUT_SIZE / 2 && available(frames) == 0) {
        if (kept->size == kept->room && !creo_frames_make_room(frames, frames->frame_left, limits))
            return 0;
        *into = kept->data + kept->size;
        return least(frames->frame_left, kept->room - kept->size);
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
        frames->into->size += size;
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
    bool streams = head->kind == CREO_ITEMS || head->kind == CREO_CREDIT;
    if (head->kind < CREO_RESPONSE || head->kind > CREO_CREDIT)
        return "a frame of a kind that a server does not send";
    if (head->length < CREO_FRAME_SIZE - 4 || head->length > INT32_MAX)
        return "a frame of a wrong length";
    if (streams && (head->flags != 0 || (head->kind == CREO_ITEMS ? head->length == CREO_FRAME_SIZE - 4 : head->length != CREO_FRAME_SIZE)))
        return "a frame of items or credit with flags, or of a wrong length";
    if (streams && frames->in_chain)
        return "items or credit within the chain of an answer";
    if (streams)
        return NULL;
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
    frames->frame_more = (head->flags & CREO_MORE) != 0;
    if (head->kind != CREO_DATA) {
        frames->in_chain = true;
        frames->chain_id = head->id;
        frames->kind = head->kind;
        /* An error of call 0 concerns the connection, and so the waiting call (TCP-20); no other call may follow. */
        frames->goodbye = frames->goodbye || (head->kind == CREO_ERROR && head->id == 0);
        bool keep = id != 0 && (head->id == id || (head->kind == CREO_ERROR && head->id == 0));
        frames->into = keep ? &frames->body : NULL;
        frames->body.size = 0;
        frames->metadata = (head->flags & CREO_METADATA) != 0;
        frames->first = frames->frame_left;
    }
    size_t most = creo_limits_body(limits);
    /* Metadata are not of the body (TCP-7). */
    if (frames->metadata)
        most += least(limits->max_metadata_size, SIZE_MAX - most);
    if (frames->into != NULL && (frames->body.size > most || frames->frame_left > most - frames->body.size)) {
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
    if (frames->in_chain && frames->frame_more)
        return CREO_STEP_MORE;
    creo_step step = frames->into == NULL ? CREO_STEP_MORE : frames->in_chain ? CREO_STEP_ANSWER : CREO_STEP_STREAM;
    frames->in_chain = false;
    frames->into = NULL;
    return step;
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
            frames->into = NULL;
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
    if (wrong != NULL)
        return creo_frames_malformed(error, peer, wrong);
    bool own = id != 0 && head.id == id;
    frames->input_at += CREO_FRAME_SIZE;
    if (head.kind == CREO_CREDIT) {
        frames->input_at += 4;
        bool taken = own && frames->items != NULL;
        return taken ? frames->items->credit(frames, creo_get_u32(at + CREO_FRAME_SIZE), peer, error) : CREO_STEP_MORE;
    }
    if (head.kind > CREO_DATA && head.kind != CREO_ITEMS)
        return bare_frame(frames, &head);
    frames->in_frame = true;
    frames->frame_left = head.length - (CREO_FRAME_SIZE - 4);
    if (head.kind != CREO_ITEMS)
        return frames_begin(frames, &head, id, limits, error);
    if (own && frames->items == NULL)
        return creo_frames_malformed(error, peer, "items of a stream that the method does not have");
    return own ? frames->items->begin(frames, limits, peer, error) : CREO_STEP_MORE;
}

/* How many bytes of the next frame are used at once: credit is short. */
static size_t head_size(const creo_frames *frames)
{
    const uint8_t *at = frames->input + frames->input_at;
    bool credit = available(frames) >= CREO_FRAME_SIZE && at[4] == CREO_CREDIT && creo_get_u32(at) == CREO_FRAME_SIZE;
    return credit ? CREO_FRAME_SIZE + 4 : CREO_FRAME_SIZE;
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
                frames->into = NULL;
                (void)creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
                return CREO_STEP_FAILED;
            }
            if (frames->frame_left > 0)
                return CREO_STEP_MORE;
            step = end(frames);
        } else {
            if (available(frames) < head_size(frames))
                return CREO_STEP_MORE;
            step = next_frame(frames, id, limits, peer, error);
        }
        if (step != CREO_STEP_MORE)
            return step;
    }
}
