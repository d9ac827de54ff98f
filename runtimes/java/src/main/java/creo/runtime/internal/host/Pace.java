package creo.runtime.internal.host;

/**
 * How long the calls of one method have taken lately. A method whose calls are short runs on the thread that has read them; one whose calls are
 * long, or that waits, runs on another. An estimate: threads that race lose a count.
 */
public final class Pace {
    private static final long LONG_NANOS = 250_000;
    private static final int STEP = 16;
    private static final int MAX = 4 * STEP;
    private static final int MIN = -STEP;

    /** From {@link #MIN}, where the last calls have all been short, to {@link #MAX}. */
    private volatile int score;

    /** A call has taken so long. */
    public void ran(long nanos) {
        int before = score;
        if (nanos >= LONG_NANOS) {
            score = Math.min(MAX, Math.max(0, before) + STEP);
        } else if (before > MIN) {
            score = before - 1;
        }
    }

    /** Whether calls have been short for a while. */
    public boolean isShort() {
        return score == MIN;
    }

    /** Whether one of the last calls was long. */
    public boolean isLong() {
        return score >= STEP;
    }
}
