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
} creo_jms_link;

/* Writes all output. False if the connection failed, or the time is over: then `*late`. */
CREO_PRIVATE bool creo_jms_flush(creo_jms *jms, creo_instant until, bool *late);

/* Reads available input; if it waits, at least one byte before `until`. False if the connection failed; `*late`: nothing came. */
CREO_PRIVATE bool creo_jms_fill(creo_jms *jms, creo_instant until, bool wait, bool *late);

/* Writes, then reads once. False if the connection failed, which sets `failed`, or the time is over. */
CREO_PRIVATE bool creo_jms_step(creo_jms *jms, creo_instant until);

/* Releases the kept part of an answer that is too large. */
CREO_PRIVATE void creo_jms_forget(creo_jms_link *link);

#endif
