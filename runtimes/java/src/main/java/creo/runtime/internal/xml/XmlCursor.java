package creo.runtime.internal.xml;

import creo.runtime.CreoException;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.text.TextInput;
import creo.runtime.internal.text.TextSlices;
import java.util.Arrays;

/** The characters of XML (XML-12, XML-27, XML-42): valid characters, references, comments, and the text between tags. */
public abstract class XmlCursor extends TextSlices {
    /** The innermost open element has neither content nor end tag. */
    public boolean empty;
    byte[] scratch = new byte[256];
    private int scratched;

    public final CreoException malformed(int at, String reason) {
        if (at >= end && !empty) {
            return Failures.at(Failures.placed(Failures.malformed("the XML text ends too early")), end - first);
        }
        return Failures.at(Failures.placed(Failures.malformed(reason)), at - first);
    }

    @Override
    public final CreoException here(CreoException e) {
        return Failures.at(Failures.placed(e), pos - first);
    }

    public final CreoException tooLarge(int at, String limit, long allowed, String reason) {
        return Failures.at(Failures.placed(CreoException.tooLarge(limit, allowed, reason)), at - first);
    }

    public final int skipSpace(int p) {
        while (isSpace(b[p])) {
            p++;
        }
        return p;
    }

    public final boolean isAt(int p, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (b[p + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static boolean isSpace(int c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    /** The index behind the comment, or the processing instruction, at {@code p}; all else that begins with an exclamation or question mark is refused. */
    public final int comment(int p) {
        if (b[p + 1] == '?') {
            return XmlLenience.instruction(this, p);
        }
        if (!isAt(p, "<!--")) {
            throw malformed(p, isAt(p, "<!DOCTYPE") ? "a document type declaration" : "no tag");
        }
        int q = p + 4;
        while (true) {
            int c = b[q];
            if (c == '-' && b[q + 1] == '-') {
                if (b[q + 2] != '>') {
                    throw malformed(q, "two hyphens within a comment");
                }
                return q + 3;
            }
            q = character(q);
        }
    }

    /** The index after the character at {@code p}, which XML must allow. */
    public final int character(int p) {
        int c = b[p];
        if (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') {
            return p + 1;
        }
        int n = c < 0 ? XmlProlog.character(b, p) : 0;
        if (n == 0) {
            throw malformed(p, c < 0 ? "bytes that are not UTF-8, or no character of XML" : "a character that XML does not allow");
        }
        return p + n;
    }

    /** The index after the CDATA section at {@code p}. */
    public final int cdataEnd(int p) {
        int q = p + 9;
        while (b[q] != ']' || b[q + 1] != ']' || b[q + 2] != '>') {
            q = character(q);
        }
        return q + 3;
    }

    /** The index after the last reference. */
    public int referenceEnd;

    /** The code point of the reference at {@code p}. */
    public final int reference(int p) {
        int q = p + 1;
        if (b[q] == '#') {
            boolean hex = b[q + 1] == 'x';
            q += hex ? 2 : 1;
            int from = q;
            int code = 0;
            for (int d = Character.digit(b[q], hex ? 16 : 10); d >= 0 && b[q] > 0; d = Character.digit(b[++q], hex ? 16 : 10)) {
                code = Math.min(code * (hex ? 16 : 10) + d, 0x11_0000);
            }
            boolean allowed = code >= 0x20 && code < 0xd800 || code == '\t' || code == '\n' || code == '\r' || code >= 0xe000 && code < 0xfffe
                || code >= 0x1_0000 && code < 0x11_0000;
            if (q == from || b[q] != ';' || !allowed) {
                throw malformed(p, "a reference that is none, or to a character that XML does not allow");
            }
            referenceEnd = q + 1;
            return code;
        }
        int code = isAt(q, "amp;") ? '&' : isAt(q, "lt;") ? '<' : isAt(q, "gt;") ? '>' : isAt(q, "quot;") ? '"' : isAt(q, "apos;") ? '\'' : 0;
        if (code == 0) {
            throw malformed(p, "an entity that is none of XML's own");
        }
        while (b[q] != ';') {
            q++;
        }
        referenceEnd = q + 1;
        return code;
    }

    /** Sets the slice to an attribute's value, with references and white space replaced. */
    final void expand(int from, int to, boolean plain) {
        slice = b;
        sliceFrom = from;
        sliceTo = to;
        if (plain) {
            return;
        }
        scratched = 0;
        for (int p = from; p < to;) {
            int c = b[p];
            if (c == '&') {
                append(reference(p));
                p = referenceEnd;
            } else if (c >= 0 && c < 0x20) {
                append(' ');
                p += c == '\r' && b[p + 1] == '\n' ? 2 : 1;
            } else {
                appendByte(c);
                p++;
            }
        }
        slice = scratch;
        sliceFrom = 0;
        sliceTo = scratched;
    }

    private void appendByte(int c) {
        if (scratched == scratch.length) {
            scratch = Arrays.copyOf(scratch, 2 * scratched);
        }
        scratch[scratched++] = (byte) c;
    }

    private void append(int code) {
        if (code < 0x80) {
            appendByte(code);
        } else if (code < 0x800) {
            appendByte(0xc0 | code >> 6);
            appendByte(0x80 | code & 0x3f);
        } else if (code < 0x1_0000) {
            appendByte(0xe0 | code >> 12);
            appendByte(0x80 | code >> 6 & 0x3f);
            appendByte(0x80 | code & 0x3f);
        } else {
            appendByte(0xf0 | code >> 18);
            appendByte(0x80 | code >> 12 & 0x3f);
            appendByte(0x80 | code >> 6 & 0x3f);
            appendByte(0x80 | code & 0x3f);
        }
    }

    /** Sets the slice to the text up to the innermost element's end tag, where it stops. Returns whether it is ASCII. */
    public final boolean text() {
        slice = b;
        sliceFrom = pos;
        sliceTo = pos;
        if (empty) {
            return true;
        }
        int p = pos;
        boolean ascii = true;
        while (true) {
            long found = TextInput.marks((long) TextInput.LITTLE.get(b, p));
            if (found == 0) {
                p += 8;
                continue;
            }
            p += Long.numberOfTrailingZeros(found) >>> 3;
            int c = b[p];
            if (c == '<' && b[p + 1] == '/') {
                checkText(pos, p - pos);
                sliceTo = p;
                pos = p;
                return ascii;
            } else if (c < 0) {
                ascii = false;
                do {
                    p = character(p);
                } while (b[p] < 0);
            } else if (c == '>') {
                checkAngle(pos, p);
                p++;
            } else if (c == '\n' || c == '\t') {
                p++;
            } else {
                gather(p);
                return false;
            }
        }
    }

    private void checkText(int at, long size) {
        if (size > limits.maxXmlText()) {
            throw tooLarge(at, "maxXmlText", limits.maxXmlText(), "a text of " + size + " bytes");
        }
    }

    /** Refuses the {@code >} of {@code ]]>} in a text that begins at {@code from}. */
    public final void checkAngle(int from, int p) {
        if (p - 2 >= from && b[p - 1] == ']' && b[p - 2] == ']') {
            throw malformed(p - 2, "\"]]>\" in text");
        }
    }

    public final void checkBrackets(int p) {
        if (b[p + 1] == ']' && b[p + 2] == '>') {
            throw malformed(p, "\"]]>\" in text");
        }
    }

    /** As {@link #text}, for text with references, sections, comments or carriage returns, the first of them at {@code p}. */
    private void gather(int p) {
        scratched = 0;
        int from = pos;
        copy(from, p);
        while (b[p] != '<' || b[p + 1] != '/') {
            int c = b[p];
            checkText(from, scratched);
            if (c == '&') {
                append(reference(p));
                p = referenceEnd;
            } else if (c == '\r') {
                append('\n');
                p += b[p + 1] == '\n' ? 2 : 1;
            } else if (c == '<') {
                if (isAt(p, "<![CDATA[")) {
                    int to = cdataEnd(p);
                    copyLines(p + 9, to - 3);
                    p = to;
                } else if (b[p + 1] == '!' || b[p + 1] == '?') {
                    p = comment(p);
                } else {
                    throw malformed(p, "an element, where text must be");
                }
            } else {
                if (c == ']') {
                    checkBrackets(p);
                }
                int next = character(p);
                copy(p, next);
                p = next;
            }
        }
        checkText(from, scratched);
        pos = p;
        slice = scratch;
        sliceFrom = 0;
        sliceTo = scratched;
    }

    private void copy(int from, int to) {
        int n = to - from;
        if (scratch.length - scratched < n) {
            scratch = Arrays.copyOf(scratch, Math.max(2 * scratch.length, scratched + n));
        }
        System.arraycopy(b, from, scratch, scratched, n);
        scratched += n;
    }

    private void copyLines(int from, int to) {
        for (int p = from; p < to; p++) {
            if (b[p] == '\r') {
                appendByte('\n');
                p += b[p + 1] == '\n' ? 1 : 0;
            } else {
                appendByte(b[p]);
            }
        }
    }
}
