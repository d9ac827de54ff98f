/*
 * One cell of the workloads in C: WORKLOAD WIRE PEER FOLDER SECONDS. Prints a JSON line: bytes and CRC-32 of the message, and nanoseconds a call of this thread's processor time.
 */
#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum operation { ENCODE, BUILD_AND_ENCODE, DECODE, DECODE_AND_READ, OPERATIONS };

enum { SAMPLES = 4096, CAPACITY = 1 << 20 };

static const char *const names[] = {"encode", "build and encode", "decode", "decode and read"};
static const struct peer *const peers[] = {&creo_peer,   &creo_borrow_peer, &creo_json_peer, &creo_soap_peer, &protobuf_c_peer,
                                           &protobuf_cc_peer, &nanopb_peer, &yyjson_peer, &expat_peer};

struct cell {
    const struct peer *peer;
    void *state;
    void *built;
    uint8_t *bytes;
    size_t size;
    uint8_t *out;
    volatile uint64_t sink;
};

static void fail(const char *what)
{
    fprintf(stderr, "workloads: %s\n", what);
    exit(1);
}

void *must(void *memory)
{
    if (memory == NULL)
        fail("no memory");
    return memory;
}

void *take(struct bump *bump, size_t count, size_t size)
{
    if (bump->memory == NULL) {
        bump->size = 8 << 20;
        bump->memory = must(malloc(bump->size));
    }
    size_t bytes = (count * size + 15) & ~(size_t)15;
    if (bytes > bump->size - bump->used)
        fail("no memory in the block");
    void *memory = bump->memory + bump->used;
    bump->used += bytes;
    return memory;
}

static creo_bytes file(const char *folder, const char *workload, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, workload, ending);
    FILE *opened = fopen(path, "rb");
    if (opened == NULL)
        fail(path);
    uint8_t *bytes = must(malloc(CAPACITY));
    size_t size = fread(bytes, 1, CAPACITY, opened);
    fclose(opened);
    return creo_bytes_of(bytes, size);
}

/* Separate texts with a zero at their end, in decoded structs that may be written. */
static void end_text(creo_string *string)
{
    string->data = must(strndup(string->data, string->size));
}

static void end_map(const workloads_string_string_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        workloads_string_string_map_entry *each = (workloads_string_string_map_entry *)(uintptr_t)&map->entries[i];
        end_text(&each->key);
        end_text(&each->value);
    }
}

static void end_node(workloads_node *node)
{
    end_text(&node->kind);
    if (node->has_text)
        end_text(&node->text);
    end_map(&node->attributes);
    for (size_t i = 0; i < node->children.count; i++)
        end_node((workloads_node *)(uintptr_t)&node->children.items[i]);
}

static void end_orders(workloads_orders *orders)
{
    for (size_t i = 0; i < orders->orders.count; i++) {
        workloads_order *order = (workloads_order *)(uintptr_t)&orders->orders.items[i];
        end_text(&order->customer);
        end_map(&order->tags);
        for (size_t k = 0; k < order->items.count; k++) {
            workloads_item *item = (workloads_item *)(uintptr_t)&order->items.items[k];
            end_text(&item->sku);
            if (item->has_note)
                end_text(&item->note);
        }
    }
}

static struct source source_of(const char *workload, creo_bytes bytes)
{
    struct source source = {strcmp(workload, "telemetry") == 0 ? TELEMETRY : strcmp(workload, "document") == 0 ? DOCUMENT : ORDERS, {{{0}}}};
    creo_arena *arena = must(malloc(sizeof *arena));
    creo_arena_init(arena, creo_allocator_libc());
    creo_error error = {0};
    bool done = false;
    switch (source.kind) {
    case ORDERS:
        done = workloads_orders_from_bytes(bytes, arena, &source.message.orders, &error);
        end_orders(&source.message.orders);
        break;
    case TELEMETRY:
        done = workloads_telemetry_from_bytes(bytes, arena, &source.message.telemetry, &error);
        for (size_t i = 0; i < source.message.telemetry.readings.count; i++) {
            workloads_reading *reading = (workloads_reading *)(uintptr_t)&source.message.telemetry.readings.items[i];
            if (reading->has_unit)
                end_text(&reading->unit);
        }
        break;
    case DOCUMENT:
        done = workloads_document_from_bytes(bytes, arena, &source.message.document, &error);
        end_text(&source.message.document.title);
        end_node(&source.message.document.root);
        break;
    }
    if (!done)
        fail("the data cannot be read");
    return source;
}

