package creo.runtime;

import java.time.Duration;
import java.util.Objects;

/** How a {@link BalancedChannel} chooses addresses. Immutable: each {@code with} method returns a changed copy. */
public final class Balancing {
    /** The choice among the addresses that are not ejected (CALL-31). */
    public enum Rule {
        /** Each in its turn. */
        ROUND_ROBIN,
        /** The one with the fewest calls of the channel under way. */
        LEAST_OUTSTANDING,
        /** Of two that are chosen at random, the one with fewer calls of the channel under way. */
        PICK_TWO
    }

    /** Round robin, ejections of 1 s to 60 s, and a resolver that is asked every 30 s. */
    public static final Balancing DEFAULT = new Balancing(Rule.ROUND_ROBIN, Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofSeconds(30));

    private final Rule rule;
    private final Duration minEjection;
    private final Duration maxEjection;
    private final Duration refresh;

    private Balancing(Rule rule, Duration minEjection, Duration maxEjection, Duration refresh) {
        this.rule = rule;
        this.minEjection = minEjection;
        this.maxEjection = maxEjection;
        this.refresh = refresh;
    }

    public Rule rule() {
        return rule;
    }

    /** How long an address is ejected at first; each further time before a call has succeeded lasts twice as long. */
    public Duration minEjection() {
        return minEjection;
    }

    /** The max time for which an address is ejected. */
    public Duration maxEjection() {
        return maxEjection;
    }

    /** How long the addresses of a resolver are used before it is asked again. */
    public Duration refresh() {
        return refresh;
    }

    public Balancing withRule(Rule other) {
        return new Balancing(Objects.requireNonNull(other, "other"), minEjection, maxEjection, refresh);
    }

    /** Sets how long an address is ejected: the first time, and at most. Both are more than nothing and at most a day. */
    public Balancing withEjection(Duration min, Duration max) {
        if (min.isZero() || checked(min).compareTo(checked(max)) > 0) {
            throw new IllegalArgumentException("the ejection times must be more than nothing, and the first not longer than the max, not " + min + " and " + max);
        }
        return new Balancing(rule, min, max, refresh);
    }

    /** Sets how long the addresses of a resolver are used before it is asked again, at most a day. */
    public Balancing withRefresh(Duration time) {
        return new Balancing(rule, minEjection, maxEjection, checked(time));
    }

    private static Duration checked(Duration time) {
        if (time.isNegative() || time.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a time must be from nothing to a day, not " + time);
        }
        return time;
    }
}
