/** The limits of `spec/limits.md` for a client and a codec. */
#ifndef CREO_LIMITS_H
#define CREO_LIMITS_H

#include <creo/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct creo_limits {
    /** LIM-1: bytes of one body. */
    size_t max_message_size;
    /** LIM-3: bytes allocated for a claimed length before data has arrived. */
    size_t trusted_allocation;
    /** LIM-4: nested values of recursive types. */
    uint32_t max_depth;
    /** LIM-5: items of one body whose min size is 0. */
    uint32_t max_empty_items;
    /** LIM-18: nominal bytes that one decoded message takes; 0 for four times `max_message_size`. */
    uint64_t max_memory;
    /** LIM-6: bytes of the metadata of a request. */
    uint32_t max_metadata_size;
    /** LIM-11, LIM-15: in milliseconds. */
    uint32_t connect_timeout_ms;
    uint32_t frame_timeout_ms;
    /** LIM-20 to LIM-24: elements open at once; attributes of one element; bytes of a name; namespaces in scope; bytes of a text. */
    uint32_t max_xml_depth;
    uint32_t max_xml_attributes;
    uint32_t max_xml_name;
    uint32_t max_xml_namespaces;
    size_t max_xml_text;
    /** LIM-25, LIM-26: parts of a multipart message; bytes of the headers of an HTTP message. */
    uint32_t max_parts;
    uint32_t max_header_size;
    /** LIM-38: bytes of one stream that were received or may arrive, and that the program has not taken; at least 262,144, at most 2^31 - 1. */
    uint32_t stream_window;
} creo_limits;

/** The defaults, the same in all languages. */
static inline creo_limits creo_limits_default(void)
{
    creo_limits limits;
    limits.max_message_size = 134217728;
    limits.trusted_allocation = 1048576;
    limits.max_depth = 100;
    limits.max_empty_items = 65536;
    limits.max_memory = 0;
    limits.max_metadata_size = 16384;
    limits.connect_timeout_ms = 10000;
    limits.frame_timeout_ms = 60000;
    limits.max_xml_depth = 500;
    limits.max_xml_attributes = 256;
    limits.max_xml_name = 1024;
    limits.max_xml_namespaces = 1024;
    limits.max_xml_text = 134217728;
    limits.max_parts = 1000;
    limits.max_header_size = 65536;
    limits.stream_window = 1048576;
    return limits;
}

/** The value of `max_memory` that applies. */
static inline uint64_t creo_limits_memory(const creo_limits *limits)
{
    uint64_t size = limits->max_message_size;
    if (limits->max_memory != 0)
        return limits->max_memory;
    return size > UINT64_MAX / 4 ? UINT64_MAX : 4 * size;
}

#ifdef __cplusplus
}
#endif

#endif
