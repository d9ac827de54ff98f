package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.internal.buffer.Failures;
import java.util.Arrays;

/**
 * Cuts the bytes of a stream over HTTP into lines (HTTP-30), and puts the items into frames for an {@link ItemInput}: a count, then their lines. It takes the
 * place of a sender that has credit, so at most a window of lines waits for the program (HTTP-36). For one thread, except for {@link #credit}.
 */
public final class LineInput {
    /** Frames have at most about as many bytes, unless a single line is longer. */
    private static final int FULL = 61_440;
    private static final int MANY = 16_384;
    private static final int START = 4_096;

    /** What became of the bytes. */
    public enum Status {
        /** All complete lines were given on. */
        MORE,
        /** Lines wait for {@link #credit}. */
        FULL,
        /** The stream has ended. */
        END,
        /** The stream has ended with {@link #error}. */
        ERROR
    }

    /** Takes the frames. */
    public interface Target {
        /** Takes over a frame, which has no items if it is the last; there is credit for it. */
        void add(byte[] frame, boolean last);

        /** Takes memory for lines that are not complete, in bytes; a negative number gives it back. */
        default void hold(long bytes) {}
    }

    private final Limits limits;
    private final Target target;
    private byte[] buf = new byte[START];
    private int from;
    private int to;
    /** Up to where there is no LF. */
    private int scanned;
    private long held;
    private long room = ItemInput.CREDIT;
    private Status ended;
    private byte[] error;

    public LineInput(Limits limits, Target target) {
        this.limits = limits;
        this.target = target;
    }

    /** The program has taken items, so more may wait for it. Callable from any thread. */
    public synchronized void credit(int bytes) {
        room += bytes;
    }

    private synchronized boolean hasRoom() {
        return room > 0;
    }

    /** Adds bytes that have arrived; {@link #next} says what became of them. */
    public void add(byte[] b, int first, int end) {
        int n = end - first;
        if (buf.length - to < n) {
            makeRoom(n);
        }
        System.arraycopy(b, first, buf, to, n);
        to += n;
    }

    private void makeRoom(int n) {
        int size = to - from;
        byte[] target = buf;
        if (size + n > buf.length) {
            int length = (int) Math.min(Integer.MAX_VALUE - 16L, Math.max(2L * buf.length, (long) size + n));
            hold(length);
            target = new byte[length];
        } else if (size == 0 && buf.length > 4 * FULL && n <= FULL) {
            target = new byte[FULL];
            hold(FULL);
        }
        System.arraycopy(buf, from, target, 0, size);
        buf = target;
        scanned -= from;
        from = 0;
        to = size;
    }

    private void hold(int length) {
        long now = length > 2 * FULL ? length : 0;
        target.hold(now - held);
        held = now;
    }

    /** Gives back the memory of lines that are not complete. No bytes may be added any more. */
    public void release() {
        buf = new byte[0];
        from = 0;
        to = 0;
        scanned = 0;
        hold(0);
    }

    /**
     * Gives on the lines that are complete, as far as there is credit.
     *
     * @throws CreoException {@code malformed}, or {@code too-large} for a line that is too long, after the items before it were given on
     */
    public Status next() {
        while (ended == null) {
            int lf = lineEnd();
            if (lf < 0) {
                if (to - from > limits.maxMessageSize()) {
                    throw placed(tooLong());
                }
                return Status.MORE;
            }
            if (!hasRoom()) {
                return Status.FULL;
            }
            frame();
        }
        return ended;
    }

    /** Fails unless only white space follows the last line, which was taken. */
    public void checkRest() {
        for (int p = from; p < to; p++) {
            if (buf[p] != ' ' && buf[p] != '\t' && buf[p] != '\r' && buf[p] != '\n') {
                throw placed(Failures.malformed("something after the last line"));
            }
        }
        from = to;
    }

    /** The error of a line, which has no item that could be named (HTTP-36). */
    public static CreoException placed(CreoException e) {
        return Failures.root(Failures.placed(e), "$items");
    }

    private CreoException tooLong() {
        return CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a line of more bytes");
    }

    private int lineEnd() {
        for (int p = scanned; p < to; p++) {
            if (buf[p] == '\n') {
                scanned = p;
                return p;
            }
        }
        scanned = to;
        return -1;
    }

    /** Gives on the items up to the next line that is none, and takes that line. */
    private void frame() {
        int first = from;
        int count = 0;
        ItemLine other = null;
        CreoException failure = null;
        while (other == null && count < MANY && from - first < FULL) {
            int lf = lineEnd();
            if (lf < 0) {
                break;
            }
            ItemLine line;
            try {
                if (lf - from > limits.maxMessageSize()) {
                    throw tooLong();
                }
                line = ItemLine.of(buf, from, lf);
            } catch (CreoException e) {
                failure = e;
                break;
            }
            if (line.kind() == ItemLine.Kind.ITEM) {
                count++;
                from = lf + 1;
            } else {
                other = line;
            }
            scanned = lf + 1;
        }
        give(first, from, count);
        if (failure != null) {
            throw placed(failure);
        }
        if (other != null && count == 0) {
            from = scanned;
            end(other);
        } else if (other != null) {
            // It may have to wait for credit.
            scanned = from;
        }
    }

    private void give(int first, int end, int count) {
        if (count > 0) {
            int size = Bytes.countSize(count);
            byte[] frame = new byte[size + end - first];
            int rest = count;
            for (int i = 0; i < size; i++) {
                frame[i] = (byte) (i < size - 1 ? rest | 0x80 : rest);
                rest >>>= 7;
            }
            System.arraycopy(buf, first, frame, size, end - first);
            add(frame, false);
        }
    }

    private void add(byte[] frame, boolean last) {
        synchronized (this) {
            room -= frame.length;
        }
        target.add(frame, last);
    }

    private void end(ItemLine line) {
        if (line.kind() == ItemLine.Kind.END) {
            ended = Status.END;
            add(new byte[1], true);
        } else if (line.kind() == ItemLine.Kind.ERROR) {
            ended = Status.ERROR;
            error = Arrays.copyOfRange(buf, line.from(), line.to());
        }
    }

    /** The document of the last line, after ERROR. */
    public byte[] error() {
        return error;
    }
}
