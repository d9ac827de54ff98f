/** Shared by the peers of the binary wire: the workloads. */
#ifndef CREO_BENCH_WIRE_H
#define CREO_BENCH_WIRE_H

#include "bench.h"

enum workload { NUMBERS, STRINGS, TEXTS, BYTES, REALS, WORKLOADS };

struct block {
    double d;
    int16_t s;
};

struct text {
    const char *data;
    size_t size;
};

/** Only the array of the workload is there. */
struct values {
    enum workload workload;
    /** Bytes of the payload, and items that make them up. */
    size_t size;
    size_t count;
    struct block *blocks;
    struct text *texts;
    uint8_t *bytes;
    double *reals;
};

extern const struct peer creo_peer;
extern const struct peer creo_borrow_peer;
extern const struct peer hand_peer;
extern const struct peer thrift_binary_peer;
extern const struct peer thrift_compact_peer;
extern const struct peer protobuf_peer;
extern const struct peer protobuf_prebuilt_peer;
extern const struct peer protobuf_arena_peer;
extern const struct peer nanopb_peer;

#endif
