package creo.runtime.internal.http;

/** The head of a request: request line and fields. */
public final class HttpRequestHead {
    private final String method;
    private final HttpTarget target;
    private final int minorVersion;
    private final HttpFields fields;
    private final boolean keepAlive;
    private final boolean expectsContinue;
    private final long contentLength;
    private final boolean chunked;

    /** @param expectsContinue whether there is a field {@code Expect} for it */
    HttpRequestHead(String method, HttpTarget target, int minorVersion, HttpFields fields, HttpFraming framing, boolean expectsContinue) {
        this.method = method;
        this.target = target;
        this.minorVersion = minorVersion;
        this.fields = fields;
        this.keepAlive = framing.keepAlive(minorVersion);
        this.contentLength = framing.contentLength();
        this.chunked = framing.chunked();
        this.expectsContinue = expectsContinue && (chunked || contentLength > 0);
    }

    public String method() {
        return method;
    }

    /** The target as received. */
    public String target() {
        return target.target();
    }

    /** The percent-decoded path; {@code *} for the server itself, empty for CONNECT. */
    public String path() {
        return target.path();
    }

    /** The query as received, without the question mark; null if there is none. */
    public String query() {
        return target.query();
    }

    /** Host and port from the target or the field {@code Host}; null if there is neither. */
    public String authority() {
        return target.authority() != null ? target.authority() : fields.first("host");
    }

    /** The minor version, 0 or 1. */
    public int minorVersion() {
        return minorVersion;
    }

    public HttpFields fields() {
        return fields;
    }

    /** Whether the client will send another request on this connection. */
    public boolean keepAlive() {
        return keepAlive;
    }

    /** Whether the client waits for {@code 100 Continue} before it sends the body. */
    public boolean expectsContinue() {
        return expectsContinue;
    }

    /** The length, or -1 if none was sent. */
    public long contentLength() {
        return contentLength;
    }

    public boolean chunked() {
        return chunked;
    }
}
