/*
 * A program that logs what it does, and does it as its setting says: client HOST PORT PROGRAM [COUNT].
 *
 * It works until it is stopped. With a count, it logs so many entries as fast as it can instead.
 */
#include <logbook.creo.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 100
#define MAX_TEXT 100

/* Texts are stored in the entries' arrays, so no memory is allocated per entry. */
typedef struct {
    creo_client *client;
    creo_arena arena;
    creo_string name;
    char writer[100];
    int64_t number;
    logbook_level level;
    int32_t interval_millis;
    int64_t version;
    logbook_entry unsent[BATCH];
    char texts[BATCH][MAX_TEXT];
    size_t count;
    long retries;
} program;

static void nap(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Whether to repeat a call that failed; another error ends the program. */
static bool again(program *self, const creo_error *error)
{
    if (error->code != CREO_UNAVAILABLE && error->code != CREO_OVERLOADED && error->code != CREO_DEADLINE_EXCEEDED) {
        char text[CREO_ERROR_TEXT];
        fprintf(stderr, "%s\n", creo_error_format(error, text, sizeof text));
        exit(1);
    }
    self->retries++;
    nap(200);
    return true;
}

static void refused(creo_string reason)
{
    fprintf(stderr, "refused: %.*s\n", (int)reason.size, reason.data);
    exit(1);
}

/* Whether a call that failed was carried out is not known: entries that come twice have the same writer and number, and are kept once. */
static void send_entries(program *self)
{
    creo_error error;
    logbook_logbook_write_outcome outcome;
    logbook_entry_array entries = {self->unsent, self->count};
    while (!logbook_logbook_write(self->client, entries, &self->arena, &outcome, &error) && again(self, &error))
        ;
    if (outcome.kind == LOGBOOK_LOGBOOK_WRITE_REFUSED)
        refused(outcome.as.refused.reason);
    creo_arena_reset(&self->arena);
    self->count = 0;
}

static void add(program *self, logbook_level level, const char *format, ...)
{
    if (self->count == BATCH)
        send_entries(self);
    va_list values;
    va_start(values, format);
    vsnprintf(self->texts[self->count], MAX_TEXT, format, values);
    va_end(values);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    self->unsent[self->count] = (logbook_entry){
        .writer = creo_text(self->writer),
        .number = self->number++,
        .program = self->name,
        .at = {now.tv_sec, (int32_t)now.tv_nsec},
        .level = level,
        .text = creo_text(self->texts[self->count]),
    };
    self->count++;
}

/* The setting, as soon as it has another version than the known one, or when the time has passed. */
static bool read_setting(program *self, int32_t wait_millis)
{
    creo_error error;
    logbook_logbook_setting_outcome outcome;
    while (!logbook_logbook_setting(self->client, self->name, self->version, wait_millis, &self->arena, &outcome, &error) && again(self, &error))
        ;
    if (outcome.kind == LOGBOOK_LOGBOOK_SETTING_REFUSED)
        refused(outcome.as.refused.reason);
    const logbook_setting *now = &outcome.as.result;
    bool changed = now->version != self->version;
    self->level = now->level;
    self->interval_millis = now->interval_millis;
    self->version = now->version;
    creo_arena_reset(&self->arena);
    return changed;
}

static void work(program *self)
{
    for (long step = 1;; step++) {
        if (self->level <= LOGBOOK_LEVEL_DEBUG)
            add(self, LOGBOOK_LEVEL_DEBUG, "step %ld begins", step);
        if (self->level <= LOGBOOK_LEVEL_INFO)
            add(self, LOGBOOK_LEVEL_INFO, "step %ld is done", step);
        if (self->level <= LOGBOOK_LEVEL_WARNING && step % 10 == 0)
            add(self, LOGBOOK_LEVEL_WARNING, "step %ld was slow", step);
        if (step % 25 == 0)
            add(self, LOGBOOK_LEVEL_ERROR, "step %ld has failed", step);
        send_entries(self);
        /* The pause is a call that waits, and ends early if the setting changes. */
        if (read_setting(self, self->interval_millis))
            add(self, LOGBOOK_LEVEL_INFO, "new setting: level %s, a step each %d ms", logbook_level_name(self->level), (int)self->interval_millis);
    }
}

static void hurry(program *self, long count)
{
    for (long i = 0; i < count; i++)
        add(self, LOGBOOK_LEVEL_INFO, "entry %ld", i);
    send_entries(self);
    printf("%.*s: %lld entries, %ld calls repeated\n", (int)self->name.size, self->name.data, (long long)self->number, self->retries);
}

/* The name of the program and 16 random bytes: no other run has it. */
static void name_writer(program *self)
{
    unsigned char random[16];
    FILE *source = fopen("/dev/urandom", "rb");
    if (source == NULL || fread(random, 1, sizeof random, source) != sizeof random) {
        perror("/dev/urandom");
        exit(1);
    }
    fclose(source);
    int at = snprintf(self->writer, sizeof self->writer - 2 * sizeof random, "%.*s ", (int)self->name.size, self->name.data);
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(self->writer + at + 2 * i, 3, "%02x", random[i]);
}

int main(int count, char **arguments)
{
    if (count < 4 || strlen(arguments[3]) > 60) {
        fprintf(stderr, "usage: %s HOST PORT PROGRAM [COUNT]\n", arguments[0]);
        return 2;
    }
    creo_allocator memory = creo_allocator_libc();
    creo_client client;
    creo_client_init(&client, arguments[1], (uint16_t)atoi(arguments[2]), memory);
    static program self;
    self.client = &client;
    self.name = creo_text(arguments[3]);
    creo_arena_init(&self.arena, memory);
    name_writer(&self);
    read_setting(&self, 0);
    if (count > 4)
        hurry(&self, atol(arguments[4]));
    else
        work(&self);
    creo_arena_free(&self.arena);
    creo_client_free(&client);
    return 0;
}
