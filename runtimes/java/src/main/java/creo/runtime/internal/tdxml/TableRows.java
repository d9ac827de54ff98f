package creo.runtime.internal.tdxml;

import creo.runtime.CreoException;
import creo.runtime.codegen.Bytes;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.text.NumberWriter;
import creo.runtime.internal.text.TextSlices;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * The rows of a table being read: in their own order, or, once that has failed, in schema order (TDX-13). A zero follows the last one; no table
 * contains zeros.
 */
public abstract class TableRows extends TextSlices {
    private static final int LONGEST_ROW = 100;
    private static final long MOST = Integer.MAX_VALUE;

    /** The range of the rows. */
    int from;
    int to;
    /** The index of the next row's first byte; -1 after the last row. */
    public int row;
    /** The row being read, for errors. */
    int current;
    /** The index of the current value, extended and truncated. */
    byte[] ix = new byte[64];
    int ixLength;
    /** The rows in schema order, or null. */
    private int[] sorted;
    private int next;

    public final CreoException malformed(String reason) {
        return Failures.placed(Failures.malformed(rowText() + reason));
    }

    final CreoException tooLarge(String limit, long allowed, String reason) {
        return Failures.placed(CreoException.tooLarge(limit, allowed, rowText() + reason));
    }

    @Override
    public final CreoException here(CreoException e) {
        return Failures.placed(e);
    }

    /** The names of rows in errors, by their indices, if they are not numbered; rows without a name are not the peer's. */
    Map<String, String> labels;

    /** The row being read, with its number (TDX-15). */
    private String rowText() {
        if (current < 0) {
            return "";
        }
        if (labels == null) {
            return shown(current) + ": ";
        }
        int p = current;
        while (b[p] != '|' && b[p] != '~' && !isRowEnd(p)) {
            p++;
        }
        String label = labels.get(new String(b, current, p - current, StandardCharsets.ISO_8859_1));
        return label == null ? "" : label + ": ";
    }

    /** Receives a row: its index, the rest of it, and its name in errors. */
    public interface Each {
        void row(String index, String rest, String label);
    }

    /** Passes on the rows in order; they may be those of an update. */
    public final void each(byte[] bytes, int rowsFrom, int rowsTo, boolean update, Each each) {
        b = bytes;
        begin(rowsFrom, rowsTo);
        while (row >= 0) {
            current = row;
            int p = indexEnd(row, update);
            checkRoot();
            int stop = p;
            if (b[p] == '|') {
                stop = update ? valueEnd(p + 1) : skipColumns(p);
            } else if (b[p] == '~' || b[p] == '-') {
                stop = p + 1;
            }
            if (!isRowEnd(stop)) {
                throw malformed("something behind a value");
            }
            each.row(new String(b, row, p - row, StandardCharsets.ISO_8859_1), new String(b, p, stop - p, StandardCharsets.UTF_8), shown(row));
            advance(stop);
        }
    }

    private void checkRoot() {
        if (b[row + 1] != '0' || b[row + 2] != ']' || b[row + 3] >= '0' && b[row + 3] <= '9') {
            throw malformed("an index that does not begin with [0], the root");
        }
    }

    /** The text of a column of the row at an index; null if the column is absent or null. */
    public final String text(byte[] bytes, int at, int stop, int column) {
        b = bytes;
        from = 0;
        to = stop;
        current = at;
        int p = indexEnd(at);
        for (int k = 0; b[p] == '|'; k++) {
            boolean nothing = isNothing(p + 1);
            int end = nothing ? p + 2 : valueEnd(p + 1);
            if (k == column) {
                return nothing ? null : unescaped(p + 1, end);
            }
            p = end;
        }
        return null;
    }

    private String unescaped(int start, int stop) {
        byte[] text = new byte[stop - start];
        int n = 0;
        for (int p = start; p < stop; p++) {
            text[n++] = b[p] == '\\' ? unescaped(b[++p]) : b[p];
        }
        return new String(text, 0, n, StandardCharsets.UTF_8);
    }

