/* The scenarios: conformance/scenarios.md. Each returns NULL if all was as it should be, otherwise why not. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "peer.h"

#ifdef PEER_JMS
#include <creo/jms.h>
#endif

/* The interfaces of the service. Over TCP they share a connection, over HTTP each has its path. */
typedef enum door { ECHO_DOOR = 0, TROUBLE_DOOR, ANSWER_DOOR, PARTNER_DOOR, STREAMS_DOOR, DOORS } door;

/* How calls are made. */
typedef enum way { WAY_TCP = 0, WAY_SOAP, WAY_JSON, WAY_TABLES, WAY_TDXML, WAY_TDXML_TCP, WAY_SOAP_JMS, WAY_TDXML_JMS, WAY_BINARY_JMS } way;

/* A client of any way: all begin with a creo_client, and `creo_client_free` ends each. */
typedef union door_client {
    creo_client client;
    creo_soap soap;
    creo_json json;
    creo_tdxml tdxml;
#ifdef PEER_JMS
    /* Begins with the settings of its wire, as over HTTP. */
    creo_jms jms;
#endif
} door_client;

/* What all scenarios share. */
typedef struct stage stage;

struct stage {
    way way;
    /* How clients are made, if neither over TCP nor over HTTP; and what compresses for them. */
    creo_client *(*open)(const stage *on, door door, door_client *client);
    void (*compress)(door_client *client, const creo_gzip *gzip);
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
};

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
scenario answer_metadata;
scenario interceptors;
scenario invalid_value;
scenario too_large;
scenario big_response;
scenario big_request;
scenario parallel;
scenario asynchronous;
scenario reconnect;
scenario refused;
scenario wrong_protocol;

/* Over the binary wire on TCP, and as lines of JSON. */
scenario streams;
scenario streams_talk;
scenario streams_close;
scenario streams_deadline;
scenario streams_metadata;
scenario streams_source;

/* Over HTTP alone, and of these some over SOAP alone. */
scenario soap_12;
scenario gzip;
scenario mtom;
scenario mtom_12;
scenario partner;
scenario partner_12;
scenario wrong_door;
scenario wrong_path;
scenario packages;

/* With tables alone. */
scenario aggregated;
scenario with_schema;

/* The client of an interface. */
creo_client *at(stage *on, door door);

/* Creates a client of a separate interface; `creo_client_free` ends it. */
creo_client *open_door(const stage *on, door door, door_client *client);

/* The same over HTTP, at any URL. */
bool open_url(const stage *on, const char *url, door door, door_client *client, creo_error *error);

/* Another stage of the same way, on which nothing is open yet; `end_stage` ends and frees it. NULL: no memory. */
stage *like(const stage *on);
void end_stage(stage *on);

/* The wire of a way's vectors, and of their readings. */
peer_wire wire_of(const stage *on);

/* A scenario by its name, and how many of them there are. */
typedef struct row {
    const char *name;
    scenario *run;
} row;

/* Runs them on a stage that `new_stage` made, and ends that. */
int run_rows(stage *on, const row *list, size_t count);

/* A stage on the heap, guarded by the sanitizer. */
stage *new_stage(way way, const char *vectors);

/* What runs on all ways but the binary wire over TCP. */
#define EVERYWHERE                                                                                                                                   \
    {"echo", echo_vectors}, {"several", several_parameters}, {"add", add_numbers}, {"maybe", maybe_text}, {"declared-exception", declared_exception}, \
        {"hidden-failure", hidden_failure}, {"own-error", own_error}, {"after-errors", after_errors}, {"oneway", oneway},                            \
        {"second-service", second_service}, {"metadata", metadata}, {"answer-metadata", answer_metadata}, {"interceptors", interceptors}, {"invalid-value", invalid_value},              \
        {"big-response", big_response},                                                                                                             \
        {"big-request", big_request}, {"async", asynchronous}, {"deadline", deadline}, {"cancel", cancel}, {"too-large", too_large},                 \
        {"parallel", parallel}

/* Whether the last answer has the pair of `answer_metadata`, and over HTTP the header and the status: NULL, or why not. */
const char *wrong_answer(const stage *on, const creo_client *client, const char *method);

/* Says why, with the error of the last call. */
const char *failed(stage *on, const char *what);

/* Whether the call that was made failed with that code. */
bool failed_with(const stage *on, bool done, creo_code code);

/* A socket that listens on a free port of this machine; -1 if there is none. */
int listen_somewhere(uint16_t *port);

/* Whether two calls succeed one after the other: the connection is in order. */
const char *still_works(stage *on);

#endif
