package creo.runtime.internal.http;

/**
 * Parses the responses of one connection without input or output, as {@link HttpRequestParser} does requests. It is more lenient only where RFC 9112
 * requires it of clients ({@code spec/transports/http.md}, HTTP-19). A fault with status 431 means an exceeded limit; all others mean that the peer
 * does not speak HTTP.
 */
public final class HttpResponseParser {
    private static final String VERSION = "HTTP/1.";

    /** What was found in the bytes. */
    public enum Status {
        /** More bytes are needed. */
        MORE,
        /** The server asks for the body (100). */
        CONTINUE,
        /** A complete head. */
        HEAD,
        /** Bytes of the body. */
        BODY,
        /** The end of the response. */
        END
    }

    private final HttpSection section;
    private final HttpContent content;
    private final HttpFraming framing = new HttpFraming(true);
    private boolean toHead;
    private boolean toConnect;
    private boolean seen;
    private boolean lineRead;
    private boolean inBody;
    private boolean done;
    private int status;
    private String reason;
    private int minorVersion;
    private HttpResponseHead head;
    private int position;

    /**
     * @param maxHeaderSize the max bytes of a head, status line included, and of trailers
     * @param maxFields the max fields of a head, and of trailers
     */
    public HttpResponseParser(int maxHeaderSize, int maxFields) {
        this.section = new HttpSection(maxHeaderSize, maxFields, true);
        this.content = new HttpContent(new HttpChunks(maxHeaderSize, maxFields, 431));
    }

    /** Begins the response to a request with this method. */
    public void begin(String method) {
        toHead = method.equals("HEAD");
        toConnect = method.equals("CONNECT");
        seen = false;
        inBody = false;
        done = false;
        beginHead();
    }

    private void beginHead() {
        lineRead = false;
        section.begin();
    }

    /** The first byte not consumed yet. */
    public int position() {
        return position;
    }

    public HttpResponseHead head() {
        return head;
    }

    /** After BODY: the first of its bytes. */
    public int bodyFrom() {
        return content.from();
    }

    /** After BODY: the end of its bytes. */
    public int bodyTo() {
        return position;
    }

    /** The announced bytes of the body that are still to come; of a chunked body, those of the current chunk. */
    long bodyLeft() {
        return inBody ? content.left() : 0;
    }

    /** Whether no byte of the response has come. */
    public boolean isIdle() {
        return !seen;
    }

    /** Whether the bytes so far begin an HTTP response. */
    public boolean isHttp() {
        return lineRead || inBody || done;
    }

    /** Scans bytes, as {@link HttpRequestParser#next} does; END is its last result for a response. */
    public Status next(byte[] b, int from, int to) throws HttpFault {
        position = from;
        if (done) {
            return Status.END;
        }
        if (!inBody) {
            return head(b, to);
        }
        HttpRequestParser.Status what = content.next(b, from, to);
        position = content.position();
        switch (what) {
            case MORE:
                return Status.MORE;
            case BODY:
                return Status.BODY;
            default:
                done = true;
                return Status.END;
        }
    }

    /** Whether the response is complete if the connection ends here. */
    public boolean isCompleteAtEnd() {
        return done || inBody && content.isEndless();
    }

    private Status head(byte[] b, int to) throws HttpFault {
        seen |= to > position;
        Status what;
        do {
            what = nextHead(b, to);
        } while (what == null);
        return what;
    }

    /** The result for the next head; null after one that is skipped. */
    private Status nextHead(byte[] b, int to) throws HttpFault {
        if (!lineRead) {
            checkBegin(b, to);
            if (!section.nextLine(b, position, to, 431)) {
                return Status.MORE;
            }
            statusLine(b, position, position + section.lineTo());
            section.beginFields();
            lineRead = true;
        }
        while (section.nextLine(b, position, to, 431)) {
            if (!section.isLineEmpty()) {
                section.field(b, position, 431);
                continue;
            }
            HttpFields fields = section.fields(b, position);
            position += section.length();
            if (status >= 200) {
                complete(fields);
                return Status.HEAD;
            }
            beginHead();
            return status == 100 ? Status.CONTINUE : null;
        }
        return Status.MORE;
    }

    /** Input that is not HTTP shows in its first bytes, before a line is complete. */
    private void checkBegin(byte[] b, int to) throws HttpFault {
        int n = Math.min(VERSION.length(), to - position);
        if (!HttpSyntax.isExactly(b, position, position + n, VERSION.substring(0, n))) {
            throw HttpFault.bad("what comes does not begin with " + VERSION);
        }
    }

    private void statusLine(byte[] b, int from, int to) throws HttpFault {
        int at = from + VERSION.length();
        int minor = at < to ? b[at] - '0' : -1;
        boolean line = minor >= 0 && minor <= 9 && to - at >= 5 && b[at + 1] == ' ' && (to - at == 5 || b[at + 5] == ' ');
        status = line ? (int) HttpSyntax.decimal(b, at + 2, at + 5) : -1;
        if (status < 100 || status == 101) {
            throw HttpFault.bad(status == 101 ? "a protocol is switched that nobody asked for" : "a malformed status line");
        }
        minorVersion = Math.min(minor, 1);
        reason = to - at <= 6 ? "" : HttpSyntax.text(b, at + 6, to);
    }

    private void complete(HttpFields fields) throws HttpFault {
        framing.begin();
        for (int i = 0; i < fields.size(); i++) {
            framing.take(fields, i);
        }
        framing.check();
        boolean keepAlive = framing.keepAlive(minorVersion) && !(minorVersion == 0 && framing.chunked());
        boolean empty = toHead || status == 204 || status == 304 || toConnect && status < 300;
        inBody = true;
        if (empty) {
            content.begin(-1, false);
        } else if (framing.chunked() || framing.contentLength() >= 0) {
            content.begin(framing.contentLength(), framing.chunked());
        } else {
            content.beginEndless();
            keepAlive = false;
        }
        head = new HttpResponseHead(status, reason, minorVersion, fields, keepAlive, framing.contentLength(), framing.chunked());
    }
}
