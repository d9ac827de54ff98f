package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.MethodStreams;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A method of an interface as generated code describes it, independent of wires and transports.
 *
 * @param <A> the record of its arguments
 * @param <R> its result; {@link Void} for {@code void}
 */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class ServiceMethod<A, R> {
    /**
     * An exception that a method declares.
     *
     * @param type its class
     * @param codec how it is written and read
     */
    public record Thrown<E extends Exception>(Class<E> type, Codec<E> codec) {
        public void encode(Writer w, Exception e) {
            codec.encode(w, type.cast(e));
        }
    }

    /** What text wires know of a method. Only they use it; code for the binary wire alone has none. */
    public interface Text<A, R> {
        /** The items of the only stream as lines; null if HTTP does not carry the method's streams. */
        default MethodStreams.Lines lines() {
            return null;
        }
    }

    private final ServiceInterface owner;
    private final String name;
    private final long id;
    private final boolean oneway;
    private final boolean idempotent;
    private final Codec<A> arguments;
    private final Codec<R> result;
    private final List<Thrown<?>> exceptions;
    private Supplier<? extends Text<A, R>> text;
    /** Null if the method has none. */
    private MethodStreams<A, R> streams;
    private List<String> secrets = List.of();

    private ServiceMethod(ServiceInterface owner, String name, long id, boolean oneway, boolean idempotent, Codec<A> arguments, Codec<R> result,
            List<Thrown<?>> exceptions) {
        this.owner = owner;
        this.name = name;
        this.id = id;
        this.oneway = oneway;
        this.idempotent = idempotent;
        this.arguments = arguments;
        this.result = result;
        this.exceptions = exceptions;
    }

    private ServiceMethod(ServiceMethod<A, R> from, boolean idempotent) {
        this(from.owner, from.name, from.id, from.oneway, idempotent, from.arguments, from.result, from.exceptions);
        text = from.text;
        streams = from.streams;
        secrets = from.secrets;
    }

    /** A method with an answer. */
    public static <A, R> ServiceMethod<A, R> of(ServiceInterface owner, String name, long id, Codec<A> arguments, Codec<R> result, Thrown<?>... exceptions) {
        return new ServiceMethod<>(owner, name, id, false, false, arguments, result, List.of(exceptions));
    }

    /** A method without an answer. */
    public static <A> ServiceMethod<A, Void> oneway(ServiceInterface owner, String name, long id, Codec<A> arguments) {
        return new ServiceMethod<>(owner, name, id, true, false, arguments, Codec.nothing(), List.of());
    }

    /** The same method for text wires as well. They ask the supplier when they first need it. */
    public ServiceMethod<A, R> text(Supplier<? extends Text<A, R>> known) {
        ServiceMethod<A, R> m = new ServiceMethod<>(this, idempotent);
        m.text = Objects.requireNonNull(known, "known");
        return m;
    }

    /** The same method, calls of which a client may repeat (CALL-20). */
    public ServiceMethod<A, R> idempotent() {
        return new ServiceMethod<>(this, true);
    }

    /** The same method, with the names that secrets have in its messages (CALL-65); {@code *}: one has no name of its own. */
    public ServiceMethod<A, R> secrets(String... names) {
        ServiceMethod<A, R> m = new ServiceMethod<>(this, idempotent);
        m.secrets = List.of(names);
        return m;
    }

    /** The names that secrets have in its messages. */
    public List<String> secrets() {
        return secrets;
    }

    /** The same method, whose last parameter, result or both are streams. */
    public ServiceMethod<A, R> streams(MethodStreams<A, R> known) {
        ServiceMethod<A, R> m = new ServiceMethod<>(this, idempotent);
        m.streams = Objects.requireNonNull(known, "known");
        return m;
    }

    /** Whether a parameter or the result is a stream. Only some wires carry such a method (CALL-47). */
    public boolean hasStreams() {
        return streams != null;
    }

    /** Whether the result is a stream. */
    public boolean givesStream() {
        return streams != null && streams.gives();
    }

    /**
     * The method's streams.
     *
     * @throws IllegalArgumentException if it has none
     */
    public MethodStreams<A, R> streams() {
        if (streams == null) {
            throw new IllegalArgumentException(this + " has no streams");
        }
        return streams;
    }

    /** What the caller gets for a call with streams that fails before it began: the stream among its arguments is closed. */
    public CompletableFuture<R> refused(A given, Throwable why) {
        if (streams != null) {
            streams.close(given);
        }
        return CompletableFuture.failedFuture(why);
    }

    /** The error of a wire or transport that does not carry this method, which has streams (CALL-47). */
    public CreoException notCarried() {
        boolean both = streams != null && streams.takes() && streams.gives();
        return Failures.notStarted(Failures.ofRuntime(ErrorCode.UNKNOWN_METHOD, this + (both
            ? " has two streams, which only the binary wire carries: over TCP, or within a process"
            : " has streams, which are carried by the binary wire over TCP, as results also over JMS, and by json over HTTP, if the code has that wire")));
    }

    /** Whether code was generated for text wires as well. */
    public boolean hasText() {
        return text != null;
    }

    /** What text wires know of the method; of one with streams, only the json wire asks. */
    public Text<A, R> text() {
        if (text == null && hasStreams()) {
            throw notCarried();
        }
        if (text == null) {
            throw new IllegalStateException("the code of " + this + " was generated for the binary wire alone: generate it again");
        }
        return text.get();
    }

    /** How the items of the only stream travel over HTTP; null if they do not (CALL-47). */
    public MethodStreams.Lines lines() {
        return text == null ? null : text.get().lines();
    }

    /** The interface that declares the method. */
    public ServiceInterface owner() {
        return owner;
    }

    /** The method's name in the description. */
    public String name() {
        return name;
    }

    /** The method's id (MODEL-4). */
    public long id() {
        return id;
    }

    /** Whether the method has no answer. */
    public boolean isOneway() {
        return oneway;
    }

    /** Whether a client may repeat a call (CALL-20). */
    public boolean isIdempotent() {
        return idempotent;
    }

    /** How the arguments are written and read. */
    public Codec<A> arguments() {
        return arguments;
    }

    /** How the result is written and read. */
    public Codec<R> result() {
        return result;
    }

    /** The declared exceptions, in declared order. */
    public List<Thrown<?>> exceptions() {
        return exceptions;
    }

    /** The index of the declared exception type of {@code e}, or -1. */
    public int indexOf(Throwable e) {
        for (int i = 0; i < exceptions.size(); i++) {
            if (exceptions.get(i).type().isInstance(e)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return owner.name() + "." + name;
    }
}
