package creo.runtime;

import creo.runtime.internal.call.RetryingChannel;
import java.time.Duration;

/** When a client repeats a call that failed (CALL-22 to CALL-26), or that takes long (CALL-29). Immutable: each {@code with} method returns a changed copy. */
public final class RetryPolicy implements Channel.Retries {
    /** Three attempts, a base delay of 50 ms and a max delay of 5 s, without hedges. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(3, Duration.ofMillis(50), Duration.ofSeconds(5), null);

    private final int attempts;
    private final Duration baseDelay;
    private final Duration maxDelay;
    private final Duration hedgeAfter;

    private RetryPolicy(int attempts, Duration baseDelay, Duration maxDelay, Duration hedgeAfter) {
        this.attempts = attempts;
        this.baseDelay = baseDelay;
        this.maxDelay = maxDelay;
        this.hedgeAfter = hedgeAfter;
    }

    /** The max number of attempts of a call, the first included. */
    public int attempts() {
        return attempts;
    }

    /** The max delay before the second attempt; it doubles before each further one. */
    public Duration baseDelay() {
        return baseDelay;
    }

    /** The max delay before any attempt, besides the time for which a server asks. */
    public Duration maxDelay() {
        return maxDelay;
    }

    /** The time after which an attempt that has not ended gets another one beside it, or null for never. */
    public Duration hedgeAfter() {
        return hedgeAfter;
    }

    /** Sets the max number of attempts, from 1 to 10. */
    public RetryPolicy withAttempts(int max) {
        if (max < 1 || max > 10) {
            throw new IllegalArgumentException("attempts must be from 1 to 10, not " + max);
        }
        return new RetryPolicy(max, baseDelay, maxDelay, hedgeAfter);
    }

    /** Sets the base delay, at most an hour. */
    public RetryPolicy withBaseDelay(Duration delay) {
        return new RetryPolicy(attempts, checked(delay), maxDelay, hedgeAfter);
    }

    /** Sets the max delay, at most an hour. */
    public RetryPolicy withMaxDelay(Duration delay) {
        return new RetryPolicy(attempts, baseDelay, checked(delay), hedgeAfter);
    }

    /**
     * Hedges calls of idempotent methods: when an attempt has not ended after this time, from 1 ms to an hour, another one is made beside it, at another
     * address if the channel has several. The first one that ends decides the call, and the others are cancelled. In the long run there is at most one such
     * attempt for five calls (CALL-80).
     */
    public RetryPolicy withHedgeAfter(Duration time) {
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("calls are hedged after 1 ms to an hour, not " + time);
        }
        return new RetryPolicy(attempts, baseDelay, maxDelay, time);
    }

    @Override
    public Channel over(Channel channel) {
        return new RetryingChannel(channel, this);
    }

    private static Duration checked(Duration delay) {
        if (delay.isNegative() || delay.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("a delay must be from nothing to an hour, not " + delay);
        }
        return delay;
    }
}
