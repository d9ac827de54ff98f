package creo.runtime.internal.call;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import java.time.Duration;
import java.util.function.Consumer;

/** Learns what a channel finds out about a call. It is in the options of the call, as the reader of its answer. */
public abstract class CallObserver implements Consumer<Answer> {
    private volatile String peer;
    private volatile Long deadline;
    volatile Answer answer;

    /**
     * The {@link System#nanoTime} of a call's deadline.
     *
     * @param own the time of calls whose options have none
     */
    public static long deadline(CallOptions options, Duration own) {
        long time = (options.deadline() != null ? options.deadline() : own).toNanos();
        if (!(options.answer() instanceof CallObserver observer)) {
            return System.nanoTime() + time;
        }
        long deadline = observer.began() + time;
        for (CallObserver each = observer; each != null; each = each.outer()) {
            each.deadline = deadline;
        }
        return deadline;
    }

    /** Notes that a call has reached a peer. */
    public static void reached(CallOptions options, String address) {
        CallObserver each = of(options.answer());
        while (each != null) {
            each = each.reached(address);
        }
    }

    /** Notes that a call has ended whose result is a stream: the program is about to learn it. The failure is null at the end of the stream. */
    public static void ended(CallOptions options, Throwable failure) {
        CallObserver observer = of(options.answer());
        if (observer != null) {
            observer.streamEnded(failure);
        }
    }

    static CallObserver of(Consumer<Answer> reader) {
        return reader instanceof CallObserver observer ? observer : null;
    }

    /** The {@link System#nanoTime} from which the time of the call counts (CALL-11). */
    abstract long began();

    /** The observer to which this one passes the answer, or null. */
    abstract CallObserver outer();

    /** The call has reached a peer; returns the observer that learns it next, or null. */
    CallObserver reached(String address) {
        peer = address;
        return outer();
    }

    /** The call, whose result is a stream, has ended. */
    void streamEnded(Throwable failure) {
        if (outer() != null) {
            outer().streamEnded(failure);
        }
    }

    @Override
    public void accept(Answer came) {
        answer = came;
    }

    /** The address that was reached, or null. */
    final String peer() {
        return peer;
    }

    /** The {@link System#nanoTime} of the deadline; null before a channel has found it. */
    final Long deadline() {
        return deadline;
    }
}
