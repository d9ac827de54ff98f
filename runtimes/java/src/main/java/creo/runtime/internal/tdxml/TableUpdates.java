package creo.runtime.internal.tdxml;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.Tdxml;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextRecord;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Table updates (TDX-45, TDX-46), as maps from the indices of aggregated rows to their values. */
public final class TableUpdates {
    private static final String AWAY = "-";
    private static final String NOTHING = "~";

    private TableUpdates() {}

    private static <T> TreeMap<String, String> rows(TextCodec<T> codec, T value) {
        byte[] document = Tdxml.write(codec, value, TableOptions.AGGREGATED);
        XmlReader x = XmlReader.borrow(Limits.DEFAULT);
        try {
            x.open(document, 0, document.length, null);
            return rows(TableDocument.readAlone(x), null, Limits.DEFAULT);
        } finally {
            x.giveBack();
        }
    }

    /** The rows of a document; {@code labels}, if not null, receives their names in errors. */
    private static TreeMap<String, String> rows(TableDocument document, Map<String, String> labels, Limits limits) {
        TreeMap<String, String> rows = new TreeMap<>(TableIndex::compare);
        TableReader r = TableReader.create(limits);
        try {
            byte[] b = document.rows();
            r.each(b, document.from(), document.to(), labels != null, (index, rest, label) -> {
                if (rows.put(index, rest) != null) {
                    throw r.malformed("an index that was there before");
                }
                if (labels != null) {
                    labels.put(index, label);
                }
            });
        } finally {
            document.restore();
            r.end();
        }
        return rows;
    }

    private static boolean holds(TreeMap<String, String> rows, String above) {
        String index = rows.ceilingKey(above);
        return index != null && TableIndex.isBeneath(index, above);
    }

    public static <T> byte[] diff(TextCodec<T> codec, T from, T to) {
        TreeMap<String, String> before = rows(codec, from);
        TreeMap<String, String> after = rows(codec, to);
        TreeMap<String, String> update = new TreeMap<>(TableIndex::compare);
        after.forEach((index, rest) -> {
            if (!rest.equals(before.get(index))) {
                update.put(index, rest);
            }
        });
        Set<String> shortened = new HashSet<>();
        before.forEach((index, rest) -> {
            if (holds(after, index)) {
                // A text that becomes null while its element stays.
                if (rest.startsWith("|") && (!after.containsKey(index) || after.get(index).isEmpty())) {
                    update.put(index, NOTHING);
                }
                return;
            }
            int length = TableIndex.nextStep(index, 0);
            while (holds(after, index.substring(0, length))) {
                length = TableIndex.nextStep(index, length);
            }
            String gone = index.substring(0, length);
            int occurrence = TableIndex.occurrence(gone);
            if (occurrence == length || shortened.add(gone.substring(0, occurrence))) {
                update.put(gone, AWAY);
            }
        });
        StringBuilder text = new StringBuilder("<Env xmlns=\"urn:creo:tdxml\" of=\"").append(codec.fullName).append("\"><UT>\n");
        update.forEach((index, rest) -> text.append(index).append(rest).append('\n'));
        return text.append("</UT></Env>").toString().getBytes(StandardCharsets.UTF_8);
    }

    public static <T> T apply(TextCodec<T> codec, T value, byte[] update, Limits limits) {
        Map<String, String> labels = new HashMap<>();
        XmlReader x = XmlReader.borrow(limits);
        TreeMap<String, String> changes;
        try {
            x.open(update, 0, update.length, null);
            TableDocument document = TableDocument.readUpdate(x);
            document.checkOf(codec.fullName);
            changes = rows(document, labels, limits);
            document.close();
            x.endDocument();
        } catch (CreoException e) {
            throw x.locate(e);
        } finally {
            x.giveBack();
        }
        TreeMap<String, String> rows = rows(codec, value);
        changes.forEach((index, rest) -> {
            if (rest.equals(AWAY)) {
                takeAway(rows, index);
            }
        });
        changes.forEach((index, rest) -> {
            if (!rest.equals(AWAY)) {
                set(codec, rows, index, rest);
            }
        });
        StringBuilder text = new StringBuilder();
        rows.forEach((index, rest) -> text.append(index).append(rest).append('\n'));
        byte[] all = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] table = java.util.Arrays.copyOf(all, all.length + PaddedBytes.PADDING);
        TableReader r = TableReader.create(limits);
        try {
            r.labels(labels);
            return r.read(table, 0, all.length, false, codec.root, codec.decoder);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.end();
        }
    }

    private static void takeAway(TreeMap<String, String> rows, String index) {
        int occurrence = TableIndex.occurrence(index);
        if (occurrence == index.length()) {
            rows.tailMap(index).keySet().removeIf(each -> TableIndex.isBeneath(each, index));
            return;
        }
        // All occurrences from this one.
        String base = index.substring(0, occurrence);
        rows.tailMap(index, true).keySet().removeIf(each -> each.startsWith(base) && each.length() > occurrence && Character.isDigit(each.charAt(occurrence)));
    }

    private static void set(TextCodec<?> codec, TreeMap<String, String> rows, String index, String rest) {
        for (int length = TableIndex.nextStep(index, 0); length < index.length(); length = TableIndex.nextStep(index, length)) {
            String above = index.substring(0, length);
            if (NOTHING.equals(rows.get(above)) && !isText(codec, above)) {
                rows.remove(above);
            }
        }
        if (rest.equals(NOTHING) && !isText(codec, index)) {
            takeAwayBeneath(rows, index);
        }
        if (!rest.isEmpty() || !holds(rows, index) || NOTHING.equals(rows.get(index))) {
            rows.put(index, rest);
        }
    }

    private static void takeAwayBeneath(TreeMap<String, String> rows, String index) {
        rows.tailMap(index).keySet().removeIf(each -> TableIndex.isBeneath(each, index));
    }

    /** Whether an index is that of a struct with a text, which may be null while its attributes are not. */
    private static boolean isText(TextCodec<?> codec, String index) {
        TableSpot spot = TableSpot.ofIndex(codec, index);
        return spot != null && spot.field != null && spot.field.held != null && spot.field.held.shape() instanceof TextRecord r && r.text >= 0;
    }
}
