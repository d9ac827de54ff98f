package creo.runtime.internal.http;

import creo.runtime.internal.call.RawHook;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Copies the bytes of a message with {@code ***} for secrets, by the names of elements, attributes and members (CALL-65). */
public final class RawBody {
    /** A body in which secrets cannot be found. */
    private static final class NotFollowed extends Exception {
        private static final long serialVersionUID = 1L;

        NotFollowed(String reason) {
            super(reason, null, false, false);
        }
    }

    private static final String NO_TEXT = "the media type is neither JSON nor XML";
    private static final String WRONG = "it is not well-formed";
    private static final String NAMELESS = "its secrets have no names of their own";
    private static final int MAX_DEPTH = 256;
    private static final byte[] HIDDEN = {'*', '*', '*'};
    private static final byte[] HIDDEN_JSON = {'"', '*', '*', '*', '"'};
    private static final List<String> ALWAYS = List.of("Password", "Nonce", "BinarySecurityToken", "Assertion");
    private static final List<String> TABLES = List.of("CT", "RT", "UT", "ContentTable", "RecordTable", "UpdateTable");
    private static final byte[] SECURITY = "wssecurity-secext".getBytes(StandardCharsets.US_ASCII);

    private final byte[] b;
    private final int n;
    private final List<String> secrets;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int at;
    /** The first byte that was not copied. */
    private int rest;
    private boolean hiding;

    private RawBody(byte[] b, int n, List<String> secrets) {
        this.b = b;
        this.n = n;
        this.secrets = secrets;
        if (n >= 3 && b[0] == (byte) 0xef && b[1] == (byte) 0xbb && b[2] == (byte) 0xbf) {
            at = 3;
        }
    }

    /**
     * The bytes without secrets.
     *
     * @param mediaType as it was sent, or null
     * @param secrets the names of the method's secrets; {@code *}: one has no name of its own
     */
    private static byte[] shown(byte[] b, int n, String mediaType, List<String> secrets) throws NotFollowed {
        if (n == 0) {
            return new byte[0];
        }
        String type = mediaType == null ? "" : mediaType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        boolean json = type.equals("application/json") || type.endsWith("+json");
        if (!json && !type.equals("text/xml") && !type.equals("application/xml") && !type.endsWith("+xml")) {
            throw new NotFollowed(NO_TEXT);
        }
        if (secrets.contains("*")) {
            throw new NotFollowed(NAMELESS);
        }
        RawBody body = new RawBody(b, n, secrets);
        if (json) {
            body.json();
        } else {
            body.xml();
        }
        body.out.write(b, body.rest, n - body.rest);
        return body.out.toByteArray();
    }

    /** A body without its secrets, or the reason why it is not shown (CALL-66). */
    public static RawHook.Body of(byte[] b, int n, String mediaType, List<String> secrets) {
        byte[] shown;
        String reason = null;
        try {
            shown = shown(b, n, mediaType, secrets);
        } catch (NotFollowed e) {
            boolean hide = mayHaveSecrets(b, n, secrets);
            shown = hide ? new byte[0] : Arrays.copyOf(b, n);
            reason = hide ? e.getMessage() : null;
        }
        return new RawHook.Body(shown, shown.length, n, reason);
    }

