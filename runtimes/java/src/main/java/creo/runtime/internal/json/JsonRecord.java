package creo.runtime.internal.json;

import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import java.util.Arrays;
import java.util.stream.IntStream;

/** A record's members for JSON, and their order. */
public final class JsonRecord {
    final JsonName[] names;
    /**
     * The field after each index, where attributes come first (JSON-1): at 0 the first field, after the last the number of fields; null if the order
     * is the declared one.
     */
    public final int[] following;

    private JsonRecord(TextRecord r) {
        names = Arrays.stream(r.fields).map(JsonName::of).toArray(JsonName[]::new);
        following = following(r.fields);
    }

    public static JsonRecord of(TextRecord r) {
        Object known = r.json;
        if (known == null) {
            known = new JsonRecord(r);
            r.json = known;
        }
        return (JsonRecord) known;
    }

    private static int[] following(TextField[] fields) {
        IntStream attributes = IntStream.range(0, fields.length).filter(i -> fields[i].place == TextField.ATTRIBUTE);
        IntStream others = IntStream.range(0, fields.length).filter(i -> fields[i].place != TextField.ATTRIBUTE);
        int[] order = IntStream.concat(attributes, others).toArray();
        if (Arrays.equals(order, IntStream.range(0, order.length).toArray())) {
            return null;
        }
        int[] following = new int[order.length + 1];
        int at = 0;
        for (int i : order) {
            following[at] = i;
            at = i + 1;
        }
        following[at] = order.length;
        return following;
    }
}
