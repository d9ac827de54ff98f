#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <creo/client.h>
#include <creo/codegen/write.h>

#include "../call/body.h"
#include "../call/metadata.h"
#include "tcp.h"
#include "wire.h"

/* The max number of reads of unexpected input before a call continues. */
#define MAX_IDLE_READS 64

/* How long the client waits for the error of a service that closes the connection while a request is being sent. */
#define REFUSAL_MILLIS 1000

bool creo_tcp_send_bare(creo_client *client, uint8_t kind, uint32_t id, creo_instant until)
{
    uint8_t bytes[CREO_FRAME_SIZE];
    creo_put_u32(bytes, CREO_FRAME_SIZE - 4);
    bytes[4] = kind;
    bytes[5] = 0;
    creo_put_u32(bytes + 6, id);
    struct iovec piece = {bytes, sizeof bytes};
    size_t done;
    return creo_socket_write(client, &piece, 1, &done, until) == CREO_RESULT_DONE;
}

bool creo_tcp_fail_lost(creo_client *client, creo_result result, creo_error *error)
{
    const creo_frames *frames = &client->frames;
    if (!frames->greeted && frames->input_end > frames->input_at)
        return creo_fail_protocol(frames->input + frames->input_at, frames->input_end - frames->input_at, client->peer, error);
    if (!frames->greeted && result == CREO_RESULT_CLOSED)
        return creo_fail(error, CREO_UNAVAILABLE, "%s closed the connection before it said that it speaks Creo", client->peer);
    if (result == CREO_RESULT_CLOSED)
        return creo_fail(error, CREO_UNAVAILABLE, "%s closed the connection while the call was under way", client->peer);
    return creo_fail(error, CREO_UNAVAILABLE, "the connection to %s was lost while the call was under way", client->peer);
}

bool creo_tcp_answer_ping(creo_client *client, creo_instant until, creo_error *error)
{
    client->frames.ping = false;
    if (creo_tcp_send_bare(client, CREO_PONG, client->frames.ping_id, until))
        return true;
    (void)creo_tcp_fail_lost(client, CREO_RESULT_FAILED, error);
    creo_client_disconnect(client);
    return false;
}

/* Whether the service's preamble is overdue (TCP-19). */
static bool is_silent(const creo_client *client)
{
    return !client->frames.greeted && creo_now() >= client->preamble_due;
}

/* Handles all of the input while no call is in progress, and answers pings. False if the connection is no longer usable. */
static bool use_idle_input(creo_client *client)
{
    for (;;) {
        switch (creo_frames_step(&client->frames, 0, &client->limits, client->peer, NULL)) {
        case CREO_STEP_PING:
            client->frames.ping = false;
            if (!creo_tcp_send_bare(client, CREO_PONG, client->frames.ping_id, creo_now()))
                return false;
            break;
        case CREO_STEP_MORE:
            return !client->frames.goodbye;
        case CREO_STEP_ANSWER:
        case CREO_STEP_STREAM:
        case CREO_STEP_FAILED:
        case CREO_STEP_BROKEN:
            return false;
        }
    }
}

/* Handles input since the last call: a goaway, pings, late answers, or the end of the connection, which is then closed. */
static void tcp_check_idle_connection(creo_client *client)
{
    bool usable = use_idle_input(client);
    for (int reads = 0; usable && reads < MAX_IDLE_READS; reads++) {
        uint8_t *into;
        size_t room = creo_frames_room(&client->frames, &client->limits, &into);
        size_t done = 0;
        creo_result read = room == 0 ? CREO_RESULT_FAILED : creo_socket_read(client, into, room, &done, false, creo_now());
        usable = read == CREO_RESULT_TIMEOUT && !is_silent(client);
        if (usable)
            return;
        if (read == CREO_RESULT_DONE) {
            creo_frames_filled(&client->frames, into, done);
            usable = use_idle_input(client);
        }
    }
    if (!usable)
        creo_client_disconnect(client);
}

