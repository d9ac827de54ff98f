#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const workload_names[WORKLOADS] = {"numbers", "strings", "bytes", "reals"};

static const size_t item_sizes[WORKLOADS] = {10, 10, 1, 8};

void *must(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static double real(size_t i)
{
    return (double)i / 8.0 - 3;
}

static struct values *make(enum workload workload, size_t size)
{
    struct values *v = must(calloc(1, sizeof *v));
    v->workload = workload;
    v->size = size;
    v->count = size / item_sizes[workload];
    switch (workload) {
    case NUMBERS:
        v->blocks = must(calloc(v->count, sizeof *v->blocks));
        for (size_t i = 0; i < v->count; i++) {
            v->blocks[i].d = real(i);
            v->blocks[i].s = (int16_t)(uint16_t)(i * 7919);
        }
        break;
    case STRINGS: {
        v->texts = must(calloc(v->count, sizeof *v->texts));
        char *characters = must(malloc(v->count * 11));
        for (size_t i = 0; i < v->count; i++) {
            char *at = characters + i * 11;
            (void)snprintf(at, 11, "%010llu", (unsigned long long)i * 1234567891ULL % 10000000000ULL);
            v->texts[i].data = at;
            v->texts[i].size = 10;
        }
        break;
    }
    case BYTES:
        v->bytes = must(malloc(v->count));
        for (size_t i = 0; i < v->count; i++)
            v->bytes[i] = (uint8_t)(i * 31 + 7);
        break;
    case REALS:
    case WORKLOADS:
        v->reals = must(calloc(v->count, sizeof *v->reals));
        for (size_t i = 0; i < v->count; i++)
            v->reals[i] = real(i);
        break;
    }
    return v;
}

const struct values *values_of(enum workload workload, size_t size)
{
    static struct values *made[256];
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        if (made[i] == NULL)
            return made[i] = make(workload, size);
        if (made[i]->workload == workload && made[i]->size == size)
            return made[i];
    }
    return make(workload, size);
}
