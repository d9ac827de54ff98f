/* Answers to a request. Not part of the API. */
#ifndef CREO_SRC_ANSWER_H
#define CREO_SRC_ANSWER_H

#include <creo/channel.h>

#include "../base/internal.h"

/* The kinds of an answer. They are those of frames (TCP-5). */
enum { CREO_RESPONSE = 2, CREO_EXCEPTION = 3, CREO_ERROR = 4 };

typedef struct creo_answer_body {
    /* Response, exception or error. */
    uint8_t kind;
    creo_bytes body;
} creo_answer_body;

/*
 * Reads an answer: the result or a declared exception into the outcome, an error into `error`. The body must outlive the result. Returns false for an
 * error, and for a malformed answer.
 */
CREO_MODULE bool creo_answer_read(const creo_method *method, const creo_answer_body *answer, const char *peer, const creo_limits *limits, creo_arena *arena,
                                  void *outcome, creo_error *error);

/* Sets the error's path and offset from its details (ERR-4). */
CREO_PRIVATE void creo_answer_place(creo_error *error);

#endif
