/* A connection to the broker, within. Not part of the API. */
#ifndef CREO_SRC_JMS_LINK_H
#define CREO_SRC_JMS_LINK_H

#include "../base/internal.h"
#include "jms_parts.h"

#include <proton/connection_driver.h>
#include <proton/engine.h>

/* Answers that the broker may send before this side has taken those before. */
#define CREO_JMS_CREDIT 16
/* Characters of an id that are the same for all calls of a connection. */
#define CREO_JMS_PREFIX 16

typedef struct creo_jms_link {
    pn_connection_driver_t driver;
    pn_session_t *session;
    pn_link_t *sender;
    pn_link_t *receiver;
    char prefix[CREO_JMS_PREFIX + 1];
    /* The reply queue is one that others use, too. */
    bool shared;
    bool opened;
    bool failed;
    /* When bytes were written last: a broker ends connections that are silent too long. */
    creo_instant written;
    /* When the first byte of the unfinished answer came. */
    creo_instant arriving;
    /* An answer that is too large: how much of it was dropped already, and the beginning of it. */
    uint8_t *kept;
    size_t kept_size;
    size_t dropped;
    /* The call under way: its id, or an empty text; the broker has its message; its answer is there, or is too large. */
    char id[CREO_JMS_ID + 1];
    bool taken;
    bool too_large;
    creo_jms_answer answer;
    /* Where answers, and why the connection or the message failed, go. */
    creo_arena *arena;
    creo_error *error;
    bool refused;
} creo_jms_link;

/* Writes all that is to be written. False if the connection failed, or the time is over: then `*late`. */
CREO_PRIVATE bool creo_jms_flush(creo_jms *jms, creo_instant until, bool *late);

/* Reads what there is; if it waits, at least something before `until`. False if the connection failed; `*late`: nothing came. */
CREO_PRIVATE bool creo_jms_fill(creo_jms *jms, creo_instant until, bool wait, bool *late);

/* Writes, then reads once. False if the connection failed, which `failed` says, or the time is over. */
CREO_PRIVATE bool creo_jms_step(creo_jms *jms, creo_instant until);

/* Ends the life of what was kept of an answer that is too large. */
CREO_PRIVATE void creo_jms_forget(creo_jms_link *link);

#endif
