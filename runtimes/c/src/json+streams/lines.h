/* A call with one stream as lines of JSON (HTTP-30 to HTTP-38), in the memory of its client. Not part of the API. */
#ifndef CREO_SRC_LINES_H
#define CREO_SRC_LINES_H

#include <creo/codegen/lines.h>
#include <creo/json.h>

#include "../http/http_call.h"
#include "../http/http_reading.h"
#include "../tcp+streams/streaming.h"

typedef struct creo_lines {
    creo_http_call call;
    creo_http_request request;
    /* The parameters: the body, or the first line of it. */
    creo_bytes first;
    creo_http_body body;
    /* That line as a chunk. */
    char size[24];
    creo_bytes chunk[3];

    /* The answer: its head, or all of it unless it consists of lines. */
    creo_http_reading in;
    creo_http_answer answer;
    bool streamed;
    /* The last line says that the method has ended without an exception or an error. */
    bool end;
    /* The bytes left of a chunk, or of the body if it has a length; and whether a chunk has begun. */
    size_t left;
    bool in_chunk;
    /* The received lines. Those before `at` were read, and there is no end of a line from there up to `seen`. */
    creo_kept kept;
    size_t seen;
    /* The items that were read. */
    uint64_t items;

    /* The chunk that is being sent, and where its unsent bytes begin. */
    creo_writer out;
    size_t sent;
} creo_lines;

static inline creo_lines *creo_lines_of(const struct creo_streaming *on)
{
    return (creo_lines *)on->own;
}

/* Whether a chunk is sent only in part. */
static inline bool creo_lines_pending(const creo_lines *lines)
{
    return lines->sent < creo_writer_size(&lines->out);
}

/* Whether the items that were written fill a chunk. */
static inline bool creo_lines_full(const struct creo_streaming *on)
{
    return creo_writer_size(&on->writer) >= CREO_STREAM_FULL;
}

/* Reads the head of the answer, and all of it unless it consists of lines. False: the call has failed. */
CREO_PRIVATE bool creo_lines_read_answer(struct creo_streaming *on, creo_instant until);

/* Reads some more of the lines. False: the call has failed. */
CREO_PRIVATE bool creo_lines_read_more(struct creo_streaming *on);

/* Appends what has come to the input of the client, without waiting. */
CREO_PRIVATE creo_result creo_lines_gather(creo_client *client);

/* The functions of the carrier. */
CREO_PRIVATE bool creo_lines_receive(struct creo_streaming *on, bool wait);
CREO_PRIVATE bool creo_lines_take(struct creo_streaming *on, creo_arena *arena, void *outcome);
CREO_PRIVATE bool creo_lines_send(struct creo_streaming *on, bool all, bool wait);
CREO_PRIVATE bool creo_lines_put(struct creo_streaming *on, const void *item);

#endif
