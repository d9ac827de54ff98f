package creo.runtime.spi;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.Wire;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TdxmlWire;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.CallObserver;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.call.Interception;
import creo.runtime.internal.call.Metadata;
import creo.runtime.internal.call.RawHook;
import creo.runtime.internal.host.MessageForm;
import creo.runtime.internal.http.CallForm;
import creo.runtime.internal.http.Gzip;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.http.tdxml.TableCalls;
import creo.runtime.internal.http.tdxml.TableErrors;
import creo.runtime.internal.soap.Mtom;
import creo.runtime.internal.soap.SoapCalls;
import creo.runtime.internal.soap.tdxml.TableEnvelopes;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.xml.XmlReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Makes the requests of calls for a message transport, and reads their answers. It is independent of brokers: the caller sends and receives. Safe for
 * use by many threads.
 */
public final class MessageClient {
    private final Wire wire;
    private final ClientOptions options;
    private final Limits limits;
    private final String peer;
    private final Set<String> mismatches;
    /** Null for the binary wire. */
    private final CallForm form;

    /**
     * @param peer the name of the called service in errors
     * @param mismatches the names of the transport's fault codes for requests that it does not support
     */
    public MessageClient(Wire wire, ClientOptions options, String peer, Set<String> mismatches) {
        this.wire = Objects.requireNonNull(wire, "wire");
        this.options = Objects.requireNonNull(options, "options");
        this.limits = options.limits();
        this.peer = Objects.requireNonNull(peer, "peer");
        this.mismatches = Set.copyOf(mismatches);
        this.form = switch (wire) {
            case BINARY -> null;
            case TDXML -> new TableCalls(options);
            case SOAP -> new SoapCalls(options, TableEnvelopes.TABLES, null);
        };
    }

    /** A transport's channel, seen by the interceptors of the options. */
    public Channel intercepted(Channel channel) {
        return Interception.of(channel, options);
    }

    Limits limits() {
        return limits;
    }

    /** The time that is left for a call that is about to begin (LIM-12); less than its deadline if interceptors have taken of it, and perhaps none. */
    public Duration time(CallOptions callOptions) {
        return Duration.ofNanos(CallObserver.deadline(callOptions, limits.deadline()) - System.nanoTime());
    }

    /**
     * What shows messages of a method's calls; null if the options have no hook.
     *
     * @param place the address of the service, without parameters
     */
    public MessageHook hook(ServiceMethod<?, ?> method, String place) {
        RawHook hook = RawHook.of(options.rawMessages(), method, place);
        return hook == null ? null : new MessageHook(hook, limits);
    }

    /** Tells interceptors that a call has reached whoever carries it on. */
    public void reached(CallOptions callOptions) {
        CallObserver.reached(callOptions, peer);
    }

    /** The same error, which says that nothing of the request was sent (CALL-21). */
    public static CreoException notStarted(CreoException e) {
        return Failures.notStarted(e);
    }

    /**
     * The request of a call, without a timeout: only the transport knows how long sending took.
     *
     * @throws CreoException if a value cannot be written
     */
    public <A> MessageRequest request(ServiceMethod<A, ?> method, A arguments, CallOptions callOptions) {
        Map<String, String> metadata = HttpMetadata.encodeAll(Metadata.join(options.metadata(), callOptions.metadata()), limits);
        CallForm.Body body = form == null ? binary(method, arguments) : form.write(method, arguments);
        byte[] bytes = options.compression() ? Gzip.compress(body.bytes(), body.bytes().length) : body.bytes();
        MessageRequest request = new MessageRequest(wire, body.mediaType(), bytes, bytes.length).method(method.id()).action(body.action())
            .metadata(metadata).oneway(method.isOneway());
        return options.compression() ? request.compressed() : request;
    }