    private String shown(int at) {
        int start = at;
        while (start > from && b[start - 1] != '\n') {
            start--;
        }
        int number = 1;
        for (int p = from; p < start; p++) {
            number += b[p] == '\n' ? 1 : 0;
        }
        int stop = rowEnd(at);
        String text = new String(b, at, stop - at, StandardCharsets.UTF_8);
        String cut = text.codePointCount(0, text.length()) > LONGEST_ROW ? text.substring(0, text.offsetByCodePoints(0, LONGEST_ROW)) + "..." : text;
        return "row " + number + ": " + CreoException.shown(cut);
    }

    /** The end of the row that contains {@code p}. */
    final int rowEnd(int p) {
        while (!isRowEnd(p)) {
            p++;
        }
        return p;
    }

    final boolean isRowEnd(int p) {
        int c = b[p];
        return c == '\n' || c == 0 && p >= to || c == '\r' && (b[p + 1] == '\n' || p + 1 >= to);
    }

    /** Begins to read rows in their own order. */
    final void begin(int rowsFrom, int rowsTo) {
        from = rowsFrom;
        to = rowsTo;
        // Text directly after the start tag is not a row.
        int p = skipSpace(from);
        if (b[p] == '\r' && b[p + 1] == '\n') {
            p++;
        }
        if (b[p] == '\n') {
            from = p + 1;
        }
        sorted = null;
        restart();
    }

    /** Releases the rows. */
    final void forgetRows() {
        b = null;
        sorted = null;
        labels = null;
    }

    /** Begins to read rows at the given positions, in schema order. */
    final void begin(int rowsTo, int[] order) {
        from = 0;
        to = rowsTo;
        sorted = order;
    }

    final void restart() {
        next = 0;
        current = -1;
        if (sorted == null) {
            seek(from);
        } else {
            step();
        }
    }

    private int skipSpace(int p) {
        while (b[p] == ' ' || b[p] == '\t') {
            p++;
        }
        return p;
    }

    /** Goes to the first non-empty row from an index. */
    private void seek(int p) {
        while (true) {
            p = skipSpace(p);
            if (p >= to) {
                row = -1;
                return;
            }
            if (!isRowEnd(p)) {
                row = p;
                return;
            }
            p += b[p] == '\r' ? 2 : 1;
        }
    }

    private void step() {
        row = next < sorted.length ? sorted[next++] : -1;
    }

    /** Goes to the row after the one that ends at an index. */
    final void advance(int end) {
        if (sorted != null) {
            step();
            return;
        }
        int p = b[end] == '\n' ? end + 1 : b[end] == '\r' ? end + 2 : end;
        if (b[p] == '[') {
            row = p;
        } else {
            seek(p);
        }
    }

    /** The index after a row's index; fails if that is invalid (TDX-10). */
    final int indexEnd(int p) {
        return indexEnd(p, false);
    }

    private int indexEnd(int p, boolean update) {
        if (b[p] != '[') {
            throw malformed("no index, where one must be");
        }
        int elements = 0;
        while (b[p] == '[') {
            if (++elements > limits.maxXmlDepth()) {
                throw tooLarge("maxXmlDepth", limits.maxXmlDepth(), "an index of too many elements");
            }
            p = number(p + 1);
            if (b[p] != ']') {
                throw malformed("an index that is none");
            }
            p++;
            if (b[p] >= '0' && b[p] <= '9') {
                p = number(p);
            }
        }
        if (b[p] == '(') {
            p = number(p + 1);
            if (b[p] != ')') {
                throw malformed("an index that is none");
            }
            p++;
        }
        if (b[p] != '|' && b[p] != '~' && !(update && b[p] == '-') && !isRowEnd(p)) {
            throw malformed("an index with something else than columns behind it");
        }
        return p;
    }

    /** The last number of the index read last. */
    int number;

    /** The index after a number. */
    final int number(int p) {
        int start = p;
        long v = 0;
        while (b[p] >= '0' && b[p] <= '9' && p - start <= 10) {
            v = v * 10 + b[p++] - '0';
        }
        if (p == start || b[start] == '0' && p > start + 1 || v > MOST) {
            throw malformed("an index with a number that is none, or too large");
        }
        number = (int) v;
        return p;
    }