    /** Whether a body that cannot be followed may have secrets (CALL-66). */
    private static boolean mayHaveSecrets(byte[] b, int n, List<String> secrets) {
        if (!secrets.isEmpty()) {
            return true;
        }
        for (int i = 0; i < n; i++) {
            if (b[i] == 0 || isAt(b, n, i, SECURITY)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAt(byte[] b, int n, int i, byte[] what) {
        return n - i >= what.length && Arrays.equals(b, i, i + what.length, what, 0, what.length);
    }

    private void hide(int from, int to, byte[] by) {
        out.write(b, rest, from - rest);
        out.write(by, 0, by.length);
        rest = to;
    }

    private String text(int from, int to) {
        return new String(b, from, to - from, StandardCharsets.UTF_8);
    }

    private void space() {
        while (at < n && (b[at] == ' ' || b[at] == '\t' || b[at] == '\r' || b[at] == '\n')) {
            at++;
        }
    }

    private void expect(char c) throws NotFollowed {
        if (at == n || b[at] != c) {
            throw new NotFollowed(WRONG);
        }
        at++;
    }

    private boolean takes(char c) {
        if (at < n && b[at] == c) {
            at++;
            return true;
        }
        return false;
    }

    private void json() throws NotFollowed {
        space();
        value(0);
        space();
        if (at < n) {
            throw new NotFollowed(WRONG);
        }
    }

    private void value(int depth) throws NotFollowed {
        if (depth == MAX_DEPTH || at == n) {
            throw new NotFollowed(WRONG);
        }
        switch (b[at]) {
            case '{' -> items('}', depth);
            case '[' -> items(']', depth);
            case '"' -> string();
            default -> {
                int from = at;
                while (at < n && (b[at] >= '0' && b[at] <= '9' || b[at] >= 'a' && b[at] <= 'z' || b[at] >= 'A' && b[at] <= 'Z' || "+-.".indexOf(b[at]) >= 0)) {
                    at++;
                }
                if (at == from) {
                    throw new NotFollowed(WRONG);
                }
            }
        }
    }

    private void items(char end, int depth) throws NotFollowed {
        at++;
        space();
        if (takes(end)) {
            return;
        }
        do {
            space();
            boolean secret = end == '}' && member();
            int from = at;
            hiding |= secret;
            value(depth + 1);
            if (secret) {
                hiding = false;
                hide(from, at, HIDDEN_JSON);
            }
            space();
        } while (takes(','));
        expect(end);
    }

    /** The name of a member, up to its value; whether that is to be hidden. */
    private boolean member() throws NotFollowed {
        int from = at + 1;
        string();
        String name = text(from, at - 1);
        if (!secrets.isEmpty() && name.indexOf('\\') >= 0) {
            throw new NotFollowed(NAMELESS);
        }
        space();
        expect(':');
        space();
        return !hiding && secrets.contains(name);
    }

    private void string() throws NotFollowed {
        expect('"');
        while (at < n && b[at] != '"') {
            at += b[at] == '\\' && at + 1 < n ? 2 : 1;
        }
        expect('"');
    }

    private void xml() throws NotFollowed {
        ArrayDeque<String> open = new ArrayDeque<>();
        boolean seen = false;
        int hidden = 0;
        int from = 0;
        while (true) {
            int begin = at;
            space();
            if (at == n) {
                break;
            }
            if (b[at] != '<') {
                at = begin;
                while (at < n && b[at] != '<') {
                    at++;
                }
                if (open.isEmpty()) {
                    throw new NotFollowed(WRONG);
                }
            } else if (skips("<!--", "-->") || skips("<?", "?>") || !open.isEmpty() && skips("<![CDATA[", "]]>")) {
                continue;
            } else if (at + 1 < n && b[at + 1] == '/') {
                int end = at;
                at += 2;
                String name = name();
                space();
                expect('>');
                if (!name.equals(open.poll())) {
                    throw new NotFollowed(WRONG);
                }
                if (hiding && open.size() == hidden) {
                    hiding = false;
                    hide(from, end, HIDDEN);
                }
            } else {
                if (open.isEmpty() && seen || open.size() == MAX_DEPTH) {
                    throw new NotFollowed(WRONG);
                }
                seen = true;
                at++;
                String name = name();
                boolean secret = !hiding && isSecret(name);
                boolean empty = attributes(secret, secrets.contains(local(name)));
                if (!empty) {
                    if (secret) {
                        hiding = true;
                        hidden = open.size();
                        from = at;
                    }
                    open.push(name);
                }
            }
        }
        if (!seen || !open.isEmpty()) {
            throw new NotFollowed(WRONG);
        }
    }

    private boolean skips(String begin, String end) throws NotFollowed {
        if (!isAt(b, n, at, begin.getBytes(StandardCharsets.US_ASCII))) {
            return false;
        }
        byte[] last = end.getBytes(StandardCharsets.US_ASCII);
        for (at += begin.length(); at < n; at++) {
            if (isAt(b, n, at, last)) {
                at += last.length;
                return true;
            }
        }
        throw new NotFollowed(WRONG);
    }

    private String name() throws NotFollowed {
        int from = at;
        while (at < n && " \t\r\n/>=<\"'!".indexOf(b[at]) < 0) {
            at++;
        }
        if (at == from) {
            throw new NotFollowed(WRONG);
        }
        return text(from, at);
    }

    private static String local(String name) {
        return name.substring(name.indexOf(':') + 1);
    }

    private boolean isSecret(String name) throws NotFollowed {
        String local = local(name);
        if (!secrets.isEmpty() && TABLES.contains(local)) {
            throw new NotFollowed(NAMELESS);
        }
        return ALWAYS.contains(local) || secrets.contains(local);
    }

    /**
     * The attributes of an element and the end of its tag; whether it has no content.
     *
     * @param ofSecret whether the element is to be hidden
     * @param declared whether the description says so
     */
    private boolean attributes(boolean ofSecret, boolean declared) throws NotFollowed {
        while (true) {
            int before = at;
            space();
            if (takes('>')) {
                return false;
            }
            if (takes('/')) {
                expect('>');
                return true;
            }
            if (at == before) {
                throw new NotFollowed(WRONG);
            }
            String name = name();
            space();
            expect('=');
            space();
            char quote = at < n && b[at] == '\'' ? '\'' : '"';
            expect(quote);
            int from = at;
            while (at < n && b[at] != quote && b[at] != '<') {
                at++;
            }
            int to = at;
            expect(quote);
            if (ofSecret && declared && local(name).equals("href")) {
                throw new NotFollowed(NAMELESS);
            }
            boolean namespace = name.equals("xmlns") || name.startsWith("xmlns:");
            if (!hiding && !namespace && (ofSecret || secrets.contains(local(name)))) {
                hide(from, to, HIDDEN);
            }
        }
    }
}
