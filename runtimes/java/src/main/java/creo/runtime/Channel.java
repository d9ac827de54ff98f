package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.call.Interception;
import java.util.concurrent.CompletableFuture;

/** Sends the calls of generated clients to a service, over any wire and transport. Safe for use by many threads. */
public interface Channel extends AutoCloseable {
    /** How calls are repeated: a {@code RetryPolicy}, which a copied runtime has with {@code --with retries}. */
    interface Retries {
        /** A channel that makes its calls over this one, and repeats them. They share one budget. Closing it closes this one. */
        Channel over(Channel channel);
    }

    /**
     * Calls and waits for the answer.
     *
     * @throws CreoException if the call fails
     * @throws Exception if the method throws an exception that it declares
     */
    <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions options) throws Exception;

    /**
     * Calls; the future completes with the answer, a {@link CreoException}, or an exception that the method declares. Cancelling the future cancels
     * the call.
     */
    <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions options);

    /**
     * Calls a method with streams (CALL-40 to CALL-47). The future completes with the result or, if that is a stream, when the request was sent: then the
     * operations of the stream wait for its items, and throw what the call fails with. The channel takes the items of a stream among the arguments on a thread
     * of its own, and closes that stream when the call has ended. Without a deadline in the options, there is none. By default a channel carries no streams.
     */
    default <A, R> CompletableFuture<R> stream(ServiceMethod<A, R> method, A arguments, CallOptions options) {
        return method.refused(arguments, method.notCarried());
    }

    /**
     * The same channel with interceptors before those it has, in their order: they see each call that is made through what this returns, with the options of
     * the call alone. A channel whose {@link ClientOptions} have them shows what these add, too.
     */
    default Channel intercepted(Interceptor... interceptors) {
        return Interception.of(this, interceptors);
    }

    /**
     * The same channel, which repeats calls that fail (CALL-20 to CALL-27). Interceptors that it has see each attempt; those that are added to what this
     * returns see the call once, as those of the same {@link ClientOptions#withRetry} do. The calls that are made through what this returns share one budget.
     */
    default Channel retrying(Retries policy) {
        return policy.over(this);
    }

    /** Ends the calls in progress and releases the connections. */
    @Override
    void close();
}
