package creo.runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A port that speaks the binary wire over TCP or TLS. */
final class TcpListener {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int BACKLOG = 1_024;
    static final String[] TLS_VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final Host host;
    private final ServerSocket socket;
    private final SSLContext tls;
    private final boolean compression;
    private final Set<TcpServerConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    TcpListener(Host host, InetSocketAddress address, SSLContext tls, boolean compression) throws IOException {
        this.host = host;
        this.tls = tls;
        this.compression = compression;
        this.socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw new IOException(address + ": " + e.getMessage(), e);
        }
    }

    /** Accepts connections from now on. Its thread keeps the program alive. */
    void start() {
        Thread thread = new Thread(this::accept, "creo-accept-" + port());
        thread.setDaemon(false);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    Host host() {
        return host;
    }

    boolean compression() {
        return compression;
    }

    private void accept() {
        while (!closed) {
            try {
                open(socket.accept());
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
            }
        }
    }

    /** Files, threads or memory ran out, as a rule: others may give some back, and the port is served again. */
    private void failed(Throwable e) {
        if (closed) {
            return;
        }
        try {
            LOG.log(System.Logger.Level.WARNING, "a connection could not be accepted", e);
        } catch (RuntimeException | Error again) {
            // There is no memory to say so.
        }
        pause();
    }

    private void open(Socket raw) throws IOException {
        if (connections.size() >= host.limits().maxConnections()) {
            LOG.log(System.Logger.Level.WARNING, "connection of {0} closed: maxConnections is {1}", raw.getRemoteSocketAddress(), host.limits().maxConnections());
            raw.close();
            return;
        }
        TcpServerConnection connection = new TcpServerConnection(this, raw);
        boolean started = false;
        try {
            connections.add(connection);
            Monitor.shared().add(connection);
            host.readers().execute(connection::run);
            started = true;
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.TRACE, "the server has ended", e);
        } finally {
            if (!started) {
                connection.abort();
                forget(connection);
            }
        }
        if (closed) {
            // It may have come too late to be drained with the others.
            connection.drain();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The socket through which the bytes of a connection go. */
    Socket secure(Socket raw) throws IOException {
        if (tls == null) {
            return raw;
        }
        SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(raw, raw.getInetAddress().getHostAddress(), raw.getPort(), true);
        secure.setUseClientMode(false);
        secure.setEnabledProtocols(TLS_VERSIONS);
        secure.startHandshake();
        return secure;
    }

    void forget(TcpServerConnection connection) {
        connections.remove(connection);
        Monitor.shared().remove(connection);
    }

    boolean isIdle() {
        return connections.isEmpty();
    }

    /** Accepts no more, and asks all connections to end. */
    void drain() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing the port", e);
        }
        connections.forEach(TcpServerConnection::drain);
    }

    void abort() {
        connections.forEach(TcpServerConnection::abort);
    }
}