    /** Sorts the rows by schema order; false if they already were. Fails for repeated or invalid indices. */
    final boolean sort() {
        if (sorted != null) {
            return false;
        }
        int count = 0;
        for (seek(from); row >= 0; seek(rowEnd(row))) {
            count++;
        }
        int[] all = new int[count];
        boolean ordered = true;
        int n = 0;
        for (seek(from); row >= 0; seek(rowEnd(row))) {
            current = row;
            indexEnd(row);
            checkRoot();
            ordered &= n == 0 || compare(all[n - 1], row) < 0;
            all[n++] = row;
        }
        if (ordered) {
            return false;
        }
        sorted = merged(all);
        for (int i = 1; i < count; i++) {
            if (compare(sorted[i - 1], sorted[i]) == 0) {
                current = Math.max(sorted[i - 1], sorted[i]);
                throw malformed("the index was there before, in " + shown(Math.min(sorted[i - 1], sorted[i])));
            }
        }
        return true;
    }

    /** Merge sort of increasing runs. It makes no object per row, since a hostile table has many. */
    private int[] merged(int[] rows) {
        int[] from = rows;
        int[] into = new int[rows.length];
        for (long width = 1; width < rows.length; width *= 2) {
            for (long start = 0; start < rows.length; start += 2 * width) {
                int middle = (int) Math.min(start + width, rows.length);
                int stop = (int) Math.min(start + 2 * width, rows.length);
                int i = (int) start;
                int k = middle;
                for (int n = (int) start; n < stop; n++) {
                    boolean left = k == stop || i < middle && compare(from[i], from[k]) <= 0;
                    into[n] = left ? from[i++] : from[k++];
                }
            }
            int[] other = from;
            from = into;
            into = other;
        }
        return from;
    }

    /** Compares the indices of two rows (TDX-13). */
    private int compare(int p, int q) {
        while (true) {
            boolean more = b[p] == '[' || b[p] == '(';
            boolean other = b[q] == '[' || b[q] == '(';
            if (!more || !other) {
                return more == other ? 0 : more ? 1 : -1;
            }
            if (b[p] != b[q]) {
                return b[p] == '(' ? -1 : 1;
            }
            p = number(p + 1);
            int first = number;
            q = number(q + 1);
            if (first != number) {
                return Integer.compare(first, number);
            }
            p++;
            q++;
            boolean occurs = b[p] >= '0' && b[p] <= '9';
            boolean occursToo = b[q] >= '0' && b[q] <= '9';
            if (occurs != occursToo) {
                return occurs ? 1 : -1;
            }
            if (occurs) {
                p = number(p);
                first = number;
                q = number(q);
                if (first != number) {
                    return Integer.compare(first, number);
                }
            }
        }
    }

    /** If the next row is at or beneath the current index, the position after that index in the row; else -1. */
    final int beneath() {
        int p = row;
        int n = ixLength;
        if (p < 0 || !stands(p, n)) {
            return -1;
        }
        int c = b[p + n];
        return c >= '0' && c <= '9' ? -1 : p + n;
    }

    /** Whether the first {@code n} bytes of the current index are at a position of the table. */
    final boolean stands(int p, int n) {
        byte[] table = b;
        byte[] index = ix;
        int i = 0;
        for (; i + 8 <= n; i += 8) {
            if (Bytes.getLong(table, p + i) != Bytes.getLong(index, i)) {
                return false;
            }
        }
        return i == n || (Bytes.getLong(table, p + i) ^ Bytes.getLong(index, i)) >>> 64 - 8 * (n - i) == 0;
    }

    /** Extends the index by bytes of the table. */
    final void extend(int start, int stop) {
        int n = stop - start;
        // There is room for a whole long after the index.
        if (ixLength + n + 8 > ix.length) {
            ix = Arrays.copyOf(ix, 2 * ix.length + n);
        }
        System.arraycopy(b, start, ix, ixLength, n);
        ixLength += n;
        if (ixLength > 3L * limits.maxXmlDepth()) {
            checkDepth();
        }
    }

