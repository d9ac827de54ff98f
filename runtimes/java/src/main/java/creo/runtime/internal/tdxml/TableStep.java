package creo.runtime.internal.tdxml;

import creo.runtime.codegen.TextField;
import java.nio.charset.StandardCharsets;

/** The element of an index that names a field, such as {@code [3]} (TDX-11). */
final class TableStep {
    private TableStep() {}

    static byte[] of(TextField f) {
        Object known = f.table;
        if (known == null) {
            known = (f.place == TextField.ATTRIBUTE ? "(" + f.number + ")" : "[" + f.number + "]").getBytes(StandardCharsets.US_ASCII);
            f.table = known;
        }
        return (byte[]) known;
    }
}
