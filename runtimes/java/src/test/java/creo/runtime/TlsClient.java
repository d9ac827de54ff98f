package creo.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The blocking client of the JDK. */
final class TlsClient {
    private TlsClient() {}

    static SSLSocket connect(int port, SSLContext context, String version) throws IOException {
        return connect((SSLSocket) context.getSocketFactory().createSocket(), port, version);
    }

    /** A client that can have received only little that it has not read. */
    static SSLSocket connectNarrow(int port, SSLContext context, String version) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.setReceiveBufferSize(TlsRelay.SMALL);
        return connect(socket, port, version);
    }

    private static SSLSocket connect(SSLSocket socket, int port, String version) throws IOException {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setEnabledProtocols(new String[] {version});
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        return socket;
    }
}
