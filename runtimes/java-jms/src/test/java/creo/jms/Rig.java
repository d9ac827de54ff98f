package creo.jms;

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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
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

        @Override
        public int sleep(int milliseconds) {
            see("sleep");
            try {
                Thread.sleep(milliseconds);
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

    /** Two unused ports: for brokers that must know each other's port, or whose callers must know both. */
    static int[] freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()); ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new int[] {one.getLocalPort(), other.getLocalPort()};
        }
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
        return JmsHost.builder().broker(way()).address(ADDRESS).add(NotesEndpoint.of(service)).add(CounterEndpoint.of((a, b) -> a + b))
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

    NotesClient client(Wire wire) {
        return new NotesClient(channel("", wire, ClientOptions.DEFAULT));
    }

    /** A connection of the test's own, for messages made by hand. */
    Connection connection() throws JMSException {
        Connection connection = keep(way().forClient(Limits.DEFAULT.connectTimeout()).connect());
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
