package creo.runtime.internal.call;

import creo.runtime.Balancing;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.ServiceMethod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The addresses of a channel: which of them takes a call, and which are ejected (CALL-31 to CALL-35). */
final class Addresses {
    private static final int MAX_LOSSES = 3;

    /** An address. The lock guards its fields, its own monitor the opening of its channel. */
    static final class Address {
        final String name;
        private Channel channel;
        private int underWay;
        /** The calls in succession that were lost. */
        private int losses;
        private boolean ejected;
        /** When the ejection ends. */
        private long until;
        /** The duration of the last ejection; 0 since a call has succeeded. */
        private long ejection;
        private int ejections;
        /** Whether a call is under way that was sent there despite the ejection. */
        private boolean probed;

        Address(String name) {
            this.name = name;
        }
    }

    /**
     * A call at an address.
     *
     * @param ejections those before it: after a further one, its end says nothing more about the address
     */
    record Placement(Address address, int ejections, boolean probe) {}

    private final Function<String, Channel> opener;
    private final Balancing balancing;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private List<Address> all = List.of();
    /** Those that are no longer given, but have calls under way. */
    private final Set<Address> leaving = new HashSet<>();
    private int turn = -1;
    private boolean ejectedSince;
    private boolean closed;

    Addresses(Function<String, Channel> opener, Balancing balancing, LongSupplier clock) {
        this.opener = opener;
        this.balancing = balancing;
        this.clock = clock;
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return all.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether an address was ejected since {@link #set} or the last call of this method. */
    boolean ejectedSince(boolean forget) {
        lock.lock();
        try {
            boolean any = ejectedSince;
            ejectedSince &= !forget;
            return any;
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the addresses. Those that remain keep their state. */
    void set(List<String> names) {
        List<Address> unused = new ArrayList<>();
        lock.lock();
        try {
            Map<String, Address> known = new HashMap<>();
            all.forEach(each -> known.put(each.name, each));
            all = names.stream().distinct().map(name -> known.containsKey(name) ? known.remove(name) : new Address(name)).toList();
            known.values().forEach(each -> (each.underWay == 0 ? unused : leaving).add(each));
            turn = turn < 0 ? ThreadLocalRandom.current().nextInt(all.size()) : turn;
        } finally {
            lock.unlock();
        }
        unused.forEach(Addresses::close);
    }

    /**
     * The address of the next call, or of the next attempt of one; null if all were tried.
     *
     * @param taken those where it goes only if no other one is left (CALL-81): this adds the address; or null
     */
    Placement place(Set<Address> tried, Collection<Object> taken) {
        lock.lock();
        try {
            Address chosen = choose(tried, taken == null ? List.of() : taken, clock.getAsLong());
            if (chosen == null) {
                return null;
            }
            if (taken != null) {
                taken.add(chosen);
            }
            chosen.underWay++;
            chosen.probed |= chosen.ejected;
            return new Placement(chosen, chosen.ejections, chosen.ejected);
        } finally {
            lock.unlock();
        }
    }

    private Address choose(Set<Address> tried, Collection<?> taken, long now) {
        List<Address> open = new ArrayList<>(all.size());
        List<Address> others = new ArrayList<>(taken.size());
        Address first = null;
        for (int i = 0; i < all.size(); i++) {
            Address each = all.get((turn + i) % all.size());
            if (tried.contains(each)) {
                continue;
            }
            if (!each.ejected) {
                (taken.contains(each) ? others : open).add(each);
            } else if (tried.isEmpty() && !each.probed && !taken.contains(each) && now - each.until >= 0) {
                return each;
            } else if (first == null || each.until - first.until < 0) {
                first = each;
            }
        }
        if (open.isEmpty()) {
            open = others;
        }
        if (open.isEmpty()) {
            return first;
        }
        return switch (balancing.rule()) {
            case ROUND_ROBIN -> {
                turn = all.indexOf(open.get(0)) + 1;
                yield open.get(0);
            }
            case LEAST_OUTSTANDING -> {
                int least = open.stream().mapToInt(each -> each.underWay).min().getAsInt();
                open.removeIf(each -> each.underWay > least);
                yield open.get(ThreadLocalRandom.current().nextInt(open.size()));
            }
            case PICK_TWO -> {
                Address one = open.remove(ThreadLocalRandom.current().nextInt(open.size()));
                Address other = open.isEmpty() ? one : open.get(ThreadLocalRandom.current().nextInt(open.size()));
                yield other.underWay < one.underWay ? other : one;
            }
        };
    }

    /**
     * The channel of a placed call, opened with the first one.
     *
     * @throws CreoException if there is none
     */
    Channel channel(Address address) {
        synchronized (address) {
            if (isClosed()) {
                throw BalancingChannel.unavailable("the channel is closed", null);
            }
            if (address.channel == null) {
                try {
                    address.channel = opener.apply(address.name);
                } catch (RuntimeException e) {
                    throw BalancingChannel.unavailable("the channel to " + address.name + " could not be opened: " + e, e);
                }
            }
            return address.channel;
        }
    }

    /** A placed call has ended; the failure is null after a result. */
    void ended(Placement call, ServiceMethod<?, ?> method, Throwable failure) {
        Address address = call.address();
        boolean unused;
        lock.lock();
        try {
            address.underWay--;
            if (call.ejections() == address.ejections) {
                address.probed &= !call.probe();
                judge(call, method, failure);
            }
            unused = address.underWay == 0 && leaving.remove(address);
        } finally {
            lock.unlock();
        }
        if (unused) {
            close(address);
        }
    }

    private void judge(Placement call, ServiceMethod<?, ?> method, Throwable failure) {
        Address address = call.address();
        if (failure == null || method.indexOf(failure) >= 0) {
            address.ejection = 0;
            answered(address);
        } else if (failure instanceof CreoException e) {
            if (ejects(call, e)) {
                eject(address);
            } else if (e.fromPeer() || e.code() == ErrorCode.MALFORMED) {
                answered(address);
            } else if (e.code() == ErrorCode.DEADLINE_EXCEEDED) {
                address.losses = 0;
            }
        }
    }

    private static boolean ejects(Placement call, CreoException e) {
        return switch (e.code()) {
            case UNTRUSTED_PEER, PROTOCOL_MISMATCH -> true;
            case UNAVAILABLE -> e.notStarted() || !e.fromPeer() && (call.probe() || ++call.address().losses >= MAX_LOSSES);
            case DEADLINE_EXCEEDED -> call.probe() && !e.fromPeer();
            default -> false;
        };
    }

    private static void answered(Address address) {
        address.losses = 0;
        address.ejected = false;
    }

    private void eject(Address address) {
        address.ejection = address.ejection == 0 ? balancing.minEjection().toNanos() : Math.min(balancing.maxEjection().toNanos(), 2 * address.ejection);
        address.until = clock.getAsLong() + address.ejection;
        address.ejected = true;
        address.ejections++;
        address.probed = false;
        address.losses = 0;
        ejectedSince = true;
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the channels. */
    void close() {
        List<Address> opened;
        lock.lock();
        try {
            closed = true;
            opened = new ArrayList<>(all);
            opened.addAll(leaving);
        } finally {
            lock.unlock();
        }
        opened.forEach(Addresses::close);
    }

    private static void close(Address address) {
        synchronized (address) {
            if (address.channel != null) {
                address.channel.close();
            }
        }
    }
}
