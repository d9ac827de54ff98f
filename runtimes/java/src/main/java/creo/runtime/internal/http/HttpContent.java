package creo.runtime.internal.http;

/** Reads the body of a message: of a known length, in chunks, or to the end of the connection. */
final class HttpContent {
    private final HttpChunks chunks;
    private boolean chunked;
    private boolean endless;
    private long left;
    private int position;
    private int from;

    HttpContent(HttpChunks chunks) {
        this.chunks = chunks;
    }

    /** @param length of a body that is not chunked; negative for no body */
    void begin(long length, boolean chunked) {
        this.chunked = chunked;
        endless = false;
        left = length;
        if (chunked) {
            chunks.begin();
        }
    }

    /** Begins a body that ends with the connection. */
    void beginEndless() {
        chunked = false;
        endless = true;
        left = Long.MAX_VALUE;
    }

    /** Whether the body ends with the connection. */
    boolean isEndless() {
        return endless;
    }

    /** The announced bytes that are still to come; of a chunked body, those of the current chunk. */
    long left() {
        return chunked ? chunks.left() : endless ? 0 : Math.max(left, 0);
    }

    /** The first byte not consumed yet. */
    int position() {
        return position;
    }

    /** After BODY: the start of its bytes; they end at the position. */
    int from() {
        return from;
    }

    /** Identifies the next bytes: BODY, END, or MORE if more are needed. */
    HttpRequestParser.Status next(byte[] b, int first, int to) throws HttpFault {
        if (chunked) {
            HttpRequestParser.Status status = chunks.next(b, first, to);
            position = chunks.position();
            from = chunks.bodyFrom();
            return status;
        }
        position = first;
        if (left <= 0) {
            return HttpRequestParser.Status.END;
        }
        if (first == to) {
            return HttpRequestParser.Status.MORE;
        }
        from = first;
        position = (int) Math.min(to, first + Math.min(left, Integer.MAX_VALUE - first));
        left -= endless ? 0 : position - first;
        return HttpRequestParser.Status.BODY;
    }
}
