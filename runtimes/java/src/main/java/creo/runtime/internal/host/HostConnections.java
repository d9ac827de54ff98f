package creo.runtime.internal.host;

import creo.runtime.Limits;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The connections of a host: how many each address has, and which are closed when memory or files run out. */
public final class HostConnections {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int MAX_CLOSED_AT_ONCE = 64;
    private static final long RELIEF_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);
    /** A peer that has read nothing for this long is closed when memory is needed. */
    private static final long STALLED_TIME = TimeUnit.SECONDS.toNanos(1);

    private final Limits limits;
    private final Map<InetAddress, Integer> counts = new ConcurrentHashMap<>();
    private final AtomicLong relievedAt = new AtomicLong(System.nanoTime() - RELIEF_INTERVAL);
    private volatile List<EventLoop> loops = List.of();

    HostConnections(Limits limits) {
        this.limits = limits;
    }

    /** Sets the loops whose connections are closed when memory or files run out. */
    public void serve(List<EventLoop> all) {
        loops = List.copyOf(all);
    }

    /** Counts another connection of an address; false if it already has the max number. */
    boolean count(InetAddress address) {
        boolean[] counted = new boolean[1];
        counts.compute(network(address), (key, n) -> {
            int before = n == null ? 0 : n;
            counted[0] = before < limits.maxConnectionsPerAddress();
            return counted[0] ? Integer.valueOf(before + 1) : n;
        });
        return counted[0];
    }

    void discount(InetAddress address) {
        counts.computeIfPresent(network(address), (key, n) -> n == 1 ? null : n - 1);
    }

    /** What an address counts as (LIM-28): all IPv6 addresses with the same first 64 bits count as one machine. */
    public static InetAddress network(InetAddress address) {
        if (!(address instanceof Inet6Address) || address.isLoopbackAddress()) {
            return address;
        }
        try {
            return InetAddress.getByAddress(Arrays.copyOf(Arrays.copyOf(address.getAddress(), 8), 16));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are an address", e);
        }
    }

    /** Memory has run out: closes peers that do not read what they are sent. Does not wait for that. */
    void relieve() {
        long now = System.nanoTime();
        long last = relievedAt.get();
        if (now - last >= RELIEF_INTERVAL && relievedAt.compareAndSet(last, now)) {
            loops.forEach(loop -> loop.execute(() -> closeStalled(loop)));
        }
    }

    private static void closeStalled(EventLoop loop) {
        long now = System.nanoTime();
        ServerConnection worst = null;
        for (ServerConnection each : loop.connections()) {
            long waiting = each.out().waitingSince();
            if (waiting != 0 && now - waiting >= STALLED_TIME && (worst == null || each.out().queued() > worst.out().queued())) {
                worst = each;
            }
        }
        if (worst != null) {
            LOG.log(System.Logger.Level.INFO, "connection of {0} closed: it does not read what it is sent, and the memory is needed", worst.peer());
            worst.close();
        }
    }

    /** Closes some of the connections that have been idle longest. For the loop's driving thread. */
    static void closeIdle(EventLoop loop) {
        long now = System.nanoTime();
        List<ServerConnection> idle = new ArrayList<>(loop.connections());
        // A connection between two calls counts as used.
        idle.removeIf(connection -> !connection.isIdle() || now - connection.idleSince() < STALLED_TIME);
        idle.sort(Comparator.comparingLong(ServerConnection::idleSince));
        idle.subList(0, Math.min(idle.size(), MAX_CLOSED_AT_ONCE)).forEach(ServerConnection::close);
    }
}
