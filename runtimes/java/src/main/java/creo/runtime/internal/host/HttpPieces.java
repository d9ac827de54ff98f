package creo.runtime.internal.host;

import java.io.IOException;

/** The body of an answer that is a stream: in chunks, or for HTTP/1.0 up to the end of the connection. */
final class HttpPieces implements HttpResponder.Pieces {
    private final ServerOutput out;
    private final boolean chunked;
    private final Runnable ended;

    /** @param ended runs after the last piece, also if it was lost */
    HttpPieces(ServerOutput out, boolean chunked, Runnable ended) {
        this.out = out;
        this.chunked = chunked;
        this.ended = ended;
    }

    @Override
    public void send(byte[] b, int from, int length) throws IOException {
        send(b, from, length, false);
    }

    private void send(byte[] b, int from, int length, boolean last) throws IOException {
        HttpAnswer piece = chunked ? HttpAnswer.chunk(b, from, length, last) : HttpAnswer.plain(b, from, length);
        out.send(piece.bytes(), 0, piece.length(), true);
    }

    @Override
    public void end(byte[] b, int length) throws IOException {
        try {
            send(b, 0, length, true);
        } finally {
            ended.run();
        }
    }

    @Override
    public boolean isFull() {
        return out.isFull();
    }
}
