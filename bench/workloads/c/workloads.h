/** What the peers of the workloads share: the values, the functions that a peer gives, memory, and the digest by which what they give back is compared. */
#ifndef CREO_BENCH_WORKLOADS_H
#define CREO_BENCH_WORKLOADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <workloads.creo.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kind { ORDERS, TELEMETRY, DOCUMENT };

union message {
    workloads_orders orders;
    workloads_telemetry telemetry;
    workloads_document document;
};

/** The values of a workload in a program; every text ends with a zero. */
struct source {
    enum kind kind;
    union message message;
};

/** Memory that is given back all at once. */
struct bump {
    uint8_t *memory;
    size_t size;
    size_t used;
};

/** Room for `count` things of `size` bytes, or the end of the program. */
void *take(struct bump *bump, size_t count, size_t size);

/**
 * One peer. `create` makes what is kept between calls. `build` makes a message of the values, which `discard` gives back; `encode` writes it to `out` and returns its size. `decode` makes a
 * message of bytes, which `release` gives back. `read` reads every field of it. All functions return 0 or NULL when they fail. A peer without `build` only decodes.
 */
struct peer {
    const char *wire;
    const char *name;
    void *(*create)(const struct source *source);
    void *(*build)(void *state);
    size_t (*encode)(void *state, const void *message, uint8_t *out, size_t capacity);
    void (*discard)(void *state, void *message);
    void *(*decode)(void *state, const uint8_t *bytes, size_t size);
    void (*release)(void *state, void *message);
    uint64_t (*read)(void *state, const void *message);
};

extern const struct peer creo_peer, creo_borrow_peer, creo_json_peer, creo_soap_peer, protobuf_c_peer, protobuf_cc_peer, nanopb_peer, yyjson_peer, expat_peer;

/** Memory, or the end of the program. */
void *must(void *memory);

/** Reads every field of Creo's structs. */
uint64_t read_message(enum kind kind, const union message *message);

/** An instant of a text such as 2026-01-01T00:00:00.25Z. */
creo_datetime instant_of(const char *text, size_t size);

static inline void sum_number(uint64_t *sum, uint64_t value)
{
    *sum = *sum * 31 + value;
}

static inline void sum_real(uint64_t *sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sum_number(sum, bits);
}

static inline uint64_t sum_text_of(const char *data, size_t size)
{
    return size == 0 ? 0 : (size * 31 + (uint8_t)data[0]) * 31 + (uint8_t)data[size - 1];
}

static inline void sum_text(uint64_t *sum, const char *data, size_t size)
{
    sum_number(sum, sum_text_of(data, size));
}

static inline void sum_absent(uint64_t *sum)
{
    sum_number(sum, (uint64_t)-1);
}

/** An entry of a map, whose entries have no order; `sum_number` takes the sum of all. */
static inline uint64_t sum_entry(const char *key, size_t key_size, const char *value, size_t value_size)
{
    return sum_text_of(key, key_size) * 31 + sum_text_of(value, value_size);
}

#ifdef __cplusplus
}
#endif

#endif
