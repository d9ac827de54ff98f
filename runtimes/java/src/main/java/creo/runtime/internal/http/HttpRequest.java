package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.Version;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A client's POST, except for the parts known only when it is sent: the form of its target, and the remaining time.
 *
 * @param target the destination
 * @param own fields for the client's origin alone, each with its CR LF
 * @param fields of the wire, each with its CR LF
 * @param open whether the body has further chunks, which follow later
 */
public record HttpRequest(Target target, String own, String fields, byte[] body, boolean open) {
    static final String USER_AGENT = "User-Agent: creo/" + Version.RUNTIME + "\r\n";

    /**
     * The beginning of every request to a destination.
     *
     * @param direct request line and fields of a request to the service itself
     * @param proxied the same for a proxy, which needs the whole URL
     */
    public record Target(byte[] direct, byte[] proxied) {
        public static Target of(URI uri, HttpProxy proxy) {
            URI ascii = URI.create(uri.toASCIIString());
            String host = ascii.getHost() + (ascii.getPort() < 0 ? "" : ":" + ascii.getPort());
            String path = path(uri);
            String fields = " HTTP/1.1\r\nHost: " + host + "\r\n";
            return new Target(bytes("POST " + path + fields), bytes("POST http://" + host + path + fields + proxy.fields()));
        }

        /** Path and query of a request to a URI. */
        static String path(URI uri) {
            URI ascii = URI.create(uri.toASCIIString());
            return (ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath()) + (ascii.getRawQuery() == null ? "" : "?" + ascii.getRawQuery());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Collects the fields of a request. */
    public static final class Fields {
        private final StringBuilder text = new StringBuilder(160);

        /** Adds a complete line with its CR LF. */
        Fields line(String line) {
            text.append(line);
            return this;
        }

        public Fields add(String name, String value) {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c < 0x20 || c == 0x7f) {
                    throw CreoException.invalid("a header field " + name + " with a control character");
                }
            }
            text.append(name).append(": ").append(value).append("\r\n");
            return this;
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    /** All fields, each with its CR LF. */
    String lines() {
        return own + fields;
    }

    HttpRequest withOwn(String changed) {
        return new HttpRequest(target, changed, fields, body, open);
    }

    HttpRequest to(Target changed) {
        return new HttpRequest(changed, own, fields, body, open);
    }

    /** The head, with the milliseconds left for the call. */
    byte[] head(boolean proxied, int milliseconds) {
        byte[] begin = proxied ? target.proxied() : target.direct();
        byte[] rest = bytes(own + fields + HttpMetadata.TIMEOUT + ": " + Math.min(milliseconds, 999_999_999) + "\r\n" + (open ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length) + "\r\n\r\n");
        byte[] head = new byte[begin.length + rest.length];
        System.arraycopy(begin, 0, head, 0, begin.length);
        System.arraycopy(rest, 0, head, begin.length, rest.length);
        return head;
    }
}
