package creo.runtime.internal.net;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import java.time.Duration;

/** The remaining time of a call. */
public final class Deadlines {
    /** The time of a call without a deadline. */
    public static final Duration NONE = Duration.ofDays(36_500);

    private Deadlines() {}

    /** The error for a call whose deadline has passed. */
    public static CreoException exceeded(String address) {
        return Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call to " + address + " is over");
    }

    /** Milliseconds until the deadline, rounded up, as written in a request; 0 if it has passed, -1 if it is that of {@link #NONE}. */
    public static int millisecondsLeft(long deadline) {
        long nanos = deadline - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(0xffff_ffffL, (nanos + 999_999) / 1_000_000);
    }
}
