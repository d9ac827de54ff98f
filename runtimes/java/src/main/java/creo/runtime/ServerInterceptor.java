package creo.runtime;

/**
 * Code of the program that runs at the beginning and at the end of each call that a server runs, to answer metadata, refuse, log, measure or trace
 * ({@code spec/calls.md}): {@link Server.Builder#interceptor}. Called by many threads.
 */
@FunctionalInterface
public interface ServerInterceptor {
    /**
     * A call begins: it is known who calls, and its method runs next, on this thread.
     *
     * @return what runs when the method leaves this thread ({@link Interceptor.End#leaveThread}) and at the end, or null; until the latter returns, it may
     *     set the metadata and headers of the answer
     * @throws CreoException to refuse the call, which is answered with this error
     */
    Interceptor.End serving(CallContext call);
}
