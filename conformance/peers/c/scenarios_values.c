/* Values there and back. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"

#include <dirent.h>
#include <stdlib.h>

/* One call of an Echo method: reads the value, sends it, and writes what came back. */
typedef bool echo_call(stage *on, const peer_type *type, creo_bytes bytes, peer_wire wire, creo_writer *writer);

#define ECHO(method, name)                                                                                                                           \
    static bool call_##method(stage *on, const peer_type *type, creo_bytes bytes, peer_wire wire, creo_writer *writer)                               \
    {                                                                                                                                                \
        name sent;                                                                                                                                   \
        name got;                                                                                                                                    \
        return peer_decode(type, wire, bytes, &sent, &on->arena, NULL, &on->error) &&                                                                \
               matrix_echo_##method(at(on, ECHO_DOOR), &sent, &on->arena, &got, &on->error) && peer_encode(type, wire, writer, &got);                \
    }

ECHO(primitives, values_primitives)
ECHO(arrays, values_arrays)
ECHO(optionals, values_optionals)
ECHO(mixed, values_mixed)
ECHO(nothing, values_nothing)
ECHO(shape, values_shape)
ECHO(event, values_event)
ECHO(growing, values_growing)
ECHO(defaults, values_defaults)
ECHO(tree, values_tree)
ECHO(expression, values_expression)
ECHO(maps, values_maps)
ECHO(nested, values_nested)

static bool call_level(stage *on, const peer_type *type, creo_bytes bytes, peer_wire wire, creo_writer *writer)
{
    values_level sent;
    values_level got;
    return peer_decode(type, wire, bytes, &sent, &on->arena, NULL, &on->error) && matrix_echo_level(at(on, ECHO_DOOR), sent, &on->arena, &got, &on->error) &&
           peer_encode(type, wire, writer, &got);
}

typedef struct echo {
    const char *type;
    echo_call *call;
} echo;

static const echo echoes[] = {
    {"conformance.values.Primitives", call_primitives}, {"conformance.values.Arrays", call_arrays},
    {"conformance.values.Optionals", call_optionals},   {"conformance.values.Mixed", call_mixed},
    {"conformance.values.Nothing", call_nothing},       {"conformance.values.Shape", call_shape},
    {"conformance.values.Event", call_event},           {"conformance.values.Growing", call_growing},
    {"conformance.values.Defaults", call_defaults},     {"conformance.values.Tree", call_tree},
    {"conformance.values.Expression", call_expression}, {"conformance.values.Maps", call_maps},
    {"conformance.values.Nested", call_nested},         {"conformance.values.Level", call_level},
};

/* A vector, as far as this scenario reads it. */
typedef struct vector {
    char *id;
    char *type;
    /* Hexadecimal digits, or the text itself on a text wire. */
    char *bytes;
    char *text;
    char *encoded;
    /* A table in the record scheme: the text, or what becomes of it. */
    char *record;
    /* A NaN whose payload shows in the bytes alone: text has one NaN. */
    bool payload;
} vector;

static void take(void *context, creo_string name, const char *value)
{
    vector *read = (vector *)context;
    size_t size;
    if (creo_string_is(name, "payload"))
        read->payload = *value == 't';
    bool text = creo_string_is(name, "xml") || creo_string_is(name, "json") || creo_string_is(name, "tdxml");
    char **to = text                              ? &read->text
                : creo_string_is(name, "id")      ? &read->id
                : creo_string_is(name, "type")    ? &read->type
                : creo_string_is(name, "bytes")   ? &read->bytes
                : creo_string_is(name, "record")  ? &read->record
                : creo_string_is(name, "encoded") ? &read->encoded
                                                  : NULL;
    if (to != NULL && *to == NULL)
        peer_read_string(value, to, &size);
}

static void free_vector(vector *read)
{
    free(read->id);
    free(read->type);
    free(read->bytes);
    free(read->text);
    free(read->encoded);
    free(read->record);
}

/* The bytes of a vector, in memory from malloc. */
static bool bytes_of_text(const char *text, bool hex, uint8_t **bytes, size_t *size)
{
    if (hex)
        return peer_unhex(creo_text(text), bytes, size);
    *size = strlen(text);
    *bytes = (uint8_t *)malloc(*size + 1);
    if (*bytes != NULL)
        memcpy(*bytes, text, *size + 1);
    return *bytes != NULL;
}

