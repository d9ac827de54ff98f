package creo.runtime;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The head of a request: its line and its fields, checked by the rules of RFC 9112, sections 3, 5 and 6. */
final class HttpRequestHead {
    private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    /** Characters of a request target besides letters and digits. */
    private static final String TARGET = "-._~:/?[]@!$&'()*+,;=%";
    private static final String AUTHORITY = "-._~:[]@!$&'()*+,;=%";
    private static final int MAX_LENGTH_DIGITS = 18;
    private static final int MAX_METHOD = 32;

    private final byte[] b;
    private final HttpFields fields;
    private String method;
    private String target;
    private String path;
    private String query;
    private String authority;
    private int minorVersion;
    private long contentLength = -1;
    private boolean chunked;

    /**
     * Reads a head.
     *
     * @param b its lines, each with its CR LF, without the empty one
     */
    HttpRequestHead(byte[] b, int maxFields) throws HttpFault {
        this.b = b;
        this.fields = new HttpFields(b);
        int end = lineEnd(0);
        readLine(end);
        for (int p = end + 2; p < b.length; p = end + 2) {
            end = lineEnd(p);
            fields.add(p, end, maxFields);
        }
        checkHost();
        readFraming();
        String expect = fields.first("expect");
        if (expect != null && minorVersion == 1 && !expect.equalsIgnoreCase("100-continue")) {
            throw new HttpFault(417, "nothing but 100-continue can be expected");
        }
    }

    private int lineEnd(int p) {
        while (b[p] != '\r') {
            p++;
        }
        return p;
    }

    private void readLine(int end) throws HttpFault {
        int space = 0;
        while (space < end && HttpFields.isToken(b[space])) {
            space++;
        }
        if (space == 0 || space > MAX_METHOD || space == end || b[space] != ' ') {
            throw new HttpFault(400, "a request line that does not begin with a method");
        }
        int version = end - 8;
        if (version <= space + 1 || b[version - 1] != ' ') {
            throw new HttpFault(400, "a request line that is not a method, a target and a version");
        }
        for (int i = 0; i < VERSION.length; i++) {
            if (b[version + i] != VERSION[i]) {
                throw new HttpFault(400, "a version other than HTTP/1.0 and HTTP/1.1");
            }
        }
        minorVersion = b[end - 1] - '0';
        if (minorVersion < 0 || minorVersion > 1) {
            throw new HttpFault(400, "a version other than HTTP/1.0 and HTTP/1.1");
        }
        method = method(space);
        target = new String(b, space + 1, version - 1 - (space + 1), StandardCharsets.ISO_8859_1);
        readTarget();
    }

    /** The method, without making a new text of those that come with most requests. */
    private String method(int end) {
        if (end == 4 && b[0] == 'P' && b[1] == 'O' && b[2] == 'S' && b[3] == 'T') {
            return "POST";
        }
        return end == 3 && b[0] == 'G' && b[1] == 'E' && b[2] == 'T' ? "GET" : new String(b, 0, end, StandardCharsets.US_ASCII);
    }

    private void readTarget() throws HttpFault {
        if (method.equals("CONNECT")) {
            check(target, AUTHORITY);
            authority = target;
            path = "";
            return;
        }
        check(target, TARGET);
        if (target.equals("*")) {
            if (!method.equals("OPTIONS")) {
                throw new HttpFault(400, "a target * of another method than OPTIONS");
            }
            path = target;
            return;
        }
        int from = 0;
        if (!target.startsWith("/")) {
            from = afterAuthority();
        }
        int question = target.indexOf('?', from);
        String raw = target.substring(from, question < 0 ? target.length() : question);
        query = question < 0 ? null : target.substring(question + 1);
        path = raw.isEmpty() ? "/" : raw.indexOf('%') < 0 ? raw : decode(raw);
    }

