package creo.runtime.internal.call;

import static creo.runtime.internal.call.RetryingChannelTest.call;
import static creo.runtime.internal.call.ScriptedChannel.BOOK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import creo.runtime.BalancedChannel;
import creo.runtime.Balancing;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Hosts at addresses, which answer as a test says, and a clock that it sets. */
abstract class AddressRig {
    static final Balancing DEFAULT = Balancing.DEFAULT;

    /** What happens at an address: null is an answer. */
    interface Host {
        Object call() throws Exception;
    }

    final AtomicLong now = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(3));
    final Map<String, Host> hosts = new ConcurrentHashMap<>();
    final Map<String, ScriptedChannel> opened = new ConcurrentHashMap<>();
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    final List<String> openings = Collections.synchronizedList(new ArrayList<>());

    void pass(double seconds) {
        now.addAndGet((long) (seconds * 1_000_000_000));
    }

    Channel open(String address) {
        openings.add(address);
        ScriptedChannel channel = new ScriptedChannel((number, options) -> {
            calls.add(address);
            Object end = hosts.getOrDefault(address, () -> null).call();
            return end == null ? Integer.valueOf(1) : end;
        });
        opened.put(address, channel);
        return channel;
    }

    Channel over(Balancing balancing, String... addresses) {
        return new BalancingChannel(List.of(addresses), null, this::open, balancing, now::get);
    }

    Channel over(BalancedChannel.Resolver resolver) {
        return new BalancingChannel(List.of(), resolver, this::open, DEFAULT, now::get);
    }

    void fail(String address, Exception e) {
        hosts.put(address, () -> {
            throw e;
        });
    }

    /** The addresses of calls since the last question. */
    List<String> calls() {
        List<String> all = List.copyOf(calls);
        calls.clear();
        return all;
    }

    List<String> answered(Channel channel, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            channel.call(BOOK, 1, CallOptions.NONE);
        }
        return calls();
    }

    /** Calls until one goes to the address, which a resolver has given meanwhile. */
    void awaitCallAt(Channel channel, String address) throws Exception {
        while (!calls.contains(address)) {
            try {
                channel.call(BOOK, 1, CallOptions.NONE);
            } catch (CreoException e) {
                assertEquals(ErrorCode.UNAVAILABLE, e.code());
            }
            Thread.sleep(1);
        }
        calls();
    }
}
