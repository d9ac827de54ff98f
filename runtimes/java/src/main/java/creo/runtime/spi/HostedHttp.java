package creo.runtime.spi;

import creo.runtime.Authenticator;
import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.RawLog;
import creo.runtime.RawMessages;
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
 * Serves interfaces over HTTP within another server, such as a servlet container. That server has the sockets, TLS and HTTP framing; this class does
 * the rest. It is independent of that server: the caller passes each request as an {@link Exchange}, on a thread that is used until the request is
 * answered. The methods run on that thread.
 *
 * <p>Safe for use by many threads; each serves one request at a time.
 */
public final class HostedHttp implements AutoCloseable {
    /** A request and its response. Only the serving thread uses it, except for {@link #principal} and {@link #certificates}. */
    public interface Exchange {
        String method();

        /** The path beneath the root of everything served here, percent-decoded. */
        String path();

        /** The query as received, without the question mark; null if there is none. */
        String query();

        /** Scheme, host and port, as written by the caller. */
        String origin();

        /** The part of the URL before {@link #path}, such as {@code /app/creo}; may be empty. */
        String prefix();

        /** Passes on each field of the request; a name may occur several times. */
        void fields(BiConsumer<String, String> to);

        /** The length of the body, or -1 if it is unknown before its end. */
        long length();

        /** The body. */
        InputStream body() throws IOException;

        /** The caller's address. */
        String peer();

        /** The caller as authenticated by the server, or null. */
        Principal principal();

        /** The certificates that the caller has proved to own, its own first, or null. */
        X509Certificate[] certificates();

        /** Sends the answer; returns when all of it was sent. */
        void answer(Answer answer) throws IOException;
    }

    /** A field of an answer. */
    public record Field(String name, String value) {}

    /**
     * The answer to a request.
     *
     * @param mediaType of the body, or null if there is none
     * @param fields other than those for the body's type and length
     * @param length the length of the body to announce
     * @param sent the number of bytes to send from the start of {@code bytes}: all, or none for HEAD
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
            host = new Host(endpoints, builder.limits, threads, new Host.Watchers(builder.authenticator, builder.interceptors, builder.rawMessages));
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

    /** The limits for its calls. */
    public Limits limits() {
        return host.limits();
    }

    /** Whether it accepts calls, since it was not closed. */
    public boolean isServing() {
        return !service.isDraining();
    }

    /**
     * Serves a request, and returns when its answer was sent and its method has returned.
     *
     * @throws IOException when the request could not be read, or the answer could not be sent
     */
    public void serve(Exchange exchange) throws IOException {
        new HostedRequest(service, calls, exchange).serve();
    }

    /**
     * Drains and ends: refuses further calls, and returns when those in progress are answered, at the latest after the drain time (LIM-13). Calls
     * still in progress then are cancelled.
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
        calls.giveUp(call -> call.answerError(call.unstarted(Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the server was closed before the call had ended"))));
        calls.close();
        host.shutdown();
    }

    /** Configures what is served. */
    public static final class Builder {
        private final Map<String, List<Endpoint>> paths = new LinkedHashMap<>();
        private Limits limits = Limits.DEFAULT;
        private Authenticator authenticator;
        private final List<ServerInterceptor> interceptors = new ArrayList<>();
        private RawMessages rawMessages;
        private Set<String> origins = Set.of();

        private Builder() {}

        /** Adds an interface; its path is its name, such as {@code /DataService}. */
        public Builder add(Endpoint endpoint) {
            return add(endpoint, HttpService.pathOf(Objects.requireNonNull(endpoint, "endpoint")));
        }

        /** Adds an interface with the given path. */
        public Builder add(Endpoint endpoint, String path) {
            paths.computeIfAbsent(HttpService.checked(path), key -> new ArrayList<>()).add(Objects.requireNonNull(endpoint, "endpoint"));
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** Sets the authenticator. {@link creo.runtime.CallContext#principal CallContext.principal} gives it the server's principal. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = Objects.requireNonNull(authenticator, "authenticator");
            return this;
        }

        /** Shows each message of calls over HTTP to this, such as a {@link RawLog} (CALL-60 to CALL-68). */
        public Builder rawMessages(RawMessages hook) {
            rawMessages = Objects.requireNonNull(hook, "hook");
            return this;
        }

        /** Adds an interceptor: it sees the beginning of a call after those added before, and the end before them. */
        public Builder interceptor(ServerInterceptor interceptor) {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /**
         * Allows web pages to call (CORS), unless the surrounding server handles that.
         *
         * @param origins of the pages, such as {@code https://example.org}; {@code *} is any
         */
        public Builder cors(String... origins) {
            this.origins = Set.of(origins);
            return this;
        }

        /**
         * Starts serving.
         *
         * @throws IllegalStateException if the code of an interface was generated without a text wire
         */
        public HostedHttp start() {
            return new HostedHttp(this);
        }
    }
}
