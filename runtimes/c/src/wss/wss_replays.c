/* The signatures of the last ten minutes (SOAP-88). */
#include "wss_parts.h"

#include <openssl/crypto.h>

#include <stdlib.h>

#define KEPT_SECONDS 600
#define BUCKETS 4096

/* One signature: in the chain of its bucket, and in the order of arrival. */
typedef struct seen {
    uint8_t hash[WSS_HASH_SIZE];
    creo_datetime at;
    struct seen *chain;
    struct seen *later;
} seen;

struct creo_wss_replays {
    CRYPTO_RWLOCK *lock;
    size_t count;
    size_t max;
    seen *first;
    seen *last;
    seen *buckets[BUCKETS];
};

struct creo_wss_replays *creo_wss_replays_new(size_t max)
{
    struct creo_wss_replays *replays = (struct creo_wss_replays *)calloc(1, sizeof *replays);
    if (replays == NULL)
        return NULL;
    replays->max = max;
    replays->lock = CRYPTO_THREAD_lock_new();
    if (replays->lock != NULL)
        return replays;
    free(replays);
    return NULL;
}

/* The bits of a hash of SHA-256 are as good as random. */
static seen **bucket_of(struct creo_wss_replays *replays, const uint8_t hash[WSS_HASH_SIZE])
{
    return &replays->buckets[(hash[0] | hash[1] << 8) % BUCKETS];
}

static void forget_first(struct creo_wss_replays *replays)
{
    seen *gone = replays->first;
    seen **at = bucket_of(replays, gone->hash);
    while (*at != gone)
        at = &(*at)->chain;
    *at = gone->chain;
    replays->first = gone->later;
    if (replays->first == NULL)
        replays->last = NULL;
    replays->count--;
    free(gone);
}

void creo_wss_replays_free(struct creo_wss_replays *replays)
{
    if (replays == NULL)
        return;
    while (replays->first != NULL)
        forget_first(replays);
    CRYPTO_THREAD_lock_free(replays->lock);
    free(replays);
}

/* Under the lock. */
static bool replays_add(struct creo_wss_replays *replays, const uint8_t hash[WSS_HASH_SIZE], creo_datetime now, creo_error *error)
{
    while (replays->first != NULL && now.seconds - replays->first->at.seconds > KEPT_SECONDS)
        forget_first(replays);
    seen **bucket = bucket_of(replays, hash);
    for (const seen *at = *bucket; at != NULL; at = at->chain)
        if (memcmp(at->hash, hash, WSS_HASH_SIZE) == 0)
            return creo_wss_refuse(error, WSS_REPLAYED, "the message came before");
    if (replays->count >= replays->max)
        return creo_wss_refuse(error, WSS_REPLAY_MEMORY, "too many signed messages came within ten minutes");
    seen *added = (seen *)malloc(sizeof *added);
    if (added == NULL)
        return creo_wss_no_memory(error);
    memcpy(added->hash, hash, WSS_HASH_SIZE);
    added->at = now;
    added->chain = *bucket;
    added->later = NULL;
    *bucket = added;
    if (replays->last == NULL)
        replays->first = added;
    else
        replays->last->later = added;
    replays->last = added;
    replays->count++;
    return true;
}

bool creo_wss_replays_use(struct creo_wss_replays *replays, const uint8_t hash[WSS_HASH_SIZE], creo_datetime now, creo_error *error)
{
    if (CRYPTO_THREAD_write_lock(replays->lock) != 1)
        return creo_wss_no_memory(error);
    bool done = replays_add(replays, hash, now, error);
    (void)CRYPTO_THREAD_unlock(replays->lock);
    return done;
}
