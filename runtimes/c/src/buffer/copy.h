/* Bytes moved in bulk. Not part of the API. */
#ifndef CREO_SRC_COPY_H
#define CREO_SRC_COPY_H

#include <creo/types.h>

/* memcpy moves up to so many bytes in words, on every processor. */
#define CREO_COPY_PIECE ((size_t)1024)

/*
 * Copies bytes that do not overlap. What memcpy makes of larger copies may be one instruction, and on AMD's Zen 3 and 4 that goes byte by byte, at a 25th of the
 * speed, where the target is less than 32 bytes after the source by the last 12 bits of their addresses: as two large blocks do, from the same place in their
 * pages on, of which one is a message with a head.
 */
static inline void creo_copy(void *to, const void *from, size_t size)
{
    uintptr_t behind = ((uintptr_t)to - (uintptr_t)from) & 0xFFF;
    if (CREO_LIKELY(size <= CREO_COPY_PIECE || behind == 0 || behind >= 32)) {
        memcpy(to, from, size);
        return;
    }
    uint8_t *at = (uint8_t *)to;
    const uint8_t *next = (const uint8_t *)from;
    while (size > 0) {
        size_t piece = size < CREO_COPY_PIECE ? size : CREO_COPY_PIECE;
        memcpy(at, next, piece);
        at += piece;
        next += piece;
        size -= piece;
    }
}

/* Overwrites memory that may hold a secret, though nothing reads it any more. */
static inline void creo_wipe(void *memory, size_t size)
{
    void *(*volatile set)(void *, int, size_t) = memset;
    (void)set(memory, 0, size);
}

#endif
