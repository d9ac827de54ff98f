/* A client of the benchmark of streams, controlled by its input, one command a line:
 *
 *     doubles read|write BLOCKS LENGTH
 *     structs read|write COUNT
 *
 * It answers each with the nanoseconds of the call and what its reader added up, or with `cannot` and the reason.
 *
 *     streams PEER PORT
 */
#include "streams.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *must(void *allocated)
{
    if (allocated == NULL)
        abort();
    return allocated;
}

double block_value(size_t i)
{
    return (double)i * 0.5 + 1;
}

int64_t reading_time(int64_t i)
{
    return INT64_C(1700000000000) + i;
}

double reading_value(int64_t i)
{
    return (double)(i % 1000) * 0.5;
}

int32_t reading_flags(int64_t i)
{
    return (int32_t)(i & 7);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool obey(const struct peer *peer, void *client, char *line, uint64_t *sum, char *why)
{
    char workload[16], direction[16];
    int64_t count;
    int32_t length = 0;
    snprintf(why, WHY, "not a command of %s", peer->name);
    int words = sscanf(line, "%15s %15s %" SCNd64 " %" SCNd32, workload, direction, &count, &length);
    bool reads = words >= 3 && strcmp(direction, "read") == 0;
    if (words == 4 && strcmp(workload, "doubles") == 0 && peer->read_blocks != NULL)
        return (reads ? peer->read_blocks : peer->write_blocks)(client, count, length, sum, why);
    if (words == 3 && strcmp(workload, "structs") == 0 && peer->read_readings != NULL)
        return (reads ? peer->read_readings : peer->write_readings)(client, count, sum, why);
    return false;
}

int main(int argc, char **argv)
{
    static const struct peer *const peers[] = {
        &creo_peer,
        &bare_peer,
#ifdef WITH_GRPC
        &grpc_peer,
#endif
    };
    const struct peer *peer = NULL;
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
        if (argc == 3 && strcmp(argv[1], peers[i]->name) == 0)
            peer = peers[i];
    if (peer == NULL) {
        fprintf(stderr, "usage: streams PEER PORT\n");
        return 2;
    }
    void *client = peer->connect((uint16_t)atoi(argv[2]));
    if (client == NULL) {
        fprintf(stderr, "%s cannot connect\n", peer->name);
        return 1;
    }
    puts("ready");
    fflush(stdout);
    char line[128], why[WHY];
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint64_t sum = 0;
        int64_t start = now();
        if (obey(peer, client, line, &sum, why))
            printf("%" PRId64 " %" PRId64 "\n", now() - start, (int64_t)sum);
        else
            printf("cannot %s\n", why);
        fflush(stdout);
    }
    return 0;
}
