/**
 * Reads values of the binary wire from complete input: `spec/wires/binary.md`.
 *
 * A reader does not trust its input. It never reads outside the given bytes, allocates memory only after it has seen the bytes that justify it
 * (BIN-5), and reports the first error with its path and offset.
 */
#ifndef CREO_READER_H
#define CREO_READER_H

#include <creo/arena.h>
#include <creo/error.h>
#include <creo/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct creo_reader {
    const uint8_t *at;
    /** The end of the enclosing region (BIN-8), or of the body. */
    const uint8_t *end;
    const uint8_t *start;
    creo_arena *arena;
    creo_error *error;
    /** The root of paths: `$`, `$result` or `$exception`. */
    const char *root;
    creo_keep keep;
    uint32_t depth_left;
    uint32_t empty_left;
    uint32_t max_depth;
    uint32_t max_empty_items;
    /** The memory that the message may still take, and its limit (LIM-18). */
    uint64_t memory_left;
    uint64_t max_memory;
} creo_reader;

/**
 * A reader of a body. `limits` may be NULL for the defaults, `error` may be NULL. Returns false, with an error, if the body alone exceeds LIM-18. The
 * caller must refuse a body above LIM-1.
 */
bool creo_reader_init(creo_reader *reader, creo_bytes body, creo_keep keep, creo_arena *arena, const creo_limits *limits, creo_error *error);

/** Fails with `malformed` if bytes are left (BIN-14). */
bool creo_reader_finish(creo_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
