/* Incoming frames. Not part of the API. */
#ifndef CREO_SRC_FRAMES_H
#define CREO_SRC_FRAMES_H

#include "../base/internal.h"
#include "../call/answer.h"
#include "../call/transport.h"

#define CREO_PREAMBLE_SIZE 8
#define CREO_FRAME_SIZE 10

/* The kinds of frames other than answers. */
enum {
    CREO_REQUEST = 1,
    CREO_DATA = 5,
    CREO_CANCEL = 6,
    CREO_PING = 7,
    CREO_PONG = 8,
    CREO_GOODBYE = 9,
    CREO_ITEMS = 10,
    CREO_CREDIT = 11
};

/* Flags of frames. */
enum { CREO_MORE = 1, CREO_COMPRESSED = 2, CREO_METADATA = 4, CREO_END = 8 };

/* The result of parsing the input. */
typedef enum creo_step {
    /* All of the input was used and more is needed. */
    CREO_STEP_MORE = 0,
    /* The awaited answer is complete: `kind`, `body` and `size` of the frames. */
    CREO_STEP_ANSWER,
    /* A ping must be answered. */
    CREO_STEP_PING,
    /* A frame of items is complete, or credit has come. */
    CREO_STEP_STREAM,
    /* The call has failed; the connection is still usable. */
    CREO_STEP_FAILED,
    /* The connection is no longer usable. */
    CREO_STEP_BROKEN
} creo_step;

/* What takes the items and the credit of the call under way (TCP-30 to TCP-33). */
struct creo_items {
    /* Items of `frame_left` bytes begin: CREO_STEP_MORE, and `into` is where they go. */
    creo_step (*begin)(creo_frames *frames, const creo_limits *limits, const char *peer, creo_error *error);
    /* Credit has come: CREO_STEP_STREAM. */
    creo_step (*credit)(creo_frames *frames, uint32_t bytes, const char *peer, creo_error *error);
};

/* Drops answers to other calls from here on; the awaited answer's body and the items go to the arena. `items` is NULL for a call without streams. */
CREO_PRIVATE void creo_frames_expect(creo_frames *frames, creo_arena *arena, struct creo_items *items);

/*
 * Parses the input until the answer of call `id`, or a frame of its streams, is complete or the input is used up. Allocates memory for a body only as its bytes arrive (LIM-3).
 * `peer` is the address for messages.
 */
CREO_PRIVATE creo_step creo_frames_step(creo_frames *frames, uint32_t id, const creo_limits *limits, const char *peer, creo_error *error);

/*
 * The destination of the next bytes and their max number: the body itself while a large one arrives, else the input. 0 without memory.
 */
CREO_PRIVATE size_t creo_frames_room(creo_frames *frames, const creo_limits *limits, uint8_t **into);

/* Notes that this many bytes were put there. */
CREO_PRIVATE void creo_frames_filled(creo_frames *frames, const uint8_t *into, size_t size);

/* Makes room in `into` for claimed bytes, as far as LIM-3 allows for those that have come. */
CREO_PRIVATE bool creo_frames_make_room(creo_frames *frames, size_t claimed, const creo_limits *limits);

/* The peer has sent that: CREO_STEP_BROKEN, with the error. */
CREO_PRIVATE creo_step creo_frames_malformed(creo_error *error, const char *peer, const char *what);

/* Fails with `protocol-mismatch`, naming the protocol of the first bytes (TCP-2). */
CREO_PRIVATE bool creo_fail_protocol(const uint8_t *bytes, size_t size, const char *peer, creo_error *error);

#endif
