package creo.jms;

import creo.runtime.Authenticator;
import creo.runtime.CreoException;
import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.RawMessages;
import creo.runtime.ServerInterceptor;
import creo.runtime.codegen.LogText;
import creo.runtime.spi.MessageServer;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Serves interfaces through a broker's queue ({@code spec/transports/jms.md}).
 *
 * <pre>{@code
 * JmsHost host = JmsHost.builder().broker(JmsBroker.at("127.0.0.1", 61616)).address("jms:queue:data").add(DataServiceEndpoint.of(service)).start();
 * }</pre>
 *
 * <p>Any number of hosts may serve one queue: each request goes to one of them. Each session of a host takes one request at a time, runs the method,
 * sends the answer and acknowledges in one transaction (JMS-11). The host keeps the program alive until it is closed. If its broker is gone, it
 * retries until that is back.
 */
public final class JmsHost implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("creo.jms");
    private static final long FIRST_PAUSE = 100;
    private static final long LONGEST_PAUSE = 5_000;
    private static final long GRACE = 5_000;
    private static final long STEP = 5;

    private final JmsBroker broker;
    private final JmsBroker.Connector connector;
    private final JmsAddress address;
    private final MessageServer server;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final JmsTurns turns;
    private final AtomicInteger started = new AtomicInteger();
    /** The session of each thread, if it has one. */
    private final Map<Thread, JmsHostSession> sessions = new ConcurrentHashMap<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch drain = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private Connection connection;

    private JmsHost(Builder builder) {
        broker = builder.broker;
        address = builder.address;
        connector = broker.forHost(builder.limits.connectTimeout());
        MessageServer.Builder services = MessageServer.builder(address.toString()).limits(builder.limits)
            .faults(JmsMessages.code("contentTypeMismatch"), JmsMessages.code("mismatchedSoapAction"));
        builder.endpoints.forEach(services::add);
        if (builder.authenticator != null) {
            services.authenticator(builder.authenticator);
        }
        builder.interceptors.forEach(services::interceptor);
        if (builder.rawMessages != null) {
            services.rawMessages(builder.rawMessages);
        }
        server = services.start();
        turns = new JmsTurns(builder.sessions);
    }

    public static Builder builder() {
        return new Builder();
    }

    private void start(int count) {
        try {
            connection(null);
        } catch (JMSException e) {
            server.close();
            throw JmsFailures.connecting(broker, e);
        }
        for (int i = 0; i < count; i++) {
            startThread();
        }
    }

    private synchronized void startThread() {
        if (isDraining()) {
            return;
        }
        Thread thread = new Thread(() -> {
            try {
                work();
            } finally {
                threads.remove(Thread.currentThread());
            }
        }, "creo-jms-" + address.name() + "-" + started.incrementAndGet());
        threads.add(thread);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            // The first thread whose stream ends takes the turn.
            threads.remove(thread);
            LOG.log(System.Logger.Level.WARNING, address + ": no thread to take requests beside a stream", e);
        }
    }

    /** A thread's call has a stream: another one takes requests in its place. */
    private void pass() {
        if (turns.give()) {
            startThread();
        }
    }

    /** The connection of all sessions: a new one to replace a broken one. */
    private synchronized Connection connection(Connection broken) throws JMSException {
        if (connection == null || connection == broken) {
            closeQuietly(connection);
            connection = null;
            Connection made = connector.connect();
            try {
                made.start();
            } catch (JMSException e) {
                closeQuietly(made);
                throw e;
            }
            connection = made;
        }
        return connection;
    }

    private static void closeQuietly(Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (JMSException e) {
                LOG.log(System.Logger.Level.DEBUG, "a connection did not end in order: {0}", LogText.of(e.getMessage()));
            }
        }
    }

    /** The life of a session: takes requests until the host is closed. */
    private void work() {
        Connection used = null;
        Connection broken = null;
        long pause = FIRST_PAUSE;
        while (!isDraining()) {
            try {
                used = connection(broken);
                try (JmsHostSession session = new JmsHostSession(used, address, server, this::pass)) {
                    sessions.put(Thread.currentThread(), session);
                    while (turns.take()) {
                        take(session);
                        pause = FIRST_PAUSE;
                    }
                    return;
                } finally {
                    sessions.remove(Thread.currentThread());
                }
            } catch (JMSException | RuntimeException | Error e) {
                LOG.log(isDraining() ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    address + " by " + broker + ": " + LogText.of(e.toString()) + "; trying again in " + pause + " ms", e instanceof JMSException ? null : LogText.of(e));
            } catch (InterruptedException e) {
                LOG.log(System.Logger.Level.DEBUG, "{0}: a call was interrupted", address);
            }
            try {
                if (drain.await(pause, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            // Other sessions may be serving on it.
            broken = used == null || isUsable(used) ? null : used;
        }
    }

    private static boolean isUsable(Connection connection) {
        try {
            connection.createSession(false, Session.AUTO_ACKNOWLEDGE).close();
            return true;
        } catch (JMSException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection has to be replaced: {0}", LogText.of(e.getMessage()));
            return false;
        }
    }

    /** Takes requests while this thread has its turn. */
    private void take(JmsHostSession session) throws JMSException, InterruptedException {
        try {
            do {
                session.next();
            } while (!session.hasPassed() && !isDraining());
        } finally {
            if (!session.hasPassed()) {
                turns.give();
            }
        }
    }

    private boolean isDraining() {
        return drain.getCount() == 0;
    }

    /**
     * The WSDL of an interface for this host's address (JMS-19), to be given to clients; it does not contain the broker's address. Null if no schema
     * can describe the interface, or if its code was generated without the wire soap.
     *
     * @param service the interface's name, with or without its package
     * @throws IllegalArgumentException if the host does not serve the interface
     */
    public String wsdl(String service) {
        return server.wsdl(service, address.toString());
    }

    /** Waits until the host has ended. */
    public void join() throws InterruptedException {
        ended.await();
    }

    /**
     * Drains and ends: takes no further requests, answers those in progress, and returns when that is done. After the drain time (LIM-13), remaining
     * requests are given up and go back to the queue.
     */
    @Override
    public void close() {
        boolean interrupted = false;
        if (!closing.compareAndSet(false, true)) {
            try {
                join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        synchronized (this) {
            drain.countDown();
        }
        turns.end();
        sessions.values().forEach(JmsHostSession::end);
        interrupted |= !await(GRACE, thread -> !isBusy(thread));
        interrupted |= !await(server.limits().drainTime().toMillis(), thread -> true);
        server.close();
        interrupted |= !await(GRACE, thread -> true);
        synchronized (this) {
            closeQuietly(connection);
            connection = null;
        }
        ended.countDown();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isBusy(Thread thread) {
        JmsHostSession session = sessions.get(thread);
        return session != null && session.isBusy();
    }

    /** Waits for the chosen threads of the sessions to end; false if this thread was interrupted. */
    private boolean await(long milliseconds, Predicate<Thread> waited) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        try {
            for (Thread thread : threads) {
                while (thread.isAlive() && waited.test(thread) && System.nanoTime() - until < 0) {
                    thread.join(STEP);
                }
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Configures a host. */
    public static final class Builder {
        private static final int SESSIONS = 4;

        private JmsBroker broker;
        private JmsAddress address;
        private final List<Endpoint> endpoints = new ArrayList<>();
        private Limits limits = Limits.DEFAULT;
        private Authenticator authenticator;
        private final List<ServerInterceptor> interceptors = new ArrayList<>();
        private RawMessages rawMessages;
        private int sessions = SESSIONS;

        private Builder() {}

        public Builder broker(JmsBroker broker) {
            this.broker = Objects.requireNonNull(broker, "broker");
            return this;
        }

        /**
         * The served queue, such as {@code jms:queue:data}; parameters for senders are accepted and ignored here.
         *
         * @throws CreoException {@code invalid-value} if it is invalid
         */
        public Builder address(String address) {
            JmsAddress parsed = JmsAddress.parse(address);
            if (parsed.isTopic()) {
                throw CreoException.ofRuntime(ErrorCode.INVALID_VALUE, "a host serves a queue, not the topic " + parsed, null);
            }
            this.address = parsed;
            return this;
        }

        /** Adds an interface. */
        public Builder add(Endpoint endpoint) {
            endpoints.add(Objects.requireNonNull(endpoint, "endpoint"));
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** Sets the authenticator. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = Objects.requireNonNull(authenticator, "authenticator");
            return this;
        }

        /** Adds an interceptor: it sees the beginning of a call after those added before, and the end before them. */
        public Builder interceptor(ServerInterceptor interceptor) {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /** Shows each message to this, such as a {@link creo.runtime.RawLog} (CALL-60 to CALL-68). */
        public Builder rawMessages(RawMessages hook) {
            rawMessages = Objects.requireNonNull(hook, "hook");
            return this;
        }

        /** The number of requests served at the same time; 4 by default. Calls with streams do not count (JMS-28). */
        public Builder sessions(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("a host has at least one session, not " + count);
            }
            sessions = count;
            return this;
        }

        /**
         * Starts serving.
         *
         * @throws CreoException {@code unavailable} or {@code unauthenticated} if the broker cannot be reached
         * @throws IllegalArgumentException if the requests of two methods cannot be distinguished (JMS-2)
         */
        public JmsHost start() {
            if (broker == null || address == null) {
                throw new IllegalStateException("a host needs a broker and an address");
            }
            JmsHost host = new JmsHost(this);
            host.start(sessions);
            return host;
        }
    }
}
