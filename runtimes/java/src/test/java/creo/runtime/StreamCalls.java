package creo.runtime;

import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Items;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Streams;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Methods with streams as generated code would describe them, and frames of their items by hand. */
final class StreamCalls {
    /** The arguments of the methods. */
    record Args(int n, Stream<?> items) {}

    private static final Codec<Args> ARGS = Codec.of((w, a) -> w.writeInt(a.n()), r -> new Args(r.readInt(), null));
    private static final Codec<Integer> INT = Codec.of(Writer::writeInt, Reader::readInt);
    private static final Items<Integer> INTS = new Items<>(INT, 4, 4);
    private static final Items<byte[]> BLOBS = new Items<>(Codec.of(Writer::writeBytes, Reader::readBytes), 1, 16);

    static final ServiceMethod<Args, Stream<Integer>> COUNT = ServiceMethod.<Args, Stream<Integer>>of(Calls.INTERFACE, "count", 70, ARGS, Codec.ofStream(),
        new ServiceMethod.Thrown<>(Calls.Refused.class, Codec.of((w, e) -> w.writeInt(e.wait), r -> new Calls.Refused(r.readInt())))).streams(Streams.giving(INTS));
    static final ServiceMethod<Args, Stream<byte[]>> LOAD = ServiceMethod.<Args, Stream<byte[]>>of(Calls.INTERFACE, "load", 71, ARGS, Codec.ofStream())
        .streams(Streams.giving(BLOBS));
    static final ServiceMethod<Args, Integer> SUM = ServiceMethod.of(Calls.INTERFACE, "sum", 72, ARGS, INT)
        .streams(Streams.taking(INTS, StreamCalls::ints, (a, s) -> new Args(a.n(), s)));
    static final ServiceMethod<Args, Integer> STORE = ServiceMethod.of(Calls.INTERFACE, "store", 73, ARGS, INT)
        .streams(Streams.taking(BLOBS, StreamCalls::blobs, (a, s) -> new Args(a.n(), s)));
    static final ServiceMethod<Args, Stream<Integer>> TALK = ServiceMethod.<Args, Stream<Integer>>of(Calls.INTERFACE, "talk", 74, ARGS, Codec.ofStream())
        .streams(Streams.both(INTS, StreamCalls::ints, (a, s) -> new Args(a.n(), s), INTS));

    private StreamCalls() {}

    @SuppressWarnings("unchecked") // As the methods have it.
    static Stream<Integer> ints(Args args) {
        return (Stream<Integer>) args.items();
    }

    @SuppressWarnings("unchecked") // As the methods have it.
    static Stream<byte[]> blobs(Args args) {
        return (Stream<byte[]>) args.items();
    }

    /** A request of a method with streams. */
    static String request(int id, ServiceMethod<?, ?> method, int milliseconds, int n) {
        return Raw.request(0, id, method.id(), milliseconds, String.format("%08x", n));
    }

    /** A frame of numbers. */
    static String items(int id, boolean last, int... numbers) {
        StringBuilder body = new StringBuilder(String.format("%02x", numbers.length));
        for (int each : numbers) {
            body.append(String.format("%08x", each));
        }
        return Raw.frame(TcpFrames.ITEMS, last ? TcpFrames.END : 0, id, body.toString());
    }

    /** A frame with one item of this many bytes. */
    static byte[] blob(int id, boolean last, int size) {
        Writer w = new Writer();
        w.writeCount(1);
        w.writeBytes(new byte[size]);
        int body = (int) w.size();
        ByteBuffer frame = ByteBuffer.allocate(10 + body).putInt(6 + body).put((byte) TcpFrames.ITEMS).put((byte) (last ? TcpFrames.END : 0)).putInt(id);
        return frame.put(w.buffer(), 0, body).array();
    }

    static String credit(int id, int bytes) {
        return Raw.frame(TcpFrames.CREDIT, 0, id, String.format("%08x", bytes));
    }

    static String cancel(int id) {
        return Raw.frame(TcpFrames.CANCEL, 0, id, "");
    }

    static String ping() {
        return Raw.frame(TcpFrames.PING, 0, 9, "");
    }

    /** The numbers in a frame of items. */
    static List<Integer> numbers(Raw.Frame frame) {
        Reader r = new Reader(frame.body());
        List<Integer> all = new ArrayList<>();
        for (int left = r.readCount(4, 4); left > 0; left--) {
            all.add(r.readInt());
        }
        r.finish();
        return all;
    }

    /** The error in an error frame. */
    static CreoException error(Raw.Frame frame) {
        return creo.runtime.internal.call.Errors.decode(new Reader(frame.body()), "the peer");
    }

    /** Reads the items of a call to its answer, which is returned; gives no credit. */
    static Raw.Frame read(Raw raw, List<Integer> to) throws IOException {
        while (true) {
            Raw.Frame frame = next(raw);
            if (frame.kind() != TcpFrames.ITEMS) {
                return frame;
            }
            to.addAll(numbers(frame));
        }
    }

    /** The next frame that is no credit. */
    static Raw.Frame next(Raw raw) throws IOException {
        Raw.Frame frame = raw.next();
        while (frame.kind() == TcpFrames.CREDIT) {
            frame = raw.next();
        }
        return frame;
    }
}
