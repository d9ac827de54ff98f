package creo.bench.response;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A plain socket copy, for coarse data: the length, then the array, read directly into a new array. */
public final class CopyPeer implements Peer {
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
        try (socket; DataInputStream in = new DataInputStream(socket.getInputStream()); DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
            byte[] head = new byte[4];
            while (in.readNBytes(head, 0, 4) == 4) {
                byte[] data = new byte[java.nio.ByteBuffer.wrap(head).getInt()];
                in.readFully(data);
                out.write(java.nio.ByteBuffer.allocate(4).putInt(Received.bytes(data)).array());
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public Client connect(String address) throws IOException {
        java.nio.channels.SocketChannel channel =
            java.nio.channels.SocketChannel.open(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)));
        channel.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
        return new Sender(channel);
    }

    private record Sender(java.nio.channels.SocketChannel channel) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            if (kind != Kind.BYTES) {
                throw new IllegalArgumentException("coarse data only");
            }
            return Data.bytes(count);
        }

        @Override
        public int call(Kind kind, Object request) throws IOException {
            byte[] data = (byte[]) request;
            java.nio.ByteBuffer[] parts = {java.nio.ByteBuffer.allocate(4).putInt(0, data.length), java.nio.ByteBuffer.wrap(data)};
            while (parts[1].hasRemaining()) {
                channel.write(parts);
            }
            java.nio.ByteBuffer answer = java.nio.ByteBuffer.allocate(4);
            while (answer.hasRemaining()) {
                if (channel.read(answer) < 0) {
                    throw new java.io.EOFException("the service closed the connection");
                }
            }
            return answer.getInt(0);
        }
    }
}
