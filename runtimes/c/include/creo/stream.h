/**
 * Streams of items (CALL-40 to CALL-47), over TCP with the binary wire, and over JMS those that are results. Generated functions open them, and read and
 * write items of the right type.
 *
 * A call with streams is under way from its opening until its end was read, it failed, or it was closed. Until then its client makes no other call. The
 * memory that it needs is the client's: the items that wait for the program take at most `limits.stream_window` and a frame, or over JMS two messages.
 */
#ifndef CREO_STREAM_H
#define CREO_STREAM_H

#include <creo/channel.h>

/** This copy of the runtime has streams. */
#define CREO_HAS_STREAMS 1

#ifdef __cplusplus
extern "C" {
#endif

/** A call with streams. It has nothing to be freed, but must be closed before its client is freed. All members are private. */
typedef struct creo_stream {
    creo_client *client;
    uint32_t number;
} creo_stream;

/**
 * Sends the items that were written and wait to be sent together. Reading an item or the end of the call does this itself. It does not wait for the service
 * to take earlier items: then they are sent when it has.
 */
bool creo_stream_flush(creo_stream *stream, creo_error *error);

/** The same, and then the end of the items that this side writes. Reading goes on. A function `..._finish` does this itself. */
bool creo_stream_end(creo_stream *stream, creo_error *error);

/** What can be done without waiting for the service. */
enum { CREO_STREAM_READ = 1, CREO_STREAM_WRITE = 2 };

/**
 * Waits until an item, or the end of the call, can be read, or an item can be written, and says which: one or both. A program that both writes and reads
 * uses it, unless it knows that an item comes for each that it writes: otherwise it may wait for the service in writing, while that waits for the program to
 * read.
 */
unsigned creo_stream_ready(creo_stream *stream);

/**
 * Ends the call if it is under way: the service is told, and what it still sends is dropped. After the end of the call, and for a stream that was not
 * opened, it does nothing. Does not wait.
 */
void creo_stream_close(creo_stream *stream);

/*
 * What generated functions have and call.
 */

/** The streams of a method. */
typedef struct creo_streams {
    /** Writes an item of the stream that is the last parameter; NULL if there is none. */
    bool (*encode_item)(creo_writer *writer, const void *item);
    /** Reads an item of the stream that is the result into the caller's outcome; NULL if there is none. */
    bool (*decode_item)(creo_reader *reader, void *outcome);
    /** The min size of such an item in bytes, and what the message is charged for each (LIM-18). */
    uint32_t min_size;
    uint32_t charge;
} creo_streams;

/** Opens the call's streams: returns when the request is written. If it fails, there is nothing to close. */
bool creo_stream_open(creo_stream *stream, creo_client *client, const creo_method *method, const creo_streams *streams, const void *arguments, creo_error *error);

/**
 * Writes an item; waits while 65,536 bytes were written that the service takes no more of. Small items are sent together, as many bytes in a frame. False: the call has ended, and reading its result,
 * or its next item, says how. An item that cannot be written ends the call.
 */
bool creo_stream_write(creo_stream *stream, const void *item, creo_error *error);

/** Reads an item, or what the method has answered after the last one, into the outcome. False: the call has failed. */
bool creo_stream_next(creo_stream *stream, creo_arena *arena, void *outcome, creo_error *error);

/** For a method whose result is no stream: ends the stream that this side writes, and reads what the method has answered into the outcome, which is NULL for void. */
bool creo_stream_finish(creo_stream *stream, creo_arena *arena, void *outcome, creo_error *error);

#ifdef __cplusplus
}
#endif

#endif