static const char *echo_one(stage *on, const vector *read, echo_call *call, size_t *calls)
{
    uint8_t *sent = NULL;
    uint8_t *due = NULL;
    size_t sent_size = 0;
    size_t due_size = 0;
    const char *why = NULL;
    creo_writer writer;
    peer_wire wire = wire_of(on);
    bool tables = wire == PEER_TDXML;
    /* Text in another encoding is given in hexadecimal, and the expected output as text. */
    const char *from = read->text != NULL ? read->text : read->bytes != NULL ? read->bytes : read->record;
    const char *to = tables ? read->record : read->encoded != NULL ? read->encoded : from;
    bool to_hex = wire == PEER_BINARY || (to == read->bytes && !tables);
    const peer_type *type = peer_find_type(read->type);
    if (type == NULL || !bytes_of_text(from, from == read->bytes, &sent, &sent_size) || !bytes_of_text(to, to_hex, &due, &due_size)) {
        why = "a vector has wrong bytes";
    } else {
        creo_writer_init(&writer, &on->arena, NULL, &on->error);
        bool done = call(on, type, creo_bytes_of(sent, sent_size), wire, &writer);
        creo_bytes got = creo_writer_bytes(&writer);
        /* What text cannot carry is refused before it is sent (XML-12, XML-25). */
        if (!done)
            why = on->way != WAY_TCP && on->error.code == CREO_INVALID_VALUE && !on->error.from_peer ? NULL : failed(on, read->id);
        else if (got.size != due_size || memcmp(got.data, due, due_size) != 0)
            why = failed(on, read->id);
        (*calls)++;
    }
    free(sent);
    free(due);
    creo_arena_reset(&on->arena);
    return why;
}

/* The member `vectors` of a file. */
typedef struct list {
    const char *start;
} list;

static void find_vectors(void *context, creo_string name, const char *value)
{
    if (creo_string_is(name, "vectors"))
        ((list *)context)->start = value;
}

static const char *echo_file(stage *on, const char *path, size_t *calls)
{
    char *text = peer_read_file(path);
    list found = {NULL};
    if (text == NULL || peer_read_object(text, find_vectors, &found) == NULL || found.start == NULL) {
        free(text);
        return "a file of vectors cannot be read";
    }
    const char *why = NULL;
    const char *at = peer_skip_space(found.start + 1);
    while (why == NULL && *at == '{') {
        vector read;
        memset(&read, 0, sizeof read);
        const char *next = peer_read_object(at, take, &read);
        if (next == NULL || read.id == NULL || read.type == NULL || (read.bytes == NULL && read.text == NULL && read.record == NULL))
            why = next == NULL || read.id == NULL || wire_of(on) != PEER_TDXML ? "a vector cannot be read" : NULL;
        /* Tables that are in the aggregated scheme alone are no matter of this scenario. */
        bool fits = read.type != NULL && !(on->way != WAY_TCP && read.payload) && (wire_of(on) != PEER_TDXML || read.record != NULL);
        for (size_t i = 0; why == NULL && fits && i < sizeof echoes / sizeof echoes[0]; i++)
            if (strcmp(echoes[i].type, read.type) == 0)
                why = echo_one(on, &read, echoes[i].call, calls);
        free_vector(&read);
        if (why != NULL)
            break;
        at = peer_skip_space(next);
        if (*at == ',')
            at = peer_skip_space(at + 1);
    }
    free(text);
    return why;
}

