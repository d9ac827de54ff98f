package creo.runtime.internal.json;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.buffer.Utf8;
import creo.runtime.internal.text.TextInput;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The tokens of JSON (RFC 8259, JSON-10): white space, strings, numbers, skipped values. */
public abstract class JsonScanner extends TextInput {
    /** The number of open arrays and objects. */
    int open;
    /** The unescaped bytes of the last string. */
    byte[] slice;
    int sliceFrom;
    int sliceTo;

    public final CreoException malformed(int at, String reason) {
        return Failures.at(Failures.placed(Failures.malformed(at >= end ? "the JSON text ends too early" : reason)), Math.min(at, end) - first);
    }

    final CreoException tooLarge(int at, String limit, long allowed, String reason) {
        return Failures.at(Failures.placed(CreoException.tooLarge(limit, allowed, reason)), at - first);
    }

    @Override
    public final CreoException here(CreoException e) {
        return Failures.at(Failures.placed(e), pos - first);
    }

    /** The error for unexpected input at an index. */
    final CreoException wrong(int at, String what) {
        return malformed(at, shown(at) + ", where " + what + " must be");
    }

    private String shown(int at) {
        int to = at;
        while (to < end && to < at + 40 && b[to] > ' ' && (to == at || b[to] != ',' && b[to] != ']' && b[to] != '}')) {
            to++;
        }
        return "\"" + CreoException.shown(new String(b, at, to - at, StandardCharsets.UTF_8)) + "\"";
    }

    /** Reads a copy of a text. */
    public final void open(byte[] text, int from, int n) {
        if (n > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a JSON text of " + n + " bytes");
        }
        chargeBody(n);
        byte[] own = b.length >= n + PADDING && b.length < 1 << 20 ? b : new byte[n + PADDING];
        System.arraycopy(text, from, own, 0, n);
        openOwn(own, 0, n);
    }

    /** Reads a body. */
    public final void openBody(PaddedBytes body) {
        memory = body.charged(limits);
        openOwn(body.bytes(), 0, body.length());
    }

    /** Reads an array that the scanner owns, with room for zeros at its end. */
    private void openOwn(byte[] text, int from, int to) {
        chargeBody(to - from);
        Arrays.fill(text, to, to + PADDING, (byte) 0);
        b = text;
        first = from;
        pos = from;
        end = to;
        open = 0;
        if (b[pos] == (byte) 0xef && b[pos + 1] == (byte) 0xbb && b[pos + 2] == (byte) 0xbf) {
            pos += 3;
        }
    }

    final int skipSpace(int p) {
        while (b[p] == ' ' || b[p] == '\n' || b[p] == '\r' || b[p] == '\t') {
            p++;
        }
        return p;
    }

    /** The index of the next value. */
    public final int start() {
        return b[pos] > ' ' ? pos : skipSpace(pos);
    }

    /** Enters the array or object whose bracket is at an index. */
    final void open(int p, char bracket, String what) {
        if (b[p] != bracket) {
            throw wrong(p, what);
        }
        if (++open > limits.maxXmlDepth()) {
            throw tooLarge(p, "maxXmlDepth", limits.maxXmlDepth(), "arrays and objects that are nested too deeply");
        }
        pos = p + 1;
    }

    /** Fails if anything but white space follows. */
    public final void endDocument() {
        int p = skipSpace(pos);
        if (p < end) {
            throw malformed(p, "something behind the value");
        }
    }

    /** The index of the first byte from {@code p} that is a quote, a backslash, or below 32; with {@code ascii} all ones, also of a non-ASCII one. */
    private int scan(int p, long ascii) {
        byte[] bytes = b;
        while (true) {
            long w = (long) LITTLE.get(bytes, p);
            long found = (((w - ONES * 0x20) | ((w ^ ONES * '"') - ONES) | ((w ^ ONES * '\\') - ONES)) & ~w | w & ascii) & HIGH_BITS;
            if (found != 0) {
                return p + (Long.numberOfTrailingZeros(found) >>> 3);
            }
            p += 8;
        }
    }

    /** The string whose quote is at an index. */
    @SuppressWarnings("deprecation") // Each byte is one character, which is right for ASCII.
    final String string(int p) {
        int from = p + 1;
        int to = scan(from, -1L);
        if (b[to] == '"') {
            checkString(from, to);
            pos = to + 1;
            return to == from ? "" : new String(b, 0, from, to - from);
        }
        if (b[to] < 0) {
            to = scan(to, 0);
            if (b[to] == '"') {
                checkString(from, to);
                pos = to + 1;
                return utf8(from, to);
            }
        }
        return escaped(from, to, false);
    }

    /** Sets the slice to the string whose quote is at an index. */
    final void slice(int p) {
        int from = p + 1;
        int to = scan(from, -1L);
        if (b[to] == '"') {
            checkString(from, to);
            slice = b;
            sliceFrom = from;
            sliceTo = to;
            pos = to + 1;
            return;
        }
        slice = string(p).getBytes(StandardCharsets.UTF_8);
        sliceFrom = 0;
        sliceTo = slice.length;
    }

    /** The only character of the string whose quote is at an index, which may be a lone surrogate; -1 for any other string. */
    final int character(int p) {
        int from = p + 1;
        int to = scan(from, 0);
        String s = b[to] == '"' ? string(p) : escaped(from, to, true);
        return s.length() == 1 ? s.charAt(0) : -1;
    }

