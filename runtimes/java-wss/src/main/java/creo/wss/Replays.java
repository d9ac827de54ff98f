package creo.wss;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/** The signatures of the last ten minutes (SOAP-88). Safe for use by many threads. */
final class Replays {
    private static final int MAX = 100_000;
    private static final Duration KEPT = Duration.ofMinutes(10);

    private record Seen(String signature, Instant at) {}

    private final Clock clock;
    private final Set<String> seen = new HashSet<>();
    private final ArrayDeque<Seen> order = new ArrayDeque<>();

    Replays(Clock clock) {
        this.clock = clock;
    }

    /** Remembers a signature; one that is known is refused, and any while there is no room. */
    synchronized void use(String signature) {
        Instant now = clock.instant();
        for (Seen first = order.peek(); first != null && first.at().plus(KEPT).isBefore(now); first = order.peek()) {
            seen.remove(order.poll().signature());
        }
        if (seen.contains(signature)) {
            throw Reason.REPLAYED.because("the message came before");
        }
        if (seen.size() >= MAX) {
            throw Reason.REPLAY_MEMORY.because("too many signed messages came within ten minutes");
        }
        seen.add(signature);
        order.add(new Seen(signature, now));
    }
}
