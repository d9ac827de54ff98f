/**
 * Methods with one stream on the json wire (HTTP-30 to HTTP-38): descriptors of interfaces that have some name what carries them.
 */
#ifndef CREO_LINES_H
#define CREO_LINES_H

#include <creo/codegen/descriptor.h>

/** This copy of the runtime carries streams over HTTP. */
#define CREO_HAS_LINES 1

#ifdef __cplusplus
extern "C" {
#endif

extern const struct creo_carrier creo_json_lines;

#ifdef __cplusplus
}
#endif

#endif
