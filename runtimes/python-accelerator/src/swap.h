/* Converts numbers between the wire's byte order and the native one. */
#ifndef CREO_SWAP_H
#define CREO_SWAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define CREO_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define CREO_BIG_ENDIAN 0 /* Windows */
#endif

static inline uint16_t swap16(uint16_t n) {
    return (uint16_t)(n << 8 | n >> 8);
}

static inline uint32_t swap32(uint32_t n) {
    return n << 24 | (n & 0xff00) << 8 | (n >> 8 & 0xff00) | n >> 24;
}

static inline uint64_t swap64(uint64_t n) {
    return (uint64_t)swap32((uint32_t)n) << 32 | swap32((uint32_t)(n >> 32));
}

/* Copies `count` numbers of `size` bytes and reverses their bytes, in either direction. Neither need be aligned. */
static inline void copy_numbers(uint8_t *to, const uint8_t *from, size_t count, ptrdiff_t size) {
    if (count == 0)
        return;
    if (CREO_BIG_ENDIAN || size == 1) {
        memcpy(to, from, count * (size_t)size);
    } else if (size == 2) {
        for (size_t i = 0; i < count; i++) {
            uint16_t n;
            memcpy(&n, from + 2 * i, 2);
            n = swap16(n);
            memcpy(to + 2 * i, &n, 2);
        }
    } else if (size == 4) {
        for (size_t i = 0; i < count; i++) {
            uint32_t n;
            memcpy(&n, from + 4 * i, 4);
            n = swap32(n);
            memcpy(to + 4 * i, &n, 4);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            uint64_t n;
            memcpy(&n, from + 8 * i, 8);
            n = swap64(n);
            memcpy(to + 8 * i, &n, 8);
        }
    }
}

#endif
