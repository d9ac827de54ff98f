package creo.runtime.internal.buffer;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.util.Map;

/**
 * The memory that one message takes, by the nominal sizes of LIM-18. Readers charge before they allocate: a charge is one subtraction and one
 * comparison with the granted amount. Larger grants may have to be reserved block by block from a host's budget.
 */
public final class Memory {
    /** Memory that several messages share, in bytes. Safe for use by many threads. */
    public interface Budget {
        /** Reserves bytes of the budget; false, without reserving any, if not enough are left. */
        boolean reserve(long bytes);

        /** Returns reserved bytes. */
        void release(long bytes);
    }

    private static final long BLOCK = 65_536;

    private final long max;
    /** Null for none. */
    private final Budget budget;
    /** What was granted without using the budget. */
    private final long free;
    /** What was granted and not yet charged; below 0 if more was charged. */
    private long left;
    private long granted;
    private boolean released;

    /** The memory of a message that does not share a budget. */
    public Memory(long max) {
        this(max, null);
    }

    /** The memory of a message that uses a budget, which may be null. The owner of the message calls {@link #release} when it no longer needs it. */
    public Memory(long max, Budget budget) {
        this(max, budget, 0);
    }

    private Memory(long max, Budget budget, long free) {
        this.max = max;
        this.budget = budget;
        this.free = free;
        grant(free);
    }

    /** The memory of a call. The number of small messages is bounded elsewhere, so they use no budget. */
    public static Memory ofCall(long max, Budget budget) {
        return new Memory(max, budget, Math.min(max, BLOCK));
    }

    /** Charges this many bytes; false if that exceeds the grant: {@link #more} must follow. */
    public boolean take(long bytes) {
        left -= bytes;
        return left >= 0;
    }

    /**
     * Charges this many bytes.
     *
     * @throws CreoException {@code too-large}, or {@code overloaded} if the budget is exhausted
     */
    public void charge(long bytes) {
        if (!take(bytes)) {
            more(-left);
        }
    }

    /**
     * Grants memory before it is allocated and charged, for an array whose bytes are still to arrive.
     *
     * @throws CreoException {@code overloaded} if the budget is exhausted; what exceeds the message's own limit is refused when it is charged
     */
    public void expect(long bytes) {
        long wanted = Math.min(bytes - left, max - granted);
        if (budget != null && wanted > 0) {
            more(wanted);
        }
    }

    /** Grants what {@link #take} lacked. */
    public void more() {
        more(-left);
    }

    /** Grants this many bytes, or a whole block. */
    private void more(long wanted) {
        long room = max - granted;
        if (wanted > room) {
            throw CreoException.tooLarge("maxMemory", max, "a message that takes more memory");
        }
        if (budget == null) {
            grant(room);
            return;
        }
        long block = Math.min(room, Math.max(wanted, BLOCK));
        if (budget.reserve(block)) {
            grant(block);
        } else if (block > wanted && budget.reserve(wanted)) {
            grant(wanted);
        } else {
            throw Failures.withDetails(ErrorCode.OVERLOADED, "no memory is left for a message of this size", Map.of("limit", "memoryBudget"));
        }
    }

    private void grant(long bytes) {
        granted += bytes;
        left += bytes;
    }

    /** The bytes charged so far. */
    public long used() {
        return granted - left;
    }

    /** Reverts charges to a value that {@link #used} returned; grants stay. */
    public void rewind(long used) {
        left = granted - used;
    }

    /** The bytes reserved from the budget. */
    public long held() {
        return budget == null ? 0 : granted - free;
    }

    /** Returns the reserved bytes when the message is no longer needed. Only the first call has an effect. */
    public synchronized void release() {
        if (!released) {
            released = true;
            if (held() > 0) {
                budget.release(held());
            }
        }
    }
}
