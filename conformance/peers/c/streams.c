/* Calls with streams, one for each line of the input: how each ended. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "ticks.h"

#include <stdlib.h>
#include <time.h>

/* One line of the input. */
typedef struct task {
    uint16_t port;
    char method[20];
    int64_t count;
    /* -1: none. */
    int64_t take;
    int64_t fail_after;
    bool lockstep;
    bool fresh;
    uint32_t deadline;
    long pause;
} task;

/* What came of it. */
typedef struct tally {
    long long items;
    int64_t sum;
    int64_t taken;
    const char *end;
} tally;

static void take_member(void *context, creo_string name, const char *value)
{
    task *asked = (task *)context;
    int64_t number = *value >= '0' && *value <= '9' ? (int64_t)strtoll(value, NULL, 10) : -1;
    char *text = NULL;
    size_t size;
    if (creo_string_is(name, "port"))
        asked->port = (uint16_t)number;
    else if (creo_string_is(name, "method") && peer_read_string(value, &text, &size) != NULL)
        snprintf(asked->method, sizeof asked->method, "%s", text);
    else if (creo_string_is(name, "count"))
        asked->count = number;
    else if (creo_string_is(name, "take"))
        asked->take = number;
    else if (creo_string_is(name, "failAfter"))
        asked->fail_after = number;
    else if (creo_string_is(name, "lockstep"))
        asked->lockstep = *value == 't';
    else if (creo_string_is(name, "fresh"))
        asked->fresh = *value == 't';
    else if (creo_string_is(name, "deadline"))
        asked->deadline = (uint32_t)number;
    else if (creo_string_is(name, "pause"))
        asked->pause = (long)number;
    free(text);
}

/* A call while it runs. */
typedef struct run {
    const task *asked;
    creo_client *client;
    creo_stream stream;
    creo_arena *arena;
    tally counted;
    creo_error error;
} run;

static void end_with(run *on, const char *end)
{
    on->counted.end = end;
}

static void end_with_error(run *on)
{
    end_with(on, creo_code_name(on->error.code));
}

/* The source has another number; it may also fail, which ends the call. */
static bool source_has_more(run *on)
{
    if (on->asked->fail_after >= 0 && on->counted.taken >= on->asked->fail_after) {
        end_with(on, "source");
        creo_stream_close(&on->stream);
        return false;
    }
    return on->counted.taken < on->asked->count;
}

/* Whether the item was as it should be and the client reads on. */
static bool read_on(run *on, bool right, int64_t number)
{
    if (!right) {
        end_with(on, "wrong-value");
        creo_stream_close(&on->stream);
        return false;
    }
    on->counted.items++;
    on->counted.sum = (int64_t)((uint64_t)on->counted.sum + (uint64_t)number);
    if (on->asked->pause > 0) {
        struct timespec time = {on->asked->pause / 1000, on->asked->pause % 1000 * 1000000};
        nanosleep(&time, NULL);
    }
    if (on->asked->take < 0 || on->counted.items < on->asked->take)
        return true;
    end_with(on, "closed");
    creo_stream_close(&on->stream);
    return false;
}

static void call_ticks(run *on)
{
    matrix_streams_ticks_outcome next;
    bool going = matrix_streams_ticks(on->client, on->asked->count, &on->stream, &on->error);
    if (!going)
        end_with_error(on);
    while (going) {
        creo_arena_reset(on->arena);
        if (!matrix_streams_ticks_next(&on->stream, on->arena, &next, &on->error)) {
            end_with_error(on);
            return;
        }
        if (next.kind != MATRIX_STREAMS_TICKS_ITEM)
            return;
        going = read_on(on, is_tick(&next.as.item, on->counted.items, on->counted.items), next.as.item.number);
    }
}

static void call_stopping(run *on)
{
    matrix_streams_stopping_outcome next;
    bool going = matrix_streams_stopping(on->client, (int32_t)on->asked->count, &on->stream, &on->error);
    if (!going)
        end_with_error(on);
    while (going) {
        creo_arena_reset(on->arena);
        if (!matrix_streams_stopping_next(&on->stream, on->arena, &next, &on->error)) {
            end_with_error(on);
            return;
        }
        if (next.kind == MATRIX_STREAMS_STOPPING_STOPPED)
            end_with(on, "declared");
        if (next.kind != MATRIX_STREAMS_STOPPING_ITEM)
            return;
        going = read_on(on, next.as.item == on->counted.items, next.as.item);
    }
}

