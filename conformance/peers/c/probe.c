/* Single calls, and how each ended: for the cases of malformed/tcp-client and malformed/http-client. */
#define _POSIX_C_SOURCE 200809L

#include "scenarios.h"

#include "matrix.creo.h"
#include "matrix.text.h"

#include <stdlib.h>

/* One line of the input. */
typedef struct question {
    char method[16];
    uint16_t port;
    uint32_t deadline;
    size_t max_message_size;
    uint32_t connect_timeout;
    bool fresh;
    bool lenient;
    /* Names of header elements, with spaces between them. */
    char understood[200];
    /* Without one: binary over TCP; tdxml-tcp: tables over TCP. Over HTTP a client is that of one interface. */
    char wire[16];
    /* The max bytes of bodies of raw messages that are shown; below 0: none are. */
    long shown;
    unsigned redirects;
    bool cookies;
    /* `USER:PASSWORD`, by basic authentication or else by digest, and a token; empty for none. */
    char basic[200];
    bool digest;
    char bearer[200];
} question;

/* Copies a text, cut, into this many bytes. */
static void take_text(char *to, size_t room, const char *value)
{
    char *text = NULL;
    size_t size;
    if (peer_read_string(value, &text, &size) != NULL)
        snprintf(to, room, "%s", text);
    free(text);
}

/* Copies a word into 16 bytes. */
static void take_word(char *to, const char *value)
{
    take_text(to, 16, value);
}

/* The names, as a client takes them. They remain until the next ones. */
static const char *const *split_names(const char *names)
{
    static char texts[sizeof((question *)NULL)->understood];
    static const char *found[8];
    size_t count = 0;
    memcpy(texts, names, sizeof texts);
    for (char *name = strtok(texts, " "); name != NULL && count + 1 < sizeof found / sizeof found[0]; name = strtok(NULL, " "))
        found[count++] = name;
    found[count] = NULL;
    return found;
}

static void take(void *context, creo_string name, const char *value)
{
    question *asked = (question *)context;
    if (creo_string_is(name, "method")) {
        take_word(asked->method, value);
    } else if (creo_string_is(name, "wire")) {
        take_word(asked->wire, value);
    } else if (creo_string_is(name, "port")) {
        asked->port = (uint16_t)strtoul(value, NULL, 10);
    } else if (creo_string_is(name, "deadline")) {
        asked->deadline = (uint32_t)strtoul(value, NULL, 10);
    } else if (creo_string_is(name, "maxMessageSize")) {
        asked->max_message_size = (size_t)strtoull(value, NULL, 10);
    } else if (creo_string_is(name, "connectTimeout")) {
        asked->connect_timeout = (uint32_t)strtoul(value, NULL, 10);
    } else if (creo_string_is(name, "lenient")) {
        asked->lenient = strncmp(peer_skip_space(value), "true", 4) == 0;
    } else if (creo_string_is(name, "understood")) {
        take_text(asked->understood, sizeof asked->understood, value);
    } else if (creo_string_is(name, "redirects")) {
        asked->redirects = (unsigned)strtoul(value, NULL, 10);
    } else if (creo_string_is(name, "cookies")) {
        asked->cookies = strncmp(peer_skip_space(value), "true", 4) == 0;
    } else if (creo_string_is(name, "basic")) {
        take_text(asked->basic, sizeof asked->basic, value);
    } else if (creo_string_is(name, "digest")) {
        take_text(asked->basic, sizeof asked->basic, value);
        asked->digest = true;
    } else if (creo_string_is(name, "bearer")) {
        take_text(asked->bearer, sizeof asked->bearer, value);
    } else if (creo_string_is(name, "shown")) {
        asked->shown = strtol(value, NULL, 10);
    } else if (creo_string_is(name, "fresh")) {
        asked->fresh = strncmp(peer_skip_space(value), "true", 4) == 0;
    }
}

/* The raw messages since they were last asked for, as JSON. */
static char *shown_text;
static size_t shown_size;
static FILE *shown;

