package creo.runtime;

import java.util.Arrays;

/**
 * Reads requests of HTTP/1.1 (RFC 9112) from bytes as they come, one after the other. It does no input or output: a caller hands it what it
 * has received, and is told what that is. What breaks a rule is refused, never repaired, so that nobody on the way can read it differently.
 */
final class HttpRequestParser {
    /** What was found. */
    enum Status {
        /** More bytes are needed. */
        MORE,
        /** The head of a request is complete. */
        HEAD,
        /** Bytes of the body are there. */
        BODY,
        /** The request is complete. */
        END
    }

    private enum State { HEAD, LENGTH, SIZE, SIZE_END, EXTENSION, DATA, DATA_END, TRAILER, NAME, VALUE, DONE }

    /** Empty lines before a request line, which some clients send after a body. */
    private static final int MAX_EMPTY_LINES = 4;
    private static final int MAX_EXTENSIONS = 4_096;
    /** Digits of the size of a chunk, leading zeros included. */
    private static final int MAX_DIGITS = 64;

    private final int maxHeaderSize;
    private final int maxFields;
    private State state = State.HEAD;
    private HttpRequestHead head;
    private int position;
    private int bodyFrom;
    private int bodyTo;
    /** How many bytes of an incomplete head have been looked at. */
    private int scanned;
    private int emptyLines;
    /** Bytes of the body or the chunk that are still to come. */
    private long left;
    private int digits;
    private int extensions;
    private int trailers;
    /** Whether the last byte was a CR, which a LF must follow. */
    private boolean afterReturn;

    HttpRequestParser(int maxHeaderSize, int maxFields) {
        this.maxHeaderSize = maxHeaderSize;
        this.maxFields = maxFields;
    }

    /**
     * Looks at the bytes from {@code from}, the first one that was not consumed, to {@code to}.
     *
     * @throws HttpFault when they break the rules; then the connection is of no more use
     */
    Status next(byte[] b, int from, int to) throws HttpFault {
        position = from;
        return switch (state) {
            case HEAD -> head(b, to);
            case LENGTH -> body(b, to, State.DONE);
            case DATA -> body(b, to, State.DATA_END);
            case DONE -> done();
            default -> chunks(b, to);
        };
    }

    private Status done() {
        state = State.HEAD;
        return Status.END;
    }

    private Status head(byte[] b, int to) throws HttpFault {
        int start = position;
        for (int p = start + scanned; p < to; p++) {
            byte c = b[p];
            if (c >= ' ' && c != 0x7f || c == '\t' || c < 0) {
                continue;
            }
            if (c != '\r') {
                throw new HttpFault(400, c == '\n' ? "a line that ends without CR" : "a control character in the head of a request");
            }
            if (p + 1 == to) {
                return incomplete(start, p);
            }
            if (b[p + 1] != '\n') {
                throw new HttpFault(400, "a CR that no LF follows");
            }
            p++;
            boolean isEmpty = p - 1 == start || b[p - 2] == '\n';
            if (isEmpty && p - 1 == start) {
                if (++emptyLines > MAX_EMPTY_LINES) {
                    throw new HttpFault(400, "empty lines instead of a request");
                }
                start = p + 1;
                position = start;
            } else if (isEmpty) {
                return complete(b, start, p + 1);
            }
        }
        return incomplete(start, to);
    }

    private Status incomplete(int start, int looked) throws HttpFault {
        scanned = looked - start;
        if (scanned > maxHeaderSize) {
            throw new HttpFault(431, "headers of more than " + maxHeaderSize + " bytes");
        }
        return Status.MORE;
    }

    private Status complete(byte[] b, int start, int end) throws HttpFault {
        if (end - start > maxHeaderSize) {
            throw new HttpFault(431, "headers of more than " + maxHeaderSize + " bytes");
        }
        head = new HttpRequestHead(Arrays.copyOfRange(b, start, end - 2), maxFields);
        position = end;
        scanned = 0;
        emptyLines = 0;
        left = Math.max(0, head.contentLength());
        state = head.chunked() ? State.SIZE : left > 0 ? State.LENGTH : State.DONE;
        extensions = 0;
        trailers = 0;
        beginSize();
        return Status.HEAD;
    }

    private void beginSize() {
        digits = 0;
        afterReturn = false;
        if (state == State.SIZE) {
            left = 0;
        }
    }

