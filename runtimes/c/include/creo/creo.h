/**
 * Creo for C: values, the binary wire and calls over TCP.
 *
 * C11 and POSIX, nothing else. The library has no global state. It takes memory only from an arena that the caller made, on an
 * allocator or on plain memory that the caller owns. Every function that can fail returns false and fills a `creo_error`.
 */
#ifndef CREO_CREO_H
#define CREO_CREO_H

/** Version of this runtime: major * 10000 + minor * 100 + patch. Generated code refuses one that it does not fit. */
#define CREO_RUNTIME_VERSION 10000

/** The oldest generated code that this runtime still serves. */
#define CREO_RUNTIME_OLDEST 10000

#include <creo/arena.h>
#include <creo/client.h>
#include <creo/error.h>
#include <creo/limits.h>
#include <creo/method.h>
#include <creo/reader.h>
#include <creo/types.h>
#include <creo/writer.h>

#endif
