package creo.runtime;

/**
 * The passwords of those who may call a service by SOAP with a {@code UsernameToken}: {@link Endpoint#withPasswords} takes it. Called by many threads at
 * once.
 */
@FunctionalInterface
public interface PasswordSource {
    /** The password of a user, or null if there is no such user. */
    @Nullable String passwordOf(String user);
}
