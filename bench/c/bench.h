/** Shared by the programs: values, and the functions of a peer. */
#ifndef CREO_BENCH_H
#define CREO_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The measured values: one workload of one size, the same in every language of the benchmark. */
struct values;

/** The values as the command line names them, or NULL if there are none. They live until the program ends. */
const struct values *values_named(const char *workload, const char *size);

/** No peer writes more bytes of them. */
size_t capacity_of(const struct values *values);

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

/** The peers of the program in the order of measuring, ending with NULL. */
extern const struct peer *const peers[];

/** Memory, or the end of the program. */
void *must(void *memory);

#ifdef __cplusplus
}
#endif

#endif
