package creo.runtime;

/** The passwords of callers that use SOAP with a {@code UsernameToken}; see {@link Endpoint#withPasswords}. Called by many threads at once. */
@FunctionalInterface
public interface PasswordSource {
    /** The password of a user, or null if there is no such user. */
    @Nullable String passwordOf(String user);
}
