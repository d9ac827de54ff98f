package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/** A port that accepts connections, and the protocols offered on it. */
public final class ServerPort {
    /**
     * What a port offers.
     *
     * @param creo the binary wire and tables, over TCP
     * @param http the text wires over HTTP; null for none
     * @param tls null for a port without TLS
     * @param plain whether connections without TLS are accepted as well
     * @param compression whether TCP answers are compressed for clients that can read that
     */
    public record Offer(boolean creo, HttpService http, ServerTls tls, boolean plain, boolean compression) {}

    /** The max number of connections beyond an address's limit that are told of it at once. */
    private static final int MAX_REFUSALS = 64;
    private static final int BACKLOG = 1_024;
    private static final long REFUSAL_LOG_INTERVAL = 1_000_000_000L;
    private static final long MIN_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 1_000;
    /** In seconds: when the kernel first probes a silent peer, and how often; then the number of probes. */
    private static final Map<String, Integer> KEEP_ALIVE = Map.of("TCP_KEEPIDLE", 60, "TCP_KEEPINTERVAL", 15, "TCP_KEEPCOUNT", 4);
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final Host host;
    private final List<EventLoop> loops;
    private final Offer offer;
    private final ServerSocketChannel channel;
    private final Set<ServerConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<ServerConnection> refused = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile Thread accepting;
    private int nextLoop;
    private long refusals;
    private long refusalLoggedAt = System.nanoTime() - REFUSAL_LOG_INTERVAL;

    public ServerPort(Host host, List<EventLoop> loops, InetSocketAddress address, Offer offer) throws IOException {
        this.host = host;
        this.loops = loops;
        this.offer = offer;
        this.channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, BACKLOG);
        } catch (IOException e) {
            channel.close();
            throw new IOException(address + ": " + e.getMessage(), e);
        }
    }

    /** Starts accepting connections. Its thread keeps the program alive. */
    public void start() {
        Thread thread = new Thread(this::accept, "creo-accept-" + port());
        thread.setDaemon(false);
        accepting = thread;
        thread.start();
    }

    /** Waits after {@link #drain} until the address is free: a thread that is about to accept keeps it. */
    public void awaitEnd() throws InterruptedException {
        Thread thread = accepting;
        if (thread != null) {
            thread.join(MAX_PAUSE_MILLIS);
        }
    }

    public int port() {
        return address().getPort();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    Host host() {
        return host;
    }

    public Offer offer() {
        return offer;
    }

    private void accept() {
        long pause = 0;
        while (!closed) {
            try {
                open(channel.accept());
                pause = 0;
            } catch (IOException | RuntimeException | Error e) {
                pause = failed(e, pause);
            }
        }
    }

    /** Usually, files, threads or memory have run out. Idle connections are closed, and the port is served again after a pause. */
    private long failed(Throwable e, long paused) {
        if (closed) {
            return 0;
        }
        try {
            if (paused == 0) {
                LOG.log(System.Logger.Level.WARNING, "a connection could not be accepted; idle ones are closed until one can be: " + CreoException.shown(String.valueOf(e)));
            }
            loops.forEach(loop -> loop.execute(() -> HostConnections.closeIdle(loop)));
        } catch (RuntimeException | Error again) {
            // No memory to log this.
        }
        long pause = Math.min(MAX_PAUSE_MILLIS, Math.max(MIN_PAUSE_MILLIS, 2 * paused));
        try {
            Thread.sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return pause;
    }

    private void open(SocketChannel accepted) throws IOException {
        Limits limits = host.limits();
        EventLoop loop = loops.get(nextLoop = (nextLoop + 1) % loops.size());
        boolean opened = false;
        try {
            ServerConnection connection = new ServerConnection(this, loop, accepted);
            boolean welcome = connections.size() < limits.maxConnections() && host.connections().count(connection.address);
            if (!welcome) {
                boolean isFull = connections.size() >= limits.maxConnections();
                logRefusal(connection, isFull ? "maxConnections is " + limits.maxConnections() : "maxConnectionsPerAddress is " + limits.maxConnectionsPerAddress());
                if (isFull || refused.size() >= MAX_REFUSALS) {
                    return;
                }
            }
            (welcome ? connections : refused).add(connection);
            loop.execute(() -> {
                connection.open(new Greeting(connection, welcome));
                if (closed) {
                    // It may have come too late to be drained with the others.
                    connection.drain();
                }
            });
            opened = true;
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.TRACE, "the server has ended", e);
        } finally {
            if (!opened) {
                accepted.close();
            }
        }
    }

    /** Logs a refused connection, but not each one when there are many. */
    private void logRefusal(ServerConnection connection, String limit) {
        refusals++;
        long now = System.nanoTime();
        if (now - refusalLoggedAt >= REFUSAL_LOG_INTERVAL) {
            LOG.log(System.Logger.Level.WARNING, "connection of {0} refused: {1}; refused so far: {2}", connection.peer(), limit, refusals);
            refusalLoggedAt = now;
        }
    }

    /** Lets the kernel detect a vanished peer. */
    void keepAlive(SocketChannel accepted) throws IOException {
        accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (SocketOption<?> option : accepted.supportedOptions()) {
            Integer value = KEEP_ALIVE.get(option.name());
            if (value != null && option.type() == Integer.class) {
                @SuppressWarnings("unchecked")
                SocketOption<Integer> known = (SocketOption<Integer>) option;
                accepted.setOption(known, value);
            }
        }
    }

    void forget(ServerConnection connection) {
        if (connections.remove(connection)) {
            host.connections().discount(connection.address);
        }
        refused.remove(connection);
    }

    public boolean isIdle() {
        return connections.isEmpty();
    }

    /** Accepts no more connections and asks all open ones to end. */
    public void drain() {
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing the port", e);
        }
        for (Set<ServerConnection> each : List.of(connections, refused)) {
            each.forEach(connection -> connection.loop.execute(connection::drain));
        }
    }

    public void abort() {
        connections.forEach(ServerConnection::close);
        refused.forEach(ServerConnection::close);
    }
}
