package creo.runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Through which proxy a connection is opened. */
abstract class TcpProxy {
    /** The proxy for the next connection, unresolved; null for none. */
    abstract InetSocketAddress choose() throws IOException;

    /** Asks the proxy for a connection to the address. */
    abstract void tunnel(Socket socket, String address) throws IOException;

    /** The failure of a connection through the proxy. */
    abstract IOException failure(InetSocketAddress proxy, IOException cause);
}
