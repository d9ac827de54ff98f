/* What the files of the client over JMS share. Not part of the API. */
#ifndef CREO_SRC_JMS_PARTS_H
#define CREO_SRC_JMS_PARTS_H

#include <creo/jms.h>

#include "../base/internal.h"
#include "../call/metadata.h"
#include "../call/transport.h"
#include "../http/http_call.h"

/*
 * Addresses (JMS-1).
 */

/* The parts of an address. */
CREO_PRIVATE bool creo_jms_address_init(creo_jms_address *address, const char *text, creo_error *error);

/*
 * Messages of AMQP 1.0 as bytes (JMS-3, JMS-4). What another put into one is only measured and cut, never trusted.
 */

#define CREO_JMS_ID 32

/* The names of properties that are metadata begin so (JMS-4). */
#define CREO_JMS_METADATA "Creo_meta_"

/* What is said with a body. A property whose value has a NULL pointer is left out. */
typedef struct creo_jms_head {
    const creo_jms_address *address;
    /* Milliseconds; 0: none. */
    uint32_t time_to_live;
    /* NULL: none. */
    const char *reply_to;
    const char *correlation;
    const creo_pair *properties;
    size_t property_count;
    size_t body_size;
} creo_jms_head;

/* Writes what is before the bytes of the body. */
CREO_PRIVATE bool creo_jms_write_head(creo_writer *writer, const creo_jms_head *head);

typedef struct creo_jms_message {
    /* Empty where they are missing, or no texts. */
    creo_string version;
    creo_string content_type;
    creo_string encoding;
    creo_string kind;
    /* Those that are metadata, without the beginning of their names; more than may be are only counted. */
    creo_pair metadata[CREO_MAX_METADATA_PAIRS];
    size_t metadata_count;
    /* The body is a string, which is UTF-8 whatever it says itself. */
    bool is_text;
    creo_bytes body;
} creo_jms_message;

/* The correlation id; a NULL pointer if there is none that is a text. `data` may be the beginning of a message. */
CREO_PRIVATE creo_string creo_jms_correlation(creo_bytes data);

/* Reads a whole message, in which the outcome lies: several sections of a body are joined there. */
CREO_PRIVATE bool creo_jms_read_message(uint8_t *data, size_t size, const creo_limits *limits, creo_jms_message *message, creo_error *error);

/*
 * The connection to the broker.
 */

/* Has a connection that is open, the one that is there or a new one. */
CREO_PRIVATE bool creo_jms_connect(creo_jms *jms, creo_instant deadline, creo_error *error);

/* Where answers go. */
CREO_PRIVATE const char *creo_jms_reply_to(const creo_jms *jms);

/* Chooses the correlation id of a call (JMS-6): CREO_JMS_ID characters and a zero. */
CREO_PRIVATE bool creo_jms_new_id(const creo_jms *jms, char id[CREO_JMS_ID + 1], creo_error *error);

typedef struct creo_jms_answer {
    uint8_t *data;
    size_t size;
} creo_jms_answer;

/*
 * Sends a message, and waits for its answer, which lies in the arena; if `oneway`, until the broker has the message (JMS-15).
 */
CREO_PRIVATE bool creo_jms_exchange(creo_jms *jms, const char *id, creo_bytes head, const creo_http_body *body, bool oneway, creo_instant deadline,
                                    creo_arena *arena, creo_jms_answer *answer, creo_error *error);

/* Ends what is kept on the socket: what `creo_client_disconnect` calls. */
CREO_PRIVATE void creo_jms_close(creo_client *client);

#endif
