/*
 * Whatever a service sets and wherever it leads: cookies stay within their bounds and cannot become another field, and a redirect that is followed is a URL of
 * the client's scheme, without a user, whose parts are those of a URL.
 */
#include "fuzz_text.h"

#include "http/http_cookies.h"
#include "http/http_session.h"

#define NOW 1000000000

static void check_cookies(creo_client *client, const struct creo_cookies *cookies)
{
    size_t size = 0;
    for (size_t i = 0; i < cookies->count; i++)
        size += (size_t)cookies->list[i].name + cookies->list[i].value + cookies->list[i].path;
    PROPERTY(cookies->count <= CREO_MAX_COOKIES && size == cookies->size && size <= CREO_MAX_COOKIES_SIZE);
    PROPERTY(client->cookies == cookies && cookies->next == NULL);
}

static void check_line(creo_client *client, struct creo_cookies *cookies, creo_string path)
{
    creo_error error;
    creo_writer head;
    creo_arena_reset(&client->arena);
    creo_writer_init(&head, &client->arena, NULL, &error);
    PROPERTY(creo_cookies_put(cookies, path, NOW, &head));
    creo_bytes line = creo_writer_bytes(&head);
    PROPERTY(line.size == 0 || (line.size >= 12 && memcmp(line.data, "Cookie: ", 8) == 0 && memcmp(line.data + line.size - 2, "\r\n", 2) == 0));
    for (size_t i = 0; i + 2 < line.size; i++)
        PROPERTY(line.data[i] >= 0x20 && line.data[i] <= 0x7E);
}

/* Follows a redirect if it may, and returns where the call is then. */
static creo_string follow(creo_client *client, creo_string here, creo_string location)
{
    creo_http_place place;
    struct creo_http_trip trip;
    creo_error error;
    creo_http_answer answer;
    creo_pair header = {{"location", 8}, location};
    creo_http_call call = {client, &place, NULL, NULL, creo_bytes_of(NULL, 0), NULL, 0, &error, NULL, NULL, CREO_HTTP_START};
    memset(&place, 0, sizeof place);
    memset(&trip, 0, sizeof trip);
    memset(&answer, 0, sizeof answer);
    answer.status = 307;
    answer.location = location;
    answer.headers = &header;
    answer.header_count = 1;
    snprintf(trip.host, sizeof trip.host, "%s", client->host);
    trip.port = client->port;
    trip.redirects = 1;
    trip.stops[0] = (creo_http_stop){trip.host, trip.port, here};
    trip.count = 1;
    call.trip = &trip;
    if (!creo_http_is_followed(&call, &answer)) {
        PROPERTY(trip.refusal[0] != 0);
        return here;
    }
    creo_string target = trip.next.target;
    PROPERTY(trip.next.host[0] != 0 && strpbrk(trip.next.host, "@/?# ") == NULL && strlen(trip.next.host) < CREO_HOST_SIZE && trip.next.port != 0);
    for (const char *at = trip.next.host; *at != 0; at++)
        PROPERTY(*at > ' ' && *at < 0x7F);
    PROPERTY(target.size != 0 && target.data[0] == '/');
    for (size_t i = 0; i < target.size; i++)
        PROPERTY(target.data[i] > ' ' && target.data[i] < 0x7F && target.data[i] != '#');
    return target;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    creo_client client;
    creo_error error;
    creo_client_init(&client, size != 0 && data[0] % 2 == 0 ? "w.example.org" : "127.0.0.1", 80, creo_allocator_libc());
    struct creo_cookies *cookies = creo_cookies_open(&client, &error);
    PROPERTY(cookies != NULL);
    creo_arena places;
    creo_arena_init(&places, creo_allocator_libc());
    creo_string here = creo_text("/p/q?r");
    /* Lines that begin with L lead on, others set. */
    for (size_t at = 0; at < size;) {
        const uint8_t *end = (const uint8_t *)memchr(data + at, '\n', size - at);
        size_t length = end == NULL ? size - at : (size_t)(end - data) - at;
        uint8_t *line = fuzz_exact(data + at, length);
        creo_string text = {(const char *)line, length};
        if (length != 0 && line[0] == 'L') {
            creo_string next = follow(&client, here, (creo_string){text.data + 1, length - 1});
            char *kept = creo_arena_text(&places, next);
            PROPERTY(kept != NULL);
            here = (creo_string){kept, next.size};
        } else {
            creo_string path = {here.data, 0};
            while (path.size < here.size && here.data[path.size] != '?')
                path.size++;
            creo_cookies_take(cookies, length % 2 == 0, path, text, NOW);
            check_cookies(&client, cookies);
            check_line(&client, cookies, path);
        }
        free(line);
        at += length + 1;
    }
    creo_http_forget(&client, NULL, 0);
    creo_client_free(&client);
    creo_arena_free(&places);
    return 0;
}
