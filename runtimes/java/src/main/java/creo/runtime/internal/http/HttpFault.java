package creo.runtime.internal.http;

/** A violation of HTTP framing, with the status to answer. The connection closes after it. */
public final class HttpFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    HttpFault(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** A fault with status 400. */
    public static HttpFault bad(String message) {
        return new HttpFault(400, message);
    }

    public int status() {
        return status;
    }
}
