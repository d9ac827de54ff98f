/** How generated code and the runtime set an error and the path of its value. */
#ifndef CREO_CODEGEN_PATH_H
#define CREO_CODEGEN_PATH_H

#include <creo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * All functions accept a NULL error. Those that return a bool return false, inline, so the compiler knows the result.
 */

/** Sets the error: code and message, without path and offset. Returns false. */
CREO_COLD bool creo_fail(creo_error *error, creo_code code, const char *format, ...) CREO_PRINTF(3, 4);

CREO_COLD void creo_raise_limit(creo_error *error, const char *limit, uint64_t allowed);
CREO_COLD void creo_raise_value(creo_error *error, const char *message);
CREO_COLD void creo_step_field(creo_error *error, const char *name);
CREO_COLD void creo_step_index(creo_error *error, size_t index);
CREO_COLD void creo_step_key(creo_error *error, size_t entry);
CREO_COLD void creo_step_value(creo_error *error, size_t entry);

/** Sets the error to too-large: the limit `limit` allows `allowed` (LIM-2). */
static inline bool creo_fail_limit(creo_error *error, const char *limit, uint64_t allowed)
{
    creo_raise_limit(error, limit, allowed);
    return false;
}

/** Sets the error to invalid-value with the path `$`. */
static inline bool creo_fail_value(creo_error *error, const char *message)
{
    creo_raise_value(error, message);
    return false;
}

/** Inserts a step after the root of the error's path; called while a failed decoder or encoder returns. */
static inline bool creo_at_field(creo_error *error, const char *name)
{
    creo_step_field(error, name);
    return false;
}

static inline bool creo_at_index(creo_error *error, size_t index)
{
    creo_step_index(error, index);
    return false;
}

static inline bool creo_at_key(creo_error *error, size_t entry)
{
    creo_step_key(error, entry);
    return false;
}

static inline bool creo_at_value(creo_error *error, size_t entry)
{
    creo_step_value(error, entry);
    return false;
}

#ifdef __cplusplus
}
#endif

#endif
