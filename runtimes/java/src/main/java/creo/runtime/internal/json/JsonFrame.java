package creo.runtime.internal.json;

import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.internal.text.TextFrame;

/** A record, union, array or map that a JSON reader has begun. */
final class JsonFrame extends TextFrame {
    /** For a record: the names of its fields. */
    JsonName[] names;
    /** For a record: {@link JsonRecord#following}. */
    int[] following;

    void clear(int newKind, TextField newField) {
        restart(newKind, newField);
        names = null;
        following = null;
    }

    void beginRecord(TextRecord r) {
        begin(r);
        JsonRecord known = JsonRecord.of(r);
        names = known.names;
        following = known.following;
    }
}
