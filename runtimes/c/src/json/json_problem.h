/* Answers of calls: JSON-21, and problem documents (RFC 9457). Not part of the API. */
#ifndef CREO_SRC_JSON_PROBLEM_H
#define CREO_SRC_JSON_PROBLEM_H

#include "../base/internal.h"
#include "../http/http_call.h"

/*
 * Reads an answer's problem document (JSON-22 to JSON-24): true with a declared exception in the outcome; anything else is the call's error.
 */
CREO_PRIVATE bool creo_json_read_problem(const creo_http_call *call, const creo_text_method *text, const creo_http_answer *answer, creo_arena *arena, void *outcome);

/* Reads an answer: the result by itself, or a problem document. */
CREO_PRIVATE bool creo_json_read_answer(const creo_http_call *call, const creo_text_method *text, const creo_http_answer *answer, creo_arena *arena, void *outcome);

#endif
