#define _POSIX_C_SOURCE 200809L

#include "peer.h"

#include <stdlib.h>

/* One line of the input. */
typedef struct question {
    char *id;
    size_t id_size;
    char *type;
    size_t type_size;
    char *bytes;
    size_t bytes_size;
    /* LIM-18: 0 for the default. */
    uint64_t max_memory;
} question;

static void take(void *context, creo_string name, const char *value)
{
    question *asked = (question *)context;
    if (creo_string_is(name, "id") && asked->id == NULL)
        peer_read_string(value, &asked->id, &asked->id_size);
    else if (creo_string_is(name, "type") && asked->type == NULL)
        peer_read_string(value, &asked->type, &asked->type_size);
    else if (creo_string_is(name, "bytes") && asked->bytes == NULL)
        peer_read_string(value, &asked->bytes, &asked->bytes_size);
    else if (creo_string_is(name, "maxMemory"))
        asked->max_memory = strtoull(value, NULL, 10);
}

static void answer_error(const creo_error *error)
{
    printf(",\"error\":\"%s\"", creo_code_name(error->code));
    if (error->place[0] != 0) {
        fputs(",\"place\":", stdout);
        peer_show_string(stdout, creo_text(error->place));
    }
    if (error->has_offset)
        printf(",\"offset\":%llu", (unsigned long long)error->offset);
    if (error->limit != NULL)
        printf(",\"limit\":\"%s\",\"allowed\":\"%llu\"", error->limit, (unsigned long long)error->allowed);
    fputs(",\"message\":", stdout);
    peer_show_string(stdout, creo_text(error->message));
}

bool peer_decode(const peer_type *type, peer_wire wire, creo_bytes bytes, void *value, creo_arena *arena, const creo_limits *limits, creo_error *error)
{
    creo_reader reader;
    switch (wire) {
    case PEER_XML:
        return creo_xml_read(bytes, CREO_COPY, type->xml, value, arena, limits, error);
    case PEER_JSON:
        return creo_json_read(bytes, CREO_COPY, type->xml, value, arena, limits, error);
    case PEER_TDXML:
    case PEER_TDXML_AGGREGATED:
    case PEER_TDXML_SCHEMA:
        return creo_tdxml_read(bytes, CREO_COPY, type->xml, value, arena, limits, error);
    case PEER_BINARY:
        break;
    }
    return creo_reader_init(&reader, bytes, CREO_COPY, arena, limits, error) && type->decode(&reader, value) && creo_reader_finish(&reader);
}

bool peer_encode(const peer_type *type, peer_wire wire, creo_writer *writer, const void *value)
{
    creo_tdxml_options options = {wire == PEER_TDXML_AGGREGATED ? CREO_TDXML_AGGREGATED : CREO_TDXML_RECORD, wire == PEER_TDXML_SCHEMA};
    switch (wire) {
    case PEER_XML:
        return creo_xml_write(writer, type->xml, value);
    case PEER_JSON:
        return creo_json_write(writer, type->xml, value);
    case PEER_TDXML:
    case PEER_TDXML_AGGREGATED:
    case PEER_TDXML_SCHEMA:
        return creo_tdxml_write(writer, type->xml, value, options);
    case PEER_BINARY:
        break;
    }
    return type->encode(writer, value);
}

static void answer_value(const peer_type *type, peer_wire wire, void *value, creo_bytes bytes, const creo_limits *limits, creo_arena *arena)
{
    creo_error error;
    if (!peer_decode(type, wire, bytes, value, arena, limits, &error)) {
        answer_error(&error);
        return;
    }
    creo_writer writer;
    creo_writer_init(&writer, arena, NULL, &error);
    if (!peer_encode(type, wire, &writer, value)) {
        answer_error(&error);
        return;
    }
    fputs(",\"value\":", stdout);
    type->show(stdout, value);
    fputs(",\"bytes\":\"", stdout);
    peer_show_hex(stdout, creo_writer_bytes(&writer));
    fputc('"', stdout);
}

const peer_type *peer_find_type(const char *name)
{
    const peer_type *type = peer_types;
    while (type->name != NULL && strcmp(type->name, name) != 0)
        type++;
    return type->name == NULL ? NULL : type;
}

static bool answer(const question *asked, peer_wire wire, creo_arena *arena)
{
    if (asked->id == NULL || asked->type == NULL || asked->bytes == NULL)
        return false;
    const peer_type *type = peer_find_type(asked->type);
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (type == NULL || !peer_unhex((creo_string){asked->bytes, asked->bytes_size}, &bytes, &size)) {
        fprintf(stderr, "no type %s, or wrong bytes\n", asked->type);
        free(bytes);
        return false;
    }
    fputs("{\"id\":", stdout);
    peer_show_string(stdout, (creo_string){asked->id, asked->id_size});
    /* Memory of exactly the right size, for the sanitizer to detect overruns; not cleared, for it to detect fields that were never set. */
    void *value = malloc(type->size);
    creo_limits limits = creo_limits_default();
    limits.max_memory = asked->max_memory;
    if (value != NULL)
        answer_value(type, wire, value, creo_bytes_of(bytes, size), &limits, arena);
    fputs("}\n", stdout);
    fflush(stdout);
    free(value);
    free(bytes);
    return value != NULL;
}

int peer_codec(peer_wire wire)
{
    char *line = NULL;
    size_t room = 0;
    bool fine = true;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    while (fine && getline(&line, &room, stdin) >= 0) {
        if (peer_skip_space(line)[0] == 0)
            continue;
        question asked = {NULL, 0, NULL, 0, NULL, 0, 0};
        fine = peer_read_object(line, take, &asked) != NULL && answer(&asked, wire, &arena);
        free(asked.id);
        free(asked.type);
        free(asked.bytes);
        /* Given back, not kept: a pointer into an earlier value is then an error that the sanitizer sees. */
        creo_arena_free(&arena);
    }
    free(line);
    return fine ? 0 : 1;
}
