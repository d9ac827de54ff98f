/* The scenarios: conformance/scenarios.md. Each returns NULL if all was as it should be, otherwise why not. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "peer.h"

/* What all scenarios share. */
typedef struct stage {
    const char *host;
    uint16_t port;
    const char *vectors;
    creo_client client;
    creo_arena arena;
    creo_error error;
    char why[2000];
} stage;

typedef const char *scenario(stage *on);

scenario echo_vectors;
scenario several_parameters;
scenario add_numbers;
scenario maybe_text;
scenario declared_exception;
scenario hidden_failure;
scenario own_error;
scenario after_errors;
scenario unknown_method;
scenario deadline;
scenario cancel;
scenario oneway;
scenario second_service;
scenario metadata;
scenario invalid_value;
scenario too_large;
scenario big_response;
scenario big_request;
scenario parallel;
scenario asynchronous;
scenario reconnect;
scenario refused;
scenario wrong_protocol;

/* Says why, with the error of the last call. */
const char *failed(stage *on, const char *what);

/* Whether the call that was made failed with that code. */
bool failed_with(const stage *on, bool done, creo_code code);

/* Whether two calls succeed one after the other: the connection is in order. */
const char *still_works(stage *on);

#endif