static void show_text(creo_arena *arena, const creo_raw_message *message, bool indented)
{
    creo_string text;
    if (!creo_raw_text(message, indented, arena, &text))
        abort();
    peer_show_string(shown, text);
}

static void show_raw(void *context, const creo_raw_message *message)
{
    creo_arena arena;
    (void)context;
    creo_arena_init(&arena, creo_allocator_libc());
    if (shown == NULL)
        shown = open_memstream(&shown_text, &shown_size);
    else
        fputs(",", shown);
    fprintf(shown, "{\"sent\":%s,\"answer\":%s,\"method\":\"%s.%s\",\"status\":%d,\"length\":%zu,\"hidden\":", message->sent ? "true" : "false", message->answer ? "true" : "false",
            message->interface, message->method, message->status, message->length);
    if (message->hidden == NULL)
        fputs("null", shown);
    else
        peer_show_string(shown, creo_text(message->hidden));
    fputs(",\"body\":\"", shown);
    peer_show_hex(shown, message->body);
    fputs("\",\"text\":", shown);
    show_text(&arena, message, false);
    fputs(",\"indented\":", shown);
    show_text(&arena, message, true);
    fputs(",\"headers\":[", shown);
    for (size_t i = 0; i < message->header_count; i++) {
        fputs(i == 0 ? "[" : ",[", shown);
        peer_show_string(shown, message->headers[i].key);
        fputs(",", shown);
        peer_show_string(shown, message->headers[i].value);
        fputs("]", shown);
    }
    fputs("]}", shown);
    creo_arena_free(&arena);
}

/* Forgets them, and prints them unless `out` is NULL. */
static void take_shown(FILE *out)
{
    if (shown != NULL)
        fclose(shown);
    if (out != NULL)
        fprintf(out, "{\"shown\":[%s]}\n", shown == NULL ? "" : shown_text);
    if (shown != NULL)
        free(shown_text);
    shown = NULL;
}

static bool show(bool done, const char *value)
{
    if (done)
        printf("{\"value\":\"%s\"}\n", value);
    return done;
}

static bool show_number(bool done, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    return show(done, text);
}

static bool call_fail(creo_client *client, creo_string kind, creo_arena *arena, creo_error *error)
{
    matrix_trouble_fail_outcome outcome;
    if (!matrix_trouble_fail(client, kind, arena, &outcome, error))
        return false;
    if (outcome.kind == MATRIX_TROUBLE_FAIL_RESULT) {
        fputs("{\"value\":", stdout);
        peer_show_string(stdout, outcome.as.result);
        fputs("}\n", stdout);
    } else {
        printf("{\"exception\":\"%s\"}\n", outcome.kind == MATRIX_TROUBLE_FAIL_NOT_FOUND ? "not-found" : "refused");
    }
    return true;
}

/* With more than a connection takes whose other side does not read. */
static bool call_long(creo_client *client, creo_arena *arena, creo_error *error)
{
    size_t size = 8000000;
    char *text = (char *)malloc(size);
    if (text == NULL)
        return creo_fail(error, CREO_INTERNAL, "the peer has no memory");
    memset(text, 'x', size);
    bool done = call_fail(client, (creo_string){text, size}, arena, error);
    free(text);
    return done;
}

static bool call_bytes(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_bytes bytes;
    if (!matrix_trouble_bytes(client, 4, arena, &bytes, error))
        return false;
    fputs("{\"value\":\"", stdout);
    peer_show_hex(stdout, bytes);
    fputs("\"}\n", stdout);
    return true;
}

static bool call_ask(creo_client *client, creo_arena *arena, creo_error *error)
{
    matrix_loose loose;
    creo_bytes json;
    if (!matrix_careless_ask(client, arena, &loose, error) || !matrix_loose_to_json(&loose, arena, &json, error))
        return false;
    fputs("{\"value\":", stdout);
    peer_show_string(stdout, (creo_string){(const char *)json.data, json.size});
    fputs("}\n", stdout);
    return true;
}

