/** What the C peers share: the workloads, and the functions that a peer gives. */
#ifndef CREO_BENCH_H
#define CREO_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum workload { NUMBERS, STRINGS, TEXTS, BYTES, REALS, WORKLOADS };

struct block {
    double d;
    int16_t s;
};

struct text {
    const char *data;
    size_t size;
};

/** The values of one workload, the same in every language of the benchmark. Only the array of the workload is there. */
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

extern const char *const workload_names[WORKLOADS];

/** Values for a payload of `size` bytes. They live until the program ends. */
const struct values *values_of(enum workload workload, size_t size);

/**
 * One peer. `create` makes its objects ready, as a program would hold them. `serialize` writes them to `out`, which has room for `capacity`
 * bytes, and returns the size. `deserialize` makes objects of bytes, `release` gives their memory back: both are timed together, as no
 * program can do the one without the other. All functions return 0 or NULL when they fail.
 */
struct peer {
    const char *name;
    void *(*create)(const struct values *values);
    size_t (*serialize)(void *state, uint8_t *out, size_t capacity);
    void *(*deserialize)(void *state, const uint8_t *bytes, size_t size);
    void (*release)(void *state, void *decoded);
    /** Whether the decoded objects hold the values. */
    bool (*same)(const struct values *values, const void *decoded);
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

/** Memory, or the end of the program. */
void *must(void *memory);

#ifdef __cplusplus
}
#endif

#endif
