/** A Thrift transport on plain memory. */
#ifndef CREO_BENCH_THRIFT_MEMORY_H
#define CREO_BENCH_THRIFT_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <thrift/c_glib/transport/thrift_transport.h>

/**
 * Thrift's own memory buffer moves all that is left to the front at each read, so that reading costs the square of the size. This
 * transport only moves a position: it is what a user would write who cares for speed.
 */
typedef struct BenchMemory {
    ThriftTransport parent;
    uint8_t *out;
    size_t written;
    size_t capacity;
    const uint8_t *in;
    size_t left;
} BenchMemory;

GType bench_memory_get_type(void);

#endif
