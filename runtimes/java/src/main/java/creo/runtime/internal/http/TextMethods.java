package creo.runtime.internal.http;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextMethod;

/** Finds what text wires know of a method. */
public final class TextMethods {
    private TextMethods() {}

    /**
     * What text wires know of a method.
     *
     * @throws IllegalStateException if its code was generated for the binary wire alone
     */
    public static <A, R> TextMethod<A, R> of(ServiceMethod<A, R> method) {
        return (TextMethod<A, R>) method.text();
    }
}