    /**
     * Makes a call of a method that gives a stream.
     *
     * @param most the max time of the call in milliseconds; 0 for the deadline of its options alone
     * @param threads run tasks that may wait
     * @throws CreoException if this wire does not carry the method (JMS-23), or a value cannot be written; {@link ServiceMethod#refused} then ends the call
     */
    public <A, R> MessageStream<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions callOptions, long most, Executor threads) {
        if (!MessageForm.carries(wire, method)) {
            throw method.notCarried();
        }
        return new MessageStream<>(this, method, arguments, request(method, arguments, callOptions), callOptions, most, threads);
    }

    private <A> CallForm.Body binary(ServiceMethod<A, ?> method, A arguments) {
        Writer w = new Writer(512, limits);
        CallBodies.BINARY.writeArguments(w, method, arguments);
        return new CallForm.Body(Arrays.copyOf(w.buffer(), (int) w.size()), MessageForm.BINARY, null);
    }

    /**
     * The result of an answer.
     *
     * @throws CreoException the error in the answer, or one for an invalid answer
     * @throws Exception the declared exception in the answer
     */
    public <R> R read(ServiceMethod<?, R> method, MessageAnswer answer) throws Exception {
        return read(method, answer, CallOptions.NONE);
    }

    /** The same; hands over what came beside the body of the answer, if the options of the call ask for it. */
    public <R> R read(ServiceMethod<?, R> method, MessageAnswer answer, CallOptions callOptions) throws Exception {
        Answer came = answer(answer);
        if (callOptions.answer() != null) {
            callOptions.answer().accept(came);
        }
        try {
            if (answer.length() > limits.maxMessageSize()) {
                throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "an answer of " + answer.length() + " bytes");
            }
            PaddedBytes body = answer.compressed() ? Gzip.decompress(answer.body(), answer.length(), limits) : PaddedBytes.of(answer.body(), answer.length());
            if (answer.kind() == MessageAnswer.Kind.ITEMS) {
                throw Failures.malformed("items instead of an answer");
            }
            if (wire == Wire.SOAP) {
                return soap(method, answer, body);
            }
            if (answer.kind() == MessageAnswer.Kind.ERROR) {
                throw error(method, body);
            }
            return wire == Wire.BINARY ? binary(method, answer, body) : table(method, answer, body);
        } catch (CreoException e) {
            throw mapped(e);
        }
    }

    /** What came beside the body of an answer. */
    Answer answer(MessageAnswer message) {
        return new Answer(HttpMetadata.decodeAll(message.metadata(), limits), 0, List.of());
    }

    /** Fails unless a message may have items in its body. */
    void checkItems(MessageAnswer message) {
        if (message.compressed()) {
            throw Failures.malformed("items that are compressed");
        }
        if (message.length() > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "items of " + message.length() + " bytes");
        }
        checkBinary(message);
    }

    /** A fault of a transport that does not support the request keeps that meaning, whatever its code means elsewhere (SOAP-13). */
    private CreoException mapped(CreoException e) {
        if (!e.fromPeer() || !isMismatch(e.details().get("fault-code")) && !isMismatch(e.details().get("fault-subcode"))) {
            return e;
        }
        return Failures.ofPeer(ErrorCode.PROTOCOL_MISMATCH, e.reason(), e.details());
    }

    private boolean isMismatch(String code) {
        return code != null && mismatches.contains(code.substring(code.indexOf(':') + 1));
    }

    private <R> R soap(ServiceMethod<?, R> method, MessageAnswer answer, PaddedBytes body) throws Exception {
        MediaType type = MediaType.parse(answer.mediaType());
        if (!SoapCalls.isSoap(type)) {
            throw mistyped(type);
        }
        try {
            return form.read(method, new Reply(answer, body));
        } catch (CreoException e) {
            throw e.fromPeer() ? CallForm.fromPeer(e, method, peer) : e;
        }
    }

    /** A reply without a body that describes an error. */
    private final class Reply extends CallForm.Reply {
        Reply(MessageAnswer answer, PaddedBytes body) {
            super(answer.kind() == MessageAnswer.Kind.RESPONSE ? 200 : 500, MediaType.parse(answer.mediaType()), body, null);
        }

        @Override
        public CreoException unexplained(String said) {
            return mistyped(type);
        }
    }

    private CreoException mistyped(MediaType type) {
        String name = type == null ? "no media type" : "the media type \"" + CreoException.shown(type.type()) + '"';
        return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "an answer of " + name + " from " + peer + " that is none of the wire " + wire, null);
    }

    private CreoException error(ServiceMethod<?, ?> method, PaddedBytes body) {
        Reader r = new Reader(body, limits);
        try {
            return Errors.explain(Errors.decode(r, peer), method);
        } catch (CreoException e) {
            throw Failures.root(r.resolve(e), "$error");
        }
    }

    private void checkBinary(MessageAnswer answer) {
        MediaType type = MediaType.parse(answer.mediaType());
        if (type == null || !type.type().equals(MessageForm.BINARY)) {
            throw mistyped(type);
        }
    }

    private <R> R binary(ServiceMethod<?, R> method, MessageAnswer answer, PaddedBytes body) throws Exception {
        checkBinary(answer);
        boolean result = answer.kind() == MessageAnswer.Kind.RESPONSE;
        Reader r = new Reader(body, limits);
        Exception thrown;
        try {
            if (result) {
                return CallBodies.BINARY.readResult(r, null, limits, method);
            }
            thrown = CallBodies.BINARY.readException(r, null, limits, method);
        } catch (CreoException e) {
            throw Failures.root(r.resolve(e), result ? "$result" : "$exception");
        }
        throw thrown;
    }

    private <R> R table(ServiceMethod<?, R> method, MessageAnswer answer, PaddedBytes body) throws Exception {
        MediaType type = MediaType.parse(answer.mediaType());
        if (type == null || MessageRequest.wireOf(answer.mediaType()) != Wire.TDXML) {
            throw mistyped(type);
        }
        boolean result = answer.kind() == MessageAnswer.Kind.RESPONSE;
        XmlReader r = XmlReader.borrow(limits);
        Exception thrown;
        try {
            Mtom parts = TdxmlWire.openTable(r, type, body, limits);
            TableDocument document = TableDocument.readAlone(r);
            if (result) {
                document.checkOf(method.name());
                R value = document.message(TextMethods.of(method).response, method.name(), parts);
                r.endDocument();
                return value;
            }
            thrown = TableErrors.read(document, TextMethods.of(method));
            r.endDocument();
        } catch (CreoException e) {
            throw Failures.root(r.locate(e), result ? "$result" : "$exception");
        } finally {
            r.giveBack();
        }
        throw thrown;
    }
}
