package creo.runtime.internal.host;

import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.net.Monitor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Watches calls in progress that someone waits for, and ends those whose deadline has passed. */
public final class CallWatch implements AutoCloseable {
    private static final long LOOK_INTERVAL = 100_000_000L;

    private final Host host;
    private final Set<IncomingCall<?, ?>> calls = ConcurrentHashMap.newKeySet();
    private final Monitor.Watched watch = this::look;

    public CallWatch(Host host) {
        this.host = host;
        Monitor.shared().add(watch);
    }

    private long look(long now) {
        long next = now + LOOK_INTERVAL;
        for (IncomingCall<?, ?> call : calls) {
            long deadline = call.deadlineOr(next);
            if (call.isPast(now)) {
                calls.remove(call);
                if (call.giveUp()) {
                    host.run(() -> call.answerError(call.unstarted(Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call is over"))));
                }
            } else if (deadline - next < 0) {
                next = deadline;
            }
        }
        return next;
    }

    /** Watches the deadline of a call until {@link #remove}. */
    public void add(IncomingCall<?, ?> call) {
        calls.add(call);
        long now = System.nanoTime();
        long deadline = call.deadlineOr(now + LOOK_INTERVAL);
        if (deadline - now < LOOK_INTERVAL) {
            Monitor.shared().expect(deadline);
        }
    }

    public void remove(IncomingCall<?, ?> call) {
        calls.remove(call);
    }

    public boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Ends the calls in progress and passes on those without an answer. */
    public void giveUp(Consumer<IncomingCall<?, ?>> unanswered) {
        for (IncomingCall<?, ?> call : calls) {
            if (call.giveUp()) {
                unanswered.accept(call);
            }
        }
    }

    @Override
    public void close() {
        Monitor.shared().remove(watch);
    }
}