    private void checkString(int from, int to) {
        if (to - from > limits.maxXmlText()) {
            throw tooLarge(from, "maxXmlText", limits.maxXmlText(), "a string of " + (to - from) + " bytes");
        }
    }

    private String utf8(int from, int to) {
        int p = from;
        while (p < to) {
            int n = b[p] >= 0 ? 1 : Utf8.sequence(b, p, to, b[p] & 0xff);
            if (n == 0) {
                throw malformed(p, "bytes that are not UTF-8");
            }
            p += n;
        }
        return new String(b, from, to - from, StandardCharsets.UTF_8);
    }

    /** As {@link #string}, with an escape or an invalid character at {@code p}. */
    private String escaped(int from, int p, boolean lone) {
        StringBuilder text = new StringBuilder();
        int piece = from;
        while (b[p] != '"') {
            if (b[p] != '\\') {
                throw malformed(p, "a control character within a string");
            }
            text.append(utf8(piece, p));
            int at = p;
            char c = escape(p);
            p = pos;
            if (Character.isHighSurrogate(c) && b[p] == '\\' && b[p + 1] == 'u') {
                char low = escape(p);
                if (Character.isLowSurrogate(low)) {
                    text.append(c);
                    c = low;
                    p = pos;
                }
            }
            boolean paired = Character.isLowSurrogate(c) && text.length() > 0 && Character.isHighSurrogate(text.charAt(text.length() - 1));
            if (Character.isSurrogate(c) && !paired && !lone) {
                throw malformed(at, "a surrogate without its partner");
            }
            text.append(c);
            piece = p;
            p = scan(p, 0);
            checkString(from, p);
        }
        text.append(utf8(piece, p));
        pos = p + 1;
        return text.toString();
    }

    /** The character of the escape at an index; sets {@link #pos} to the index after it. */
    private char escape(int p) {
        pos = p + 2;
        switch (b[p + 1]) {
            case '"', '\\', '/' -> {
                return (char) b[p + 1];
            }
            case 'b' -> {
                return '\b';
            }
            case 'f' -> {
                return '\f';
            }
            case 'n' -> {
                return '\n';
            }
            case 'r' -> {
                return '\r';
            }
            case 't' -> {
                return '\t';
            }
            case 'u' -> {
                int c = 0;
                for (int i = 2; i < 6; i++) {
                    int d = b[p + i] < 0 ? -1 : Character.digit(b[p + i], 16);
                    if (d < 0) {
                        throw malformed(p + i >= end ? end : p, "an escape without four hexadecimal digits");
                    }
                    c = c << 4 | d;
                }
                pos = p + 6;
                return (char) c;
            }
            default -> throw malformed(p + 1 >= end ? end : p, "an escape that is none of JSON's");
        }
    }

    /** The index after the JSON number at an index. */
    final int numberEnd(int p) {
        int at = p;
        if (b[p] == '-') {
            p++;
        }
        int digits = p;
        p = digitsEnd(p);
        if (p == digits || b[digits] == '0' && p > digits + 1) {
            throw wrong(at, "a number");
        }
        if (b[p] == '.') {
            int from = p + 1;
            p = digitsEnd(from);
            if (p == from) {
                throw wrong(p >= end ? p : at, "a number");
            }
        }
        if (b[p] == 'e' || b[p] == 'E') {
            p++;
            if (b[p] == '-' || b[p] == '+') {
                p++;
            }
            int from = p;
            p = digitsEnd(from);
            if (p == from) {
                throw wrong(p >= end ? p : at, "a number");
            }
        }
        return p;
    }

    private int digitsEnd(int p) {
        while (b[p] >= '0' && b[p] <= '9') {
            p++;
        }
        return p;
    }

    /** Reads a word, such as {@code null}. */
    final void word(int p, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (b[p + i] != word.charAt(i)) {
                throw malformed(p + i >= end ? end : p, "a word that JSON does not know");
            }
        }
        pos = p + word.length();
    }

    /** Skips the next value with its content, which must still be valid JSON. */
    public final void skip() {
        int p = start();
        switch (b[p]) {
            case '"' -> string(p);
            case '{' -> skipMembers(p);
            case '[' -> {
                open(p, '[', "an array");
                p = skipSpace(pos);
                if (b[p] == ']') {
                    pos = p + 1;
                } else {
                    boolean more = true;
                    while (more) {
                        skip();
                        more = next(']');
                    }
                }
                open--;
            }
            case 't' -> word(p, "true");
            case 'f' -> word(p, "false");
            case 'n' -> word(p, "null");
            default -> pos = numberEnd(p);
        }
    }

    private void skipMembers(int p) {
        open(p, '{', "an object");
        p = skipSpace(pos);
        if (b[p] == '}') {
            pos = p + 1;
        } else {
            boolean more = true;
            while (more) {
                p = start();
                if (b[p] != '"') {
                    throw wrong(p, "the name of a member");
                }
                string(p);
                colon();
                skip();
                more = next('}');
            }
        }
        open--;
    }

    final void colon() {
        int p = start();
        if (b[p] != ':') {
            throw wrong(p, "a colon");
        }
        pos = p + 1;
    }

    /** Continues after a value: true after a comma, false after the bracket. */
    final boolean next(char bracket) {
        int p = start();
        if (b[p] != ',' && b[p] != bracket) {
            throw wrong(p, "a comma or " + bracket);
        }
        pos = p + 1;
        return b[p] == ',';
    }
}
