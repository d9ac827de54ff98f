/*
 * Compression for the runtime, which saves the peer a library: streams are written uncompressed (RFC 1951, 3.2.4), and read completely before they
 * are expanded with the simplest decoder.
 */
#include "peer.h"

#include <stdlib.h>

static uint32_t crc_of(const uint8_t *at, size_t size)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
    }
    return ~crc;
}

static size_t bound(void *context, size_t size)
{
    (void)context;
    return size + size / 65535 * 5 + 5 + 18;
}

static uint8_t *put32(uint8_t *to, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        *to++ = (uint8_t)(number >> (8 * i) & 0xFF);
    return to;
}

static size_t compress(void *context, const void *from, size_t size, void *into, size_t room)
{
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255};
    const uint8_t *at = (const uint8_t *)from;
    uint8_t *to = (uint8_t *)into;
    if (room < bound(context, size))
        return 0;
    memcpy(to, head, sizeof head);
    to += sizeof head;
    size_t left = size;
    do {
        size_t block = left < 65535 ? left : 65535;
        *to++ = block == left ? 1 : 0;
        *to++ = (uint8_t)(block & 0xFF);
        *to++ = (uint8_t)(block >> 8);
        *to++ = (uint8_t)(~block & 0xFF);
        *to++ = (uint8_t)(~block >> 8 & 0xFF);
        memcpy(to, at, block);
        to += block;
        at += block;
        left -= block;
    } while (left > 0);
    to = put32(put32(to, crc_of((const uint8_t *)from, size)), (uint32_t)size);
    return (size_t)(to - (uint8_t *)into);
}

/* The bits of a stream; `wrong` when they end. */
typedef struct bits {
    const uint8_t *at;
    const uint8_t *end;
    unsigned used;
    bool wrong;
} bits;

static unsigned take(bits *in, unsigned count)
{
    unsigned value = 0;
    for (unsigned i = 0; i < count; i++) {
        if (in->at == in->end) {
            in->wrong = true;
            return 0;
        }
        value |= (unsigned)(*in->at >> in->used & 1) << i;
        if (++in->used == 8) {
            in->used = 0;
            in->at++;
        }
    }
    return value;
}

/* Codes by their lengths: how many of each length, and the symbols in order. */
typedef struct codes {
    unsigned counts[16];
    unsigned symbols[288];
} codes;

static void make(codes *made, const uint8_t *lengths, unsigned count)
{
    unsigned next[16] = {0};
    memset(made, 0, sizeof *made);
    for (unsigned i = 0; i < count; i++)
        made->counts[lengths[i]]++;
    made->counts[0] = 0;
    for (unsigned length = 1; length < 15; length++)
        next[length + 1] = next[length] + made->counts[length];
    for (unsigned i = 0; i < count; i++)
        if (lengths[i] != 0)
            made->symbols[next[lengths[i]]++] = i;
}

