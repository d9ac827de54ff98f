package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.codegen.Bytes;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.internal.tcp.TcpInput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The frames that a connection receives for calls with streams (TCP-30 to TCP-34). Items are read from the socket into the array that their call gets. For
 * the loop's driving thread.
 */
final class StreamFrames {
    private final ServerTcpInput in;
    private final ServerConnection connection;
    private final Host host;
    /** All calls of the connection that are under way. */
    private final Map<Integer, TcpServerCall<?, ?>> calls;

    // The frame of items whose header was read.
    private int id;
    private boolean last;
    /** The bytes of the frame that have not arrived. */
    private int left;
    /** Null if the items are dropped. */
    private ServedStreams<?, ?> target;
    private byte[] body;
    private int filled;
    /** The bytes taken from the memory of the host for the body. */
    private long held;

    StreamFrames(ServerTcpInput in, ServerConnection connection, Map<Integer, TcpServerCall<?, ?>> calls) {
        this.in = in;
        this.connection = connection;
        this.calls = calls;
        this.host = connection.port.host();
    }

    /** The streams of the calls that have any. */
    private Stream<ServedStreams<?, ?>> all() {
        return calls.values().stream().<ServedStreams<?, ?>>map(IncomingCall::streams).filter(Objects::nonNull);
    }

    /** Whether no call with streams is under way. */
    boolean isEmpty() {
        return all().findAny().isEmpty();
    }

    /** The peer has read what it was sent. */
    void resume() {
        all().forEach(ServedStreams::resume);
    }

    /** Gives a call the credit in the current frame, which has arrived. */
    void credit() throws IOException {
        long more = Bytes.getInt(in.buf, in.pos) & 0xffff_ffffL;
        in.pos += 4;
        TcpServerCall<?, ?> call = calls.get(in.id());
        if (more == 0 || more > Integer.MAX_VALUE || call != null && call.streams() != null && !call.streams().more(more)) {
            throw new TcpInput.BrokenFrames("credit of " + more + " bytes for call " + number(in.id()));
        }
    }

    private static String number(int id) {
        return Long.toString(id & 0xffff_ffffL);
    }

    /**
     * Begins the current frame of items, of which only the header needs to have arrived; {@link #fill} follows until it is complete.
     */
    void begin() throws IOException {
        TcpServerCall<?, ?> under = calls.get(in.id());
        id = in.id();
        last = in.has(TcpFrames.END);
        left = in.frameLeft();
        filled = 0;
        target = null;
        if (under != null) {
            if (under.streams() == null || !under.streams().takes()) {
                throw new TcpInput.BrokenFrames("items for call " + number(id) + ", which takes none");
            }
            target = under.streams();
        }
        if (left > 2 * host.limits().maxMessageSize()) {
            throw new TcpInput.BrokenFrames("items of " + left + " bytes");
        }
        if (target != null && left > host.limits().maxMessageSize()) {
            drop(CreoException.tooLarge("maxMessageSize", host.limits().maxMessageSize(), "items of " + left + " bytes"));
        } else if (target != null) {
            grow(Math.min(left, Math.max(host.limits().trustedAllocation(), in.end - in.pos)));
        }
    }

    /** Enlarges the body. If there is no memory for it, the call ends. */
    private void grow(int length) {
        long more = filled == 0 ? MethodStreams.cost(length) : length - body.length;
        if (!host.memory().reserve(more)) {
            drop(host.exhausted());
            return;
        }
        held += more;
        body = filled == 0 ? new byte[length] : Arrays.copyOf(body, length);
    }

    /** Ends the call of the items, and drops the rest of them. */
    private void drop(CreoException why) {
        ServedStreams<?, ?> refused = target;
        release();
        refused.refuse(why);
    }

    /** Drops the items that are not complete. */
    void release() {
        host.memory().release(held);
        held = 0;
        target = null;
        body = null;
    }

    /** Whether bytes of a frame of items are missing. */
    boolean isOpen() {
        return left > 0;
    }

    /**
     * Takes bytes of the frame that were received, or receives some; gives them to the call when they are complete.
     *
     * @return the number of bytes that the link had; 0 for none now, -1 at its end
     */
    int fill() throws IOException {
        int n = Math.min(left, in.end - in.pos);
        if (n > 0) {
            if (target != null) {
                room(n);
            }
            if (target != null) {
                System.arraycopy(in.buf, in.pos, body, filled, n);
            }
            in.pos += n;
        } else if (target == null) {
            n = in.receiveNow(connection);
            return n;
        } else {
            room(1);
            if (target == null) {
                return fill();
            }
            n = connection.read(body, filled, body.length - filled);
            if (n <= 0) {
                return n;
            }
            in.heard++;
        }
        filled += n;
        left -= n;
        if (left == 0) {
            complete();
        }
        return n;
    }

    /** Makes room for more bytes in the body: as much again as has arrived (LIM-3). */
    private void room(int n) {
        if (body.length - filled < n) {
            grow((int) Math.min((long) filled + left, Math.max(2L * filled, (long) filled + n)));
        }
    }

    private void complete() throws IOException {
        in.stopWaiting();
        ServedStreams<?, ?> receiver = target;
        if (receiver == null) {
            return;
        }
        byte[] items = body;
        // From now on it is the call's.
        held = 0;
        release();
        if (!receiver.arrived(items, last)) {
            host.memory().release(MethodStreams.cost(items.length));
            throw new TcpInput.BrokenFrames("items for call " + number(id) + " without credit, or after the last ones");
        }
    }
}
