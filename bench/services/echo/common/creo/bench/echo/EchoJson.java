package creo.bench.echo;

import java.nio.charset.StandardCharsets;

/** The messages of the echo service in JSON (RFC 8259), for servers that bring none: {@code {"s": STRING}} is the request, {@code STRING} the answer. Written by hand for these two. */
public final class EchoJson {
    private static final String HEX = "0123456789abcdef";

    private final String text;
    private int at;

    private EchoJson(String text) {
        this.text = text;
    }

    /**
     * The answer to a request.
     *
     * @throws IllegalArgumentException if the request is not as described
     */
    public static byte[] answer(byte[] request) {
        return format(new EchoJson(new String(request, StandardCharsets.UTF_8)).request()).getBytes(StandardCharsets.UTF_8);
    }

    private String request() {
        expect('{');
        expect('"');
        if (!string().equals("s")) {
            throw new IllegalArgumentException("the request has the member s and no other");
        }
        expect(':');
        expect('"');
        String s = string();
        expect('}');
        skipSpace();
        if (at != text.length()) {
            throw new IllegalArgumentException("more than one value");
        }
        return s;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void expect(char wanted) {
        skipSpace();
        if (next() != wanted) {
            throw new IllegalArgumentException("expected " + wanted + " at " + (at - 1));
        }
    }

    private char next() {
        if (at == text.length()) {
            throw new IllegalArgumentException("the request ends early");
        }
        return text.charAt(at++);
    }

    /** The rest of a string whose first quote has been read. */
    private String string() {
        int start = at;
        char c = next();
        while (c != '"' && c != '\\' && c >= ' ') {
            c = next();
        }
        if (c == '"') {
            return text.substring(start, at - 1);
        }
        StringBuilder s = new StringBuilder(text.substring(start, at - 1));
        for (; c != '"'; c = next()) {
            if (c < ' ') {
                throw new IllegalArgumentException("a control character in a string");
            }
            s.append(c == '\\' ? escaped() : c);
        }
        return s.toString();
    }

    private char escaped() {
        char c = next();
        switch (c) {
            case '"', '\\', '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                int value = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = Character.digit(next(), 16);
                    if (digit < 0) {
                        throw new IllegalArgumentException("no hexadecimal digit at " + (at - 1));
                    }
                    value = 16 * value + digit;
                }
                return (char) value;
            default:
                throw new IllegalArgumentException("no such escape at " + (at - 1));
        }
    }

    private static String format(String s) {
        StringBuilder to = new StringBuilder(s.length() + 2).append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ') {
                to.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            } else {
                to.append(c);
            }
        }
        return to.append('"').toString();
    }
}
