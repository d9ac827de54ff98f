package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.internal.tcp.TcpInput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** Gives the items that a connection receives to their calls. They are read from the socket into the array that the call gets. */
final class ItemFrames extends StreamFrames {
    // The frame of items whose header was read.
    private int id;
    private boolean last;
    /** Null if the items are dropped. */
    private ServedStreams<?, ?> target;
    private byte[] body;
    private int filled;
    /** The bytes taken from the memory of the host for the body. */
    private long held;

    ItemFrames(ServerTcpInput in, ServerConnection connection, Map<Integer, TcpServerCall<?, ?>> calls) {
        super(in, connection, calls);
    }

    @Override
    void begin() throws IOException {
        id = in.id();
        last = in.has(TcpFrames.END);
        filled = 0;
        target = null;
        super.begin();
        TcpServerCall<?, ?> call = calls.get(id);
        if (call == null) {
            return;
        }
        target = call.streams();
        if (left() > host.limits().maxMessageSize()) {
            drop(CreoException.tooLarge("maxMessageSize", host.limits().maxMessageSize(), "items of " + left() + " bytes"));
        } else {
            grow(Math.min(left(), Math.max(host.limits().trustedAllocation(), in.end - in.pos)));
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

    @Override
    void release() {
        host.memory().release(held);
        held = 0;
        target = null;
        body = null;
    }

    @Override
    int fill() throws IOException {
        int n = Math.min(left(), in.end - in.pos);
        if (target != null) {
            room(Math.max(1, n));
        }
        if (target == null) {
            return super.fill();
        }
        if (n > 0) {
            System.arraycopy(in.buf, in.pos, body, filled, n);
            in.pos += n;
        } else {
            n = connection.read(body, filled, body.length - filled);
            if (n <= 0) {
                return n;
            }
            in.heard++;
        }
        filled += n;
        arrived(n);
        return n;
    }

    /** Makes room for more bytes in the body: as much again as has arrived (LIM-3). */
    private void room(int n) {
        if (body.length - filled < n) {
            grow((int) Math.min((long) filled + left(), Math.max(2L * filled, (long) filled + n)));
        }
    }

    @Override
    void complete() throws IOException {
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
