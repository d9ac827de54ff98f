package creo.runtime.internal.tdxml;

import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The columns of a record's row (TDX-30).
 *
 * @param fields the indices of the column fields, in the order of the row
 * @param of the column of each field, or -1
 */
record TableColumns(int[] fields, int[] of) {
    static TableColumns of(TextRecord r) {
        Object known = r.table;
        if (known == null) {
            known = make(r);
            r.table = known;
        }
        return (TableColumns) known;
    }

    private static TableColumns make(TextRecord r) {
        TextField[] all = r.fields;
        IntStream others = IntStream.range(0, all.length).filter(i -> all[i].place != TextField.ATTRIBUTE && all[i].isScalar());
        int[] fields = IntStream.concat(Arrays.stream(r.attributes), others).toArray();
        int[] of = new int[all.length];
        Arrays.fill(of, -1);
        for (int k = 0; k < fields.length; k++) {
            of[fields[k]] = k;
        }
        return new TableColumns(fields, of);
    }
}
