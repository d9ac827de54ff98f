package creo.runtime.internal.tcp;

import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.call.Metadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.Deflater;

/**
 * An outgoing message. Its writer's buffer is the frame, with room for the header before the body. A message that fits is one frame and one write;
 * others are fragmented, one full buffer at a time. A large array is sent from the caller's memory, at the end of a frame that is delayed until the
 * next bytes come. Usually there are none, and every small write would wake the peer once more.
 */
public final class TcpMessage implements Writer.Sink {
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
    /** Runs before the first byte is sent; or null. */
    private Runnable onBegin;
    /** The index after the head of the frame, where its body begins. */
    private int bodyStart;
    /** Whether a frame of the message was sent. */
    private boolean chained;
    private Deflater deflater;
    private byte[] compressed;
    private int compressedEnd;
    /** The array, or its last part, at the end of a frame not yet sent; the frame's other bytes end in the buffer at {@link #tailAt}. */
    private byte[] tail;
    private int tailFrom;
    private int tailAt;

    TcpMessage(TcpOutput out, Limits limits) {
        this.out = out;
        this.limits = limits;
        this.writer = new Writer(new byte[SMALL], limits, this);
    }

    /** Starts an answer with its metadata; its body is written to the writer that is returned. */
    public Writer beginAnswer(int kind, int id, Map<String, String> metadata) {
        begin(kind, id);
        beginBody(metadata);
        return writer;
    }

    private void begin(int kind, int id) {
        this.kind = kind;
        this.id = id;
        flags = 0;
        until = TcpOutput.NO_DEADLINE;
        onBegin = null;
        chained = false;
        bodyStart = BODY;
        writer.begin(BODY);
    }

    /** Writes the metadata, behind which the body begins. */
    private void beginBody(Map<String, String> metadata) {
        if (!metadata.isEmpty()) {
            flags |= TcpFrames.METADATA;
            writer.hold();
            Metadata.write(writer, metadata, limits);
            writer.letGo();
        }
        if (writer.position() > bodyStart) {
            bodyStart = writer.position();
            writer.begin(bodyStart);
        }
    }

    /**
     * Starts a request: its method, its deadline with the milliseconds left, and its metadata.
     *
     * @param onBegin runs before its first byte is sent; or null
     */
    Writer beginRequest(int id, long method, long until, int timeLeft, Map<String, String> metadata, Runnable onBegin) {
        begin(TcpFrames.REQUEST, id);
        this.until = until;
        this.onBegin = onBegin;
        int p = writer.reserve(TcpFrames.REQUEST_HEAD);
        Bytes.putLong(writer.buffer(), p, method);
        Bytes.putInt(writer.buffer(), p + 8, timeLeft);
        beginBody(metadata);
        return writer;
    }

    @Override
    public int flush(byte[] buffer, int from, int to) {
        try {
            int frame = FRAME;
            if (tail != null) {
                frame = tailAt;
                sendTail(buffer, true);
            } else if (!chained && deflater == null && out.compresses()) {
                startCompressing(buffer, from);
            }
            if (deflater != null) {
                deflate(buffer, from, to - from, false);
                return BODY;
            }
            if (to > from || !chained) {
                sendFrame(buffer, frame, to, true);
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
    public int write(byte[] buffer, int from, int to, byte[] bytes) {
        try {
            if (tail != null) {
                sendTail(buffer, true);
                System.arraycopy(buffer, from, buffer, BODY, to - from);
                to = BODY + to - from;
            } else if (!chained && deflater == null && out.compresses()) {
                startCompressing(buffer, from);
            }
            if (deflater != null) {
                deflate(buffer, from, to - from, false);
                deflate(bytes, 0, bytes.length, false);
                return BODY;
            }
            tail = bytes;
            tailFrom = 0;
            tailAt = to;
            while (bytes.length - tailFrom > LONGEST_DIRECT) {
                sendPart(buffer, LONGEST_DIRECT, true);
                tailAt = BODY;
            }
            if (buffer.length - tailAt - TcpFrames.HEADER < Reader.PIECE) {
                sendTail(buffer, true);
                return BODY;
            }
            return tailAt + TcpFrames.HEADER;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sendTail(byte[] buffer, boolean more) throws IOException {
        sendPart(buffer, tail.length - tailFrom, more);
        tail = null;
    }

    /** Sends the delayed frame with the next {@code length} bytes of its array. */
    private void sendPart(byte[] buffer, int length, boolean more) throws IOException {
        out.checkRoom(length);
        TcpFrames.putHeader(buffer, FRAME, tailAt - FRAME - 4 + length, chained ? TcpFrames.DATA : kind, (chained ? 0 : flags) | (more ? TcpFrames.MORE : 0), id);
        boolean alone = begin(more);
        try {
            out.write(buffer, tailAt, tail, tailFrom, length);
        } finally {
            if (alone) {
                out.endChain();
            }
        }
        tailFrom += length;
    }

    /** Sends the rest of the message. Even if this fails, the message has ended and must not be dropped afterwards. */
    public void finish() throws IOException {
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
        if (tail != null) {
            int next = tailAt;
            boolean more = to > next + TcpFrames.HEADER;
            sendTail(buffer, more);
            if (more) {
                sendFrame(buffer, next, to, false);
            }
            return;
        }
        if (!chained && deflater == null && out.compresses() && to - bodyStart >= LEAST_COMPRESSED) {
            startCompressing(buffer, bodyStart);
        }
        if (deflater != null) {
            int from = writer.unflushed();
            deflate(buffer, from, to - from, true);
            sendFrame(compressed, FRAME, compressedEnd, false);
        } else {
            sendFrame(buffer, FRAME, to, false);
        }
    }

    /** Ends the message without its rest; if a part was sent, the peer is notified (TCP-6). */
    public void drop() {
        try {
            if (chained) {
                out.control(TcpFrames.CANCEL, id);
            }
        } catch (IOException e) {
            // The connection is lost: its reader notices and ends the calls.
        } finally {
            end();
        }
    }

    private void end() {
        tail = null;
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
                sendFrame(compressed, FRAME, compressedEnd, true);
                compressedEnd = BODY;
            }
            int n = deflater.deflate(compressed, compressedEnd, compressed.length - compressedEnd);
            compressedEnd += n;
            if (last ? deflater.finished() : n == 0 && deflater.needsInput()) {
                return;
            }
        }
    }

    /** Sends the frame whose header is at {@code frame}: at the buffer's beginning, or after another frame. */
    private void sendFrame(byte[] buffer, int frame, int to, boolean more) throws IOException {
        if (kind != TcpFrames.ERROR) {
            out.checkRoom(to - frame);
        }
        TcpFrames.putHeader(buffer, frame, to - frame - 4, chained ? TcpFrames.DATA : kind, (chained ? 0 : flags) | (more ? TcpFrames.MORE : 0), id);
        boolean alone = begin(more);
        try {
            out.write(buffer, frame, to);
        } finally {
            if (alone) {
                out.endChain();
            }
        }
    }

    /** Called before a frame; the first one begins the message. Returns whether it is the only one, which ends the message. */
    private boolean begin(boolean more) throws IOException {
        if (chained) {
            return false;
        }
        out.beginChain(id, until);
        if (onBegin != null) {
            onBegin.run();
        }
        chained = more;
        return !more;
    }
}
