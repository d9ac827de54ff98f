/* A call with streams, in the memory of its client. Not part of the API. */
#ifndef CREO_SRC_STREAMING_H
#define CREO_SRC_STREAMING_H

#include <creo/stream.h>

#include "../tcp/tcp.h"

/* Before the items of a frame there is room for its head and their count. */
#define CREO_STREAM_HEAD (CREO_FRAME_SIZE + 5)

/* The max bytes of a frame with several items, and what a writer may hold beyond one item. */
#define CREO_STREAM_FULL ((size_t)65536)
#define CREO_STREAM_ROOM (CREO_STREAM_FULL + CREO_STREAM_HEAD)

/* The credit of each direction when a call begins (TCP-32). */
#define CREO_FIRST_CREDIT 262144

/* The received items of a call, and the credit of both sides. */
typedef struct creo_stream_items {
    struct creo_items takes;
    /* Whether the method's result is a stream. */
    bool receives;
    /* For each frame its size, in CREO_ITEMS_HEAD bytes, and what followed the call id. Those before `at` were taken. */
    creo_kept kept;
    /* The bytes that the program has not taken, and those that the peer may still send. */
    int64_t held;
    int64_t granted;
    bool gave;
    /* The bytes that may be sent. */
    int64_t credit;
} creo_stream_items;

#define CREO_ITEMS_HEAD 4

struct creo_streaming {
    creo_client *client;
    const creo_method *method;
    const creo_streams *streams;
    /* The options that the interceptors have seen, and how many of them let the call continue. */
    creo_call call;
    size_t begun;
    creo_instant start;
    creo_instant until;
    /* Of the program's `creo_stream`; and of the call. */
    uint32_t number;
    uint32_t id;
    creo_request request;
    creo_stream_items items;
    /* The answer has come; or the call has failed. Items that came before wait for the program. */
    bool answered;
    bool failed;
    /* The program knows the end, and so do the interceptors. */
    bool over;
    creo_answer_body answer;
    creo_error failure;

    /* The items that were written since the last frame was sent. */
    creo_writer writer;
    uint32_t written;
    /* Where the last of them begins. */
    size_t last;
    /* The program has written an item; it has ended its stream; that was sent. */
    bool wrote;
    bool ending;
    bool ended;

    /* The frame whose items are being read, the items left, and the index of the next one. */
    creo_reader reader;
    bool in_frame;
    uint32_t left;
    uint32_t index;
};

/* The call has ended with `failure`: the service is told, unless it knows. Returns false. */
CREO_PRIVATE bool creo_streaming_fail(struct creo_streaming *on);

/* The call of the program's stream, if it is under way; otherwise NULL, with an error. */
CREO_PRIVATE struct creo_streaming *creo_streaming_of(const creo_stream *stream, creo_error *error);

/* Takes what has come, and waits for something if `wait`. False: the call has failed. */
CREO_PRIVATE bool creo_streaming_receive(struct creo_streaming *on, bool wait);

/*
 * Sends frames that are full, or all items that were written and the end of them, as far as there is credit, or waits for that. True unless the call has
 * failed; perhaps it is answered.
 */
CREO_PRIVATE bool creo_streaming_send(struct creo_streaming *on, bool all, bool wait);

/* Whether a whole frame of items waits. */
CREO_PRIVATE bool creo_streaming_has_frame(const struct creo_streaming *on);

/* Gives the peer credit if it has little left and the program has taken items. False: the call has failed. */
CREO_PRIVATE bool creo_streaming_grant(struct creo_streaming *on);

#endif
