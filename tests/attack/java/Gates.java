import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The effects of attacks: calls that were received, and calls that are held until a gate opens. */
final class Gates {
    private static final int PATIENCE_SECONDS = 120;

    /** A gate, and how many calls wait at it. */
    private static final class Gate {
        final CountDownLatch latch = new CountDownLatch(1);
        final AtomicInteger held = new AtomicInteger();
    }

    private final Map<String, Gate> gates = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> heard = new ConcurrentHashMap<>();

    /** Counts a text that begins with a mark: {@code #mark:}. */
    void hear(String text) {
        int colon = text.startsWith("#") ? text.indexOf(':') : -1;
        if (colon > 0) {
            heard.computeIfAbsent(text.substring(1, colon), key -> new AtomicInteger()).incrementAndGet();
        }
    }

    int heard(String mark) {
        AtomicInteger count = heard.get(mark);
        return count == null ? 0 : count.get();
    }

    void pass(String name) {
        Gate gate = gate(name);
        gate.held.incrementAndGet();
        try {
            gate.latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            gate.held.decrementAndGet();
        }
    }

    int held(String name) {
        return gate(name).held.get();
    }

    void open(String name) {
        gate(name).latch.countDown();
    }

    private Gate gate(String name) {
        return gates.computeIfAbsent(name, key -> new Gate());
    }
}
