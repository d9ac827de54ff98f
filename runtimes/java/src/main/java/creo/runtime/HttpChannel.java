package creo.runtime;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** Calls over HTTP ({@code spec/transports/http.md}), by the HTTP client of the JDK. */
final class HttpChannel implements Channel {
    private static final int MOST_HEADERS = 200;
    private static final int MAX_EXCERPT = 300;

    private final URI uri;
    private final ClientOptions options;
    private final Limits limits;
    private final CallForm form;
    private final HttpCaller http;

    HttpChannel(String url, ClientOptions options, CallForm form) {
        this.form = form;
        this.options = Objects.requireNonNull(options, "options");
        this.limits = options.limits();
        this.uri = URI.create(url);
        this.http = new HttpCaller(uri, options);
    }

    /** A reply whose body says nothing is told by its status (HTTP-3). */
    private final class HttpReply extends CallForm.Reply {
        private final HttpHeaders headers;

        HttpReply(int status, MediaType type, Gzip.Body body, HttpHeaders headers) {
            super(status, type, body);
            this.headers = headers;
        }

        @Override
        CreoException unexplained(String said) {
            String name = type == null ? "no media type" : type.type();
            CreoException e = HttpFailures.ofStatus(status, name, uri, headers.firstValue("Location").orElse(null));
            String told = said == null && name.startsWith("text/") && body.length() > 0 ? excerpt() : said;
            return told == null ? e : CreoException.withDetails(e.code(), e.reason() + ": " + CreoException.shown(told), e.details());
        }

        /** What came instead of a message, as far as a person would read it. */
        private String excerpt() {
            return new String(body.bytes(), 0, Math.min(body.length(), MAX_EXCERPT), StandardCharsets.UTF_8).strip();
        }
    }

    /** A place beneath that of the interface, for a method of its own (HTTP-11). */
    private static URI beneath(URI uri, ServiceMethod<?, ?> method) {
        String text = uri.toString();
        int query = text.indexOf('?');
        String path = query < 0 ? text : text.substring(0, query);
        return URI.create((path.endsWith("/") ? path : path + "/") + method.name() + (query < 0 ? "" : text.substring(query)));
    }

    /** A request as it is sent, and when its time is over. */
    private record Sent(HttpRequest request, long deadline) {}

    private Duration time(CallOptions callOptions) {
        return callOptions.deadline() != null ? callOptions.deadline() : limits.deadline();
    }

    private <A, R> Sent request(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        long deadline = System.nanoTime() + time(callOptions).toNanos();
        http.checkOpen();
        HttpRequest.Builder request = HttpRequest.newBuilder(form.isBeneath() ? beneath(uri, method) : uri);
        HttpMetadata.write(Metadata.join(options.metadata(), callOptions.metadata()), limits, request::setHeader);
        CallForm.Body body = form.write(method, arguments);
        if (body.action() != null) {
            request.setHeader("SOAPAction", "\"" + body.action() + "\"");
        }
        byte[] bytes = body.bytes();
        if (options.compression()) {
            request.setHeader("Accept-Encoding", "gzip");
            if (bytes.length >= Gzip.LEAST) {
                bytes = Gzip.compress(bytes, bytes.length);
                request.setHeader("Content-Encoding", "gzip");
            }
        }
        request.setHeader("Content-Type", body.mediaType());
        int left = TcpAnswer.millisecondsLeft(deadline);
        if (left == 0) {
            throw TcpAnswer.deadlineExceeded(http.address());
        }
        request.setHeader(HttpMetadata.TIMEOUT, Integer.toString(Math.min(left, 999_999_999)));
        request.POST(HttpRequest.BodyPublishers.ofByteArray(bytes));
        return new Sent(request.build(), deadline);
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        Sent sent = request(method, arguments, callOptions);
        return answer(method, http.call(sent.request(), sent.deadline()));
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        Sent sent;
        try {
            sent = request(method, arguments, callOptions);
        } catch (CreoException e) {
            return CompletableFuture.failedFuture(e);
        }
        CallFuture<R> future = new CallFuture<>();
        future.answer = http.callAsync(sent.request(), sent.deadline(), (response, failure) -> {
            if (failure != null) {
                future.completeExceptionally(failure);
                return;
            }
            try {
                future.complete(answer(method, response));
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    /** What a caller holds: to cancel it ends the exchange. */
    private static final class CallFuture<R> extends CompletableFuture<R> {
        /** Set before anybody holds this. */
        private Future<?> answer;

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            answer.cancel(true);
            return cancelled;
        }
    }

    private <A, R> R answer(ServiceMethod<A, R> method, HttpResponse<HttpBody.Collected> response) throws Exception {
        HttpHeaders headers = response.headers();
        checkHeaders(headers);
        MediaType type = MediaType.parse(headers.firstValue("Content-Type").orElse(null));
        try {
            return form.read(method, new HttpReply(response.statusCode(), type, decoded(headers, response.body()), headers));
        } catch (CreoException e) {
            throw e.fromPeer() ? CallForm.fromPeer(e, method, http.address()) : e;
        }
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
        if (coding.equalsIgnoreCase("identity") || body.length() == 0) {
            return new Gzip.Body(body.bytes(), body.length());
        }
        if (!coding.equalsIgnoreCase("gzip")) {
            throw CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "an answer of " + http.address() + " in the encoding \"" + CreoException.shown(coding) + "\"");
        }
        return Gzip.decompress(body.bytes(), body.length(), limits);
    }

    @Override
    public void close() {
        http.close();
    }
}
