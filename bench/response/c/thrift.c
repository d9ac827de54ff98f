/* Apache Thrift for C with GLib, in frames: a client, with transport and protocol, for each caller. */
#include "response.h"

#include <response_thrift_response.h>
#include <stdio.h>
#include <stdlib.h>
#include <thrift/c_glib/protocol/thrift_binary_protocol.h>
#include <thrift/c_glib/protocol/thrift_compact_protocol.h>
#include <thrift/c_glib/transport/thrift_framed_transport.h>
#include <thrift/c_glib/transport/thrift_socket.h>

static void *connected(const char *address, GType protocol)
{
    GError *error = NULL;
    ThriftTransport *socket = g_object_new(THRIFT_TYPE_SOCKET, "hostname", "127.0.0.1", "port", atoi(address), NULL);
    ThriftTransport *transport = g_object_new(THRIFT_TYPE_FRAMED_TRANSPORT, "transport", socket, NULL);
    if (!thrift_transport_open(transport, &error))
        return NULL;
    ThriftProtocol *both = g_object_new(protocol, "transport", transport, NULL);
    return g_object_new(RESPONSE_THRIFT_TYPE_RESPONSE_CLIENT, "input_protocol", both, "output_protocol", both, NULL);
}

static void *connect_binary(const char *address)
{
    return connected(address, THRIFT_TYPE_BINARY_PROTOCOL);
}

static void *connect_compact(const char *address)
{
    return connected(address, THRIFT_TYPE_COMPACT_PROTOCOL);
}

static void *prepare(enum kind kind, size_t count)
{
    if (kind == BYTES) {
        GByteArray *data = g_byte_array_sized_new((guint)count);
        for (size_t i = 0; i < count; i++) {
            guint8 byte = value_byte(i);
            g_byte_array_append(data, &byte, 1);
        }
        return data;
    }
    GPtrArray *items = g_ptr_array_new_with_free_func(kind == NUMBERS ? g_object_unref : g_free);
    for (size_t i = 0; i < count; i++) {
        if (kind == NUMBERS) {
            response_thriftBlock *block = g_object_new(RESPONSE_THRIFT_TYPE_BLOCK, NULL);
            block->d = value_d(i);
            block->s = value_s(i);
            g_ptr_array_add(items, block);
        } else {
            char *text = g_malloc(11);
            value_string(i, text);
            g_ptr_array_add(items, text);
        }
    }
    return items;
}

static void release(enum kind kind, void *request, size_t count)
{
    (void)count;
    if (kind == BYTES)
        g_byte_array_unref(request);
    else
        g_ptr_array_unref(request);
}

static bool call(void *client, enum kind kind, const void *request, int32_t *items, char *why)
{
    GError *error = NULL;
    gboolean done;
    if (kind == NUMBERS)
        done = response_thrift_response_client_put_numbers(client, items, request, &error);
    else if (kind == STRINGS)
        done = response_thrift_response_client_put_strings(client, items, request, &error);
    else
        done = response_thrift_response_client_put_bytes(client, items, request, &error);
    if (!done) {
        snprintf(why, WHY, "%s", error != NULL ? error->message : "unknown");
        g_clear_error(&error);
    }
    return done;
}

const struct peer thrift_binary_peer = {"thrift-binary", connect_binary, prepare, release, call};
const struct peer thrift_compact_peer = {"thrift-compact", connect_compact, prepare, release, call};
