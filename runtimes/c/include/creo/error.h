/** What went wrong, and where: `spec/errors.md`. */
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
    /** Found on this side alone; no peer may report it. */
    CREO_UNTRUSTED_PEER = 13
} creo_code;

/** A key and a value: one detail of an error, or one piece of metadata. */
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
 * An error. It needs no clean-up. `message`, `place` and `peer` are zero-terminated and have no control characters, whatever
 * the peer sent (ERR-8). The details live in the arena of the call that failed; everything else lives here.
 */
typedef struct creo_error {
    creo_code code;
    /** The peer reported the error; otherwise it was found on this side. */
    bool from_peer;
    bool has_offset;
    /** The byte of the body, if `has_offset`. */
    uint64_t offset;
    /** The place in the value, such as `$.data[3].metadata`, or empty. */
    char place[CREO_PLACE_SIZE];
    char message[CREO_MESSAGE_SIZE];
    /** Address of the other side of the connection, or empty. */
    char peer[CREO_PEER_SIZE];
    /** Name of the limit that was exceeded, if this side found that, or NULL; and what the limit allows. */
    const char *limit;
    uint64_t allowed;
    /** What the peer said beside its message (ERR-4, ERR-5). */
    const creo_pair *details;
    size_t detail_count;
} creo_error;

/** The word for a code: `malformed`, `too-large`; `ok` for CREO_OK and `internal` for a number that is not known (ERR-2). */
const char *creo_code_name(creo_code code);

/** No error. Functions that fail set all members; those that succeed leave the error as it was. */
void creo_error_clear(creo_error *error);

/** The value of a detail that the peer sent, or an empty text with a NULL pointer. */
creo_string creo_error_detail(const creo_error *error, const char *key);

/** Room for any text of `creo_error_format`. */
#define CREO_ERROR_TEXT 1400

/** Writes `code: message (at place, byte offset)` (ERR-7), cut if it does not fit. Returns `text`. */
const char *creo_error_format(const creo_error *error, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
