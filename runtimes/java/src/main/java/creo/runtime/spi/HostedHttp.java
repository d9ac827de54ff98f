package creo.runtime.spi;

import creo.runtime.Authenticator;
import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.ServerInterceptor;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.host.CallWatch;
import creo.runtime.internal.host.Host;
import creo.runtime.internal.host.HostedRequest;
import creo.runtime.internal.host.HttpService;
import java.io.IOException;
import java.io.InputStream;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;

/**
 * Serves interfaces over HTTP within a server that is not Creo's, such as a servlet container. That server has the sockets, TLS, and the framing
 * of HTTP; this is what comes above. It knows no such server: who uses it hands over each request as an {@link Exchange}, on a thread that it
 * may keep until the request is answered. The methods run on that thread.
 *
 * <p>Safe for many threads; each serves one request at a time.
 */
public final class HostedHttp implements AutoCloseable {
    /** A request, and the way back. Used by the thread that serves it alone, except for {@link #principal} and {@link #certificates}. */
    public interface Exchange {
        String method();

        /** The path beneath that of all that is served here, percent-decoded. */
        String path();

        /** As it was sent, without the question mark; null if there is none. */
        String query();

        /** Scheme, host and port, as the caller has written them. */
        String origin();

        /** What stands before {@link #path} in the URL, such as {@code /app/creo}; empty if there is nothing. */
        String prefix();

        /** Hands over each field of the request; a name may come several times. */
        void fields(BiConsumer<String, String> to);

        /** The length of the body, or -1 if it is not known before its end. */
        long length();

        /** The body. */
        InputStream body() throws IOException;

        /** The address of the caller. */
        String peer();

        /** Who the server says it is that calls, or null. */
        Principal principal();

        /** The certificates that the caller has proved to own, its own first, or null. */
        X509Certificate[] certificates();

        /** Sends the answer, all of which has left this program when this returns. */
        void answer(Answer answer) throws IOException;
    }

    /** A field of an answer. */
    public record Field(String name, String value) {}

    /**
     * The answer to a request.
     *
     * @param mediaType of the body, or null if there is none
     * @param fields besides those of the body's type and length
     * @param length of the body, to be told
     * @param sent the bytes of it that are sent, from the first of {@code bytes}: all, or none to HEAD
     */
    public record Answer(int status, String mediaType, List<Field> fields, byte[] bytes, int length, int sent) {}

    private static final long DRAIN_STEP = 5;

    private final Host host;
    private final HttpService service;
    private final CallWatch calls;

    private HostedHttp(Builder builder) {
        ExecutorService threads = Threads.executor("creo-hosted");
        try {
            List<Endpoint> endpoints = builder.paths.values().stream().flatMap(List::stream).toList();
            host = new Host(endpoints, builder.limits, threads, new Host.Watchers(builder.authenticator, builder.interceptors));
            service = new HttpService(host, builder.paths, builder.origins, true);
        } catch (RuntimeException e) {
            threads.shutdown();
            throw e;
        }
        calls = new CallWatch(host);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The limits that hold for its calls. */
    public Limits limits() {
        return host.limits();
    }

    /** Whether calls are taken: it was not closed. */
    public boolean isServing() {
        return !service.isDraining();
    }

    /**
     * Serves a request, and returns when its answer has left and its method has returned.
     *
     * @throws IOException when the request could not be read, or the answer could not be sent
     */
    public void serve(Exchange exchange) throws IOException {
        new HostedRequest(service, calls, exchange).serve();
    }

    /**
     * Drains and ends: refuses further calls, and returns when those under way are answered, at the latest after the drain time (LIM-13).
     * Calls that are under way then are given up.
     */
    @Override
    public void close() {
        if (service.isDraining()) {
            return;
        }
        service.drain();
        long until = System.nanoTime() + host.limits().drainTime().toNanos();
        try {
            while (!calls.isEmpty() && System.nanoTime() - until < 0) {
                Thread.sleep(DRAIN_STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        calls.giveUp(call -> call.answerError(Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the server was closed before the call had ended")));
        calls.close();
        host.shutdown();
    }

    /** What is served, and how. */
    public static final class Builder {
        private final Map<String, List<Endpoint>> paths = new LinkedHashMap<>();
        private Limits limits = Limits.DEFAULT;
        private Authenticator authenticator;
        private final List<ServerInterceptor> interceptors = new ArrayList<>();
        private Set<String> origins = Set.of();

        private Builder() {}

        /** One more interface, at the path of its name, such as {@code /DataService}. */
        public Builder add(Endpoint endpoint) {
            return add(endpoint, HttpService.pathOf(Objects.requireNonNull(endpoint, "endpoint")));
        }

        /** One more interface, at the given path. */
        public Builder add(Endpoint endpoint, String path) {
            paths.computeIfAbsent(HttpService.checked(path), key -> new ArrayList<>()).add(Objects.requireNonNull(endpoint, "endpoint"));
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** Finds out who calls. It may ask the call's context for the {@link creo.runtime.CallContext#principal CallContext.principal} that the server has found. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = Objects.requireNonNull(authenticator, "authenticator");
            return this;
        }

        /** One more interceptor: it is told the beginning of a call after those before it, and the end before them. */
        public Builder interceptor(ServerInterceptor interceptor) {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /**
         * Lets pages in browsers call (CORS), unless the server around it sees to that.
         *
         * @param origins of the pages, such as {@code https://example.org}; {@code *} is any
         */
        public Builder cors(String... origins) {
            this.origins = Set.of(origins);
            return this;
        }

        /**
         * Begins to serve.
         *
         * @throws IllegalStateException when the code of an interface was generated without a text wire
         */
        public HostedHttp start() {
            return new HostedHttp(this);
        }
    }
}
