/* A client of the response time benchmark, controlled by its input, one command per line:
 *
 *     prepare KIND SIZE                 makes a request and sends it once: `ok`
 *     run CALLERS NANOSECONDS LEAST     calls so long, each caller at least so often: `CALLS NANOSECONDS` and nine quantiles of the times of single calls
 *
 * Impossible commands are answered with `cannot` and the reason.
 *
 *     response PEER ADDRESS
 */
#include "response.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLERS = 64, QUANTILES = 9, KEPT = 1 << 16 };

struct caller {
    pthread_t thread;
    void *client;
    size_t calls;
    int64_t *times;
    bool failed;
    char why[WHY];
};

static const struct peer *peer;
static const char *address;
static enum kind kind;
static size_t count;
static void *request;
static struct caller callers[CALLERS];
static int64_t end;
static size_t least;

void *must(void *allocated)
{
    if (allocated == NULL)
        abort();
    return allocated;
}

double value_d(size_t i)
{
    return (double)i / 8.0 - 3;
}

int16_t value_s(size_t i)
{
    return (int16_t)(uint16_t)(i * 7919);
}

void value_string(size_t i, char text[11])
{
    uint64_t rest = i * UINT64_C(1234567891) % UINT64_C(10000000000);
    for (int at = 9; at >= 0; at--, rest /= 10)
        text[at] = (char)('0' + rest % 10);
    text[10] = 0;
}

uint8_t value_byte(size_t i)
{
    return (uint8_t)(i * 31 + 7);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool call(struct caller *caller)
{
    int32_t items = -1;
    if (!peer->call(caller->client, kind, request, &items, caller->why))
        return false;
    if (items < 0 || (size_t)items != count) {
        snprintf(caller->why, sizeof caller->why, "the service got %d items instead of %zu", (int)items, count);
        return false;
    }
    return true;
}

static bool connected(size_t number, char *why)
{
    for (size_t i = 0; i < number; i++)
        if (callers[i].client == NULL) {
            callers[i].times = must(calloc(KEPT, sizeof(int64_t)));
            callers[i].client = peer->connect(address);
            if (callers[i].client == NULL) {
                snprintf(why, WHY, "no connection");
                return false;
            }
        }
    return true;
}

static bool prepare(const char *name, size_t size, char *why)
{
    static const char *const names[KINDS] = {"numbers", "strings", "bytes"};
    if (request != NULL)
        peer->release(kind, request, count);
    request = NULL;
    for (int i = 0; i < KINDS; i++)
        if (strcmp(names[i], name) == 0)
            kind = (enum kind)i;
    count = kind == BYTES ? size : size / 10;
    if (!connected(1, why))
        return false;
    request = peer->prepare(kind, count);
    if (call(&callers[0]))
        return true;
    memcpy(why, callers[0].why, WHY);
    return false;
}

/* Keeps the last KEPT times. */
static void *loop(void *opaque)
{
    struct caller *caller = opaque;
    caller->failed = false;
    caller->calls = 0;
    for (int64_t before = now(); before < end || caller->calls < least;) {
        if (!call(caller)) {
            caller->failed = true;
            return NULL;
        }
        int64_t after = now();
        caller->times[caller->calls++ % KEPT] = after - before;
        before = after;
    }
    return NULL;
}

static int by_time(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void tell(size_t number, int64_t elapsed)
{
    size_t calls = 0, kept = 0;
    for (size_t i = 0; i < number; i++) {
        calls += callers[i].calls;
        kept += callers[i].calls < KEPT ? callers[i].calls : KEPT;
    }
    int64_t *times = must(malloc(kept * sizeof *times));
    size_t at = 0;
    for (size_t i = 0; i < number; i++) {
        size_t own = callers[i].calls < KEPT ? callers[i].calls : KEPT;
        memcpy(times + at, callers[i].times, own * sizeof *times);
        at += own;
    }
    qsort(times, kept, sizeof *times, by_time);
    size_t shown = kept < QUANTILES ? kept : QUANTILES;
    printf("%zu %lld ", calls, (long long)elapsed);
    for (size_t i = 0; i < shown; i++)
        printf("%s%lld", i ? "," : "", (long long)times[(2 * i + 1) * kept / (2 * shown)]);
    printf("\n");
    free(times);
}

static bool run(size_t number, int64_t nanoseconds, size_t at_least, char *why)
{
    if (!connected(number, why))
        return false;
    int64_t start = now();
    end = start + nanoseconds;
    least = at_least;
    if (number == 1)
        loop(&callers[0]);
    else {
        for (size_t i = 0; i < number; i++)
            if (pthread_create(&callers[i].thread, NULL, loop, &callers[i]) != 0)
                abort();
        for (size_t i = 0; i < number; i++)
            pthread_join(callers[i].thread, NULL);
    }
    int64_t elapsed = now() - start;
    for (size_t i = 0; i < number; i++)
        if (callers[i].failed) {
            memcpy(why, callers[i].why, WHY);
            return false;
        }
    tell(number, elapsed);
    return true;
}

int main(int argc, char **argv)
{
    static const struct peer *const peers[] = {&creo_peer, &thrift_binary_peer, &thrift_compact_peer, &grpc_peer};
    for (size_t i = 0; argc == 3 && i < sizeof peers / sizeof *peers; i++)
        if (strcmp(peers[i]->name, argv[1]) == 0)
            peer = peers[i];
    if (peer == NULL) {
        fprintf(stderr, "response PEER ADDRESS\n");
        return 2;
    }
    address = argv[2];
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("ready\n");
    char line[256], name[32], why[WHY] = "";
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t size = 0, number = 0, at_least = 0;
        long long nanoseconds = 0;
        if (sscanf(line, "prepare %31s %zu", name, &size) == 2) {
            if (prepare(name, size, why))
                printf("ok\n");
            else
                printf("cannot %s\n", why);
        } else if (sscanf(line, "run %zu %lld %zu", &number, &nanoseconds, &at_least) == 3 && number > 0 && number <= CALLERS) {
            if (!run(number, nanoseconds, at_least, why))
                printf("cannot %s\n", why);
        } else
            printf("cannot understand\n");
    }
    return 0;
}
