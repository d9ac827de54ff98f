package creo.runtime.internal.call;

import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel whose calls end as a test says. */
final class ScriptedChannel implements Channel {
    /** An exception that a method declares. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** How a call ends: with a result, by throwing, or later if it gives a future. */
    interface Script {
        Object call(int number, CallOptions options) throws Exception;
    }

    private static final ServiceInterface LEDGER = new ServiceInterface("test.Ledger", 7);
    private static final Codec<Integer> INT = Codec.of(Writer::writeInt, Reader::readInt);
    private static final Codec<Refused> REFUSED = Codec.of((w, e) -> { }, r -> new Refused());
    static final ServiceMethod<Integer, Integer> BOOK = ServiceMethod.of(LEDGER, "book", 1, INT, INT, new ServiceMethod.Thrown<>(Refused.class, REFUSED));
    static final ServiceMethod<Integer, Integer> LOOK = ServiceMethod.of(LEDGER, "look", 2, INT, INT).idempotent();

    private final Script script;
    private final AtomicInteger calls = new AtomicInteger();
    final List<CallOptions> seen = new CopyOnWriteArrayList<>();
    volatile boolean closed;

    /** @param script is given the number of the call, from 1 on */
    ScriptedChannel(Script script) {
        this.script = script;
    }

    /** Fails the first calls with this error, and then answers. */
    static ScriptedChannel failing(int times, CreoException e) {
        return new ScriptedChannel((number, options) -> {
            if (number <= times) {
                throw e;
            }
            return number;
        });
    }

    /** An error that a client has found. */
    static CreoException own(ErrorCode code) {
        return Failures.ofRuntime(code, code + " here");
    }

    /** An error that a client has found before it sent anything. */
    static CreoException unsent(ErrorCode code) {
        return Failures.notStarted(own(code));
    }

    /** An error of the peer, with these details: each key before its value. */
    static CreoException ofPeer(ErrorCode code, String... details) {
        CreoException e = Failures.ofPeer(code, code + " there", Map.of());
        for (int i = 0; i < details.length; i += 2) {
            e = Failures.with(e, details[i], details[i + 1]);
        }
        return e;
    }

    /** The number of calls until now. */
    int calls() {
        return calls.get();
    }

    @Override
    public <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions options) throws Exception {
        try {
            return this.<R>begin(options).get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    @Override
    public <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions options) {
        return begin(options);
    }

    @SuppressWarnings("unchecked") // The script gives what the method has as its result.
    private <R> CompletableFuture<R> begin(CallOptions options) {
        seen.add(options);
        try {
            Object end = script.call(calls.incrementAndGet(), options);
            return end instanceof CompletableFuture<?> later ? (CompletableFuture<R>) later : CompletableFuture.completedFuture((R) end);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
