/**
 * Repeating calls that fail (CALL-20 to CALL-27). A copied runtime has it with `--with retries`.
 */
#ifndef CREO_RETRIES_H
#define CREO_RETRIES_H

#include <creo/channel.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How calls are repeated (CALL-20 to CALL-27): after CREO_UNAVAILABLE and CREO_OVERLOADED, if the method was not started or is idempotent, and as far as
 * the deadline and the client's budget allow.
 */
typedef struct creo_retry {
    /** The max number of attempts, the first included: 1 to 10. */
    uint32_t attempts;
    /** In milliseconds, at most an hour. Before attempt n + 1 is a random wait of 0 to `base_delay_ms` * 2^(n - 1), at most `max_delay_ms`. */
    uint32_t base_delay_ms;
    uint32_t max_delay_ms;
} creo_retry;

/** 3 attempts, 50 ms and 5 s. */
static inline creo_retry creo_retry_default(void)
{
    creo_retry retry = {3, 50, 5000};
    return retry;
}

/**
 * Sets how the client's calls are repeated: between calls, also again. The policy must live as long as calls are made, and may be changed between them;
 * with one that is not valid, calls end with CREO_INVALID_VALUE. NULL: calls are not repeated, as without this function. Interceptors see a call once,
 * however often it is attempted. Calls with streams are not repeated.
 */
void creo_client_set_retry(creo_client *client, const creo_retry *retry);

#ifdef __cplusplus
}
#endif

#endif
