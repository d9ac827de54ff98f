package creo.runtime.internal.net;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.Failures;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Opens connections to one address: name lookup, TCP and TLS, all within the caller's deadline (ERR-9). */
public final class TcpConnector {
    /** The proxy for connections. */
    public abstract static class Proxy {
        /** The proxy for the next connection, unresolved; null for none. */
        public abstract InetSocketAddress choose() throws IOException;

        /** Asks the proxy for a connection to the address. */
        public abstract void tunnel(Socket socket, String address) throws IOException;

        /** The failure of a connection through the proxy. */
        public abstract IOException failure(InetSocketAddress proxy, IOException cause);
    }

    private final String host;
    private final int port;
    /** Null for plain TCP. */
    private final SSLContext tls;
    private final Limits limits;
    private final ExecutorService threads;
    private final Proxy proxy;
    private final String address;
    /** The attempts in progress. */
    private final Set<CompletableFuture<SocketLink>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Connects without a proxy. */
    public TcpConnector(String host, int port, SSLContext tls, Limits limits, ExecutorService threads) {
        this(host, port, tls, limits, threads, null);
    }

    /**
     * @param tls null for plain TCP
     * @param proxy chooses the proxy; null for the binary wire, which has none. It makes {@link SocketLink#isQuiet} available to connections.
     */
    public TcpConnector(String host, int port, SSLContext tls, Limits limits, ExecutorService threads, Proxy proxy) {
        this.host = host;
        this.port = port;
        this.tls = tls;
        this.limits = limits;
        this.threads = threads;
        this.proxy = proxy;
        this.address = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** The address as specified, for messages. */
    public String address() {
        return address;
    }

    /** Opens a connection; the caller waits no longer than its deadline and LIM-11, even if a name server does not answer. */
    public TcpLink connect(long deadline) {
        try {
            return open(deadline);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /**
     * The same, for callers that map failures themselves.
     *
     * @throws IOException when there is no connection
     * @throws CreoException if the deadline has passed, the caller was interrupted, or this connector was closed
     */
    public SocketLink open(long deadline) throws IOException {
        long timeout = limits.connectTimeout().toNanos();
        long left = deadline - System.nanoTime();
        boolean callFirst = left < timeout;
        long wait = Math.min(left, timeout);
        if (wait <= 0) {
            throw Deadlines.exceeded(address);
        }
        AtomicReference<Socket> opened = new AtomicReference<>();
        CompletableFuture<SocketLink> result = new CompletableFuture<>();
        boolean taken = false;
        underWay.add(result);
        try {
            start(wait, opened, result);
            SocketLink link = result.get(wait, TimeUnit.NANOSECONDS);
            taken = true;
            return link;
        } catch (TimeoutException e) {
            if (callFirst) {
                throw Deadlines.exceeded(address);
            }
            throw new SocketTimeoutException("timed out after " + limits.connectTimeout().toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted while it connected to " + address, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CreoException c) {
                throw Failures.again(c);
            }
            throw e.getCause() instanceof IOException io ? io : new IOException(String.valueOf(e.getCause().getMessage()), e.getCause());
        } finally {
            underWay.remove(result);
            if (!taken) {
                // The opening thread notices this, or has just finished.
                result.cancel(false);
                abort(opened.get());
            }
        }
    }

    private void start(long wait, AtomicReference<Socket> opened, CompletableFuture<SocketLink> result) {
        if (closed) {
            throw closedError(null);
        }
        try {
            threads.execute(() -> {
                try {
                    SocketLink link = dial(wait, opened, result);
                    if (!result.complete(link)) {
                        link.abort();
                    }
                } catch (IOException | RuntimeException | Error e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            throw closedError(e);
        }
    }

    /** Opens no more connections, and ends attempts in progress. */
    public void close() {
        closed = true;
        underWay.forEach(result -> result.completeExceptionally(closedError(null)));
    }

    /** The error for a call on a closed client. */
    public CreoException closedError(Throwable cause) {
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the client of " + address + " is closed", cause);
    }

    private SocketLink dial(long wait, AtomicReference<Socket> opened, CompletableFuture<SocketLink> result) throws IOException {
        long until = System.nanoTime() + wait;
        InetSocketAddress via = proxy == null ? null : proxy.choose();
        try {
            return dial(until, via, opened, result);
        } catch (IOException e) {
            throw via == null ? e : proxy.failure(via, e);
        }
    }

    /** @param via the proxy, or null */
    private SocketLink dial(long until, InetSocketAddress via, AtomicReference<Socket> opened, CompletableFuture<SocketLink> result) throws IOException {
        IOException first = null;
        for (InetAddress candidate : InetAddress.getAllByName(via == null ? host : via.getHostString())) {
            Socket socket = proxy == null ? new Socket() : SocketChannel.open().socket();
            try {
                opened.set(socket);
                if (result.isDone()) {
                    throw new IOException("nobody waits any more");
                }
                socket.setTcpNoDelay(true);
                long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()));
                socket.connect(new InetSocketAddress(candidate, via == null ? port : via.getPort()), (int) Math.min(left, Integer.MAX_VALUE));
                if (tls == null) {
                    return new SocketLink(socket, socket, via != null);
                }
                if (via != null) {
                    proxy.tunnel(socket, address);
                }
                return new SocketLink(socket, secure(socket), via != null);
            } catch (IOException e) {
                abort(socket);
                first = first == null ? e : first;
                if (System.nanoTime() - until >= 0) {
                    break;
                }
            }
        }
        throw first;
    }

    private SSLSocket secure(Socket socket) throws IOException {
        SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, host, port, true);
        secure.setUseClientMode(true);
        secure.setEnabledProtocols(TcpLink.TLS_VERSIONS);
        SSLParameters parameters = secure.getSSLParameters();
        // "HTTPS" is the JDK's name for checking the host name against the certificate.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }

    private CreoException failure(IOException e) {
        if (e instanceof UnknownHostException) {
            return unavailable("no address is known for this host", e);
        }
        if (e instanceof SocketTimeoutException) {
            return unavailable(e.getMessage(), e);
        }
        if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
            return unavailable("refused: " + e.getMessage(), e);
        }
        if (isUntrusted(e)) {
            return CreoException.ofRuntime(ErrorCode.UNTRUSTED_PEER, "no connection to " + address + ": the certificate is not accepted: " + e.getMessage(), e);
        }
        if (e instanceof SSLException && String.valueOf(e.getMessage()).contains("Received fatal alert: ")) {
            return unavailable("TLS: " + CreoException.shown(e.getMessage()), e);
        }
        if (e instanceof SSLException || e instanceof EOFException) {
            return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "no TLS with " + address + ": " + CreoException.shown(String.valueOf(e.getMessage()))
                + "; perhaps the port speaks plain TCP", e);
        }
        return unavailable(String.valueOf(e.getMessage()), e);
    }

    /** Whether a handshake failed because this side does not trust the peer's certificate, or it is for another name. */
    public static boolean isUntrusted(Throwable e) {
        if (e instanceof SSLHandshakeException) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
                    return true;
                }
            }
        }
        return false;
    }

    private CreoException unavailable(String what, Throwable e) {
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "no connection to " + address + ": " + what, e);
    }

    private static void abort(Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // It is useless in any case.
        }
    }
}
