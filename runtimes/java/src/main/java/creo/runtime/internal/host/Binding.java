package creo.runtime.internal.host;

import creo.runtime.Endpoint;
import creo.runtime.codegen.ServiceMethod;

/** A method with its handler; one of the two is null. */
public record Binding<A, R>(ServiceMethod<A, R> method, Endpoint.Handler<A, R> handler, Endpoint.AsyncHandler<A, R> asyncHandler) {}
