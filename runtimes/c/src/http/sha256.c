/* SHA-256, by section 6.2 of FIPS 180-4. */
#include "hash.h"

static const uint32_t sha256_constants[64] = {
    UINT32_C(0x428A2F98), UINT32_C(0x71374491), UINT32_C(0xB5C0FBCF), UINT32_C(0xE9B5DBA5),
    UINT32_C(0x3956C25B), UINT32_C(0x59F111F1), UINT32_C(0x923F82A4), UINT32_C(0xAB1C5ED5),
    UINT32_C(0xD807AA98), UINT32_C(0x12835B01), UINT32_C(0x243185BE), UINT32_C(0x550C7DC3),
    UINT32_C(0x72BE5D74), UINT32_C(0x80DEB1FE), UINT32_C(0x9BDC06A7), UINT32_C(0xC19BF174),
    UINT32_C(0xE49B69C1), UINT32_C(0xEFBE4786), UINT32_C(0x0FC19DC6), UINT32_C(0x240CA1CC),
    UINT32_C(0x2DE92C6F), UINT32_C(0x4A7484AA), UINT32_C(0x5CB0A9DC), UINT32_C(0x76F988DA),
    UINT32_C(0x983E5152), UINT32_C(0xA831C66D), UINT32_C(0xB00327C8), UINT32_C(0xBF597FC7),
    UINT32_C(0xC6E00BF3), UINT32_C(0xD5A79147), UINT32_C(0x06CA6351), UINT32_C(0x14292967),
    UINT32_C(0x27B70A85), UINT32_C(0x2E1B2138), UINT32_C(0x4D2C6DFC), UINT32_C(0x53380D13),
    UINT32_C(0x650A7354), UINT32_C(0x766A0ABB), UINT32_C(0x81C2C92E), UINT32_C(0x92722C85),
    UINT32_C(0xA2BFE8A1), UINT32_C(0xA81A664B), UINT32_C(0xC24B8B70), UINT32_C(0xC76C51A3),
    UINT32_C(0xD192E819), UINT32_C(0xD6990624), UINT32_C(0xF40E3585), UINT32_C(0x106AA070),
    UINT32_C(0x19A4C116), UINT32_C(0x1E376C08), UINT32_C(0x2748774C), UINT32_C(0x34B0BCB5),
    UINT32_C(0x391C0CB3), UINT32_C(0x4ED8AA4A), UINT32_C(0x5B9CCA4F), UINT32_C(0x682E6FF3),
    UINT32_C(0x748F82EE), UINT32_C(0x78A5636F), UINT32_C(0x84C87814), UINT32_C(0x8CC70208),
    UINT32_C(0x90BEFFFA), UINT32_C(0xA4506CEB), UINT32_C(0xBEF9A3F7), UINT32_C(0xC67178F2),
};

static uint32_t sha256_right(uint32_t word, unsigned by)
{
    return creo_rotate_left(word, 32 - by);
}

static void sha256_mix(uint32_t *state, uint32_t *words)
{
    uint32_t v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = state[i];
    for (size_t i = 16; i < 64; i++) {
        uint32_t x = words[i - 15];
        uint32_t y = words[i - 2];
        words[i] = words[i - 16] + (sha256_right(x, 7) ^ sha256_right(x, 18) ^ x >> 3) + words[i - 7] + (sha256_right(y, 17) ^ sha256_right(y, 19) ^ y >> 10);
    }
    for (size_t i = 0; i < 64; i++) {
        uint32_t first = v[7] + (sha256_right(v[4], 6) ^ sha256_right(v[4], 11) ^ sha256_right(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha256_constants[i] + words[i];
        uint32_t second = (sha256_right(v[0], 2) ^ sha256_right(v[0], 13) ^ sha256_right(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (size_t j = 7; j > 0; j--)
            v[j] = v[j - 1];
        v[4] += first;
        v[0] = first + second;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

void creo_sha256(const creo_bytes *parts, size_t count, uint8_t digest[CREO_SHA256_SIZE])
{
    creo_hash hash = {{UINT32_C(0x6A09E667), UINT32_C(0xBB67AE85), UINT32_C(0x3C6EF372), UINT32_C(0xA54FF53A), UINT32_C(0x510E527F), UINT32_C(0x9B05688C), UINT32_C(0x1F83D9AB), UINT32_C(0x5BE0CD19)}, sha256_mix, false};
    creo_hash_parts(&hash, parts, count, digest, CREO_SHA256_SIZE);
}
