package creo.runtime.internal.text;

import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import java.util.Arrays;

/** A record, union, array or map that a reader has begun. Reused. */
public abstract class TextFrame {
    public static final int RECORD = 0;
    public static final int UNION = 1;
    public static final int ITEMS = 2;
    public static final int ENTRIES = 3;
    /** A record with the key and the value of an entry. */
    public static final int ENTRY = 4;

    public int kind;
    /** The field of the value. */
    public TextField field;
    public TextRecord record;
    public TextField[] fields;
    /** The current field, item or entry; -1 before the first. */
    public int index;

    private long seen;
    private long[] more = {};

    public final void restart(int newKind, TextField newField) {
        kind = newKind;
        field = newField;
        record = null;
        fields = null;
        index = -1;
        seen = 0;
    }

    public final void begin(TextRecord r) {
        record = r;
        fields = r.fields;
        if (fields.length > 64) {
            int words = (fields.length - 1) / 64;
            if (more.length < words) {
                more = new long[words];
            } else {
                Arrays.fill(more, 0);
            }
        }
    }

    public final boolean saw(int i) {
        return ((i < 64 ? seen : more[i / 64 - 1]) >>> i & 1) != 0;
    }

    /** Whether it is certain that no field is absent, so none need be checked. */
    public final boolean sawAll() {
        int n = fields.length;
        return n < 64 && seen == (1L << n) - 1;
    }

    public final void see(int i) {
        if (i < 64) {
            seen |= 1L << i;
        } else {
            more[i / 64 - 1] |= 1L << i;
        }
    }

    /** The path of the innermost frame, by the names of the description (BIN-15). */
    public static String place(TextFrame[] frames, int depth) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            TextFrame f = frames[i];
            if (f.index < 0) {
                continue;
            }
            switch (f.kind) {
                case ITEMS -> text.append('[').append(f.index).append(']');
                case ENTRIES -> text.append('{').append(f.index).append('}');
                case ENTRY -> text.append(f.index == 0 ? ".key" : ".value");
                default -> {
                    if (f.fields[f.index].name != null) {
                        text.append('.').append(f.fields[f.index].name);
                    }
                }
            }
        }
        return text.toString();
    }
}
