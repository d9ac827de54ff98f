/* Secrets in the bytes of a message. Not part of the API. */
#ifndef CREO_SRC_RAW_BODY_H
#define CREO_SRC_RAW_BODY_H

#include "../base/internal.h"

#include <creo/writer.h>

/*
 * Writes a body with `***` for its secrets (CALL-65). Returns why it cannot be followed; NULL: it was written. A writer without memory gives a reason,
 * too. `secrets`: names with a space between them, or NULL.
 */
CREO_PRIVATE const char *creo_raw_body(creo_writer *out, creo_bytes body, creo_string media_type, const char *secrets);

/* Whether a body that cannot be followed may have secrets (CALL-66). */
CREO_PRIVATE bool creo_raw_may_have_secrets(creo_bytes body, const char *secrets);

#endif
