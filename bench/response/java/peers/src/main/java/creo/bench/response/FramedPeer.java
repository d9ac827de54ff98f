package creo.bench.response;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/**
 * A codec over a plain socket, as a careful programmer writes it by hand: a frame is its length (four bytes), its kind (one) and the body, sent
 * with one call of the system and, while it is small, received with one; the answer has four bytes. A thread for each connection; no names, no
 * errors, no deadlines.
 */
class FramedPeer implements Peer {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final Supplier<Codec> codecs;

    FramedPeer(Supplier<Codec> codecs) {
        this.codecs = codecs;
    }

    @Override
    public String serve() throws IOException {
        ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(() -> {
            while (true) {
                try {
                    Socket socket = listener.accept();
                    socket.setTcpNoDelay(true);
                    new Thread(() -> serve(socket)).start();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        });
        acceptor.setDaemon(true);
        acceptor.start();
        return Integer.toString(listener.getLocalPort());
    }

    private void serve(Socket socket) {
        Codec codec = codecs.get();
        byte[] frame = new byte[1 << 16];
        byte[] answer = new byte[4];
        try (socket; InputStream in = socket.getInputStream(); OutputStream out = socket.getOutputStream()) {
            while (true) {
                int have = 0;
                int end = FrameOut.HEAD;
                while (have < end) {
                    int read = in.read(frame, have, frame.length - have);
                    if (read < 0) {
                        return;
                    }
                    boolean headless = have < FrameOut.HEAD;
                    have += read;
                    if (headless && have >= FrameOut.HEAD) {
                        end = FrameOut.HEAD + (int) INT.get(frame, 0);
                        if (end > frame.length) {
                            byte[] larger = new byte[end];
                            System.arraycopy(frame, 0, larger, 0, have);
                            frame = larger;
                        }
                    }
                }
                INT.set(answer, 0, codec.read(Kind.values()[frame[4]], frame, FrameOut.HEAD, end - FrameOut.HEAD));
                out.write(answer);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public Client connect(String address) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(address));
        socket.setTcpNoDelay(true);
        return new Sender(codecs.get(), socket.getInputStream(), socket.getOutputStream());
    }

    private static final class Sender implements Client {
        private final Codec codec;
        private final InputStream in;
        private final OutputStream out;
        private final FrameOut frame = new FrameOut();
        private final byte[] answer = new byte[4];

        Sender(Codec codec, InputStream in, OutputStream out) {
            this.codec = codec;
            this.in = in;
            this.out = out;
        }

        @Override
        public Object prepare(Kind kind, int count) {
            return codec.prepare(kind, count);
        }

        @Override
        public int call(Kind kind, Object request) throws IOException {
            frame.begin();
            codec.write(kind, request, frame);
            byte[] bytes = frame.array();
            INT.set(bytes, 0, frame.at() - FrameOut.HEAD);
            bytes[4] = (byte) kind.ordinal();
            out.write(bytes, 0, frame.at());
            if (in.readNBytes(answer, 0, 4) < 4) {
                throw new EOFException("the service closed the connection");
            }
            return (int) INT.get(answer, 0);
        }
    }
}
