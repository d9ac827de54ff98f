package creo.runtime.internal.tcp;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.Reader;
import creo.runtime.internal.buffer.Failures;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates the body of a fragmented message that is one zlib stream (flag 02), piece by piece, and enforces the limit of the output. */
final class TcpInflater {
    private static final int SIZE = 16_384;

    private final TcpInput in;
    private final Limits limits;
    private final Inflater inflater = new Inflater();
    private final byte[] out = new byte[SIZE];
    /** The end of the inflated bytes that were not read yet. */
    private int end;
    private long total;

    TcpInflater(TcpInput in, Limits limits) {
        this.in = in;
        this.limits = limits;
    }

    boolean fill(Reader reader, int need) throws IOException {
        int rest = reader.remaining();
        long offset = reader.offset();
        System.arraycopy(out, end - rest, out, 0, rest);
        end = rest;
        while (end < need) {
            int n = read(out, end, SIZE - end);
            if (n < 0) {
                // Keeps the remaining bytes for the error's path (BIN-15).
                reader.window(out, 0, end, offset);
                return false;
            }
            end += n;
        }
        reader.window(out, 0, end, offset);
        return true;
    }

    int read(byte[] target, int from, int most) throws IOException {
        try {
            while (true) {
                int n = inflater.inflate(target, from, most);
                if (n > 0) {
                    total += n;
                    if (total > limits.maxMessageSize()) {
                        throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a compressed body that holds more");
                    }
                    return n;
                }
                if (inflater.finished()) {
                    if (inflater.getRemaining() > 0 || in.available() > 0) {
                        throw Failures.malformed("bytes after the compressed body");
                    }
                    return -1;
                }
                if (inflater.needsDictionary()) {
                    throw Failures.malformed("a compressed body that needs a dictionary");
                }
                int k = in.available();
                if (k == 0) {
                    throw Failures.malformed("a compressed body that does not end");
                }
                byte[] buffer = in.buffer();
                inflater.setInput(buffer, in.take(k), k);
            }
        } catch (DataFormatException e) {
            throw CreoException.ofRuntime(ErrorCode.MALFORMED, "a compressed body that is not a zlib stream", e);
        }
    }

    void end() {
        inflater.end();
    }
}
