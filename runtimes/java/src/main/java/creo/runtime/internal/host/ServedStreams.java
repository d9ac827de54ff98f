package creo.runtime.internal.host;

import creo.runtime.CreoException;
import java.io.IOException;
import java.util.Map;

/** The streams of one call on a host, as calls and transports know them. What implements this is a part that only descriptions with streams need. */
public interface ServedStreams<A, R> {
    /** Makes what a host with such methods needs. */
    interface Maker {
        /** The streams of a call of a method that has some. */
        <A, R> ServedStreams<A, R> of(IncomingCall<A, R> call, Link link);

        /** What takes the frames of a connection. */
        StreamFrames frames(ServerTcpInput in, ServerConnection connection, Map<Integer, TcpServerCall<?, ?>> calls);
    }

    /** Sends the frames of a call's streams, without waiting for the peer. */
    interface Link {
        /** Sends the bytes from {@code from} to {@code to}, unless the answer was sent; the 18 bytes before them may be overwritten. */
        void items(byte[] buffer, int from, int to) throws IOException;

        /** Whether the items are lines of text, over HTTP: then they are received by {@link ServedStreams#receive}. */
        default boolean isText() {
            return false;
        }

        /** Gives the peer credit, unless the answer was sent; over HTTP, {@link ServedStreams#takeMore} may have more to do. */
        void credit(int bytes) throws IOException;

        /** Whether items must wait until {@link ServedStreams#resume}. */
        default boolean isFull() {
            return false;
        }
    }

    /** Runs the method on this thread, and sends the items of its result. */
    R run(Binding<A, R> binding, A arguments) throws Exception;

    /** The error that ended the stream of the method because an item cannot be written; otherwise null. */
    CreoException unwritable();

    /** Whether the method takes items of the caller. */
    boolean takes();

    /**
     * Adds what follows the call id of an items frame. Its {@link creo.runtime.internal.call.MethodStreams#cost cost} was taken from the memory of the host, which
     * has it back in time.
     *
     * @return false if the caller had no credit for it, or has ended its stream
     */
    boolean arrived(byte[] body, boolean last);

    /**
     * Adds bytes of the lines of the caller (HTTP-33).
     *
     * @return false if no more may be added until {@link #takeMore} returns true
     */
    boolean receive(byte[] b, int from, int to);

    /** Gives the method more of the lines that arrived; false if some are left. */
    boolean takeMore();

    /** No more bytes of lines come; false if the stream has not ended: then the call has. */
    boolean received();

    /** No more bytes of lines come, though the stream may not have ended: what the incomplete line holds is given back. On the thread that adds them. */
    void release();

    /** Ends the call because of the items that arrive. */
    void refuse(CreoException why);

    /** The caller gives more credit; false if it must not give this much (TCP-33). */
    boolean more(long bytes);

    /** The peer has read what was sent. */
    void resume();

    /** The call has ended: the program's next use of a stream fails, and what it has not taken is dropped. */
    void stop(CreoException why);
}
