/* The metadata of a request (TCP-17). Not part of the API. */
#ifndef CREO_SRC_METADATA_H
#define CREO_SRC_METADATA_H

#include <creo/types.h>

#include "../base/internal.h"

#define CREO_MAX_METADATA_PAIRS 64

/* Whether a text may be a metadata key. */
CREO_PRIVATE bool creo_metadata_key_valid(creo_string key);

#endif
