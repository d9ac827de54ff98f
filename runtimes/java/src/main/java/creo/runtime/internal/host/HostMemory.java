package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The budget of a host for all messages that it holds: received, decoded, or queued for sending (LIM-32). */
final class HostMemory implements Memory.Budget {
    private final long max;
    private final AtomicLong used = new AtomicLong();

    HostMemory(long max) {
        this.max = max;
    }

    @Override
    public boolean reserve(long bytes) {
        while (true) {
            long now = used.get();
            if (now + bytes > max) {
                return false;
            }
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    /** Takes bytes that are already held, even beyond the budget: later requests are refused instead. */
    void take(long bytes) {
        used.addAndGet(bytes);
    }

    @Override
    public void release(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }

    /** The error for a call without room. */
    CreoException exhausted() {
        return Failures.withDetails(ErrorCode.OVERLOADED, "the host holds as many bytes of messages as it may: memoryBudget is " + max,
            Map.of("limit", "memoryBudget", "allowed", Long.toString(max)));
    }
}
