package creo.runtime.internal.http;

import java.util.Arrays;

/**
 * Reads the lines of a head, or of trailers, from bytes that arrive in pieces. No byte is searched twice for a line's end, and nothing is copied
 * before the section is complete. All indexes are relative to the section's first byte: the caller may move its bytes between calls.
 */
final class HttpSection {
    private final int maxBytes;
    private final int maxFields;
    private final boolean folds;
    private int[] spans = new int[64];
    private int count;
    private boolean folded;
    private int scanned;
    private int lineFrom;
    private int lineTo;
    private int nextFrom;
    private int fieldsFrom;

    /**
     * @param maxBytes the max size of the section
     * @param folds whether a value may continue on the next line (obs-fold of RFC 9112, section 5.2)
     */
    HttpSection(int maxBytes, int maxFields, boolean folds) {
        this.maxBytes = maxBytes;
        this.maxFields = maxFields;
        this.folds = folds;
    }

    void begin() {
        count = 0;
        folded = false;
        scanned = 0;
        nextFrom = 0;
        fieldsFrom = 0;
    }

    /** Whether no byte of the section has been scanned. */
    boolean isNew() {
        return scanned == 0;
    }

    /** The first byte of the current line. */
    int lineFrom() {
        return lineFrom;
    }

    /** The CR that ends the current line. */
    int lineTo() {
        return lineTo;
    }

    /** The bytes up to the end of the current line. */
    int length() {
        return nextFrom;
    }

    boolean isLineEmpty() {
        return lineFrom == lineTo;
    }

    /** Begins the fields after the current line. */
    void beginFields() {
        fieldsFrom = nextFrom;
    }

    /**
     * Takes the next line if it is complete.
     *
     * @param from the first byte of the section
     * @param tooLarge the status if the section is too large
     */
    boolean nextLine(byte[] b, int from, int to, int tooLarge) throws HttpFault {
        boolean full = to - from >= maxBytes;
        int end = full ? from + maxBytes : to;
        int p = from + scanned;
        while (p < end && HttpSyntax.TEXT[b[p] & 0xff]) {
            p++;
        }
        if (p < end) {
            if (b[p] != '\r') {
                throw HttpFault.bad(b[p] == '\n' ? "a line ends without CR" : "a control character in a line");
            }
            if (p + 1 < end) {
                if (b[p + 1] != '\n') {
                    throw HttpFault.bad("a CR without LF");
                }
                lineFrom = nextFrom;
                lineTo = p - from;
                nextFrom = lineTo + 2;
                scanned = nextFrom;
                return true;
            }
        }
        if (full) {
            throw new HttpFault(tooLarge, "a head, or trailers, of more than " + maxBytes + " bytes");
        }
        scanned = p - from;
        return false;
    }

    /**
     * Reads the current line as a field.
     *
     * @param tooMany the status if there are too many fields
     */
    void field(byte[] b, int from, int tooMany) throws HttpFault {
        int p = from + lineFrom;
        int end = from + lineTo;
        if (HttpSyntax.isSpace(b[p])) {
            continueField(b, from);
            return;
        }
        // The CR at the end of the line is not a token character.
        while (HttpSyntax.TOKEN[b[p] & 0xff] != 0) {
            p++;
        }
        if (p == from + lineFrom || b[p] != ':') {
            throw HttpFault.bad("a field whose name is empty, has a wrong character, or is not followed by a colon");
        }
        if (count == maxFields) {
            throw new HttpFault(tooMany, "more than " + maxFields + " header fields");
        }
        if (4 * count == spans.length) {
            spans = Arrays.copyOf(spans, 2 * spans.length);
        }
        int i = 4 * count;
        spans[i] = lineFrom;
        spans[i + 1] = p - from;
        p = HttpSyntax.skipSpace(b, p + 1, end);
        spans[i + 2] = p - from;
        spans[i + 3] = HttpSyntax.trim(b, p, end) - from;
        count++;
    }

    private void continueField(byte[] b, int from) throws HttpFault {
        if (!folds || count == 0) {
            throw HttpFault.bad(count == 0 ? "white space before the first field" : "a field that continues on the next line");
        }
        int i = 4 * (count - 1);
        int end = HttpSyntax.trim(b, from + lineFrom, from + lineTo) - from;
        if (end > lineFrom) {
            spans[i + 3] = end;
            folded = true;
        }
    }

    /** The fields of the complete section, with their own copy of the bytes. */
    HttpFields fields(byte[] b, int from) {
        byte[] copy = Arrays.copyOfRange(b, from + fieldsFrom, from + nextFrom);
        int[] of = new int[4 * count];
        for (int i = 0; i < of.length; i++) {
            of[i] = spans[i] - fieldsFrom;
        }
        for (int i = 0; i < of.length; i += 4) {
            for (int p = of[i]; p < of[i + 1]; p++) {
                copy[p] = HttpSyntax.TOKEN[copy[p]];
            }
            for (int p = of[i + 2]; folded && p < of[i + 3]; p++) {
                copy[p] = copy[p] == '\r' || copy[p] == '\n' ? (byte) ' ' : copy[p];
            }
        }
        return new HttpFields(copy, of, lineFrom - fieldsFrom);
    }
}
