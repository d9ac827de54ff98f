package creo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/** A server of one behaviour, for any number of connections. */
final class Peer implements AutoCloseable {
    /** The behaviour of a peer on a connection. */
    interface Behaviour {
        void serve(InputStream in, OutputStream out) throws Exception;
    }

    /** A peer that does not read: {@code arrived} is counted down when enough has arrived that the client is within its message. */
    static Behaviour deaf(CountDownLatch arrived) {
        return (in, out) -> {
            while (in.available() < 50_000) {
                Thread.sleep(5);
            }
            arrived.countDown();
            Thread.sleep(30_000);
        };
    }

    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

    Peer(Behaviour behaviour) throws IOException {
        Thread acceptor = new Thread(() -> {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    Thread thread = new Thread(() -> {
                        try (socket) {
                            behaviour.serve(socket.getInputStream(), socket.getOutputStream());
                        } catch (Exception e) {
                            // The client has gone.
                        }
                    });
                    thread.setDaemon(true);
                    thread.start();
                } catch (IOException e) {
                    return;
                }
            }
        });
        acceptor.setDaemon(true);
        acceptor.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
