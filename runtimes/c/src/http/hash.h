/* MD5 (RFC 1321) and SHA-256 (FIPS 180-4) for digest authentication (HTTP-50), and what they share with SHA-1. Not part of the API. */
#ifndef CREO_SRC_HASH_H
#define CREO_SRC_HASH_H

#include <creo/types.h>

#include "../base/internal.h"

#define CREO_MD5_SIZE 16
#define CREO_SHA256_SIZE 32

#define CREO_HASH_BLOCK 64

/* A hash over blocks of 64 bytes, with its length in bits at the end. */
typedef struct creo_hash {
    uint32_t state[8];
    /* Mixes a block, which `words` begins with, into the state. */
    void (*mix)(uint32_t *state, uint32_t *words);
    /* The bytes of a word and of the length come with the least one first. */
    bool little;
} creo_hash;

/* The digest of concatenated byte strings, of `size` bytes. Leaves no copy of them in memory. */
CREO_PRIVATE void creo_hash_parts(creo_hash *hash, const creo_bytes *parts, size_t count, uint8_t *digest, size_t size);

CREO_PRIVATE void creo_md5(const creo_bytes *parts, size_t count, uint8_t digest[CREO_MD5_SIZE]);
CREO_PRIVATE void creo_sha256(const creo_bytes *parts, size_t count, uint8_t digest[CREO_SHA256_SIZE]);

static inline uint32_t creo_rotate_left(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

#endif
