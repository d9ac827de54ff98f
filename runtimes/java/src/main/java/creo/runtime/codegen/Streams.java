package creo.runtime.codegen;

import creo.runtime.CallOptions;
import creo.runtime.Limits;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.call.StreamAttempts;
import creo.runtime.internal.call.StreamCall;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The streams of a method: {@link ServiceMethod#streams}.
 *
 * <p>If its last parameter is a stream, the record of its arguments has it as its last component. A request does not contain it: {@link
 * ServiceMethod#arguments} skips it when it writes, and leaves it null when it reads. A client sends what {@link #stream} finds in the record; a service's
 * side puts the stream of what arrives there by {@link #withStream}, and calls the handler as any other. If the result is a stream, the type of the result is
 * {@link Stream}, and the codec of the result writes and reads nothing: a service's side sends the items of the stream that the handler returns, and then the
 * empty response.
 */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class Streams<A, R> implements MethodStreams<A, R> {
    /** The stream among the arguments. */
    private record Parameter<A, T>(Items<T> items, Function<A, Stream<T>> stream, BiFunction<A, Stream<T>, A> with) {
        @SuppressWarnings("unchecked") // The stream is one of the items of this parameter.
        A with(A arguments, Stream<?> stream) {
            return with.apply(arguments, (Stream<T>) stream);
        }
    }

    private final Parameter<A, ?> parameter;
    private final Items<?> result;

    private Streams(Parameter<A, ?> parameter, Items<?> result) {
        this.parameter = parameter;
        this.result = result;
    }

    /**
     * Of a method whose last parameter is a stream.
     *
     * @param stream the stream in a record of arguments
     * @param with a record of arguments with another stream
     */
    public static <A, T, R> Streams<A, R> taking(Items<T> items, Function<A, Stream<T>> stream, BiFunction<A, Stream<T>, A> with) {
        return new Streams<>(new Parameter<>(items, stream, with), null);
    }

    /** Of a method whose result is a stream. */
    public static <A, R> Streams<A, R> giving(Items<?> items) {
        return new Streams<>(null, Objects.requireNonNull(items, "items"));
    }

    /** Of a method whose last parameter and result are streams: as {@link #taking}, and the items of the result. */
    public static <A, T, R> Streams<A, R> both(Items<T> items, Function<A, Stream<T>> stream, BiFunction<A, Stream<T>, A> with, Items<?> given) {
        return new Streams<>(new Parameter<>(items, stream, with), Objects.requireNonNull(given, "given"));
    }

    /** The items of the stream that the method takes, or null. */
    public Items<?> parameterItems() {
        return parameter == null ? null : parameter.items();
    }

    /** The items of the stream that the method gives, or null. */
    public Items<?> resultItems() {
        return result;
    }

    /** The stream among the arguments of a method that takes one. */
    public Stream<?> stream(A given) {
        return parameter.stream().apply(given);
    }

    /** The same arguments with another stream, of the same items. */
    public A withStream(A given, Stream<?> stream) {
        return parameter.with(given, stream);
    }

    @Override
    public boolean takes() {
        return parameter != null;
    }

    @Override
    public boolean gives() {
        return result != null;
    }

    @Override
    public void close(A arguments) {
        if (parameter != null) {
            StreamCall.close(stream(arguments));
        }
    }

    @Override
    public Call<R> call(A arguments, CallOptions options, Limits limits, Executor threads, Carrier carrier) {
        return new StreamCall<>(this, arguments, options, limits, threads, carrier, null);
    }

    @Override
    public CompletableFuture<R> attempt(Attempts attempts, ServiceMethod<A, R> method, A arguments) {
        return new StreamAttempts<>(attempts, method, this, arguments).begin();
    }
}