    private Status body(byte[] b, int to, State then) {
        if (position == to) {
            return Status.MORE;
        }
        bodyFrom = position;
        bodyTo = (int) Math.min(to, position + left);
        left -= bodyTo - bodyFrom;
        position = bodyTo;
        if (left == 0) {
            state = then;
            afterReturn = false;
        }
        return Status.BODY;
    }

    /** Reads what is between the bytes of chunks, byte by byte: lines may be cut anywhere. */
    private Status chunks(byte[] b, int to) throws HttpFault {
        while (position < to) {
            byte c = b[position++];
            if (afterReturn || c == '\r') {
                if (afterReturn && c != '\n') {
                    throw new HttpFault(400, "a CR that no LF follows");
                }
                afterReturn = c == '\r';
                if (afterReturn) {
                    checkLineEnd();
                    continue;
                }
                if (endLine()) {
                    return state == State.DONE ? done() : next(b, position, to);
                }
                continue;
            }
            character(c);
        }
        return Status.MORE;
    }

    /** A CR may not come before a size has digits, or within the name of a trailer. */
    private void checkLineEnd() throws HttpFault {
        if (state == State.SIZE && digits == 0 || state == State.NAME) {
            throw new HttpFault(400, state == State.SIZE ? "a chunk without a size" : "a trailer that is not a name, a colon and a value");
        }
    }

    /** Ends a line; true if what follows is not between chunks any more. */
    private boolean endLine() {
        switch (state) {
            case SIZE, SIZE_END, EXTENSION -> {
                state = left == 0 ? State.TRAILER : State.DATA;
                return left != 0;
            }
            case DATA_END -> {
                state = State.SIZE;
                beginSize();
                return false;
            }
            case VALUE -> {
                state = State.TRAILER;
                return false;
            }
            default -> {
                state = State.DONE;
                return true;
            }
        }
    }

    private void character(byte c) throws HttpFault {
        switch (state) {
            case SIZE -> size(c);
            case SIZE_END -> {
                count(++extensions, MAX_EXTENSIONS);
                if (c == ';') {
                    state = State.EXTENSION;
                } else if (!HttpFields.isSpace(c)) {
                    throw new HttpFault(400, "a chunk whose size is no hexadecimal number");
                }
            }
            case EXTENSION -> {
                count(++extensions, MAX_EXTENSIONS);
                checkText(c);
            }
            case TRAILER, NAME -> {
                count(++trailers, maxHeaderSize);
                if (state == State.NAME && c == ':') {
                    state = State.VALUE;
                } else if (HttpFields.isToken(c)) {
                    state = State.NAME;
                } else {
                    throw new HttpFault(400, "a trailer that is not a name, a colon and a value");
                }
            }
            case VALUE -> {
                count(++trailers, maxHeaderSize);
                checkText(c);
            }
            default -> throw new HttpFault(400, "a chunk that is longer than its size");
        }
    }

    private void size(byte c) throws HttpFault {
        int digit = HttpRequestHead.hex(c);
        if (digit >= 0) {
            if (left > Long.MAX_VALUE >> 4) {
                throw new HttpFault(400, "a chunk of more than 2^63 bytes");
            }
            count(++digits, MAX_DIGITS);
            left = left << 4 | digit;
            return;
        }
        if (digits == 0 || c != ';' && !HttpFields.isSpace(c)) {
            throw new HttpFault(400, "a chunk whose size is no hexadecimal number");
        }
        count(++extensions, MAX_EXTENSIONS);
        state = c == ';' ? State.EXTENSION : State.SIZE_END;
    }

    private static void count(int bytes, int max) throws HttpFault {
        if (bytes > max) {
            throw new HttpFault(400, "lines between chunks, or after them, that are too long");
        }
    }

    private static void checkText(byte c) throws HttpFault {
        if (c >= 0 && c < ' ' && c != '\t' || c == 0x7f) {
            throw new HttpFault(400, "a control character in a chunked body");
        }
    }

    /** The first byte that was not consumed. */
    int position() {
        return position;
    }

    /** The head of the request at hand. */
    HttpRequestHead head() {
        return head;
    }

    /** After {@link Status#BODY}: the index of the first byte of the body in the array that was looked at. */
    int bodyFrom() {
        return bodyFrom;
    }

    /** After {@link Status#BODY}: the index after the last one. */
    int bodyTo() {
        return bodyTo;
    }

    /** Whether nothing of a request has come. */
    boolean isIdle() {
        return state == State.HEAD && scanned == 0;
    }
}
