package creo.runtime;

/** The base class of all exceptions declared in a description. Every other error of a call is a {@link CreoException}. */
public abstract class DeclaredException extends Exception {
    private static final long serialVersionUID = 1L;

    /** For generated code. */
    protected DeclaredException(@Nullable Throwable cause) {
        super(null, cause);
    }
}
