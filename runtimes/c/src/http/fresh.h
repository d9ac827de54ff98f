/* Random bytes and the time of day, for fresh messages. Not part of the API. */
#ifndef CREO_SRC_FRESH_H
#define CREO_SRC_FRESH_H

#include <creo/error.h>

#include "../base/internal.h"

/* Bytes from the system's cryptographic source. Fails with an error if there are none: weaker ones are never used. */
CREO_MODULE bool creo_random(void *into, size_t size, creo_error *error);

/* The current time. */
CREO_MODULE bool creo_wall_clock(creo_datetime *now, creo_error *error);

#endif
