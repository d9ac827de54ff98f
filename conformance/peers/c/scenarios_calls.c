/* Calls: their ends, good and bad. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "changed.creo.h"
#include "matrix.creo.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

const char *still_works(stage *on)
{
    int64_t sum = 0;
    if (!matrix_echo_add(at(on, ECHO_DOOR), 1, 2, &on->arena, &sum, &on->error))
        return failed(on, "the next call");
    return sum == 3 ? NULL : "the next call has a wrong result";
}

static bool fail(stage *on, const char *kind, matrix_trouble_fail_outcome *outcome)
{
    return matrix_trouble_fail(at(on, TROUBLE_DOOR), creo_text(kind), &on->arena, outcome, &on->error);
}

const char *declared_exception(stage *on)
{
    matrix_trouble_fail_outcome outcome;
    if (!fail(on, "not-found", &outcome))
        return failed(on, "not-found");
    const values_not_found *not_found = &outcome.as.not_found;
    static const int32_t tried[] = {1, 2, 3};
    if (outcome.kind != MATRIX_TROUBLE_FAIL_NOT_FOUND || !creo_string_is(not_found->description, "not-found") || not_found->tried.count != 3 ||
        memcmp(not_found->tried.items, tried, sizeof tried) != 0)
        return "NotFound did not come as it should";
    if (!fail(on, "refused", &outcome))
        return failed(on, "refused");
    if (outcome.kind != MATRIX_TROUBLE_FAIL_REFUSED || !creo_string_is(outcome.as.refused.reason, "refused") ||
        outcome.as.refused.retry_after != 30)
        return "Refused did not come as it should";
    return NULL;
}

const char *hidden_failure(stage *on)
{
    matrix_trouble_fail_outcome outcome;
    if (!failed_with(on, fail(on, "internal", &outcome), CREO_INTERNAL))
        return failed(on, "internal");
    char text[CREO_ERROR_TEXT];
    creo_error_format(&on->error, text, sizeof text);
    if (strstr(text, "secret") != NULL || strstr(text, "Exception") != NULL || strstr(text, "java") != NULL || !on->error.from_peer)
        return failed(on, "the error says too much");
    return NULL;
}

const char *own_error(stage *on)
{
    matrix_trouble_fail_outcome outcome;
    if (!failed_with(on, fail(on, "denied", &outcome), CREO_PERMISSION_DENIED) || strcmp(on->error.message, "not you") != 0)
        return failed(on, "denied");
    return NULL;
}

const char *after_errors(stage *on)
{
    matrix_trouble_fail_outcome outcome;
    if (!fail(on, "fine", &outcome))
        return failed(on, "fine");
    return outcome.kind == MATRIX_TROUBLE_FAIL_RESULT && creo_string_is(outcome.as.result, "fine") ? NULL : "the result is wrong";
}

const char *unknown_method(stage *on)
{
    int64_t answer;
    bool done = changed_answer_answer(at(on, ANSWER_DOOR), &on->arena, &answer, &on->error);
    if (!failed_with(on, done, CREO_UNKNOWN_METHOD))
        return failed(on, "the call");
    /* The fingerprint of the side that was called is in its own message; this side's is in the text, too. */
    creo_string theirs = creo_error_detail(&on->error, "conformance.matrix.Answer");
    char fingerprint[17] = "";
    if (theirs.size == 16)
        memcpy(fingerprint, theirs.data, 16);
    if (theirs.size != 16 || strstr(on->error.message, fingerprint) == NULL || strstr(on->error.message, "conformance.matrix.Answer") == NULL ||
        strstr(on->error.message, "with the fingerprint") == NULL)
        return failed(on, "the text does not say what each side has");
    return still_works(on);
}

static const char *ends_at_its_deadline(stage *on, uint32_t milliseconds)
{
    int32_t slept;
    uint32_t before = at(on, TROUBLE_DOOR)->deadline_ms;
    struct timespec from;
    struct timespec to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    at(on, TROUBLE_DOOR)->deadline_ms = milliseconds;
    bool done = matrix_trouble_sleep(at(on, TROUBLE_DOOR), 60000, &on->arena, &slept, &on->error);
    at(on, TROUBLE_DOOR)->deadline_ms = before;
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (!failed_with(on, done, CREO_DEADLINE_EXCEEDED))
        return failed(on, "the call");
    if (to.tv_sec - from.tv_sec > 50)
        return "the call went on after its deadline";
    return still_works(on);
}

const char *deadline(stage *on)
{
    return ends_at_its_deadline(on, 100);
}

const char *cancel(stage *on)
{
    return ends_at_its_deadline(on, 1);
}

