package creo.runtime.spi;

import creo.runtime.Authenticator;
import creo.runtime.CreoException;
import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.Limits;
import creo.runtime.RawMessages;
import creo.runtime.ServerInterceptor;
import creo.runtime.Wire;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.SoapWire;
import creo.runtime.codegen.TdxmlSoapWire;
import creo.runtime.codegen.TdxmlWire;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.host.CallWatch;
import creo.runtime.internal.host.Host;
import creo.runtime.internal.host.HostAccess;
import creo.runtime.internal.host.MessageCall;
import creo.runtime.internal.host.MessageForm;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.Gzip;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.http.ServicePlace;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.internal.soap.SoapAnswers;
import creo.runtime.internal.text.SoapVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the calls of requests of a message transport, and makes their answers. It is independent of brokers: the caller receives the messages and
 * sends the answers.
 *
 * <p>Safe for use by many threads; each serves one request at a time.
 */
public final class MessageServer implements AutoCloseable {
    private static final int LONGEST_DECLARATION = 200;
    private static final String CLOSED = "the server was closed before the call had ended";
    private static final Pattern ENCODING = Pattern.compile("<\\?xml\\s[^>]*?\\sencoding\\s*=\\s*[\"']([^\"']*)[\"']");

    /** A request without an answer that was not completed: the transport returns it to the queue, or removes it. */
    public static final class Unserved extends Exception {
        private static final long serialVersionUID = 1L;

