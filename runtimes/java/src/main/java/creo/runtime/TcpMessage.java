package creo.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.Deflater;

/**
 * One message on its way out: its writer's buffer is the frame, with room for the header before the body. What fits is one frame and one
 * write; what does not goes as a chain, a full buffer at a time.
 */
final class TcpMessage implements Writer.Sink {
    private static final int SMALL = 4_096 + Reader.PIECE;
    private static final int LARGE = 65_536;
    private static final int LONGEST_DIRECT = 1_048_576;
    private static final int LEAST_COMPRESSED = 1_024;
    private static final int FRAME = TcpFrames.PREAMBLE;
    private static final int BODY = FRAME + TcpFrames.HEADER;

    private final TcpOutput out;
    private final Limits limits;
    private final Writer writer;
    private int kind;
    private int flags;
    private int id;
    private long until;
    /** The index behind the head of the frame, where its body begins. */
    private int bodyStart;
    /** Whether a frame of the chain was sent. */
    private boolean chained;
    private Deflater deflater;
    private byte[] compressed;
    private int compressedEnd;

    TcpMessage(TcpOutput out, Limits limits) {
        this.out = out;
        this.limits = limits;
        this.writer = new Writer(new byte[SMALL], limits, this);
    }

    /** Starts a message; its body is written to the writer that is returned. */
    Writer begin(int kind, int id) {
        this.kind = kind;
        this.id = id;
        flags = 0;
        until = TcpOutput.NO_DEADLINE;
        chained = false;
        bodyStart = BODY;
        writer.begin(BODY);
        return writer;
    }

    /** Starts a request: its method, its deadline with the milliseconds that are left, and its metadata. */
    Writer beginRequest(int id, long method, long until, int timeLeft, Map<String, String> metadata) {
        begin(TcpFrames.REQUEST, id);
        this.until = until;
        int p = writer.reserve(TcpFrames.REQUEST_HEAD);
        Bytes.putLong(writer.buffer(), p, method);
        Bytes.putInt(writer.buffer(), p + 8, timeLeft);
        if (!metadata.isEmpty()) {
            flags |= TcpFrames.METADATA;
            writer.hold();
            Metadata.write(writer, metadata, limits);
            writer.letGo();
        }
        bodyStart = writer.position();
        writer.begin(bodyStart);
        return writer;
    }

    @Override
    public int flush(byte[] buffer, int from, int to) {
        try {
            if (!chained && deflater == null && out.compresses()) {
                startCompressing(buffer, from);
            }
            if (deflater != null) {
                deflate(buffer, from, to - from, false);
                return BODY;
            }
            if (to > from || !chained) {
                sendFrame(buffer, to, true);
            }
            if (buffer.length < LARGE) {
                return writer.enlarge(LARGE, BODY);
            }
            return BODY;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        try {
            if (deflater != null) {
                deflate(bytes, from, length, false);
                return;
            }
            byte[] header = new byte[BODY];
            while (length > 0) {
                int k = Math.min(length, LONGEST_DIRECT);
                TcpFrames.putHeader(header, FRAME, TcpFrames.COUNTED_HEADER + k, TcpFrames.DATA, TcpFrames.MORE, id);
                out.write(header, BODY, bytes, from, k);
                from += k;
                length -= k;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends what is left of the message. Whatever happens, the message has ended, and must not be dropped after that. */
    void finish() throws IOException {
        boolean done = false;
        try {
            writer.finish();
            sendRest(writer.buffer(), writer.position());
            done = true;
        } finally {
            if (done) {
                end();
            } else {
                drop();
            }
        }
    }

    private void sendRest(byte[] buffer, int to) throws IOException {
        if (!chained && deflater == null && out.compresses() && to - bodyStart >= LEAST_COMPRESSED) {
            startCompressing(buffer, bodyStart);
        }
        if (deflater != null) {
            int from = writer.unflushed();
            deflate(buffer, from, to - from, true);
            sendFrame(compressed, compressedEnd, false);
        } else {
            sendFrame(buffer, to, false);
        }
    }

    /** Ends the message without its rest; if a part has left, the peer is told so (TCP-6). */
    void drop() {
        try {
            if (chained) {
                out.control(TcpFrames.CANCEL, id);
            }
        } catch (IOException e) {
            // The connection is lost: its reader finds out and ends the calls.
        } finally {
            end();
        }
    }

    private void end() {
        if (chained) {
            chained = false;
            out.endChain();
        }
        if (deflater != null) {
            deflater.end();
            deflater = null;
            compressed = null;
        }
        if (writer.buffer().length <= LARGE) {
            out.giveBack(this);
        }
    }

    private void startCompressing(byte[] buffer, int head) {
        deflater = new Deflater(Deflater.BEST_SPEED);
        compressed = Arrays.copyOf(Arrays.copyOf(buffer, head), Math.max(head + Reader.PIECE, LARGE));
        compressedEnd = head;
        flags |= TcpFrames.COMPRESSED;
    }

    private void deflate(byte[] b, int from, int length, boolean last) throws IOException {
        deflater.setInput(b, from, length);
        if (last) {
            deflater.finish();
        }
        while (true) {
            if (compressedEnd == compressed.length) {
                sendFrame(compressed, compressedEnd, true);
                compressedEnd = BODY;
            }
            int n = deflater.deflate(compressed, compressedEnd, compressed.length - compressedEnd);
            compressedEnd += n;
            if (last ? deflater.finished() : n == 0 && deflater.needsInput()) {
                return;
            }
        }
    }

    private void sendFrame(byte[] buffer, int to, boolean more) throws IOException {
        int frameKind = chained ? TcpFrames.DATA : kind;
        int frameFlags = (chained ? 0 : flags) | (more ? TcpFrames.MORE : 0);
        TcpFrames.putHeader(buffer, FRAME, to - FRAME - 4, frameKind, frameFlags, id);
        if (chained) {
            out.write(buffer, to);
            return;
        }
        out.beginChain(id, until);
        chained = more;
        try {
            out.write(buffer, to);
        } finally {
            if (!more) {
                out.endChain();
            }
        }
    }
}