static void pause_ms(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

const char *oneway(stage *on)
{
    char prefix[64];
    char first[80];
    char second[80];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(prefix, sizeof prefix, "c-%ld-%lld-%ld:", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    snprintf(first, sizeof first, "%s1", prefix);
    snprintf(second, sizeof second, "%s2", prefix);
    if (!matrix_trouble_note(at(on, TROUBLE_DOOR), creo_text(first), &on->error) || !matrix_trouble_note(at(on, TROUBLE_DOOR), creo_text(second), &on->error))
        return failed(on, "note");
    for (int i = 0; i < 1200; i++) {
        creo_string_array noted;
        if (!matrix_trouble_noted(at(on, TROUBLE_DOOR), creo_text(prefix), &on->arena, &noted, &on->error))
            return failed(on, "noted");
        if (noted.count == 2) {
            /* Of a queue, two messages may be taken at once. */
            bool turned = on->open != NULL && creo_string_is(noted.items[1], first) && creo_string_is(noted.items[0], second);
            return turned || (creo_string_is(noted.items[0], first) && creo_string_is(noted.items[1], second)) ? NULL : "the notes are in the wrong order";
        }
        pause_ms(50);
    }
    return "the notes did not arrive";
}

const char *second_service(stage *on)
{
    int32_t answer = 0;
    if (!matrix_answer_answer(at(on, ANSWER_DOOR), &on->arena, &answer, &on->error))
        return failed(on, "answer");
    return answer == 42 ? NULL : "the answer is wrong";
}

const char *metadata(stage *on)
{
    creo_pair pairs[2];
    pairs[0].key = creo_text("x-test");
    pairs[0].value = creo_text("\xC3\xA9");
    pairs[1].key = creo_text("traceparent");
    pairs[1].value = creo_text("00-a");
    matrix_string_string_map seen;
    at(on, TROUBLE_DOOR)->metadata = pairs;
    at(on, TROUBLE_DOOR)->metadata_count = 2;
    bool done = matrix_trouble_metadata(at(on, TROUBLE_DOOR), &on->arena, &seen, &on->error);
    at(on, TROUBLE_DOOR)->metadata = NULL;
    at(on, TROUBLE_DOOR)->metadata_count = 0;
    if (!done)
        return failed(on, "metadata");
    size_t found = 0;
    for (size_t i = 0; i < seen.count; i++)
        for (size_t j = 0; j < 2; j++)
            if (creo_string_equal(seen.entries[i].key, pairs[j].key) && creo_string_equal(seen.entries[i].value, pairs[j].value))
                found++;
    return found == 2 ? NULL : "the service did not see the metadata";
}

const char *wrong_answer(const stage *on, const creo_client *client, const char *method)
{
    const creo_answer *answer = creo_client_answer(client);
    bool http = on->url != NULL;
    if (answer == NULL)
        return "there is no answer";
    if (answer->metadata_count != 1 || !creo_string_is(creo_pairs_find(answer->metadata, answer->metadata_count, "x-answer"), "\xC3\xA9"))
        return "the answer does not have the pair";
    if (http != (answer->status >= 200 && answer->status < 600))
        return "the status is wrong";
    return !http || creo_string_is(creo_pairs_find(answer->headers, answer->header_count, "x-answered"), method) ? NULL : "the answer does not have the header";
}

const char *answer_metadata(stage *on)
{
    creo_pair pair = {creo_text("x-answer"), creo_text("\xC3\xA9")};
    creo_client *echo = at(on, ECHO_DOOR);
    creo_client *trouble = at(on, TROUBLE_DOOR);
    matrix_trouble_fail_outcome outcome;
    echo->metadata = trouble->metadata = &pair;
    echo->metadata_count = trouble->metadata_count = 1;
    const char *why = still_works(on);
    if (why == NULL)
        why = wrong_answer(on, echo, "add");
    if (why == NULL && (!fail(on, "not-found", &outcome) || outcome.kind != MATRIX_TROUBLE_FAIL_NOT_FOUND))
        why = failed(on, "not-found");
    if (why == NULL)
        why = wrong_answer(on, trouble, "fail");
    if (why == NULL && !failed_with(on, fail(on, "denied", &outcome), CREO_PERMISSION_DENIED))
        why = failed(on, "denied");
    if (why == NULL)
        why = wrong_answer(on, trouble, "fail");
    echo->metadata = trouble->metadata = NULL;
    echo->metadata_count = trouble->metadata_count = 0;
    if (why == NULL)
        why = still_works(on);
    if (why != NULL)
        return why;
    return creo_client_answer(echo) != NULL && creo_client_answer(echo)->metadata_count == 0 ? NULL : "an answer that was not asked for metadata has some";
}

/* An interceptor that adds a pair and writes down what it is told: names with `+` for a beginning, and with the outcome for an end. */
typedef struct told {
    char name;
    bool refuses;
    creo_pair pairs[2];
    char *text;
} told;

static bool told_begin(void *context, creo_call *call, creo_error *error)
{
    told *self = (told *)context;
    size_t used = strlen(self->text);
    snprintf(self->text + used, 200 - used, "%c+%s ", self->name, call->method);
    if (self->refuses) {
        error->code = CREO_PERMISSION_DENIED;
        return false;
    }
    if (call->metadata_count == 1)
        self->pairs[0] = call->metadata[0];
    self->pairs[call->metadata_count] = (creo_pair){creo_text(self->name == '1' ? "x-first" : "x-second"), (creo_string){&self->name, 1}};
    call->metadata = self->pairs;
    call->metadata_count++;
    return strcmp(call->interface, "conformance.matrix.Trouble") == 0;
}

static void told_end(void *context, const creo_call *call, const creo_outcome *outcome)
{
    told *self = (told *)context;
    size_t used = strlen(self->text);
    snprintf(self->text + used, 200 - used, "%c-%s:%s:%u ", self->name, call->method, creo_code_name(outcome->code), (unsigned)outcome->kind);
}

/* Whether that was told since the last look. */
static bool was_told(told *of, const char *due)
{
    bool same = strcmp(of->text, due) == 0;
    of->text[0] = 0;
    return same;
}

static const char *seen_by(stage *on, told *first, told *second)
{
    matrix_string_string_map seen;
    matrix_trouble_fail_outcome outcome;
    creo_string_array noted;
    int32_t slept;
    creo_client *trouble = at(on, TROUBLE_DOOR);
    if (!matrix_trouble_metadata(trouble, &on->arena, &seen, &on->error))
        return failed(on, "metadata");
    size_t found = 0;
    for (size_t i = 0; i < seen.count; i++)
        found += (creo_string_is(seen.entries[i].key, "x-first") && creo_string_is(seen.entries[i].value, "1")) ||
                 (creo_string_is(seen.entries[i].key, "x-second") && creo_string_is(seen.entries[i].value, "2"));
    if (found != 2 || !was_told(first, "1+metadata 2+metadata 2-metadata:ok:0 1-metadata:ok:0 "))
        return "metadata was not seen as it should be";
    if (!fail(on, "not-found", &outcome) || !was_told(first, "1+fail 2+fail 2-fail:ok:1 1-fail:ok:1 "))
        return "the declared exception was not seen as it should be";
    if (fail(on, "denied", &outcome) || !was_told(first, "1+fail 2+fail 2-fail:permission-denied:0 1-fail:permission-denied:0 "))
        return "the error was not seen as it should be";
    trouble->deadline_ms = 100;
    bool done = matrix_trouble_sleep(trouble, 5000, &on->arena, &slept, &on->error);
    trouble->deadline_ms = 60000;
    if (done || !was_told(first, "1+sleep 2+sleep 2-sleep:deadline-exceeded:0 1-sleep:deadline-exceeded:0 "))
        return "the deadline was not seen as it should be";
    char prefix[64];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(prefix, sizeof prefix, "c-%ld-%lld-%ld:refused", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    second->refuses = true;
    done = matrix_trouble_note(trouble, creo_text(prefix), &on->error);
    second->refuses = false;
    if (!failed_with(on, done, CREO_PERMISSION_DENIED) || !was_told(first, "1+note 2+note 1-note:permission-denied:0 "))
        return "the refusal was not seen as it should be";
    if (!matrix_trouble_noted(trouble, creo_text(prefix), &on->arena, &noted, &on->error))
        return failed(on, "noted");
    return noted.count == 0 ? NULL : "the service has seen the call that was refused";
}

const char *interceptors(stage *on)
{
    char text[200] = "";
    told first = {.name = '1', .text = text};
    told second = {.name = '2', .text = text};
    const creo_interceptor list[] = {{&first, told_begin, told_end}, {&second, told_begin, told_end}};
    creo_client *trouble = at(on, TROUBLE_DOOR);
    trouble->interceptors = list;
    trouble->interceptor_count = 2;
    const char *why = seen_by(on, &first, &second);
    trouble->interceptors = NULL;
    trouble->interceptor_count = 0;
    return why;
}

const char *too_large(stage *on)
{
    door_client own;
    creo_bytes bytes;
    creo_client *client = open_door(on, TROUBLE_DOOR, &own);
    client->limits.max_message_size = 100000;
    bool done = matrix_trouble_bytes(client, 1000000, &on->arena, &bytes, &on->error);
    const char *why = NULL;
    if (!failed_with(on, done, CREO_TOO_LARGE) || on->error.limit == NULL || strstr(on->error.message, "maxMessageSize") == NULL ||
        on->error.allowed != 100000)
        why = failed(on, "bytes");
    else if (!matrix_trouble_bytes(client, 3, &on->arena, &bytes, &on->error) || bytes.size != 3)
        why = failed(on, "the next call");
    creo_client_free(client);
    return why;
}

static bool right_bytes(creo_bytes bytes)
{
    for (size_t i = 0; i < bytes.size; i++)
        if (bytes.data[i] != (uint8_t)(i & 0xFF))
            return false;
    return true;
}

const char *big_response(stage *on)
{
    values_block_array blocks;
    if (!matrix_trouble_blocks(at(on, TROUBLE_DOOR), 300000, &on->arena, &blocks, &on->error))
        return failed(on, "blocks");
    if (blocks.count != 300000)
        return "blocks are missing";
    for (size_t i = 0; i < blocks.count; i++)
        if (blocks.items[i].d != (double)i / 2 || (uint16_t)blocks.items[i].s != (uint16_t)(i & 0xFFFF))
            return "a block is wrong";
    creo_bytes bytes;
    if (!matrix_trouble_bytes(at(on, TROUBLE_DOOR), 10000000, &on->arena, &bytes, &on->error))
        return failed(on, "bytes");
    return bytes.size == 10000000 && right_bytes(bytes) ? NULL : "a byte is wrong";
}

const char *big_request(stage *on)
{
    const size_t size = 10000000;
    const size_t count = 1000000;
    uint8_t *data = (uint8_t *)malloc(size);
    double *numbers = (double *)malloc(count * sizeof *numbers);
    const char *why = "no memory";
    if (data != NULL && numbers != NULL) {
        int64_t due = 0;
        int64_t sum = 0;
        double total = 0;
        for (size_t i = 0; i < size; i++) {
            data[i] = (uint8_t)(i & 0xFF);
            due += data[i];
        }
        for (size_t i = 0; i < count; i++)
            numbers[i] = (double)i;
        creo_double_array list = {numbers, count};
        if (!matrix_trouble_sum(at(on, TROUBLE_DOOR), creo_bytes_of(data, size), &on->arena, &sum, &on->error))
            why = failed(on, "sum");
        else if (!matrix_trouble_total(at(on, TROUBLE_DOOR), list, &on->arena, &total, &on->error))
            why = failed(on, "total");
        else
            why = sum != due ? "the sum is wrong" : total != 499999500000.0 ? "the total is wrong" : NULL;
    }
    free(data);
    free(numbers);
    return why;
}

#define THREADS 20
#define CALLS 10

/* A thread with its client. */
typedef struct worker {
    pthread_t thread;
    stage on;
    int number;
    const char *why;
} worker;

static void *work(void *context)
{
    worker *self = (worker *)context;
    stage *on = &self->on;
    creo_arena_init(&on->arena, creo_allocator_libc());
    for (int i = 0; i < CALLS && self->why == NULL; i++) {
        int32_t milliseconds = (self->number * CALLS + i) % 20;
        int32_t slept = -1;
        if (!matrix_trouble_sleep(at(on, TROUBLE_DOOR), milliseconds, &on->arena, &slept, &on->error))
            self->why = failed(on, "sleep");
        else if (slept != milliseconds)
            self->why = "a call got another's answer";
    }
    creo_arena_free(&on->arena);
    creo_client_free(at(on, TROUBLE_DOOR));
    return NULL;
}

const char *parallel(stage *on)
{
    worker *workers = (worker *)calloc(THREADS, sizeof *workers);
    if (workers == NULL)
        return "no memory";
    int started = 0;
    for (; started < THREADS; started++) {
        worker *next = &workers[started];
        next->on.way = on->way;
        next->on.open = on->open;
        next->on.tables = on->tables;
        next->on.host = on->host;
        next->on.port = on->port;
        next->on.url = on->url;
        next->number = started;
        if (pthread_create(&next->thread, NULL, work, next) != 0)
            break;
    }
    const char *why = started < THREADS ? "a thread cannot be started" : NULL;
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].why != NULL && why == NULL) {
            snprintf(on->why, sizeof on->why, "%s", workers[i].why);
            why = on->why;
        }
    }
    free(workers);
    return why;
}

/* C has no asynchronous client: the synchronous one again. */
const char *asynchronous(stage *on)
{
    matrix_trouble_fail_outcome outcome;
    const char *why = still_works(on);
    if (why != NULL)
        return why;
    if (!fail(on, "not-found", &outcome) || outcome.kind != MATRIX_TROUBLE_FAIL_NOT_FOUND)
        return failed(on, "not-found");
    return big_response(on);
}
