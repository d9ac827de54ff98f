package creo.runtime;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Serves the text wires over HTTP ({@code spec/transports/http.md}), by the HTTP server of the JDK. */
final class HttpListener implements Monitor.Watched {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int MOST_HEADERS = 200;
    private static final int BACKLOG = 1_024;
    private static final long SELDOM = 100_000_000L;
    /** A oneway method that is not done by then is acknowledged before it is. */
    private static final long MOMENT = 2_000_000L;

    static {
        // Read by the JDK's server when its classes are loaded. Without the first, an answer waits for the acknowledgement of the one before.
        property("sun.net.httpserver.nodelay", "true");
        property("sun.net.httpserver.maxReqTime", "120");
        property("sun.net.httpserver.maxReqHeaders", "200");
        property("sun.net.httpserver.maxReqHeaderSize", "131072");
        property("sun.net.httpserver.maxIdleConnections", "10000");
        property("jdk.httpserver.maxConnections", "10000");
    }

    private static void property(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    /** An exchange whose request is being read. */
    private record Reading(HttpExchange exchange, long until) {}

    private final Host host;
    private final Limits limits;
    private final HttpServer server;
    private final String scheme;
    private final Map<String, ServicePlace> places = new TreeMap<>();
    private final Set<Reading> readings = ConcurrentHashMap.newKeySet();
    private final Set<HttpServerCall<?, ?>> calls = ConcurrentHashMap.newKeySet();
    private final Set<HttpExchange> exchanges = ConcurrentHashMap.newKeySet();
    private final HttpDecoder decoder;
    private volatile boolean draining;

    HttpListener(Host host, InetSocketAddress address, SSLContext tls, Map<String, List<Endpoint>> endpoints) throws IOException {
        this.host = host;
        this.limits = host.limits();
        this.decoder = new HttpDecoder(this);
        this.scheme = tls == null ? "http" : "https";
        endpoints.forEach((path, all) -> {
            ServicePlace place = new ServicePlace(path);
            all.forEach(endpoint -> place.add(endpoint, host));
            places.put(path, place);
        });
        try {
            server = tls == null ? HttpServer.create(address, BACKLOG) : secure(HttpsServer.create(address, BACKLOG), tls);
        } catch (IOException e) {
            throw new IOException(address + ": " + e.getMessage(), e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(task -> {
            try {
                host.readers().execute(task);
            } catch (RejectedExecutionException e) {
                LOG.log(System.Logger.Level.TRACE, "the server has ended", e);
            }
        });
    }

    private static HttpsServer secure(HttpsServer server, SSLContext tls) {
        server.setHttpsConfigurator(new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters with = tls.getDefaultSSLParameters();
                with.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
                parameters.setSSLParameters(with);
            }
        });
        return server;
    }

    void start() {
        Monitor.shared().add(this);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    Limits limits() {
        return limits;
    }

    /** From now on, calls are refused. */
    void drain() {
        draining = true;
    }

    boolean isIdle() {
        return exchanges.isEmpty();
    }

    void abort() {
        server.stop(0);
        Monitor.shared().remove(this);
        calls.forEach(HttpServerCall::giveUp);
    }

    static String peer(HttpExchange exchange) {
        InetSocketAddress address = exchange.getRemoteAddress();
        return address == null ? "unknown" : address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    @Override
    public long look(long now) {
        long next = now + SELDOM;
        for (Reading reading : readings) {
            if (now - reading.until() >= 0) {
                readings.remove(reading);
                LOG.log(System.Logger.Level.INFO, "connection of {0}: a request that did not arrive in time", peer(reading.exchange()));
                host.run(() -> close(reading.exchange()));
            } else if (reading.until() - next < 0) {
                next = reading.until();
            }
        }
        for (HttpServerCall<?, ?> call : calls) {
            long deadline = call.deadlineOr(next);
            if (call.method().isOneway() && !call.isAnswered()) {
                host.run(call::acknowledge);
            }
            if (call.isPast(now)) {
                if (call.giveUp()) {
                    host.run(() -> call.answerError(CreoException.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call is over")));
                } else {
                    calls.remove(call);
                }
            } else if (deadline - next < 0) {
                next = deadline;
            }
        }
        return next;
    }

    void forget(HttpServerCall<?, ?> call) {
        calls.remove(call);
    }

    private void handle(HttpExchange exchange) {
        exchanges.add(exchange);
        try {
            route(exchange);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "connection of {0}: {1}", peer(exchange), e.getMessage());
            close(exchange);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "connection of " + peer(exchange) + " failed", e);
            close(exchange);
        }
    }

    private void route(HttpExchange exchange) throws IOException {
        long arrived = System.nanoTime();
        String refusal = wrongHeaders(exchange.getRequestHeaders());
        if (refusal != null) {
            exchange.getResponseHeaders().set("Connection", "close");
            refuse(exchange, refusal.startsWith("headers") ? 431 : 400, refusal);
            return;
        }
        String path = exchange.getRequestURI().getPath();
        ServicePlace place = places.get(path);
        if (place == null) {
            for (int slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
                ServicePlace above = places.get(slash == 0 ? "/" : path.substring(0, slash));
                if (above != null) {
                    serve(decoder.plain(exchange, above, path.substring(slash + 1), arrived));
                    return;
                }
            }
            refuse(exchange, 404, "nothing is served at this path; there is: " + String.join(", ", places.keySet()));
            return;
        }
        String method = exchange.getRequestMethod();
        if (method.equals("POST")) {
            MediaType type = MediaType.parse(exchange.getRequestHeaders().getFirst("Content-Type"));
            if (type == null || !type.isReadable() || !isKnown(type.type())) {
                refuse(exchange, 415, "a request of SOAP is text/xml, application/soap+xml or multipart/related, in UTF-8 or UTF-16");
                return;
            }
            serve(decoder.soap(exchange, place, type, arrived));
            return;
        }
        String query = exchange.getRequestURI().getQuery();
        ServicePlace.Description description = method.equals("GET") ? place.describe(query, address(exchange, path)) : null;
        if (description != null) {
            byte[] bytes = description.text().getBytes(StandardCharsets.UTF_8);
            send(exchange, 200, description.type(), bytes, bytes.length);
            return;
        }
        exchange.getResponseHeaders().set("Allow", "POST");
        refuse(exchange, 405, "this is a service of SOAP: POST calls it, and GET with the query wsdl or openapi tells what it is");
    }

    private static boolean isKnown(String type) {
        return type.equals("text/xml") || type.equals("application/soap+xml") || type.equals("multipart/related");
    }

    /** What is wrong with the headers as a whole (HTTP-9), or null. */
    private String wrongHeaders(Headers headers) {
        long size = 0;
        int count = 0;
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            for (String value : header.getValue()) {
                size += header.getKey().length() + value.length() + 4;
                count++;
            }
        }
        if (size > limits.maxHeaderSize() || count > MOST_HEADERS) {
            return "headers of more than " + limits.maxHeaderSize() + " bytes, or more than " + MOST_HEADERS;
        }
        List<String> lengths = headers.get("Content-Length");
        boolean chunked = headers.containsKey("Transfer-Encoding");
        return lengths != null && (lengths.size() > 1 || chunked) ? "several lengths of one body" : null;
    }

    /** The address under which a description was asked for. What the caller says of it is used only if it looks like one. */
    private String address(HttpExchange exchange, String path) {
        String asked = exchange.getRequestHeaders().getFirst("Host");
        if (asked == null || asked.length() > 255 || !asked.matches("[A-Za-z0-9._:\\[\\]-]+")) {
            InetSocketAddress local = exchange.getLocalAddress();
            asked = local.getHostString() + ":" + local.getPort();
        }
        return scheme + "://" + asked + path;
    }

    /** Lets a call run; null is one that was answered already. */
    private void serve(HttpServerCall<?, ?> call) {
        if (call == null) {
            return;
        }
        long now = System.nanoTime();
        long look = call.method().isOneway() ? now + MOMENT : call.deadlineOr(now + SELDOM);
        calls.add(call);
        if (look - now < SELDOM) {
            Monitor.shared().expect(look);
        }
        if (call.service().admit(call, true)) {
            call.runHere();
        }
    }

    /** Reads the body of a request. */
    Gzip.Body body(HttpExchange exchange, Headers headers) throws IOException {
        String header = headers.getFirst("Content-Length");
        long length = header == null ? -1 : Long.parseLong(header.strip());
        if (length > limits.maxMessageSize()) {
            exchange.getResponseHeaders().set("Connection", "close");
            throw tooLarge();
        }
        Reading reading = new Reading(exchange, System.nanoTime() + limits.frameTimeout().toNanos());
        readings.add(reading);
        try {
            InputStream in = exchange.getRequestBody();
            byte[] b = new byte[(int) Math.min(length < 0 ? 4_096 : length, limits.trustedAllocation()) + XmlScanner.PADDING];
            int n = 0;
            while (true) {
                int got = in.read(b, n, b.length - XmlScanner.PADDING - n);
                if (got <= 0 && n < b.length - XmlScanner.PADDING || n == length) {
                    break;
                }
                n += got;
                if (n == length) {
                    break;
                }
                if (n == b.length - XmlScanner.PADDING) {
                    if (n > limits.maxMessageSize()) {
                        exchange.getResponseHeaders().set("Connection", "close");
                        throw tooLarge();
                    }
                    b = Arrays.copyOf(b, (int) Math.min(4L * n, limits.maxMessageSize() + 1) + 2 * XmlScanner.PADDING);
                }
            }
            if (n < length) {
                throw new IOException("a body that was cut");
            }
            return new Gzip.Body(b, n);
        } finally {
            readings.remove(reading);
        }
    }

    private CreoException tooLarge() {
        return CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of more bytes");
    }

    /** Sends an error in the form of its wire; never throws. */
    void sendError(HttpExchange exchange, AnswerForm form, CreoException e) {
        int status = form.status(e.code());
        if (e.code() == ErrorCode.UNAVAILABLE && draining) {
            status = 503;
        } else if (e.code() == ErrorCode.TOO_LARGE && "close".equals(exchange.getResponseHeaders().getFirst("Connection"))) {
            status = 413;
        }
        sendError(exchange, form, e, status);
    }

    /** Sends an error under a status of its own. */
    void sendError(HttpExchange exchange, AnswerForm form, CreoException e, int status) {
        form.error(e, status, (sent, mediaType, bytes, n) -> send(exchange, sent, mediaType, bytes, n));
    }

    /** Fails when calls are refused. */
    void checkServing() {
        if (draining) {
            throw CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the server is shutting down; nothing was started");
        }
    }

    void acknowledge(HttpExchange exchange) {
        try {
            exchange.sendResponseHeaders(202, -1);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "an answer to {0} was lost: {1}", peer(exchange), e.getMessage());
        } finally {
            close(exchange);
        }
    }

    /** Refuses a request without the form of a wire. */
    void refuse(HttpExchange exchange, int status, String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        send(exchange, status, "text/plain; charset=utf-8", bytes, bytes.length);
    }

    /** Sends an answer and ends the exchange; never throws. */
    void send(HttpExchange exchange, int status, String contentType, byte[] b, int n) {
        try {
            Headers headers = exchange.getResponseHeaders();
            if (contentType != null) {
                headers.set("Content-Type", contentType);
            }
            if (draining) {
                headers.set("Connection", "close");
            }
            byte[] bytes = b;
            int size = n;
            if (n >= Gzip.LEAST && acceptsGzip(exchange)) {
                bytes = Gzip.compress(b, n);
                size = bytes.length;
                headers.set("Content-Encoding", "gzip");
                headers.set("Vary", "Accept-Encoding");
            }
            exchange.sendResponseHeaders(status, size == 0 ? -1 : size);
            if (size > 0) {
                OutputStream out = exchange.getResponseBody();
                out.write(bytes, 0, size);
                out.close();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "an answer to {0} was lost: {1}", peer(exchange), e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "an answer to " + peer(exchange) + " was lost", e);
        } finally {
            close(exchange);
        }
    }

    /** Whether the caller asked for a compressed answer (HTTP-6). */
    private boolean acceptsGzip(HttpExchange exchange) {
        String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        if (accepted == null) {
            return false;
        }
        for (String each : accepted.split(",")) {
            MediaType coding = MediaType.parse(each.strip());
            String quality = coding.parameter("q");
            if (coding.type().equals("gzip") && (quality == null || !quality.matches("0(\\.0*)?"))) {
                return true;
            }
        }
        return false;
    }

    private void close(HttpExchange exchange) {
        if (exchanges.remove(exchange)) {
            exchange.close();
        }
    }
}
