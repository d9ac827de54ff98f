package creo.runtime.codegen;

/**
 * What text wires know of a method. Only they look into it: code for the binary wire carries it along, or has none.
 *
 * @param <A> the record of the method's arguments
 * @param <R> its result
 */
public interface MethodText<A, R> {}