    final void extend(byte[] step) {
        if (ixLength + step.length + 8 > ix.length) {
            ix = Arrays.copyOf(ix, 2 * ix.length + step.length);
        }
        System.arraycopy(step, 0, ix, ixLength, step.length);
        ixLength += step.length;
        if (ixLength > 3L * limits.maxXmlDepth()) {
            checkDepth();
        }
    }

    private void checkDepth() {
        int elements = 0;
        for (int i = 0; i < ixLength; i++) {
            elements += ix[i] == '[' ? 1 : 0;
        }
        if (elements > limits.maxXmlDepth()) {
            throw tooLarge("maxXmlDepth", limits.maxXmlDepth(), "an index of too many elements");
        }
    }

    /** Sets occurrence {@code i} of the index, whose first {@code base} bytes are kept. */
    final void occurrence(int base, int i) {
        if (base + NumberWriter.LONGEST > ix.length) {
            ix = Arrays.copyOf(ix, 2 * ix.length + NumberWriter.LONGEST);
        }
        ixLength = NumberWriter.put(ix, base, i);
    }

    /** Skips the rows at and beneath the index, with any occurrence; they must still be valid rows. */
    final void skipRows() {
        int n = ixLength;
        while (row >= 0 && stands(row, n)) {
            current = row;
            int p = indexEnd(row);
            if (b[p] == '~') {
                p++;
            }
            p = skipColumns(p);
            advance(p);
        }
    }

    /** Skips columns; returns the end of the row. */
    final int skipColumns(int p) {
        while (b[p] == '|') {
            p = isNothing(p + 1) ? p + 2 : valueEnd(p + 1);
        }
        if (!isRowEnd(p)) {
            throw malformed("something behind a value");
        }
        return p;
    }

    /** Whether the column at an index is null. */
    final boolean isNothing(int p) {
        return b[p] == '~' && (b[p + 1] == '|' || isRowEnd(p + 1));
    }

    /** The first escape of the last value, or -1. */
    int escape;

    /**
     * The index of the first byte from {@code p} that is a control character, bar or backslash; if {@code beyond} is all ones, also of a non-ASCII
     * one.
     */
    final int scan(int p, long beyond) {
        byte[] bytes = b;
        while (true) {
            long w = (long) LITTLE.get(bytes, p);
            // Bar and backslash differ in one bit.
            long bar = (w | ONES * 0x20) ^ ONES * '|';
            long found = ((bar - ONES) & ~bar | (w - ONES * 0x20) & ~w | w & beyond) & HIGH_BITS;
            if (found != 0) {
                return p + (Long.numberOfTrailingZeros(found) >>> 3);
            }
            p += 8;
        }
    }

    /** The index after the value at an index; its escapes must be valid. */
    final int valueEnd(int p) {
        byte[] bytes = b;
        escape = -1;
        int start = p;
        if (bytes[p] == '~') {
            throw malformed("a value that begins with a tilde");
        }
        while (true) {
            p = scan(p, 0);
            int c = bytes[p];
            if (c == '|' || c == '\n' || c == 0 || c == '\r') {
                if (c == '\r' && !isRowEnd(p)) {
                    throw malformed("a carriage return within a value");
                }
                if (p - start > limits.maxXmlText()) {
                    throw tooLarge("maxXmlText", limits.maxXmlText(), "a value of " + (p - start) + " bytes");
                }
                return p;
            }
            if (c == '\\') {
                escape = escape < 0 ? p : escape;
                if (unescaped(bytes[++p]) == 0) {
                    throw malformed("a backslash with something else than an escape");
                }
            }
            p++;
        }
    }

    /** The byte for an escape character, or 0 (TDX-12). */
    static byte unescaped(int c) {
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case '|', '\\', '~' -> (byte) c;
            case 'a' -> '&';
            case 'l' -> '<';
            case 'g' -> '>';
            default -> 0;
        };
    }
}
