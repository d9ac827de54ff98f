/* What ordinary calls over TCP and those with streams share. Not part of the API. */
#ifndef CREO_SRC_TCP_H
#define CREO_SRC_TCP_H

#include "../base/internal.h"
#include "../call/socket.h"
#include "frames.h"
#include "request.h"

/* Sends a frame without a body. If only a part of it was sent, the connection is closed. */
CREO_PRIVATE bool creo_tcp_send_bare(creo_client *client, uint8_t kind, uint32_t id, creo_instant until);

/* Answers the ping that has come. False, with an error: the connection is lost. */
CREO_PRIVATE bool creo_tcp_answer_ping(creo_client *client, creo_instant until, creo_error *error);

/* The connection ended or is unusable: sets the most precise error known. Returns false. */
CREO_PRIVATE bool creo_tcp_fail_lost(creo_client *client, creo_result result, creo_error *error);

/* The call has ended, and perhaps the memory of its answer: the rest of that is dropped. The service may stop. */
CREO_PRIVATE void creo_tcp_give_up(creo_client *client, uint32_t id);

CREO_PRIVATE uint32_t creo_tcp_next_id(creo_client *client);

/*
 * Sends the request over the open connection, or a new one. A request that was not written at all is sent once more (TCP-16). `refused`: the service
 * broke off, and its error is in the frames.
 */
CREO_PRIVATE bool creo_tcp_send(creo_client *client, const creo_request *request, creo_instant deadline, creo_arena *arena, bool *refused, creo_error *error);

/*
 * Takes what arrives until the answer to call `id` is in the frames, or items or credit of it: CREO_STEP_ANSWER or CREO_STEP_STREAM. CREO_STEP_FAILED: the
 * call has ended with the error. With `wait`, answers pings; without, CREO_STEP_MORE says that nothing more is there, and nothing is written unless the call
 * ends.
 */
CREO_PRIVATE creo_step creo_tcp_receive(creo_client *client, uint32_t id, creo_instant deadline, bool wait, creo_error *error);

/*
 * The answer to a call of `method` that has arrived: its metadata go to the client, its body is what comes after them, and the hook is shown it. An error
 * about the connection is no answer to the call.
 */
CREO_PRIVATE bool creo_tcp_take_answer(creo_client *client, const creo_method *method, creo_answer_body *answer, creo_error *error);

/* Show a message to the client's hook for raw messages (CALL-61), if it has one. */
CREO_PRIVATE void creo_tcp_show_request(const creo_client *client, const creo_request *request, creo_instant deadline);
CREO_PRIVATE void creo_tcp_show_answer(const creo_client *client, const creo_method *method, const creo_answer_body *answer);

#endif
