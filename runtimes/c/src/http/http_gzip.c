/* Compressed bodies, by the caller's functions (HTTP-6). */
#include "../call/body.h"
#include "http.h"

static bool broken(const char *peer, creo_error *error)
{
    return creo_fail(error, CREO_MALFORMED, "%s sent a gzip stream that is broken, cut, or followed by something", peer);
}

bool creo_http_expand(const creo_gzip *gzip, creo_bytes from, const creo_limits *limits, creo_arena *arena, creo_bytes *body, const char *peer,
                      creo_error *error)
{
    size_t most = creo_limits_body(limits);
    const uint8_t *at = from.data;
    const uint8_t *end = from.size == 0 ? at : at + from.size;
    uint8_t *data = NULL;
    size_t size = 0;
    size_t room = 0;
    if (from.size == 0)
        return broken(peer, error);
    if (!gzip->begin(gzip->context))
        return creo_fail(error, CREO_TOO_LARGE, "there is no memory left to expand the answer");
    bool fine = false;
    for (;;) {
        if (size == room) {
            /* One byte more than allowed, to detect an excess. */
            size_t allowed = most == SIZE_MAX ? most : most + 1;
            size_t larger = room == 0 ? from.size + 1024 : room > allowed / 2 ? allowed : room * 2;
            larger = larger < allowed ? larger : allowed;
            uint8_t *grown = larger == room ? NULL : (uint8_t *)creo_arena_grow(arena, data, room, size, larger);
            if (grown == NULL) {
                (void)(size > most ? creo_fail_body(error, limits) : creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer"));
                break;
            }
            data = grown;
            room = larger;
        }
        const uint8_t *before = at;
        uint8_t *to = data + size;
        creo_gzip_state state = gzip->expand(gzip->context, &at, end, &to, data + room);
        bool moved = at != before || to != data + size;
        /* The caller's functions are trusted to stay within their room, but a bug in them must be detected. */
        if (at < before || at > end || to < data + size || to > data + room) {
            (void)broken(peer, error);
            break;
        }
        size = (size_t)(to - data);
        if (size > most) {
            (void)creo_fail_body(error, limits);
            break;
        }
        if (state == CREO_GZIP_DONE && at == end) {
            fine = true;
            break;
        }
        if (state != CREO_GZIP_MORE || (!moved && size < room) || (at == end && !moved)) {
            (void)broken(peer, error);
            break;
        }
    }
    gzip->finish(gzip->context);
    *body = creo_bytes_of(data, size);
    return fine;
}
