package creo.conformance;

import creo.runtime.Channel;
import creo.runtime.ClientOptions;

/** The way to the service that is called: one port for all interfaces, or a path for each. */
interface Door {
    Channel open(String service, ClientOptions options);

    static Door tcp(String host, int port) {
        return (service, options) -> Channel.tcp(host, port, options);
    }

    static Door soap(String url) {
        return (service, options) -> Channel.soap(url + "/" + service, options);
    }

    static Door json(String url) {
        return (service, options) -> Channel.json(url + "/" + service, options);
    }

    static Door tdxml(String url) {
        return (service, options) -> Channel.tdxml(url + "/" + service, options);
    }
}
