/* A connection to the broker. Not part of the API. */
#ifndef CREO_SRC_JMS_LINK_H
#define CREO_SRC_JMS_LINK_H

#include "../base/internal.h"
#include "jms_parts.h"

#include <proton/connection_driver.h>
#include <proton/engine.h>

/* Answers that the broker may send before this side has taken earlier ones. */
#define CREO_JMS_CREDIT 16
/* Characters of an id that are the same for all calls of a connection. */
#define CREO_JMS_PREFIX 16

typedef struct creo_jms_link {
    pn_connection_driver_t driver;
    pn_session_t *session;
    pn_link_t *sender;
    pn_link_t *receiver;
    char prefix[CREO_JMS_PREFIX + 1];
    /* Whether others use the reply queue too. */
    bool shared;
    bool opened;
    bool failed;
    /* When bytes were last written: a broker ends connections that are silent too long. */
    creo_instant written;
    /* When the first byte of the incomplete answer came. */
    creo_instant arriving;
    /* An answer that is too large: the number of dropped bytes, and its kept beginning. */
    uint8_t *kept;
    size_t kept_size;
    size_t dropped;
    /* The current call: its id, or an empty text; whether the broker has its message; whether its answer is complete, or too large. */
    char id[CREO_JMS_ID + 1];
    bool taken;
    bool too_large;
    creo_jms_answer answer;
    /* The destinations of answers, and of errors of the connection or the message. */
    creo_arena *arena;
    creo_error *error;
    bool refused;
    /* The queue of a call with a stream, and whether it is there; what takes from it, and for which call. NULL: no stream is open. */
    pn_link_t *queue;
    bool queue_opened;
    void (*take)(struct creo_jms_link *link);
    void *taker;
} creo_jms_link;

/* Writes all output. False if the connection failed, or the time is over: then `*late`. */
CREO_PRIVATE bool creo_jms_flush(creo_jms *jms, creo_instant until, bool *late);

/* Reads available input; if it waits, at least one byte before `until`. False if the connection failed; `*late`: nothing came. */
CREO_PRIVATE bool creo_jms_fill(creo_jms *jms, creo_instant until, bool wait, bool *late);

/* Writes, then reads once. False if the connection failed, which sets `failed`, or the time is over. */
CREO_PRIVATE bool creo_jms_step(creo_jms *jms, creo_instant until);

/* The connection cannot be used any more, for the reason that the broker gives, if there is one. */
CREO_PRIVATE void creo_jms_link_fail(creo_jms_link *link, pn_condition_t *condition, const char *otherwise);

/* The largest message that is received. */
CREO_PRIVATE size_t creo_jms_most(const creo_limits *limits);

/* Names a capability of a source or target. */
CREO_PRIVATE void creo_jms_put_capability(pn_terminus_t *terminus, const char *name);

/* Sends a message when the broker takes one, and does not wait until it has it. False: it was not sent, and the error, if it is set, says why. */
CREO_PRIVATE bool creo_jms_send(creo_jms *jms, const char *id, creo_bytes head, const creo_http_body *body, creo_instant deadline, creo_error *error);

/* Whether all output was sent. */
CREO_PRIVATE bool creo_jms_all_written(creo_jms_link *link);

/* Releases the kept part of an answer that is too large. */
CREO_PRIVATE void creo_jms_forget(creo_jms_link *link);

#endif
