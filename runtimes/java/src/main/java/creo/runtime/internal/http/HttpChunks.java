package creo.runtime.internal.http;

/** Reads a chunked body (RFC 9112, section 7.1). Extensions and trailers are checked for their syntax and dropped. */
final class HttpChunks {
    private static final int MAX_EXTENSION_BYTES = 4_096;
    /** More digits of a size count as extension bytes. */
    private static final int FREE_DIGITS = 16;

    private enum State { SIZE, SPACE, BEFORE_NAME, NAME, AFTER_NAME, BEFORE_VALUE, VALUE, QUOTED, ESCAPE, AFTER_QUOTED, LF, DATA, DATA_CR, DATA_LF, TRAILERS }

    private final HttpSection trailers;
    private final int tooLarge;
    private State state;
    private long size;
    private int digits;
    private int extensionBytes;
    private int position;
    private int bodyFrom;

    /** @param tooLarge the status for trailers with too many bytes or fields */
    HttpChunks(int maxTrailerBytes, int maxFields, int tooLarge) {
        this.tooLarge = tooLarge;
        this.trailers = new HttpSection(maxTrailerBytes, maxFields, false);
    }

    void begin() {
        state = State.SIZE;
        size = 0;
        digits = 0;
        extensionBytes = 0;
    }

    /** The first byte not consumed yet. */
    int position() {
        return position;
    }

    /** After BODY: the start of its bytes; they end at the position. */
    int bodyFrom() {
        return bodyFrom;
    }

    /** The remaining bytes of the current chunk. */
    long left() {
        return state == State.DATA || state == State.LF ? size : 0;
    }

    /** Identifies the next bytes: BODY, END, or MORE if more are needed. */
    HttpRequestParser.Status next(byte[] b, int from, int to) throws HttpFault {
        int p = from;
        position = from;
        while (state != State.TRAILERS) {
            if (p == to) {
                position = p;
                return HttpRequestParser.Status.MORE;
            }
            if (state == State.DATA) {
                bodyFrom = p;
                p = (int) Math.min(to, p + Math.min(size, Integer.MAX_VALUE - p));
                position = p;
                size -= p - bodyFrom;
                if (size == 0) {
                    state = State.DATA_CR;
                }
                return HttpRequestParser.Status.BODY;
            }
            state = after(b[p]);
            p++;
        }
        position = p;
        return trailers(b, to);
    }

    private HttpRequestParser.Status trailers(byte[] b, int to) throws HttpFault {
        while (trailers.nextLine(b, position, to, tooLarge)) {
            if (trailers.isLineEmpty()) {
                position += trailers.length();
                return HttpRequestParser.Status.END;
            }
            trailers.field(b, position, tooLarge);
        }
        return HttpRequestParser.Status.MORE;
    }

    private State after(byte c) throws HttpFault {
        boolean token = HttpSyntax.TOKEN[c & 0xff] != 0;
        boolean space = HttpSyntax.isSpace(c);
        switch (state) {
            case SIZE:
                return afterSize(c);
            case LF:
                return afterLine(c);
            case DATA_CR:
                check(c == '\r');
                return State.DATA_LF;
            case DATA_LF:
                check(c == '\n');
                digits = 0;
                return State.SIZE;
            default:
                break;
        }
        countExtension(c);
        switch (state) {
            case SPACE:
                check(space || c == ';');
                return space ? State.SPACE : State.BEFORE_NAME;
            case BEFORE_NAME:
                check(space || token);
                return space ? State.BEFORE_NAME : State.NAME;
            case NAME:
                return token ? State.NAME : c == '=' ? State.BEFORE_VALUE : space ? State.AFTER_NAME : afterExtension(c);
            case AFTER_NAME:
                check(space || c == '=' || c == ';');
                return space ? State.AFTER_NAME : c == '=' ? State.BEFORE_VALUE : State.BEFORE_NAME;
            case BEFORE_VALUE:
                check(space || token || c == '"');
                return space ? State.BEFORE_VALUE : token ? State.VALUE : State.QUOTED;
            case VALUE:
                return token ? State.VALUE : afterExtension(c);
            case QUOTED:
                check(HttpSyntax.TEXT[c & 0xff]);
                return c == '"' ? State.AFTER_QUOTED : c == '\\' ? State.ESCAPE : State.QUOTED;
            case ESCAPE:
                check(HttpSyntax.TEXT[c & 0xff]);
                return State.QUOTED;
            default:
                return afterExtension(c);
        }
    }

    private void countExtension(byte c) throws HttpFault {
        if (c != '\r' && ++extensionBytes > MAX_EXTENSION_BYTES) {
            throw HttpFault.bad("more than " + MAX_EXTENSION_BYTES + " bytes of chunk extensions");
        }
    }

    private static void check(boolean legal) throws HttpFault {
        if (!legal) {
            throw HttpFault.bad("a chunk that is not framed as chunks are");
        }
    }

    /** The state after a character that cannot be part of a name or value. */
    private static State afterExtension(byte c) throws HttpFault {
        check(c == '\r' || c == ';' || HttpSyntax.isSpace(c));
        return c == '\r' ? State.LF : c == ';' ? State.BEFORE_NAME : State.SPACE;
    }

    private State afterSize(byte c) throws HttpFault {
        int digit = HttpSyntax.HEX[c & 0xff];
        if (digit < 0) {
            check(digits > 0);
            countExtension(c);
            return afterExtension(c);
        }
        if (size > Long.MAX_VALUE >> 4) {
            throw HttpFault.bad("a chunk of more than 63 bits of bytes");
        }
        if (digits++ >= FREE_DIGITS) {
            countExtension(c);
        }
        size = size << 4 | digit;
        return State.SIZE;
    }

    private State afterLine(byte c) throws HttpFault {
        check(c == '\n');
        if (size > 0) {
            return State.DATA;
        }
        trailers.begin();
        return State.TRAILERS;
    }
}
