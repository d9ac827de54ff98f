package creo.runtime;

/** A message that breaks the rules of HTTP/1.1, so that it is not known where the next one begins. The connection ends after it. */
final class HttpFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    HttpFault(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    /** The status by which a server refuses the message. */
    int status() {
        return status;
    }
}
