package creo.runtime.codegen;

/**
 * What text wires know of a method. Only they use it; code for the binary wire alone has none.
 *
 * @param <A> the record of the method's arguments
 * @param <R> its result
 */
public interface MethodText<A, R> {}
