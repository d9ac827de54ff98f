package creo.runtime.internal.call;

import creo.runtime.ClientOptions;
import creo.runtime.Nullable;

/** The options of a client that transports read and users do not. {@link ClientOptions} hands over the access to its own members. */
public final class ClientAccess {
    /** The members of {@link ClientOptions} that are not for users. */
    public interface Access {
        String proxyAuthorization(ClientOptions options);

        @Nullable Boolean soapVersion12(ClientOptions options);
    }

    private static Access access;

    private ClientAccess() {}

    /** Called once, by the class whose members these are. */
    public static void open(Access own) {
        if (access != null) {
            throw new IllegalStateException("open already");
        }
        access = own;
    }

    /** What the proxy is told to let the client in, or null. */
    public static String proxyAuthorization(ClientOptions options) {
        return access.proxyAuthorization(options);
    }

    /** Whether SOAP 1.2 is spoken, or null where the description says it. */
    public static @Nullable Boolean soapVersion12(ClientOptions options) {
        return access.soapVersion12(options);
    }
}
