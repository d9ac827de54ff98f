/* Frames that come in. Not part of the API. */
#ifndef CREO_SRC_FRAMES_H
#define CREO_SRC_FRAMES_H

#include "../base/internal.h"
#include "../call/answer.h"
#include "../call/transport.h"

#define CREO_PREAMBLE_SIZE 8
#define CREO_FRAME_SIZE 10

/* Kinds of frames, besides those of answers. */
enum {
    CREO_REQUEST = 1,
    CREO_DATA = 5,
    CREO_CANCEL = 6,
    CREO_PING = 7,
    CREO_PONG = 8,
    CREO_GOODBYE = 9
};

/* Flags of frames. */
enum { CREO_MORE = 1, CREO_COMPRESSED = 2, CREO_METADATA = 4 };

/* What a look at the input came to. */
typedef enum creo_step {
    /* All of the input was used and more is needed. */
    CREO_STEP_MORE = 0,
    /* The answer that was waited for is complete: `kind`, `body` and `size` of the stream. */
    CREO_STEP_ANSWER,
    /* A ping is to be answered, then the input looked at again. */
    CREO_STEP_PING,
    /* The call has failed, the connection is still in order. */
    CREO_STEP_FAILED,
    /* The connection is of no more use. */
    CREO_STEP_BROKEN
} creo_step;

/* Answers for other calls are dropped from here on; the body of the awaited one goes to the arena. */
CREO_PRIVATE void creo_stream_expect(creo_stream *stream, creo_arena *arena);

/*
 * Looks at the input until the answer of call `id` is complete or the input is used up. Takes memory for a body only as its bytes arrive (LIM-3).
 * `peer` is the address for messages.
 */
CREO_PRIVATE creo_step creo_stream_step(creo_stream *stream, uint32_t id, const creo_limits *limits, const char *peer, creo_error *error);

/*
 * Where the next bytes from the socket go to and how many fit: the body itself while a large one arrives, otherwise the input. 0 if there is no memory.
 */
CREO_PRIVATE size_t creo_stream_room(creo_stream *stream, const creo_limits *limits, uint8_t **into);

/* Tells the stream that so many bytes were put there. */
CREO_PRIVATE void creo_stream_filled(creo_stream *stream, const uint8_t *into, size_t size);

/* Fails with `protocol-mismatch`, naming what the first bytes look like (TCP-2). */
CREO_PRIVATE bool creo_fail_protocol(const uint8_t *bytes, size_t size, const char *peer, creo_error *error);

#endif
