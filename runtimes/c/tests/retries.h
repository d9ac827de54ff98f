/* Shared by the tests of repeated calls and of several addresses. */
#ifndef RETRIES_H
#define RETRIES_H

#include "calls.h"

#include <creo/codegen/read.h>

#include "sample.text.h"

#include "call/repeat.h"

#define CLOSES {UNTIL_CLOSED, NULL, 0}, {END, NULL, 0}
/* An error with an empty message and no details, and one that says that the call was not started. */
#define REFUSAL(id, code) "00000009 04 00 " id code " 00 00 "
#define NOT_STARTED(id, code) "00000014 04 00 " id code " 00 01 07 73746172746564 02 6e6f "
#define UNAVAILABLE "07"
#define OVERLOADED "08"

typedef struct look_arguments {
    int32_t left;
    int64_t right;
} look_arguments;

static inline bool look_encode(creo_writer *writer, const void *arguments)
{
    static const uint8_t both[] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2};
    (void)arguments;
    return creo_write_raw(writer, creo_bytes_of(both, sizeof both));
}

static inline bool look_decode(creo_reader *reader, void *outcome)
{
    return creo_read_long(reader, (int64_t *)outcome);
}

/* `add(1, 2)`, as if it were idempotent. */
static inline bool look(creo_client *client, creo_arena *arena, int64_t *sum, creo_error *error)
{
    static const creo_interface interface = {"creo.tests.sample.Sample", 0};
    static const creo_method method = {UINT64_C(0x5caa44b37f9cb123), "add", &interface, false, true, false, 0, look_encode, look_decode, NULL};
    static const look_arguments both = {1, 2};
    *sum = 0;
    return creo_client_call(client, &method, &both, arena, sum, error);
}

static inline void assert_looks(creo_client *client, creo_arena *arena)
{
    int64_t sum;
    creo_error error;
    if (!look(client, arena, &sum, &error))
        fail_msg("%s", error.message);
    assert_int_equal(sum, 3);
}

#endif
