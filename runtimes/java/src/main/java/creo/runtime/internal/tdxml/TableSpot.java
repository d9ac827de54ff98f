package creo.runtime.internal.tdxml;

import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextUnion;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A position in the tables of a type, found by an index or a path (TDX-44). */
public final class TableSpot {
    private static final Pattern STEP = Pattern.compile("([\\[(])(\\d+)[\\])](\\d+)?");
    private static final Pattern NAME = Pattern.compile("\\.?([^.\\[\\]]*)((?:\\[\\d+])*)");
    private static final Pattern OCCURRENCE = Pattern.compile("\\[(\\d+)]");

    public final StringBuilder index = new StringBuilder("[0]");
    /** The field of the value here; null for a map entry. */
    public TextField field;
    /** The record of the field, or null. */
    private TextRecord holder;
    /** In the record scheme, the row and column of a column; otherwise the value's own row. */
    public String row = "[0]";
    public int column = -1;

    private TableSpot(TextField root) {
        field = root;
    }

    /** The position of an index, or null if the type has none. */
    public static TableSpot ofIndex(TextCodec<?> codec, String index) {
        TableSpot spot = new TableSpot(codec.root);
        Matcher m = STEP.matcher(index);
        int at = 3;
        if (!index.startsWith("[0]")) {
            return null;
        }
        while (at < index.length()) {
            if (!m.find(at) || m.start() != at || m.group(2).length() > 10) {
                return null;
            }
            at = m.end();
            long occurrence = m.group(3) == null ? -1 : Long.parseLong(m.group(3));
            if (!spot.step(m.group(1).equals("("), Long.parseLong(m.group(2)), occurrence)) {
                return null;
            }
        }
        return spot;
    }

    /** The position of a path, or null if the type has none. */
    public static TableSpot ofPath(TextCodec<?> codec, String path) {
        TableSpot spot = new TableSpot(codec.root);
        Matcher m = NAME.matcher(path);
        int at = 0;
        while (at < path.length()) {
            if (!m.find(at) || m.start() != at || m.end() == at || !m.group(1).isEmpty() && !spot.named(m.group(1))) {
                return null;
            }
            if (m.group().startsWith(".") && (at == 0 || m.group(1).isEmpty())) {
                return null;
            }
            at = m.end();
            Matcher occurrences = OCCURRENCE.matcher(m.group(2));
            while (occurrences.find()) {
                if (occurrences.group(1).length() > 10 || !spot.occurrence(Long.parseLong(occurrences.group(1)))) {
                    return null;
                }
            }
        }
        return spot;
    }

    private boolean named(String name) {
        if (field == null) {
            return enter(holder, name.equals("key") ? 0 : name.equals("value") ? 1 : -1);
        }
        Object shape = field.held == null ? null : field.held.shape();
        if (shape instanceof TextUnion union) {
            for (TextField member : union.members) {
                if (name.equals(member.name)) {
                    union.resolve();
                    return enter(member);
                }
            }
        }
        if (shape instanceof TextRecord record) {
            for (int i = 0; i < record.fields.length; i++) {
                if (name.equals(record.fields[i].name)) {
                    return enter(record, i);
                }
            }
        }
        return false;
    }

    private boolean step(boolean attribute, long n, long occurrence) {
        Object shape = field == null ? holder : field.held == null ? null : field.held.shape();
        boolean found = false;
        if (shape instanceof TextUnion union && !attribute && n < union.members.length) {
            union.resolve();
            found = enter(union.members[(int) n]);
        } else if (shape instanceof TextRecord record) {
            int[] numbers = attribute ? record.attributes : record.elements;
            found = n < numbers.length && enter(record, numbers[(int) n]);
        } else if (field != null && !attribute && n == 0 && (field.wrapped && !field.isList() || field.entry != null)) {
            return occurrence >= 0 && occurrence(occurrence);
        }
        return found && (occurrence < 0 || field.item != null && !field.wrapped && occurrence(occurrence));
    }

    private boolean enter(TextRecord record, int i) {
        if (i < 0) {
            return false;
        }
        record.resolve();
        TextField next = record.fields[i];
        row = index.toString();
        column = TableColumns.of(record).of()[i];
        field = next;
        holder = null;
        if (next.place != TextField.TEXT) {
            index.append(new String(TableStep.of(next), java.nio.charset.StandardCharsets.US_ASCII));
        }
        row = column < 0 ? index.toString() : row;
        return true;
    }

    private boolean enter(TextField member) {
        field = member;
        holder = null;
        index.append(new String(TableStep.of(member), java.nio.charset.StandardCharsets.US_ASCII));
        row = index.toString();
        column = -1;
        return true;
    }

    private boolean occurrence(long k) {
        if (field == null || k > Integer.MAX_VALUE || field.isList() || field.item == null && field.entry == null) {
            return false;
        }
        if (field.wrapped || field.entry != null) {
            index.append("[0]");
        }
        String array = index.toString();
        index.append(k);
        row = index.toString();
        column = -1;
        if (field.entry != null) {
            holder = field.entry;
            field = null;
            return true;
        }
        field = field.item;
        if (field.isScalar()) {
            row = array;
            column = (int) k;
        }
        return true;
    }
}
