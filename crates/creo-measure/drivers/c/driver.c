/*
 * Measures what messages cost in one warm process (COST-33). Arguments: the file of the cases, the rounds, the microseconds of a sample, the milliseconds of all
 * warming, and the wires with commas between them. A case is a line of four words with tabs between them: its number, `request` or
 * `response`, `package.Interface.method`, and the file of its body on the binary wire. It prints lines of words: `version`, `progress DONE ALL`, `noise NANOSECONDS`, `reference NANOSECONDS`, and
 * `point NUMBER WIRE BYTES SERIALIZE DESERIALIZE`: the lower quartile of all slices, in nanoseconds at the clock rate at which the reference takes as long as was said.
 */
#define _POSIX_C_SOURCE 200809L

#include "driver.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A round that does not count: it fills caches, and memory that is kept from message to message. Code is compiled already. */
#define WARM_ROUNDS 1
/* What a sample is cut into. */
#define SLICES 10
/* The min, however long a message takes: after other messages the first call finds nothing of it in the caches. */
#define LEAST 3
#define MOST_TIMES ((uint64_t)1 << 24)
/* Multiplications, each of which waits for the one before: some ten microseconds, that nothing but the clock's rate makes longer. */
#define REFERENCE 8000
/* The clock was steady in a slice if the references around it differ by no more than this part. */
#define STEADY 0.02
/* Of the slices: what another program takes of a core that is shared, or the cache, is seldom taken of all. */
#define QUARTER 0.25

/* Numbers, in the order in which they came until they are sorted. */
typedef struct numbers {
    double *all;
    size_t count;
    size_t room;
} numbers;

/* One case on one wire. All that the driver makes lives as long as it runs. */
typedef struct subject {
    const char *number;
    const measured_wire *wire;
    const measured_message *message;
    const void *value;
    void *again;
    creo_bytes bytes;
    /* The slices of each way, in references. */
    numbers slices[2];
    uint64_t times[2];
} subject;

static measured_client client;

/* How long the reference took before each sample that counts. */
static numbers references;

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("the driver of c: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void *memory(size_t count, size_t size)
{
    void *made = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
    if (made == NULL)
        fail("no memory");
    return made;
}

static uint64_t now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        fail("the clock of the thread cannot be read");
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t number(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != 0)
        fail("%s is no number", text);
    return value;
}

/* Nanoseconds that so many times take; deserializing includes the end of what was read before (COST-36). */
static uint64_t run(const subject *on, bool serialize, uint64_t times)
{
    bool fine = true;
    creo_bytes made;
    uint64_t start = now();
    if (serialize) {
        for (uint64_t i = 0; i < times; i++)
            fine &= on->wire->write(&client, on->message, on->value, &made);
    } else {
        for (uint64_t i = 0; i < times; i++)
            fine &= on->wire->read(&client, on->message, on->bytes, on->again);
    }
    uint64_t spent = now() - start;
    if (!fine)
        fail("case %s on %s: %s", on->number, on->wire->name, client.error.message);
    return spent;
}

/* So many steps of fixed work. */
static void work(int steps)
{
    static volatile uint64_t seed = 1;
    uint64_t value = seed;
    for (int i = 0; i < steps; i++)
        value = value * 6364136223846793005u + 1442695040888963407u;
    seed = value;
}

/* The nanoseconds of a fixed amount of work now. A part of it runs first, uncounted, since a long message leaves nothing of it in the caches. */
static uint64_t reference(void)
{
    (void)now();
    work(REFERENCE / 10);
    uint64_t start = now();
    work(REFERENCE);
    return now() - start;
}

static void add_number(numbers *to, double number)
{
    if (to->count == to->room) {
        to->room = to->room == 0 ? 64 : 2 * to->room;
        double *larger = (double *)realloc(to->all, to->room * sizeof *larger);
        if (larger == NULL)
            fail("no memory");
        to->all = larger;
    }
    to->all[to->count++] = number;
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one;
    double b = *(const double *)other;
    return a < b ? -1 : a > b;
}

/* The number below which a share of them is, or the next above. */
static double quantile(numbers *of, double share)
{
    if (of->count == 0)
        fail("nothing was measured");
    qsort(of->all, of->count, sizeof *of->all, by_size);
    double place = share * (double)(of->count - 1);
    size_t below = (size_t)place;
    return of->all[(double)below < place ? below + 1 : below];
}

