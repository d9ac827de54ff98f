/* Streams over the binary wire, and as lines of JSON. */
#include "scenarios.h"

#include "ticks.h"

static creo_client *streams_client(stage *on)
{
    return at(on, STREAMS_DOOR);
}

/* The items that were read before are not needed any more. */
static bool next_tick(stage *on, creo_stream *stream, matrix_streams_ticks_outcome *next)
{
    creo_arena_reset(&on->arena);
    return matrix_streams_ticks_next(stream, &on->arena, next, &on->error);
}

/* Reads ticks to their end. */
static const char *read_ticks(stage *on, int64_t count)
{
    creo_stream stream;
    matrix_streams_ticks_outcome next;
    if (!matrix_streams_ticks(streams_client(on), count, &stream, &on->error))
        return failed(on, "ticks");
    for (int64_t i = 0; i <= count; i++) {
        if (!next_tick(on, &stream, &next))
            return failed(on, "the next tick");
        if ((next.kind == MATRIX_STREAMS_TICKS_ITEM) != (i < count))
            return "there are more ticks, or fewer, than there should be";
        if (i < count && !is_tick(&next.as.item, i, i))
            return "a tick is wrong";
    }
    return NULL;
}

static const char *ticks(stage *on)
{
    const char *why = read_ticks(on, 1000);
    return why == NULL ? read_ticks(on, 0) : why;
}

static const char *stopping(stage *on)
{
    creo_stream stream;
    matrix_streams_stopping_outcome next;
    if (!matrix_streams_stopping(streams_client(on), 10, &stream, &on->error))
        return failed(on, "stopping");
    for (int64_t i = 0; i <= 10; i++) {
        if (!matrix_streams_stopping_next(&stream, &on->arena, &next, &on->error))
            return failed(on, "the next number");
        if (i < 10 && (next.kind != MATRIX_STREAMS_STOPPING_ITEM || next.as.item != i))
            return "a number is wrong";
    }
    return next.kind == MATRIX_STREAMS_STOPPING_STOPPED && next.as.stopped.after == 10 ? NULL : "Stopped did not come as it should";
}

static const char *sum(stage *on)
{
    creo_stream stream;
    int64_t result = 0;
    bool going = matrix_streams_sum(streams_client(on), &stream, &on->error);
    if (!going)
        return failed(on, "sum");
    for (int64_t i = 0; i < 100000 && going; i++)
        going = matrix_streams_sum_write(&stream, i, &on->error);
    if (!matrix_streams_sum_finish(&stream, &on->arena, &result, &on->error))
        return failed(on, "the sum");
    return going && result == 4999950000 ? NULL : "the sum is wrong";
}

/* `first(10)` of a source with that many numbers; `taken` is how many of them it took. */
static const char *sum_of_first(stage *on, int64_t there, int64_t *taken, matrix_streams_first_outcome *outcome)
{
    creo_stream stream;
    bool going = matrix_streams_first(streams_client(on), 10, &stream, &on->error);
    if (!going)
        return failed(on, "first");
    for (*taken = 0; *taken < there && going; ++*taken)
        going = matrix_streams_first_write(&stream, *taken, &on->error);
    return matrix_streams_first_finish(&stream, &on->arena, outcome, &on->error) ? NULL : failed(on, "the sum of the first");
}

static const char *first(stage *on)
{
    matrix_streams_first_outcome outcome;
    int64_t taken;
    const char *why = sum_of_first(on, INT64_MAX, &taken, &outcome);
    if (why == NULL && (outcome.kind != MATRIX_STREAMS_FIRST_RESULT || outcome.as.result != 45))
        why = "the sum of the first is wrong";
    if (why == NULL && taken > 1000000)
        why = "the source was read much further";
    if (why == NULL)
        why = sum_of_first(on, 5, &taken, &outcome);
    if (why == NULL && (outcome.kind != MATRIX_STREAMS_FIRST_STOPPED || outcome.as.stopped.after != 5))
        why = "Stopped did not come as it should";
    return why;
}