static void call_sum(run *on)
{
    if (!matrix_streams_sum(on->client, &on->stream, &on->error)) {
        end_with_error(on);
        return;
    }
    while (source_has_more(on))
        if (!matrix_streams_sum_write(&on->stream, on->counted.taken++, &on->error))
            break;
    if (strcmp(on->counted.end, "value") == 0 && !matrix_streams_sum_finish(&on->stream, on->arena, &on->counted.sum, &on->error))
        end_with_error(on);
}

static void call_first(run *on)
{
    matrix_streams_first_outcome outcome;
    if (!matrix_streams_first(on->client, 10, &on->stream, &on->error)) {
        end_with_error(on);
        return;
    }
    while (source_has_more(on))
        if (!matrix_streams_first_write(&on->stream, on->counted.taken++, &on->error))
            break;
    if (strcmp(on->counted.end, "value") != 0)
        return;
    if (!matrix_streams_first_finish(&on->stream, on->arena, &outcome, &on->error))
        end_with_error(on);
    else if (outcome.kind == MATRIX_STREAMS_FIRST_STOPPED)
        end_with(on, "declared");
    else
        on->counted.sum = outcome.as.result;
}

/* Reads an answer; false at the end. */
static bool read_answer(run *on)
{
    matrix_streams_talk_outcome next;
    creo_arena_reset(on->arena);
    if (!matrix_streams_talk_next(&on->stream, on->arena, &next, &on->error)) {
        end_with_error(on);
        return false;
    }
    if (next.kind != MATRIX_STREAMS_TALK_ITEM)
        return false;
    return read_on(on, is_tick(&next.as.item, on->counted.items, 2 * on->counted.items), next.as.item.number);
}

static void call_talk(run *on)
{
    if (!matrix_streams_talk(on->client, &on->stream, &on->error)) {
        end_with_error(on);
        return;
    }
    bool writing = true;
    for (;;) {
        bool waits = on->asked->lockstep && on->counted.taken > on->counted.items;
        unsigned ready = writing && !waits ? creo_stream_ready(&on->stream) : (unsigned)CREO_STREAM_READ;
        if ((ready & CREO_STREAM_READ) != 0) {
            if (!read_answer(on))
                return;
        } else if (source_has_more(on)) {
            tick_room room;
            matrix_tick ask = tick(on->counted.taken, &room);
            on->counted.taken++;
            /* If it is not written, the next answer says why. */
            writing = matrix_streams_talk_write(&on->stream, &ask, &on->error);
        } else if (strcmp(on->counted.end, "value") != 0) {
            return;
        } else {
            writing = false;
            (void)creo_stream_end(&on->stream, &on->error);
        }
    }
}

static void call(run *on)
{
    static const struct {
        const char *name;
        void (*run)(run *on);
    } methods[] = {{"ticks", call_ticks}, {"stopping", call_stopping}, {"sum", call_sum}, {"first", call_first}, {"talk", call_talk}};
    on->counted.end = "value";
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(on->asked->method, methods[i].name) == 0)
            methods[i].run(on);
    creo_stream_close(&on->stream);
    printf("{\"items\":%lld,\"sum\":%lld,\"taken\":%lld,\"end\":\"%s\"}\n", on->counted.items, (long long)on->counted.sum, (long long)on->counted.taken, on->counted.end);
    fflush(stdout);
}

int peer_streams(void)
{
    char *line = NULL;
    size_t room = 0;
    bool fine = true;
    /* On the heap, guarded by the sanitizer. */
    creo_client *client = (creo_client *)calloc(1, sizeof *client);
    if (client == NULL)
        return 1;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_client_init(client, "127.0.0.1", 0, creo_allocator_libc());
    while (fine && getline(&line, &room, stdin) >= 0) {
        task asked;
        run on;
        memset(&asked, 0, sizeof asked);
        asked.take = asked.fail_after = -1;
        fine = peer_read_object(line, take_member, &asked) != NULL;
        if (asked.fresh) {
            creo_client_free(client);
            creo_client_init(client, "127.0.0.1", asked.port, creo_allocator_libc());
        }
        client->stream_deadline_ms = asked.deadline;
        memset(&on, 0, sizeof on);
        on.asked = &asked;
        on.client = client;
        on.arena = &arena;
        if (fine)
            call(&on);
        creo_arena_free(&arena);
    }
    free(line);
    creo_client_free(client);
    free(client);
    return fine ? 0 : 1;
}
