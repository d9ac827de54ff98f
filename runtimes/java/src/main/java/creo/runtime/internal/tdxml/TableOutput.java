package creo.runtime.internal.tdxml;

import creo.runtime.Limits;
import creo.runtime.codegen.TextField;
import creo.runtime.internal.text.NumberWriter;
import creo.runtime.internal.text.TextInput;
import creo.runtime.internal.text.TextOutput;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the rows of a table: their indices, columns and escapes (TDX-10 to TDX-13). The index is kept as bytes that are extended and truncated. */
abstract class TableOutput extends TextOutput {
    /** For each ASCII character in a value: 0 unescaped, 1 escaped, 2 not allowed. */
    private static final byte[] KIND = new byte[128];

    static {
        Arrays.fill(KIND, 0, 32, (byte) 2);
        KIND['\t'] = 0;
        for (char c : "\n\r|\\&<>".toCharArray()) {
            KIND[c] = 1;
        }
    }

    /** An open record, union, array, map or map entry. Reused. */
    static final class Level {
        /** The length of the index outside it. */
        int before;
        /** The length of its own index. */
        int own;
        /** The number of rows begun before it. */
        long rows;
        /** Whether its fields are columns of one row; how many were written of how many; how many nulls since the last value. */
        boolean columns;
        int done;
        int all;
        int absent;
        /** Whether the row has begun. */
        boolean begun;
        /** Whether the items are columns of one row. */
        boolean flat;
        /** The buffer for rows beneath an open row, or null. */
        Aside aside;
        /** Whether output goes to that buffer now. */
        boolean apart;
    }

    /** Rows that wait until the row above them ends; while they are written, it holds the earlier output. */
    static final class Aside {
        byte[] buf = new byte[1_024];
        int pos;
    }

    boolean records;
    byte[] ix = new byte[64];
    int ixLength;
    private Level[] levels = new Level[16];
    private int open;
    /** The innermost level, or null. */
    Level top;
    private long rows;
    private Aside[] spare = new Aside[4];
    private int spares;

    @Override
    public void reset(Limits limits) {
        while (open > 0) {
            drop(levels[--open]);
        }
        super.reset(limits);
        top = null;
        ixLength = 0;
        rows = 0;
    }

    private void drop(Level level) {
        if (level.aside != null) {
            if (level.apart) {
                swap(level);
            }
            giveBack(level);
        }
    }

    /** Begins a level within the innermost one, at the step of a field, or for {@code null} at the current index. */
    final Level begin(TextField f) {
        if (top != null) {
            beneath(top);
        }
        if (open == levels.length) {
            levels = Arrays.copyOf(levels, 2 * open);
        }
        Level level = levels[open];
        if (level == null) {
            level = new Level();
            levels[open] = level;
        }
        open++;
        top = level;
        level.before = ixLength;
        if (f != null && !f.isItem) {
            extend(TableStep.of(f));
        }
        level.own = ixLength;
        level.rows = rows;
        level.columns = false;
        level.flat = false;
        return level;
    }

    /** Ends the innermost level; one that wrote nothing and must be visible gets a presence row. */
    final void end(boolean present) {
        Level level = top;
        ixLength = level.own;
        if (level.columns) {
            finish(level);
        }
        if (present && rows == level.rows) {
            startRow();
            endRow();
        }
        ixLength = level.before;
        open--;
        top = open > 0 ? levels[open - 1] : null;
    }

    /** Makes the fields of the innermost level the columns of a row. */
    final void columns(Level level, int count) {
        level.columns = true;
        level.done = 0;
        level.all = count;
        level.absent = 0;
        level.begun = false;
    }

    final void extend(byte[] step) {
        if (ixLength + step.length > ix.length) {
            ix = Arrays.copyOf(ix, 2 * ix.length + step.length);
        }
        for (byte c : step) {
            ix[ixLength++] = c;
        }
    }

    /** Sets the index to that of an item of the innermost level. */
    final void occurrence(int from, int i) {
        if (from + NumberWriter.LONGEST > ix.length) {
            ix = Arrays.copyOf(ix, 2 * ix.length + NumberWriter.LONGEST);
        }
        ixLength = NumberWriter.put(ix, from, i);
    }

    /** Begins a row at the index, with some spare room. */
    final void startRow() {
        int n = ixLength;
        room(n + 64);
        System.arraycopy(ix, 0, buf, pos, n);
        pos += n;
        rows++;
    }

    final void endRow() {
        room(2);
        buf[pos++] = '\n';
    }

    /** Before rows beneath a level: if its row is still open, they go to the buffer. */
    final void beneath(Level level) {
        if (level.columns && level.done < level.all && !level.apart) {
            if (level.aside == null) {
                level.aside = spares > 0 ? spare[--spares] : new Aside();
                level.aside.pos = 0;
            }
            swap(level);
        }
    }

    private void swap(Level level) {
        byte[] b = buf;
        int p = pos;
        buf = level.aside.buf;
        pos = level.aside.pos;
        level.aside.buf = b;
        level.aside.pos = p;
        level.apart = !level.apart;
    }

    private void giveBack(Level level) {
        if (spares < spare.length && level.aside.buf.length <= 1 << 16) {
            spare[spares++] = level.aside;
        }
        level.aside = null;
    }

