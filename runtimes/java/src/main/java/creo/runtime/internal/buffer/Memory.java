package creo.runtime.internal.buffer;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.util.Map;

/**
 * What one message takes in memory, by the nominal sizes of LIM-18. Readers charge before they take memory: a charge is one subtraction and one
 * comparison with what was granted. What is granted beyond that may have to be reserved from the budget of a host, block by block.
 */
public final class Memory {
    /** Memory that several messages share, as a number of bytes. Safe for many threads. */
    public interface Budget {
        /** Takes bytes of the budget; false, and nothing is taken, if there are not as many left. */
        boolean reserve(long bytes);

        /** Returns bytes that were taken. */
        void release(long bytes);
    }

    private static final long BLOCK = 65_536;

    private final long max;
    /** Or null. */
    private final Budget budget;
    /** What was granted without the budget. */
    private final long free;
    /** What was granted and not yet charged; below 0 if more was charged. */
    private long left;
    private long granted;
    private boolean released;

    /** The memory of a message that nobody else has a part in. */
    public Memory(long max) {
        this(max, null);
    }

    /** The memory of a message that is reserved from a budget, or not if that is null. The owner of the message calls {@link #release} when it is not needed any more. */
    public Memory(long max, Budget budget) {
        this(max, budget, 0);
    }

    private Memory(long max, Budget budget, long free) {
        this.max = max;
        this.budget = budget;
        this.free = free;
        grant(free);
    }

    /** The memory of a call. Small messages are bounded by how many there may be, and take nothing of the budget. */
    public static Memory ofCall(long max, Budget budget) {
        return new Memory(max, budget, Math.min(max, BLOCK));
    }

    /** Charges so many bytes; false if that is more than was granted: then {@link #more} must follow. */
    public boolean take(long bytes) {
        left -= bytes;
        return left >= 0;
    }

    /**
     * Charges so many bytes.
     *
     * @throws CreoException {@code too-large}, or {@code overloaded} if the budget has no more
     */
    public void charge(long bytes) {
        if (!take(bytes)) {
            more(-left);
        }
    }

    /**
     * Grants what is about to be charged, before memory is taken for all of it: an array that will hold bytes which still have to arrive.
     *
     * @throws CreoException {@code overloaded} if the budget has no more; what exceeds the message's own limit is refused when it is charged
     */
    public void expect(long bytes) {
        long wanted = Math.min(bytes - left, max - granted);
        if (budget != null && wanted > 0) {
            more(wanted);
        }
    }

    /** Grants what {@link #take} was short of. */
    public void more() {
        more(-left);
    }

    /** Grants so many bytes, or a whole block. */
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

    /** What was charged so far. */
    public long used() {
        return granted - left;
    }

    /** Takes back what was charged since {@link #used} gave this; what was granted stays granted. */
    public void rewind(long used) {
        left = granted - used;
    }

    /** What it has reserved from the budget. */
    public long held() {
        return budget == null ? 0 : granted - free;
    }

    /** Returns what it has reserved: the message is not needed any more. Only the first time counts. */
    public synchronized void release() {
        if (!released) {
            released = true;
            if (held() > 0) {
                budget.release(held());
            }
        }
    }
}