        public Unserved(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Nobody receives the items of a stream any more. */
    public static final class Gone extends Exception {
        private static final long serialVersionUID = 1L;

        public Gone(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Where the items of a stream go: the transport's side of one request. */
    public interface Receiver {
        /**
         * The request is one of a method that gives a stream, which is about to run. Called by the thread that serves the request.
         *
         * @return false if nobody waits for its items: then it does not run
         * @throws IOException if that cannot be found out: then the request is not served
         */
        boolean begins() throws IOException, InterruptedException;

        /**
         * Sends items, and returns when the transport has taken them. Called by one thread at a time.
         *
         * @throws Gone if nobody receives them: this cancels the method
         * @throws IOException if they may be lost: this cancels the method, and the request is not served
         * @throws CreoException with which the call then ends
         */
        void send(MessageAnswer items) throws Gone, IOException;

        /** Whether no items may be sent for now. */
        boolean isFull();

        /**
         * Looks whether there still is somebody who receives items, and whether they may be sent. Called by the thread that serves the request, at least every half
         * second, and more often while {@link #isFull}.
         */
        boolean isAwaited() throws IOException;
    }

    private final Limits limits;
    private final Host host;
    private final ServicePlace all;
    private final Map<String, ServicePlace> byInterface;
    private final FaultCode wrongMediaType;
    private final FaultCode wrongAction;
    private final CallWatch calls;
    private volatile boolean closed;

    private MessageServer(Builder builder) {
        limits = builder.limits;
        wrongMediaType = builder.wrongMediaType;
        wrongAction = builder.wrongAction;
        ExecutorService threads = Threads.executor("creo-message");
        try {
            host = new Host(builder.endpoints, limits, threads, new Host.Watchers(builder.authenticator, builder.interceptors, builder.rawMessages));
            all = new ServicePlace(builder.place);
            byInterface = new HashMap<>();
            for (Endpoint endpoint : builder.endpoints) {
                String name = endpoint.service().name();
                ServicePlace alone = new ServicePlace(builder.place + " for " + name);
                HostAccess.serve(endpoint, all);
                HostAccess.serve(endpoint, alone);
                byInterface.put(name, alone);
                byInterface.putIfAbsent(name.substring(name.lastIndexOf('.') + 1), alone);
            }
        } catch (RuntimeException e) {
            threads.shutdown();
            throw e;
        }
        calls = new CallWatch(host);
    }

    /**
     * Creates a builder.
     *
     * @param place the server's name in errors, such as an address
     */
    public static Builder builder(String place) {
        return new Builder(Objects.requireNonNull(place, "place"));
    }

    /** The limits for its calls and messages. */
    public Limits limits() {
        return limits;
    }

    /**
     * The WSDL of an interface for a given address, or null if its code has none.
     *
     * @param service the interface's name, with or without its package
     * @throws IllegalArgumentException if the interface is not served here
     */
    public String wsdl(String service, String address) {
        ServicePlace place = byInterface.get(Objects.requireNonNull(service, "service"));
        if (place == null) {
            throw new IllegalArgumentException("no interface of the name \"" + CreoException.shown(service) + "\" is served here");
        }
        ServicePlace.Description wsdl = place.describe("wsdl", () -> address);
        return wsdl == null ? null : wsdl.text();
    }

    /** The same without anything that takes streams: methods that give one are answered {@code unknown-method}. */
    public MessageAnswer serve(MessageRequest request) throws Unserved, InterruptedException {
        return serve(request, null);
    }

    /**
     * Runs the call of a request, and waits for its end.
     *
     * @param receiver of the items, if the method gives a stream
     * @return the answer; null for a oneway method that has run, and for a stream that nobody waits for
     * @throws Unserved if the request was not served and cannot be answered
     * @throws InterruptedException if this thread was interrupted; it is then unknown how far the call got
     */
    public MessageAnswer serve(MessageRequest request, Receiver receiver) throws Unserved, InterruptedException {
        if (closed) {
            throw new Unserved("the server is closed");
        }
        MessageCall<?, ?> call = null;
        try {
            call = call(request, receiver);
        } catch (TextRequest.Refusal e) {
            return e.ofAction() && wrongAction != null ? refuse(request, wrongAction, e.error().reason()) : error(request, e.form(), e.error());
        } catch (CreoException e) {
            return error(request, e);
        } catch (RuntimeException | Error e) {
            return error(request, ServiceErrors.internal("a request of " + request.peer(), e));
        } finally {
            showRequest(request, call == null ? null : call.method());
        }
        if (call == null) {
            return refuse(request, wrongMediaType, "the body is something else than the media type " + CreoException.shown(request.mediaType()) + " says");
        }
        if (!call.method().isOneway() && !request.isAnswerable()) {
            throw new Unserved("a call of " + call.method() + " that has no place for the answer");
        }
        try {
            if (call.method().hasStreams() && !receiver.begins()) {
                return null;
            }
        } catch (IOException e) {
            throw new Unserved(e.getMessage());
        }
        return run(call);
    }

    /** Whether there is a hook for raw messages: requests have their properties then. */
    public boolean showsMessages() {
        return host.showsMessages();
    }

    /** Shows a request to the hook for raw messages. The transport calls this for those that it refuses itself. */
    public void showRequest(MessageRequest request) {
        showRequest(request, null);
    }

    private void showRequest(MessageRequest request, ServiceMethod<?, ?> read) {
        if (showsMessages() && request.length() <= limits.maxMessageSize()) {
            Host.Entry<?, ?> entry = read == null && request.isMethodKnown() ? host.find(request.method()) : null;
            request.called(entry == null ? read : entry.binding().method());
            hook(request).show(false, false, request.properties(), request.mediaType(), request.body(), request.length(), request.isCompressed() ? "gzip" : null);
        }
    }

    /** Shows an answer that is about to be sent to the hook for raw messages; never throws. */
    public void showAnswer(MessageRequest request, MessageAnswer answer, Map<String, String> properties) {
        hook(request).show(true, true, properties, answer.mediaType(), answer.body(), answer.length(), answer.compressed() ? "gzip" : null);
    }

    private MessageHook hook(MessageRequest request) {
        String peer = request.peer();
        return new MessageHook(host.rawHook(request.called(), peer.contains("?") ? peer.substring(0, peer.indexOf('?')) : peer), limits);
    }

    private MessageAnswer run(MessageCall<?, ?> call) throws Unserved, InterruptedException {
        calls.add(call);
        try {
            call.service().admit(call, false);
            if (closed) {
                // The call may have started too late to be ended with the others, and then no thread runs it.
                call.giveUp();
                call.abandon(CLOSED);
            }
            return call.method().hasStreams() ? call.awaitStream() : call.await();
        } catch (InterruptedException e) {
            call.giveUp();
            throw e;
        } finally {
            calls.remove(call);
        }
    }

    /** The call of a request; null if the body does not match its media type. */
    private MessageCall<?, ?> call(MessageRequest request, Receiver receiver) throws TextRequest.Refusal {
        Map<String, String> metadata = HttpMetadata.decodeAll(request.metadata(), limits);
        if (request.length() > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of " + request.length() + " bytes");
        }
        TextRequest<?, ?> read;
        if (request.wire() == Wire.BINARY) {
            ServiceMethod<?, ?> method = find(request);
            if (method.hasStreams() && receiver == null) {
                throw method.notCarried();
            }
            read = binary(method, body(request), limits);
        } else {
            MediaType type = MediaType.parse(request.mediaType());
            if (type == null || !type.isReadable() || MessageRequest.wireOf(request.mediaType()) != request.wire()) {
                return null;
            }
            PaddedBytes body = body(request);
            if (request.wire() == Wire.TDXML) {
                read = TdxmlWire.read(find(request), type, body, limits, (options, packaged) -> new MessageForm.Tables(limits, options, packaged));
            } else {
                boolean packaged = type.type().equals("multipart/related");
                if (!packaged && !isDeclared(body, type.parameter("charset"))) {
                    return null;
                }
                String action = request.action() == null ? type.parameter("action") : request.action();
                read = TdxmlSoapWire.WIRE.read(place(request), type, action, body, limits, request.peer());
                if (!packaged && ((SoapAnswers) read.form()).version() != SoapWire.version(type)) {
                    return null;
                }
            }
        }
        return call(request, read, metadata, receiver);
    }

    private <A, R> MessageCall<A, R> call(MessageRequest request, TextRequest<A, R> read, Map<String, String> metadata, Receiver receiver) {
        boolean limited = request.timeout() >= 0;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(request.timeout(), TimeUnit.DAYS.toMillis(40)));
        return new MessageCall<>(host.entry(read.method()), request, read, metadata, limited ? deadline : 0, limited, receiver);
    }

    /** The uncompressed body, with room after it. */
    private PaddedBytes body(MessageRequest request) {
        if (request.isCompressed()) {
            return Gzip.decompress(request.body(), request.length(), limits);
        }
        return PaddedBytes.of(request.body(), request.length());
    }

    private static <A, R> TextRequest<A, R> binary(ServiceMethod<A, R> method, PaddedBytes body, Limits limits) {
        Reader r = new Reader(body, limits);
        try {
            return new TextRequest<>(method, new MessageForm.Binary(limits), CallBodies.BINARY.readArguments(r, null, limits, method).arguments());
        } catch (CreoException e) {
            throw r.resolve(e);
        }
    }

    private ServiceMethod<?, ?> find(MessageRequest request) {
        if (!request.isMethodKnown()) {
            throw Failures.malformed("a request that does not say by an id which method it calls");
        }
        Host.Entry<?, ?> entry = host.find(request.method());
        if (entry == null || request.service() != null && !isNamed(entry.binding().method().owner().name(), request.service())) {
            throw host.unknownMethod(request.method());
        }
        if (!MessageForm.carries(request.wire(), entry.binding().method())) {
            throw entry.binding().method().notCarried();
        }
        return entry.binding().method();
    }

    private static boolean isNamed(String full, String name) {
        return full.equals(name) || full.substring(full.lastIndexOf('.') + 1).equals(name);
    }

    private ServicePlace place(MessageRequest request) {
        ServicePlace place = request.service() == null ? all : byInterface.get(request.service());
        if (place == null) {
            throw CreoException.ofRuntime(ErrorCode.UNKNOWN_METHOD, "no interface of the name \"" + CreoException.shown(request.service()) + "\" is served here", null);
        }
        return place;
    }

    /** Whether the encoding at the beginning of an XML text, or in its declaration, matches the media type. */
    private static boolean isDeclared(PaddedBytes body, String charset) {
        byte[] b = body.bytes();
        boolean wide = body.length() >= 2 && ((b[0] & 0xff) + (b[1] & 0xff) == 0xfe + 0xff || b[0] == 0 || b[1] == 0);
        if (charset != null && wide != charset.equalsIgnoreCase("utf-16")) {
            return false;
        }
        if (wide) {
            return true;
        }
        Matcher declared = ENCODING.matcher(new String(b, 0, Math.min(body.length(), LONGEST_DECLARATION), StandardCharsets.ISO_8859_1));
        return !declared.lookingAt() || declared.group(1).equalsIgnoreCase("utf-8");
    }

    /**
     * The answer for an error, in the form of a request's wire.
     *
     * @throws Unserved if the request cannot be answered
     */
    public MessageAnswer error(MessageRequest request, CreoException e) throws Unserved {
        return error(request, form(request), e);
    }

    /**
     * The answer that refuses a request with a fault of the transport; without SOAP, with the error {@code protocol-mismatch}. Either has the fault's
     * name in the detail {@code fault-code}.
     *
     * @throws Unserved if the request cannot be answered
     */
    public MessageAnswer refuse(MessageRequest request, FaultCode code, String reason) throws Unserved {
        Map<String, String> details = code == null ? Map.of() : Map.of("fault-code", code.name());
        CreoException e = Failures.withDetails(ErrorCode.PROTOCOL_MISMATCH, reason, details);
        AnswerForm form = form(request);
        return error(request, form instanceof SoapAnswers soap ? soap.withFaultCode(code) : form, e);
    }

    /** The form of an error before anything of the body is known. */
    private AnswerForm form(MessageRequest request) {
        if (request.wire() != Wire.SOAP) {
            return new MessageForm.Binary(limits);
        }
        MediaType type = MediaType.parse(request.mediaType());
        return new SoapAnswers(limits, type == null ? SoapVersion.V11 : SoapWire.version(type), false, null);
    }

    private MessageAnswer error(MessageRequest request, AnswerForm form, CreoException found) throws Unserved {
        CreoException e = host.refusal(found);
        if (!request.isAnswerable()) {
            throw new Unserved(e.getMessage());
        }
        MessageAnswer[] answer = new MessageAnswer[1];
        form.error(e, form.status(e.code()), (status, mediaType, bytes, length) ->
            answer[0] = MessageCall.answer(MessageAnswer.Kind.ERROR, mediaType, bytes, length, request.isCompressed(), Map.of()));
        return answer[0];
    }

    /** Accepts no further request, and ends the calls in progress: their {@link #serve} throws {@link Unserved}. */
    @Override
    public void close() {
        closed = true;
        calls.giveUp(call -> ((MessageCall<?, ?>) call).abandon(CLOSED));
        calls.close();
        host.shutdown();
    }

    /** Configures a server. */
    public static final class Builder {
        private final String place;
        private final List<Endpoint> endpoints = new ArrayList<>();
        private Limits limits = Limits.DEFAULT;
        private Authenticator authenticator;
        private final List<ServerInterceptor> interceptors = new ArrayList<>();
        private RawMessages rawMessages;
        private FaultCode wrongMediaType;
        private FaultCode wrongAction;

        private Builder(String place) {
            this.place = place;
        }

        /** Adds an interface. */
        public Builder add(Endpoint endpoint) {
            endpoints.add(Objects.requireNonNull(endpoint, "endpoint"));
            return this;
        }

        public Builder limits(Limits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** Sets the authenticator. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = Objects.requireNonNull(authenticator, "authenticator");
            return this;
        }

        /** Adds an interceptor: it sees the beginning of a call after those added before, and the end before them. */
        public Builder interceptor(ServerInterceptor interceptor) {
            interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
            return this;
        }

        /** Shows each message to this (CALL-60). */
        public Builder rawMessages(RawMessages hook) {
            rawMessages = Objects.requireNonNull(hook, "hook");
            return this;
        }

        /**
         * Sets the transport's fault codes.
         *
         * @param mediaType for a body that does not match its media type
         * @param action for a request whose action does not match its method
         */
        public Builder faults(FaultCode mediaType, FaultCode action) {
            wrongMediaType = Objects.requireNonNull(mediaType, "mediaType");
            wrongAction = Objects.requireNonNull(action, "action");
            return this;
        }

        /**
         * Starts serving.
         *
         * @throws IllegalArgumentException if the requests of two methods cannot be distinguished (SOAP-7)
         */
        public MessageServer start() {
            return new MessageServer(this);
        }
    }
}
