package creo.runtime.internal.call;

import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.Nullable;

/** Client options that transports read and users do not. {@link ClientOptions} grants the access to its members. */
public final class ClientAccess {
    /** The members of {@link ClientOptions} that are not for users. */
    public interface Access {
        String proxyAuthorization(ClientOptions options);

        Soap soap(ClientOptions options);

        CallOptions joined(ClientOptions options, CallOptions call);
    }

    /**
     * A client's settings for SOAP.
     *
     * @param soap12 whether to use SOAP 1.2, or null to follow the description
     * @param addressing whether requests have WS-Addressing headers, or null to follow the description
     * @param user the caller, or null
     * @param digest whether the password is sent as a digest
     * @param timestamp whether requests contain a timestamp
     * @param lenient whether answers are read leniently (XML-50)
     */
    public record Soap(@Nullable Boolean soap12, @Nullable Boolean addressing, @Nullable String user, String password, boolean digest, boolean timestamp, boolean lenient) {
        public static final Soap UNTOLD = new Soap(null, null, null, "", false, false, false);

        /** Omits the password. */
        @Override
        public String toString() {
            return "Soap[user=" + user + "]";
        }
    }

    private static final int MAX_CREDENTIAL = 1_024;
    private static Access access;

    private ClientAccess() {}

    /** Called once, by the class that has the members. */
    public static void open(Access own) {
        if (access != null) {
            throw new IllegalStateException("open already");
        }
        access = own;
    }

    /** The credentials for the proxy, or null. */
    public static String proxyAuthorization(ClientOptions options) {
        return access.proxyAuthorization(options);
    }

    public static Soap soap(ClientOptions options) {
        return access.soap(options);
    }

    /** What a call is made with: the options of its client, and before them its own. */
    static CallOptions joined(ClientOptions options, CallOptions call) {
        return access.joined(options, call);
    }

    /** Checks that XML can hold a user's name or password (SOAP-51). The error does not show it. */
    public static String credential(String text) {
        boolean fits = text != null && !text.isEmpty() && text.codePointCount(0, text.length()) <= MAX_CREDENTIAL;
        if (!fits || !text.codePoints().allMatch(c -> c >= 0x20 && (c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff || c == '\t' || c == '\n' || c == '\r')) {
            throw CreoException.invalid("a user or a password of a token is empty, longer than " + MAX_CREDENTIAL + " characters, or holds a character that XML does not have");
        }
        return text;
    }
}
