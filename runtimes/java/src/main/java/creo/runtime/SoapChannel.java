package creo.runtime;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** Calls as SOAP messages over HTTP ({@code spec/transports/http.md}), by the HTTP client of the JDK. */
final class SoapChannel implements Channel {
    private static final int MOST_HEADERS = 200;

    private final URI uri;
    private final ClientOptions options;
    private final Limits limits;
    private final SoapVersion version;
    private final HttpCaller http;

    SoapChannel(String url, ClientOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        this.limits = options.limits();
        this.uri = URI.create(url);
        this.version = options.soap12() ? SoapVersion.V12 : SoapVersion.V11;
        this.http = new HttpCaller(uri, options);
    }

    /** A request as it is sent, and when its time is over. */
    private record Sent(HttpRequest request, long deadline) {}

    private Duration time(CallOptions callOptions) {
        return callOptions.deadline() != null ? callOptions.deadline() : limits.deadline();
    }

    private <A, R> Sent request(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        long deadline = System.nanoTime() + time(callOptions).toNanos();
        http.checkOpen();
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
            throw TcpAnswer.deadlineExceeded(http.address());
        }
        request.setHeader(HttpMetadata.TIMEOUT, Integer.toString(Math.min(left, 999_999_999)));
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body));
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
        details.put("peer", http.address());
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
            throw CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "an answer of " + http.address() + " in the encoding \"" + CreoException.shown(coding) + "\"");
        }
        return Gzip.decompress(body.bytes(), body.length(), limits);
    }

    @Override
    public void close() {
        http.close();
    }
}
