/* The client of the ledger in C: what it is told and what it writes, README.md says. A client of C makes one call at a time, so each thread has its own. */
#include "ledger.creo.h"
#include "ledger.text.h"

#include <creo/jms.h>

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Oneway calls may take as long as the whole run; others less. */
#define ONEWAY_MS 3600000
#define ANSWER_MS 20000

typedef struct task {
    char kind[8];
    int milliseconds;
} task;

static uint16_t port;
static const char *address;
static creo_jms_wire wire;
static task *plan;
static long next, end, limit;
static int file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* Appends a whole line by one write: what is written stays though the program is killed. */
static void add(const char *word, long number, const char *rest)
{
    char line[1600];
    int length = snprintf(line, sizeof line, "%s %ld%s%s\n", word, number, *rest ? " " : "", rest);
    if (length < 0 || (size_t)length >= sizeof line || write(file, line, (size_t)length) != length)
        fail("a line cannot be written");
}

static void read_plan(const char *path)
{
    FILE *lines = fopen(path, "r");
    plan = calloc((size_t)end, sizeof *plan);
    if (lines == NULL || plan == NULL)
        fail("no plan");
    for (long i = 0; i < end; i++)
        if (fscanf(lines, "%7s %d", plan[i].kind, &plan[i].milliseconds) != 2)
            fail("the plan is too short");
    fclose(lines);
}

/* The next number, as soon as it may be called; -1 if there is none. */
static long take(void)
{
    long number = -1;
    pthread_mutex_lock(&lock);
    while (next >= limit && next < end)
        pthread_cond_wait(&changed, &lock);
    if (next < end) {
        number = next++;
        add("made", number, plan[number].kind);
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return number;
}

static void *listen_to_input(void *nothing)
{
    long told;
    while (scanf("%ld", &told) == 1) {
        pthread_mutex_lock(&lock);
        limit = told;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static void ended_in(long number, const creo_error *error)
{
    add("error", number, creo_code_name(error->code));
    fprintf(stderr, "%ld: %s\n", number, error->message);
    /* A service that is not there is not asked without end. */
    if (error->code == CREO_UNAVAILABLE)
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

static void book(creo_client *client, long number, creo_arena *arena)
{
    bool refuse = strcmp(plan[number].kind, "refuse") == 0;
    ledger_ledger_book_outcome outcome;
    creo_error error;
    char text[64];
    if (!ledger_ledger_book(client, number, plan[number].milliseconds, refuse, arena, &outcome, &error)) {
        ended_in(number, &error);
    } else if (outcome.kind == LEDGER_LEDGER_BOOK_REFUSED) {
        snprintf(text, sizeof text, "refusal of %" PRId64, outcome.as.refused.number);
        add(refuse && outcome.as.refused.number == number ? "refused" : "wrong", number, refuse && outcome.as.refused.number == number ? "" : text);
    } else {
        snprintf(text, sizeof text, "answer %" PRId64, outcome.as.result);
        add(!refuse && outcome.as.result == 2 * number ? "answered" : "wrong", number, !refuse && outcome.as.result == 2 * number ? "" : text);
    }
}

static void *work(void *nothing)
{
    creo_jms jms;
    creo_error error;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    if (!creo_jms_init(&jms, "127.0.0.1", port, address, wire, &ledger_ledger_text, creo_allocator_libc(), &error))
        fail(error.message);
    for (long number = take(); number >= 0; number = take()) {
        char digits[24];
        snprintf(digits, sizeof digits, "%ld", number);
        creo_pair metadata = {creo_text("number"), creo_text(digits)};
        jms.client.metadata = &metadata;
        jms.client.metadata_count = 1;
        bool note = strcmp(plan[number].kind, "note") == 0, poison = strcmp(plan[number].kind, "poison") == 0;
        jms.client.deadline_ms = note || poison ? ONEWAY_MS : ANSWER_MS;
        if (!note && !poison)
            book(&jms.client, number, &arena);
        else if (note ? ledger_ledger_note(&jms.client, number, plan[number].milliseconds, &error) : ledger_ledger_poison(&jms.client, number, &error))
            add("stored", number, "");
        else
            ended_in(number, &error);
        creo_arena_reset(&arena);
    }
    creo_jms_free(&jms);
    creo_arena_free(&arena);
    return nothing;
}

int main(int count, char **arguments)
{
    if (count != 9)
        fail("usage: caller PORT FILE WIRE ADDRESS PLAN FIRST END THREADS");
    port = (uint16_t)atoi(arguments[1]);
    file = open(arguments[2], O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
    if (file < 0)
        fail("the file cannot be made");
    wire = *arguments[3] == 'b' ? CREO_JMS_BINARY : *arguments[3] == 't' ? CREO_JMS_TDXML : CREO_JMS_SOAP;
    address = arguments[4];
    next = atol(arguments[6]);
    end = atol(arguments[7]);
    read_plan(arguments[5]);
    long threads = atol(arguments[8]);
    pthread_t input, *workers = calloc((size_t)threads, sizeof *workers);
    if (workers == NULL || pthread_create(&input, NULL, listen_to_input, NULL) != 0)
        fail("no thread");
    for (long i = 0; i < threads; i++)
        if (pthread_create(&workers[i], NULL, work, NULL) != 0)
            fail("no thread");
    for (long i = 0; i < threads; i++)
        pthread_join(workers[i], NULL);
    /* The thread that reads waits in it; it ends with the program. */
    free(workers);
    free(plan);
    return 0;
}
