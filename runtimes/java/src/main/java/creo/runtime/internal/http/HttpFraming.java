package creo.runtime.internal.http;

/** What the fields of a head say about the body that follows, and about the connection after it (RFC 9112, sections 6 and 9). */
final class HttpFraming {
    private static final int NONE = 0;
    private static final int CHUNKED = 200;
    private static final int MALFORMED = 400;
    private static final int UNKNOWN = 501;

    private final boolean equalLengths;
    private long contentLength;
    private int codings;
    private boolean close;
    private boolean keepAlive;

    /** @param equalLengths whether repeated equal lengths are accepted, as by clients (RFC 9112, section 6.3) */
    HttpFraming(boolean equalLengths) {
        this.equalLengths = equalLengths;
    }

    void begin() {
        contentLength = -1;
        codings = NONE;
        close = false;
        keepAlive = false;
    }

    /** Takes a field into account if it affects framing. */
    void take(HttpFields fields, int i) throws HttpFault {
        int from = fields.valueFrom(i);
        int to = fields.valueTo(i);
        if (fields.isNamed(i, "content-length")) {
            takeLengths(fields.head(), from, to);
        } else if (fields.isNamed(i, "transfer-encoding")) {
            int one = codings(fields.head(), from, to);
            codings = codings == NONE ? one : Math.max(MALFORMED, Math.max(codings, one));
        } else if (fields.isNamed(i, "connection")) {
            close |= HttpFields.hasToken(fields.head(), from, to, "close");
            keepAlive |= HttpFields.hasToken(fields.head(), from, to, "keep-alive");
        }
    }

    private void takeLengths(byte[] b, int from, int to) throws HttpFault {
        for (int p = from; p <= to;) {
            int end = equalLengths ? HttpSyntax.comma(b, p, to) : to;
            int first = HttpSyntax.skipSpace(b, p, end);
            long n = HttpSyntax.decimal(b, first, HttpSyntax.trim(b, first, end));
            if (n < 0) {
                throw HttpFault.bad("a Content-Length that is not a number of bytes");
            }
            if (contentLength >= 0 && !(equalLengths && contentLength == n)) {
                throw HttpFault.bad("several Content-Lengths");
            }
            contentLength = n;
            p = end + 1;
        }
    }

    private static int codings(byte[] b, int from, int to) {
        if (HttpSyntax.is(b, from, to, "chunked")) {
            return CHUNKED;
        }
        for (int p = from; p < to;) {
            int end = HttpSyntax.comma(b, p, to);
            int first = HttpSyntax.skipSpace(b, p, end);
            int last = first;
            while (last < end && HttpSyntax.TOKEN[b[last] & 0xff] != 0) {
                last++;
            }
            if (last > first && !HttpSyntax.is(b, first, last, "chunked")) {
                return UNKNOWN;
            }
            p = end + 1;
        }
        return MALFORMED;
    }

    /** Checks the combination of all fields. */
    void check() throws HttpFault {
        if (codings != NONE && contentLength >= 0) {
            throw HttpFault.bad("both Content-Length and Transfer-Encoding");
        }
        if (codings == UNKNOWN || codings == MALFORMED) {
            throw new HttpFault(codings, "a Transfer-Encoding other than chunked");
        }
    }

    /** The length, or -1 if none was sent. */
    long contentLength() {
        return contentLength;
    }

    boolean chunked() {
        return codings == CHUNKED;
    }

    boolean hasTransferEncoding() {
        return codings != NONE;
    }

    boolean keepAlive(int minorVersion) {
        return !close && (minorVersion > 0 || keepAlive);
    }
}
