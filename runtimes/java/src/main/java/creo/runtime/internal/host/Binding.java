package creo.runtime.internal.host;

import creo.runtime.Endpoint;
import creo.runtime.codegen.ServiceMethod;

/**
 * A method with its handler; one of the two is null.
 *
 * @param streams makes the streams of its calls; null if the method has none
 */
public record Binding<A, R>(ServiceMethod<A, R> method, Endpoint.Handler<A, R> handler, Endpoint.AsyncHandler<A, R> asyncHandler, ServedStreams.Maker streams) {}
