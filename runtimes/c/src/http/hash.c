/* What MD5, SHA-1 and SHA-256 have in common: blocks, padding and the length. */
#include "hash.h"

#include "../buffer/copy.h"

typedef struct hash_input {
    creo_hash *hash;
    uint32_t words[80];
    uint8_t block[CREO_HASH_BLOCK];
    size_t used;
} hash_input;

static unsigned hash_shift(const creo_hash *hash, size_t byte, size_t size)
{
    return (unsigned)(8 * (hash->little ? byte : size - 1 - byte));
}

static void hash_byte(hash_input *in, uint8_t byte)
{
    in->block[in->used++] = byte;
    if (in->used != CREO_HASH_BLOCK)
        return;
    for (size_t i = 0; i < CREO_HASH_BLOCK / 4; i++) {
        in->words[i] = 0;
        for (size_t j = 0; j < 4; j++)
            in->words[i] |= (uint32_t)in->block[4 * i + j] << hash_shift(in->hash, j, 4);
    }
    in->hash->mix(in->hash->state, in->words);
    in->used = 0;
}

void creo_hash_parts(creo_hash *hash, const creo_bytes *parts, size_t count, uint8_t *digest, size_t size)
{
    hash_input in = {hash, {0}, {0}, 0};
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < parts[i].size; j++)
            hash_byte(&in, parts[i].data[j]);
        bits += (uint64_t)parts[i].size * 8;
    }
    hash_byte(&in, 0x80);
    while (in.used != CREO_HASH_BLOCK - 8)
        hash_byte(&in, 0);
    for (size_t i = 0; i < 8; i++)
        hash_byte(&in, (uint8_t)(bits >> hash_shift(hash, i, 8)));
    for (size_t i = 0; i < size; i++)
        digest[i] = (uint8_t)(hash->state[i / 4] >> hash_shift(hash, i % 4, 4));
    creo_wipe(&in, sizeof in);
    creo_wipe(hash, sizeof *hash);
}
