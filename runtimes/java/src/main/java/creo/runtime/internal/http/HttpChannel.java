package creo.runtime.internal.http;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.CallObserver;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.call.HttpHeaders;
import creo.runtime.internal.call.Interception;
import creo.runtime.internal.call.Metadata;
import creo.runtime.internal.call.RawHook;
import creo.runtime.internal.net.Deadlines;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Calls over HTTP ({@code spec/transports/http.md}). */
public final class HttpChannel implements Channel {
    private static final String PROBLEM = "application/problem+json";

    private final URI uri;
    private final ClientOptions options;
    private final Limits limits;
    private final CallForm form;
    private final HttpCaller http;
    /** Null if the options ask for nothing that needs it. */
    private final HttpSession session;
    /** Those that send redirected requests to other origins. */
    private final Set<HttpCaller> guests = ConcurrentHashMap.newKeySet();
    private final HttpRequest.Target targetOfAll;
    private final Map<ServiceMethod<?, ?>, HttpRequest.Target> targets = new ConcurrentHashMap<>();

    /** A channel to a service, seen by the interceptors of the options. */
    public static Channel open(String url, ClientOptions options, CallForm form) {
        return Interception.of(new HttpChannel(url, options, form), options);
    }

    private HttpChannel(String url, ClientOptions options, CallForm form) {
        this.form = form;
        this.options = Objects.requireNonNull(options, "options");
        this.limits = options.limits();
        this.uri = URI.create(url);
        this.http = new HttpCaller(uri, options);
        this.session = HttpSession.of(uri, options, form.isBound());
        this.targetOfAll = http.target(uri);
    }

    /** A reply without a body to explain it is described by its status (HTTP-3). */
    private final class HttpReply extends CallForm.Reply {
        private final HttpResponseHead head;
        private final URI from;

        HttpReply(HttpResponseHead head, PaddedBytes body, HttpCall call) {
            super(head.status(), MediaType.parse(head.fields().first("content-type")), body, call.messageId);
            this.head = head;
            this.from = call.redirected == null ? uri : call.redirected;
        }

        @Override
        public CreoException unexplained(String said) {
            return HttpFailures.ofAnswer(head, body, said, from);
        }
    }

    /** A path for one method beneath that of the interface (HTTP-11). */
    private static URI beneath(URI uri, ServiceMethod<?, ?> method) {
        String text = uri.toString();
        int query = text.indexOf('?');
        String path = query < 0 ? text : text.substring(0, query);
        return URI.create((path.endsWith("/") ? path : path + "/") + method.name() + (query < 0 ? "" : text.substring(query)));
    }

    private URI place(ServiceMethod<?, ?> method) {
        return form.isBeneath() ? beneath(uri, method) : uri;
    }

    private HttpRequest.Target target(ServiceMethod<?, ?> method) {
        return form.isBeneath() ? targets.computeIfAbsent(method, m -> http.target(beneath(uri, m))) : targetOfAll;
    }

    private HttpCall begin(CallOptions callOptions) {
        http.checkOpen();
        return new HttpCall(CallObserver.deadline(callOptions, limits.deadline()), callOptions);
    }

