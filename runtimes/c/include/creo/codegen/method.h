/**
 * What generated code says about a method. A client sends any method by its description; it knows nothing of the types.
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
    /** Name as declared. */
    const char *name;
    const creo_interface *interface;
    bool oneway;
    /** How many exceptions the method declares. If there are any, the outcome begins with a number: 0 for the result, else that of the exception and 1. */
    uint32_t exception_count;
    /** Writes the parameters, which generated code keeps in a struct of its own. */
    bool (*encode)(creo_writer *writer, const void *arguments);
    /** Reads the result into the outcome that the caller handed in; NULL for void. */
    bool (*decode_result)(creo_reader *reader, void *outcome);
    /** Reads the exception of that index in the method's `throws`; NULL if it has none. */
    bool (*decode_exception)(creo_reader *reader, uint32_t index, void *outcome);
} creo_method;

#ifdef __cplusplus
}
#endif

#endif
