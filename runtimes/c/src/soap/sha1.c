/* SHA-1, by section 6.1 of RFC 3174. */
#include "sha1.h"

#include "../buffer/copy.h"

#define BLOCK 64

typedef struct sha1 {
    uint32_t state[5];
    uint32_t words[80];
    uint8_t block[BLOCK];
    size_t used;
    uint64_t bits;
} sha1;

static uint32_t sha1_rotate(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

/* Processes the full block. */
static void sha1_block(sha1 *s)
{
    uint32_t *w = s->words;
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)s->block[4 * i] << 24 | (uint32_t)s->block[4 * i + 1] << 16 | (uint32_t)s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
    for (size_t i = 16; i < 80; i++)
        w[i] = sha1_rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = s->state[0];
    uint32_t b = s->state[1];
    uint32_t c = s->state[2];
    uint32_t d = s->state[3];
    uint32_t e = s->state[4];
    for (size_t i = 0; i < 80; i++) {
        uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + UINT32_C(0x5A827999)
                         : i < 40 ? (b ^ c ^ d) + UINT32_C(0x6ED9EBA1)
                         : i < 60 ? ((b & c) | (b & d) | (c & d)) + UINT32_C(0x8F1BBCDC)
                                  : (b ^ c ^ d) + UINT32_C(0xCA62C1D6);
        uint32_t next = sha1_rotate(a, 5) + mixed + e + w[i];
        e = d;
        d = c;
        c = sha1_rotate(b, 30);
        b = a;
        a = next;
    }
    s->state[0] += a;
    s->state[1] += b;
    s->state[2] += c;
    s->state[3] += d;
    s->state[4] += e;
    s->used = 0;
}

static void sha1_byte(sha1 *s, uint8_t byte)
{
    s->block[s->used++] = byte;
    if (s->used == BLOCK)
        sha1_block(s);
}

void creo_sha1(const creo_bytes *parts, size_t count, uint8_t digest[CREO_SHA1_SIZE])
{
    sha1 s = {{UINT32_C(0x67452301), UINT32_C(0xEFCDAB89), UINT32_C(0x98BADCFE), UINT32_C(0x10325476), UINT32_C(0xC3D2E1F0)}, {0}, {0}, 0, 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < parts[i].size; j++)
            sha1_byte(&s, parts[i].data[j]);
        s.bits += (uint64_t)parts[i].size * 8;
    }
    sha1_byte(&s, 0x80);
    while (s.used != BLOCK - 8)
        sha1_byte(&s, 0);
    for (unsigned i = 0; i < 8; i++)
        sha1_byte(&s, (uint8_t)(s.bits >> (56 - 8 * i)));
    for (size_t i = 0; i < CREO_SHA1_SIZE; i++)
        digest[i] = (uint8_t)(s.state[i / 4] >> (24 - 8 * (i % 4)));
    creo_wipe(&s, sizeof s);
}
