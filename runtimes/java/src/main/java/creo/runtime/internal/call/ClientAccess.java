package creo.runtime.internal.call;

import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.ClientSecurity;
import creo.runtime.CreoException;
import creo.runtime.Nullable;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Client options that transports read and users do not. {@link ClientOptions} grants the access to its members. */
public final class ClientAccess {
    /** The members of {@link ClientOptions} that are not for users. */
    public interface Access {
        String proxyAuthorization(ClientOptions options);

        String authorization(ClientOptions options);

        Login login(ClientOptions options);

        Soap soap(ClientOptions options);

        CallOptions joined(ClientOptions options, CallOptions call);
    }

    /** A user and a password, which its text does not show. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login";
        }
    }

    /** A client's settings for SOAP. They change in {@link #with} alone. */
    public static final class Soap implements Cloneable {
        public static final Soap DEFAULT = new Soap();

        /** Whether to use SOAP 1.2, or null to follow the description. */
        @Nullable public Boolean soap12;
        /** Whether requests have WS-Addressing headers, or null to follow the description. */
        @Nullable public Boolean addressing;
        /** The caller, or null. */
        @Nullable public String user;
        public String password = "";
        /** Whether the password is sent as a digest. */
        public boolean digest;
        public boolean timestamp;
        /** The security of messages, or null (SOAP-80). */
        @Nullable public ClientSecurity security;
        /** Whether answers are read leniently (XML-50). */
        public boolean lenient;
        /** The header elements of answers that need not be understood (SOAP-25), each {@code {namespace}name}. */
        public Set<String> understood = Set.of();

        private Soap() {}

        /** A changed copy. */
        public Soap with(Consumer<Soap> change) {
            try {
                Soap copy = (Soap) clone();
                change.accept(copy);
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
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

    /** The value of {@code Authorization} for the service, or null. */
    public static String authorization(ClientOptions options) {
        return access.authorization(options);
    }

    /** What the service is shown by a digest, or null. */
    public static Login login(ClientOptions options) {
        return access.login(options);
    }

    public static Soap soap(ClientOptions options) {
        return access.soap(options);
    }

    /** What a call is made with: the options of its client, and before them its own. */
    static CallOptions joined(ClientOptions options, CallOptions call) {
        return access.joined(options, call);
    }

    /** Adds names of SOAP header elements that a program takes as understood (SOAP-25): each {@code {namespace}name}, or {@code name} without one. */
    public static Set<String> understood(Set<String> known, String... names) {
        Set<String> all = new HashSet<>(known);
        for (String name : names) {
            if (!name.matches("(\\{[^{}\\s]+\\})?[^{}\\s:]+")) {
                throw new IllegalArgumentException("a header element is {namespace}name, not " + CreoException.shown(name));
            }
            all.add(name);
        }
        return Set.copyOf(all);
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
