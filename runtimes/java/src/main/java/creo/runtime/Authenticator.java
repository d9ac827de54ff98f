package creo.runtime;

import java.security.Principal;

/** Identifies the caller, before the method runs and on its thread. */
@FunctionalInterface
public interface Authenticator {
    /**
     * Identifies the caller by its metadata (such as {@code authorization}) or its address; null means anonymous.
     *
     * @throws CreoException {@link ErrorCode#UNAUTHENTICATED} or {@link ErrorCode#PERMISSION_DENIED} to refuse the call
     */
    Principal authenticate(CallContext call);
}