/*
 * A sample of about so many nanoseconds, in slices. The clock's rate changes by a fifth and more from one moment to the next, so a slice is measured by the
 * references around it, and counts if these are alike; the last one of a sample counts where none is.
 */
static void sample(subject *on, bool serialize, uint64_t wanted, bool keep)
{
    uint64_t *times = &on->times[serialize ? 0 : 1];
    numbers *slices = &on->slices[serialize ? 0 : 1];
    size_t kept = slices->count;
    uint64_t slice = wanted / SLICES;
    uint64_t spent = run(on, serialize, *times);
    while (spent < slice / 2 && *times < MOST_TIMES) {
        uint64_t more = *times * slice / (spent == 0 ? 1 : spent);
        more = more < 2 * *times ? 2 * *times : more;
        *times = more < MOST_TIMES ? more : MOST_TIMES;
        spent = run(on, serialize, *times);
    }
    double before = (double)reference();
    if (keep)
        add_number(&references, before);
    uint64_t all = 0;
    for (int done = 0; all < wanted || done < LEAST;) {
        spent = run(on, serialize, *times);
        all += spent;
        done++;
        double after = (double)reference();
        bool steady = before - after <= STEADY * after && after - before <= STEADY * after;
        bool last = all >= wanted && done >= LEAST;
        if (keep && (steady || (last && slices->count == kept)))
            add_number(slices, (double)spent / (double)*times / ((before + after) / 2));
        before = after;
    }
    if (spent > 2 * slice) {
        uint64_t less = *times * slice / spent;
        *times = less == 0 ? 1 : less;
    }
}

/* A call of nothing. */
static bool nothing(measured_client *of, const measured_message *message, creo_bytes bytes, void *value)
{
    (void)of;
    (void)message;
    (void)bytes;
    (void)value;
    return true;
}

/* What a call of nothing costs, in references: no time below this means anything. */
static double noise(void)
{
    static const measured_wire idle = {"none", NULL, nothing, false};
    static const measured_wire *volatile shown = &idle;
    subject on = {"none", shown, NULL, NULL, NULL, {NULL, 0}, {{NULL, 0, 0}, {NULL, 0, 0}}, {1, 1}};
    double least = -1;
    for (int round = 0; round < 20; round++) {
        double each = (double)run(&on, false, 100000) / 100000 / (double)reference();
        least = least < 0 || each < least ? each : least;
    }
    return least;
}

/* A whole file. */
static creo_bytes load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail("%s cannot be opened", path);
    size_t room = 4096;
    size_t size = 0;
    uint8_t *bytes = (uint8_t *)memory(room, 1);
    for (size_t read; (read = fread(bytes + size, 1, room - size, file)) > 0;) {
        size += read;
        if (size < room)
            continue;
        room *= 2;
        uint8_t *larger = (uint8_t *)realloc(bytes, room);
        if (larger == NULL)
            fail("no memory");
        bytes = larger;
    }
    if (ferror(file))
        fail("%s cannot be read", path);
    fclose(file);
    return creo_bytes_of(bytes, size);
}

/* `interface.method` in full. */
static bool is_named(const creo_method *method, const char *name)
{
    size_t size = strlen(method->interface->name);
    return strncmp(name, method->interface->name, size) == 0 && name[size] == '.' && strcmp(name + size + 1, method->name) == 0;
}

static const measured_method *find(const char *name)
{
    for (size_t i = 0; i < measured_methods_count; i++)
        for (const measured_method *method = measured_methods[i]; method->method != NULL; method++)
            if (is_named(method->method, name))
                return method;
    fail("there is no method %s", name);
}

/* Whether a word is in a list with commas between. */
static bool listed(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        if (length == size && memcmp(at, word, size) == 0)
            return true;
        at += length;
        if (*at == 0)
            return false;
    }
}

/* What is written of a value must be read, and be written again as it was. */
static void prepare(subject *on)
{
    creo_bytes made;
    if (!on->wire->write(&client, on->message, on->value, &made))
        fail("case %s on %s: %s", on->number, on->wire->name, client.error.message);
    uint8_t *copy = (uint8_t *)memory(made.size, 1);
    memcpy(copy, made.data, made.size);
    on->bytes = creo_bytes_of(copy, made.size);
    if (!on->wire->read(&client, on->message, on->bytes, on->again))
        fail("case %s on %s: %s: %s", on->number, on->wire->name, client.error.place, client.error.message);
    if (on->wire->leaves_headers && on->message->headers)
        return;
    if (!on->wire->write(&client, on->message, on->again, &made) || made.size != on->bytes.size || memcmp(made.data, copy, made.size) != 0)
        fail("case %s on %s does not come back as it went", on->number, on->wire->name);
}

