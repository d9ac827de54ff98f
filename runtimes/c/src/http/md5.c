/* MD5, by section 3.4 of RFC 1321. It is not safe for signatures. */
#include "hash.h"

static const uint32_t md5_sines[64] = {
    UINT32_C(0xD76AA478), UINT32_C(0xE8C7B756), UINT32_C(0x242070DB), UINT32_C(0xC1BDCEEE),
    UINT32_C(0xF57C0FAF), UINT32_C(0x4787C62A), UINT32_C(0xA8304613), UINT32_C(0xFD469501),
    UINT32_C(0x698098D8), UINT32_C(0x8B44F7AF), UINT32_C(0xFFFF5BB1), UINT32_C(0x895CD7BE),
    UINT32_C(0x6B901122), UINT32_C(0xFD987193), UINT32_C(0xA679438E), UINT32_C(0x49B40821),
    UINT32_C(0xF61E2562), UINT32_C(0xC040B340), UINT32_C(0x265E5A51), UINT32_C(0xE9B6C7AA),
    UINT32_C(0xD62F105D), UINT32_C(0x02441453), UINT32_C(0xD8A1E681), UINT32_C(0xE7D3FBC8),
    UINT32_C(0x21E1CDE6), UINT32_C(0xC33707D6), UINT32_C(0xF4D50D87), UINT32_C(0x455A14ED),
    UINT32_C(0xA9E3E905), UINT32_C(0xFCEFA3F8), UINT32_C(0x676F02D9), UINT32_C(0x8D2A4C8A),
    UINT32_C(0xFFFA3942), UINT32_C(0x8771F681), UINT32_C(0x6D9D6122), UINT32_C(0xFDE5380C),
    UINT32_C(0xA4BEEA44), UINT32_C(0x4BDECFA9), UINT32_C(0xF6BB4B60), UINT32_C(0xBEBFBC70),
    UINT32_C(0x289B7EC6), UINT32_C(0xEAA127FA), UINT32_C(0xD4EF3085), UINT32_C(0x04881D05),
    UINT32_C(0xD9D4D039), UINT32_C(0xE6DB99E5), UINT32_C(0x1FA27CF8), UINT32_C(0xC4AC5665),
    UINT32_C(0xF4292244), UINT32_C(0x432AFF97), UINT32_C(0xAB9423A7), UINT32_C(0xFC93A039),
    UINT32_C(0x655B59C3), UINT32_C(0x8F0CCC92), UINT32_C(0xFFEFF47D), UINT32_C(0x85845DD1),
    UINT32_C(0x6FA87E4F), UINT32_C(0xFE2CE6E0), UINT32_C(0xA3014314), UINT32_C(0x4E0811A1),
    UINT32_C(0xF7537E82), UINT32_C(0xBD3AF235), UINT32_C(0x2AD7D2BB), UINT32_C(0xEB86D391),
};

static void md5_mix(uint32_t *state, uint32_t *words)
{
    static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint8_t steps[4] = {1, 5, 3, 7};
    static const uint8_t starts[4] = {0, 1, 5, 0};
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    for (size_t i = 0; i < 64; i++) {
        size_t round = i / 16;
        uint32_t mixed = round == 0 ? (b & c) | (~b & d) : round == 1 ? (b & d) | (c & ~d) : round == 2 ? b ^ c ^ d : c ^ (b | ~d);
        uint32_t sum = a + mixed + words[(starts[round] + steps[round] * (i % 16)) % 16] + md5_sines[i];
        a = d;
        d = c;
        c = b;
        b += creo_rotate_left(sum, shifts[round][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void creo_md5(const creo_bytes *parts, size_t count, uint8_t digest[CREO_MD5_SIZE])
{
    creo_hash hash = {{UINT32_C(0x67452301), UINT32_C(0xEFCDAB89), UINT32_C(0x98BADCFE), UINT32_C(0x10325476)}, md5_mix, true};
    creo_hash_parts(&hash, parts, count, digest, CREO_MD5_SIZE);
}
