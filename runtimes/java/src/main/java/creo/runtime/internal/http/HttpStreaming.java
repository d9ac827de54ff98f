package creo.runtime.internal.http;

import creo.runtime.CallOptions;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.call.MethodStreams;
import java.util.concurrent.CompletableFuture;

/** Makes a client's calls with a stream over HTTP. What implements this is a part that only descriptions with streams need. */
public interface HttpStreaming extends MethodStreams.Lines {
    /** Makes a call through a channel: {@link creo.runtime.Channel#stream}. */
    <A, R> CompletableFuture<R> stream(HttpChannel channel, ServiceMethod<A, R> method, A arguments, CallOptions options);
}