static const char *blocks(stage *on)
{
    creo_stream stream;
    matrix_streams_blocks_outcome next;
    double due = 0;
    if (!matrix_streams_blocks(streams_client(on), 100, 1000, &stream, &on->error))
        return failed(on, "blocks");
    for (;;) {
        creo_arena_reset(&on->arena);
        if (!matrix_streams_blocks_next(&stream, &on->arena, &next, &on->error))
            return failed(on, "the next block");
        if (next.kind != MATRIX_STREAMS_BLOCKS_ITEM)
            return due == 100000 ? NULL : "blocks are missing";
        if (next.as.item.count != 1000)
            return "a block has a wrong size";
        for (size_t i = 0; i < 1000; i++, due++)
            if (next.as.item.items[i] != due)
                return "a double is wrong";
    }
}

static const char *total(stage *on)
{
    creo_stream stream;
    double block[1000];
    double result = 0;
    bool going = matrix_streams_total(streams_client(on), &stream, &on->error);
    if (!going)
        return failed(on, "total");
    for (int i = 0; i < 100 && going; i++) {
        for (int k = 0; k < 1000; k++)
            block[k] = i * 1000 + k;
        creo_double_array item = {block, 1000};
        going = matrix_streams_total_write(&stream, item, &on->error);
    }
    if (!matrix_streams_total_finish(&stream, &on->arena, &result, &on->error))
        return failed(on, "the total");
    return result == 4999950000.0 ? NULL : "the total is wrong";
}

const char *streams(stage *on)
{
    /* JMS carries results alone (JMS-23). */
    static scenario *const parts[] = {ticks, stopping, blocks, sum, first, total};
    size_t count = on->way == WAY_BINARY_JMS ? 3 : sizeof parts / sizeof parts[0];
    const char *why = NULL;
    for (size_t i = 0; i < count && why == NULL; i++) {
        why = parts[i](on);
        if (why == NULL)
            why = still_works(on);
    }
    return why;
}

/* The streams that JMS does not carry (JMS-23). */
static const char *takes_no_streams(stage *on)
{
    creo_stream stream;
    creo_client *client = streams_client(on);
    if (!failed_with(on, matrix_streams_sum(client, &stream, &on->error), CREO_UNKNOWN_METHOD))
        return failed(on, "sum");
    if (!failed_with(on, matrix_streams_total(client, &stream, &on->error), CREO_UNKNOWN_METHOD))
        return failed(on, "total");
    return failed_with(on, matrix_streams_talk(client, &stream, &on->error), CREO_UNKNOWN_METHOD) ? still_works(on) : failed(on, "talk");
}

const char *streams_talk(stage *on)
{
    creo_stream stream;
    matrix_streams_talk_outcome next;
    if (on->way == WAY_BINARY_JMS)
        return takes_no_streams(on);
    bool open = matrix_streams_talk(streams_client(on), &stream, &on->error);
    /* HTTP-35 */
    if (on->way == WAY_JSON)
        return failed_with(on, open, CREO_UNKNOWN_METHOD) ? still_works(on) : failed(on, "talk");
    if (!open)
        return failed(on, "talk");
    for (int64_t i = 0; i < 100; i++) {
        tick_room room;
        matrix_tick ask = tick(i, &room);
        creo_arena_reset(&on->arena);
        if (!matrix_streams_talk_write(&stream, &ask, &on->error) || !matrix_streams_talk_next(&stream, &on->arena, &next, &on->error))
            return failed(on, "the next answer");
        if (next.kind != MATRIX_STREAMS_TALK_ITEM || !is_tick(&next.as.item, i, 2 * i))
            return "an answer is wrong";
    }
    if (!creo_stream_end(&stream, &on->error) || !matrix_streams_talk_next(&stream, &on->arena, &next, &on->error))
        return failed(on, "the end");
    return next.kind == MATRIX_STREAMS_TALK_END ? still_works(on) : "there are more answers than asks";
}

