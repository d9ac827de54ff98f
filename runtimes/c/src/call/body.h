/* The max size of a received body. Not part of the API. */
#ifndef CREO_SRC_BODY_H
#define CREO_SRC_BODY_H

#include <creo/codegen/path.h>
#include <creo/error.h>
#include <creo/limits.h>

/* The largest body that both LIM-1 and LIM-18 allow. */
static inline size_t creo_limits_body(const creo_limits *limits)
{
    uint64_t memory = creo_limits_memory(limits);
    return memory < limits->max_message_size ? (size_t)memory : limits->max_message_size;
}

/* Refuses a larger body, with the exceeded limit. Returns false. */
static inline bool creo_fail_body(creo_error *error, const creo_limits *limits)
{
    size_t most = creo_limits_body(limits);
    return creo_fail_limit(error, most < limits->max_message_size ? "maxMemory" : "maxMessageSize", most);
}

#endif
