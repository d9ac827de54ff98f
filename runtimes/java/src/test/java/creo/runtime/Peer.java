package creo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server of one behaviour, for any number of connections. */
final class Peer implements AutoCloseable {
    /** What a peer does with a connection. */
    interface Behaviour {
        void serve(InputStream in, OutputStream out) throws Exception;
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