    /** @param lines the media type of a body whose lines follow the message; null for the message alone */
    <A, R> HttpRequest request(ServiceMethod<A, R> method, A arguments, CallOptions callOptions, HttpCall call, String lines) {
        HttpRequest.Fields own = new HttpRequest.Fields();
        Map<String, String> metadata = Metadata.join(options.metadata(), callOptions.metadata());
        Map<String, String> headers = HttpHeaders.join(options.headers(), callOptions.headers());
        if (!headers.containsKey("User-Agent")) {
            own.line(HttpRequest.USER_AGENT);
        }
        HttpMetadata.writeHeaders(headers, metadata, limits, own::line);
        HttpMetadata.write(metadata, limits, own::add);
        if (session != null) {
            session.write(headers, metadata, own::line);
        }
        HttpRequest.Fields fields = new HttpRequest.Fields();
        CallForm.Body body = form.write(method, arguments);
        call.messageId = body.id();
        if (body.action() != null) {
            fields.add("SOAPAction", "\"" + body.action() + "\"");
        }
        byte[] bytes = body.bytes();
        if (options.compression() && !method.hasStreams()) {
            fields.add("Accept-Encoding", "gzip");
            if (bytes.length >= Gzip.LEAST) {
                bytes = Gzip.compress(bytes, bytes.length);
                fields.add("Content-Encoding", "gzip");
            }
        }
        fields.add("Content-Type", lines == null ? body.mediaType() : lines);
        if (lines != null) {
            bytes = Arrays.copyOf(bytes, bytes.length + 1);
            bytes[bytes.length - 1] = '\n';
        }
        return new HttpRequest(target(method), own.toString(), fields.toString(), bytes, lines != null);
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) throws Exception {
        HttpCall call = begin(callOptions);
        return call(method, request(method, arguments, callOptions, call, null), call);
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        HttpCall call;
        HttpRequest request;
        try {
            call = begin(callOptions);
            request = request(method, arguments, callOptions, call, null);
        } catch (CreoException e) {
            return CompletableFuture.failedFuture(e);
        }
        CallFuture<R> future = new CallFuture<>(call);
        http.run(() -> {
            try {
                future.complete(call(method, request, call));
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    @Override
    public <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        if (form.carriesStreams() && method.lines() instanceof HttpStreaming streaming) {
            return streaming.stream(this, method, arguments, callOptions);
        }
        return method.refused(arguments, method.notCarried());
    }

    // For calls with a stream.

    Limits limits() {
        return limits;
    }

    Executor threads() {
        return http.threads();
    }

    String address() {
        return http.address();
    }

    void run(Runnable task) {
        http.run(task);
    }

    HttpCall beginStream(CallOptions callOptions) {
        http.checkOpen();
        return new HttpCall(CallObserver.deadline(callOptions, Deadlines.NONE), callOptions);
    }

    void keepCookies(ServiceMethod<?, ?> method, HttpResponseHead head) {
        if (session != null) {
            session.answered(place(method), head);
        }
    }

    /** Sends a request, and receives the answer, after redirects and challenges the last one. A call with a stream is not redirected (HTTP-40). */
    HttpResponse exchange(ServiceMethod<?, ?> method, HttpRequest request, HttpCall call, HttpConnection.Exchange with) {
        if (session == null) {
            return once(http, method, request, call, with);
        }
        HttpSession.Hop hop = session.first(place(method), request);
        HttpResponse answer = once(http, method, session.ready(hop), call, with);
        while (true) {
            HttpSession.Hop next;
            try {
                next = with == null ? session.next(hop, answer) : session.again(hop, answer);
            } catch (CreoException e) {
                // The last answer, too, is given to the program (CALL-4); a stream has it since its head came.
                if (with == null) {
                    give(answer, call);
                }
                throw e;
            }
            if (next == null) {
                return answer;
            }
            if (next != hop) {
                hop = next;
                call.redirected = hop.uri();
                call.guest = null;
            }
            answer = session.isOwn(hop) ? once(http, method, session.ready(hop).to(http.target(hop.uri())), call, with) : elsewhere(method, hop, call);
        }
    }

    /** Sends a request to another origin, on a connection of its own (HTTP-42). */
    private HttpResponse elsewhere(ServiceMethod<?, ?> method, HttpSession.Hop hop, HttpCall call) {
        HttpCaller guest = new HttpCaller(hop.uri(), options);
        guests.add(guest);
        try {
            http.checkOpen();
            call.guest = guest.address();
            return once(guest, method, hop.request().to(guest.target(hop.uri())), call, null);
        } finally {
            guests.remove(guest);
            guest.close();
        }
    }

    /** Sends one request, and receives its answer. Both are shown to the hook for raw messages, without items of streams (CALL-61). */
    private HttpResponse once(HttpCaller to, ServiceMethod<?, ?> method, HttpRequest request, HttpCall call, HttpConnection.Exchange with) {
        HttpRaw raw = options.rawMessages() == null ? null : new HttpRaw(RawHook.of(options.rawMessages(), method, to.address()), limits);
        if (raw != null) {
            raw.show(true, 0, HttpRaw.fields(request.lines()), request.body(), request.body().length);
        }
        HttpResponse answer = to.call(request, call, with);
        if (raw != null) {
            raw.show(false, answer.head().status(), HttpRaw.fields(answer.head().fields()), answer.body().bytes(), answer.body().length());
        }
        return answer;
    }

    /** The caller's future: cancelling it ends the exchange. */
    private static final class CallFuture<R> extends CompletableFuture<R> {
        private final HttpCall call;

        CallFuture(HttpCall call) {
            this.call = call;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            call.end(ErrorCode.CANCELLED);
            return cancelled;
        }
    }

    private <A, R> R call(ServiceMethod<A, R> method, HttpRequest request, HttpCall call) throws Exception {
        HttpResponse answer = exchange(method, request, call, null);
        give(answer, call);
        return read(method, answer, call);
    }

    private void give(HttpResponse answer, HttpCall call) {
        Answer came = answer(answer.head(), call);
        if (came != null && call.reason() == null) {
            call.options().answer().accept(came);
        }
    }

    /** The result of a whole answer; throws what it says instead. */
    <R> R read(ServiceMethod<?, R> method, HttpResponse answer, HttpCall call) throws Exception {
        HttpReply reply = new HttpReply(answer.head(), decoded(answer.head().fields(), answer.body(), call), call);
        try {
            return form.read(method, reply);
        } catch (CreoException e) {
            throw e.fromPeer() ? Errors.withRetryAfter(CallForm.fromPeer(e, method, address(call)), answer.head().fields().first("retry-after")) : e;
        }
    }

    /** Throws what the document in the last line of a stream says (HTTP-30). */
    <R> R readProblem(ServiceMethod<?, R> method, PaddedBytes document, HttpCall call) throws Exception {
        try {
            return form.read(method, new CallForm.Reply(200, MediaType.parse(PROBLEM), document, call.messageId) {
                @Override
                public CreoException unexplained(String said) {
                    return Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "the last line of " + http.address() + " says neither an exception nor an error"
                        + (said == null ? "" : ": " + CreoException.shown(said)));
                }
            });
        } catch (CreoException e) {
            throw e.fromPeer() ? CallForm.fromPeer(e, method, http.address()) : e;
        }
    }

    /** Checks the metadata of an answer; returns what came beside its body, or null if nobody asked. */
    Answer answer(HttpResponseHead head, HttpCall call) {
        HttpFields fields = head.fields();
        Map<String, String> metadata = HttpMetadata.readAnswer(fields, limits);
        if (call.options().answer() == null) {
            return null;
        }
        return new Answer(metadata, head.status(), HttpRaw.fields(fields));
    }

    /** Host and port of what answered. */
    private String address(HttpCall call) {
        return call.guest == null ? http.address() : call.guest;
    }

    private PaddedBytes decoded(HttpFields fields, PaddedBytes body, HttpCall call) {
        String coding = fields.first("content-encoding");
        if (coding == null || coding.equalsIgnoreCase("identity") || body.length() == 0) {
            return body;
        }
        if (!coding.equalsIgnoreCase("gzip")) {
            throw Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "an answer of " + address(call) + " in the encoding \"" + CreoException.shown(coding) + "\"");
        }
        return Gzip.decompress(body.bytes(), body.length(), limits);
    }

    @Override
    public void close() {
        http.close();
        guests.forEach(HttpCaller::close);
    }
}