const char *streams_close(stage *on)
{
    creo_stream stream;
    matrix_streams_ticks_outcome next;
    if (!matrix_streams_ticks(streams_client(on), INT64_C(1) << 62, &stream, &on->error))
        return failed(on, "ticks");
    for (int64_t i = 0; i < 10; i++)
        if (!next_tick(on, &stream, &next) || next.kind != MATRIX_STREAMS_TICKS_ITEM || !is_tick(&next.as.item, i, i))
            return failed(on, "the next tick");
    creo_stream_close(&stream);
    const char *why = still_works(on);
    if (why != NULL || on->way == WAY_JSON || on->way == WAY_BINARY_JMS)
        return why == NULL ? read_ticks(on, 3) : why;
    matrix_streams_talk_outcome answer;
    tick_room room;
    matrix_tick ask = tick(7, &room);
    if (!matrix_streams_talk(streams_client(on), &stream, &on->error) || !matrix_streams_talk_write(&stream, &ask, &on->error) ||
        !matrix_streams_talk_next(&stream, &on->arena, &answer, &on->error))
        return failed(on, "talk");
    creo_stream_close(&stream);
    return answer.kind == MATRIX_STREAMS_TALK_ITEM && is_tick(&answer.as.item, 7, 14) ? still_works(on) : "the answer is wrong";
}

const char *streams_deadline(stage *on)
{
    creo_stream stream;
    matrix_streams_ticks_outcome next;
    int64_t read = 0;
    bool broker = on->way == WAY_BINARY_JMS;
    /* The connection to a broker is there before. */
    const char *why = broker ? read_ticks(on, 1) : NULL;
    if (why != NULL)
        return why;
    /* A slow machine needs more time until the first item. */
    for (uint32_t time = 200; read == 0 && time < 60000; time *= 2) {
        streams_client(on)->stream_deadline_ms = time;
        bool done = matrix_streams_ticks(streams_client(on), INT64_C(1) << 62, &stream, &on->error);
        streams_client(on)->stream_deadline_ms = 0;
        while (done) {
            done = next_tick(on, &stream, &next);
            if (done && (next.kind != MATRIX_STREAMS_TICKS_ITEM || !is_tick(&next.as.item, read, read)))
                return "a tick is wrong";
            read += done ? 1 : 0;
        }
        if (on->error.code != CREO_DEADLINE_EXCEEDED)
            return failed(on, "the stream did not end at its deadline");
    }
    if (read == 0)
        return failed(on, "the stream did not end at its deadline");
    return still_works(on);
}

const char *streams_metadata(stage *on)
{
    creo_pair pair = {creo_text("x-answer"), creo_text("\xC3\xA9")};
    creo_client *client = streams_client(on);
    client->metadata = &pair;
    client->metadata_count = 1;
    const char *why = read_ticks(on, 3);
    client->metadata = NULL;
    client->metadata_count = 0;
    if (why == NULL)
        why = wrong_answer(on, client, "ticks");
    return why == NULL ? still_works(on) : why;
}

/* A source that has ten numbers, and then fails. */
static bool take_number(int64_t *number, creo_error *error)
{
    if (*number < 10)
        ++*number;
    else
        return creo_fail(error, CREO_INTERNAL, "the source is broken");
    return true;
}

const char *streams_source(stage *on)
{
    creo_stream stream;
    int64_t number = 0;
    if (!matrix_streams_sum(streams_client(on), &stream, &on->error))
        return failed(on, "sum");
    while (take_number(&number, &on->error))
        if (!matrix_streams_sum_write(&stream, number, &on->error))
            return failed(on, "a number was not written");
    /* The program has its own failure, and gives the call up. */
    creo_stream_close(&stream);
    if (strcmp(on->error.message, "the source is broken") != 0)
        return failed(on, "the failure of the source was lost");
    return still_works(on);
}
