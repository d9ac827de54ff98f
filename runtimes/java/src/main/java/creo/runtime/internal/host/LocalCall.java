package creo.runtime.internal.host;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.http.ServiceErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A call within the process. Both directions use the binary wire, as on a connection. */
public final class LocalCall<A, R> extends IncomingCall<A, R> {
    /** The peer address in errors and call contexts. */
    public static final String PEER = "this process";

    /** Writes a body. */
    private interface Body {
        void write(Writer w);
    }

    private final CompletableFuture<R> outcome = new CompletableFuture<>();
    /** The caller's limits. */
    private final Limits limits;
    private volatile Map<String, String> answered;
    /** The caller's streams; null without any. */
    private volatile MethodStreams.Call<R> caller;

    private LocalCall(Host.Entry<A, R> entry, A arguments, Map<String, String> metadata, long deadline, boolean limited, Limits limits) {
        super(entry, arguments, metadata, new Caller(PEER, null, null, null), deadline, limited);
        this.limits = limits;
    }

    /**
     * A call that {@link #start} begins.
     *
     * @param limited whether there is a deadline
     * @throws CreoException if the arguments cannot be written, or the host refuses them
     */
    public static <A, R> LocalCall<A, R> of(Host host, Limits limits, ServiceMethod<A, R> method, A arguments, Map<String, String> metadata, long deadline,
            boolean limited) {
        byte[] body = bytes(limits, w -> CallBodies.BINARY.writeArguments(w, method, arguments));
        Host.Entry<A, R> entry = host.entry(method);
        if (entry == null) {
            throw Errors.explain(told(host.refusal(host.unknownMethod(method.id()))), method);
        }
        Reader r = new Reader(body, 0, body.length, host.limits());
        try {
            A read = CallBodies.BINARY.readArguments(r, null, host.limits(), entry.binding().method()).arguments();
            return new LocalCall<>(entry, read, metadata, deadline, limited, limits);
        } catch (CreoException e) {
            throw told(host.refusal(r.resolve(e)));
        }
    }

    /** Starts the call, unless the service refuses it. */
    public void start() {
        service().admit(this, false);
        if (method().isOneway()) {
            outcome.complete(null);
        }
    }

    /** Connects the streams of both sides, before the call starts. */
    public MethodStreams.Call<R> streams(A arguments, CallOptions options) {
        caller = method().streams().call(arguments, options, limits, service()::surely, new Carrier());
        outcome.whenComplete(caller::ended);
        return caller;
    }

    /** Ends the call with a failure of the caller. */
    public void abandon(Throwable why) {
        if (!outcome.isDone()) {
            giveUp();
            outcome.completeExceptionally(why);
        }
    }

    /** What the caller sends. */
    private final class Carrier implements MethodStreams.Carrier {
        @Override
        public void send(byte[] buffer, int from, int to, boolean last) {
            long cost = MethodStreams.cost(to - from);
            if (!service().host().memory().reserve(cost)) {
                streams().refuse(service().host().exhausted());
            } else if (!streams().arrived(Arrays.copyOfRange(buffer, from, to), last)) {
                service().host().memory().release(cost);
            }
        }

        @Override
        public void credit(int bytes) {
            streams().more(bytes);
        }

        @Override
        public void end(Throwable why) {
            abandon(why);
        }

        @Override
        public boolean hasBegun() {
            return true;
        }

        @Override
        public Answer answer() {
            return answered == null ? null : new Answer(answered, 0, List.of());
        }
    }

    @Override
    public String wire() {
        return CallBodies.BINARY.name + "+process";
    }

    @Override
    ServedStreams.Link link() {
        return new ServedStreams.Link() {
            @Override
            public void items(byte[] buffer, int from, int to) {
                caller.add(Arrays.copyOfRange(buffer, from, to));
            }

            @Override
            public void credit(int bytes) {
                caller.more(bytes);
            }
        };
    }

    /** The call's outcome. Cancelling it requires {@link #giveUp}. */
    public CompletableFuture<R> outcome() {
        return outcome;
    }

    /** The metadata of the answer; null if there is no answer. */
    public Map<String, String> answered() {
        return answered;
    }

    private static byte[] bytes(Limits limits, Body body) {
        Writer w = new Writer(256, limits);
        body.write(w);
        if (w.size() > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of " + w.size() + " bytes");
        }
        return Arrays.copyOf(w.buffer(), (int) w.size());
    }

    /** An error in the form that the other side sees. */
    private static CreoException told(CreoException e) {
        return Errors.decode(new Reader(bytes(Limits.DEFAULT, w -> ServiceErrors.encode(w, e))), PEER);
    }

    @Override
    void answer(R result) {
        complete(w -> CallBodies.BINARY.writeResult(w, method(), result), "$result", r -> outcome.complete(CallBodies.BINARY.readResult(r, null, limits, method())));
    }

    @Override
    void answerException(int index, Exception e) {
        complete(w -> CallBodies.BINARY.writeException(w, method(), index, e), "$exception",
            r -> outcome.completeExceptionally(CallBodies.BINARY.readException(r, null, limits, method())));
    }

    @Override
    public void answerError(CreoException e) {
        answered = Map.copyOf(pairs().metadata());
        outcome.completeExceptionally(told(e));
    }

    private void complete(Body body, String root, Consumer<Reader> read) {
        byte[] bytes;
        try {
            bytes = bytes(service().limits(), body);
        } catch (RuntimeException | Error e) {
            answerError(unwritable(e));
            return;
        }
        answered = Map.copyOf(pairs().metadata());
        try {
            Reader r = new Reader(bytes, 0, bytes.length, limits);
            try {
                read.accept(r);
            } catch (CreoException e) {
                throw Failures.root(r.resolve(e), root);
            }
        } catch (RuntimeException | Error e) {
            outcome.completeExceptionally(e);
        }
    }
}
