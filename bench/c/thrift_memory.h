/** A Thrift transport on plain memory. */
#ifndef CREO_BENCH_THRIFT_MEMORY_H
#define CREO_BENCH_THRIFT_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <thrift/c_glib/transport/thrift_transport.h>

/**
 * Thrift's memory buffer moves the remaining bytes to the front at each read, so reading takes quadratic time. This transport only moves a position,
 * as a performance-minded user would write it.
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
