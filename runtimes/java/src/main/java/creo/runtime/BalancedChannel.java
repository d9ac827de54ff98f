package creo.runtime;

import creo.runtime.internal.call.BalancingChannel;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Channels that distribute their calls over several hosts that serve the same (CALL-30 to CALL-38). */
public final class BalancedChannel {
    /** Finds the addresses of a service. */
    @FunctionalInterface
    public interface Resolver {
        /** The addresses. It may wait; it is called by one thread at a time, never by a caller's. If it throws or gives nothing, the addresses remain. */
        List<String> resolve() throws Exception;
    }

    private BalancedChannel() {}

    /**
     * Opens a channel to these addresses.
     *
     * @param addresses at least one, in the form that the opener takes; one that is named twice counts once
     * @param opener opens the channel to an address, with the first call that goes there, such as {@link TcpChannel#open(String, ClientOptions)}
     */
    public static Channel open(List<String> addresses, Function<String, Channel> opener, Balancing balancing) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("there must be an address");
        }
        return new BalancingChannel(List.copyOf(addresses), null, Objects.requireNonNull(opener, "opener"), balancing);
    }

    /**
     * Opens a channel to the addresses that a resolver finds. The first call waits for it.
     *
     * @param opener opens the channel to an address, with the first call that goes there
     */
    public static Channel open(Resolver resolver, Function<String, Channel> opener, Balancing balancing) {
        return new BalancingChannel(List.of(), Objects.requireNonNull(resolver, "resolver"), Objects.requireNonNull(opener, "opener"), balancing);
    }
}
