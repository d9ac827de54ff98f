/**
 * The generated description of a method. A client calls any method by its description and does not know the types.
 */
#ifndef CREO_METHOD_H
#define CREO_METHOD_H

#include <creo/reader.h>
#include <creo/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct creo_interface {
    /** Full name (MODEL-1). */
    const char *name;
    /** MODEL-5. */
    uint64_t fingerprint;
} creo_interface;

typedef struct creo_method {
    /** MODEL-4. */
    uint64_t id;
    /** The declared name. */
    const char *name;
    const creo_interface *interface;
    bool oneway;
    /** A call may be repeated (CALL-20). */
    bool idempotent;
    /** A message of it may contain a value with `@Secret` (CALL-66). */
    bool secret;
    /** How many exceptions the method declares. If there are any, the outcome begins with a number: 0 for the result, else that of the exception and 1. */
    uint32_t exception_count;
    /** Writes the parameters, which are in a generated struct. */
    bool (*encode)(creo_writer *writer, const void *arguments);
    /** Reads the result into the caller's outcome; NULL for void. */
    bool (*decode_result)(creo_reader *reader, void *outcome);
    /** Reads the exception with the index in the method's `throws`; NULL if it has none. */
    bool (*decode_exception)(creo_reader *reader, uint32_t index, void *outcome);
} creo_method;

#ifdef __cplusplus
}
#endif

#endif
