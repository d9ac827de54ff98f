package creo.runtime.internal.tcp;

import creo.runtime.codegen.Bytes;
import java.nio.charset.StandardCharsets;

/** The frame numbers and the preamble (TCP-1, TCP-2, section 2 of the TCP page). */
public final class TcpFrames {
    public static final int REQUEST = 1;
    public static final int RESPONSE = 2;
    public static final int EXCEPTION = 3;
    public static final int ERROR = 4;
    public static final int DATA = 5;
    public static final int CANCEL = 6;
    public static final int PING = 7;
    public static final int PONG = 8;
    public static final int GOODBYE = 9;
    public static final int ITEMS = 10;
    public static final int CREDIT = 11;

    public static final int MORE = 1;
    public static final int COMPRESSED = 2;
    public static final int METADATA = 4;
    /** On items of a client. */
    public static final int END = 8;

    /** The size of a frame's length, kind, flags and call id. */
    public static final int HEADER = 10;
    /** The part of the header included in the length: kind, flags and call id. */
    public static final int COUNTED_HEADER = 6;
    /** The size of a request's method id and timeout. */
    static final int REQUEST_HEAD = 12;
    /** The size of what follows the header of a credit. */
    static final int CREDIT_BODY = 4;

    public static final int PREAMBLE = 8;
    public static final int READS_COMPRESSED = 1;
    public static final int READS_METADATA = 2;
    private static final byte[] OURS = {'C', 'R', 'E', 'O', 1, 0, 0, 0};

    private static final String[] HTTP = {"GET ", "POST", "PUT ", "HEAD", "DELE", "OPTI", "PATC", "CONN", "TRAC", "PRI ", "HTTP"};

    private TcpFrames() {}

    static void putPreamble(byte[] b, int p, int abilities, int wire) {
        System.arraycopy(OURS, 0, b, p, PREAMBLE);
        b[p + 5] = (byte) abilities;
        b[p + 6] = (byte) wire;
    }

    public static void putHeader(byte[] b, int p, int length, int kind, int flags, int id) {
        Bytes.putInt(b, p, length);
        b[p + 4] = (byte) kind;
        b[p + 5] = (byte) flags;
        Bytes.putInt(b, p + 6, id);
    }

    /** What is wrong with a frame's length, kind and flags, or null (TCP-5). */
    public static String fault(int length, int kind, int flags) {
        if (kind < REQUEST || kind > CREDIT) {
            return "a frame of the kind " + kind;
        }
        int allowed = kind <= ERROR ? MORE | COMPRESSED | METADATA : kind == DATA ? MORE : kind == ITEMS ? END : 0;
        if ((flags & ~allowed) != 0) {
            return "a frame of the kind " + kind + " with the flags " + flags;
        }
        int least = COUNTED_HEADER;
        if (kind == REQUEST) {
            least += REQUEST_HEAD + ((flags & METADATA) != 0 ? 1 : 0);
        } else if (kind == ITEMS || kind == CREDIT) {
            least += kind == ITEMS ? 1 : CREDIT_BODY;
        }
        if (length < least || kind == CREDIT && length != least) {
            return "a frame of the kind " + kind + " with the length " + (length & 0xffff_ffffL);
        }
        return kind >= CANCEL && kind <= GOODBYE && length != least ? "a frame of the kind " + kind + " with a body" : null;
    }

    public static boolean isCreo(byte[] b, int n) {
        for (int i = 0; i < Math.min(n, 4); i++) {
            if (b[i] != OURS[i]) {
                return false;
            }
        }
        return true;
    }

    public static boolean isHttp(byte[] b, int n) {
        String start = new String(b, 0, Math.min(n, 4), StandardCharsets.ISO_8859_1);
        for (String word : HTTP) {
            if (start.equals(word)) {
                return true;
            }
        }
        return false;
    }

    /** Describes the first bytes of a peer that does not speak Creo (TCP-2). */
    public static String describe(byte[] b, int n) {
        if (isHttp(b, n)) {
            return "HTTP";
        }
        if (n >= 2 && (b[0] == 0x16 || b[0] == 0x15) && b[1] == 3) {
            return "TLS";
        }
        if (n > 4 && isCreo(b, n)) {
            return "version " + (b[4] & 0xff) + " of Creo";
        }
        StringBuilder hex = new StringBuilder("an unknown protocol, with the bytes");
        for (int i = 0; i < Math.min(n, PREAMBLE); i++) {
            hex.append(String.format(" %02x", b[i]));
        }
        return hex.toString();
    }
}
