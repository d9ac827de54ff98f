package creo.runtime.internal.http;

import creo.runtime.ClientOptions;
import creo.runtime.Limits;
import creo.runtime.internal.call.ClientAccess;
import creo.runtime.internal.net.TcpConnector;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Chooses the proxy of a service: that of the options, or that of the JVM's {@link ProxySelector} (HTTP-21). */
public final class HttpProxy extends TcpConnector.Proxy {
    private final URI uri;
    private final InetSocketAddress given;
    private final String authorization;
    private final Limits limits;

    public HttpProxy(URI uri, ClientOptions options) {
        this.uri = uri;
        this.given = options.proxy();
        this.authorization = ClientAccess.proxyAuthorization(options);
        this.limits = options.limits();
    }

    /** A connection through a proxy that failed. */
    static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient InetSocketAddress proxy;

        Failure(InetSocketAddress proxy, IOException cause) {
            super(cause.getMessage(), cause);
            this.proxy = proxy;
        }

        InetSocketAddress proxy() {
            return proxy;
        }
    }

    /** A proxy that refused to open a tunnel. */
    static final class Refusal extends IOException {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refusal(int status) {
            super("the proxy answers CONNECT by the status " + status);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    @Override
    public InetSocketAddress choose() throws IOException {
        ProxySelector selector = given != null ? null : ProxySelector.getDefault();
        if (selector == null) {
            return given;
        }
        try {
            List<Proxy> proxies = selector.select(uri);
            boolean http = proxies != null && !proxies.isEmpty() && proxies.get(0).type() == Proxy.Type.HTTP;
            return http ? (InetSocketAddress) proxies.get(0).address() : null;
        } catch (RuntimeException e) {
            throw new IOException("the ProxySelector failed: " + e.getMessage(), e);
        }
    }

    @Override
    public IOException failure(InetSocketAddress proxy, IOException cause) {
        return new Failure(proxy, cause);
    }

    /** The fields of a request for the proxy itself. */
    String fields() {
        return authorization == null ? "" : "Proxy-Authorization: " + authorization + "\r\n";
    }

    @Override
    public void tunnel(Socket socket, String address) throws IOException {
        String request = "CONNECT " + address + " HTTP/1.1\r\nHost: " + address + "\r\n" + HttpRequest.USER_AGENT + fields() + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        HttpResponseParser parser = new HttpResponseParser(limits.maxHeaderSize(), HttpFields.MAX);
        parser.begin("CONNECT");
        // Read byte by byte, because the bytes after the head belong to TLS.
        byte[] b = new byte[limits.maxHeaderSize()];
        int from = 0;
        int to = 0;
        try {
            while (parser.next(b, from, to) != HttpResponseParser.Status.HEAD) {
                from = parser.position();
                if (from == to) {
                    from = 0;
                    to = 0;
                }
                int c = socket.getInputStream().read();
                if (c < 0) {
                    throw new EOFException("the proxy closed the connection");
                }
                b[to++] = (byte) c;
            }
        } catch (HttpFault e) {
            throw new IOException("the proxy does not speak HTTP: " + e.getMessage(), e);
        }
        if (parser.head().status() >= 300) {
            throw new Refusal(parser.head().status());
        }
    }
}
