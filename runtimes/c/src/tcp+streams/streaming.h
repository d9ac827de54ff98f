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

struct creo_streaming;

/* What carries the streams of calls. Functions that return a bool return false if the call has failed, unless they say otherwise. */
struct creo_carrier {
    /* Sends the request up to the items, at one address. The state of the call is the client's. */
    bool (*open)(creo_client *client, const void *arguments, creo_error *error);
    /* The call has failed, or was closed: the service is told, unless it knows. */
    void (*give_up)(struct creo_streaming *on);
    /* Takes what has come, and waits for something if `wait`. */
    bool (*receive)(struct creo_streaming *on, bool wait);
    /* Sends what is full, or all items that were written and the end of them, without waiting for the service unless `wait`. True also if it has answered. */
    bool (*send)(struct creo_streaming *on, bool all, bool wait);
    /* Writes an item behind the others. */
    bool (*put)(struct creo_streaming *on, const void *item);
    /* What can be done without waiting for the service: reading, writing, or both. */
    unsigned (*ready)(const struct creo_streaming *on);
    /* Reads the next item that has come. False: none has, or the call has failed. */
    bool (*take)(struct creo_streaming *on, creo_arena *arena, void *outcome);
    /* Reads the answer, whose body is in the arena. False: it is an error. */
    bool (*read)(struct creo_streaming *on, creo_bytes body, creo_arena *arena, void *outcome, creo_error *error);
    /* For `creo_frames_take`: the items of a frame were read, and the peer may send more. */
    bool (*grant)(struct creo_streaming *on);
};

struct creo_streaming {
    const struct creo_carrier *carrier;
    creo_client *client;
    const creo_method *method;
    const creo_streams *streams;
    /* The options that the interceptors have seen, and how many of them let the call continue. */
    creo_call call;
    size_t begun;
    creo_instant start;
    creo_instant until;
    /* Of the program's `creo_stream`. */
    uint32_t number;
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

    /* Of a call over TCP: its id and request, the frame whose items are being read, the items left, and the index of the next one. */
    uint32_t id;
    creo_request request;
    creo_stream_items items;
    creo_reader reader;
    bool in_frame;
    uint32_t left;
    uint32_t index;
    /* A frame is sent in part: until its end, nothing else may be written to the connection. */
    bool half;
    /* What another carrier keeps. */
    void *own;
};

/* The call has ended with `failure`. Returns false. */
CREO_MODULE bool creo_streaming_fail(struct creo_streaming *on);

/* The same for an item that was not written, or is too large: the place in `failure` begins with `root` instead of `$`. */
CREO_PRIVATE bool creo_streaming_refuse(struct creo_streaming *on, bool too_large, const char *root);

/* The call of the program's stream, if it is under way; otherwise NULL, with an error. */
CREO_PRIVATE struct creo_streaming *creo_streaming_of(const creo_stream *stream, creo_error *error);

/*
 * The service refused the call with `failure` before it did anything: another address may take it (CALL-45). False: none did, and `failure` says why; or it is
 * not of that kind.
 */
CREO_PRIVATE bool creo_streaming_moves(struct creo_streaming *on);

/* The functions of the carrier over TCP. */
CREO_PRIVATE bool creo_frames_open(creo_client *client, const void *arguments, creo_error *error);
CREO_PRIVATE void creo_frames_give_up(struct creo_streaming *on);
CREO_PRIVATE bool creo_frames_receive(struct creo_streaming *on, bool wait);
CREO_PRIVATE bool creo_frames_send(struct creo_streaming *on, bool all, bool wait);
CREO_PRIVATE bool creo_frames_put(struct creo_streaming *on, const void *item);

/* Those that modules share, whose items are kept as `on->items` says. */
CREO_MODULE bool creo_frames_take(struct creo_streaming *on, creo_arena *arena, void *outcome);
CREO_MODULE bool creo_frames_read(struct creo_streaming *on, creo_bytes body, creo_arena *arena, void *outcome, creo_error *error);

/* Whether the items that were written fill a frame. */
CREO_PRIVATE bool creo_frames_full(const struct creo_streaming *on);

/* Whether a whole frame of items waits. */
CREO_MODULE bool creo_frames_has_items(const struct creo_streaming *on);

/* Gives the peer credit if it has little left and the program has taken items. False: the call has failed. */
CREO_PRIVATE bool creo_frames_grant(struct creo_streaming *on);

#endif
