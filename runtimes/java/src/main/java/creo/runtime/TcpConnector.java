package creo.runtime;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Opens connections to one address: name lookup, TCP and TLS, all within the caller's deadline (ERR-9). */
final class TcpConnector {
    private final String host;
    private final int port;
    private final ClientOptions options;
    private final ExecutorService threads;
    private final String address;
    /** What is being opened. */
    private final Set<CompletableFuture<TcpLink>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    TcpConnector(String host, int port, ClientOptions options, ExecutorService threads) {
        this.host = host;
        this.port = port;
        this.options = options;
        this.threads = threads;
        this.address = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** The address as it was given, for messages. */
    String address() {
        return address;
    }

    /** Opens a connection; the caller waits no longer than its deadline and LIM-11, even for a name server that does not answer. */
    TcpLink connect(long deadline) {
        long timeout = options.limits().connectTimeout().toNanos();
        long left = deadline - System.nanoTime();
        boolean callFirst = left < timeout;
        long wait = Math.min(left, timeout);
        if (wait <= 0) {
            throw TcpAnswer.deadlineExceeded(address);
        }
        AtomicReference<Socket> opened = new AtomicReference<>();
        CompletableFuture<TcpLink> result = new CompletableFuture<>();
        boolean taken = false;
        underWay.add(result);
        try {
            start(wait, opened, result);
            TcpLink link = result.get(wait, TimeUnit.NANOSECONDS);
            taken = true;
            return link;
        } catch (TimeoutException e) {
            throw callFirst ? TcpAnswer.deadlineExceeded(address) : unavailable("timed out after " + options.limits().connectTimeout().toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted while it connected to " + address, e);
        } catch (ExecutionException | CancellationException e) {
            throw failure(e.getCause());
        } finally {
            underWay.remove(result);
            if (!taken) {
                // Whoever opens it finds out, or has just been too late.
                result.cancel(false);
                abort(opened.get());
            }
        }
    }

    private void start(long wait, AtomicReference<Socket> opened, CompletableFuture<TcpLink> result) {
        if (closed) {
            throw closedError(null);
        }
        try {
            threads.execute(() -> {
                try {
                    TcpLink link = open(wait, opened, result);
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

    /** Opens no more, and ends what is being opened. */
    void close() {
        closed = true;
        underWay.forEach(result -> result.completeExceptionally(closedError(null)));
    }

    /** The error of a call to a client that was closed. */
    CreoException closedError(Throwable cause) {
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the client of " + address + " is closed", cause);
    }

    private TcpLink open(long wait, AtomicReference<Socket> opened, CompletableFuture<TcpLink> result) throws IOException {
        long until = System.nanoTime() + wait;
        IOException first = null;
        for (InetAddress candidate : InetAddress.getAllByName(host)) {
            Socket socket = new Socket();
            try {
                opened.set(socket);
                if (result.isDone()) {
                    throw new IOException("nobody waits any more");
                }
                socket.setTcpNoDelay(true);
                long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()));
                socket.connect(new InetSocketAddress(candidate, port), (int) Math.min(left, Integer.MAX_VALUE));
                return new SocketLink(socket, options.tls() == null ? socket : secure(socket));
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
        SSLSocket secure = (SSLSocket) options.tls().getSocketFactory().createSocket(socket, host, port, true);
        secure.setUseClientMode(true);
        secure.setEnabledProtocols(TcpLink.TLS_VERSIONS);
        SSLParameters parameters = secure.getSSLParameters();
        // "HTTPS" is the JDK's name for the check of the host name against the certificate.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }

    private CreoException failure(Throwable e) {
        if (e instanceof CreoException c) {
            return c.again();
        }
        if (e instanceof UnknownHostException) {
            return unavailable("no address is known for this host", e);
        }
        if (e instanceof SocketTimeoutException) {
            return unavailable("timed out", e);
        }
        if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
            return unavailable("refused: " + e.getMessage(), e);
        }
        if (isUntrusted(e)) {
            return CreoException.ofRuntime(ErrorCode.UNTRUSTED_PEER, "no connection to " + address + ": the certificate is not accepted: " + e.getMessage(), e);
        }
        if (e instanceof SSLException || e instanceof EOFException) {
            return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "no TLS with " + address + ": " + CreoException.shown(String.valueOf(e.getMessage()))
                + "; perhaps the port speaks plain TCP", e);
        }
        return unavailable(String.valueOf(e.getMessage()), e);
    }

    /** Whether a handshake failed since this side does not accept the other's certificate, or not for its name. */
    static boolean isUntrusted(Throwable e) {
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
            // It is of no more use in any case.
        }
    }
}
