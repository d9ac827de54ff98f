/* SHA-1 (RFC 3174), only for password digests (SOAP-50): it is not safe for signatures. Not part of the API. */
#ifndef CREO_SRC_SHA1_H
#define CREO_SRC_SHA1_H

#include <creo/types.h>

#include "../base/internal.h"

#define CREO_SHA1_SIZE 20

/* The digest of concatenated byte strings. Leaves no copy of them in memory. */
CREO_PRIVATE void creo_sha1(const creo_bytes *parts, size_t count, uint8_t digest[CREO_SHA1_SIZE]);

#endif