/* Ends a word at the next tab, and returns the text after it. */
static char *next_word(char *word, const char *line)
{
    char *tab = strchr(word, '\t');
    if (tab == NULL)
        fail("no case: %s", line);
    *tab = 0;
    return tab + 1;
}

/* The cases of a line on all wires; returns how many. */
static size_t add(subject *to, char *line, creo_arena *values, const char *wires)
{
    char *part = next_word(line, line);
    char *name = next_word(part, line);
    char *path = next_word(name, line);
    path[strcspn(path, "\n")] = 0;
    bool response = strcmp(part, "response") == 0;
    if (!response && strcmp(part, "request") != 0)
        fail("there is no message %s", part);
    measured_message *message = (measured_message *)memory(1, sizeof *message);
    const char *why = measured_message_init(message, find(name), response);
    if (why != NULL)
        fail("the %s of %s: %s", part, name, why);
    void *value = memory(1, message->size);
    creo_reader reader;
    if (!creo_reader_init(&reader, load(path), CREO_BORROW, values, NULL, &client.error) || !measured_decode(message, &reader, value) || !creo_reader_finish(&reader))
        fail("%s: %s: %s", path, client.error.place, client.error.message);
    char *own = (char *)memory(strlen(line) + 1, 1);
    memcpy(own, line, strlen(line));
    size_t count = 0;
    for (size_t i = 0; i < measured_wires_count; i++) {
        if (!listed(wires, measured_wires[i].name))
            continue;
        to[count] = (subject){own, &measured_wires[i], message, value, memory(1, message->size), {NULL, 0}, {{NULL, 0, 0}, {NULL, 0, 0}}, {1, 1}};
        prepare(&to[count++]);
    }
    return count;
}

static subject *subjects_of(const char *cases, const char *wires, size_t *count)
{
    FILE *file = fopen(cases, "r");
    if (file == NULL)
        fail("%s cannot be opened", cases);
    creo_arena values;
    creo_arena_init(&values, creo_allocator_libc());
    char *line = NULL;
    size_t size = 0;
    subject *all = NULL;
    *count = 0;
    while (getline(&line, &size, file) >= 0) {
        subject *larger = (subject *)realloc(all, (*count + measured_wires_count) * sizeof *all);
        if (larger == NULL)
            fail("no memory");
        all = larger;
        *count += add(all + *count, line, &values, wires);
    }
    if (ferror(file))
        fail("%s cannot be read", cases);
    free(line);
    fclose(file);
    return all;
}

int main(int count, char **words)
{
    if (count != 6)
        fail("there are %d arguments, not 5", count - 1);
    uint64_t rounds = number(words[2]);
    uint64_t wanted = number(words[3]) * 1000;
    /* Nothing is compiled while it runs: there is no warming but the rounds that do not count. */
    (void)number(words[4]);
    size_t all;
    measured_client_init(&client);
    subject *subjects = subjects_of(words[1], words[5], &all);
#if defined(__clang__)
    printf("version Clang %s\n", __clang_version__);
#elif defined(__GNUC__)
    printf("version GCC %s\n", __VERSION__);
#else
    printf("version C%ld\n", __STDC_VERSION__);
#endif
    size_t done = 0;
    for (uint64_t round = 0; round < rounds + WARM_ROUNDS; round++) {
        for (size_t i = 0; i < all; i++) {
            sample(&subjects[i], true, wanted, round >= WARM_ROUNDS);
            sample(&subjects[i], false, wanted, round >= WARM_ROUNDS);
            if (++done % 64 == 0) {
                printf("progress %zu %zu\n", done, (size_t)(rounds + WARM_ROUNDS) * all);
                fflush(stdout);
            }
        }
    }
    double usual = quantile(&references, 0.5);
    printf("noise %.3f\n", noise() * usual);
    printf("reference %.0f\n", usual);
    for (size_t i = 0; i < all; i++) {
        subject *on = &subjects[i];
        double serialize = quantile(&on->slices[0], QUARTER) * usual;
        double deserialize = quantile(&on->slices[1], QUARTER) * usual;
        printf("point %s %s %zu %.3f %.3f\n", on->number, on->wire->name, on->bytes.size, serialize, deserialize);
    }
    return ferror(stdout) || fflush(stdout) != 0 ? 1 : 0;
}