const char *echo_vectors(stage *on)
{
    DIR *folder = opendir(on->vectors);
    if (folder == NULL)
        return "the folder of the vectors cannot be read";
    const char *why = NULL;
    size_t calls = 0;
    const struct dirent *entry;
    while (why == NULL && (entry = readdir(folder)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", on->vectors, entry->d_name);
        why = echo_file(on, path, &calls);
    }
    closedir(folder);
    return why != NULL ? why : calls == 0 ? "there are no vectors" : NULL;
}

static const char *several_is(stage *on, const creo_string *maybe, const char *due)
{
    static const double reals[] = {1.5, 2.5};
    values_point point;
    other_point cell;
    point.x = 1;
    point.y = 2;
    cell.column = 3;
    cell.row = 4;
    creo_double_array list = {reals, 2};
    creo_string result;
    if (!matrix_echo_several(at(on, ECHO_DOOR), 7, creo_text("x"), list, &point, &cell, maybe, VALUES_COLOUR_BLUE, &on->arena, &result, &on->error))
        return failed(on, "several");
    if (!creo_string_is(result, due)) {
        snprintf(on->why, sizeof on->why, "the result is %.*s", (int)(result.size < 500 ? result.size : 500), result.data);
        return on->why;
    }
    return NULL;
}

const char *several_parameters(stage *on)
{
    creo_string maybe = creo_text("m");
    const char *why = several_is(on, NULL, "7 x 4.0 1.0 2.0 3 4 - BLUE");
    return why != NULL ? why : several_is(on, &maybe, "7 x 4.0 1.0 2.0 3 4 m BLUE");
}

const char *add_numbers(stage *on)
{
    int64_t sum = 0;
    if (!matrix_echo_add(at(on, ECHO_DOOR), -1, INT64_MAX, &on->arena, &sum, &on->error))
        return failed(on, "add");
    return sum == INT64_MAX - 1 ? NULL : "the sum is wrong";
}

const char *maybe_text(stage *on)
{
    matrix_string_optional result;
    if (!matrix_echo_maybe(at(on, ECHO_DOOR), NULL, &on->arena, &result, &on->error))
        return failed(on, "nothing");
    if (result.has)
        return "nothing came back as something";
    creo_string empty = creo_text("");
    if (!matrix_echo_maybe(at(on, ECHO_DOOR), &empty, &on->arena, &result, &on->error))
        return failed(on, "the empty text");
    return result.has && result.value.size == 0 ? NULL : "the empty text came back as nothing";
}

const char *invalid_value(stage *on)
{
    values_primitives value;
    values_primitives result;
    values_primitives_init(&value);
    value.text = creo_text("\xED\xA0\x80");
    bool done = matrix_echo_primitives(at(on, ECHO_DOOR), &value, &on->arena, &result, &on->error);
    if (!failed_with(on, done, CREO_INVALID_VALUE) || strcmp(on->error.place, "$.value.text") != 0)
        return failed(on, "a text that is not UTF-8");
    values_primitives_init(&value);
    value.instant.seconds = INT64_C(253402300800);
    done = matrix_echo_primitives(at(on, ECHO_DOOR), &value, &on->arena, &result, &on->error);
    if (!failed_with(on, done, CREO_INVALID_VALUE) || strcmp(on->error.place, "$.value.instant") != 0)
        return failed(on, "an instant in the year 10000");
    return still_works(on);
}

static const char *two_counts(stage *on)
{
    matrix_string_int_map_entry entries[2];
    memset(entries, 0, sizeof entries);
    entries[0].key = creo_text("a|b");
    entries[0].value = -1;
    entries[1].key = creo_text("~");
    entries[1].value = 2;
    matrix_string_int_map sent = {entries, 2};
    matrix_string_int_map got;
    if (!matrix_echo_counts(at(on, ECHO_DOOR), sent, &on->arena, &got, &on->error))
        return failed(on, "counts");
    bool same = got.count == 2;
    for (size_t i = 0; same && i < 2; i++)
        same = creo_string_equal(got.entries[i].key, entries[i].key) && got.entries[i].value == entries[i].value;
    return same ? NULL : "other counts came back";
}

/* The same calls with tables that are written in another way. */
static const char *with_tables(stage *on, creo_tdxml_scheme scheme, bool schema)
{
    static scenario *const calls[] = {add_numbers, several_parameters, declared_exception, two_counts};
    stage *other = like(on);
    if (other == NULL)
        return "no memory";
    other->tables.options.scheme = scheme;
    other->tables.options.schema = schema;
    const char *why = NULL;
    for (size_t i = 0; why == NULL && i < sizeof calls / sizeof calls[0]; i++)
        why = calls[i](other);
    if (why != NULL)
        snprintf(on->why, sizeof on->why, "%s", why);
    end_stage(other);
    return why == NULL ? NULL : on->why;
}

const char *aggregated(stage *on)
{
    return with_tables(on, CREO_TDXML_AGGREGATED, false);
}

const char *with_schema(stage *on)
{
    const char *why = with_tables(on, CREO_TDXML_RECORD, true);
    return why != NULL ? why : with_tables(on, CREO_TDXML_AGGREGATED, true);
}
