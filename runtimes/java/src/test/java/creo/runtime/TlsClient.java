package creo.runtime;

import java.io.IOException;
import java.net.InetAddress;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The blocking client of the JDK. */
final class TlsClient {
    private TlsClient() {}

    static SSLSocket connect(int port, SSLContext context, String version) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setEnabledProtocols(new String[] {version});
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        return socket;
    }
}