void creo_tcp_give_up(creo_client *client, uint32_t id)
{
    creo_frames_expect(&client->frames, NULL, NULL);
    if (!creo_tcp_send_bare(client, CREO_CANCEL, id, creo_now()))
        creo_client_disconnect(client);
}

creo_step creo_tcp_receive(creo_client *client, uint32_t id, creo_instant deadline, bool wait, creo_error *error)
{
    creo_frames *frames = &client->frames;
    creo_instant chain = CREO_NEVER;
    bool wait_first = wait;
    for (;;) {
        if (wait && frames->ping && !creo_tcp_answer_ping(client, creo_earlier(deadline, chain), error))
            return CREO_STEP_FAILED;
        creo_step step = creo_frames_step(frames, id, &client->limits, client->peer, error);
        if (step == CREO_STEP_PING)
            continue;
        if (step == CREO_STEP_BROKEN)
            creo_client_disconnect(client);
        if (step != CREO_STEP_MORE)
            return step == CREO_STEP_BROKEN ? CREO_STEP_FAILED : step;
        if (frames->into != NULL && chain == CREO_NEVER)
            chain = creo_after(creo_now(), client->limits.frame_timeout_ms);
        bool silent = is_silent(client);
        creo_instant until = creo_earlier(deadline, frames->greeted ? chain : client->preamble_due);

        uint8_t *into;
        size_t room = creo_frames_room(frames, &client->limits, &into);
        if (room == 0) {
            frames->into = NULL;
            (void)creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
            return CREO_STEP_FAILED;
        }
        size_t done = 0;
        /*
         * The clock is checked each time: a service that never stops sending must not hold the call beyond its deadline. A preamble may have come in
         * time while nothing was read.
         */
        bool over = creo_now() >= (silent ? deadline : until);
        creo_result result = over ? CREO_RESULT_TIMEOUT : creo_socket_read(client, into, room, &done, wait_first && !silent, wait ? until : creo_now());
        if (result == CREO_RESULT_DONE) {
            creo_frames_filled(frames, into, done);
            wait_first = false;
            continue;
        }
        if (result == CREO_RESULT_TIMEOUT && !wait && !over && !silent)
            return CREO_STEP_MORE;
        if (result == CREO_RESULT_TIMEOUT && creo_now() >= deadline && (frames->greeted || deadline <= client->preamble_due)) {
            (void)creo_client_fail_deadline(client, "before it answered", error);
            creo_tcp_give_up(client, id);
            return CREO_STEP_FAILED;
        }
        if (result == CREO_RESULT_TIMEOUT && frames->greeted)
            (void)creo_fail(error, CREO_UNAVAILABLE, "%s was too slow with its answer", client->peer);
        else if (result == CREO_RESULT_TIMEOUT)
            (void)creo_fail(error, CREO_PROTOCOL_MISMATCH,
                            "%s accepted the connection, but did not answer with the preamble of Creo within %lu ms; perhaps the port speaks HTTP or TLS",
                            client->peer, (unsigned long)client->limits.connect_timeout_ms);
        else
            (void)creo_tcp_fail_lost(client, result, error);
        creo_client_disconnect(client);
        return CREO_STEP_FAILED;
    }
}

uint32_t creo_tcp_next_id(creo_client *client)
{
    client->last_id = client->last_id == UINT32_MAX ? 1 : client->last_id + 1;
    return client->last_id;
}

