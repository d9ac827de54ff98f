/* Copies numbers in bulk. Not part of the API. */
#ifndef CREO_SRC_BULK_H
#define CREO_SRC_BULK_H

#include <creo/codegen/write.h>

/* Sixteen bytes at once: a loop of single numbers takes two or three times as long, depending on its alignment. */
#if defined(__has_builtin) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#if __has_builtin(__builtin_shufflevector)
#define CREO_SWAP_VECTORS
typedef uint16_t creo_words __attribute__((__vector_size__(16)));

static inline creo_words creo_swapped_words(const uint8_t *from)
{
    creo_words words;
    memcpy(&words, from, sizeof words);
    return (words << 8) | (words >> 8);
}
#endif
#endif

#ifdef CREO_SWAP_VECTORS
#define CREO_SWAP_SIXTEEN(to, from, ...)                                                                                                             \
    do {                                                                                                                                             \
        creo_words words = creo_swapped_words(from);                                                                                                 \
        words = __builtin_shufflevector(words, words, __VA_ARGS__);                                                                                  \
        memcpy(to, &words, sizeof words);                                                                                                            \
    } while (0)
#define CREO_SWAP_BLOCKS(...)                                                                                                                        \
    for (; size - i >= 64; i += 64) {                                                                                                                \
        CREO_SWAP_SIXTEEN(to + i, from + i, __VA_ARGS__);                                                                                            \
        CREO_SWAP_SIXTEEN(to + i + 16, from + i + 16, __VA_ARGS__);                                                                                  \
        CREO_SWAP_SIXTEEN(to + i + 32, from + i + 32, __VA_ARGS__);                                                                                  \
        CREO_SWAP_SIXTEEN(to + i + 48, from + i + 48, __VA_ARGS__);                                                                                  \
    }                                                                                                                                                \
    for (; size - i >= 16; i += 16)                                                                                                                  \
    CREO_SWAP_SIXTEEN(to + i, from + i, __VA_ARGS__)
#else
#define CREO_SWAP_BLOCKS(...) (void)0
#endif

/*
 * Copies numbers of this many bytes from native to wire order, or back, which is the same. Neither need be aligned. The rest after the blocks, or
 * everything without blocks, is copied number by number.
 */
#define CREO_SWAP(bytes, bits, ...)                                                                                                                  \
    static inline void creo_swap##bytes(uint8_t *CREO_RESTRICT to, const uint8_t *CREO_RESTRICT from, size_t count)                                  \
    {                                                                                                                                                \
        size_t size = count * (bytes);                                                                                                               \
        size_t i = 0;                                                                                                                                \
        CREO_SWAP_BLOCKS(__VA_ARGS__);                                                                                                               \
        for (; i < size; i += (bytes)) {                                                                                                             \
            uint##bits##_t number;                                                                                                                   \
            memcpy(&number, from + i, sizeof number);                                                                                                \
            creo_put_u##bits(to + i, number);                                                                                                        \
        }                                                                                                                                            \
    }

CREO_SWAP(2, 16, 0, 1, 2, 3, 4, 5, 6, 7)
CREO_SWAP(4, 32, 1, 0, 3, 2, 5, 4, 7, 6)
CREO_SWAP(8, 64, 3, 2, 1, 0, 7, 6, 5, 4)

#undef CREO_SWAP
#undef CREO_SWAP_BLOCKS
#undef CREO_SWAP_SIXTEEN

#endif
