/* The C client of the benchmark of interceptors: see the Java one. Arguments: PORT PORT BLOCKS CALLS. */
#include <echo.creo.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARM = 20000, CLIENTS = 3 };

static const char *const names[CLIENTS] = {"none", "client", "service"};

static bool begin(void *context, creo_call *call, creo_error *error)
{
    (void)context, (void)call, (void)error;
    return true;
}

static void end(void *context, const creo_call *call, const creo_outcome *outcome)
{
    (void)context, (void)call, (void)outcome;
}

static const creo_interceptor nothing[] = {{NULL, begin, end}};

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    long long left = *(const long long *)a, right = *(const long long *)b;
    return (left > right) - (left < right);
}

static void echo(creo_client *client, creo_arena *arena)
{
    creo_error error;
    creo_string result;
    creo_arena_reset(arena);
    if (!echo_echo_echo(client, (creo_string){"Hello", 5}, arena, &result, &error)) {
        char text[CREO_ERROR_TEXT];
        fprintf(stderr, "%s\n", creo_error_format(&error, text, sizeof text));
        exit(1);
    }
}

int main(int count, char **words)
{
    if (count != 5)
        return 2;
    creo_client clients[CLIENTS];
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    for (int i = 0; i < CLIENTS; i++)
        creo_client_init(&clients[i], "127.0.0.1", (uint16_t)atoi(words[i < 2 ? 1 : 2]), creo_allocator_libc());
    clients[1].interceptors = nothing;
    clients[1].interceptor_count = 1;
    int blocks = atoi(words[3]), calls = atoi(words[4]);
    long long *times = calloc((size_t)calls, sizeof *times);
    if (times == NULL)
        return 1;
    for (int i = 0; i < CLIENTS * WARM; i++)
        echo(&clients[i % CLIENTS], &arena);
    for (int i = 0; i < CLIENTS * blocks; i++) {
        int which = (i + i / CLIENTS) % CLIENTS;
        long long total = 0;
        for (int k = 0; k < calls; k++) {
            long long start = now();
            echo(&clients[which], &arena);
            times[k] = now() - start;
            total += times[k];
        }
        qsort(times, (size_t)calls, sizeof *times, compare);
        printf("%s %lld %lld\n", names[which], total, times[calls * 99 / 100]);
        fflush(stdout);
    }
    free(times);
    creo_arena_free(&arena);
    for (int i = 0; i < CLIENTS; i++)
        creo_client_free(&clients[i]);
    return 0;
}
