package creo.bench.response;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** A frame in the making, with room for its head; the memory is kept. Unlike its base it lets codecs write into its array. */
final class FrameOut extends ByteArrayOutputStream {
    static final int HEAD = 5;

    FrameOut() {
        super(1 << 16);
    }

    void begin() {
        count = HEAD;
    }

    /** Room for this many more bytes. */
    byte[] room(int bytes) {
        if (buf.length - count < bytes) {
            buf = Arrays.copyOf(buf, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(2L * buf.length, (long) count + bytes)));
        }
        return buf;
    }

    int at() {
        return count;
    }

    void moveTo(int at) {
        count = at;
    }

    byte[] array() {
        return buf;
    }
}
