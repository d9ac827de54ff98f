package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.Bytes;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.buffer.PaddedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;

/** Compressed bodies (HTTP-6): exactly one complete gzip member. */
public final class Gzip {
    /** Smaller bodies are not compressed. */
    public static final int LEAST = 1_024;

    private Gzip() {}

    public static byte[] compress(byte[] b, int n) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(n / 2 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out, 4_096) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        }) {
            gzip.write(b, 0, n);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Decompresses a body; never holds more than the limits allow. */
    public static PaddedBytes decompress(byte[] b, int n, Limits limits) {
        return decompress(b, n, limits, new Memory(limits.maxMemory()));
    }

    /** As {@link #decompress(byte[], int, Limits)}; the output is charged to the message's memory as it grows. */
    public static PaddedBytes decompress(byte[] b, int n, Limits limits, Memory memory) {
        int p = header(b, n);
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(b, p, n - p);
            byte[] out = new byte[(int) Math.min(Math.max(4_096L, 4L * n), 1 << 16)];
            int size = 0;
            while (!inflater.finished()) {
                if (size >= out.length - PaddedBytes.PADDING) {
                    int length = (int) Math.min(2L * out.length, limits.maxMessageSize() + 2L * PaddedBytes.PADDING);
                    memory.expect(length - size);
                    out = Arrays.copyOf(out, length);
                }
                int got = inflater.inflate(out, size, out.length - PaddedBytes.PADDING - size);
                size += got;
                memory.charge(got);
                if (size > limits.maxMessageSize()) {
                    throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of more bytes, when it is decompressed");
                }
                if (got == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw broken();
                }
            }
            int tail = n - inflater.getRemaining();
            CRC32 crc = new CRC32();
            crc.update(out, 0, size);
            if (n - tail != 8 || little(b, tail) != (int) crc.getValue() || little(b, tail + 4) != size) {
                throw broken();
            }
            return new PaddedBytes(out, size, memory);
        } catch (DataFormatException e) {
            throw broken();
        } finally {
            inflater.end();
        }
    }

    private static CreoException broken() {
        return Failures.malformed("a body that is no whole gzip stream");
    }

    private static int little(byte[] b, int p) {
        return Integer.reverseBytes(Bytes.getInt(b, p));
    }

    /** The index after the header of the member. */
    private static int header(byte[] b, int n) {
        if (n < 18 || b[0] != 0x1f || b[1] != (byte) 0x8b || b[2] != 8 || (b[3] & 0xe0) != 0) {
            throw broken();
        }
        int flags = b[3];
        int p = 10;
        if ((flags & 4) != 0) {
            p += 2 + (b[p] & 0xff) + ((b[p + 1] & 0xff) << 8);
        }
        for (int flag : new int[] {8, 16}) {
            if ((flags & flag) != 0) {
                while (p < n && b[p] != 0) {
                    p++;
                }
                p++;
            }
        }
        p += (flags & 2) != 0 ? 2 : 0;
        if (p > n - 8) {
            throw broken();
        }
        return p;
    }
}
