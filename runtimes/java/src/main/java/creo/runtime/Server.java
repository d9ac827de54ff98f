package creo.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;

/**
 * Serves interfaces on a port.
 *
 * <pre>{@code
 * Server server = Server.builder().bind("127.0.0.1", 4711).add(DataServiceEndpoint.of(new MyDataService())).start();
 * }</pre>
 *
 * <p>The program lives on until the server is closed.
 */
public final class Server implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final TcpListener listener;
    private final Host host;
    private final Limits limits;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Server(TcpListener listener, Host host, Limits limits) {
        this.listener = listener;
        this.host = host;
        this.limits = limits;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The port that it listens on: the one that was free if it was bound to port 0. */
    public int port() {
        return listener.port();
    }

    /** The address that it listens on. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** Waits until the server has ended. */
    public void join() throws InterruptedException {
        ended.await();
    }

    /**
     * Drains and ends: takes no further connection or call, answers the calls under way, and returns when that is done, at the latest
     * after the drain time (LIM-13).
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            listener.drain();
            long until = System.nanoTime() + limits.drainTime().toNanos();
            boolean interrupted = false;
            while (!listener.isIdle() && System.nanoTime() - until < 0 && !interrupted) {
                try {
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            listener.abort();
            host.shutdown();
            ended.countDown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a server is made of. */
    public static final class Builder {
        private InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
        private final List<Endpoint> endpoints = new ArrayList<>();
        private Limits limits = Limits.DEFAULT;
        private SSLContext tls;
        private Authenticator authenticator;
        private boolean compression;

        private Builder() {}

        /** Where it listens; port 0 stands for any free one. The default is a free port that only this machine reaches. */
        public Builder bind(String host, int port) {
            address = new InetSocketAddress(host, port);
            return this;
        }

        /** One more interface. All are served on the same port. */
        public Builder add(Endpoint endpoint) {
            endpoints.add(Objects.requireNonNull(endpoint, "endpoint"));
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** TLS, with the certificate of the context. */
        public Builder tls(SSLContext context) {
            tls = Objects.requireNonNull(context, "context");
            return this;
        }

        /** Who finds out who calls. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = Objects.requireNonNull(authenticator, "authenticator");
            return this;
        }

        /** Compresses answers of 1,024 bytes and more, where the client reads it. */
        public Builder compression() {
            compression = true;
            return this;
        }

        /**
         * Starts to serve.
         *
         * @throws UncheckedIOException when the address cannot be had
         */
        public Server start() {
            if (address.isUnresolved()) {
                throw new UncheckedIOException(new IOException("no address for the host " + address.getHostString()));
            }
            ExecutorService threads = Threads.executor("creo-server");
            try {
                Host host = new Host(endpoints, limits, threads, authenticator);
                TcpListener listener = new TcpListener(host, address, tls, compression);
                Server server = new Server(listener, host, limits);
                listener.start();
                LOG.log(System.Logger.Level.DEBUG, "serving on {0}", listener.address());
                return server;
            } catch (IOException e) {
                threads.shutdown();
                throw new UncheckedIOException(e);
            } catch (RuntimeException e) {
                threads.shutdown();
                throw e;
            }
        }
    }
}
