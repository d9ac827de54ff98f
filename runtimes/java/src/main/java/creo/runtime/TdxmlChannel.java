package creo.runtime;

import creo.runtime.internal.http.HttpChannel;
import creo.runtime.internal.http.tdxml.TableBodies;
import creo.runtime.internal.http.tdxml.TableCalls;

/** Channels of tables. */
public final class TdxmlChannel {
    private TdxmlChannel() {}

    /** Opens a channel of tables over HTTP, or HTTPS, without SOAP. {@code TdxmlSoapChannel} is the one with SOAP. */
    public static Channel open(String url, ClientOptions options) {
        return HttpChannel.open(url, options, new TableCalls(options));
    }

    /** Opens a channel of tables over TCP, or TLS if the options have a context for it. */
    public static Channel tcp(String host, int port, ClientOptions options) {
        return TcpChannel.open(host, port, options, new TableBodies(options.tables() == null ? TableOptions.RECORD : options.tables()));
    }
}