    /** Of a target in absolute form, the index after its authority. */
    private int afterAuthority() throws HttpFault {
        int start = target.regionMatches(true, 0, "http://", 0, 7) ? 7 : target.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
        int end = start;
        while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
            end++;
        }
        if (start == 0 || end == start) {
            throw new HttpFault(400, "a target that is neither a path nor the URL of a host");
        }
        authority = target.substring(start, end);
        check(authority, AUTHORITY);
        return end;
    }

    /** Fails unless a text is of the given characters, letters and digits, with two digits after each percent sign. */
    private static void check(String text, String allowed) throws HttpFault {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') && allowed.indexOf(c) < 0) {
                throw new HttpFault(400, "a character that a target or a host cannot have");
            }
            if (c == '%' && (i + 2 >= text.length() || hex(text.charAt(i + 1)) < 0 || hex(text.charAt(i + 2)) < 0)) {
                throw new HttpFault(400, "a percent sign without two hexadecimal digits");
            }
        }
    }

    static int hex(int c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    }

    private static String decode(String raw) throws HttpFault {
        byte[] bytes = new byte[raw.length()];
        int n = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                c = (char) (hex(raw.charAt(i + 1)) << 4 | hex(raw.charAt(i + 2)));
                i += 2;
            }
            bytes[n++] = (byte) c;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, n)).toString();
        } catch (CharacterCodingException e) {
            throw new HttpFault(400, "a path that is not UTF-8");
        }
    }

    private void checkHost() throws HttpFault {
        List<String> hosts = fields.all("host");
        if (hosts.size() > 1 || hosts.isEmpty() && minorVersion == 1) {
            throw new HttpFault(400, hosts.isEmpty() ? "no Host" : "several Hosts");
        }
        if (!hosts.isEmpty()) {
            check(hosts.get(0), AUTHORITY);
            authority = authority == null ? hosts.get(0) : authority;
        }
    }

    private void readFraming() throws HttpFault {
        List<String> codings = fields.all("transfer-encoding");
        List<String> lengths = fields.all("content-length");
        if (!codings.isEmpty()) {
            if (!lengths.isEmpty() || minorVersion == 0) {
                throw new HttpFault(400, lengths.isEmpty() ? "a transfer coding in HTTP/1.0" : "a length of a body that is chunked");
            }
            if (codings.size() > 1 || !codings.get(0).equalsIgnoreCase("chunked")) {
                throw new HttpFault(codings.get(0).equalsIgnoreCase("chunked") ? 400 : 501, "a transfer coding other than chunked");
            }
            chunked = true;
            return;
        }
        if (lengths.isEmpty()) {
            return;
        }
        String text = lengths.get(0);
        if (lengths.size() > 1 || text.isEmpty() || text.length() > MAX_LENGTH_DIGITS) {
            throw new HttpFault(400, lengths.size() > 1 ? "several lengths of one body" : "a length that is no number of bytes");
        }
        long length = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new HttpFault(400, "a length that is no number of bytes");
            }
            length = 10 * length + digit;
        }
        contentLength = length;
    }

    String method() {
        return method;
    }

    /** The target as it was sent. */
    String target() {
        return target;
    }

    /** The path of the target, decoded; "*" for the server as a whole. */
    String path() {
        return path;
    }

    /** What follows the question mark of the target, as it was sent; null if there is none. */
    String query() {
        return query;
    }

    /** The host and port that were asked for, or null. */
    String authority() {
        return authority;
    }

    /** 1 for HTTP/1.1, 0 for HTTP/1.0. */
    int minorVersion() {
        return minorVersion;
    }

    HttpFields fields() {
        return fields;
    }

    /** Whether the client wants to use the connection again. */
    boolean keepAlive() {
        return minorVersion == 1 ? !fields.hasToken("connection", "close") : fields.hasToken("connection", "keep-alive") && !fields.hasToken("connection", "close");
    }

    /** Whether the client waits for a word before it sends the body. */
    boolean expectsContinue() {
        return minorVersion == 1 && fields.has("expect");
    }

    /** The length of the body, or -1 if it is not said. */
    long contentLength() {
        return contentLength;
    }

    boolean chunked() {
        return chunked;
    }
}
