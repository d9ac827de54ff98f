/*
 * Streams survive any bytes of a service: every call ends, gives the same end again, and the client keeps no more than the window of a stream and what
 * the program has written.
 */
#include "fuzz_frames.h"

/* More than the first credit. */
#define ASKS 300

static char name[1000];

typedef struct run {
    creo_stream stream;
    creo_arena *arena;
    creo_error *error;
} run;

/* What a call with a stream of results does next: reads an item into memory of its own. 1: an item; 0: the end; -1: a failure. */
typedef int read_item(run *on);

static int read_block(run *on)
{
    sample_feed_blocks_outcome next;
    if (!sample_feed_blocks_next(&on->stream, on->arena, &next, on->error))
        return -1;
    PROPERTY(next.kind <= SAMPLE_FEED_BLOCKS_ITEM);
    return next.kind == SAMPLE_FEED_BLOCKS_ITEM;
}

static int read_number(run *on)
{
    sample_feed_numbers_outcome next;
    if (!sample_feed_numbers_next(&on->stream, on->arena, &next, on->error))
        return -1;
    return next.kind == SAMPLE_FEED_NUMBERS_ITEM;
}

static int read_everything(run *on)
{
    sample_feed_talk_outcome next;
    if (!sample_feed_talk_next(&on->stream, on->arena, &next, on->error))
        return -1;
    PROPERTY(next.kind != SAMPLE_FEED_TALK_ITEM || creo_utf8_valid(next.as.item.text.data, next.as.item.text.size));
    return next.kind == SAMPLE_FEED_TALK_ITEM;
}

static int read_nothing(run *on)
{
    sample_feed_nothings_outcome next;
    if (!sample_feed_nothings_next(&on->stream, on->arena, &next, on->error))
        return -1;
    return next.kind == SAMPLE_FEED_NOTHINGS_ITEM;
}

/* Reads to the end, and then reads that again. */
static void read_all(run *on, read_item *next, creo_client *client)
{
    int found;
    for (size_t items = 0; (found = next(on)) > 0; items++) {
        PROPERTY(items < 1000000);
        creo_arena_reset(on->arena);
    }
    creo_code code = found < 0 ? on->error->code : CREO_OK;
    PROPERTY(client->streaming == NULL);
    int again = next(on);
    PROPERTY((again == found && (found >= 0 || on->error->code == code)) || (again < 0 && on->error->code == CREO_TOO_LARGE));
    if (again < 0)
        fuzz_check_error(on->error);
}

/* Writes as much as the service takes, and reads in between if there is something to be read. */
static void talk(run *on, creo_client *client)
{
    const sample_string_optional line = {true, {name, sizeof name}};
    for (int i = 0; i < ASKS; i++) {
        unsigned ready = creo_stream_ready(&on->stream);
        PROPERTY(ready != 0);
        if ((ready & CREO_STREAM_READ) != 0 && read_everything(on) <= 0)
            break;
        creo_arena_reset(on->arena);
        if ((ready & CREO_STREAM_WRITE) != 0 && !sample_feed_talk_write(&on->stream, &line, on->error))
            fuzz_check_error(on->error);
    }
    if (client->streaming != NULL)
        (void)creo_stream_end(&on->stream, on->error);
    read_all(on, read_everything, client);
}

static void collect(run *on, creo_client *client)
{
    sample_tree tree;
    sample_feed_collect_outcome outcome;
    sample_tree_init(&tree);
    tree.name = (creo_string){name, sizeof name};
    for (int i = 0; i < ASKS && sample_feed_collect_write(&on->stream, &tree, on->error); i++)
        continue;
    bool done = sample_feed_collect_finish(&on->stream, on->arena, &outcome, on->error);
    PROPERTY(client->streaming == NULL);
    if (!done)
        fuzz_check_error(on->error);
    else
        PROPERTY(outcome.kind <= SAMPLE_FEED_COLLECT_REFUSED);
}

/* Opens the stream of a call by its number, and uses it. */
static bool call(run *on, creo_client *client, int number)
{
    switch (number % 5) {
    case 0:
        if (!sample_feed_blocks(client, creo_text("x"), creo_bytes_of("y", 1), &on->stream, on->error))
            return false;
        /* A program that stops reading. */
        if (number < 5)
            (void)read_block(on);
        else
            read_all(on, read_block, client);
        return true;
    case 1:
        if (!sample_feed_numbers(client, &on->stream, on->error))
            return false;
        read_all(on, read_number, client);
        return true;
    case 2:
        if (!sample_feed_collect(client, creo_text("x"), &on->stream, on->error))
            return false;
        collect(on, client);
        return true;
    case 3:
        if (!sample_feed_talk(client, &on->stream, on->error))
            return false;
        talk(on, client);
        return true;
    default:
        if (!sample_feed_nothings(client, &on->stream, on->error))
            return false;
        (void)sample_feed_nothings_write(&on->stream, 1, on->error);
        read_all(on, read_nothing, client);
        return true;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t sent;
    script bytes;
    creo_client client;
    uint8_t *service = connect_script(data, size, &sent, &bytes, &client);
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    memset(name, 'x', sizeof name);
    if (size > 0 && (data[0] & LITTLE_MEMORY) != 0)
        arena.most = 4200;
    int first = size > 0 ? data[size - 1] % 10 : 0;
    for (int calls = 0; calls < 5 && client.open; calls++) {
        creo_error error;
        creo_error_clear(&error);
        run on;
        memset(&on, 0, sizeof on);
        on.arena = &arena;
        on.error = &error;
        bytes.allowed = size > 0 && (data[0] & UNASKED) != 0 ? 1 : 0;
        if (!call(&on, &client, first + calls))
            fuzz_check_error(&error);
        creo_stream_close(&on.stream);
        PROPERTY(client.streaming == NULL);
        PROPERTY(client.arena.taken <= (size_t)4 * 1048576 + 8 * sent);
        creo_arena_free(&arena);
        fuzz_check_answer(creo_client_answer(&client));
    }
    creo_client_free(&client);
    creo_arena_free(&arena);
    free(service);
    return 0;
}