static void run(struct cell *cell, enum operation operation)
{
    const struct peer *peer = cell->peer;
    switch (operation) {
    case ENCODE:
        cell->sink += peer->encode(cell->state, cell->built, cell->out, CAPACITY);
        break;
    case BUILD_AND_ENCODE: {
        void *message = peer->build(cell->state);
        cell->sink += peer->encode(cell->state, message, cell->out, CAPACITY);
        peer->discard(cell->state, message);
        break;
    }
    case DECODE:
    case DECODE_AND_READ:
    case OPERATIONS: {
        void *message = peer->decode(cell->state, cell->bytes, cell->size);
        if (operation == DECODE_AND_READ)
            cell->sink += peer->read(cell->state, message);
        peer->release(cell->state, message);
        break;
    }
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/** Nanoseconds of so many calls. What is encoded is built before, since a peer keeps one message at a time. */
static double timed(struct cell *cell, enum operation operation, size_t loops)
{
    if (operation == ENCODE)
        cell->built = must(cell->peer->build(cell->state));
    double start = now();
    for (size_t i = 0; i < loops; i++)
        run(cell, operation);
    double took = now() - start;
    if (operation == ENCODE)
        cell->peer->discard(cell->state, cell->built);
    return took;
}

static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}

static void measure(struct cell *cell, double seconds)
{
    static double samples[OPERATIONS][SAMPLES];
    size_t loops[OPERATIONS];
    size_t count = 0;
    enum operation first = cell->peer->build == NULL ? DECODE : ENCODE;
    for (enum operation each = first; each < OPERATIONS; each++) {
        loops[each] = 1;
        while (timed(cell, each, loops[each]) < 5e6)
            loops[each] *= 2;
    }
    double end = now() + seconds * 1e9;
    for (; count < SAMPLES && now() < end; count++)
        for (enum operation each = first; each < OPERATIONS; each++)
            samples[each][count] = timed(cell, each, loops[each]) / (double)loops[each];
    printf("{\"bytes\": %zu, \"crc\": %u, \"samples\": {", cell->size, crc_of(cell->bytes, cell->size));
    for (enum operation each = first; each < OPERATIONS; each++) {
        printf("%s\"%s\": [", each == first ? "" : ", ", names[each]);
        for (size_t i = 0; i < count; i++)
            printf("%s%.2f", i == 0 ? "" : ", ", samples[each][i]);
        printf("]");
    }
    printf("}}\n");
}

int main(int count, char **arguments)
{
    if (count != 6)
        fail("WORKLOAD WIRE PEER FOLDER SECONDS");
    struct cell cell = {0};
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
        if (strcmp(peers[i]->wire, arguments[2]) == 0 && strcmp(peers[i]->name, arguments[3]) == 0)
            cell.peer = peers[i];
    if (cell.peer == NULL)
        fail("no such peer");
    struct source source = source_of(arguments[1], file(arguments[4], arguments[1], "bin"));
    cell.state = cell.peer->create(&source);
    cell.out = must(malloc(CAPACITY));
    cell.bytes = must(malloc(CAPACITY));
    if (cell.peer->build == NULL) {
        creo_bytes response = file(arguments[4], arguments[1], "soap");
        memcpy(cell.bytes, response.data, response.size);
        cell.size = response.size;
    } else {
        cell.built = must(cell.peer->build(cell.state));
        cell.size = cell.peer->encode(cell.state, cell.built, cell.bytes, CAPACITY);
        cell.peer->discard(cell.state, cell.built);
    }
    void *decoded = must(cell.peer->decode(cell.state, cell.bytes, cell.size));
    if (cell.peer->read(cell.state, decoded) != read_message(source.kind, &source.message))
        fail("the peer does not give back the values");
    cell.peer->release(cell.state, decoded);
    measure(&cell, strtod(arguments[5], NULL));
    return 0;
}
