package creo.bench.response;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Java's serialization over a socket: one object stream per connection, reset after each request, since it would otherwise keep every object. */
public final class SerializationPeer implements Peer {
    private static final int BUFFER = 1 << 16;

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

    private static void serve(Socket socket) {
        try (socket;
            ObjectOutputStream out = new ObjectOutputStream(new BufferedOutputStream(socket.getOutputStream(), 64))) {
            out.flush();
            ObjectInputStream in = new ObjectInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
            while (true) {
                Kind kind = Kind.values()[in.readByte()];
                out.writeInt(Plain.received(kind, in.readObject()));
                out.flush();
            }
        } catch (EOFException e) {
            // The client has gone.
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Client connect(String address) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(address));
        socket.setTcpNoDelay(true);
        ObjectOutputStream out = new ObjectOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
        out.flush();
        return new Sender(out, new ObjectInputStream(new BufferedInputStream(socket.getInputStream(), 64)));
    }

    private record Sender(ObjectOutputStream out, ObjectInputStream in) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            return Plain.arrays(kind, count);
        }

        @Override
        public int call(Kind kind, Object request) throws IOException {
            out.writeByte(kind.ordinal());
            out.writeUnshared(request);
            out.reset();
            out.flush();
            return in.readInt();
        }
    }
}