static bool call_part(creo_client *client, creo_arena *arena, creo_error *error)
{
    matrix_parted parted;
    creo_bytes json;
    if (!matrix_careless_part(client, arena, &parted, error) || !matrix_parted_to_json(&parted, arena, &json, error))
        return false;
    fputs("{\"value\":", stdout);
    peer_show_string(stdout, (creo_string){(const char *)json.data, json.size});
    fputs("}\n", stdout);
    return true;
}

static bool call_mark(creo_client *client, creo_arena *arena, creo_error *error)
{
    matrix_marked marked;
    creo_bytes json;
    if (!matrix_careless_mark(client, arena, &marked, error) || !matrix_marked_to_json(&marked, arena, &json, error))
        return false;
    fputs("{\"value\":", stdout);
    peer_show_string(stdout, (creo_string){(const char *)json.data, json.size});
    fputs("}\n", stdout);
    return true;
}

/* The numbers of the items that the last call read, with commas between them; one that has no room is cut. */
static char items[1000];

static void read_item(int64_t number)
{
    size_t used = strlen(items);
    snprintf(items + used, sizeof items - used, used == 0 ? "%lld" : ",%lld", (long long)number);
}

/* Whether the method's result is a stream. */
static bool reads_items(const char *method)
{
    return strcmp(method, "ticks") == 0 || strcmp(method, "stopping") == 0;
}

static bool has_stream(const char *method)
{
    return reads_items(method) || strcmp(method, "sum") == 0 || strcmp(method, "first") == 0;
}

static bool call_ticks(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_stream stream;
    matrix_streams_ticks_outcome next;
    if (!matrix_streams_ticks(client, 3, &stream, error))
        return false;
    for (;;) {
        if (!matrix_streams_ticks_next(&stream, arena, &next, error))
            return false;
        if (next.kind != MATRIX_STREAMS_TICKS_ITEM)
            break;
        read_item(next.as.item.number);
    }
    printf("{\"value\":\"\",\"items\":\"%s\"}\n", items);
    return true;
}

static bool call_stopping(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_stream stream;
    matrix_streams_stopping_outcome next;
    if (!matrix_streams_stopping(client, 3, &stream, error))
        return false;
    for (;;) {
        if (!matrix_streams_stopping_next(&stream, arena, &next, error))
            return false;
        if (next.kind != MATRIX_STREAMS_STOPPING_ITEM)
            break;
        read_item(next.as.item);
    }
    if (next.kind == MATRIX_STREAMS_STOPPING_STOPPED)
        printf("{\"exception\":\"stopped\",\"items\":\"%s\"}\n", items);
    else
        printf("{\"value\":\"\",\"items\":\"%s\"}\n", items);
    return true;
}

static bool call_sum(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_stream stream;
    int64_t sum = 0;
    bool going = matrix_streams_sum(client, &stream, error);
    if (!going)
        return false;
    for (int64_t i = 1; i <= 3 && going; i++)
        going = matrix_streams_sum_write(&stream, i, error);
    bool done = matrix_streams_sum_finish(&stream, arena, &sum, error);
    return show_number(done, (long long)sum);
}

static bool call_first(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_stream stream;
    matrix_streams_first_outcome outcome;
    bool going = matrix_streams_first(client, 2, &stream, error);
    if (!going)
        return false;
    for (int64_t i = 1; i <= 3 && going; i++)
        going = matrix_streams_first_write(&stream, i, error);
    if (!matrix_streams_first_finish(&stream, arena, &outcome, error))
        return false;
    if (outcome.kind == MATRIX_STREAMS_FIRST_RESULT)
        return show_number(true, (long long)outcome.as.result);
    fputs("{\"exception\":\"stopped\"}\n", stdout);
    return true;
}

