/* SHA-1, by section 6.1 of RFC 3174. */
#include "sha1.h"

#include "../http/hash.h"

static void sha1_mix(uint32_t *state, uint32_t *w)
{
    for (size_t i = 16; i < 80; i++)
        w[i] = creo_rotate_left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    uint32_t e = state[4];
    for (size_t i = 0; i < 80; i++) {
        uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + UINT32_C(0x5A827999)
                         : i < 40 ? (b ^ c ^ d) + UINT32_C(0x6ED9EBA1)
                         : i < 60 ? ((b & c) | (b & d) | (c & d)) + UINT32_C(0x8F1BBCDC)
                                  : (b ^ c ^ d) + UINT32_C(0xCA62C1D6);
        uint32_t next = creo_rotate_left(a, 5) + mixed + e + w[i];
        e = d;
        d = c;
        c = creo_rotate_left(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void creo_sha1(const creo_bytes *parts, size_t count, uint8_t digest[CREO_SHA1_SIZE])
{
    creo_hash hash = {{UINT32_C(0x67452301), UINT32_C(0xEFCDAB89), UINT32_C(0x98BADCFE), UINT32_C(0x10325476), UINT32_C(0xC3D2E1F0)}, sha1_mix, false};
    creo_hash_parts(&hash, parts, count, digest, CREO_SHA1_SIZE);
}