static unsigned decode(bits *in, const codes *by)
{
    int code = 0;
    int first = 0;
    int index = 0;
    for (unsigned length = 1; length < 16 && !in->wrong; length++) {
        code |= (int)take(in, 1);
        int count = (int)by->counts[length];
        if (code - count < first)
            return by->symbols[index + (code - first)];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    in->wrong = true;
    return 0;
}

static void put(peer_gzip *out, uint8_t byte)
{
    if (out->size == out->room) {
        out->room = out->room == 0 ? 65536 : out->room * 2;
        out->data = (uint8_t *)realloc(out->data, out->room);
        if (out->data == NULL)
            abort();
    }
    out->data[out->size++] = byte;
}

static void copy_codes(bits *in, peer_gzip *out, const codes *literals, const codes *distances)
{
    static const unsigned sizes[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned size_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const unsigned backs[] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const unsigned back_bits[] = {0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    while (!in->wrong) {
        unsigned symbol = decode(in, literals);
        if (symbol < 256) {
            put(out, (uint8_t)symbol);
            continue;
        }
        if (symbol == 256)
            return;
        unsigned size = symbol > 285 ? 0 : sizes[symbol - 257] + take(in, size_bits[symbol - 257]);
        unsigned code = decode(in, distances);
        unsigned back = code > 29 ? 0 : backs[code] + take(in, back_bits[code]);
        in->wrong = in->wrong || size == 0 || back == 0 || back > out->size;
        for (; !in->wrong && size > 0; size--)
            put(out, out->data[out->size - back]);
    }
}

static void read_codes(bits *in, codes *literals, codes *distances)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320] = {0};
    unsigned literal_count = take(in, 5) + 257;
    unsigned distance_count = take(in, 5) + 1;
    unsigned count = take(in, 4) + 4;
    for (unsigned i = 0; i < count; i++)
        lengths[order[i]] = (uint8_t)take(in, 3);
    codes by;
    make(&by, lengths, 19);
    memset(lengths, 0, sizeof lengths);
    for (unsigned i = 0; i < literal_count + distance_count && !in->wrong;) {
        unsigned symbol = decode(in, &by);
        unsigned times = symbol < 16 ? 1 : symbol == 16 ? 3 + take(in, 2) : symbol == 17 ? 3 + take(in, 3) : 11 + take(in, 7);
        unsigned length = symbol < 16 ? symbol : symbol == 16 && i > 0 ? lengths[i - 1] : 0;
        for (; times > 0 && i < literal_count + distance_count; times--)
            lengths[i++] = (uint8_t)length;
    }
    make(literals, lengths, literal_count < 288 ? literal_count : 288);
    make(distances, lengths + literal_count, distance_count);
}

static bool inflate(bits *in, peer_gzip *out)
{
    bool last = false;
    while (!last && !in->wrong) {
        codes literals;
        codes distances;
        uint8_t lengths[288];
        last = take(in, 1) != 0;
        switch (take(in, 2)) {
        case 0: {
            if (in->used != 0) {
                in->used = 0;
                in->at++;
            }
            unsigned size = take(in, 16);
            in->wrong = in->wrong || size != (take(in, 16) ^ 0xFFFF);
            for (; size > 0 && !in->wrong; size--)
                put(out, (uint8_t)take(in, 8));
            break;
        }
        case 1:
            for (unsigned i = 0; i < 288; i++)
                lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
            make(&literals, lengths, 288);
            memset(lengths, 5, 30);
            make(&distances, lengths, 30);
            copy_codes(in, out, &literals, &distances);
            break;
        case 2:
            read_codes(in, &literals, &distances);
            copy_codes(in, out, &literals, &distances);
            break;
        default:
            in->wrong = true;
            break;
        }
    }
    return !in->wrong;
}

static bool begin(void *context)
{
    peer_gzip *state = (peer_gzip *)context;
    memset(state, 0, sizeof *state);
    return true;
}

static creo_gzip_state expand(void *context, const uint8_t **from, const uint8_t *end, uint8_t **into, uint8_t *room_end)
{
    peer_gzip *state = (peer_gzip *)context;
    if (!state->expanded) {
        /* The caller has the complete stream. Headers with names are not written by the peers of this program. */
        const uint8_t *at = *from;
        if (end - at < 18 || at[0] != 0x1F || at[1] != 0x8B || at[2] != 8 || at[3] != 0)
            return CREO_GZIP_FAILED;
        bits in = {at + 10, end, 0, false};
        if (!inflate(&in, state))
            return CREO_GZIP_FAILED;
        in.at += in.used != 0 ? 1 : 0;
        in.used = 0;
        uint32_t crc = take(&in, 16);
        crc |= (uint32_t)take(&in, 16) << 16;
        uint32_t size = take(&in, 16);
        size |= (uint32_t)take(&in, 16) << 16;
        if (in.wrong || crc != crc_of(state->data, state->size) || size != (uint32_t)state->size)
            return CREO_GZIP_FAILED;
        *from = in.at;
        state->expanded = true;
    }
    size_t room = (size_t)(room_end - *into);
    size_t left = state->size - state->given;
    size_t count = left < room ? left : room;
    if (count != 0)
        memcpy(*into, state->data + state->given, count);
    *into += count;
    state->given += count;
    return state->given == state->size ? CREO_GZIP_DONE : CREO_GZIP_MORE;
}

static void finish(void *context)
{
    free(((peer_gzip *)context)->data);
}

creo_gzip peer_gzip_lend(peer_gzip *state)
{
    creo_gzip lent = {state, bound, compress, begin, expand, finish};
    return lent;
}
