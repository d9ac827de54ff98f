#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const workload_names[WORKLOADS] = {"numbers", "strings", "texts", "bytes", "reals"};

static const size_t item_sizes[WORKLOADS] = {10, 10, 10, 1, 8};

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

static unsigned long long digits(size_t i)
{
    return (unsigned long long)i * 1234567891ULL % 10000000000ULL;
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
    case STRINGS:
    case TEXTS: {
        v->texts = must(calloc(v->count, sizeof *v->texts));
        char *characters = must(malloc(v->count * 24));
        for (size_t i = 0; i < v->count; i++) {
            char *at = characters + i * 24;
            (void)snprintf(at, 24, "%010llu%010llu", digits(i), digits(i + 1));
            v->texts[i].data = at;
            v->texts[i].size = 10;
            if (workload == TEXTS) {
                v->texts[i].size = 1 + i * 7 % 19;
                if (i % 10 == 0) {
                    /* One character of two bytes in place of the first. */
                    memmove(at + 1, at, 21);
                    memcpy(at, "\xC3\xA9", 2);
                    v->texts[i].size++;
                }
            }
            at[v->texts[i].size] = 0;
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

const struct values *values_named(const char *workload, const char *size)
{
    static struct values *made[256];
    int which = 0;
    while (which < WORKLOADS && strcmp(workload, workload_names[which]) != 0)
        which++;
    size_t bytes = (size_t)strtoull(size, NULL, 10);
    if (which == WORKLOADS || bytes == 0)
        return NULL;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        if (made[i] == NULL)
            return made[i] = make((enum workload)which, bytes);
        if (made[i]->workload == (enum workload)which && made[i]->size == bytes)
            return made[i];
    }
    return make((enum workload)which, bytes);
}

size_t capacity_of(const struct values *values)
{
    return 1024 + 2 * values->size;
}

const struct peer *const peers[] = {&creo_peer,         &creo_borrow_peer, &thrift_binary_peer, &thrift_compact_peer, &protobuf_peer, &protobuf_prebuilt_peer,
                                    &protobuf_arena_peer, &nanopb_peer,      &hand_peer,          NULL};