    /** Goes to the next column of a level's row, for a value, with room for {@code n} bytes and the separator. */
    final int column(Level level, int n) {
        if (level.apart || !level.begun || level.absent > 0) {
            resume(level);
        }
        room(n);
        int p = pos;
        buf[p] = '|';
        return p + 1;
    }

    /** Returns to the row of a level: columns that are null are written now that something follows them. */
    private void resume(Level level) {
        if (level.apart) {
            swap(level);
        }
        if (!level.begun) {
            level.begun = true;
            startRow();
        }
        for (; level.absent > 0; level.absent--) {
            room(2);
            buf[pos++] = '|';
            buf[pos++] = '~';
        }
    }

    /** Notes the end of a column. */
    final void columnDone(Level level) {
        if (++level.done == level.all) {
            finish(level);
        }
    }

    /** Ends the row of a level; buffered rows follow it. */
    private void finish(Level level) {
        level.done = level.all;
        if (level.apart) {
            swap(level);
        }
        if (level.begun) {
            endRow();
            level.begun = false;
        }
        if (level.aside != null) {
            put(level.aside.buf, 0, level.aside.pos);
            checkSize(pos);
            giveBack(level);
        }
    }

    /** Writes escaped text (TDX-12); returns the index after it. The room suffices without escapes. Fails for what XML does not allow. */
    final int cell(int p, String s, boolean first) {
        int n = s.length();
        if (first && n > 0 && s.charAt(0) == '~') {
            buf[p++] = '\\';
        }
        byte[] b = buf;
        int i = n > SHORT ? plain(s, b, p) : 0;
        if (n - i >= 8) {
            i = eights(s, i, n, b, p);
        }
        for (; i < n; i++) {
            char c = s.charAt(i);
            if (c >= 128 || KIND[c] != 0) {
                return escaped(p + i, s, i, n);
            }
            b[p + i] = (byte) c;
        }
        return p + n;
    }

    /** Copies characters of a long text up to the first eight that need escapes; returns their number. */
    private static int plain(String s, byte[] b, int p) {
        // Characters of several bytes become question marks, where the slow path takes over.
        byte[] t = s.getBytes(StandardCharsets.ISO_8859_1);
        int i = 0;
        for (int last = t.length - 8; i <= last; i += 8) {
            long w = (long) TextInput.LITTLE.get(t, i);
            if ((w & TextInput.HIGH_BITS) != 0 || !isPlain(w) || hasMark(w)) {
                break;
            }
        }
        System.arraycopy(t, 0, b, p, i);
        return i;
    }

    /** Whether one of eight ASCII characters is a question mark. */
    private static boolean hasMark(long w) {
        return (~((w ^ TextInput.ONES * '?') + TextInput.ONES * 0x7f) & TextInput.HIGH_BITS) != 0;
    }

    /** Copies characters from {@code i} by eight, possibly repeating some of the last eight, as long as they need no escapes; returns the total. */
    private static int eights(String s, int i, int n, byte[] b, int p) {
        int last = n - 8;
        for (; ; i = Math.min(i + 8, last)) {
            int c0 = s.charAt(i);
            int c1 = s.charAt(i + 1);
            int c2 = s.charAt(i + 2);
            int c3 = s.charAt(i + 3);
            int c4 = s.charAt(i + 4);
            int c5 = s.charAt(i + 5);
            int c6 = s.charAt(i + 6);
            int c7 = s.charAt(i + 7);
            long w = c0 | c1 << 8 | c2 << 16 | (long) c3 << 24 | (long) (c4 | c5 << 8 | c6 << 16) << 32 | (long) c7 << 56;
            if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) >= 128 || !isPlain(w)) {
                return i;
            }
            TextInput.LITTLE.set(b, p + i, w);
            if (i == last) {
                return n;
            }
        }
    }

    /** Whether none of eight ASCII characters needs an escape. Adding less than 128 to each carries nothing to the next. */
    private static boolean isPlain(long w) {
        long ones = TextInput.ONES;
        long control = w + ones * (0x80 - ' ');
        long amp = (w ^ ones * '&') + ones * 0x7f;
        // '<' and '>' differ in one bit, and so do '|' and '\\'.
        long angle = ((w | ones * 2) ^ ones * '>') + ones * 0x7f;
        long bar = ((w | ones * 0x20) ^ ones * '|') + ones * 0x7f;
        return (~(control & amp & angle & bar) & TextInput.HIGH_BITS) == 0;
    }

    private int escaped(int p, String s, int i, int n) {
        while (i < n) {
            pos = p;
            room(4 + (n - i));
            byte[] b = buf;
            int last = b.length - SLACK;
            for (; i < n && p < last; i++) {
                char c = s.charAt(i);
                if (c < 128) {
                    if (KIND[c] == 2) {
                        throw forbidden(c, i);
                    }
                    if (KIND[c] == 1) {
                        b[p++] = '\\';
                        b[p++] = switch (c) {
                            case '\n' -> 'n';
                            case '\r' -> 'r';
                            case '&' -> 'a';
                            case '<' -> 'l';
                            case '>' -> 'g';
                            default -> (byte) c;
                        };
                    } else {
                        b[p++] = (byte) c;
                    }
                } else {
                    int start = p;
                    p = xmlCharacter(b, p, s, i);
                    i += p - start == 4 ? 1 : 0;
                }
            }
        }
        pos = p;
        room(2);
        return p;
    }
}
