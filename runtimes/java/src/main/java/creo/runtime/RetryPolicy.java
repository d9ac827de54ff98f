package creo.runtime;

import creo.runtime.internal.call.RetryingChannel;
import java.time.Duration;

/** When a client repeats a call that failed (CALL-22 to CALL-26). Immutable: each {@code with} method returns a changed copy. */
public final class RetryPolicy implements Channel.Retries {
    /** Three attempts, a base delay of 50 ms and a max delay of 5 s. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(3, Duration.ofMillis(50), Duration.ofSeconds(5));

    private final int attempts;
    private final Duration baseDelay;
    private final Duration maxDelay;

    private RetryPolicy(int attempts, Duration baseDelay, Duration maxDelay) {
        this.attempts = attempts;
        this.baseDelay = baseDelay;
        this.maxDelay = maxDelay;
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

    /** Sets the max number of attempts, from 1 to 10. */
    public RetryPolicy withAttempts(int max) {
        if (max < 1 || max > 10) {
            throw new IllegalArgumentException("attempts must be from 1 to 10, not " + max);
        }
        return new RetryPolicy(max, baseDelay, maxDelay);
    }

    /** Sets the base delay, at most an hour. */
    public RetryPolicy withBaseDelay(Duration delay) {
        return new RetryPolicy(attempts, checked(delay), maxDelay);
    }

    /** Sets the max delay, at most an hour. */
    public RetryPolicy withMaxDelay(Duration delay) {
        return new RetryPolicy(attempts, baseDelay, checked(delay));
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
