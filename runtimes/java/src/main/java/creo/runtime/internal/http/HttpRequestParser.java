package creo.runtime.internal.http;

import java.util.Arrays;

/**
 * Parses the requests of one connection (RFC 9112) without input or output: {@link #next} takes bytes and reports what they are. Framing that does
 * not follow the RFC exactly is refused: two readers then never disagree about a request's end ({@code spec/transports/http.md}).
 */
public final class HttpRequestParser {
    private static final int MAX_EMPTY_LINES = 8;
    private static final String[] METHODS = {"GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "CONNECT", "TRACE"};

    /** What was found in the bytes. */
    public enum Status {
        /** More bytes are needed. */
        MORE,
        /** A complete head. */
        HEAD,
        /** Bytes of the body. */
        BODY,
        /** The end of the request; the next call begins the next one. */
        END
    }

        private final HttpSection section;
    private final HttpContent content;
    private final HttpFraming framing = new HttpFraming(false);
    private boolean inBody;
    private boolean seen;
    private int emptyLines;
    private String method;
    private HttpTarget target;
    private byte[] targetBytes = {};
    private int minorVersion;
    private HttpRequestHead head;
    private int position;

    /**
     * @param maxHeaderSize the max bytes of a head, request line included, and of trailers
     * @param maxFields the max fields of a head, and of trailers
     */
    public HttpRequestParser(int maxHeaderSize, int maxFields) {
        this.section = new HttpSection(maxHeaderSize, maxFields, false);
        this.content = new HttpContent(new HttpChunks(maxHeaderSize, maxFields, 400));
        section.begin();
    }

    /** The first byte not consumed yet. */
    public int position() {
        return position;
    }

    /** The head of the current or the last request. */
    public HttpRequestHead head() {
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
    public long bodyLeft() {
        return inBody ? content.left() : 0;
    }

    /** Whether no byte of a request has come since the last END. */
    public boolean isIdle() {
        return !inBody && !seen;
    }

    /**
     * Scans bytes. Those of a head are consumed only when all of it has arrived; empty lines before it are consumed at once.
     *
     * @param from the first byte not consumed; such bytes must keep their values, though they may be moved
     */
    public Status next(byte[] b, int from, int to) throws HttpFault {
        position = from;
        if (!inBody) {
            return head(b, to);
        }
        Status status = content.next(b, from, to);
        position = content.position();
        if (status == Status.END) {
            inBody = false;
            seen = false;
            emptyLines = 0;
            method = null;
            section.begin();
        }
        return status;
    }

    private Status head(byte[] b, int to) throws HttpFault {
        while (section.isNew() && to - position >= 2 && b[position] == '\r' && b[position + 1] == '\n') {
            if (++emptyLines > MAX_EMPTY_LINES) {
                throw HttpFault.bad("too many empty lines before a request");
            }
            position += 2;
        }
        seen = to > position;
        if (method == null) {
            if (section.isNew() && to - position == 1 && b[position] == '\r' || !section.nextLine(b, position, to, 414)) {
                return Status.MORE;
            }
            requestLine(b, position, position + section.lineTo());
            section.beginFields();
        }
        while (section.nextLine(b, position, to, 431)) {
            if (section.isLineEmpty()) {
                head = complete(section.fields(b, position));
                position += section.length();
                return Status.HEAD;
            }
            section.field(b, position, 431);
        }
        return Status.MORE;
    }

    private void requestLine(byte[] b, int from, int to) throws HttpFault {
        int methodTo = from;
        while (HttpSyntax.TOKEN[b[methodTo] & 0xff] != 0) {
            methodTo++;
        }
        int targetTo = to;
        while (targetTo > methodTo && b[targetTo] != ' ') {
            targetTo--;
        }
        if (methodTo == from || b[methodTo] != ' ' || targetTo == methodTo) {
            throw HttpFault.bad("a request line that is not method, target and version");
        }
        minorVersion = minorVersion(b, targetTo + 1, to);
        String name = method(b, from, methodTo);
        int targetFrom = methodTo + 1;
        // Most requests of a connection have the same target as the previous one.
        if (target == null || !Arrays.equals(targetBytes, 0, targetBytes.length, b, from, targetTo)) {
            target = HttpTarget.parse(name, b, targetFrom, targetTo);
            targetBytes = Arrays.copyOfRange(b, from, targetTo);
        }
        method = name;
    }

    private static String method(byte[] b, int from, int to) {
        for (String known : METHODS) {
            if (HttpSyntax.isExactly(b, from, to, known)) {
                return known;
            }
        }
        return HttpSyntax.text(b, from, to);
    }

    private static int minorVersion(byte[] b, int from, int to) throws HttpFault {
        boolean version = to - from == 8 && HttpSyntax.isExactly(b, from, from + 5, "HTTP/") && b[from + 6] == '.';
        int major = version ? b[from + 5] - '0' : -1;
        int minor = version ? b[from + 7] - '0' : -1;
        if (major < 0 || major > 9 || minor < 0 || minor > 9) {
            throw HttpFault.bad("a request line whose version is malformed");
        }
        if (major != 1) {
            throw new HttpFault(505, "HTTP/" + major + "." + minor + " is not supported; HTTP/1.1 is");
        }
        return Math.min(minor, 1);
    }

    private HttpRequestHead complete(HttpFields fields) throws HttpFault {
        int hosts = 0;
        boolean expectsContinue = false;
        framing.begin();
        for (int i = 0; i < fields.size(); i++) {
            framing.take(fields, i);
            if (fields.isNamed(i, "host")) {
                hosts++;
                if (!HttpSyntax.isAuthority(fields.head(), fields.valueFrom(i), fields.valueTo(i))) {
                    throw HttpFault.bad("a malformed Host");
                }
            } else if (fields.isNamed(i, "expect") && fields.valueFrom(i) < fields.valueTo(i)) {
                if (!HttpSyntax.is(fields.head(), fields.valueFrom(i), fields.valueTo(i), "100-continue")) {
                    throw new HttpFault(417, "an Expect other than 100-continue");
                }
                expectsContinue = minorVersion > 0;
            }
        }
        if (hosts > 1 || hosts == 0 && minorVersion > 0) {
            throw HttpFault.bad(hosts == 0 ? "no Host" : "several Hosts");
        }
        if (minorVersion == 0 && framing.hasTransferEncoding()) {
            throw HttpFault.bad("a Transfer-Encoding in HTTP/1.0");
        }
        framing.check();
        content.begin(framing.contentLength(), framing.chunked());
        inBody = true;
        return new HttpRequestHead(method, target, minorVersion, fields, framing, expectsContinue);
    }
}
