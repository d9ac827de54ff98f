package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Headers that a user adds to requests (HTTP-24). Maps of them ignore the case of names. */
public final class HttpHeaders {
    private static final int MAX_NAME = 64;
    private static final int MAX_CREDENTIAL = 1_024;
    private static final int MAX_TOKEN = 8_192;
    /** The names reserved for framing or the wire, in lower case. */
    private static final Set<String> OWNED = Set.of("accept-encoding", "connection", "expect", "host", "keep-alive", "mime-version", "soapaction", "te", "trailer",
        "transfer-encoding", "upgrade");

    private HttpHeaders() {}

    /** A copy with a header added or replaced. */
    public static Map<String, String> with(Map<String, String> headers, String name, String value) {
        check(name, value);
        return join(headers, Map.of(name, value));
    }

    /** Merges two sets; the second one wins. */
    public static Map<String, String> join(Map<String, String> headers, Map<String, String> more) {
        if (headers.isEmpty() || more.isEmpty()) {
            return headers.isEmpty() && !more.isEmpty() ? copy(more) : headers;
        }
        Map<String, String> all = copy(headers);
        // A map keeps the first spelling of a name.
        more.keySet().forEach(all::remove);
        all.putAll(more);
        return Collections.unmodifiableMap(all);
    }

    private static Map<String, String> copy(Map<String, String> headers) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        return all;
    }

    /** The value of {@code Authorization} for a user (HTTP-46). */
    public static String basic(String user, String password) {
        checkCredentials(user, password);
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Fails unless a user and a password can be sent (HTTP-46). */
    public static void checkCredentials(String user, String password) {
        if (!isCredential(user) || !isCredential(password) || user.indexOf(':') >= 0) {
            throw new IllegalArgumentException("a user and a password have at most " + MAX_CREDENTIAL + " characters and no control characters, and a user no colon");
        }
    }

    private static boolean isCredential(String text) {
        return text.codePointCount(0, text.length()) <= MAX_CREDENTIAL && text.codePoints().noneMatch(c -> Character.isISOControl(c) || c >= 0xd800 && c <= 0xdfff);
    }

    /** The value of {@code Authorization} for a token (HTTP-47). */
    public static String bearer(String token) {
        if (token.length() > MAX_TOKEN || !token.matches("[A-Za-z0-9._~+/-]+=*")) {
            throw new IllegalArgumentException("a bearer token is 1 to 8,192 letters, digits and -._~+/, with = at its end");
        }
        return "Bearer " + token;
    }

    /** Fails unless a service may give the header to an answer (HTTP-26). */
    public static void checkOfAnswer(String name, String value) {
        check(name, value);
        String small = name.toLowerCase(Locale.ROOT);
        if (small.startsWith("access-control-") || small.equals("allow") || small.equals("date")) {
            throw owned(name);
        }
    }

    private static CreoException owned(String name) {
        return CreoException.invalid("the header " + name + ", which is the transport's own");
    }

    private static void check(String name, String value) {
        if (name == null || name.isEmpty() || name.length() > MAX_NAME || !name.chars().allMatch(HttpHeaders::isToken)) {
            throw CreoException.invalid("a header of the name " + (name == null ? "null" : '"' + CreoException.shown(name) + '"')
                + ": a name has 1 to 64 characters of a token, such as X-Api-Key");
        }
        String small = name.toLowerCase(Locale.ROOT);
        if (OWNED.contains(small) || small.startsWith("content-") || small.startsWith("creo-") || small.startsWith("proxy-")) {
            throw owned(name);
        }
        if (value == null || value.isEmpty() || !value.equals(value.strip()) || !value.chars().allMatch(c -> c >= 0x20 && c < 0x7f || c == '\t')) {
            throw CreoException.invalid("a value of the header " + name + " that is not printable ASCII, or has spaces around it, or is empty");
        }
    }

    /** Whether the character is allowed in a token (RFC 9110, section 5.6.2). */
    private static boolean isToken(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }
}
