package creo.runtime.internal.json;

import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.TextField;
import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;

/** A field's name as an object member, with quotes and colon, in a form to compare with bytes or copy. */
final class JsonName {
    /** For a field that is not a member. */
    private static final JsonName NONE = new JsonName();

    /** The bytes as big-endian longs, the last one padded with zeros; null without a name. */
    final long[] words;
    final int length;
    /** The significant bits of the last long. */
    private final long mask;

    private JsonName() {
        words = null;
        length = 0;
        mask = 0;
    }

    private JsonName(String name) {
        byte[] member = ('"' + name + "\":").getBytes(StandardCharsets.UTF_8);
        words = TextName.words(member, member.length);
        length = member.length;
        mask = (member.length & 7) == 0 ? -1L : -1L << 64 - 8 * (member.length & 7);
    }

    /** The name of a field. */
    static JsonName of(TextField f) {
        Object known = f.json;
        if (known == null) {
            known = f.name == null ? NONE : new JsonName(f.name);
            f.json = known;
        }
        return (JsonName) known;
    }

    /** Whether the bytes at an index are the name; at least eight more bytes must follow. */
    boolean isAt(byte[] b, int p) {
        long[] w = words;
        int last = w.length - 1;
        for (int i = 0; i < last; i++, p += 8) {
            if (Bytes.getLong(b, p) != w[i]) {
                return false;
            }
        }
        return ((Bytes.getLong(b, p) ^ w[last]) & mask) == 0;
    }

    /** Whether the bytes are the name, without quotes. */
    boolean isNamed(byte[] name, int from, int to) {
        int n = length - 3;
        if (n != to - from) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (name[from + i] != (byte) (words[i + 1 >> 3] >>> 56 - 8 * (i + 1 & 7))) {
                return false;
            }
        }
        return true;
    }
}
