package creo.runtime;

import java.security.Principal;

/** Finds out who calls, before the method runs and on its thread. */
@FunctionalInterface
public interface Authenticator {
    /**
     * Who makes the call, by its metadata (such as {@code authorization}) or its peer; null for nobody in particular.
     *
     * @throws CreoException {@link ErrorCode#UNAUTHENTICATED} or {@link ErrorCode#PERMISSION_DENIED} to refuse the call
     */
    Principal authenticate(CallContext call);
}
