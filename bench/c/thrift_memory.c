#include "thrift_memory.h"

#include <string.h>

typedef struct BenchMemoryClass {
    ThriftTransportClass parent;
} BenchMemoryClass;

G_DEFINE_TYPE(BenchMemory, bench_memory, THRIFT_TYPE_TRANSPORT)

static gboolean yes(ThriftTransport *transport, GError **error)
{
    (void)transport;
    (void)error;
    return TRUE;
}

static gboolean is_open(ThriftTransport *transport)
{
    (void)transport;
    return TRUE;
}

static gint32 read_memory(ThriftTransport *transport, gpointer to, guint32 size, GError **error)
{
    BenchMemory *memory = (BenchMemory *)transport;
    if (size > memory->left) {
        g_set_error(error, g_quark_from_static_string("bench"), 1, "no more bytes");
        return -1;
    }
    memcpy(to, memory->in, size);
    memory->in += size;
    memory->left -= size;
    return (gint32)size;
}

static gboolean write_memory(ThriftTransport *transport, const gpointer from, const guint32 size, GError **error)
{
    BenchMemory *memory = (BenchMemory *)transport;
    if (size > memory->capacity - memory->written) {
        g_set_error(error, g_quark_from_static_string("bench"), 1, "no more room");
        return FALSE;
    }
    memcpy(memory->out + memory->written, from, size);
    memory->written += size;
    return TRUE;
}

static gboolean enough(ThriftTransport *transport, glong size, GError **error)
{
    (void)size;
    return yes(transport, error);
}

static void bench_memory_class_init(BenchMemoryClass *class)
{
    ThriftTransportClass *transport = THRIFT_TRANSPORT_CLASS(class);
    transport->is_open = is_open;
    transport->peek = yes;
    transport->open = yes;
    transport->close = yes;
    transport->read = read_memory;
    transport->read_all = read_memory;
    transport->read_end = yes;
    transport->write = write_memory;
    transport->write_end = yes;
    transport->flush = yes;
    transport->updateKnownMessageSize = enough;
    transport->checkReadBytesAvailable = enough;
    transport->resetConsumedMessageSize = enough;
    transport->countConsumedMessageBytes = enough;
}

static void bench_memory_init(BenchMemory *memory)
{
    (void)memory;
}
