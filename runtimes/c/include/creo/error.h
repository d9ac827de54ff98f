/** Errors and their position: `spec/errors.md`. */
#ifndef CREO_ERROR_H
#define CREO_ERROR_H

#include <creo/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The closed list of error codes (ERR-1). */
typedef enum creo_code {
    CREO_OK = 0,
    CREO_MALFORMED = 1,
    CREO_INVALID_VALUE = 2,
    CREO_TOO_LARGE = 3,
    CREO_UNKNOWN_METHOD = 4,
    CREO_DEADLINE_EXCEEDED = 5,
    CREO_CANCELLED = 6,
    CREO_UNAVAILABLE = 7,
    CREO_OVERLOADED = 8,
    CREO_UNAUTHENTICATED = 9,
    CREO_PERMISSION_DENIED = 10,
    CREO_PROTOCOL_MISMATCH = 11,
    CREO_INTERNAL = 12,
    /** Detected only on this side; no peer may report it. */
    CREO_UNTRUSTED_PEER = 13
} creo_code;

/** A key and a value: a detail of an error, or a metadata entry. */
typedef struct creo_pair {
    creo_string key;
    creo_string value;
} creo_pair;

/** The value of the first pair with that key, or an empty text with a NULL pointer. */
creo_string creo_pairs_find(const creo_pair *pairs, size_t count, const char *key);

#define CREO_MESSAGE_SIZE 1024
#define CREO_PLACE_SIZE 256
#define CREO_PEER_SIZE 128

/**
 * An error. It needs no clean-up. `message`, `place` and `peer` are zero-terminated and have no control characters, even in text from the peer
 * (ERR-8). The details are in the arena of the failed call; everything else is stored here.
 */
typedef struct creo_error {
    creo_code code;
    /** The peer reported the error; otherwise this side detected it. */
    bool from_peer;
    /** The method has not begun to run (CALL-21): no attempt wrote a byte of the request, or the peer says so. False leaves it open. */
    bool not_started;
    bool has_offset;
    /** The offset in the body, if `has_offset`. */
    uint64_t offset;
    /** The path in the value, such as `$.data[3].metadata`, or empty. */
    char place[CREO_PLACE_SIZE];
    char message[CREO_MESSAGE_SIZE];
    /** The peer's address, or empty. */
    char peer[CREO_PEER_SIZE];
    /** The exceeded limit's name and value, if this side detected it; otherwise NULL. */
    const char *limit;
    uint64_t allowed;
    /** The peer asks to come again after so many milliseconds (CALL-24); 0: it did not. */
    uint32_t retry_after_ms;
    /** How often the call was attempted (CALL-26); 0 if an interceptor refused it, or if the error is of no call. */
    uint32_t attempts;
    /** The peer's details in addition to its message (ERR-4, ERR-5). */
    const creo_pair *details;
    size_t detail_count;
} creo_error;

/** The word of a code: `malformed`, `too-large`; `ok` for CREO_OK and `internal` for an unknown number (ERR-2). */
const char *creo_code_name(creo_code code);

/** Clears the error. Functions that fail set all members; those that succeed do not change it. */
void creo_error_clear(creo_error *error);

/** The value of a detail from the peer, or an empty text with a NULL pointer. */
creo_string creo_error_detail(const creo_error *error, const char *key);

/** Room for any text of `creo_error_format`. */
#define CREO_ERROR_TEXT 1400

/** Writes `code: message (at path, byte offset)` (ERR-7), truncated if necessary. Returns `text`. */
const char *creo_error_format(const creo_error *error, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
