package creo.runtime.internal.host;

import creo.runtime.internal.net.TcpLink;
import java.io.IOException;

/** The bytes of an accepted connection for frames: only the thread that streams a long message waits, and only for reading. */
final class ServerTcpLink extends TcpLink {
    /** Frames up to this size are sent regardless of the budget. */
    private static final int SMALL = 65_536;

    private final ServerConnection connection;
    private final Host host;

    ServerTcpLink(ServerConnection connection) {
        this.connection = connection;
        this.host = connection.port.host();
    }

    @Override
    public String peer() {
        return connection.peer();
    }

    @Override
    public boolean isTls() {
        return connection.link().isTls();
    }

    @Override
    public int read(byte[] b, int from, int most) throws IOException {
        while (true) {
            int n = connection.read(b, from, most);
            if (n != 0) {
                return n;
            }
            connection.await();
        }
    }

    @Override
    public void write(byte[] b, int from, int length) throws IOException {
        connection.out().send(b, from, length, false);
    }

    @Override
    public void writeKept(byte[] b, int from, int length) throws IOException {
        connection.out().send(b, from, length, true);
    }

    @Override
    public void checkRoom(int length) {
        if (connection.out().queued() + length > SMALL && !host.hasRoom(length)) {
            throw host.exhausted();
        }
    }

    @Override
    public void endInput() {
        connection.close();
    }

    @Override
    public void endOutput() throws IOException {
        connection.out().end();
    }

    @Override
    public void abort() {
        connection.close();
    }
}