/* Calls, and shows the outcome unless there is an error. */
static bool call(creo_client *client, const char *method, creo_arena *arena, creo_error *error)
{
    if (strcmp(method, "add") == 0) {
        int64_t sum = 0;
        bool done = matrix_echo_add(client, 1, 2, arena, &sum, error);
        return show_number(done, (long long)sum);
    }
    if (strcmp(method, "answer") == 0) {
        int32_t answer = 0;
        bool done = matrix_answer_answer(client, arena, &answer, error);
        return show_number(done, (long long)answer);
    }
    if (strcmp(method, "blocks") == 0) {
        values_block_array blocks = {NULL, 0};
        bool done = matrix_trouble_blocks(client, 2, arena, &blocks, error);
        return show_number(done, (long long)blocks.count);
    }
    if (strcmp(method, "ticks") == 0)
        return call_ticks(client, arena, error);
    if (strcmp(method, "stopping") == 0)
        return call_stopping(client, arena, error);
    if (strcmp(method, "sum") == 0)
        return call_sum(client, arena, error);
    if (strcmp(method, "first") == 0)
        return call_first(client, arena, error);
    if (strcmp(method, "ask") == 0)
        return call_ask(client, arena, error);
    if (strcmp(method, "mark") == 0)
        return call_mark(client, arena, error);
    if (strcmp(method, "part") == 0)
        return call_part(client, arena, error);
    if (strcmp(method, "fail") == 0)
        return call_fail(client, creo_text("fine"), arena, error);
    if (strcmp(method, "long") == 0)
        return call_long(client, arena, error);
    if (strcmp(method, "bytes") == 0)
        return call_bytes(client, arena, error);
    if (strcmp(method, "note") == 0)
        return show(matrix_trouble_note(client, creo_text("fine"), error), "");
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
    if (strcmp(method, "old") == 0)
        return show(matrix_trouble_old(client, arena, error), "");
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
    return creo_fail(error, CREO_INTERNAL, "no method %s", method);
}

static void show_error(const char *method, const creo_error *error)
{
    char text[CREO_ERROR_TEXT];
    printf("{\"error\":\"%s\",\"fromPeer\":%s", creo_code_name(error->code), error->from_peer ? "true" : "false");
    if (error->place[0] != 0) {
        fputs(",\"place\":", stdout);
        peer_show_string(stdout, creo_text(error->place));
    }
    if (error->has_offset)
        printf(",\"offset\":%llu", (unsigned long long)error->offset);
    if (error->limit != NULL) {
        printf(",\"limit\":\"%s\",\"allowed\":\"%llu\"", error->limit, (unsigned long long)error->allowed);
    } else if (creo_error_detail(error, "limit").data != NULL) {
        /* The peer found it: then the details say so. */
        fputs(",\"limit\":", stdout);
        peer_show_string(stdout, creo_error_detail(error, "limit"));
        fputs(",\"allowed\":", stdout);
        peer_show_string(stdout, creo_error_detail(error, "allowed"));
    }
    fputs(",\"message\":", stdout);
    peer_show_string(stdout, creo_text(creo_error_format(error, text, sizeof text)));
    fputs(",\"details\":{", stdout);
    for (size_t i = 0; i < error->detail_count; i++) {
        fputs(i == 0 ? "" : ",", stdout);
        peer_show_string(stdout, error->details[i].key);
        fputs(":", stdout);
        peer_show_string(stdout, error->details[i].value);
    }
    fputs("}", stdout);
    if (reads_items(method))
        printf(",\"items\":\"%s\"", items);
    fputs("}\n", stdout);
}

/* Of the calls by tables over TCP. */
static const creo_text_interface *const by_tables[] = {&matrix_echo_text, &matrix_trouble_text, &matrix_careless_text, &matrix_answer_text};

