/* A client of the benchmark of streams: what its parts share. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values that are sent, by the formulas of every language. */
double block_value(size_t i);
int64_t reading_time(int64_t i);
double reading_value(int64_t i);
int32_t reading_flags(int64_t i);

enum { WHY = 200 };

/* Each call returns when the stream has ended, with what its reader added up, modulo 2^64. Where it fails, `why` has room for WHY characters. A peer
 * that does not have a workload has NULL. */
struct peer {
    const char *name;
    /* NULL if it cannot connect. */
    void *(*connect)(uint16_t port);
    bool (*read_blocks)(void *client, int64_t count, int32_t length, uint64_t *sum, char *why);
    bool (*write_blocks)(void *client, int64_t count, int32_t length, uint64_t *sum, char *why);
    bool (*read_readings)(void *client, int64_t count, uint64_t *sum, char *why);
    bool (*write_readings)(void *client, int64_t count, uint64_t *sum, char *why);
};

extern const struct peer creo_peer;
extern const struct peer bare_peer;
#ifdef WITH_GRPC
extern const struct peer grpc_peer;
#endif

/* Allocated, or the program ends. */
void *must(void *allocated);

#ifdef __cplusplus
}
#endif

#endif
