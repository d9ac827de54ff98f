package creo.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port that refuses connections. It is bound, so that no other program gets it, but nothing listens. */
final class DeadPort implements AutoCloseable {
    private final Socket bound = new Socket();

    DeadPort() throws IOException {
        this(0);
    }

    /** @param number the port of a server that has ended, or 0 for any */
    DeadPort(int number) throws IOException {
        bound.setReuseAddress(true);
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
    }

    int number() {
        return bound.getLocalPort();
    }

    String address() {
        return "127.0.0.1:" + number();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
