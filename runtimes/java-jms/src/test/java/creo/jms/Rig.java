package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.CallContext;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.Wire;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.example.notes.CounterEndpoint;
import org.example.notes.FeedEndpoint;
import org.example.notes.Full;
import org.example.notes.Notes;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;

/** A broker, a host of the test's services, and clients of them; all ends when it is closed. */
final class Rig implements AutoCloseable {
    static final String QUEUE = "notes";
    static final String ADDRESS = "jms:queue:" + QUEUE;
    /** For what must succeed: the machine may stand still for a while. A test whose subject is that a time is over sets that one. */
    static final Limits LIMITS = Limits.DEFAULT.withConnectTimeout(Duration.ofSeconds(60)).withDeadline(Duration.ofSeconds(240));
    static final ClientOptions OPTIONS = ClientOptions.DEFAULT.withLimits(LIMITS);
    /** The seconds after which something that must come is given up. */
    static final long PATIENCE = 240;

    /** What the service learned about a call. */
    record Seen(String text, String id, boolean redelivered, Map<String, String> metadata, String peer) {}

    /** The service. */
    static final class Service implements Notes {
        final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
        final List<Integer> slept = new CopyOnWriteArrayList<>();

        private void see(String text) {
            CallContext context = CallContext.current();
            seen.add(new Seen(text, context.id(), context.isRedelivered(), context.metadata(), context.peer()));
        }

        /** What it sees next. */
        Seen next() throws InterruptedException {
            Seen next = seen.poll(PATIENCE, TimeUnit.SECONDS);
            assertNotNull(next, "the service was not called");
            return next;
        }

        /** All that it sees up to this text. Of a call whose time is over it may see the interrupt only after that. */
        List<String> until(String text) throws InterruptedException {
            List<String> all = new ArrayList<>();
            while (!all.contains(text) || all.contains("sleep") && !all.contains("interrupted")) {
                all.add(next().text());
            }
            return all;
        }

        @Override
        public String say(String text) throws Full {
            see(text);
            switch (text) {
                case "full" -> throw new Full(7);
                case "secret" -> throw new IllegalStateException("a secret");
                case "denied" -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "not you");
                default -> {
                    return text + "!";
                }
            }
        }

        @Override
        public byte[] echo(byte[] bytes) {
            return bytes;
        }

        /** It does not sleep for a request that was delivered before. */
        @Override
        public int sleep(int milliseconds) {
            see("sleep");
            try {
                Thread.sleep(CallContext.current().isRedelivered() ? 0 : milliseconds);
            } catch (InterruptedException e) {
                see("interrupted");
                Thread.currentThread().interrupt();
            }
            slept.add(milliseconds);
            return milliseconds;
        }

        @Override
        public void nothing() {
            see("nothing");
        }

        @Override
        public void note(String text) {
            see(text);
        }
    }

    /** A free port that no other program gets: it is none of those that systems choose themselves, for a port 0 or for a connection. */
    static int freePort() throws IOException {
        while (true) {
            try (ServerSocket free = new ServerSocket(ThreadLocalRandom.current().nextInt(20_000, 32_000), 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // Somebody has it.
            }
        }
    }

    /** Two of them: for brokers that must know each other's port, or whose callers must know both. */
    static int[] freePorts() throws IOException {
        int one = freePort();
        int other = freePort();
        return one == other ? freePorts() : new int[] {one, other};
    }

    final EmbeddedBroker broker;
    final Service service = new Service();
    final Source feed = new Source();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    Rig() {
        this(EmbeddedBroker.builder());
    }

    Rig(EmbeddedBroker.Builder builder) {
        broker = builder.start();
        open.push(broker);
    }

    <T extends AutoCloseable> T keep(T it) {
        open.push(it);
        return it;
    }

    JmsBroker way() {
        return JmsBroker.at("127.0.0.1", broker.port());
    }

    JmsHost.Builder hosting() {
        return JmsHost.builder().broker(way()).address(ADDRESS).limits(LIMITS).add(NotesEndpoint.of(service)).add(CounterEndpoint.of((a, b) -> a + b))
            .add(FeedEndpoint.of(feed));
    }

    JmsHost host() {
        return keep(hosting().start());
    }

    JmsHost host(Limits limits) {
        return keep(hosting().limits(limits).start());
    }

    JmsChannel channel(String parameters, Wire wire, ClientOptions options) {
        return keep(JmsChannel.of(way(), ADDRESS + parameters, wire, options));
    }

    /** Makes a call of {@code sleep} that has a time. */
    interface Brief {
        void call(int seconds) throws Exception;
    }

    /**
     * Makes calls whose time is over before the service returns, each with more of it, until the service begins with one: how long that takes, the machine
     * decides. The host has one session.
     */
    void checkTimeIsOver(NotesClient other, Brief brief) throws Exception {
        boolean begun = false;
        for (int seconds = 1; !begun && seconds < PATIENCE; seconds *= 2) {
            brief.call(seconds);
            assertEquals("after!", other.say("after"));
            begun = service.until("after").contains("sleep");
        }
        assertTrue(begun, "the service was not called");
    }

    /** Calls again while no broker serves. */
    static String say(NotesClient client, String text) throws Exception {
        while (true) {
            try {
                return client.say(text);
            } catch (CreoException e) {
                assertEquals(ErrorCode.UNAVAILABLE, e.code(), e.getMessage());
                Thread.sleep(50);
            }
        }
    }

    NotesClient client(Wire wire) {
        return new NotesClient(channel("", wire, OPTIONS));
    }

    /** A connection of the test's own, for messages made by hand. */
    Connection connection() throws JMSException {
        Connection connection = keep(way().forClient(LIMITS.connectTimeout()).connect());
        connection.start();
        return connection;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                throw new AssertionError("something did not end in order", e);
            }
        }
    }
}
