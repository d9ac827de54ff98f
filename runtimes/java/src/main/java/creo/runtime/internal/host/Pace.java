package creo.runtime.internal.host;

/**
 * An estimate of how long the recent calls of a method took. A method with short calls runs on the thread that read them; one with long or waiting
 * calls runs on another. Racing threads may lose a count.
 */
public final class Pace {
    private static final long LONG_NANOS = 250_000;
    private static final int STEP = 16;
    private static final int MAX = 4 * STEP;
    private static final int MIN = -STEP;

    /** From {@link #MIN}, if all recent calls were short, to {@link #MAX}. */
    private volatile int score;

    /** Records the duration of a call. */
    public void ran(long nanos) {
        int before = score;
        if (nanos >= LONG_NANOS) {
            score = Math.min(MAX, Math.max(0, before) + STEP);
        } else if (before > MIN) {
            score = before - 1;
        }
    }

    /** Whether recent calls have been short. */
    public boolean isShort() {
        return score == MIN;
    }

    /** Whether a recent call was long. */
    public boolean isLong() {
        return score >= STEP;
    }
}
