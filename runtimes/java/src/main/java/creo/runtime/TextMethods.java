package creo.runtime;

/** Finds what text wires know of a method. */
final class TextMethods {
    private TextMethods() {}

    /**
     * What text wires know of a method.
     *
     * @throws IllegalStateException when its code was generated for the binary wire alone
     */
    static <A, R> TextMethod<A, R> of(ServiceMethod<A, R> method) {
        return (TextMethod<A, R>) method.text();
    }
}
