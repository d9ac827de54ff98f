package creo.runtime;

import creo.runtime.codegen.TextCodec;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.tdxml.TableIndex;
import creo.runtime.internal.tdxml.TableReader;
import creo.runtime.internal.tdxml.TableSchema;
import creo.runtime.internal.tdxml.TableSpot;
import creo.runtime.internal.tdxml.TableUpdates;
import creo.runtime.internal.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A table document whose rows are read one by one, without decoding the whole value (TDX-44). A row is found by an index, such as {@code [0][0]1[2]},
 * or by a path of names with occurrences, such as {@code person[1].age}; {@code key} and {@code value} are those of a map entry. Immutable.
 */
public final class Table<T> {
    private final TextCodec<T> codec;
    private final boolean records;
    private final byte[] bytes;
    /** Where each row begins, by its index. */
    private final NavigableMap<String, Integer> rows = new TreeMap<>(TableIndex::compare);

    private Table(TextCodec<T> codec, TableDocument document) {
        this.codec = codec;
        this.records = document.options().scheme() == TableScheme.RECORD;
        int n = document.to() - document.from();
        this.bytes = new byte[n + PaddedBytes.PADDING];
        System.arraycopy(document.rows(), document.from(), bytes, 0, n);
        TableReader r = TableReader.create(Limits.DEFAULT);
        try {
            r.each(bytes, 0, n, false, (index, rest, label) -> {
                if (rows.put(index, r.row) != null) {
                    throw r.malformed("an index that was there before");
                }
            });
        } finally {
            r.end();
        }
    }

    /**
     * The table of a document.
     *
     * @throws CreoException {@code malformed} if the document or one of its rows is invalid
     */
    public static <T> Table<T> of(TextCodec<T> codec, byte[] document) {
        XmlReader x = XmlReader.borrow(Limits.DEFAULT);
        try {
            x.open(document, 0, document.length, null);
            TableDocument read = TableDocument.readAlone(x);
            read.checkOf(codec.fullName);
            read.checkSchema(TableSchema.of(codec));
            Table<T> table = new Table<>(codec, read);
            read.restore();
            read.close();
            x.endDocument();
            return table;
        } catch (CreoException e) {
            throw x.locate(e);
        } finally {
            x.giveBack();
        }
    }

    /** The update that turns {@code from} into {@code to} (TDX-46). */
    public static <T> byte[] diff(TextCodec<T> codec, T from, T to) {
        return TableUpdates.diff(codec, from, to);
    }

    /**
     * Applies an update to a value (TDX-45); returns a new value and does not change the first.
     *
     * @throws CreoException {@code malformed} if the update or its result is invalid
     */
    public static <T> T apply(TextCodec<T> codec, T value, byte[] update) {
        return TableUpdates.apply(codec, value, update, Limits.DEFAULT);
    }

    private TableSpot spot(String place) {
        Objects.requireNonNull(place, "place");
        TableSpot spot = place.startsWith("[") ? TableSpot.ofIndex(codec, place) : TableSpot.ofPath(codec, place);
        if (spot == null) {
            throw new IllegalArgumentException("\"" + place + "\" is no place in " + codec.fullName);
        }
        return spot;
    }

    /**
     * The text of a scalar, unescaped, or null if it is absent.
     *
     * @throws IllegalArgumentException if the type has no such path
     */
    public String get(String place) {
        TableSpot spot = spot(place);
        boolean column = records && spot.column >= 0;
        Integer at = rows.get(column ? spot.row : spot.index.toString());
        if (at == null) {
            return null;
        }
        TableReader r = TableReader.create(Limits.DEFAULT);
        try {
            return r.text(bytes, at, bytes.length - PaddedBytes.PADDING, column ? spot.column : 0);
        } finally {
            r.end();
        }
    }

    /** The rows at and below a path, unchanged, in schema order; for a column, its row. */
    public List<String> rows(String place) {
        TableSpot spot = spot(place);
        List<String> texts = new ArrayList<>();
        for (int at : beneath(records && spot.column >= 0 ? spot.row : spot.index.toString())) {
            int end = at;
            while (bytes[end] != '\n' && bytes[end] != 0) {
                end++;
            }
            texts.add(new String(bytes, at, end - at, StandardCharsets.UTF_8).stripTrailing());
        }
        return texts;
    }

    private int[] beneath(String index) {
        List<Integer> found = new ArrayList<>();
        for (String each : rows.tailMap(index, true).keySet()) {
            if (!TableIndex.isBeneath(each, index)) {
                break;
            }
            found.add(rows.get(each));
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Decodes only the struct or union at a path; null if it is absent.
     *
     * @throws CreoException {@code malformed} if its rows do not form a value of the type
     * @throws IllegalArgumentException if the type has no such path, or it holds another type
     */
    public <V> V read(String place, TextCodec<V> type) {
        TableSpot spot = spot(place);
        if (spot.field == null || spot.field.held != type) {
            throw new IllegalArgumentException("\"" + place + "\" does not hold a " + type.fullName);
        }
        int[] found = beneath(spot.index.toString());
        if (found.length == 0) {
            return null;
        }
        TableReader r = TableReader.create(Limits.DEFAULT);
        try {
            return r.read(bytes, bytes.length - PaddedBytes.PADDING, found, spot.index.toString(), records, spot.field, type.decoder);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.end();
        }
    }
}
