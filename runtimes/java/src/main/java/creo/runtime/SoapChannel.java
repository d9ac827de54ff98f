package creo.runtime;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls as SOAP messages over HTTP ({@code spec/transports/http.md}), by the HTTP client of the JDK. */
final class SoapChannel implements Channel {
    private static final int MOST_HEADERS = 200;

    private final URI uri;
    private final String address;
    private final ClientOptions options;
    private final Limits limits;
    private final SoapVersion version;
    private final boolean plain;
    private final ExecutorService threads;
    private final HttpClient client;
    private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    SoapChannel(String url, ClientOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        this.limits = options.limits();
        this.uri = URI.create(url);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https") || uri.getHost() == null) {
            throw new IllegalArgumentException("the URL of a service begins with http:// or https:// and names a host, unlike " + url);
        }
        this.address = uri.getHost() + ":" + (uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80);
        this.plain = scheme.equals("http");
        this.version = options.soap12() ? SoapVersion.V12 : SoapVersion.V11;
        this.threads = Threads.executor("creo-client");
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(limits.connectTimeout()).executor(threads);
        if (options.tls() != null) {
            builder.sslContext(options.tls());
        }
        this.client = builder.build();
    }

    /** A request as it is sent, and when its time is over. */
    private record Sent(HttpRequest request, long deadline) {}

    private Duration time(CallOptions callOptions) {
        return callOptions.deadline() != null ? callOptions.deadline() : limits.deadline();
    }

    private <A, R> Sent request(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        long deadline = System.nanoTime() + time(callOptions).toNanos();
        if (closed) {
            throw CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the channel to " + address + " is closed");
        }
        TextMethod<A, R> text = method.text();
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        HttpMetadata.write(Metadata.join(options.metadata(), callOptions.metadata()), limits, request::setHeader);
        XmlWriter w = XmlWriter.borrow(limits);
        byte[] body;
        String type;
        try {
            List<byte[]> parts = options.mtom() ? w.collectParts() : null;
            SoapWriter.write(w, version, text.request, arguments);
            String action = version == SoapVersion.V12 ? "; action=\"" + text.action + "\"" : "";
            type = version.mediaType + "; charset=utf-8" + action;
            if (parts != null && !parts.isEmpty()) {
                Mtom.Written written = Mtom.write(w, parts, version, text.action);
                body = written.bytes();
                type = written.contentType();
            } else {
                body = w.toBytes();
            }
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
        if (options.compression()) {
            request.setHeader("Accept-Encoding", "gzip");
            if (body.length >= Gzip.LEAST) {
                body = Gzip.compress(body, body.length);
                request.setHeader("Content-Encoding", "gzip");
            }
        }
        request.setHeader("Content-Type", type);
        if (version == SoapVersion.V11) {
            request.setHeader("SOAPAction", "\"" + text.action + "\"");
        }
        int left = TcpAnswer.millisecondsLeft(deadline);
        if (left == 0) {
            throw TcpAnswer.deadlineExceeded(address);
        }
        request.setHeader(HttpMetadata.TIMEOUT, Integer.toString(Math.min(left, 999_999_999)));
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body));
        return new Sent(request.build(), deadline);
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        Sent sent = request(method, arguments, callOptions);
        CompletableFuture<HttpResponse<HttpBody.Collected>> exchange = send(sent);
        try {
            return answer(method, exchange.get(sent.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            exchange.cancel(true);
            throw TcpAnswer.deadlineExceeded(address);
        } catch (InterruptedException e) {
            exchange.cancel(true);
            Thread.currentThread().interrupt();
            throw CreoException.ofRuntime(ErrorCode.CANCELLED, "the caller was interrupted", e);
        } catch (CancellationException e) {
            throw CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the channel to " + address + " was closed", e);
        } finally {
            underWay.remove(exchange);
        }
    }

    private CompletableFuture<HttpResponse<HttpBody.Collected>> send(Sent sent) {
        CompletableFuture<HttpResponse<HttpBody.Collected>> exchange = client.sendAsync(sent.request(), info -> new HttpBody(limits));
        underWay.add(exchange);
        if (closed) {
            exchange.cancel(true);
        }
        return exchange;
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        Sent sent;
        try {
            sent = request(method, arguments, callOptions);
        } catch (CreoException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<HttpResponse<HttpBody.Collected>> exchange = send(sent);
        CallFuture<R> future = new CallFuture<>(exchange);
        exchange.copy().orTimeout(sent.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS).whenCompleteAsync((response, e) -> {
            underWay.remove(exchange);
            try {
                if (e != null) {
                    throw e;
                }
                future.complete(answer(method, response));
            } catch (Throwable failure) {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
                if (cause instanceof TimeoutException) {
                    exchange.cancel(true);
                    future.completeExceptionally(TcpAnswer.deadlineExceeded(address));
                } else if (cause instanceof CancellationException) {
                    future.completeExceptionally(CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the channel to " + address + " was closed", cause));
                } else {
                    future.completeExceptionally(cause instanceof IOException io ? failure(io) : cause);
                }
            }
        }, threads);
        return future;
    }

    /** What a caller holds: to cancel it ends the exchange. */
    private static final class CallFuture<R> extends CompletableFuture<R> {
        private final CompletableFuture<?> exchange;

        CallFuture(CompletableFuture<?> exchange) {
            this.exchange = exchange;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            exchange.cancel(true);
            return cancelled;
        }
    }

    private Exception failure(Throwable e) {
        Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof CreoException c) {
            return c;
        }
        if (cause instanceof IOException io) {
            return plain ? HttpFailures.ofPlain(address, uri, io) : HttpFailures.ofSecure(address, uri, io);
        }
        return (Exception) cause;
    }

    /** The result of an answer; or what it throws. */
    private <A, R> R answer(ServiceMethod<A, R> method, HttpResponse<HttpBody.Collected> response) throws Exception {
        HttpHeaders headers = response.headers();
        checkHeaders(headers);
        int status = response.statusCode();
        if (status == 202 && (method.isOneway() || response.body().length() == 0)) {
            if (method.isOneway() || method.text().response.bodyName() == null) {
                return null;
            }
        }
        MediaType type = MediaType.parse(headers.firstValue("Content-Type").orElse(null));
        boolean soap = type != null && type.isReadable()
            && (type.type().equals("text/xml") || type.type().equals("application/soap+xml") || type.type().equals("multipart/related"));
        if (!soap) {
            if (method.isOneway() && status / 100 == 2) {
                return null;
            }
            throw HttpFailures.ofStatus(status, type == null ? "no media type" : type.type(), uri, headers.firstValue("Location").orElse(null));
        }
        Gzip.Body body = decoded(headers, response.body());
        SoapReader r = SoapReader.borrowSoap(limits);
        Exception thrown;
        try {
            Mtom parts = null;
            if (type.type().equals("multipart/related")) {
                parts = Mtom.read(body.bytes(), body.length(), type, limits);
                r.open(body.bytes(), parts.rootFrom(), parts.rootLength(), parts.rootType() == null ? null : parts.rootType().parameter("charset"));
                r.parts = parts;
            } else {
                r.openBody(body, type.parameter("charset"));
            }
            thrown = null;
            try {
                r.openEnvelope();
            } catch (CreoException e) {
                if (status / 100 != 2) {
                    throw HttpFailures.ofStatus(status, type.type(), uri, headers.firstValue("Location").orElse(null));
                }
                throw e;
            }
            if (!r.isFault()) {
                if (status / 100 != 2) {
                    throw HttpFailures.ofStatus(status, type.type(), uri, headers.firstValue("Location").orElse(null));
                }
                if (method.isOneway()) {
                    return null;
                }
                R result = r.readMessage(method.text().response);
                if (parts != null) {
                    parts.checkAllTaken();
                }
                return result;
            }
            thrown = r.readFault(method.text());
        } catch (SoapReader.NotUnderstood e) {
            throw e.error();
        } catch (CreoException e) {
            throw r.locate(e).root(r.version() != null && r.isFault() ? "$exception" : "$result");
        } finally {
            r.giveBack();
        }
        throw thrown instanceof CreoException e ? fromPeer(e, method) : thrown;
    }

    /** The error of the service, with its address among the details. */
    private CreoException fromPeer(CreoException e, ServiceMethod<?, ?> method) {
        Map<String, String> details = new java.util.LinkedHashMap<>(e.details());
        details.put("peer", address);
        CreoException with = CreoException.ofPeer(e.code(), e.reason(), details);
        return e.code() == ErrorCode.UNKNOWN_METHOD ? HttpFailures.explain(with, method) : with;
    }

    private void checkHeaders(HttpHeaders headers) {
        long size = 0;
        int count = 0;
        for (Map.Entry<String, List<String>> header : headers.map().entrySet()) {
            for (String value : header.getValue()) {
                size += header.getKey().length() + value.length() + 4;
                count++;
            }
        }
        if (size > limits.maxHeaderSize() || count > MOST_HEADERS) {
            throw CreoException.tooLarge("maxHeaderSize", limits.maxHeaderSize(), "an answer with " + count + " headers of " + size + " bytes");
        }
    }

    private Gzip.Body decoded(HttpHeaders headers, HttpBody.Collected body) {
        String coding = headers.firstValue("Content-Encoding").orElse("identity");
        if (coding.equalsIgnoreCase("identity")) {
            return new Gzip.Body(body.bytes(), body.length());
        }
        if (!coding.equalsIgnoreCase("gzip")) {
            throw CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "an answer of " + address + " in the encoding \"" + CreoException.shown(coding) + "\"");
        }
        return Gzip.decompress(body.bytes(), body.length(), limits);
    }

    @Override
    public void close() {
        closed = true;
        for (CompletableFuture<?> each : underWay) {
            each.cancel(true);
        }
        threads.shutdown();
    }
}
