package creo.runtime.internal.text;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.buffer.Utf8;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The encodings of XML texts (XML-46). */
public enum TextEncoding {
    UTF_8("utf-8", "utf8"),
    UTF_16("utf-16"),
    UTF_16BE("utf-16be"),
    UTF_16LE("utf-16le"),
    US_ASCII("us-ascii", "ascii"),
    ISO_8859_1("iso-8859-1", "latin1"),
    WINDOWS_1252("windows-1252", "cp1252");

    /** The characters of the bytes 80 to 9F in windows-1252; NUL for none. */
    private static final String HIGH = "\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0"
        + "\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178";

    private final List<String> names;

    TextEncoding(String... names) {
        this.names = List.of(names);
    }

    /** A text in UTF-8, with room for zeros after it. */
    public record Decoded(byte[] bytes, int length) {}

    /** The encoding with this name, or null. */
    public static TextEncoding named(String name) {
        for (TextEncoding e : values()) {
            for (String known : e.names) {
                if (known.equalsIgnoreCase(name)) {
                    return e;
                }
            }
        }
        return null;
    }

    public static TextEncoding known(String name) {
        TextEncoding e = named(name);
        if (e == null) {
            throw Failures.at(Failures.placed(Failures.malformed("the encoding \"" + CreoException.shown(name) + "\", which is not known")), 0);
        }
        return e;
    }

    /** The size of the byte order mark. */
    public static int mark(byte[] text, int from, int n) {
        if (n >= 2 && (text[from] == (byte) 0xfe && text[from + 1] == (byte) 0xff || text[from] == (byte) 0xff && text[from + 1] == (byte) 0xfe)) {
            return 2;
        }
        return n >= 3 && text[from] == (byte) 0xef && text[from + 1] == (byte) 0xbb && text[from + 2] == (byte) 0xbf ? 3 : 0;
    }

    public boolean isWide() {
        return this == UTF_16 || this == UTF_16BE || this == UTF_16LE;
    }

    /** Fails if a text's declared encoding contradicts this one, in which its bytes are. */
    public void checkDeclared(String declared, boolean marked) {
        TextEncoding e = known(declared);
        if (e.isWide() != isWide() || marked && !isWide() && e != this) {
            throw Failures.at(Failures.placed(Failures.malformed("the encoding \"" + CreoException.shown(declared) + "\", where the bytes are " + this)), 0);
        }
    }

    /** Converts a text from this encoding, which is not UTF-8, to UTF-8. */
    public Decoded decode(byte[] text, int from, int n) {
        return isWide() ? wide(text, from, n) : narrow(text, from, n);
    }

    private Decoded wide(byte[] text, int from, int n) {
        Charset charset = this == UTF_16LE ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
        CharBuffer chars = CharBuffer.allocate(n / 2 + 1);
        boolean wrong = charset.newDecoder().decode(ByteBuffer.wrap(text, from, n), chars, true).isError();
        byte[] bytes = new byte[3 * chars.position() + PaddedBytes.PADDING];
        int length = Utf8.encode(chars.array(), 0, chars.position(), bytes, 0);
        if (wrong) {
            throw noCharacter(length);
        }
        return new Decoded(bytes, length);
    }

    private Decoded narrow(byte[] text, int from, int n) {
        char[] chars = new char[n];
        int count = 0;
        boolean wrong = false;
        for (; count < n && !wrong; count++) {
            int c = text[from + count] & 0xff;
            if (this == WINDOWS_1252 && c >= 0x80 && c < 0xa0) {
                c = HIGH.charAt(c - 0x80);
                wrong = c == 0;
            } else {
                wrong = this == US_ASCII && c >= 0x80;
            }
            chars[count] = (char) c;
        }
        if (wrong) {
            throw noCharacter(Utf8.encode(chars, 0, count - 1, new byte[3 * count], 0));
        }
        byte[] bytes = new byte[3 * n + PaddedBytes.PADDING];
        return new Decoded(bytes, Utf8.encode(chars, 0, n, bytes, 0));
    }

    private CreoException noCharacter(int at) {
        return Failures.at(Failures.placed(Failures.malformed("bytes that are no character of " + this)), at);
    }

    @Override
    public String toString() {
        return isWide() ? "UTF-16" : this == WINDOWS_1252 ? "windows-1252" : name().replace('_', '-');
    }
}
