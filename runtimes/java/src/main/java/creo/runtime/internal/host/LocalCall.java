package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.http.ServiceErrors;
import java.util.Arrays;
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

    private LocalCall(Host.Entry<A, R> entry, A arguments, Map<String, String> metadata, long deadline, Limits limits) {
        super(entry, arguments, metadata, new Caller(PEER, null, null, null), deadline, true);
        this.limits = limits;
    }

    /**
     * A call that {@link #start} begins.
     *
     * @throws CreoException if the arguments cannot be written, or the host refuses them
     */
    public static <A, R> LocalCall<A, R> of(Host host, Limits limits, ServiceMethod<A, R> method, A arguments, Map<String, String> metadata, long deadline) {
        byte[] body = bytes(limits, w -> CallBodies.BINARY.writeArguments(w, method, arguments));
        Host.Entry<A, R> entry = host.entry(method);
        if (entry == null) {
            throw Errors.explain(told(host.refusal(host.unknownMethod(method.id()))), method);
        }
        Reader r = new Reader(body, 0, body.length, host.limits());
        try {
            A read = CallBodies.BINARY.readArguments(r, null, host.limits(), entry.binding().method()).arguments();
            return new LocalCall<>(entry, read, metadata, deadline, limits);
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
