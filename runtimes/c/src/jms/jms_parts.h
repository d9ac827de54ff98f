/* Shared by the files of the JMS client. Not part of the API. */
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
 * AMQP 1.0 messages as bytes (JMS-3, JMS-4). Received content is only measured, never trusted.
 */

#define CREO_JMS_ID 32

/* The names of properties that are metadata begin so (JMS-4). */
#define CREO_JMS_METADATA "Creo_meta_"

/* The properties of a message. A property whose value has a NULL pointer is omitted. */
typedef struct creo_jms_head {
    const creo_jms_address *address;
    /* In milliseconds; 0 for none. */
    uint32_t time_to_live;
    /* NULL for none. */
    const char *reply_to;
    const char *correlation;
    const creo_pair *properties;
    size_t property_count;
    size_t body_size;
} creo_jms_head;

/* Writes everything before the bytes of the body. */
CREO_PRIVATE bool creo_jms_write_head(creo_writer *writer, const creo_jms_head *head);

typedef struct creo_jms_message {
    /* Empty if absent, or not a text. */
    creo_string version;
    creo_string content_type;
    creo_string encoding;
    creo_string kind;
    /* Of a call with a stream (JMS-25); a NULL pointer if absent, or not a text. */
    creo_string run;
    creo_string item;
    creo_string request_uri;
    /* Of a boolean value, its name. */
    creo_string is_fault;
    /* Those that are metadata, without the beginning of their names; more than may be are only counted. */
    creo_pair metadata[CREO_MAX_METADATA_PAIRS];
    size_t metadata_count;
    /* The body is a string, which is UTF-8 whatever its declaration. */
    bool is_text;
    creo_bytes body;
} creo_jms_message;

/* The correlation id; a NULL pointer if there is no text one. `data` may be the beginning of a message. */
CREO_PRIVATE creo_string creo_jms_correlation(creo_bytes data);

/* Reads a whole message, on which the outcome depends: several sections of a body are joined in place. */
CREO_PRIVATE bool creo_jms_read_message(uint8_t *data, size_t size, const creo_limits *limits, creo_jms_message *message, creo_error *error);

/*
 * Requests and answers.
 */

#define CREO_JMS_BINARY_MEDIA "application/vnd.creo.binary"

/* An outgoing call. */
typedef struct creo_jms_request {
    const creo_method *method;
    /* NULL on the binary wire. */
    const creo_text_method *text;
    creo_http_body body;
    creo_bytes piece;
    creo_bytes content_type;
    creo_pair *properties;
    size_t property_count;
    /* Of the properties, the timeout. */
    creo_pair *timeout;
} creo_jms_request;

/* The body, and all properties, in the arena of the client; the timeout is set at the time of sending. */
CREO_PRIVATE bool creo_jms_make_request(creo_jms *jms, const creo_method *method, const void *arguments, creo_jms_request *made, creo_error *error);

/* Writes the head of the message once it can be sent, and shows the message (CALL-61); `reply_to` is NULL for none. */
CREO_PRIVATE bool creo_jms_make_head(creo_jms *jms, creo_jms_request *made, const char *reply_to, const char *id, creo_instant deadline, creo_bytes *bytes,
                                     creo_error *error);

/* Shows an answer to the client's hook for raw messages (CALL-61), if it has one; `text` is NULL on the binary wire. */
CREO_PRIVATE void creo_jms_show_answer(creo_jms *jms, const creo_method *method, const creo_text_method *text, const creo_jms_message *message);

/* Checks the properties of an answer, and uncompresses its body. */
CREO_PRIVATE bool creo_jms_open_answer(creo_jms *jms, creo_jms_message *message, creo_arena *arena, creo_error *error);

/* Gives the client the metadata of an answer: in a name, `_2d` is a hyphen and `_2e` a dot. */
CREO_PRIVATE bool creo_jms_take_metadata(creo_client *client, const creo_jms_message *message, creo_error *error);

/* Whether an answer without SOAP is a response, an exception or an error. */
CREO_PRIVATE bool creo_jms_read_kind(const creo_jms_message *message, uint8_t *kind, creo_error *error);

/* Refuses another media type than that of the binary wire. */
CREO_PRIVATE bool creo_jms_check_binary(const creo_jms_message *message, creo_error *error);

/* What carries the streams of the call that the client begins, in the part jms+streams; NULL: nothing does (JMS-23). */
CREO_PRIVATE const struct creo_carrier *creo_jms_stream_carrier(const creo_client *client);

/*
 * The connection to the broker.
 */

/* Ensures an open connection, the existing one or a new one. */
CREO_PRIVATE bool creo_jms_connect(creo_jms *jms, creo_instant deadline, creo_error *error);

/* The address for answers. */
CREO_PRIVATE const char *creo_jms_reply_to(const creo_jms *jms);

/* Chooses the correlation id of a call (JMS-6): CREO_JMS_ID characters and a zero. */
CREO_PRIVATE bool creo_jms_new_id(const creo_jms *jms, char id[CREO_JMS_ID + 1], creo_error *error);

typedef struct creo_jms_answer {
    uint8_t *data;
    size_t size;
} creo_jms_answer;

/*
 * Sends a message and waits for its answer, which is in the arena; if `oneway`, until the broker has the message (JMS-15).
 */
CREO_PRIVATE bool creo_jms_exchange(creo_jms *jms, const char *id, creo_bytes head, const creo_http_body *body, bool oneway, creo_instant deadline,
                                    creo_arena *arena, creo_jms_answer *answer, creo_error *error);

/* Releases what is kept for the socket; called by `creo_client_disconnect`. */
CREO_PRIVATE void creo_jms_close(creo_client *client);

#endif
