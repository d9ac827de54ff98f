/* The scenarios: conformance/scenarios.md. Each returns NULL if all was as it should be, otherwise why not. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "peer.h"


/* The interfaces of the service. Over TCP all stand behind one connection, over HTTP each at its own path. */
typedef enum door { ECHO_DOOR = 0, TROUBLE_DOOR, ANSWER_DOOR, PARTNER_DOOR, DOORS } door;

/* How calls are made. */
typedef enum way { WAY_TCP = 0, WAY_SOAP, WAY_JSON, WAY_TABLES, WAY_TDXML, WAY_TDXML_TCP } way;

/* A client of any way: all begin with a creo_client, and `creo_client_free` ends each. */
typedef union door_client {
    creo_client client;
    creo_soap soap;
    creo_json json;
    creo_tdxml tdxml;
} door_client;

/* What all scenarios share. */
typedef struct stage {
    way way;
    const char *host;
    uint16_t port;
    /* Of the service over HTTP, without a path. */
    const char *url;
    const char *vectors;
    /* How tables are written. */
    creo_tables tables;
    door_client doors[DOORS];
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

/* Over HTTP alone, and of these some over SOAP alone. */
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
scenario packages;

/* With tables alone. */
scenario aggregated;
scenario with_schema;

/* The client of an interface. */
creo_client *at(stage *on, door door);

/* Makes a client of an interface of its own; `creo_client_free` ends it. */
creo_client *open_door(const stage *on, door door, door_client *client);

/* The same over HTTP, at any URL. */
bool open_url(const stage *on, const char *url, door door, door_client *client, creo_error *error);

/* Another stage of the same way, on which nothing is open yet; `end_stage` ends and frees it. NULL: no memory. */
stage *like(const stage *on);
void end_stage(stage *on);

/* Of the vectors of a way, and of what is read of them. */
peer_wire wire_of(const stage *on);

/* Says why, with the error of the last call. */
const char *failed(stage *on, const char *what);

/* Whether the call that was made failed with that code. */
bool failed_with(const stage *on, bool done, creo_code code);

/* Whether two calls succeed one after the other: the connection is in order. */
const char *still_works(stage *on);

#endif
