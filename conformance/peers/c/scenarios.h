/* The scenarios: conformance/scenarios.md. Each returns NULL if all was as it should be, otherwise why not. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "peer.h"

#include <creo/soap.h>

/* The interfaces of the service. Over TCP all stand behind one connection, over SOAP each at its own path. */
typedef enum door { ECHO_DOOR = 0, TROUBLE_DOOR, ANSWER_DOOR, PARTNER_DOOR, DOORS } door;

/* What all scenarios share. */
typedef struct stage {
    const char *host;
    uint16_t port;
    /* Of the service over SOAP, without a path; NULL over TCP. */
    const char *url;
    const char *vectors;
    creo_soap doors[DOORS];
    bool opened[DOORS];
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

/* Over SOAP alone. */
scenario soap_12;
scenario gzip;
scenario mtom;
scenario mtom_12;
scenario partner;
scenario partner_12;
scenario wrong_door;
scenario wrong_path;
scenario soap_refused;
scenario soap_wrong_protocol;

/* The client of an interface. */
creo_client *at(stage *on, door door);

/* Makes a client of an interface of its own, in a struct that serves for both wires; `creo_client_free` ends it. */
creo_client *open_door(const stage *on, door door, creo_soap *client);

/* Says why, with the error of the last call. */
const char *failed(stage *on, const char *what);

/* Whether the call that was made failed with that code. */
bool failed_with(const stage *on, bool done, creo_code code);

/* Whether two calls succeed one after the other: the connection is in order. */
const char *still_works(stage *on);

#endif
