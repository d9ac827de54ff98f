package creo.runtime.internal.host;

import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.net.Monitor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The oneway calls over HTTP that were acknowledged before they were over. They belong to no connection any more, so their deadlines are kept here, and the
 * end of the host waits for them.
 */
final class OnewayCalls implements Monitor.Watched {
    private static final long LOOK_INTERVAL = 100_000_000L;

    private final Set<HttpServerCall<?, ?>> calls = ConcurrentHashMap.newKeySet();

    /** Acknowledges a call that is not over. */
    void acknowledge(HttpServerCall<?, ?> call) {
        calls.add(call);
        if (call.isOver()) {
            // It may have been before it could be removed.
            calls.remove(call);
        } else {
            Monitor.shared().add(this);
            Monitor.shared().expect(call.deadlineOr(System.nanoTime() + LOOK_INTERVAL));
        }
        call.acknowledge();
    }

    /** A call is over. */
    void remove(HttpServerCall<?, ?> call) {
        calls.remove(call);
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Gives up what is not over. */
    void end() {
        calls.forEach(HttpServerCall::giveUp);
        calls.clear();
    }

    @Override
    public long look(long now) {
        long next = now + LOOK_INTERVAL;
        for (HttpServerCall<?, ?> call : calls) {
            if (call.isOver()) {
                calls.remove(call);
            } else if (call.isPast(now)) {
                call.giveUp(Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call is over"));
            } else {
                next = Math.min(next, call.deadlineOr(next));
            }
        }
        if (calls.isEmpty()) {
            Monitor.shared().remove(this);
            if (!calls.isEmpty()) {
                Monitor.shared().add(this);
            }
        }
        return next;
    }
}
