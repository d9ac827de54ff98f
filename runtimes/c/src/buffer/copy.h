/* Copies bytes in bulk. Not part of the API. */
#ifndef CREO_SRC_COPY_H
#define CREO_SRC_COPY_H

#include <creo/types.h>

/* The size up to which memcpy copies in words, on every processor. */
#define CREO_COPY_PIECE ((size_t)1024)

/*
 * Copies bytes that do not overlap. For larger copies memcpy may use one instruction. On AMD's Zen 3 and 4 it copies byte by byte, at a 25th of the
 * speed, if the target is less than 32 bytes after the source in the last 12 bits of their addresses. This happens for two large blocks at the same
 * page offset, one of which is a message with a head.
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

/* Overwrites memory that may contain a secret; the compiler cannot remove it. */
static inline void creo_wipe(void *memory, size_t size)
{
    void *(*volatile set)(void *, int, size_t) = memset;
    (void)set(memory, 0, size);
}

#endif