bool creo_tcp_send(creo_client *client, const creo_request *request, creo_instant deadline, creo_arena *arena, bool *refused, creo_error *error)
{
    bool shown = false;
    *refused = false;
    for (;;) {
        if (client->open)
            tcp_check_idle_connection(client);
        bool reused = client->open;
        if (!client->open && !creo_client_open(client, deadline, error))
            return false;
        if (!shown)
            creo_tcp_show_request(client, request, deadline);
        shown = true;
        bool began = false;
        creo_result result = creo_request_send(client, request, deadline, &began);
        client->sent = client->sent || began;
        if (client->preamble_sent && client->preamble_due == CREO_NEVER)
            client->preamble_due = creo_after(creo_now(), client->limits.connect_timeout_ms);
        if (result == CREO_RESULT_DONE)
            return true;
        if (result == CREO_RESULT_TIMEOUT) {
            if (began)
                creo_client_disconnect(client);
            return creo_client_fail_deadline(client, "before it was sent", error);
        }
        if (!began && reused) {
            creo_client_disconnect(client);
            continue;
        }
        /* A service may refuse a request before it has read all of it; its error is better than a closed connection. */
        creo_frames_expect(&client->frames, arena, NULL);
        creo_instant patience = creo_earlier(deadline, creo_after(creo_now(), REFUSAL_MILLIS));
        bool heard = creo_tcp_receive(client, request->id, patience, true, error) == CREO_STEP_ANSWER;
        *refused = heard && client->frames.kind == CREO_ERROR;
        if (*refused)
            return true;
        creo_client_disconnect(client);
        if (!heard && error != NULL && error->code == CREO_PROTOCOL_MISMATCH)
            return false;
        return creo_fail(error, CREO_UNAVAILABLE, "the connection to %s was lost while the call was sent", client->peer);
    }
}

bool creo_tcp_take_answer(creo_client *client, const creo_method *method, creo_answer_body *answer, creo_error *error)
{
    const creo_frames *frames = &client->frames;
    size_t start = 0;
    *answer = (creo_answer_body){frames->kind, creo_bytes_of(frames->body.data, frames->body.size)};
    if (frames->chain_id == 0)
        return true;
    if (frames->metadata && !creo_metadata_read(client, creo_bytes_of(frames->body.data, frames->first), &start, error))
        return false;
    client->answered = true;
    answer->body = creo_bytes_of(start == 0 ? frames->body.data : frames->body.data + start, frames->body.size - start);
    if (answer->body.size > creo_limits_body(&client->limits))
        return creo_fail_body(error, &client->limits);
    creo_tcp_show_answer(client, method, answer);
    return true;
}

static bool tcp_call(creo_client *client, const creo_method *method, const void *arguments, creo_arena *arena, void *outcome, creo_error *error)
{
    creo_instant deadline = creo_after(creo_now(), client->deadline_ms);
    creo_arena_reset(&client->arena);
    if (arena == NULL)
        arena = &client->arena;
    creo_request request;
    if (!creo_request_make(client, method, arguments, creo_tcp_next_id(client), &request, error))
        return false;
    bool refused;
    if (!creo_tcp_send(client, &request, deadline, arena, &refused, error))
        return creo_client_name_peer(client, error);
    if (!refused && method->oneway)
        return true;
    if (!refused)
        creo_frames_expect(&client->frames, arena, NULL);
    if (!refused && creo_tcp_receive(client, request.id, deadline, true, error) != CREO_STEP_ANSWER)
        return creo_client_name_peer(client, error);
    const creo_frames *frames = &client->frames;
    creo_answer_body answer;
    bool ended = refused || frames->goodbye;
    bool read = creo_tcp_take_answer(client, method, &answer, error);
    bool own = client->wire != NULL && answer.kind != CREO_ERROR;
    if (read)
        read = own ? client->wire->read(client, method, &answer, arena, outcome, error)
                   : creo_answer_read(method, &answer, client->peer, &client->limits, arena, outcome, error);
    if (ended)
        creo_client_disconnect(client);
    return read || creo_client_name_peer(client, error);
}

void creo_client_use_wire(creo_client *client, const struct creo_wire *wire, const void *context)
{
    client->wire = wire;
    client->wire_context = context;
}

void creo_client_init(creo_client *client, const char *host, uint16_t port, creo_allocator allocator)
{
    static const struct creo_transport tcp = {tcp_call, true, NULL, tcp_check_idle_connection, NULL, NULL, NULL};
    creo_client_prepare(client, host, port, allocator, &tcp);
}
