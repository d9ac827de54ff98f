package creo.runtime.internal.host;

import creo.runtime.codegen.Bytes;
import creo.runtime.internal.tcp.TcpInput;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The frames that a connection receives for calls with streams (TCP-30 to TCP-34). This drops items, as a host whose methods take none does with those of
 * calls that have ended. For the loop's driving thread.
 */
class StreamFrames {
    final ServerTcpInput in;
    final ServerConnection connection;
    final Host host;
    /** All calls of the connection that are under way. */
    final Map<Integer, TcpServerCall<?, ?>> calls;
    /** The bytes of the frame of items that have not arrived. */
    private int left;

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
    final boolean isEmpty() {
        return all().findAny().isEmpty();
    }

    /** The peer has read what it was sent. */
    final void resume() {
        all().forEach(ServedStreams::resume);
    }

    /** Gives a call the credit in the current frame, which has arrived. */
    final void credit() throws IOException {
        long more = Bytes.getInt(in.buf, in.pos) & 0xffff_ffffL;
        in.pos += 4;
        TcpServerCall<?, ?> call = calls.get(in.id());
        if (more == 0 || more > Integer.MAX_VALUE || call != null && call.streams() != null && !call.streams().more(more)) {
            throw new TcpInput.BrokenFrames("credit of " + more + " bytes for call " + number(in.id()));
        }
    }

    static String number(int id) {
        return Long.toString(id & 0xffff_ffffL);
    }

    /**
     * Begins the current frame of items, of which only the header needs to have arrived; {@link #fill} follows until it is complete.
     */
    void begin() throws IOException {
        left = in.frameLeft();
        TcpServerCall<?, ?> call = calls.get(in.id());
        if (call != null && (call.streams() == null || !call.streams().takes())) {
            throw new TcpInput.BrokenFrames("items for call " + number(in.id()) + ", which takes none");
        }
        if (left > 2 * host.limits().maxMessageSize()) {
            throw new TcpInput.BrokenFrames("items of " + left + " bytes");
        }
    }

    /** Drops the items that are not complete. */
    void release() {}

    /** The bytes of the frame of items that have not arrived; 0 if there is none. */
    final int left() {
        return left;
    }

    /**
     * Takes bytes of the frame that were received, or receives some.
     *
     * @return the number of bytes that the link had; 0 for none now, -1 at its end
     */
    int fill() throws IOException {
        int n = Math.min(left, in.end - in.pos);
        if (n == 0) {
            return in.receiveNow(connection);
        }
        in.pos += n;
        arrived(n);
        return n;
    }

    /** More bytes of the frame have arrived. */
    final void arrived(int n) throws IOException {
        left -= n;
        if (left == 0) {
            in.stopWaiting();
            complete();
        }
    }

    /** The frame has arrived. */
    void complete() throws IOException {}
}
