package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A method of an interface as generated code describes it, independent of wires and transports.
 *
 * <p>If its last parameter is a stream, the record of its arguments has it as its last component. A request does not contain it: {@link #arguments()} skips
 * it when it writes, and leaves it null when it reads. A client sends what {@link #stream} finds in the record; a service's side puts the stream of what
 * arrives there by {@link #withStream}, and calls the handler as any other. If the result is a stream, the type of the result is {@link Stream}, and the codec
 * of the result writes and reads nothing: a service's side sends the items of the stream that the handler returns, and then the empty response.
 *
 * @param <A> the record of its arguments
 * @param <R> its result; {@link Void} for {@code void}
 */
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

    /** The stream among the arguments. */
    private record Parameter<A, T>(Items<T> items, Function<A, Stream<T>> stream, BiFunction<A, Stream<T>, A> with) {
        @SuppressWarnings("unchecked") // The stream is one of the items of this parameter.
        A with(A arguments, Stream<?> stream) {
            return with.apply(arguments, (Stream<T>) stream);
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
    private Supplier<? extends MethodText<A, R>> text;
    private Parameter<A, ?> parameter;
    private Items<?> resultItems;

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
        parameter = from.parameter;
        resultItems = from.resultItems;
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
    public ServiceMethod<A, R> text(Supplier<? extends MethodText<A, R>> known) {
        ServiceMethod<A, R> m = new ServiceMethod<>(this, idempotent);
        m.text = Objects.requireNonNull(known, "known");
        return m;
    }

    /** The same method, calls of which a client may repeat (CALL-20). */
    public ServiceMethod<A, R> idempotent() {
        return new ServiceMethod<>(this, true);
    }

    /**
     * The same method, whose last parameter is a stream.
     *
     * @param stream the stream in a record of arguments
     * @param with a record of arguments with another stream
     */
    public <T> ServiceMethod<A, R> takes(Items<T> items, Function<A, Stream<T>> stream, BiFunction<A, Stream<T>, A> with) {
        ServiceMethod<A, R> m = new ServiceMethod<>(this, idempotent);
        m.parameter = new Parameter<>(items, stream, with);
        return m;
    }

    /** The same method, whose result is a stream of these items. */
    public ServiceMethod<A, R> gives(Items<?> items) {
        ServiceMethod<A, R> m = new ServiceMethod<>(this, idempotent);
        m.resultItems = Objects.requireNonNull(items, "items");
        return m;
    }

    /** Whether a parameter or the result is a stream. Only the binary wire carries such a method (CALL-47). */
    public boolean hasStreams() {
        return parameter != null || resultItems != null;
    }

    /** The items of the stream that the method takes, or null. */
    public Items<?> parameterItems() {
        return parameter == null ? null : parameter.items();
    }

    /** The items of the stream that the method gives, or null. */
    public Items<?> resultItems() {
        return resultItems;
    }

    /** The stream among the arguments of a method that takes one. */
    public Stream<?> stream(A given) {
        return parameter.stream().apply(given);
    }

    /** The same arguments with another stream, of the same items. */
    public A withStream(A given, Stream<?> stream) {
        return parameter.with(given, stream);
    }

    /** The error of a wire or transport that does not carry this method, which has streams (CALL-47). */
    public CreoException notCarried() {
        return Failures.notStarted(Failures.ofRuntime(ErrorCode.UNKNOWN_METHOD, this + " has streams, which only the binary wire carries: over TCP, or within a process"));
    }

    /** Whether code was generated for text wires as well. */
    public boolean hasText() {
        return text != null;
    }

    /** What text wires know of the method. */
    public MethodText<A, R> text() {
        if (hasStreams()) {
            throw notCarried();
        }
        if (text == null) {
            throw new IllegalStateException("the code of " + this + " was generated for the binary wire alone: generate it again");
        }
        return text.get();
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
