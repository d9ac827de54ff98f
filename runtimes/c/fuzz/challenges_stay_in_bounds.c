/*
 * Whatever a service demands in `WWW-Authenticate`, line by line: what is kept fits, and the credentials that answer it are one line of a head, which no text
 * of the service can leave.
 */
#include "fuzz_text.h"

#include "http/http_digest.h"

/* Each line of the input is the header of one answer; the request after it shows the credentials. */
static void take(struct creo_digest *digest, const uint8_t *line, size_t length)
{
    static const char *const users[] = {"me", "q\"u\\o", "J\xC3\xA4gerin"};
    creo_arena arena;
    creo_error error;
    creo_writer head;
    creo_arena_init(&arena, creo_allocator_libc());
    char *text = (char *)fuzz_exact(line, length);
    bool again = creo_digest_take(digest, text, length, &arena);
    free(text);
    PROPERTY(!again || (digest->known && digest->why == NULL));
    PROPERTY(memchr(digest->realm, 0, sizeof digest->realm) != NULL && memchr(digest->nonce, 0, sizeof digest->nonce) != NULL);
    PROPERTY(memchr(digest->opaque, 0, sizeof digest->opaque) != NULL && memchr(digest->algorithm, 0, sizeof digest->algorithm) != NULL);
    PROPERTY(arena.taken <= 65536 + 64 * length);
    creo_error_clear(&error);
    creo_writer_init(&head, &arena, NULL, &error);
    PROPERTY(creo_digest_put(digest, "POST", users[length % 3], "secret", creo_text("/p?q=\"r"), &head));
    creo_bytes written = creo_writer_bytes(&head);
    static const char begin[] = "Authorization: Digest username";
    PROPERTY(written.size == 0 || (digest->shown && written.size > sizeof begin && memcmp(written.data, begin, sizeof begin - 1) == 0));
    PROPERTY(written.size == 0 || memcmp(written.data + written.size - 2, "\r\n", 2) == 0);
    for (size_t i = 0; i + 2 < written.size; i++)
        PROPERTY(written.data[i] >= 0x20 && written.data[i] != 0x7F);
    creo_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct creo_digest digest;
    memset(&digest, 0, sizeof digest);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = (const uint8_t *)memchr(data + at, '\n', size - at);
        size_t length = end == NULL ? size - at : (size_t)(end - data) - at;
        take(&digest, data + at, length);
        at += length + 1;
    }
    return 0;
}
