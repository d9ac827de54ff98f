package creo.conformance;

import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.JsonChannel;
import creo.runtime.SoapChannel;
import creo.runtime.TcpChannel;
import creo.runtime.TdxmlChannel;
import creo.runtime.TdxmlSoapChannel;

/** The way to the service that is called: one port for all interfaces, or a path for each. */
interface Door {
    Channel open(String service, ClientOptions options);

    /** A wire over TCP. */
    interface Tcp {
        /** The binary wire. */
        Tcp BINARY = TcpChannel::open;
        /** Tables. */
        Tcp TABLES = TdxmlChannel::tcp;

        Channel open(String host, int port, ClientOptions options);
    }

    static Door tcp(Tcp wire, String host, int port) {
        return (service, options) -> wire.open(host, port, options);
    }

    static Door soap(String url) {
        return (service, options) -> options.tables() == null ? SoapChannel.open(url + "/" + service, options)
            : TdxmlSoapChannel.open(url + "/" + service, options);
    }

    static Door json(String url) {
        return (service, options) -> JsonChannel.open(url + "/" + service, options);
    }

    static Door tdxml(String url) {
        return (service, options) -> TdxmlChannel.open(url + "/" + service, options);
    }
}