/* Makes the client that a question wants. */
static void connect_as(const question *asked, door_client *client)
{
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u", (unsigned)asked->port);
    stage on;
    memset(&on, 0, sizeof on);
    on.host = "127.0.0.1";
    on.port = asked->port;
    on.way = strcmp(asked->wire, "json") == 0     ? WAY_JSON
             : strcmp(asked->wire, "tdxml") == 0  ? WAY_TDXML
             : strcmp(asked->wire, "tables") == 0 ? WAY_TABLES
             : strcmp(asked->wire, "soap") == 0   ? WAY_SOAP
                                                  : WAY_TCP;
    if (strcmp(asked->wire, "tdxml-tcp") == 0) {
        static creo_tables tables;
        tables.interfaces = by_tables;
        tables.interface_count = sizeof by_tables / sizeof by_tables[0];
        creo_client_init(&client->client, on.host, on.port, creo_allocator_libc());
        creo_client_use_tables(&client->client, &tables);
        return;
    }
    if (on.way != WAY_TCP && (strcmp(asked->method, "ask") == 0 || strcmp(asked->method, "mark") == 0 || strcmp(asked->method, "part") == 0)) {
        /* No scenario calls its interface. */
        creo_error error;
        snprintf(url, sizeof url, "http://127.0.0.1:%u/Careless", (unsigned)asked->port);
        if (on.way == WAY_JSON ? !creo_json_init(&client->json, url, &matrix_careless_text, creo_allocator_libc(), &error)
                               : !creo_soap_init(&client->soap, url, &matrix_careless_text, creo_allocator_libc(), &error))
            abort();
        return;
    }
    on.url = on.way == WAY_TCP ? NULL : url;
    open_door(&on, strcmp(asked->method, "add") == 0 ? ECHO_DOOR : strcmp(asked->method, "answer") == 0 ? ANSWER_DOOR : has_stream(asked->method) ? STREAMS_DOOR : TROUBLE_DOOR, client);
}

/* The options of the last question that had some. */
static creo_http_options session;
static question session_of;

static void use_session(const question *asked, creo_client *client)
{
    session_of = *asked;
    char *colon = strchr(session_of.basic, ':');
    session = (creo_http_options){asked->redirects, asked->cookies, NULL, NULL, session_of.bearer[0] == 0 ? NULL : session_of.bearer, asked->digest};
    if (colon != NULL) {
        *colon = 0;
        session.user = session_of.basic;
        session.password = colon + 1;
    }
    client->http = &session;
}

/* Sent with calls whose messages are shown. */
static const creo_pair secret_header = {{"X-Api-Key", 9}, {"hunter2", 7}};
static const creo_pair secret_metadata[] = {{{"my-token", 8}, {"hunter2", 7}}, {{"authorization", 13}, {"Bearer hunter2", 14}}};

int peer_probe(void)
{
    char *line = NULL;
    size_t room = 0;
    bool fine = true;
    /* On the heap, guarded by the sanitizer. */
    door_client *client = (door_client *)calloc(1, sizeof *client);
    if (client == NULL)
        return 1;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_client_init(&client->client, "127.0.0.1", 0, creo_allocator_libc());
    while (fine && getline(&line, &room, stdin) >= 0) {
        question asked;
        memset(&asked, 0, sizeof asked);
        asked.shown = -1;
        fine = peer_read_object(line, take, &asked) != NULL;
        if (asked.fresh) {
            creo_client_free(&client->client);
            connect_as(&asked, client);
            if (asked.lenient)
                client->soap.lenient = true;
            if (asked.understood[0] != 0)
                client->soap.understood = split_names(asked.understood);
            use_session(&asked, &client->client);
        }
        if (asked.max_message_size > 0)
            client->client.limits.max_message_size = asked.max_message_size;
        if (asked.connect_timeout > 0)
            client->client.limits.connect_timeout_ms = asked.connect_timeout;
        client->client.deadline_ms = asked.deadline;
        client->client.stream_deadline_ms = asked.deadline;
        items[0] = 0;
        creo_error error;
        creo_error_clear(&error);
        creo_raw_messages raw = {NULL, show_raw, (size_t)asked.shown};
        if (asked.shown >= 0) {
            take_shown(NULL);
            client->client.raw_messages = &raw;
            client->client.headers = &secret_header;
            client->client.header_count = 1;
            client->client.metadata = secret_metadata;
            client->client.metadata_count = 2;
        }
        if (strcmp(asked.method, "shown") == 0)
            take_shown(stdout);
        else if (!call(&client->client, asked.method, &arena, &error))
            show_error(asked.method, &error);
        client->client.raw_messages = NULL;
        fflush(stdout);
        creo_arena_free(&arena);
    }
    take_shown(NULL);
    free(line);
    creo_client_free(&client->client);
    free(client);
    return fine ? 0 : 1;
}
