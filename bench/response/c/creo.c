/* Creo's client over TCP, at its defaults: one for each caller. */
#include "response.h"

#include <response.creo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client {
    creo_client creo;
    creo_arena arena;
};

union request {
    response_block_array blocks;
    creo_string_array items;
    creo_bytes data;
};

static void *connect_creo(const char *address)
{
    struct client *client = must(calloc(1, sizeof *client));
    creo_client_init(&client->creo, "127.0.0.1", (uint16_t)atoi(address), creo_allocator_libc());
    creo_arena_init(&client->arena, creo_allocator_libc());
    return client;
}

static void *prepare(enum kind kind, size_t count)
{
    union request *request = must(calloc(1, sizeof *request));
    if (kind == NUMBERS) {
        response_block *blocks = must(calloc(count + 1, sizeof *blocks));
        for (size_t i = 0; i < count; i++)
            blocks[i] = (response_block){value_d(i), value_s(i)};
        request->blocks = (response_block_array){blocks, count};
    } else if (kind == STRINGS) {
        creo_string *items = must(calloc(count + 1, sizeof *items));
        char *texts = must(malloc(11 * count + 1));
        for (size_t i = 0; i < count; i++) {
            value_string(i, texts + 11 * i);
            items[i] = (creo_string){texts + 11 * i, 10};
        }
        request->items = (creo_string_array){items, count};
    } else {
        uint8_t *data = must(malloc(count + 1));
        for (size_t i = 0; i < count; i++)
            data[i] = value_byte(i);
        request->data = (creo_bytes){data, count};
    }
    return request;
}

static void release(enum kind kind, void *opaque, size_t count)
{
    union request *request = opaque;
    if (kind == NUMBERS)
        free((void *)request->blocks.items);
    else if (kind == STRINGS) {
        if (count > 0)
            free((void *)request->items.items[0].data);
        free((void *)request->items.items);
    } else
        free((void *)request->data.data);
    free(request);
}

static bool call(void *opaque, enum kind kind, const void *prepared, int32_t *items, char *why)
{
    struct client *client = opaque;
    const union request *request = prepared;
    creo_error error;
    bool done;
    if (kind == NUMBERS)
        done = response_response_put_numbers(&client->creo, request->blocks, &client->arena, items, &error);
    else if (kind == STRINGS)
        done = response_response_put_strings(&client->creo, request->items, &client->arena, items, &error);
    else
        done = response_response_put_bytes(&client->creo, request->data, &client->arena, items, &error);
    creo_arena_reset(&client->arena);
    if (!done) {
        char text[CREO_ERROR_TEXT];
        snprintf(why, WHY, "%s", creo_error_format(&error, text, sizeof text));
    }
    return done;
}

const struct peer creo_peer = {"creo", connect_creo, prepare, release, call};
