package creo.runtime;

import java.util.concurrent.CompletableFuture;

/** A way to a service: what generated clients send their calls through, whatever the wire and the transport are. Safe for many threads. */
public interface Channel extends AutoCloseable {
    /**
     * Calls and waits for the answer.
     *
     * @throws CreoException when the call fails
     * @throws Exception one that the method declares
     */
    <A, R> R call(ServiceMethod<A, R> method, A arguments, CallOptions options) throws Exception;

    /**
     * Calls; the future completes with the answer, a {@link CreoException}, or an exception that the method declares. To cancel the
     * future cancels the call.
     */
    <A, R> CompletableFuture<R> callAsync(ServiceMethod<A, R> method, A arguments, CallOptions options);

    /** Ends the calls that are under way and gives the connections back. */
    @Override
    void close();

    /** A channel over TCP, or TLS when the options have a context for it. It connects with the first call. */
    static Channel tcp(String host, int port, ClientOptions options) {
        return new TcpChannel(host, port, options);
    }

    /**
     * A channel of SOAP over HTTP, or HTTPS, to the service at a URL such as {@code http://host:8080/DataService}. With the options' context
     * for TLS, or that of the JDK, for {@code https}.
     */
    static Channel soap(String url, ClientOptions options) {
        return new HttpChannel(url, options, new SoapCalls(options));
    }

    /** A channel of JSON over HTTP, or HTTPS, to the service at a URL such as {@code http://host:8080/DataService}. */
    static Channel json(String url, ClientOptions options) {
        return new HttpChannel(url, options, new JsonCalls(options));
    }

    /** A channel of tables over HTTP, or HTTPS, without SOAP; with SOAP it is {@link #soap} with {@link ClientOptions#withTables}. */
    static Channel tdxml(String url, ClientOptions options) {
        return new HttpChannel(url, options, new TableCalls(options));
    }
}
