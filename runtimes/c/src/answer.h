/* Answers to a request. Not part of the API. */
#ifndef CREO_SRC_ANSWER_H
#define CREO_SRC_ANSWER_H

#include <creo/client.h>

typedef struct creo_answer {
    /* The kind of its frame: response, exception or error. */
    uint8_t kind;
    creo_bytes body;
} creo_answer;

/* Another wire than the binary one (TCP-1). Errors are as they are on that (ERR-3). */
struct creo_wire {
    uint8_t number;
    bool (*encode)(const creo_client *client, creo_writer *writer, const creo_method *method, const void *arguments);
    /* Reads a response or an exception. The body must outlive what was read. */
    bool (*read)(const creo_client *client, const creo_method *method, const creo_answer *answer, creo_arena *arena, void *outcome, creo_error *error);
};

/*
 * Reads an answer: the result or a declared exception into the outcome, an error into `error`. The body must outlive what was read.
 * Returns false for an error, and for an answer that is malformed.
 */
bool creo_answer_read(const creo_method *method, const creo_answer *answer, const char *peer, const creo_limits *limits, creo_arena *arena,
                      void *outcome, creo_error *error);

/* Gives the error the place and the offset that are among its details (ERR-4). */
void creo_answer_place(creo_error *error);

#endif
